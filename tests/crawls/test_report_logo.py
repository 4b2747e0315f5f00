"""The logo of a report: on its cover on paper, and refused where it is no image."""

from pathlib import Path

import pytest

from sitemapgen.errors import CrawlError
from sitemapgen.report.templates import MAX_BYTES, read_logo
from tests.crawls import commands
from tests.helpers.crawls import Crawler
from tests.helpers.report import ShowReport
from tests.helpers.server import Serve, page
from tests.helpers.tables import for_each

SVG = b'<?xml version="1.0"?>\n<!-- ours -->\n<svg xmlns="http://www.w3.org/2000/svg" %s/>'
SIZED = SVG % b'width="200" height="60"'


@for_each(
    (None, "logo.png cannot be read: No such file or directory"),
    (b"<html><svg></svg></html>", "logo.png is no image; give a PNG, JPEG, GIF, WebP or SVG"),
    (b"", "logo.png is no image"),
    (b"\x89PNG\r\n\x1a\n" + bytes(MAX_BYTES), "logo.png is larger than 1,000,000 bytes"),
)
def test_what_is_no_logo(content: bytes | None, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "logo.png"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CrawlError, match="report_logo: ") as refused:
        read_logo(path)
    assert sentence in refused.value.sentence


def test_a_crawl_with_a_logo(
    serve: Serve, crawl: Crawler, show_report: ShowReport, tmp_path: Path
) -> None:
    """It is refused before a request, and shown by the crawl and by scrapy report."""
    server, logo = serve({"/": page(title="Home")}), tmp_path / "logo"
    logo.write_bytes(b"no image")
    refused = crawl(server.url, f"report_logo={logo}")
    assert (refused.code, server.visits) == (2, [])
    assert f"report_logo: {logo} is no image" in refused.log
    logo.write_bytes(SIZED)
    report = crawl.published(server.url, f"report_logo={logo}").output / "report.html"
    with_logo = report.read_bytes()
    opened = show_report(with_logo).go()
    size = "[...document.images].map(one => [one.naturalWidth, one.naturalHeight])"
    assert opened.page.evaluate(size) == [[200, 60]]
    assert opened.complaints == []
    assert commands.run("report", report.parent).code == 0
    assert b"<img" not in report.read_bytes()
    assert commands.run("report", report.parent, "--report-logo", logo).code == 0
    assert report.read_bytes() == with_logo
