"""Patterns of URLs without which the same pages are listed: what ``exclude`` may leave out.

Found in the rows of urls.csv of a short crawl; ``sitemapgen init`` writes them into its file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sitemapgen.core.urls import matches, split
from sitemapgen.verdicts import Stage, Verdict

COPIES = frozenset(
    {Verdict.CANONICALISED, Verdict.DUPLICATE, Verdict.VARIANT, Verdict.TRAP, Verdict.LOGIN}
)
"""Verdicts of URLs that show what another URL shows, or nothing."""
MIN_COPIES = 3
"""Fetched copies that decide on a pattern of URLs."""
MAX_PATTERNS = 20
"""Patterns that are tried, those with the most copies."""


class Exclusion(NamedTuple):
    """A pattern whose URLs show what other URLs show, or all of them one page."""

    pattern: str
    verdicts: Counter[str]
    """Number of its fetched URLs by verdict."""
    is_safe: bool
    """Whether none of its URLs is listed, or leads to further pages."""


def suggest_exclusions(rows: Sequence[Mapping[str, str]]) -> Iterator[Exclusion]:
    """Yield the exclusions, by pattern; of the rows url, verdict, kind and parent are read."""
    copies = Counter(filter(None, (_pattern_of(row) for row in rows if row["verdict"] in COPIES)))
    for pattern, count in sorted(copies.most_common(MAX_PATTERNS)):
        inside = [row for row in rows if _matches(pattern, row["url"])]
        counts = Counter(
            row["verdict"] for row in inside if Verdict(row["verdict"]).row.stage > Stage.SEEN
        )
        others = counts.total() - sum(counts[verdict] for verdict in COPIES)
        urls = {row["url"] for row in inside}
        is_way = any(row["parent"] in urls for row in rows if row["url"] not in urls)
        if count >= MIN_COPIES and others == min(counts[Verdict.LISTED], 1):
            yield Exclusion(pattern, counts, is_safe=not (others or is_way))


def _pattern_of(row: Mapping[str, str]) -> str:
    """Return a pattern for the URLs of a row's kind, or of its script; empty for none.

    >>> _pattern_of({"url": "https://e.example/p.php?id=3", "kind": "/p.php?id"})
    '/p.php?id=*'
    >>> _pattern_of({"url": "https://e.example/lamps/1?variant=3", "kind": "/lamps/*?variant"})
    '/lamps/*?variant=*'
    >>> _pattern_of({"url": "https://e.example/about", "kind": "/*"})
    ''
    """
    path, mark, names = row["kind"].partition("?")
    own = split(row["url"]).path
    if not mark:
        return "" if path.startswith("/*") or "*" not in path else path
    script = own if path == "/*" or "." in own.rpartition("/")[2] else path
    return f"{script}?*" if "&" in names else f"{script}?{names}=*"


def _matches(pattern: str, url: str) -> bool:
    _, path, query = split(url)
    return matches(pattern, f"{path}?{query}" if query else path)
