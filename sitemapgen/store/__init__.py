"""Protocol of a store: one database is queue, dedupe filter, link graph and crawl state.

The run and what it records are here; everything else has a protocol of its own, with its rows, in
the module of that name. ``sqlite/`` is the embedded implementation, of the same parts; SQL stands
nowhere else. How a store is opened, and by whom: ``opening.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sitemapgen.store.options import RunOptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sitemapgen.analysis.graph import LinkGraph
    from sitemapgen.items import Page, SitemapFile
    from sitemapgen.store.conclusions import Conclusions
    from sitemapgen.store.crowds import Crowds
    from sitemapgen.store.file_hints import FileHints
    from sitemapgen.store.frontier import Frontier
    from sitemapgen.store.history import History
    from sitemapgen.store.late_retry import LateRetries
    from sitemapgen.store.previous_run import PreviousRun
    from sitemapgen.store.readings import Readings
    from sitemapgen.store.rendering import Rendering
    from sitemapgen.store.results import Results
    from sitemapgen.store.sitemaps import Sitemaps
    from sitemapgen.store.trap_candidates import TrapCandidates


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One crawl, from its first request to its publication, over any number of processes."""

    arguments: Mapping[str, object]
    """Those that decide what is in scope."""
    start: str
    """Where the start URL led; empty until it has answered."""
    ended: bool
    """False: it was interrupted."""
    options: RunOptions = field(default_factory=RunOptions)
    reason: str = ""
    """Why it ended: ``finished``, ``refused`` ..."""
    is_read_alike: bool = True
    """Its pages were read as this version reads them: ``items.READER_VERSION``."""


class StoredPage(NamedTuple):
    """The text and the links of a page."""

    title: str
    excerpt: str
    links: list[str]
    """The URLs of its followed links, in document order."""


class Store(Protocol):
    """What a store promises; the same tests run against every implementation.

    A URL is known, pending, in flight or done. Writes gather in one transaction until ``commit``;
    each of them is whole: a crash loses a page with its links, or neither. Every method raises
    CrawlError when the database is full or damaged.
    """

    @property
    def frontier(self) -> Frontier:
        """What is to be fetched."""

    @property
    def trap_candidates(self) -> TrapCandidates:
        """Which URLs may be endlessly many."""

    @property
    def crowds(self) -> Crowds:
        """Its directories of plain URLs that may have no end."""

    @property
    def file_hints(self) -> FileHints:
        """Which URLs end like files."""

    @property
    def late_retry(self) -> LateRetries:
        """Which pages failed and may recover."""

    @property
    def rendering(self) -> Rendering:
        """What rendering brought."""

    @property
    def sitemaps(self) -> Sitemaps:
        """The site's own sitemap files."""

    @property
    def readings(self) -> Readings:
        """The page that is being read, and those that processes died on."""

    @property
    def previous_run(self) -> PreviousRun:
        """What the run before read."""

    @property
    def history(self) -> History:
        """What all runs saw."""

    @property
    def conclusions(self) -> Conclusions:
        """What the whole site says."""

    @property
    def results(self) -> Results:
        """What is published and reported."""

    # The run

    def last_run(self) -> Run | None:
        """The run that was begun last; None in a new store."""

    def begin_run(self, arguments: Mapping[str, object], now: float) -> None:
        """Begin a run: all URLs are unseen again, except for their first-seen times."""

    def resume_run(self) -> None:
        """Continue the interrupted run: what was in flight is pending again."""

    def keep_options(self, options: RunOptions) -> None:
        """Keep what decides how the run will be concluded."""

    def settle_start(self, start: str) -> None:
        """Keep where the start URL led."""

    def end_run(self, reason: str, ended: float) -> None:
        """Close the run: the same command begins a new one."""

    def keep_plan(self, plan: Mapping[str, Any]) -> None:
        """Keep what was decided to fetch next, and why, with the run."""

    def plan(self) -> tuple[Mapping[str, Any], bool]:
        """What was kept last, empty if nothing ever was; and whether that was in this run."""

    # What it records

    def record(self, page: Page, now: float) -> None:
        """Keep a page, its links and the URLs they reveal; the page is done."""

    def page(self, key: int) -> StoredPage | None:
        """A page that was recorded in this run; None when it was not, or was not read."""

    def record_sitemap(self, file: SitemapFile, now: float) -> None:
        """Keep a sitemap file and its entries; their URLs enter the frontier in their phase."""

    def recorded(self) -> int:
        """How many pages and sitemap files were recorded since the store was opened."""

    def graph(self) -> LinkGraph:
        """The link graph as it stands."""

    def forget(self, keys: Iterable[int]) -> None:
        """Unsee URLs that no followed link leads to any more."""

    # The database

    def commit(self) -> None:
        """Make everything written so far durable."""

    def checkpoint(self) -> None:
        """Commit, and make room: what is changed next, in a few rows, needs no new space."""

    def close(self) -> None:
        """Commit and let go of the database."""
