"""Processes of the jobs of ``sitemapgen serve``: begun in turn, watched, stopped, resumed.

A crawl is the command that a terminal would be given, in a session of its own: it outlives this
process, and the next one finds it by the lock that it keeps. What it leaves: ``results.py``.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from sitemapgen.cli.serve import results
from sitemapgen.cli.serve.jobs import (
    ENDED,
    RUNNING,
    WAITING,
    Job,
    JobQueue,
    is_locked,
    open_private,
    try_lock,
)
from sitemapgen.errors import Exit
from sitemapgen.publish.result import format_moment

logger = logging.getLogger(__name__)

POLL_SECONDS = 0.25
"""Seconds between two looks at the processes."""
_ADDRESS = re.compile(r"Dashboard: (http://\S+/)\s")


class Runner:
    """Runs the jobs of a queue, ``at_once`` of them at a time."""

    def __init__(self, queue: JobQueue, file: Path, at_once: int, words: Sequence[str]) -> None:
        """``file``: sitemapgen.toml; ``words``: the further words of each command."""
        self.queue = queue
        self.file = file
        self.at_once = at_once
        self.words = words
        self.is_ending = False
        """Whether crawls that are interrupted wait for the next process."""
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._addresses: dict[int | None, str] = {}
        """URLs of dashboards, by process."""
        self._is_compared = True
        """Whether the comparison has the last published crawl."""
        self._comparison: subprocess.Popen[bytes] | None = None

    async def run(self) -> None:
        """Run jobs until this is cancelled, or until ``end_crawls`` and the last crawl's end."""
        while not self.is_ending or self.queue.jobs_in(RUNNING):
            for job in self.queue.jobs_in(RUNNING):
                self._watch_job(job)
            if not self.is_ending:
                self._begin_some()
                self._compare_sites()
            await asyncio.sleep(POLL_SECONDS)

    def end_crawls(self) -> None:
        """End the crawls as Ctrl-C does; the next process continues them."""
        self.is_ending = True
        for job in self.queue.jobs_in(RUNNING):
            self._interrupt_job(job)

    def stop_job(self, job: Job) -> None:
        """End a job: as Ctrl-C does, once more to end it at once, or before it begins."""
        if job.state == WAITING:
            self.queue.change_job(
                job,
                state=ENDED,
                is_stopped=True,
                ended=format_moment(),
                sentence="stopped before it began",
            )
        elif job.state == RUNNING:
            self.queue.change_job(job, is_stopped=True)
            self._interrupt_job(job)

    def dashboard_url(self, job: Job) -> str:
        """Return the URL of the dashboard of a crawl; empty before it is open, and in the end."""
        if job.state != RUNNING:
            return ""
        if job.pid not in self._addresses:
            with suppress(OSError):
                if found := _ADDRESS.search(self.queue.log_file(job).read_text("utf-8", "replace")):
                    self._addresses[job.pid] = found[1]
        return self._addresses.get(job.pid, "")

    def job_files(self, job: Job) -> Sequence[str]:
        """Return the files of a job; of a crawl that just ends, as soon as it names them."""
        if job.state == RUNNING:
            return results.file_names(job.output, results.result_of(job))
        return self.queue.files_of(job)

    # Beginning

    def _begin_some(self) -> None:
        running = self.queue.jobs_in(RUNNING)
        busy = {job.output for job in running}
        for job in self.queue.jobs_in(WAITING):
            if len(busy) >= self.at_once:
                break
            if job.output not in busy:
                busy.add(job.output)
                self._begin_job(job)

    def _begin_job(self, job: Job) -> None:
        job = self.queue.change_job(
            job, state=RUNNING, began=format_moment(), pid=None, is_stopped=False
        )
        try:
            process = self._start_process(job)
        except OSError as error:
            sentence = f"the crawl cannot be started: {error.strerror}"
            self._end_job(job, Exit.ERROR, sentence)
            return
        self._processes[job.number] = process
        self.queue.change_job(job, pid=process.pid)
        logger.info("job %(number)d: %(url)s begins", {"number": job.number, "url": job.url})

    def _start_process(self, job: Job) -> subprocess.Popen[bytes]:
        """Start the crawl of a job, which keeps the lock. Raises OSError."""
        descriptor = try_lock(self.queue.lock_file(job))
        if descriptor is None:
            raise OSError(errno.EBUSY, "an earlier process of it still runs")
        try:
            with open_private(self.queue.log_file(job)) as log:
                return subprocess.Popen(  # noqa: S603 - our own command, without a shell
                    self.crawl_command(job),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    pass_fds=(descriptor,),
                )
        finally:
            os.close(descriptor)

    def crawl_command(self, job: Job) -> list[str]:
        """Return the command of a job: what a terminal would be given, with a dashboard."""
        given = {**job.arguments, "output": job.output, "dashboard": "true"}
        pairs = [word for name, value in given.items() for word in ("-a", f"{name}={value}")]
        pairs += ["-s", "SITEMAPGEN_DASHBOARD_HOST=127.0.0.1", "-s", "SITEMAPGEN_DASHBOARD_PORT=0"]
        if job.site:
            pairs += ["--file", str(self.file)]
        words = [*pairs, *self.words, "--", job.site or job.url]
        return [sys.executable, "-m", "sitemapgen", "crawl", *words]

    # Ending

    def _interrupt_job(self, job: Job) -> None:
        pid = job.pid or results.result_of(job).get("pid")
        if isinstance(pid, int) and is_locked(self.queue.lock_file(job)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)

    def _watch_job(self, job: Job) -> None:
        """Note the end of a crawl, of this process or of an earlier one."""
        process = self._processes.get(job.number)
        if process is None:
            if not is_locked(self.queue.lock_file(job)):
                self._conclude_job(job, None)
        elif (code := process.poll()) is not None:
            del self._processes[job.number]
            self._conclude_job(job, code)

    def _conclude_job(self, job: Job, code: int | None) -> None:
        """Note the outcome; ``code``: None if the process was that of an earlier ``serve``."""
        result = results.result_of(job)
        known = result.get("exit_code")
        is_over = known is not None or code == Exit.ARGUMENTS
        known = known if code is None else code
        was_cut_off = not is_over or known == Exit.INTERRUPTED
        if was_cut_off and (self.is_ending or code is None) and not job.is_stopped:
            self.queue.change_job(job, state=WAITING, pid=None)
            logger.info("job %(number)d: goes on later", {"number": job.number})
            return
        sentence = str(result.get("sentence", "")) or self._read_sentence(job, int(known or 0))
        if job.is_stopped and not is_over:  # no handler of signals yet, or no longer
            known, sentence = Exit.INTERRUPTED, "stopped; the same job again continues"
        self._is_compared &= known != Exit.PUBLISHED
        counts = result.get("counts", {})
        job = self.queue.change_job(
            job,
            fetched=counts.get("fetched"),
            listed=counts.get("listed"),
            files=results.file_names(job.output, result),
        )
        self._end_job(job, int(known or 0), sentence)

    def _read_sentence(self, job: Job, code: int) -> str:
        """Return what the log has of an outcome of which result.json has no sentence."""
        if code == Exit.PUBLISHED:
            return ""
        if code < 0:
            name = signal.Signals(-code).name
            return f"ended by {name}; nothing is lost, and the same job again continues"
        return results.last_error(self.queue.log_file(job))

    def _end_job(self, job: Job, code: int, sentence: str) -> None:
        self._addresses.pop(job.pid, None)
        self.queue.change_job(
            job, state=ENDED, exit_code=code, sentence=sentence, ended=format_moment()
        )
        logger.info(
            "job %(number)d: ended with exit code %(code)d",
            {"number": job.number, "code": code},
        )

    # The comparison

    def _compare_sites(self) -> None:
        """Compare the sites once more, if a crawl was published since, and there are several."""
        if self._is_compared or (self._comparison and self._comparison.poll() is None):
            return
        self._is_compared = True
        published = [job for job in self.queue.jobs_in(ENDED) if job.exit_code == Exit.PUBLISHED]
        outputs = sorted({job.output for job in published})
        if len(outputs) > 1:
            into = ["--into", str(self.queue.comparison)]
            command = [sys.executable, "-m", "sitemapgen", "compare", *outputs, *into]
            with suppress(OSError), open_private(self.queue.comparison_log) as log:
                self._comparison = subprocess.Popen(  # noqa: S603 - our own command
                    command, stdin=subprocess.DEVNULL, stdout=log, stderr=log
                )
