"""The results of a run that are published and reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from sitemapgen.verdicts import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapgen.items import Extensions, LinkLabel
    from sitemapgen.verdicts import Verdict


class Lost(NamedTuple):
    """What errors in the crawler kept from being read."""

    pages: int
    """Those that stand as an earlier run read them included."""
    files: int
    """Of the site's own sitemaps."""


class ListedRow(NamedTuple):
    """One URL of the sitemap."""

    url: str
    lastmod: str
    depth: int
    pagerank: float
    changefreq: str
    """Empty where that is not published, or not known."""


class TitledRow(NamedTuple):
    """One URL of the sitemap, as people read it."""

    url: str
    title: str
    lastmod: str
    is_trusted: bool = True
    """Whether the source of its lastmod is believed; False for a date that was published before
    that lost trust."""


class UrlRow(NamedTuple):
    """One URL: the columns of urls.csv, in their order."""

    url: str
    verdict: str
    evidence: str
    status: int | None
    depth: int | None
    parent: str | None
    in_degree: int
    canonical: str | None
    lastmod: str | None
    lastmod_source: str | None
    title: str | None
    lastmod_evidence: str | None
    pagerank: float | None
    in_sitemap: int
    """1: the site's own sitemaps list it; else 0."""
    reached: int
    """1: followed links lead here from the start URL; else 0."""


class Contents(NamedTuple):
    """The text and the links of a page."""

    text: str
    """The first 2,000 characters of its main text."""
    followed: list[str]
    """The URLs of its links, in document order."""
    nofollow: list[str]


class Detail(NamedTuple):
    """One URL in a report."""

    url: str
    verdict: str
    evidence: str
    other_url: str
    depth: int | None
    in_degree: int


class Copy(NamedTuple):
    """A page that is left out for another URL, or listed with the same content."""

    key: int
    url: str
    original: str
    is_exact: bool
    """Else it says nearly the same."""


class Address(NamedTuple):
    """A URL and where it is listed."""

    url: str
    is_listed: bool
    in_sitemap: bool


class ClusterRow(NamedTuple):
    """A page that is nearly the same as another one."""

    listed: str
    """The URL of the one that stands for its cluster."""
    url: str
    similarity: float
    """Of their texts, from the threshold to 1."""


class SampledRow(NamedTuple):
    """What a page shows, as far as it is kept."""

    key: int
    sample: bytes
    """``Page.signature``, or ``Page.pictures`` where there is none."""


class Unfetched(NamedTuple):
    """URLs with one verdict that were not fetched."""

    urls: int
    evidence: str
    """Of the first of them by its evidence; empty where there are none."""
    examples: list[str]
    """The shortest ones."""


class Blank(NamedTuple):
    """Pages without content."""

    pages: int
    examples: list[str]
    """The first ones in URL order."""


class Results(Protocol):
    """What came of the URLs of a run, to be read."""

    def listed(self) -> Iterator[ListedRow]:
        """What the sitemap lists, in URL order."""

    def listed_extended(self) -> Iterator[tuple[ListedRow, int, Extensions | None]]:
        """The same, each with its key and what its entry may say beyond the protocol."""

    def extensions(self) -> Iterator[tuple[int, Extensions]]:
        """(key, what its entry may say beyond the protocol) of listed pages, by key."""

    def titles(self) -> Iterator[TitledRow]:
        """What the sitemap lists, in URL order, by title."""

    def listed_ranks(self) -> Iterator[float]:
        """The PageRank of each URL that the sitemap lists, in no order."""

    def urls(self) -> Iterator[UrlRow]:
        """Every URL ever seen in this run, in URL order."""

    def contents(self, url: str) -> Contents:
        """What the page of a URL says, and where it leads; empty for one that was not read."""

    def labels(self) -> Iterator[tuple[str, list[LinkLabel]]]:
        """What each page that was read says of its links, in URL order, where that is known."""

    def verdicts(self) -> Iterator[tuple[int, int]]:
        """(key, ``Verdict.code``) of every URL ever seen in this run."""

    def counts(self) -> dict[str, dict[str, int]]:
        """How many URLs have each verdict, depth and source of lastmod, under those names."""

    def lost(self) -> Lost:
        """Count what errors in the crawler kept from being read."""

    def unfetched(self, verdict: Verdict, examples: int, reason: Reason = Reason.NONE) -> Unfetched:
        """Count the URLs with this verdict, and this reason if given, that were not fetched."""

    def unread_links(self, examples: int) -> Unfetched:
        """Count the links of pages beyond the most that are followed; examples are the pages."""

    def blank(self, examples: int) -> Blank:
        """Count the listed pages that show neither title nor text nor image."""

    def statuses(self) -> dict[int | None, int]:
        """How many fetched URLs answered with each status; None: with none."""

    def details(self, keys: Iterable[int]) -> list[Detail]:
        """What is known about these URLs, some hundred at most, in the order of the keys."""

    def copies(self) -> Iterator[Copy]:
        """The URLs that are canonicalised or have the same content as another one."""

    def clusters(self) -> Iterator[ClusterRow]:
        """The rows of ``Conclusions.set_clusters``, whether or not left out; in URL order."""

    def text_lengths(self) -> Iterator[tuple[int, int]]:
        """(key, ``Page.text_length``) of every page that is listed or noindex, in no order."""

    def samples(self, keys: Iterable[int] | None = None) -> Iterator[SampledRow]:
        """What pages that are listed or noindex show: all, or those of these ascending keys."""

    def addresses(self) -> Iterator[Address]:
        """Every URL ever seen in this run, in URL order."""
