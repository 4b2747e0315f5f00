"""Real software, set up and crawled: all of it is listed, and next to nothing else.

The systems: ``tests/real/systems.py``.
"""

from pathlib import Path

import pytest

from tests.real.crawling import measure
from tests.real.systems import SAMPLE, SYSTEMS

pytestmark = pytest.mark.real
SAME = 1.05
"""Maximum requests of a refresh, as a share of those of the first crawl: one in fifty of the pages
that answer 304, by a hash, is read again, so that the numbers vary."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in SAMPLE else pytest.mark.slow) for name in SYSTEMS],
)
def test_every_page_of_a_real_system_is_listed(name: str, home: Path, tmp_path: Path) -> None:
    system = SYSTEMS[name]
    if lacks := system.lacks():
        pytest.skip(lacks)
    result, again = measure(system, home / "system", tmp_path / "output")
    print(result.text)
    print(f"requests of a refresh: {again.requests}")
    assert result.crawl.code == 0, result.crawl.log
    assert result.comparison.missing == [], result.text
    if result.views:
        assert result.views.wrong == [], result.text
        assert result.views.recall >= system.recall, result.text
    assert "unknown" not in result.comparison.beyond, result.text
    assert result.comparison.excess <= system.excess, result.text
    assert again.crawl.code == 0, again.crawl.log
    assert again.comparison.missing == [], again.text
    assert again.requests <= SAME * result.requests
