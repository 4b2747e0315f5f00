"""``sitemapgen serve``: web server of its page, its forms, the events of crawls, their files.

Access is that of the dashboard: ``extensions/dashboard/gate.py``. Texts of the page: ``views.py``.
"""

from __future__ import annotations

import argparse
import asyncio
import errno
import logging
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from sitemapgen.cli import sites
from sitemapgen.cli.serve import form, results, views
from sitemapgen.cli.serve.jobs import ENDED, RUNNING, Full, Job, JobQueue
from sitemapgen.cli.serve.runner import Runner
from sitemapgen.core.words import counted
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.extensions.dashboard import events, gate
from sitemapgen.extensions.dashboard import server as dashboard
from sitemapgen.params import Params

logger = logging.getLogger(__name__)

MAX_CLIENTS = 40
"""Maximum number of connections."""
STATUS_SECONDS = 2.0
"""Seconds that a crawl has to answer with its figures."""
BODY_SECONDS = 10.0
"""Seconds in which a form has to arrive."""
FORM = "application/x-www-form-urlencoded"
NAME = "This server"
WHERE = "The address of this server is where sitemapgen serve was started."
FULL = "This server has as many clients as it may have."
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".xml": "application/xml",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
}


class Server:
    """Serves the queue of a runner."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.queue = runner.queue
        self._gate = gate.Gate(NAME, WHERE, MAX_CLIENTS, FULL)
        self._client: aiohttp.ClientSession

    async def open(self, host: str, port: int) -> str:
        """Listen; return the URL for a browser. Raises OSError."""
        self._client = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None))
        job = r"/{token}/jobs/{number:\d{1,9}}"
        routes = [
            web.get("/{token}/", self._send_index, allow_head=False),
            web.get("/{token}/jobs", self._send_list, allow_head=False),
            web.post("/{token}/jobs", self._add_job),
            web.post(f"{job}/stop", self._stop_job),
            web.post(f"{job}/again", self._repeat_job),
            web.get(f"{job}/log", self._send_log, allow_head=False),
            web.get(f"{job}/watch/", self._send_dashboard, allow_head=False),
            web.get(f"{job}/watch/events", self._send_events, allow_head=False),
            web.get(f"{job}/watch/status", self._send_status, allow_head=False),
            web.get(f"{job}/watch/{{name:.+}}", self._send_output, allow_head=False),
            web.get(f"{job}/files/{{name:.+}}", self._send_output, allow_head=False),
            web.get("/{token}/comparison.html", self._send_comparison, allow_head=False),
        ]
        return await self._gate.open(routes, host, (port,))

    async def close(self) -> None:
        """Close all connections."""
        await self._gate.close()
        await self._client.close()

    # The page

    async def _send_index(self, request: web.Request) -> web.Response:
        return await self._form_page(request, form.CheckedForm({}, {}), 200)

    async def _send_list(self, request: web.Request) -> web.Response:
        text = views.render_template(
            "jobs", root=_root_path(request), listing=await self._list_jobs()
        )
        return web.Response(text=text, content_type="text/html")

    async def _form_page(
        self, request: web.Request, written: form.CheckedForm, status: int
    ) -> web.Response:
        names, fault = self._site_names()
        body = views.render_template(
            "serve",
            root=_root_path(request),
            fields=form.fields_by_topic(written),
            faults=written.faults,
            sites=names,
            site_fault=fault,
            listing=await self._list_jobs(),
        )
        response = dashboard.html_response(body.encode())
        policy = response.headers["Content-Security-Policy"]
        response.headers["Content-Security-Policy"] = policy.replace(
            "form-action 'none'", "form-action 'self'"
        )
        # With no-referrer, a browser would send its forms without their origin.
        response.headers["Referrer-Policy"] = "same-origin"
        response.set_status(status)
        return response

    def _site_names(self) -> tuple[list[str], str]:
        """Return the names in sitemapgen.toml, and what is wrong with it."""
        if not self.runner.file.exists():
            return [], ""
        try:
            return list(sites.read_sites(self.runner.file)), ""
        except CrawlError as error:
            return [], error.sentence

    async def _list_jobs(self) -> dict[str, Any]:
        shown = views.shown_jobs(self.queue)
        running = [job for job in shown if job.state == RUNNING]
        found = await asyncio.gather(*map(self._job_figures, running))
        status = {job.number: figures for job, figures in zip(running, found)}
        return views.make_listing(self.queue, shown, status)

    async def _job_figures(self, job: Job) -> dict[str, Any]:
        """Return the status of a crawl; an empty one before its dashboard is open."""
        if not (address := self.runner.dashboard_url(job)):
            return {}
        timeout = aiohttp.ClientTimeout(total=STATUS_SECONDS)
        with suppress(aiohttp.ClientError, asyncio.TimeoutError, ValueError):
            async with self._client.get(f"{address}status", timeout=timeout) as response:
                found = await response.json()
                return found if isinstance(found, dict) else {}
        return {}

    # Forms

    async def _add_job(self, request: web.Request) -> web.Response:
        """Append a job for what the form has, or return the form with what is wrong with it."""
        try:
            # Nothing else is decoded: browsers send this form in no other way.
            if request.content_type != FORM or "Content-Encoding" in request.headers:
                raise ValueError
            posted = await asyncio.wait_for(request.post(), BODY_SECONDS)
        except (ValueError, LookupError):
            return gate.refusal_response(400, "The form cannot be read.")
        except asyncio.TimeoutError as error:
            if request.transport is not None:
                request.transport.abort()
            raise ConnectionResetError from error
        written = {name: value for name, value in posted.items() if isinstance(value, str)}
        if "site" in written:
            checked, known = self._check_site(written["site"])
        else:
            checked = form.check_form(written)
            output = str(self.queue.outputs / checked.directory)
            known = {"site": "", "url": checked.url, "output": output}
            known["arguments"] = checked.arguments
        if checked.faults:
            return await self._form_page(request, checked, 422)
        return await self._append_job(request, checked, known)

    def _check_site(self, name: str) -> tuple[form.CheckedForm, dict[str, Any]]:
        try:
            if not sites.NAME.fullmatch(name):  # a URL would be one, with whatever is in it
                raise ValueError(f"{self.runner.file.name} has no site of this name")
            site = sites.find_site(self.runner.file, name, is_given=True)
            params = Params.model_validate(site.arguments)
        except (CrawlError, ValueError) as error:
            return form.CheckedForm({}, {"": getattr(error, "sentence", str(error))}), {}
        output = str(params.output_directory().absolute())
        return form.CheckedForm({}, {}), {"site": name, "url": params.url, "output": output}

    async def _append_job(
        self, request: web.Request, checked: form.CheckedForm, known: Mapping[str, Any]
    ) -> web.Response:
        """Append a job, and show it; without room for it, show the form again."""
        try:
            job = self.queue.add_job(**known)
        except Full:
            waiting = counted(len(self.queue.jobs_in("waiting")), "job waits", "jobs wait")
            fault = f"{waiting}, and no more may; stop one, or come back when one has begun"
            return await self._form_page(request, checked._replace(faults={"": fault}), 503)
        except OSError as error:
            fault = f"{self.queue.directory}: cannot be written: {error.strerror}"
            return await self._form_page(request, checked._replace(faults={"": fault}), 507)
        return _redirect_to(request, job)

    async def _stop_job(self, request: web.Request) -> web.Response:
        job = self._requested_job(request)
        self.runner.stop_job(job)
        return _redirect_to(request, job)

    async def _repeat_job(self, request: web.Request) -> web.Response:
        job = self._requested_job(request)
        known = {"site": job.site, "url": job.url, "arguments": job.arguments}
        return await self._append_job(
            request, form.CheckedForm({}, {}), {**known, "output": job.output}
        )

    def _requested_job(self, request: web.Request) -> Job:
        job = self.queue.jobs.get(int(request.match_info["number"]))
        if job is None:
            raise web.HTTPNotFound
        return job

    # The events of a crawl

    async def _send_dashboard(self, request: web.Request) -> web.Response:
        self._requested_job(request)
        # Its links lead to files that stay.
        page = dashboard.crawl_page().replace(b"<html ", b'<html data-files="stay" ', 1)
        return dashboard.html_response(page)

    async def _send_status(self, request: web.Request) -> web.Response:
        job = self._requested_job(request)
        return web.json_response(await self._job_figures(job) or views.job_snapshot(job))

    async def _send_events(self, request: web.Request) -> web.StreamResponse:
        """Pass on the events of the crawl; after its end, those of how it ended."""
        number = self._requested_job(request).number
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        try:
            await gate.send_data(request, response, events.RETRY)
            while (job := self.queue.jobs[number]).state != ENDED:
                if address := self.runner.dashboard_url(job):
                    await self._pass_on(f"{address}events", request, response)
                    return response
                await gate.send_data(request, response, events.HEARTBEAT)
                await asyncio.sleep(1)
            last = events.encode_event(events.FINISHED, views.finished_data(self.queue, job), 2)
            if "Last-Event-ID" not in request.headers:  # it has no snapshot yet
                last = events.encode_event(events.SNAPSHOT, views.job_snapshot(job), 1) + last
            await gate.send_data(request, response, last)
        except ConnectionError:  # the client does not read, or left
            logger.debug("a client is gone", exc_info=True)
        return response

    async def _pass_on(self, url: str, request: web.Request, response: web.StreamResponse) -> None:
        headers = {
            name: value for name, value in request.headers.items() if name == "Last-Event-ID"
        }
        with suppress(aiohttp.ClientError):  # the crawl is gone: the client connects again
            async with self._client.get(url, headers=headers, raise_for_status=True) as stream:
                async for data in stream.content.iter_any():
                    await gate.send_data(request, response, data)

    # Files

    async def _send_log(self, request: web.Request) -> web.StreamResponse:
        path = self.queue.log_file(self._requested_job(request))
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        return await gate.send_file(request, path, headers, "There is no log yet.")

    async def _send_output(self, request: web.Request) -> web.StreamResponse:
        """Send a file of the output of a job, and nothing else that is there."""
        job, name = self._requested_job(request), request.match_info["name"]
        is_its = name in self.runner.job_files(job)
        path = results.locate_file(Path(job.output), name) if is_its else None
        last = name.rpartition("/")[2]
        return await gate.send_file(request, path, _file_headers(last), f"There is no {last} here.")

    async def _send_comparison(self, request: web.Request) -> web.StreamResponse:
        name = "comparison.html"
        path = results.locate_file(self.queue.comparison, name)
        return await gate.send_file(
            request, path, _file_headers(name), "There is no comparison yet."
        )


def _root_path(request: web.Request) -> str:
    return f"/{request.match_info['token']}/"


def _redirect_to(request: web.Request, job: Job) -> web.Response:
    where = f"{_root_path(request)}#job-{job.number}"
    return web.Response(status=303, headers={"Location": where})


def _file_headers(name: str) -> dict[str, str]:
    """Return the headers of a file: pages are shown in a sandbox, the others are downloads."""
    headers = {"Content-Type": TYPES.get(Path(name).suffix, "application/octet-stream")}
    if name in results.PAGES:
        return {**headers, "Content-Security-Policy": gate.SANDBOX}
    return {**headers, "Content-Disposition": "attachment"}


def serve_jobs(options: argparse.Namespace, words: Sequence[str], file: Path) -> None:
    """Serve until a signal. Raises CrawlError.

    ``words``: further words for each crawl; ``file``: sitemapgen.toml, which may be missing.
    """
    _check_options(options, file)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    queue = JobQueue(options.queue)
    runner = Runner(queue, file.absolute(), options.jobs, words)
    asyncio.run(_serve_until_signal(runner, options.host, options.port))


def _check_options(options: argparse.Namespace, file: Path) -> None:
    if options.jobs < 1:
        raise CrawlError(Exit.ARGUMENTS, f"--jobs: {options.jobs} is too few; use 1 or more")
    if not 0 <= options.port <= 65_535:
        words = f"--port: {options.port} is no port; use 1 to 65535, or 0 for any that is free"
        raise CrawlError(Exit.ARGUMENTS, words)
    sites.refuse_secrets(file)
    if options.file or file.exists():
        sites.read_sites(file)


async def _serve_until_signal(runner: Runner, host: str, port: int) -> None:
    server = Server(runner)
    try:
        url = await server.open(host, port)
    except OSError as error:
        await server.close()
        raise CrawlError(Exit.ARGUMENTS, _describe_error(error, host, port)) from error
    sys.stdout.write(f"Serving at {url}\n")
    sys.stdout.flush()
    work = asyncio.ensure_future(runner.run())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, _end_crawls, runner, work)
    try:
        await work
    except asyncio.CancelledError:
        logger.warning("stopped; the crawls go on, and the next sitemapgen serve finds them")
    finally:
        await server.close()


def _end_crawls(runner: Runner, work: asyncio.Future[None]) -> None:
    """Finish what runs; at the second signal, leave it alone."""
    if runner.is_ending:
        work.cancel()
        return
    runner.end_crawls()
    if running := runner.queue.jobs_in(RUNNING):
        logger.warning(
            "finishing the pages under way of %(crawls)s; the next sitemapgen serve continues",
            {"crawls": counted(len(running), "crawl")},
        )


def _describe_error(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {host} is taken; use --port with another, or with 0 for any"
    why = error.strerror or str(error)
    return f"--host {host}: {why}; use 127.0.0.1, or another address of this machine"
