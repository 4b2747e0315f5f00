"""The IndexNow protocol, by which search engines learn of changed URLs: requests and answers.

Source: https://www.indexnow.org/documentation. Who sends it: ``tools/submission.py``.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from sitemapgen.core.urls import directory, split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_URLS = 10_000
"""Of one request ("You can submit up to 10,000 URLs per post")."""
KEY = re.compile(r"[A-Za-z0-9-]{8,128}")
ACCEPTED = frozenset({200, 202})
"""202: "IndexNow key validation pending"."""
TOO_MANY = 429

REFUSALS = {
    400: "the request is not as the protocol wants it; a bug",
    403: "the key is not accepted: its file must be served, and hold nothing but the key",
    422: "the URLs do not belong to the host, or the key does not belong to it",
}


def batches(urls: Sequence[str], size: int = MAX_URLS) -> Iterator[Sequence[str]]:
    """Cut URLs into what one request may hold."""
    for start in range(0, len(urls), size):
        yield urls[start : start + size]


def request_body(key: str, key_location: str, urls: Iterable[str]) -> bytes:
    """The JSON of one request; all URLs are of the host of the key file."""
    host = split(key_location).origin.partition("://")[2]
    body = {"host": host, "key": key, "keyLocation": key_location, "urlList": list(urls)}
    return json.dumps(body).encode()


def key_location(key: str, url: str) -> str:
    """Where the file of a key is looked for, if nothing else is said: in the root of the host.

    >>> key_location("1a2b3c4d", "https://example.com/shop/cups")
    'https://example.com/1a2b3c4d.txt'
    """
    return f"{split(url).origin}/{key}.txt"


def outsider(urls: Iterable[str], location: str) -> str | None:
    """The first URL that the key file at ``location`` does not speak for: outside its directory."""
    place = directory(location)
    return next((url for url in urls if not url.startswith(place)), None)


def is_key_file(body: bytes, key: str) -> bool:
    """Return whether a key file says what it should."""
    return body.removeprefix(b"\xef\xbb\xbf").strip() == key.encode()
