"""What users of sitemap generators complain about: one site for each complaint, named after it.

Each lists none of the wrong URLs and loses none of the right ones. Sites that are only data stand
in ``tests/sites``, each described in words; what is expected was worked out by hand.
"""

import re
from base64 import b64encode

import pytest

from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.proxy import Proxy
from tests.helpers.server import HERE, Answer, Serve, Server, page, redirect, site, text, urlset
from tests.helpers.sitemaps import assert_valid


def assert_listed(result: Crawl, server: Server, *paths: str) -> None:
    """The sitemap holds exactly these."""
    assert result.code == 0, result.log
    listed = [url.removeprefix(server.url[:-1]) for url in result.sitemap]
    assert sorted(listed) == sorted(paths)


# URLs that do not belong into a sitemap


SITES: dict[str, tuple[tuple[str, ...], dict[str, int]]] = {
    "noindex-urls": (
        (
            *("/", "/only-from-noindex", "/index-follow", "/nofollow", "/another-crawler"),
            *("/header-another-crawler", "/header-future", "/comment", "/script", "/about-noindex"),
        ),
        {"noindex": 10},
    ),
    "redirected-urls": (
        (
            *("/", "/target-301", "/target-302", "/target-303", "/target-307", "/target-308"),
            *("/chain-end", "/target-relative", "/target-absolute", "/target-fragment"),
            *("/target-refresh", "/target-refresh-header", "/login", "/slow-refresh"),
            *("/target-slow-refresh", "/itself-refresh"),
        ),
        {"redirect": 22, "offsite_redirect": 2},
    ),
    "soft-404-urls": (
        ("/", "/about", "/contact", "/help/not-found", "/shop/", "/shop/hat"),
        {"soft_404": 4},
    ),
    "non-canonical-urls": (
        (
            *("/", "/shoes", "/shoes?page=2", "/variant-3", "/new-name", "/only-by-canonical"),
            *("/fragment", "/empty", "/in-body", "/to-gone", "/to-noindex", "/two", "/garbage"),
        ),
        {"canonicalised": 10},
    ),
    "stripped-trailing-slashes": (
        (
            *("/", "/docs/", "/docs/intro/", "/docs/setup/", "/blog/", "/blog/post-one/"),
            *("/blog/post-one/?page=2", "/blog/post-two/", "/shop/hat", "/shop/bag"),
        ),
        {},
    ),
}
"""By site: what is listed, and how many URLs have another verdict."""


def missing(path: str) -> Answer:
    """A friendly page that names the path, with links to more of its kind."""
    words = f"Sorry, there is no {path} here. Perhaps you like one of these?"
    return page("/about", f"/like{path}", title="Page not found | The Shop", text=words)


@pytest.mark.parametrize("name", SITES)
def test_urls_that_do_not_belong(name: str, crawl: Crawler) -> None:
    real, has_all = site(name), name == "soft-404-urls"
    listed, counts = SITES[name]
    server, result = crawl.site(lambda path: real.get(path) or (missing(path) if has_all else None))
    assert_listed(result, server, *listed)
    assert {verdict: result.report["verdicts"][verdict] for verdict in counts} == counts
    if name == "stripped-trailing-slashes":
        # Of the forms that redirect, only those that the site itself links to were asked for.
        assert {"/blog/post-two", "/shop/bag/"} < set(server.paths)
        unlinked = {"/docs", "/docs/intro", "/docs/setup", "/blog", "/shop/hat/"}
        assert not set(server.paths) & unlinked


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
        "/%D0%BA%D0%B0%D1%80%D1%82%D0%B0.xml": urlset(f"{host}карта"),
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


def test_non_latin_urls_broken(crawl: Crawler) -> None:
    server, result = crawl.site(babel(HERE))
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
    with Proxy(server.port, f"Basic {b64encode(b'u:p').decode()}") as proxy:
        result = crawl("http://bücher.example/", f"proxy=http://u:p@127.0.0.1:{proxy.port}")
    assert result.code == 0, result.log
    assert sorted(result.sitemap) == sorted(
        f"{host}{path}" for path in ("/", "/stra%C3%9Fe", "/b", "/c")
    )
    assert_readable(result)
    asked = {request.line.split()[1] for request in proxy.asked}
    assert asked >= set(result.sitemap)
    assert {url[: len(host)] for url in asked} == {host}
    assert_valid(result.output)
