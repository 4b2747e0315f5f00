"""The public HTML cases of html5lib, Scrapy, StormCrawler and w3lib: encodings, links, refreshes.

Every case that is left out or answered otherwise is listed with its reason.
"""

import base64
import codecs
from typing import Any

import ada_url

from sitemapgen.core.document.encoding import LATE_BYTES, decode_document, prescan_encoding
from sitemapgen.core.document.html import parse_document
from tests.helpers.shared import conformance
from tests.helpers.tables import for_each

ENCODINGS = conformance("html_html5lib_encoding/cases.jsonl")
LINKS = conformance("html_scrapy_links/cases.jsonl")
REFRESHES = conformance("robots_tags/meta_refresh.jsonl")
ALL_OF_W3LIB = conformance("html_w3lib/cases.jsonl")
LEXBOR_S = "replace_entities"
"""Character references are read by the HTML parser, which has no options for them."""


def _of_w3lib(*functions: str) -> list[dict[str, Any]]:
    return [case for case in ALL_OF_W3LIB if case["func"] in functions]


W3LIB = _of_w3lib("get_base_url", "get_meta_refresh")
NAMED = _of_w3lib("http_content_type_encoding", "html_body_declared_encoding", "resolve_encoding")
DECODED = _of_w3lib("html_to_unicode", "to_unicode", "read_bom")

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

UTF_32 = "WHATWG knows no utf-32"
NO_TAG = "a < with a space behind it begins no tag (WHATWG)"
NO_LABEL = "no label of WHATWG's"
ANYWHERE = 'charset counts wherever it stands in the value, as WHATWG has it for <meta content="">'
OTHER_ENCODINGS = {
    f"w3html-{number:04}": reason
    for reason, numbers in {
        UTF_32: [107, 108, 214, 215, 216, 217, 219],
        NO_TAG: [146, 163],
        NO_LABEL: [170, 183, 186, 189, 192],
        ANYWHERE: [117, 118, 119, 126, 127, 128, 129, 131, 134, 135],
        "WHATWG looks for <meta> in the body, too": [151, 167],
        "the names are those of HTML: http-equiv, content-type": [152, 153, 168],
        "Python's codec has no euro sign at 0x80": [175, 176, 178, 179, 181, 182],
        "without a byte order mark, utf-16 is utf-16le (WHATWG)": [218],
    }.items()
    for number in numbers
}


def _without(waived: dict[str, str], cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [case for case in cases if case["id"] not in waived]


def _bytes(value: Any, encoding: str = "utf-8") -> bytes:
    """The converters' spelling of an argument: text, {bytes: text} or {bytes_b64: base64}."""
    if isinstance(value, dict) and "bytes_b64" in value:
        return base64.b64decode(value["bytes_b64"])
    text = value["bytes"] if isinstance(value, dict) else value
    return str(text).encode(encoding)


def test_all_cases_are_here() -> None:
    assert (len(ENCODINGS), len(LINKS), len(REFRESHES), len(W3LIB)) == (83, 55, 3, 48)
    assert (len(NAMED), len(DECODED), len(_of_w3lib(LEXBOR_S))) == (62, 59, 57)
    assert len(ALL_OF_W3LIB) == 226 == 48 + 62 + 59 + 57
    assert {case["id"] for case in NAMED + DECODED} >= OTHER_ENCODINGS.keys()


@for_each(*_without(SCRIPTED, ENCODINGS))
def test_declared_encoding(case: dict[str, Any]) -> None:
    """What is declared, and where nothing is, browsers' windows-1252."""
    body = base64.b64decode(case["body_b64"])
    if body.startswith(b"\xef\xbb\xbf"):
        assert decode_document(body)[1] == "utf-8"
    else:
        declared = prescan_encoding(body) or prescan_encoding(body, LATE_BYTES) or "windows-1252"
        assert declared == case["encoding"].lower()


@for_each(*_without(SCRIPTED, ENCODINGS))
def test_decode(case: dict[str, Any]) -> None:
    body = base64.b64decode(case["body_b64"])
    guessed = case["id"] in GUESSED_UTF8
    assert decode_document(body)[1] == ("utf-8" if guessed else case["encoding"].lower())
    assert body.isascii() or not guessed


@for_each(*_without(NOT_OUR_LINKS, LINKS))
def test_links(case: dict[str, Any]) -> None:
    """The links of Scrapy's LinkExtractor, joined to the base and without their fragments."""
    response = case["response"]
    body = _bytes(response.get("body", {"bytes_b64": response.get("body_b64")}))
    document = parse_document(body, f"text/html; charset={response['encoding']}")
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


@for_each(*REFRESHES)
def test_refresh(case: dict[str, Any]) -> None:
    assert parse_document(case["html"].encode()).refresh == case["expected"]


@for_each(*_without(OTHER_REFRESHES, W3LIB))
def test_base_and_refresh(case: dict[str, Any]) -> None:
    """w3lib's get_base_url and get_meta_refresh; its delay is not ours."""
    document_argument, *others = case["args"]
    url = _bytes(others[0]).decode() if others else ""
    encoding = others[1] if len(others) > 1 else case.get("kwargs", {}).get("encoding", "utf-8")
    document = parse_document(_bytes(document_argument, encoding), f"text/html; charset={encoding}")
    if case["func"] == "get_base_url":
        ours, theirs = (
            ada_url.join_url(url, document.base) if url else document.base,
            case["result"],
        )
    else:
        ours = document.refresh and ada_url.join_url(url, document.refresh)
        theirs = case["result"][1] or ""
    assert ours == (ada_url.URL(theirs).href if theirs else "")


def _named_by(content_type: str) -> str:
    """The encoding that a header names: bytes that are no utf-8 are guessed otherwise."""
    one, two = (decode_document(body, content_type)[1] for body in (b"", b"\xe9"))
    return one if one == two else ""


AS_BROWSERS_READ_IT = {"gbk": "gb18030", "big5": "big5hkscs"}
"""What browsers read as another encoding under the same name, which w3lib names."""


@for_each(*NAMED)
def test_named_encoding(case: dict[str, Any]) -> None:
    """A deviation has to be one."""
    (argument,) = case["args"]
    if case["func"] == "html_body_declared_encoding":
        ours = prescan_encoding(_bytes(argument))
    else:
        is_label = case["func"] == "resolve_encoding"
        ours = _named_by(f"text/html; charset={argument}" if is_label else argument)
    theirs = case["result"] and codecs.lookup(case["result"]).name
    agrees = (ours and codecs.lookup(AS_BROWSERS_READ_IT.get(ours, ours)).name) == (theirs or "")
    assert agrees is (case["id"] not in OTHER_ENCODINGS)


@for_each(*DECODED)
def test_decoded_text(case: dict[str, Any]) -> None:
    """A deviation has to be one."""
    arguments = case["args"]
    if case["func"] == "html_to_unicode":
        header, body = arguments[0] or "", _bytes(arguments[1])
        expected = case["result"][1]
    elif case["func"] == "to_unicode":
        header, body = f"text/html; charset={arguments[1]}", _bytes(arguments[0])
        expected = case["result"]
    else:
        header, body = "", _bytes(arguments[0])
        encoding, bom = case["result"]
        expected = body[len(_bytes(bom)) if bom else 0 :].decode(encoding or "utf-8")
    assert (decode_document(body, header)[0] == expected) is (case["id"] not in OTHER_ENCODINGS)
