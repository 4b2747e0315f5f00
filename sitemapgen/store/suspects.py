"""Which URLs may be endlessly many, and which of their patterns turned out to be traps?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapgen.analysis.traps import Ledger, PatternPage
    from sitemapgen.items import Judgement


class TrapRow(NamedTuple):
    """One trap, one way to say that a page is missing, or one kind of repaired links."""

    kind: str
    pattern: str
    urls: int
    """URLs left out; of session ids and host aliases: links met."""
    fetched: int
    useful: int
    """Pages of the fetched ones that said something new."""
    examples: tuple[str, ...]


class Suspects(Protocol):
    """The URLs of a store that may be endlessly many, by their patterns."""

    def are_pending(self) -> bool:
        """Tell whether any of them is in the frontier."""

    def waiting(self) -> list[Ledger]:
        """The patterns that are no traps and have URLs that wait to be released."""

    def fruitless(self) -> dict[str, int]:
        """Fruitless pages by family of patterns."""

    def pages(self, family: str) -> list[PatternPage]:
        """The fetched pages of a family of patterns, the shortest URL first."""

    def release(self, ledgers: Iterable[Ledger]) -> int:
        """Keep the ledgers, and let the batch of each into the frontier; how many URLs."""

    def traps(self) -> list[Ledger]:
        """The patterns that turned out to be traps, in their order."""

    def condemn(self, pattern: str, judgement: Judgement, useless: Iterable[int]) -> None:
        """Give the waiting URLs of a trap this verdict, and its listed pages with these keys."""

    def report(self) -> list[TrapRow]:
        """The traps, what answers like a missing page, the session ids and the host aliases."""
