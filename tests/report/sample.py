"""A report on a site of any size with some of every fault: docs/reference/report.md."""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from sitemapgen.core.external import LinkStatus
from sitemapgen.core.urls import Site, split
from sitemapgen.items import OnPage
from sitemapgen.publish.publication import ConclusionRules, conclude_crawl
from sitemapgen.report.priorities import GROUNDS
from sitemapgen.report.sections.on_page import on_page
from sitemapgen.report.summary import unfinished_in_words
from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits
from sitemapgen.store.options import RunOptions
from sitemapgen.store.results import UrlRow
from sitemapgen.verdicts import Verdict

SITE = "https://www.example.com"
COUNTS = ("urls", "fetched", "listed", "in_sitemap", "missing", "views")
"""The numbers of a kind of pages."""

TOPICS = ("docs", "blog", "shop", "events", "about", "api")
FAULTS = {
    7: (Verdict.REDIRECT, "redirects to ", 301),
    11: (Verdict.HTTP_ERROR, "HTTP 404", 404),
    13: (Verdict.NOINDEX, 'meta robots "noindex"', 200),
    17: (Verdict.DUPLICATE, "same content as ", 200),
    19: (Verdict.CANONICALISED, "canonical ", 200),
    23: (Verdict.SOFT_404, "says what /sitemapgen-404-check says", 200),
    29: (Verdict.TRAP, "calendar /events/{date}", 200),
    31: (Verdict.ROBOTS_DISALLOWED, "Disallow: /api/", None),
    37: (Verdict.FETCH_ERROR, "no answer after 3 attempts", None),
}


AUDITED = OnPage(2, 40, 3, 1, 2, 1, 1, 1, "Product", "JSON-LD is no JSON: Expecting value")
"""A page with every fault."""


def path(number: int) -> str:
    if not number:
        return "/"
    topic = TOPICS[number % 6 if number % 3 else 0]
    return f"/{topic}/part-{number % 7}/page-{number:06d}.html"


def rows(count: int, title: str = "") -> Iterator[UrlRow]:
    """``count`` URLs in their order; each has a verdict by its number, and a title of its own."""
    for url, number in sorted((f"{SITE}{path(number)}", number) for number in range(count)):
        verdict, evidence, status = next(
            (fault for factor, fault in FAULTS.items() if number and number % factor == 0),
            (Verdict.LISTED, "HTTP 200", 200),
        )
        if evidence.endswith((" to ", " as ", "canonical ")):
            evidence += SITE + path(number // 2)
        is_listed = verdict is Verdict.LISTED
        yield UrlRow(
            url,
            verdict.value,
            evidence,
            status,
            1 + number % 6 if number else 0,
            SITE + path(number // 10) if number else None,
            (number * 7919) % 97,
            url if is_listed else None,
            f"2024-{1 + number % 12:02d}-{1 + number % 28:02d}T10:00:00Z" if is_listed else "",
            "json-ld" if is_listed else None,
            title or f"Page {number} about {TOPICS[number % 6]}",
            None,
            round(1 / (1 + number), 9),
            int(number % 5 < 3),
            int(number % 10 != 1),
            int(is_listed and number % 41 == 0),
            "scripts fill the page" if is_listed and number % 41 == 0 else "",
            int(is_listed and number % 43 == 0),
            SITE + path(number // 2) if is_listed and number % 43 == 0 else "",
        )


def empty(start: str = f"{SITE}/") -> dict[str, Any]:
    """The report on a site of which nothing was seen, and without advice."""
    crawled = "2024-05-21T12:00:00+00:00"
    return {
        **json.loads(_concluded(start)),
        "edition": {"crawled": crawled, "version": "0.1.0", "start": start},
        "priorities": [],
    }


@cache
def _concluded(start: str) -> str:
    """Return the program's report on an empty state, as JSON; its sitemap counts as read."""
    site = Site(origin=split(start).origin)
    rules = ConclusionRules(start=start, site=site, options=RunOptions(max_depth=0, base_url=start))
    with (
        tempfile.TemporaryDirectory() as name,
        closing(Store(Path(name) / "crawl.sqlite", Limits())) as store,
    ):
        store.begin_run({}, 0.0)
        text = json.dumps(conclude_crawl(store, rules))
        return text.replace("the site has no sitemap", "nothing was fetched")


def summary(count: int) -> dict[str, Any]:
    """The report on ``rows(count)``; what they do not say is as in ``filled``."""
    all_rows = list(rows(count))
    fetched = [row for row in all_rows if row.verdict != "robots_disallowed"]
    in_sitemap = [row for row in all_rows if row.in_sitemap]
    listed = [row for row in all_rows if row.verdict == "listed"]
    missing = [row for row in listed if not row.in_sitemap]
    orphans = [row for row in in_sitemap if not row.reached]
    broken = [row for row in all_rows if row.verdict in ("http_error", "fetch_error", "soft_404")]
    redirects = [row for row in in_sitemap if row.verdict == "redirect"]
    report = filled(20, 12)
    priorities = (
        ("missing_from_sitemap", missing, {"verdict": ["listed"], "in_sitemap": [0]}, "missing"),
        ("redirect_in_sitemap", redirects, {"verdict": ["redirect"], "in_sitemap": [1]}, "wasted"),
        (
            *("broken_links", broken),
            *({"verdict": ["http_error", "fetch_error", "soft_404"]}, "broken_links"),
        ),
        ("orphans", orphans, {"in_sitemap": [1], "reached": [0]}, "orphans"),
        ("sitemap_errors", all_rows[:1], None, "sitemaps"),
    )
    verdicts = Counter(row.verdict for row in all_rows)
    report.update(
        unfinished=None,
        indexed=None,
        seen=len(all_rows),
        fetched=len(fetched),
        listed=len(listed),
        verdicts={verdict.value: verdicts[verdict.value] for verdict in Verdict},
        priorities=[
            {
                **{"id": name, "count": len(found), "filter": fits, "where": where},
                "sentence": f"{len(found):,} URLs are a matter of {name}: mend them.",
                **GROUNDS[name]._asdict(),
            }
            for name, found, fits, where in priorities
        ],
        headline={
            "sentence": f"{len(listed) - len(missing)} of {len(listed)} indexable pages are in "
            "your sitemap.",
            "part": len(listed) - len(missing),
            "whole": len(listed),
            "share": round(1 - len(missing) / len(listed), 4),
        },
        trends=[
            {
                "crawled": f"2024-05-{day:02}T12:00:00+00:00",
                **{"seen": len(all_rows) - 24 + day, "listed": len(listed)},
                **{"in_sitemap": len(listed) - len(missing), "share": 0.6},
            }
            for day in (2, 21)
        ],
        not_looked_at=[
            {
                "cause": "max_depth",
                "reason": "Deeper than max_depth=9",
                "urls": 4,
                "examples": [f"{SITE}/deep/{number}" for number in range(4)],
                "remedy": "-a max_depth=0 (no limit) or a larger number fetches them",
            },
            {
                "cause": "trap",
                "reason": "In endless spaces",
                "urls": 1_204,
                "examples": [f"{SITE}/calendar?day={number}" for number in range(20)],
                "remedy": "-a traps=report fetches them, within max_pages",
            },
        ],
        histograms=_histograms(fetched),
        lastmod=[
            {"source": "json-ld", "count": len(listed) // 2, "share": 0.5},
            {"source": "none", "count": len(listed) - len(listed) // 2, "share": 0.5},
        ],
        growth={
            "since": "2024-05-01T12:00:00+00:00",
            "new": {"count": 170, "both": 60, "links": 70, "sitemap": 40},
            "runs": [
                {"run": f"2024-05-{day:02}T12:00:00+00:00", "both": 6, "links": 7, "sitemap": 4}
                for day in range(2, 22, 2)
            ],
            "seen_delta": {
                **{"seconds": -86_400.0 * 55, "urls": 95},
                **{"sitemap_first": 10, "links_first": 25, "together": 60},
            },
            "scatter": [
                {
                    "sitemap": f"2024-05-{day + later:02}T12:00:00+00:00",
                    "links": f"2024-05-{day:02}T12:00:00+00:00",
                    "urls": 5 - abs(later),
                }
                for day in range(4, 22, 2)
                for later in (-2, 0, 3)
            ],
        },
        coverage={
            **report["coverage"],
            **_coverage(all_rows, fetched, listed),
        },
    )
    report["orphans"]["at_most"] = True
    report["rendering"]["empty_start"] = f"The start page {SITE}/ shows no link and hardly a word"
    return report


def _histograms(fetched: list[UrlRow]) -> dict[str, list[dict[str, Any]]]:
    def bins(key: Callable[[UrlRow], tuple[float, float]]) -> list[dict[str, Any]]:
        found = Counter(map(key, fetched))
        named = Counter(key(row) for row in fetched if row.in_sitemap)
        return [
            {"from": ends[0], "to": ends[1], "urls": many, "in_sitemap": named[ends]}
            for ends, many in sorted(found.items())
        ]

    def double(row: UrlRow) -> tuple[int, int]:
        low = 1 << (row.in_degree.bit_length() - 1) if row.in_degree else 0
        return low, max(low, 2 * low - 1)

    return {
        "depth": [
            {
                "depth": depth,
                "listed": sum(r.depth == depth and r.verdict == "listed" for r in fetched),
                "left_out": sum(r.depth == depth and r.verdict != "listed" for r in fetched),
                "in_sitemap": sum(r.depth == depth and r.in_sitemap for r in fetched),
            }
            for depth in range(7)
        ],
        "in_degree": bins(double),
        "pagerank": bins(lambda row: (2.0 ** (row.in_degree % 7 - 3), 2.0 ** (row.in_degree % 7))),
        "status": [
            {"status": status, "count": many}
            for status, many in Counter(row.status for row in fetched).most_common()
        ],
    }


def _coverage(
    every: list[UrlRow], fetched: list[UrlRow], listed: list[UrlRow]
) -> dict[str, dict[str, Any]]:
    def figure(part: float, whole: float) -> dict[str, Any]:
        return {"value": round(part / whole, 4), "part": part, "whole": whole, "why": None}

    def sets(members: list[UrlRow]) -> dict[str, int]:
        return {
            "all": len(members),
            "discovery": sum(row.reached for row in members),
            "sitemaps": sum(row.in_sitemap for row in members),
            "both": sum(row.reached and row.in_sitemap for row in members),
            "either": sum(row.reached or row.in_sitemap for row in members),
        }

    unique = [row for row in every if row.verdict in ("listed", "noindex")]
    groups = {"seen": every, "crawled": fetched, "unique": unique, "listed": listed}
    counted = {name: sets(members) for name, members in groups.items()}
    counted["indexed"] = counted["listed"]

    def coverage(name: str) -> dict[str, Any]:
        return figure(counted[name]["sitemaps"], counted[name]["all"])

    def against(name: str, who: str) -> dict[str, Any]:
        return figure(counted["unique"][who], counted[name][who])

    return {
        "sets": {**counted, "results": None, "clicked": None},
        "coverage": coverage("crawled"),
        "unique_coverage": coverage("unique"),
        "index_coverage": coverage("indexed"),
        "pagerank_coverage": {"value": 0.7441, "part": 0.7441, "whole": 1, "why": None},
        "signal_to_noise": {who: against("seen", who) for who in ("all", "discovery", "sitemaps")},
        "efficiency": {who: against("crawled", who) for who in ("discovery", "sitemaps")},
        "sections": {
            "count": 101,
            "rows": [
                {
                    "section": section,
                    "seen": len(every) // number,
                    **dict.fromkeys(("coverage", "unique_coverage"), figure(number, 9)),
                    "pagerank_coverage": figure(0.125, 0.5),
                    "signal_to_noise": figure(1, number),
                }
                for number, section in enumerate(("/", "/a<b>/", "/%F0%9F%98%80/"), 1)
            ],
        },
    }


def example(number: int) -> dict[str, Any]:
    """An example of any section."""
    url = f"{SITE}/{number}"
    row = {"url": url, "verdict": "listed", "evidence": "HTTP 404", "in_degree": 4, "depth": 4}
    return {
        **row,
        "count": 4,
        "members": [SITE],
        "links": 4,
        "pages": [url, SITE],
        "parts": 4,
        "example": SITE,
        "times": 2,
        "chain": [url, SITE],
        "in_sitemap": 0,
        "similarity": 0.9,
    }


def half(count: int, examples: list[Any], **more: object) -> dict[str, Any]:
    """A count with its share and examples, no more than there are."""
    return {"count": count, "share": 0.5, "examples": examples[:count], **more}


def titles_of(
    field: str, figure: int, other: int, examples: list[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The faults of titles, or of descriptions."""
    yield f"missing_{field}s", half(figure, examples)
    long = [{"url": url, "length": 100 + number} for number, url in enumerate(examples)]
    yield f"long_{field}s", half(other, long)
    groups = [{"text": "Home", "count": 2 * figure, "members": examples}][:figure]
    yield f"repeated_{field}s", half(2 * figure, groups, groups=len(groups))


def filled(figure: int, other: int) -> dict[str, Any]:
    """A report in which each fault is found ``figure`` or ``other`` times, by turns."""
    examples = [f"{SITE}/{number}" for number in range(max(figure, other))]
    found, others = (half(count, list(map(example, range(count)))) for count in (figure, other))
    numbers = {"sitemap": figure, "links": other, "both": figure}
    group = {"groups": figure, **found}
    near = [
        {**each, "members": [{"url": SITE, "similarity": 0.9312}]} for each in found["examples"]
    ]
    row = {"examples": examples, "urls": figure, "remedy": "-a max_depth=0 helps"}
    return {
        **empty(),
        "unfinished": unfinished_in_words(
            {"cause": "max_pages", "reason": "Stopped by max_pages=9"}, figure
        ),
        "listed": max(figure, other),
        "seen": figure + other,
        "fetched": figure + other,
        "coverage": {
            **empty()["coverage"],
            "coverage": {"value": None, "whole": None, "why": "the site has no sitemap"},
            "sets": {
                **empty()["coverage"]["sets"],
                "crawled": {**empty()["coverage"]["sets"]["crawled"], "all": figure + other},
            },
        },
        "sources": {"parts": [], "named_alone": figure},
        "verdicts": {verdict.value: figure for verdict in Verdict},
        "remarks": {"robots_unseparated": figure},
        "not_looked_at": [{"cause": "max_depth", "reason": "Deeper than max_depth=9", **row}],
        "invalid_values": [
            {
                **{"rule": "lastmod_format", "severity": "error", "count": figure},
                "wants": "lastmod is a day.",
                "examples": [
                    {"url": url, "file": f"{SITE}/sitemap.xml", "sentence": '"2024-05" has no day'}
                    for url in examples[:figure]
                ],
            }
        ][:figure],
        "sitemaps": [
            {
                **{"url": f"{SITE}/sitemap-{number}.xml", "error": "is empty" if number else ""},
                **{"found": "robots", "parent": f"{SITE}/sitemap.xml", "entries": 9, "offsite": 1},
                **{"format": "" if number else "urlset", "children": 0},
                "share": {} if number else {"lastmod": 0.58, "changefreq": 0.07, "priority": 0.61},
            }
            for number in range(figure)
        ],
        "table_1": {
            **empty()["table_1"],
            **{"files": 3, "failed": figure, "urls": max(figure, other)},
            "formats": [{"format": "urlset", "files": 1, "urls": figure, "share": 1}],
        },
        "wasted": {
            **empty()["wasted"],
            "urls": max(figure, other, 1),
            **{"count": figure, "share": 0.5, "malformed": figure, "outside_location": figure},
            "verdicts": [{"verdict": verdict.value, **found} for verdict in Verdict],
            "not_judged": [{"verdict": "not_html", "count": figure, "share": 0.5}],
            "repeated": {**found, "entries": 2 * figure},
            "offsite": {"entries": figure, "of": "another site", "examples": examples},
        },
        "missing": {
            **empty()["missing"],
            "crawled": {"count": figure, "share": 0.5},
            "types": [{"type": name, **found} for name in ("missing_content", "redirects")],
            "pages": {**others, "kinds": [{"kind": "/docs/*", "count": other}], "views": figure},
        },
        "orphans": {**found, "listed": other, "at_most": False},
        "indexed": {
            "file": "indexed.csv",
            "error": None,
            "rows": max(figure, other),
            "urls": max(figure, other),
            "foreign": figure,
            "foreign_examples": examples,
            "malformed": other,
            "not_seen": half(other, examples),
            "verdicts": {"listed": figure, "redirect": other},
        },
        "broken_links": {
            **found,
            "links": figure and max(figure, other),
            "verdicts": {"http_error": figure},
        },
        "other_addresses": {
            **{**found, "links": figure and max(figure, other)},
            "addresses": ["http of this host"],
        },
        "redirects": {
            **{**found, "linked": other and min(figure, other), "links": other},
            "in_sitemap": other,
            "hops": [{"hops": hops, "count": figure} for hops in (0, 1, 3) if figure],
        },
        "dead_ends": found,
        "views": {**found, "listed": other, "left_out": figure, "in_sitemap": other},
        "duplicates": {"exact": group, "near": {**group, "examples": near}},
        "kinds": {
            "count": figure and 2,
            "rows": [
                {
                    **{"kind": "/docs/*", "example": f"{SITE}/docs/1", "exclude": "/docs/*"},
                    **dict.fromkeys(COUNTS, figure),
                    "median": float(figure),
                    "roles": [
                        {"part": "sort", "role": "nothing", "without_content": 23, "compared": 23}
                    ],
                    "left_out": [{"verdict": "variant", "count": figure, "evidence": "`sort`"}],
                }
            ][:figure],
            "others": dict.fromkeys(COUNTS, other),
        },
        "traps": [
            {
                **{"kind": "calendar", "pattern": f"/{number}", "urls": other, "fetched": 1},
                **{"useful": 0, "examples": examples[:other], "reason": "", "is_endless": True},
            }
            for number in range(figure)
        ],
        "distrusted_lastmods": (
            {"header": {"clock": figure}, "sitemap": {"shared": max(figure, other)}}
            if figure
            else {}
        ),
        "pages_with_wrong_dates": figure,
        "lastmod_trust": [
            {
                **{"source": "json_ld", "section": "/docs/", "is_trusted": False},
                **{"reason": "misses", "evidence": "rightly silent 48 times"},
            }
        ][:figure],
        "sitemap_dates": [{"lastmod": "2024-05-01", "entries": 2}] if figure else [],
        "lastmod": [{"source": "header", "count": figure, "share": 0.5}],
        "hreflang": {
            "pages": 3,
            "one_way": figure,
            "left_out": other,
            "faulty": max(figure, other),
            "examples": [
                {"url": url, "fault": "one_way", "other": SITE} for url in examples[:figure]
            ],
        },
        "blank": {**found, "is_start": figure > 0, "examples": examples},
        "repeated": {"count": figure, "examples": examples},
        "logins": {"count": figure, "forms": other, "examples": examples},
        "offsite_canonicals": {"count": figure, "origin": SITE, "examples": examples},
        "wall": {"url": f"{SITE}/", "count": figure, "of": figure + other} if figure else None,
        "rendering": {
            **empty()["rendering"],
            **{"scripted": figure, "pages": figure + other, "seconds": float(figure)},
            **{"gained": figure, "gained_nothing": other, "unrenderable": figure},
            "reasons": {"empty_mount": figure, "sampled": other},
            **{"unfinished": figure, "unfinished_examples": examples},
            "needed": half(
                figure,
                [
                    {"url": url, "reason": "a script writes links", "lacks": ["links"]}
                    for url in examples
                ],
                without_text=figure and min(figure, other),
                reasons=[{"reason": "a script writes links", "count": figure}],
            ),
            "by_scripts_alone": half(figure, [{"url": url} for url in examples]),
        },
        "changes": {
            "since": "2024-01-01T00:00:00+00:00",
            "new": {"count": figure, "examples": examples[:figure]},
            "gone": {
                "count": other,
                "examples": [{"url": url, "verdict": None} for url in examples[:other]],
            },
            "changed": {"count": figure, "examples": examples[:figure]},
        },
        "speed": {
            "limits": {"seconds": 1.0, "slow": 5.0, "bytes": 500_000},
            "pages": max(figure, other),
            "kinds": [
                {"kind": f"/{number}/*", "pages": 9, "median": 1.2, "p95": 2.0, "slowest": 3.5}
                for number in range(figure)
            ],
            "slow_kinds": {"count": figure, "pages": 9 * figure},
            "slow": half(
                figure, [{"url": url, "seconds": 3.5, "bytes": 9_000} for url in examples]
            ),
            "large": half(
                other, [{"url": url, "seconds": None, "bytes": 600_000} for url in examples]
            ),
        },
        "deep": {"limit": 5, **found},
        "titles": {
            "limits": {"title": 580, "description": 160},
            **{
                name: facts
                for field in ("title", "description", "h1")
                for name, facts in titles_of(field, figure, other, examples)
            },
        },
        "on_page": on_page((url, AUDITED) for url in examples[:figure]),
        "external": {
            "is_known": True,
            **{"hosts": figure, "urls": figure, "links": figure and max(figure, other)},
            **{"pages": figure, "unkept": figure and other, "checked": other, "unchecked": figure},
            "by_host": [
                {"host": f"{number}.example", "urls": 1, "links": other, "pages": figure}
                for number in range(figure)
            ],
            "outcomes": {outcome.value: figure for outcome in LinkStatus},
            "broken": {
                "count": figure,
                "links": figure and max(figure, other),
                "examples": [
                    {
                        **{"url": each, "outcome": "dead", "evidence": "HTTP 404", "links": other},
                        "pages": examples[:other],
                    }
                    for each in examples[:figure]
                ],
            },
        },
        "growth": {
            **empty()["growth"],
            "since": "2024-01-01T00:00:00Z",
            "new": {"count": figure, **numbers},
            "seen_delta": {
                **{"seconds": 86_400.0 * (figure - 1), "urls": figure},
                **{"sitemap_first": figure, "links_first": other, "together": 0},
            },
        },
    }
