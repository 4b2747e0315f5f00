"""Canonicals, refreshes, pages of lists: what is listed, and why the rest is not."""

from collections.abc import Callable

import pytest

from tests.helpers.crawls import Crawl, Crawler, verdict_of
from tests.helpers.server import Answer, Serve, Server, page, redirect, text


def canonical(href: str, *hrefs: str, header: str = "") -> Answer:
    """A page that names its canonical URL in its head, its headers, or both."""
    answer = page(*hrefs, head=f'<link rel="canonical" href="{href}">' if href else "")
    return with_header(answer, "Link", header) if header else answer


def with_header(answer: Answer, name: str, value: str) -> Answer:
    return answer._replace(headers={**answer.headers, name: value})


def refresh(content: str, *hrefs: str) -> Answer:
    return page(*hrefs, head=f'<meta http-equiv="refresh" content="{content}">')


def judged(result: Crawl, server: Server) -> dict[str, tuple[str, str]]:
    """Verdict and evidence by path."""
    assert result.code == 0, result.log
    return {
        url.replace(server.url, "/"): (row["verdict"], row["evidence"].replace(server.url, "/"))
        for url, row in result.urls.items()
    }


NOINDEX = '<meta name="robots" content="noindex">'
SHOP = {
    # path: (answer, evidence)
    "/self": (canonical("/self#top"), ""),
    "/variant?b": (canonical("/plain"), "canonical is /plain"),
    "/plain": (page("/"), ""),
    "/empty": (canonical(" "), ""),
    "/fragment": (page(head='<base href="/"><link rel="canonical" href="#main">'), ""),
    "/malformed": (canonical("http://["), ""),
    "/printed": (
        page(head='<link rel="canonical" media="print" href="/plain">'),
        "canonical /plain ignored: it has media",
    ),
    "/other-host": (canonical("http://o.example/x"), "canonical is http://o.example/x"),
    "/chain1": (canonical("/chain2"), "canonical is /chain2, which leads to /end"),
    "/chain2": (canonical("/end"), "canonical is /end"),
    "/end": (page(), ""),
    "/circle1": (
        canonical("/circle2"),
        "canonical /circle2 ignored: they lead in a circle, and this one is listed",
    ),
    "/circle2": (canonical("/circle1"), "canonical is /circle1"),
    "/to-gone": (canonical("/gone"), "canonical /gone ignored: http_error"),
    "/gone": (Answer("gone", 404), "HTTP 404"),
    "/to-broken": (canonical("/broken"), "canonical /broken ignored: http_error"),
    "/broken": (Answer("no", 501), "HTTP 501"),
    "/to-noindex": (canonical("/noindex"), "canonical /noindex ignored: noindex"),
    "/noindex": (page(head=NOINDEX), NOINDEX),
    "/to-secret": (canonical("/secret/x"), "canonical /secret/x ignored: robots_disallowed"),
    "/slash/": (canonical("/slash"), "canonical /slash ignored: it leads back here"),
    "/slash": (redirect("/slash/"), "301 to /slash/"),
    "/moved": (canonical("/old"), "canonical is /old, which leads to /plain"),
    "/old": (redirect("/plain", 302), "302 to /plain"),
    "/two": (
        page(head='<link rel="canonical" href="/plain"><link rel="canonical" href="/end">'),
        "canonical /plain /end ignored: they disagree",
    ),
    # In HTTP headers.
    "/header": (
        canonical("", header='</feed>; rel="alternate", </only-in-header>; REL="Canonical x"'),
        "canonical is /only-in-header",
    ),
    "/only-in-header": (page(), ""),
    "/both": (canonical("plain", header="</plain>; rel=canonical"), "canonical is /plain"),
    "/contradiction": (
        canonical("/plain", header="</end>; rel=canonical"),
        "canonical /plain /end ignored: they disagree",
    ),
    # Pages of a list: each is a page of its own, unless it says otherwise.
    "/list": (page(head='<link rel="next" href="/list?page=2">'), ""),
    "/list?page=2": (
        page(head='<link rel="prev" href="/list"><link rel="next" href="/list?page=3">'),
        "",
    ),
    "/list?page=3": (canonical("/list"), "canonical is /list"),
    # Refreshes.
    "/instant": (refresh("0; url=/plain"), "refresh to /plain"),
    "/soon": (refresh("5;URL='/only-by-refresh'", "/side"), "refresh to /only-by-refresh"),
    "/only-by-refresh": (page(), ""),
    "/side": (page(), ""),
    "/late": (refresh("30; url=/plain"), ""),
    "/reload": (refresh("0; url=/reload#again"), ""),
    "/ticker": (refresh("5"), ""),
    "/away": (refresh("0; url=http://o.example/"), "refresh to http://o.example/"),
    "/by-header": (with_header(page(), "Refresh", "0; url=end"), "refresh to /end"),
    "/to-instant": (canonical("/instant"), "canonical is /instant, which leads to /plain"),
    "/back/": (canonical("/back"), "canonical /back ignored: it leads back here"),
    "/back": (refresh("0; url=/back/"), "refresh to /back/"),
    "/round": (refresh("0;/about"), "refresh to /about"),
    "/about": (refresh("0;/round"), "refresh to /round"),
    "/to-round": (canonical("/round"), "canonical /round ignored: redirect"),
    # A header that names another language.
    "/hreflang": (with_header(page(), "Link", '</only-de>; rel="alternate"; hreflang="de"'), ""),
    "/only-de": (page(), ""),
}
HIDDEN = ("/only", "/end", "/circle2", "/chain2", "/gone", "/broken", "/noindex", "/old", "/side")


@pytest.fixture
def shop(serve: Serve) -> Server:
    linked = [path for path in SHOP if not path.startswith(HIDDEN)]
    return serve(
        {
            "/robots.txt": text("User-agent: *\nDisallow: /secret"),
            "/": page(*linked),
            **{path: answer for path, (answer, _) in SHOP.items()},
        }
    )


def test_where_pages_say_that_they_are(shop: Server, crawl: Crawler) -> None:
    result = crawl(shop.url)
    expected = {path: (verdict_of(evidence), evidence) for path, (_, evidence) in SHOP.items()}
    expected["/"] = ("listed", "")
    expected["/secret/x"] = ("robots_disallowed", "robots.txt line 2: Disallow: /secret")
    assert judged(result, shop) == expected
    assert result.report["seen"] == sum(result.report["verdicts"].values()) == len(expected)
    assert result.report["remarks"] == {
        "canonical_broken": 5,
        "canonical_circle": 1,
        "canonical_disagrees": 2,
        "canonical_qualified": 1,
        "canonical_returns": 2,
    }
    assert result.urls[f"{shop.url}two"]["canonical"] == f"{shop.url}plain {shop.url}end"


def test_the_start_page_may_refresh_elsewhere(serve: Serve, crawl: Crawler) -> None:
    server = serve(
        {"/": refresh("0; url=/en/", "/de/"), "/en/": page("/"), "/de/": page("/", "/x")}
    )
    server.site = {**server.site, "/x": redirect("/en/")}
    result = crawl(server.url)
    assert judged(result, server) == {
        "/": ("redirect", "refresh to /en/"),
        "/en/": ("listed", ""),
        "/de/": ("listed", ""),
        "/x": ("redirect", "301 to /en/"),
    }
    assert result.report["start"] == f"{server.url}en/"


def articles(canonical_of: Callable[[int], str], title: str = "Article %d") -> dict[str, Answer]:
    """A start page and twenty articles with the title and canonical URL of a template."""
    site = {
        f"/{number}": page(
            "/",
            head=f'<link rel="canonical" href="{canonical_of(number)}">',
            title=title.replace("%d", str(number)),
            text=f"What article {number} is about. " * 20,
        )
        for number in range(20)
    }
    return {"/": page(*site, title="Home"), "/other": page(title="Other"), **site}


def test_a_template_with_the_canonical_of_the_start_page_is_a_warning(crawl: Crawler) -> None:
    server, result = crawl.site(articles(lambda _: "/"))
    assert result.report["verdicts"]["canonicalised"] == 20
    warning = f"20 pages with 20 different titles name {server.url} as their canonical URL"
    assert sum(warning in line for line in result.log.splitlines()) == 1
    outcome = result.outcome
    assert [warning in each for each in outcome["warnings"]] == [True]
    assert result.report["priorities"][0]["id"] == "shared_canonical"


def test_pages_of_a_template_with_a_wrong_canonical_are_a_warning(crawl: Crawler) -> None:
    """A minority of the pages each: that of the start page, and pages of another site."""
    others = {f"/other/{number}": page(title=f"Other {number}") for number in range(30)}
    site = articles(lambda of: f"https://other.example/{of}" if of < 10 else "/")
    server, result = crawl.site({**site, **others, "/": page(*site, *others, title="Home")})
    for words in (
        f"10 pages with 10 different titles name {server.url} as their canonical URL, first",
        "10 pages name a canonical URL of another site, https://other.example, first",
    ):
        assert words in result.log
        assert any(words in fix["sentence"] for fix in result.report["priorities"])


@pytest.mark.parametrize(
    "site",
    [
        articles(lambda number: f"/{number % 2}"),  # two of them are listed, in variants
        articles(lambda _: "/0", title="Article"),  # one page in twenty variants
        articles(lambda number: "/" if number < 9 else f"/{number}"),  # a few
    ],
)
def test_variants_that_name_their_page_are_no_warning(
    site: dict[str, Answer], serve: Serve, crawl: Crawler
) -> None:
    result = crawl(serve(site).url)
    assert result.report["verdicts"]["canonicalised"] >= 9
    assert result.report["shared_canonical"] is None
