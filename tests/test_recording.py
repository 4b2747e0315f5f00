"""Writing what a crawl found: after a failure nothing more is written."""

from __future__ import annotations

import pytest
from scrapy.utils.test import get_crawler

from sitemapgen.exits import CrawlError, Exit
from sitemapgen.items import SitemapFile
from sitemapgen.recording import Recorder


class FullDisk:
    """A store whose disk has no space for the first file, and has some again."""

    def __init__(self) -> None:
        self.files: list[str] = []

    def record_sitemap(self, file: SitemapFile, now: float) -> None:
        self.files.append(file.url)
        if len(self.files) == 1:
            raise CrawlError(Exit.NO_SPACE, "no space left")


def test_after_a_failure_nothing_more_is_written() -> None:
    store = FullDisk()
    recorder = Recorder(get_crawler(), store)  # type: ignore[arg-type]  # a store that only fails
    for name in "ab":
        with pytest.raises(CrawlError, match="no space left"):
            recorder.record(SitemapFile(url=name, found="robots.txt"))
    assert store.files == ["a"]
