"""The charts of report.html and comparison.html: what is drawn, and whether it can be read."""

import itertools
from typing import Any

import pytest
from playwright.sync_api import Locator

from sitemapgen.report.comparison import PLOTS
from tests.helpers.crawls import rest
from tests.helpers.report import Report, ShowReport, made
from tests.report.compared import SITES, written
from tests.report.sample import rows, summary

SIZES = [(390, "light"), (1400, "dark"), *rest((390, "dark"), (1400, "light"))]
"""Width and scheme."""
TEXTS = """
figure => {
    const chart = figure.drawn;
    const { width, height } = figure.querySelector("canvas").getBoundingClientRect();
    const found = chart.getZr().storage.getDisplayList(true)
        .filter(one => one.type === "tspan" && one.style.text.trim())
        .filter(one => !one.ignore && !one.invisible)
        .map(one => {
            const box = one.getBoundingRect().clone();
            const matrix = one.getComputedTransform();
            if (matrix) box.applyTransform(matrix);
            return {
                text: one.style.text, font: one.style.font, colour: one.style.fill,
                x: box.x, y: box.y, right: box.x + box.width, bottom: box.y + box.height,
            };
        });
    return { width, height, found };
}
"""
DATA = (
    "figure => figure.drawn.getOption().series.map(one => one.data.map(each => each.value ?? each))"
)


def faults(texts: dict[str, Any]) -> list[str]:
    """Texts that end outside of the canvas, lie on another one, or are too small."""
    found = texts["found"]
    outside = [
        f"clipped: {one['text']}"
        for one in found
        if min(one["x"], one["y"]) < -0.5
        or one["right"] > texts["width"] + 0.5
        or one["bottom"] > texts["height"] + 0.5
    ]
    overlaps = [
        f"on each other: {one['text']} / {other['text']}"
        for one, other in itertools.combinations(found, 2)
        if one["x"] + 1 < other["right"]
        and other["x"] + 1 < one["right"]
        and one["y"] + 2 < other["bottom"]
        and other["y"] + 2 < one["bottom"]
    ]
    small = [one["text"] for one in found if "12px" not in one["font"]]
    cut = [f"cut off: {one['text']}" for one in found if "…" in one["text"]]
    return outside + overlaps + small + cut


def charts_of(opened: Report) -> dict[str, Locator]:
    """Every chart by its section, and its place there."""
    place = (
        "one => { const section = one.closest('section');"
        " return `${section.id} ${[...section.querySelectorAll('.chart')].indexOf(one)}` }"
    )
    return {one.evaluate(place): one for one in opened.page.locator("figure.chart").all()}


@pytest.mark.full
@pytest.mark.parametrize(("width", "scheme"), SIZES)
def test_every_label_can_be_read(width: int, scheme: str, show_report: ShowReport) -> None:
    opened = show_report(made(summary(1_170), rows(1_170)), width=width, color_scheme=scheme).go()
    charts = charts_of(opened)
    assert len(charts) == 3
    for name, figure in charts.items():
        texts = figure.evaluate(TEXTS)
        assert len(texts["found"]) > 3, name
        assert not faults(texts), (name, width)


@pytest.mark.full
@pytest.mark.parametrize(("width", "scheme"), SIZES)
def test_every_label_of_a_comparison(width: int, scheme: str, show_report: ShowReport) -> None:
    page = written(*SITES)["comparison.html"]
    opened = show_report(page, width=width, color_scheme=scheme).go(ready="data-charts=drawn")
    charts = charts_of(opened)
    assert len(charts) == 4
    for name, figure in charts.items():
        texts = figure.evaluate(TEXTS)
        assert len(texts["found"]) >= 8, name
        assert not faults(texts), (name, width)
    assert opened.complaints == []
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.full
def test_labels_that_do_not_fit_are_found(show_report: ShowReport) -> None:
    opened = show_report(made(summary(300), rows(300)), width=390).go()
    figure = opened.page.locator("#depth figure.chart")
    figure.evaluate(
        "one => one.drawn.setOption({ grid: { outerBoundsMode: 'none', left: 0 },"
        " xAxis: { axisLabel: { interval: 0, hideOverlap: false, formatter: 'a long label' } } })"
    )
    kinds = {fault.split(":")[0] for fault in faults(figure.evaluate(TEXTS))}
    assert kinds == {"clipped", "on each other"}


@pytest.mark.full
def test_what_is_drawn_is_what_is_reported(show_report: ShowReport) -> None:
    facts = summary(1_170)
    opened = show_report(made(facts, rows(1_170))).go()
    drawn = {name: figure.evaluate(DATA) for name, figure in charts_of(opened).items()}
    depth = [[row[name] for row in facts["histograms"]["depth"]] for name in ("listed", "left_out")]
    runs = facts["growth"]["runs"]
    assert drawn["depth 0"] == depth
    assert drawn["lastmod 0"] == [[row["count"] for row in facts["lastmod"]]]
    assert drawn["growth 0"] == [
        [run["both"] + run["sitemap"] for run in runs],
        [run["links"] for run in runs],
    ]


def test_a_comparison_draws_its_sites(show_report: ShowReport) -> None:
    opened = show_report(written(*SITES)["comparison.html"]).go(ready="data-charts=drawn")
    names = [(plot.x, plot.y) for plot in PLOTS]
    for (x, y), figure in zip(names, opened.page.locator("figure.chart").all()):
        dots = figure.evaluate(DATA)[0]
        expected = [
            [site[x], site[y], site["crawled"]]
            for site in SITES
            if y != "index_coverage" or site["indexed_from"] == "file"
        ]
        assert sorted(dots) == sorted(expected), y


@pytest.mark.full
def test_schemes_have_colours_of_their_own(show_report: ShowReport) -> None:
    opened = show_report(made(summary(300), rows(300)), color_scheme="light").go()
    chart = "document.querySelector('#growth .chart:last-of-type')"
    colour = f"{chart}.drawn.getOption().series[0].itemStyle.color"
    assert opened.page.evaluate(colour) == "#0072b2"
    opened.page.emulate_media(color_scheme="dark")
    opened.until(colour, "#56b4e9")
    opened.page.emulate_media(color_scheme="light")
    opened.until(colour, "#0072b2")
