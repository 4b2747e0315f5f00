"""Item pipeline that publishes a sitemap of the items of another project's spider.

    ITEM_PIPELINES = {"sitemapgen.pipelines.sitemap.SitemapPipeline": 900}

An item lists its ``url`` (or ``loc``), with ``lastmod``, ``priority`` and ``changefreq`` where it
has them. The pipeline of a crawl, and of the add-on: ``sitemap.py``.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, datetime, timezone
from functools import partial
from typing import Any

import numpy as np
from itemadapter.adapter import ItemAdapter
from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.threads import deferToThread
from typing_extensions import Self

from sitemapgen.core.eligibility import MIN_LENGTH
from sitemapgen.core.lastmod import best_claim, make_claims
from sitemapgen.core.urls import MAX_LENGTH, key, parse, split
from sitemapgen.core.words import counted
from sitemapgen.deploy.jobs import JobIdentity
from sitemapgen.errors import CrawlError
from sitemapgen.params import UNKNOWN, Params, arguments_of_setting, max_loss
from sitemapgen.publish.formats import FORMATS
from sitemapgen.publish.options import Options, OutputSettings, read_changefreq, read_priority
from sitemapgen.publish.replacing import Safety, measure_unlisted, replace_published
from sitemapgen.publish.sitemaps import Listed, write_files
from sitemapgen.verdicts import DateFault

logger = logging.getLogger(__name__)

ARGUMENTS = ("url", "output", "base_url", "formats", "layout", "gzip", "force")
"""Arguments that a sitemap of items takes."""
FORCE = 'SITEMAPGEN_ARGUMENTS = {"force": "true"}'
"""What publishes in spite of the safety check in another project."""
NEEDS_PAGES = "is for pages, which the add-on reads (docs/guides/scrapy.md); items take "


class ItemSitemap:
    """Collects the URLs of items, and publishes them once the spider has finished.

    A URL takes some 500 bytes of memory until then.
    """

    def __init__(self, crawler: Crawler) -> None:
        """Read the settings. Raises ValueError for the first that is wrong."""
        from sitemapgen import settings as ours  # noqa: PLC0415 - as late as Scrapy imports its own

        self.crawler = crawler
        self.settings = {**vars(ours), **crawler.settings}
        self.args = _read_arguments(crawler.settings)
        try:
            self.max_loss = max_loss(self.settings)
            self.output_settings = OutputSettings.of(self.settings)
        except CrawlError as error:
            raise ValueError(error.sentence) from None
        self._entries: dict[str, tuple[str, ...]] = {}
        """By URL, its values in the order of READERS; empty for what no item states."""
        self._faults: Counter[str] = Counter()
        self._examples: dict[str, str] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = cls(crawler)
        crawler.signals.connect(pipeline.spider_closed, signals.spider_closed)
        return pipeline

    def process_item(self, item: Any) -> Any:
        """Note the URL of an item. Of several items for a URL, in any order, the largest values."""
        adapter = ItemAdapter(item) if ItemAdapter.is_item(item) else {}
        given = str(
            _single_value(adapter.get("loc")) or _single_value(adapter.get("url")) or ""
        ).strip()
        if not given:
            return item
        url = parse(given) or ""
        if not MIN_LENGTH <= len(url) <= MAX_LENGTH:
            self._count_fault(
                "a URL that no sitemap takes: write it like https://example.com/", given
            )
            return item
        values = tuple(
            self._read_field(name, _single_value(adapter.get(name)), url) for name in READERS
        )
        self._entries[url] = tuple(map(max, values, self._entries.get(url, values)))
        return item

    def _read_field(self, name: str, value: Any, url: str) -> str:
        if value in (None, ""):
            return ""
        try:
            return READERS[name](value)
        except ValueError as error:
            self._count_fault(f"a {name} that {error}", url)
            return ""

    def _count_fault(self, fault: str, example: str) -> None:
        self._faults[fault] += 1
        self._examples[fault] = min(self._examples.get(fault, example), example)

    async def spider_closed(self, reason: str) -> None:
        """Publish after a spider that has finished; log what is written, and what is wrong."""
        for fault, count in sorted(self._faults.items()):
            items, example = counted(count, "item has", "items have"), self._examples[fault]
            words = {"items": items, "fault": fault, "example": example[:MAX_LENGTH]}
            logger.warning("Sitemap: %(items)s %(fault)s; first %(example)s", words)
        home, listed = self._site_entries()
        if reason != "finished" or not listed:
            why = f"the spider ended with {reason}" if listed else "no item has a url or loc of it"
            words = {"home": home, "why": why}
            logger.warning("No sitemap%(home)s: %(why)s; what is published stays", words)
            return
        try:
            await maybe_deferred_to_future(deferToThread(self._publish_files, home, listed))
        except CrawlError as error:
            logger.error("Sitemap: %(sentence)s", {"sentence": error.sentence})

    def _site_entries(self) -> tuple[str, list[Listed]]:
        """Return the root of the site of most URLs, or of the one given, and its entries."""
        homes = Counter(f"{split(url).origin}/" for url in self._entries)
        if self.args.url != UNKNOWN:
            home = f"{split(self.args.url).origin}/"
        else:
            home = max(homes, key=lambda home: (homes[home], home), default="")
        if others := len(self._entries) - homes[home]:
            words = {"urls": counted(others, "URL is", "URLs are"), "home": home}
            logger.warning("Sitemap: %(urls)s not of %(home)s, and left out", words)
        return home, [
            Listed(url, lastmod, 0, changefreq=changefreq, priority=priority)
            for url, (lastmod, priority, changefreq) in sorted(self._entries.items())
            if url.startswith(home)
        ]

    def _publish_files(self, home: str, listed: list[Listed]) -> None:
        """Replace the published files, or write beside them. Raises CrawlError."""
        spider = self.crawler.spider
        assert spider is not None
        job = JobIdentity.of(spider.name, vars(spider), self.settings)
        args = job.place_output(self.args.model_copy(update={"url": home, "priority": "none"}))
        options = Options.of(args, home, self.output_settings)
        keys = np.fromiter((key(page.url) for page in listed), np.int64, len(listed))
        publication = replace_published(
            args.output_directory(),
            Safety(self.max_loss, args.force, listed=len(listed)),
            datetime.now(timezone.utc),
            measure=partial(measure_unlisted, keys),
            write=lambda staging, before, _: write_files(listed, staging, options, before=before),
            layout=args.layout,
        )
        for path, state in publication.states():
            logger.info("%(path)s: %(state)s", {"path": path, "state": state})
        publication.check(args.output_directory(), FORCE)


def _read_arguments(settings: BaseSettings) -> Params:
    """Return SITEMAPGEN_ARGUMENTS, validated. Raises ValueError."""
    others = settings.getdict("SITEMAPGEN_ARGUMENTS").keys() - set(ARGUMENTS)
    if others:
        raise ValueError(
            f"SITEMAPGEN_ARGUMENTS: {min(others)}: {NEEDS_PAGES}{', '.join(ARGUMENTS)}"
        )
    params = arguments_of_setting(settings)
    if not params.formats <= FORMATS.keys():
        raise ValueError(
            f"SITEMAPGEN_ARGUMENTS: formats: {NEEDS_PAGES}{', '.join(sorted(FORMATS))}"
        )
    return params


def _single_value(value: Any) -> Any:
    """Return the value of a field, which item loaders put into a list."""
    return value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value


def _read_lastmod(value: Any) -> str:
    """Return a date, or a text of one, as a W3C datetime. Raises ValueError for all others.

    The time of the crawl is none, as in pages: ``core/lastmod.py``.
    """
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    text = value.isoformat() if isinstance(value, date) else str(value)
    claims = make_claims([("time", text), ("last_modified", text)], now=datetime.now(timezone.utc))
    if chosen := best_claim(claims):
        return chosen.lastmod
    faults = [claim.fault for claim in claims if claim.fault]
    row = max(faults, key=lambda fault: fault is not DateFault.UNREADABLE).row
    raise ValueError(f"{row.meaning}: {row.remedy}")


READERS: Mapping[str, Callable[[Any], str]] = {
    "lastmod": _read_lastmod,
    "priority": lambda value: read_priority(str(value)),
    "changefreq": lambda value: read_changefreq(str(value)),
}
"""By field of an item, the function that returns its value as the sitemap has it."""
