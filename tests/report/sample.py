"""A report on a site of any size with some of every fault: docs/reference/report.md."""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from sitemapgen.core.external import LinkStatus
from sitemapgen.core.url_forms import pattern_of, template
from sitemapgen.core.urls import Site, split
from sitemapgen.items import OnPage
from sitemapgen.publish.publication import ConclusionRules, conclude_crawl
from sitemapgen.report.sections.on_page import on_page
from sitemapgen.report.severity import GROUNDS
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
    """The report on ``rows(count)``; what they do not say is made up."""
    all_rows = list(rows(count))
    verdicts = Counter(row.verdict for row in all_rows)
    fetched = [row for row in all_rows if row.verdict != "robots_disallowed"]
    in_sitemap = [row for row in all_rows if row.in_sitemap]
    listed = [row for row in all_rows if row.verdict == "listed"]
    missing = [row for row in listed if not row.in_sitemap]
    rendered = [row for row in listed if row.rendered]
    wasted = [row for row in in_sitemap if row.verdict != "listed"]
    orphans = [row for row in in_sitemap if not row.reached]
    broken = [row for row in all_rows if row.verdict in ("http_error", "fetch_error", "soft_404")]
    redirects = [row for row in all_rows if row.verdict == "redirect"]
    duplicates = [row for row in all_rows if row.verdict == "duplicate"]
    views = [row for row in listed if row.view]

    def share(part: int, whole: int) -> float | None:
        return round(part / whole, 4) if whole else None

    def figure(part: float, whole: float) -> dict[str, Any]:
        return {"value": round(part / whole, 4), "part": part, "whole": whole, "why": None}

    def of(rows_: list[UrlRow], *names: str) -> list[dict[str, Any]]:
        return [{name: getattr(row, name) for name in names} for row in rows_[:20]]

    def sets(rows_: list[UrlRow]) -> dict[str, int]:
        return {
            "all": len(rows_),
            "discovery": sum(row.reached for row in rows_),
            "sitemaps": sum(row.in_sitemap for row in rows_),
            "both": sum(row.reached and row.in_sitemap for row in rows_),
            "either": sum(row.reached or row.in_sitemap for row in rows_),
        }

    def bins(key: Any) -> list[dict[str, Any]]:
        found: dict[Any, list[UrlRow]] = {}
        for row in fetched:
            found.setdefault(key(row), []).append(row)
        return [
            {
                "from": low,
                "to": high,
                "urls": len(members),
                "in_sitemap": sum(row.in_sitemap for row in members),
            }
            for (low, high), members in sorted(found.items())
        ]

    def double(row: UrlRow) -> tuple[int, int]:
        low = 1 << (row.in_degree.bit_length() - 1) if row.in_degree else 0
        return low, max(low, 2 * low - 1)

    def kind_of(form: str, here: list[UrlRow]) -> dict[str, Any]:
        left_out = Counter(row.verdict for row in here if row.verdict != "listed")
        return {
            "kind": form,
            "example": here[0].url,
            "exclude": pattern_of(here[0].url),
            "urls": len(here),
            "fetched": sum(row.status is not None for row in here),
            "listed": sum(row.verdict == "listed" for row in here),
            "in_sitemap": sum(row.in_sitemap for row in here),
            "missing": sum(row.verdict == "listed" and not row.in_sitemap for row in here),
            "views": sum(row.view for row in here),
            "median": {"/p/*": 1.2}.get(form),
            "roles": [
                {"part": name, "role": "selection", "without_content": 23, "compared": 23}
                for name in filter(None, form.partition("?")[2].split("&"))
            ],
            "left_out": [
                {"verdict": verdict, "count": many, "evidence": f"evidence of {verdict}"}
                for verdict, many in left_out.most_common()
            ],
        }

    forms: dict[str, list[UrlRow]] = {}
    for row in all_rows:
        forms.setdefault(template(row.url), []).append(row)
    report = empty()
    report.update(
        seen=len(all_rows),
        fetched=len(fetched),
        listed=len(listed),
        verdicts={verdict.value: verdicts[verdict.value] for verdict in Verdict},
        priorities=[
            {**fix, **GROUNDS[str(fix["id"])]._asdict()}
            for fix in (
                {
                    "id": "missing_from_sitemap",
                    "count": len(missing),
                    "sentence": f"{len(missing):,} pages that should be listed are in no sitemap: "
                    "add them.",
                    "filter": {"verdict": ["listed"], "in_sitemap": [0]},
                    "where": "missing",
                },
                {
                    "id": "redirect_in_sitemap",
                    "count": sum(row.in_sitemap for row in redirects),
                    "sentence": f"{sum(row.in_sitemap for row in redirects):,} of your sitemap's "
                    f"{len(in_sitemap):,} URLs redirect: list their targets instead.",
                    "filter": {"verdict": ["redirect"], "in_sitemap": [1]},
                    "where": "wasted",
                },
                {
                    "id": "broken_links",
                    "count": len(broken),
                    "sentence": f"{len(broken):,} URLs that pages link to are missing: "
                    "mend the links.",
                    "filter": {"verdict": ["http_error", "fetch_error", "soft_404"]},
                    "where": "broken_links",
                },
                {
                    "id": "orphans",
                    "count": len(orphans),
                    "sentence": f"{len(orphans):,} URLs stand in your sitemap alone: link to them.",
                    "filter": {"in_sitemap": [1], "reached": [0]},
                    "where": "orphans",
                },
                {
                    "id": "sitemap_errors",
                    "count": 1,
                    "sentence": "1 of your 3 sitemap files cannot be read.",
                    "filter": None,
                    "where": "sitemaps",
                },
            )
        ],
        headline={
            "sentence": f"{len(listed) - len(missing)} of {len(listed)} indexable pages are in "
            "your sitemap.",
            "part": len(listed) - len(missing),
            "whole": len(listed),
            "share": share(len(listed) - len(missing), len(listed)),
        },
        changes={
            "since": "2024-05-02T12:00:00+00:00",
            "new": {"count": 22, "examples": [row.url for row in listed[:20]]},
            "gone": {
                "count": 2,
                "examples": [
                    {"url": f"{SITE}/gone", "verdict": None},
                    {"url": redirects[0].url, "verdict": "redirect"},
                ],
            },
            "changed": {"count": 1, "examples": [listed[0].url]},
        },
        trends=[
            {
                "crawled": f"2024-05-{day:02}T12:00:00+00:00",
                **{"seen": len(all_rows) - 24 + day, "listed": len(listed)},
                **{"in_sitemap": len(listed) - len(missing), "share": 0.6},
            }
            for day in (2, 21)
        ],
        speed={
            "limits": {"seconds": 1.0, "slow": 5.0, "bytes": 500_000},
            "pages": len(listed),
            "kinds": [
                {"kind": "/p/*", "pages": 12, "median": 1.2, "p95": 1.3, "slowest": 1.4},
            ],
            "slow_kinds": {"count": 1, "pages": 12},
            "slow": {
                **{"count": 13, "share": 0.01},
                "examples": [{"url": listed[0].url, "seconds": 6.1, "bytes": 1_024}],
            },
            "large": {"count": 0, "share": 0.0, "examples": []},
        },
        titles={
            "limits": {"title": 580, "description": 160},
            "missing_titles": {"count": 1, "share": 0.001, "examples": [listed[0].url]},
            "repeated_titles": {
                **{"groups": 1, "count": 3, "share": 0.003},
                "examples": [
                    {"text": "Home", "count": 3, "members": [row.url for row in listed[:3]]}
                ],
            },
            "long_titles": {
                **{"count": 1, "share": 0.001},
                "examples": [{"url": listed[0].url, "length": 96}],
            },
            "missing_descriptions": {
                **{"count": len(listed), "share": 1},
                "examples": [row.url for row in listed[:20]],
            },
            "repeated_descriptions": {
                **{"groups": 1, "count": 2, "share": 0.002},
                "examples": [
                    {"text": None, "count": 2, "members": [row.url for row in listed[:2]]}
                ],
            },
            "long_descriptions": {"count": 0, "share": 0, "examples": []},
            "missing_h1s": {"count": 1, "share": 0.001, "examples": [listed[0].url]},
            "repeated_h1s": {"groups": 0, "count": 0, "share": 0.0, "examples": []},
        },
        on_page=on_page((row.url, AUDITED) for row in listed[:3]),
        wasted={
            "urls": len(in_sitemap),
            "count": len(wasted),
            "share": share(len(wasted), len(in_sitemap)),
            "verdicts": [
                {
                    "verdict": verdict,
                    "count": many,
                    "share": share(many, len(in_sitemap)),
                    "examples": of(
                        [row for row in wasted if row.verdict == verdict], "url", "evidence"
                    ),
                }
                for verdict, many in Counter(row.verdict for row in wasted).most_common()
            ],
            "not_judged": [{"verdict": "not_html", "count": 3, "share": 0.001}],
            "repeated": {
                "count": 2,
                "share": 0.001,
                "entries": 5,
                "examples": [{"url": f"{SITE}/docs/", "times": 3}],
            },
            "offsite": {
                "entries": 1,
                "of": "another site",
                "examples": ["https://elsewhere.example/x"],
            },
            "malformed": 1,
            "outside_location": 0,
        },
        missing={
            "crawled": {
                "count": len(fetched) - len(in_sitemap),
                "share": share(len(fetched) - len(in_sitemap), len(fetched)),
            },
            "types": [
                {
                    "type": "missing_content",
                    "count": len(missing),
                    "share": 0.62,
                    "examples": of(missing, "url", "verdict", "evidence"),
                },
                {
                    "type": "redirects",
                    "count": len(redirects) // 2,
                    "share": 0.14,
                    "examples": of(redirects, "url", "verdict", "evidence"),
                },
                {"type": "traps", "count": 0, "share": 0.0, "examples": []},
            ],
            "verdicts": [],
            "pages": {
                "count": len(missing),
                "share": share(len(missing), len(listed)),
                "examples": of(missing, "url", "in_degree", "depth"),
                "kinds": [
                    {"kind": kind, "count": many}
                    for kind, many in Counter(template(row.url) for row in missing).most_common()
                ],
                "views": len([row for row in views if not row.in_sitemap]),
            },
        },
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
        orphans={
            "count": len(orphans),
            "share": share(len(orphans), len(in_sitemap)),
            "listed": sum(row.verdict == "listed" for row in orphans),
            "at_most": True,
            "examples": of(orphans, "url", "verdict", "in_degree"),
        },
        dead_ends={"count": 2, "share": 0.0021, "examples": of(listed[:2], "url", "verdict")},
        broken_links={
            "count": len(broken),
            "share": share(len(broken), len(fetched)),
            "links": 12 * len(broken),
            "verdicts": dict(Counter(row.verdict for row in broken)),
            "examples": [
                {
                    "url": row.url,
                    "verdict": row.verdict,
                    "evidence": row.evidence,
                    "links": 12,
                    "pages": [other.url for other in listed[:10]],
                }
                for row in broken[:50]
            ],
        },
        other_addresses={
            "count": 1,
            "links": 12,
            "addresses": ["http of this host"],
            "examples": [
                {
                    "url": "http://www.example.com/old",
                    "verdict": "out_of_scope",
                    "evidence": "http of this host",
                    "links": 12,
                    "pages": [other.url for other in listed[:10]],
                }
            ],
        },
        redirects={
            "count": len(redirects),
            "share": share(len(redirects), len(fetched)),
            "linked": len(redirects),
            "links": 3 * len(redirects),
            "in_sitemap": sum(row.in_sitemap for row in redirects),
            "hops": [{"hops": 0, "count": 1}, {"hops": 1, "count": 9}, {"hops": 3, "count": 2}],
            "examples": [
                {
                    "chain": [row.url, f"{SITE}/moved", listed[0].url],
                    "verdict": "listed" if row.in_sitemap else None,
                    "links": 3,
                    "pages": [listed[0].url],
                    "in_sitemap": bool(row.in_sitemap),
                }
                for row in redirects[:50]
            ],
        },
        histograms={
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
            "pagerank": bins(
                lambda row: (2.0 ** (row.in_degree % 7 - 3), 2.0 ** (row.in_degree % 7 - 2))
            ),
            "status": [
                {"status": status, "count": many}
                for status, many in Counter(row.status for row in fetched).most_common()
            ],
        },
        kinds={
            "count": len(forms),
            "rows": sorted(
                (kind_of(form, here) for form, here in forms.items()),
                key=lambda row: (-row["urls"], row["kind"]),
            ),
            "others": dict.fromkeys(COUNTS, 0),
        },
        views={
            "count": len(views),
            "listed": len(views),
            "left_out": 0,
            "share": share(len(views), len(listed)),
            "in_sitemap": sum(row.in_sitemap for row in views),
            "examples": [
                {"url": row.url, "parts": 5, "example": row.view_of} for row in views[:20]
            ],
        },
        duplicates={
            "exact": {
                "groups": 1,
                "count": len(duplicates),
                "examples": [
                    {
                        "url": f"{SITE}/docs/",
                        "count": len(duplicates),
                        "members": [row.url for row in duplicates[:10]],
                    }
                ],
            },
            "near": {
                "groups": 1,
                "count": 1,
                "examples": [
                    {
                        "url": f"{SITE}/docs/print",
                        "count": 1,
                        "members": [{"url": f"{SITE}/docs/", "similarity": 0.9312}],
                    }
                ],
            },
        },
        traps=[
            {
                "kind": "calendar",
                "pattern": "/events/{date}",
                "urls": 4123,
                "fetched": 50,
                "useful": 3,
                "examples": [f"{SITE}/events/2024-01-01"],
            }
        ],
        rendering={
            "scripted": 31,
            "pages": 14,
            "reasons": {"empty_mount": 11, "sampled": 3},
            "gained_nothing": 2,
            "failed": 0,
            "seconds": 23.4,
            "gained": 12,
            "unrenderable": 0,
            "unfinished": 2,
            "unfinished_examples": [f"{SITE}/live/1", f"{SITE}/live/2"],
            "empty_start": f"The start page {SITE}/ shows no link and hardly a word",
            "needed": {
                "count": len(rendered),
                "share": share(len(rendered), len(listed)),
                "without_text": len(rendered),
                "reasons": [
                    {
                        "reason": "scripts fill the page",
                        "count": len(rendered),
                    }
                ],
                "examples": [
                    {
                        "url": row.url,
                        "reason": row.render_reason,
                        "lacks": ["text", "links"],
                    }
                    for row in rendered[:20]
                ],
            },
            "by_scripts_alone": {
                "count": 2,
                "share": share(2, len(listed)),
                "examples": [{"url": row.url} for row in listed[:2]],
            },
        },
        external={
            "is_known": True,
            **{"hosts": 2, "urls": 3, "links": 5, "pages": 3, "unkept": 1},
            "by_host": [
                {"host": "other.example", "urls": 2, "links": 4, "pages": 3},
                {"host": "third.example:8080", "urls": 1, "links": 1, "pages": 1},
            ],
            **{"checked": 2, "unchecked": 1},
            "outcomes": {**empty()["external"]["outcomes"], "works": 1, "dead": 1},
            "broken": {
                "count": 1,
                "links": 3,
                "examples": [
                    {
                        **{"url": "https://other.example/gone", "outcome": "dead", "links": 3},
                        **{"evidence": "HTTP 404", "pages": [row.url for row in listed[:2]]},
                    }
                ],
            },
        },
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
        distrusted_lastmods={"last-modified": {"clock": 12, "shared": 3}},
        pages_with_wrong_dates=15,
        sitemap_dates=[{"lastmod": "2024-05-01", "entries": 9}],
        lastmod_trust=[
            {
                "source": "json_ld",
                "section": "/docs/",
                "is_trusted": False,
                "reason": "misses",
                "evidence": "1 of 12 changes were claimed; rightly silent 48 times",
            },
        ],
        hreflang={
            "pages": 12,
            "one_way": 2,
            "left_out": 1,
            "faulty": 3,
            "examples": [{"url": f"{SITE}/de/", "fault": "one_way", "other": f"{SITE}/fr/"}],
        },
        table_1={
            "files": 3,
            "failed": 1,
            "urls": len(in_sitemap),
            "formats": [
                {"format": "urlset", "files": 1, "urls": len(in_sitemap), "share": 1},
                {"format": "unknown", "files": 1, "urls": 0, "share": 0},
            ],
            "lastmod": {"count": 10, "share": 0.58},
            "changefreq": {"count": 10, "share": 0.07},
            "priority": {"count": 10, "share": 0.61},
        },
        invalid_values=[
            {
                **{"rule": "lastmod_format", "severity": "error", "count": 3},
                "wants": "lastmod is a day, or a day with a time to the second.",
                "examples": [
                    {
                        "url": f"{SITE}/docs/",
                        "file": f"{SITE}/sitemap-1.xml",
                        "sentence": '"2024-05" has no day; the schema requires one',
                    }
                ],
            }
        ],
        sitemaps=[
            {
                "url": f"{SITE}/sitemap.xml",
                "found": "robots",
                "parent": "",
                "format": "index",
                "error": "",
                "entries": 0,
                "children": 2,
                "offsite": 0,
                "share": {},
            },
            {
                "url": f"{SITE}/sitemap-1.xml",
                "found": "index",
                "parent": f"{SITE}/sitemap.xml",
                "format": "urlset",
                "error": "",
                "entries": len(in_sitemap),
                "children": 0,
                "offsite": 1,
                "share": {"lastmod": 0.58, "changefreq": 0.07, "priority": 0.61},
            },
            {
                "url": f"{SITE}/sitemap-2.xml",
                "found": "usual_path",
                "parent": "",
                "format": "",
                "error": "HTTP 503",
                "entries": 0,
                "children": 0,
                "offsite": 0,
                "share": {},
            },
        ],
    )
    pages = [row for row in all_rows if row.verdict in ("listed", "noindex")]
    groups = {"seen": all_rows, "crawled": fetched, "unique": pages, "listed": listed}
    all_sets = {name: sets(members) for name, members in groups.items()}
    all_sets["indexed"] = all_sets["listed"]

    def coverage(name: str) -> dict[str, Any]:
        return figure(all_sets[name]["sitemaps"], all_sets[name]["all"])

    def against(name: str, who: str) -> dict[str, Any]:
        return figure(all_sets["unique"][who], all_sets[name][who])

    report["coverage"].update(
        sets={**all_sets, "results": None, "clicked": None},
        coverage=coverage("crawled"),
        unique_coverage=coverage("unique"),
        index_coverage=coverage("indexed"),
        pagerank_coverage={"value": 0.7441, "part": 0.7441, "whole": 1, "why": None},
        signal_to_noise={who: against("seen", who) for who in ("all", "discovery", "sitemaps")},
        efficiency={who: against("crawled", who) for who in ("discovery", "sitemaps")},
        sections={
            "count": 101,
            "rows": [
                {
                    "section": section,
                    "seen": len(all_rows) // number,
                    **dict.fromkeys(("coverage", "unique_coverage"), figure(number, 9)),
                    "pagerank_coverage": figure(0.125, 0.5),
                    "signal_to_noise": figure(1, number),
                }
                for number, section in enumerate(("/", "/a<b>/", "/%F0%9F%98%80/"), 1)
            ],
        },
    )
    return report


def example(number: int) -> dict[str, Any]:
    """An example of any section."""
    url = f"{SITE}/{number}"
    row = {"url": url, "verdict": "listed", "evidence": "HTTP 404", "in_degree": 4, "depth": 4}
    return {
        **row,
        "count": 4,
        "members": [],
        "links": 4,
        "pages": [url],
        "parts": 4,
        "example": SITE,
        "times": 2,
        "chain": [url, SITE],
        "in_sitemap": 0,
        "similarity": 0.9,
    }


def titles_of(
    field: str, figure: int, other: int, examples: list[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The faults of titles, or of descriptions."""
    yield f"missing_{field}s", {"count": figure, "share": 0.5, "examples": examples[:figure]}
    long = [{"url": url, "length": 100 + number} for number, url in enumerate(examples[:other])]
    yield f"long_{field}s", {"count": other, "share": 0.5, "examples": long}
    groups = [
        {"text": "Home", "count": 2 * figure, "members": examples} for _ in range(min(figure, 1))
    ]
    repeated = {"groups": len(groups), "count": 2 * figure, "share": 0.5, "examples": groups}
    yield f"repeated_{field}s", repeated


def filled(figure: int, other: int) -> dict[str, Any]:
    """A report in which each fault is found ``figure`` or ``other`` times, by turns."""
    examples = [f"{SITE}/{number}" for number in range(max(figure, other))]
    found = {"count": figure, "share": 0.5, "examples": list(map(example, range(figure)))}
    others = {"count": other, "share": 0.5, "examples": list(map(example, range(other)))}
    numbers = {"sitemap": figure, "links": other, "both": figure}
    group = {"groups": figure, **found}
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
            {**file, "url": f"{SITE}/sitemap.xml", "error": "is empty"}
            for file in summary(60)["sitemaps"][:figure]
        ],
        "table_1": {**empty()["table_1"], "files": 3, "failed": figure, "urls": max(figure, other)},
        "wasted": {
            **empty()["wasted"],
            "urls": max(figure, other, 1),
            **{"count": figure, "share": 0.5, "malformed": figure, "outside_location": figure},
            "verdicts": [{"verdict": verdict.value, **found} for verdict in Verdict],
            "repeated": {**found, "entries": 2 * figure},
            "offsite": {"entries": figure, "of": "another site", "examples": examples},
        },
        "missing": {
            **empty()["missing"],
            "crawled": {"count": figure, "share": 0.5},
            "pages": {**others, "kinds": [], "views": figure},
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
            "not_seen": {"count": other, "share": 0.5, "examples": examples[:other]},
            "verdicts": {"listed": figure, "redirect": other},
        },
        "broken_links": {**found, "links": figure and max(figure, other), "verdicts": {}},
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
        "views": {
            **{**found, "listed": other, "left_out": figure, "in_sitemap": other},
        },
        "duplicates": {"exact": group, "near": group},
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
                **{"useful": 0, "examples": [], "reason": "", "is_endless": True},
            }
            for number in range(figure)
        ],
        "distrusted_lastmods": (
            {"header": {"clock": figure}, "sitemap": {"shared": max(figure, other)}}
            if figure
            else {}
        ),
        "pages_with_wrong_dates": figure,
        "sitemap_dates": [{"lastmod": "2024-05-01", "entries": 2}] if figure else [],
        "lastmod": [{"source": "header", "count": figure, "share": 0.5}],
        "hreflang": {
            "pages": 3,
            "one_way": figure,
            "left_out": other,
            "faulty": max(figure, other),
            "examples": [],
        },
        "blank": {**found, "is_start": figure > 0, "examples": examples},
        "logins": {"count": figure, "forms": other, "examples": examples},
        "rendering": {
            **empty()["rendering"],
            **{"scripted": figure, "pages": figure + other, "seconds": float(figure)},
            **{"gained": figure, "gained_nothing": other, "unrenderable": figure},
            **{"unfinished": figure, "unfinished_examples": examples},
            "needed": {
                **{"count": figure, "share": 0.5, "without_text": figure and min(figure, other)},
                "reasons": [{"reason": "a script writes links", "count": figure}],
                "examples": [
                    {"url": url, "reason": "a script writes links", "lacks": ["links"]}
                    for url in examples[:figure]
                ],
            },
            "by_scripts_alone": {
                **{"count": figure, "share": 0.5},
                "examples": [{"url": url} for url in examples[:figure]],
            },
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
            "slow": {
                **{"count": figure, "share": 0.5},
                "examples": [
                    {"url": url, "seconds": 3.5, "bytes": 9_000} for url in examples[:figure]
                ],
            },
            "large": {
                **{"count": other, "share": 0.5},
                "examples": [
                    {"url": url, "seconds": None, "bytes": 600_000} for url in examples[:other]
                ],
            },
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
