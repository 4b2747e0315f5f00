"""Conversion of Scrapy's responses into Pages: headers, and the outcome of rendering.

The content of the page: ``core/document/pages.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from itertools import accumulate
from typing import Any

from scrapy import Request
from scrapy.http import Response

from sitemapgen.core.document.html import ReadOptions
from sitemapgen.core.document.markup import Source
from sitemapgen.core.document.pages import UNCHANGED, HttpResponse, read_page
from sitemapgen.core.lastmod import http_date
from sitemapgen.core.links import LinkReader
from sitemapgen.core.politeness import retry_after
from sitemapgen.core.urls import escape_bytes
from sitemapgen.download.terms import NOT_RENDERED, OUTCOME, RENDERED, SENT, UNRENDERED
from sitemapgen.items import Link, Page, Sighting
from sitemapgen.verdicts import Verdict

MAX_HEADER = 65_536
"""Maximum total of bytes that are read of all values of one header; values beyond are left out."""


def utc_now() -> datetime:
    """Return the time of this machine."""
    return datetime.now(timezone.utc)


@dataclass(frozen=True)
class PageReader:
    """Reads the responses of one crawl."""

    links: LinkReader
    options: ReadOptions
    sources: MutableMapping[Response, Source]
    """Bodies that the examiner has read already."""
    now: Callable[[], datetime] = utc_now

    def read(
        self, link: Link, response: Response, request: Request | None, *, is_suspect: bool = False
    ) -> Page:
        """Read the response for a URL; with ``is_suspect``, also what compares it with others."""
        meta = request.meta if request else {}
        options = self.options._replace(sketch=True) if is_suspect else self.options
        received = HttpResponse(
            response.status,
            headers_of(response),
            response.body,
            self.now(),
            source=self.sources.pop(response, None),
            sent=meta.get(SENT, UNCHANGED),
        )
        page = read_page(received, link, self.links, options)
        if bound := meta.get(OUTCOME, NOT_RENDERED).bound:
            unreached = Sighting("unreached", link.url, bound)
            page = replace(page, sightings=(*page.sightings, unreached))
        return page


def as_rendered(page: Page, response: Response, meta: Mapping[str, Any]) -> Page:
    """Apply the outcome of RenderingMiddleware to a page: rendered, or unrenderable."""
    if RENDERED in response.flags:  # what scripts add may change while the document does not
        return replace(page, is_lasting=False)
    judgement = meta.get(UNRENDERED)
    if judgement and page.judgement.verdict is Verdict.LISTED:
        return replace(page, judgement=judgement, is_lasting=False)
    return page


def conditional_headers(etag: str, last_modified: str) -> dict[str, str]:
    """Return the headers for the validators of an earlier response: RFC 9110 section 13."""
    headers = {"If-None-Match": etag, "If-Modified-Since": last_modified}
    return {name: value for name, value in headers.items() if value}


def location_of(response: Response) -> str:
    """Return the Location of a redirect, as browsers read its bytes; empty without one."""
    value = response.headers.get("Location") if 300 <= response.status < 400 else None
    return escape_bytes(value.decode("latin-1")) if value else ""


def retry_after_of(response: Response) -> float | None:
    """Return the seconds of a Retry-After header, by the server's clock if it sends a Date."""
    if not (value := header_of(response, "Retry-After")):
        return None
    return retry_after(value, http_date(header_of(response, "Date")) or utc_now())


def header_of(response: Response, name: str) -> str:
    """Return the last value of a header; empty without one."""
    return (response.headers.get(name) or b"").decode("latin-1")


def headers_of(response: Response) -> dict[str, list[str]]:
    """Return the headers of a response by lower-case name, each limited to ``MAX_HEADER``."""
    return {
        name.decode("latin-1").lower(): _first_values(values)
        for name, values in dict.items(response.headers)  # Scrapy's would look each name up again
    }


def _first_values(values: Sequence[bytes]) -> list[str]:
    """Return the values that fit completely into ``MAX_HEADER``; a single one is always kept."""
    if len(values) == 1:
        return [values[0].decode("latin-1")]
    sizes = accumulate(map(len, values))
    return [value.decode("latin-1") for value, size in zip(values, sizes) if size <= MAX_HEADER]
