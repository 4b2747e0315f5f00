"""The data that all sections of a report share: the URLs of a store as arrays, their texts by node.

The sections: ``sections/``. Their order: ``summary.py``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from sitemapgen.analysis.coverage import Census, NotSeen, cluster_nodes, share
from sitemapgen.analysis.graph import NOWHERE, Floats, Ints, LinkGraph, Mask, Measures
from sitemapgen.core.url_forms import template
from sitemapgen.core.urls import first_segment, key, split
from sitemapgen.report.sections.indexed import Index
from sitemapgen.store import Store
from sitemapgen.store.results import Detail
from sitemapgen.verdicts import Verdict

EXAMPLES = 20
"""Maximum number of examples in a section."""
BATCH = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """A concluded store, read once for all sections."""

    store: Store
    graph: LinkGraph
    measures: Measures
    census: Census
    cluster: Ints
    """Node of the page that each page or copy belongs to; -1 for all others."""
    differs_in_query: Mask
    """Whether the URL of a copy differs from its original's in the query only."""
    is_exact: Mask
    """Whether a copy has the same content as its original; else nearly the same."""
    views: Ints
    """Nodes of the pages that show only what others show, listed or left out, ascending."""
    section: Ints
    """Index in ``sections`` by node."""
    sections: list[str]
    """First directories of the paths; one is empty, for the pages in the root."""
    kind: Ints
    """Index in ``kinds`` by node."""
    kinds: list[str]
    """Forms of the URLs (``core.url_forms.template``), in no order."""
    pattern: Ints
    """By node the id of the pattern of a suspicious URL; 0 for others."""
    origin: str
    sitemaps: list[dict[str, Any]]
    no_sitemap: str
    """Reason why figures about the site's sitemaps are undefined; empty if there is none."""

    def part(self, mask: Mask, whole: Mask, *fields: str) -> dict[str, Any]:
        """Return ``count``, ``share`` of a whole, and ``examples`` with these fields."""
        return {**count_share(mask, whole), "examples": self.examples(mask, *fields)}

    def examples(self, mask: Mask, *fields: str) -> list[dict[str, Any]]:
        """Return the first of the URLs, with these fields of ``store.results.Detail``."""
        return self.described(np.flatnonzero(mask)[:EXAMPLES], *fields)

    def described(self, nodes: Ints, *fields: str) -> list[dict[str, Any]]:
        """Return these fields of ``store.results.Detail`` of the nodes, in their order."""
        return [{name: getattr(row, name) for name in fields} for row in self.details(nodes)]

    def details(self, nodes: Ints) -> list[Detail]:
        """Return the store's rows of these nodes, in their order."""
        return self.store.results.details(self.graph.nodes.keys[nodes].tolist())

    def urls(self, nodes: Ints) -> list[str]:
        """Return the URLs of these nodes, in their order."""
        return [row.url for row in self.details(nodes)]

    def by_verdict(
        self, mask: Mask, verdicts: Iterable[Verdict] = Verdict, whole: int | None = None
    ) -> list[dict[str, Any]]:
        """Count the URLs by verdict, most first; shares are of ``whole``, else of all of them."""
        found = self.census.verdict[mask]
        counts = np.bincount(found[found >= 0], minlength=len(Verdict)).tolist()
        whole = sum(counts) if whole is None else whole
        rows = [
            {"verdict": each.value, **count_part(counts[each.code], whole)}
            for each in verdicts
            if counts[each.code]
        ]
        return sorted(rows, key=lambda row: (-row["count"], row["verdict"]))


def number_of(mask: Mask) -> int:
    """Return how many URLs a mask has."""
    return int(np.count_nonzero(mask))


def count_share(mask: Mask, whole: Mask) -> dict[str, Any]:
    """Return the ``count`` of a mask and its ``share`` of a whole."""
    return count_part(number_of(mask), number_of(whole))


def count_part(count: int, whole: int, **more: Any) -> dict[str, Any]:
    """Return ``count``, its ``share`` of a whole, and further fields."""
    return {"count": count, "share": share(count, whole), **more}


def read_dataset(
    store: Store,
    graph: LinkGraph,
    measures: Measures,
    ranks: Floats,
    start: str,
    index: Index | None,
) -> Dataset:
    """Read the store; takes 60 bytes a URL besides the graph.

    ``index``: the file of indexed URLs, which may be unusable; None if there is none.
    """
    usable = None if index is None or index.error else index
    nodes, sitemaps = graph.nodes, store.sitemaps.files()
    no_sitemap = "" if sitemaps else "the site has no sitemap"
    if sitemaps and not any(file["format"] for file in sitemaps):
        no_sitemap = "none of the site's sitemaps could be read"
    verdicts = store.results.verdicts()
    verdict = np.full(len(nodes.keys), NOWHERE, np.int8)
    verdict[graph.find_nodes(verdicts["key"])] = verdicts["verdict"]
    is_crawled = nodes.is_fetched & (verdict != Verdict.ROBOTS_DISALLOWED.code)
    original, differs_in_query, is_exact = _read_originals(store, graph)
    groups, sections, kinds = _group_nodes(store, graph)
    views = (row.key for row in store.results.views())
    census = Census(
        is_reached=measures.is_reached,
        in_sitemap=nodes.in_sitemap,
        is_crawled=is_crawled,
        verdict=verdict,
        original=original,
        pagerank=ranks,
        is_indexed=usable.is_indexed if usable else None,
        has_impressions=usable.has_impressions if usable else None,
        has_clicks=usable.has_clicks if usable else None,
        not_seen=usable.not_seen if usable else NotSeen(),
    )
    return Dataset(
        store=store,
        graph=graph,
        measures=measures,
        census=census,
        cluster=cluster_nodes(census),
        differs_in_query=differs_in_query,
        is_exact=is_exact,
        views=np.sort(graph.find_nodes(np.fromiter(views, np.int64))),
        section=groups["section"],
        sections=sections,
        kind=groups["kind"],
        kinds=kinds,
        pattern=groups["pattern"],
        origin=split(start).origin,
        sitemaps=sitemaps,
        no_sitemap=no_sitemap,
    )


def _group_nodes(store: Store, graph: LinkGraph) -> tuple[dict[str, Ints], list[str], list[str]]:
    """Return the arrays of nodes by group, the names of the sections, and those of the kinds."""
    sections, kinds = {"": 0}, {"": 0}
    rows = (
        (
            key,
            sections.setdefault(first_segment(url), len(sections)),
            kinds.setdefault(template(url), len(kinds)),
            pattern,
        )
        for key, url, pattern in store.results.locations()
    )
    names = ("section", "kind", "pattern")
    table = np.fromiter(rows, dtype=[(name, np.int64) for name in ("key", *names)])
    places = graph.find_nodes(table["key"])
    groups = {name: np.zeros(len(graph.nodes.keys), np.int64) for name in names}
    for name, group in groups.items():
        group[places] = table[name]
    return groups, [*sections], [*kinds]


def _read_originals(store: Store, graph: LinkGraph) -> tuple[Ints, Mask, Mask]:
    """Return (original, differs_in_query, is_exact) by node; NOWHERE for pages without original."""
    original = np.full(len(graph.nodes.keys), NOWHERE, np.int64)
    differs_in_query = np.zeros(len(original), np.bool_)
    is_exact = np.zeros(len(original), np.bool_)
    near = ((key(row.url), row.url, row.listed, False) for row in store.results.clusters())
    same = ((row.key, row.url, row.original, row.is_exact) for row in store.results.copies())
    for rows in (near, same):  # exact copies overwrite near-duplicates
        table = np.fromiter(
            (
                (own, key(other), url.partition("?")[0] == other.partition("?")[0], exact)
                for own, url, other, exact in rows
                if url != other
            ),
            dtype=[
                *(("page", np.int64), ("original", np.int64)),
                *(("differs_in_query", np.bool_), ("is_exact", np.bool_)),
            ],
        )
        places = graph.find_nodes(table["page"])
        original[places] = graph.find_nodes(table["original"])
        differs_in_query[places] = table["differs_in_query"]
        is_exact[places] = table["is_exact"]
    return original, differs_in_query, is_exact
