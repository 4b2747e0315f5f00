"""Rules for what a page in the browser may load, and where its frames may navigate.

The main frame stays at the requested URL: a navigation by scripts counts as a redirect, and its
target is a URL like any other. ``browser/tab.py`` enforces the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

from sitemapgen.core.urls import hostname, is_private, parse, split

MAX_RELOADS = 3
"""Maximum reloads of one page: a cookie challenge needs one."""

MAX_REQUESTS = 1_000
"""Maximum requests of one render. Nine of ten pages make fewer than 180, including images and
trackers (Web Almanac 2019, "Page Weight"), which are blocked here."""
MAX_FRAMES = 100
"""Maximum documents in the frames of one render."""

UNNEEDED = (
    *(f"*.{kind}*" for kind in ("woff", "ttf", "otf", "eot", "mp4", "webm", "mp3", "m4a", "ogg")),
    *("*googletagmanager.com/*", "*google-analytics.com/*", "*doubleclick.net/*"),
    *("*googlesyndication.com/*", "*googleadservices.com/*", "*connect.facebook.net/*"),
    *("*hotjar.com/*", "*clarity.ms/*", "*cdn.segment.com/*", "*mc.yandex.ru/*"),
    *("*static.cloudflareinsights.com/*", "*plausible.io/js/*", "*matomo.js*", "*piwik.js*"),
    *("*js-agent.newrelic.com/*", "*bam.nr-data.net/*", "*fullstory.com/*", "*mixpanel.com/*"),
    "*/favicon.ico",
)
"""URL patterns of fonts, media and trackers, which do not contribute to a page's text."""

_PRIVATE_HOSTS = (
    *("localhost", "*.localhost", "*.local", "*.internal", "0.*", "10.*", "127.*", "169.254.*"),
    *("192.168.*", "198.18.*", "198.19.*", "[*"),
    *(f"172.{number}.*" for number in range(16, 32)),
    *(f"100.{number}.*" for number in range(64, 128)),
)
MAX_PATTERNS = 100
"""Maximum patterns of disallowed paths, as Chromium compares every request with each of them; for
more Disallow lines all requests to the site are intercepted."""
_UNLIKE = re.compile(r"(?:%[0-9A-Fa-f]{2}|[^A-Za-z0-9/._~=&-])+")
"""Characters of a path that have several spellings, or a special meaning in Chromium's patterns."""
_UNNEEDED = re.compile("|".join(".*".join(map(re.escape, each.split("*"))) for each in UNNEEDED))


class Passage(Enum):
    """Outcome for a request of a page."""

    GO = "go"
    STOP = "stop"
    REFUSED = "refused"
    """Stopped because robots.txt disallows it."""
    LEAVE = "leave"
    """The main frame would leave the page: stopped, and the target is recorded."""


class Fence(NamedTuple):
    """The bounds of one page."""

    url: str
    """Normalised URL of the page."""
    refusal: Callable[[str], str | None]
    """Returns why robots.txt forbids a normalised URL of the site; None if it does not."""
    is_open: bool = False
    """Whether the crawl starts at a private address, even if the page's URL does not show it."""

    @property
    def is_home_private(self) -> bool:
        """Whether private addresses are allowed because the site itself has one."""
        return self.is_open or is_private(self.url)

    def judge(self, target: str, *, is_document: bool, is_main_frame: bool, method: str) -> Passage:
        """Judge one request, or a redirect of it."""
        url = parse(target)
        if url is None or (is_private(url) and not self.is_home_private and not is_main_frame):
            return Passage.STOP
        is_home = split(url).origin == split(self.url).origin
        if not is_document:
            if _UNNEEDED.fullmatch(target):
                return Passage.STOP
            return Passage.REFUSED if is_home and self.refusal(url) else Passage.GO
        if is_main_frame:
            if url == self.url:
                return Passage.GO
            return Passage.LEAVE if method == "GET" else Passage.STOP
        if not is_home:
            return Passage.STOP
        return Passage.REFUSED if self.refusal(url) else Passage.GO


def leads_elsewhere(url: str, address: str) -> bool:
    """Return whether an address that scripts gave to a page is that of another one, not below it.

    >>> leads_elsewhere("https://e.example/account", "https://e.example/login?next=/account")
    True
    >>> leads_elsewhere("https://e.example/map", "https://e.example/map/51.5,-0.1")
    False
    """
    before, after = (split(each).path.rstrip("/") for each in (url, address))
    return not f"{after}/".startswith(f"{before}/")


def private_patterns() -> list[str]:
    """Return patterns of URLs that may be private; ``Fence.judge`` decides for each request."""
    return [f"*://{host}*" for host in _PRIVATE_HOSTS]


def refused_patterns(url: str, disallowed: Sequence[str]) -> list[str]:
    """Return patterns of the site's URLs that robots.txt may forbid, from its Disallow lines.

    They match more than those lines forbid; ``Fence.judge`` decides for each request.
    """
    origin = split(url).origin
    if len(disallowed) > MAX_PATTERNS:
        return [f"{origin}/*"]
    return sorted({f"{origin}{_UNLIKE.sub('*', path)}*" for path in disallowed})


def resolver_rules(url: str, proxy: str = "") -> str:
    """Return the ``--host-resolver-rules`` that keep Chromium away from private addresses.

    They apply to all connections, web sockets and workers included. A ``proxy`` may have a private
    address; for requests through it, ``Fence.judge`` is the only check.
    """
    if is_private(url):
        return ""
    rules = [f"MAP {host} ~NOTFOUND" for host in _PRIVATE_HOSTS]
    open_to = [hostname(each) for each in (url, parse(proxy)) if each]
    return ",".join([*rules, *(f"EXCLUDE {host}" for host in open_to)])
