"""Failures of requests as plain values: those of a worker are raised again by the coordinator.

Retries, outages and verdicts depend on the kind of a failure: ``download/failures.py``.
"""

from __future__ import annotations

from typing import Any

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

from sitemapgen.download.egress import PrivateAddress
from sitemapgen.download.failures import (
    BrowserMissing,
    Failure,
    InvalidStatus,
    MalformedResponse,
    RemoteConnectionFailure,
    RemoteFailure,
    Unrendered,
    failure_of,
    is_bug,
)
from sitemapgen.verdicts import Reason

KINDS: dict[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (
        *(CannotResolveHostError, DownloadCancelledError, DownloadConnectionRefusedError),
        *(DownloadFailedError, DownloadTimeoutError, ResponseDataLossError, TunnelError),
        *(InvalidStatus, MalformedResponse, PrivateAddress, Unrendered, BrowserMissing),
        IgnoreRequest,
    )
}
"""Exceptions that are raised as they were."""


def exception_to_values(error: Exception) -> tuple[Any, ...]:
    """Return a failure as plain values."""
    name = type(error).__name__
    is_known = KINDS.get(name) is type(error)
    words, reason = failure_of(error)
    return (
        name if is_known else "",
        str(error),
        words,
        reason.value,
        is_bug(error),
        isinstance(error, OSError) or _is_of_a_connection(error),
    )


def exception_from_values(values: Any) -> Exception:
    """Return the exception of a failure."""
    name, message, words, reason, has_bug, is_retried = values
    if name:
        return KINDS[name](message)
    failure = Failure(words, Reason(reason))
    if has_bug:
        return RemoteFailure(failure, is_bug=True)
    return RemoteConnectionFailure(failure) if is_retried else RemoteFailure(failure)


def _is_of_a_connection(error: Exception) -> bool:
    """Return whether a failure of Twisted is one of those that Scrapy retries."""
    from twisted.internet import error as kinds  # noqa: PLC0415 - after Scrapy's reactor

    return isinstance(error, (kinds.ConnectionDone, kinds.ConnectError, kinds.ConnectionLost))
