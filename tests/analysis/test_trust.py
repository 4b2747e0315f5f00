"""Which dates are believed: counts by hand, and lies that are planted and found out."""

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
    add_record,
    add_run,
    assess_sections,
    claims_change,
    is_hiding,
    is_sample,
    is_turn,
    tally_claims,
)
from sitemapgen.analysis.lastmod import (
    VALIDATORS,
    Validated,
    add_validations,
    hiding_sections,
    url_section,
)
from sitemapgen.core.urls import key
from tests.helpers.tables import for_each

NOON = 20_000 * DAY + DAY // 2


def pairs(*rows: tuple[int, int, int, int, bool], weight: float = 1.0) -> Pairs:
    columns = list(zip(*rows))
    return Pairs(
        *(np.array(column, np.int64) for column in columns[:4]),
        np.array(columns[4], np.bool_),
        np.full(len(rows), weight),
    )


@for_each(
    (NOON - 5000, NOON - 5000, False),  # as before
    (NOON - 5000, NOON + 10, True),
    (NOON - 5000, NOON - 30, True),  # clocks differ
    (NOON - 5000, NOON - 90, False),  # corrected to a time before the visit
    (NOON + 500, NOON + 10, True),  # moved back, though still to after the visit
    (NOON - 2 * DAY, NOON // DAY * DAY, True),  # a date of that day may be of its evening
    (NOON // DAY * DAY, NOON // DAY * DAY, False),
    (NOON - 2 * DAY, NOON // DAY * DAY - DAY, False),
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
    found = [record[:4] for record in tally_claims(pairs(*rows), 3)]
    assert found == [(2, 1, 0, 0), (0, 0, 0, 0), (0, 0, 1, 1)]
    spared = tally_claims(pairs(rows[3], weight=20), 3)[2]
    assert spared[:4] == (0, 0, 20, 0)
    assert (
        spared.silence == tally_claims(pairs(rows[3]), 3)[2].silence
    )  # one page is one observation


def test_older_runs_count_less_and_a_run_without_pairs_does_not_age_them() -> None:
    before = Record(10, 0, 0, 100)
    assert add_record(before, Record(1, 2, 3, 4)) == pytest.approx(Record(8, 2, 3, 74))
    assert add_record(before, Record()) == before


def seen(hits: int = 0, false_alarms: int = 0, misses: int = 0, quiet: int = 0) -> Record:
    """What one run sees of a section, each event by itself: an hour apart, few pages changed."""
    kinds = ((hits, True, True), (false_alarms, True, False), (misses, False, True))
    rows = [
        (0, NOON, NOON - DAY, NOON + 3600 * (n + 1) if claims else NOON - DAY, changed)
        for count, claims, changed in (*kinds, (quiet, False, False))
        for n in range(count)
    ]
    return tally_claims(pairs(*rows), 1)[0] if rows else Record()


def after(*runs: Record) -> Record:
    """The record of a section after some runs."""
    record = Record(is_own=1.0)
    for each in runs:
        record = add_record(record, each)
    return record


@for_each(
    ([], True, UNTESTED),
    ([seen(hits=8)], True, PROVED),
    ([seen(quiet=500)], True, PROVED),  # nothing changes, and it says so
    ([seen(false_alarms=1)], True, UNTESTED),
    ([seen(false_alarms=4, quiet=50)], True, PROVED),
    ([seen(false_alarms=5, quiet=50)], False, FALSE_ALARMS),
    ([seen(false_alarms=1, quiet=50)] * 5, False, FALSE_ALARMS),  # however slowly
    ([seen(hits=50, false_alarms=10, quiet=150)], True, PROVED),
    ([seen(hits=20, false_alarms=20, quiet=50)], False, FALSE_ALARMS),
    ([seen(hits=1000, quiet=3000), seen(false_alarms=5)], False, FALSE_ALARMS),
    ([seen(misses=2, quiet=58)], True, PROVED),
    ([seen(misses=5, quiet=500)], True, PROVED),
    ([seen(misses=6, quiet=500)], False, MISSES),
    ([seen(misses=3, quiet=57)] * 2, False, MISSES),
    ([seen(hits=10, misses=4, quiet=50)], True, PROVED),
    ([seen(hits=10, misses=30, quiet=50)], False, MISSES),
    # Half of its last hundred changes: not the reason to distrust what it does claim.
    ([seen(hits=50, misses=30, quiet=100)], True, PROVED),
)
def test_what_loses_a_section(runs: list[Record], is_trusted: bool, reason: str) -> None:
    (trust,) = assess_sections([after(*runs)])
    assert (trust.is_trusted, trust.reason) == (is_trusted, reason)
    assert trust.reason in REASONS


@for_each(
    (seen(hits=8, quiet=9), False),
    (seen(hits=8, quiet=10), True),
    (seen(quiet=500), True),
    (seen(hits=50, misses=10, quiet=70), False),  # believed, but each page is asked for
    (seen(false_alarms=5, quiet=50), False),
)
def test_whose_silence_spares_requests(record: Record, is_sparing: bool) -> None:
    assert assess_sections([after(record)])[0].is_sparing == is_sparing


@for_each(seen(false_alarms=5, quiet=50), seen(misses=6, quiet=54))
def test_nothing_changes_without_new_evidence(loss: Record) -> None:
    """Hundreds of runs in which nothing happens neither lose nor regain a section."""
    quiet = [seen(quiet=60)] * 300
    lost = after(loss, *quiet)
    assert not assess_sections([lost])[0].is_trusted
    doubted = seen(false_alarms=4, misses=5, quiet=100)
    before, later = after(doubted), after(doubted, *quiet)
    assert assess_sections([later])[0].is_trusted
    assert (later.alarm, later.silence) == (before.alarm, before.silence) > (0, 0)


def test_a_section_is_regained_by_as_much_evidence_as_loses_it() -> None:
    lost = after(seen(false_alarms=5, quiet=50))
    assert not assess_sections([add_record(lost, seen(hits=11, quiet=49))])[0].is_trusted
    assert assess_sections([add_record(lost, seen(hits=12, quiet=48))])[0].is_trusted
    half = add_record(lost, seen(hits=6, quiet=54))
    assert not assess_sections([add_record(half, seen(false_alarms=1, hits=6, quiet=53))])[
        0
    ].is_trusted
    lost = after(seen(misses=6, quiet=54))
    assert not assess_sections([add_record(lost, seen(hits=7, quiet=53))])[0].is_trusted
    assert assess_sections([add_record(lost, seen(hits=8, quiet=52))])[0].is_trusted


def test_a_bulk_edit_is_one_event() -> None:
    """Twenty pages get another category at once: their dates move, their texts do not."""
    rows = [(0, NOON, NOON - DAY, NOON + 3600 + n, False) for n in range(20)]
    rows += [(0, NOON, NOON - DAY, NOON - DAY, False)] * 40
    (once,) = tally_claims(pairs(*rows), 1)
    assert once.false_alarms == 20
    assert assess_sections([after(once)])[0].is_trusted
    assert assess_sections([after(once, once, once)])[0].is_trusted
    assert not assess_sections([after(*[once] * 5)])[
        0
    ].is_trusted  # every day: a deploy touches them


def test_the_evidence_can_be_checked() -> None:
    (trust,) = assess_sections([Record(30, 10, 20, 400)])
    assert trust.evidence == (
        "30 of 40 claimed changes were changes; 30 of 50 changes were claimed; "
        "rightly silent 400 times"
    )
    assert assess_sections([Record()])[0].evidence == ""
    assert assess_sections([]) == []


def test_small_sections_are_tested_together() -> None:
    """Each page is a section of its own; none has ever enough evidence by itself."""
    before, small = [Record()] * 6, Record()
    rows = [(n, NOON, NOON - DAY, NOON + 3600 * (n + 1), False) for n in range(6)]
    found, small = add_run(before, tally_claims(pairs(*rows), 6), small)
    assert not any(trust.is_trusted for trust in assess_sections(found, small))
    assert assess_sections([Record()], small)[0].reason == FALSE_ALARMS  # a new one among them


def test_a_section_that_becomes_large_goes_on_from_there() -> None:
    rows = [(n, NOON, NOON - DAY, NOON + 3600 * (n + 1), False) for n in range(6)]
    found, small = add_run([Record()] * 6, tally_claims(pairs(*rows), 6), Record())
    quiet = tally_claims(pairs(*[(0, NOON, NOON - DAY, NOON - DAY, False)] * 12), 1)
    (grown,), small = add_run(found[:1], quiet, small)
    assert grown.is_own
    assert not assess_sections([grown], small)[0].is_trusted


def test_large_sections_do_not_speak_for_each_other() -> None:
    liar, honest = after(seen(false_alarms=50)), after(seen(hits=30, quiet=100))
    silent, unknown = after(seen(quiet=200)), Record()
    trusts = assess_sections([liar, honest, silent, unknown])
    assert [trust.is_trusted for trust in trusts] == [False, True, True, True]


def test_who_may_contradict_another_source() -> None:
    records = [after(seen(hits=hits, quiet=60)) for hits in (0, 11, 12)]
    assert [trust.is_proved for trust in assess_sections(records)] == [False, False, True]
    assert not assess_sections([after(seen(hits=30, false_alarms=20))])[0].is_proved


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
    says = np.where(told, before + rng.integers(0, DAY, pages), old)
    return tally_claims(
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
        record = add_record(record, run(rng, number, rate=rate, lie="none"))
        assert assess_sections([record])[0].is_trusted
    assert assess_sections([record])[0].is_sparing == (honest_runs > 0)
    for number in range(3):
        record = add_record(record, run(rng, honest_runs + number, rate=rate, lie=lie))
    (trust,) = assess_sections([record])
    assert not trust.is_trusted
    assert not trust.is_sparing


def test_a_source_that_stops_lying_is_believed_again() -> None:
    rng = np.random.default_rng(1)
    record = Record()
    for number in range(10):
        record = add_record(record, run(rng, number, rate=0.2, lie="touched"))
    runs = 0
    while not assess_sections([record])[0].is_trusted:
        record = add_record(record, run(rng, 10 + runs, rate=0.05, lie="none"))
        runs += 1
    assert 2 <= runs <= 10


def test_the_sample_of_spared_pages_stands_for_all_of_them() -> None:
    record = Record(hits=100, quiet=900)
    # 3 of the 50 pages whose turn it was had changed in silence: some 60 of 1,000.
    sampled = Record(misses=3 * CHECKED_EVERY, quiet=47 * CHECKED_EVERY)
    assert assess_sections([add_record(record, Record(misses=3, quiet=47))])[0].is_sparing
    assert not assess_sections([add_record(record, sampled)])[0].is_sparing


def test_each_spared_page_has_its_turn_once_in_twenty_runs() -> None:
    keys = np.array([key(f"https://example.com/{n}") for n in range(5_000)], np.int64)
    turns = np.array([is_turn(keys, run) for run in range(7, 7 + CHECKED_EVERY)])
    assert (turns.sum(axis=0) == 1).all()
    assert abs(turns.sum(axis=1) / len(keys) - 1 / CHECKED_EVERY).max() < 0.015


# --- ETag and Last-Modified as answers to conditional requests


@for_each(
    (Record(), False),
    (Record(quiet=1000), False),
    (Record(misses=1, quiet=1000), True),  # silence about what is as it was proves nothing
    (Record(hits=100), False),
    (Record(hits=1000, misses=50), False),  # one page of a thousand that is never twice the same
    (Record(hits=100, misses=50), True),
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
    liar = url_section("https://a/liar/1")
    pages = [
        Validated(1, "https://a/honest/1", says_same=False, changed=True),
        Validated(2, "https://a/honest/2", says_same=True, changed=False),
        Validated(3, "https://a/liar/1", says_same=True, changed=True),
        Validated(4, "https://a/liar/2", says_same=False, changed=False),
    ]
    run = next(run for run in range(10_000) if is_sample(np.array([3]), run)[0])
    found = add_validations(pages, {}, run)
    assert found[VALIDATORS, liar] == Record(misses=50.0, false_alarms=1.0)
    assert found[VALIDATORS, url_section("https://a/honest/1")].hits == 1
    assert hiding_sections(found) == {liar}
    again = add_validations(pages[:2], found, run + 1)
    assert (VALIDATORS, liar) not in again  # who is not asked keeps his record
