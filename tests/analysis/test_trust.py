"""Which dates are believed: counts by hand, and lies that are planted and found out."""

from __future__ import annotations

import numpy as np
import pytest

from sitemapgen.analysis.freshness.trust import (
    CHECKED_EVERY,
    DAY,
    FALSE_ALARMS,
    MISSES,
    PROVED,
    REASONS,
    UNTESTED,
    Pairs,
    Record,
    claims_change,
    is_hiding,
    is_sample,
    is_turn,
    judge,
    remember,
    tally,
)
from sitemapgen.analysis.lastmod import VALIDATORS, Validated, hiding, section, validated
from sitemapgen.core.urls import key

NOON = 20_000 * DAY + DAY // 2


def pairs(*rows: tuple[int, int, int, int, bool], weight: float = 1.0) -> Pairs:
    columns = list(zip(*rows))
    return Pairs(
        *(np.array(column, np.int64) for column in columns[:4]),
        np.array(columns[4], np.bool_),
        np.full(len(rows), weight),
    )


@pytest.mark.parametrize(
    ("said_before", "says", "claimed"),
    [
        (NOON - 5000, NOON - 5000, False),  # as before
        (NOON - 5000, NOON + 10, True),
        (NOON - 5000, NOON - 30, True),  # clocks differ
        (NOON - 5000, NOON - 90, False),  # corrected to a time before the visit
        (NOON + 500, NOON + 10, True),  # moved back, though still to after the visit
        (NOON - 2 * DAY, NOON // DAY * DAY, True),  # a date of that day may be of its evening
        (NOON // DAY * DAY, NOON // DAY * DAY, False),
        (NOON - 2 * DAY, NOON // DAY * DAY - DAY, False),
    ],
)
def test_what_claims_a_change(said_before: int, says: int, claimed: bool) -> None:
    columns = (np.array([value], np.int64) for value in (NOON, said_before, says))
    assert claims_change(*columns).tolist() == [claimed]


def test_counts_by_section() -> None:
    old, new = NOON - DAY, NOON + 60
    rows = [
        (0, NOON, old, new, True),
        (0, NOON, old, new, True),
        (0, NOON, old, new, False),
        (2, NOON, old, old, True),
        (2, NOON, old, old, False),
    ]
    assert tally(pairs(*rows), 3) == [Record(hits=2, false_alarms=1), Record(), Record(0, 0, 1, 1)]
    assert tally(pairs(rows[3], weight=20), 3)[2] == Record(misses=20)


def test_older_runs_count_less_and_a_run_without_pairs_does_not_age_them() -> None:
    before = Record(10, 0, 0, 100)
    assert remember(before, Record(1, 2, 3, 4)) == pytest.approx(Record(8, 2, 3, 74))
    assert remember(before, Record()) == before


@pytest.mark.parametrize(
    ("record", "is_trusted", "is_sparing", "reason"),
    [
        (Record(), True, False, UNTESTED),
        (Record(hits=8), True, False, PROVED),
        (Record(hits=8, quiet=9), True, False, PROVED),
        (Record(hits=8, quiet=10), True, True, PROVED),
        (Record(quiet=500), True, True, PROVED),  # nothing changes, and it says so
        (Record(false_alarms=1), False, False, FALSE_ALARMS),
        (Record(hits=50, false_alarms=10, quiet=50), True, True, PROVED),
        (Record(hits=50, false_alarms=20, quiet=50), False, False, FALSE_ALARMS),
        (Record(hits=50, misses=10, quiet=50), True, False, PROVED),
        (Record(hits=10, misses=30, quiet=50), False, False, MISSES),
        (Record(misses=4, quiet=500), False, False, MISSES),
        (Record(misses=1, quiet=500), True, False, PROVED),
    ],
)
def test_decisions_about_a_site_of_one_section(
    record: Record, is_trusted: bool, is_sparing: bool, reason: str
) -> None:
    (trust,) = judge([record])
    assert trust[2:5] == (is_trusted, is_sparing, reason)
    assert trust.reason in REASONS


def test_the_evidence_can_be_checked() -> None:
    (trust,) = judge([Record(30, 10, 20, 400)])
    assert trust.evidence == (
        "30 of 40 claimed changes were changes; 30 of 50 changes were claimed; "
        "rightly silent 400 times"
    )
    assert judge([Record()])[0].evidence == ""
    assert judge([]) == []


def test_a_section_without_a_record_is_judged_as_the_site() -> None:
    _, unknown = judge([Record(100, 0, 0, 100), Record()])
    assert (unknown.is_trusted, unknown.is_sparing, unknown.reason) == (True, False, UNTESTED)
    liar, unknown = judge([Record(0, 100), Record()])
    assert (liar.is_trusted, unknown.is_trusted) == (False, False)
    assert unknown.reason == FALSE_ALARMS


def test_a_small_section_that_lies_is_not_hidden_by_a_large_honest_one() -> None:
    honest, small = judge([Record(1000, 0, 0, 9000), Record(0, 1)])
    assert honest.is_trusted
    assert not small.is_trusted


def test_a_large_liar_does_not_condemn_a_section_that_has_shown_otherwise() -> None:
    _, honest, silent = judge([Record(0, 3000), Record(30, 0, 0, 100), Record(quiet=200)])
    assert (honest.is_trusted, honest.is_sparing) == (True, True)
    assert (silent.is_trusted, silent.reason) == (True, PROVED)


# --- planted lies


def run(rng: np.random.Generator, number: int, *, rate: float, lie: str, pages: int = 60) -> Record:
    """What one run sees of a section, a day after the run before it."""
    before = NOON + number * DAY
    changed = rng.random(pages) < rate
    told = {
        "none": changed,
        "touched": np.ones(pages, np.bool_),  # a deploy gives every file today's date
        "frozen": np.zeros(pages, np.bool_),  # written once and never again
        "late": rng.random(pages) < rate,  # moves when it likes
    }[lie]
    old = np.full(pages, before - 3 * DAY)
    says = np.where(told, before + 3600, old)
    return tally(
        Pairs(
            np.zeros(pages, np.int64), np.full(pages, before), old, says, changed, np.ones(pages)
        ),
        1,
    )[0]


@pytest.mark.parametrize("lie", ["touched", "frozen", "late"])
@pytest.mark.parametrize("honest_runs", [0, 40])
@pytest.mark.parametrize("rate", [0.1, 0.4])
@pytest.mark.parametrize("seed", range(5))
def test_a_lie_is_found_out_within_three_runs(
    lie: str, honest_runs: int, rate: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    record = Record()
    for number in range(honest_runs):
        record = remember(record, run(rng, number, rate=rate, lie="none"))
        assert judge([record])[0].is_trusted
    assert judge([record])[0].is_sparing == (honest_runs > 0)
    for number in range(3):
        record = remember(record, run(rng, honest_runs + number, rate=rate, lie=lie))
    (trust,) = judge([record])
    assert not trust.is_trusted
    assert not trust.is_sparing


def test_whoever_stops_lying_is_believed_again() -> None:
    rng = np.random.default_rng(1)
    record = Record()
    for number in range(10):
        record = remember(record, run(rng, number, rate=0.2, lie="touched"))
    runs = 0
    while not judge([record])[0].is_trusted:
        record = remember(record, run(rng, 10 + runs, rate=0.2, lie="none"))
        runs += 1
    assert 2 <= runs <= 20


def test_the_sample_of_spared_pages_stands_for_all_of_them() -> None:
    record = Record(hits=100, quiet=900)
    # 3 of the 50 pages whose turn it was had changed in silence: some 60 of 1,000.
    sampled = Record(misses=3 * CHECKED_EVERY, quiet=47 * CHECKED_EVERY)
    assert judge([remember(record, Record(misses=3, quiet=47))])[0].is_sparing
    assert not judge([remember(record, sampled)])[0].is_sparing


def test_each_spared_page_has_its_turn_once_in_twenty_runs() -> None:
    keys = np.array([key(f"https://example.com/{n}") for n in range(5_000)], np.int64)
    turns = np.array([is_turn(keys, run) for run in range(7, 7 + CHECKED_EVERY)])
    assert (turns.sum(axis=0) == 1).all()
    assert abs(turns.sum(axis=1) / len(keys) - 1 / CHECKED_EVERY).max() < 0.015


# --- ETag and Last-Modified as answers to conditional requests


@pytest.mark.parametrize(
    ("record", "hides"),
    [
        (Record(), False),
        (Record(quiet=1000), False),
        (Record(misses=1, quiet=1000), True),  # silence about what is as it was proves nothing
        (Record(hits=100), False),
        (
            Record(hits=1000, misses=50),
            False,
        ),  # one page of a thousand that is never twice the same
        (Record(hits=100, misses=50), True),
    ],
)
def test_who_hides_changes(record: Record, hides: bool) -> None:
    assert is_hiding(record) == hides


def test_samples_are_few_and_others_in_each_run() -> None:
    keys = np.random.default_rng(1).integers(-(2**63), 2**63 - 1, 50_000)
    chosen = [is_sample(keys, run) for run in range(20)]
    assert all(0.017 < each.mean() < 0.023 for each in chosen)
    assert (chosen[0] & chosen[1]).mean() < 0.001
    in_turn = [is_turn(keys, run) for run in range(20)]
    assert 0.0005 < np.mean([one & other for one, other in zip(chosen, in_turn)]) < 0.0015


def test_what_a_run_shows_of_validators() -> None:
    liar = section("https://a/liar/1")
    pages = [
        Validated(1, "https://a/honest/1", says_same=False, changed=True),
        Validated(2, "https://a/honest/2", says_same=True, changed=False),
        Validated(3, "https://a/liar/1", says_same=True, changed=True),
        Validated(4, "https://a/liar/2", says_same=False, changed=False),
    ]
    run = next(run for run in range(10_000) if is_sample(np.array([3]), run)[0])
    found = validated(pages, {}, run)
    assert found[VALIDATORS, liar] == Record(misses=50.0, false_alarms=1.0)
    assert found[VALIDATORS, section("https://a/honest/1")].hits == 1
    assert hiding(found) == {liar}
    again = validated(pages[:2], found, run + 1)
    assert (VALIDATORS, liar) not in again  # who is not asked keeps his record
