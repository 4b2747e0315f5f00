"""The budget of exporting tables: memory that does not grow with the site."""

import pytest

from sitemapgen.publish.tables.export import FORMATS
from tests.benchmarks.exporting import measure

pytestmark = [pytest.mark.alone, pytest.mark.slow]

MORE_MB = 60
"""From 50,000 to 200,000 pages, which fill the first row group and the second; all of them in
memory would take 400."""


def test_memory_does_not_grow() -> None:
    small, large = (measure(pages) for pages in (50_000, 200_000))
    print(small, large)
    for format_ in FORMATS:
        assert large[format_]["tables"]["pages"]["rows"] == 200_000
        assert large[format_]["peak_mb"] - small[format_]["peak_mb"] <= MORE_MB, format_
