"""An HTTP server with the methods of Scrapyd's API that a fleet calls, and no crawls.

    python -m tests.helpers.scrapyd_stub --slots 4 --looks 1

Only to measure what a fleet costs itself, for more jobs than Scrapyd can start processes for. Its
time is the fleet's: at each listjobs.json, a running job comes nearer to its end by one look. As
with Scrapyd, the last hundred finished jobs are listed. Prints its URL, and, after end of file on
its standard input, the number of requests by method and path as JSON.
"""

import argparse
import asyncio
import json
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from aiohttp import web

from tests.helpers.crawls import ROOT

FINISHED_TO_KEEP = 100
LINES = 40
"""Lines of a log before its last, of some 100 bytes each."""


class Stub:
    """Jobs that end by themselves, published."""

    def __init__(self, slots: int, looks: int) -> None:
        """``slots``: jobs that run at a time; ``looks``: for how many looks a job runs."""
        self.requests: Counter[str] = Counter()
        self._slots = slots
        self._looks = looks
        self._pending: deque[str] = deque()
        self._running: dict[str, int] = {}
        self._finished: deque[str] = deque(maxlen=FINISHED_TO_KEEP)
        self._urls: dict[str, str] = {}

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer as Scrapyd does; what it has no method for is a bug."""
        name = request.path.strip("/")
        if name.startswith("logs/"):
            self.requests[f"{request.method} log"] += 1
            return self._log(request, name.rpartition("/")[2].removesuffix(".log"))
        self.requests[f"{request.method} {name}"] += 1
        methods = {
            "listspiders.json": self._spiders,
            "listjobs.json": self._jobs,
            "schedule.json": self._schedule,
        }
        fields = dict(await request.post()) if request.method == "POST" else dict(request.query)
        return web.json_response({"node_name": "stub", "status": "ok", **methods[name](fields)})

    def _spiders(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"spiders": ["sitemap"]}

    def _schedule(self, fields: dict[str, Any]) -> dict[str, Any]:
        job = str(fields["jobid"])
        assert job not in self._urls, "the same job twice"
        self._urls[job] = str(fields["url"])
        self._pending.append(job)
        return {"jobid": job}

    def _jobs(self, _: dict[str, Any]) -> dict[str, Any]:
        for job in list(self._running):
            self._running[job] -= 1
            if self._running[job] < 0:
                del self._running[job]
                self._finished.append(job)
        while self._pending and len(self._running) < self._slots:
            self._running[self._pending.popleft()] = self._looks
        states = {"pending": self._pending, "running": self._running, "finished": self._finished}
        return {state: list(map(self._job, jobs)) for state, jobs in states.items()}

    def _job(self, job: str) -> dict[str, Any]:
        log = f"/logs/sitemapgen/sitemap/{job}.log"
        facts = {"id": job, "project": "sitemapgen", "spider": "sitemap", "log_url": log}
        times = {"start_time": "2026-01-01 00:00:00.000000", "end_time": "2026-01-01 00:00:01"}
        return {**facts, **times, "items_url": None}

    def _log(self, request: web.BaseRequest, job: str) -> web.StreamResponse:
        assert job in self._urls
        text = _log(job, self._urls[job]).encode()
        begin, end = map(int, request.headers["Range"].removeprefix("bytes=").split("-"))
        part = text[begin : end + 1]
        span = f"bytes {begin}-{begin + len(part) - 1}/{len(text)}"
        return web.Response(status=206, body=part, headers={"Content-Range": span})


def _log(job: str, url: str) -> str:
    line = "2026-01-01 00:00:00 [sitemapgen.extensions.progress] INFO: a line of some hundred bytes"
    counts = {"seen": 3, "fetched": 3, "listed": 3, "failing": 0, "verdicts": {"listed": 3}}
    result = {
        **{"schema": 1, "outcome": "published", "exit_code": 0, "sentence": "", "url": url},
        **{"job": job, "output": f"/var/lib/scrapyd/output/sitemapgen/sitemap/{job}"},
        **{"started": "2026-01-01T00:00:00Z", "ended": "2026-01-01T00:00:01Z"},
        **{"complete": True, "counts": counts},
    }
    last = f"2026-01-01 00:00:01 [sitemapgen.publish.result] INFO result: {json.dumps(result)}"
    return "\n".join([*[line] * LINES, last, ""])


class Stubs:
    """The URLs of running stubs, and then their requests."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.requests: Counter[str] = Counter()


@contextmanager
def stubs(number: int, *options: str) -> Iterator[Stubs]:
    """Run stubs, each in a process of its own."""
    command = [sys.executable, "-m", __spec__.name, *options]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    processes = [
        subprocess.Popen(command, cwd=ROOT, text=True, **pipes)  # type: ignore[call-overload]  # pipes
        for _ in range(number)
    ]
    found = Stubs()
    try:
        for process in processes:
            found.urls.append(process.stdout.readline().strip())
        yield found
        for process in processes:
            found.requests.update(json.loads(process.communicate()[0]))
    finally:
        for process in processes:
            process.kill()
            process.communicate()


async def _serve(stub: Stub) -> None:
    runner = web.ServerRunner(web.Server(stub.answer))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await runner.cleanup()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--slots", type=int, default=4)
    parser.add_argument("--looks", type=int, default=1)
    options = parser.parse_args(arguments)
    stub = Stub(options.slots, options.looks)
    asyncio.run(_serve(stub))
    print(json.dumps(stub.requests))


if __name__ == "__main__":
    main()
