"""The sections about links: orphans, dead ends, broken links, redirects, links to other sites."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sitemapgen.analysis.coverage import COPIES
from sitemapgen.analysis.graph import NOWHERE, Ints, Mask, chain_ends, chain_nodes, count_steps
from sitemapgen.core import external
from sitemapgen.report.dataset import EXAMPLES, Dataset, count_share, number_of
from sitemapgen.store.external import External
from sitemapgen.verdicts import Verdict, verdicts_where

BROKEN = verdicts_where(lambda row: row.missing_type == "errors")
REDIRECTS = verdicts_where(lambda row: row.missing_type == "redirects")
MOST = 50
"""Maximum number of link targets, and of redirects, in the examples."""
LINKING = 10
"""Maximum number of linking pages that are named for each of them."""
MAX_HOSTS = 1_000
"""Maximum number of hosts in report.json."""
CHAIN = 20
"""Maximum number of URLs of a redirect chain that are named."""


def find_orphans(dataset: Dataset, *, is_whole: bool) -> dict[str, Any]:
    """Return the eligible pages in the site's sitemaps that no link from the start URL leads to.

    ``is_whole``: no URLs were left unfetched, which might link to some of them.
    """
    census = dataset.census
    mask = dataset.measures.is_orphan & census.in_sitemap & census.is_crawled
    mask &= census.has(Verdict.LISTED, *COPIES)
    is_listed = mask & census.is_listed
    first = np.concatenate([np.flatnonzero(is_listed), np.flatnonzero(mask & ~is_listed)])
    return {
        **count_share(mask, census.in_sitemap),
        "listed": number_of(is_listed),
        "at_most": not is_whole,
        "examples": dataset.described(first[:EXAMPLES], "url", "verdict", "in_degree"),
    }


def find_dead_ends(dataset: Dataset) -> tuple[dict[str, Any], Mask]:
    """Return the listed pages without a followed link to another page, or possible page."""
    pages = dataset.census.is_crawled & dataset.census.is_listed
    is_dead_end = pages & dataset.graph.dead_ends()
    return dataset.part(is_dead_end, pages, "url", "verdict"), is_dead_end


def broken_links(dataset: Dataset) -> dict[str, Any]:
    """Return the URLs that are linked to and broken, with the pages that link to them.

    Links of pages that rested do not count, as they may be gone by now.
    """
    census, nodes = dataset.census, dataset.graph.nodes
    links = dataset.measures.in_degree.astype(np.int64)
    rested = np.isin(nodes.keys, [key for key, *_ in dataset.store.previous_run.rested_pages()])
    for sources, targets in dataset.graph.edges() if rested.any() else ():
        links -= np.bincount(targets[rested[sources]], minlength=len(links))
    mask = census.is_crawled & census.has(*BROKEN) & (links > 0)
    return {
        **count_share(mask, census.is_crawled),
        "links": int(links[mask].sum()),
        "verdicts": {row["verdict"]: row["count"] for row in dataset.by_verdict(mask)},
        "examples": _most_linked(dataset, mask),
    }


def other_addresses(dataset: Dataset) -> dict[str, Any]:
    """Return the linked URLs of another scheme, port or spelling of the host, with their pages."""
    mask = np.zeros(len(dataset.graph.nodes.keys), np.bool_)
    evidence = dict(dataset.store.results.of_other_origins(dataset.origin))
    mask[dataset.graph.find_nodes(np.array([*evidence], np.int64))] = True
    mask &= dataset.measures.in_degree > 0
    return {
        "count": number_of(mask),
        "addresses": sorted(set(evidence.values())),
        "links": int(dataset.measures.in_degree[mask].sum()),
        "examples": _most_linked(dataset, mask),
    }


def _most_linked(dataset: Dataset, mask: Mask) -> list[dict[str, Any]]:
    in_degree = dataset.measures.in_degree
    most = _largest_nodes(np.flatnonzero(mask), in_degree)
    return [
        {
            "url": row.url,
            "verdict": row.verdict,
            "evidence": row.evidence,
            "links": int(in_degree[node]),
            "pages": pages,
        }
        for node, row, pages in zip(
            most.tolist(), dataset.details(most), _linking_pages(dataset, most)
        )
    ]


def _linking_pages(dataset: Dataset, nodes: Ints) -> Iterator[list[str]]:
    is_shown = np.zeros(len(dataset.graph.nodes.keys), np.bool_)
    is_shown[nodes] = True
    sources, targets = dataset.graph.links_to(is_shown)
    for node in nodes:
        yield dataset.urls(np.sort(sources[targets == node])[:LINKING])


def redirect_chains(dataset: Dataset) -> tuple[dict[str, Any], Ints, Ints]:
    """Count all redirects; the examples are chains that pages or sitemaps name.

    Also return, by node, the number of redirects in a row, 0 in a circle and NOWHERE for no
    redirect; and the number of pages that link to it.
    """
    census = dataset.census
    mask = census.is_crawled & census.has(*REDIRECTS)
    nodes, step = np.flatnonzero(mask), dataset.graph.redirect_steps()
    links = _links_of_pages(dataset, step)
    named = nodes[(links[nodes] > 0) | census.in_sitemap[nodes]]
    most = _largest_nodes(named, links)
    in_a_row = count_steps(step, nodes)
    leaves = census.has(Verdict.OFFSITE_REDIRECT)[chain_ends(step)[nodes]]
    hops = np.full(len(step), NOWHERE)
    hops[nodes] = np.where(in_a_row == NOWHERE, 0, in_a_row + leaves)
    found = {
        **count_share(mask, census.is_crawled),
        "linked": number_of(links[nodes] > 0),
        "links": int(links[nodes].sum()),
        "in_sitemap": number_of(mask & census.in_sitemap),
        "hops": [
            {"hops": length, "count": each}
            for length, each in enumerate(np.bincount(hops[nodes]).tolist())
            if each
        ],
        "examples": [
            {**_describe_chain(dataset, step, node, int(links[node])), "pages": pages}
            for node, pages in zip(most.tolist(), _linking_pages(dataset, most))
        ],
    }
    return found, hops, links


def _links_of_pages(dataset: Dataset, step: Ints) -> Ints:
    """Return the in-degree without redirects: 0 for a URL that only redirects lead to."""
    sources = np.flatnonzero((step != NOWHERE) & (step != np.arange(len(step))))
    links: Ints = dataset.measures.in_degree - np.bincount(step[sources], minlength=len(step))
    return links


def _describe_chain(dataset: Dataset, step: Ints, node: int, links: int) -> dict[str, Any]:
    nodes = chain_nodes(step, node, CHAIN)
    rows = dataset.details(np.array(nodes))
    chain, end = [row.url for row in rows], rows[-1]
    verdict: str | None = end.verdict
    if end.verdict == Verdict.OFFSITE_REDIRECT.value:
        chain.append(end.other_url)
        verdict = None
    elif step[nodes[-1]] != NOWHERE:
        verdict = None
    return {
        "chain": chain,
        "verdict": verdict,
        "links": links,
        "in_sitemap": bool(dataset.census.in_sitemap[node]),
    }


def _largest_nodes(nodes: Ints, numbers: Ints) -> Ints:
    """Return the nodes with the largest numbers, equal ones by URL."""
    return nodes[np.lexsort((nodes, -numbers[nodes]))][:MOST]


def external_links(store: External, *, is_read: bool) -> dict[str, Any]:
    """Return the links to other sites by host, and the result of their check.

    ``is_read``: whether the crawl read its pages as this version does.
    """
    links = store.count_links()
    outcomes = store.count_outcomes()
    checked = sum(outcomes.values())
    count, broken_links, examples = store.broken_urls(external.BROKEN, EXAMPLES, LINKING)
    return {
        "is_known": is_read or links.links > 0,
        "hosts": len(links.hosts),
        "urls": links.urls,
        "links": links.links,
        "pages": links.pages,
        "unkept": links.unkept,
        "by_host": [row._asdict() for row in links.hosts[:MAX_HOSTS]],
        "checked": checked,
        "unchecked": max(links.urls - checked, 0),
        "outcomes": {outcome.value: outcomes.get(outcome, 0) for outcome in external.LinkStatus},
        "broken": {
            "count": count,
            "links": broken_links,
            "examples": [{**row._asdict(), "outcome": row.outcome.value} for row in examples],
        },
    }
