"""Pages in turn: which are left out and for how long, and what ends the waiting of a section."""

from math import log
from typing import Any

import numpy as np
import pytest

from sitemapgen.analysis.freshness import due
from sitemapgen.analysis.freshness.rates import Visits
from sitemapgen.analysis.freshness.trust import DAY, OWN_PAGES, SMALL_SECTIONS
from sitemapgen.analysis.freshness.visits import VISIT, past_visits
from sitemapgen.core.urls import key
from tests.helpers.tables import for_each

BEGIN = 20_000 * DAY
NEVER = 1 << 62


class Site:
    """Pages with known rates of changes, visited by the rules; a run every ``step`` days."""

    def __init__(self, rate: np.ndarray, *, step: float = 1.0, seed: int = 1) -> None:
        self.rate, self.step = rate, step
        self.keys = np.sort([key(f"https://example.com/{page}") for page in range(len(rate))])
        self.sections = np.zeros(len(rate), np.int64)
        self.is_moved = np.zeros(len(rate), np.bool_)
        self.rng = np.random.default_rng(seed)
        self.is_stale = np.zeros(len(rate), np.bool_)
        self.visited = np.full(len(rate), -1)
        self.visits: list[tuple[int, int, int, bool]] = []
        self.starts: list[float] = []
        self.standings: dict[int, due.SectionStanding] = {}
        self.tested: list[due.SectionTest] = []

    def pages(self) -> due.ListedPages:
        sections = due.tested_sections(self.sections)
        return due.ListedPages(self.keys, sections, self.sections, self.visited, self.is_moved)

    def plan(self) -> due.Plan:
        table = np.array(sorted(self.visits), VISIT)
        past = past_visits(table, (), {}, NEVER)
        return due.plan_run(self.pages(), past, np.array(self.starts), len(self.starts))

    def run(self, days: float = 0.0) -> np.ndarray:
        """Crawl ``days``, or a step, after the last run; return where pages were left out."""
        days = days or self.step
        self.is_stale |= self.rng.random(len(self.rate)) < -np.expm1(-self.rate * days)
        self.starts.append(self.starts[-1] + days * DAY if self.starts else float(BEGIN))
        is_left = np.zeros(len(self.rate), np.bool_)
        if len(self.starts) > 1:
            found = self.plan()
            is_left = found.is_left
            run = len(self.starts)
            self.tested = due.examine_sections(
                found, self.keys[~is_left], self.is_stale[~is_left], self.standings, run
            )
        for page in np.flatnonzero(~is_left).tolist():
            changed = int(self.is_stale[page]) if self.visited[page] >= 0 else -1
            self.visits.append((int(self.keys[page]), int(self.starts[-1]), changed, False))
        self.visited[~is_left] = int(self.starts[-1])
        self.is_stale &= is_left
        return is_left

    def run_quietly(self, runs: int) -> np.ndarray:
        for _ in range(runs):
            is_left = self.run()
        return is_left


def quiet(pages: int = 200, **how: Any) -> Site:
    return Site(np.zeros(pages), **how)


def test_a_page_is_settled_after_five_visits_without_a_change() -> None:
    site = quiet()
    for _ in range(due.MIN_QUIET + 1):
        assert not site.run().any()
    assert site.run().sum() > 100


def test_each_page_has_its_turn_and_each_run_its_share() -> None:
    site = quiet()
    site.run_quietly(40)
    seen = np.array([site.run() for _ in range(20)])
    gaps = np.array([(~seen[at : at + due.MAX_RUNS]).any(axis=0) for at in range(11)])
    assert gaps.all()
    visits = (~seen).sum(axis=1)
    assert visits.min() >= 200 // due.MAX_RUNS // 2 + due.SAMPLED
    assert visits.max() <= 2 * 200 // due.MAX_RUNS + due.SAMPLED


def test_the_sample_is_another_one_in_each_run() -> None:
    site = quiet(2000)
    site.run_quietly(20)
    found = site.plan()
    is_waiting = found.is_settled & ~site.run()
    samples = [due._is_sample(site.pages(), is_waiting, run) for run in range(2)]
    assert [each.sum() for each in samples] == [due.SAMPLED] * 2
    assert (samples[0] != samples[1]).any()


def test_no_page_waits_longer_than_it_was_watched() -> None:
    site = quiet()
    site.run_quietly(due.MIN_QUIET + 2)
    assert site.run(days=3).any()
    assert not site.run(days=20).any()


def test_no_page_waits_for_more_than_a_month() -> None:
    site = quiet(step=20)
    assert site.run_quietly(10).any()
    assert not site.run(days=due.MAX_DAYS + 1).any()
    monthly = quiet(step=due.MAX_DAYS + 1)
    assert not monthly.run_quietly(20).any()


def test_visits_in_an_hour_are_no_evidence_for_a_day() -> None:
    site = quiet(step=1 / 24 / 6)
    site.run_quietly(due.MIN_QUIET + 1)
    assert not site.run(days=1).any()


def test_a_page_that_changed_is_visited_until_it_is_settled_again() -> None:
    site = quiet()
    site.run_quietly(20)
    page = int(np.flatnonzero(~site.run())[0])
    site.is_stale[page] = True
    while site.is_stale[page]:
        site.run()
    for _ in range(due.MIN_QUIET):
        assert not site.run()[page]


def test_pages_that_change_often_and_dates_that_moved_are_visited() -> None:
    site = Site(np.repeat([0.0, 0.5], 100))
    site.is_moved[::2] = True
    seen = np.array([site.run() for _ in range(40)])[10:]
    assert not seen[:, ::2].any()
    assert seen[:, 1:100:2].mean() > 0.3
    assert seen[:, 101::2].mean() < 0.02


def test_a_clock_that_runs_back_or_ahead() -> None:
    site = quiet()
    site.run_quietly(20)
    assert not site.run(days=-40).any()
    site = quiet()
    site.run_quietly(20)
    assert not site.run(days=400).any()


@for_each(*range(1, 6))
def test_the_expected_number_of_outdated_pages_is_the_true_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    site = Site(np.concatenate([rng.gamma(2, 1 / 400, 300), rng.gamma(2, 1 / 40, 100)]), seed=seed)
    expected = outdated = left = 0.0
    for run in range(60):
        is_left = site.run()
        found = site.tested
        if run > 10:
            left += is_left.sum()
            outdated += (site.is_stale & is_left).sum()
            expected += sum(each.stale for each in found)
    assert left > 50 * 100
    assert expected / left <= due.MOST_STALE
    assert outdated / left <= due.MOST_STALE
    assert outdated == pytest.approx(expected, rel=0.3)


# --- the test of a section


def test_one_change_ends_nothing_and_three_do() -> None:
    chance = np.full(3, 1e-6)
    (one, two, three) = np.cumsum(due.visit_evidence(chance, np.ones(3, np.bool_)))
    assert one == pytest.approx(log(due.FACTOR), rel=1e-3)
    assert two < log(due.ODDS) < three


def test_changes_that_were_expected_are_no_evidence() -> None:
    rng = np.random.default_rng(1)
    chance = rng.uniform(0, due.MOST_STALE, 1000)
    sums = [due.visit_evidence(chance, rng.random(1000) < chance).sum() for _ in range(200)]
    assert max(sums) < 0
    often = [due.visit_evidence(chance, rng.random(1000) < 4 * chance).sum() for _ in range(200)]
    assert min(often) > log(due.ODDS)


def examined(
    changed: list[bool], before: due.SectionStanding | None = None
) -> list[due.SectionTest]:
    pages = len(changed)
    found = due.Plan(
        keys=np.arange(pages),
        sections=np.repeat([7], pages),
        chance=np.full(pages, 0.01),
        is_settled=np.arange(pages) != 0,
        is_left=np.zeros(pages, np.bool_),
    )
    visited = np.arange(pages)[::-1]
    standings = {7: before} if before else {}
    return due.examine_sections(found, visited, np.array(changed)[::-1], standings, 9)


def test_a_spike_of_changes_ends_the_waiting_of_a_section() -> None:
    (quiet_one,) = examined([True, False, False, True])
    assert (quiet_one.visited, quiet_one.changed, quiet_one.ended) == (3, 1, 0)
    assert quiet_one.evidence > 1
    (loud,) = examined([False, True, True, True])
    assert (loud.changed, loud.ended, loud.evidence) == (3, 9, 0)
    (little_by_little,) = examined([False, True], due.SectionStanding(3.5, 2))
    assert little_by_little.ended == 9
    (still,) = examined([False] * 30, due.SectionStanding(1.0, 2))
    assert (still.ended, still.evidence) == (2, 0)


def test_pages_of_small_sections_are_tested_together() -> None:
    sections = np.array([1] * OWN_PAGES + [2] * (OWN_PAGES - 1) + [3])
    assert due.tested_sections(sections).tolist() == [1] * OWN_PAGES + [SMALL_SECTIONS] * OWN_PAGES


def test_a_site_without_pages() -> None:
    nothing = np.zeros(0, np.int64)
    found = due.Plan(nothing, nothing, np.zeros(0), nothing > 0, nothing > 0)
    assert due.examine_sections(found, np.array([5]), np.array([True]), {}, 2) == []


def test_visits_since_the_last_change() -> None:
    visits = Visits(
        page=np.array([0, 0, 0, 1, 1, 2]),
        days=np.array([np.inf, 2, 3, np.inf, 1, np.inf]),
        changed=np.array([True, False, False, True, True, True]),
        since=np.full(6, np.nan),
    )
    count, days = due.unchanged_spells(visits, 4)
    assert count.tolist() == [2, 0, 0, 0]
    assert days.tolist() == [5, 0, 0, 0]
