"""The queue of ``sitemapgen serve`` on the disk: one JSON file a job, replaced at once.

Of a directory: ``jobs/`` has the files, and for each crawl that runs a file that it keeps locked;
``logs/`` the logs; ``output/`` the files of sites. Processes: ``runner.py``.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.result import format_moment

logger = logging.getLogger(__name__)

WAITING, RUNNING, ENDED = "waiting", "running", "ended"
STATES = (WAITING, RUNNING, ENDED)
MAX_WAITING = 200
"""Maximum number of jobs that wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A crawl that was asked for, and what became of it."""

    number: int
    site: str
    """The name in sitemapgen.toml; empty for a URL."""
    url: str
    """The start URL, normalised."""
    arguments: Mapping[str, str] = field(default_factory=dict)
    """What was given besides, as the spider takes it."""
    output: str
    """The directory of the files, absolute."""
    state: str = WAITING
    is_stopped: bool = False
    """Whether its end was asked for."""
    pid: int | None = None
    created: str
    """UTC, as ``began`` and ``ended``."""
    began: str = ""
    ended: str = ""
    exit_code: int | None = None
    sentence: str = ""
    fetched: int | None = None
    listed: int | None = None
    files: Sequence[str] = field(default_factory=list)
    """What it wrote, by path below the output."""

    def __post_init__(self) -> None:
        if self.state not in STATES or not self.url or not self.output:
            raise ValueError


class Full(Exception):
    """The queue has as many waiting jobs as it may have."""


class JobQueue:
    """The jobs of one directory, which one process at a time may use."""

    def __init__(self, directory: Path) -> None:
        """Take the directory, and read its jobs. Raises CrawlError."""
        self.directory = directory.absolute()
        self.outputs = self.directory / "output"
        """The directory of the outputs of URLs."""
        self.comparison = self.directory / "comparison"
        """The directory of the comparison of all sites."""
        self._jobs, self._logs = self.directory / "jobs", self.directory / "logs"
        self.comparison_log = self._logs / "comparison.log"
        self.jobs: dict[int, Job] = {}
        self._last = 0
        try:
            self.outputs.mkdir(parents=True, exist_ok=True)
            # Jobs name sites, and logs dashboards with their tokens.
            for path in (self._jobs, self._logs):
                path.mkdir(exist_ok=True)
                path.chmod(0o700)
            self._lock = try_lock(self.directory / "lock")
            self._read_jobs()
        except OSError as error:
            words = f"{directory}: cannot be used as a queue: {error.strerror}"
            raise CrawlError(Exit.NO_SPACE, words) from error
        if self._lock is None:
            words = f"{directory}: is in use by another sitemapgen serve; give --queue another"
            raise CrawlError(Exit.REFUSED, words)

    def log_file(self, job: Job) -> Path:
        """Return the path of the log of a job."""
        return self._logs / f"{job.number}.log"

    def lock_file(self, job: Job) -> Path:
        """Return the path of the file that the crawl of a job keeps locked."""
        return self._jobs / f"{job.number}.lock"

    def files_of(self, job: Job) -> Sequence[str]:
        """Return the files of a job; none once a later job has written the same ones."""
        later = (one for one in self.jobs_in(ENDED) if one.number > job.number)
        is_replaced = any(one.output == job.output and {*one.files} & {*job.files} for one in later)
        return () if is_replaced else job.files

    def jobs_in(self, state: str) -> list[Job]:
        """Return the jobs in a state, in the order of the queue."""
        return sorted(
            (job for job in self.jobs.values() if job.state == state), key=lambda job: job.number
        )

    def add_job(self, **known: Any) -> Job:
        """Append a job. Raises Full, and OSError if it cannot be written."""
        if len(self.jobs_in(WAITING)) >= MAX_WAITING:
            raise Full
        job = Job(number=self._last + 1, created=format_moment(), **known)
        self._write_job(job)
        self._last = job.number
        self.jobs[job.number] = job
        return job

    def change_job(self, job: Job, **fields: Any) -> Job:
        """Replace fields of a job; that of a full disk is kept in memory, with a log line."""
        job = self.jobs[job.number] = replace(job, **fields)
        try:
            self._write_job(job)
        except OSError as error:
            why = {"number": job.number, "why": error.strerror}
            logger.error("job %(number)d: its file cannot be written: %(why)s", why)
        return job

    def _write_job(self, job: Job) -> None:
        path = self._jobs / f"{job.number}.json"
        temporary = path.with_suffix(".new")
        with open_private(temporary) as file:
            file.write(json.dumps(asdict(job), indent=2).encode())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)

    def _read_jobs(self) -> None:
        for path in self._jobs.glob("*.json"):
            if path.stem.isascii() and path.stem.isdecimal():
                self._last = max(self._last, int(path.stem))
                if job := _read_job(path):
                    self.jobs[job.number] = job

    def __iter__(self) -> Iterator[Job]:
        """Yield all jobs, the latest first."""
        return iter(sorted(self.jobs.values(), key=lambda job: -job.number))


def _read_job(path: Path) -> Job | None:
    """Return the job in a file; None for the file of no job, with a log line."""
    with suppress(OSError, ValueError, TypeError):
        job = Job(**json.loads(path.read_bytes()))
        if job.number == int(path.stem):
            return job
    logger.warning("%(path)s: is no job; it is left as it is", {"path": path})
    return None


def open_private(path: Path) -> BinaryIO:
    """Open a file for writing that no other user may read, empty or new. Raises OSError."""
    path.unlink(missing_ok=True)  # of an earlier version, with another mode
    return os.fdopen(
        os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb"
    )


def try_lock(path: Path) -> int | None:
    """Lock a file, and return its descriptor; None if it is locked. Raises OSError.

    The lock ends with the last process that has the descriptor, however that ends.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def is_locked(path: Path) -> bool:
    """Return whether a process keeps a file locked."""
    with suppress(OSError):
        if (descriptor := try_lock(path)) is None:
            return True
        os.close(descriptor)
    return False
