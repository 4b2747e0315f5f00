"""The main job, end to end: one command, a real site, a sitemap that can be published as it is."""

import gzip
import re
from collections import deque
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest
from lxml import etree

from sitemapgen.analysis.kinds.made_up import ANSWERS
from tests.helpers.crawls import Crawler
from tests.helpers.ranks import assert_ranks
from tests.helpers.server import Serve
from tests.helpers.shared import POSTGRESQL, SHARED, require


class Walker(HTMLParser):
    """A link walker that shares no code with the project: stdlib parser, stdlib URLs."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self.root = root
        self.found: set[str] = set()
        queue = deque([("index.html", 0)])
        self.depths = {"index.html": 0}
        while queue:
            name, depth = queue.popleft()
            self.found = set()
            self.feed((root / name).read_text("utf-8"))
            for href in sorted(self.found):
                target = urldefrag(urljoin(f"http://h/{name}", href))[0]
                local = target.removeprefix("http://h/")
                known = local in self.depths or not target.startswith("http://h/")
                if not known and local.endswith(".html") and (root / local).exists():
                    self.depths[local] = depth + 1
                    queue.append((local, depth + 1))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("a", "area", "link"):
            self.found.update(value for name, value in attrs if name == "href" and value)


@pytest.fixture(scope="module")
def postgresql() -> Path:
    if not POSTGRESQL.exists():
        pytest.skip("the Debian package postgresql-doc-15 is not installed")
    return POSTGRESQL


@pytest.mark.full
def test_postgresql_documentation(postgresql: Path, crawl: Crawler) -> None:
    server, result = crawl.site(postgresql, "priority=pagerank")
    walked = Walker(postgresql).depths
    assert len(walked) > 1100
    expected = {server.url + name: depth for name, depth in walked.items()}
    # The walker calls the start page by its file's name, the crawler by the URL it was given; a
    # page also links to index.html, which is the same document.
    expected[server.url] = 0
    rows = result.urls
    expected[f"{server.url}index.html"] = int(rows[f"{server.url}index.html"]["depth"])
    left_out = {url for url, row in rows.items() if row["verdict"] != "listed"}
    assert set(result.sitemap) == set(expected) - left_out
    assert all(rows[url]["evidence"] for url in left_out)
    assert {url: int(rows[url]["depth"]) for url in expected} == expected
    report = result.report
    assert report["seen"] == sum(report["verdicts"].values()) == len(rows)
    besides = [path for path in server.paths if server.url + path[1:] not in rows]
    assert report["fetched"] == len(server.visits) - len(besides)
    beginning = [path for path in besides if re.match(r"/(robots|sitemap|wp-sitemap)", path)]
    assert len(besides) - len(beginning) <= ANSWERS  # made-up URLs, as it has one directory
    assert_ranks(result)


def test_the_files_are_valid(postgresql: Path, serve: Serve, crawl: Crawler) -> None:
    schema = require(SHARED / "conformance" / "sitemap_xsd")
    result = crawl.published(
        serve(postgresql).url, "formats=xml,txt,json", "gzip=true", "max_pages=200"
    )
    assert sorted(result.files) == [
        *("report.html", "report.json", "sitemap-1.xml.gz", "sitemap.json", "sitemap.txt"),
        *("sitemap.xml", "urls.csv"),
    ]
    index = etree.parse(result.output / "sitemap.xml")
    etree.XMLSchema(file=schema / "siteindex.xsd").assertValid(index)
    with gzip.open(result.output / "sitemap-1.xml.gz") as part:
        etree.XMLSchema(file=schema / "sitemap.xsd").assertValid(etree.parse(part))
    assert "Stopped by max_pages=200" in result.log
    assert result.report["stopped_by"] == "max_pages"
    assert result.report["fetched"] == 200


def test_the_log_is_quiet(postgresql: Path, serve: Serve, crawl: Crawler) -> None:
    result = crawl(serve(postgresql).url, "max_pages=50")
    lines = result.log.splitlines()
    assert len(lines) <= 8, result.log
    assert "50 pages fetched" in result.log
    assert f"{result.output}/sitemap.xml: written" in result.log
