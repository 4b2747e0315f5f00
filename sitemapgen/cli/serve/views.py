"""Texts of the page of ``sitemapgen serve``: jobs in words, and the template filled in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from sitemapgen.cli.serve import results
from sitemapgen.cli.serve.jobs import ENDED, RUNNING, WAITING, Job, JobQueue
from sitemapgen.core.hints import as_fields
from sitemapgen.core.words import clauses, counted
from sitemapgen.errors import Exit
from sitemapgen.extensions.dashboard import events
from sitemapgen.publish.files import read_object
from sitemapgen.publish.replacing import REFUSED_FILES
from sitemapgen.report.templates import make_environment

MAX_ENDED = 50
"""Number of ended jobs on the page, the latest."""
_TONES: Mapping[int, str] = {Exit.PUBLISHED: "good", Exit.REFUSED: "warn", Exit.INTERRUPTED: "warn"}
_SIZES = ((1 << 20, "MB"), (1 << 10, "kB"))
_CODE = re.compile("`([^`]+)`")


class JobView(NamedTuple):
    """A job as the page shows it."""

    job: Job
    state: str
    tone: str
    figures: str
    sentence: str
    files: list[results.File]
    actions: tuple[tuple[str, str], ...]
    """(last part of the address, label) of each button."""


def shown_jobs(queue: JobQueue) -> list[Job]:
    """Return the jobs of the page, the latest first: all but those that ended long ago."""
    ended = queue.jobs_in(ENDED)[-MAX_ENDED:]
    found = [*queue.jobs_in(RUNNING), *queue.jobs_in(WAITING), *ended]
    return sorted(found, key=lambda job: -job.number)


def make_listing(
    queue: JobQueue, jobs: Iterable[Job], status: Mapping[int, Mapping[str, Any]]
) -> dict[str, Any]:
    """Describe jobs for the template; ``status`` has the figures of those that run, by number.

    ``views``: a JobView for each; ``older``: number of ended jobs that are not shown.
    """
    return {
        "views": [_job_view(queue, job, status.get(job.number, {})) for job in jobs],
        "older": max(0, len(queue.jobs_in(ENDED)) - MAX_ENDED),
        "has_comparison": (queue.comparison / "comparison.html").is_file(),
    }


def _job_view(queue: JobQueue, job: Job, status: Mapping[str, Any]) -> JobView:
    now = _as_it_ends(job)
    state, tone = _describe_state(now, status)
    return JobView(
        job=job,
        state=state,
        tone=tone,
        figures=_describe_figures(now, status if now.state == RUNNING else {}),
        sentence=_describe_end(now),
        files=results.existing_files(job.output, queue.files_of(job)),
        actions=_job_actions(job),
    )


def _as_it_ends(job: Job) -> Job:
    """Return a crawl that runs as it will have ended, from the time at which its outcome is known.

    Its process goes on for a while.
    """
    result = results.result_of(job) if job.state == RUNNING else {}
    if result.get("exit_code") is None:
        return job
    counts = result.get("counts", {})
    return replace(
        job,
        state=ENDED,
        exit_code=result["exit_code"],
        sentence=str(result.get("sentence", "")),
        fetched=counts.get("fetched"),
        listed=counts.get("listed"),
    )


def _describe_state(job: Job, status: Mapping[str, Any]) -> tuple[str, str]:
    if job.state == WAITING:
        return "waiting", ""
    if job.state == RUNNING:
        return str(status.get("state", "starting")), "live"
    if job.exit_code is None:
        return "stopped", "warn"
    if job.exit_code < 0:
        return "killed", "bad"
    outcome = events.OUTCOMES.get(job.exit_code, events.ERROR)[0]
    return outcome.replace("_", " "), _TONES.get(job.exit_code, "bad")


def _describe_figures(job: Job, status: Mapping[str, Any]) -> str:
    """Return counts of URLs, and the time left, in words; of an ended job its last counts.

    >>> _describe_figures(None, {"fetched": 418, "listed": 390, "queued": 752, "left": None})
    '418 pages fetched · 390 listed · 752 in the queue'
    """
    if not status and not job.fetched:
        return ""
    found = status or {"fetched": job.fetched, "listed": job.listed or 0, "queued": 0, "left": None}
    left = (found["left"] or {}).get("sentence", "")
    return clauses(
        (1, f"{counted(found['fetched'], 'page')} fetched"),
        (1, f"{found['listed']:,} listed"),
        (found["queued"], f"{found['queued']:,} in the queue"),
        (len(left), left),
        joint=" · ",
    )


def _describe_end(job: Job) -> str:
    if job.state != ENDED:
        return ""
    if job.exit_code is None:
        return f"{job.sentence}."
    text = job.sentence or events.OUTCOMES.get(job.exit_code, events.ERROR)[1]
    return f"{as_fields(text).rstrip('.')} (exit code {job.exit_code})."


def _job_actions(job: Job) -> tuple[tuple[str, str], ...]:
    if job.state == WAITING:
        return (("stop", "Take out of the queue"),)
    if job.state == RUNNING:
        return (("stop", "Stop at once" if job.is_stopped else "Stop"),)
    return (("again", "Continue" if job.exit_code == Exit.INTERRUPTED else "Crawl again"),)


# Events of a job that has ended


def job_snapshot(job: Job) -> dict[str, Any]:
    """Return the data of ``snapshot`` for a crawl that runs no more, or not yet."""
    return {
        "url": job.url,
        "output": job.output,
        "published": [],
        **_progress_data(job),
        "rates": [],
        "pages": [],
    }


def _progress_data(job: Job) -> dict[str, Any]:
    return {
        "state": "finished" if job.state == ENDED else "starting",
        "seconds": _job_seconds(job),
        "fetched": job.fetched or 0,
        "listed": job.listed or 0,
        "queued": 0,
        "later": 0,
        "rendered": None,
        "max_pages": 0,
        "rate": None,
        "wait": None,
        "left": None,
        "verdicts": {},
        "frontier": {},
    }


def _job_seconds(job: Job) -> float:
    if not job.began or not job.ended:
        return 0.0
    began, ended = (
        datetime.fromisoformat(at.replace("Z", "+00:00")) for at in (job.began, job.ended)
    )
    return (ended - began).total_seconds()


def finished_data(queue: JobQueue, job: Job) -> dict[str, Any]:
    """Return the data of ``finished`` for a job that has ended."""
    found = results.existing_files(job.output, queue.files_of(job))
    names = ("report.json", f"{REFUSED_FILES}/report.json")
    reports = [file.name for file in found if file.name in names]
    report = read_object(Path(job.output) / reports[0]) if reports else {}
    return events.finished_data(
        _progress_data(job),
        Exit.INTERRUPTED if job.exit_code is None else job.exit_code,
        job.sentence,
        report,
        [
            {"name": file.name, "path": f"{job.output}/{file.name}", "href": file.name}
            for file in found
        ],
    )


# The template


def render_template(name: str, **values: Any) -> str:
    """Return ``serve``, the page, or ``jobs``, its list of jobs alone; ``root``: its path."""
    return _make_environment().get_template(f"{name}.html.jinja").render(values)


@cache
def _make_environment() -> Environment:
    environment = make_environment(loader=PackageLoader(__package__, "page"))
    environment.filters |= {"code": _mark_code, "size": _describe_size, "path": quote}
    return environment


def _mark_code(text: str) -> Markup:
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before


def _describe_size(count: int) -> str:
    """Return a number of bytes.

    >>> _describe_size(900), _describe_size(1536), _describe_size(5 << 20)
    ('900 B', '1.5 kB', '5.0 MB')
    """
    for unit, name in _SIZES:
        if count >= unit:
            return f"{count / unit:.1f} {name}"
    return f"{count} B"
