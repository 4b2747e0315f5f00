"""What users of sitemap generators complain about: one site for each complaint, named after it.

Each lists none of the wrong URLs and loses none of the right ones. Sites that are only data stand
in ``tests/sites``, each described in words; what is expected was worked out by hand.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path

import pytest

from tests.helpers.crawls import IMPATIENT, MADE_AGAIN, Crawl, Crawler, command, kill_after
from tests.helpers.proxy import Proxy
from tests.helpers.server import Answer, Serve, Server, page, redirect, site, text, xml
from tests.helpers.sitemaps import assert_valid

pytestmark = pytest.mark.sample


def assert_listed(result: Crawl, server: Server, *paths: str) -> None:
    """The sitemap holds exactly these."""
    assert result.code == 0, result.log
    listed = [url.removeprefix(server.url[:-1]) for url in result.sitemap]
    assert sorted(listed) == sorted(paths)


def serve_data(serve: Serve, name: str) -> Server:
    server = serve({})
    server.site = site(name, server.port)
    return server


# URLs that do not belong into a sitemap


def test_noindex_urls(serve: Serve, crawl: Crawler) -> None:
    server = serve_data(serve, "noindex-urls")
    result = crawl(server.url)
    assert_listed(
        result,
        server,
        "/",
        "/only-from-noindex",
        "/index-follow",
        "/nofollow",
        "/another-crawler",
        "/header-another-crawler",
        "/header-future",
        "/comment",
        "/script",
        "/about-noindex",
    )
    assert result.report["verdicts"]["noindex"] == 10


def test_redirected_urls(serve: Serve, crawl: Crawler) -> None:
    server = serve_data(serve, "redirected-urls")
    result = crawl(server.url)
    assert_listed(
        result,
        server,
        "/",
        "/target-301",
        "/target-302",
        "/target-303",
        "/target-307",
        "/target-308",
        "/chain-end",
        "/target-relative",
        "/target-absolute",
        "/target-fragment",
        "/target-refresh",
        "/target-refresh-header",
        "/login",
        "/slow-refresh",
        "/target-slow-refresh",
        "/itself-refresh",
    )
    assert result.report["verdicts"]["redirect"] == 22
    assert result.report["verdicts"]["offsite_redirect"] == 2


def test_soft_404_urls(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    real = site("soft-404-urls", server.port)

    def missing(path: str) -> Answer:
        """Whatever it is: a friendly page that names it, with links to more of its kind."""
        words = f"Sorry, there is no {path} here. Perhaps you like one of these?"
        return page("/about", f"/like{path}", title="Page not found | The Shop", text=words)

    server.site = lambda path: real.get(path) or missing(path)
    result = crawl(server.url)
    assert_listed(
        result, server, "/", "/about", "/contact", "/help/not-found", "/shop/", "/shop/hat"
    )
    assert result.report["verdicts"]["soft_404"] == 4


def test_non_canonical_urls(serve: Serve, crawl: Crawler) -> None:
    server = serve_data(serve, "non-canonical-urls")
    result = crawl(server.url)
    assert_listed(
        result,
        server,
        "/",
        "/shoes",
        "/shoes?page=2",
        "/variant-3",
        "/new-name",
        "/only-by-canonical",
        "/fragment",
        "/empty",
        "/in-body",
        "/to-gone",
        "/to-noindex",
        "/two",
        "/garbage",
    )
    assert result.report["verdicts"]["canonicalised"] == 10


# Lying lastmod

TRUE = {f"/notes/{number}": f"20{10 + number}-0{number % 9 + 1}-17" for number in range(12)}


def liar(lie: str, others: list[str]) -> Callable[[str], Answer | None]:
    """Every page but those of one section says the same untruth, in every way it can."""

    def answer(path: str) -> Answer | None:
        now = datetime.now(timezone.utc)
        moment = {
            "clock": now,
            "build": now - timedelta(hours=7),
            "future": now + timedelta(days=30),
        }[lie]
        if path == "/robots.txt":
            return text("Sitemap: /sitemap.xml")
        if path == "/sitemap.xml":
            tag = f"<lastmod>{moment.isoformat(timespec='seconds')}</lastmod>"
            urls = (f"<url><loc>{link}</loc>{tag}</url>" for link in ["/", *others])
            return xml(f"<urlset>{''.join(urls)}</urlset>")
        if path in TRUE:
            head = f'<meta property="article:modified_time" content="{TRUE[path]}">'
            return page("/", head=head, text=path)
        if path not in others and path != "/":
            return None
        said = json.dumps({"dateModified": moment.isoformat()})
        head = f'<script type="application/ld+json">{said}</script>'
        date = format_datetime(moment, usegmt=True)
        lying = page(*TRUE, *others, head=head, text=path)
        return lying._replace(headers={**lying.headers, "Last-Modified": date})

    return answer


# The clock and the future are told on a single page, the time of a build by many of them.
@pytest.mark.parametrize(("lie", "count"), [("clock", 5), ("build", 14), ("future", 5)])
def test_lying_lastmod(lie: str, count: int, serve: Serve, crawl: Crawler) -> None:
    others = [f"/pages/{number}" for number in range(count)]
    server = serve(liar(lie, others))
    result = crawl(server.url)
    assert_listed(result, server, "/", *TRUE, *others)
    dated = re.findall(
        r"<loc>([^<]*)</loc>\s*<lastmod>([^<]*)</lastmod>",
        (result.output / "sitemap.xml").read_text(),
    )
    assert dict(dated) == {server.url[:-1] + path: date for path, date in TRUE.items()}


# Crawls that end too early


def tree(path: str) -> Answer | None:
    """150 pages, each with links to three more and to some that others link to."""
    found = re.fullmatch(r"/(?:page-([0-9]+))?", path)
    if not found or (number := int(found[1] or 0)) >= 150:
        return None
    more = [3 * number + 1, 3 * number + 2, 3 * number + 3, number // 2, number * 7 % 150]
    links = [f"/page-{other}" for other in more if 0 < other < 150]
    return page("/", *links, title=f"Page {number}", text=f"This is page {number}.")


PAGES = ["/", *(f"/page-{number}" for number in range(1, 150))]


def pages_asked(server: Server) -> list[str]:
    return [path for path in server.paths if path in PAGES]


@pytest.mark.full
def test_no_resume(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    server = serve(tree)
    undisturbed = crawl(server.url, output=tmp_path / "undisturbed")
    assert_listed(undisturbed, server, *PAGES)
    killed = tmp_path / "killed-output"
    asked: list[str] = []
    for requests in (60, 60):
        kill_after(
            requests, server, command(server.url, killed, *IMPATIENT), tmp_path / "log-killed"
        )
        asked += pages_asked(server)
        assert not (killed / "sitemap.xml").exists()
    server.visits.clear()
    result = crawl(server.url, output=killed)
    assert_listed(result, server, *PAGES)
    assert result.files == undisturbed.files
    asked += pages_asked(server)
    assert len(asked) - len(set(asked)) <= 2 * MADE_AGAIN


@pytest.mark.full
def test_out_of_memory_with_nothing_saved(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    """What runs out of memory is killed: the earlier sitemap and what was crawled are there."""
    server = serve(tree)
    first = crawl(server.url)
    before = first.files
    grown = [*PAGES, "/new"]
    server.site = lambda path: (
        page(text="New")
        if path == "/new"
        else page("/page-1", "/new")
        if path == "/"
        else tree(path)
    )
    kill_after(100, server, command(server.url, first.output, *IMPATIENT), tmp_path / "log-killed")
    asked = pages_asked(server)
    assert first.files == before
    server.visits.clear()
    second = crawl(server.url)
    assert_listed(second, server, *grown)
    assert len(pages_asked(server)) <= len(PAGES) - len(asked) + MADE_AGAIN


# Endless calendars

DAYS = {"2026-03-14": "Pie for everyone in the town hall", "2026-05-01": "A walk up the hill"}
EVENTS = ["/event/pie", "/event/walk"]


def month_after(month: str, step: int) -> str:
    number = int(month[:4]) * 12 + int(month[5:7]) - 1 + step
    return f"{number // 12:04}-{number % 12 + 1:02}"


def calendar(path: str) -> Answer | None:
    """A month for each month of all time, from every page, as a query and as a path."""
    plain = {
        "/": page("/about", "/calendar", "/agenda/2026/03", text="A small town"),
        "/about": page("/calendar", text="About the town"),
        "/calendar": page(
            *("/calendar?month=2026-03", "/event/pie", "/event/walk"), text="Calendar. No events."
        ),
        "/event/pie": page("/calendar?month=2026-03", text="Pie is served at noon."),
        "/event/walk": page("/calendar?month=2026-05", text="We meet at the foot of the hill."),
    }
    found = re.fullmatch(r"/calendar\?month=([0-9]{4}-[0-9]{2})", path)
    form = "/calendar?month={}"
    if not found:
        found = re.fullmatch(r"/agenda/([0-9]{4}/[0-9]{2})", path)
        form = "/agenda/{}"
    if not found:
        return plain.get(path)
    month = found[1].replace("/", "-")
    steps = [month_after(month, step) for step in (-12, -1, 1, 12)]
    links = [form.format(step.replace("-", found[1][4])) for step in steps]
    events = [words for day, words in DAYS.items() if day.startswith(month)]
    told = "; ".join(events) if events and "month" in form else "No events."
    return page(*links, title=f"Calendar {month}", text=f"Calendar. {told}")


@pytest.mark.full
def test_endless_calendars(serve: Serve, crawl: Crawler) -> None:
    server = serve(calendar)
    result = crawl(server.url)
    assert_listed(
        result,
        server,
        *("/", "/about", "/calendar", *EVENTS),
        *("/calendar?month=2026-03", "/calendar?month=2026-05"),
    )
    assert len(server.paths) < 200


def test_stripped_trailing_slashes(serve: Serve, crawl: Crawler) -> None:
    server = serve_data(serve, "stripped-trailing-slashes")
    result = crawl(server.url)
    assert_listed(
        result,
        server,
        "/",
        "/docs/",
        "/docs/intro/",
        "/docs/setup/",
        "/blog/",
        "/blog/post-one/",
        "/blog/post-one/?page=2",
        "/blog/post-two/",
        "/shop/hat",
        "/shop/bag",
    )
    # Of the forms that redirect, only those that the site itself links to were asked for.
    assert {"/blog/post-two", "/shop/bag/"} < set(server.paths)
    assert not set(server.paths) & {"/docs", "/docs/intro", "/docs/setup", "/blog", "/shop/hat/"}


@pytest.mark.full
def test_crawl_delay_ignored(serve: Serve, crawl: Crawler) -> None:
    server = serve_data(serve, "crawl-delay-ignored")
    result = crawl(server.url)
    assert_listed(result, server, "/", *(f"/page-{number}" for number in range(1, 7)))
    gaps = [after.began - before.began for before, after in pairwise(server.visits)]
    assert len(gaps) >= 9
    assert sum(gaps) >= 0.3 * len(gaps)
    assert server.most_at_once == 1


# Non-Latin URLs


def encoded(encoding: str, *hrefs: str, charset: str = "") -> Answer:
    """A page in another encoding, which its header or else its ``<meta>`` names."""
    head = "" if charset else f'<meta charset="{encoding}">'
    body = page(*hrefs, head=head, text=encoding).body
    assert isinstance(body, str)
    kind = f"text/html; charset={charset}" if charset else "text/html"
    return Answer(body.encode(encoding), headers={"Content-Type": kind})


UTF_8 = {
    "/straße/": "/stra%C3%9Fe/",
    "/мир?имя=дом": "/%D0%BC%D0%B8%D1%80?%D0%B8%D0%BC%D1%8F=%D0%B4%D0%BE%D0%BC",
    "/日本語/ページ": "/%E6%97%A5%E6%9C%AC%E8%AA%9E/%E3%83%9A%E3%83%BC%E3%82%B8",
    "/مدونة": "/%D9%85%D8%AF%D9%88%D9%86%D8%A9",
    "/😀": "/%F0%9F%98%80",
    "/caf%c3%a9": "/caf%C3%A9",  # the same as the next one
    "/café": "/caf%C3%A9",
    "/cafe\u0301": "/cafe%CC%81",  # decomposed: another URL
    "/caf%E9": "/caf%E9",  # no UTF-8: bytes are bytes
    "/a b?c d": "/a%20b?c%20d",
    "/%7Euser": "/~user",
}
LEGACY = {  # the path in UTF-8, the query in the encoding of the page
    "/страница?слово=мир": (
        "/%D1%81%D1%82%D1%80%D0%B0%D0%BD%D0%B8%D1%86%D0%B0?%F1%EB%EE%E2%EE=%EC%E8%F0"
    ),
    "/検索?q=日本": "/%E6%A4%9C%E7%B4%A2?q=%93%FA%96%7B",
    "/検索?q=é": "/%E6%A4%9C%E7%B4%A2?q=%26%23233%3B",
    "/搜索?q=中国": "/%E6%90%9C%E7%B4%A2?q=%D6%D0%B9%FA",
    "/검색?q=한국": "/%EA%B2%80%EC%83%89?q=%C7%D1%B1%B9",
}


def babel(host: str) -> dict[str, Answer]:
    """Links, redirects, canonicals, robots.txt and a sitemap in many scripts."""
    pages = [*UTF_8.values(), *LEGACY.values()]
    return {
        **{path: page("/", text=path) for path in pages},
        "/robots.txt": text("User-agent: *\nDisallow: /тайна\nSitemap: /карта.xml"),
        "/%D0%BA%D0%B0%D1%80%D1%82%D0%B0.xml": xml(
            f"<urlset><url><loc>{host}карта</loc></url></urlset>"
        ),
        "/%D0%BA%D0%B0%D1%80%D1%82%D0%B0": page(text="Map"),
        "/": page(*UTF_8, "/koi", "/sjis", "/gbk", "/euc-kr", "/umzug", "/тайна/1", text="Home"),
        "/koi": encoded("windows-1251", "/страница?слово=мир", charset="cp1251"),
        "/sjis": encoded("shift_jis", "/検索?q=日本", "/検索?q=&eacute;"),
        "/gbk": encoded("gbk", "/搜索?q=中国", charset="gb2312"),
        "/euc-kr": encoded("euc-kr", "/검색?q=한국"),
        "/umzug": redirect("/größe"),
        "/gr%C3%B6%C3%9Fe": page(head='<link rel="canonical" href="/größe">', text="Size"),
    }


BABEL = [
    *("/", "/koi", "/sjis", "/gbk", "/euc-kr", *set(UTF_8.values()), *LEGACY.values()),
    *("/gr%C3%B6%C3%9Fe", "/%D0%BA%D0%B0%D1%80%D1%82%D0%B0"),
]


def assert_readable(result: Crawl) -> None:
    """Every URL is one that any reader takes: ASCII, RFC 3986."""
    for url in result.sitemap:
        assert re.fullmatch(
            r"http://[a-z0-9.:-]+/([\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})*", url, re.A
        )


def test_non_latin_urls_broken(serve: Serve, crawl: Crawler) -> None:
    server = serve({})
    server.site = babel(server.url)
    result = crawl(server.url)
    assert_listed(result, server, *BABEL)
    assert_readable(result)
    asked = [path for path in server.paths if path not in ("/robots.txt", "/umzug")]
    asked = [path for path in asked if not path.endswith(".xml") and "404" not in path]
    assert sorted(asked) == sorted(BABEL)  # what is listed was asked for in just this form
    assert_valid(result.output)


def test_non_latin_hosts_broken(serve: Serve, crawl: Crawler) -> None:
    host = "http://xn--bcher-kva.example"
    hrefs = ["http://BÜCHER.example/straße", f"{host}/b", "//bücher.example/c"]
    server = serve(
        {
            "/": page(*hrefs),
            **{path: page(text=path) for path in ("/stra%C3%9Fe", "/b", "/c")},
        }
    )
    proxy = Proxy(server.port, f"Basic {b64encode(b'u:p').decode()}")
    try:
        result = crawl("http://bücher.example/", f"proxy=http://u:p@127.0.0.1:{proxy.port}")
    finally:
        proxy.stop()
    assert result.code == 0, result.log
    assert sorted(result.sitemap) == sorted(
        f"{host}{path}" for path in ("/", "/stra%C3%9Fe", "/b", "/c")
    )
    assert_readable(result)
    asked = {request.line.split()[1] for request in proxy.asked}
    assert asked >= set(result.sitemap)
    assert {url[: len(host)] for url in asked} == {host}
    assert_valid(result.output)
