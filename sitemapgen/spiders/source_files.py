"""Requests to the systems behind the site, one at a time, after those for its sitemaps.

Which ones there are, and what their responses mean: ``core/sources``. They are bounded: ``LEAST``
requests, or one for each ``PAGES_PER_REQUEST`` pages that they name, and in any case ``MOST`` or
``SITEMAPGEN_MAX_SITEMAPS``.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from dataclasses import dataclass, replace
from http import HTTPStatus

from scrapy import Request
from scrapy.http import Response, TextResponse
from twisted.python.failure import Failure

from sitemapgen.context import CrawlContext, or_abort
from sitemapgen.core.document.texts import line
from sitemapgen.core.eligibility import MAX_HOPS
from sitemapgen.core.sources import BY_SYSTEM, READERS
from sitemapgen.core.sources.reading import Ask, SourceRecord, Statement, read_statement
from sitemapgen.core.sources.reading import Response as SystemResponse
from sitemapgen.core.urls import is_same_site, key, parse
from sitemapgen.core.words import clauses, counted
from sitemapgen.download.downloader import RequestCancelled
from sitemapgen.download.failures import describe_failure
from sitemapgen.download.responses import headers_of, location_of
from sitemapgen.errors import CrawlError
from sitemapgen.items import LOST, SourceCounts, SourceEntry, SourcePart
from sitemapgen.spiders.sitemap_files import kept_in_words

logger = logging.getLogger(__name__)

LEAST = 20
"""Requests that are always allowed."""
PAGES_PER_REQUEST = 50
"""Pages that systems have to name for each further request."""
MOST = 2_000
"""Maximum requests: a system may name new pages without end."""
MAX_BYTES = 10_000_000
"""Maximum size of a response; 500 pages of a system take some 200 kB."""
MAX_TEXT = 200
"""Characters of the name of a part, and of what is wrong with it."""


@dataclass(frozen=True, slots=True)
class _Visit:
    """A request under way."""

    system: str
    ask: Ask
    hops: int = 0


class SourceFiles:
    """Asks each system that the start page names for its pages, part by part."""

    def __init__(self, context: CrawlContext) -> None:
        self.context = context
        self.link_reader, self.rules = context.link_reader, context.rules
        self.sources = context.crawl.store.sources
        settings = context.crawler.settings
        self._grace = settings.getint("SITEMAPGEN_GRACE_RUNS")
        self._most = min(MOST, settings.getint("SITEMAPGEN_MAX_SITEMAPS") or MOST)
        self._waiting: deque[_Visit] = deque()
        self._parts: dict[tuple[str, str], SourcePart] = {}
        self._failed: dict[int, SourcePart] = {}
        self._named: set[int] = set()
        self._asked = 0
        self.is_done = False

    @or_abort
    def examine(self, start: Response) -> None:
        """Keep which systems the start page names; after an interrupt it is not requested again."""
        if start.status == HTTPStatus.NOT_MODIFIED:
            found = self.sources.systems(in_previous_run=True)
        else:
            page = statement_of(start)
            asks = ((reader.system, reader.first(page)) for reader in READERS)
            found = [(system, ask) for system, ask in asks if ask is not None]
        if found is not None:
            self.sources.keep_systems(found)
            self.context.crawl.store.commit()

    @or_abort
    def begin(self) -> list[Request]:
        """Return the first request: to the first system, or for the start page.

        An empty list if the crawl is continued and has read the systems before.
        """
        if self.sources.is_concluded():
            self.is_done = True
            return []
        if self.sources.systems() is None:
            return [self._request_part(self.context.start_url, None)]
        return self._start_systems()

    def _start_systems(self) -> list[Request]:
        start = self.context.start_url
        self._waiting.extend(
            _make_visit(system, ask, start) for system, ask in self.sources.systems() or ()
        )
        return self._next_requests()

    def _next_requests(self) -> list[Request]:
        """Return the next request; after the last one, conclude."""
        while self._waiting:
            visit = self._waiting.popleft()
            if not (visit.ask.url and is_same_site(visit.ask.url, self.context.start_url)):
                self._record_failure(
                    visit, "on another host" if visit.ask.url else "its address is no URL"
                )
            elif self._asked >= self._limit():
                pages = counted(len(self._named), "page")
                self._record_failure(
                    visit, f"not read further: no more than {self._asked} requests for {pages}"
                )
            else:
                self._asked += 1
                return [self._request_part(visit.ask.url, visit)]
        self._keep_pages()
        self.sources.compare_statements(time.time(), is_whole=self._is_whole())
        self.is_done = True
        self._log_outcome()
        return []

    def _limit(self) -> int:
        """Return the number of requests that are allowed, by the pages named so far."""
        return min(self._most, max(LEAST, len(self._named) // PAGES_PER_REQUEST + 1))

    def _is_whole(self) -> bool:
        """Return whether the systems that state when all their pages changed were read wholly."""
        whole = [part for part in self._parts.values() if _states_all(part)]
        return bool(whole) and not any(_states_all(part) for part in self._failed.values())

    def _request_part(self, url: str, visit: _Visit | None) -> Request:
        return Request(
            url,
            callback=self.parse,
            errback=self.parse_failure,
            cb_kwargs={"visit": visit},
            meta={"download_maxsize": MAX_BYTES},
            dont_filter=True,
            priority=1,
        )

    @or_abort
    def parse(self, response: Response, visit: _Visit | None) -> list[Request]:
        """Read a response, or follow its redirect; then request the next one.

        An error while reading affects only this part.
        """
        if visit is None:
            self.examine(response)
            return self._start_systems()
        if location := location_of(response):
            target, start = parse(location, response.url), self.context.start_url
            if target is not None and visit.hops < MAX_HOPS and is_same_site(target, start):
                return [self._request_part(target, replace(visit, hops=visit.hops + 1))]
        try:
            self._read_response(response, visit)
        except CrawlError:
            raise
        except Exception:
            logger.exception("%(system)s: %(url)s", {"system": visit.system, "url": visit.ask.url})
            self._record_failure(visit, LOST.evidence)
        return self._next_requests()

    def _read_response(self, response: Response, visit: _Visit) -> None:
        """Record the entries of a response, and queue what follows."""
        if response.status != 200:
            self._record_failure(visit, f"HTTP {response.status}")
            return
        said = SystemResponse(response.url, joined_headers(response), response.body)
        answer = BY_SYSTEM[visit.system].read(visit.ask, said)
        if answer.error and not answer.records:
            self._record_failure(visit, answer.error)
            return
        before = len(self._named)
        counts, entries = self._site_entries(answer.records, response.url)
        known = self._part_of_visit(visit)
        total = SourceCounts(*map(sum, zip(known.counts, counts)))
        self._record_part(replace(known, counts=total, entries=entries))
        if answer.error:
            self._record_failure(visit, answer.error)
        elif answer.more and answer.records and len(self._named) == before:
            self._record_failure(visit, "the same pages again and again")
        else:
            for ask in reversed(answer.more):
                self._waiting.appendleft(_make_visit(visit.system, ask, response.url))

    def _record_part(self, part: SourcePart) -> None:
        self._parts[part.system, part.part] = replace(part, entries=())
        self.context.crawl.record(part)

    def _site_entries(
        self, records: tuple[SourceRecord, ...], base: str
    ) -> tuple[SourceCounts, tuple[SourceEntry, ...]]:
        """Return the entries of the site, and the counts of all."""
        site = self.rules.site
        entries, malformed, offsite = [], 0, 0
        for record in records:
            resolved = site.resolve_link(record.url, base)
            if resolved.url is None:
                malformed += 1
            elif not site.owns(resolved.url):
                offsite += 1
            else:
                link = self.link_reader.resolved(resolved)
                entries.append(SourceEntry(link, record.changed.strip(), record.is_page))
                self._named.add(link.key)
        counts = SourceCounts(
            requests=1,
            entries=len(entries),
            with_date=sum(1 for entry in entries if entry.changed),
            malformed=malformed,
            offsite=offsite,
        )
        return counts, tuple(entries)

    def _part_of_visit(self, visit: _Visit) -> SourcePart:
        """Return what is known of the part of a request."""
        known = self._parts.get((visit.system, visit.ask.part))
        return known or SourcePart(url=visit.ask.url, system=visit.system, part=visit.ask.part)

    def _record_failure(self, visit: _Visit, error: str) -> None:
        """Record a part that was not read completely."""
        error = line(error, MAX_TEXT)
        part = replace(self._part_of_visit(visit), error=error, entries=())
        self._failed[key(part.url)] = part
        self._record_part(part)
        logger.warning(
            "The site's %(system)s: %(url)s: %(error)s",
            {"system": visit.system, "url": visit.ask.url, "error": error},
        )

    @or_abort
    def parse_failure(self, failure: Failure) -> list[Request]:
        """Record a request that failed."""
        if isinstance(failure.value, RequestCancelled):
            return []  # the crawl ends
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy sets it
        visit: _Visit | None = request.cb_kwargs["visit"]
        if visit is not None:
            self._record_failure(visit, describe_failure(failure.value))
        return self._next_requests()

    def _keep_pages(self) -> None:
        """Keep the pages that the previous run had from parts that are not read, without dates.

        A system that is switched off is no evidence about its pages.
        """
        if self._grace <= 0:
            return
        read = [part.url for part in self._parts.values() if key(part.url) not in self._failed]
        url, error = self.context.start_url, "no system is named any more"
        unnamed = SourcePart(url=url, system="none", part="", error=error)
        first = next(iter(self._failed.values()), unnamed)
        count = 0
        for source, runs, urls in self.sources.unread_pages(read, self._grace):
            part = self._failed.get(source, first)
            links = [self.link_reader.link(url) for url in urls if self.rules.site.owns(url)]
            count += len(links)
            entries = tuple(SourceEntry(link, "", is_page=True) for link in links)
            self.context.crawl.record(replace(part, entries=entries, kept_for=runs))
        if count:
            kept = kept_in_words(counted(count, "page"), count, self._grace)
            logger.warning("The site's systems were not read completely: %(kept)s", {"kept": kept})

    def _log_outcome(self) -> None:
        for system in sorted({part.system for part in self._parts.values()}):
            parts = [part for part in self._parts.values() if part.system == system]
            counts = SourceCounts(*map(sum, zip(*(part.counts for part in parts))))
            logger.info(
                "The site's %(system)s: %(outcome)s",
                {
                    "system": system,
                    "outcome": clauses(
                        (1, counted(counts.entries, "page")),
                        (counts.with_date, f"{counts.with_date:,} with a date"),
                        (1, counted(counts.requests, "request")),
                    ),
                },
            )


def _make_visit(system: str, ask: Ask, base: str) -> _Visit:
    """Return a request for what a response names; its URL is empty if that is none."""
    url, part = parse(ask.url, base) if ask.url else "", line(ask.part, MAX_TEXT)
    return _Visit(system, ask._replace(url=url or "", part=part))


def _states_all(part: SourcePart) -> bool:
    reader = BY_SYSTEM.get(part.system)
    return reader is not None and reader.is_whole


def joined_headers(response: Response) -> dict[str, str]:
    """Return the values of each header, joined by commas (RFC 9110 section 5.3), by its name."""
    return {name: ", ".join(values) for name, values in headers_of(response).items()}


def statement_of(response: Response) -> Statement:
    """Read what a start page states about its system; nothing if it is no text."""
    body = response.body if isinstance(response, TextResponse) else b""
    return read_statement(response.url, joined_headers(response), body)
