"""Scrapy's engine: whether the crawl ends, has ended, or pauses; requests past the scheduler."""

from __future__ import annotations

import asyncio
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

POLL_SECONDS = 0.05
"""Seconds between two looks whether the spider is closed."""


def is_ending(crawler: Crawler) -> bool:
    """Return whether the crawl ends, or has ended."""
    slot = crawler.engine._slot  # created before any other code runs, removed at the end
    return slot is None or slot.closing is not None


def is_quiet(crawler: Crawler) -> bool:
    """Return whether no request is in progress, and the spider has no further start requests."""
    slot = crawler.engine._slot
    return slot is not None and not slot.inprogress and crawler.engine._start is None


def wake_engine(crawler: Crawler) -> None:
    """Have the engine ask its scheduler for requests, and notice when it is idle."""
    if slot := crawler.engine._slot:
        slot.nextcall.schedule()


async def fetch_url(
    crawler: Crawler, url: str, meta: dict[str, Any], method: str = "GET", **options: Any
) -> Response:
    """Have the downloader send a request; return its response. Raises what the download raises.

    ``options``: further arguments of ``Request``.
    """
    options |= {"method": method, "callback": NO_CALLBACK, "dont_filter": True, "meta": meta}
    request = Request(url, **options)
    return await crawler.engine.download_async(request)


async def wait_closed(crawler: Crawler) -> None:
    """Wait until the spider is closed; an interrupt stops the engine while it is closing."""
    while crawler.engine is not None and crawler.engine.spider is not None:
        await asyncio.sleep(POLL_SECONDS)
