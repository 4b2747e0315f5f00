"""The budget of publishing: near the cost of formatting alone, in some hundred bytes a URL."""

from pathlib import Path

import pytest

from sitemapgen.analysis.parts import KINDS
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.publish.formats import FORMATS
from tests.benchmarks import measure_alone, publishing
from tests.helpers.crawls import rest

pytestmark = pytest.mark.alone

RATIO = 3.0
"""Of CPU; 2.0 measured. 1,000,000 URLs in 15 s are allowed, and the loop takes 2 to 3 s."""

PEAK_MB = {100_000: 115, 1_000_000: 160}
"""The interpreter and NumPy take 41, a file that is read 50, the numbers that say where a URL
belongs 100 bytes each; all URLs of a million in memory would be 200."""


@pytest.mark.parametrize("layout", ["section", *rest("size")])
def test_a_hundred_thousand_urls(layout: str) -> None:
    measured = measure_alone(publishing.measure, 100_000, layout)
    assert measured["ratio"] <= RATIO
    assert measured["peak_mb"] <= PEAK_MB[100_000]


@pytest.mark.slow
@pytest.mark.parametrize("layout", KINDS)
def test_a_million_urls(layout: str) -> None:
    measured = measure_alone(publishing.measure, 1_000_000, layout)
    assert measured["ratio"] <= RATIO
    assert measured["seconds"] <= 15
    assert measured["again"] <= 15
    assert measured["peak_mb"] <= PEAK_MB[1_000_000]


def test_the_loop_writes_the_same_entries(tmp_path: Path) -> None:
    publishing.publish(1000, tmp_path)
    publishing.loop(1000, tmp_path)
    form = FORMATS["xml"]
    ours = (tmp_path / ENTRY).read_bytes()
    assert ours == form.head + (tmp_path / "loop.xml").read_bytes() + form.foot
