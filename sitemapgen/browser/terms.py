"""What do RenderingMiddleware and the browser call things?"""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest

RENDERING = "sitemapgen_rendering"
"""``request.meta`` key of requests that the browser answers."""
RENDERED = "rendered"
"""Flag of its responses."""
UNRENDERABLE = "unrenderable"
"""Flag of responses, before the reason: ``unrenderable: ...``."""
DECORATED = "sitemapgen_decorated"
"""``request.meta`` key: URLs that the document linked to, before scripts gave them a query."""
SECONDS = "sitemapgen_rendering_seconds"
"""``request.meta`` key: how long a tab was busy with it."""


class Unrendered(IgnoreRequest):
    """A page was not rendered; the message says why."""
