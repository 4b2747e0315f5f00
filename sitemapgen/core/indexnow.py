"""IndexNow protocol, which submits changed URLs to search engines: requests and responses.

Source: https://www.indexnow.org/documentation. ``tools/submission.py`` sends the requests.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from sitemapgen.core.urls import directory, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_URLS = 10_000
"""Maximum URLs of one request ("You can submit up to 10,000 URLs per post")."""
KEY = re.compile(r"[A-Za-z0-9-]{8,128}")
ACCEPTED = frozenset({200, 202})
"""Statuses of success; 202 means "IndexNow key validation pending"."""
TOO_MANY = 429

REFUSALS = {
    400: "the request does not follow the protocol; a bug",
    403: "the key is not accepted: its file must be served, and hold nothing but the key",
    422: "the URLs do not belong to the host, or the key does not belong to it",
}


def batches(urls: Sequence[str], size: int = MAX_URLS) -> Iterator[Sequence[str]]:
    """Split URLs into batches of at most ``size``, one for each request."""
    for start in range(0, len(urls), size):
        yield urls[start : start + size]


def request_body(key: str, key_location: str, urls: Iterable[str]) -> bytes:
    """Return the JSON of one request; all URLs are of the host of the key file."""
    host = split(key_location).origin.partition("://")[2]
    body = {"host": host, "key": key, "keyLocation": key_location, "urlList": list(urls)}
    return json.dumps(body).encode()


def key_location(key: str, url: str) -> str:
    """Return the default URL of a key file: in the root of the host.

    >>> key_location("1a2b3c4d", "https://example.com/shop/cups")
    'https://example.com/1a2b3c4d.txt'
    """
    return f"{split(url).origin}/{key}.txt"


def outsider(urls: Iterable[str], location: str) -> str | None:
    """Return the first URL for which the key file at ``location`` is not valid, or None.

    A key file is valid for the URLs below its directory.
    """
    place = directory(location)
    return next((url for url in urls if not url.startswith(place)), None)


def is_key_file(body: bytes, key: str) -> bool:
    """Return whether the content of a key file is the key."""
    return body.removeprefix(b"\xef\xbb\xbf").strip() == key.encode()
