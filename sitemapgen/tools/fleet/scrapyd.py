"""Client of one Scrapyd server: its jobs, and the result at the end of a job's log.

The API: https://scrapyd.readthedocs.io/en/stable/api.html. Of a job's files Scrapyd serves only the
log, so the result is the log line of ``publish/result.py``.
"""

from __future__ import annotations

import json
import re
from collections import deque
from datetime import datetime, timezone
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

import requests
from requests.auth import HTTPBasicAuth

from sitemapgen.core.politeness import retry_after

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sitemapgen.tools.fleet.servers import Server

SPIDER = "sitemap"
TIMEOUT = (10.0, 60.0)
"""Seconds for the connection, and between two bytes: Scrapyd answers nothing while it loads an
egg."""
TAIL_BYTES = 65_536
"""Bytes at the end of a log in which its result is looked for."""
LATER = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses of a proxy or server that may be gone with the next request."""
RESULT = re.compile(rb"\bINFO result: (\{.*\})\r?$", re.MULTILINE)
NOT_THERE = re.compile(r"(?:project|spider) '.*' not found")


class ServerError(Exception):
    """A server does not do what it is there for; the message states the problem."""


class Unavailable(ServerError):
    """The server may answer later."""

    def __init__(self, problem: str, seconds: float | None = None) -> None:
        super().__init__(problem)
        self.retry_after = seconds
        """Seconds to wait by its Retry-After header; None without one."""


class Unusable(ServerError):
    """The server will answer the same next time; the message has the remedy."""


class Jobs(NamedTuple):
    """The ids of the jobs that a server lists: of finished ones the last hundred, and after a
    restart none, unless ``scrapyd.conf`` has other values."""

    pending: frozenset[str]
    running: frozenset[str]
    finished: frozenset[str]


class Log(NamedTuple):
    """The log of a job."""

    size: int
    """Bytes; it grows once a minute at least while the job runs."""
    result: Mapping[str, Any] | None
    """The fields of result.json, without its lists; None before the job's end, or if it was
    killed."""


class Scrapyd:
    """The requests to one server. All methods raise ServerError."""

    def __init__(self, server: Server) -> None:
        self._url = server.url
        self._project = server.project
        self._session = requests.Session()
        self._session.headers["Accept-Encoding"] = "identity"  # ranges are of the file itself
        if server.user or server.password:
            user, password = server.user.encode(), server.password.encode()  # RFC 7617
            self._session.auth = HTTPBasicAuth(user, password)

    def check(self) -> None:
        """Check that the server answers, admits us, and has the project with its spider."""
        found = self._call("listspiders.json")
        if SPIDER not in found.get("spiders", ()):
            raise _not_deployed(f"spider '{SPIDER}' not found")

    def jobs(self) -> Jobs:
        """Return the ids of the project's jobs."""
        found = self._call("listjobs.json")
        try:
            return Jobs(*(frozenset(job["id"] for job in found[name]) for name in Jobs._fields))
        except (KeyError, TypeError) as error:
            raise Unusable("no Scrapyd answers there; correct the address") from error

    def schedule(self, job: str, arguments: Mapping[str, str], settings: Iterable[str]) -> None:
        """Schedule a crawl. After Unavailable it may have been scheduled."""
        fields = [("spider", SPIDER), ("jobid", job), *arguments.items()]
        self._call("schedule.json", [*fields, *(("setting", each) for each in settings)])

    def cancel(self, job: str, signal: str) -> None:
        """Remove a pending job, or send a signal, such as ``INT``, to a running one."""
        self._call("cancel.json", [("job", job), ("signal", signal)])

    def log(self, job: str) -> Log | None:
        """Return what is known of a job by its log; None if there is none."""
        address = self.log_url(job)
        head = self._ask("HEAD", address)
        if head.status_code == HTTPStatus.NOT_FOUND:
            return None
        _check_status(head)
        length = head.headers.get("Content-Length", "")
        size = int(length) if length.isdecimal() else 0
        # Not the last bytes ("bytes=-65536"): Twisted answers 500 if there are fewer.
        wanted = {"Range": f"bytes={max(0, size - TAIL_BYTES)}-"} if size else {}
        with self._ask("GET", address, headers=wanted, stream=True) as response:
            _check_status(response)
            tail = _tail(response)
        return Log(size or len(tail), _result(tail, job))

    def log_url(self, job: str) -> str:
        """Return the address of a job's log."""
        return f"{self._url}logs/{self._project}/{SPIDER}/{job}.log"

    def _call(self, name: str, fields: list[tuple[str, str]] | None = None) -> dict[str, Any]:
        """Call a method of the API: GET without fields, else POST."""
        project = ("project", self._project)
        if fields is None:
            response = self._ask("GET", self._url + name, params=[project])
        else:
            response = self._ask("POST", self._url + name, data=[project, *fields])
        _check_status(response)
        try:
            found = response.json()
            is_ok, message = found["status"] == "ok", str(found.get("message", ""))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise Unusable("no Scrapyd answers there; correct the address") from error
        if not is_ok:
            last = message.strip().rpartition("\n")[2]
            raise _not_deployed(last) if NOT_THERE.fullmatch(last) else Unavailable(last)
        return dict(found)

    def _ask(self, method: str, url: str, **more: Any) -> requests.Response:
        try:
            return self._session.request(
                method, url, timeout=TIMEOUT, allow_redirects=False, **more
            )
        except requests.exceptions.SSLError as error:
            words = f"{_cause(error)}; name its authority in REQUESTS_CA_BUNDLE"
            raise Unusable(words) from error
        except requests.Timeout as error:
            raise Unavailable("no answer in time") from error
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidProxyURL) as error:
            raise Unusable(f"{error}; correct the address") from error
        except requests.RequestException as error:
            raise Unavailable(_cause(error)) from error


def _check_status(response: requests.Response) -> None:
    """Raise ServerError unless the response is what was asked for."""
    status = response.status_code
    if status in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
        return
    if status in LATER:
        now = datetime.now(timezone.utc)
        raise Unavailable(
            f"HTTP {status}", retry_after(response.headers.get("Retry-After", ""), now)
        )
    if status == HTTPStatus.UNAUTHORIZED:
        raise Unusable(
            "HTTP 401: wrong user or password; correct username and password in scrapy.cfg, or "
            "user:password@ in --server"
        )
    if response.is_redirect:
        raise Unusable(f"redirects to {response.headers['Location']}; use that address")
    raise Unusable(f"HTTP {status}; correct the address, or what refuses there")


def _not_deployed(message: str) -> Unusable:
    return Unusable(f"{message}; deploy it there first: scrapyd-deploy")


def _cause(error: BaseException) -> str:
    """Return the reason of a failed connection in the words of the system."""
    causes: deque[object] = deque([error])
    for _ in range(50):  # of a chain that may be a circle
        each = causes.popleft() if causes else None
        words = getattr(each, "strerror", None)
        if isinstance(words, str):
            return words[:1].lower() + words[1:]
        if isinstance(each, BaseException):
            causes += [each.__cause__, each.__context__, getattr(each, "reason", None), *each.args]
    return "the connection failed"


def _tail(response: requests.Response) -> bytes:
    """Return the end of a file; a proxy may send the whole of it, without support for ranges."""
    tail = b""
    try:
        for chunk in response.iter_content(TAIL_BYTES):
            tail = (tail + chunk)[-TAIL_BYTES:]
    except requests.RequestException as error:
        raise Unavailable(_cause(error)) from error
    return tail


def _result(tail: bytes, job: str) -> Mapping[str, Any] | None:
    for found in reversed(RESULT.findall(tail)):
        try:
            result = json.loads(found)
        except ValueError:
            continue
        if result.get("job") == job and isinstance(result.get("outcome"), str):
            return dict(result)
    return None
