"""Dates beside each other: what most pages share is not when each of them changed."""

import random
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest

from sitemapgen.analysis import lastmod
from sitemapgen.analysis.freshness.trust import SMALL_SECTIONS
from sitemapgen.analysis.lastmod import WINDOW, DatedPage, Dates, mark_crowded
from sitemapgen.core.lastmod import (
    BITS,
    SOURCES,
    best_claim,
    explain_choice,
    make_claims,
    pack_claims,
)
from tests.helpers.tables import for_each

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=timezone.utc)
DAY = timedelta(days=1)
BUILD = datetime(2026, 3, 4, 5, 6, 7, tzinfo=timezone.utc)


def dated(
    number: int, section: str = "docs", sitemap: str = "", pace: int = 1, **claims: str
) -> DatedPage:
    """A page, fetched ``pace`` seconds after the one before; what it claims, by source."""
    answered = NOW + timedelta(seconds=number * pace)
    said = make_claims(claims.items(), now=answered)
    first = best_claim(said)
    return DatedPage(
        key=number,
        url=f"https://e.example/{section}/{number}",
        is_listed=True,
        answered=int(answered.timestamp()),
        packed=pack_claims(said),
        sitemap_dates=sitemap,
        system_dates="",
        lastmod=first.lastmod if first else "",
        source=first.source if first else "",
        evidence=explain_choice(said, first),
    )


def conclude(pages: Iterable[DatedPage]) -> dict[int, tuple[str, str]]:
    """The date and its source of each page that has one."""
    pages = list(pages)
    found = Dates(pages)
    dates = {page.key: (page.lastmod, page.source) for page in pages}
    by_key = {page.key: page for page in pages}
    new = found.conclude_pages([by_key[key] for key in found.keys])
    dates |= {key: (date, source) for key, date, source, *_ in new}
    return {key: date for key, date in dates.items() if date[0]}


def http(moment: datetime) -> str:
    return moment.strftime("%a, %d %b %Y %H:%M:%S GMT")


def true_date(number: int) -> str:
    return (NOW - DAY * (number * 37 % 900 + 10)).date().isoformat()


def test_dates_of_their_own_are_believed() -> None:
    found = conclude(dated(number, json_ld=true_date(number)) for number in range(40))
    assert found == {number: (true_date(number), "json_ld") for number in range(40)}


@for_each(
    lambda number: {"json_ld": BUILD.isoformat()},
    lambda number: {"json_ld": "2026-03-04"},
    lambda number: {"time": (BUILD + timedelta(seconds=number * 9)).isoformat()},
    lambda number: {"sitemap": (BUILD + timedelta(milliseconds=number)).isoformat()},
    lambda number: {"last_modified": http(BUILD)},
    # As far from the request on every page: a clock, or a cache.
    lambda number: {"last_modified": http(NOW + timedelta(seconds=number - 200))},
    lambda number: {"json_ld": NOW.date().isoformat()},
    # Two builds.
    lambda number: {"json_ld": (BUILD + DAY * (number % 3 == 0)).isoformat()},
    lambda number: {"json_ld": "" if number % 4 == 3 else BUILD.isoformat()},
)
def test_what_most_pages_share_is_not_published(claim: Callable[[int], dict[str, str]]) -> None:
    assert conclude(dated(number, **claim(number)) for number in range(40)) == {}


def test_a_clock_of_a_long_crawl_is_seen_by_its_distance() -> None:
    pages = []
    for number in range(40):
        answered = NOW + timedelta(minutes=number)
        claims = make_claims([("last_modified", http(answered - timedelta(hours=1)))], now=answered)
        (claim,) = claims
        page = dated(number)._replace(
            answered=int(answered.timestamp()), packed=pack_claims(claims), lastmod=claim.lastmod
        )
        pages.append(page)
    assert conclude(pages) == {}
    assert Dates(pages).count_distrusted() == {"last_modified": {"shared": 40}}


def test_the_build_time_of_many_small_sections_is_not_published() -> None:
    pages = (dated(number, f"part{number // 2}", json_ld=BUILD.isoformat()) for number in range(40))
    assert conclude(pages) == {}


def test_a_build_is_seen_however_long_the_crawl_takes() -> None:
    assert conclude(dated(number, pace=60, json_ld=BUILD.isoformat()) for number in range(40)) == {}


def test_the_day_of_the_answer_is_a_clock_too() -> None:
    """Half of the pages are fetched before midnight, the others after it."""
    pages = []
    for number in range(48):
        answered = NOW + timedelta(hours=number // 2)
        pages.append(dated(number, pace=1800, json_ld=answered.date().isoformat()))
    assert len({page.lastmod for page in pages}) == 2
    assert conclude(pages) == {}


def test_the_true_dates_of_one_section_are_published() -> None:
    """Build time on every page, but for the blog."""
    pages = [dated(number, json_ld=BUILD.isoformat()) for number in range(50)]
    pages += [dated(number, "blog", json_ld=true_date(number)) for number in range(50, 70)]
    random.Random(1).shuffle(pages)
    found = conclude(pages)
    assert found == {number: (true_date(number), "json_ld") for number in range(50, 70)}


IMPORTED = "2026-03-04"


@for_each(30, 5)
def test_the_import_of_another_section_proves_nothing(small: int) -> None:
    """A shop was imported on the day on which some posts were written."""
    pages = [dated(number, "shop", sitemap=IMPORTED) for number in range(100)]
    days = [IMPORTED if number % 4 == 0 else true_date(number) for number in range(small)]
    pages += [dated(100 + number, "blog", sitemap=day) for number, day in enumerate(days)]
    found = conclude(pages)
    assert found == {100 + number: (day, "sitemap") for number, day in enumerate(days)}
    assert Dates(pages).count_distrusted() == {"sitemap": {"shared": 100}}


@for_each((4, []), (9, [100, 101, 102, 103]))
def test_a_few_pages_have_the_build_time_of_the_site(others: int, kept: list[int]) -> None:
    """The home page and three more have the date of all products; or five more have their own."""
    pages = [dated(number, "shop", sitemap=IMPORTED) for number in range(100)]
    pages += [
        dated(100 + number, f"s{number}", sitemap=IMPORTED if number < 4 else true_date(number))
        for number in range(others)
    ]
    assert [number for number in conclude(pages) if number < 104] == kept


def test_the_build_time_of_one_section_is_not() -> None:
    """The docs are built at once; they are a small part of the site."""
    pages = [dated(number, json_ld=BUILD.isoformat()) for number in range(12)]
    pages += [dated(number, "blog", json_ld=true_date(number)) for number in range(12, 100)]
    assert sorted(conclude(pages)) == list(range(12, 100))


def test_the_next_best_evidence_counts() -> None:
    pages = [
        dated(
            number,
            json_ld=BUILD.isoformat(),
            time="2099-01-01",
            sitemap=f"2019\n{true_date(number)}\n1999-01-01",
            last_modified=http(NOW),
        )
        for number in range(40)
    ]
    found = Dates(pages)
    for page, row in zip(pages, found.conclude_pages(pages), strict=True):
        assert row[:4] == (
            page.key,
            true_date(page.key),
            "sitemap",
            f"{true_date(page.key)}; not json_ld (shared); not time (future); "
            "not last_modified (clock)",
        )
    assert found.count_distrusted() == {
        "json_ld": {"shared": 40},
        "time": {"future": 40},
        "last_modified": {"clock": 40},
    }


def test_of_few_pages_nothing_can_be_said() -> None:
    assert len(conclude(dated(number, json_ld=BUILD.isoformat()) for number in range(9))) == 9


def test_half_of_the_pages_are_not_most() -> None:
    pages = [dated(number, json_ld=BUILD.isoformat()) for number in range(20)]
    pages += [dated(number, json_ld=true_date(number)) for number in range(20, 40)]
    assert len(conclude(pages)) == 40


def test_only_what_is_new_is_concluded() -> None:
    alone, listed = dated(1, json_ld="2024-01-01"), dated(2, sitemap="2024-01-01")
    found = Dates([alone, listed])
    assert found.keys == [2]  # of the other one no other source says anything
    (row,) = found.conclude_pages([listed])
    settled = listed._replace(lastmod=row.lastmod, source=row.source, evidence=row.evidence)
    assert list(Dates([settled]).conclude_pages([settled])) == []


def test_without_pages_there_is_nothing_to_conclude() -> None:
    assert Dates([]).count_distrusted() == {}


@for_each(*range(30))
def test_crowded_against_a_slow_count(seed: int) -> None:
    dice = random.Random(seed)
    count = dice.randrange(0, 120)
    groups = [dice.randrange(4) for _ in range(count)]
    values = [dice.choice([dice.randrange(3) * 5_000, dice.randrange(10**6)]) for _ in groups]

    def slow() -> set[int]:
        marked: set[int] = set()
        for group in range(4):
            left = sorted((values[i], i) for i in range(count) if groups[i] == group)
            while len(left) >= 10:
                fullest = max(
                    ([j for v, j in left if start <= v <= start + WINDOW] for start, _ in left),
                    key=len,
                )
                if 2 * len(fullest) <= len(left):
                    break
                marked.update(fullest)
                left = [each for each in left if each[1] not in fullest]
        return marked

    found = mark_crowded(np.array(values, np.int64), np.array(groups, np.uint32))
    assert set(np.flatnonzero(found).tolist()) == slow()


# From run to run

WEEK = 7 * DAY


def again(
    number: int,
    before: dict[str, str],
    now: dict[str, str] | None = None,
    *,
    is_other: bool = False,
    settled: tuple[str, str, str] = ("", "", ""),
    section: str = "docs",
    sitemap: str = "",
) -> DatedPage:
    """A page at its second visit, a week after the first; what it claimed ``before`` and ``now``.

    Without ``now`` it claims the same.
    """
    page = dated(number, section, sitemap, **(before if now is None else now))
    then = datetime.fromtimestamp(page.answered, timezone.utc) - WEEK
    return page._replace(
        visited=page.answered,
        before=int(then.timestamp()),
        is_other=is_other,
        packed_before=pack_claims(make_claims(before.items(), now=then)),
        settled=settled,
    )


def test_a_page_that_is_as_it_was_keeps_its_date() -> None:
    old = {"time": "2024-01-01"}
    more = {**old, "json_ld": "2025-05-05"}  # a template that tells more
    page = again(1, old, more, settled=("2024-01-01", "time", "2024-01-01"))
    assert conclude([page]) == {1: ("2024-01-01", "time")}


def test_a_change_without_a_date_has_that_of_the_visit_that_saw_it() -> None:
    pages = [
        again(1, {}, is_other=True),
        again(2, {"time": "2024-01-01"}, is_other=True),
    ]
    seen = [datetime.fromtimestamp(page.visited, timezone.utc).isoformat() for page in pages]
    assert conclude(pages) == {1: (seen[0], "observed"), 2: (seen[1], "observed")}
    kept = again(1, {}, settled=("2026-11-01", "observed", "seen"))
    assert conclude([kept]) == {1: ("2026-11-01", "observed")}


@for_each((5, 5), (10, 10), (11, 0), (20, 0))
def test_what_changes_on_most_pages_of_a_kind_dates_none(changed: int, dated: int) -> None:
    pages = [again(n, {}, is_other=n < changed) for n in range(20)]
    pages += [again(n, {}, section="news") for n in range(20, 40)]
    found = conclude(pages)
    assert sum(source == "observed" for _, source in found.values()) == dated


def test_a_date_as_old_as_the_visit_is_no_clock_at_a_later_reading_of_the_sitemap() -> None:
    """An edit just before the visit, or after it, of a page that needs no request since."""
    for seconds in (-20, 3_600):
        edited = datetime.fromtimestamp(NOW.timestamp() + seconds, timezone.utc).isoformat()
        page = dated(0, sitemap=edited)
        assert conclude([page]) == {}
        later = page._replace(visited=page.answered, stated=page.answered + 86_400)
        assert conclude([later]) == {0: (edited, "sitemap")}


def test_what_changes_on_most_pages_of_a_kind_disproves_no_date() -> None:
    """A list of the newest posts below each one: every main text changes, and no date."""

    def pages(changed: int) -> list[DatedPage]:
        return [again(n, {"time": f"2024-01-{1 + n:02}"}, is_other=n < changed) for n in range(20)]

    found = Dates(pages(19))
    for _ in range(10):
        found = Dates(pages(19), found.records)
    assert not concluded(pages(19), found), "each keeps the date that it states"
    some = conclude(pages(3))
    assert [some[n][1] for n in (1, 2, 3, 4)] == ["observed", "observed", "time", "time"]


def test_a_date_that_tells_the_change_is_more_exact_than_the_visit() -> None:
    told = (NOW - 2 * DAY).date().isoformat()
    page = again(1, {"time": "2024-01-01"}, {"time": told}, is_other=True)
    assert conclude([page]) == {1: (told, "time")}


def test_a_change_that_no_visit_saw_is_not_believed() -> None:
    claim = {"time": (NOW - DAY).date().isoformat()}
    settled = ("2024-01-01", "json_ld", "2024-01-01")
    page = again(1, {"time": "2024-01-01"}, claim, settled=settled)
    (conclusion,) = Dates([page]).conclude_pages([page])
    assert conclusion.lastmod == "2024-01-01"
    fresh = page._replace(settled=("", "", ""))
    (conclusion,) = Dates([fresh]).conclude_pages([fresh])
    assert conclusion[:4] == (1, "", "", "not time (disproved)")


def test_what_is_kept_of_a_source_does_not_depend_on_the_order_of_sources(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert {*BITS} == {*SOURCES}
    assert sorted(BITS.values()) == [*range(len(BITS))]
    before, claim = {"time": "2024-01-01"}, {"time": (NOW - DAY).date().isoformat()}
    page = again(1, before, claim)
    for order in (SOURCES, SOURCES[::-1]):
        monkeypatch.setattr(lastmod, "SOURCES", order)
        (conclusion,) = Dates([page]).conclude_pages([page])
        assert conclusion.disproved == 1 << 3
        # It stays disproved in the next run, in which nothing changes.
        kept = page._replace(before=0, disproved=conclusion.disproved)
        (conclusion,) = Dates([kept]).conclude_pages([kept])
        assert conclusion.evidence == "not time (disproved)"


def lie(number: int) -> str:
    return http(NOW - DAY - timedelta(minutes=23 * number))


def touched(count: int, settled: tuple[str, str, str] = ("", "", "")) -> list[DatedPage]:
    """Pages whose date has moved for nothing."""
    old = {"last_modified": "Mon, 01 Jan 2024 00:00:00 GMT"}
    return [
        again(number, old, {"last_modified": lie(number)}, section="shop", settled=settled)
        for number in range(count)
    ]


def published(number: int, **more: Any) -> DatedPage:
    """A page whose JSON-LD date is published."""
    date = true_date(number)
    return again(number, {"json_ld": date}, settled=(date, "json_ld", date), **more)


def silent(count: int, changed: int) -> list[DatedPage]:
    """Pages of which the first have changed; their JSON-LD dates have not."""
    return [published(number, is_other=number < changed) for number in range(count)]


def test_a_source_that_was_wrong_is_not_believed_about_other_pages() -> None:
    """Five observations are telling, four are not."""
    new = [dated(number, "shop", last_modified=lie(number)) for number in range(5, 20)]
    assert conclude(new).keys() == set(range(5, 20))
    assert conclude([*touched(4), *new]).keys() == set(range(5, 20))
    assert conclude([*touched(5), *new]) == {}
    records = Dates([*touched(5), *new]).records
    assert sum(record.false_alarms for record in records.values()) == 10.0  # page by page, and all


def test_what_was_found_out_is_remembered() -> None:
    records = Dates(touched(5)).records
    later = [dated(number, "shop", last_modified=lie(number)) for number in range(5, 12)]
    assert len(conclude(later)) == 7
    found = Dates(later, records)
    by_key = {page.key: page for page in later}
    assert {new.lastmod for new in found.conclude_pages([by_key[key] for key in found.keys])} == {
        ""
    }
    assert found.changes == []


def concluded(pages: list[DatedPage], found: Dates) -> dict[int, tuple[str, str, bool]]:
    by_key = {page.key: page for page in pages}
    return {
        row.key: (row.lastmod, row.source, row.is_trusted)
        for row in found.conclude_pages([by_key[key] for key in found.keys])
    }


def test_two_changes_without_a_date_cost_the_other_pages_nothing() -> None:
    pages = silent(60, 2)
    found = Dates(pages)
    assert found.changes == []
    dates = concluded(pages, found)
    assert [dates[number][1] for number in (0, 1)] == ["observed", "observed"]
    assert all(dates[n] == (true_date(n), "json_ld", True) for n in range(2, 60))


def test_an_unchanged_page_keeps_its_date_when_the_source_loses_the_section() -> None:
    """And new pages of the section get none from it."""
    pages = [*silent(60, 8), *(dated(n, json_ld=true_date(n)) for n in range(60, 70))]
    found = Dates(pages)
    ((source, _, _, is_trusted, reason, evidence),) = found.changes
    assert (source, is_trusted, reason) == ("json_ld", False, "misses")
    assert evidence == "0 of 8 changes were claimed; rightly silent 52 times"
    dates = concluded(pages, found)
    assert all(dates[n] == (true_date(n), "json_ld", False) for n in range(8, 60))
    assert {dates[number] for number in range(60, 70)} == {("", "", True)}


def test_an_unchanged_page_keeps_its_date_though_now_most_pages_share_one() -> None:
    """A new generator prints the time of the build on all pages."""
    pages = [published(number, now={"json_ld": BUILD.isoformat()}) for number in range(40)]
    found = Dates(pages)
    assert found.count_distrusted() == {"json_ld": {"shared": 40}}
    assert found.changes == []
    assert {n: date for n, (date, *_) in concluded(pages, found).items()} == {
        n: true_date(n) for n in range(40)
    }


def test_a_date_that_itself_moved_for_nothing_is_withdrawn_with_its_source() -> None:
    """Of the same pages none is withdrawn while the source is believed."""
    old = "Mon, 01 Jan 2024 00:00:00 GMT"
    settled = ("2024-01-01T00:00:00+00:00", "last_modified", old)
    few, many = touched(4, settled), touched(5, settled)
    assert set(concluded(few, Dates(few)).values()) == {(*settled[:2], True)}
    still = [
        again(number, {"last_modified": old}, section="shop", settled=settled)
        for number in range(5, 9)
    ]
    dates = concluded([*many, *still], Dates([*many, *still]))
    assert {dates[number] for number in range(5)} == {("", "", True)}
    assert {dates[number] for number in range(5, 9)} == {(*settled[:2], False)}


def test_a_date_is_withdrawn_where_a_source_that_was_right_dates_the_page_later() -> None:
    """The sitemap never moves; Last-Modified told twelve of twelve changes."""

    def frozen(number: int) -> str:
        return f"2019-{number % 12 + 1:02}-{number % 28 + 1:02}"

    def later(number: int) -> str:
        return http(datetime(2024, 5, 5, tzinfo=timezone.utc) + number * DAY)

    pages = [
        again(
            number,
            {"last_modified": later(number)},
            {"last_modified": lie(number) if number < 12 else later(number)},
            is_other=number < 12,
            settled=(frozen(number), "sitemap", frozen(number)),
            sitemap=frozen(number),
        )._replace(sitemap_dates_before=frozen(number))
        for number in range(40)
    ]
    dates = concluded(pages, Dates(pages))
    assert {dates[number][1:] for number in range(12, 40)} == {("last_modified", True)}
    untold = [page for page in pages if not 6 <= page.key < 12]  # six are not enough to contradict
    dates = concluded(untold, Dates(untold))
    assert all(dates[n] == (frozen(n), "sitemap", False) for n in range(12, 40))


def test_a_loss_is_noted_once_also_where_sections_grow() -> None:
    """Small sections lose together; one that becomes large is no loss of its own."""
    small = [page._replace(url=f"https://e.example/page-{page.key}/x") for page in touched(6)]
    found = Dates(small)
    ((source, section, *_),) = found.changes
    assert (source, section) == ("last_modified", SMALL_SECTIONS)
    grown = [again(n, {"last_modified": lie(n)}) for n in range(12)]
    later = Dates(grown, found.records)
    assert later.changes == []
    assert later.count_distrusted() == {"last_modified": {"distrusted": 12}}


def test_a_run_without_changes_concludes_what_the_one_before_did() -> None:
    """Also where a source has just lost a section, and where it nearly has."""
    for changed in (2, 5, 6, 30):
        pages = silent(60, changed)
        found = Dates(pages)
        records, first = found.records, concluded(pages, found)
        settled = {row.key: row for row in found.conclude_pages(pages)}
        for _ in range(5):
            pages = [
                page._replace(
                    is_other=False,
                    settled=settled[page.key][1:4],
                    disproved=settled[page.key].disproved,
                )
                for page in pages
            ]
            before = found.count_distrusted()
            found = Dates(pages, records)
            records = found.records
            assert concluded(pages, found) == first
            assert found.count_distrusted() == before
            assert found.changes == []
