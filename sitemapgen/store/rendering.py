"""Protocol of the store for the results of rendering, by page and by signature."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

    from sitemapgen.core.rendering.learn import Gain, Record, Tally, Waits


class Render(NamedTuple):
    """The result of rendering one page."""

    reason: str
    """Why it was rendered."""
    outcome: str
    """The outcome: ``gained``, ``nothing`` or ``failed``."""
    seconds: float = 0.0
    signature: str = ""
    waiting: str = ""
    """A value of ``learn.Waiting``."""
    empty: str | None = None
    """Why a page has no links and hardly any text in the browser, empty if unknown; None for all
    other pages."""
    gained: int = 0
    """What it brought: ``learn.Gain.bits``."""
    added: tuple[int, ...] = ()
    """Keys of the URLs to which only scripts show links."""


class Rendered(NamedTuple):
    """A page that shows more in a browser."""

    url: str
    reason: str
    gained: int


class Denied(NamedTuple):
    """Pages of one signature that were read while something on them seemed to be loading."""

    signature: str
    pages: int
    looked: int
    """How many more of them were read again with the wait, in vain."""
    has_come: bool
    """Whether waiting for any page of the signature has brought something."""


class RenderingReport(NamedTuple):
    """Counts of the pages rendered in a run."""

    pages: int
    reasons: dict[str, int]
    """Number of pages by the reason for rendering."""
    gained_nothing: int
    """Number of pages to which rendering added nothing."""
    failed: int
    seconds: float
    """Time in the browser, all pages together."""
    unfinished: int
    """Number of pages that were read while they still seemed to be loading."""
    unfinished_examples: list[str]


class Showing(NamedTuple):
    """Where the content of a page comes from."""

    text_length: int
    """Characters of its main text, without white space; of a rendered page those in the browser."""
    is_rendered: bool
    """Whether it shows more in a browser than the server sends."""
    verdict: str


class Rendering(Protocol):
    """The results of rendering for the pages of a store, by their signatures."""

    def of(self, signature: str, key: int) -> Record:
        """Return the counts of a signature and its family, and whether the page is a sample."""

    def skip(self, signature: str, key: int) -> None:
        """Count a page with scripts that was not rendered."""

    def record(self, signature: str, key: int, gain: Gain, *, repeats: bool = False) -> None:
        """Count a page that was rendered, and whether it gained anything.

        ``repeats``: scripts added links, all of which the site was known to have.
        """

    def total(self) -> Tally:
        """Return the counts of the whole site."""

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
        """Keep the result of rendering a page."""

    def gains(self) -> Counter[tuple[str, int]]:
        """Count the listed pages that show more in a browser, by (reason, ``learn.Gain.bits``)."""

    def rendered(self, count: int) -> list[Rendered]:
        """Return the first of these pages in URL order."""

    def added_links(self) -> Iterator[tuple[int, bytes]]:
        """Yield (source key, packed 64-bit target keys) of links that only scripts show."""

    def emptiness(self, key: int) -> str | None:
        """Return ``Render.empty`` of a page."""

    def showing(self, key: int) -> Showing | None:
        """Return where the content of a page comes from; None if it was not fetched."""

    def report(self) -> RenderingReport:
        """Return the counts of this run."""
