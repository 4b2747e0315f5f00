"""report.html in a real browser: what a person sees and clicks, and what a site may do to it."""

import base64
import csv
import gzip
import io
import itertools
import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from sitemapgen.core.words import counted
from sitemapgen.report import html, templates, urls_csv
from sitemapgen.report.priorities import list_fixes
from sitemapgen.report.summary import SECTIONS
from sitemapgen.verdicts import Verdict
from tests.helpers.report import HOSTILE, Report, ShowReport, made
from tests.report.sample import SITE, empty, filled, rows, summary


def unpacked(page: bytes) -> list[list[Any]]:
    """The rows of the table in a page, without a browser."""
    block = re.search(rb'id="rows">([^<]*)<', page)
    assert block
    _, *chunks = gzip.decompress(base64.b64decode(block[1])).splitlines()
    return [list(row) for chunk in chunks for row in zip(*json.loads(chunk))]


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


@pytest.mark.full
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
    assert list(table.watch(iter(every))) == [row.cells() for row in every]
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
        assert str(templates.option_hints(verdict.row.remedy)).encode() in report


def test_the_words_of_its_readers_and_the_exact_ones_in_tooltips(report: bytes) -> None:
    text = report.decode()
    assert '<span class="hint" title="scrapy: -a max_depth=0">--max-depth 0</span>' in text
    words = Verdict.CANONICALISED.row.meaning
    badge = f'title="canonicalised: {words}">points to another URL'
    assert badge in text
    for term in ("as the literature measures it", "tables of contents", "Signal to noise</"):
        assert term not in text


def test_index_figures_only_with_index_data() -> None:
    facts = summary(50)
    assert b"Index coverage" not in made(facts, rows(50))
    facts["coverage"]["indexed_from"] = "file"
    assert b"Index coverage" in made(facts, rows(50))


def test_links_within_the_page_lead_somewhere(report: bytes) -> None:
    text = report.decode()
    ids = set(re.findall(r'\sid="([^"]+)"', text))
    targets = set(re.findall(r'href="#([^"]+)"', text))
    assert {"urls", "wasted", "broken_links", "main"} <= targets
    assert targets <= ids


@pytest.mark.full
@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"unfinished": "The crawl was interrupted after 3 pages."}, "Unfinished. The crawl was"),
        ({"refused": "5 of 10 published URLs are no longer listed"}, "Not published."),
        ({}, "Not complete. 1,208 known URLs were not looked at"),
        ({"not_looked_at": []}, "SITEMAP REPORT"),
    ],
)
def test_the_first_line(facts: dict[str, Any], words: str, show_report: ShowReport) -> None:
    opened = show_report(made({**summary(50), **facts}, rows(50))).go()
    assert opened.page.locator("body > header > :first-child").inner_text().startswith(words)


@pytest.mark.full
@pytest.mark.parametrize("many", [3, 12, 20])
def test_what_to_fix_is_numbered_and_graded(many: int, show_report: ShowReport) -> None:
    facts = summary(50)
    facts["priorities"] = [facts["priorities"][number % 5] for number in range(many)]
    opened = show_report(made(facts, rows(50))).go()
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")  # opens what is folded
    number = "all => all.map(one => getComputedStyle(one, '::before').content)"
    items = opened.page.locator("#priorities li")
    assert items.evaluate_all(number) == [f'"{number}"' for number in range(1, many + 1)]
    for fix, text in zip(facts["priorities"], items.all_inner_texts()):
        assert text.startswith(f"{fix['severity']} {fix['sentence']}\n\n{fix['why']}")
    bottom = items.nth(min(many, 12) - 1).bounding_box()
    assert bottom
    assert bottom["y"] + bottom["height"] < 2 * 900, "twelve things are on the first two screens"
    first = items.nth(min(many, 5) - 1).bounding_box()
    assert first
    assert first["y"] + first["height"] < 900, "five things are on the first"


@pytest.mark.full
def test_the_first_screen(report: bytes, show_report: ShowReport) -> None:
    facts = summary(1_170)
    header = show_report(report).go().page.locator("header")
    for words in (
        facts["headline"]["sentence"],
        "on 2024-05-21 at 12:00 UTC",
        "with sitemapgen 0.1.0",
        "www.example.com",
        "slowest kind of page: /0/*\n1.2 s",
    ):
        assert words in header.inner_text()


def test_what_was_not_looked_at(show_report: ShowReport) -> None:
    opened = show_report(made(summary(50), rows(50))).go()
    section = opened.page.locator("#not_looked_at")
    lines = [line.inner_text().split("\t") for line in section.locator("tbody tr").all()]
    assert [line[:3] for line in lines] == [
        [
            "Deeper than max_depth=9",
            "4",
            "--max-depth 0 (no limit) or a larger number fetches them",
        ],
        ["In endless spaces", "1,204", "--traps report fetches them, within max_pages"],
    ]
    assert "/calendar?day=0" in lines[1][3]
    above = section.bounding_box(), opened.page.locator("#coverage").bounding_box()
    tops = [box["y"] for box in above if box]
    assert tops[0] < tops[1]
    expect(opened.page.locator("#orphans")).to_contain_text("At most that number")


# --- offline


def test_it_requests_nothing(report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report).go()
    opened.page.locator("footer").scroll_into_view_if_needed()
    assert opened.requests == [opened.url]
    assert opened.complaints == []


@pytest.mark.full
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
def test_its_policy_would_not_let_it(attempt: str, report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report).go()
    script = f"Promise.resolve().then(() => {attempt}).catch(() => 0).then(result => result || 0)"
    assert opened.page.evaluate(script) == 0
    assert any("Content Security Policy" in complaint for complaint in opened.complaints)


# --- the table


@pytest.mark.full
def test_sorting(report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report).go()
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


@pytest.mark.full
def test_what_has_no_value_comes_last_in_both_directions(
    report: bytes, show_report: ShowReport
) -> None:
    opened = show_report(report).go()
    for name, column in (("HTTP status", 3), ("lastmod", 7)):  # None, and an empty text
        for _ in range(2):
            opened.page.get_by_role("button", name=name).click()
            assert "\N{EN DASH}" not in opened.column(column)
        opened.page.get_by_role("button", name="Last", exact=True).click()
        assert set(opened.column(column)) == {"\N{EN DASH}"}


@pytest.mark.full
def test_verdicts_and_words(report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report).go()
    opened.page.locator("#verdicts summary").click()
    opened.page.get_by_role("checkbox", name="noindex").check()
    opened.page.get_by_role("checkbox", name="soft 404").check()
    fit = [row for row in rows(1_170) if row.verdict in ("noindex", "soft_404")]
    assert f"of {len(fit)} URLs that fit, of 1,170" in opened.status
    opened.page.locator("#search").fill("/PART-3/")
    both = [row for row in fit if "/part-3/" in row.url]
    assert 0 < len(both) < len(fit)
    opened.wait(f"of {len(both)} URLs")
    assert [text.split("\n")[0].lstrip("+ ") for text in opened.column(1)] == [
        row.url.removeprefix(SITE) for row in both[:50]
    ]
    # The address keeps it all: it can be sent to another person.
    again = show_report(report).go(opened.page.url[opened.page.url.index("#") :])
    assert again.status == opened.status
    again.page.get_by_role("button", name="Remove the filter search").click()
    assert f"of {len(fit)} URLs" in again.status
    again.page.locator("#search").fill("no such page")
    again.page.get_by_role("button", name="Show all").click()
    assert again.status.endswith("of 1,170 URLs")


@pytest.mark.full
def test_links_from_the_first_section_show_what_they_count(
    report: bytes, show_report: ShowReport
) -> None:
    opened = show_report(report).go()
    for fix in summary(1_170)["priorities"]:
        if not fix["filter"]:
            continue
        opened.page.locator("#priorities li", has_text=fix["sentence"]).get_by_role(
            "link", name="Show the URLs"
        ).click()
        opened.wait(f"of {fix['count']:,} URLs")
        assert opened.page.evaluate("document.activeElement.id") == "urls-h"
        opened.page.go_back()


@pytest.mark.full
def test_status_directory_and_sitemap(report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report).go()
    every = list(rows(1_170))
    tools = opened.page.locator(".tools")
    fit = [row for row in every if row.status == 200]
    tools.locator("select[data-column=status]").select_option(label=f"200 ({len(fit):,})")
    opened.wait(f"of {len(fit):,} URLs that fit")
    docs = [row for row in every if row.url.startswith(f"{SITE}/docs/")]
    tools.locator("select[data-column=path]").select_option(label=f"/docs/ ({len(docs):,})")
    fit = [row for row in fit if row in docs]
    opened.wait(f"of {len(fit):,} URLs that fit")
    tools.locator("select[data-column=in_sitemap]").select_option(
        label=f"no ({sum(not row.in_sitemap for row in every):,})"
    )
    fit = [row for row in fit if not row.in_sitemap]
    opened.wait(f"of {counted(len(fit), 'URL')} that")
    assert opened.page.url.endswith("#urls?status=200&path=%2Fdocs%2F&in_sitemap=0")
    # No status: of URLs that were not requested, or did not answer.
    tools.locator("select[data-column=in_sitemap]").select_option("all")
    tools.locator("select[data-column=path]").select_option("all")
    none = sum(row.status is None for row in every)
    tools.locator("select[data-column=status]").select_option(label=f"none ({none})")
    opened.wait(f"of {none} URLs that fit")


@pytest.mark.full
def test_the_way_back(report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report).go()
    tools = opened.page.locator(".tools")
    tools.locator("select[data-column=status]").select_option(index=1)
    with_status = opened.status
    opened.page.locator("#search").fill("page-0")
    opened.page.wait_for_selector("#filters li:nth-child(2)")
    opened.page.locator("#search").fill("page-00")
    expect(opened.page.locator("#filters li:nth-child(2)")).to_contain_text("page-00")
    opened.page.go_back()
    opened.wait(with_status)
    assert opened.page.locator("#search").input_value() == ""
    opened.page.go_back()
    opened.wait("of 1,170 URLs")
    assert (
        tools.locator("select[data-column=status]").locator("option:checked").inner_text() == "all"
    )
    opened.page.go_forward()
    opened.wait(with_status)


@pytest.mark.full
@pytest.mark.parametrize(
    ("fragment", "shown"),
    [
        ("#urls?search=%E0%A4%A", "None of"),
        ("#urls?verdict=listed,noindex&__proto__=1&constructor=2&=&&x", "URLs that fit"),
        ("#urls?status=999", "None of 1,170 URLs"),
        ("#urls?path=%2Fdocs%2Fpart-3%2F", "URLs that fit"),
        ("#nowhere?verdict=noindex", "1\N{EN DASH}50 of 1,170 URLs"),
    ],
)
def test_addresses_of_others(
    fragment: str, shown: str, report: bytes, show_report: ShowReport
) -> None:
    opened = show_report(report).go(fragment)
    assert shown in opened.status
    assert opened.complaints == []


@pytest.mark.full
def test_these_rows_as_csv(show_report: ShowReport) -> None:
    formulas = ["=1+1", "+cmd", "\u2060@x", 'say "a, b"', "two\nlines", "", "plain"]
    table = [
        row._replace(title=formulas[number % len(formulas)]) for number, row in enumerate(rows(200))
    ]
    opened = show_report(made(summary(200), table)).go("#urls?verdict=listed,redirect")
    opened.page.get_by_role("columnheader", name="Links in").get_by_role("button").click()
    with opened.page.expect_download() as download:
        opened.page.get_by_role("button", name="Download these rows").click()
    assert download.value.suggested_filename == "www.example.com-urls.csv"
    written = download.value.path().read_text("utf-8")
    fit = [row for row in table if row.verdict in ("listed", "redirect")]
    whole = io.BytesIO()
    urls_csv.write_csv((row.cells() for row in fit), whole)
    ours, theirs = (
        sorted(csv.reader(io.StringIO(text))) for text in (written, whole.getvalue().decode())
    )
    assert [cells[:12] + cells[13:] for cells in ours] == [
        cells[:12] + cells[13:] for cells in theirs
    ]
    column = urls_csv.COLUMNS.index("pagerank")
    assert column == 12
    for one, other in zip(ours[:-1], theirs[:-1]):  # the last is the head
        assert float(one[column]) == float(other[column])  # 1e-05 and 0.00001
    degrees = [int(cells[6]) for cells in list(csv.reader(io.StringIO(written)))[1:]]
    assert degrees == sorted(degrees, reverse=True)
    assert opened.complaints == []


@pytest.mark.full
def test_no_depth_where_no_click_leads(show_report: ShowReport) -> None:
    table = [row._replace(reached=int(row.depth != 4)) for row in rows(60)]
    opened = show_report(made(summary(60), table)).go("#urls?reached=0")
    assert set(opened.column(4)) == {"\N{EN DASH}"}


@pytest.mark.full
def test_two_hundred_thousand_urls(show_report: ShowReport) -> None:
    content = made(summary(1_170) | {"seen": 200_000}, rows(200_000))
    opened = show_report(content, width=320).go()
    assert "These are the first 100,000 of 200,000; the rest is in urls.csv" in (
        opened.page.locator("#urls").inner_text()
    )
    assert opened.status.endswith("of 100,000 URLs, the first of 200,000: the rest is in urls.csv")
    none = sum(row.status is None for row in itertools.islice(rows(200_000), 100_000))
    choice = opened.page.get_by_role("combobox", name="Status")
    choice.select_option(label=f"none ({none:,})")
    opened.wait(f"of {none:,} URLs that fit, of 100,000, the first of 200,000")
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.full
def test_links_to_kinds(show_report: ShowReport) -> None:
    odd = "/a,d/*?b&c"
    table = [row._replace(kind=odd) if number % 2 else row for number, row in enumerate(rows(40))]
    facts = summary(40)
    facts["kinds"]["rows"][0]["kind"] = odd
    opened = show_report(made(facts, table)).go()
    opened.page.locator("#kinds").get_by_role("link", name=odd, exact=True).click()
    opened.wait("20 URLs that")


@pytest.mark.full
def test_all_about_one_url(report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report).go("#urls?verdict=listed")
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


@pytest.mark.alone
def test_a_hundred_thousand_urls(show_report: ShowReport) -> None:
    content = made(summary(1_170) | {"seen": 100_000}, rows(100_000))
    assert len(content) < 8_000_000
    opened = show_report(content)
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
        ours = ("id", "verdict", "verdicts", "where", "filter", "type", "fault", "hops", "role")
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


@pytest.mark.parametrize("width", [1400, 360])
def test_texts_of_the_site_stay_texts(width: int, show_report: ShowReport) -> None:
    poison = endless(tuple(each + HOSTILE[0] for each in HOSTILE))  # each has markup
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
    opened = show_report(made(facts, table), width=width).go()
    page = opened.page
    for more in page.get_by_role("button", name="All about this URL").all()[:12]:
        more.click()
    assert opened.complaints == []
    assert opened.requests == [opened.url]
    assert page.locator("body :is(img, iframe, object, embed, [onerror], [onload])").count() == 0
    assert page.locator("body svg").count() == 0
    assert page.locator("script").count() == 6  # five that run, and the meanings of verdicts
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


def pixels(opened: Report) -> str:
    """What is drawn on the canvas of the depths."""
    drawn: str = opened.page.evaluate(
        "new Promise(done => requestAnimationFrame(() => requestAnimationFrame("
        "() => done(document.querySelector('#depth canvas').toDataURL()))))"
    )
    return drawn


@pytest.mark.full
def test_light_dark_and_printed(report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report, color_scheme="light").go()
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


@pytest.mark.full
@pytest.mark.parametrize("width", [320, 390, 768, 1400])
def test_nothing_is_wider_than_the_screen(
    width: int, report: bytes, show_report: ShowReport
) -> None:
    opened = show_report(report, width=width).go()
    opened.page.locator("main details").evaluate_all("all => all.forEach(one => one.open = true)")
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.full
def test_with_the_keyboard_alone(report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report).go()
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


def test_charts_have_words_and_a_table(report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report).go()
    charts = opened.page.locator("figure.chart")
    assert charts.count() == 3
    for chart in charts.all():
        assert chart.get_by_role("img").get_attribute("aria-label")
        assert chart.locator("canvas").count() == 1
        chart.locator("details").evaluate("details => { details.open = true }")
        assert chart.locator("table").is_visible()


@pytest.mark.full
def test_new_urls(report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report).go()
    growth = opened.page.locator("#growth")
    assert "170 URLs are new since 2024-05-01: 40 that a sitemap named first" in growth.inner_text()
    assert "the sitemaps are behind by 13.9 hours a URL" in growth.inner_text()


def test_without_scripts(report: bytes, show_report: ShowReport) -> None:
    opened = show_report(report, java_script_enabled=False)
    opened.page.goto(opened.url)
    text = opened.page.locator("main").inner_text()
    for said in (summary(1_170)["priorities"][0]["sentence"], "59.8%", "Dead ends", "urls.csv"):
        assert said in text
    for figure in opened.page.locator("figure.chart").all():
        assert figure.locator("table").is_visible()
        assert not figure.locator(".canvas").is_visible()
    assert "needs JavaScript" in text
    assert not opened.page.locator("#table").is_visible()


def test_empty_sections_are_not_shown() -> None:
    shown = re.findall(r'<section id="(\w+)"', made(empty(), []).decode())
    assert shown == ["priorities"]
    every = re.findall(r'<section id="(\w+)"', made(summary(50), rows(50)).decode())
    assert {"priorities", "speed", "urls"} <= {*every} <= SECTIONS.keys()


def test_each_section_has_its_template_and_what_it_shows() -> None:
    facts = {**filled(2, 1), "priorities": list_fixes(filled(2, 1))}
    text = made(facts, rows(5)).decode()
    shown = set(re.findall(r'<section id="(\w+)"', text))
    assert SECTIONS.keys() - shown == {"depth"}, "the others are filled"
    for fix in facts["priorities"]:
        assert str(templates.option_hints(fix["sentence"])) in text
    assert (
        text.index('class="error"') < text.index('class="warning"') < text.index('class="notice"')
    )


def test_six_numbers_come_first(report: bytes) -> None:
    facts = summary(1_170)
    keys = re.search(r'<dl class="keys">(.*?)</dl>', report.decode(), re.DOTALL)
    assert keys
    values = [
        re.sub(r"<[^>]*>", "", value) for value in re.findall("<dd>(.*?)</dd>", keys[1], re.DOTALL)
    ]
    grades = [fix["severity"] for fix in facts["priorities"]]
    moved = sum(facts["changes"][kind]["count"] for kind in ("new", "gone", "changed"))
    assert values == [
        f"{facts['listed']:,}",
        f"{facts['headline']['part']:,}",
        str(grades.count("error")),
        str(grades.count("warning")),
        "1.2 s",
        f"{moved:,}",
    ]


def test_without_a_crawl_before_and_slow_pages_the_numbers_are_none(report: bytes) -> None:
    facts = {**summary(50), "changes": None, "speed": empty()["speed"]}
    text = made(facts, rows(50)).decode()
    assert "changed since the last crawl</dt><dd>\N{EN DASH}<" in text
    assert "each kind of page, by the median</dt><dd>\N{EN DASH}<" in text
    fast = {**empty()["speed"], "pages": 9}
    assert "<dd>under 1 s<" in made({**facts, "speed": fast}, rows(50)).decode()


@pytest.mark.full
def test_topics_are_folded_but_for_the_address_and_on_paper(
    report: bytes, show_report: ShowReport
) -> None:
    opened = show_report(report).go(folded=True)
    are_open = "[...document.querySelectorAll('.topic')].map(one => one.open)"
    assert opened.page.evaluate(are_open) == [False] * 4
    opened.page.evaluate("location.hash = '#redirects'")
    opened.until(are_open, [False, True, False, False])
    expect(opened.page.locator("#redirects-h")).to_be_in_viewport()
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert opened.page.evaluate(are_open) == [True] * 4
    opened.page.emulate_media(media="print")
    for control in ("#urls", "nav", ".actions", ".chart details"):
        assert not opened.page.locator(control).first.is_visible()
    opened.page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert opened.page.evaluate(are_open) == [False, True, False, False]
    assert opened.complaints == []
