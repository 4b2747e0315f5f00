"""Suspicion by form: URLs that may belong to an endless space (calendar, facet search, counter).

A form proves nothing, so no URL is refused for it: a suspect waits until the ordinary pages are
done, and is then fetched in batches. In ``analysis/kinds``, ``yields.py`` decides what is released
and when a pattern is endless, ``patterns.py`` which values separate patterns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sitemapgen.core.urls import split, split_parameters
from sitemapgen.items import Suspicion

_Parameters = tuple[tuple[str, str], ...]

MAX_SEGMENTS = 12
"""Path segments of a URL beyond which it counts as growing; few deeper paths are made by hand."""
MAX_PARAMETERS = 8
"""Query parameters of a URL beyond which it counts as growing."""
MAX_PATTERN = 200
"""Characters of a pattern; a longer one is cut."""
MAX_CONSTANT = 32
"""Maximum characters of a value that may separate patterns, such as ``commit`` in ``a=commit``."""


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
DATE_NAMES = frozenset(
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
_COUNTING_NAMES = DATE_NAMES | _PAGE_NAMES
_PLACEHOLDERS = frozenset({"{day}", "{week}", "{month}", "{year}"})
_DATE_PLACEHOLDER = re.compile(r"\{(?:day|week|month|year)\}")
_SEPARATORS = re.compile(r"[&;]")
_HEX = re.compile(r"[0-9a-f-]+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ROTATED_HEX = str.maketrans("0123456789abcdef", "123456789abcdef0")
_ROTATED = str.maketrans(
    _LETTERS + _LETTERS.upper(),
    _LETTERS[7:] + _LETTERS[:7] + _LETTERS[7:].upper() + _LETTERS[:7].upper(),
)
_DIGITS = re.compile(r"[0-9]+")
_NUMBERS = re.compile(r"-?[0-9]{1,18}")
_IDENTIFIER = re.compile(
    r"[+@~!]?(?:[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}|s?[0-9a-f]{16,}"
    r"|(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])[0-9A-Za-z_-]{20,}"
    r"|(?=[^a-z]*[a-z])(?=(?:[^0-9]*[0-9]){4})[0-9a-z]{20,})"
)
_COMMIT = re.compile(r"[+@~!]?(?=.*[0-9])(?=.*[a-f])[0-9a-f]{7,}")
"""The shortest that version control systems show."""
_WORTH_A_LOOK = re.compile(r"[?:=0-9]|/[^/]*/[^/]*/|[A-Fa-f]{16}")


FAR_YEAR = 2190
"""The year before those of made-up URLs."""
FURTHER = 10_000
"""Least distance of a number that is further on: beyond those that a chain of pages has led to."""


class Shape(NamedTuple):
    """Form of a suspicious URL: the parts that its family shares, and those that vary."""

    kind: str
    """Kind of suspicion, as in ``Suspicion``."""
    path: tuple[str, ...]
    """Segments; numbers, dates and identifiers as placeholders (``{n}``, ``{day}``, ``{id}``)."""
    parameters: tuple[tuple[str, str], ...]
    """(name, value), sorted; the value is empty where it can never separate patterns."""
    fixed: str = ""
    """The whole pattern, for kinds in which no value separates patterns; else empty."""

    @property
    def family(self) -> str:
        """The common form of all URLs that differ only in words and values.

        >>> shape("https://example.com/git/commit/?id=7").family
        '/*/*?id='
        """
        words = ("" if segment[0] == "{" else "*" for segment in self.path)
        segments = (word or segment for word, segment in zip(words, self.path))
        names = (f"{name}=" for name, _ in self.parameters)
        return self.fixed or _joined(segments, names)

    def pattern(self, constants: frozenset[tuple[str, str]]) -> str:
        """Return the URL without its variable parts.

        ``constants``: (slot, value) pairs that separate patterns; a slot is the position of a
        segment, or the name of a parameter.

        >>> found = shape("https://example.com/git/commit/?id=7")
        >>> found.pattern(frozenset({("0", "git"), ("1", "commit")}))
        '/git/commit?id='
        """
        segments = (
            segment if segment[0] == "{" or (str(at), segment) in constants else "*"
            for at, segment in enumerate(self.path)
        )
        names = (
            f"{name}={value if value and (name, value) in constants else ''}"
            for name, value in self.parameters
        )
        return self.fixed or _joined(segments, names)

    @property
    def is_identified(self) -> bool:
        """Whether it has the number or identifier of an item, not of a list page or a day."""
        return not {"{n}", "{id}"}.isdisjoint(self.path) or any(
            not value and name.lower() not in _COUNTING_NAMES for name, value in self.parameters
        )

    @property
    def is_dated(self) -> bool:
        """Whether it has a date."""
        return not _PLACEHOLDERS.isdisjoint(self.path) or any(
            not value and name.lower() in DATE_NAMES for name, value in self.parameters
        )

    def slots(self) -> list[tuple[str, str]]:
        """Return (slot, value) of all that may separate patterns: path words and short values."""
        if self.fixed:
            return []
        words = [(str(at), word) for at, word in enumerate(self.path) if word[0] != "{"]
        return words + [(name, value) for name, value in self.parameters if value]


def _joined(segments: Iterable[str], parameters: Iterable[str]) -> str:
    query = "&".join(dict.fromkeys(parameters))
    return f"/{'/'.join(segments)}{'?' if query else ''}{query}"[:MAX_PATTERN]


def space(pattern: str) -> str:
    """Return the space that a pattern is part of: its path, with dates of any granularity merged.

    >>> space("/events/{month}?view=list"), space("/events/{day}/week")
    ('/events/{date}', '/events/{date}')
    """
    path = pattern.partition("?")[0].partition("/(")[0]
    head, _, last = path.rpartition("/")
    if last.lower() in _VIEWS and head.endswith("}"):
        path = head
    return _DATE_PLACEHOLDER.sub("{date}", path)


def topic(pattern: str) -> str:
    """Return the space of a pattern, with the parameter values that separate patterns.

    So the commits of a repository count as new, though its logs name all of them.

    >>> topic("/?a=commit&h="), topic("/?a=log&h=")
    ('/?a=commit', '/?a=log')
    """
    constants = [part for part in pattern.partition("?")[2].split("&") if part.partition("=")[2]]
    return f"{space(pattern)}?{'&'.join(constants)}" if constants else space(pattern)


def suspect(url: str) -> Suspicion | None:
    """Return the suspicion of a normalised URL; None if its form is not suspicious.

    >>> suspect("https://example.com/events/2031/07/")
    Suspicion(kind='calendar', family='/*/{month}')
    >>> suspect("https://example.com/about") is None
    True
    """
    found = shape(url)
    return found and Suspicion(found.kind, found.family)


def shape(url: str) -> Shape | None:
    """Return the shape of a normalised URL if it is suspicious, else None."""
    if not _WORTH_A_LOOK.search(url, url.index("/", 8)):
        return None
    _, path, query = split_parameters(url)
    segments = [segment for segment in path.split("/") if segment]
    parameters = _parameters(query)
    return (
        _repeating(segments)
        or _growing(segments, parameters)
        or _session(segments, parameters)
        or _calendar(segments, parameters)
        or (_query(segments, parameters) if query else _numbers(segments))
    )


def plain_shape(url: str) -> Shape:
    """Return the shape of a URL whose form is not suspicious; its kind is empty."""
    _, path, query = split_parameters(url)
    segments = [_DIGITS.sub("{n}", segment) for segment in path.split("/") if segment]
    return Shape("", tuple(segments[:MAX_SEGMENTS]), _parameters(query))


def made_up(url: str, pattern: str, seed: int) -> str:
    """Return a made-up URL of the same pattern: its numbers and words are changed.

    ``seed`` selects different ones. A site that answers it like the real ones generates its pages.

    >>> made_up("https://example.com/item/17", "/item/{n}", 1)
    'https://example.com/item/17000058'
    >>> made_up("https://example.com/maze/lorem?id=4f&a=b", "/maze/*?a=b&id=", 1)
    'https://example.com/maze/svylt?a=b&id=50'
    """
    origin, path, query = split(url)
    places = pattern.partition("?")[0].split("/")
    segments = path.split("/")
    if len(places) in (len(segments), len(segments) - 1):
        last = max(
            (at for at, place in enumerate(places) if place[:1] in "*{" and place), default=0
        )
        segments[last] = _changed(segments[last], seed) if last else segments[last]
    elif not query:
        segments[-1] = _changed(segments[-1], seed)
    constants = pattern.partition("?")[2].split("&")
    parts = [
        f"{name}={value}" if f"{name}={value}" in constants else f"{name}={_changed(value, seed)}"
        for name, value in _parameters(query)
    ]
    return origin + "/".join(segments) + ("?" if parts else "") + "&".join(parts)


def _changed(text: str, seed: int) -> str:
    if _date(text) and not text.isdigit():
        return f"{FAR_YEAR + seed}{text[4:]}"
    if text.isdigit() and len(text) < 9:
        return str(int(text) * (1_000_003 if seed == 1 else 1_000_033) + 7 * seed)
    changed = text
    for _ in range(seed):
        changed = changed.translate(_ROTATED_HEX if _HEX.fullmatch(changed) else _ROTATED)
    return changed if changed != text else f"{text}{_LETTERS[-seed:]}"


def further(url: str, pattern: str, seed: int) -> str:
    """Return a URL of the same pattern further on: an identifier, date or number of it is changed.

    >>> further("https://example.com/diary?month=24317", "/diary?month=", 1)
    'https://example.com/diary?month=82951'
    >>> further("https://example.com/map?lat=52.5&lon=13", "/map?lat=&lon=", 2)
    'https://example.com/map?lat=52.20020&lon=13'
    """
    _, path, query = split(url)
    places, _, values = pattern.partition("?")
    constants = values.split("&")
    parts = [
        *(text for place, text in zip(places.split("/"), path.split("/")) if place[:1] == "{"),
        *(value for name, value in _parameters(query) if f"{name}={value}" not in constants),
    ]
    parts = sorted(filter(_DIGITS.search, parts), key=lambda text: not _IDENTIFIER.fullmatch(text))
    if not parts:
        return made_up(url, pattern, seed)
    text = parts[0]
    if _IDENTIFIER.fullmatch(text) or (_date(text) and not text.isdigit()):
        changed = _changed(text, seed)
    else:
        *_, last = _DIGITS.finditer(text)
        is_year = len(last[0]) == 4 and last[0][:2] in ("19", "20")
        number = FAR_YEAR + seed if is_year else int(last[0]) * (2 + seed) + FURTHER * seed
        changed = f"{text[: last.start()]}{number}{text[last.end() :]}"
    return changed.join(url.rsplit(text, 1))


def base(url: str) -> str:
    """Return the URL without the parts that make it a variant: its query and its identifiers.

    >>> base("https://example.com/s/9f8a7b6c5d4e3f2a/about?print=1")
    'https://example.com/s/about'
    """
    origin, path, _ = split(url)
    return origin + "/".join(
        segment for segment in path.split("/") if not _IDENTIFIER.fullmatch(segment)
    )


def _parameters(query: str) -> tuple[tuple[str, str], ...]:
    """Return (name, value) of a query, sorted; ``;`` separates like ``&`` (HTML 4.01, B.2.2)."""
    if not query:
        return ()
    found = set()
    for part in _SEPARATORS.split(query):
        name, equals, value = part.partition("=")
        found.add((name, value) if equals else ("", part))
    return tuple(sorted(found))


def _repeating(segments: list[str]) -> Shape | None:
    """Detect a repeated word: relative links that nest, or a folder named like another one."""
    if len({*segments}) == len(segments):
        return None
    times = Counter(segment for segment in segments if not segment.isdigit())
    twice = {word for word, count in times.items() if count > 1}
    if not twice:
        return None
    before = "" if segments[0] in twice else f"/{segments[0]}"
    pattern = f"{before}/({'/'.join(sorted(twice))}/)*"
    return Shape("repeating_path", (), (), pattern[:MAX_PATTERN])


def _growing(segments: list[str], parameters: _Parameters) -> Shape | None:
    if len(segments) > MAX_SEGMENTS:
        more = f"/*: more than {MAX_SEGMENTS} levels"
    elif len(parameters) > MAX_PARAMETERS:
        more = f"?*: more than {MAX_PARAMETERS} parameters"
    else:
        return None
    pattern = f"/{'/'.join(map(_segment, segments[:2]))}{more}"
    return Shape("growing_url", (), (), pattern[:MAX_PATTERN])


def _session(segments: list[str], parameters: _Parameters) -> Shape | None:
    """Detect a machine-made segment: 16 hexadecimal digits, a UUID, 20 mixed characters."""
    if not any(map(_IDENTIFIER.fullmatch, segments)):
        return None
    return Shape("session_id", tuple(map(_segment, segments)), _values(parameters))


def _calendar(segments: list[str], parameters: _Parameters) -> Shape | None:
    """Detect a path that ends in a date or a view of one, or a parameter with a date.

    ``/2024/05/my-first-post`` is an article. Months and days are different patterns.
    """
    shown: list[str] = []
    for segment in segments:
        finer = _FINER.get(shown[-1]) if shown else None
        if finer and _IS_MONTH_OR_DAY.fullmatch(segment):
            shown[-1] = "{week}" if segment[0] in "wW" else finer
        else:
            shown.append(_date(segment) or _segment(segment))
    place = -2 if len(shown) > 1 and shown[-1].lower() in _VIEWS else -1
    is_date = bool(shown) and shown[place] in _PLACEHOLDERS
    is_date |= any(
        (len(value) > 5 and _date(value)) or (name.lower() in DATE_NAMES and _DIGITS.search(value))
        for name, value in parameters
    )
    return Shape("calendar", tuple(shown), _values(parameters)) if is_date else None


class VersionUrl(NamedTuple):
    """A URL that may be a version of a page, under an identifier or a word."""

    url: str
    place: str
    """What all URLs have in common that are versions for the same reason."""
    value: str
    rest: str
    """What the versions of a page have in common beside that."""
    name: str = ""
    """The parameter that has the value; empty for a segment of the path."""
    kind: str = ""
    """Values of other parameters that separate patterns."""

    @property
    def path(self) -> str:
        """The same without the parameters that follow a path."""
        return self.rest if self.name else self.rest.partition("?")[0]

    @classmethod
    def in_path(cls, url: str, fits: Callable[[str], bool] = bool) -> Iterator[VersionUrl]:
        """Yield the versions that a URL may be, one for each segment with a path behind it.

        ``fits``: whether a segment may be that of a version.

        >>> _, version, _ = VersionUrl.in_path("https://a.test/file/8eef71edc3ae/src/a.c")
        >>> version.place, version.value, version.rest
        ('https://a.test/file/', '8eef71edc3ae', 'src/a.c')
        """
        path = url.partition("?")[0]
        start = path.find("/", path.find("://") + 3) + 1
        while start and (end := path.find("/", start)) > 0:
            if end + 1 < len(path) and fits(path[start:end]):
                yield cls(url, url[:start], url[start:end], url[end + 1 :])
            start = end + 1


def is_identifier(segment: str) -> bool:
    """Return whether a segment of a path is a number, or an identifier, as that of a commit.

    >>> [*map(is_identifier, ("2026", "8eef71edc3ae", "+8eef71e", "tip", "facade"))]
    [True, True, True, False, False]
    """
    return any(each.fullmatch(segment) for each in (_NUMBERS, _IDENTIFIER, _COMMIT))


def is_date_segment(segment: str) -> bool:
    """Return whether a segment of a path is a year, or a date that begins with one."""
    return _date(segment) is not None


def _date(text: str) -> str | None:
    if text[:1] not in ("1", "2"):  # most words; faster than the patterns
        return None
    for name, pattern in _DATES:
        if pattern.fullmatch(text):
            return name
    return None


def _query(segments: list[str], parameters: _Parameters) -> Shape:
    path = tuple(map(_segment, segments))
    if len(parameters) > 1:
        return Shape("facets", path, _values(parameters))
    ((name, value),) = parameters
    is_page = name.lower() in _PAGE_NAMES and _NUMBERS.fullmatch(value)
    return Shape("pagination" if is_page else "parameter", path, _values(parameters))


def _numbers(segments: list[str]) -> Shape | None:
    """Detect a path that ends in a number: ``/blog/page/7`` is a counter, ``/item/7`` may be."""
    if not segments or not _NUMBERS.fullmatch(segments[-1]):
        return None
    is_page = len(segments) > 1 and segments[-2].lower() in _PAGE_NAMES
    return Shape("pagination" if is_page else "numbers", tuple(map(_segment, segments)), ())


def _segment(segment: str) -> str:
    if _NUMBERS.fullmatch(segment):
        return "{n}"
    return "{id}" if _IDENTIFIER.fullmatch(segment) else segment.replace("{", "(")


def _values(parameters: _Parameters) -> _Parameters:
    """Return the parameters without values that are a date, a page number or an identifier."""
    return tuple(
        sorted({(name, "" if _is_variable(name, value) else value) for name, value in parameters})
    )


def _is_variable(name: str, value: str) -> bool:
    return (
        len(value) > MAX_CONSTANT
        or (name.lower() in _COUNTING_NAMES and _DIGITS.search(value) is not None)
        or _IDENTIFIER.fullmatch(value) is not None
        or (len(value) > 5 and _date(value) is not None)
    )
