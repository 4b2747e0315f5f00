"""Checks of single values in sitemaps: one sentence for each fault.

Values of Google's extensions are checked by their schemas and, where those allow anything, by the
pages "Image sitemaps", "Video sitemaps", "News sitemaps" and "Localized versions of your pages".
``schema.py`` checks which elements are allowed; ``validate.py`` the fields of the protocol itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from sitemapgen.core.document.extensions import MAX_DURATION, MAX_VIDEO_DESCRIPTION, MAX_VIDEO_TITLE
from sitemapgen.core.document.languages import LANGUAGES, canonical_hreflang
from sitemapgen.core.sitemap_files.findings import quote_text
from sitemapgen.core.urls import parse

if TYPE_CHECKING:
    Check = Callable[[str], str]

DATE = re.compile(
    r"(\d{4}-\d\d-\d\d)(T(?:([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?))?"
    r"(Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)?",
    re.ASCII,
)
"""Pattern of xsd:date and xsd:dateTime."""
DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)", re.ASCII)
"""Pattern of xsd:decimal."""
HTTP = re.compile(r"https?://[^/?#\s]", re.IGNORECASE)

_INTEGER = re.compile(r"[+-]?\d{1,30}", re.ASCII)
_COARSE = re.compile(r"\d{4}(-\d\d)?", re.ASCII)
_NO_SECONDS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(Z|[+-]\d\d:\d\d)?", re.ASCII)
_NOT_IN_URLS = re.compile(r"[\s\x00-\x20\x7f<>\"{}|\\^`\[\]]|%(?![0-9A-Fa-f]{2})")
_HOST_OF_IPV6 = re.compile(r"(https?://)\[[0-9A-Fa-f:.]*\]", re.IGNORECASE)


# Fields of all sitemaps


def fault_of_date(text: str) -> str:
    """Return the fault of a text that must be a day, or a day with a time to the second."""
    if match := DATE.fullmatch(text):
        with suppress(ValueError):
            date.fromisoformat(match[1])
            return ""
    if _COARSE.fullmatch(text):
        why = "has no day; the schema requires one"
    elif _NO_SECONDS.fullmatch(text):
        why = "has no seconds; the schema requires them"
    else:
        why = "is no date like 2024-05-01 or 2024-05-01T10:30:00Z"
    return f"{quote_text(text)} {why}"


def forbidden_in_url(text: str) -> str:
    """Describe the first character of an absolute URL that URLs may not contain; empty if none."""
    found = _NOT_IN_URLS.search(_HOST_OF_IPV6.sub(r"\1", text))
    if found is None:
        return ""
    if found[0] == "%":
        return "a % without two digits"
    return "white space" if found[0] <= " " or found[0].isspace() else f"the character {found[0]!r}"


# Extensions


def faults_of_extension(
    parent: str, name: str, text: str, attributes: Mapping[str, str]
) -> Iterator[str]:
    """Yield one sentence for each fault of an element of an extension within ``parent``.

    >>> list(faults_of_extension("video", "duration", "1:30", {}))
    ['<duration>: "1:30" is no whole number from 1 to 28800']
    """
    check = _ELEMENTS.get((parent, name))
    if check and (fault := check(text)):
        yield f"<{name}>: {fault}"
    for attribute, check in _ATTRIBUTES.get(name, {}).items():
        value = attributes.get(attribute, "")
        if value.strip() and (fault := check(value)):  # schema.py reports missing attributes
            yield f"{attribute} of <{name}>: {fault}"


def _url_fault(text: str) -> str:
    text = text.strip()
    url = parse(text) if HTTP.match(text) else None
    if url is None:
        return f"{quote_text(text)} is no http or https URL"
    if found := forbidden_in_url(text):
        return f"{quote_text(text)} has {found}; write {quote_text(url)}"
    return ""


def _text_fault(text: str, *, most: int | None = None) -> str:
    if not text.strip():
        return "is empty"
    return _length_fault(text, most) if most else ""


def _length_fault(text: str, most: int) -> str:
    return f"{len(text):,} characters; the most are {most:,}" if len(text) > most else ""


def _unless(is_right: Callable[[str], object], what: str) -> Check:
    """Return the check of a value that is something else (``what``) unless it is right."""
    return lambda text: "" if is_right(text) else f"{quote_text(text)} is {what}"


def _one_of(*words: str) -> Check:
    return _unless(words.__contains__, f"none of {', '.join(words)}")


def _matching(pattern: str, what: str) -> Check:
    return _unless(re.compile(pattern).fullmatch, f"no {what}")


def _integer(least: int, most: float = inf) -> Check:
    to = "upwards" if most == inf else f"to {most}"
    return _unless(
        lambda text: _INTEGER.fullmatch(text.strip()) and least <= int(text) <= most,
        f"no whole number from {least} {to}",
    )


def _date_fault(text: str) -> str:
    return fault_of_date(text.strip())


_yes_no = _one_of("yes", "Yes", "YES", "no", "No", "NO")
_relationship = _one_of("allow", "deny")
_GENRE = "(PressRelease|Satire|Blog|OpEd|Opinion|UserGenerated)"

_ELEMENTS: Mapping[tuple[str, str], Check] = {
    ("image", "loc"): _url_fault,
    ("video", "thumbnail_loc"): _url_fault,
    ("video", "title"): partial(_text_fault, most=MAX_VIDEO_TITLE),
    ("video", "description"): partial(_text_fault, most=MAX_VIDEO_DESCRIPTION),
    ("video", "content_loc"): _url_fault,
    ("video", "player_loc"): _url_fault,
    ("video", "content_segment_loc"): _url_fault,
    ("video", "gallery_loc"): _url_fault,
    ("video", "duration"): _integer(1, MAX_DURATION),
    ("video", "expiration_date"): _date_fault,
    ("video", "publication_date"): _date_fault,
    ("video", "rating"): _unless(
        lambda text: DECIMAL.fullmatch(text.strip()) and 0 <= float(text) <= 5,
        "no number from 0.0 to 5.0",
    ),
    ("video", "view_count"): _integer(0),
    ("video", "category"): partial(_length_fault, most=256),
    ("video", "family_friendly"): _yes_no,
    ("video", "requires_subscription"): _yes_no,
    ("video", "live"): _yes_no,
    ("video", "restriction"): _matching(
        "([A-Z]{2}( +[A-Z]{2})*)?", "list of countries like DE AT CH"
    ),
    ("video", "platform"): _matching(
        "((web|mobile|tv)( (web|mobile|tv))*)?", "list of web, mobile and tv"
    ),
    ("video", "price"): _unless(
        lambda text: not text.strip() or (DECIMAL.fullmatch(text.strip()) and float(text) >= 0),
        "no number from 0 upwards",
    ),
    ("publication", "name"): _text_fault,
    ("publication", "language"): _unless(
        lambda text: text in LANGUAGES or re.fullmatch("[a-z]{3}|zh-cn|zh-tw", text),
        "no language like en or deu, and neither zh-cn nor zh-tw",
    ),
    ("news", "publication_date"): _date_fault,
    ("news", "title"): _text_fault,
    ("news", "access"): _one_of("Subscription", "Registration"),
    ("news", "genres"): _matching(rf"{_GENRE}(, *{_GENRE})*", "list of genres like Blog, Opinion"),
    ("news", "stock_tickers"): _matching(
        r"(\w+:\w+(, *\w+:\w+){0,4})?", "list of up to five like NASDAQ:AMAT"
    ),
}
"""Check of an element's text by (name of its parent, its name)."""

_ATTRIBUTES: Mapping[str, Mapping[str, Check]] = {
    "link": {
        "rel": _unless(lambda text: "alternate" in text.lower().split(), "not alternate"),
        "hreflang": _unless(
            canonical_hreflang,
            "no language with or without a region (en, de-AT), and not x-default",
        ),
        "href": _url_fault,
    },
    "player_loc": {"allow_embed": _yes_no},
    "content_segment_loc": {"duration": _integer(0, MAX_DURATION)},
    "restriction": {"relationship": _relationship},
    "platform": {"relationship": _relationship},
    "price": {
        "currency": _matching("[A-Z]{3}", "currency like EUR"),
        "type": _one_of("rent", "purchase", "RENT", "PURCHASE"),
        "resolution": _one_of("hd", "sd", "HD", "SD"),
    },
    "uploader": {"info": _url_fault},
    "id": {
        "type": _one_of(
            *("tms:series", "tms:program", "rovi:series", "rovi:program", "freebase", "url")
        )
    },
}
