"""The public URL cases: web-platform-tests (WHATWG) and RFC 3986 section 5.4."""

from typing import Any

import ada_url

from sitemapgen.core.urls import parse, split
from tests.helpers.shared import conformance
from tests.helpers.tables import for_each

WPT = [case for case in conformance("url_wpt/cases.jsonl") if case["http"]]
ENCODINGS = conformance("url_wpt/percent_encoding.jsonl")
RFC = conformance("url_rfc3986/resolve.jsonl")

OTHER_ENCODERS = {
    ("\x0eA", "iso-2022-jp"): "Python's codec has no WHATWG rule against escape characters",
    ("\ue5e5", "gb18030"): "Python's codec maps this private-use character, WHATWG's does not",
}
UNRESOLVED = {
    "g:h": "another scheme is no web address",
    "http:g": "WHATWG resolves it against the base, RFC 3986 does not",
}


def test_all_446_cases_are_here() -> None:
    assert len(WPT) == 446


@for_each(*WPT)
def test_wpt(case: dict[str, Any]) -> None:
    """The parser agrees with browsers; the normal form keeps the origin they would go to."""
    try:
        href = ada_url.URL(case["input"], case["base"]).href
    except ValueError:
        href = None
    assert href == case.get("href")
    normal = parse(case["input"], case["base"])
    if case["failure"]:
        assert normal is None
    else:
        assert normal is not None
        assert split(normal).origin == f"{case['protocol']}//{case['host']}"


@for_each(*ENCODINGS)
def test_percent_encoding_in_the_encoding_of_the_document(case: dict[str, Any]) -> None:
    for encoding, expected in case["output"].items():
        normal = parse("?" + case["input"], "http://h.example/", encoding)
        agrees = normal == parse(f"http://h.example/?{expected}")
        assert agrees is ((case["input"], encoding) not in OTHER_ENCODERS), encoding


@for_each(*RFC)
def test_rfc3986(case: dict[str, Any]) -> None:
    """Resolution agrees with RFC 3986, but for the fragment and the differences listed above."""
    normal = parse(case["ref"], case["base"])
    if case["ref"] in UNRESOLVED:
        assert normal != case["expected"]
        return
    assert normal == parse(case["expected"].partition("#")[0])
