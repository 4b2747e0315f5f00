"""Pages out of the templates, styles and scripts in ``page/``, each with a policy of its own.

Their policy allows what is inlined, and no request; so a logo is inlined, too.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from sitemapgen.analysis.freshness.trust import DAY
from sitemapgen.core import words
from sitemapgen.core.hints import ARGUMENT, option
from sitemapgen.core.words import clauses, counted
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.report.sections.growth import changes_in_words
from sitemapgen.report.sections.pages import blank_in_words
from sitemapgen.store.results import NOTICED

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.bccache import Bucket, BytecodeCache
    from markupsafe import Markup

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
    return NONE if share is None else words.percent(share)


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


STYLE = "report.css"


def fill_template(
    name: str, scripts: tuple[str, ...], values: dict[str, Any], file: BinaryIO
) -> None:
    """Write the page of the template ``name``, with the style of all pages and these scripts.

    It is written while it is made, as it is large.
    """
    template = _make_environment().get_template(name)
    template.stream(_read_assets(scripts), **values).dump(file, "utf-8", "replace")


@cache
def _read_assets(names: tuple[str, ...]) -> dict[str, Any]:
    """Return style and scripts, and the policy that allows only these."""
    from markupsafe import Markup  # noqa: PLC0415 - for reports only

    style, scripts = _read_template(STYLE), [_read_template(name) for name in names]
    allowed = " ".join(map(source_hash, scripts))
    return {
        "policy": f"default-src 'none'; script-src {allowed}; style-src {source_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        "style": Markup(style),  # noqa: S704 - ours, without a closing tag
        "scripts": [Markup(script) for script in scripts],  # noqa: S704
    }


def _read_template(name: str) -> str:
    path = resources.files("sitemapgen.report").joinpath("page", *name.split("/"))
    return path.read_text("utf-8")


def source_hash(text: str) -> str:
    """Return the source expression of an inline element for a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def make_environment(**options: Any) -> Environment:
    """Return an environment that escapes values, and refuses names without one.

    ``options``: further arguments of Jinja's own.
    """
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - for reports only

    return Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, **options
    )


@cache
def _make_environment() -> Environment:
    from jinja2 import FunctionLoader  # noqa: PLC0415

    environment = make_environment(
        bytecode_cache=_bytecode_cache(), loader=FunctionLoader(_read_template)
    )
    environment.filters.update(FILTERS)
    environment.globals["clauses"] = clauses
    return environment


def _bytecode_cache() -> BytecodeCache | None:
    """Return a cache for compiled templates, whose compilation takes as long as 50 pages.

    Jinja's directory for it is the user's own, below that of temporary files.
    """
    from jinja2 import FileSystemBytecodeCache  # noqa: PLC0415

    class Cache(FileSystemBytecodeCache):
        def dump_bytecode(self, bucket: Bucket) -> None:
            with suppress(OSError):
                super().dump_bytecode(bucket)

    try:
        return Cache()
    except (OSError, RuntimeError):  # nowhere to write, or not ours alone
        return None


MAX_BYTES = 1_000_000
"""Maximum bytes of a logo, which is a part of each report."""
TYPES = (
    ("image/png", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("image/jpeg", re.compile(rb"\xff\xd8\xff")),
    ("image/gif", re.compile(rb"GIF8[79]a")),
    ("image/webp", re.compile(rb"RIFF....WEBP", re.DOTALL)),
    (
        "image/svg+xml",
        re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|<\?[^>]*>|<!--[^>]*-->|<!DOCTYPE[^>]*>)*<svg[\s>]"),
    ),
)
"""Types that each browser shows, by their first bytes; scripts of an SVG do not run in an image."""


def read_logo(path: Path) -> str:
    """Return the image in a file as a ``data:`` URL.

    Raises CrawlError if it cannot be read or is no image.
    """
    try:
        with path.open("rb") as file:
            image = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unusable(f"{path} cannot be read: {error.strerror}") from error
    if len(image) > MAX_BYTES:
        raise _unusable(f"{path} is larger than {MAX_BYTES:,} bytes; scale it down")
    for media_type, begin in TYPES:
        if begin.match(image):
            return f"data:{media_type};base64,{base64.b64encode(image).decode()}"
    raise _unusable(f"{path} is no image; give a PNG, JPEG, GIF, WebP or SVG file")


def _unusable(sentence: str) -> CrawlError:
    return CrawlError(Exit.ARGUMENTS, f"report_logo: {sentence}")
