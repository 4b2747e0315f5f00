"""Settings of the browser, read and checked once a crawl.

Those of scrapy-playwright are read by ``browser/chromium.py``. PLAYWRIGHT_CDP_URL and
PLAYWRIGHT_CONNECT_URL name one or several endpoints of browsers that run elsewhere: a list, or a
text with commas. They may hold passwords and tokens, which must not reach the log: it has
``Endpoint.name``. Does not import Playwright, which is optional.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, cast
from urllib.parse import urlsplit

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object
from typing_extensions import Self

from sitemapgen.core.rendering.detect import read_policy

CDP = "PLAYWRIGHT_CDP_URL"
CONNECT = "PLAYWRIGHT_CONNECT_URL"
SCHEMES = ("http", "https", "ws", "wss")
PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}
_COMMA = re.compile(r",(?=\s*[A-Za-z][A-Za-z0-9+.-]*://)")
"""A comma between two endpoints; others may be part of a query."""
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)(?:[^\s/?#]*@)?([^\s/?#]*)\S*")


class Endpoint(NamedTuple):
    """The endpoint of one browser."""

    setting: str
    """CDP or CONNECT."""
    url: str

    @property
    def name(self) -> str:
        """Scheme, host and port.

        >>> Endpoint(CDP, "wss://me:secret@one.example:9222/a?token=secret").name
        'wss://one.example:9222'
        """
        return without_secrets(self.url)


def without_secrets(text: str) -> str:
    """Return a text whose URLs are cut down to scheme, host and port.

    >>> without_secrets("status 404 of http://me:secret@one.example:9222/json?token=secret today")
    'status 404 of http://one.example:9222 today'
    """
    return _URL.sub(r"\1\2", text)


def read_endpoints(settings: BaseSettings) -> tuple[Endpoint, ...]:
    """Return the endpoints of a crawl; none if it starts its own browser.

    Raises ValueError, with one sentence.
    """
    given = [name for name in (CDP, CONNECT) if settings.get(name) not in (None, "")]
    if not given:
        return ()
    if len(given) > 1:
        raise ValueError(f"{CDP} and {CONNECT} are both set; use one of them")
    (name,) = given
    value = settings[name]
    parts = value if isinstance(value, (list, tuple)) else _COMMA.split(str(value))
    urls = [str(part).strip(" \t\n,") for part in parts]
    if not any(urls):
        raise ValueError(f"{name} has no endpoint; {_remedy_for(name)}, or leave it out")
    found: dict[tuple[str, ...], Endpoint] = {}
    for number, url in enumerate(urls, 1):
        key = _endpoint_key(url)
        if key is None:
            raise ValueError(
                f"{name}: {_shown_url(url, number)} is no endpoint; {_remedy_for(name)}"
            )
        endpoint = Endpoint(name, url)
        if key in found:
            raise ValueError(
                f"{name}: {endpoint.name} is there twice; name each browser once, and set "
                "SITEMAPGEN_RENDERING_TABS for more pages in each"
            )
        found[key] = endpoint
    return tuple(found.values())


def _endpoint_key(url: str) -> tuple[str, ...] | None:
    """Return what is the same for two spellings of an endpoint; None if it is none."""
    try:
        parts = urlsplit(url)
        port = parts.port or PORTS.get(parts.scheme)
    except ValueError:
        return None
    if parts.scheme not in SCHEMES or not parts.hostname or re.search(r"[\s,]", parts.netloc):
        return None
    userinfo = parts.netloc.rpartition("@")[0]
    return (parts.scheme, userinfo, parts.hostname, str(port), parts.path.rstrip("/"), parts.query)


def _shown_url(url: str, number: int) -> str:
    """Return an invalid endpoint for the log, up to its path; its number if it has a password."""
    scheme, colon, rest = url.rpartition("://")
    host = re.split(r"[/?#]", rest)[0]
    return f"entry {number}" if "@" in url or not host else repr(f"{scheme}{colon}{host}")


def _remedy_for(name: str) -> str:
    example = "http://browser.example:9222" if name == CDP else "ws://browser.example:3000/"
    return f"write URLs such as {example}, separated by commas"


Until = Literal["commit", "domcontentloaded", "load", "networkidle"]
CHROMIUM = "chromium"
SPIDERS_OWN = (
    *("PLAYWRIGHT_CONTEXTS", "PLAYWRIGHT_MAX_CONTEXTS", "PLAYWRIGHT_MAX_PAGES_PER_CONTEXT"),
    *("PLAYWRIGHT_DEFAULT_NAVIGATION_TIMEOUT", "PLAYWRIGHT_DOWNLOAD_TIMEOUT"),
    *("PLAYWRIGHT_PROCESS_REQUEST_HEADERS", "PLAYWRIGHT_RESTART_DISCONNECTED_BROWSER"),
)
"""Settings of scrapy-playwright for requests with its key only."""
EVENTS = ("commit", "domcontentloaded", "load", "networkidle")
"""Playwright's values of ``wait_until``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """Time limits of a page, in seconds, and the signs of an unfinished page."""

    deadline: float
    """For the whole page; enforced by the caller of ``Tab.render``."""
    until: Until
    """Playwright's ``wait_until``."""
    navigation: float
    quiet: float
    settle: float
    selector: str
    selector_wait: float
    """Maximum wait for the selector; also for a page that is empty or shows that it is loading."""
    roots: tuple[str, ...] = ()
    """CSS selectors of the elements into which applications render."""
    indicators: tuple[str, ...] = ()
    """Words, in lower case, in the class or at the start of the text of a loading element."""
    minimum: int = 0
    """Characters of text below which a page without links counts as empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserConfig:
    """How pages are rendered: docs/reference/settings.md, section "Rendering"."""

    waits: Waits
    tabs: int
    """Pages that each browser renders at the same time."""
    endpoints: tuple[Endpoint, ...]
    """The browsers that run elsewhere; none: one is started here."""
    max_size: int
    """Maximum number of characters of a rendered document."""
    user_agent: str
    verifies_certificates: bool
    aborts: Callable[[Any], Any] | None
    """PLAYWRIGHT_ABORT_REQUEST: returns, or is awaited for, whether a request is aborted."""

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Read the settings of a crawl. Raises ValueError, with one sentence."""
        browser = settings.get("PLAYWRIGHT_BROWSER_TYPE") or CHROMIUM
        if browser != CHROMIUM:
            raise ValueError(
                f"PLAYWRIGHT_BROWSER_TYPE: {browser!r}, but pages are rendered in {CHROMIUM}; "
                "leave it out, or have none rendered (render=never)"
            )
        rules = read_policy(settings)
        deadline = _read_seconds(settings, "SITEMAPGEN_RENDERING_DEADLINE")
        settle = _read_seconds(settings, "SITEMAPGEN_RENDERING_SETTLE")
        waits = Waits(
            deadline=deadline,
            until=_read_event(settings, "SITEMAPGEN_RENDERING_WAIT_UNTIL"),
            navigation=max(deadline - settle - 1.0, deadline / 2),
            quiet=_read_seconds(settings, "SITEMAPGEN_RENDERING_QUIET"),
            settle=settle,
            selector=settings["SITEMAPGEN_RENDERING_SELECTOR"],
            selector_wait=_read_seconds(settings, "SITEMAPGEN_RENDERING_SELECTOR_WAIT"),
            roots=rules.root_selectors,
            indicators=tuple(word.lower() for word in rules.loading_indicators),
            minimum=rules.minimal_content_length,
        )
        return cls(
            waits=waits,
            tabs=max(1, int(_read_seconds(settings, "SITEMAPGEN_RENDERING_TABS"))),
            endpoints=read_endpoints(settings),
            max_size=settings.getint("DOWNLOAD_MAXSIZE"),
            user_agent=settings["USER_AGENT"],
            verifies_certificates=settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES"),
            aborts=_load_function(settings, "PLAYWRIGHT_ABORT_REQUEST"),
        )


def _read_seconds(settings: BaseSettings, name: str) -> float:
    try:
        number = settings.getfloat(name)
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number < float("inf"):
        raise ValueError(f"{name}: {settings[name]!r} is no number; use one from 0 upwards")
    return number


def _load_function(settings: BaseSettings, name: str) -> Callable[[Any], Any] | None:
    if not settings[name]:
        return None
    try:
        found: Callable[[Any], Any] = load_object(settings[name])
    except (ImportError, NameError, TypeError, ValueError) as error:
        raise ValueError(f"{name}: {settings[name]!r} is no function: {error}") from error
    return found


def _read_event(settings: BaseSettings, name: str) -> Until:
    if settings[name] not in EVENTS:
        raise ValueError(f"{name}: {settings[name]!r}; use one of {', '.join(EVENTS)}")
    return cast("Until", settings[name])
