"""Figures of the running crawl, shown by ``progress.py`` and ``dashboard/``.

They are read on demand from the counts of the store, the stats and the downloader.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from scrapy import signals
from scrapy.crawler import Crawler

from sitemapgen.analysis.progress import Sample, TimeLeft, page_rate, time_left
from sitemapgen.context import context_of, step_begins
from sitemapgen.core.urls import hostname
from sitemapgen.download.downloader import Wait, polite_downloader
from sitemapgen.download.engine import is_ending
from sitemapgen.store.readings import Slow
from sitemapgen.verdicts import Verdict

RENDERED = "sitemapgen/rendering/page_count/"
_ATTRIBUTE = "sitemapgen_figures"
SAMPLES = 300
"""Number of samples kept, at most one per second: the last five minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The status of a crawl at one moment."""

    state: str
    """``starting``, ``crawling``, ``finishing`` (after an interrupt) or ``publishing``."""
    url: str
    """The start URL, after redirects once it has answered."""
    seconds: float
    """Seconds since this process began to crawl."""
    fetched: int = 0
    """Number of URLs fetched in this run, also by earlier processes."""
    listed: int = 0
    """Number of pages that would be listed by their response alone."""
    queued: int = 0
    """Number of URLs that wait or are in flight for the first time."""
    again: int = 0
    """Number of fetched pages that are to be read again, most of them in the browser."""
    later: int = 0
    """Number of URLs whose phase has not come; not all of them have to be fetched."""
    rate: float | None = None
    """Pages per second; None while there are too few samples."""
    rendered: int = 0
    """Number of pages rendered in the browser."""
    max_pages: int = 0
    step: str = ""
    """The step of publishing, in words; empty before it begins."""
    wait: Wait | None = None
    left: TimeLeft | None = None
    verdicts: Mapping[str, int]
    """Number of URLs with a verdict so far, by its word."""
    frontier: Mapping[int, int]
    """Number of waiting URLs, by depth."""
    slow: Sequence[Slow] = ()
    """The last pages that took too long to read: ``store/readings.py``."""


class Figures:
    """Collects the figures of a crawl; ``status`` may be called once or twice a second."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self.context = context_of(crawler)
        self.store = self.context.crawl.store
        self.max_pages = crawler.settings.getint("SITEMAPGEN_MAX_PAGES")
        self.samples: deque[Sample] = deque(maxlen=SAMPLES)
        self._first = Sample(monotonic(), 0, 0)
        self._idle_since = -1
        self._most = 0
        """The largest number of URLs fetched so far, with those that are to be read again."""
        self._last: Status | None = None
        self._seen = Status(state="crawling", url="", seconds=0.0, verdicts={}, frontier={})
        """The last status, shown while the store is in use by the background."""

        crawler.signals.connect(self.spider_opened, signals.spider_opened)
        crawler.signals.connect(self.spider_idle, signals.spider_idle)
        crawler.signals.connect(self.spider_closed, signals.spider_closed)
        crawler.signals.connect(self.step_begins, step_begins)

    def spider_opened(self) -> None:
        """Note the initial number of pages, as earlier processes may have fetched some."""
        self._first = Sample(monotonic(), self.store.frontier.fetched(), 0)

    def spider_idle(self) -> None:
        """Note that nothing is left to fetch; unless URLs are found, publishing is next."""
        self._idle_since = self.store.recorded

    def spider_closed(self) -> None:
        """Keep the last status, if any was requested, before the store is closed."""
        if self.samples:
            self._last = replace(self._read_status(last=True), wait=None, left=None)

    def step_begins(self, step: str) -> None:
        if self._last:
            self._last = replace(self._last, step=step)

    def status(self) -> Status:
        """Return the current status; the last one, with the time, once the spider is closed."""
        if self._last is None and not self.context.background.is_busy:
            self._seen = self._read_status()
            return self._seen
        return replace(self._last or self._seen, seconds=monotonic() - self._first.at)

    async def current_status(self) -> Status:
        """Return the status as soon as the store is not in use by the background."""
        while self._last is None and self.context.background.is_busy:
            await self.context.background.has_ended.wait()
        return self.status()

    def _read_status(self, *, last: bool = False) -> Status:
        now = monotonic()
        store, stats = self.store, self.crawler.stats.get_stats()
        standing = store.counts.read(last=last)
        queued = sum(standing.waiting.values()) + store.frontier.in_flight()
        self._most = max(self._most, store.frontier.fetched())
        again = self._most - store.frontier.fetched()
        sample = Sample(now, store.frontier.fetched(), queued + standing.later)
        if not self.samples or now - self.samples[-1].at >= 1:
            self.samples.append(sample)
        state = self._crawl_state()
        url = self.context.start_url or self.context.host.args.url
        return Status(
            state=state,
            url=url,
            seconds=now - self._first.at,
            fetched=self._most,
            listed=standing.verdicts.get(Verdict.LISTED.value, 0),
            queued=max(0, queued - again),
            again=again,
            later=standing.later,
            rate=page_rate([self._first, *self.samples, sample]),
            rendered=sum(count for name, count in stats.items() if name.startswith(RENDERED)),
            max_pages=self.max_pages,
            wait=polite_downloader(self.crawler).current_wait(hostname(url)),
            left=time_left(self.samples, self.max_pages) if state == "crawling" else None,
            verdicts=standing.verdicts,
            frontier=dict(sorted(standing.waiting.items())),
            slow=tuple(store.readings.slow),
        )

    def _crawl_state(self) -> str:
        if self._idle_since == self.store.recorded:
            return "publishing"
        if is_ending(self.crawler):
            return "finishing"
        return "crawling" if self.context.start_url else "starting"


def figures_of(crawler: Crawler) -> Figures:
    """Return the figures of a crawl, a new object at the first call."""
    figures: Figures | None = getattr(crawler, _ATTRIBUTE, None)
    if figures is None:
        figures = Figures(crawler)
        setattr(crawler, _ATTRIBUTE, figures)
    return figures
