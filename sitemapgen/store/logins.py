"""Protocol of the store for URLs of login forms: samples, and verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapgen.core.logins import LoginUrl
    from sitemapgen.items import Judgement


class Found(NamedTuple):
    """The URLs that may be login forms."""

    forms: list[list[LoginUrl]]
    """Those of each form, sorted; one in the site's own sitemaps is never waiting."""
    boxes: int = 0
    """Number of documents with a password field that are in none of the forms."""
    documents: int = 0


class Logins(Protocol):
    """The URLs of a store that have the address to return to in them."""

    def find(self) -> Found:
        """Return the URLs of this run by form."""

    def ask(self, keys: Iterable[int]) -> int:
        """Put waiting URLs into the frontier; return their number."""

    def restore(self) -> None:
        """Give the fetched URLs with the verdict ``login`` that of their response again."""

    def set_verdicts(self, judgements: Iterable[tuple[int, Judgement]]) -> None:
        """Set the verdicts of the URLs with these keys."""
