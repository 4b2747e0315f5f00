"""advertools' crawl, which runs a Scrapy spider: follows the links of one host.

python -I seo_crawler.py URL AT_ONCE OUTPUT.jsonl
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

import advertools


def main(url: str, at_once: int, output: str) -> None:
    programs = Path(sys.executable).parent  # the scrapy that it runs
    os.environ["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    advertools.crawl(
        url,
        output,
        follow_links=True,
        allowed_domains=[urlsplit(url).hostname],
        custom_settings={
            "CONCURRENT_REQUESTS": at_once,
            "CONCURRENT_REQUESTS_PER_DOMAIN": at_once,
            "DOWNLOAD_DELAY": 0,
            "AUTOTHROTTLE_ENABLED": False,
            "LOG_LEVEL": "WARNING",
        },
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
