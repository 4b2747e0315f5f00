"""Endpoints of browsers that run elsewhere, from the settings of scrapy-playwright.

PLAYWRIGHT_CDP_URL and PLAYWRIGHT_CONNECT_URL name one or several: a list, or a text with commas.
Endpoints may hold passwords and tokens, which must not reach the log: it has ``Endpoint.name``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

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
