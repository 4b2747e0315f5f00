"""Rules for what a page in the browser may load, and where its frames may go.

Its main frame stays at the URL that was asked for: wherever its scripts want to lead a visitor,
that is a redirect, and its target a URL like any other. Enforced in ``browser/tab.py``.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.urls import hostname, is_private, parse, split

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_RELOADS = 3
"""Loads of one page after the first: a cookie challenge needs one."""

MAX_REQUESTS = 1_000
"""Requests of one render. Of ten pages nine make fewer than 180, with images and trackers (Web
Almanac 2019, "Page Weight"), which are off here."""
MAX_FRAMES = 100
"""Documents in frames of one render."""

UNNEEDED = (
    *(f"*.{kind}*" for kind in ("woff", "ttf", "otf", "eot", "mp4", "webm", "mp3", "m4a", "ogg")),
    *("*googletagmanager.com/*", "*google-analytics.com/*", "*doubleclick.net/*"),
    *("*googlesyndication.com/*", "*googleadservices.com/*", "*connect.facebook.net/*"),
    *("*hotjar.com/*", "*clarity.ms/*", "*cdn.segment.com/*", "*mc.yandex.ru/*"),
    *("*static.cloudflareinsights.com/*", "*plausible.io/js/*", "*matomo.js*", "*piwik.js*"),
    *("*js-agent.newrelic.com/*", "*bam.nr-data.net/*", "*fullstory.com/*", "*mixpanel.com/*"),
    "*/favicon.ico",
)
"""Fonts, media and trackers, as patterns of URLs: nothing of a page's text comes from them."""

_PRIVATE_HOSTS = (
    *("localhost", "*.localhost", "*.local", "*.internal", "0.*", "10.*", "127.*", "169.254.*"),
    *("192.168.*", "198.18.*", "198.19.*", "[*"),
    *(f"172.{number}.*" for number in range(16, 32)),
    *(f"100.{number}.*" for number in range(64, 128)),
)
MAX_PATTERNS = 100
"""Chromium holds every request against all of them: so many, and it asks about the whole site."""
_UNLIKE = re.compile(r"(?:%[0-9A-Fa-f]{2}|[^A-Za-z0-9/._~=&-])+")
"""What another spelling may stand for in a URL, and what means something else to Chromium."""
_UNNEEDED = re.compile("|".join(".*".join(map(re.escape, each.split("*"))) for each in UNNEEDED))


class Passage(Enum):
    """What becomes of a request of a page."""

    GO = "go"
    STOP = "stop"
    REFUSED = "refused"
    """It is stopped because robots.txt disallows it."""
    LEAVE = "leave"
    """The page leads its visitors elsewhere: it stays, and the target is noted."""


class Fence(NamedTuple):
    """The bounds of one page."""

    url: str
    """The page, normalised."""
    refusal: Callable[[str], str | None]
    """Why robots.txt forbids a normalised URL of the site; None if it does not."""
    is_open: bool = False
    """Whether the crawl starts at a private address, whatever the page's URL says."""

    @property
    def is_home_private(self) -> bool:
        """Whether private addresses are open: the site itself is there."""
        return self.is_open or is_private(self.url)

    def judge(self, target: str, *, is_document: bool, is_main_frame: bool, method: str) -> Passage:
        """Judge one request, or one redirect of it."""
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


def private_patterns() -> list[str]:
    """Patterns of URLs that may lead to private addresses; ``Fence.judge`` looks closer."""
    return [f"*://{host}*" for host in _PRIVATE_HOSTS]


def refused_patterns(url: str, disallowed: Sequence[str]) -> list[str]:
    """Patterns of URLs of the page's site that robots.txt may forbid, by its Disallow lines.

    They match more than those forbid; ``Fence.judge`` looks closer.
    """
    origin = split(url).origin
    if len(disallowed) > MAX_PATTERNS:
        return [f"{origin}/*"]
    return sorted({f"{origin}{_UNLIKE.sub('*', path)}*" for path in disallowed})


def resolver_rules(url: str, proxy: str = "") -> str:
    """Chromium's ``--host-resolver-rules`` that keep a browser from private addresses.

    They hold for whatever makes a connection, web sockets and workers included. A ``proxy`` may
    stand in a private network; what is asked of it is for ``Fence.judge`` alone to stop.
    """
    if is_private(url):
        return ""
    rules = [f"MAP {host} ~NOTFOUND" for host in _PRIVATE_HOSTS]
    open_to = [hostname(each) for each in (url, parse(proxy)) if each]
    return ",".join([*rules, *(f"EXCLUDE {host}" for host in open_to)])
