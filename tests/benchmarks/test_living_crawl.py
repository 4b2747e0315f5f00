"""The real crawler keeps up with a living site: some pages for days, all of them for a month."""

import json
from typing import Any

import pytest

from tests.benchmarks.living_crawl import measure
from tests.benchmarks.living_site import POSTGRESQL

pytestmark = pytest.mark.skipif(
    not POSTGRESQL.exists(), reason="the Debian package postgresql-doc-15 is not installed"
)
LIARS = ["last_modified guide", "sitemap catalogs"]


def check(measured: dict[str, Any]) -> None:
    """What holds for any number of pages and days: also that no other source is blamed."""
    print(json.dumps(measured, indent=1))
    assert LIARS in measured["distrusted"][:3]
    assert measured["distrusted"][-1] == LIARS
    assert measured["lastmod_precision"][0] < 0.9  # lies look like dates at first
    # Unchanged pages keep what a liar said of them, until another source is proved: twelve changes.
    assert set(measured["lastmod_precision"][4:]) == {1.0}
    assert min(measured["lastmod_recall"][4:]) > 0.9
    assert measured["changes_found"] > 0.99
    assert measured["requests"] < 0.9  # two thirds of the pages have no date that can be trusted
    assert measured["body_bytes"] < 0.25
    assert min(measured["spared_where_honest"][3:]) > 0.8
    delta = measured["seen_delta"]
    assert delta["urls"] == delta["planted_urls"] > 5
    assert delta["days"] == delta["planted_days"] != 0


@pytest.mark.slow
def test_six_days_of_three_hundred_pages() -> None:
    check(measure(6, 300))


@pytest.mark.slow
def test_thirty_days_of_all_pages() -> None:
    measured = measure()
    check(measured)
    assert measured["body_bytes"] < 0.2
