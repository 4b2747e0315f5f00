"""The store of a crawl: one database is queue, dedupe filter, link graph and crawl state.

This module has the run and what it records; each other part has its rows, its class and its SQL in
a module of its own. The file: ``database.py``; its tables: ``schema.sql``. Opening a store:
``opening.py``.
"""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sitemapgen import __version__
from sitemapgen.analysis.graph import LinkGraph, Nodes
from sitemapgen.errors import CrawlError
from sitemapgen.items import READER_VERSION
from sitemapgen.store.conclusions import Conclusions
from sitemapgen.store.contents import Contents
from sitemapgen.store.crowds import Crowds
from sitemapgen.store.database import Database
from sitemapgen.store.due import Due
from sitemapgen.store.editions import Editions
from sitemapgen.store.export import Export
from sitemapgen.store.extensions import pack
from sitemapgen.store.external import External
from sitemapgen.store.file_hints import FileHints
from sitemapgen.store.forms import Forms
from sitemapgen.store.frontier import ONLY_NOFOLLOW, Frontier, Limits
from sitemapgen.store.history import History
from sitemapgen.store.kinds import Kinds
from sitemapgen.store.labels import pack_labels
from sitemapgen.store.late_retry import LateRetries
from sitemapgen.store.links import Keys, pack_numbers, unpack_numbers
from sitemapgen.store.logins import Logins
from sitemapgen.store.options import RunOptions
from sitemapgen.store.previous_run import PreviousRun
from sitemapgen.store.readings import Readings
from sitemapgen.store.rendering import Rendering
from sitemapgen.store.results import Results
from sitemapgen.store.sitemaps import Sitemaps
from sitemapgen.store.sources import Sources
from sitemapgen.store.spellings import Spellings
from sitemapgen.store.states import (
    DONE,
    EXCERPT,
    KNOWN,
    LINK,
    NAMED,
    NOFOLLOW,
    SITEMAP,
    START,
    SYSTEM,
    VERDICT_CODE,
    insert,
    judged,
)
from sitemapgen.store.texts import pack_text
from sitemapgen.store.titles import Titles
from sitemapgen.store.transfers import Transfers
from sitemapgen.store.trap_candidates import TrapCandidates
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from sitemapgen.items import Extensions, Page, SitemapFile, SourcePart


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


PARAMETERS = """iif(
    instr(url, '?'), 1 + length(url) - length(replace(replace(url, '&', ''), ';', '')), 0
)"""
"""SQL expression for the number of parameters in a URL."""
NODE = [
    ("key", np.int64),
    ("state", np.int8),
    ("sources", np.int8),
    ("verdict", np.int8),
    ("length", np.int32),
    ("is_endless", np.int8),
    ("parameters", np.int16),
    ("number", np.int64),
]

PER_RUN = (
    "sitemap",
    "source",
    "sitemap_extension",
    "pattern",
    "feed",
    "made_up",
    "suspect_page",
    "sighting",
    "near_duplicate",
    "crowd",
    "rendering",
    "render_candidate",
    "render",
    "changefreq",
    "file_hint",
    "late_try",
)
"""Tables that are emptied when a new run begins."""


class Store:
    """The state of a crawl, in one file.

    A URL is known, pending, in flight or done. Writes are collected in one transaction until
    ``commit``; each is atomic: a crash loses a page together with its links, or neither. Every
    method raises CrawlError if the disk is full or the database damaged.
    """

    def __init__(
        self, path: Path, limits: Limits, *, fresh: bool = False, lent: bool = False
    ) -> None:
        """Open or create the file; ``fresh``, ``lent`` and what it raises: see ``Database``."""
        self._db = Database(path, fresh=fresh, lent=lent)
        try:
            self.readings = Readings(path, lent=lent)
        except CrawlError:
            self._db.close()
            raise
        self.history = History(self._db)
        self._contents = Contents(self._db)
        self.previous_run = PreviousRun(self._db, self.history, self._contents)
        self._look_back()
        self.trap_candidates = TrapCandidates(self._db, limits.max_depth)
        self.crowds = Crowds(self._db, self.trap_candidates)
        self.kinds = Kinds(self._db, self.trap_candidates)
        self._spellings = Spellings(self._db, self.history)
        self.file_hints = FileHints(self._db, self.trap_candidates)
        self.forms = Forms(self._db)
        self.logins = Logins(self._db)
        self.late_retry = LateRetries(self._db)
        self.rendering = Rendering(self._db)
        self.sitemaps = Sitemaps(self._db)
        self.sources = Sources(self._db, self.history)
        self.frontier = Frontier(
            self._db,
            limits,
            previous_run=self.previous_run,
            trap_candidates=self.trap_candidates,
            crowds=self.crowds,
            file_hints=self.file_hints,
            kinds=self.kinds,
        )
        self.conclusions = Conclusions(self._db, self.previous_run)
        self.due = Due(self._db, self.history, self.previous_run)
        self.editions = Editions(self._db, self.history)
        self.results = Results(self._db)
        self.titles = Titles(self._db)
        self.external = External(self._db)
        self.transfers = Transfers(self._db)
        self.export = Export(self._db)
        self._recorded = 0
        self._page_columns: list[str] = []

    def keep_to(self, limits: Limits) -> None:
        """Set the limits of the frontier."""
        self.frontier.limits = limits
        self.trap_candidates.max_depth = limits.max_depth

    def _look_back(self) -> None:
        """Load the current run, and the facts of the one before it."""
        self.history.open()
        self.previous_run.open()

    # The run

    def last_run(self) -> Run | None:
        """Return the run that was begun last; None in a new store."""
        row = self._db.first(
            "SELECT arguments, start, ended, options, reason, reader FROM run "
            "ORDER BY id DESC LIMIT 1"
        )
        if row is None:
            return None
        arguments, start, ended, options, reason, reader = row
        return Run(
            arguments=json.loads(arguments),
            start=start,
            ended=ended is not None,
            options=RunOptions.from_json(options),
            reason=reason or "",
            is_read_alike=reader == READER_VERSION,
        )

    def begin_run(self, arguments: Mapping[str, object], now: float) -> None:
        """Begin a run: all URLs are unseen again, except for their first-seen times."""
        with self._db.writing():
            self._db.execute(
                "UPDATE run SET ended = ?, reason = 'given up' WHERE ended IS NULL", (now,)
            )
            self._spellings.begin_run()
            self.frontier.unsee()
            self.sitemaps.drop_unmet()
            for table in PER_RUN:
                self._db.execute(f"DELETE FROM {table}")
            self.file_hints.forget()
            self.forms.forget()
            self.logins.forget()
            self.previous_run.rotate()
            self.external.begin_run()
            self._db.execute(
                "INSERT INTO run (arguments, start, started, version, reader) "
                "VALUES (?, '', ?, ?, ?)",
                (json.dumps(dict(arguments), sort_keys=True), now, __version__, READER_VERSION),
            )
            self.trap_candidates.forget()
            self.crowds.forget()
            self.kinds.forget()
            self._look_back()

    def hold(self) -> None:
        """Commit nothing until ``settle_start``: a run that ends before it leaves no trace."""
        self._db.is_held = True

    def resume_run(self) -> None:
        """Continue the interrupted run: URLs in flight become pending again."""
        self.frontier.requeue()
        self._look_back()

    def keep_options(self, options: RunOptions) -> None:
        """Keep the options that determine conclusions and output: ``Run.options``."""
        with self._db.writing():
            self._db.execute(
                "UPDATE run SET options = ? WHERE ended IS NULL",
                (options.to_json(),),
            )

    def settle_start(self, start: str) -> None:
        """Keep the start URL after redirects."""
        with self._db.writing():
            self._db.execute("UPDATE run SET start = ? WHERE ended IS NULL", (start,))
        self._db.is_held = False

    def end_run(self, reason: str, ended: float) -> None:
        """End the run: the same command then begins a new one."""
        with self._db.writing():
            self._db.execute(
                "UPDATE run SET ended = ?, reason = ? WHERE ended IS NULL", (ended, reason)
            )
        self.readings.end_run()

    def keep_plan(self, plan: Mapping[str, Any]) -> None:
        """Keep the planner's decisions, with reasons, in the run."""
        with self._db.writing():
            self._db.execute("UPDATE run SET plan = ? WHERE ended IS NULL", (json.dumps(plan),))

    def plan(self) -> tuple[Mapping[str, Any], bool]:
        """Return the plan that was kept last, empty for none; and whether it is of this run."""
        row = self._db.first(
            "SELECT plan, ended IS NULL FROM run WHERE plan <> '{}' ORDER BY id DESC LIMIT 1"
        )
        plan, is_current = row or ("{}", 0)
        return json.loads(plan), bool(is_current)

    # What it records

    def record(self, page: Page, now: float) -> bool:
        """Keep a page, its links and their targets, and mark the page as done.

        Return False for the response to a made-up URL, which is no page of the site.
        """
        is_made_up = self.trap_candidates.is_made_up(page.key)
        if page.status is not None:
            self.readings.passed(page.key)
        with self._db.writing():
            if any(link.linked for link in page.links):
                page = replace(page, links=self._spellings.actual(page.links))
            depth, hops = self.frontier.finish(page)
            self._recorded += 1
            try:
                if is_made_up:
                    self.crowds.record_answer(page)
                else:
                    self._write(page, depth, hops, now)
            except Exception:  # an error in this program: a half-written page is not done
                self.frontier.reopen(page)
                raise
        return not is_made_up

    def _write(self, page: Page, depth: int, hops: int, now: float) -> None:
        """Write the content of a page and the URLs it links to."""
        if page.judgement.verdict is Verdict.ROBOTS_DISALLOWED:
            self._contents.delete([(page.key,)])
            self._db.execute("DELETE FROM page WHERE key = ?", (page.key,))
        else:
            self._write_page(page, now)
        self._spellings.record(page)
        if page.sketch or page.sightings:
            self.trap_candidates.record(page)
        self.logins.record(page)
        self.kinds.record(page)
        if page.links:
            self._write_links(page)
            is_redirect = page.judgement.verdict is Verdict.REDIRECT
            hops = hops + 1 if is_redirect else 0
            self.frontier.follow(page.links, depth + 1, hops, now)
        else:  # it may have had links in an earlier reading
            self._db.execute("DELETE FROM link WHERE source = ?", (page.key,))

    def _write_page(self, page: Page, now: float) -> None:
        if page.is_carried:
            self.previous_run.carry(page, now)
            return
        if page.extensions is not None:
            self._write_extensions(page.key, page.extensions)
        if page.labels is not None:
            self._db.execute(
                insert("label", "key said", "REPLACE"), (page.key, pack_labels(page.labels))
            )
        if page.markdown is not None:
            self._db.execute(
                insert("markdown", "key said", "REPLACE"), (page.key, pack_text(page.markdown))
            )
        if page.description is not None:
            self._db.execute(
                insert("description", "key said", "REPLACE"), (page.key, page.description)
            )
        self.external.record(page.key, page.external)
        signature_id, excerpt_id = self._contents.write(page)
        verdict, evidence, other_url, reason = judged(page.judgement)
        values = {
            "signature_id": signature_id,
            "alternates": array("q", page.alternates).tobytes(),
            "own_verdict": verdict,
            "own_evidence": evidence,
            "own_other_url": other_url,
            "own_reason": reason,
            "run": self.history.run,
            "visited": int(now),
            "changed": self.previous_run.changes(page, self.frontier.numbers),
            "excerpt_id": excerpt_id,
            "excerpt": page.excerpt if page.text_hash is None else "",
        }
        columns = self._page_columns = self._page_columns or self._db.columns("page")
        self._db.execute(
            insert("page", " ".join(columns), "REPLACE"),
            [values[name] if name in values else getattr(page, name) for name in columns],
        )

    def _write_extensions(self, key: int, said: Extensions) -> None:
        if any(said):
            self._db.execute(insert("extension", "key said", "REPLACE"), (key, pack(said)))
        else:
            self._db.execute("DELETE FROM extension WHERE key = ?", (key,))

    def _write_links(self, page: Page) -> None:
        numbers = self.frontier.numbers(page.links)
        followed = [link for link in page.links if not link.nofollow]
        nofollow: list[int] = []
        if len(followed) < len(numbers):
            nofollow = [to for to, link in zip(numbers, page.links) if link.nofollow]
            numbers = [to for to, link in zip(numbers, page.links) if not link.nofollow]
        self._db.execute(
            insert("link", "source followed nofollow", "REPLACE"),
            (page.key, *map(pack_numbers, (numbers, nofollow))),
        )

    def page(self, key: int) -> StoredPage | None:
        """Return a page that was recorded in this run; None if it was not, or was not read."""
        row = self._db.first(
            f"SELECT title, {EXCERPT.format(page='page')}, followed FROM url JOIN page USING (key) "
            f"LEFT JOIN link ON source = key WHERE key = ? AND state = {DONE}",
            key,
        )
        if row is None:
            return None
        title, excerpt, packed = row
        targets = unpack_numbers(packed)
        links = [self._db.one("SELECT url FROM url WHERE number = ?", target) for target in targets]
        return StoredPage(title, excerpt, links)

    def record_sitemap(self, file: SitemapFile, now: float) -> None:
        """Keep a sitemap file and its entries; their URLs enter the frontier in their phase."""
        with self._db.writing():
            self._recorded += 1
            if any(link.linked for _, link in file.entries):
                links = self._spellings.actual(link for _, link in file.entries)
                entries = zip((entry for entry, _ in file.entries), links)
                file = replace(file, entries=tuple(entries))
            self.frontier.hold((link for _, link in file.entries), now)
            self.sitemaps.record(file)

    def record_source(self, part: SourcePart, now: float) -> None:
        """Keep a part of a system and its entries; URLs of pages enter like those of sitemaps."""
        with self._db.writing():
            self._recorded += 1
            if any(each.link.linked for each in part.entries):
                links = self._spellings.actual(each.link for each in part.entries)
                named = zip(part.entries, links)
                part = replace(part, entries=tuple(each._replace(link=to) for each, to in named))
            self.frontier.hold((each.link for each in part.entries if each.is_page), now, SYSTEM)
            self.sources.record(part)

    def recorded(self) -> int:
        """Return the number of pages, sitemap files and parts recorded since it was opened."""
        return self._recorded

    def graph(self) -> LinkGraph:
        """Return the current link graph."""
        rows = self._db.read(
            f"SELECT key, state, sources, {VERDICT_CODE}, length(url), "
            "pattern NOT NULL AND pattern IN (SELECT id FROM pattern WHERE reason <> ''), "
            f"{PARAMETERS}, coalesce(number, 0) FROM url WHERE sources <> 0 ORDER BY url"
        )
        table = np.fromiter(rows, dtype=NODE)
        nodes = Nodes(
            keys=table["key"].copy(),
            is_start=(table["sources"] & START) != 0,
            in_sitemap=(table["sources"] & SITEMAP) != 0,
            is_named=(table["sources"] & NAMED) != 0,
            is_fetched=table["state"] == DONE,
            is_redirect=table["verdict"] == Verdict.REDIRECT.code,
            verdict=table["verdict"].copy(),
            length=table["length"].copy(),
            is_endless=table["is_endless"] != 0,
            parameters=table["parameters"].copy(),
        )
        keys = Keys(table["number"], table["key"])
        return LinkGraph(nodes, keys.rows(self._db.read("SELECT source, followed FROM link")))

    def request_spellings(self) -> int:
        """Put URLs into the frontier whose page is at another form of them; return their number.

        Such a page was missing or names the other form: with all slashes of a link, or with its
        parameters in another order.
        """
        with self._db.writing():
            found = self._spellings.request()
            self.frontier.rename(found)
        self._delete_pages([(before,) for before, now in found if now != before])
        return len(found)

    def _delete_pages(self, rows: list[tuple[int]]) -> None:
        """Delete what was read of pages, by (key,)."""
        self._contents.delete(rows)
        columns = {
            **{"page": "key", "sketch": "key", "extension": "key", "link": "source"},
            **{"suspect_page": "key", "label": "key", "rendered": "key", "markdown": "key"},
            **{"description": "key", "external": "key"},
        }
        for table, column in columns.items():
            self._db.write_all(f"DELETE FROM {table} WHERE {column} = ?", rows)

    def forget(self, keys: Iterable[int]) -> None:
        """Make URLs unseen again because no followed link leads to them any more."""
        rows = [(key,) for key in keys]
        self._delete_pages(rows)
        self._db.write_all(
            f"UPDATE url SET state = {KNOWN}, sources = sources & {NOFOLLOW}, depth = NULL, "
            f"verdict = CASE WHEN sources & {NOFOLLOW} THEN '{ONLY_NOFOLLOW.verdict.value}' END, "
            f"evidence = CASE WHEN sources & {NOFOLLOW} THEN '{ONLY_NOFOLLOW.evidence}' END, "
            "reason = '', other_url = '' "
            f"WHERE key = ? AND sources & {START | LINK | NAMED}",
            rows,
        )

    # The database

    def bind_to_thread(self) -> None:
        """Hand the store over to the calling thread; no other can use it from now on."""
        self._db.bind_to_thread()

    def abort_when(self, condition: Callable[[], bool] | None) -> None:
        """Have methods raise CrawlError (INTERRUPTED) once a condition holds; None: no more.

        It is called while they read and write, a few times in a second.
        """
        self._db.abort_when(condition)

    def roll_back(self) -> None:
        """Undo what was written since the last commit; the run can only be ended after it."""
        self._db.roll_back()

    def commit(self) -> None:
        """Commit everything written so far."""
        self._db.commit()

    def checkpoint(self) -> None:
        """Commit, and free space in the log, so that changes of a few rows need no new space."""
        self._db.checkpoint()

    def close(self) -> None:
        """Commit and close the database."""
        if self._db.is_held:
            self.readings.end_run()
        self._db.close()
        self.readings.close()
