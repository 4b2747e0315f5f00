"""Words and numbers of the pages: the filters of their templates."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sitemapgen.core import words as words_of
from sitemapgen.core.hints import ARGUMENT, option
from sitemapgen.core.words import counted
from sitemapgen.report.sections.growth import changes_in_words
from sitemapgen.report.sections.pages import blank_in_words
from sitemapgen.store.results import NOTICED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from markupsafe import Markup

DAY = 86_400
NONE = "\N{EN DASH}"
"""Text for a missing number."""


def option_hints(text: str) -> Markup:
    """Return a text whose arguments are options of ``sitemapgen``; a tooltip has Scrapy's.

    >>> print(option_hints("<b>; -a max_depth=0"))
    &lt;b&gt;; <span class="hint" title="scrapy: -a max_depth=0">--max-depth 0</span>
    """
    from markupsafe import Markup, escape  # noqa: PLC0415 - for reports only

    shown = Markup('<span class="hint" title="scrapy: {}">{}</span>')
    parts, end = [], 0
    for match in ARGUMENT.finditer(text):
        parts += [
            escape(text[end : match.start()]),
            shown.format(match[0], option(match)),
        ]
        end = match.end()
    return Markup("").join([*parts, escape(text[end:])])


def clip_text(text: object, length: int = 200) -> str:
    """Shorten a text to ``length`` characters.

    >>> clip_text("abcdef", 4)
    'abc…'
    """
    whole = str(text)
    return whole if len(whole) <= length else whole[: length - 1] + "…"


def format_number(value: float | None) -> str:
    """Format a count with separators; None becomes a dash.

    >>> format_number(1234567), format_number(None) == NONE
    ('1,234,567', True)
    """
    return NONE if value is None else f"{value:,}"


def percent(share: float | None) -> str:
    """Format a share from 0 to 1; None becomes a dash.

    >>> percent(0.123), percent(None) == NONE
    ('12.3%', True)
    """
    return NONE if share is None else words_of.percent(share)


def as_filter(columns: Mapping[str, Iterable[object]]) -> str:
    """Format a filter of report.json as the attribute that the page's script reads.

    >>> as_filter({"verdict": ["redirect", "noindex"], "in_sitemap": [1]})
    '{"verdict": ["redirect", "noindex"], "in_sitemap": ["1"]}'
    """
    return json.dumps({name: list(map(str, values)) for name, values in columns.items()})


def largest_bin(histogram: Iterable[Mapping[str, Any]], *names: str) -> Mapping[str, Any]:
    """Return the bin with the largest sum of these fields, the first of equal ones."""
    return max(histogram, key=lambda bin_: sum(bin_[name] for name in names))


def verdict_counts(counts: Iterable[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Return verdicts with their counts."""
    return [(count["verdict"], count["count"]) for count in counts]


def seconds(value: float | None) -> str:
    """Format the time of a response; None is below what is kept.

    >>> seconds(1.2), seconds(None)
    ('1.2 s', 'under 1 s')
    """
    return f"{value:,.1f} s" if value else f"under {NOTICED:g} s"


def shorten_url(url: str, origin: str) -> str:
    """Shorten a URL of the site to its path and query.

    >>> shorten_url("https://example.com/a", "https://example.com")
    '/a'
    """
    return clip_text(url[len(origin) :] if url.startswith(f"{origin}/") else url)


def format_span(seconds: float) -> str:
    """Format a length of time in the largest unit that it fills.

    >>> format_span(86_400 * 29.5), format_span(-5_400), format_span(60)
    ('29.5 days', '1.5 hours', '1 minute')
    """
    seconds = abs(seconds)
    units = (("day", DAY), ("hour", 3_600), ("minute", 60), ("second", 1))
    name, size = next((unit for unit in units if seconds >= unit[1]), units[-1])
    value = f"{seconds / size:,.1f}".removesuffix(".0")
    return f"{value} {name}" if value == "1" else f"{value} {name}s"


FILTERS: dict[str, Callable[..., Any]] = {
    "as_filter": as_filter,
    "blank": blank_in_words,
    "changes": changes_in_words,
    "clip": clip_text,
    "counted": counted,
    "hints": option_hints,
    "most": largest_bin,
    "number": format_number,
    "pairs": verdict_counts,
    "percent": percent,
    "seconds": seconds,
    "shown": shorten_url,
    "span": format_span,
}
"""Every filter by its name in a template."""
