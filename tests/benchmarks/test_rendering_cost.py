"""What rendering costs: CPU against bare Playwright loops, and memory over many pages."""

import sys

import pytest

from tests.benchmarks import rendering_memory
from tests.benchmarks.rendering_cpu import FRESH, measure
from tests.helpers.browser import BROWSER

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(not BROWSER, reason="no Chromium is on PATH"),
    pytest.mark.skipif(sys.platform != "linux", reason="orphans are reaped by Linux's means"),
]


def test_a_rendered_page_costs_less_than_opening_a_page_for_it() -> None:
    measured = measure(pages=8, at_once=1, rounds=1, quiet=0.2, others=(FRESH,))
    assert measured["marginal"]["ratio"]["fresh"] <= 1.0, measured


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [1, 4])
def test_a_rendered_page_costs_little_more_than_a_bare_loop(at_once: int) -> None:
    measured = measure(pages=100, at_once=at_once, rounds=3)
    print(measured)
    assert measured["whole"]["ratio"]["fresh"] <= 1.0, measured
    assert measured["whole"]["ratio"]["reused"] <= 1.5, measured


@pytest.mark.slow
def test_memory_stays_flat_and_nothing_is_left_behind() -> None:
    measured = rendering_memory.measure(500)
    print(measured)
    mb = measured["mb"]
    assert mb[500]["all"] <= 1.15 * mb[50]["all"], measured
    assert measured["processes"] > 5
    assert measured["left"] == 0
