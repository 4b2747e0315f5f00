"""The store of a crawl: one database is queue, dedupe filter, link graph and crawl state.

This module has the run and what it records; each other part has its rows, its class and its SQL in
a module of its own. The file: ``database.py``; its tables: ``schema.sql``, ``two_runs.sql``.
Opening a store: ``opening.py``.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from sitemapgen import __version__
from sitemapgen.analysis.graph import LinkGraph, Nodes
from sitemapgen.core.document.pages import READER_VERSION
from sitemapgen.errors import CrawlError
from sitemapgen.items import Page, SitemapFile, SourcePart
from sitemapgen.store.conclusions import Conclusions
from sitemapgen.store.database import Database
from sitemapgen.store.due import Due
from sitemapgen.store.export import Export
from sitemapgen.store.external import External
from sitemapgen.store.frontier import ONLY_NOFOLLOW, Frontier, Limits
from sitemapgen.store.history import History
from sitemapgen.store.kinds.crowds import Crowds
from sitemapgen.store.kinds.files import FileHints
from sitemapgen.store.kinds.pages import Kinds
from sitemapgen.store.kinds.suspects import Suspects
from sitemapgen.store.kinds.titles import Forms
from sitemapgen.store.logins import Logins
from sitemapgen.store.options import RunOptions
from sitemapgen.store.packing import Keys, pack_extensions, pack_labels, pack_numbers, pack_text
from sitemapgen.store.previous_run import BESIDE, CONTENTS, PreviousRun
from sitemapgen.store.readings import Readings
from sitemapgen.store.rendering import Rendering
from sitemapgen.store.results import NOTICED, Results
from sitemapgen.store.sitemaps import Sitemaps
from sitemapgen.store.sources import Sources
from sitemapgen.store.spellings import Spellings
from sitemapgen.store.standing import LiveCounts
from sitemapgen.store.states import (
    DONE,
    KNOWN,
    LINK,
    NAMED,
    NOFOLLOW,
    SITEMAP,
    START,
    SYSTEM,
    VERDICT_CODE,
    insert_sql,
    judged_values,
)
from sitemapgen.verdicts import Verdict


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
    """Whether its pages were read by the same ``READER_VERSION``."""


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

RECORD_TRANSFER = """
INSERT INTO transfer VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET
bytes = iif(excluded.bytes BETWEEN bytes / 2 AND bytes * 2, bytes, excluded.bytes),
seconds = iif(excluded.seconds BETWEEN seconds / 2 AND seconds * 2, seconds, excluded.seconds)
"""
WRITE_SIGNATURE, WRITE_EXCERPT = (insert_sql(table, columns) for table, columns in CONTENTS.items())

PER_RUN = (
    *("sitemap", "source", "sitemap_extension", "pattern", "feed", "made_up", "suspect_page"),
    *("sighting", "near_duplicate", "crowd", "changefreq", "file_hint", "late_try"),
)
"""Tables that are emptied when a new run begins."""


class Store(Database):
    """The state of a crawl, in one file.

    A URL is known, pending, in flight or done. Writes are collected in one transaction until
    ``commit``; each is atomic: a crash loses a page together with its links, or neither. Every
    method raises CrawlError if the disk is full or the database damaged.
    """

    def __init__(
        self, path: Path, limits: Limits, *, fresh: bool = False, lent: bool = False
    ) -> None:
        """Open or create the file; ``fresh``, ``lent`` and what it raises: see ``Database``."""
        super().__init__(path, fresh=fresh, lent=lent)
        try:
            self.readings = Readings(path, lent=lent)
        except CrawlError:
            super().close()
            raise
        self.history = History(self)
        self.previous_run = PreviousRun(self, self.history)
        self._look_back()
        self.suspects = Suspects(self, limits.max_depth)
        self.crowds = Crowds(self, self.suspects)
        self.kinds = Kinds(self, self.suspects)
        self._spellings = Spellings(self, self.history)
        self.file_hints = FileHints(self, self.suspects)
        self.forms = Forms(self)
        self.logins = Logins(self)
        self.rendering = Rendering(self)
        self.sitemaps = Sitemaps(self)
        self.sources = Sources(self, self.history)
        self.frontier = Frontier(
            self,
            limits,
            previous_run=self.previous_run,
            suspects=self.suspects,
            crowds=self.crowds,
            file_hints=self.file_hints,
            kinds=self.kinds,
        )
        self.counts = LiveCounts(self)
        self.conclusions = Conclusions(self)
        self.due = Due(self, self.history, self.previous_run)
        self.results = Results(self)
        self.external = External(self)
        self.export = Export(self)
        self.recorded = 0
        """Number of pages, sitemap files and parts recorded since it was opened."""
        self._page_columns = self.column_names("page")

    def keep_to(self, limits: Limits) -> None:
        """Set the limits of the frontier."""
        self.frontier.limits = limits
        self.suspects.max_depth = limits.max_depth

    def _look_back(self) -> None:
        """Load the current run, and the facts of the one before it."""
        self.history.open()
        self.previous_run.open()

    # The run

    def last_run(self) -> Run | None:
        """Return the run that was begun last; None in a new store."""
        row = self.first(
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

    def begin_run(
        self, arguments: Mapping[str, object], now: float, *, is_provisional: bool = False
    ) -> None:
        """Begin a run: all URLs are unseen again, except for their first-seen times.

        ``is_provisional``: a run that ends before ``settle_start`` leaves no trace.
        """
        with self.writing():
            self.execute(
                "UPDATE run SET ended = ?, reason = 'given up' WHERE ended IS NULL", (now,)
            )
            fruitless = self.crowds.fruitless()
            self._spellings.begin_run()
            self.frontier.begin_run()
            self.sitemaps.drop_unmet()
            for table in PER_RUN:
                self.execute(f"DELETE FROM {table}")
            self.file_hints.begin_run()
            self.forms.begin_run()
            self.logins.begin_run()
            self.previous_run.begin_run()
            self.external.begin_run()
            self.execute(
                "INSERT INTO run (arguments, start, started, version, reader) "
                "VALUES (?, '', ?, ?, ?)",
                (json.dumps(dict(arguments), sort_keys=True), now, __version__, READER_VERSION),
            )
            self.suspects.begin_run()
            self.crowds.begin_run(fruitless)
            self.kinds.forget()
            self._look_back()
            is_alike = self.previous_run.lasting_run > 0
            self.rendering.begin_run(self.history.run, is_alike=is_alike)
        self._is_provisional = is_provisional

    def resume_run(self) -> None:
        """Continue the interrupted run: URLs in flight become pending again."""
        self.frontier.requeue_leased()
        self._look_back()

    def keep_options(self, options: RunOptions) -> None:
        """Keep the options that determine conclusions and output: ``Run.options``."""
        self.write("UPDATE run SET options = ? WHERE ended IS NULL", (options.to_json(),))

    def settle_start(self, start: str) -> None:
        """Keep the start URL after redirects."""
        self.write("UPDATE run SET start = ? WHERE ended IS NULL", (start,))
        self._is_provisional = False

    def end_run(self, reason: str, ended: float) -> None:
        """End the run: the same command then begins a new one."""
        self.write("UPDATE run SET ended = ?, reason = ? WHERE ended IS NULL", (ended, reason))
        self.readings.end_run()

    def keep_plan(self, plan: Mapping[str, Any]) -> None:
        """Keep the planner's decisions, with reasons, in the run."""
        self.write("UPDATE run SET plan = ? WHERE ended IS NULL", (json.dumps(plan),))

    def last_plan(self) -> tuple[Mapping[str, Any], bool]:
        """Return the plan that was kept last, empty for none; and whether it is of this run."""
        row = self.first(
            "SELECT plan, ended IS NULL FROM run WHERE plan <> '{}' ORDER BY id DESC LIMIT 1"
        )
        plan, is_current = row or ("{}", 0)
        return json.loads(plan), bool(is_current)

    # What it records

    def record_page(self, page: Page, now: float) -> bool:
        """Keep a page, its links and their targets, and mark the page as done.

        Return False for the response to a made-up URL, which is no page of the site.
        """
        is_made_up = self.suspects.is_made_up(page.key)
        if page.status is not None:
            self.readings.record_success(page.key)
        with self.writing():
            if any(link.linked for link in page.links):
                page = replace(page, links=self._spellings.actual_links(page.links))
            depth, hops = self.frontier.finish_page(page)
            self.recorded += 1
            try:
                if is_made_up:
                    self.crowds.record_answer(page)
                else:
                    self._write_content(page, depth, hops, now)
            except Exception:  # an error in this program: a half-written page is not done
                self.frontier.reopen_page(page)
                raise
        return not is_made_up

    def _write_content(self, page: Page, depth: int, hops: int, now: float) -> None:
        """Write the content of a page and the URLs it links to."""
        if page.judgement.verdict is Verdict.ROBOTS_DISALLOWED:
            self._delete_contents([(page.key,)])
            self.execute("DELETE FROM page WHERE key = ?", (page.key,))
        else:
            self._write_page(page, now)
        self._spellings.record_page(page)
        if page.sketch or page.sightings:
            self.suspects.record(page)
        self.logins.record_page(page)
        self.kinds.record(page)
        if page.links:
            self._write_links(page)
            is_redirect = page.judgement.verdict is Verdict.REDIRECT
            hops = hops + 1 if is_redirect else 0
            self.frontier.follow_links(page.links, depth + 1, hops, now)
        else:  # it may have had links in an earlier reading
            self.execute("DELETE FROM link WHERE source = ?", (page.key,))

    def _write_page(self, page: Page, now: float) -> None:
        if page.is_carried:
            self.previous_run.carry_page(page, now)
            return
        extensions = page.extensions
        if extensions is not None and not any(extensions):
            self.execute("DELETE FROM extension WHERE key = ?", (page.key,))
            extensions = None
        said = {
            "extension": None if extensions is None else pack_extensions(extensions),
            "label": None if page.labels is None else pack_labels(page.labels),
            "markdown": None if page.markdown is None else pack_text(page.markdown),
            "description": page.description,
        }
        for table, column in said.items():
            if column is not None:
                self.execute(insert_sql(table, "key said", "REPLACE"), (page.key, column))
        self.external.record_links(page.key, page.external)
        signature_id = excerpt_id = None
        # Those of an earlier reading in the same run, which is rare, stay unused until the run's
        # rows are deleted: to look for them would cost more than they do.
        if page.signature:
            contents = (page.signature, page.unbroken)
            signature_id = self.execute(WRITE_SIGNATURE, contents).lastrowid
        if page.text_hash is not None:
            excerpt_id = self.execute(WRITE_EXCERPT, (pack_text(page.excerpt),)).lastrowid
        verdict, evidence, other_url, reason = judged_values(page.judgement)
        values = {
            "signature_id": signature_id,
            "alternates": array("q", page.alternates).tobytes(),
            "own_verdict": verdict,
            "own_evidence": evidence,
            "own_other_url": other_url,
            "own_reason": reason,
            "run": self.history.run,
            "visited": int(now),
            "changed": self.previous_run.find_changes(page, self.frontier.target_numbers),
            "excerpt_id": excerpt_id,
            "excerpt": page.excerpt if page.text_hash is None else "",
        }
        columns = self._page_columns
        self.execute(
            insert_sql("page", " ".join(columns), "REPLACE"),
            [values[name] if name in values else getattr(page, name) for name in columns],
        )

    def _write_links(self, page: Page) -> None:
        numbers = self.frontier.target_numbers(page.links)
        followed = [link for link in page.links if not link.nofollow]
        nofollow: list[int] = []
        if len(followed) < len(numbers):
            nofollow = [to for to, link in zip(numbers, page.links) if link.nofollow]
            numbers = [to for to, link in zip(numbers, page.links) if not link.nofollow]
        self.execute(
            insert_sql("link", "source followed nofollow", "REPLACE"),
            (page.key, *map(pack_numbers, (numbers, nofollow))),
        )

    def record_transfer(self, key: int, seconds: float, size: int) -> None:
        """Keep the last complete response of a page: seconds to the last byte, bytes as sent.

        A figure replaces the one before only where it is less than half of it, or more than twice,
        so that the report of an unchanged site is unchanged.
        """
        with self.writing():
            kept = round(seconds, 1) if seconds >= NOTICED else 0.0
            self.execute(RECORD_TRANSFER, (key, kept, size))

    def record_sitemap(self, file: SitemapFile, now: float) -> None:
        """Keep a sitemap file and its entries; their URLs enter the frontier in their phase."""
        with self.writing():
            self.recorded += 1
            links = self._spellings.actual_links(link for _, link in file.entries)
            self.frontier.add_named_urls(links, now)
            self.sitemaps.record_file(file, links)

    def record_source(self, part: SourcePart, now: float) -> None:
        """Keep a part of a system and its entries; URLs of pages enter like those of sitemaps."""
        with self.writing():
            self.recorded += 1
            links = self._spellings.actual_links(each.link for each in part.entries)
            pages = [link for each, link in zip(part.entries, links) if each.is_page]
            self.frontier.add_named_urls(pages, now, SYSTEM)
            self.sources.record_part(part, links)

    def graph(self) -> LinkGraph:
        """Return the current link graph."""
        rows = self.read(
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
        return LinkGraph(nodes, keys.rows(self.read("SELECT source, followed FROM link")))

    def request_spellings(self) -> int:
        """Put URLs into the frontier whose page has another spelling; return their number.

        Such a page was missing or names the other one: with all slashes of a link, or with its
        parameters in another order.
        """
        with self.writing():
            found = self._spellings.request_urls()
            self.frontier.rename_keys(found)
        self._delete_pages([(before,) for before, now in found if now != before])
        return len(found)

    def _delete_pages(self, rows: list[tuple[int]]) -> None:
        """Delete what was read of pages, by (key,)."""
        self._delete_contents(rows)
        for table in ("page", "suspect_page", *BESIDE):
            self.write_all(f"DELETE FROM {table} WHERE key = ?", rows)
        self.write_all("DELETE FROM link WHERE source = ?", rows)

    def _delete_contents(self, rows: list[tuple[int]]) -> None:
        for table in CONTENTS:
            self.write_all(
                f"DELETE FROM {table} WHERE id = (SELECT {table}_id FROM page WHERE key = ?)", rows
            )

    def forget_urls(self, keys: Iterable[int]) -> None:
        """Make URLs unseen again because no followed link leads to them any more."""
        rows = [(key,) for key in keys]
        self._delete_pages(rows)
        self.write_all(
            f"UPDATE url SET state = {KNOWN}, sources = sources & {NOFOLLOW}, depth = NULL, "
            f"verdict = CASE WHEN sources & {NOFOLLOW} THEN '{ONLY_NOFOLLOW.verdict.value}' END, "
            f"evidence = CASE WHEN sources & {NOFOLLOW} THEN '{ONLY_NOFOLLOW.evidence}' END, "
            "reason = '', other_url = '' "
            f"WHERE key = ? AND sources & {START | LINK | NAMED}",
            rows,
        )

    def close(self) -> None:
        """Commit and close the database."""
        if self._is_provisional:
            self.readings.end_run()
        super().close()
        self.readings.close()
