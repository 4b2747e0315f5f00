"""Scrapy add-on: robots.txt handling, rendering and a sitemap for another project, by one setting.

    ADDONS = {"sitemapgen.addon.SitemapAddon": 500}

Its effects and limits: ``docs/guides/scrapy.md``.
"""

from __future__ import annotations

import logging

from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.settings import Settings
from scrapy.utils.python import global_object_name

from sitemapgen import settings as ours
from sitemapgen.middlewares.compression import CompressionMiddleware
from sitemapgen.middlewares.rendering import RenderingMiddleware
from sitemapgen.middlewares.robots import RobotsMiddleware
from sitemapgen.middlewares.visits import VisitsMiddleware, read_arguments
from sitemapgen.pipelines.sitemap import SitemapPipeline

logger = logging.getLogger(__name__)

STOCK = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
HANDLER = "sitemapgen.browser.handler.BrowserHandler"
MIDDLEWARES = {
    VisitsMiddleware: 50,  # gets responses last: rendered, and after all retries
    RobotsMiddleware: 100,
    RenderingMiddleware: 300,
    CompressionMiddleware: 590,
}
REPLACED = (RobotsTxtMiddleware, HttpCompressionMiddleware)
"""Scrapy's own, in whose place there is one of these."""


class SitemapAddon:
    """Adds this project's components to another project, whose own settings take precedence."""

    def update_settings(self, settings: Settings) -> None:
        """Add the components. Raises ValueError for invalid SITEMAPGEN_ARGUMENTS."""
        for name, value in vars(ours).items():
            if name.startswith("SITEMAPGEN_"):
                settings.set(name, value, "addon")
        read_arguments(settings)
        settings.set("SITEMAPGEN_MAX_PAGES", 0, "addon")  # the spider determines its visits
        settings.set("ROBOTSTXT_OBEY", True, "addon")
        settings.set("DOWNLOADER", ours.DOWNLOADER, "addon")
        # replace_in_component_priority_dict() would raise: it is one of Scrapy's base components.
        name = "DOWNLOADER_MIDDLEWARES"
        for replaced in REPLACED:
            settings.set_in_component_priority_dict(name, replaced, None)
        for component, order in MIDDLEWARES.items():
            settings.setdefault_in_component_priority_dict(name, component, order)
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", SitemapPipeline, 900)
        handlers = {"http": HANDLER, "https": HANDLER, **settings.getdict("DOWNLOAD_HANDLERS")}
        for scheme, given in handlers.items():
            if (global_object_name(given) if isinstance(given, type) else given) == STOCK:
                handlers[scheme] = HANDLER
                sentence = "DOWNLOAD_HANDLERS: %(ours)s for %(scheme)s, which calls %(stock)s"
                logger.info(sentence, {"ours": HANDLER, "scheme": scheme, "stock": STOCK})
        priority = settings.getpriority("DOWNLOAD_HANDLERS") or 0
        settings.set("DOWNLOAD_HANDLERS", handlers, priority)
