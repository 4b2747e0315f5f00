"""The URLs of a store that may be endlessly many, by their patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapgen.analysis.made_up import MadeUp
    from sitemapgen.analysis.traps import Feed, Grant, Pattern, Spaces, SuspectPage, Use
    from sitemapgen.analysis.views import View
    from sitemapgen.core.document.novelty import Novelty


class TrapRow(NamedTuple):
    """One trap, one way to say that a page is missing, or one kind of repaired links."""

    kind: str
    pattern: str
    urls: int
    """URLs left out; of session ids and host aliases: links met."""
    fetched: int
    useful: int
    """Pages of the fetched ones that said or led to something new."""
    examples: tuple[str, ...]
    reason: str = ""
    """Of a trap: what was seen of it."""
    is_endless: bool = False
    """Of a trap: it was still revealing itself when it was left."""


class TrapCandidates(Protocol):
    """The URLs of a store that may be endlessly many, by their patterns."""

    round: int
    """How often URLs were released in this run."""

    def are_pending(self) -> bool:
        """Return whether any of them is in the frontier."""

    def sort(self) -> bool:
        """Assign new suspects to patterns; whether patterns changed, so that tallies have to be
        made again."""

    def patterns(self) -> list[Pattern]:
        """All patterns, sorted by name."""

    def feeds(self) -> list[Feed]:
        """Which patterns revealed which."""

    def judged(self) -> Iterator[tuple[SuspectPage, Use]]:
        """The pages that have been judged, in the order of judging."""

    def unjudged(self) -> Iterator[tuple[SuspectPage, int, Use | None]]:
        """Pages to judge, in their order: the page, its round, and OPEN where it was judged."""

    def keep(self, uses: Iterable[tuple[int, Use]]) -> None:
        """Keep what the pages with these keys are good for."""

    def noise(self) -> dict[int, Novelty]:
        """By pattern: what a second reading of its pages brought; zero until they were read."""

    def sample(self, patterns: Iterable[int]) -> list[int]:
        """Choose two pages of each of these patterns to be read again; their keys."""

    def probe(self, patterns: Iterable[int]) -> int:
        """Let two URLs of each of these patterns into the frontier that no page links to."""

    def made_up(self) -> dict[int, tuple[list[MadeUp], float]]:
        """By pattern: what such URLs answered, and the mean length of its listed pages' texts."""

    def release(self, grants: Iterable[Grant]) -> int:
        """Keep what was granted, and let that many URLs of each pattern into the frontier."""

    def spaces(self) -> Spaces | None:
        """What the analysis has in memory; None where it has to be made again."""

    def keep_spaces(self, spaces: Spaces) -> None:
        """Have the analysis remembered until the store is closed or a new run begins."""

    def mark_traps(self, *, leaves_out: bool) -> None:
        """Give the waiting URLs of traps, and their useless pages, the verdict ``trap``.

        Not ``leaves_out``: traps are only named.
        """

    def views(self) -> Iterator[View]:
        """The listed pages of patterns."""

    def report(self) -> list[TrapRow]:
        """The traps, what answers like a missing page, the session ids and the host aliases."""
