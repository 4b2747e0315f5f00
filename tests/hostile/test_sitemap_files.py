"""A sitemap file that fails costs itself only, whatever fails: the file, its server or a reader."""

import json
import os
from pathlib import Path

import pytest

from tests.helpers.crawls import IMPATIENT, ROOT, Crawl, Crawler, captured, command
from tests.helpers.server import Answer, Serve, Server, page, text, xml

ODD = "http://www.google.com/ schemas/sitemap-image/1.1"
BUG = """
from sitemapgen.core.sitemap_files import read as sitemaps

whole = sitemaps._read_xml

def fail(body, *args, **options):
    if b"planted" in body:
        raise RuntimeError("planted")
    return whole(body, *args, **options)

sitemaps._read_xml = fail
"""


def site(server: Server, broken: str) -> dict[str, Answer]:
    """Three sitemaps, the second of which is broken, each with a page that nothing links to."""
    good = "<urlset><url><loc>{}{}</loc></url></urlset>".format
    return {
        "/robots.txt": text("Sitemap: /1.xml\nSitemap: /2.xml\nSitemap: /3.xml\n"),
        "/": page("/linked"),
        "/1.xml": xml(good(server.url, "one")),
        "/2.xml": xml(broken.replace("URL", server.url)),
        "/3.xml": xml(good(server.url, "three")),
        **{f"/{name}": page(text=name) for name in ("linked", "one", "two", "three")},
    }


@pytest.mark.parametrize("strategy", ["bfs", "balanced"])
def test_an_odd_namespace_beside_a_bare_ampersand(
    strategy: str, serve: Serve, crawl: Crawler
) -> None:
    server = serve({})
    entries = "<url><loc>URL?a=1&b=2</loc></url><url><loc>URLtwo</loc></url>"
    server.site = site(server, f'<urlset xmlns:image="{ODD}">{entries}</urlset>')
    result = crawl.published(server.url, f"strategy={strategy}")
    names = ("", "linked", "one", "three", "two")
    assert sorted(result.sitemap) == [f"{server.url}{name}" for name in names]
    broken = result.report["sitemaps"][1]
    assert broken["error"].endswith("broken entries left out: 1")
    assert broken["error"] in result.log


@pytest.mark.parametrize("strategy", ["bfs", "balanced"])
def test_a_bug_in_the_reader_costs_the_file_that_meets_it(
    strategy: str, serve: Serve, tmp_path: Path
) -> None:
    server = serve({})
    server.site = site(server, "<urlset><!-- planted --><url><loc>URLtwo</loc></url></urlset>")
    planted = tmp_path / "planted"
    planted.mkdir()
    (planted / "sitecustomize.py").write_text(BUG, "utf-8")
    output = tmp_path / "output"
    done = captured(
        command(server.url, output, "-a", f"strategy={strategy}", *IMPATIENT),
        env={**os.environ, "PYTHONPATH": f"{planted}{os.pathsep}{ROOT}"},
    )
    assert done.returncode == 1, done.stderr
    result = Crawl(done.returncode, done.stderr, output)
    names = ("", "linked", "one", "three")
    assert sorted(result.sitemap) == [f"{server.url}{name}" for name in names]
    broken = json.loads((output / "report.json").read_text("utf-8"))["sitemaps"][1]
    assert broken["error"] == "lost inside the crawler; see its log"
    assert f"Sitemap {server.url}2.xml: lost inside the crawler" in done.stderr
    assert "2 files with 2 URLs; 1 failed" in done.stderr
