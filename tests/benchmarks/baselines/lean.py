"""Our own settings without what makes a crawl of them: frontier, robots.txt, store, commands."""

from scrapy.settings import default_settings

from sitemapgen import settings

globals().update(
    (name, value)
    for name, value in vars(settings).items()
    if name.isupper() and name not in ("COMMANDS_MODULE", "ITEM_PIPELINES")
)
SPIDER_MODULES = ["tests.benchmarks.baselines.spiders"]
SCHEDULER = default_settings.SCHEDULER
DUPEFILTER_CLASS = "scrapy.dupefilters.BaseDupeFilter"
DOWNLOADER_MIDDLEWARES, EXTENSIONS = (
    {name: order for name, order in components.items() if not name.startswith("sitemapgen.")}
    for components in (settings.DOWNLOADER_MIDDLEWARES, settings.EXTENSIONS)
)
