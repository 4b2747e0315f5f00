"""Options of the published files, as the user gives them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from typing_extensions import Self

from sitemapgen.core.sitemap_files.validate import CHANGEFREQS
from sitemapgen.core.urls import Patterns
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.params import Params
from sitemapgen.publish import html_pages
from sitemapgen.publish.file_names import public_directory

PRIORITY, CHANGEFREQ = "SITEMAPGEN_PRIORITY", "SITEMAPGEN_CHANGEFREQ"


class ByPattern:
    """Values of URLs: that of the first pattern that matches."""

    def __init__(self, values: Mapping[str, str]) -> None:
        """``values``: pattern -> value; patterns as those of ``include`` and ``exclude``."""
        self._values = [(Patterns(pattern), value) for pattern, value in values.items()]

    def __bool__(self) -> bool:
        return bool(self._values)

    def of(self, url: str) -> str:
        """Return the value of a normalised URL; empty if no pattern matches.

        >>> prices = ByPattern({"/shop/sale/*": "1.0", "/shop/*": "0.8"})
        >>> prices.of("https://example.com/shop/sale/1"), prices.of("https://example.com/")
        ('1.0', '')
        """
        return next((value for patterns, value in self._values if patterns.match(url)), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSettings:
    """The checked settings."""

    priorities: ByPattern = ByPattern({})  # noqa: RUF009 - it never changes
    changefreqs: ByPattern = ByPattern({})  # noqa: RUF009
    html_template: Path | None = None
    """The user's template of sitemap.html; None for ours."""

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """Read and check the settings. Raises CrawlError for the first that is wrong."""
        template = str(settings[html_pages.SETTING] or "").strip()
        path = Path(template) if template else None
        html_pages.check_template(path)
        return cls(
            priorities=ByPattern(
                _read_table(settings, PRIORITY, '{"/blog/*": 0.8}', read_priority)
            ),
            changefreqs=ByPattern(
                _read_table(settings, CHANGEFREQ, '{"/blog/*": "daily"}', read_changefreq)
            ),
            html_template=path,
        )


def _read_table(
    settings: Mapping[str, Any], name: str, example: str, check: Callable[[str], str]
) -> dict[str, str]:
    given = settings[name]
    try:
        table = json.loads(given or "{}") if isinstance(given, str) else dict(given or {})
    except (TypeError, ValueError):
        table = None
    if not isinstance(table, dict):
        words = f"{name}: {given!r} is no table of patterns and values; write it like {example}"
        raise CrawlError(Exit.ARGUMENTS, words)
    values = {}
    for pattern, value in table.items():
        if not (isinstance(pattern, str) and Patterns(pattern)):
            words = f"{name}: {pattern!r} is no pattern; write it like {example}"
            raise CrawlError(Exit.ARGUMENTS, words)
        try:
            values[pattern] = check(str(value).strip())
        except ValueError as error:
            words = f"{name}: {value!r}, the value of {pattern}, {error}"
            raise CrawlError(Exit.ARGUMENTS, words) from None
    return values


def read_priority(given: str) -> str:
    """Return a priority as sitemaps have it. Raises ValueError."""
    try:
        value = float(given)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:  # nan is not, either
        raise ValueError("is no priority; use a number from 0 to 1")
    whole, _, part = f"{value:.2f}".partition(".")
    return f"{whole}.{part[0]}{part[1].strip('0')}"


def read_changefreq(given: str) -> str:
    """Return a changefreq unchanged. Raises ValueError."""
    if given not in CHANGEFREQS:
        raise ValueError(f"is no changefreq; use one of {', '.join(CHANGEFREQS)}")
    return given


# Beyond what XML 1.0 section 2.2 forbids: white space and control characters, which XML readers
# fold and which break the lines of the text format.
WEB_ADDRESS = re.compile(r"https?://[^\s\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The user's choices for the files. Raises ValueError for a base_url that is none."""

    base_url: str
    """URL of the directory that the files will be served from, with a slash at its end."""
    formats: frozenset[str] = frozenset({"xml"})
    """Values of the argument ``formats``; XML is always written."""
    extensions: frozenset[str] = frozenset()
    """Of ``hreflang``, ``images``, ``videos``, ``news``; with the latter, ``sitemap.xml`` is always
    the index."""
    stylesheet: Literal["none", "xsl", "css"] = "none"
    """Stylesheets that the XML files name for browsers: ``formats.STYLESHEETS``."""
    gzip: bool = False
    """Compress the XML parts; ``sitemap.xml`` is then always the index and keeps its name."""
    priority: Literal["depth", "pagerank", "none"] = "depth"
    changefreq: Literal["none", "observed"] = "none"
    layout: Literal["size", "section", "recency", "log"] = "size"
    """Distribution of URLs to parts; all layouts but ``size`` always have an index."""
    settings: OutputSettings = OutputSettings()

    def __post_init__(self) -> None:
        if not (WEB_ADDRESS.fullmatch(self.base_url) and self.base_url.endswith("/")):
            raise ValueError(
                f"base_url: {self.base_url!r} is not a folder on the web; "
                "write it like https://example.com/ with a slash at the end"
            )

    @classmethod
    def of(cls, params: Params, start: str, settings: OutputSettings) -> Self:
        """Take the options from the arguments of a crawl that began at ``start``."""
        return cls(
            base_url=public_directory(params.base_url, start),
            layout=params.layout,
            formats=params.formats,
            extensions=params.extensions,
            stylesheet=params.stylesheet,
            gzip=params.gzip,
            priority=params.priority,
            changefreq=params.changefreq,
            settings=settings,
        )
