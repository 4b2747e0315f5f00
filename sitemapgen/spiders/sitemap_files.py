"""Fetching of the site's own sitemaps, one at a time and always in the same order.

A file may take 50 MB, and what a cap leaves out must not depend on the order of responses. Pages
are fetched meanwhile. The rules: ``core/sitemap_files/discover.py``; the content of a file:
``core/sitemap_files/read.py``.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import ResponseDataLossError

from sitemapgen.analysis.freshness.trust import is_file_sample
from sitemapgen.core.eligibility import GONE, MAX_HOPS
from sitemapgen.core.sitemap_files.discover import (
    INDEX,
    MAX_FAILURES,
    MAX_LEVELS,
    ROBOTS,
    USUAL_PATH,
    USUAL_PATHS,
    Named,
    allowed_location,
    join_faults,
    sort_entries,
)
from sitemapgen.core.sitemap_files.read import MAX_BYTES, TRUNCATED, Sitemap, read_sitemap
from sitemapgen.core.urls import key, parse, split
from sitemapgen.core.words import agree, clauses, counted
from sitemapgen.download.downloader import RequestCancelled
from sitemapgen.download.failures import describe_failure
from sitemapgen.download.responses import conditional_headers, header_of, location_of
from sitemapgen.items import LOST, SitemapCounts, SitemapDocument, SitemapFile
from sitemapgen.verdicts import Reason

if TYPE_CHECKING:
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from sitemapgen.context import CrawlContext

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A sitemap file that is being requested."""

    url: str
    """The URL as named, before redirects."""
    found: str
    parent: str = ""
    level: int = 1
    is_vouched_for: bool = False
    """Whether robots.txt names the file, or an index above it."""
    hops: int = 0
    takes_part: bool = False
    """Whether a truncated response is accepted."""
    mark: SitemapDocument | None = None
    """The validators for a conditional request."""
    is_check: bool = False
    """Whether the file is read although the server has just answered 304."""

    def is_conditional(self, url: str) -> bool:
        """Return whether a URL, the file's own or a redirect's target, gets validators."""
        return self.mark is not None and self.mark.location == url and not self.is_check


@dataclass(slots=True, kw_only=True)
class _Listing:
    """The files still to be requested of one index, or of robots.txt and the user together."""

    waiting: deque[tuple[str, str]]
    """(href, ``SitemapFile.found``) of each file."""
    index: SitemapFile | None = None
    visit: Visit | None = None
    base: str = ""
    failures: int = 0
    failures_in_a_row: int = 0
    faulty: int = 0
    """Number of files that were read and had errors."""
    unread: Counter[str] = field(default_factory=Counter)
    """Number of files that were left out, by reason."""


class SitemapFiles:
    """Fetches the files named by robots.txt and the user, else the usual paths; follows indexes.

    It proceeds depth first: only one listing per level is in memory, and no requests wait.
    """

    def __init__(
        self, context: CrawlContext, after: Callable[[], Iterable[Request] | None] | None
    ) -> None:
        """Begin with the files that robots.txt and the user name.

        ``after``: returns the requests that follow the last file; None for none.
        """
        settings, store = context.crawler.settings, context.crawl.store
        self.after = after
        self.link_reader, self.rules = context.link_reader, context.rules
        self.sitemaps = store.sitemaps
        self.history = store.history
        self.readings = store.readings
        sitemaps, others = self.rules.robots.sitemaps, context.host.args.sitemap_urls()
        self.named = named = Named(context.start_url, sitemaps, others)
        self.max_files = settings.getint("SITEMAPGEN_MAX_SITEMAPS")
        self._met: set[int] = set()
        self._asked = 0
        usual = [(split(named.start).origin + path, USUAL_PATH) for path in USUAL_PATHS]
        self._listings = [_Listing(waiting=deque(named.files.items() or usual), base=named.start)]
        self._read: Counter[str] = Counter()
        self._grace = settings.getint("SITEMAPGEN_GRACE_RUNS")
        self._whole: set[str] = set()
        """URLs of files that were read completely, or are gone."""
        self._failing: dict[int, SitemapFile] = {}
        """By key of the URL: the files that failed or were read only in part."""
        self.is_done = False
        """Whether all files were requested and have answered."""

    def next(self) -> Iterator[Request | SitemapFile]:
        """Yield records of files that were left out, and the request for the next file."""
        while self._listings:
            listing = self._listings[-1]
            if listing.waiting and (reason := self._reason_to_stop(listing)):
                yield from self._give_up(listing, reason)
            elif listing.waiting:
                taken = self._take_file(listing)
                if isinstance(taken, Visit):
                    mark = self.sitemaps.stored_document(taken.url)
                    yield self._request_file(taken.url, replace(taken, mark=mark))
                    return
                if taken is not None:
                    yield taken
            else:
                self._listings.pop()
                yield from self._conclude_listing(listing)
        yield from self._keep_entries()
        self.is_done = True
        if self._read:
            files, urls, failed = (self._read[name] for name in ("files", "urls", "failed"))
            read = f"{counted(files, 'file')} with {counted(urls, 'URL')}"
            logger.info(
                "The site's own sitemaps: %(outcome)s",
                {"outcome": clauses((files, read), (failed, f"{failed:,} failed"), joint="; ")},
            )
        if self.after is not None:
            yield from self.after() or ()

    def parse(self, response: Response, visit: Visit) -> Iterator[Request | SitemapFile]:
        """Read a file, or follow its redirect; then request the next one.

        An error while reading affects only this file.
        """
        try:
            output = self._handle_response(response, visit)
        except Exception:
            logger.exception("Sitemap %(url)s", {"url": visit.url})
            output = self._record_failure(visit, LOST.evidence, reason=LOST.reason)
        yield from self._continue_with(output)

    def _continue_with(
        self, output: Request | SitemapFile | None
    ) -> Iterator[Request | SitemapFile]:
        """Yield the outcome of a file, and if it is finished, the request for the next one."""
        if output is not None:
            yield output
        if not isinstance(output, Request):
            yield from self.next()

    def _handle_response(self, response: Response, visit: Visit) -> Request | SitemapFile | None:
        """Return the file in a response, or a further request for it; None for neither."""
        if location := location_of(response):
            target = parse(location, response.url)
            refusal = self._redirect_refusal(target, response.url, visit)
            if target is None or refusal:
                return self._record_failure(visit, f"HTTP {response.status} {refusal}")
            self._met.add(key(target))
            return self._request_file(target, replace(visit, hops=visit.hops + 1))
        body, document = response.body, None
        if response.status == HTTPStatus.NOT_MODIFIED and visit.is_conditional(response.url):
            if is_file_sample(key(visit.url), self.history.run):
                return self._request_file(response.url, replace(visit, is_check=True))
            body = self.sitemaps.stored_body(visit.url)
        elif response.status != 200:
            is_gone = response.status in GONE
            return self._record_failure(visit, f"HTTP {response.status}", is_gone=is_gone)
        elif "dataloss" not in response.flags:
            document = self._document_to_store(visit, response)
        with self.readings.reading(key(visit.url), visit.url):
            sitemap = read_sitemap(body, is_cut="dataloss" in response.flags)
            if sitemap.error == TRUNCATED and not visit.takes_part:
                return self._request_file(response.url, replace(visit, takes_part=True))
            file = self._record_success(visit, sitemap, response.url) if sitemap.format else None
        self.readings.record_success(key(visit.url))
        if file is None:
            return self._record_failure(visit, sitemap.error)
        return replace(file, document=None if sitemap.error == TRUNCATED else document)

    def _document_to_store(self, visit: Visit, response: Response) -> SitemapDocument | None:
        """Return the document to store; None if the response has no usable validators."""
        etag, last_modified = (header_of(response, name) for name in ("ETag", "Last-Modified"))
        if visit.is_check and response.body != self.sitemaps.stored_body(visit.url):
            logger.warning(
                "Sitemap %(url)s: changed, but the server answers 304; it is read in each run now",
                {"url": visit.url},
            )
            return SitemapDocument(response.url, "", "", b"")
        if self.sitemaps.is_unreliable(visit.url) or not (etag or last_modified):
            return None
        return SitemapDocument(response.url, etag, last_modified, response.body)

    def parse_failure(self, failure: Failure) -> Iterator[Request | SitemapFile]:
        """Record a file that failed; request a truncated one again, to accept what arrives."""
        if isinstance(failure.value, RequestCancelled):
            return  # the crawl ends
        request: Request = failure.request  # type: ignore[attr-defined]  # Scrapy sets it
        visit: Visit = request.cb_kwargs["visit"]
        if isinstance(failure.value, ResponseDataLossError) and not visit.takes_part:
            yield self._request_file(request.url, replace(visit, takes_part=True))
        else:
            yield from self._continue_with(
                self._record_failure(visit, describe_failure(failure.value))
            )

    def _request_file(self, url: str, visit: Visit) -> Request:
        mark = visit.mark if visit.is_conditional(url) else None
        return Request(
            url,
            headers=conditional_headers(mark.etag, mark.last_modified) if mark else None,
            callback=self.parse,
            errback=self.parse_failure,
            cb_kwargs={"visit": visit},
            meta={"download_fail_on_dataloss": not visit.takes_part, "download_maxsize": MAX_BYTES},
            dont_filter=True,
            priority=1,
        )

    def _redirect_refusal(self, target: str | None, here: str, visit: Visit) -> str:
        if target is None:
            return "to what is no http(s) URL"
        if visit.hops == MAX_HOPS:
            return f"after {MAX_HOPS} redirects in a row"
        refusal = self.named.refusal(target, here)
        if not refusal and (key(target) in self._met or target in self.named.files):
            refusal = "that one is asked for by itself"
        return refusal and f"to {target[:200]}: {refusal}"

    # Listings

    def _reason_to_stop(self, listing: _Listing) -> str:
        if listing.failures_in_a_row >= MAX_FAILURES:
            return f"the {MAX_FAILURES} before failed"
        if 0 < self.max_files <= self._asked:
            return f"SITEMAPGEN_MAX_SITEMAPS={self.max_files} is reached"
        return ""

    def _give_up(self, listing: _Listing, reason: str) -> Iterator[SitemapFile]:
        """Leave out the waiting files; without an index to record this, the first of them does."""
        href, found = listing.waiting[0]
        if listing.index is not None:
            listing.unread[reason] += len(listing.waiting)
        elif found != USUAL_PATH:
            error = f"not asked for, nor any that is named after it: {reason}"
            counts = SitemapCounts(unread=len(listing.waiting))
            yield SitemapFile(url=href, found=found, error=error, counts=counts)
            logger.warning("Sitemap %(url)s: %(error)s", {"url": href, "error": error})
        listing.waiting.clear()

    def _take_file(self, listing: _Listing) -> Visit | SitemapFile | None:
        """Take a file off its listing: a Visit to request it, or its record; None to skip it."""
        href, found = listing.waiting.popleft()
        url = parse(href, listing.base)
        if url is None:
            listing.unread["no http(s) URL"] += 1
            return None
        if key(url) in self._met:
            return None
        if listing.visit is None:
            if found == ROBOTS and (refusal := self.named.intrusion(url)):
                return SitemapFile(url=url, found=found, error=refusal)
            visit = Visit(url=url, found=found, is_vouched_for=found == ROBOTS)
        elif url in self.named.files:
            return None  # it has a listing of its own
        elif refusal := self.named.refusal(url, listing.base):
            listing.unread[refusal] += 1
            return None
        else:
            above = listing.visit
            visit = Visit(
                url=url,
                found=found,
                parent=above.url,
                level=above.level + 1,
                is_vouched_for=above.is_vouched_for,
            )
        self._met.add(key(url))
        self._asked += 1
        return visit

    def _conclude_listing(self, listing: _Listing) -> Iterator[SitemapFile]:
        """Log failures of a finished listing, and record the files of an index left out."""
        if listing.failures > 1 or listing.faulty > 1:
            logger.warning(
                "Sitemaps that %(parent)s names: %(outcome)s",
                {
                    "parent": listing.index.url if listing.index else "robots.txt or the user",
                    "outcome": clauses(
                        (listing.failures, f"{listing.failures:,} failed"),
                        (listing.faulty, counted(listing.faulty, "has errors", "have errors")),
                    ),
                },
            )
        if listing.index is None or not listing.unread:
            return
        reasons = sorted(listing.unread.items())
        left_out = [f"{count:,} of its files not asked for: {why}" for why, count in reasons]
        error = "; ".join(filter(None, [listing.index.error, *left_out]))
        counts = listing.index.counts._replace(unread=sum(listing.unread.values()))
        index = replace(listing.index, error=error, counts=counts)
        if key(index.url) in self._failing:
            self._note_outcome(index, is_whole=False)
        yield index
        logger.warning("Sitemap %(url)s: %(error)s", {"url": listing.index.url, "error": error})

    # Files

    def _record_success(self, visit: Visit, sitemap: Sitemap, base: str) -> SitemapFile:
        """Describe a file that was read; the files of an index are requested next."""
        location = allowed_location(visit.url, self.rules.site, is_vouched_for=visit.is_vouched_for)
        counts, entries, examples = sort_entries(
            sitemap, base=base, location=location, reader=self.link_reader
        )
        file = SitemapFile(
            url=visit.url,
            found=visit.found,
            parent=visit.parent,
            format=sitemap.format,
            error=join_faults(sitemap.error, counts, location),
            counts=counts,
            offsite_examples=examples,
            entries=entries,
        )
        self._note_outcome(file, is_whole=not sitemap.error)
        listing = self._listings[-1]
        listing.failures_in_a_row = 0
        listing.faulty += bool(file.error)
        if visit.found == USUAL_PATH:
            listing.waiting.clear()
        self._read.update(files=1, urls=counts.entries)
        if sitemap.children:
            self._queue_children(sitemap.children, file, visit, base)
        level = logging.WARNING if file.error and listing.faulty == 1 else logging.DEBUG
        logger.log(
            level,
            "Sitemap %(url)s: %(content)s%(error)s",
            {
                "url": visit.url,
                "content": clauses(
                    (counts.entries, counted(counts.entries, "URL")),
                    (counts.children, counted(counts.children, "further file")),
                )
                or "no URLs",
                "error": f"; {file.error}" if file.error else "",
            },
        )
        return file

    def _queue_children(
        self, children: tuple[str, ...], index: SitemapFile, visit: Visit, base: str
    ) -> None:
        listing = _Listing(waiting=deque(), index=index, visit=visit, base=base)
        if visit.level < MAX_LEVELS:
            listing.waiting.extend((href, INDEX) for href in children)
        else:
            listing.unread[f"more than {MAX_LEVELS} levels of indexes"] = len(children)
        self._listings.append(listing)

    def _record_failure(
        self, visit: Visit, error: str, *, reason: Reason = Reason.NONE, is_gone: bool = False
    ) -> SitemapFile | None:
        """Record a file that cannot be read, unless it was only a guess at a usual path."""
        if visit.found == USUAL_PATH and not self.sitemaps.has_named(visit.url):
            return None
        listing = self._listings[-1]
        listing.failures += 1
        listing.failures_in_a_row += 1
        self._read.update(failed=1)
        level = logging.DEBUG if listing.failures > 1 else logging.WARNING
        logger.log(level, "Sitemap %(url)s: %(error)s", {"url": visit.url, "error": error})
        file = SitemapFile(
            url=visit.url, found=visit.found, parent=visit.parent, error=error, reason=reason
        )
        self._note_outcome(file, is_whole=is_gone)
        return file

    # Earlier entries of failing files

    def _note_outcome(self, file: SitemapFile, *, is_whole: bool) -> None:
        if is_whole:
            self._whole.add(file.url)
        else:
            self._failing[key(file.url)] = replace(file, entries=(), document=None)

    def _keep_entries(self) -> Iterator[SitemapFile]:
        """Keep the previous run's entries of failing files during a grace period.

        A failing index hides its files; their entries are attributed to the first failing file.
        """
        if not self._failing or self._grace <= 0:
            return
        first, count = next(iter(self._failing.values())), 0
        for sitemap, runs, entries in self.sitemaps.unread_entries(self._whole, self._grace):
            file = self._failing.get(sitemap, first)
            links = ((entry, self.link_reader.link(entry.url)) for entry in entries)
            own = tuple(each for each in links if self.rules.site.owns(each[0].url))
            count += len(own)
            yield replace(file, entries=own, kept_for=runs)
        if count:
            logger.warning(
                "Sitemaps that failed (first %(url)s: %(error)s): %(kept)s",
                {
                    "url": first.url,
                    "error": first.error,
                    "kept": kept_in_words(counted(count, "entry", "entries"), count, self._grace),
                },
            )


def kept_in_words(what: str, count: int, runs: int) -> str:
    """Describe what is kept of the crawl before, for a number of runs at most.

    >>> kept_in_words("1 page", 1, 3)
    '1 page of the crawl before is still requested, in 3 crawls at most'
    """
    are = agree(count, "is", "are")
    return f"{what} of the crawl before {are} still requested, in {counted(runs, 'crawl')} at most"
