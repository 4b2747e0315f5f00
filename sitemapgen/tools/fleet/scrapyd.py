"""Client of one Scrapyd server: its jobs, and the result at the end of a job's log.

The API: https://scrapyd.readthedocs.io/en/stable/api.html. Of a job's files Scrapyd serves only the
log, so the result is the log line of ``publish/result.py``.
"""

from __future__ import annotations

import json
import re
import ssl
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timezone
from http import HTTPStatus
from typing import Any, NamedTuple

import requests
from requests.auth import HTTPBasicAuth
from requests.utils import get_netrc_auth
from urllib3.exceptions import HTTPError

from sitemapgen.core.politeness import retry_after
from sitemapgen.tools.fleet.servers import ScrapydServer

SPIDER = "sitemap"
TIMEOUT = (10.0, 60.0)
"""Seconds for the connection, and between two bytes: Scrapyd answers nothing while it loads an
egg."""
LOG_SECONDS = 15.0
"""Longest time for a part of a log, a file that Scrapyd serves at once; then other jobs' turn
comes."""
TAIL_BYTES = 65_536
"""Bytes at the end of a log in which its result is looked for."""
TOTAL = re.compile(r"bytes [^/]*/(\d+)")
"""The Content-Range of a part of a file."""
LATER = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses of a proxy or server that may be gone with the next request."""
RESULT = re.compile(rb"\bINFO result: (\{.*\})\r?$", re.MULTILINE)
TLS_REMEDIES = {
    10: "renew its certificate",
    62: "write a name that is in its certificate",
    64: "write an address that is in its certificate",
}
"""By X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH."""
NOT_THERE = re.compile(r"(?:project|spider) '.*' not found")


class ServerError(Exception):
    """A server does not do what it is there for; the message states the problem."""


class Unavailable(ServerError):
    """The server may answer later."""

    def __init__(self, problem: str, seconds: float | None = None) -> None:
        super().__init__(problem)
        self.retry_after = seconds
        """Seconds to wait by its Retry-After header; None without one."""


class UnusableServer(ServerError):
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


class _Part(NamedTuple):
    """Some bytes of a log."""

    size: int
    """Bytes of the whole log."""
    text: bytes
    is_last: bool
    """Whether the log ends with it."""


class Scrapyd:
    """The requests to one server. All methods raise ServerError."""

    def __init__(self, server: ScrapydServer) -> None:
        self.url = server.url
        self._project = server.project
        self._session = requests.Session()
        self._session.headers["Accept-Encoding"] = "identity"  # ranges are of the file itself
        # Proxies, REQUESTS_CA_BUNDLE and netrc are read once: as slow as a request itself.
        found = self._session.merge_environment_settings(self.url, {}, None, None, None)
        self._session.proxies, self._session.verify = found["proxies"], found["verify"]
        self._session.auth = get_netrc_auth(self.url)
        self._session.trust_env = False
        if server.user or server.password:
            user, password = server.user.encode(), server.password.encode()  # RFC 7617
            self._session.auth = HTTPBasicAuth(user, password)

    def check_server(self) -> None:
        """Check that the server answers, admits us, and has the project with its spider."""
        found = self._call_method("listspiders.json")
        if SPIDER not in found.get("spiders", ()):
            raise _not_deployed(f"spider '{SPIDER}' not found")

    def list_jobs(self) -> Jobs:
        """Return the ids of the project's jobs."""
        found = self._call_method("listjobs.json")
        try:
            return Jobs(*(frozenset(job["id"] for job in found[name]) for name in Jobs._fields))
        except (KeyError, TypeError) as error:
            raise UnusableServer("no Scrapyd answers there; correct the address") from error

    def schedule_job(self, job: str, arguments: Mapping[str, str], settings: Iterable[str]) -> None:
        """Schedule a crawl. After Unavailable it may have been scheduled."""
        fields = [("spider", SPIDER), ("jobid", job), *arguments.items()]
        self._call_method("schedule.json", [*fields, *(("setting", each) for each in settings)])

    def cancel_job(self, job: str, signal: str) -> None:
        """Remove a pending job, or send a signal, such as ``INT``, to a running one."""
        self._call_method("cancel.json", [("job", job), ("signal", signal)])

    def read_log(self, job: str) -> Log | None:
        """Return what is known of a job by its log; None if there is none."""
        # Not the last bytes ("bytes=-65536"): Twisted answers 500 if there are fewer.
        part = self._log_part(job, 0)
        if part and not part.is_last:
            part = self._log_part(job, part.size - TAIL_BYTES)
        return part and Log(part.size, _find_result(part.text, job))

    def _log_part(self, job: str, begin: int) -> _Part | None:
        """Return ``TAIL_BYTES`` of a log; None if there is no log."""
        wanted = {"Range": f"bytes={begin}-{begin + TAIL_BYTES - 1}"}
        address, times = self.log_url(job), (TIMEOUT[0], LOG_SECONDS)
        with self._send_request(
            "GET", address, headers=wanted, stream=True, timeout=times
        ) as response:
            if response.status_code == HTTPStatus.NOT_FOUND:
                return None
            total = TOTAL.fullmatch(response.headers.get("Content-Range", ""))
            if response.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and total:
                return _Part(int(total[1]), b"", is_last=True)  # no bytes there yet
            _check_status(response)
            size, text = _read_tail(response)
        if response.status_code == HTTPStatus.OK:  # a proxy without support for ranges
            return _Part(size, text, is_last=True)
        whole = int(total[1]) if total else begin + size
        return _Part(whole, text, is_last=begin + size >= whole)

    def log_url(self, job: str) -> str:
        """Return the address of a job's log."""
        return f"{self.url}logs/{self._project}/{SPIDER}/{job}.log"

    def _call_method(
        self, name: str, fields: list[tuple[str, str]] | None = None
    ) -> dict[str, Any]:
        """Call a method of the API: GET without fields, else POST."""
        project = ("project", self._project)
        if fields is None:
            response = self._send_request("GET", self.url + name, params=[project])
        else:
            response = self._send_request("POST", self.url + name, data=[project, *fields])
        _check_status(response)
        try:
            found = response.json()
            is_ok, message = found["status"] == "ok", str(found.get("message", ""))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UnusableServer("no Scrapyd answers there; correct the address") from error
        if not is_ok:
            last = message.strip().rpartition("\n")[2]
            raise _not_deployed(last) if NOT_THERE.fullmatch(last) else Unavailable(last)
        return dict(found)

    def _send_request(
        self, method: str, url: str, *, timeout: tuple[float, float] = TIMEOUT, **more: Any
    ) -> requests.Response:
        try:
            return self._session.request(
                method, url, timeout=timeout, allow_redirects=False, **more
            )
        except requests.exceptions.SSLError as error:
            raise UnusableServer(_tls_problem(error)) from error
        except requests.Timeout as error:
            raise Unavailable("no answer in time") from error
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidProxyURL) as error:
            raise UnusableServer(f"{error}; correct the address") from error
        except requests.RequestException as error:
            raise Unavailable(_describe_cause(error)) from error
        except OSError as error:  # a bundle of certificates that is not there
            raise UnusableServer(f"{error}; correct REQUESTS_CA_BUNDLE") from error


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
        raise UnusableServer(
            "HTTP 401: wrong user or password; correct username and password in scrapy.cfg, or "
            "user:password@ in --server"
        )
    if response.is_redirect:
        raise UnusableServer(f"redirects to {response.headers['Location']}; use that address")
    raise UnusableServer(f"HTTP {status}; correct the address, or what refuses there")


def _not_deployed(message: str) -> UnusableServer:
    return UnusableServer(f"{message}; deploy it there first: scrapyd-deploy")


def _error_causes(error: BaseException) -> Iterator[object]:
    """Yield an error with all that it was raised from, and their arguments."""
    causes: deque[object] = deque([error])
    for _ in range(50):  # of a chain that may be a circle
        each = causes.popleft() if causes else None
        yield each
        if isinstance(each, BaseException):
            causes += [each.__cause__, each.__context__, getattr(each, "reason", None), *each.args]


def _describe_cause(error: BaseException) -> str:
    """Return the reason of a failed connection in the words of the system."""
    for each in _error_causes(error):
        words = getattr(each, "strerror", None)
        if isinstance(words, str):
            return words[:1].lower() + words[1:]
    return "the connection failed"


def _tls_problem(error: BaseException) -> str:
    for each in _error_causes(error):
        if isinstance(each, ssl.SSLCertVerificationError):
            remedy = TLS_REMEDIES.get(each.verify_code, "name its authority in REQUESTS_CA_BUNDLE")
            return f"certificate not accepted: {each.verify_message.rstrip('.')}; {remedy}"
    return f"no TLS connection: {_describe_cause(error)}; write http:// if it is without TLS"


def _read_tail(response: requests.Response) -> tuple[int, bytes]:
    """Return the number of bytes of a response, and the last ``TAIL_BYTES`` of them."""
    size, tail, deadline = 0, b"", time.monotonic() + LOG_SECONDS
    try:
        while chunk := response.raw.read1(TAIL_BYTES):
            size, tail = size + len(chunk), (tail + chunk)[-TAIL_BYTES:]
            if time.monotonic() > deadline:
                raise Unavailable("it does not come to its end in time")
    except HTTPError as error:
        raise Unavailable(_describe_cause(error)) from error
    return size, tail


def _find_result(tail: bytes, job: str) -> Mapping[str, Any] | None:
    for found in reversed(RESULT.findall(tail)):
        try:
            result = json.loads(found)
        except ValueError:
            continue
        if result.get("job") == job and isinstance(result.get("outcome"), str):
            return dict(result)
    return None
