"""Views of a concluded crawl: stored texts through ``analysis/shown.py`` into the store."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis.key_index import distinct
from sitemapgen.analysis.kinds.dates import endings
from sitemapgen.analysis.near_duplicates import Signature
from sitemapgen.analysis.numbered import lowest_numbers, numbered_views
from sitemapgen.analysis.paired import paired_views
from sitemapgen.analysis.shown import (
    MAX_LINKS,
    MIN_PARTS,
    Elsewhere,
    Shares,
    Text,
    View,
    compare,
    find_views,
    is_language_root,
    within_parts,
)
from sitemapgen.core.document.main_text import EXCERPT_LENGTH, without_space
from sitemapgen.core.document.shingles import shingles
from sitemapgen.core.pagination import spellings, unnumbered
from sitemapgen.core.url_forms import form_of
from sitemapgen.core.urls import key
from sitemapgen.core.words import counted
from sitemapgen.items import Ruling
from sitemapgen.publish.conclusions import versions_of
from sitemapgen.store.conclusions import ViewRow
from sitemapgen.verdicts import Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from sitemapgen.analysis.graph import Ints, LinkGraph, Mask, Measures
    from sitemapgen.analysis.shown import Hashes
    from sitemapgen.publish.conclusions import Remarks
    from sitemapgen.store import Store
    from sitemapgen.store.conclusions import SampleRow, TextRow
    from sitemapgen.store.kinds import Kinds

READ_TOGETHER = 500
"""Number of pages whose samples are in memory at a time, about 1 kB each."""
KEPT = 2_000
"""Number of pages whose texts stay in memory, about 12 kB each: those that many others link to."""


def mark_views(
    store: Store, graph: LinkGraph, measures: Measures, remarks: Remarks, *, leave_out: bool
) -> None:
    """Store the pages that show only what other listed pages show, and leave them out if asked to.

    The start URL is never one, and neither are its versions in other languages: those that it
    names, and the roots of directories such as ``/de/``.
    """
    site = _Listed(store, graph)
    found = find_views(
        (_shares(site, node) for node in _candidates(store, graph, site)),
        site.forms,
        site.text_of,
        site.links_of,
    )
    nodes = [view.node for view in found]
    found += paired_views(site.forms, measures, site.text_of, site.links_of, nodes)
    nodes = [view.node for view in found]
    found += _lists(store.kinds, graph, measures, site, {*nodes})
    nodes = [view.node for view in found]
    found += numbered_views(site.forms, site.is_numbered, site.text_of, site.links_of, nodes)
    starts = np.flatnonzero(graph.nodes.is_start)
    homes = site.homes.union(starts.tolist(), *versions_of(store, graph, starts).values())
    keys = graph.nodes.keys
    rows = sorted(
        ViewRow(int(keys[view.node]), view.pages, int(keys[view.example]))
        for view in found
        if view.node not in homes
    )
    store.conclusions.set_views(rows)
    if leave_out:
        remarks.apply(
            Ruling(
                row.key,
                Verdict.VIEW,
                f"shows only what {counted(row.pages, 'listed page')} "
                f"{'shows' if row.pages == 1 else 'show'}, such as ",
                row.example,
                reason=Reason.SHOWN_ELSEWHERE,
            )
            for row in rows
        )


def _lists(
    kinds: Kinds, graph: LinkGraph, measures: Measures, site: _Listed, known: AbstractSet[int]
) -> Iterator[View]:
    """Yield the parts of lists, and the dates of calendars, that only lead to other pages."""
    keys = [each.key for each in kinds.listed() if kinds.roles.is_list(*each[:3])]
    for ending in endings(kinds.dates(), kinds.signature):
        keys += ending.lists
    nodes = {*graph.find(np.array(keys, np.int64)).tolist()}
    for node in sorted(nodes - known):
        links = [link for link in site.links_of(node) if link not in nodes]
        if links and site.forms[node] >= 0:
            yield View(node, len(links), min(links, key=measures.in_degree.__getitem__))


class _Listed:
    """The listed pages: their texts, their links to each other, and the forms of their URLs."""

    def __init__(self, store: Store, graph: LinkGraph) -> None:
        self._store = store
        self._graph = graph
        self._ends = _ends(store, graph)
        self._texts: OrderedDict[int, Text] = OrderedDict()
        self.homes: set[int] = set()
        """The roots of directories that are named as languages."""
        self.forms = np.full(len(graph.nodes.keys), -1, np.int32)
        numbers: dict[str, int] = {}
        rows = store.conclusions.listed_urls()
        numbered, lists = array("q"), array("q")
        while batch := list(islice(rows, READ_TOGETHER)):
            nodes = graph.find(np.array([key for key, _ in batch]))
            is_home = [is_language_root(url) for _, url in batch]
            self.homes.update(nodes[is_home].tolist())
            names = [form_of(url) for _, url in batch]
            self.forms[nodes] = [numbers.setdefault(name, len(numbers)) for name in names]
            for (_, url), node in zip(batch, nodes.tolist()):
                if of_list := unnumbered(url):
                    numbered.append(node)
                    lists.extend(map(key, spellings(of_list)))
        self.is_numbered = self._later(np.array(numbered), np.array(lists).reshape(-1, 2))
        """The pages of lists with a number in their URL, without the first page of each list."""

    def _later(self, nodes: Ints, lists: Ints) -> Mask:
        """Mark the later pages of lists. ``lists``: keys of the two ``spellings`` of each."""
        is_later = np.zeros(len(self.forms), np.bool_)
        is_later[nodes] = True
        lengths = self._graph.nodes.length[nodes].astype(np.int64)
        lowest = lowest_numbers(nodes, lengths, lists[:, 0])
        starts = self._graph.find(lists[lowest].ravel())
        is_listed = (starts >= 0) & (self.forms[starts] >= 0)
        is_later[nodes[lowest]] = is_listed.reshape(-1, 2).any(axis=1)
        return is_later

    def links_of(self, node: int) -> list[int]:
        """Return the other listed pages that a page links to, ascending.

        A link to a copy leads to the page that is listed instead, and so do redirects.
        """
        targets = self._graph.targets_of(node)
        ends = self._ends[targets[targets >= 0]]
        ends = ends[ends >= 0]
        found: list[int] = distinct(ends[(self.forms[ends] >= 0) & (ends != node)]).tolist()
        return found

    def text_of(self, node: int) -> Text:
        return self.texts_of([node])[0]

    def texts_of(self, nodes: list[int]) -> list[Text]:
        """Return the texts of listed pages; those not in memory are read together."""
        lacking = [node for node in nodes if node not in self._texts]
        keys = self._graph.nodes.keys
        node_of = {int(keys[node]): node for node in lacking}
        for row in self._store.conclusions.texts_of(sorted(node_of)):
            self._texts[node_of[row.key]] = _text(row)
        found = []
        for node in nodes:
            self._texts.move_to_end(node)
            found.append(self._texts[node])
        while len(self._texts) > KEPT:
            self._texts.popitem(last=False)
        return found


def _ends(store: Store, graph: LinkGraph) -> Ints:
    """Return the node to which each URL leads: by redirects, and as a copy of another page."""
    ends = graph.ends()
    copies = np.fromiter(
        ((row.key, key(row.original)) for row in store.results.copies()),
        [("copy", np.int64), ("original", np.int64)],
    )
    originals = graph.find(copies["original"])
    step = np.arange(len(ends))
    is_known = originals >= 0
    step[graph.find(copies["copy"])[is_known]] = originals[is_known]
    found: Ints = ends[step[ends]]
    return found


def _text(row: TextRow) -> Text:
    media, sampled = Signature.of(row.signature or row.pictures)
    own = within_parts(row.signature, row.unbroken)
    return Text(own, sampled, row.excerpt, len(row.excerpt) < EXCERPT_LENGTH, media)


def _sampled(signature: bytes, excerpt: str) -> Hashes:
    """Return the shingles of a signature; of a page without one, all of its excerpt."""
    return Signature.of(signature).shingles if signature else shingles(without_space(excerpt))


def _shares(site: _Listed, node: int) -> Shares | None:
    links = site.links_of(node)
    if not MIN_PARTS <= len(links) <= MAX_LINKS:
        return None
    return compare(node, site.text_of(node).own, zip(links, site.texts_of(links)))


def _candidates(store: Store, graph: LinkGraph, site: _Listed) -> Iterator[int]:
    """Yield the pages with text that may be on pages that they link to, by node."""
    elsewhere = Elsewhere()
    for nodes, rows in _samples(store, graph):
        for node, row in zip(nodes.tolist(), rows):
            elsewhere.add(node, within_parts(row.signature, row.unbroken))
    for nodes, rows in _samples(store, graph):
        sampled = [_sampled(row.signature, row.excerpt) for row in rows]
        elsewhere.look(nodes, np.array([*map(len, sampled)]), np.concatenate(sampled))
    yield from elsewhere.nodes(site.links_of)


def _samples(store: Store, graph: LinkGraph) -> Iterator[tuple[Ints, list[SampleRow]]]:
    """Yield nodes with the rows of their samples, in batches."""
    rows = store.conclusions.text_samples()
    while batch := list(islice(rows, READ_TOGETHER)):
        yield graph.find(np.array([row.key for row in batch])), batch
