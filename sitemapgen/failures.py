"""Why did no answer come? A few words, the same at every run, whatever the network layer says."""

from __future__ import annotations

import zlib
from gzip import BadGzipFile
from traceback import walk_tb
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from collections.abc import Mapping

TOO_LARGE = "the answer is too large"
NOT_AS_ENCODED = "the answer is not in the encoding that its Content-Encoding names"


class InvalidStatus(DownloadFailedError):
    """The status of an answer is no number of three digits (RFC 9110 section 15)."""


WORDS: Mapping[type[Exception], str] = {
    CannotResolveHostError: "the host name does not resolve",
    DownloadConnectionRefusedError: "the connection was refused",
    DownloadTimeoutError: "no complete answer in time",
    DownloadCancelledError: TOO_LARGE,
    ResponseDataLossError: "the answer was cut short",
    BadGzipFile: NOT_AS_ENCODED,
    zlib.error: NOT_AS_ENCODED,
    UnicodeDecodeError: NOT_AS_ENCODED,
    TunnelError: "the proxy opened no tunnel",
    InvalidStatus: "the status of the answer is no number of three digits",
}


OUR_CODE = tuple(f"sitemapgen.{name}." for name in ("analysis", "core", "middlewares", "store"))
"""Where no error of the network is raised."""


def is_bug(error: BaseException | None) -> bool:
    """Report whether a request failed for an error in the crawler, not for its answer."""
    if error is None or isinstance(error, (IgnoreRequest, *WORDS)):
        return False
    frames = walk_tb(error.__traceback__)
    return any(frame.f_globals.get("__name__", "").startswith(OUR_CODE) for frame, _ in frames)


def describe(error: BaseException | None) -> str:
    """Say in a few words why a request failed; of a refused one, the reason it was given."""
    if isinstance(error, IgnoreRequest) and hasattr(error.__cause__, "max_size"):
        return TOO_LARGE  # once unpacked: HttpCompressionMiddleware
    if isinstance(error, IgnoreRequest):
        is_bomb = str(error).startswith("Ignored response")  # by HttpCompressionMiddleware
        return WORDS[DownloadCancelledError] if is_bomb else str(error)
    for kind, words in WORDS.items():
        if isinstance(error, kind):
            return words
    if type(error).__module__.startswith("brotli"):
        return NOT_AS_ENCODED
    if "certificate" in repr(error) or "SSL" in repr(error):
        return "TLS failed: the certificate or the handshake was not accepted"
    return f"the connection failed ({type(error).__name__})"
