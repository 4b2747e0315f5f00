"""Protocol of the store for the results of a run that are published and reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from sitemapgen.verdicts import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from sitemapgen.items import Extensions, LinkLabel
    from sitemapgen.verdicts import Verdict


class Lost(NamedTuple):
    """Counts of what was not read because of errors in the crawler."""

    pages: int
    """Number of pages, including those carried over from an earlier run."""
    files: int
    """Number of the site's own sitemap files."""
    parts: int = 0
    """Number of parts of its systems."""


class ListedRow(NamedTuple):
    """One URL of the sitemap."""

    url: str
    lastmod: str
    depth: int
    pagerank: float
    changefreq: str
    """The published changefreq; empty for none."""


class TitledRow(NamedTuple):
    """One URL of the sitemap with its title, for the HTML sitemap."""

    url: str
    title: str
    lastmod: str
    is_trusted: bool = True
    """Whether the source of its lastmod is trusted; False for a date published before its source
    lost trust."""
    language: str = ""
    """The language that the page states, as written; empty for none."""


class DescribedRow(NamedTuple):
    """One URL of the sitemap with what it is about, for llms.txt."""

    url: str
    title: str
    description: str
    """Empty if the page has none, or the run that read it did not collect descriptions."""
    depth: int | None


class PageText(NamedTuple):
    """One URL of the sitemap with its whole text."""

    url: str
    title: str
    lastmod: str
    language: str
    """The language that the page states, as written; empty for none."""
    markdown: str
    """Empty if the run that read the page did not collect texts."""


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
    """1 if the site's own sitemaps list the URL, else 0."""
    reached: int
    """1 if followed links lead from the start URL to this one, else 0."""
    rendered: int
    """1 if the page shows more in a browser than the server sent, else 0."""
    render_reason: str
    """Why it was read in a browser, in words; empty if ``rendered`` is 0."""
    view: int
    """1 if the page shows only what other listed pages show, else 0."""
    view_of: str
    """The one of those pages that it shows most of; empty if ``view`` is 0."""


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
    """Whether the content is the same; False for a near-duplicate."""


class ShownRow(NamedTuple):
    """A page that shows only what other listed pages show."""

    key: int
    url: str
    pages: int
    """Number of pages of which it shows parts."""
    example: str
    """The URL of the page that it shows most of."""


class Address(NamedTuple):
    """A URL, and whether the sitemap and the site's own sitemaps list it."""

    url: str
    is_listed: bool
    in_sitemap: bool
    is_view: bool = False
    """Whether it shows only what other pages show."""


class ClusterRow(NamedTuple):
    """A near-duplicate of another page."""

    listed: str
    """The URL of the page that represents the cluster."""
    url: str
    similarity: float
    """The similarity of their texts, from the threshold to 1."""


class SampledRow(NamedTuple):
    """The stored sample of the content of a page."""

    key: int
    sample: bytes
    """``Page.signature``, or ``Page.pictures`` if that is empty."""


class Unfetched(NamedTuple):
    """URLs with one verdict that were not fetched."""

    urls: int
    evidence: str
    """The first of their evidence texts in alphabetical order; empty without URLs."""
    examples: list[str]
    """The shortest of the URLs."""


class SharedCanonical(NamedTuple):
    """The URL that most pages name as their canonical one, and are left out for."""

    url: str
    pages: int
    titles: int
    """Number of different titles of these pages."""
    examples: list[str]


class Blank(NamedTuple):
    """Pages without content."""

    pages: int
    examples: list[str]
    """The first pages in URL order."""


class Results(Protocol):
    """The results for the URLs of a run, read only."""

    def listed(self) -> Iterator[ListedRow]:
        """Yield the URLs of the sitemap, in URL order."""

    def listed_extended(self) -> Iterator[tuple[ListedRow, int, Extensions | None]]:
        """Yield the URLs of the sitemap, in URL order, with key and sitemap extensions."""

    def extensions(self) -> Iterator[tuple[int, Extensions]]:
        """Yield (key, sitemap extensions) of listed pages, by key."""

    def titles(self, rank: Callable[[str], str] | None = None) -> Iterator[TitledRow]:
        """Yield the URLs of the sitemap with titles, in URL order, or by ``rank(url)`` if given.

        They are sorted on the disk. ``rank`` must not raise.
        """

    def descriptions(self, rank: Callable[[str], str] | None = None) -> Iterator[DescribedRow]:
        """Yield the URLs of the sitemap with meta descriptions, in the order of :meth:`titles`."""

    def languages(self) -> dict[str, int]:
        """Count the pages of the sitemap by the language that they state, as written."""

    def listed_ranks(self) -> Iterator[float]:
        """Yield the PageRank of each URL of the sitemap, in no order."""

    def urls(self) -> Iterator[UrlRow]:
        """Yield every URL seen in this run, in URL order."""

    def contents(self, url: str) -> Contents:
        """Return the text and links of a page; empty for a page that was not read."""

    def texts(self) -> Iterator[PageText]:
        """Yield the URLs of the sitemap with their whole texts, in URL order."""

    def labels(self) -> Iterator[tuple[str, list[LinkLabel]]]:
        """Yield (URL, texts and attributes of its links) of pages where they are kept, by URL."""

    def verdicts(self) -> Iterator[tuple[int, int]]:
        """Yield (key, ``Verdict.code``) of every URL seen in this run."""

    def locations(self) -> Iterator[tuple[int, str]]:
        """Yield (key, URL) of every URL seen in this run."""

    def counts(self) -> dict[str, dict[str, int]]:
        """Count the URLs by ``verdict``, ``depth`` and ``lastmod_source``."""

    def lost(self) -> Lost:
        """Count what was not read because of errors in the crawler."""

    def unfetched(self, verdict: Verdict, examples: int, reason: Reason = Reason.NONE) -> Unfetched:
        """Count the URLs with this verdict, and this reason if given, that were not fetched."""

    def unfollowed(self, examples: int) -> Unfetched:
        """Count the unfetched URLs of listed pages all of whose links are nofollow."""

    def unread_links(self, examples: int) -> Unfetched:
        """Count the links above the maximum of a page; the examples are the pages."""

    def unreached(self, examples: int) -> Unfetched:
        """Count the pages whose lists may go on; with the reason of the first one."""

    def shared_canonical(self, examples: int) -> SharedCanonical | None:
        """Return the URL that most pages name as canonical; None if none is left out for one."""

    def blank(self, examples: int) -> Blank:
        """Count the listed pages that have neither title nor text nor image."""

    def statuses(self) -> dict[int | None, int]:
        """Count the fetched URLs by status; None stands for no response."""

    def details(self, keys: Iterable[int]) -> list[Detail]:
        """Return these URLs, a few hundred at most, in the order of the keys."""

    def of_other_origins(self, origin: str) -> Iterator[int]:
        """Yield the keys of the URLs that are out of scope as they have another origin."""

    def copies(self) -> Iterator[Copy]:
        """Yield the URLs that are canonicalised or have the same content as another one."""

    def views(self) -> Iterator[ShownRow]:
        """Yield the views, in URL order, whether they are listed or left out."""

    def clusters(self) -> Iterator[ClusterRow]:
        """Yield the rows of ``Conclusions.set_clusters``, listed or not, in URL order."""

    def text_lengths(self) -> Iterator[tuple[int, int]]:
        """Yield (key, ``Page.text_length``) of every listed or noindex page, in no order."""

    def samples(self, keys: Iterable[int] | None = None) -> Iterator[SampledRow]:
        """Yield samples of listed and noindex pages: of all, or of ``keys`` (sorted ascending)."""

    def addresses(self) -> Iterator[Address]:
        """Yield every URL seen in this run, in URL order."""
