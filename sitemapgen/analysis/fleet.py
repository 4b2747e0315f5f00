"""Rules of a fleet for the job of one site: when it is cancelled, made again, or has an outcome.

Pure: what a Scrapyd server shows of a job, and the time, are values; ``tools/fleet/`` acts on the
decision. A site gets another job only if the one it has is shown to be lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from sitemapgen.core.words import counted, duration

MAX_ATTEMPTS = 3
"""Jobs that a site gets in a round, if each is lost."""
SIGNALS = ("INT", "INT", "KILL")
"""Signals of the cancels of one job: the second ends a crawl at once, the last one a process that
does not react. The state is kept in any case."""
LOOKS = 2
"""Looks at a server, without a trace of a job that may have been scheduled, after which it was
not."""
MOST_REFUSED = 3
"""Logs given up in a row, without one that could be read, that are a fault of their server."""
LONGEST_WAIT = 300.0
"""Seconds of the longest Retry-After that is kept, and between two requests for one log."""
TIME_LIMIT, NO_RESULT = "time_limit", "no_result"
"""Outcomes besides those of result.json."""
WITHOUT_RESULT = "its job ended without a result: killed, or out of memory; its log has more"
WITHOUT_LOG = (
    "its job ended and has no log: jobs_to_keep of scrapyd.conf is too low, logs_dir is empty, or "
    "the crawl could not start, for which Scrapyd's own log has the reason"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobTimeouts:
    """Seconds after which the next step is taken."""

    job: float
    """Longest time that a job may run; 0 for any."""
    grace: float
    """From one cancel of a job to the next."""
    silence: float
    """Without a new log line, after which a job that is not listed any more counts as killed."""
    patience: float
    """Without an answer, after which a server, or a log, is given up."""


@dataclass(slots=True)
class SiteProgress:
    """How far a site is in the current round; all times in seconds since 1970 UTC."""

    server: str = ""
    job: str = ""
    """Id of its current job; empty while it waits for one."""
    attempts: int = 0
    """Jobs that were made for it; more than one if jobs were lost."""
    scheduled: bool = False
    """Whether the server is known to have taken the job."""
    running: float = 0.0
    """When the job was first seen running; 0 before."""
    cancels: int = 0
    cancelled: float = 0.0
    """When the last of its cancels was sent."""
    outcome: dict[str, Any] = field(default_factory=dict)
    """What became of it; empty before."""


class JobStep(Enum):
    """What is to be done with a job."""

    WAIT = "wait"
    CANCEL = "cancel"
    """Send it ``Decision.signal``."""
    SCHEDULE = "schedule"
    """Schedule it under the id that it has: it never arrived."""
    REPLACE = "replace"
    """Give it up as lost; its site waits for another one."""
    END = "end"
    """The site has its ``Decision.outcome``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The next step for a job."""

    step: JobStep
    reason: str = ""
    """In words; empty for ``WAIT``, ``SCHEDULE`` and ``END``."""
    signal: str = ""
    outcome: Mapping[str, Any] = field(default_factory=dict)
    """The fields of result.json, if there is one, with what differs from it."""


WAIT = Decision(step=JobStep.WAIT)


def while_running(progress: SiteProgress, limits: JobTimeouts, now: float) -> Decision:
    """Decide on a job that is listed as running: cancel one that is late, each time more firmly."""
    if not _is_late(progress, limits, now) or now - progress.cancelled < limits.grace:
        return WAIT
    if progress.cancels == len(SIGNALS):
        return _end_site(None, TIME_LIMIT, f"{_late_reason(limits)}; it does not end")
    return Decision(
        step=JobStep.CANCEL, reason=_late_reason(limits), signal=SIGNALS[progress.cancels]
    )


def after_the_end(
    progress: SiteProgress, limits: JobTimeouts, result: Mapping[str, Any] | None, *, has_log: bool
) -> Decision:
    """Decide on a job that is listed as finished. ``result``: the last line of its log."""
    why = WITHOUT_RESULT if has_log else WITHOUT_LOG
    return _decide_concluded(progress, limits, result, why, is_lost=result is None)


def while_unlisted(
    progress: SiteProgress,
    limits: JobTimeouts,
    now: float,
    result: Mapping[str, Any] | None,
    silent: float,
) -> Decision:
    """Decide on a job with a log that its server does not list.

    Scrapyd lists no job of the time before its restart, but those in its queue; their processes
    may have outlived it. ``silent``: seconds for which its log has not grown.
    """
    if result:
        why = "its job was interrupted with its server"
        return _decide_concluded(progress, limits, result, why, is_lost=True)
    if silent > limits.silence:
        why = "its job was killed with its server"
        return _decide_concluded(progress, limits, None, why, is_lost=True)
    if _is_late(progress, limits, now):
        words = f"{_late_reason(limits)}; its restarted server cannot cancel it: end its process"
        return _end_site(None, TIME_LIMIT, words)
    return WAIT


def without_trace(progress: SiteProgress, looks: int) -> Decision:
    """Decide on a job that is not listed and has no log, at ``looks`` looks in a row."""
    if progress.scheduled:
        return _decide_lost(progress, "its server has no trace of its job")
    return WAIT if looks < LOOKS else Decision(step=JobStep.SCHEDULE)


def with_unreadable_log(limits: JobTimeouts, problem: str, seconds: float) -> Decision:
    """Decide on a job whose log its server has refused for some time.

    It is not made again: it is not lost, and the log of the next one might be refused as well.
    """
    if seconds <= limits.patience:
        return WAIT
    return _end_site(None, NO_RESULT, f"its log cannot be read: {problem}")


def retry_pause(least: float, wanted: float | None) -> float:
    """Return the seconds before the next request after one that failed."""
    return max(least, min(wanted or 0.0, LONGEST_WAIT))


def _is_late(progress: SiteProgress, limits: JobTimeouts, now: float) -> bool:
    return bool(limits.job and progress.running and now - progress.running > limits.job)


def _late_reason(limits: JobTimeouts) -> str:
    return f"runs longer than {duration(limits.job)}"


def _decide_concluded(
    progress: SiteProgress,
    limits: JobTimeouts,
    result: Mapping[str, Any] | None,
    why: str,
    *,
    is_lost: bool,
) -> Decision:
    """Decide on a job that is over. ``is_lost``: an interruption was not intended."""
    is_cut = result is None or result["outcome"] == "interrupted"
    if is_cut and progress.cancels:
        words = f"{_late_reason(limits)}; its state is kept, and the next round continues it"
        return _end_site(result, TIME_LIMIT, words)
    if is_cut and is_lost and (result is None or progress.attempts < MAX_ATTEMPTS):
        return _decide_lost(progress, why)
    return Decision(step=JobStep.END, outcome=dict(result or {}))


def _decide_lost(progress: SiteProgress, why: str) -> Decision:
    if progress.attempts < MAX_ATTEMPTS:
        return Decision(step=JobStep.REPLACE, reason=why)
    return _end_site(None, NO_RESULT, f"{why}, after {counted(progress.attempts, 'job')}")


def _end_site(result: Mapping[str, Any] | None, outcome: str, sentence: str) -> Decision:
    changed = {"outcome": outcome, "sentence": sentence}
    return Decision(step=JobStep.END, outcome={**(result or {}), **changed})
