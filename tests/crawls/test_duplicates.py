"""One page under several URLs: one of them is listed, learned from what the site answers."""

import time
from itertools import count

import pytest

from tests.helpers.crawls import Crawler, verdict_of
from tests.helpers.server import HERE, Answer, Serve, page, urlset

WORDS = "Enough words of one article to be compared with those of another one. " * 2


def article(name: str, *hrefs: str, head: str = "", lang: str = "en", images: str = "") -> Answer:
    answer = page(*hrefs, head=head, title=f"About {name}", text=f"{WORDS} {name} {images}")
    assert isinstance(answer.body, str)
    return answer._replace(body=answer.body.replace("<html>", f'<html lang="{lang}">'))


def home(*hrefs: str) -> Answer:
    """The start page, and enough other pages for one content not to be that of most."""
    return page(*hrefs, *(f"/other{number}" for number in range(8)), text=f"{WORDS} Home.")


OTHERS = {f"/other{number}": article(f"other {number}") for number in range(8)}
ONE, TWO = article("one"), article("two")
VERSIONS = "".join(
    f'<link rel="alternate" hreflang="en-{country}" href="/{country}">' for country in ("gb", "us")
)

SITES: dict[str, tuple[dict[str, Answer], dict[str, str]]] = {
    "a slash, answered twice": (
        {"/": home("/a", "/a/"), "/a": ONE, "/a/": ONE},
        {"/a": "", "/a/": "same content as /a"},
    ),
    "a slash, and the form that the site links to": (
        {"/": home("/a", "/a/"), "/a": ONE, "/a/": ONE, "/other1": article("x", "/a/")},
        {"/a": "same content as /a/", "/a/": ""},
    ),
    "a slash, and the form that the site's sitemap lists": (
        {"/": home("/a", "/a/"), "/a": ONE, "/a/": ONE, "/sitemap.xml": urlset("a/", base=HERE)},
        {"/a": "same content as /a/", "/a/": ""},
    ),
    "an index file": (
        {"/": home("/d/", "/d/index.html"), "/d/": ONE, "/d/index.html": ONE},
        {"/d/": "", "/d/index.html": "same content as /d/"},
    ),
    "letter case that matters": (
        {"/": home("/A", "/a"), "/A": ONE, "/a": TWO},
        {"/A": "", "/a": ""},
    ),
    "parameters that do not matter": (
        {"/": home("/a?sort=up", "/a?sort=down", "/a"), "/a": ONE}
        | {"/a?sort=up": ONE, "/a?sort=down": ONE},
        {"/a": "", **dict.fromkeys(("/a?sort=up", "/a?sort=down"), "same content as /a")},
    ),
    "the one that others name as canonical": (
        {"/": home("/b", "/longer", "/b?x"), "/b": ONE, "/longer": ONE}
        | {"/b?x": article("one", head='<link rel="canonical" href="/longer">')},
        {"/b": "same content as /longer", "/longer": "", "/b?x": "canonical is /longer"},
    ),
    # What is not the same.
    "another image": (
        {"/": home("/a", "/b"), "/a": article("one", images='<img src="/1.jpg">')}
        | {"/b": article("one", images='<img src="/2.jpg">')},
        {"/a": "", "/b": ""},
    ),
    "too few words": (
        {"/": home("/a", "/b"), "/a": page("/x", text="Soon."), "/b": page("/y", text="Soon.")},
        {"/a": "", "/b": "", "/x": "HTTP 404", "/y": "HTTP 404"},
    ),
    "few words, and the same bytes": (
        {"/": home("/cart?add=1", "/cart?add=2", "/cart?add=3")}
        | {f"/cart?add={number}": page("/pay", text="Your cart.") for number in (1, 2, 3)},
        {f"/cart?add={number}": "same content as /cart?add=1" for number in (2, 3)}
        | {"/cart?add=1": "", "/pay": "HTTP 404"},
    ),
    "the same bytes, and images beside them": (
        {"/": home("/a/one", "/b/one", "/a/two", "/b/two")}
        | {f"/{name}/one": page(text="Photo <img src=photo.jpg>") for name in "ab"}
        | {f"/{name}/two": page(text="Photo <img src=/photo.jpg>") for name in "ab"},
        {"/a/one": "", "/b/one": "", "/a/two": "", "/b/two": "same content as /a/two"},
    ),
    "the same bytes, and frames and chapters beside them": (
        {"/": home("/a/", "/b/", "/c/", "/d/", "/p", "/q")}
        | {f"/{name}/": page(text="Part <iframe src='part.html'></iframe>") for name in "ab"}
        | {f"/{name}/": page("1", text="Chapters") for name in "cd"}
        | {f"/{name}": page("?page=2", text="Lists") for name in "pq"}
        | {f"/{name}/part.html": article(f"{name} part") for name in "ab"}
        | {f"/{name}/1": article(f"{name} chapter") for name in "cd"}
        | {f"/{name}?page=2": article(f"{name} page") for name in "pq"},
        dict.fromkeys(
            (
                *("/a/", "/b/", "/c/", "/d/", "/p", "/q", "/a/part.html", "/b/part.html"),
                *("/c/1", "/d/1", "/p?page=2", "/q?page=2"),
            ),
            "",
        ),
    ),
    "versions for two countries": (
        {"/": home("/gb"), **dict.fromkeys(("/gb", "/us"), article("one", head=VERSIONS))},
        {"/gb": "", "/us": ""},
    ),
}
"""By name: a site, and the evidence for the verdict of each page; "" is that of a listed one."""


@pytest.mark.parametrize("name", SITES)
def test_duplicates(name: str, crawl: Crawler) -> None:
    answers, expected = SITES[name]
    server, result = crawl.site({**OTHERS, **answers})
    rows = {url.replace(server.url, "/"): row for url, row in result.urls.items()}
    found = {
        path: (row["verdict"], row["evidence"].replace(server.url, "/"))
        for path, row in rows.items()
        if path != "/" and not path.startswith("/other")
    }
    assert found == {path: (verdict_of(evidence), evidence) for path, evidence in expected.items()}
    report = result.report
    assert report["seen"] == sum(report["verdicts"].values()) == len(rows)
    assert len(result.sitemap) == report["listed"] == report["verdicts"]["listed"]


def test_a_script_that_nothing_is_known_of_may_fill_the_same_bytes(
    serve: Serve, crawl: Crawler
) -> None:
    product = page("/", text="Product <script src=/p.js></script>")
    server = serve({**OTHERS, "/": home("/a", "/b"), "/a": product, "/b": product})
    result = crawl(server.url, "render=never")
    assert {result.verdicts[f"{server.url}{name}"] for name in "ab"} == {"listed"}


def test_what_changes_from_reading_to_reading_makes_no_pages(crawl: Crawler) -> None:
    """Tokens, captchas and clocks do not; what stays the same at one URL does."""
    visits = count(100_000)

    def tenths(path: str) -> str:
        """Tenths of a second: two requests in a row get the same."""
        return str(int(10 * time.time()) + 900 * int(path[-1]))

    def now(path: str) -> str:
        number = next(visits)
        return {
            "token": f"<input type=hidden name=csrf value={number}f>",
            "captcha": f"<img src=/captcha?c={number}>",
            "clock": f"It is {number} seconds past.",
            "second": f"It is {tenths(path)}.",
            "photo": f"<img src=/photos/{path[-1]}.jpg><input type=hidden value={number}>",
            "sheet": f"Sheet {path[-1]}<input type=hidden value={number}>",
            "still": f"<img src=/still/{path[-1]}.jpg>",
        }[path.split("/")[1]]

    kinds = ("second", "token", "captcha", "clock", "photo", "sheet", "still")
    paths = [f"/{kind}/{number}" for kind in kinds for number in range(1, 5)]

    def site(path: str) -> Answer | None:
        if path in paths:
            kind = path.split("/")[1]
            return page("/pay", title=kind, text=f"Your {kind} is empty. {now(path)}")
        return {**OTHERS, "/": home(*paths, "/pay"), "/pay": TWO}.get(path)

    server, result = crawl.site(site)
    listed = {url.replace(server.url, "/") for url in result.sitemap}
    firsts = {f"/{kind}/1" for kind in ("token", "captcha", "clock", "second")}
    assert listed & set(paths) == firsts | {
        path for path in paths if path.startswith(("/photo/", "/sheet/", "/still/"))
    }
    row = result.urls[f"{server.url}clock/3"]
    assert (row["verdict"], row["evidence"]) == (
        "duplicate",
        f"same content as {server.url}clock/1",
    )
    assert [server.paths.count(f"/still/{number}") for number in range(1, 5)] == [2, 1, 1, 1]
    assert "12 pages are the same as another one" in result.log
    server.visits.clear()
    again = crawl.published(server.url)
    assert again.sitemap == result.sitemap
    settled = [path for path in paths if path.split("/")[1] in ("photo", "sheet", "still")]
    assert [server.paths.count(path) for path in settled] == [1] * len(settled)
    shown = page("/pay", title="token", text="Your token is empty. <img src=/new.jpg>")
    server.site = lambda path: shown if path == "/token/3" else site(path)
    assert f"{server.url}token/3" in crawl.published(server.url).sitemap


def test_a_clock_on_pages_whose_links_have_their_address(crawl: Crawler) -> None:
    """The same references as of each commit, as a code browser has them; prices are no clock."""
    words = "The branch main and the tag v60 are all references of this repository. " * 3
    refs = [f"/refs?id={number}" for number in range(1, 6)]
    goods = [f"/screw?id={number}" for number in range(1, 6)]

    def site(path: str) -> Answer | None:
        now = f"{words} It is {time.time():.3f}."
        if path in refs:
            return page(title="References", text=f"{now} <a href=/log?of={path[-1]}>The log</a>")
        if path in goods:
            return page("/pay", title="A screw", text=f"It costs {path[-1]}0 crowns. {now}")
        if path.startswith("/log"):
            return page("/pay", head='<meta name="robots" content="noindex">', text=now)
        return {**OTHERS, "/": home(*refs, *goods, "/pay"), "/pay": TWO}.get(path)

    server, result = crawl.site(site)
    listed = {url.replace(server.url, "/") for url in result.sitemap}
    assert listed & {*refs, *goods} == {refs[0], *goods}


def test_off_lists_all_and_says_so(serve: Serve, crawl: Crawler) -> None:
    server = serve({**OTHERS, "/": home("/a", "/a/"), "/a": ONE, "/a/": ONE})
    result = crawl(server.url, "duplicates=off")
    row = result.urls[f"{server.url}a/"]
    assert (row["verdict"], row["evidence"]) == ("listed", f"same content as {server.url}a")
    assert result.report["verdicts"]["duplicate"] == 0
    assert result.report["remarks"] == {"same_content": 1}
    again = crawl(server.url)
    assert again.verdicts[f"{server.url}a/"] == "duplicate"
    assert again.report["remarks"] == {}


def test_a_shell_that_scripts_fill_is_no_content(crawl: Crawler) -> None:
    """Every page of an application is the same file: one URL must not stand for all of them."""
    names = [f"/view{number}" for number in range(12)]
    shell = page(*names, title="App", text=WORDS)
    _, result = crawl.site({"/": shell, **dict.fromkeys(names, shell)})
    assert len(result.sitemap) == 13
    assert {row["evidence"] for row in result.urls.values()} == {"same content as most pages"}
    assert result.report["remarks"] == {"same_as_most": 13}
