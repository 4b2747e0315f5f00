"""Checks across the files of a sitemap (hosts, duplicates, dates): checked files -> findings.

``core/sitemap_files/validate.py`` checks single files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from sitemapgen.core.sitemap_files.findings import Findings, Rule, quote_text
from sitemapgen.core.sitemap_files.validate import Checked

MIN_PAGES = 10
"""Minimum pages whose equal dates are a finding; fewer may well have changed together."""


def home_origin(files: Sequence[Checked]) -> str:
    """Return the origin of most URLs, the first of equals; empty without any."""
    counts: Counter[str] = Counter()
    for file in files:
        counts.update({origin: place.times for origin, place in file.origins.items()})
    return counts.most_common(1)[0][0] if counts else ""


def check_hosts(
    files: Sequence[Checked],
    origin: str,
    findings: Findings,
    *,
    is_vouched_for: Callable[[str, str], bool],
) -> None:
    """Find URLs of another origin than the sitemap's.

    ``is_vouched_for(origin, file)`` returns whether the robots.txt of an origin names the file, or
    the index above it (sitemaps.org/protocol.html, "Sitemaps & Cross Submits").
    """
    for file in files:
        for other, place in file.origins.items():
            if other == origin or is_vouched_for(other, file.name):
                continue
            urls = "1 URL is" if place.times == 1 else f"{place.times:,} URLs are"
            findings.add(
                Rule.OTHER_HOST,
                file.name,
                place.line,
                f"{urls} of {other} and not of {origin}, the first {quote_text(place.example)}",
            )


def check_duplicates(files: Sequence[Checked], findings: Findings) -> None:
    """Find URLs that are listed again, in the same file or in a later one.

    A file of news may repeat URLs of other files, as search engines read it more often.
    """
    for is_news in (False, True):
        _find_repeated([file for file in files if file.is_news == is_news], findings)


def _find_repeated(files: Sequence[Checked], findings: Findings) -> None:
    if not files:
        return
    keys = np.concatenate([np.frombuffer(file.keys, np.int64) for file in files])
    lines = np.concatenate([np.frombuffer(file.lines, np.int64) for file in files])
    ends = np.cumsum([len(file.keys) for file in files])
    order = np.argsort(keys, kind="stable")
    is_again = np.flatnonzero(keys[order[1:]] == keys[order[:-1]]) + 1
    starts = np.flatnonzero(np.concatenate(([True], keys[order[1:]] != keys[order[:-1]])))
    firsts = order[starts[np.searchsorted(starts, is_again, side="right") - 1]]
    pairs = sorted(zip(order[is_again].tolist(), firsts.tolist(), strict=True))
    for again, first in pairs:
        file, before = (
            files[int(np.searchsorted(ends, each, side="right"))] for each in (again, first)
        )
        where = f"{before.name}:{lines[first]}" if lines[first] else before.name
        findings.add(Rule.DUPLICATE_URL, file.name, int(lines[again]), f"listed before, at {where}")


def check_lastmods(files: Sequence[Checked], findings: Findings) -> None:
    """Find a lastmod that all pages share: the time of a deploy, not of a change."""
    files = [file for file in files if file.format != "index" and file.lastmods]
    distinct = {lastmod for file in files for lastmod in file.lastmods}
    pages = sum(place.times for file in files for place in file.lastmods.values())
    if len(distinct) == 1 and pages >= MIN_PAGES:
        (lastmod,) = distinct
        findings.add(
            Rule.LASTMOD_IDENTICAL,
            files[0].name,
            files[0].lastmods[lastmod].line,
            f"all {pages:,} are {quote_text(lastmod)}: that is no time at which a page changed",
        )
