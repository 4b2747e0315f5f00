"""The comparison of many sites: bad directories, hostile names, what a plot leaves out."""

from __future__ import annotations

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sitemapgen.report.comparison import NAMES, NoReport, Site, read, write
from sitemapgen.report.scatter import Axis, Dot, scatter

SITE = Site(
    "out", "https://a.example/", 100, 90, 80, 50, 0.5, 0.6, 0.7, 0.8, 0.8, "eligible", False, 0
)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "No such file or directory; scrapy report"),
        ("{", "no report"),
        ("[]", "no report"),
        ('{"schema": 2}', "no report"),
        ('{"schema": 2, "coverage": 5, "start": "x"}', "no report"),
        ('{"schema": 1}', "schema 1, not 2; scrapy report"),
    ],
)
def test_directories_without_a_report(text: str | None, sentence: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "report.json").write_text(text)
    with pytest.raises(NoReport) as caught:
        read(tmp_path)
    assert sentence in str(caught.value)


def written(*sites: Site) -> dict[str, bytes]:
    files = {name: io.BytesIO() for name in NAMES}
    write(sites, files.__getitem__)
    return {name: file.getvalue() for name, file in files.items()}


def test_names_are_text() -> None:
    files = written(SITE, SITE._replace(site="https://b.example/<script>", output='"&<b>'))
    page = files["comparison.html"].decode()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert json.loads(files["comparison.json"])[1]["output"] == '"&<b>'
    assert len(files["comparison.csv"].splitlines()) == 3


def test_sites_without_a_figure_are_counted_beside_the_plot() -> None:
    page = written(SITE, SITE._replace(coverage=None, index_coverage=None))["comparison.html"]
    assert page.count(b"<p>1 without such a figure.</p>") == 2
    assert page.count(b"<circle") == 8 - 2
    assert written()["comparison.html"].count(b"<circle") == 0


def test_where_dots_stand() -> None:
    dots = [Dot(1, 0, 1, "least"), Dot(1000, 1, 1000, "most")]
    svg = ElementTree.fromstring(scatter("t", dots, Axis("size", is_log=True), Axis("share")))
    most, least = svg.findall("circle")  # the largest below the others
    assert most.findtext("title") == "most: size 1,000, share 100%"
    assert (float(least.attrib["cx"]), float(least.attrib["cy"])) == (48.0, 294.0)
    assert (float(most.attrib["cx"]), float(most.attrib["cy"])) == (406.0, 14.0)
    assert float(most.attrib["r"]) > float(least.attrib["r"])
