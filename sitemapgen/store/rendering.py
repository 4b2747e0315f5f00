"""What did rendering bring, and to which pages?"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from sitemapgen.core.learning import Gain, Record, Tally


class RenderingReport(NamedTuple):
    """What the browser was asked for, and what came of it."""

    pages: int
    reasons: dict[str, int]
    """Pages by the reason for which they were rendered."""
    gained_nothing: int
    """Pages that said the same before."""
    failed: int
    seconds: float
    """In the browser, all pages together."""


class Rendering(Protocol):
    """What rendering brought to the pages of a store, by their signatures."""

    def of(self, signature: str, key: int) -> Record:
        """What is known about a signature and its family, and whether the page is a sample."""

    def skip(self, signature: str, key: int) -> None:
        """Count a page with scripts that was not rendered."""

    def record(self, signature: str, key: int, gain: Gain) -> None:
        """Count a page that was rendered, and what that brought."""

    def total(self) -> Tally:
        """What rendering brought to the site."""

    def note(self, key: int, reason: str, outcome: str, seconds: float) -> None:
        """Keep that the browser was asked for a page; it ``gained``, ``nothing`` or ``failed``."""

    def report(self) -> RenderingReport:
        """What the browser was asked for in this run."""
