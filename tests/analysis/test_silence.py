"""Pages without a date, while systems state no change: which sections are spared, and which not."""

from sitemapgen.analysis.freshness.silence import SILENCE, Records, Sparing, add_run
from sitemapgen.analysis.freshness.trust import SMALL_SECTIONS, Record

TAGS, LISTS = 7, 8


def learnt(*runs: dict[tuple[int, bool], int]) -> Records:
    records: Records = {}
    for run in runs:
        visits = [visit for visit, count in run.items() for _ in range(count)]
        records = {**records, **add_run(visits, records)}
    return records


def test_eighteen_visits_without_a_change_are_enough() -> None:
    assert not Sparing({}).is_any
    assert not Sparing(learnt({(TAGS, False): 17})).covers(TAGS)
    assert Sparing(learnt({(TAGS, False): 18})).covers(TAGS)


def test_one_change_costs_a_section_nothing_that_was_often_visited() -> None:
    assert Sparing(learnt({(TAGS, False): 60, (TAGS, True): 1})).covers(TAGS)
    assert not Sparing(learnt({(TAGS, False): 20, (TAGS, True): 5})).covers(TAGS)


def test_small_sections_are_like_the_site() -> None:
    records = learnt({(section, False): 2 for section in range(30)})
    assert Sparing(records).covers(3)
    assert Sparing(records).covers(99)


def test_a_section_that_changes_by_itself_is_visited_and_costs_the_others_nothing() -> None:
    records = learnt({(TAGS, False): 60, (LISTS, True): 9, (LISTS, False): 9})
    assert Sparing(records).covers(TAGS)
    assert not Sparing(records).covers(LISTS)
    assert not Sparing(records).covers(99)  # the site as a whole has too many changes


def test_a_run_without_visits_leaves_everything_as_it_was() -> None:
    records = learnt({(TAGS, False): 30})
    for _ in range(20):
        records = {**records, **add_run([], records)}
    assert Sparing(records).covers(TAGS)
    for _ in range(20):  # one check a run
        records = {**records, **add_run([(TAGS, False)], records)}
    assert Sparing(records).covers(TAGS)
    assert records[SILENCE, TAGS].quiet == 50


def test_one_run_counts_for_a_part_of_the_evidence_only() -> None:
    records = learnt({(TAGS, False): 980, (TAGS, True): 20})
    assert records[SILENCE, TAGS] == Record(misses=2, quiet=98)


def test_checks_are_rarer_the_fewer_changes_they_find() -> None:
    def every(*runs: dict[tuple[int, bool], int], section: int = TAGS) -> int:
        return Sparing(learnt(*runs)).checked_every(section)

    quiet = {(TAGS, False): 50}
    assert every({(TAGS, False): 30}) == 20
    assert every(quiet) == every(quiet, section=LISTS) == 40
    assert every(quiet, quiet) == every({(TAGS, False): 100}) == 80
    assert every({(TAGS, False): 100_000, (TAGS, True): 1_000}) == 40
    assert every(*[quiet] * 40) == 80
    assert every(*[quiet] * 40, {(TAGS, True): 3}) == 40
    assert every(*[quiet] * 40, {(TAGS, True): 5}) == 20


def test_old_visits_are_forgotten_with_new_ones_only() -> None:
    records = learnt({(TAGS, False): 1_000}, {(TAGS, True): 20})
    assert records[SILENCE, TAGS] == Record(misses=20, quiet=100)
    assert not Sparing(records).covers(TAGS)
    assert records[SILENCE, SMALL_SECTIONS] == records[SILENCE, TAGS]
