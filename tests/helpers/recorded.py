"""All documents and rules of the public test cases; a module that imports it is skipped without."""

import base64
from typing import Any

from tests.helpers.shared import conformance

ROBOTS = [
    case["robots"]
    for name in ("cases", "parse_stats")
    for case in conformance(f"robots_google/{name}.jsonl")
]
BROKEN = [
    "\ufeff" * 3,
    "\x00" * 1000,
    "<html><body>404</body></html>",
    ":\n" * 1000,
    "User-agent: *\n" * 1000,
    "Disallow: /\n" * 9,
    "User-agent: *\nDisallow: /" + "*a" * 3000 + "$",
    "Sitemap: http://[\n" * 9,
    "User-agent: *\nCrawl-delay: 1e999\nRequest-rate: 0/0\nVisit-time: 9999-9999\nSitemap: \x1b[3m",
]
OF_ALL = list(dict.fromkeys([*BROKEN, *ROBOTS]))


def body_of(value: Any) -> bytes:
    """The converters' spelling of bytes: text, {bytes: text} or {bytes_b64: base64}."""
    if isinstance(value, dict) and "bytes_b64" in value:
        return base64.b64decode(value["bytes_b64"])
    return str(value["bytes"] if isinstance(value, dict) else value).encode(
        "utf-8", "surrogatepass"
    )


def all_documents() -> list[bytes]:
    bodies = [
        base64.b64decode(case["body_b64"])
        for case in conformance("html_html5lib_encoding/cases.jsonl")
    ]
    bodies += [
        body_of(case["response"].get("body", {"bytes_b64": case["response"].get("body_b64")}))
        for case in conformance("html_scrapy_links/cases.jsonl")
    ]
    bodies += [
        body_of(argument)
        for case in conformance("html_w3lib/cases.jsonl")
        for argument in case["args"]
        if argument is not None
    ]
    for name in ("meta", "meta_refresh"):
        bodies += [case["html"].encode() for case in conformance(f"robots_tags/{name}.jsonl")]
    return list(dict.fromkeys(bodies))
