"""Check of settings under which a crawl would lose its state, or publish wrong results.

The defaults: ``settings/``. Other spiders are not checked: ``spiders/foreign.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from sitemapgen.errors import CrawlError, Exit

COMPONENTS = {
    "SCHEDULER": (
        "sitemapgen.frontier.scheduler.FrontierScheduler",
        "does not fetch what the store of a crawl holds",
    ),
    "DUPEFILTER_CLASS": (
        "sitemapgen.frontier.scheduler.StoreDupeFilter",
        "does not see which URLs the store of a crawl holds",
    ),
    "DOWNLOADER": (
        "sitemapgen.download.downloader.PoliteDownloader",
        "does not keep to Crawl-delay and Retry-After",
    ),
}
"""By setting: the class that it has to be or be derived from, and what other classes lack."""

SWITCHES = {
    "JOBDIR": "the state of a crawl is in its output directory, and the same command continues "
    "it; leave JOBDIR out",
    "HTTPCACHE_ENABLED": "a cache hides what has changed, and the same command asks only for "
    "that; leave HTTPCACHE_ENABLED out",
}

A_PAGE = "a redirect is a URL of its own, with its own verdict"
MIDDLEWARES = {
    "scrapy.downloadermiddlewares.redirect.BaseRedirectMiddleware": A_PAGE,
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": "a cache hides what has changed",
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": "a verdict needs the status of every "
    "answer",
    "scrapy.spidermiddlewares.depth.DepthMiddleware": "the store has the depth of every URL, and "
    "DEPTH_LIMIT holds without it",
}
"""Middlewares that must not be enabled, with the reason."""

REQUIRED = {
    "ITEM_PIPELINES": (
        "sitemapgen.pipelines.sitemap.SitemapPipeline",
        "nothing that is found is kept; add it, with 300",
    ),
    "DOWNLOADER_MIDDLEWARES": (
        "sitemapgen.middlewares.robots.RobotsMiddleware",
        "robots.txt is not read; begin with those of sitemapgen/settings/",
    ),
}
"""Components that have to be enabled, and what happens without them."""


def check_wiring(settings: BaseSettings) -> None:
    """Raise CrawlError for the first invalid setting, with the remedy."""
    for problem in _wiring_problems(settings):
        raise CrawlError(Exit.ARGUMENTS, problem)


def _wiring_problems(settings: BaseSettings) -> Iterator[str]:
    for name, (ours, why) in COMPONENTS.items():
        # Not issubclass(): for Scrapy, any class with the right methods is a BaseScheduler.
        if ours not in map(_path_of_class, _load_component(name, settings[name]).__mro__):
            yield f"{name}: {_path_of_class(settings[name])} {why}; leave it at {ours}"
    for name, why in SWITCHES.items():
        if settings[name] if name == "JOBDIR" else settings.getbool(name):
            yield f"{name}: {why}"
    for name in ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES"):
        for component in _enabled_components(settings, name):
            for ancestor in _load_component(name, component).__mro__:
                if found := MIDDLEWARES.get(_path_of_class(ancestor)):
                    yield f"{name}: {_path_of_class(component)}: {found}; leave it out"
    for name, (component, why) in REQUIRED.items():
        if component not in map(_path_of_class, _enabled_components(settings, name)):
            yield f"{name}: without {component} {why}"


def _enabled_components(settings: BaseSettings, name: str) -> list[Any]:
    components = settings.get_component_priority_dict_with_base(name)
    return [component for component, order in components.items() if order is not None]


def _load_component(name: str, component: Any) -> type:
    try:
        found = load_object(component)
    except (ImportError, NameError, ValueError) as error:
        raise CrawlError(Exit.ARGUMENTS, f"{name}: {_path_of_class(component)}: {error}") from error
    return found if isinstance(found, type) else type(found)


def _path_of_class(component: Any) -> str:
    if isinstance(component, type):
        return f"{component.__module__}.{component.__qualname__}"
    return str(component)
