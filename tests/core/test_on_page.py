"""What an SEO audits in a document: headings, images, links, mixed content, structured data."""

import json
from datetime import datetime, timezone
from typing import Any

from sitemapgen.core.document import html
from sitemapgen.core.document.html import ReadOptions
from sitemapgen.core.document.on_page import count_words
from sitemapgen.core.document.pages import HttpResponse, read_page
from sitemapgen.core.urls import key
from sitemapgen.items import Link, OnPage, Page
from tests.core.readers import reader
from tests.helpers.cost import at_most
from tests.helpers.tables import for_each

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
"""What a hostile document may take here, on a slow machine; quadratic ones take minutes."""


def page(body: str, *, scheme: str = "https", **headers: str) -> Page:
    url = f"{scheme}://e.example/a/b"
    sent = {name.replace("_", "-"): [value] for name, value in headers.items()}
    response = HttpResponse(200, {"content-type": ["text/html"], **sent}, body.encode(), NOW)
    return read_page(response, Link(url=url, key=key(url)), reader(), ReadOptions())


def facts(body: str, **options: Any) -> OnPage:
    return OnPage.of(page(body, **options).on_page)


def script(*values: object) -> str:
    texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
    return "".join(f'<script type="application/ld+json">{text}</script>' for text in texts)


def test_what_is_no_document_has_no_facts() -> None:
    url = "https://e.example/a"
    answer = HttpResponse(404, {"content-type": ["text/html"]}, b"<h1>Gone</h1>", NOW)
    gone = read_page(answer, Link(url=url, key=key(url)), reader(), ReadOptions())
    assert (gone.h1, gone.on_page) == (None, "")


@for_each(
    ("<p>x</p>", "", 0),
    ("<h1> The  <b>tides</b> </h1>", "The tides", 1),
    ("<header><h1>Shop</h1></header><h1>Lamp</h1>", "Shop", 2),
    ("<h1></h1>", "", 1),
    ('<h1><a href="/"><img src=l.png alt=" Lamps "></a></h1>', "Lamps", 1),
    ("<template><h1>x</h1></template><noscript><h1>y</h1></noscript>", "", 0),
)
def test_headings(body: str, h1: str, count: int) -> None:
    assert (page(body).h1, facts(body).h1s) == (h1, count)


@for_each(
    ("<img src=a.png>", True),
    ("<img data-src=a.png src=data:x>", True),
    ("<img src=a.png alt>", False),
    ('<img src=a.png alt="">', False),
    ("<img src=a.png alt=Lamp>", False),
    ("<img src=a.png role=presentation>", False),
    ("<img src=a.png aria-hidden=true>", False),
    ("<noscript><img src=a.png></noscript>", False),
)
def test_images_without_alt(image: str, is_fault: bool) -> None:
    assert facts(image * 3).images_without_alt == 3 * is_fault


@for_each(
    ("<a href=/x></a>", True),
    ("<a href=/x> \n<i class=icon></i></a>", True),
    ("<a href=/x><img src=a.png></a>", True),
    ('<a href=/x><img src=a.png alt=""></a>', True),
    ("<a href=/x>x</a>", False),
    ("<a href=/x> <span><b>x</b></span></a>", False),
    ("<a href=/x><img src=a.png alt=Lamp></a>", False),
    ("<a href=/x aria-label=Menu></a>", False),
    ("<a href=/x title=Menu><i></i></a>", False),
    ("<a href=/x><i><i aria-label=Menu></i></i></a>", False),
    ("<a href=/x><svg><title>Menu</title></svg></a>", False),
    ("<a href=/x aria-hidden=true></a>", False),
    ("<a name=x></a>", False),
    ("<a href=''></a>", False),
)
def test_links_without_text(link: str, is_fault: bool) -> None:
    assert facts(link).links_without_text == is_fault


MIXED = (
    "<img src=http://o.example/a.png><img src=http://o.example/a.png><img data-src=HTTP://o/b.png>"
    "<script src=http://o.example/a.js></script><link rel=stylesheet href=http://o.example/a.css>"
    "<iframe src=http://o.example/f></iframe>"
)
SECURE = (
    "<img src=//o.example/a.png><img src=/a.png><a href=http://o.example/>x</a>"
    "<link rel=canonical href=http://e.example/a/b><script src=https://o.example/a.js></script>"
)
POLICY = "default-src *; Upgrade-Insecure-Requests"


def test_mixed_content() -> None:
    assert facts(MIXED + SECURE).mixed_content == 5, "each URL once"
    assert facts(MIXED, scheme="http").mixed_content == 0
    assert facts(MIXED, content_security_policy=POLICY).mixed_content == 0
    meta = f'<meta http-equiv=Content-Security-Policy content="{POLICY}">'
    assert facts(meta + MIXED).mixed_content == 0


def test_nofollow_links() -> None:
    links = "<a href=/x rel=nofollow>x</a><a href=/y rel='ugc nofollow'>y</a><a href=/z>z</a>"
    assert facts(links + "<a href=http://o.example rel=nofollow>o</a>").nofollow_links == 2
    assert facts("<meta name=robots content=nofollow>" + links).nofollow_links == 3
    assert facts(links + "<a href=/no/login rel=nofollow>Log in</a>").nofollow_links == 2


@for_each(
    ("", 0),
    ("one", 1),
    (" The light-house, 3 times.\n", 5),
    ("Die Größe\xa0zählt", 3),
    ("灯台守は毎日風を記す。", 11),
    ("灯台 light", 3),
)
def test_words(text: str, words: int) -> None:
    assert facts(f"<nav>Home</nav><p>{text}</p>").words == words
    assert count_words(b"") == 0


@for_each(
    ({"@type": "Article"}, "Article", 0, ""),
    ({"@type": "Product", "name": "x", "offers": {"price": 0}}, "Product", 0, ""),
    ({"@type": "Product", "name": "x", "review": []}, "Product", 1, "Product has no review or"),
    (
        {"@type": "Product"},
        "Product",
        0,
        "",  # only a name for an entity that is described elsewhere
    ),
    (
        {"@type": "Product", "sku": "1"},
        "Product",
        1,
        "Product has no name; Product has no review or aggregateRating or offers",
    ),
    ({"@type": "Event", "name": "x"}, "Event", 1, "Event has no startDate; Event has no loc"),
    ({"@type": ["http://schema.org/Event", "Thing"], "location": "x"}, "Event Thing", 1, ""),
    ({"@type": "BreadcrumbList", "itemListElement": []}, "BreadcrumbList", 1, "Breadcrumb"),
    (
        {"@graph": [{"@type": "WebPage", "mainEntity": {"@type": "Product", "name": "x"}}]},
        "WebPage Product",
        1,
        "Product has no review",
    ),
    (
        # One entity in two parts.
        [
            {"@id": "#p", "@type": "Product", "name": "x"},
            {"@id": "#p", "@type": "Product", "offers": [{}]},
            {"@id": "#q", "@type": "Product"},
        ],
        "Product",
        0,
        "",
    ),
    ({"@type": "no type, but a sentence"}, "", 0, ""),
    ({"@type": {"a": 1}, "b": [[[]]]}, "", 0, ""),
    (3, "", 0, ""),
)
def test_structured_data(data: object, types: str, incomplete: int, faults: str) -> None:
    found = facts(script(data))
    assert (found.structured_data, found.incomplete_entities) == (types, incomplete)
    assert found.structured_data_faults.startswith(faults)
    assert bool(found.structured_data_faults) == bool(incomplete)
    assert found.invalid_json_ld == 0


def test_json_ld_that_does_not_parse() -> None:
    found = facts(script('{"@type": "Event",}', "{", " \n", {"@type": "Article"}))
    assert (found.invalid_json_ld, found.structured_data) == (2, "Article")
    assert found.structured_data_faults.startswith("JSON-LD is no JSON: ")
    assert "line 1 column" in found.structured_data_faults


@for_each(
    "<h1>x</h1>" * 10_000,
    f"<h1>{'x' * 100_000}</h1><title>{'y' * 100_000}</title>",
    script("[" * 1_000_000),
    script("[" + "{}," * 600_000 + "{}]"),
    script("[" + ",".join(f'{{"@type":"T{number}"}}' for number in range(100_000)) + "]"),
    script(f'{{"@type":"Product","name":{"9" * 100_000}}}'),
    '<script type="application/ld+json">' + '{"@type":"Product"},' * 500_000,
    ("<svg>" + "<a href=x>" * 500 + "</a>" * 500 + "</svg>") * 60,
    ("<svg>" + "<a href=x>" * 500 + "x" * 60_000 + "</a>" * 500 + "</svg>") * 60,
    "<a href=x>" + "<i></i>" * 140_000,
    f"<a href=x>{' ' * 10_000_000}<b></b></a>" + "<a href=y> <b></b></a>" * 10_000,
    "<img src=http://o.example/x>" * 100_000,
)
def test_hostile_documents(body: str) -> None:
    with at_most(10):
        found = page(body)
    assert len(found.on_page) < 2_000
    assert len(found.h1 or "") <= html.MAX_TITLE
