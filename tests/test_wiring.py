"""Settings that a crawl takes, and those that it refuses in one sentence."""

import pytest
from scrapy.downloadermiddlewares.redirect import RedirectMiddleware
from scrapy.settings import Settings

from sitemapgen import settings as ours
from sitemapgen.checks.wiring import check_wiring
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.frontier.scheduler import FrontierScheduler
from tests.helpers.tables import for_each

REFERER = "scrapy.spidermiddlewares.referer.RefererMiddleware"
LENGTH = "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware"
REDIRECTS = "scrapy.downloadermiddlewares.redirect.RedirectMiddleware"
REFRESHES = "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware"
CACHE = "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware"
OFFSITE = "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware"
ERRORS = "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware"
DEPTH = "scrapy.spidermiddlewares.depth.DepthMiddleware"


class SlowScheduler(FrontierScheduler):
    """One that a project derived."""


class MyRedirects(RedirectMiddleware):
    """The same."""


def given(**values: object) -> Settings:
    settings = Settings()
    settings.setmodule(ours, priority="project")
    for name, value in values.items():
        settings.set(name, value, priority="cmdline")
    return settings


def with_ours(*components: object) -> dict[object, int]:
    return {**ours.DOWNLOADER_MIDDLEWARES, **dict.fromkeys(components, 600)}


@for_each(
    ("SCHEDULER", "scrapy.core.scheduler.Scheduler", "leave it at sitemapgen.frontier."),
    ("SCHEDULER", "no.such.Scheduler", "No module named 'no'"),
    ("DUPEFILTER_CLASS", "scrapy.dupefilters.RFPDupeFilter", "leave it at sitemapgen."),
    ("DOWNLOADER", "scrapy.core.downloader.Downloader", "leave it at sitemapgen.download."),
    ("JOBDIR", "job", "the same command continues it; leave JOBDIR out"),
    ("HTTPCACHE_ENABLED", "True", "leave HTTPCACHE_ENABLED out"),
    ("DOWNLOADER_MIDDLEWARES", with_ours(REDIRECTS), f"{REDIRECTS}: a redirect is a URL of"),
    ("DOWNLOADER_MIDDLEWARES", with_ours(REFRESHES), f"{REFRESHES}: a redirect is a URL of"),
    ("DOWNLOADER_MIDDLEWARES", with_ours(MyRedirects), "MyRedirects: a redirect is a URL of"),
    ("DOWNLOADER_MIDDLEWARES", with_ours(CACHE), f"{CACHE}: a cache hides what has changed"),
    ("DOWNLOADER_MIDDLEWARES", {}, "robots.txt is not read; begin with those of"),
    ("SPIDER_MIDDLEWARES", {ERRORS: 50}, f"{ERRORS}: a verdict needs the status"),
    ("SPIDER_MIDDLEWARES", {DEPTH: 900}, f"{DEPTH}: the store has the depth"),
    ("ITEM_PIPELINES", {}, "add it, with 300"),
)
def test_what_would_lose_pages_is_refused(name: str, value: object, remedy: str) -> None:
    with pytest.raises(CrawlError) as caught:
        check_wiring(given(**{name: value}))
    assert caught.value.exit_code is Exit.ARGUMENTS
    assert caught.value.sentence.startswith(f"{name}: ")
    assert remedy in caught.value.sentence


@for_each(
    {},
    {"SCHEDULER": SlowScheduler},
    {"JOBDIR": "", "HTTPCACHE_ENABLED": "False"},
    {"SPIDER_MIDDLEWARES": {REFERER: 700, LENGTH: 800, DEPTH: None}},
    {"DOWNLOADER_MIDDLEWARES": {**with_ours(OFFSITE), REDIRECTS: None}},
    {"ITEM_PIPELINES": {**ours.ITEM_PIPELINES, MyRedirects: 400}},
)
def test_what_does_no_harm_is_taken(values: dict[str, object]) -> None:
    check_wiring(given(**values))
