"""State of Scrapy's engine that its public attributes do not show."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


def is_ending(crawler: Crawler) -> bool:
    """Return whether the crawl ends, or has ended."""
    slot = crawler.engine._slot  # created before any other code runs, removed at the end
    return slot is None or slot.closing is not None


def is_quiet(crawler: Crawler) -> bool:
    """Return whether no request is in progress, and the spider has no further start requests."""
    slot = crawler.engine._slot
    return slot is not None and not slot.inprogress and crawler.engine._start is None


def wake(crawler: Crawler) -> None:
    """Have the engine ask its scheduler for requests, and notice when it is idle."""
    if slot := crawler.engine._slot:
        slot.nextcall.schedule()
