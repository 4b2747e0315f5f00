"""Checks of single values in sitemaps: one sentence for each fault.

Values of Google's extensions are checked by their schemas and, where those allow anything, by the
pages "Image sitemaps", "Video sitemaps", "News sitemaps" and "Localized versions of your pages".
``schema.py`` checks which elements are allowed; ``validate.py`` the fields of the protocol itself.
"""

from __future__ import annotations

import re
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from sitemapgen.core.document.extensions import MAX_DURATION, MAX_VIDEO_DESCRIPTION, MAX_VIDEO_TITLE
from sitemapgen.core.document.languages import LANGUAGES, canonical_hreflang
from sitemapgen.core.sitemap_files.findings import quote_text
from sitemapgen.core.urls import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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
    match = DATE.fullmatch(text)
    if match is not None and _is_day(match[1]):
        return ""
    if _COARSE.fullmatch(text):
        why = "has no day; the schema requires one"
    elif _NO_SECONDS.fullmatch(text):
        why = "has no seconds; the schema requires them"
    else:
        why = "is no date like 2024-05-01 or 2024-05-01T10:30:00Z"
    return f"{quote_text(text)} {why}"


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


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


def _integer_fault(text: str, *, least: int, most: int | None = None) -> str:
    is_number = _INTEGER.fullmatch(text.strip()) is not None
    if is_number and least <= int(text) and (most is None or int(text) <= most):
        return ""
    to = f"from {least} to {most}" if most else f"from {least} upwards"
    return f"{quote_text(text)} is no whole number {to}"


def _rating_fault(text: str) -> str:
    if DECIMAL.fullmatch(text.strip()) and 0 <= float(text) <= 5:
        return ""
    return f"{quote_text(text)} is no number from 0.0 to 5.0"


def _price_fault(text: str) -> str:
    if not text.strip() or (DECIMAL.fullmatch(text.strip()) and float(text) >= 0):
        return ""
    return f"{quote_text(text)} is no number from 0 upwards"


def _date_fault(text: str) -> str:
    return fault_of_date(text.strip())


def _language_fault(text: str) -> str:
    if text in ("zh-cn", "zh-tw") or re.fullmatch("[a-z]{3}", text) or text in LANGUAGES:
        return ""
    return f"{quote_text(text)} is no language like en or deu, and neither zh-cn nor zh-tw"


def _hreflang_fault(text: str) -> str:
    if canonical_hreflang(text):
        return ""
    return (
        f"{quote_text(text)} is no language with or without a region (en, de-AT), and not x-default"
    )


def _relation_fault(text: str) -> str:
    return "" if "alternate" in text.lower().split() else f"{quote_text(text)} is not alternate"


def _choice_fault(text: str, *, words: tuple[str, ...]) -> str:
    return "" if text in words else f"{quote_text(text)} is none of {', '.join(words)}"


def _pattern_fault(text: str, *, pattern: str, what: str) -> str:
    return "" if re.fullmatch(pattern, text) else f"{quote_text(text)} is no {what}"


_yes_no = partial(_choice_fault, words=("yes", "Yes", "YES", "no", "No", "NO"))
_relationship = partial(_choice_fault, words=("allow", "deny"))
_duration = partial(_integer_fault, least=1, most=MAX_DURATION)
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
    ("video", "duration"): _duration,
    ("video", "expiration_date"): _date_fault,
    ("video", "publication_date"): _date_fault,
    ("video", "rating"): _rating_fault,
    ("video", "view_count"): partial(_integer_fault, least=0),
    ("video", "category"): partial(_length_fault, most=256),
    ("video", "family_friendly"): _yes_no,
    ("video", "requires_subscription"): _yes_no,
    ("video", "live"): _yes_no,
    ("video", "restriction"): partial(
        _pattern_fault, pattern="([A-Z]{2}( +[A-Z]{2})*)?", what="list of countries like DE AT CH"
    ),
    ("video", "platform"): partial(
        _pattern_fault,
        pattern="((web|mobile|tv)( (web|mobile|tv))*)?",
        what="list of web, mobile and tv",
    ),
    ("video", "price"): _price_fault,
    ("publication", "name"): _text_fault,
    ("publication", "language"): _language_fault,
    ("news", "publication_date"): _date_fault,
    ("news", "title"): _text_fault,
    ("news", "access"): partial(_choice_fault, words=("Subscription", "Registration")),
    ("news", "genres"): partial(
        _pattern_fault, pattern=rf"{_GENRE}(, *{_GENRE})*", what="list of genres like Blog, Opinion"
    ),
    ("news", "stock_tickers"): partial(
        _pattern_fault,
        pattern=r"(\w+:\w+(, *\w+:\w+){0,4})?",
        what="list of up to five like NASDAQ:AMAT",
    ),
}
"""Check of an element's text by (name of its parent, its name)."""

_ATTRIBUTES: Mapping[str, Mapping[str, Check]] = {
    "link": {"rel": _relation_fault, "hreflang": _hreflang_fault, "href": _url_fault},
    "player_loc": {"allow_embed": _yes_no},
    "content_segment_loc": {"duration": partial(_integer_fault, least=0, most=MAX_DURATION)},
    "restriction": {"relationship": _relationship},
    "platform": {"relationship": _relationship},
    "price": {
        "currency": partial(_pattern_fault, pattern="[A-Z]{3}", what="currency like EUR"),
        "type": partial(_choice_fault, words=("rent", "purchase", "RENT", "PURCHASE")),
        "resolution": partial(_choice_fault, words=("hd", "sd", "HD", "SD")),
    },
    "uploader": {"info": _url_fault},
    "id": {
        "type": partial(
            _choice_fault,
            words=(
                *("tms:series", "tms:program", "rovi:series", "rovi:program"),
                *("freebase", "url"),
            ),
        )
    },
}
