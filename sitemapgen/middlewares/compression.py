"""Downloader middleware that decompresses, and for which a stream cut off is a failure.

Scrapy's keeps what has arrived of it: of a robots.txt that is cut off some rules, of a page some
links. Here it fails, and is requested again, like a response without compression that is shorter
than its length; with ``download_fail_on_dataloss=False`` it has the flag ``dataloss``.
"""

from __future__ import annotations

import sys
import zlib
from contextlib import suppress
from gzip import BadGzipFile

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import ResponseDataLossError
from scrapy.http import Response
from scrapy.utils._compression import _check_max_size, brotli, zstd

from sitemapgen.core.document.texts import line
from sitemapgen.core.inflate import GZIP, Inflated, gunzip, inflate

BLOCK = 65_536
"""Bytes that are decompressed at a time."""


class CompressionMiddleware(HttpCompressionMiddleware):
    """Scrapy's middleware, with a check that each stream has ended."""

    def __init__(self, *, crawler: Crawler) -> None:
        super().__init__(crawler=crawler)
        self.crawler = crawler
        self.is_retrying = crawler.settings.getbool("RETRY_ENABLED")
        self.is_fatal = crawler.settings.getbool("DOWNLOAD_FAIL_ON_DATALOSS")
        self._lenient = HttpCompressionMiddleware(crawler=crawler)

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]  # no spider
        """Decompress a body, or request it again. Raises ResponseDataLossError for one cut off."""
        try:
            return super().process_response(request, response)
        except ResponseDataLossError as error:
            if not request.meta.get("download_fail_on_dataloss", self.is_fatal):
                with suppress(EOFError):  # nothing of it can be read
                    part = self._lenient.process_response(request, response)
                    return part.replace(flags=[*part.flags, "dataloss"])
            again = None
            if self.is_retrying and not request.meta.get("dont_retry"):
                assert self.crawler.spider is not None
                again = get_retry_request(request, spider=self.crawler.spider, reason=error)
            if again is None:
                raise
            return again

    def _warn_unknown_encoding(self, response: Response, encodings: list[bytes]) -> None:
        named = line(b",".join(encodings).decode())
        super()._warn_unknown_encoding(response, [named.encode()])

    @staticmethod
    def _decode(body: bytes, encoding: bytes, max_size: int) -> bytes:
        """Undo one coding. Raises ResponseDataLossError, BadGzipFile, zlib.error."""
        found = _decompress_body(body, encoding, max_size or sys.maxsize - 1)
        _check_max_size(len(found.data), max_size)
        if not found.is_whole:
            raise zlib.error(found.fault) if found.fault else ResponseDataLossError
        return found.data


def _decompress_body(body: bytes, encoding: bytes, max_size: int) -> Inflated:
    if not body:  # as of a HEAD request, and of files that are not read
        return Inflated(b"", is_whole=True)
    if encoding == b"deflate":
        return inflate(body, max_size)
    if encoding in (b"gzip", b"x-gzip"):
        if not GZIP.startswith(body[: len(GZIP)]):
            raise BadGzipFile("no gzip")
        return gunzip(body, max_size)
    try:
        return (_decompress_brotli if encoding == b"br" else _decompress_zstd)(body, max_size)
    except (brotli.error, zstd.ZstdError) as error:
        return Inflated(b"", is_whole=False, fault=str(error))


def _decompress_brotli(body: bytes, max_size: int) -> Inflated:
    stream = brotli.Decompressor()
    out = bytearray()
    rest = body
    while not stream.is_finished() and len(out) <= max_size:
        piece = stream.process(rest, output_buffer_limit=BLOCK)
        if not (piece or rest):
            return Inflated(bytes(out), is_whole=False)
        out += piece
        rest = b""
    return Inflated(bytes(out), is_whole=True)


def _decompress_zstd(body: bytes, max_size: int) -> Inflated:
    """Decompress all frames (RFC 8878 section 3.1)."""
    out = bytearray()
    rest = body
    while rest and len(out) <= max_size:
        frame = zstd.ZstdDecompressor()
        while not frame.eof and len(out) <= max_size:
            piece = frame.decompress(rest, max_length=BLOCK)
            if not piece and frame.needs_input:
                return Inflated(bytes(out), is_whole=False)
            out += piece
            rest = b""
        rest = frame.unused_data if frame.eof else b""
    return Inflated(bytes(out), is_whole=True)
