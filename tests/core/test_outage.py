"""When is it doubtful whether a site is up?"""

from sitemapgen.core.politeness import SUSPICIOUS, Failures


def until_suspicious(failures: Failures) -> int:
    count = 1
    while not failures.failed():
        count += 1
    return count


def test_failures_in_a_row() -> None:
    failures = Failures()
    assert until_suspicious(failures) == SUSPICIOUS
    assert failures.failed()


def test_an_answer_in_between() -> None:
    failures = Failures()
    for _ in range(10):
        assert not failures.failed()
        assert not failures.failed()
        failures.answered()


def test_a_site_that_is_up_is_doubted_ever_more_rarely() -> None:
    failures = Failures()
    doubts = []
    for _ in range(4):
        doubts.append(until_suspicious(failures))
        failures.site_is_up()
    assert doubts == [SUSPICIOUS, 2 * SUSPICIOUS, 4 * SUSPICIOUS, 8 * SUSPICIOUS]
    failures.answered()
    assert until_suspicious(failures) == SUSPICIOUS
