"""Settings in the order of the data flow. Each value differs from Scrapy's default for a reason."""

import os

from sitemapgen import HOME_PAGE, __version__, interrupts
from sitemapgen.checks.requirements import check_requirements

interrupts.install_for_crawl()  # early: importing the other modules takes a second
check_requirements()

BOT_NAME = "sitemapgen"
SPIDER_MODULES = ["sitemapgen.spiders"]
COMMANDS_MODULE = "sitemapgen.scrapy_commands"
ADDONS = {"sitemapgen.spiders.foreign.ForeignSpiders": 0}  # other spiders get Scrapy's components

# Identity
USER_AGENT = f"sitemapgen/{__version__} (+{HOME_PAGE})"
ROBOTSTXT_USER_AGENT = "sitemapgen"
ROBOTSTXT_OBEY = True  # set by the argument robots
SITEMAPGEN_FROM = ""
"""A mail address: the `From` header of every request. Set it where an owner should be able
to answer."""

# Politeness: five requests at a time, with a short delay; fewer for slow sites and after 429 or 503
DOWNLOADER = "sitemapgen.download.downloader.PoliteDownloader"
CONCURRENT_REQUESTS = 5
CONCURRENT_REQUESTS_PER_DOMAIN = 5
DOWNLOAD_DELAY = 0.05
AUTOTHROTTLE_ENABLED = True  # a site that takes a second gets two requests a second
AUTOTHROTTLE_TARGET_CONCURRENCY = 2.0  # more would only lengthen the queue of a saturated site
AUTOTHROTTLE_START_DELAY = DOWNLOAD_DELAY
SITEMAPGEN_PROFILE = ""  # SCRAPY_PROJECT is the project's name under Scrapyd
"""A profile for this crawl or command (docs/guides/deploy.md#profiles), where `SCRAPY_PROJECT`
cannot name it."""
SITEMAPGEN_MAX_CRAWL_DELAY = 30.0
"""Seconds of the longest Crawl-delay that is kept; 30 s are 2,880 pages a day. Raise it for an
owner who insists on more."""
SITEMAPGEN_MAX_RETRY_AFTER = 300.0
"""Seconds of the longest Retry-After that is kept; after a longer one the site is requested earlier
than it asks for. Raise it where a crawl may take days."""
SITEMAPGEN_BACKOFF_START = 1.0
"""Seconds of the pause after a first 429 or 503; doubled for each further one in a row. Raise it
for a server that recovers slowly."""
SITEMAPGEN_BACKOFF_RETRIES = 5
"""Maximum number of further requests for a page after a 429 or 503. Lower it for a site that
answers 429 to some pages for good."""
SITEMAPGEN_BACKOFF_GIVE_UP = 600.0
"""Seconds of nothing but refusals, or of an outage, after which the crawl ends. Raise it for long
maintenance, lower it for a job with a time limit."""

# Scope: which URLs are requested, and in which form
SITEMAPGEN_INCLUDE = ""
"""Patterns as those of the argument `include`, which hold beside them: for profiles and Scrapyd."""
SITEMAPGEN_EXCLUDE = ""
"""Patterns as those of the argument `exclude`, which hold beside them: for profiles and Scrapyd."""
SITEMAPGEN_MERGE_SLASHES = True
"""Whether `/a//b` is `/a/b` (docs/explanation/how-it-works.md#forms-of-a-url); the argument
`slashes` sets it."""

# Frontier: the store is queue and dupefilter in one
SCHEDULER = "sitemapgen.frontier.scheduler.FrontierScheduler"
DUPEFILTER_CLASS = "sitemapgen.frontier.scheduler.StoreDupeFilter"
SITEMAPGEN_MAX_PAGES = 50_000
"""Maximum number of URLs fetched; the argument `max_pages` sets it."""

# Requests and responses
# Redirects are pages of their own; cookies and caches would make a page depend on earlier ones.
# Scrapy imports even components set to None, which took 0.25 s: so the base is empty.
DOWNLOADER_MIDDLEWARES_BASE: dict[str, int] = {}
DOWNLOADER_MIDDLEWARES = {
    "sitemapgen.middlewares.robots.RobotsMiddleware": 100,  # Scrapy's lets some requests through
    "sitemapgen.middlewares.refusals.CrashMiddleware": 150,
    "sitemapgen.middlewares.headers.AccessMiddleware": 200,
    "sitemapgen.middlewares.rendering.RenderingMiddleware": 300,
    "sitemapgen.middlewares.sessions.SessionMiddleware": 320,
    "scrapy.downloadermiddlewares.downloadtimeout.DownloadTimeoutMiddleware": 350,
    "scrapy.downloadermiddlewares.defaultheaders.DefaultHeadersMiddleware": 390,
    "sitemapgen.middlewares.refusals.FileHintMiddleware": 440,
    "sitemapgen.middlewares.headers.ContactMiddleware": 450,
    "scrapy.downloadermiddlewares.useragent.UserAgentMiddleware": 500,
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": 550,
    "sitemapgen.middlewares.outage.OutageMiddleware": 555,
    "sitemapgen.middlewares.backoff.BackoffMiddleware": 560,
    "sitemapgen.middlewares.compression.CompressionMiddleware": 590,
    "scrapy.downloadermiddlewares.httpproxy.HttpProxyMiddleware": 750,
    "sitemapgen.middlewares.refusals.LimitMiddleware": 790,  # every attempt counts
    "sitemapgen.middlewares.refusals.ClusterMiddleware": 800,
    "sitemapgen.middlewares.traffic.TrafficStats": 850,
}
SITEMAPGEN_CLUSTER = os.environ.get("SITEMAPGEN_CLUSTER", "")
"""`redis://host:6379/0`: the Redis by which workers on any machine fetch, render and read the pages
of a crawl (docs/guides/workers.md); empty: the crawl does it itself. The environment variable of
this name sets it as well."""
SITEMAPGEN_CLUSTER_LEASE = 15.0
"""Seconds without a sign of life after which a worker counts as dead, and its pages are given to
others. Raise it where workers lose their network for longer."""
SITEMAPGEN_MAX_REQUESTS = 0
"""Maximum number of requests of any kind, of a page in the browser without what it loads itself;
the pages that remain are `over_cap`. 0: no limit. Set it for a look at a site."""
SITEMAPGEN_MAX_PROBES = 40
"""Maximum number of requests for paths that cannot exist, which detect soft 404s; 0: none. Set 0
for a site that alarms its owner on missing pages."""
SITEMAPGEN_MAX_EXTERNAL = 1_000
"""Maximum number of URLs on other sites that `check_external` requests, those with the most pages
first; 0: none. Raise it for an audit of all links."""
SITEMAPGEN_EXTERNAL_SECONDS = 600.0
"""Seconds after which `check_external` begins no further URL, since the sitemap waits for it. Raise
it with `SITEMAPGEN_MAX_EXTERNAL`."""
SITEMAPGEN_ROBOTS_BACKOFF = 1.0
"""Seconds before a robots.txt that failed is requested again; doubled each time. Raise it for a
server that is often restarted."""
SITEMAPGEN_ROBOTS_UNREACHABLE = "disallow"
"""What an unreachable robots.txt stands for: `disallow` or `allow`; the argument
`robots_unreachable` sets it."""
HTTPPROXY_AUTH_ENCODING = "utf-8"  # RFC 7617; latin-1 raises for every other letter
RETRY_HTTP_CODES = [500, 502, 504, 522, 524, 408]  # BackoffMiddleware handles 429 and 503
SITEMAPGEN_LATE_RETRY_SECONDS = 120.0
"""Seconds of waiting, in all, for pages that failed and may recover
(docs/explanation/reliability.md#pages-that-fail-for-a-while); 0: no further request for them. Lower
it for a job with a time limit."""
RETRY_GIVE_UP_LOG_LEVEL = "DEBUG"  # the verdict of the page reports it
SITEMAPGEN_MAX_SITEMAPS = 10_000
"""Maximum number of the site's own sitemap files that are requested, also for one that a command
reads; and of requests for the pages that its systems name, at most 2,000. 0: no limit. Lower it for
a look at a site."""
DOWNLOAD_TIMEOUT = 30  # seconds for the whole response: a byte a second does not prolong it
DOWNLOAD_MAXSIZE = 16_777_216  # bytes, also after decompression; more for sitemap files
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_VERIFY_CERTIFICATES = True  # set by the argument verify_tls
DOWNLOAD_HANDLERS = {
    "http": "sitemapgen.browser.handler.BrowserHandler",  # Scrapy's own, and a browser
    "https": "sitemapgen.browser.handler.BrowserHandler",
    **{"file": None, "data": None, "ftp": None, "s3": None},  # http and https only
}

# The browser: one, started by the first page that needs it
SITEMAPGEN_BROWSER = ""
"""The Chromium to use: a path, a command, or one of Playwright's channels; empty: Playwright's own,
else the system's. Set it where there are several, or none is found."""
SITEMAPGEN_RENDERING_TABS = 2  # they wait more than they compute
"""Pages in a browser at a time; of several browsers, in each
(docs/guides/browsers.md#browsers-on-other-machines). Raise it on a machine with idle cores."""
SITEMAPGEN_RENDERING_DEADLINE = 30.0
"""Seconds that a page may take in the browser, in all; two tries. Raise it where the report
asks for it."""
SITEMAPGEN_RENDERING_WAIT_UNTIL = "domcontentloaded"  # polling delays the last two without end
"""The event after which a page can settle: `commit`, `domcontentloaded`, `load` or `networkidle`.
Set it to what another crawler of the site waits for."""
SITEMAPGEN_RENDERING_QUIET = 0.7
"""Seconds without a new link or word, and with no request in flight, after which a page has
settled. Raise it for pages that load in steps."""
SITEMAPGEN_RENDERING_SETTLE = 6.0
"""Seconds after which a page is read though it has not settled. Raise it for pages that are read
too early."""
SITEMAPGEN_RENDERING_SELECTOR = ""
"""CSS selector of an element that every rendered page has; it is waited for before the page is
read. Set it for a site whose content comes late."""
SITEMAPGEN_RENDERING_SELECTOR_WAIT = 10.0
"""Maximum seconds of waiting for the element of `SITEMAPGEN_RENDERING_SELECTOR`, and for late
content (docs/explanation/rendering.md#content-that-comes-late). Raise it where the report asks for
it."""

# Rendering: which documents need a browser
SITEMAPGEN_RENDERING_RULE = "auto"
"""Which documents need a browser: `auto` (docs/explanation/rendering.md#which-pages-are-rendered),
or `classic`, the usual detection of client-side rendering alone. Set it to compare with other
crawlers."""
SITEMAPGEN_RENDERING_ROOT_SELECTORS = "#root,#__next"
"""CSS selectors of the elements that applications are mounted in (`classic`: if one exists; `auto`:
if one is empty). Add that of an application with another one."""
SITEMAPGEN_RENDERING_LOADING_INDICATORS = "loading,spinner"
"""`auto`: first words in the text of an element that waits for its content; in the browser also
words of its class. Add the words of another language."""

# Pages: links become rows, not requests, so the spider's output needs no middleware
SPIDER_MIDDLEWARES_BASE: dict[str, int] = {}
CONCURRENT_ITEMS = 1  # the default of 100 creates 100 tasks per page
WARN_ON_GENERATOR_RETURN_VALUE = False  # the check reads and tokenizes the source of callbacks

# Store and publication
SITEMAPGEN_ARGUMENTS: dict[str, str] = {}
"""For the add-on, or the pipeline alone (docs/guides/scrapy.md#in-another-scrapy-project):
arguments of the sitemap of another project's spider."""
SITEMAPGEN_OUTPUT_ROOT = os.environ.get("SITEMAPGEN_OUTPUT_ROOT", "")
"""Directory for relative outputs, by project, spider and job
(docs/guides/deploy.md#where-the-files-go); the environment variable of this name sets it as
well."""
SITEMAPGEN_GRACE_RUNS = 2
"""Crawls in a row in which a listed page may fail (5xx, time-outs) and stays listed; and in which a
sitemap file of the site may fail while its URLs are still requested. Lower it where a page that
fails has to go at once."""
ITEM_PIPELINES = {"sitemapgen.pipelines.sitemap.SitemapPipeline": 300}
FEED_EXPORTERS = {
    "csv": "sitemapgen.extensions.feeds.HarmlessCsv",
    "xml": "sitemapgen.extensions.feeds.PlainXml",
}
SITEMAPGEN_NEAR_DUPLICATE_THRESHOLD = 0.85  # figures: docs/explanation/figures.md
"""Similarity of two texts from which on they are nearly the same, 0.6 to 1. Lower it where copies
stay listed."""
SITEMAPGEN_MAX_LOSS = 0.2
"""Share of the published URLs that a new sitemap may lack, 0 to 1; 1: all. Raise it before a
relaunch."""
SITEMAPGEN_PRIORITY: dict[str, float] = {}
"""Priority of the pages by pattern, such as `{"/blog/*": 0.8}`: the first pattern that matches
precedes the argument `priority` (docs/guides/output.md#priority-and-changefreq-by-pattern)."""
SITEMAPGEN_CHANGEFREQ: dict[str, str] = {}
"""Changefreq of the pages by pattern, such as `{"/blog/*": "daily"}`, in the same way."""
SITEMAPGEN_HTML_TEMPLATE = ""
"""A Jinja file of your own for `sitemap.html`
(docs/guides/output.md#a-template-of-your-own)."""
SITEMAPGEN_INDEXNOW_ENDPOINT = "https://api.indexnow.org/indexnow"
"""URL to which `scrapy indexnow` submits the changes; it passes them on to all engines that take
part. Set it to that of one engine."""
SITEMAPGEN_SEARCH_CONSOLE_ENDPOINT = "https://www.googleapis.com/webmasters/v3"
"""Root of the API to which `scrapy submit` sends its request. Set it to a gateway of your own."""

# Many sites on Scrapyd servers: scrapy fleet (docs/guides/many-sites.md)
SITEMAPGEN_FLEET_POLL = 5.0
"""Seconds between two looks of `scrapy fleet` at a Scrapyd server. Raise it for hundreds of
servers."""
SITEMAPGEN_FLEET_GRACE = 60.0
"""Seconds that a cancelled job has to end, before it is cancelled again. Raise it for sites whose
files take long to write."""
SITEMAPGEN_FLEET_SILENCE = 180.0
"""Seconds without a new log line after which a job that its restarted server no longer lists counts
as killed; a running crawl logs every minute. Raise it if `LOGSTATS_INTERVAL` is longer."""
SITEMAPGEN_FLEET_GIVE_UP = 600.0
"""Seconds without an answer of a Scrapyd server, after which its sites are left for another day;
and without the log of a job, after which its site has no result. Raise it for servers that are
restarted for long."""

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
    "sitemapgen.extensions.pace.PaceAdvice": 3,
}
SITEMAPGEN_DASHBOARD_ENABLED = False
"""Whether the crawl has a dashboard; the argument `dashboard` sets it."""
SITEMAPGEN_DASHBOARD_HOST = "127.0.0.1"
"""Address that the dashboard listens on; a client needs the token as well. Set it for browsers on
other machines of a private network."""
SITEMAPGEN_DASHBOARD_PORT = 6030
"""Port of the dashboard, or the next free one; 0: any. Set it behind a firewall or tunnel."""
LOG_LEVEL = "INFO"
LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"
LOG_FORMATTER = "sitemapgen.extensions.progress.QuietLogFormatter"
