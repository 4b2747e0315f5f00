"""The frontier, the pages, the links and the sitemap entries of one crawl: one database.

``sqlite.py`` is the embedded implementation. Nobody else speaks SQL.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sitemapgen.analysis.graph import Floats, LinkGraph, Measures
    from sitemapgen.analysis.lastmod import Conclusion, Dated
    from sitemapgen.analysis.traps import Ledger, PatternPage
    from sitemapgen.core.learning import Gain, Record, Tally
    from sitemapgen.items import Extensions, Judgement, Page, Ruling, SitemapFile
    from sitemapgen.store.earlier import EarlierRun
    from sitemapgen.store.frontier import Frontier
    from sitemapgen.store.history import History
    from sitemapgen.store.sitemaps import Sitemaps


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One crawl, from its first request to its publication, over any number of processes."""

    arguments: Mapping[str, object]
    """Those that decide what is in scope."""
    start: str
    """Where the start URL led; empty until it has answered."""
    ended: bool
    """False: it was interrupted."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Those that decide what is concluded of it."""
    reason: str = ""
    """Why it ended: ``finished``, ``refused`` ..."""


class StoredPage(NamedTuple):
    """What a page said, and where it leads."""

    title: str
    excerpt: str
    links: list[str]
    """The URLs of its followed links, in document order."""


class UrlRow(NamedTuple):
    """All that is known about one URL: the columns of urls.csv, in their order."""

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


class Detail(NamedTuple):
    """What a report says about one URL."""

    url: str
    verdict: str
    evidence: str
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


class SignedRow(NamedTuple):
    """What tells whether a page is nearly the same as another one."""

    key: int
    url: str
    excerpt: str
    signature: bytes


class ClusterRow(NamedTuple):
    """A page that is nearly the same as another one."""

    listed: str
    """The URL of the one that stands for its cluster."""
    url: str
    similarity: float
    """Of their texts, from the threshold to 1."""


class TrapRow(NamedTuple):
    """One trap, one way to say that a page is missing, or one kind of repaired links."""

    kind: str
    pattern: str
    urls: int
    """URLs left out; of session ids and host aliases: links met."""
    fetched: int
    useful: int
    """Pages of the fetched ones that said something new."""
    examples: tuple[str, ...]


class Suspects(Protocol):
    """The URLs of a store that may be endlessly many, by their patterns."""

    def are_pending(self) -> bool:
        """Tell whether any of them is in the frontier."""

    def waiting(self) -> list[Ledger]:
        """The patterns that are no traps and have URLs that wait to be released."""

    def fruitless(self) -> dict[str, int]:
        """Fruitless pages by family of patterns."""

    def pages(self, family: str) -> list[PatternPage]:
        """The fetched pages of a family of patterns, the shortest URL first."""

    def release(self, ledgers: Iterable[Ledger]) -> int:
        """Keep the ledgers, and let the batch of each into the frontier; how many URLs."""

    def traps(self) -> list[Ledger]:
        """The patterns that turned out to be traps, in their order."""

    def condemn(self, pattern: str, judgement: Judgement, useless: Iterable[int]) -> None:
        """Give the waiting URLs of a trap this verdict, and its listed pages with these keys."""

    def report(self) -> list[TrapRow]:
        """The traps, what answers like a missing page, the session ids and the host aliases."""


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


class Store(Protocol):
    """What a store promises; the same tests run against every implementation.

    A URL is known, pending, in flight or done. Writes gather in one transaction until ``commit``;
    each of them is whole: a crash loses a page with its links, or neither. Every method raises
    CrawlError when the database is full or damaged.
    """

    def last_run(self) -> Run | None:
        """The run that was begun last; None in a new store."""

    def begin_run(self, arguments: Mapping[str, object], now: float) -> None:
        """Begin a run: all URLs are unseen again, except for their first-seen times."""

    def resume_run(self) -> None:
        """Continue the interrupted run: what was in flight is pending again."""

    def keep_options(self, options: Mapping[str, object]) -> None:
        """Keep the arguments that decide what will be concluded."""

    def settle_start(self, start: str) -> None:
        """Keep where the start URL led."""

    def end_run(self, reason: str, ended: float) -> None:
        """Close the run: the same command begins a new one."""

    def outcomes(self, keys: Sequence[int], *, with_copies: bool) -> dict[int, bool]:
        """Tell of those of some URLs that are done which will be listed, for all that is known.

        Not those with another canonical URL, nor, unless ``with_copies``, pages with the same
        content as one that was fetched before; within ``keys`` the least key counts as the first.
        """

    def keep_plan(self, plan: Mapping[str, Any]) -> None:
        """Keep what was decided to fetch next, and why, with the run."""

    def plan(self) -> tuple[Mapping[str, Any], bool]:
        """What was kept last, empty if nothing ever was; and whether that was in this run."""

    def record(self, page: Page, now: float) -> None:
        """Keep a page, its links and the URLs they reveal; the page is done."""

    def page(self, key: int) -> StoredPage | None:
        """A page that was recorded in this run; None when it was not, or was not read."""

    def record_sitemap(self, file: SitemapFile, now: float) -> None:
        """Keep a sitemap file and its entries; their URLs enter the frontier in their phase."""

    def graph(self) -> LinkGraph:
        """The link graph as it stands."""

    def apply(self, measures: Measures, graph: LinkGraph, ranks: Floats | None = None) -> None:
        """Write what the graph says about each URL, and its PageRank once that is known."""

    @property
    def frontier(self) -> Frontier:
        """The URLs to fetch."""

    @property
    def suspects(self) -> Suspects:
        """The URLs that may be endlessly many."""

    @property
    def rendering(self) -> Rendering:
        """What rendering brought so far."""

    @property
    def sitemaps(self) -> Sitemaps:
        """The site's own sitemap files."""

    @property
    def earlier(self) -> EarlierRun:
        """What the run before read."""

    @property
    def history(self) -> History:
        """What all runs saw."""

    def recorded(self) -> int:
        """How many pages and sitemap files were recorded since the store was opened."""

    def reconsider(self) -> None:
        """Take back what the whole site said: what its answer alone would list is listed."""

    def canonicals(self) -> Iterator[tuple[int, str]]:
        """(key, canonical URLs) of listed pages that name another URL than their own, by key."""

    def contents(self) -> Iterator[tuple[int, int, int]]:
        """(key, content hash, subject or 0) of listed pages with enough content to compare."""

    def alternates(self, keys: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """(key, packed keys of its versions in other languages) of those that name any."""

    def signed(self, keys: Iterable[int]) -> Iterator[SignedRow]:
        """Those pages of these keys, which ascend, that have a signature."""

    def set_clusters(self, rows: Iterable[tuple[int, int, float]]) -> None:
        """Replace the near-duplicates: (key, key of the one that is listed, similarity)."""

    def clusters(self) -> Iterator[ClusterRow]:
        """The near-duplicates by cluster, whether or not they are left out; in URL order."""

    def failing(self) -> Iterator[tuple[int, int | None, int]]:
        """(key, status, runs in a row) of listed pages that give no answer, by key."""

    def postponed(self) -> Iterator[tuple[int, int]]:
        """(key, when it was visited last) of listed pages that were postponed, by key."""

    def forget(self, keys: Iterable[int]) -> None:
        """Unsee URLs that no followed link leads to any more."""

    def overrule(self, rulings: Iterable[Ruling]) -> None:
        """Replace verdicts and their evidence."""

    def dated(self) -> Iterator[Dated]:
        """Every document with a claim about its date, its own or a sitemap's, by key."""

    def dated_at(self, keys: Iterable[int]) -> Iterator[Dated]:
        """Those of these keys, which ascend."""

    def set_lastmods(self, conclusions: Iterable[Conclusion]) -> None:
        """Replace what was concluded before: the dates of all other pages are their own."""

    def set_changefreqs(self, words: Iterable[tuple[int, str]]) -> None:
        """Replace the words for how often pages, by key, change: those that are published."""

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

    def verdicts(self) -> Iterator[tuple[int, int]]:
        """(key, ``Verdict.code``) of every URL ever seen in this run."""

    def counts(self) -> dict[str, dict[str, int]]:
        """How many URLs have each verdict, depth and source of lastmod, under those names."""

    def statuses(self) -> dict[int | None, int]:
        """How many fetched URLs answered with each status; None: with none."""

    def details(self, keys: Iterable[int]) -> list[Detail]:
        """What is known about these URLs, some hundred at most, in the order of the keys."""

    def copies(self) -> Iterator[Copy]:
        """The URLs that are canonicalised or have the same content as another one."""

    def addresses(self) -> Iterator[Address]:
        """Every URL ever seen in this run, in URL order."""

    def commit(self) -> None:
        """Make everything written so far durable."""

    def close(self) -> None:
        """Commit and let go of the database."""
