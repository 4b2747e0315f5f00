"""report.html: the audit as one page that opens offline, for the person who decides what to fix.

It is made of report.json's data and the rows of urls.csv, and of nothing else; how it looks and
behaves: ``page/``. Same data, same bytes.
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

from sitemapgen.core.urls import split
from sitemapgen.report.scatter import Axis, Dot, scatter
from sitemapgen.report.sections.pages import blank_in_words
from sitemapgen.report.words import clauses, counted
from sitemapgen.verdicts import DateFault, Stage, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import BinaryIO

    from jinja2 import Template
    from jinja2.bccache import Bucket, BytecodeCache
    from markupsafe import Markup

    from sitemapgen.store.results import UrlRow

ROWS = "@@rows@@"
"""Where the template leaves room for them: too large to pass through it."""

MAX_ROWS = 100_000
"""URLs in the page's table; a browser sorts so many in a second. The rest is in urls.csv."""
MAX_BYTES = 64 << 20
"""Of the table's JSON, unpacked: a site of hostile titles gets fewer rows, not a larger page."""
MAX_CELL = 400
"""Characters of a table's cell, except for its URL; of text in the sections: ``clip``."""
CHUNK = 2_000
"""Rows written column by column, which packs a third smaller than row by row."""
LEVEL = 4
"""Of zlib: 6 takes twice the time to save 4 % of the page."""

SECTIONS = {
    "priorities": "What to fix first",
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
    "lastmod": "Dates of last change",
    "sitemaps": "Sitemap files",
    "urls": "All URLs",
}
"""The sections of the page, in their order; most are named after a field of report.json."""
ELSEWHERE = {
    "blank": "rendering",
    "dead_ends": "dead_ends",
    "distrusted_lastmods": "lastmod",
    "lastmod_trust": "lastmod",
    "hreflang": "hreflang",
    "table_1": "sitemaps",
}
"""Where the other fields of report.json are shown."""

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
    Stage.FETCHED: "those that were asked for",
    Stage.ELIGIBLE: "pages that answer and may be indexed",
    Stage.LISTED: "one of each content",
}
"""The way into the sitemap."""

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
"""Days that an axis may reach to; the first few are minutes, for who crawls twice in an hour."""

NONE = "\N{EN DASH}"
"""Stands where there is no number."""


class Table:
    """The first rows of urls.csv, packed for the page as they pass by on their way into it."""

    def __init__(self, start: str) -> None:
        """Begin without rows; URLs of the site that starts here will lack its origin."""
        self.count = 0
        self._origin = split(start).origin
        self._packer = zlib.compressobj(LEVEL, zlib.DEFLATED, wbits=31)  # gzip; its time stays 0
        self._packed, self._size = bytearray(), 0

    def watch(self, rows: Iterable[UrlRow]) -> Iterator[UrlRow]:
        """Pass all ``rows`` on, and keep the first."""
        rest = iter(rows)
        while chunk := list(islice(rest, min(CHUNK, MAX_ROWS - self.count))):
            has_room = self._keep(chunk)
            yield from chunk
            if not has_room:
                break
        yield from rest

    def finish(self) -> bytes:
        """Gzip of lines of JSON: the names of the columns, then chunks, each a list of columns."""
        self._packed += self._packer.flush()
        return bytes(self._packed)

    def _keep(self, chunk: list[UrlRow]) -> bool:
        """Pack some rows, if there is room for them."""
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
    """Write the report on ``summary``, as in report.json, with a table of the rows that passed by.

    Everything that comes from the site is escaped.
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
    """The way from all URLs to the listed ones, and the verdicts that end before each step."""
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
    """The paper's Figure 6: when sitemaps and links first had the URLs that both have."""
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
    """The days from one time to another.

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
    """Style and scripts, and the policy that allows these and nothing else."""
    from markupsafe import Markup  # noqa: PLC0415 - only whoever writes a report needs it

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
    """The source of an inline element, for a Content-Security-Policy."""
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
    """Where Jinja keeps the compiled template: to compile it takes as long as 50 pages.

    That is a directory of its own for each user, beside other temporary files.
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


# --- what the template says things with


def clip(text: object, length: int = 200) -> str:
    """At most ``length`` characters of a text.

    >>> clip("abcdef", 4)
    'abc…'
    """
    whole = str(text)
    return whole if len(whole) <= length else whole[: length - 1] + "…"


def number(value: float | None) -> str:
    """A count with separators; a dash for none.

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
    """A share from 0 to 1 in words that do not round something to nothing, nor nearly all to all.

    >>> [percent(share) for share in (0, 0.0001, 0.123, 0.9999, 1)]
    ['0%', '<0.1%', '12.3%', '>99.9%', '100%']
    """
    if share is None:
        return NONE
    if share in (0, 1):
        return f"{share:.0%}"
    if share < 0.001:
        return "<0.1%"
    return f"{share:.1%}" if share < 0.9995 else ">99.9%"


def is_web(url: object) -> bool:
    """Return whether a URL may become a link."""
    return str(url).lower().startswith(("http://", "https://"))


def as_filter(columns: Mapping[str, Iterable[object]]) -> str:
    """A filter of report.json as an attribute that the page's script reads.

    >>> as_filter({"verdict": ["redirect", "noindex"], "in_sitemap": [1]})
    '{"verdict": ["redirect", "noindex"], "in_sitemap": ["1"]}'
    """
    return json.dumps({name: list(map(str, values)) for name, values in columns.items()})


def flatten(root: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The directories of a tree with their levels, each before its children.

    >>> leaf = {"path": "/a/", "children": []}
    >>> [(level, node["path"]) for level, node in flatten({"path": "/", "children": [leaf]})]
    [(0, '/'), (1, '/a/')]
    """
    waiting = [(0, root)]  # a site decides how deep it is: deeper than a stack, if it likes
    while waiting:
        level, node = waiting.pop()
        yield level, node
        waiting.extend((level + 1, child) for child in reversed(node["children"]))


def interval(bin_: Mapping[str, float | None]) -> str:
    """The limits of a histogram's bin.

    >>> [interval({"from": low, "to": high}) for low, high in ((1, 1), (2, 3), (0.5, 1), (8, None))]
    ['1', '2 to 3', '0.5 to 1', '8 and more']
    """
    low, high = bin_["from"], bin_["to"]
    if high is None:
        return f"{low:,.4g} and more"
    return f"{low:,.4g}" if low == high else f"{low:,.4g} to {high:,.4g}"


def most(histogram: Iterable[Mapping[str, Any]], *names: str) -> Mapping[str, Any]:
    """The bin with the largest sum of these fields, the first of equal ones."""
    return max(histogram, key=lambda bin_: sum(bin_[name] for name in names))


def pairs(counts: Iterable[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Verdicts with their counts."""
    return [(count["verdict"], count["count"]) for count in counts]


def sentence(text: str) -> str:
    """A reason of report.json as a sentence.

    >>> sentence("the site has no sitemap")
    'The site has no sitemap.'
    """
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def shown(url: str, origin: str) -> str:
    """A URL as it is read: without the origin that all of them share.

    >>> shown("https://example.com/a", "https://example.com")
    '/a'
    """
    return clip(url[len(origin) :] if url.startswith(f"{origin}/") else url)


def span(seconds: float) -> str:
    """A length of time in the unit that it fills.

    >>> span(86_400 * 29.5), span(-5_400), span(60)
    ('29.5 days', '1.5 hours', '1 minute')
    """
    seconds = abs(seconds)
    units = (("day", DAY), ("hour", 3_600), ("minute", 60), ("second", 1))
    name, size = next((unit for unit in units if seconds >= unit[1]), units[-1])
    value = f"{seconds / size:,.1f}".removesuffix(".0")
    return f"{value} {name}" if value == "1" else f"{value} {name}s"


def words(name: str) -> str:
    """A name of report.json as words.

    >>> words("broken_links")
    'broken links'
    """
    return name.replace("_", " ")
