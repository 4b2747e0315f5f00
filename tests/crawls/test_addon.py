"""Another project's spider with one line more in its settings: ``tests/foreign``."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sitemapgen.settings import SITEMAPGEN_ROBOTS_BACKOFF
from tests.helpers.browser import BROWSER, needs_browser
from tests.helpers.crawls import DEADLINE, ROOT, Crawl, captured, rest, wait_for
from tests.helpers.server import Answer, Serve, page, redirect, text

FOREIGN = ROOT / "tests" / "foreign"
SHELL = """<!doctype html><html><head><title>Lamp</title></head><body><div id="root"></div><script>
document.getElementById("root").innerHTML =
  "<h1>Lamp</h1><p>A lamp that scripts alone can show</p><a href='/from-script'>more</a>";
</script></body></html>"""


class Run(NamedTuple):
    """What a crawl of the other project left behind."""

    crawl: Crawl
    items: dict[str, str]
    """The words of each product, by URL."""


def start(
    url: str, directory: Path, *options: str, project: str = "", spider: str = "products"
) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    if project:
        environment["SCRAPY_PROJECT"] = project
    arguments = json.dumps({"output": str(directory / "output"), "formats": "xml,txt"})
    given = "" if any("SITEMAPGEN_ARGUMENTS" in option for option in options) else arguments
    with (directory / "log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "scrapy", "crawl", spider, "-a", f"url={url}"]
            + ["-O", f"{directory}/items.json", "-s", "SITEMAPGEN_RENDERING_QUIET=0.3"]
            + ["-s", f"SITEMAPGEN_BROWSER={BROWSER}", "-s", "SITEMAPGEN_ROBOTS_BACKOFF=0.01"]
            + (["-s", f"SITEMAPGEN_ARGUMENTS={given}"] if given else [])
            + list(options),
            cwd=FOREIGN,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )


def run(url: str, directory: Path, *options: str, **of: str) -> Run:
    process = start(url, directory, *options, **of)
    try:
        code = process.wait(DEADLINE)
    finally:
        process.kill()
        process.wait()
    log = (directory / "log").read_text("utf-8", "replace")
    written = directory / "items.json"
    items: list[dict[str, Any]] = json.loads(written.read_text() if written.exists() else "[]")
    words = {item["url"]: " ".join(item["words"]) for item in items}
    return Run(Crawl(code, log, directory / "output"), words)


def product(name: str) -> str:
    return f'<a class="product" href="/{name}">{name}</a>'


def shop() -> dict[str, Answer]:
    """A site with a few of everything that a sitemap should not have."""
    long = "What there is to be said about a product that people may want to buy. " * 3
    listing = "".join(
        map(product, ["chair", "table", "old", "fresh", "draft", "gone", "secret", "lamp"])
    )
    return {
        "/robots.txt": text("User-agent: *\nDisallow: /secret\nSitemap: /sitemap.xml"),
        "/": Answer(f'{listing}<a class="next" href="/more">more</a><a href="/imprint">us</a>'),
        "/more": Answer(product("bench")),
        "/chair": page("/", title="Chair", text=f"Chair. {long}"),
        "/table": page("/", title="Table", text=f"Table. {long}"),
        "/bench": page("/", title="Chair", text=f"Chair. {long}"),
        "/old": redirect("/chair"),
        "/fresh": page(head='<meta http-equiv="refresh" content="0; url=/stool">'),
        "/stool": page("/", title="Stool", text=f"Stool. {long}"),
        "/draft": page(head='<meta name="robots" content="noindex">', title="Draft"),
        "/lamp": Answer(SHELL),
        "/secret": page(title="Secret"),
        "/imprint": page(title="Imprint"),
        "/from-script": page(title="More"),
    }


@needs_browser
def test_a_sitemap_of_what_a_spider_visits(serve: Serve, tmp_path: Path) -> None:
    server = serve(shop())
    result = run(server.url, tmp_path)
    assert result.crawl.code == 0, result.crawl.log
    verdicts = {url.removeprefix(server.url): word for url, word in result.crawl.verdicts.items()}
    assert verdicts == {
        "": "listed",
        "more": "listed",
        "chair": "listed",
        "table": "listed",
        "lamp": "listed",
        "bench": "duplicate",
        "old": "redirect",
        "fresh": "redirect",
        "stool": "listed",
        "draft": "noindex",
        "gone": "http_error",
        "secret": "robots_disallowed",
        "imprint": "not_fetched",  # the spider was not interested
        "from-script": "not_fetched",
    }
    expected = sorted(server.url + name for name in ("", "chair", "lamp", "more", "stool", "table"))
    assert result.crawl.sitemap == expected
    assert (result.crawl.output / "sitemap.txt").read_text().split() == expected
    assert result.crawl.report["complete"] is True
    assert result.crawl.report["robots_txt"]["is_there"] is True
    assert result.crawl.urls[f"{server.url}chair"]["depth"] == "1"
    assert result.crawl.urls[f"{server.url}imprint"]["evidence"] == "the spider did not ask for it"
    # The spider got what scripts made of the page, and its items are its own.
    assert "A lamp that scripts alone can show" in result.items[f"{server.url}lamp"]
    assert f"{server.url}table" in result.items
    assert not {"/secret", "/imprint"} & set(server.paths)
    outcome = result.crawl.outcome
    assert (outcome["outcome"], outcome["project"], outcome["spider"]) == (
        *("published", "shop"),
        "products",
    )


BUTTONS = {
    "/robots.txt": text(""),
    "/": Answer(
        """<!doctype html><title>Shop</title><p>All that there is to buy is behind a button.</p>
        <button onclick="document.querySelector('p').innerHTML = `<a class='product' href='/lamp'>a
        lamp</a> <a class='product' href='/chair'>a chair</a>`">show</button>
        <script src="/unwanted.js"></script>"""
    ),
    "/chair": page(title="Chair", text="A chair that is complete as the server sends it. " * 6),
    "/lamp": Answer(SHELL.replace("</body>", "<script src='/unwanted.js'></script></body>")),
    "/unwanted.js": text("document.title = 'changed'"),
}
STOCK = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"


@needs_browser
@pytest.mark.parametrize("handlers", [{"http": STOCK, "https": STOCK}, *rest({})])
def test_requests_of_scrapy_playwright(
    handlers: dict[str, str], serve: Serve, tmp_path: Path
) -> None:
    """They keep their keys and settings; the other pages are rendered as usual."""
    server = serve(BUTTONS)
    settings = [f"DOWNLOAD_HANDLERS={json.dumps(handlers)}"]
    settings += ["PLAYWRIGHT_ABORT_REQUEST=shop.spiders.buttons.is_unwanted"]
    options = [part for setting in settings for part in ("-s", setting)]
    result = run(server.url, tmp_path, *options, spider="buttons")
    assert result.crawl.code == 0, result.crawl.log
    assert result.items[server.url] == "marked sv-SE playwright"
    assert result.items[f"{server.url}lamp"].startswith("rendered")
    assert "A lamp that scripts alone can show" in result.items[f"{server.url}lamp"]
    assert result.crawl.sitemap == [server.url, f"{server.url}chair", f"{server.url}lamp"]
    assert not {"rendered", "playwright"} & {*result.items[f"{server.url}chair"].split()}
    assert "/unwanted.js" not in server.paths
    assert "'shop/playwright_count': 2" in result.crawl.log  # its own, and the lamp
    assert (f"which calls {STOCK}" in result.crawl.log) is bool(handlers)


def test_without_the_line_nothing_of_it_is_there(serve: Serve, tmp_path: Path) -> None:
    server = serve(shop())
    result = run(server.url, tmp_path, project="plain")
    assert not (tmp_path / "output").exists()
    assert "scripts alone" not in result.items[f"{server.url}lamp"].partition("document")[0]


@pytest.mark.parametrize("project", ["plain", ""])
def test_robots_txt_holds_for_all_that_wait_for_it(
    project: str, serve: Serve, tmp_path: Path
) -> None:
    """Of ten requests that wait for one robots.txt, Scrapy lets eight through."""
    site = {f"/{number}": page(title="no") for number in range(10)}
    site["/robots.txt"] = text("User-agent: *\nDisallow: /")._replace(delay=0.3)
    server = serve(site)
    paths = ",".join(map(str, range(10)))
    result = run(server.url, tmp_path, "-a", f"paths={paths}", project=project)
    asked = set(server.paths) - {"/robots.txt"}
    assert bool(asked) is (project == "plain"), result.crawl.log


def test_a_robots_txt_that_cannot_be_had_is_said_once(serve: Serve, tmp_path: Path) -> None:
    assert SITEMAPGEN_ROBOTS_BACKOFF == 1.0  # the test need not wait so long
    server = serve({"/robots.txt": Answer("", 503), "/": page(), "/a": page()})
    result = run(server.url, tmp_path, "-a", "paths=a,b")
    assert set(server.paths) == {"/robots.txt"}
    assert result.crawl.log.count("without it nothing may be fetched") == 1
    assert "Traceback" not in result.crawl.log


@pytest.mark.full
def test_crawl_delay_is_kept(serve: Serve, tmp_path: Path) -> None:
    site = shop()
    site["/robots.txt"] = text("User-agent: *\nCrawl-delay: 0.3")
    del site["/lamp"]
    server = serve(site)
    assert run(server.url, tmp_path).crawl.code == 0
    began = [visit.began for visit in server.visits]
    assert server.most_at_once == 1
    assert began[-1] - began[0] >= 0.25 * (len(began) - 1)


@pytest.mark.full
def test_a_crawl_that_is_stopped_publishes_nothing(serve: Serve, tmp_path: Path) -> None:
    """And the next one begins anew, as the spider does."""
    pages = {f"/{number}": page(title=str(number))._replace(delay=0.3) for number in range(40)}
    pages["/"] = Answer("".join(product(str(number)) for number in range(40)))
    pages["/robots.txt"] = text("")
    server = serve(pages)
    process = start(server.url, tmp_path)
    wait_for(lambda: len(server.visits) >= 12, process)
    process.send_signal(signal.SIGINT)
    process.wait(DEADLINE)
    assert "no sitemap" in (tmp_path / "log").read_text()
    assert not (tmp_path / "output" / "sitemap.xml").exists()
    del pages["/39"]
    pages["/"] = Answer("".join(product(str(number)) for number in range(30)))
    result = run(server.url, tmp_path)
    assert len(result.crawl.sitemap) == 31, result.crawl.log


@pytest.mark.full
def test_a_crawl_that_scrapy_continues_has_one_sitemap(serve: Serve, tmp_path: Path) -> None:
    pages = {f"/{number}": page(title=str(number))._replace(delay=0.2) for number in range(30)}
    pages["/"] = Answer("".join(product(str(number)) for number in range(30)))
    pages["/robots.txt"] = text("")
    server = serve(pages)
    options = ("-s", f"JOBDIR={tmp_path}/job")
    process = start(server.url, tmp_path, *options)
    wait_for(lambda: len(server.visits) >= 12, process)
    process.send_signal(signal.SIGINT)
    process.wait(DEADLINE)
    before = set(server.paths)
    server.visits.clear()
    result = run(server.url, tmp_path, *options)
    assert len(result.crawl.sitemap) == 31, result.crawl.log
    assert not before & set(server.paths) - {"/robots.txt", "/"}  # nothing twice, nothing lost


def test_what_the_project_says_comes_first(serve: Serve, tmp_path: Path) -> None:
    server = serve(shop())
    options = ("-s", "ROBOTSTXT_OBEY=False", "-s")
    arguments = json.dumps({"output": f"{tmp_path}/output", "render": "never", "exclude": "/more"})
    result = run(server.url, tmp_path, *options, f"SITEMAPGEN_ARGUMENTS={arguments}")
    assert "/secret" in server.paths
    assert "/robots.txt" not in server.paths
    assert result.crawl.verdicts[f"{server.url}secret"] == "listed"
    assert result.crawl.verdicts[f"{server.url}more"] == "excluded"
    assert "A lamp" not in result.items[f"{server.url}lamp"].partition("document")[0]


def test_without_an_output_the_spider_goes_on(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "output").write_text("a file")
    server = serve(shop())
    result = run(server.url, tmp_path)
    assert f"{server.url}chair" in result.items
    assert result.crawl.log.count("No sitemap: output: ") == 1
    assert "Traceback" not in result.crawl.log


def test_a_look_at_a_page_is_no_crawl(serve: Serve, tmp_path: Path) -> None:
    server = serve(shop())
    fetch = [sys.executable, "-m", "scrapy", "fetch", "--nolog", server.url]
    arguments = json.dumps({"output": str(tmp_path / "output")})
    line = [*fetch, "-s", f"SITEMAPGEN_ARGUMENTS={arguments}"]
    done = captured(line, cwd=FOREIGN, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert (done.returncode, "imprint" in done.stdout) == (0, True), done.stderr
    assert not (tmp_path / "output").exists()


def test_another_site_is_not_its_business(serve: Serve, tmp_path: Path) -> None:
    other = serve({"/": page(title="Other"), "/robots.txt": text("")})
    site = shop()
    site["/"] = Answer(f'{product("chair")}<a class="product" href="{other.url}">there</a>')
    server = serve(site)
    result = run(server.url, tmp_path)
    assert f"{other.url}" in result.items
    verdicts = result.crawl.verdicts
    assert verdicts.pop(other.url) == "out_of_scope"  # a link to another port of the host
    assert set(verdicts) == {server.url, f"{server.url}chair"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ('{"max_pages": "3"}', "max_pages: what is fetched, and how, is determined by the spider"),
        ('{"format": "xml"}', "format: no such argument; did you mean formats?"),
        ('{"priority": "high"}', "priority: 'high' is unknown; use depth, pagerank or none"),
    ],
)
def test_arguments_that_cannot_be(
    arguments: str, sentence: str, serve: Serve, tmp_path: Path
) -> None:
    server = serve(shop())
    result = run(server.url, tmp_path, "-s", f"SITEMAPGEN_ARGUMENTS={arguments}")
    assert f"ValueError: SITEMAPGEN_ARGUMENTS: {sentence}" in result.crawl.log
    assert result.crawl.code == 1
    assert not server.visits
