"""A system under test and its ideal set of pages; the systems are the modules beside it."""

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit


def unchanged(path: str) -> str:
    """Every URL is a page of its own."""
    return path


@dataclass(frozen=True, kw_only=True)
class Site:
    """A running system."""

    start: str
    """The URL at which the crawl begins."""
    ideal: frozenset[str]
    """Paths with their queries that must be listed."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Reason -> regular expression (whole path and query) of further pages that are real, but that
    need not be found; they count neither as missing nor as beyond."""
    beyond: Mapping[str, str] = field(default_factory=dict)
    """Reason -> regular expression of what may be listed though it belongs in no sitemap."""
    same: Callable[[str], str] = unchanged
    """The path of the ideal set that a path is another name of."""
    views: str = ""
    """Regular expression of the pages that show only what others show; empty: not known."""


NO_VIEWS = "(?!)"
"""``Site.views`` where every page has content of its own."""


@dataclass(frozen=True, kw_only=True)
class System:
    """Software that a module beside this one sets up."""

    name: str
    serve: Callable[[Path, int], AbstractContextManager[Site]]
    """Set it up in an empty directory and serve it on a port until the end of the context."""
    lacks: Callable[[], str]
    """What is not installed here, in words; empty if nothing is."""
    install: Callable[[], None] = lambda: None
    """Install what comes from a package index."""
    excess: float = 0.03
    """How much may be listed beyond what ought to be, as a share of that."""
    recall: float = 0.0
    """The share of ``Site.views`` that has to be marked."""


def normal(url: str) -> str:
    """The path and query of a URL in one spelling: order and encoding of parameters do not count.

    >>> normal("http://h/a%20b?y=2&x=%c3%a4")
    '/a b?x=ä&y=2'
    """
    parts = urlsplit(url)
    pairs = sorted(parse_qsl(parts.query.replace(";", "&"), keep_blank_values=True))
    query = "&".join(f"{name}={value}" for name, value in pairs)
    return unquote(parts.path) + (f"?{query}" if query else "")


@dataclass(frozen=True)
class Comparison:
    """A published sitemap against the ideal set; lists are sorted."""

    ideal: int
    listed: int
    missing: list[str]
    also: dict[str, list[str]]
    """Real pages beyond the ideal set, by reason."""
    beyond: dict[str, list[str]]
    """Listed for no good reason, by what they are; ``unknown`` for what no reason is given for."""

    @property
    def excess(self) -> float:
        """What is listed beyond, as a share of what ought to be."""
        return sum(map(len, self.beyond.values())) / self.ideal


def compare(site: Site, listed: list[str]) -> Comparison:
    """Compare listed URLs with the ideal set."""
    ideal = frozenset(map(normal, site.ideal))
    paths = sorted(map(normal, listed))
    found: set[str] = set()
    also: dict[str, list[str]] = {}
    beyond: dict[str, list[str]] = {}
    for path in paths:
        page = site.same(path)
        if page in ideal - found:
            found.add(page)
        elif reason := _reason(site.also, path):
            also.setdefault(reason, []).append(path)
        else:
            twice = "listed twice, under two URLs" if page in found else "unknown"
            beyond.setdefault(_reason(site.beyond, path) or twice, []).append(path)
    return Comparison(len(ideal), len(paths), sorted(ideal - found), also, beyond)


@dataclass(frozen=True)
class Views:
    """The pages that are marked as views against those that are; sorted paths."""

    right: list[str]
    wrong: list[str]
    missing: list[str]

    @property
    def recall(self) -> float:
        """Share of the views that are marked."""
        return len(self.right) / max(1, len(self.right) + len(self.missing))


def compare_views(site: Site, rows: Mapping[str, Mapping[str, str]]) -> Views:
    """Compare the listed rows of urls.csv, by URL, with the views of a site; its start is none."""
    marked = {normal(url) for url, row in rows.items() if row["view"] == "1"}
    listed = {normal(url) for url, row in rows.items() if row["verdict"] == "listed"}
    views = {path for path in listed if re.fullmatch(site.views, path)} - {normal(site.start)}
    return Views(sorted(marked & views), sorted(marked - views), sorted(views - marked))


def _reason(reasons: Mapping[str, str], path: str) -> str:
    return next((why for why, form in reasons.items() if re.fullmatch(form, path)), "")
