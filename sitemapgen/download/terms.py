"""Keys of ``request.meta``, a stat, flags of responses and a value that components share."""

from __future__ import annotations

from typing import NamedTuple

REQUEST_COUNT = "downloader/request_count"
"""Scrapy's stat: number of requests of any kind, each attempt counted."""
UNJUDGED = "sitemapgen_unjudged"
"""``request.meta`` key of requests exempt from robots.txt, such as those for robots.txt."""
IN_SESSION = "sitemapgen_in_session"
"""``request.meta`` key of requests for a URL with the session id to which it redirects."""
HEADERS_ONLY = "sitemapgen_headers_only"
"""``request.meta`` key of requests whose bodies are not downloaded."""
RENDERING = "sitemapgen_rendering"
"""``request.meta`` key of requests for the browser; its value is the reason for rendering."""
PLAYWRIGHT = "playwright"
"""scrapy-playwright's ``request.meta`` key and response flag: a request that a browser sends."""
RAW = "sitemapgen_raw"
"""``request.meta`` key of requests for the browser: the ``ReadResponse`` for the raw document."""
RENDERED = "rendered"
"""Flag of responses from the browser."""
UNRENDERED = "sitemapgen_unrendered"
"""``request.meta`` key: the ``Judgement`` of a page that could not be rendered; else absent."""
TRANSFER = "sitemapgen_transfer"
"""``request.meta`` key: (seconds to the last byte, bytes of the body as sent) of its response."""
SENT = "sitemapgen_sent"
"""``request.meta`` key: a ``pages.Sent`` of the document before rendering."""
PATIENT = "sitemapgen_rendering_patient"
"""``request.meta`` key: whether the browser waits for content that a page is still loading."""
OUTCOME = "sitemapgen_rendering_outcome"
"""``request.meta`` key: the ``RenderOutcome`` of a page that was sent to the browser."""
DEATHS = "sitemapgen_worker_deaths"
"""``request.meta`` key: number of workers that died with this request; absent for none."""


class RenderOutcome(NamedTuple):
    """What is known of the rendering of a page, beside its document."""

    seconds: float = 0.0
    """Seconds for which a tab was busy with the page."""
    waiting: str = ""
    """The outcome of the wait for its content, a value of ``learn.Waiting``."""
    hindrance: str = ""
    """Why it may lack its content, in words; empty if unknown."""
    bound: str = ""
    """Why scrolling and buttons may show further links, in words; empty without a sign of it."""


NOT_RENDERED = RenderOutcome()
