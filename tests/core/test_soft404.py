"""Which pages say no more than a path that cannot exist; and which answers prove nothing."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

from sitemapgen.core.document.html import ReadOptions
from sitemapgen.core.document.pages import HttpResponse, read_page
from sitemapgen.core.eligibility import Rules
from sitemapgen.core.links import LinkReader
from sitemapgen.core.probes import Probes, probe_token
from sitemapgen.core.robots import Robots
from sitemapgen.core.soft404 import (
    Soft404Signature,
    as_soft_404,
    needs_probe,
    probe_signature,
    read_document,
)
from sitemapgen.core.urls import Patterns, Site
from sitemapgen.items import Judgement, Link, Page
from sitemapgen.verdicts import Reason, Verdict
from tests.helpers.cost import at_most
from tests.helpers.shared import SHARED, require
from tests.helpers.tables import for_each

ORIGIN = "https://e.example"
NAME = probe_token(ORIGIN)
PROBE = f"{ORIGIN}/{NAME}"
PAGE = f"{ORIGIN}/forest/old-oak-17"
HOME = (f"{ORIGIN}/", "The Shop", "Welcome to the shop. Home Shop Contact")


def html(text: str, title: str = "", head: str = "") -> bytes:
    return f"<!doctype html><title>{title}</title>{head}<body>{text}".encode()


def sign(
    body: bytes,
    *,
    probe: str = PROBE,
    answered_by: str = "",
    start: tuple[str, str, str] | None = HOME,
) -> Soft404Signature | None:
    return probe_signature(
        read_document(body, "text/html; charset=utf-8"),
        probe=probe,
        answered_by=answered_by or probe,
        start=start,
    )


def fits(probe: bytes, page: bytes, url: str = PAGE) -> bool:
    found = sign(probe)
    assert found is not None
    return found.fits(read_document(page, "text/html; charset=utf-8"), url)


MENU = '<div><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/contact">Contact</a></div>'

SAME = {
    "the same page": 2 * (html("<h1>Page not found</h1>", "Not found"),),
    "the path is repeated": (
        html(f"Sorry, /{NAME} was not found.", "Not found"),
        html("Sorry, /forest/old-oak-17 was not found.", "Not found"),
    ),
    "the whole URL is repeated, also in the title": (
        html(f"The requested URL {PROBE} was not found on this server.", f"404: {PROBE}"),
        html(f"The requested URL {PAGE} was not found on this server.", f"404: {PAGE}"),
    ),
    "the slug is repeated as words, twice": (
        html(
            "<h1>Sitemapgen 404 Check {0}</h1>We know no “sitemapgen 404 check {0}”.".format(
                NAME.rpartition("-")[2]
            )
        ),
        html("<h1>Old Oak 17</h1>We know no “old oak 17”."),
    ),
    "the menu and the path share words": (
        html(f"{MENU} Shop forest of e example: {NAME} does not exist"),
        html(f"{MENU} Shop forest of e example: forest does not exist"),
    ),
    "other dates, request ids, copyright years": (
        html("Not found. 2026-11-21 10:59:03, request 7f3a21", "404"),
        html("Not found. 2026-12-01 08:01:00, request 99b0aa1", "404"),
    ),
    "other suggestions": (
        html(f'{MENU}<p>Not found. Try these:</p><a href="/a">Red chairs</a>', "Not found"),
        html(
            f'{MENU}<p>Not found. Try these:</p><a href="/b">Tables of oak, and more</a>'
            '<a href="/c">Lamps</a>',
            "Not found",
        ),
    ),
    "other links, named by their paths": (
        html(f'Nothing here. <a href="/{NAME}/1">/{NAME}/1</a>'),
        html('Nothing here. <a href="/forest/xa/yb">/forest/xa/yb</a> <a href="/f/z">/f/z</a>'),
    ),
    "no known words of error, but exactly the same ones": 2
    * (html(f"{MENU}<p>ما عندنا شيء هنا</p>", "متجر"),),
    "German": (
        html("Die Seite wurde nicht gefunden. Stand: 21.11.", "Fehler"),
        html("Die Seite wurde nicht gefunden. Stand: 22.11.", "Fehler"),
    ),
    "Japanese": 2 * (html("<p>ページが見つかりません</p>", "エラー"),),
    "scripts do not matter where it says so": 2
    * (html("<h1>Page not found</h1>", "Shop", "<script src=/analytics.js></script>"),),
    "a title that says it all": (html("", "404"), html("", "404")),
    "other suggestions, with their images": (
        html('<h1>Not found</h1><a href="/a"><img src=/a.jpg></a>', "Not found"),
        html('<h1>Not found</h1><a href="/b"><img src=/b.jpg></a>', "Not found"),
    ),
    "the same picture of an error": 2
    * (html("<h1>Not found</h1><img src=/oops.png>", "Not found"),),
    "a long one, cut in the middle of an echo": (
        html(f"<h1>Not found</h1>{NAME} {'some template text ' * 200}", "Not found"),
        html(f"<h1>Not found</h1>old oak {'some template text ' * 200}", "Not found"),
    ),
}


def shop(text: str) -> bytes:
    """A page in the frame of a shop."""
    return html(f"{MENU}{text}", "The Shop")


OTHER = {
    "another title": (
        html("<h1>Not found</h1>", "Not found"),
        html("<h1>Not found</h1>", "Not found: a novel"),
    ),
    "other text": (shop("<p>Not found</p>"), shop("<p>Call us any day</p>")),
    "more text": (
        shop("<p>Not found</p>"),
        shop("<p>Not found</p><p>is our newest album. Buy it here.</p>"),
    ),
    "less text": (shop("<p>Not found</p><p>The Shop Ltd</p>"), shop("<p>The Shop Ltd</p>")),
    "the same frame around its own name": (shop("<p>Not found</p>"), shop("<p>Old oak</p>")),
    "a list of links in the same frame": (
        shop("<p>Not found</p>"),
        shop('<a href="/not">Not</a> <a href="/found">found</a>'),
    ),
    "a gallery, where nothing is said": (
        shop("<p>Copyright The Shop</p>"),
        shop("<img src=1.jpg><img src=2.jpg><p>Copyright The Shop</p>"),
    ),
    "a gallery that shows a picture for any name": (
        shop(f"<img src=/p/{NAME}.jpg><p>Copyright The Shop</p>"),
        shop("<img src=/p/old-oak-17.jpg><p>Copyright The Shop</p>"),
    ),
    "the same, with pictures that load late and words of error": (
        shop(f"<img src=x.gif data-src=/p/{NAME}.jpg><p>Prints: not available"),
        shop("<img src=x.gif data-src=/p/17.jpg><p>Prints: not available"),
    ),
    "a chart for any name": (
        shop("<svg><path d='M0 0'/></svg><p>Rain of a week</p>"),
        shop("<svg><path d='M0 0 L4 9'/></svg><p>Rain of a week</p>"),
    ),
    "a form, where nothing is said": (
        shop("<p>Copyright The Shop</p>"),
        shop("<form><input placeholder=Name></form><p>Copyright The Shop</p>"),
    ),
    "other numbers, where nothing is said": (
        html("<h1>Statistics</h1>Visitors: 0, sales: 0", "The Shop"),
        html("<h1>Statistics</h1>Visitors: 1234, sales: 17", "The Shop"),
    ),
    "other links, where nothing is said": (
        html('<h1>Chairs</h1>Prices in euros <a href="/a">Red</a>', "The Shop"),
        html('<h1>Chairs</h1>Prices in euros <a href="/b">Blue</a>', "The Shop"),
    ),
    "a long page that begins alike": (
        html(f"<h1>Not found</h1>{'some template text ' * 200}", "Not found"),
        html(f"<h1>Not found</h1>{'some template text ' * 200}{'and more ' * 200}", "Not found"),
    ),
}


@for_each(*SAME)
def test_a_soft_404(name: str) -> None:
    assert fits(*SAME[name])


@for_each(*OTHER)
def test_no_soft_404(name: str) -> None:
    probe, page = OTHER[name]
    assert fits(probe, probe, PROBE)
    assert not fits(probe, page)


def test_the_page_of_a_directory_is_not_what_is_below_it() -> None:
    listing = html("<h1>Chairs</h1>Prices in euros", "The Shop")
    found = sign(listing, probe=f"{ORIGIN}/shop/{NAME}")
    assert found is not None
    reading = read_document(listing)
    for url, expected in [("shop/", False), ("shop", False), ("shop/?page=2", False), ("", False)]:
        assert found.fits(reading, f"{ORIGIN}/{url}") is expected
    assert found.fits(reading, f"{ORIGIN}/shop/unheard-of")


NO_PROOF = {
    "nothing at all": html(""),
    "a shell": html("<div id=root></div>", "App", "<script src=/app.js></script>"),
    "a shell with words": html(f"{MENU}<div id=root>Loading</div><script>go()</script>", "App"),
    "a frame of links": html(MENU, "The Shop"),
    "words of error that only links say": html(
        '<h1><a href="/lost">Not found</a></h1>Copyright The Shop',
        "The Shop",
        "<script src=/a.js></script>",
    ),
    "words of error that are hidden": html(
        f"<div hidden><h1>Not found</h1></div>{'The Shop sells chairs. ' * 40}",
        "The Shop",
        "<script src=/a.js></script>",
    ),
    "nothing but its own path": html(f"/{NAME}", "The Shop"),
    "the start page": html("Welcome to the shop. Home Shop Contact", "The Shop"),
    "a page that names its canonical URL": html(
        "<h1>Chairs</h1>Prices in euros", "The Shop", '<link rel=canonical href="/shop/">'
    ),
    "its own path with a word of error in it, by chance": html(f"<h1>{NAME}</h1>" + MENU),
}


@for_each(*NO_PROOF)
def test_an_answer_that_proves_nothing(name: str) -> None:
    assert sign(NO_PROOF[name]) is None


def test_words_of_error_that_the_start_page_has_as_well_prove_nothing() -> None:
    frame = html("<h1>Chairs</h1>Sorry, no cheques", "Shop", "<script src=/a.js></script>")
    assert sign(frame) is not None
    assert sign(frame, start=(f"{ORIGIN}/", "Shop", "Welcome. Sorry, no cheques")) is None


@for_each(
    ("/error", html("Something is wrong", "The Shop"), True),
    ("/404.html", html("Something is wrong", "The Shop"), True),
    ("/elsewhere", html("<h1>Page not found</h1>", "The Shop"), True),
    ("/error", html("<div id=app></div>", "App", "<script src=/a.js></script>"), False),
    ("/login", html("<h1>Please log in</h1>", "The Shop"), False),
    ("/shop/", html("<h1>Chairs</h1>Prices in euros", "The Shop"), False),
    ("/", html("<h1>Page not found</h1>", "The Shop"), False),
    (f"/en/{NAME}", html("<h1>ما عندنا شيء هنا</h1>", "The Shop"), True),
)
def test_a_redirect_proves_something_where_it_leads_to_an_error_page(
    target: str, body: bytes, proves: bool
) -> None:
    found = sign(body, answered_by=ORIGIN + target)
    assert (found is not None) is proves
    if found:
        assert found.fits(read_document(body), f"{ORIGIN}/somewhere")


@for_each(
    b"",
    b"<a><svg><a><g><a>x</a></g></a></svg></a>",
    b"<a>1<table><tr><td><a>2<table><tr><td><a>3</table></table>" * 50,
    b"<h1>" * 5_000 + b"not found",
    b"<a><b>" * 5_000,
    b"\xff\xfe\x00\xd8<\x00p\x00",
    bytes(range(256)) * 9,
    b"<title>\xed\xa0\x80</title><p>&#xD800;&#0;",
)
def test_any_bytes_can_be_read(body: bytes) -> None:
    reading = read_document(body)
    assert reading == read_document(body)
    sign(body)


@pytest.mark.alone
def test_no_text_makes_it_slow() -> None:
    names = f"{NAME} forest " * 60
    probe, page = html(f"Not found: {names}"), html(f"Not found: {'forest ' * 270} the end")
    with at_most(1):
        assert not fits(probe, page, f"{ORIGIN}/forest")


PAGES = Page(url=PAGE, key=1, judgement=Judgement(Verdict.LISTED, ""))


@for_each(
    ("Chairs", "Short", Verdict.LISTED, True),
    ("Chairs", "Short", Verdict.NOINDEX, True),
    ("Chairs", "Short", Verdict.CANONICALISED, True),
    ("Chairs", "Short", Verdict.REDIRECT, False),
    ("Chairs", "Short", Verdict.HTTP_ERROR, False),
    ("Chairs", "x" * 1_499, Verdict.LISTED, True),
    ("Chairs", "x" * 1_500, Verdict.LISTED, False),
    ("Chairs", "", Verdict.LISTED, False),
    ("Page not found", "x" * 1_500, Verdict.LISTED, True),
    ("Fehler 404", "", Verdict.LISTED, True),
)
def test_what_is_worth_a_probe(title: str, excerpt: str, verdict: Verdict, expected: bool) -> None:
    page = replace(PAGES, title=title, excerpt=excerpt, judgement=Judgement(verdict, ""))
    assert needs_probe(page) is expected


def test_the_links_of_a_soft_404_stay_on_record() -> None:
    page = as_soft_404(replace(PAGES, links=(Link(url=f"{ORIGIN}/a", key=2),)), PROBE)
    evidence = f"answers like {PROBE}, which cannot exist"
    assert page.judgement == (Verdict.SOFT_404, evidence, PROBE, Reason.NONE)
    assert page.links == (Link(url=f"{ORIGIN}/a", key=2, nofollow=True),)


# Which paths are asked for


def rules(directory: str = "/", exclude: str = "") -> Rules:
    return Rules(
        site=Site(origin=ORIGIN, directory=directory),
        robots=Robots(),
        include=Patterns(""),
        exclude=Patterns(exclude),
    )


LINKS = ["/", "/about", "/shop/chairs/", "/docs/a.html", "/img/x.png", "/shop/b.HTML", "/x.php"]


@for_each(
    ("/", "/NAME"),
    ("/about", "/NAME"),
    ("/other.html", "/NAME.html"),
    ("/other.php?id=1", "/NAME.php"),
    ("/shop/", "/shop/NAME"),
    ("/shop/a/b/c.html", "/shop/NAME.html"),
    ("/docs/v1.2", "/docs/NAME"),
    ("/unlinked/page.html", "/NAME.html"),
    ("/img/gallery", "/NAME"),
)
def test_the_probe_of_a_url(url: str, probe: str) -> None:
    probes = Probes(rules(), [ORIGIN + link for link in LINKS], 40)
    assert probes.of(ORIGIN + url) == ORIGIN + probe.replace("NAME", NAME)


def test_probes_stay_in_scope() -> None:
    start = [f"{ORIGIN}/~ann/", f"{ORIGIN}/~ann/shop/x", f"{ORIGIN}/~bob/shop/x"]
    probes = Probes(rules("/~ann/"), start, 40)
    assert probes.of(f"{ORIGIN}/~ann/about") == f"{ORIGIN}/~ann/{NAME}"
    assert probes.of(f"{ORIGIN}/~ann/shop/a/b") == f"{ORIGIN}/~ann/shop/{NAME}"
    assert (
        Probes(rules(exclude="/shop/*"), [f"{ORIGIN}/shop/x"], 40).of(f"{ORIGIN}/shop/y") == PROBE
    )


@for_each(1, 2, 3, 7, 40)
def test_never_more_probes_than_allowed(limit: int) -> None:
    urls = [f"{ORIGIN}/d{n}/{m}.e{m}x" for n in range(50) for m in range(6)]
    probes = Probes(rules(), urls, limit)
    asked = {probes.of(url) for url in [*urls, PAGE, f"{PAGE}.e1x", f"{PAGE}.odd"]}
    assert limit / 2 <= len(asked) <= limit
    assert (
        asked == {Probes(rules(), urls, limit).of(url) for url in [*reversed(urls), PAGE]} | asked
    )


def test_the_name_is_the_same_in_every_run() -> None:
    assert probe_token("https://e.example") == NAME == "sitemapgen-404-check-" + NAME[-16:]
    assert probe_token("https://f.example") != NAME


# What real frameworks do

CORPUS = SHARED / "corpus"


def corpus() -> Iterator[tuple[dict[str, object], Path]]:
    manifest = require(CORPUS / "manifest.json")
    for site in json.loads(manifest.read_text("utf-8"))["sites"]:
        yield site["serving"], CORPUS / "sites" / site["name"]


NOT_FOUND = {"404.html", "404/index.html", "_not-found/index.html"}
"""The files of error pages."""


def start_of(root: Path, missing: str) -> tuple[str, str, str]:
    start = root / "index.html"
    headers = {"content-type": ["text/html; charset=utf-8"]}
    body = (start if start.exists() else root / missing).read_bytes()
    response = HttpResponse(200, headers, body, datetime.now(timezone.utc))
    link = Link(url=f"{ORIGIN}/", key=1)
    page = read_page(response, link, LinkReader(rules()), ReadOptions())
    return page.url, page.title, page.excerpt


def compare(root: Path, missing: str) -> tuple[Soft404Signature | None, list[str]]:
    """What a site proves that answers 200 with a file, and which of its pages are like it."""
    found = sign((root / missing).read_bytes(), start=start_of(root, missing))
    if found is None:
        return None, []
    files = [
        path.relative_to(root).as_posix() for path in sorted(root.rglob("*.html")) if path.is_file()
    ]
    pages = [name for name in files if name not in {missing, *NOT_FOUND}]
    return found, [
        name
        for name in pages
        if found.fits(
            read_document((root / name).read_bytes()), f"{ORIGIN}/{name.removesuffix('index.html')}"
        )
    ]


def test_no_page_of_a_real_site_is_taken_for_its_fallback() -> None:
    seen = 0
    for serving, root in corpus():
        if fallback := serving.get("fallback"):
            assert compare(root, str(fallback)) == (None, []), root.name
            seen += 1
    assert seen > 5


def test_real_error_pages_are_known_and_no_other_page_is_like_them() -> None:
    seen = 0
    for serving, root in corpus():
        if missing := serving.get("notfound"):
            found, alike = compare(root, str(missing))
            assert found is not None, root.name
            assert found.fits(found.reading, f"{ORIGIN}/forest/unheard-of"), root.name
            assert not alike, root.name
            seen += 1
    assert seen > 5
