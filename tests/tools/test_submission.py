"""IndexNow: what is sent, for whom a key speaks, what answers mean, what a state file may hold."""

import json
from pathlib import Path

import pytest

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.tools.network import FetchedResponse
from sitemapgen.tools.submission import (
    find_outsider,
    is_key_file,
    key_location,
    load_state,
    refusal_error,
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
    ("https://example.com/a/b", "https://example.com/key.txt", False),
    ("https://example.com/a/b", "https://example.com/a/key.txt", False),
    ("https://example.com/b", "https://example.com/a/key.txt", True),
    ("http://example.com/b", "https://example.com/key.txt", True),
    ("https://example.com.evil.example/", "https://example.com/key.txt", True),
)
def test_outsider(url: str, location: str, is_outside: bool) -> None:
    assert find_outsider([url], location) == (url if is_outside else None)


@for_each(
    (b"1a2b3c4d5e6f", True),
    (b"\xef\xbb\xbf1a2b3c4d5e6f\r\n", True),
    (b"1a2b3c4d5e6f0", False),
    (b"<html>1a2b3c4d5e6f", False),
    (b"", False),
)
def test_is_key_file(body: bytes, expected: bool) -> None:
    assert is_key_file(body, KEY) is expected


@for_each(
    (400, None, Exit.REFUSED, "does not follow the protocol"),
    (403, None, Exit.REFUSED, "the key is not accepted"),
    (422, None, Exit.REFUSED, "do not belong to the host"),
    (429, None, Exit.INTERRUPTED, "2 of 3, the same command submits the rest later"),
    (429, 60.0, Exit.INTERRUPTED, "2 of 3, the same command submits the rest after 20"),
    (429, 1e300, Exit.INTERRUPTED, "submits the rest after 20"),
    (500, None, Exit.UNREACHABLE, "HTTP 500; 2 of 3"),
    (301, None, Exit.UNREACHABLE, "HTTP 301; 2 of 3"),
)
def test_refusals(status: int, retry_after: float | None, code: Exit, words: str) -> None:
    answer = FetchedResponse(
        status=status, body=b"", location="", is_cut=False, retry_after=retry_after
    )
    error = refusal_error("https://api.example/indexnow", answer, "2 of 3")
    assert error.exit_code is code
    assert words in error.sentence


@for_each(
    *("", "{", "[]", "null", '{"schema": 2}', '{"schema": 1, "key": 1, "submitted": {}}'),
    '{"schema": 1, "key": "", "submitted": {"a b": ""}}',
    '{"schema": 1, "key": "", "submitted": {"https://example.com/": 1}}',
)
def test_damaged_states(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "indexnow.json"
    assert load_state(path) == ("", {})
    path.write_text(damage)
    with pytest.raises(CrawlError, match="damaged; remove it"):
        load_state(path)
