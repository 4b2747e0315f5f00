"""What rendering brought, and to which pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapgen.core.rendering.learn import Gain, Record, Tally, Waits


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


class Denied(NamedTuple):
    """Pages of one signature that were read while something on them seemed to be loading."""

    signature: str
    pages: int
    looked: int
    """How many more of them were read again with the wait, in vain."""
    has_come: bool
    """Whether waiting for any page of the signature has brought something."""


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

    def waits(self, signature: str, key: int) -> Waits:
        """Count what waiting has brought to pages of a signature and its family."""

    def tallies(self) -> dict[str, Tally]:
        """What rendering brought, by the name of each level: signatures, families, the site."""

    def unrendered(self, signature: str, count: int) -> list[int]:
        """Keys of the first pages of a signature that were read without the browser."""

    def denied(self) -> list[Denied]:
        """Count the pages that were not waited for, by signature."""

    def unawaited(self, signature: str, count: int) -> list[int]:
        """Keys of the first pages of a signature that were not waited for."""

    def keep_samples(self, keys: Iterable[int]) -> None:
        """Keep that these pages are read again to see what the browser, or the wait, brings."""

    def note(self, key: int, render: Render) -> None:
        """Keep that the browser was asked for a page."""

    def emptiness(self, key: int) -> str | None:
        """What kept a page in the browser without links and words; None for any other page."""

    def report(self) -> RenderingReport:
        """What the browser was asked for in this run."""
