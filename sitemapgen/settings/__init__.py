"""The wiring, in the order of the flow. Every value differs from Scrapy's default for a reason."""

from sitemapgen import __version__

BOT_NAME = "sitemapgen"
SPIDER_MODULES = ["sitemapgen.spiders"]
COMMANDS_MODULE = "sitemapgen.commands"

# Who we are
USER_AGENT = f"sitemapgen/{__version__}"
ROBOTSTXT_USER_AGENT = "sitemapgen"

# Politeness: five at a time, with a short delay
CONCURRENT_REQUESTS = 5
CONCURRENT_REQUESTS_PER_DOMAIN = 5
DOWNLOAD_DELAY = 0.05
DOWNLOAD_TIMEOUT = 30

# Frontier: the store is queue and dupefilter in one
SCHEDULER = "sitemapgen.scheduler.FrontierScheduler"
DUPEFILTER_CLASS = "sitemapgen.dupefilter.StoreDupeFilter"
REQUEST_FINGERPRINTER_CLASS = "sitemapgen.dupefilter.UrlFingerprinter"
SITEMAPGEN_MAX_PAGES = 0  # max_pages sets it
SITEMAPGEN_FRONTIER_READ_AHEAD = 32  # URLs read from the store at a time

# Requests and answers
DOWNLOADER_MIDDLEWARES = {
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,  # lets requests through
    "sitemapgen.middlewares.robots.RobotsMiddleware": 100,
    # Off, so that they cost nothing:
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.httpauth.HttpAuthMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,  # a redirect is a page
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "scrapy.downloadermiddlewares.httpcache.HttpCacheMiddleware": None,
}
SITEMAPGEN_MAX_PROBES = 40  # paths that cannot exist, asked for to know soft 404s by; 0: none
SITEMAPGEN_ROBOTS_BACKOFF = 1.0  # before robots.txt is asked for again; doubles each time
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"  # the page's verdict says it
DOWNLOAD_MAXSIZE = 52_428_800  # bytes: the largest sitemap there may be
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_VERIFY_CERTIFICATES = True
DOWNLOAD_HANDLERS = {"file": None, "data": None, "ftp": None, "s3": None}

# Pages: links become rows, not requests, so the spider's output needs no middleware
SPIDER_MIDDLEWARES = {
    "scrapy.spidermiddlewares.start.StartSpiderMiddleware": None,
    "scrapy.spidermiddlewares.httperror.HttpErrorMiddleware": None,
    "scrapy.spidermiddlewares.referer.RefererMiddleware": None,
    "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware": None,
    "scrapy.spidermiddlewares.depth.DepthMiddleware": None,
    "scrapy.spidermiddlewares.metacopy.MetaCopyDetectionMiddleware": None,
}
CONCURRENT_ITEMS = 1  # the default of 100 costs a hundred tasks a page
WARN_ON_GENERATOR_RETURN_VALUE = False  # reads and tokenizes the source of the callbacks

# Store and publication
ITEM_PIPELINES = {"sitemapgen.pipelines.sitemap.SitemapPipeline": 300}

# Observers: none that open a door
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
EXTENSIONS = {  # even switched off, they import a web server and a terminal at the start
    "scrapy.extensions.telnet.TelnetConsole": None,
    "scrapy.extensions.remote_control.RemoteControl": None,
    "scrapy.extensions.memdebug.MemoryDebugger": None,
    "scrapy.extensions.spiderstate.SpiderState": None,
}
LOG_LEVEL = "INFO"
LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"
LOG_FORMATTER = "sitemapgen.logformatter.QuietLogFormatter"
