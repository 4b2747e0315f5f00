"""A site of https: with planted faults of single pages: all are counted, on the right pages."""

import json
from pathlib import Path

from sitemapgen.core.document.html import MAX_TITLE
from sitemapgen.report.metrics import judge_condition, parse_conditions
from tests.helpers.crawls import Crawler
from tests.helpers.server import Answer, Serve, marked, page, text
from tests.helpers.sites import prose
from tests.helpers.tls import self_signed

PAGES = range(12)
PLANTED = {
    "missing_h1s": (1, 2),
    "repeated_h1s": (3, 4, 5),
    "several_h1s": (6,),
    "images_without_alt": (3, 7),
    "links_without_text": (7, 8),
    "mixed_content": (9,),
    "invalid_json_ld": (10,),
    "incomplete_entities": (4, 11),
    "little_content": (8,),
    "nofollow_links": (10,),
}
"""By id of what to fix: the numbers of the pages with that fault."""
TOTALS = {"images_without_alt": 4, "links_without_text": 3, "mixed_content": 2, "several_h1s": 3}
EVENT = {"@type": "Event", "name": "Tide", "location": "Harbour"}
PRODUCT = {"@context": "https://schema.org", "@type": "Product", "name": "Lamp", "offers": {}}


def json_ld(value: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


PARTS = {
    3: '<img src="/a.png"><img src="/b.png"><img src="/c.png" alt="">',
    4: json_ld([PRODUCT, {"@type": "Article"}]),
    6: "<h1>Second</h1><h1>Third</h1>",
    7: '<a href="/8"><img src="/d.png"></a><a href="/9"><img src="/e.png"></a>'
    '<a href="/1"><img src="/f.png" alt="One"></a>',
    8: '<a href="/1"><i></i></a><a href="/2" title="Two"></a>',
    9: '<img src="http://cdn.example/a.png" alt="A"><script src="http://cdn.example/a.js"></script>'
    '<script src="https://cdn.example/b.js"></script>',
    10: '<script type="application/ld+json">{"@type": "Product",}</script>'
    '<a href="/cart" rel="nofollow">Cart</a>',
    11: json_ld({"@graph": [EVENT, {"@type": "Article"}]}),
}


def site() -> dict[str, Answer]:
    links = "".join(f'<a href="/{number}">Page {number}</a> ' for number in PAGES if number)
    answers = {"/robots.txt": text("User-agent: *\nDisallow:")}
    for number in PAGES:
        heading = "Lamps" if number in PLANTED["repeated_h1s"] else f"Heading {number}"
        h1 = "" if number in PLANTED["missing_h1s"] else f"<h1>{heading}</h1>"
        words = prose(50 * number, 50 * number + (12 if number == 8 else 70))
        answers[f"/{number or ''}"] = Answer(
            f"<title>Page {number}</title><nav>{links}</nav>{h1}{words}{PARTS.get(number, '')}"
        )
    return answers


def test_every_fault_is_counted(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    server = serve(site(), tls=self_signed(tmp_path))
    result = crawl.published(server.url, "verify_tls=false")
    report = result.report
    fixes = {fix["id"]: fix for fix in report["priorities"]}
    assert {name: fixes[name]["count"] for name in PLANTED} == {
        name: len(pages) for name, pages in PLANTED.items()
    }
    found = report["on_page"]
    assert found["pages"] == len(PAGES)
    for name, pages in PLANTED.items():
        urls = {f"{server.url}{number}" for number in pages}
        if name in found:
            assert {page["url"] for page in found[name]["examples"]} == urls, name
        assert result.rows_of(fixes[name]["filter"]) == urls
        assert judge_condition(parse_conditions(f"{name}>0")[0], report).failed
    assert {name: found[name]["total"] for name in TOTALS} == TOTALS
    assert [row["evidence"] for row in found["incomplete_entities"]["examples"]] == [
        "Event has no startDate",
        "Product has no review or aggregateRating or offers",
    ]
    assert found["structured_data"] == [
        {"type": "Article", "pages": 2, "kinds": [{"kind": "/*", "pages": 2}]},
        {"type": "Event", "pages": 1, "kinds": [{"kind": "/*", "pages": 1}]},
        {"type": "Product", "pages": 1, "kinds": [{"kind": "/*", "pages": 1}]},
    ]
    shown = result.html
    assert shown.count('id="on_page"') == 1


def test_a_page_that_is_not_read_again_keeps_its_facts(serve: Serve, crawl: Crawler) -> None:
    server = serve({path: marked(answer, path) for path, answer in site().items()})
    first = crawl(server.url).report
    read_again = crawl(server.url)
    assert {visit.status for visit in server.visits} >= {200, 304}
    assert {row["h1"] for row in read_again.urls.values()} >= {"Lamps", "Heading 7"}
    assert read_again.report["on_page"] == first["on_page"]


def test_pages_beyond_measure(crawl: Crawler) -> None:
    """A page that is too large is not read; the others are listed, with their faults."""
    long = "Long title " * 9_000
    large = f'<script type="application/ld+json">{"[{}," * 3_000_000}</script>'
    site = {
        "/": page(
            "/h1s", "/title", "/none", "/json", "/too-large", title="Home", text=prose(0, 60)
        ),
        "/h1s": page(title="Many", text="<h1>One of many</h1>" * 10_000),
        "/title": page(title=long, text=prose(100, 160)),
        "/none": Answer(prose(200, 260)),
        "/json": page(title="JSON", text=prose(300, 360) + large),
        "/too-large": page(title="Too large", text=large * 4),
    }
    server, result = crawl.site(site)
    assert "Traceback" not in result.log
    verdicts = {url.removeprefix(server.url): verdict for url, verdict in result.verdicts.items()}
    assert verdicts.pop("too-large") == "fetch_error"
    assert verdicts == dict.fromkeys(("", "h1s", "title", "none", "json"), "listed")
    rows = {url.removeprefix(server.url): row for url, row in result.urls.items()}
    assert rows["h1s"]["h1s"] == "10000"
    assert rows["title"]["title_length"] == str(MAX_TITLE)
    assert rows["none"]["title_length"] == "0"
    assert (result.output / "report.html").stat().st_size < 1_000_000
