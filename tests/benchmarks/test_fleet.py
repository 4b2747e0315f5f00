"""The budget of a fleet: requests, memory and CPU by the number of its sites."""

import pytest

from tests.benchmarks.fleet import measure

MOST_REQUESTS = 2
"""Requests for one site: to schedule it, and to read its log; looks at a server come to that."""
MOST_KB = 8
"""Memory that a further site takes."""
MOST_STATE_BYTES = 1_200


def test_a_few_sites() -> None:
    measured = measure(60)
    print(measured)
    assert measured["total"] == "60 sites: published 60"
    requests = measured["requests"]
    assert requests["POST schedule.json"] + requests["GET log"] == MOST_REQUESTS * 60
    assert measured["state_bytes"] <= MOST_STATE_BYTES * 60


@pytest.mark.slow
def test_sites_of_few_hosts() -> None:
    """As many jobs at a time as there are hosts, if that is less than there may be."""
    assert measure(300, hosts=3)["total"] == "300 sites: published 300"


@pytest.mark.alone
@pytest.mark.slow
def test_ten_thousand_sites_cost_ten_times_as_much_as_a_thousand() -> None:
    small, large = measure(1_000), measure(10_000)
    print(small, large)
    assert large["total"] == "10,000 sites: published 10,000"
    assert large["state_bytes"] <= MOST_STATE_BYTES * 10_000
    assert large["peak_mb"] - small["peak_mb"] <= MOST_KB * 9
    # Start-up, which both have, only makes the small one seem dearer; twice is noise.
    assert large["seconds"] / small["seconds"] <= 10 * 2
