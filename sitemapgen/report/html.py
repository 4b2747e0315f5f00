"""report.html: the audit as one page that opens offline, for the person who decides what to fix.

Its only sources are report.json and the rows of urls.csv: same data, same bytes. Template, style
and scripts: ``page/``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from contextlib import suppress
from datetime import datetime
from functools import cache
from importlib import resources
from itertools import islice
from typing import TYPE_CHECKING, Any

from sitemapgen.core import words as words_of
from sitemapgen.core.urls import split
from sitemapgen.core.words import clauses, counted
from sitemapgen.report.scatter import Axis, Dot, scatter
from sitemapgen.report.sections.changes import changes_in_words
from sitemapgen.report.sections.pages import blank_in_words
from sitemapgen.verdicts import DateFault, Stage, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import BinaryIO

    from jinja2 import Template
    from jinja2.bccache import Bucket, BytecodeCache
    from markupsafe import Markup

    from sitemapgen.store.results import UrlRow

ROWS = "@@rows@@"
"""Placeholder in the template for the rows, which are too large to pass through it."""

MAX_ROWS = 100_000
"""Maximum number of URLs in the page's table, which a browser sorts in a second."""
MAX_BYTES = 64 << 20
"""Maximum bytes of the table's JSON, unpacked: long titles lead to fewer rows."""
MAX_CELL = 400
"""Maximum characters of a cell, except URLs; of text in the sections: ``clip``."""
CHUNK = 2_000
"""Number of rows that are packed together by column, a third smaller than by row."""
LEVEL = 4
"""Compression level of zlib; 6 takes twice the time to save 4 % of the page."""

SECTIONS = {
    "priorities": "What to fix first",
    "changes": "What has changed",
    "not_looked_at": "What was not looked at",
    "coverage": "Coverage",
    "missing": "What the sitemaps lack",
    "wasted": "What they should not list",
    "indexed": "What is indexed",
    "funnel": "From seen to listed",
    "depth": "Depth",
    "links": "Links and PageRank",
    "tree": "The site by path",
    "duplicates": "Duplicates",
    "redirects": "Redirects",
    "orphans": "Orphans",
    "broken_links": "Broken links",
    "traps": "Traps",
    "rendering": "Rendering",
    "growth": "New URLs",
    "titles": "Titles and descriptions",
    "lastmod": "Dates of last change",
    "sitemaps": "Sitemap files",
    "urls": "All URLs",
}
"""The sections of the page, in their order; most are named after a field of report.json.

Each is a template of its name in ``page/sections/``.
"""
ELSEWHERE = {
    "blank": "rendering",
    "shared_canonical": "duplicates",
    "dead_ends": "dead_ends",
    "distrusted_lastmods": "lastmod",
    "lastmod_trust": "lastmod",
    "hreflang": "hreflang",
    "table_1": "sitemaps",
}
"""Other fields of report.json -> anchor of the section that shows them."""

MISSING = {
    "missing_content": "other pages that should be listed",
    "errors": "errors",
    "redirects": "redirects",
    "duplicates_extra_parameter": "duplicates by an extra parameter",
    "duplicates_other": "other duplicates",
    "traps": "traps",
    "noindex": "pages that forbid indexing",
    "not_pages": "no HTML pages",
    "table_of_contents": "tables of contents",
    "image_dominated": "pages that show an image and hardly a word",
    "subset": "parts of longer pages",
    "other": "other reasons",
}
STEPS = {
    Stage.SEEN: "every URL that a link or a sitemap names",
    Stage.FETCHED: "those that were requested",
    Stage.ELIGIBLE: "pages that answer and may be indexed",
    Stage.LISTED: "one of each content",
}
"""Stages on the way into the sitemap, as the funnel describes them."""

DAY = 86_400
SPANS = (
    *(2**power / 1024 for power in range(13)),
    8,
    12,
    20,
    32,
    60,
    100,
    200,
    400,
    800,
    2_000,
    4_000,
)
"""Possible lengths of an axis in days; the first are minutes, for two crawls within an hour."""

NONE = "\N{EN DASH}"
"""Text for a missing number."""


class Table:
    """The first rows of urls.csv, packed for the page while urls.csv is written."""

    def __init__(self, start: str) -> None:
        """``start``: the start URL, whose origin is cut off from URLs."""
        self.count = 0
        self._origin = split(start).origin
        self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, wbits=31)  # gzip; its time stays 0
        self._packed, self._size = bytearray(), 0

    def watch(self, rows: Iterable[UrlRow]) -> Iterator[UrlRow]:
        """Yield all ``rows``, and keep the first of them."""
        rest = iter(rows)
        while chunk := list(islice(rest, min(CHUNK, MAX_ROWS - self.count))):
            has_room = self._keep(chunk)
            yield from chunk
            if not has_room:
                break
        yield from rest

    def finish(self) -> bytes:
        """Return gzipped lines of JSON: the column names, then chunks, each a list of columns."""
        self._packed += self._packer.flush()
        return bytes(self._packed)

    def _keep(self, chunk: list[UrlRow]) -> bool:
        """Pack rows, unless they exceed MAX_BYTES; return whether they were packed."""
        names = chunk[0]._fields
        line = _line(
            _column(name, column, self._origin) for name, column in zip(names, zip(*chunk))
        )
        self._size += len(line)
        if self._size > MAX_BYTES:
            return False
        if not self.count:
            self._packed += self._packer.compress(_line(names))
        self._packed += self._packer.compress(line)
        self.count += len(chunk)
        return True


def write(summary: Mapping[str, Any], table: Table, file: BinaryIO) -> None:
    """Write the report of ``summary``, the data of report.json, with the rows of ``table``.

    All text of the site is escaped.
    """
    origin = split(summary["start"]).origin
    page = _template().render(
        _assets(),
        r=summary,
        host=origin.partition("://")[2],
        origin=origin,
        sections=[item for item in SECTIONS.items() if item[0] != "indexed" or summary["indexed"]],
        anchors={field: ELSEWHERE.get(field, field) for field in (*SECTIONS, *ELSEWHERE)},
        verdict_rows={verdict.value: verdict.row for verdict in Verdict},
        meanings={verdict.value: verdict.row.meaning for verdict in Verdict},
        tones={verdict.value: verdict.row.tone for verdict in Verdict},
        types=MISSING,
        faults_of_dates={fault.value: fault.row for fault in DateFault},
        funnel=_funnel(summary),
        sightings=_sightings(summary["growth"]),
        embedded=table.count,
    )
    before, _, after = page.rpartition(ROWS)
    file.write(before.encode("utf-8", "replace"))
    file.write(base64.b64encode(table.finish()))
    file.write(after.encode("utf-8", "replace"))


def _funnel(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the steps from all URLs to the listed ones, with the verdicts left out at each."""
    counts, seen = summary["verdicts"], summary["seen"]
    reached = (
        seen,
        summary["fetched"],
        sum(counts[each.value] for each in Verdict if each.row.stage >= Stage.ELIGIBLE),
        summary["listed"],
    )
    return [
        {
            "name": stage.name.capitalize(),
            "meaning": meaning,
            "count": count,
            "share": count / seen if seen else None,
            "words": f"{number(count)} {stage.name.lower()}",
            "lost": [
                (each.value, counts[each.value])
                for each in Verdict
                if each.row.stage == stage - 1 and counts[each.value]
            ],
        }
        for (stage, meaning), count in zip(STEPS.items(), reached)
    ]


def _sightings(growth: Mapping[str, Any]) -> Markup | None:
    """Draw the paper's Figure 6: when sitemaps and links first had the URLs that both have."""
    from markupsafe import Markup  # noqa: PLC0415 - see _assets

    if not growth["scatter"]:
        return None
    since = datetime.fromisoformat(growth["since"])
    dots = []
    for point in growth["scatter"]:
        x, y = (days(since, point[name]) for name in ("sitemap", "links"))
        dots.append(Dot(x, y, point["urls"], counted(point["urls"], "URL")))
    last = max(max(dot.x, dot.y) for dot in dots)
    top = next((end for end in SPANS if end >= last), last)
    axes = [Axis(f"days until {name} had it", top=top) for name in ("a sitemap", "a link")]
    title = "When links and sitemaps first had the URLs that both have"
    return Markup(scatter(title, dots, *axes, has_diagonal=True))  # noqa: S704 - nothing of the site


def days(since: datetime, moment: str) -> float:
    """Return the days from one time to another.

    >>> days(datetime.fromisoformat("2024-05-01T00:00:00+00:00"), "2024-05-03T12:00:00+00:00")
    2.5
    """
    return (datetime.fromisoformat(moment) - since).total_seconds() / DAY


def _line(values: Iterable[object]) -> bytes:
    return json.dumps(list(values), separators=(",", ":")).encode() + b"\n"


def _column(name: str, cells: tuple[object, ...], origin: str) -> list[object]:
    if name in ("url", "parent", "canonical"):
        prefix, length = f"{origin}/", len(origin)
        return [
            cell[length:] if isinstance(cell, str) and cell.startswith(prefix) else cell
            for cell in cells
        ]
    return [
        cell if type(cell) is not str or len(cell) <= MAX_CELL else clip(cell, MAX_CELL)
        for cell in cells
    ]


@cache
def _assets() -> dict[str, Any]:
    """Return style and scripts, and the policy that allows only these."""
    from markupsafe import Markup  # noqa: PLC0415 - for reports only

    style = _read("report.css")
    scripts = [_read("vendor/charts.min.js"), _read("vendor/table.min.js"), _read("report.js")]
    allowed = " ".join(map(_hash, scripts))
    return {
        "policy": f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        "style": Markup(style),  # noqa: S704 - ours, without a closing tag
        "scripts": [Markup(script) for script in scripts],  # noqa: S704
    }


def _read(name: str) -> str:
    path = resources.files("sitemapgen.report").joinpath("page", *name.split("/"))
    return path.read_text("utf-8")


def _hash(text: str) -> str:
    """Return the source expression of an inline element for a Content-Security-Policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _template() -> Template:
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415

    environment = Environment(
        autoescape=True,
        bytecode_cache=_bytecode_cache(),
        loader=FunctionLoader(_read),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: dict[str, Callable[..., Any]] = {
        "clip": clip,
        "blank": blank_in_words,
        "changes": changes_in_words,
        "counted": counted,
        "firsts": firsts,
        "gains": gains,
        "newness": newness,
        "number": number,
        "percent": percent,
        "is_web": is_web,
        "flatten": flatten,
        "interval": interval,
        "most": most,
        "pairs": pairs,
        "sentence": sentence,
        "shown": shown,
        "span": span,
        "words": words,
        "as_filter": as_filter,
    }
    environment.filters.update(filters)
    return environment.get_template("report.html.jinja")


def _bytecode_cache() -> BytecodeCache | None:
    """Return a cache for the compiled template, whose compilation takes as long as 50 pages.

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


# --- filters of the template


def clip(text: object, length: int = 200) -> str:
    """Shorten a text to ``length`` characters.

    >>> clip("abcdef", 4)
    'abc…'
    """
    whole = str(text)
    return whole if len(whole) <= length else whole[: length - 1] + "…"


def number(value: float | None) -> str:
    """Format a count with separators; None becomes a dash.

    >>> number(1234567), number(None) == NONE
    ('1,234,567', True)
    """
    return NONE if value is None else f"{value:,}"


def gains(rendering: Mapping[str, int]) -> str:
    """Return what rendering added, from the section ``rendering``.

    >>> gains({"gained": 1, "gained_nothing": 0, "failed": 2})
    'it showed more than the server sent on 1, and failed on 2'
    """
    gained, nothing, failed = (rendering[name] for name in ("gained", "gained_nothing", "failed"))
    what = clauses(
        (gained, f"showed more than the server sent on {gained:,}"),
        (nothing, f"showed nothing more on {nothing:,}"),
        (failed, f"failed on {failed:,}"),
        joint=", and ",
    )
    return what and f"it {what}"


def newness(new: Mapping[str, int]) -> str:
    """Return which way new URLs came, from the section ``growth``.

    >>> newness({"sitemap": 2, "links": 0, "both": 1})
    '2 that a sitemap named first, 1 that both had in the same run'
    """
    return clauses(
        (new["sitemap"], f"{new['sitemap']:,} that a sitemap named first"),
        (new["links"], f"{new['links']:,} that links led to first"),
        (new["both"], f"{new['both']:,} that both had in the same run"),
    )


def firsts(delta: Mapping[str, float]) -> str:
    """Return how many URLs sitemaps and links had first, from the section ``growth``.

    >>> firsts({"sitemap_first": 3, "links_first": 0})
    'the sitemaps had 3 first'
    """
    sitemaps, links = int(delta["sitemap_first"]), int(delta["links_first"])
    return clauses(
        (sitemaps, f"the sitemaps had {sitemaps:,} first"),
        (links, f"links had {links:,} first"),
        joint=", and ",
    )


def percent(share: float | None) -> str:
    """Format a share from 0 to 1; None becomes a dash.

    >>> percent(0.123), percent(None) == NONE
    ('12.3%', True)
    """
    return NONE if share is None else words_of.percent(share)


def is_web(url: object) -> bool:
    """Return whether a URL may become a link."""
    return str(url).lower().startswith(("http://", "https://"))


def as_filter(columns: Mapping[str, Iterable[object]]) -> str:
    """Format a filter of report.json as the attribute that the page's script reads.

    >>> as_filter({"verdict": ["redirect", "noindex"], "in_sitemap": [1]})
    '{"verdict": ["redirect", "noindex"], "in_sitemap": ["1"]}'
    """
    return json.dumps({name: list(map(str, values)) for name, values in columns.items()})


def flatten(root: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the directories of a tree with their levels, each before its children.

    >>> leaf = {"path": "/a/", "children": []}
    >>> [(level, node["path"]) for level, node in flatten({"path": "/", "children": [leaf]})]
    [(0, '/'), (1, '/a/')]
    """
    waiting = [(0, root)]  # no recursion: sites may be deeper than the stack
    while waiting:
        level, node = waiting.pop()
        yield level, node
        waiting.extend((level + 1, child) for child in reversed(node["children"]))


def interval(bin_: Mapping[str, float | None]) -> str:
    """Format the limits of a histogram's bin.

    >>> [interval({"from": low, "to": high}) for low, high in ((1, 1), (2, 3), (0.5, 1), (8, None))]
    ['1', '2 to 3', '0.5 to 1', '8 and more']
    """
    low, high = bin_["from"], bin_["to"]
    if high is None:
        return f"{low:,.4g} and more"
    return f"{low:,.4g}" if low == high else f"{low:,.4g} to {high:,.4g}"


def most(histogram: Iterable[Mapping[str, Any]], *names: str) -> Mapping[str, Any]:
    """Return the bin with the largest sum of these fields, the first of equal ones."""
    return max(histogram, key=lambda bin_: sum(bin_[name] for name in names))


def pairs(counts: Iterable[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Return verdicts with their counts."""
    return [(count["verdict"], count["count"]) for count in counts]


def sentence(text: str) -> str:
    """Turn a reason of report.json into a sentence.

    >>> sentence("the site has no sitemap")
    'The site has no sitemap.'
    """
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def shown(url: str, origin: str) -> str:
    """Shorten a URL of the site to its path and query.

    >>> shown("https://example.com/a", "https://example.com")
    '/a'
    """
    return clip(url[len(origin) :] if url.startswith(f"{origin}/") else url)


def span(seconds: float) -> str:
    """Format a length of time in the largest unit that it fills.

    >>> span(86_400 * 29.5), span(-5_400), span(60)
    ('29.5 days', '1.5 hours', '1 minute')
    """
    seconds = abs(seconds)
    units = (("day", DAY), ("hour", 3_600), ("minute", 60), ("second", 1))
    name, size = next((unit for unit in units if seconds >= unit[1]), units[-1])
    value = f"{seconds / size:,.1f}".removesuffix(".0")
    return f"{value} {name}" if value == "1" else f"{value} {name}s"


def words(name: str) -> str:
    """Turn a name of report.json into words.

    >>> words("broken_links")
    'broken links'
    """
    return name.replace("_", " ")
