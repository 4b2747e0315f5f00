"""``layout``: real crawls of a site that changes in between, and the commands on their files."""

import os
import re
import shutil
from datetime import datetime, timedelta, timezone
from itertools import chain
from pathlib import Path

import pytest

from sitemapgen.analysis.kinds.titles import SAMPLES
from tests.crawls.commands import run
from tests.helpers.crawls import (
    CRAWLED,
    IMPATIENT,
    ROOT,
    Crawler,
    command,
    kill_after,
    rest,
    run_to_end,
)
from tests.helpers.server import Answer, Serve, page

NOW = datetime.now(timezone.utc)
AGES = (1, 4, 20, 50, 90, 400, 700)
"""Days; more than half of a section must not be of the same minutes."""


def dated(number: int, age: float, *links: str, words: str = "") -> Answer:
    moment = NOW - timedelta(days=age, minutes=number)
    meta = f'<meta property="article:modified_time" content="{moment:%Y-%m-%dT%H:%M:%SZ}">'
    return page(*links, head=meta, title=f"Page {number}", text=f"Page {number} {words}")


def site() -> dict[str, Answer]:
    """120 pages in /blog, 105 in /docs, few in three others."""
    paths = [f"/blog/{n:03d}" for n in range(120)] + [f"/docs/{n:03d}" for n in range(105)]
    paths += [f"/{section}/{n}" for section in ("x", "y", "z") for n in range(4)]
    answers = {path: dated(n, AGES[n % 7] + n / 1000, "/") for n, path in enumerate(paths)}
    answers["/"] = page(*paths, "/blog/new", "/docs/new")
    return answers


def later() -> dict[str, Answer]:
    """Two pages are gone, two are new, one has changed; all by themselves in their parts."""
    answers = site()
    del answers["/blog/007"]  # today
    del answers["/x/0"]
    answers["/blog/new"] = dated(500, 0.5, "/")
    answers["/docs/new"] = dated(501, 300, "/")
    answers["/docs/021"] = dated(502, 0.1, "/", words="has changed")
    return answers


def parts(output: Path) -> dict[str, tuple[str, bytes]]:
    """The lastmod of each part in the index, and its bytes."""
    text = (output / "sitemap.xml").read_text("utf-8")
    found = re.findall(r"<loc>http://[^/]+/(\S+)</loc>\n    <lastmod>(\S+)</lastmod>", text)
    return {name: (lastmod, (output / name).read_bytes()) for name, lastmod in found}


def paths(found: dict[str, tuple[str, bytes]]) -> dict[str, list[str]]:
    return {
        name: re.findall(r"<loc>http://[^/]+(/[^<]*)</loc>", body.decode())
        for name, (_, body) in found.items()
    }


@pytest.mark.full
@pytest.mark.parametrize(
    ("layout", "before", "changed"),
    [
        pytest.param(
            "section",
            ["sitemap-blog.xml", "sitemap-docs.xml", "sitemap-mixed-1.xml"],
            {"sitemap-blog.xml", "sitemap-docs.xml", "sitemap-mixed-1.xml"},
            marks=pytest.mark.slow,
        ),
        (
            "recency",
            ["sitemap-news.xml", "sitemap-week.xml", "sitemap-month.xml", "sitemap-rest-1.xml"],
            {"sitemap-news.xml", "sitemap-week.xml", "sitemap-rest-1.xml"},
        ),
        ("log", ["sitemap-log-1.xml"], {"sitemap-log-1.xml", "sitemap-log-2.xml"}),
    ],
)
def test_a_site_that_changes(
    layout: str, before: list[str], changed: set[str], crawl: Crawler, tmp_path: Path
) -> None:
    server, first = crawl.site(site(), f"layout={layout}")
    old = parts(first.output)
    assert list(old) == before
    assert sorted(chain.from_iterable(paths(old).values())) == sorted(site())

    again = crawl.published(server.url, f"layout={layout}")  # nothing has changed
    assert parts(again.output) == old
    shutil.copytree(again.output, tmp_path / "old")
    baseline = run("indexnow", again.output, "--baseline")
    assert baseline.code == 0, baseline.log

    server.site = later()
    result = crawl.published(server.url, f"layout={layout}")
    new = parts(result.output)
    found = paths(new)
    assert {name for name in {*old, *new} if old.get(name) != new.get(name)} == changed
    listed = list(chain.from_iterable(found.values()))
    assert len(listed) == len(set(listed))
    assert sorted(listed) == sorted(later())
    of = {path: name for name, each in found.items() for path in each}
    was = {path: name for name, each in paths(old).items() for path in each}
    moved = {path for path in was.keys() & of.keys() if was[path] != of[path]}
    assert moved == (set() if layout == "section" else {"/docs/021"})
    if layout == "log":
        assert set(found["sitemap-log-2.xml"]) == {"/blog/new", "/docs/new", "/docs/021"}

    checked = run("validate", result.output / "sitemap.xml")
    assert checked.code == 0, checked.out
    compared = run("diff", tmp_path / "old" / "sitemap.xml", result.output / "sitemap.xml")
    assert compared.code == 0
    for sign, path in [("+", "/blog/new"), ("-", "/blog/007"), ("-", "/x/0")]:
        assert f"{sign} {server.url}{path[1:]}" in compared.out
    told = run("indexnow", result.output)
    assert "5 URLs (added 2, lastmod 1, removed 2)" in told.out, told.out

    # The store is lost: the files know.
    for path in result.output.glob("crawl.sqlite*"):
        path.unlink()
    fresh = crawl.published(server.url, f"layout={layout}", "fresh=true")
    assert paths(parts(fresh.output)) == found


def test_a_section_without_changes_keeps_its_part(serve: Serve, crawl: Crawler) -> None:
    server = serve(site())
    old = parts(crawl(server.url, "layout=section", "gzip=true", now=CRAWLED).output)
    server.site = {path: answer for path, answer in site().items() if path != "/docs/007"}
    new = parts(crawl(server.url, "layout=section", "gzip=true", now=CRAWLED + 60).output)
    assert list(new) == list(old)
    changed = {name for name in new if new[name] != old[name]}
    assert changed == {"sitemap-docs.xml.gz"}
    assert new["sitemap-docs.xml.gz"][0] > old["sitemap-docs.xml.gz"][0]


@pytest.mark.slow
def test_from_layout_to_layout(serve: Serve, crawl: Crawler) -> None:
    """Nothing is left over, and nothing counts as lost."""
    server = serve(site())
    for layout in ("log", "section", "size", "recency", "log"):
        result = crawl.published(server.url, f"layout={layout}", "formats=xml,txt")
        assert "no longer listed" not in result.log
        present = {path.name for path in result.output.glob("sitemap*")}
        stems = {name.partition(".")[0] for name in present} - {"sitemap"}
        if layout == "size":
            assert present == {"sitemap.xml", "sitemap.txt"}
            assert sorted(result.sitemap) == sorted(server.url + path[1:] for path in site())
        else:
            assert present == {"sitemap.xml", *(f"{s}.{e}" for s in stems for e in ("xml", "txt"))}
            assert {f"{stem}.xml" for stem in stems} == set(parts(result.output))
    assert stems == {"sitemap-log-1"}


@pytest.mark.full
def test_refused_and_then_forced_it_is_the_same(crawl: Crawler) -> None:
    """What is written beside the published files stands in their parts."""
    server, _ = crawl.site(site(), "layout=log")
    server.site = {
        path: answer for path, answer in later().items() if not path.startswith("/blog/0")
    }
    refused = crawl(server.url, "layout=log")
    assert refused.code == 5
    beside = paths(parts(refused.output / "refused"))
    assert set(beside) == {"sitemap-log-1.xml", "sitemap-log-2.xml"}
    forced = crawl.published(server.url, "layout=log", "force=true")
    assert paths(parts(forced.output)) == beside
    assert not (forced.output / "refused").exists()


@pytest.mark.full
@pytest.mark.parametrize("layout", ["log", *rest("section")])
def test_killed_and_continued_it_is_the_same(layout: str, serve: Serve, tmp_path: Path) -> None:
    def crawls(output: Path, *, killed: bool) -> dict[str, bytes]:
        arguments = command(server.url, output, "-a", f"layout={layout}", "-s", "DOWNLOAD_DELAY=0")
        server.site = site()
        assert run_to_end(arguments, tmp_path / "log") == 0
        server.site = later()
        if killed:
            kill_after(100, server, arguments, tmp_path / "log")
        assert run_to_end(arguments, tmp_path / "log") == 0
        seen = rb"(?<=/docs/021</loc>\n    <lastmod>)[^<]*"  # when it was seen to have changed
        return {name: re.sub(seen, b"", body) for name, (_, body) in parts(output).items()}

    server = serve(site())
    undisturbed = crawls(tmp_path / "whole", killed=False)
    assert crawls(tmp_path / "killed", killed=True) == undisturbed


def test_a_log_has_no_ranks(serve: Serve, crawl: Crawler) -> None:
    server = serve(site())
    result = crawl(server.url, "layout=log", "priority=pagerank")
    assert result.code == 2
    assert "layout: log leaves older parts as they are" in result.log
    assert server.visits == []


@pytest.mark.full
def test_more_files_than_an_index_may_list(serve: Serve, tmp_path: Path) -> None:
    """An index may list 50,000 files; here two, so that a layout reaches that."""
    planted, output = tmp_path / "planted", tmp_path / "output"
    planted.mkdir()
    (planted / "sitecustomize.py").write_text(
        "from sitemapgen.publish.sitemaps import LIMITS\nobject.__setattr__(LIMITS, 'parts', 2)\n"
    )
    path = f"{planted}{os.pathsep}{ROOT}"
    server = serve(site())
    where = ("-a", f"url={server.url}", "-a", f"output={output}", *IMPATIENT)
    said = "ERROR layout=section: the URLs need 3 files, and a sitemap index may list 2; "
    said += "use -a layout=size"

    crawled = run("crawl", "sitemap", *where, "-a", "layout=section", PYTHONPATH=path)
    assert crawled.code == 2, crawled.log
    assert crawled.log.count("ERROR") == crawled.log.count(said) == 1
    assert "Traceback" not in crawled.log
    assert not (output / "sitemap.xml").exists()

    server.visits.clear()
    again = run("crawl", "sitemap", *where, "-a", "layout=size", PYTHONPATH=path)
    assert again.code == 0, again.log
    # What was crawled is kept; of the forms /blog/* and /docs/*, samples are compared once more.
    assert len(site().keys() & {*server.paths}) <= 2 * SAMPLES
    before = (output / "sitemap.xml").read_bytes()
    published = run("publish", output, "-a", "layout=section", PYTHONPATH=path)
    assert (published.code, published.sentence) == (2, said)
    assert (output / "sitemap.xml").read_bytes() == before
