"""Failed requests: exceptions, and their description in the same few words in every run."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Mapping
from gzip import BadGzipFile
from traceback import walk_tb
from typing import NamedTuple

from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    ResponseDataLossError,
)

from sitemapgen.core import remedies
from sitemapgen.items import Judgement
from sitemapgen.verdicts import Reason, Verdict

logger = logging.getLogger(__name__)


class Disallowed(IgnoreRequest):
    """A URL may not be fetched; the message is the line of robots.txt that forbids it."""


class OverLimit(IgnoreRequest):
    """A request beyond ``SITEMAPGEN_MAX_REQUESTS``; the message is the limit."""


class Fatal(IgnoreRequest):
    """A page crashed the process, or its workers, too often: ``items.CRASHED``."""

    def __init__(self, judgement: Judgement) -> None:
        super().__init__(judgement.evidence)
        self.judgement = judgement


def leave_out(url: str, judgement: Judgement) -> Fatal:
    """Log that a page is left out, and return the exception for its request."""
    logger.warning("%(url)s is left out: %(why)s", {"url": url, "why": judgement.evidence})
    return Fatal(judgement)


class MalformedResponse(DownloadFailedError):
    """A response is not HTTP (RFC 9112): the server answers, and a repetition is the same."""


class InvalidStatus(MalformedResponse):
    """The status of a response is not a number of three digits (RFC 9110 section 15)."""


class Unrendered(IgnoreRequest):
    """A page was not rendered; the message is the reason."""


class BrowserMissing(Unrendered):
    """No page can be rendered in this crawl."""


class Failure(NamedTuple):
    """Why a request failed."""

    words: str
    reason: Reason = Reason.NONE


class RemoteFailure(Exception):
    """A request failed at a worker of a cluster, for a reason without an exception of its own."""

    def __init__(self, failure: Failure, *, is_bug: bool = False) -> None:
        super().__init__(failure.words)
        self.failure = failure
        self.is_bug = is_bug


class RemoteConnectionFailure(RemoteFailure, OSError):
    """Such a failure that is worth a retry."""


TOO_LARGE = Failure("the answer is too large", Reason.PERMANENT)
NOT_AS_ENCODED = Failure(
    "the answer is not in the encoding that its Content-Encoding names", Reason.PERMANENT
)
NO_TLS = Failure(remedies.NO_TLS, Reason.PERMANENT)
NOT_TLS = Failure(remedies.NOT_TLS, Reason.PERMANENT)
CLOSED = Failure(remedies.CLOSED)
FOREIGN_RECORDS = ("wrong version number", "packet length too long", "record layer failure")
"""What OpenSSL calls the answer to a handshake that is no TLS record."""
FAILURES: Mapping[type[Exception], Failure] = {
    CannotResolveHostError: Failure(remedies.NO_NAME),
    DownloadConnectionRefusedError: Failure(remedies.REFUSED),
    DownloadTimeoutError: Failure(remedies.LATE),
    DownloadCancelledError: TOO_LARGE,
    ResponseDataLossError: Failure("the answer was cut short"),
    BadGzipFile: NOT_AS_ENCODED,
    zlib.error: NOT_AS_ENCODED,
    UnicodeDecodeError: NOT_AS_ENCODED,
    TunnelError: Failure("the proxy opened no tunnel"),
    InvalidStatus: Failure(
        "the status of the answer is no number of three digits", Reason.PERMANENT
    ),
    MalformedResponse: Failure("the answer is no HTTP", Reason.PERMANENT),
}
CODECS = ("brotli", "backports.zstd", "compression.zstd")
"""Modules whose exceptions are about the encoding of a body."""


OUR_CODE = tuple(f"sitemapgen.{name}." for name in ("analysis", "core", "middlewares", "store"))
"""Prefixes of modules in which no network error is raised."""


def is_bug(error: BaseException | None) -> bool:
    """Return whether a request failed because of an error in the crawler, not in its response."""
    if isinstance(error, RemoteFailure):
        return error.is_bug
    if error is None or isinstance(error, (IgnoreRequest, *FAILURES)):
        return False
    frames = walk_tb(error.__traceback__)
    return any(frame.f_globals.get("__name__", "").startswith(OUR_CODE) for frame, _ in frames)


def failure_of(error: BaseException | None) -> Failure:
    """Describe in a few words why a request failed; of a refused one, by the message."""
    if isinstance(error, RemoteFailure):
        return error.failure
    if isinstance(error, IgnoreRequest):
        is_bomb = hasattr(error.__cause__, "max_size")  # from CompressionMiddleware
        if is_bomb or str(error).startswith("Ignored response"):
            return TOO_LARGE
        may_recover = isinstance(error, Unrendered) and not isinstance(error, BrowserMissing)
        return Failure(str(error), Reason.NONE if may_recover else Reason.PERMANENT)
    for kind, failure in FAILURES.items():
        if isinstance(error, kind):
            return failure
    if any(words in repr(error) for words in FOREIGN_RECORDS):
        return NOT_TLS
    if type(error).__module__.startswith(CODECS):
        return NOT_AS_ENCODED
    if any(word in repr(error) for word in ("certificate", "SSL", "VerificationError")):
        return NO_TLS
    if any(name in repr(error) for name in ("ConnectionLost", "ConnectionDone")):
        return CLOSED
    return Failure(f"the connection failed ({type(error).__name__})")


def judge_failure(error: BaseException | None) -> Judgement:
    """Return the verdict for a URL whose request failed."""
    if isinstance(error, Disallowed):
        return Judgement(Verdict.ROBOTS_DISALLOWED, str(error))
    if isinstance(error, Fatal):
        return error.judgement
    words, reason = failure_of(error)
    return Judgement(Verdict.FETCH_ERROR, words, reason=reason)


def describe_failure(error: BaseException | None) -> str:
    """Describe in a few words why a request failed."""
    return failure_of(error).words


class LeaseLost(IgnoreRequest):
    """The outcome of a job for a worker of a cluster is lost; the request is to be repeated."""

    def __init__(self, *, is_death: bool = False) -> None:
        """``is_death``: the worker that had it has died, or hangs."""
        super().__init__("its worker, or Redis, was lost")
        self.is_death = is_death
