"""What a fleet does with a job, by what its server shows of it: tables of facts and decisions."""

from typing import Any

from sitemapgen.analysis.fleet import (
    LONGEST_WAIT,
    MAX_ATTEMPTS,
    WAIT,
    WITHOUT_LOG,
    WITHOUT_RESULT,
    Decision,
    JobStep,
    JobTimeouts,
    SiteProgress,
    after_the_end,
    retry_pause,
    while_running,
    while_unlisted,
    with_unreadable_log,
    without_trace,
)
from tests.helpers.tables import for_each

LIMITS = JobTimeouts(job=100.0, grace=10.0, silence=30.0, patience=60.0)
PUBLISHED = {"outcome": "published", "exit_code": 0}
INTERRUPTED = {"outcome": "interrupted", "exit_code": 6}


def begun(**more: Any) -> SiteProgress:
    """A job that runs since the time 1,000."""
    return SiteProgress(
        **{"job": "1", "attempts": 1, "scheduled": True, "running": 1_000.0, **more}
    )


def cancelled(times: int, at: float) -> SiteProgress:
    return begun(cancels=times, cancelled=at)


@for_each(
    (begun(running=0.0), 9_999.0, JobStep.WAIT, ""),
    (begun(), 1_100.0, JobStep.WAIT, ""),
    (begun(), 1_100.1, JobStep.CANCEL, "INT"),
    (cancelled(1, 1_101.0), 1_110.9, JobStep.WAIT, ""),
    (cancelled(1, 1_101.0), 1_111.0, JobStep.CANCEL, "INT"),
    (cancelled(2, 1_111.0), 1_121.0, JobStep.CANCEL, "KILL"),
    (cancelled(3, 1_121.0), 1_130.9, JobStep.WAIT, ""),
    (cancelled(3, 1_121.0), 1_131.0, JobStep.END, ""),
)
def test_a_running_job(progress: SiteProgress, now: float, step: JobStep, signal: str) -> None:
    decision = while_running(progress, LIMITS, now)
    assert (decision.step, decision.signal) == (step, signal)
    if step is JobStep.END:
        assert decision.outcome["outcome"] == "time_limit"
        assert decision.outcome["sentence"] == "runs longer than 2 min; it does not end"


def test_a_running_job_without_a_limit() -> None:
    limits = JobTimeouts(job=0.0, grace=10.0, silence=30.0, patience=60.0)
    assert while_running(begun(), limits, 1e9) == WAIT


def ended(decision: Decision) -> tuple[str, str]:
    assert decision.step is JobStep.END
    return decision.outcome["outcome"], decision.outcome.get("sentence", "")


def test_a_finished_job_with_a_result() -> None:
    """Also one that was interrupted by a person: it is not made again."""
    for result in (PUBLISHED, INTERRUPTED):
        decision = after_the_end(begun(), LIMITS, result, has_log=True)
        assert (decision.step, decision.outcome) == (JobStep.END, result)


def test_a_finished_job_that_was_cancelled() -> None:
    for result in (INTERRUPTED, None):
        decision = after_the_end(cancelled(1, 1_101.0), LIMITS, result, has_log=True)
        assert ended(decision)[0] == "time_limit"
        assert "its state is kept" in ended(decision)[1]
    decision = after_the_end(cancelled(1, 1_101.0), LIMITS, PUBLISHED, has_log=True)
    assert decision.outcome == PUBLISHED  # it was done just then


@for_each((True, WITHOUT_RESULT), (False, WITHOUT_LOG))
def test_a_finished_job_without_a_result(has_log: bool, why: str) -> None:
    for attempts in range(1, MAX_ATTEMPTS):
        decision = after_the_end(begun(attempts=attempts), LIMITS, None, has_log=has_log)
        assert decision == Decision(step=JobStep.REPLACE, reason=why)
    decision = after_the_end(begun(attempts=MAX_ATTEMPTS), LIMITS, None, has_log=has_log)
    assert ended(decision) == ("no_result", f"{why}, after 3 jobs")


def test_a_job_that_its_restarted_server_does_not_list() -> None:
    assert while_unlisted(begun(), LIMITS, 1_050.0, None, 30.0) == WAIT
    assert while_unlisted(begun(), LIMITS, 1_050.0, None, 30.1).step is JobStep.REPLACE
    assert while_unlisted(begun(), LIMITS, 1_050.0, INTERRUPTED, 0.0).step is JobStep.REPLACE
    assert while_unlisted(begun(), LIMITS, 1_050.0, PUBLISHED, 0.0).outcome == PUBLISHED
    late = ended(while_unlisted(begun(), LIMITS, 1_101.0, None, 0.0))
    assert late[0] == "time_limit"
    assert "its restarted server cannot cancel it" in late[1]


def test_a_job_that_is_lost_for_the_third_time() -> None:
    last = begun(attempts=MAX_ATTEMPTS)
    killed = ended(while_unlisted(last, LIMITS, 1_050.0, None, 31.0))
    assert killed == ("no_result", "its job was killed with its server, after 3 jobs")
    assert while_unlisted(last, LIMITS, 1_050.0, INTERRUPTED, 0.0).outcome == INTERRUPTED
    assert ended(without_trace(last, 1))[0] == "no_result"


def test_a_job_of_which_there_is_no_trace() -> None:
    """One that the server took is lost; another one may be on its way, or have never arrived."""
    assert without_trace(begun(), 1).step is JobStep.REPLACE
    assert without_trace(begun(scheduled=False), 1) == WAIT
    assert without_trace(begun(scheduled=False), 2).step is JobStep.SCHEDULE


def test_a_log_that_cannot_be_read() -> None:
    assert with_unreadable_log(LIMITS, "HTTP 403", 60.0) == WAIT
    found = ended(with_unreadable_log(LIMITS, "HTTP 403", 60.1))
    assert found == ("no_result", "its log cannot be read: HTTP 403")


def test_a_pause_has_bounds() -> None:
    assert [retry_pause(5.0, wanted) for wanted in (None, 1.0, 60.0, 1e9)] == [
        *(5.0, 5.0, 60.0, LONGEST_WAIT)
    ]
