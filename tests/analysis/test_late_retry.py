"""The choice of failed pages that are asked for again."""

from itertools import pairwise

import pytest

from sitemapgen.analysis.late_retry import (
    FailedPage,
    LinklessPage,
    find_repeated,
    first_batch,
    next_batch,
    round_pauses,
    without_lasting,
)
from sitemapgen.verdicts import Reason, Verdict
from tests.helpers.tables import for_each


def failed(number: int, section: str = "x", reason: str = "HTTP 500", **more: int) -> FailedPage:
    known = {"tries": 0, "round": 0, "is_old": False, **more}
    url = f"https://e.example/{section}/{number:05}"
    return FailedPage(key=hash((section, number)), url=url, reason=reason, **known)


def test_pauses_grow_and_are_bounded() -> None:
    some = round_pauses(120)
    assert sum(some) == pytest.approx(120)
    assert all(later == 2 * sooner for sooner, later in pairwise(some))


def test_a_few_of_each_kind() -> None:
    pages = [failed(n) for n in range(2_000)] + [failed(n, "y") for n in range(3)]
    pages.append(failed(1, "z", "HTTP 502"))
    chosen = set(first_batch(pages))
    assert len(chosen) == 8 + 3 + 1
    assert {page.key for page in pages[2_000:]} <= chosen


def test_many_kinds_are_bounded() -> None:
    assert len(first_batch(failed(n, f"s{n}") for n in range(500))) == 48


def test_refusals_are_few() -> None:
    assert len(first_batch(failed(n, reason="HTTP 503") for n in range(99))) == 2


def test_another_round_asks_others() -> None:
    pages = [failed(n, tries=n < 8) for n in range(30)]
    assert not {page.key for page in pages[:8]} & set(first_batch(pages))


def test_what_recovers_lets_others_follow() -> None:
    pages = [failed(n, round=1 if n < 4 else 0) for n in range(100)]
    pages += [failed(n, "y") for n in range(100)]
    chosen = next_batch(pages, 1, ["https://e.example/y/a", "https://e.example/y/b"])
    assert len(chosen) == 16
    assert set(chosen) <= {page.key for page in pages[100:]}  # four of x failed, none recovered


def test_what_is_forbidden_for_good() -> None:
    """Of a section where a second request was in vain; a firewall's 403 may come in any round."""
    forbidden = [
        failed(n, section, "HTTP 403", tries=tries)._replace(verdict=Verdict.HTTP_ERROR, status=403)
        for n, (section, tries) in enumerate([("members", 1), ("members", 0), ("maps", 0)])
    ]
    others = [failed(1, tries=3), failed(2), failed(3, is_old=True)]
    assert without_lasting(forbidden + others) == [forbidden[2], *others[:2]]
    assert all(page.is_doubtful and not page.may_pass for page in forbidden)


def linkless(number: int, content: int) -> LinklessPage:
    return LinklessPage(number, f"https://e.example/x/{number}", content, 0, 0, is_old=False)


def test_short_texts_that_repeat() -> None:
    """Three or more; the twins are pages that differ, and two copies."""
    errors = [linkless(n, content=1) for n in range(3)]
    scans = [linkless(10 + n, content=10 + n) for n in range(5)]
    copies = [linkless(20 + n, content=2) for n in range(2)]
    known: set[int] = set()
    found = find_repeated([*errors, *scans, *copies], known)
    assert [page.key for page in found] == [0, 1, 2]
    left = find_repeated([errors[1], *scans, *copies], known)  # the others have recovered
    assert [page.key for page in left] == [1]
    assert all(page.is_doubtful for page in found)


@for_each(
    (Verdict.HTTP_ERROR, 500, Reason.NONE, True),
    (Verdict.HTTP_ERROR, 429, Reason.NONE, True),
    (Verdict.HTTP_ERROR, 501, Reason.NONE, False),
    (Verdict.HTTP_ERROR, 404, Reason.NONE, False),
    (Verdict.FETCH_ERROR, None, Reason.NONE, True),
    (Verdict.FETCH_ERROR, None, Reason.PERMANENT, False),
    (Verdict.FETCH_ERROR, None, Reason.CRASHED, False),
    (Verdict.FETCH_ERROR, None, Reason.LOST, False),
    (Verdict.UNRENDERABLE, 200, Reason.NONE, True),
    (Verdict.UNRENDERABLE, 200, Reason.PERMANENT, False),
    (Verdict.LISTED, 503, Reason.NO_ANSWER, True),
)
def test_what_may_pass(verdict: Verdict, status: int | None, reason: Reason, passes: bool) -> None:
    page = failed(1)._replace(verdict=verdict, status=status, cause=reason)
    assert page.may_pass is passes
