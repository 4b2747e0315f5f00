"""The budgets of a crawl: ratios to two baselines in the same run.

Start-up is part of ``whole``; on 1,170 pages it is a third of it. The budgets are 0.45 of the
tutorial's crawl and 1.6 of fetching alone; a tenth is left to the noise of the machine. The whole
crawl misses the first by its start-up: 0.54 to 0.62 where a page itself costs 0.40.
"""

import pytest

from tests.benchmarks.crawling import SITE, measure, needs
from tests.helpers.crawls import rest

pytestmark = pytest.mark.alone

PYTHON = "/usr/share/doc/python3.11/html"


@pytest.mark.parametrize("rounds", [1, *rest(3)])
def test_a_crawl_against_scrapy_as_its_tutorial_teaches_it_and_against_fetching_alone(
    rounds: int,
) -> None:
    needs(SITE, "postgresql-doc-15")
    measured = measure(SITE, rounds=rounds, start="index.html")
    # Measured 0.40 to 0.57: in slow moments of a machine the ratio of the same code moves so far.
    assert measured["marginal"]["ratio"]["tutorial"] <= 0.65, measured
    assert measured["whole"]["ratio"]["tutorial"] <= 0.7, measured  # the audit included
    assert measured["whole"]["ratio"]["fetch_only"] <= 2.3, measured  # the aim is 1.6
    assert measured["first_request"]["ratio"]["tutorial"] <= 1.6, measured


@pytest.mark.slow
def test_pages_with_three_hundred_links() -> None:
    """Without the browser, which has a fixed price; with it the ratio falls as a site grows."""
    needs(PYTHON, "python3.11-doc")
    never, auto = (
        measure(PYTHON, rounds=3, start="index.html", arguments=["-a", f"render={render}"])
        for render in ("never", "auto")
    )
    print(never, auto)
    assert never["whole"]["ratio"]["tutorial"] <= 0.45, never
    assert auto["whole"]["ratio"]["tutorial"] <= 0.8, auto  # the samples of its kinds


@pytest.mark.slow
def test_a_page_costs_the_same_on_a_large_site() -> None:
    small, large = (measure(f"tree:{pages}", rounds=1) for pages in (1_000, 10_000))
    print(small, large)
    ratio = large["marginal"]["ms"]["ours"] / small["marginal"]["ms"]["ours"]
    assert ratio <= 1.3, (small, large)  # the aim is 1.1; fetching alone has 1.15
