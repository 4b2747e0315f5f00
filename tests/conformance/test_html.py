"""The public HTML cases: html5lib (encodings), Scrapy (links), w3lib and StormCrawler (refresh)."""

from __future__ import annotations

import base64
from typing import Any

import ada_url
import pytest

from sitemapgen.core.encoding import LATE_BYTES, prescan
from sitemapgen.core.html import decode, parse
from tests.shared import conformance

ENCODINGS = conformance("html_html5lib_encoding/cases.jsonl")
LINKS = conformance("html_scrapy_links/cases.jsonl")
REFRESHES = conformance("robots_tags/meta_refresh.jsonl")
W3LIB = [
    case
    for case in conformance("html_w3lib/cases.jsonl")
    if case["func"] in ("get_base_url", "get_meta_refresh")
]

SCRIPTED = {"h5enc-000": "the declaration is written by a script"}

GUESSED_UTF8 = frozenset(
    f"h5enc-{number:03}"
    for number in (
        *(2, 8, *range(12, 23), 26, 27, 30, 31, 32, 35, 36, 37),
        *(61, 62, 63, 64, 65, 69, 70, 72, 73, 74, 76),  # no valid declaration: windows-1252
        *range(49, 55),  # declared after the first 1,024 bytes: iso-8859-2
    )
)
"""Pure ASCII: any guess gives the same text, and we guess utf-8 where the bytes allow it."""


def _numbers(prefix: str, reasons: dict[str, list[int]]) -> dict[str, str]:
    return {f"{prefix}{n:03}": reason for reason, numbers in reasons.items() for n in numbers}


NOT_OUR_LINKS = _numbers(
    "sclink-",
    {
        "allow, deny and domains are rules about URLs, not about the document": [*range(1, 11)],
        "restrict_xpaths and restrict_css read a part of the document": [
            *(12, 13, 14, 15, 16, 17, 20, 24, *range(46, 50))
        ],
        "file extensions are a rule about URLs, not about the document": [21, 22],
        "process_value reads URLs out of scripts": [23],
        "tags and attrs name other elements than those that link": [
            *(26, 27, 28, 30, 31, 32, 33, 34, *range(36, 42))
        ],
        "we do not follow ftp": [45],
        "canonicalize belongs to core/urls.py": [50],
        "restrict_text chooses links by their text": [51, 52, 53],
    },
)
NOT_A_URL = {"http://[example.org/item2.html", "http://example.org:non-port"}
"""Hrefs that nothing can be joined to: the document says them, ``core/urls.py`` refuses them."""

OTHER_REFRESHES = {
    "w3html-0081": "a tag that never ends is no tag (WHATWG, eof-in-tag)",
    "w3html-0091": "the encoding of a query belongs to core/urls.py",
    "w3html-0099": "ignore_tags=[] asks for what is in <noscript>",
    "w3html-0101": "ignore_tags=[] asks for what is in <script>",
}


def _by_id(case: dict[str, Any]) -> str:
    return str(case["id"])


def _bytes(value: Any, encoding: str = "utf-8") -> bytes:
    """The converters' spelling of an argument: text, {bytes: text} or {bytes_b64: base64}."""
    if isinstance(value, dict) and "bytes_b64" in value:
        return base64.b64decode(value["bytes_b64"])
    text = value["bytes"] if isinstance(value, dict) else value
    return str(text).encode(encoding)


def test_all_cases_are_here() -> None:
    assert (len(ENCODINGS), len(LINKS), len(REFRESHES), len(W3LIB)) == (83, 55, 3, 48)


@pytest.mark.parametrize("case", ENCODINGS, ids=_by_id)
def test_declared_encoding(case: dict[str, Any]) -> None:
    """What is declared, and where nothing is, browsers' windows-1252."""
    if case["id"] in SCRIPTED:
        pytest.skip(SCRIPTED[case["id"]])
    body = base64.b64decode(case["body_b64"])
    if body.startswith(b"\xef\xbb\xbf"):
        assert decode(body)[1] == "utf-8"
    else:
        declared = prescan(body) or prescan(body, LATE_BYTES) or "windows-1252"
        assert declared == case["encoding"].lower()


@pytest.mark.parametrize("case", ENCODINGS, ids=_by_id)
def test_decode(case: dict[str, Any]) -> None:
    if case["id"] in SCRIPTED:
        pytest.skip(SCRIPTED[case["id"]])
    body = base64.b64decode(case["body_b64"])
    guessed = case["id"] in GUESSED_UTF8
    assert decode(body)[1] == ("utf-8" if guessed else case["encoding"].lower())
    assert body.isascii() or not guessed


@pytest.mark.parametrize("case", LINKS, ids=_by_id)
def test_links(case: dict[str, Any]) -> None:
    """The links of Scrapy's LinkExtractor, joined to the base and without their fragments."""
    if case["id"] in NOT_OUR_LINKS:
        pytest.skip(NOT_OUR_LINKS[case["id"]])
    response = case["response"]
    body = _bytes(response.get("body", {"bytes_b64": response.get("body_b64")}))
    document = parse(body, f"text/html; charset={response['encoding']}")
    base = ada_url.join_url(response["url"], document.base)
    ours = {
        (ada_url.join_url(base, anchor.href), anchor.nofollow)
        for anchor in document.anchors
        if anchor.href not in NOT_A_URL
    }
    theirs = {
        (ada_url.URL(link["url"].partition("#")[0]).href, link["nofollow"])
        for link in case["links"]
    }
    assert ours == theirs


@pytest.mark.parametrize("case", REFRESHES, ids=_by_id)
def test_refresh(case: dict[str, Any]) -> None:
    assert parse(case["html"].encode()).refresh == case["expected"]


@pytest.mark.parametrize("case", W3LIB, ids=_by_id)
def test_base_and_refresh(case: dict[str, Any]) -> None:
    """w3lib's get_base_url and get_meta_refresh; its delay is not ours."""
    if case["id"] in OTHER_REFRESHES:
        pytest.skip(OTHER_REFRESHES[case["id"]])
    document_argument, *others = case["args"]
    url = _bytes(others[0]).decode() if others else ""
    encoding = others[1] if len(others) > 1 else case.get("kwargs", {}).get("encoding", "utf-8")
    document = parse(_bytes(document_argument, encoding), f"text/html; charset={encoding}")
    if case["func"] == "get_base_url":
        ours, theirs = (
            ada_url.join_url(url, document.base) if url else document.base,
            case["result"],
        )
    else:
        ours = document.refresh and ada_url.join_url(url, document.refresh)
        theirs = case["result"][1] or ""
    assert ours == (ada_url.URL(theirs).href if theirs else "")
