"""The living site, and the best that a schedule of visits can do."""

import numpy as np
import pytest

from tests.benchmarks.living_site import BEGIN, DAY, POSTGRESQL, LivingSite, best_freshness

pytestmark = pytest.mark.skipif(
    not POSTGRESQL.exists(), reason="the Debian package postgresql-doc-15 is not installed"
)


def test_documents_change_when_their_version_does() -> None:
    site = LivingSite(days=8)
    later = BEGIN + 6 * DAY
    for page in range(0, len(site.files), 40):
        is_other = site.body(page, BEGIN) != site.body(page, later)
        assert is_other == (site.version(page, BEGIN) != site.version(page, later))


def test_the_optimum_of_two_pages() -> None:
    # By symmetry each is visited every other day.
    rate = np.array([0.3, 0.3])
    assert best_freshness(rate, 1.0) == pytest.approx(-np.expm1(-0.6) / 0.6, rel=1e-6)
    # What changes all the time is left alone.
    lone = -np.expm1(-0.3) / 0.3 / 2
    assert best_freshness(np.array([0.3, 1e6]), 1.0) == pytest.approx(lone, rel=1e-4)
