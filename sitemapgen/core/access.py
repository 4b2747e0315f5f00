"""The user's credentials for a site (login, cookies, headers, proxy): their form and their scope.

Error messages never contain a value. ``middlewares/headers.py`` adds them to requests.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from sitemapgen.core.urls import is_same_site, split

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110 section 5.6.2
_PROXY = re.compile(r"http://([^/@\s]+@)?([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?/?", re.ASCII | re.I)
# The authority ends as in a browser: a backslash counts as a slash.
_USERINFO = re.compile(
    r"(\s*(?!\s)(?:https?:[/\\]*|[a-z][a-z0-9+.-]*://)?)([^/?#\\]*)@(.*)", re.IGNORECASE | re.DOTALL
)

_ELSEWHERE = {"cookie": "cookies", "user-agent": "user_agent", "proxy-authorization": "proxy"}
_FRAMING = frozenset({"host", "connection", "content-length", "transfer-encoding"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Credentials that are added to requests."""

    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Headers for requests to the start origin only."""
    proxy: str = field(default="", repr=False)
    """``http://user:password@host:port`` for all requests; empty for none."""


def basic_auth(text: str) -> str:
    """Return the Authorization header for ``user:password`` (RFC 7617). Raises ValueError.

    >>> basic_auth("Aladdin:open sesame")
    'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='
    """
    if ":" not in text or _CONTROL.search(text):
        raise ValueError("not of the form user:password, on one line")
    return f"Basic {b64encode(text.encode()).decode()}"


def parse_cookie(text: str) -> str:
    """Return the Cookie header for ``name=value; name=value``. Raises ValueError."""
    pairs = [part.strip() for part in text.split(";") if part.strip()]
    names = [part.partition("=")[0].strip() for part in pairs if "=" in part]
    is_sound = pairs and len(names) == len(pairs) and all(map(_TOKEN.fullmatch, names))
    if not is_sound or _CONTROL.search(text):
        raise ValueError("not of the form name=value; name=value, on one line")
    return "; ".join(pairs)


def parse_headers(text: str) -> dict[str, str]:
    r"""Read headers, one ``Name: value`` a line. Raises ValueError.

    >>> parse_headers("X-Key: a, b\nAuthorization: Bearer c")
    {'X-Key': 'a, b', 'Authorization': 'Bearer c'}
    """
    result: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not (colon and value and _TOKEN.fullmatch(name)) or _CONTROL.search(value):
            raise ValueError(f"line {number} is not of the form Name: value")
        if argument := _ELSEWHERE.get(name.lower()):
            raise ValueError(f"{name} has an argument of its own; use -a {argument}=")
        if name.lower() in _FRAMING:
            raise ValueError(f"{name} is set by the crawler itself; leave it out")
        if name.lower() in map(str.lower, result):
            raise ValueError(f"{name} is given twice; keep one")
        result[name] = value
    return result


def user_agent(text: str) -> str:
    """Return the User-Agent header. Raises ValueError."""
    if _CONTROL.search(text):
        raise ValueError("contains a line break or another control character")
    return text.strip()


def parse_proxy(text: str) -> str:
    """Return the URL of a proxy, without surrounding spaces. Raises ValueError."""
    url = text.strip()
    if url and not _PROXY.fullmatch(url):
        raise ValueError(
            "not of the form http://host:port or http://user:password@host:port "
            "(percent-encode @, : and / in user and password)"
        )
    return url


def split_userinfo(url: str) -> tuple[str, str]:
    """Return (URL without userinfo, decoded ``user:password``), parsed as in a browser.

    >>> split_userinfo("https://me:p%40ss@example.com/@x")
    ('https://example.com/@x', 'me:p@ss')
    """
    match = _USERINFO.fullmatch(url)
    if match is None:
        return url, ""
    user, _, password = match[2].partition(":")
    both = f"{unquote(user)}:{unquote(password)}"
    return match[1] + match[3], both if both != ":" else ""


def may_be_sent(url: str, *, home: str, start: str) -> bool:
    """Return whether the request for a normalised URL may carry the user's headers.

    They are sent only to the crawled origin, ``home``. If the start URL redirected to another
    origin, they follow to the same host with or without ``www.``, but never from https to http,
    where they would be readable in transit.
    """
    origin = split(url).origin
    if origin != home or not is_same_site(url, start):
        return False
    return origin.startswith("https:") or not start.startswith("https:")
