"""Quantiles of times and sizes by template."""

import random

import pytest

from sitemapgen.analysis.response_times import (
    MAX_TEMPLATES,
    OTHERS,
    SHOWN,
    STEP,
    Quantiles,
    ResponseTimes,
)

SITE = "https://e.example"


@pytest.mark.parametrize("share", [0.01, 0.5, 0.95, 1])
@pytest.mark.parametrize("count", [1, 2, 9, 1_000])
def test_quantiles_are_exact_to_a_bin(count: int, share: float) -> None:
    dice = random.Random(count)
    values = sorted(dice.lognormvariate(-2, 1.5) for _ in range(count))
    found = Quantiles()
    for value in values:
        found.add(value)
    exact = values[max(0, -int(-share * count // 1) - 1)]
    assert exact / STEP <= found.quantile(share) <= exact * STEP


def test_nothing_has_no_quantile() -> None:
    assert Quantiles().quantile(0.5) == 0


def test_rows_are_by_template() -> None:
    times = ResponseTimes()
    for number in range(100):
        times.add_response(f"{SITE}/blog/{number}", 1.0 if number < 90 else 4.0, 20_000)
    times.add_response(f"{SITE}/about", 0.0, 0)
    blog, page = times.rows()
    assert (blog["template"], blog["responses"]) == ("/blog/*", 100)
    assert blog["seconds"] == {"median": 1.0, "p95": pytest.approx(4.0, rel=0.05)}
    assert blog["bytes"]["median"] == pytest.approx(20_000, rel=0.05)
    assert (page["template"], page["seconds"], page["bytes"]["p95"]) == (
        *("/*", {"median": 0.0, "p95": 0.0}),
        0,
    )


def test_memory_is_bounded() -> None:
    times = ResponseTimes()
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = [f"{one}{two}" for one in letters for two in letters]
    assert len(names) > MAX_TEMPLATES
    for name in names:
        times.add_response(f"{SITE}/{name}/x", 1, 1)
    first, *others = times.rows()
    assert (first["template"], first["responses"]) == (OTHERS, len(names) - MAX_TEMPLATES)
    assert len(others) == SHOWN - 1
