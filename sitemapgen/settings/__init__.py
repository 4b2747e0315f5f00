"""Settings in the order of the data flow. Each value differs from Scrapy's default for a reason."""

import os

from sitemapgen import HOME_PAGE, __version__, interrupts
from sitemapgen.settings.requirements import check

interrupts.install()  # early: importing the other modules takes a second
check()

# Imported early, as Scrapy inspects all imported modules before it warns of a deprecation: 0.07 s.
import scrapy.core.downloader.contextfactory  # noqa: E402,F401

BOT_NAME = "sitemapgen"
SPIDER_MODULES = ["sitemapgen.spiders"]
COMMANDS_MODULE = "sitemapgen.commands"
ADDONS = {"sitemapgen.spiders.foreign.ForeignSpiders": 0}  # other spiders get Scrapy's components

# Identity
USER_AGENT = f"sitemapgen/{__version__} (+{HOME_PAGE})"
ROBOTSTXT_USER_AGENT = "sitemapgen"
ROBOTSTXT_OBEY = True  # set by the argument robots
SITEMAPGEN_FROM = ""  # a mail address: the From header of every request

# Politeness: five requests at a time, with a short delay; fewer for slow sites and after 429 or 503
DOWNLOADER = "sitemapgen.download.downloader.PoliteDownloader"
CONCURRENT_REQUESTS = 5
CONCURRENT_REQUESTS_PER_DOMAIN = 5
DOWNLOAD_DELAY = 0.05
AUTOTHROTTLE_ENABLED = True  # a site that takes a second gets two requests a second
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0  # more would only lengthen the queue of a saturated site
AUTOTHROTTLE_START_DELAY = DOWNLOAD_DELAY
SITEMAPGEN_PROFILE = ""  # name of another profile, where Scrapyd sets SCRAPY_PROJECT
SITEMAPGEN_MAX_CRAWL_DELAY = 30.0  # seconds: 2,880 pages a day
SITEMAPGEN_MAX_RETRY_AFTER = 300.0  # seconds: after a longer Retry-After a request comes early
SITEMAPGEN_BACKOFF_START = 1.0  # seconds: the pause after a first 429 or 503; doubles in a row
SITEMAPGEN_BACKOFF_MAX = 60.0  # seconds: the longest pause without a Retry-After
SITEMAPGEN_BACKOFF_RETRIES = 5  # times a page is requested again after 429 or 503
SITEMAPGEN_BACKOFF_GIVE_UP = 600.0  # seconds of refusals or of an outage: then the crawl ends

# Frontier: the store is queue and dupefilter in one
SCHEDULER = "sitemapgen.frontier.scheduler.FrontierScheduler"
DUPEFILTER_CLASS = "sitemapgen.frontier.dupefilter.StoreDupeFilter"
REQUEST_FINGERPRINTER_CLASS = "sitemapgen.frontier.dupefilter.UrlFingerprinter"
SITEMAPGEN_MAX_PAGES = 50_000  # set by the argument max_pages
SITEMAPGEN_FRONTIER_READ_AHEAD = 32  # URLs read from the store at a time
SITEMAPGEN_SITEMAP_SCORE = "priorityrank"  # or priority, pagerank: what strategy=balanced sorts by

# Requests and responses
# Redirects are pages of their own; cookies and caches would make a page depend on earlier ones.
# Scrapy imports even components set to None, which took 0.25 s: so the base is empty.
DOWNLOADER_MIDDLEWARES_BASE: dict[str, int] = {}
DOWNLOADER_MIDDLEWARES = {
    "sitemapgen.middlewares.robots.RobotsMiddleware": 100,  # Scrapy's lets some requests through
    "sitemapgen.middlewares.crashes.CrashMiddleware": 150,
    "sitemapgen.middlewares.access.AccessMiddleware": 200,
    "sitemapgen.middlewares.rendering.RenderingMiddleware": 300,
    "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": 350,
    "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": 390,
    "sitemapgen.middlewares.refresh.RefreshMiddleware": 400,
    "sitemapgen.middlewares.file_hints.FileHintMiddleware": 440,
    "sitemapgen.middlewares.contact.ContactMiddleware": 450,
    "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": 500,
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": 550,
    "sitemapgen.middlewares.outage.OutageMiddleware": 555,
    "sitemapgen.middlewares.backoff.BackoffMiddleware": 560,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": 590,
    "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": 750,
    "scrapy.downloadermiddlewares.stats.DownloaderStats": 850,
}
SITEMAPGEN_MAX_PROBES = 40  # paths that cannot exist, requested to recognise soft 404s; 0: none
SITEMAPGEN_ROBOTS_BACKOFF = 1.0  # seconds before robots.txt is requested again; doubles each time
SITEMAPGEN_ROBOTS_UNREACHABLE = "disallow"  # set by the argument robots_unreachable
HTTPPROXY_AUTH_ENCODING = "utf-8"  # RFC 7617; latin-1 raises for other letters
RETRY_HTTP_CODES = [500, 502, 504, 522, 524, 408]  # BackoffMiddleware handles 429 and 503
SITEMAPGEN_LATE_RETRY_SECONDS = 120.0  # of waiting for failed pages at the end of a crawl; 0: none
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"  # the verdict of the page reports it
SITEMAPGEN_MAX_SITEMAPS = 10_000  # maximum number of the site's sitemap files; 0: no limit
DOWNLOAD_TIMEOUT = 30  # seconds for the whole response: a byte a second does not prolong it
DOWNLOAD_MAXSIZE = 16_777_216  # bytes, also after decompression; more for sitemap files
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_VERIFY_CERTIFICATES = True  # set by the argument verify_tls
DOWNLOAD_HANDLERS = {
    "http": "sitemapgen.browser.handler.BrowserHandler",  # Scrapy's own, and a browser
    "https": "sitemapgen.browser.handler.BrowserHandler",
    **{"file": None, "data": None, "ftp": None, "s3": None},  # http and https only
}

# The browser, started by the first page that needs it
SITEMAPGEN_BROWSER = ""  # a path or a name; else Playwright's own, else the system's
SITEMAPGEN_RENDERING_TABS = 2  # pages in the browser at a time: they mostly wait
SITEMAPGEN_RENDERING_DEADLINE = 30.0  # seconds in all for one of two attempts at a page
SITEMAPGEN_RENDERING_WAIT_UNTIL = "domcontentloaded"  # networkidle would never end while polling
SITEMAPGEN_RENDERING_QUIET = 0.7  # seconds without a new link or word, and no request in flight
SITEMAPGEN_RENDERING_SETTLE = 6.0  # seconds after which a page that is never quiet is read
SITEMAPGEN_RENDERING_SELECTOR = ""  # CSS of an element that every page has once it is rendered
SITEMAPGEN_RENDERING_SELECTOR_WAIT = 10.0  # seconds to wait for it, or for content still loading

# Rendering: which documents need a browser
SITEMAPGEN_RENDERING_RULE = "auto"  # or seed: the simple rule, by the following thresholds alone
SITEMAPGEN_RENDERING_MINIMAL_CONTENT_LENGTH = 200  # characters
SITEMAPGEN_RENDERING_MINIMAL_CHILD_NODES = 5
SITEMAPGEN_RENDERING_SCRIPT_COUNT_THRESHOLD = 10
SITEMAPGEN_RENDERING_CONTENT_SCRIPT_RATIO = 1000  # characters of HTML for each script
SITEMAPGEN_RENDERING_ROOT_SELECTORS = "#root,#__next"
SITEMAPGEN_RENDERING_LOADING_INDICATORS = "loading,spinner"

# Pages: links become rows, not requests, so the spider's output needs no middleware
SPIDER_MIDDLEWARES_BASE: dict[str, int] = {}
CONCURRENT_ITEMS = 1  # the default of 100 creates 100 tasks per page
WARN_ON_GENERATOR_RETURN_VALUE = False  # the check reads and tokenizes the source of callbacks

# Store and publication
SITEMAPGEN_ARGUMENTS: dict[str, str] = {}  # for the sitemap of another project's spider: addon.py
SITEMAPGEN_OUTPUT_ROOT = os.environ.get("SITEMAPGEN_OUTPUT_ROOT", "")  # for daemons
SITEMAPGEN_GRACE_RUNS = 2  # number of runs in a row for which a page or a sitemap file may fail
ITEM_PIPELINES = {"sitemapgen.pipelines.sitemap.SitemapPipeline": 300}
FEED_EXPORTERS = {
    "csv": "sitemapgen.extensions.feeds.HarmlessCsv",
    "xml": "sitemapgen.extensions.feeds.PlainXml",
}
SITEMAPGEN_NEAR_DUPLICATE_RULE = "page"  # or text
SITEMAPGEN_NEAR_DUPLICATE_THRESHOLD = (
    0.85  # of two texts; docs/explanation/duplicates.md has the figures
)
SITEMAPGEN_MAX_LOSS = 0.2  # share of the published URLs that a new sitemap may lack
SITEMAPGEN_INDEXNOW_ENDPOINT = "https://api.indexnow.org/indexnow"  # shared by all participants

# Extensions: none that listens on a port by default
EXTENSIONS_BASE: dict[str, int] = {}  # without Scrapy's telnet console, among others
EXTENSIONS = {
    "scrapy.extensions.corestats.CoreStats": 0,
    "scrapy.extensions.logcount.LogCount": 0,
    "scrapy.extensions.memusage.MemoryUsage": 0,
    "scrapy.extensions.closespider.CloseSpider": 0,
    "sitemapgen.extensions.feeds.UrlFeeds": 0,  # one item per URL, with its final verdict
    "scrapy.extensions.throttle.AutoThrottle": 0,
    "sitemapgen.extensions.progress.Progress": 1,  # replaces Scrapy's LogStats
    "sitemapgen.extensions.dashboard.extension.DashboardExtension": 2,
}
SITEMAPGEN_DASHBOARD_ENABLED = False  # set by the argument dashboard
SITEMAPGEN_DASHBOARD_HOST = "127.0.0.1"  # reachable from this machine only, with the token
SITEMAPGEN_DASHBOARD_PORT = 6030  # the next free one if it is busy; 0: any
SITEMAPGEN_DASHBOARD_MAX_CLIENTS = 20  # connections at a time, to save file descriptors
LOG_LEVEL = "INFO"
LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"
LOG_FORMATTER = "sitemapgen.extensions.log_formatter.QuietLogFormatter"
