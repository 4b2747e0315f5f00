"""Evidence and conclusions about pages that rest on the whole site.

Who concludes: ``publish/conclusions.py``. What came of it: ``results.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapgen.analysis.graph import Floats, LinkGraph, Measures
    from sitemapgen.analysis.lastmod import Conclusion, Dated
    from sitemapgen.items import Ruling


class SignedRow(NamedTuple):
    """The features by which nearly the same pages are found."""

    key: int
    url: str
    excerpt: str
    signature: bytes


class Conclusions(Protocol):
    """What is asked about many pages at once, and the answers, which replace earlier ones."""

    def apply(self, measures: Measures, graph: LinkGraph, ranks: Floats | None = None) -> None:
        """Write depth, links and redirects of each URL, and its PageRank once it is computed."""

    def reset_site_verdicts(self) -> None:
        """Take back the verdicts that depend on the whole site."""

    def outcomes(self, keys: Sequence[int], *, with_copies: bool) -> dict[int, bool]:
        """Predict of those of some URLs that are done which will be listed, for all that is known.

        Not those with another canonical URL, nor, unless ``with_copies``, pages with the same
        content as one that was fetched before; within ``keys`` the least key counts as the first.
        """

    def canonicals(self) -> Iterator[tuple[int, str]]:
        """(key, canonical URLs) of listed pages that name another URL than their own, by key."""

    def contents(self) -> Iterator[tuple[int, int, int, bool, bool]]:
        """(key, content hash, subject or 0, is signed, is listed) of pages that can be compared.

        Those that are listed, or would be if they were not noindex, with enough content.
        """

    def alternates(self, keys: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """(key, packed keys of its versions in other languages) of those that name any."""

    def signed(self, keys: Iterable[int]) -> Iterator[SignedRow]:
        """Those pages of these keys, which ascend, that have a signature."""

    def set_clusters(self, rows: Iterable[tuple[int, int, float]]) -> None:
        """Replace the clusters: (key, key of the page that stands for it, similarity).

        The near-duplicates of listed pages, and the copies and near-duplicates that are noindex.
        """

    def failing(self) -> Iterator[tuple[int, int | None, int]]:
        """(key, status, runs in a row) of listed pages that give no answer, by key."""

    def postponed(self) -> Iterator[tuple[int, int]]:
        """(key, when it was visited last) of listed pages that were postponed, by key."""

    def set_verdicts(self, rulings: Iterable[Ruling]) -> None:
        """Replace verdicts and their evidence."""

    def dated(self) -> Iterator[Dated]:
        """Every document with a claim about its date, its own or a sitemap's, by key."""

    def dated_at(self, keys: Iterable[int]) -> Iterator[Dated]:
        """Those of these keys, which ascend."""

    def set_lastmods(self, conclusions: Iterable[Conclusion]) -> None:
        """Replace what was concluded before: the dates of all other pages are their own."""

    def set_changefreqs(self, words: Iterable[tuple[int, str]]) -> None:
        """Replace the words for how often pages, by key, change: those that are published."""
