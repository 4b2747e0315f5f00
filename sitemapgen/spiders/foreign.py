"""Scrapy's own components for all spiders but the one of ``spiders/sitemap.py``.

They serve ``scrapy fetch``, ``shell``, ``view``, ``bench``, and other spiders of the project, which
have no store. User agent, robots.txt handling and politeness stay those of the project.
"""

from __future__ import annotations

from typing import Any

from scrapy.settings import SETTINGS_PRIORITIES, Settings, default_settings

from sitemapgen.context import Component
from sitemapgen.spiders.sitemap import SitemapSpider

SCRAPYS = (
    *("SCHEDULER", "DUPEFILTER_CLASS", "RETRY_HTTP_CODES"),
    *("DOWNLOADER_MIDDLEWARES_BASE", "SPIDER_MIDDLEWARES_BASE", "LOG_FORMATTER"),
    *("FEED_EXPORTERS", "WARN_ON_GENERATOR_RETURN_VALUE"),
)
"""Settings that are reset to Scrapy's own defaults."""

MIDDLEWARES = {
    "sitemapgen.middlewares.robots.RobotsMiddleware": 100,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "sitemapgen.middlewares.headers.ContactMiddleware": 450,
}
EXTENSIONS = {
    "scrapy.extensions.feedexport.FeedExporter": 0,
    "scrapy.extensions.logstats.LogStats": 0,
}
OURS = "sitemapgen."


class ForeignSpiders(Component):
    """Add-on that resets components for other spiders; their own settings and ``-s`` prevail."""

    def update_settings(self, settings: Settings) -> None:
        if issubclass(self.crawler.spidercls, SitemapSpider):
            return
        values: dict[str, Any] = {name: getattr(default_settings, name) for name in SCRAPYS}
        values["DOWNLOADER_MIDDLEWARES"] = (
            _foreign_components(settings, "DOWNLOADER_MIDDLEWARES") | MIDDLEWARES
        )
        values["ITEM_PIPELINES"] = _foreign_components(settings, "ITEM_PIPELINES")
        values["EXTENSIONS"] = _foreign_components(settings, "EXTENSIONS") | EXTENSIONS
        handlers = settings.getdict("DOWNLOAD_HANDLERS")
        values["DOWNLOAD_HANDLERS"] = {name: path for name, path in handlers.items() if path}
        for name, value in values.items():
            if (settings.getpriority(name) or 0) <= SETTINGS_PRIORITIES["project"]:
                settings.set(name, value, "project")


def _foreign_components(settings: Settings, name: str) -> dict[str, Any]:
    """Return the components of a setting that are not of this project."""
    return {
        component: order
        for component, order in settings.getdict(name).items()
        if not str(component).startswith(OURS)
    }
