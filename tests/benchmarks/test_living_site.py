"""Keeping up with a living site: what is found, what it costs, and which lies are found out."""

from typing import Any

import numpy as np
import pytest

from tests.benchmarks.living_site import BEGIN, DAY, POSTGRESQL, LivingSite, best_freshness, measure

pytestmark = pytest.mark.skipif(
    not POSTGRESQL.exists(), reason="the Debian package postgresql-doc-15 is not installed"
)
LIARS = ["last_modified guide", "sitemap catalogs"]


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    return measure()


def test_lies_are_found_out_within_three_runs_and_no_honest_source_is_blamed(
    measured: dict[str, Any],
) -> None:
    refresh = measured["refresh"]
    assert LIARS in refresh["distrusted"][:3]
    assert refresh["distrusted_at_last"] == LIARS


def test_every_published_date_is_right_to_the_run(measured: dict[str, Any]) -> None:
    refresh = measured["refresh"]
    assert refresh["lastmod_precision"][0] < 0.9  # lies look like dates at first
    assert refresh["lastmod_precision"][2:] == [1.0] * 4
    assert refresh["lastmod_precision_later"] == 1.0
    assert refresh["lastmod_recall_later"] > 0.93
    assert measured["budget_precision_later"] == 1.0


def test_refreshing_finds_what_full_crawls_find_for_a_part_of_their_cost(
    measured: dict[str, Any],
) -> None:
    refresh = measured["refresh"]
    assert refresh["changes_found"] > 0.99
    assert refresh["body_bytes"] < 0.15
    assert refresh["requests"] < 0.8  # two thirds of the pages have no date that can be trusted
    assert min(refresh["spared_where_honest"][2:]) > 0.9


def test_seen_delta_is_as_planted(measured: dict[str, Any]) -> None:
    delta = measured["seen_delta"]
    assert delta["urls"] == delta["planted_urls"] > 20
    assert delta["days"] == delta["planted_days"] != 0


def test_the_order_is_near_the_best_there_is(measured: dict[str, Any]) -> None:
    freshness, found = measured["freshness"], measured["changes_found"]
    assert freshness["true_rates"] > 0.98 * freshness["best_without_dates"]
    assert freshness["no_dates"] > 0.97 * freshness["true_rates"]
    assert freshness["no_dates"] > freshness["uniform"]
    assert freshness["ours"] > freshness["true_rates"]  # dates tell more than rates
    assert found["ours"] > found["uniform"]


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
