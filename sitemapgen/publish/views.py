"""Views of a concluded crawl: stored texts through ``analysis/kinds/views.py`` into the store."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.duplicates import are_versions
from sitemapgen.analysis.graph import NOWHERE, Ints, LinkGraph, Measures, chain_ends
from sitemapgen.analysis.key_index import Places, distinct
from sitemapgen.analysis.kinds.dates import endings
from sitemapgen.analysis.kinds.renditions import (
    Paths,
    Rendition,
    find_renditions,
    find_siblings,
    number_kinds,
)
from sitemapgen.analysis.kinds.views import (
    Layouts,
    ShownText,
    View,
    Views,
    elsewhere,
    further_pages,
    view_of_links,
    within_parts,
)
from sitemapgen.analysis.near_duplicates import TextSignature
from sitemapgen.core.document.languages import canonical_language
from sitemapgen.core.document.main_text import EXCERPT_LENGTH, without_space
from sitemapgen.core.document.shingles import hash_shingles
from sitemapgen.core.pagination import page_number
from sitemapgen.core.url_forms import form_of
from sitemapgen.core.urls import key, split
from sitemapgen.core.words import counted
from sitemapgen.items import Ruling
from sitemapgen.publish.conclusions import Linked, versions_of
from sitemapgen.store import Store
from sitemapgen.store.conclusions import TextRow, ViewRow
from sitemapgen.store.kinds.pages import Kinds
from sitemapgen.verdicts import Reason, Verdict

READ_TOGETHER = 500
"""Number of pages whose samples are in memory at a time, about 1 kB each."""
DIRECTORIES = 3
"""Directories above a page of which the nearest that is a page may have it as a rendition."""
KEPT = 250
"""Number of pages whose texts stay in memory, about 17 kB each: those that many others link to."""


def mark_views(linked: Linked, *, leave_out: bool) -> None:
    """Store the pages that show only what other listed pages show, and leave them out if asked to.

    Renditions of a page are left out first, unless ``traps=report`` keeps all kinds.

    The start URL is never one, and neither are its versions in other languages: those that it
    names, and the roots of directories such as ``/de/``.
    """
    store, graph = linked.store, linked.graph
    site = _Listed(store, graph, linked.measures)
    if store.frontier.limits.stops_at_traps:
        _leave_out_renditions(linked, site)
        _leave_out_rested(linked, site)
    lists = {view.node: view for view in _lists(store.kinds, graph, site)}
    views = Views(Layouts(site), lists).find(_candidates(store, graph))
    found = {**lists, **{view.node: view for view in views}}
    found |= {view.node: view for view in further_pages(site, [*found])}
    starts = np.flatnonzero(graph.nodes.is_start)
    homes = site.homes.union(starts.tolist(), *versions_of(store, graph, starts).values())
    keys = graph.nodes.keys
    rows = sorted(
        ViewRow(int(keys[view.node]), view.pages, int(keys[view.example]))
        for view in found.values()
        if view.node not in homes
    )
    store.conclusions.set_views(rows)
    if leave_out:
        linked.remarks.apply(
            Ruling(
                row.key,
                Verdict.VIEW,
                f"shows only what {counted(row.pages, 'listed page shows', 'listed pages show')}, "
                "such as ",
                row.example,
                reason=Reason.SHOWN_ELSEWHERE,
            )
            for row in rows
        )


def _leave_out_renditions(linked: Linked, site: _Listed) -> None:
    """Leave out the pages that show nothing of their own beside one that leads to them."""
    store, graph = linked.store, linked.graph
    nodes, draw, listed = graph.nodes, site.draw, site.representatives()
    free = (site.forms >= 0) & ~(nodes.is_named | nodes.in_sitemap | nodes.is_start)

    def urls() -> Iterator[tuple[int, str]]:
        rows = store.conclusions.listed_urls()
        while batch := list(islice(rows, READ_TOGETHER)):
            places = graph.find_nodes(np.array([key for key, _ in batch])).tolist()
            yield from ((place, url) for place, (_, url) in zip(places, batch) if free[place])

    kinds = number_kinds(urls(), site.forms)
    siblings = find_siblings(graph, linked.measures, kinds.number, listed, site.paths)
    every: dict[int, Rendition] = {}
    while some := {each.node: each for each in find_renditions(Layouts(site), kinds, siblings)}:
        kinds.number[np.isin(kinds.number, kinds.number[[*some]])] = NOWHERE
        both = distinct(np.array([each[:2] for each in some.values()], np.int64).ravel())
        versions = versions_of(store, graph, both)
        left_out = [each for each in some.values() if not are_versions(versions, *each[:2])]
        every |= {each.node: each for each in left_out}  # other kinds may lead to nothing but these
        site.take_out([each.node for each in left_out])
    ends = {node: _end_of(node, every, listed) for node in every}
    found = {node: every[node] for node, page in ends.items() if page != node}
    rulings = []
    for each in found.values():
        page = ends[each.node]
        obey, total = each.evidence
        words = f"{obey} of {total} sampled pages of its kind show nothing of their own beside "
        node, other = int(draw[each.node]), int(draw[page])
        rulings.append(Ruling(node, Verdict.VARIANT, words, other, reason=Reason.SHOWN_ABOVE))
    linked.remarks.apply(rulings)


def _leave_out_rested(linked: Linked, site: _Listed) -> None:
    """Leave out the variants of the run before that have not changed, nor what stands for them."""
    every = linked.store.previous_run.rested_variants().items()
    bases = {page: base for page, base in every if base is not None}
    words = "when it was last read, the page showed nothing of its own beside "
    linked.remarks.apply(
        Ruling(page, Verdict.VARIANT, words, base, reason=Reason.SHOWN_ABOVE)
        for page, base in bases.items()
    )
    site.take_out(linked.graph.find_nodes(np.array([*bases], np.int64)).tolist())


def _end_of(node: int, found: Mapping[int, Rendition], listed: Ints) -> int:
    """Return the page that a rendition of a rendition stands for; itself in a circle of them."""
    seen: set[int] = set()
    while node in found and node not in seen:
        seen.add(node)
        node = int(listed[found[node].page])
    return node


def _lists(kinds: Kinds, graph: LinkGraph, site: _Listed) -> Iterator[View]:
    """Yield the parts of lists, and the dates of calendars, that only lead to other pages."""
    keys = [each.key for each in kinds.listed() if kinds.roles.is_list(*each[:3])]
    for ending in endings(kinds.dates(), kinds.signature):
        keys += ending.lists
    nodes = {*graph.find_nodes(np.array(keys, np.int64)).tolist()}
    for node in sorted(nodes):
        if site.forms[node] >= 0:
            yield from view_of_links(site, node, nodes)


class _Listed:
    """The listed pages: their texts, their links to each other, and the forms of their URLs."""

    def __init__(self, store: Store, graph: LinkGraph, measures: Measures) -> None:
        self._store = store
        self._graph = graph
        self._ends = _ends(store, graph)
        self._texts: OrderedDict[int, ShownText] = OrderedDict()
        self.measures = measures
        self.draw = graph.nodes.keys
        self.homes: set[int] = set()
        """The roots of directories that are named as languages."""
        self.forms = np.full(len(graph.nodes.keys), -1, np.int32)
        self.is_later = np.zeros(len(self.forms), np.bool_)
        has_query = np.zeros(len(self.forms), np.bool_)
        frames, names = np.zeros((2, len(self.forms)), np.int64)
        asked = array("q")
        above = np.zeros((len(self.forms), DIRECTORIES + 1), np.int64)
        numbers: dict[str, int] = {}
        rows = store.conclusions.listed_urls()
        while batch := list(islice(rows, READ_TOGETHER)):
            nodes = graph.find_nodes(np.array([key for key, _ in batch]))
            is_home = [bool(canonical_language(split(url).path.strip("/"))) for _, url in batch]
            self.homes.update(nodes[is_home].tolist())
            forms = [form_of(url) for _, url in batch]
            self.forms[nodes] = [numbers.setdefault(form, len(numbers)) for form in forms]
            self.is_later[nodes] = [page_number(url) > 1 for _, url in batch]
            above[nodes] = [_above(url) for _, url in batch]
            for node, (_, url) in zip(nodes.tolist(), batch):
                frames[node], name, *others = _names(url)
                names[node] = name
                for each in filter(None, (name, *others)):
                    asked.extend((node, each))
            has_query[nodes] = ["?" in url for _, url in batch]
        listed = np.flatnonzero(self.forms >= 0)
        own, *parents = above[listed].T
        places, directories = Places(own), np.full(len(self.forms), NOWHERE)
        for hashes in reversed(parents):
            found = np.append(listed, NOWHERE)[places.find_positions(hashes)]
            directories[listed] = np.where(found == NOWHERE, directories[listed], found)
        nodes, hashes = np.frombuffer(asked, np.int64).reshape(-1, 2).T
        placed = np.flatnonzero(frames)
        tiers = (frames, (placed, frames[placed])), (names, (nodes, hashes))
        self.paths = Paths(directories, has_query, tiers)

    def take_out(self, nodes: Sequence[int]) -> None:
        """Treat some pages as not listed from here on."""
        self.forms[nodes] = NOWHERE
        is_listed = self.forms >= 0
        self.forms[is_listed] = np.unique(self.forms[is_listed], return_inverse=True)[1]

    def links_of(self, node: int) -> list[int]:
        """Return the other listed pages that a page links to, ascending.

        A link to a copy leads to the page that is listed instead, and so do redirects.
        """
        targets = self._graph.targets_of(node)
        ends = self._ends[targets[targets >= 0]]
        is_listed = (ends >= 0) & (self.forms[ends] >= 0)
        found: list[int] = distinct(ends[is_listed & (ends != node)]).tolist()
        return found

    def representatives(self) -> Ints:
        """Return the node that is listed in place of each, which may be itself; -1 for none."""
        variants = _steps(self._graph, self._store.conclusions.variants())
        ends = self._ends[chain_ends(variants)]
        found: Ints = np.where(self.forms[ends] >= 0, ends, NOWHERE)
        return found

    def texts_of(self, nodes: Sequence[int]) -> list[ShownText]:
        """Return the content of pages; what is not in memory is read together."""
        node_of = {int(self.draw[node]): node for node in nodes if node not in self._texts}
        for row in self._store.conclusions.texts_of(sorted(node_of)):
            self._texts[node_of[row.key]] = _text(row)
        for node in nodes:
            self._texts.move_to_end(node)
        found = [self._texts[node] for node in nodes]
        while len(self._texts) > KEPT:
            self._texts.popitem(last=False)
        return found


def _names(url: str) -> list[int]:
    """Return the hashes of the names of a URL, or 0, then those by which it has namesakes.

    Those are the language and its path but for the segment before the last, and the language and
    the last segment or, with a query, its only parameter.
    """
    _, path, query = split(url)
    names = path.strip("/").split("/")
    language = canonical_language(names[0])
    name = hash((language, names[-1])) if names[-1] else 0
    if not query:
        return [hash((language, *names[:-2], names[-1])) if len(names) > 2 else 0, name]
    parts = [hash(part) for part in query.split("&") if "=" in part]
    return [0, parts[0] if len(parts) == 1 else 0, name, *parts]


def _above(url: str) -> list[int]:
    """Return the hashes of a URL and of those above it; or 0.

    Above are the nearest directories in its path but the root, or the URL without its query.
    """
    page, _, query = url.partition("?")
    above = [url.rstrip("/"), *([page.rstrip("/")] if query else [])]
    while not query and len(above) <= DIRECTORIES and above[-1].count("/") > 3:
        above.append(above[-1].rpartition("/")[0])
    return [*map(hash, above), *[0] * (DIRECTORIES + 1 - len(above))]


def _ends(store: Store, graph: LinkGraph) -> Ints:
    """Return the node to which each URL leads: by redirects, and as a copy of another page."""
    ends = graph.redirect_ends()
    copies = _steps(graph, ((row.key, row.original) for row in store.results.copies()))
    found: Ints = ends[np.where(copies == NOWHERE, np.arange(len(ends)), copies)[ends]]
    return found


def _steps(graph: LinkGraph, rows: Iterable[tuple[int, str]]) -> Ints:
    """Return by node the node of another URL; -1 for none. ``rows``: (key, other URL)."""
    pairs = ((key_, key(other)) for key_, other in rows)
    some, others = map(graph.find_nodes, np.fromiter(pairs, np.dtype((np.int64, 2))).T)
    steps = np.full(len(graph.nodes.keys), NOWHERE, np.int64)
    steps[some[some != NOWHERE]] = others[some != NOWHERE]
    return steps


def _text(row: TextRow) -> ShownText:
    media, sampled = TextSignature.of(row.signature or row.pictures)
    pieces = within_parts(row.signature, row.unbroken)
    is_whole = len(row.excerpt) < EXCERPT_LENGTH - 1  # it does not end with a space
    return ShownText(row.title, row.excerpt, is_whole, pieces, sampled, media)


def _candidates(store: Store, graph: LinkGraph) -> list[int]:
    """Return the pages whose text may be on other pages."""
    rows = store.conclusions.text_samples()
    pages = ((row.key, within_parts(row.signature, row.unbroken)) for row in rows)
    found = elsewhere(pages, _every(store.conclusions.text_samples()))
    return [*map(int, graph.find_nodes(found))]


def _every(rows: Iterator[TextRow]) -> Iterator[NDArray[np.uint32]]:
    """Yield the known shingles of some pages at a time: all of a page without a signature."""
    while batch := list(islice(rows, READ_TOGETHER)):
        signed = [TextSignature.of(row.signature).shingles for row in batch if row.signature]
        others = [hash_shingles(without_space(row.excerpt)) for row in batch if not row.signature]
        yield np.concatenate(signed + others)
