"""The wiring, in the order of the flow. Every value differs from Scrapy's default for a reason."""

import os

from sitemapgen import HOME_PAGE, __version__, interrupts
from sitemapgen.settings.requirements import check

interrupts.install()  # the first of our modules that a crawl imports; the others take a second
check()

# Scrapy looks through all that is imported before it says what is deprecated here: 0.07 s less now.
import scrapy.core.downloader.contextfactory  # noqa: E402,F401

BOT_NAME = "sitemapgen"
SPIDER_MODULES = ["sitemapgen.spiders"]
COMMANDS_MODULE = "sitemapgen.commands"
ADDONS = {"sitemapgen.spiders.foreign.ForeignSpiders": 0}  # others get Scrapy's components

# Who we are
USER_AGENT = f"sitemapgen/{__version__} (+{HOME_PAGE})"
ROBOTSTXT_USER_AGENT = "sitemapgen"
ROBOTSTXT_OBEY = True  # robots sets it
SITEMAPGEN_FROM = ""  # a mail address: the From header of every request

# Politeness: five at a time, with a short delay; fewer for a site that is slow or says "not now"
DOWNLOADER = "sitemapgen.download.downloader.PoliteDownloader"
CONCURRENT_REQUESTS = 5
CONCURRENT_REQUESTS_PER_DOMAIN = 5
DOWNLOAD_DELAY = 0.05
AUTOTHROTTLE_ENABLED = True  # a site that takes a second is asked twice a second
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0  # a saturated site answers as many, with a shorter queue
AUTOTHROTTLE_START_DELAY = DOWNLOAD_DELAY
SITEMAPGEN_PROFILE = ""  # another profile's name, where SCRAPY_PROJECT is Scrapyd's
SITEMAPGEN_MAX_CRAWL_DELAY = 30.0  # seconds: 2,880 pages a day
SITEMAPGEN_MAX_RETRY_AFTER = 300.0  # seconds: a longer wish is met by asking again, and then less
SITEMAPGEN_BACKOFF_START = 1.0  # seconds: the pause after a first 429 or 503; doubles in a row
SITEMAPGEN_BACKOFF_MAX = 60.0  # seconds: the longest pause that the site did not ask for itself
SITEMAPGEN_BACKOFF_RETRIES = 5  # times a page is asked for again after 429 or 503
SITEMAPGEN_BACKOFF_GIVE_UP = 600.0  # seconds of refusals or of an outage: then the crawl ends

# Frontier: the store is queue and dupefilter in one
SCHEDULER = "sitemapgen.frontier.scheduler.FrontierScheduler"
DUPEFILTER_CLASS = "sitemapgen.frontier.dupefilter.StoreDupeFilter"
REQUEST_FINGERPRINTER_CLASS = "sitemapgen.frontier.dupefilter.UrlFingerprinter"
SITEMAPGEN_MAX_PAGES = 50_000  # max_pages sets it
SITEMAPGEN_FRONTIER_READ_AHEAD = 32  # URLs read from the store at a time
SITEMAPGEN_SITEMAP_SCORE = "priorityrank"  # or priority, pagerank: what strategy=balanced sorts by

# Requests and answers
# Redirects are pages, cookies and caches would make a page depend on those before it. Scrapy
# imports even what is set to None, which took a quarter of a second: so these are all there are.
DOWNLOADER_MIDDLEWARES_BASE: dict[str, int] = {}
DOWNLOADER_MIDDLEWARES = {
    "sitemapgen.middlewares.robots.RobotsMiddleware": 100,  # Scrapy's lets requests through
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
SITEMAPGEN_MAX_PROBES = 40  # paths that cannot exist, asked for to know soft 404s by; 0: none
SITEMAPGEN_ROBOTS_BACKOFF = 1.0  # before robots.txt is asked for again; doubles each time
SITEMAPGEN_ROBOTS_UNREACHABLE = "disallow"  # robots_unreachable sets it
HTTPPROXY_AUTH_ENCODING = "utf-8"  # RFC 7617; latin-1 raises for every other letter
RETRY_HTTP_CODES = [500, 502, 504, 522, 524, 408]  # 429 and 503 are BackoffMiddleware's
SITEMAPGEN_LATE_RETRY_SECONDS = 120.0  # of waiting for failed pages at the end of a crawl; 0: none
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"  # the page's verdict says it
SITEMAPGEN_MAX_SITEMAPS = 10_000  # files of the site's own that are asked for; 0: no limit
DOWNLOAD_TIMEOUT = 30  # seconds for the whole answer: a byte a second does not prolong it
DOWNLOAD_MAXSIZE = 16_777_216  # bytes, also once unpacked; the spider allows sitemaps more
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_VERIFY_CERTIFICATES = True  # verify_tls sets it
DOWNLOAD_HANDLERS = {
    "http": "sitemapgen.browser.handler.BrowserHandler",  # Scrapy's own, and a browser beside it
    "https": "sitemapgen.browser.handler.BrowserHandler",
    **{"file": None, "data": None, "ftp": None, "s3": None},  # http and https only
}

# The browser: one, started by the first page that needs it
SITEMAPGEN_BROWSER = ""  # a path or a name; else Playwright's own, else the system's
SITEMAPGEN_RENDERING_TABS = 2  # pages in the browser at a time: they wait more than they compute
SITEMAPGEN_RENDERING_DEADLINE = 30.0  # seconds for a page, in all; then once more, then never
SITEMAPGEN_RENDERING_WAIT_UNTIL = "domcontentloaded"  # load, networkidle: which polling never ends
SITEMAPGEN_RENDERING_QUIET = 0.7  # seconds without a new link or word, and no request in flight
SITEMAPGEN_RENDERING_SETTLE = 6.0  # seconds after which a page that is never quiet is read
SITEMAPGEN_RENDERING_SELECTOR = ""  # CSS of an element that every page has once it is rendered
SITEMAPGEN_RENDERING_SELECTOR_WAIT = 10.0  # seconds that it may take, or content that is to come

# Rendering: which documents need a browser; the seed's values
SITEMAPGEN_RENDERING_RULE = "auto"  # or seed: its function alone, to the letter
SITEMAPGEN_RENDERING_MINIMAL_CONTENT_LENGTH = 200  # characters
SITEMAPGEN_RENDERING_MINIMAL_CHILD_NODES = 5
SITEMAPGEN_RENDERING_SCRIPT_COUNT_THRESHOLD = 10
SITEMAPGEN_RENDERING_CONTENT_SCRIPT_RATIO = 1000  # characters of HTML for each script
SITEMAPGEN_RENDERING_ROOT_SELECTORS = "#root,#__next"
SITEMAPGEN_RENDERING_LOADING_INDICATORS = "loading,spinner"

# Pages: links become rows, not requests, so the spider's output needs no middleware
SPIDER_MIDDLEWARES_BASE: dict[str, int] = {}
CONCURRENT_ITEMS = 1  # the default of 100 costs a hundred tasks a page
WARN_ON_GENERATOR_RETURN_VALUE = False  # reads and tokenizes the source of the callbacks

# Store and publication
SITEMAPGEN_ARGUMENTS: dict[str, str] = {}  # for the sitemap of another project's spider: addon.py
SITEMAPGEN_OUTPUT_ROOT = os.environ.get("SITEMAPGEN_OUTPUT_ROOT", "")  # a daemon's is anywhere
SITEMAPGEN_GRACE_RUNS = 2  # runs in a row in which a listed page or a sitemap file may fail
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
SITEMAPGEN_INDEXNOW_ENDPOINT = "https://api.indexnow.org/indexnow"  # it tells all that take part

# Observers: none that open a door unless told to
EXTENSIONS_BASE: dict[str, int] = {}  # without a telnet console and a remote control, for one
EXTENSIONS = {
    "scrapy.extensions.corestats.CoreStats": 0,
    "scrapy.extensions.logcount.LogCount": 0,
    "scrapy.extensions.memusage.MemoryUsage": 0,
    "scrapy.extensions.closespider.CloseSpider": 0,
    "sitemapgen.extensions.feeds.UrlFeeds": 0,  # one item a URL, once its verdict is final
    "scrapy.extensions.throttle.AutoThrottle": 0,
    "sitemapgen.extensions.progress.Progress": 1,  # Scrapy's LogStats says less
    "sitemapgen.extensions.dashboard.extension.DashboardExtension": 2,
}
SITEMAPGEN_DASHBOARD_ENABLED = False  # dashboard sets it
SITEMAPGEN_DASHBOARD_HOST = "127.0.0.1"  # who is on this machine may look, with the token
SITEMAPGEN_DASHBOARD_PORT = 6030  # the next free one where it is busy; 0: any
SITEMAPGEN_DASHBOARD_MAX_CLIENTS = 20  # connections at a time: a crawl needs its files itself
LOG_LEVEL = "INFO"
LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"
LOG_FORMATTER = "sitemapgen.extensions.log_formatter.QuietLogFormatter"
