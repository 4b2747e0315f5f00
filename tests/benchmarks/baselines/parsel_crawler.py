"""crawlee's ParselCrawler: follows the links of one host and stores nothing.

python -I parsel_crawler.py URL AT_ONCE
"""

from __future__ import annotations

import asyncio
import sys

from crawlee import ConcurrencySettings
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import MemoryStorageClient


async def main(url: str, at_once: int) -> None:
    crawler = ParselCrawler(
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=at_once, desired_concurrency=at_once, max_concurrency=at_once
        ),
        respect_robots_txt_file=True,
    )

    @crawler.router.default_handler
    async def follow(context: ParselCrawlingContext) -> None:
        await context.enqueue_links()

    await crawler.run([url])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
