"""Could this URL belong to an endless space: a calendar, a facet search, a path that repeats?

From its form alone, which proves nothing: a suspect waits until the ordinary pages are done, and is
then fetched under the budget of its pattern. What the budget is and when a pattern is called a
trap: ``analysis/traps.py``.
"""

from __future__ import annotations

import re

from sitemapgen.core.urls import split
from sitemapgen.items import Suspicion

MAX_SEGMENTS = 12
"""Directories; deeper paths grow by themselves more often than by hand."""
MAX_PARAMETERS = 8
MAX_PATTERN = 200
"""Characters of a pattern; a longer one is cut."""


_YEAR = r"(?:1[89]|20|21)[0-9]{2}"
_MONTH = r"(?:0?[1-9]|1[0-2])"
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_DATES = (  # the finest first
    ("{day}", re.compile(rf"{_YEAR}([-_./]){_MONTH}\1{_DAY}(?:T[0-9:%A-F.+Z-]*)?")),
    ("{day}", re.compile(rf"{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])")),
    ("{week}", re.compile(rf"{_YEAR}[-_./]?[wW][0-5]?[0-9]")),
    ("{month}", re.compile(rf"{_YEAR}[-_./]?(?:0[1-9]|1[0-2])|{_YEAR}[-_./][1-9]")),
    ("{year}", re.compile(_YEAR)),
)
_FINER = {"{year}": "{month}", "{month}": "{day}"}
_IS_MONTH_OR_DAY = re.compile(
    r"0?[1-9]|[12][0-9]|3[01]|[wW][0-5]?[0-9]"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}",
    re.IGNORECASE,
)
_VIEWS = frozenset(
    """
    agenda calendar day days events list map month months photo print summary today week
    weeks year
    """.split()  # noqa: SIM905 - a word list, not code
)
_DATE_NAMES = frozenset(
    """
    calendar_date cal_date currentdate d date day dt from_date jahr m mo mois mon monat
    month start_date startdate tag to_date tribe-bar-date week y year yr
    """.split()  # noqa: SIM905 - a word list, not code
)
_PAGE_NAMES = frozenset(
    """
    first from limitstart o offset p page page_no page_num paged pageindex pageno pagenum
    pagenumber pg seite skip start startindex
    """.split()  # noqa: SIM905 - a word list, not code
)
_PLACEHOLDERS = frozenset({"{day}", "{week}", "{month}", "{year}"})
_DIGITS = re.compile(r"[0-9]+")
_NUMBERS = re.compile(r"-?[0-9]{1,18}")
_IDENTIFIER = re.compile(
    r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}|s?[0-9a-f]{16,}"
    r"|(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])[0-9A-Za-z_-]{20,}"
    r"|(?=[^a-z]*[a-z])(?=(?:[^0-9]*[0-9]){4})[0-9a-z]{20,}"
)
_SCRIPT = re.compile(
    r"\.(?:php[0-9]?|phtml|aspx?|ashx|jsp|jspx|jsf|cgi|pl|cfm|do|action|dll|exe|py|rb|pcgi|nsf)$",
    re.IGNORECASE,
)
_WORTH_A_LOOK = re.compile(r"[?0-9]|/[^/]*/[^/]*/|[A-Fa-f]{16}")


def suspect(url: str) -> Suspicion | None:
    """Look at a normalised URL; None if nothing about it is suspicious.

    >>> suspect("https://example.com/events/2031/07/")
    Suspicion(kind='calendar', pattern='/events/{date}', family='/events/{date}')
    >>> suspect("https://example.com/about") is None
    True
    """
    if not _WORTH_A_LOOK.search(url, url.index("/", 8)):
        return None
    _, path, query = split(url)
    segments = [segment for segment in path.split("/") if segment]
    names = [part.partition("=")[0] for part in query.split("&")] if query else []
    found = (
        _repeating(segments)
        or _growing(segments, names)
        or _session(segments, names)
        or _calendar(segments, query)
        or (_query(segments, query, names) if query else _numbers(segments))
    )
    if found is None:
        return None
    kind, pattern, family = found
    return Suspicion(kind, pattern[:MAX_PATTERN], (family or pattern)[:MAX_PATTERN])


def base(url: str) -> str:
    """The URL without what makes it a variant: its query, its identifiers.

    >>> base("https://example.com/s/9f8a7b6c5d4e3f2a/about?print=1")
    'https://example.com/s/about'
    """
    origin, path, _ = split(url)
    return origin + "/".join(
        segment for segment in path.split("/") if not _IDENTIFIER.fullmatch(segment)
    )


_Found = tuple[str, str, str] | None


def _repeating(segments: list[str]) -> _Found:
    """The same one to four segments three times in a row, or one segment four times."""
    count = len(segments)
    for size in range(1, 5):
        for start in range(count - 3 * size + 1):
            unit = segments[start : start + size]
            if (
                unit == segments[start + size : start + 2 * size]
                and unit == segments[start + 2 * size : start + 3 * size]
                and not all(map(str.isdigit, unit))
            ):
                before = "".join(f"/{segment}" for segment in segments[:start])
                return "repeating_path", f"{before}/({'/'.join(unit)}/)*", ""
    for segment in segments:
        if not segment.isdigit() and segments.count(segment) > 3:
            first = segments.index(segment)
            before = "".join(f"/{other}" for other in segments[:first])
            return "repeating_path", f"{before}/{segment}/*/{segment}/*", ""
    return None


def _growing(segments: list[str], names: list[str]) -> _Found:
    if len(segments) > MAX_SEGMENTS:
        return "growing_url", f"/{'/'.join(segments[:2])}/*: more than {MAX_SEGMENTS} levels", ""
    if len(names) > MAX_PARAMETERS:
        pattern = f"{_path(segments)}?*: more than {MAX_PARAMETERS} parameters"
        return "growing_url", pattern, ""
    return None


def _session(segments: list[str], names: list[str]) -> _Found:
    """A segment that no person chose: 16 hexadecimal digits, a UUID, 20 mixed characters."""
    shown = ["{id}" if _IDENTIFIER.fullmatch(segment) else segment for segment in segments]
    if shown == segments:
        return None
    query = f"?{'&'.join(sorted({f'{name}=' for name in names}))}" if names else ""
    return "session_id", _path(shown) + query, ""


def _calendar(segments: list[str], query: str) -> _Found:
    """A path that ends in a date, or a view of one; a parameter that is a date or names one.

    ``/2024/05/my-first-post`` is an article. Months and days are different patterns.
    """
    shown: list[str] = []
    for segment in segments:
        finer = _FINER.get(shown[-1]) if shown else None
        if finer and _IS_MONTH_OR_DAY.fullmatch(segment):
            shown[-1] = "{week}" if segment[0] in "wW" else finer
        else:
            shown.append(_date(segment) or segment)
    place = -2 if len(shown) > 1 and shown[-1].lower() in _VIEWS else -1
    is_date = bool(shown) and shown[place] in _PLACEHOLDERS
    parameters = set()
    for part in filter(None, query.split("&")):
        name, _, value = part.partition("=")
        found = _date(value) if len(value) > 5 else None
        if found or (name.lower() in _DATE_NAMES and _DIGITS.search(value)):
            is_date = True
            parameters.add(f"{name}={found or '{n}'}")
        else:
            parameters.add(f"{name}=")
    if not is_date:
        return None
    pattern = "/" + "/".join(shown)
    return "calendar", pattern + (f"?{'&'.join(sorted(parameters))}" if parameters else ""), ""


def _date(text: str) -> str | None:
    for name, pattern in _DATES:
        if pattern.fullmatch(text):
            return name
    return None


def _query(segments: list[str], query: str, names: list[str]) -> _Found:
    distinct = sorted(set(names))
    values = [part.partition("=")[2] for part in query.split("&")]
    if len(distinct) == 1 and names[0].lower() in _PAGE_NAMES and _NUMBERS.fullmatch(values[0]):
        return "pagination", f"/{'/'.join(segments)}?{names[0]}={{n}}", ""
    pattern = f"{_path(segments)}?{'&'.join(f'{name}=' for name in distinct)}"
    if len(distinct) == 1:
        return "parameter", pattern, f"?{distinct[0]}="
    return "facets", pattern, f"{_path(segments)}?"


def _numbers(segments: list[str]) -> _Found:
    """A path that ends in a number: ``/blog/page/7`` counts, so may ``/item/7``."""
    if not segments or not _NUMBERS.fullmatch(segments[-1]):
        return None
    before = "/".join(segments[:-1])
    if len(segments) > 1 and segments[-2].lower() in _PAGE_NAMES:
        return "pagination", f"/{before}/{{n}}", ""
    return "numbers", _path([*segments[:-1], "{n}"]), ""


def _path(segments: list[str]) -> str:
    """A path as a pattern: numbers are any number, the last segment any page, a script itself."""
    shown = ["{n}" if segment.isdigit() else segment for segment in segments]
    if shown and not (shown[-1].startswith("{") or _SCRIPT.search(shown[-1])):
        shown[-1] = "*"
    return "/" + "/".join(shown)
