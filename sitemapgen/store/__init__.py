"""Protocol of a store: one database is queue, dedupe filter, link graph and crawl state.

This module has the run and what it records; each other part has a protocol and its row types in a
module of its own. ``sqlite/`` is the embedded implementation, with the same parts, and has all SQL.
Opening a store: ``opening.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sitemapgen.store.options import RunOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sitemapgen.analysis.graph import LinkGraph
    from sitemapgen.items import Page, SitemapFile, SourcePart
    from sitemapgen.store.conclusions import Conclusions
    from sitemapgen.store.crowds import Crowds
    from sitemapgen.store.due import Due
    from sitemapgen.store.editions import Editions
    from sitemapgen.store.export import Export
    from sitemapgen.store.external import External
    from sitemapgen.store.file_hints import FileHints
    from sitemapgen.store.forms import Forms
    from sitemapgen.store.frontier import Frontier
    from sitemapgen.store.history import History
    from sitemapgen.store.kinds import Kinds
    from sitemapgen.store.late_retry import LateRetries
    from sitemapgen.store.logins import Logins
    from sitemapgen.store.previous_run import PreviousRun
    from sitemapgen.store.readings import Readings
    from sitemapgen.store.rendering import Rendering
    from sitemapgen.store.results import Results
    from sitemapgen.store.sitemaps import Sitemaps
    from sitemapgen.store.sources import Sources
    from sitemapgen.store.titles import Titles
    from sitemapgen.store.trap_candidates import TrapCandidates


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One crawl, from its first request to its publication, over any number of processes."""

    arguments: Mapping[str, object]
    """The arguments that determine which URLs are in scope."""
    start: str
    """The start URL after redirects; empty until it has answered."""
    ended: bool
    """Whether the run ended; False means that it was interrupted."""
    options: RunOptions = field(default_factory=RunOptions)
    reason: str = ""
    """Why the run ended: ``finished``, ``refused`` ..."""
    is_read_alike: bool = True
    """Whether its pages were read by the same ``items.READER_VERSION``."""


class StoredPage(NamedTuple):
    """The text and the links of a page."""

    title: str
    excerpt: str
    links: list[str]
    """The URLs of its followed links, in document order."""


class Store(Protocol):
    """Interface of a store; the same tests run against every implementation.

    A URL is known, pending, in flight or done. Writes are collected in one transaction until
    ``commit``; each is atomic: a crash loses a page together with its links, or neither. Every
    method raises CrawlError if the disk is full or the database damaged.
    """

    @property
    def frontier(self) -> Frontier:
        """The URLs of the run, and which are to be fetched."""

    @property
    def trap_candidates(self) -> TrapCandidates:
        """The URLs of possibly endless spaces."""

    @property
    def kinds(self) -> Kinds:
        """The kinds of pages."""

    @property
    def crowds(self) -> Crowds:
        """The directories of plain URLs that may be endless."""

    @property
    def file_hints(self) -> FileHints:
        """The URLs that end like files."""

    @property
    def forms(self) -> Forms:
        """The forms of URLs whose pages share a title."""

    @property
    def logins(self) -> Logins:
        """The URLs that may be login forms."""

    @property
    def late_retry(self) -> LateRetries:
        """The pages that failed and may recover."""

    @property
    def rendering(self) -> Rendering:
        """The results of rendering."""

    @property
    def sitemaps(self) -> Sitemaps:
        """The site's own sitemap files."""

    @property
    def sources(self) -> Sources:
        """What systems behind the site state about its pages."""

    @property
    def readings(self) -> Readings:
        """The page that is being read, and the pages that crashed a process."""

    @property
    def previous_run(self) -> PreviousRun:
        """The pages of the previous run."""

    @property
    def history(self) -> History:
        """The history over all runs."""

    @property
    def conclusions(self) -> Conclusions:
        """Conclusions that rest on the whole site."""

    @property
    def due(self) -> Due:
        """The pages that are visited in turn."""

    @property
    def editions(self) -> Editions:
        """The runs whose report differs from the one before."""

    @property
    def results(self) -> Results:
        """The results to be published and reported."""

    @property
    def titles(self) -> Titles:
        """The titles and descriptions of the listed pages."""

    @property
    def external(self) -> External:
        """The links to other sites."""

    @property
    def export(self) -> Export:
        """Whole tables, for other programs."""

    # The run

    def last_run(self) -> Run | None:
        """Return the run that was begun last; None in a new store."""

    def begin_run(self, arguments: Mapping[str, object], now: float) -> None:
        """Begin a run: all URLs are unseen again, except for their first-seen times."""

    def hold(self) -> None:
        """Commit nothing until ``settle_start``: a run that ends before it leaves no trace."""

    def resume_run(self) -> None:
        """Continue the interrupted run: URLs in flight become pending again."""

    def keep_options(self, options: RunOptions) -> None:
        """Keep the options that determine conclusions and output: ``Run.options``."""

    def settle_start(self, start: str) -> None:
        """Keep the start URL after redirects."""

    def end_run(self, reason: str, ended: float) -> None:
        """End the run: the same command then begins a new one."""

    def keep_plan(self, plan: Mapping[str, Any]) -> None:
        """Keep the planner's decisions, with reasons, in the run."""

    def plan(self) -> tuple[Mapping[str, Any], bool]:
        """Return the plan that was kept last, empty for none; and whether it is of this run."""

    # What it records

    def record(self, page: Page, now: float) -> bool:
        """Keep a page, its links and their targets, and mark the page as done.

        Return False for the response to a made-up URL, which is no page of the site.
        """

    def page(self, key: int) -> StoredPage | None:
        """Return a page that was recorded in this run; None if it was not, or was not read."""

    def record_sitemap(self, file: SitemapFile, now: float) -> None:
        """Keep a sitemap file and its entries; their URLs enter the frontier in their phase."""

    def record_source(self, part: SourcePart, now: float) -> None:
        """Keep a part of a system and its entries; URLs of pages enter like those of sitemaps."""

    def recorded(self) -> int:
        """Return the number of pages, sitemap files and parts recorded since it was opened."""

    def graph(self) -> LinkGraph:
        """Return the current link graph."""

    def request_spellings(self) -> int:
        """Put URLs into the frontier whose page is at another form of them; return their number.

        Such a page was missing or names the other form: with all slashes of a link, or with its
        parameters in another order.
        """

    def forget(self, keys: Iterable[int]) -> None:
        """Make URLs unseen again because no followed link leads to them any more."""

    # The database

    def bind_to_thread(self) -> None:
        """Hand the store over to the calling thread; no other can use it from now on."""

    def abort_when(self, condition: Callable[[], bool] | None) -> None:
        """Have methods raise CrawlError (INTERRUPTED) once a condition holds; None: no more.

        It is called while they read and write, a few times in a second.
        """

    def roll_back(self) -> None:
        """Undo what was written since the last commit; the run can only be ended after it."""

    def commit(self) -> None:
        """Commit everything written so far."""

    def checkpoint(self) -> None:
        """Commit, and free space in the log, so that changes of a few rows need no new space."""

    def close(self) -> None:
        """Commit and close the database."""
