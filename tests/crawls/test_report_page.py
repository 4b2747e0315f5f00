"""report.html of real crawls: its figures are those of the site, and its texts stay texts."""

import json
from html import escape

import pytest

from sitemapgen.core.words import counted
from tests.helpers.crawls import Crawler
from tests.helpers.report import HOSTILE, ShowReport
from tests.helpers.server import HERE, Answer, Serve, page, redirect, text, urlset

WORDS = "Every page of this site says something of its own, in more than one hundred characters: "
HIDDEN = escape('"><script>alert(1)</script>')


def hostile() -> dict[str, Answer]:
    """A site whose titles, links and sitemap would like to be more than texts."""
    titles = [escape(title.encode("utf-8", "replace").decode()) for title in HOSTILE]
    pages = {
        f"/{number}": page("/", title=title, text=f"{WORDS}{number}")
        for number, title in enumerate(titles)
    }
    links = ("javascript:alert(1)", f"/{HIDDEN}", "/missing", "/moved", "/bad-canonical")
    return {
        **pages,
        "/": page(*pages, *links, title=titles[0], text=WORDS),
        "/moved": redirect("/%22%3E%3Cimg%20src=x%3E"),
        "/%22%3E%3Cimg%20src=x%3E": page("/", title=titles[1], text=f"{WORDS}moved"),
        "/bad-canonical": page(
            "/",
            head=f'<link rel="canonical" href="javascript:alert(1)//{HIDDEN}">',
            text=f"{WORDS}canonical",
        ),
        "/orphan": page("/", title=titles[2], text=f"{WORDS}orphan"),
        "/robots.txt": text(f"Sitemap: {HERE}sitemap.xml\nSitemap: {HERE}{HIDDEN}.xml\n"),
        "/sitemap.xml": urlset("", "0", "orphan", "moved", "missing", base=HERE),
    }


@pytest.mark.full
def test_a_hostile_site(crawl: Crawler, show_report: ShowReport) -> None:
    _, result = crawl.site(hostile())
    report = result.report
    opened = show_report(result.files["report.html"], width=360).go()
    tab = opened.page
    assert opened.complaints == []
    assert opened.requests == [opened.url]
    assert tab.evaluate("document.documentElement.scrollWidth") == 360
    assert tab.locator("body :is(img, svg, iframe, [onerror], [onload])").count() == 0
    hrefs = [link.get_attribute("href") or "" for link in tab.locator("a").all()]
    assert not [href for href in hrefs if "script:" in href.lower()[:20]]
    said = "\n".join(opened.column(1))
    for title in HOSTILE[:3]:
        assert title in said
    assert opened.status.endswith(f"of {report['seen']} URLs")
    for rest in tab.locator("#priorities summary").all():
        rest.click()
    fixes = tab.locator("#priorities li")
    assert fixes.count() == len(report["priorities"]) >= 4
    for number, fix in enumerate(report["priorities"]):
        assert fix["sentence"] in fixes.nth(number).inner_text()
        if fix["filter"]:
            rows = result.rows_of(fix["filter"])
            fixes.nth(number).get_by_role("link", name="Show the URLs").click()
            opened.wait(f"of {counted(len(rows), 'URL')}")


def test_a_crawl_that_was_cut_short_says_so_first(serve: Serve, crawl: Crawler) -> None:
    names = [f"/{number}" for number in range(9)]
    result = crawl.published(
        serve({"/": page(*names), **{name: page() for name in names}}).url, "max_pages=4"
    )
    written = result.html
    assert json.dumps(result.report["unfinished"])[1:-1] in written
    header = written[written.index("<header") :]
    assert header.index("Unfinished.") < header.index("<h1>")
