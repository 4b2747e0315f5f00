"""The IndexNow protocol: what is sent, and for whom a key speaks."""

import json

from sitemapgen.tools.submission import (
    find_outsider,
    is_key_file,
    key_location,
    request_body,
    split_batches,
)
from tests.helpers.tables import for_each

KEY = "1a2b3c4d5e6f"


def test_batches() -> None:
    urls = [str(number) for number in range(25_000)]
    parts = list(split_batches(urls))
    assert [len(part) for part in parts] == [10_000, 10_000, 5_000]
    assert [url for part in parts for url in part] == urls
    assert list(split_batches([])) == []


def test_request_body() -> None:
    location = key_location(KEY, "https://example.com/a/b")
    assert json.loads(request_body(KEY, location, ["https://example.com/a/b"])) == {
        "host": "example.com",
        "key": KEY,
        "keyLocation": f"https://example.com/{KEY}.txt",
        "urlList": ["https://example.com/a/b"],
    }


@for_each(
    "url, location, is_outside",
    [
        ("https://example.com/a/b", "https://example.com/key.txt", False),
        ("https://example.com/a/b", "https://example.com/a/key.txt", False),
        ("https://example.com/b", "https://example.com/a/key.txt", True),
        ("http://example.com/b", "https://example.com/key.txt", True),
        ("https://example.com.evil.example/", "https://example.com/key.txt", True),
    ],
)
def test_outsider(url: str, location: str, is_outside: bool) -> None:
    assert find_outsider([url], location) == (url if is_outside else None)


@for_each(
    "body, expected",
    [
        (b"1a2b3c4d5e6f", True),
        (b"\xef\xbb\xbf1a2b3c4d5e6f\r\n", True),
        (b"1a2b3c4d5e6f0", False),
        (b"<html>1a2b3c4d5e6f", False),
        (b"", False),
    ],
)
def test_is_key_file(body: bytes, expected: bool) -> None:
    assert is_key_file(body, KEY) is expected
