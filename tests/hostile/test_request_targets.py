"""What is fetched is what is listed: request lines as servers and proxies read them."""

import random
from collections.abc import Iterator, Mapping
from itertools import product

import ada_url
from scrapy import Request
from twisted.web.client import URI

from sitemapgen.core.urls import key, parse
from sitemapgen.download.http_client import request_target
from tests.helpers.browser import QUICK, needs_browser
from tests.helpers.crawls import IMPATIENT, Crawl, Crawler
from tests.helpers.raw import RawServer, answer
from tests.helpers.tables import for_each
from tests.hostile.tokens import URL_PARTS

HTML = b"Content-Type: text/html; charset=utf-8"
TARGETS = (
    # Separators with nothing behind them, and parameters of a path.
    *("/a;", "/a;?x", "/a?;", "/a?x;", "/a;b", "/a;b;", "/;", "/a;/b", "/a/;", "/a/;/", "/a;;"),
    *("/a;?;", "/a;b?c;d", "/a?", "/a??", "/a?x?y", "/a?&", "/a?&&x", "/a?x&", "/a?=", "/a?x="),
    # Dots and slashes, plain and escaped.
    *("/a/./b", "/a/../b", "/a/%2e%2e/b", "/a/%2E%2e;x", "/%252e%252e/", "/.%2fx", "/;/../x"),
    *("/a.", "/a..", "/...", "/a//b", "/a///", "/a%2fb", "/a%2Fb"),
    # What browsers escape in a path, in a query, in both or nowhere.
    *("/a|b", "/a?b|c", "/a\\b", "/a%5Cb", "/a?b\\c", "/a^b", "/a?b^c", "/a[b]", "/a?b[]=c"),
    *('/a"b', '/a?"', "/a'b", "/a?b'c", "/a?%27", "/a%27", "/a`b", "/a?`", "/a{b}", "/a?{b}"),
    *("/a<b>", "/a?<b>", "/a b", "/a?b c", "/a+b", "/a?b+c", "/a%20b"),
    # Percent signs that escape, and that do not.
    *("/a%zzb", "/a%", "/a?%", "/a?%zz", "/%2525", "/%7ea", "/a%3B", "/%3b", "/a;%3B", "/a%3F"),
    *("/a?%23", "/a%23b", "/%41", "/%00b", "/a?x#y"),
    # Letters of any kind.
    *("/é", "/?é=ü", "/%C3%A9x", "/%c3%a9y", "/%E9", "/?%e9", "/日本", "/a\u200bb", "/\U0001f600"),
    # What separates elsewhere: user, port, wildcard, list.
    *("/a@b", "/a:b", "/:", "/a:80", "/*", "/a?b=c:d@e", "/~a", "/a,b", "/a!b", "/a$b", "/a&b"),
    *("/a=b", "/a*b", "/a(b)", "/-_.~"),
)
NOT_PAGES = {"/robots.txt", "/favicon.ico"}


class Everything(Mapping[str, bytes]):
    """A page for every target; the first one links to all that are tested."""

    def __init__(self, *hrefs: str) -> None:
        links = "".join(f'<a href="{href.replace(chr(34), "&quot;")}">x</a>' for href in hrefs)
        self.start = f"<!doctype html><p>{links}".encode()

    def __getitem__(self, target: str) -> bytes:
        path = "/" + target.partition("://")[2].partition("/")[2] if "://" in target else target
        if path in NOT_PAGES or "sitemap" in path:
            return answer(b"", status=b"404 Not Found")
        text = f"A page about {target} and nothing else".encode()
        return answer(self.start if path == "/" else b"<!doctype html><p>" + text, HTML)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def fetched(result: Crawl) -> set[str]:
    """The URLs of urls.csv that gave an answer."""
    assert result.code == 0, result.log
    return {url for url, row in result.urls.items() if row["status"]}


def keys(urls: set[str | None]) -> set[int]:
    """What tells the URLs apart: not an empty parameter."""
    return {key(url) for url in urls if url}


def asked(raw: RawServer, base: str = "") -> set[str]:
    """The URLs that were asked for, but for the files and paths that every crawl looks at."""
    urls = {base + path for path in raw.paths}
    return {url for url in urls if "sitemap" not in url and not url.endswith(tuple(NOT_PAGES))}


SETTINGS = ("-s", "SITEMAPGEN_MAX_PROBES=0")
ARGUMENTS = ("query=keep", "traps=report", "duplicates=off")


def test_the_server_is_asked_for_what_is_listed(raw: RawServer, crawl: Crawler) -> None:
    raw.answers = Everything(*TARGETS)
    result = crawl(raw.url, *ARGUMENTS, settings=(*IMPATIENT, *SETTINGS))
    base = raw.url[:-1]
    assert asked(raw, base) == fetched(result)
    assert keys(fetched(result)) == keys({f"{base}/", *(parse(to, raw.url) for to in TARGETS)})
    assert {f"{base}/a;", f"{base}/a;?x", f"{base}/a/;", f"{base}/;"} <= fetched(result)
    assert len(raw.paths) == len({*raw.paths})


def test_the_proxy_is_asked_for_what_is_listed(raw: RawServer, crawl: Crawler) -> None:
    raw.answers = Everything(*TARGETS)
    site = "http://site.example/"
    result = crawl(site, *ARGUMENTS, f"proxy={raw.url}", settings=(*IMPATIENT, *SETTINGS))
    assert asked(raw) == fetched(result)
    assert keys(fetched(result)) == keys({site, *(parse(target, site) for target in TARGETS)})


@needs_browser
def test_the_browser_asks_for_what_is_listed(raw: RawServer, crawl: Crawler) -> None:
    raw.answers = Everything(*TARGETS[:40:3], *TARGETS[40::5])
    settings = (*QUICK, *SETTINGS)
    result = crawl(raw.url, *ARGUMENTS, "render=always", settings=settings)
    base = raw.url[:-1]
    assert asked(raw, base) == fetched(result)
    twice = [path for path in {*raw.paths} if raw.paths.count(path) > 1]
    assert len(twice) >= len(fetched(result)) - 1, "the browser has not asked"


@for_each(
    *product(
        ["", "user@", "user:pass@", "user:p%40ss@"],
        ["example.com", "EXAMPLE.com.", "[::1]", "127.1", "bücher.example"],
        ["", ":80", ":8080", ":0"],
    )
)
def test_targets_of_any_authority(userinfo: str, host: str, port: str) -> None:
    for target in ("/a;", "/;", "/a;b?", "", "?a/b", "?/;"):
        url = parse(f"http://{userinfo}{host}{port}{target}")
        assert url is not None
        assert Request(url).url == url
        path = "/" + url.split("/", 3)[3]
        assert request_target(url.encode()) == path.encode()


def test_twisted_without_it_loses_the_semicolon() -> None:
    """Once it does not, ``request_target`` is not needed any more."""
    assert URI.fromBytes(b"http://example.com/a;").originForm == b"/a"


def test_the_normal_form_is_left_as_it_is_by_browsers_and_scrapy() -> None:
    random_ = random.Random(20)
    parts = [*URL_PARTS, *TARGETS]
    urls = ["".join(pair) for pair in product(parts, repeat=2)]
    urls += ["".join(random_.choices(parts, k=random_.randint(3, 9))) for _ in range(5_000)]
    for href in urls:
        url = parse("/" + href, "http://example.com/d/")
        if url is not None:
            assert parse(url) == url, href
            assert ada_url.normalize_url(url) == url, href
            assert Request(url).url == url, href
            target = url.removeprefix("http://example.com")
            if target.startswith("/"):
                assert request_target(url.encode()) == target.encode(), href
