"""A shop with 22 kinds of faults: all are counted, and named where the report begins."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import sync_playwright

from sitemapgen.store.results import LARGE, SLOW
from tests.helpers.browser import BROWSER, needs_browser
from tests.helpers.crawls import IMPATIENT, Crawl, command, run_to_end
from tests.helpers.report import Opened
from tests.helpers.server import Answer, Server, page, redirect, text, xml
from tests.helpers.sites import prose

pytestmark = pytest.mark.sample

PRODUCTS = range(40)
WIDTH, HEIGHT = 1400, 900
MOST = 9_000
"""Pixels of the whole report."""

PLANTED = {
    "http_error_in_sitemap": 4,
    "redirect_in_sitemap": 3,
    "noindex_in_sitemap": 2,
    "canonicalised_in_sitemap": 5,
    "robots_disallowed_in_sitemap": 2,
    "offsite_in_sitemap": 2,
    "missing_from_sitemap": 11,
    "orphans": 3,
    "broken_links": 5,
    "redirect_chains": 1,
    "hreflang": 2,
    "wrong_dates_in_sitemap": 46,
    "slow_kinds": 1,
    "slow_pages": 1,
    "large_pages": 1,
    "missing_h1s": 2,
    "several_h1s": 1,
    "repeated_titles": 4,
    "images_without_alt": 3,
    "links_without_text": 1,
    "invalid_json_ld": 1,
    "little_content": 2,
    "near_duplicates": 1,
    "dead_ends": 2,
}
"""By id of what to fix: the number of URLs, or of entries, links or dates, with that fault."""


PARTS = {
    **dict.fromkeys((6, 7, 8), '<img src="/a.png">'),
    9: "<h1>Another</h1>",
    10: '<a href="/"><i></i></a>',
    11: '<script type="application/ld+json">{"@type": "Product",}</script>',
    12: f"<!-- {'x' * LARGE} -->",
}
"""By number of a product: what its page has besides, which is a fault."""


def product(number: int, head: str = "") -> Answer:
    name = f"Product {number}"
    h1 = "" if number in (1, 2) else f"<h1>{name}</h1>"
    words = prose(30 * number, 30 * number + (12 if number in (13, 14) else 60))
    title = "Product" if number in (4, 5) else name
    links = [] if number in (17, 18) else ["/"]
    return page(*links, head=head, title=title, text=f"{h1}{words}{PARTS.get(number, '')}")


def canonical(path: str) -> str:
    return f'<link rel="canonical" href="{path}">'


def alternate(path: str) -> str:
    return f'<link rel="alternate" hreflang="de" href="{path}">'


def shop(port: int) -> dict[str, Answer]:
    """A start page, 40 products, 12 lists and three orphans; beside each other group, its fault."""
    base = f"http://127.0.0.1:{port}"
    products = [f"/product/{number}" for number in PRODUCTS]
    sold_out = [f"/sold-out/{number}" for number in range(4)]  # 404, in the sitemap
    moved = [f"/moved/{number}" for number in range(3)]  # 301, in the sitemap
    tests = [f"/test/{number}" for number in range(2)]  # noindex, in the sitemap
    colours = [f"{products[number]}?colour=red" for number in range(5)]  # of another canonical
    shut = ["/cart", "/checkout"]  # robots.txt
    orphans = [f"/sale/{number}" for number in range(3)]
    slow = [f"/found/{number}" for number in range(12)]  # take 1.2 s, the last one 5 s
    broken = "/no-longer-there"
    care = ["/care", "/care/print"]  # nearly the same
    listed = ["/", *products[:30], *slow, *sold_out, *moved, *tests, *colours, *shut, *orphans]
    entries = [f"{base}{path}" for path in listed]
    entries += ["http://another.example/", "http://another.example/shop"]
    # The time at which the sitemap was made stands beside every page of it.
    made = "<lastmod>2026-03-04T05:06:07+00:00</lastmod>"
    answers = {
        "/robots.txt": text(
            f"User-agent: *\nDisallow: /cart\nDisallow: /checkout\nSitemap: {base}/sitemap.xml"
        ),
        "/sitemap.xml": xml(
            "<urlset>"
            + "".join(f"<url><loc>{each}</loc>{made}</url>" for each in entries)
            + "</urlset>"
        ),
        "/": page(
            *(*products, *slow, *sold_out, *moved, *tests, *colours, *shut, *care),
            *(broken, "/first"),
            title="Shop",
            text=f"<h1>Shop</h1>{prose(1300, 1360)}",
        ),
        **{path: product(number) for number, path in enumerate(products)},
        **{path: Answer("sold out", 404) for path in (*sold_out, broken)},
        **{path: redirect(products[number]) for number, path in enumerate(moved)},
        **{
            path: product(60 + number, head='<meta name="robots" content="noindex">')
            for number, path in enumerate(tests)
        },
        **{
            path: product(number, head=canonical(products[number]))
            for number, path in enumerate(colours)
        },
        **{path: product(65 + number) for number, path in enumerate(orphans)},
        **{path: product(69 + number)._replace(delay=1.2) for number, path in enumerate(slow)},
        slow[-1]: product(80)._replace(delay=SLOW),
        **{
            path: page(
                "/", title="Care", text=f"<h1>Care</h1>{prose(2000 + number, 2200 + number)}"
            )
            for number, path in enumerate(care)
        },
        "/first": redirect("/second"),
        "/second": redirect(products[9]),
    }
    for number in (20, 21):  # of which the other page names none
        answers[products[number]] = product(number, head=alternate(products[number + 5]))
    return answers


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawl]:
    directory = tmp_path_factory.mktemp("shop")
    server = Server({})
    server.site = shop(server.port)
    try:
        log = directory / "log"
        line = command(server.url, directory / "output", *IMPATIENT)
        assert run_to_end(line, log) == 0, log.read_text()
        yield Crawl(0, log.read_text(), directory / "output")
    finally:
        server.stop()


def test_every_fault_is_counted(audited: Crawl) -> None:
    counts = {fix["id"]: fix["count"] for fix in audited.report["priorities"]}
    assert {name: counts.get(name) for name in PLANTED} == PLANTED


def test_faults_lead_to_their_rows(audited: Crawl) -> None:
    filters = {fix["id"]: fix["filter"] for fix in audited.report["priorities"]}
    rows = {
        name: sorted(url.partition("//")[2].partition("/")[2] for url in audited.rows_of(columns))
        for name, columns in filters.items()
        if columns is not None
    }
    assert rows["hreflang"] == ["product/20", "product/21"]
    assert rows["dead_ends"] == ["product/17", "product/18"]
    assert rows["near_duplicates"] == ["care/print"]
    for name in ("wrong_dates_in_sitemap", "missing_from_sitemap"):
        assert len(rows[name]) == PLANTED[name]
    assert "product/30" not in rows["wrong_dates_in_sitemap"]  # the first that is not in it


def test_wrong_dates_are_among_the_first_five_with_an_example(audited: Crawl) -> None:
    first = audited.report["priorities"][:5]
    (sentence,) = [fix["sentence"] for fix in first if fix["id"] == "wrong_dates_in_sitemap"]
    assert "2026-03-04T05:06:07+00:00" in sentence


def test_columns_for_spreadsheets(audited: Crawl) -> None:
    rows = {path.partition("//")[2].partition("/")[2]: row for path, row in audited.urls.items()}
    moved, shown, gone = rows["moved/1"], rows["product/1"], rows["sold-out/1"]
    assert moved["redirect_target"].endswith("/product/1")
    assert (moved["kind"], shown["kind"]) == ("/moved/*", "/product/*")
    assert gone["title_length"] == ""
    assert shown["title_length"] == str(len("Product 1"))
    assert 80 < int(shown["title_pixels"]) < 100
    assert {path for path, row in rows.items() if row["seconds"]} == {"found/11"}
    large = [row["url"] for row in audited.report["speed"]["large"]["examples"]]
    assert {row["url"]: int(row["bytes"]) >= LARGE for row in rows.values() if row["bytes"]} == (
        dict.fromkeys(large, True)
    )
    filters = {fix["id"]: fix["filter"] for fix in audited.report["priorities"]}
    assert filters["slow_pages"] == {"seconds": [">0"]}
    assert filters["large_pages"] == {"bytes": [f">{LARGE - 1}"]}


@pytest.mark.full
@needs_browser
def test_the_first_two_screens_name_them(audited: Crawl) -> None:
    sentences = {
        fix["id"]: fix["sentence"]
        for fix in audited.report["priorities"]
        if fix["id"] in PLANTED and fix["severity"] != "notice"
    }
    assert len(sentences) == 18
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        try:
            tab = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            Opened(tab, audited.output / "report.html").go(folded=True)
            below = {}
            for name, sentence in sentences.items():
                place = tab.locator("main").get_by_text(sentence).first.bounding_box()
                bottom = place["y"] + place["height"] if place else None
                if bottom is None or bottom > 2 * HEIGHT:
                    below[name] = bottom
            assert not below
            height = tab.evaluate("document.documentElement.scrollHeight")
            assert height <= MOST, "folded by topic"
        finally:
            browser.close()
