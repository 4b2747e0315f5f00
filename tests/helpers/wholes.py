"""The numbers in the sentences of a crawl: no part is larger than its whole."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NUMBER = r"(?<![\w.,/#=-])(\d[\d,]*)(?![\w./%-]|,\d)"
PARTS = (
    # 3 of 5 pages; 20 of your sitemap's 30 URLs; 2 of the 7 URLs that were fetched
    re.compile(rf"{NUMBER} of (?:[a-z']+ ){{0,3}}?{NUMBER}"),
    # 8 pages are nearly empty, 3 of them ...; of 40 parts 3 written: the whole comes first
    re.compile(rf"(?P<whole>{NUMBER})[^.;:()\d]*(?P<part>{NUMBER}) of (?:them|it)\b"),
    re.compile(rf"\bof (?P<whole>{NUMBER}) [^.;:()\d]*?(?P<part>{NUMBER})"),
    re.compile(rf"(?P<whole>{NUMBER}) (?:pages?|entr\w+|URLs?), (?P<part>{NUMBER}) with\b"),
)
SAID = ("sentence", "unfinished", "reason", "remedy", "empty_start", "refused")
"""Fields of report.json that are sentences."""


def larger_parts(text: str) -> list[str]:
    """Return what is wrong in a text: the passages whose part is larger than their whole."""
    found = []
    for pattern in PARTS:
        for match in pattern.finditer(text):
            names = match.groupdict()
            part, whole = (names["part"], names["whole"]) if names else match.groups()[:2]
            if int(part.replace(",", "")) > int(whole.replace(",", "")):
                found.append(match[0])
    return found


def faults(output: Path, log: str) -> list[str]:
    """Return such passages, and shares above 1, in all that a crawl has said."""
    report = output / "report.json"
    said = [line.partition(" INFO ")[2] or line for line in log.splitlines() if "http" not in line]
    found = []
    if report.is_file() and report.stat().st_size > 2:
        fields = list(_fields(json.loads(report.read_bytes())))
        said += [value for name, value in fields if name in SAID and isinstance(value, str)]
        shares = (value for name, value in fields if name == "share")
        found += [f"share {each}" for each in shares if isinstance(each, float) and each > 1]
        html = (output / "report.html").read_text("utf-8")
        said += [re.sub("<[^>]*>", "", each) for each in re.findall(r"<p\b[^>]*>.*?</p>", html)]
    return found + [passage for text in said for passage in larger_parts(text)]


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield name, each
            yield from _fields(each)
    elif isinstance(value, list):
        for each in value:
            yield from _fields(each)
