"""When may a host be asked again?"""

from datetime import datetime, timezone

from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.politeness import GOOD_ANSWERS, Pace, http_date, retry_after
from tests.helpers.tables import for_each

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=timezone.utc)


@for_each(
    ("120", 120.0),
    (" 3 ", 3.0),
    ("0", 0.0),
    ("315360000", 315_360_000.0),
    ("9" * 400, float("inf")),
    ("Sat, 21 Nov 2026 12:00:30 GMT", 30.0),
    ("Saturday, 21-Nov-26 12:01:00 GMT", 60.0),
    ("Sat Nov 21 12:00:05 2026", 5.0),
    ("Sat, 21 Nov 2026 13:00:30 +0100", 30.0),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 0.0),
    ("Thu, 21 Nov 2036 12:00:00 GMT", 315_619_200.0),
    ("-5", None),
    ("1.5", None),
    ("1e9", None),
    ("soon", None),
    ("tomorrow at noon", None),
    ("2026-11-21T12:00:30Z", None),
    ("Sat, 99 Nov 2026 12:00:30 GMT", None),
    ("Sat, 21 Nov 99999 12:00:30 GMT", None),
    ("Sat, 21 Nov 2026 12:00:30 +99999999999999", None),
    ("²", None),
    ("", None),
)
def test_retry_after(value: str, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


@given(st.text())
def test_no_header_is_too_strange(value: str) -> None:
    assert (retry_after(value, NOW) or 0) >= 0
    assert (http_date(value) or NOW).tzinfo is not None


def pace(start: float = 1, longest: float = 60, longest_asked: float = 300) -> Pace:
    return Pace(start=start, longest=longest, longest_asked=longest_asked)


def test_each_refusal_in_a_row_doubles_the_pause_up_to_the_longest() -> None:
    host = pace()
    now, pauses = 0.0, []
    for _ in range(9):
        pauses.append(host.refused(now, now))
        now = host.resume_at
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert host.gap == 1
    assert host.outage == sum(pauses)


def test_requests_that_were_under_way_together_are_refused_once() -> None:
    host = pace()
    assert host.refused(10, began=9) == 1
    assert host.refused(10.5, began=9) == 0.5
    assert host.refused(11.5, began=9.9) == 0
    assert host.refused(12, began=11) == 2
    host.answered(began=9)  # no sign of recovery either
    assert host.refused(20, began=19) == 4


@for_each((5, 5), (0, 1), (0.2, 1), (300, 300), (1e9, 300), (float("inf"), 300))
def test_the_host_may_ask_for_a_longer_pause(asked: float, pause: float) -> None:
    assert pace().refused(10, began=9, asked=asked) == pause


def test_a_later_and_longer_wish_counts_and_a_shorter_does_not() -> None:
    host = pace()
    host.refused(10, began=9, asked=20)
    assert host.refused(11, began=9, asked=5) == 19
    assert host.refused(12, began=9, asked=50) == 50
    host.postpone(13, 100)
    assert host.resume_at == 113


def test_ten_good_answers_halve_the_gap_until_it_is_gone() -> None:
    host = pace()
    host.refused(10, began=9)
    gaps = []
    for now in range(11, 11 + 5 * GOOD_ANSWERS):
        host.answered(now)
        gaps.append(host.gap)
    assert gaps[:: GOOD_ANSWERS // 2] == [1, 1, 0.5, 0.5, 0.25, 0.25, 0.125, 0.125, 0, 0]


def test_each_bout_of_refusals_doubles_the_gap() -> None:
    host = pace(longest=3)
    gaps = []
    for now in range(10, 60, 10):
        host.refused(now, began=now)
        host.answered(now + 5)
        gaps.append(host.gap)
    assert gaps == [1, 2, 3, 3, 3]
    assert host.outage == 0


def test_a_page_with_a_trouble_of_its_own_slows_no_other_down() -> None:
    host = pace()
    host.refused(10, began=10)
    for now in range(20, 60, 10):
        host.answered(now)
        assert host.refused(now + 5, began=now + 5, again=True) == 1
    assert host.gap == 1


def test_a_trouble_that_all_share_does_although_pages_are_asked_again() -> None:
    host = pace()
    assert host.refused(10, began=10) == 1
    assert host.refused(12, began=12, again=True) == 2


def test_backing_off_can_be_switched_off() -> None:
    host = pace(start=0, longest_asked=0)
    assert host.refused(10, began=10, asked=99) == 0
    assert host.gap == 0
