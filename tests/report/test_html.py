"""report.html in a real browser: what somebody sees and clicks, and what a site may do to it."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from sitemapgen.report import html
from sitemapgen.store.results import UrlRow
from sitemapgen.verdicts import Verdict
from tests.helpers.browser import BROWSER, needs_browser
from tests.helpers.report import HOSTILE, Opened
from tests.report.sample import SITE, empty, rows, summary


def made(facts: dict[str, Any], table: Iterable[UrlRow]) -> bytes:
    file = io.BytesIO()
    first = html.Table(facts["start"])
    deque(first.watch(table), maxlen=0)
    html.write(facts, first, file)
    return file.getvalue()


def unpacked(page: bytes) -> list[list[Any]]:
    """The rows of the table in a page, without a browser."""
    block = re.search(rb'id="rows">([^<]*)<', page)
    assert block
    _, *chunks = gzip.decompress(base64.b64decode(block[1])).splitlines()
    return [list(row) for chunk in chunks for row in zip(*json.loads(chunk))]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def show(chromium: Browser, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Write a report and open it: ``show(summary, rows, width=360, color_scheme="dark")``."""
    contexts = []

    def show_(content: bytes, *, width: int = 1400, **options: Any) -> Opened:
        path = tmp_path / "report.html"
        path.write_bytes(content)
        contexts.append(chromium.new_context(viewport={"width": width, "height": 900}, **options))
        contexts[-1].set_default_timeout(20_000)
        return Opened(contexts[-1].new_page(), path)

    yield show_
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def report() -> bytes:
    return made(summary(1_170), rows(1_170))


# --- the file


def test_the_same_data_are_the_same_bytes(report: bytes) -> None:
    assert made(summary(1_170), rows(1_170)) == report
    packed = re.search(rb'id="rows">([^<]*)<', report)
    assert packed
    assert base64.b64decode(packed[1])[4:8] == bytes(4)  # RFC 1952: MTIME, 0 is none


def test_every_row_is_in_it(report: bytes) -> None:
    cells = unpacked(report)
    assert [SITE + url for url, *_ in cells] == [row.url for row in rows(1_170)]
    assert [row[1] for row in cells] == [row.verdict for row in rows(1_170)]


def test_it_stays_small() -> None:
    sizes = [len(made(summary(many), rows(many))) for many in (1_000, 20_000)]
    assert sizes[0] < 1_000_000
    assert (sizes[1] - sizes[0]) / 19_000 < 60, sizes


@pytest.mark.parametrize(("rows_at_most", "bytes_at_most"), [(100, 64 << 20), (2_000, 20_000)])
def test_all_rows_pass_by_and_only_the_first_are_kept(
    rows_at_most: int, bytes_at_most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "MAX_ROWS", rows_at_most)
    monkeypatch.setattr(html, "MAX_BYTES", bytes_at_most)
    monkeypatch.setattr(html, "CHUNK", 30)
    every, table = list(rows(1_170)), html.Table(SITE + "/")
    assert list(table.watch(iter(every))) == every
    assert 0 < table.count <= 100


def test_rows_beyond_the_cap_are_said_to_be_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MAX_ROWS", 100)
    monkeypatch.setattr(html, "CHUNK", 30)
    page = made(summary(1_170), rows(1_170))
    assert len(unpacked(page)) == 100
    assert b"These are the first 100 of 1,170; the rest is in" in page


def test_long_rows_are_fewer_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MAX_BYTES", 100_000)
    monkeypatch.setattr(html, "CHUNK", 100)
    page = made(summary(1_170), rows(1_170, "x" * 10_000))
    assert 100 <= len(unpacked(page)) < 1_170
    assert max(len(row[10]) for row in unpacked(page)) == html.MAX_CELL


def test_every_verdict_has_its_meaning(report: bytes) -> None:
    for verdict in Verdict:
        assert verdict.row.meaning.encode() in report
        assert verdict.row.remedy.encode() in report


def test_what_the_page_says_things_with() -> None:
    import doctest

    assert doctest.testmod(html).failed == 0
    assert doctest.testmod(html).attempted > 8


def test_links_within_the_page_lead_somewhere(report: bytes) -> None:
    text = report.decode()
    ids = set(re.findall(r'\sid="([^"]+)"', text))
    targets = set(re.findall(r'href="#([^"]+)"', text))
    assert {"urls", "wasted", "broken_links", "main"} <= targets
    assert targets <= ids


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"unfinished": "The crawl was interrupted after 3 pages."}, "Unfinished. The crawl was"),
        ({"refused": "5 of 10 published URLs are no longer listed"}, "Not published."),
        ({}, "Not complete. 1,208 known URLs were not looked at"),
        ({"not_looked_at": []}, "SITEMAP REPORT"),
    ],
)
@needs_browser
def test_the_first_line(facts: dict[str, Any], words: str, show: Callable[..., Opened]) -> None:
    opened = show(made({**summary(50), **facts}, rows(50))).go()
    assert opened.page.locator("body > header > :first-child").inner_text().startswith(words)


@needs_browser
def test_what_was_not_looked_at(show: Callable[..., Opened]) -> None:
    opened = show(made(summary(50), rows(50))).go()
    section = opened.page.locator("#not_looked_at")
    lines = [line.inner_text().split("\t") for line in section.locator("tbody tr").all()]
    assert [line[:3] for line in lines] == [
        [
            "Deeper than max_depth=9",
            "4",
            "-a max_depth=0 (no limit) or a larger number fetches them",
        ],
        ["In endless spaces", "1,204", "-a traps=report fetches them, within max_pages"],
    ]
    assert "/calendar?day=0" in lines[1][3]
    above = section.bounding_box(), opened.page.locator("#coverage").bounding_box()
    tops = [box["y"] for box in above if box]
    assert tops[0] < tops[1]
    expect(opened.page.locator("#orphans")).to_contain_text("At most that number")


# --- offline


@needs_browser
def test_it_asks_nobody_for_anything(report: bytes, show: Callable[..., Opened]) -> None:
    opened = show(report).go()
    opened.page.locator("footer").scroll_into_view_if_needed()
    assert opened.requests == [opened.url]
    assert opened.complaints == []


@needs_browser
@pytest.mark.parametrize(
    "attempt",
    [
        "fetch('https://example.com/').then(() => 1)",
        "new Promise(done => { const image = new Image(); image.onload = () => done(1);"
        " image.onerror = () => done(0); image.src = 'https://example.com/x.png' })",
        "(() => { const script = document.createElement('script');"
        " script.textContent = 'window.ran = 1'; document.body.append(script);"
        " return window.ran })()",
    ],
)
def test_its_policy_would_not_let_it(
    attempt: str, report: bytes, show: Callable[..., Opened]
) -> None:
    opened = show(report).go()
    script = f"Promise.resolve().then(() => {attempt}).catch(() => 0).then(result => result || 0)"
    assert opened.page.evaluate(script) == 0
    assert any("Content Security Policy" in complaint for complaint in opened.complaints)


# --- the table


@needs_browser
def test_sorting(report: bytes, show: Callable[..., Opened]) -> None:
    opened = show(report).go()
    head = opened.page.locator("#all").get_by_role("columnheader", name="Links in")
    degrees = sorted((row.in_degree for row in rows(1_170)), reverse=True)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert opened.column(5) == [str(degree) for degree in degrees[:50]]
    opened.page.keyboard.press("Enter")  # the button still has the focus
    assert head.get_attribute("aria-sort") == "ascending"
    assert opened.column(5) == [str(degree) for degree in degrees[:-51:-1]]
    opened.page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") is None
    assert opened.column(5) == [str(row.in_degree) for row in list(rows(1_170))[:50]]


@needs_browser
def test_what_has_no_value_comes_last_in_both_directions(
    report: bytes, show: Callable[..., Opened]
) -> None:
    opened = show(report).go()
    for name, column in (("Status", 3), ("lastmod", 7)):  # None, and an empty text
        for _ in range(2):
            opened.page.get_by_role("button", name=name).click()
            assert "\N{EN DASH}" not in opened.column(column)
        opened.page.get_by_role("button", name="Last", exact=True).click()
        assert set(opened.column(column)) == {"\N{EN DASH}"}


@needs_browser
def test_verdicts_and_words(report: bytes, show: Callable[..., Opened]) -> None:
    opened = show(report).go()
    opened.page.locator("#verdicts summary").click()
    opened.page.get_by_role("checkbox", name="noindex").check()
    opened.page.get_by_role("checkbox", name="soft_404").check()
    fit = [row for row in rows(1_170) if row.verdict in ("noindex", "soft_404")]
    assert f"of {len(fit)} URLs that fit, of 1,170" in opened.status
    opened.page.locator("#search").fill("/PART-3/")
    both = [row for row in fit if "/part-3/" in row.url]
    assert 0 < len(both) < len(fit)
    opened.wait(f"of {len(both)} URLs")
    assert [text.split("\n")[0].lstrip("+ ") for text in opened.column(1)] == [
        row.url.removeprefix(SITE) for row in both[:50]
    ]
    # The address keeps it all: it can be sent to somebody else.
    again = show(report).go(opened.page.url[opened.page.url.index("#") :])
    assert again.status == opened.status
    again.page.get_by_role("button", name="Remove the filter search").click()
    assert f"of {len(fit)} URLs" in again.status
    again.page.locator("#search").fill("no such page")
    again.page.get_by_role("button", name="Show all").click()
    assert again.status.endswith("of 1,170 URLs")


@needs_browser
def test_links_from_the_first_section_show_what_they_count(
    report: bytes, show: Callable[..., Opened]
) -> None:
    opened = show(report).go()
    for fix in summary(1_170)["priorities"]:
        if not fix["filter"]:
            continue
        opened.page.locator("#priorities li", has_text=fix["sentence"]).get_by_role(
            "link", name="Show the URLs"
        ).click()
        opened.wait(f"of {fix['count']:,} URLs")
        assert opened.page.evaluate("document.activeElement.id") == "urls-h"
        opened.page.go_back()


@needs_browser
def test_links_to_directories(show: Callable[..., Opened]) -> None:
    odd = "/a&b=c,d/"
    table = [
        row._replace(url=f"{SITE}{odd}{number}") if number % 2 else row
        for number, row in enumerate(rows(40))
    ]
    facts = summary(40)
    facts["tree"]["children"][0]["path"] = odd
    opened = show(made(facts, table)).go()
    opened.page.locator("#tree summary").click()
    opened.page.locator("#tree").get_by_role("link", name=odd, exact=True).click()
    opened.page.wait_for_function(
        "/20 URLs that/.test(document.querySelector('#status').textContent)"
    )


@needs_browser
def test_all_about_one_url(report: bytes, show: Callable[..., Opened]) -> None:
    opened = show(report).go("#urls?verdict=listed")
    row = next(row for row in rows(1_170) if row.verdict == "listed" and row.parent)
    opened.page.locator("#search").fill(row.url.removeprefix(SITE))
    opened.wait("of 1 URL that fits")
    more = opened.page.get_by_role("button", name="All about this URL")
    more.click()
    detail = opened.page.locator(".detail").inner_text()
    assert row.parent
    assert row.parent.removeprefix(SITE) in detail
    assert "json-ld" in detail
    more.click()
    assert opened.page.locator(".detail").count() == 0


@needs_browser
def test_a_hundred_thousand_urls(show: Callable[..., Opened]) -> None:
    content = made(summary(1_170) | {"seen": 100_000}, rows(100_000))
    assert len(content) < 8_000_000
    opened = show(content)
    times: dict[str, float] = {}

    def timed(name: str, step: Callable[[], object]) -> None:
        began = time.monotonic()
        step()
        times[name] = time.monotonic() - began

    timed("ready", opened.go)
    times["paint"] = (
        opened.page.evaluate("performance.getEntriesByType('paint')[0].startTime") / 1000
    )
    timed("sort", opened.page.get_by_role("button", name="URL", exact=True).click)
    timed("sort numbers", opened.page.get_by_role("button", name="Links in").click)
    timed("filter", lambda: opened.page.evaluate("location.hash = '#urls?verdict=noindex'"))
    opened.page.wait_for_selector("#filters button")
    timed("search", lambda: opened.page.locator("#search").fill("page-09999"))
    expect(opened.page.locator("#filters button")).to_have_count(2)
    print(len(content), times)
    assert times["paint"] < 5, times
    assert times["ready"] < 20, times
    assert max(times[name] for name in ("sort", "sort numbers", "filter", "search")) < 5, times


# --- what a site may do to it


def poisoned(value: Any, poison: Iterator[str]) -> Any:
    """The same with every text of the site replaced; what are our words stays."""
    if isinstance(value, dict):
        ours = ("id", "verdict", "verdicts", "where", "filter", "type", "fault", "hops")
        ours += ("growth",)  # times, all of them
        return {
            key: entry if key in ours else poisoned(entry, poison) for key, entry in value.items()
        }
    if isinstance(value, list):
        return [poisoned(entry, poison) for entry in value]
    return next(poison) if isinstance(value, str) else value


def endless(texts: tuple[str, ...]) -> Iterator[str]:
    while True:
        yield from texts


@needs_browser
@pytest.mark.parametrize("width", [1400, 360])
def test_texts_of_the_site_stay_texts(width: int, show: Callable[..., Opened]) -> None:
    poison = endless(HOSTILE)
    facts = {**poisoned(summary(200), poison), "start": f"{SITE}/"}
    table = [
        row._replace(
            url=row.url if number % 3 else f"{SITE}/{number}/%22%3E?q='<b>",
            title=next(poison),
            evidence=next(poison),
            canonical=next(poison),
            parent=next(poison),
        )
        for number, row in enumerate(rows(200))
    ]
    opened = show(made(facts, table), width=width).go()
    page = opened.page
    for more in page.get_by_role("button", name="All about this URL").all()[:12]:
        more.click()
    assert opened.complaints == []
    assert opened.requests == [opened.url]
    assert page.locator("body :is(img, iframe, object, embed, [onerror], [onload])").count() == 0
    assert page.locator("body svg").count() == 1  # our plot of when URLs were seen
    assert page.locator("script").count() == 4  # three that run, and the meanings of verdicts
    links = page.locator("a[href]").evaluate_all(
        "all => all.map(a => [a.getAttribute('href'), a.rel, a.querySelectorAll('bdi').length])"
    )
    assert len(links) > 200
    for href, rel, isolated in links:
        assert re.match(r"https?://|#|(urls\.csv|report\.json)$", href), href
        if href.startswith("http"):
            assert (rel, isolated) == ("noopener noreferrer", 1)  # for letters that turn a line
    page.locator("#search").fill("<b>")
    page.wait_for_selector("#filters button")
    assert opened.complaints == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


# --- how it looks


def pixels(opened: Opened) -> str:
    """What is drawn on the canvas of the depths."""
    drawn: str = opened.page.evaluate("document.querySelector('#depth canvas').toDataURL()")
    return drawn


@needs_browser
def test_light_dark_and_printed(report: bytes, show: Callable[..., Opened]) -> None:
    opened = show(report, color_scheme="light").go()
    background = "getComputedStyle(document.querySelector('#depth')).backgroundColor"
    colour = "getComputedStyle(document.body).color"
    assert opened.page.evaluate(background) == "rgb(255, 255, 255)"
    light = pixels(opened)
    opened.page.emulate_media(color_scheme="dark")
    assert opened.page.evaluate(background) == "rgb(24, 28, 34)"
    dark = pixels(opened)
    assert dark != light
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert pixels(opened) == light
    opened.page.emulate_media(color_scheme="dark", media="print")
    assert opened.page.evaluate(colour) == "rgb(23, 27, 32)"
    opened.page.emulate_media(color_scheme="dark", media="screen")
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert pixels(opened) == dark


@needs_browser
@pytest.mark.parametrize("width", [360, 768, 1400])
def test_nothing_is_wider_than_the_screen(
    width: int, report: bytes, show: Callable[..., Opened]
) -> None:
    opened = show(report, width=width).go()
    opened.page.locator("main details").evaluate_all("all => all.forEach(one => one.open = true)")
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width


@needs_browser
def test_with_the_keyboard_alone(report: bytes, show: Callable[..., Opened]) -> None:
    opened = show(report).go()
    opened.page.keyboard.press("Tab")
    assert opened.page.evaluate("document.activeElement.className") == "skip"
    opened.page.keyboard.press("Enter")
    assert opened.page.evaluate("document.activeElement.id") == "main"
    for _ in range(2):
        opened.page.keyboard.press("Tab")
        if opened.page.evaluate("document.activeElement.matches('.show')"):
            break
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector("#filters button")
    assert opened.page.evaluate("document.activeElement.id") == "urls-h"


@needs_browser
def test_charts_have_words_and_a_table(report: bytes, show: Callable[..., Opened]) -> None:
    opened = show(report).go()
    charts = opened.page.locator("figure.chart")
    assert charts.count() == 7
    for chart in charts.all():
        assert chart.get_by_role("img").get_attribute("aria-label")
        assert chart.locator("canvas").count() == 1
        chart.locator("details").evaluate("details => { details.open = true }")
        assert chart.locator("table").is_visible()


@needs_browser
def test_new_urls_are_drawn_in_both_schemes(report: bytes, show: Callable[..., Opened]) -> None:
    opened = show(report, color_scheme="light").go()
    growth = opened.page.locator("#growth")
    assert "170 URLs are new since 2024-05-01: 40 that a sitemap named first" in growth.inner_text()
    assert "the sitemaps are behind by 13.9 hours a URL" in growth.inner_text()
    assert growth.locator("svg circle").count() == 27
    assert growth.locator("svg circle title").first.text_content() == (
        "5 URLs: days until a sitemap had it 3, days until a link had it 3"
    )
    fill = "getComputedStyle(document.querySelector('#growth circle')).fill"
    light = opened.page.evaluate(fill)
    opened.page.emulate_media(color_scheme="dark")
    assert opened.page.evaluate(fill) != light
    assert opened.complaints == []


@needs_browser
def test_a_directory_of_the_tree_opens(report: bytes, show: Callable[..., Opened]) -> None:
    opened = show(report).go()
    canvas = opened.page.locator("#tree canvas")
    drawn = "document.querySelector('#tree canvas').toDataURL()"
    before = opened.page.evaluate(drawn)
    box = canvas.bounding_box()
    assert box
    canvas.click(position={"x": box["width"] * 0.1, "y": box["height"] * 0.4})
    opened.page.mouse.move(0, 0)
    opened.page.wait_for_timeout(800)
    inside = opened.page.evaluate(drawn)
    assert inside != before
    canvas.click(position={"x": 8, "y": box["height"] - 14})  # the line below leads back
    opened.page.mouse.move(0, 0)
    opened.page.wait_for_timeout(800)
    assert opened.page.evaluate(drawn) != inside
    assert opened.complaints == []


@needs_browser
def test_without_scripts(report: bytes, show: Callable[..., Opened]) -> None:
    opened = show(report, java_script_enabled=False)
    opened.page.goto(opened.url)
    text = opened.page.locator("main").inner_text()
    for said in (summary(1_170)["priorities"][0]["sentence"], "59.8%", "Dead ends", "urls.csv"):
        assert said in text
    for figure in opened.page.locator("figure.chart").all():
        assert figure.locator("table").is_visible()
        assert not figure.locator(".canvas").is_visible()
    assert "needs JavaScript" in text
    assert not opened.page.locator("#table").is_visible()


@needs_browser
def test_nothing_to_say_is_said(show: Callable[..., Opened]) -> None:
    opened = show(made(empty(), [])).go()
    assert opened.complaints == []
    assert opened.page.locator("canvas").count() == 0
    for name in html.SECTIONS:
        if name not in ("indexed", "coverage"):
            assert opened.page.locator(f"#{name} .empty").count() >= 1, name
    assert "The site has no sitemap." in opened.page.locator("#coverage").inner_text()
