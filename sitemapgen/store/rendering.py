"""What rendering brought, and to which pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from sitemapgen.core.rendering.learn import Gain, Record, Tally


class Render(NamedTuple):
    """What became of one page in the browser."""

    reason: str
    """Why it was rendered."""
    outcome: str
    """``gained``, ``nothing`` or ``failed``."""
    seconds: float = 0.0
    signature: str = ""
    waiting: str = ""
    """A value of ``learning.Waiting``."""
    empty: str | None = None
    """Of a page that shows no link and hardly a word: what kept it so, in words, as far as it is
    known."""


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
    unfinished: int
    """Pages that were read while something on them seemed to be loading."""
    unfinished_examples: list[str]


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

    def is_patient(self, signature: str, key: int) -> bool:
        """Return whether the browser is to wait for content that a page seems to lack."""

    def note(self, key: int, render: Render) -> None:
        """Keep that the browser was asked for a page."""

    def emptiness(self, key: int) -> str | None:
        """What kept a page in the browser without links and words; None for any other page."""

    def report(self) -> RenderingReport:
        """What the browser was asked for in this run."""
