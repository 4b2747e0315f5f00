"""The user's credentials for a site (login, cookies, headers, proxy): their form and their scope.

No error ever shows a value. Who sends it: ``middlewares/access.py``.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemapgen.core.urls import is_same_site, split

if TYPE_CHECKING:
    from collections.abc import Mapping

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110 section 5.6.2
_PROXY = re.compile(r"http://([^/@\s]+@)?([\w.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?/?", re.ASCII | re.I)
# The authority ends where a browser says so: a backslash is a slash.
_USERINFO = re.compile(
    r"(\s*(?!\s)(?:https?:[/\\]*|[a-z][a-z0-9+.-]*://)?)([^/?#\\]*)@(.*)", re.IGNORECASE | re.DOTALL
)

_ELSEWHERE = {"cookie": "cookies", "user-agent": "user_agent", "proxy-authorization": "proxy"}
_FRAMING = frozenset({"host", "connection", "content-length", "transfer-encoding"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """What requests carry."""

    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """For the start origin alone."""
    proxy: str = field(default="", repr=False)
    """``http://user:password@host:port``, for every request; empty for none."""


def basic_auth(text: str) -> str:
    """The Authorization header for ``user:password`` (RFC 7617). Raises ValueError.

    >>> basic_auth("Aladdin:open sesame")
    'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='
    """
    if ":" not in text or _CONTROL.search(text):
        raise ValueError("not of the form user:password, on one line")
    return f"Basic {b64encode(text.encode()).decode()}"


def cookie(text: str) -> str:
    """The Cookie header for ``name=value; name=value``. Raises ValueError."""
    pairs = [part.strip() for part in text.split(";") if part.strip()]
    names = [part.partition("=")[0].strip() for part in pairs if "=" in part]
    is_sound = pairs and len(names) == len(pairs) and all(map(_TOKEN.fullmatch, names))
    if not is_sound or _CONTROL.search(text):
        raise ValueError("not of the form name=value; name=value, on one line")
    return "; ".join(pairs)


def headers(text: str) -> dict[str, str]:
    r"""Read headers, one ``Name: value`` a line. Raises ValueError.

    >>> headers("X-Key: a, b\nAuthorization: Bearer c")
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
            raise ValueError(f"{name} has an argument of its own; say it with -a {argument}=")
        if name.lower() in _FRAMING:
            raise ValueError(f"{name} is the crawler's own to set; leave it out")
        if name.lower() in map(str.lower, result):
            raise ValueError(f"{name} stands there twice; keep one")
        result[name] = value
    return result


def user_agent(text: str) -> str:
    """The User-Agent header. Raises ValueError."""
    if _CONTROL.search(text):
        raise ValueError("contains a line break or another control character")
    return text.strip()


def proxy(text: str) -> str:
    """The URL of a proxy, without spaces around it. Raises ValueError."""
    url = text.strip()
    if url and not _PROXY.fullmatch(url):
        raise ValueError(
            "not of the form http://host:port or http://user:password@host:port "
            "(percent-encode @, : and / in user and password)"
        )
    return url


def split_userinfo(url: str) -> tuple[str, str]:
    """Cut user and password out of a URL as a browser reads it; the rest, and both, decoded.

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
    """Return whether the request for a normalised URL may carry the owner's headers.

    To the origin that is crawled, ``home``, and to no other. Where the start URL redirected, that
    is another origin than its own: they follow to the same host and to or from its ``www.``, and
    never from https to http, where anyone on the way could read them.
    """
    origin = split(url).origin
    if origin != home or not is_same_site(url, start):
        return False
    return origin.startswith("https:") or not start.startswith("https:")
