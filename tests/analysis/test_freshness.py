"""Change rates, the refresh order, first sightings, changefreq: by hand and against simulation."""

from itertools import combinations
from math import exp, inf, log, nan
from time import process_time

import numpy as np
import pytest

from sitemapgen.analysis.freshness.order import VisitFacts, choose_visits, visit_values
from sitemapgen.analysis.freshness.rates import (
    INTERVALS,
    USUAL_RATE,
    Prior,
    Visits,
    changefreq,
    estimate_rates,
    posterior_rates,
)
from sitemapgen.analysis.freshness.seen import (
    NewUrls,
    Point,
    SeenDelta,
    at_runs,
    group_by_times,
    new_urls,
    seen_delta,
)
from tests.helpers.tables import for_each

NOTHING = Prior(np.zeros(1), np.zeros(1))


def visits(*rows: tuple[float, ...], page: int | list[int] = 0) -> Visits:
    """(days, changed) or (days, changed, since) of each visit."""
    pages = [page] * len(rows) if isinstance(page, int) else page
    return Visits(
        np.array(pages, np.int64),
        np.array([row[0] for row in rows], np.float64),
        np.array([row[1] for row in rows], np.bool_),
        np.array([row[2] if len(row) > 2 else nan for row in rows], np.float64),
    )


def alone(*rows: tuple[float, ...]) -> float:
    return float(posterior_rates(visits(*rows), NOTHING)[0])


# --- rates: by hand


@for_each((10, 4, 2.0), (10, 10, 2.0), (3, 1, 7))
def test_regular_visits_give_the_bias_corrected_closed_form(
    count: int, changes: int, interval: float
) -> None:
    rows = [(interval, number < changes) for number in range(count)]
    expected = -log((count - changes + 0.5) / (count + 0.5)) / interval
    assert alone(*rows) == pytest.approx(expected, rel=1e-8)


def test_no_change_ever_seen() -> None:
    assert alone((1, 0), (5, 0)) == 0


def test_irregular_visits_solve_the_likelihood_equation() -> None:
    rows = [(0.5, 1), (3, 1), (10, 1), (2, 0), (4, 0)]
    rate = alone(*rows)
    left = sum(days / (exp(rate * days) - 1) for days, changed in rows if changed)
    mean = sum(days for days, _ in rows) / len(rows)
    assert left == pytest.approx(2 + 4 + mean / 2, rel=1e-8)


def test_a_trusted_date_tells_more_than_that_there_was_a_change() -> None:
    # Of ten days the last two were quiet: one change in two days that are known.
    assert alone((10, 1, 2.0)) == pytest.approx(0.5)
    assert alone((10, 1, 2.0), (6, 0)) == pytest.approx(1 / (2 + 6 + 3), rel=1e-8)


def test_a_first_visit_with_a_trusted_date() -> None:
    assert alone((inf, 1, 50.0)) == pytest.approx(1 / 50)


def test_the_prior_is_changes_and_days() -> None:
    prior = Prior(np.array([2.0]), np.array([40.0]))
    none = visits()
    assert posterior_rates(none, prior).tolist() == [0.05]
    assert posterior_rates(visits((10, 0), (10, 0)), prior)[0] == pytest.approx(2 / (40 + 20 + 5))


# --- rates: shrinking


def test_nothing_known() -> None:
    assert estimate_rates(visits(), np.array([0, 0, 1])).tolist() == pytest.approx([USUAL_RATE] * 3)
    assert estimate_rates(visits(), np.zeros(0, np.int64)).tolist() == []


def test_a_page_seen_once_has_the_rate_of_its_template() -> None:
    rows, pages = [], []
    for page in range(40):
        for _ in range(10):
            rows.append((1.0, page % 2))  # odd pages change daily, even ones never
            pages.append(page)
    template = np.array([page % 2 for page in range(42)])
    found = estimate_rates(visits(*rows, page=pages), template)
    assert found[40] < 0.01  # never visited, of the quiet template
    assert found[41] > 0.8
    assert found[41] == pytest.approx(found[1], rel=0.7)


def test_what_a_page_shows_itself_outweighs_its_template() -> None:
    rows, pages = [], []
    for page in range(40):
        for _ in range(30):
            rows.append((1.0, page == 7))
            pages.append(page)
    found = estimate_rates(visits(*rows, page=pages), np.zeros(40, np.int64))
    assert found[7] > 50 * found[8]
    assert found[7] > 0.5


def test_the_order_of_visits_does_not_matter() -> None:
    rng = np.random.default_rng(3)
    known, _ = poisson(rng, np.full(50, 0.2), 6)
    shuffled = rng.permutation(len(known.page))
    again = Visits(*(column[shuffled] for column in known))
    template = np.arange(50) % 3
    np.testing.assert_allclose(
        estimate_rates(known, template), estimate_rates(again, template), rtol=1e-6
    )


# --- rates: against Poisson processes


def poisson(
    rng: np.random.Generator, rate: np.ndarray, count: int, *, mean_days: float = 1.0
) -> tuple[Visits, np.ndarray]:
    """``count`` visits of each page at irregular times; and when the last change was, at each."""
    page = np.repeat(np.arange(len(rate)), count)
    days = mean_days * (0.2 + rng.exponential(0.8, len(page)))
    since = rng.exponential(1 / rate[page])
    return Visits(page, days, since < days, np.full(len(page), nan)), since


@for_each(0.05, 0.3, 1.0)
def test_the_estimator_is_nearly_unbiased(rate: float) -> None:
    rng = np.random.default_rng(int(rate * 100))
    pages, count = 4_000, 20
    known, _ = poisson(rng, np.full(pages, rate), count)
    found = posterior_rates(known, Prior(np.zeros(pages), np.zeros(pages)))
    assert found.mean() == pytest.approx(rate, rel=0.04)
    # Cramer-Rao: with t the days of a visit the information is t^2 / (exp(rate t) - 1).
    information = np.mean(known.days**2 / np.expm1(rate * known.days)) * count
    assert found.var() == pytest.approx(1 / information, rel=0.25)


def test_without_the_half_visit_it_would_be_biased() -> None:
    rng = np.random.default_rng(5)
    pages = 4_000
    known, _ = poisson(rng, np.full(pages, 0.3), 20)
    naive = np.bincount(known.page, known.changed) / np.bincount(known.page, known.days)
    assert abs(naive.mean() / 0.3 - 1) > 0.08  # what counting changes by the day gives


def test_known_dates_are_worth_most_for_fast_pages() -> None:
    rng = np.random.default_rng(6)
    pages, rate = 4_000, 8.0
    known, since = poisson(rng, np.full(pages, rate), 8)
    dated = known._replace(since=np.where(known.changed, since, nan))
    nothing = Prior(np.zeros(pages), np.zeros(pages))
    errors = [
        np.sqrt(np.mean(np.log(posterior_rates(each, nothing) / rate) ** 2))
        for each in (known, dated)
    ]
    assert errors[1] < 0.75 * errors[0]


def test_shrinking_is_better_than_templates_alone_and_than_pages_alone() -> None:
    rng = np.random.default_rng(8)
    template = np.repeat(np.arange(10), 60)
    of_template = 10 ** rng.uniform(-2, 0, 10)
    rate = of_template[template] * rng.gamma(2.0, 0.5, len(template))
    known, _ = poisson(rng, rate, 6)
    shrunk = estimate_rates(known, template)
    by_page = posterior_rates(known, Prior(np.zeros(len(rate)), np.zeros(len(rate))))
    pooled = known._replace(page=template[known.page])
    by_template = posterior_rates(pooled, Prior(np.zeros(10), np.zeros(10)))[template]

    def error(found: np.ndarray) -> float:
        return float(np.mean((found - rate) ** 2))

    assert error(shrunk) < min(error(by_page), error(by_template))


# --- order


def known(
    rate: list[float],
    age: list[float],
    *,
    weight: float | list[float] = 1.0,
    recall: float | list[float] = 0.0,
    precision: float | list[float] = 0.0,
) -> VisitFacts:
    def column(values: float | list[float]) -> np.ndarray:
        return np.broadcast_to(np.array(values, np.float64), len(rate)).copy()

    return VisitFacts(column(rate), column(age), column(weight), column(recall), column(precision))


def test_the_value_of_short_steps_is_that_of_olston_and_pandey() -> None:
    rate, age = 0.3, 4.0
    expected = (1 - (1 + rate * age) * exp(-rate * age)) / rate
    assert visit_values(known([rate], [age]), step=1e-6)[0] == pytest.approx(expected, rel=1e-5)


def test_the_value_is_the_price_at_which_waiting_for_a_run_pays_the_same() -> None:
    rate, step, recall = 0.3, 2.0, 0.6
    price = float(visit_values(known([rate], [6.0], recall=recall), step)[0])

    def gain(runs: int) -> float:
        """Fresh days a day less the price of visits, when visiting after so many silent runs."""
        fresh = (1 - exp(-rate * runs * step)) / rate
        length = step * sum(exp(-recall * rate * step * run) for run in range(runs))
        return (fresh - price) / length

    assert gain(3) == pytest.approx(gain(4), rel=1e-9)
    assert gain(3) > max(gain(1), gain(2), gain(5), gain(9))


@for_each(0.0, 0.5, 0.99)
def test_tiny_rates_do_not_drown_in_rounding(recall: float) -> None:
    near, far = (
        float(visit_values(known([rate], [1.0], recall=recall), step=1.0)[0]) / rate
        for rate in (0.99e-4, 1.01e-4)
    )
    assert near == pytest.approx(far, rel=1e-3)
    assert visit_values(known([1e-12], [1.0]), step=1.0)[0] > 0


def test_what_changes_too_fast_is_not_worth_its_price() -> None:
    slow, middle, fast = visit_values(known([0.001, 0.5, 500.0], [3.0, 3.0, 3.0]), step=1.0)
    assert middle > slow > 0
    assert middle > fast
    assert fast == pytest.approx(1 / 500, rel=0.01)


def test_a_silent_date_that_tells_all_spares_the_visit_and_one_that_moved_asks_for_it() -> None:
    rate = [0.2] * 3
    silent, unknown, moved = visit_values(
        known(rate, [9.0] * 3, recall=[1, 0, 1], precision=[0, 0, 0.95]), step=1.0
    )
    assert silent == pytest.approx(0, abs=1e-9)
    assert moved == pytest.approx(0.95 / 0.2)
    assert moved > unknown > silent


def test_pages_never_visited_are_worth_as_much_as_any_of_their_kind() -> None:
    new, old = visit_values(known([0.1, 0.1], [inf, 1000.0], recall=[1.0, 0.0]), step=1.0)
    assert new == pytest.approx(10)
    assert new >= old


def test_due_checks_first_then_the_most_valuable_and_ties_by_place() -> None:
    values = np.array([1.0, 5.0, 3.0, 5.0, 0.0])
    is_due = np.array([False, False, False, False, True])
    assert choose_visits(values, is_due, 4).tolist() == [4, 1, 3, 2]
    assert choose_visits(values, is_due, 99).tolist() == [4, 1, 3, 2, 0]
    assert choose_visits(values, is_due, 0).tolist() == []


def freshness(rate: np.ndarray, schedule: list[tuple[int, ...]], cycles: int = 8) -> float:
    """Mean share of time in which pages are as they were at their last visit, one run a day."""
    age = np.full(len(rate), 0.0)
    total = 0.0
    for cycle in range(cycles * 2):
        for chosen in schedule:
            age[list(chosen)] = 0.0
            if cycle >= cycles:
                fresh = np.exp(-rate * age) * -np.expm1(-rate) / rate
                total += float(fresh.mean())
            age += 1.0
    return total / (cycles * len(schedule))


def by_value(rate: np.ndarray, budget: int, days: int) -> list[tuple[int, ...]]:
    age = np.full(len(rate), inf)
    schedule = []
    for _ in range(days):
        values = visit_values(known(rate.tolist(), age.tolist()), step=1.0)
        chosen = choose_visits(values, np.zeros(len(rate), np.bool_), budget)
        schedule.append(tuple(chosen.tolist()))
        age[chosen] = 0.0
        age += 1.0
    return schedule


@for_each([0.05, 0.3, 2.0], [0.2, 0.25, 0.3], [0.01, 0.6, 9.0], [1.0, 1.0, 1.0, 0.1])
def test_one_visit_a_day_is_spent_as_the_best_of_all_schedules_does(rate: list[float]) -> None:
    rates_ = np.array(rate)
    # Every periodic schedule of up to five days, page by page.
    best = 0.0
    for period in range(1, 6):
        for number in range(len(rate) ** period):
            schedule = [(number // len(rate) ** day % len(rate),) for day in range(period)]
            best = max(best, freshness(rates_, schedule, 6))
    ours = by_value(rates_, 1, 240)[120:]
    assert freshness(rates_, ours, 1) >= 0.985 * best


def test_two_of_four_pages_in_one_run() -> None:
    rate, age = np.array([0.1, 0.4, 1.5, 8.0]), np.array([9.0, 4.0, 2.0, 2.0])
    chosen = choose_visits(
        visit_values(known(rate.tolist(), age.tolist()), 1.0), np.zeros(4, np.bool_), 2
    )

    def later(pair: tuple[int, ...]) -> float:
        """Freshness of the days until all pages have been visited by value, from there on."""
        aged, total = age.copy(), 0.0
        for day in range(40):
            values = visit_values(known(rate.tolist(), aged.tolist()), 1.0)
            picked = list(pair) if not day else choose_visits(values, np.zeros(4, np.bool_), 2)
            aged[picked] = 0.0
            total += float((np.exp(-rate * aged) * -np.expm1(-rate) / rate).sum())
            aged += 1.0
        return total

    best = max(combinations(range(4), 2), key=later)
    assert later(tuple(sorted(chosen.tolist()))) >= 0.99 * later(best)


def test_better_than_visiting_all_pages_in_turn() -> None:
    rng = np.random.default_rng(11)
    rate = 10 ** rng.uniform(-2.5, 1, 200)
    uniform = [tuple(range(day * 20, day * 20 + 20)) for day in range(10)]
    ours = freshness(rate, by_value(rate, 20, 200)[100:], 1)
    assert ours > freshness(rate, uniform, 4) + 0.04


def test_a_million_pages_in_seconds() -> None:
    rng = np.random.default_rng(12)
    pages = 1_000_000
    start = process_time()
    found, _ = poisson(rng, 10 ** rng.uniform(-3, 0, pages), 3)
    made = process_time()
    rate = estimate_rates(found, np.arange(pages) % 300)
    zeros = np.zeros(pages)
    values = visit_values(VisitFacts(rate, rng.uniform(0, 30, pages), zeros + 1, zeros, zeros), 1.0)
    assert len(choose_visits(values, np.zeros(pages, np.bool_), 50_000)) == 50_000
    assert process_time() - made < 20 * max(made - start, 0.2)


# --- first seen


def test_seen_delta_is_links_minus_sitemap_of_what_both_saw_in_the_period() -> None:
    links = np.array([50.0, 10.0, 30.0, nan, 20.0, 90.0, 1.0])
    sitemap = np.array([20.0, 15.0, 30.0, 5.0, nan, 20.0, 12.0])
    #                   +30   -5    0     -     -    late  early
    assert seen_delta(links, sitemap, 10, 90) == SeenDelta(25.0, 3, 1, 1, 1)
    assert seen_delta(links, sitemap) == SeenDelta(84.0, 5, 2, 2, 1)
    assert seen_delta(np.zeros(0), np.zeros(0)) == SeenDelta(0.0, 0, 0, 0, 0)


def test_scatter_groups_urls_with_the_same_times() -> None:
    links, sitemap = np.array([3.0, 3.0, nan, 1.0]), np.array([1.0, 1.0, 1.0, 2.0])
    assert group_by_times(links, sitemap) == [Point(1.0, 3.0, 2), Point(2.0, 1.0, 1)]
    assert group_by_times(np.array([nan]), np.array([1.0])) == []


def test_when_within_a_run_something_was_seen_does_not_matter() -> None:
    starts = np.array([100.0, 200.0])
    times = np.array([100.0, 199.9, 200.0, 350.0, nan, 99.0])
    snapped = at_runs(times, starts)
    assert snapped[:4].tolist() == [100, 100, 200, 200]
    assert np.isnan(snapped[4])
    assert snapped[5] == 100


def test_new_urls_of_each_run() -> None:
    starts = np.array([100.0, 200.0, 300.0])
    links = np.array([100, 100, 200, nan, 300, nan], np.float64)
    sitemap = np.array([100, 200, 100, 200, nan, nan], np.float64)
    assert new_urls(links, sitemap, starts) == [
        NewUrls(100.0, both=1, links=1, sitemap=1),
        NewUrls(200.0, both=0, links=0, sitemap=1),
        NewUrls(300.0, both=0, links=1, sitemap=0),
    ]


# --- changefreq


@for_each(*INTERVALS)
def test_every_word_is_that_of_its_own_interval(word: str) -> None:
    assert changefreq(1 / INTERVALS[word], 5, INTERVALS[word]) == word


@for_each(
    (1 / 49, "always"),
    (1 / 47, "hourly"),
    (4.8 / 24, "hourly"),
    (5.0 / 24, "daily"),
    (2.6, "daily"),
    (2.7, "weekly"),
    (14, "weekly"),
    (15, "monthly"),
    (105, "monthly"),
    (106, "yearly"),
    (3.1 * 365, "yearly"),
    (3.2 * 365.25, "never"),
)
def test_limits_of_changefreq(days: float, word: str) -> None:
    assert changefreq(1 / days, 3, 10_000.0) == word


@for_each((0, 0.0, ""), (2, 14.0, ""), (3, 3.4, ""), (3, 3.6, "weekly"), (9, 0.1, ""))
def test_what_was_not_watched_has_no_changefreq(visits: int, days: float, word: str) -> None:
    assert changefreq(1 / 7, visits, days) == word
