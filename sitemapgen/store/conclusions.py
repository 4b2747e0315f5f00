"""Protocol of the store for evidence and conclusions about pages that rest on the whole site.

The conclusions are drawn in ``publish/conclusions.py``; the results: ``results.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapgen.analysis.graph import Floats, LinkGraph, Measures
    from sitemapgen.analysis.lastmod import Conclusion, Dated
    from sitemapgen.items import Ruling


class SignedRow(NamedTuple):
    """The features by which near-duplicates are found."""

    key: int
    url: str
    excerpt: str
    signature: bytes


class ShortRow(NamedTuple):
    """A listed page with little text."""

    key: int
    url: str
    title: str
    language: str
    excerpt: str
    content_hash: int


class SampleRow(NamedTuple):
    """Samples of the text of a listed page."""

    key: int
    signature: bytes
    unbroken: bytes
    """``Page.unbroken``; empty if it was read by a version without it."""
    excerpt: str
    """The text of a page without a signature; else empty."""


class TextRow(NamedTuple):
    """A listed page, to be compared with others that may show its text."""

    key: int
    excerpt: str
    signature: bytes
    """Empty for a page with too little text."""
    unbroken: bytes
    pictures: bytes
    """``Page.pictures``, which are those of pages without a signature."""


class ViewRow(NamedTuple):
    """A page that shows only what other pages show."""

    key: int
    pages: int
    """Number of pages of which it shows parts."""
    example: int
    """Key of the page that it shows most of."""


class Conclusions(Protocol):
    """Queries over many pages, and conclusions that replace earlier ones."""

    def apply(self, measures: Measures, graph: LinkGraph, ranks: Floats | None = None) -> None:
        """Write depth, links and redirects of each URL, and its PageRank if it was computed."""

    def reset_site_verdicts(self) -> None:
        """Reset the verdicts that depend on the whole site to ``listed``."""

    def outcomes(self, keys: Sequence[int], *, with_copies: bool) -> dict[int, bool]:
        """Predict, of the URLs among ``keys`` that are done, which ones will be listed.

        Not listed are pages with another canonical URL and, unless ``with_copies``, pages with the
        same content as one fetched before; within ``keys`` the smallest key counts as the first.
        """

    def canonicals(self) -> Iterator[tuple[int, str]]:
        """Yield (key, canonical URL) of listed pages that name another URL, by key."""

    def contents(self) -> Iterator[tuple[int, int, int, bool, bool, bool]]:
        """Yield the fields of ``publish.conclusions.CONTENT`` of comparable pages.

        These are the pages with content that are listed, or would be if not noindex.
        """

    def short_pages(self) -> list[ShortRow]:
        """Return the listed pages with little text that share their title with another one.

        Pages that were rendered are left out.
        """

    def set_content_hashes(self, rows: Iterable[tuple[int, int]]) -> None:
        """Set (key, content hash) of pages."""

    def alternates(self, keys: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """Yield (key, packed keys of its language versions) of the pages that name any."""

    def signed(self, keys: Iterable[int]) -> Iterator[SignedRow]:
        """Yield the pages with a signature among ``keys`` (sorted ascending)."""

    def text_samples(self) -> Iterator[SampleRow]:
        """Yield the listed pages, in no order."""

    def texts_of(self, keys: Iterable[int]) -> Iterator[TextRow]:
        """Yield the listed pages among ``keys`` (sorted ascending)."""

    def listed_urls(self) -> Iterator[tuple[int, str]]:
        """Yield (key, URL) of the listed pages, in no order."""

    def set_views(self, rows: Iterable[ViewRow]) -> None:
        """Replace the views."""

    def set_clusters(self, rows: Iterable[tuple[int, int, float]]) -> None:
        """Replace the clusters: (key, key of the representative page, similarity).

        They contain the near-duplicates of listed pages, and noindex copies and near-duplicates.
        """

    def failing(self) -> Iterator[tuple[int, int | None, int]]:
        """Yield (key, status, failed runs in a row) of listed pages that fail, by key."""

    def postponed(self) -> Iterator[tuple[int, int]]:
        """Yield (key, time of the last visit) of listed pages that were postponed, by key."""

    def set_verdicts(self, rulings: Iterable[Ruling]) -> None:
        """Replace verdicts and their evidence."""

    def dated(self) -> Iterator[Dated]:
        """Yield every document with a date of its own or from a sitemap, by key."""

    def dated_at(self, keys: Iterable[int]) -> Iterator[Dated]:
        """Yield the rows of ``dated`` for ``keys`` (sorted ascending)."""

    def set_lastmods(self, conclusions: Iterable[Conclusion]) -> None:
        """Replace all final lastmods; pages without one keep the date of their own."""

    def set_changefreqs(self, words: Iterable[tuple[int, str]]) -> None:
        """Replace the published changefreqs: (key, word)."""
