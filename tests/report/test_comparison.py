"""The comparison of many sites: bad directories, hostile names, what a plot leaves out."""

import json
import re
from pathlib import Path

import pytest

from sitemapgen.errors import CrawlError
from sitemapgen.report.comparison import read_site
from tests.helpers.tables import for_each
from tests.report.compared import SITE, SITES, written


@for_each(
    (None, "No such file or directory; scrapy report"),
    ("{", "no report"),
    ("[]", "no report"),
    ('{"schema": 2}', "no report"),
    ('{"schema": 2, "coverage": 5, "start": "x"}', "no report"),
    ('{"schema": 1}', "schema 1, not 2; scrapy report"),
)
def test_directories_without_a_report(text: str | None, sentence: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "report.json").write_text(text)
    with pytest.raises(CrawlError) as caught:
        read_site(tmp_path)
    assert sentence in str(caught.value)


def test_names_are_text() -> None:
    files = written(SITE, {**SITE, "site": "https://b.example/<script>", "output": '"&<b>'})
    page = files["comparison.html"].decode()
    assert "<script>\n" not in page
    assert "b.example/&lt;script&gt;" in page
    assert json.loads(files["comparison.json"])[1]["output"] == '"&<b>'
    assert len(files["comparison.csv"].splitlines()) == 3


def test_the_columns_that_matter() -> None:
    page = written(*SITES)["comparison.html"].decode()
    assert re.findall(r'<a href="([^"]+)"><bdi>([^<]+)<', page)[1:3] == [
        ("../output/site%201/report.html", "site-1.example"),
        ("../output/site%202/report.html", "site-2.example/docs"),
    ]
    (row,) = re.findall(r'<tr data-label="site-1.example">(.*?)</tr>', page, re.DOTALL)
    cells = re.findall(r"<td[^>]*>([^<]*)<", row)
    assert cells == ["70", "57.1%", "360", "21.0%", "25.0%", "65.0%", "73.0%", "80.0%", "7"]
    assert page.count("<small>unfinished</small>") == 1


def test_index_figures_only_with_index_data() -> None:
    page = written(SITE)["comparison.html"].decode()
    assert ">70.0%<" not in page
    assert page.count("No site has these figures.") == 1
    page = written({**SITE, "indexed_from": "file"})["comparison.html"].decode()
    assert ">70.0%<" in page
    assert "No site has these figures." not in page


def test_sites_without_a_figure_are_counted_beside_the_plot() -> None:
    page = written(SITE, {**SITE, "coverage": None})["comparison.html"]
    assert page.count(b"1 without such a figure.") == 1
    assert b"No site." in written()["comparison.html"]
