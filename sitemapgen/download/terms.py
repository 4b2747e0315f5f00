"""Keys of ``request.meta``, and flags of responses, that components of ours share."""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest

UNJUDGED = "sitemapgen_unjudged"
"""``request.meta`` key of requests that no robots.txt forbids, such as those for robots.txt."""
RENDERING = "sitemapgen_rendering"
"""``request.meta`` key of requests that the browser answers."""
RENDERED = "rendered"
"""Flag of its responses."""
UNRENDERABLE = "unrenderable"
"""Flag of responses, before the reason: ``unrenderable: ...``."""
DECORATED = "sitemapgen_decorated"
"""``request.meta`` key: URLs that the document linked to, before scripts gave them a query."""
SENT = "sitemapgen_sent"
"""``request.meta`` key: what the server's document said of itself, a ``pages.Sent``."""
SECONDS = "sitemapgen_rendering_seconds"
"""``request.meta`` key: how long a tab was busy with it."""
PATIENT = "sitemapgen_rendering_patient"
"""``request.meta`` key: whether the browser waits for content that seems to be on its way."""
WAITING = "sitemapgen_rendering_waiting"
"""``request.meta`` key: what became of that, a value of ``learning.Waiting``."""
HINDRANCE = "sitemapgen_rendering_hindrance"
"""``request.meta`` key: what kept a page from getting its content, in words; absent if nothing
is known."""


class Unrendered(IgnoreRequest):
    """A page was not rendered; the message says why."""
