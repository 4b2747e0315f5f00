"""What does the whole site say about its pages? Asked of ``analysis/``, kept in the store.

In which order: ``publication.py``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis import duplicates as same
from sitemapgen.analysis.canonicals import Canonicals
from sitemapgen.analysis.lastmod import Dates
from sitemapgen.analysis.traps import useful
from sitemapgen.items import Judgement, Ruling, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapgen.analysis.graph import Ints, LinkGraph, Mask, Measures
    from sitemapgen.store import Store, Suspects


class Remarks:
    """Applies rulings, and counts those that report.json speaks of."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.counts: Counter[str] = Counter()

    def apply(self, rulings: Iterable[Ruling]) -> None:
        self._store.overrule(self._counted(rulings))

    def _counted(self, rulings: Iterable[Ruling]) -> Iterator[Ruling]:
        for ruling in rulings:
            if ruling.remark:
                self.counts[ruling.remark] += 1
            yield ruling


def traps(suspects: Suspects) -> None:
    """Leave out what is left of each trap, and those of its pages that say nothing new."""
    found = suspects.traps()
    for family in dict.fromkeys(trap.family for trap in found):
        pages = suspects.pages(family)
        news = useful(pages)
        for trap in (trap for trap in found if trap.family == family):
            is_new = {
                page.key: new for page, new in zip(pages, news) if page.pattern == trap.pattern
            }
            useless = [key for key, new in is_new.items() if not new]
            evidence = (
                f"{trap.kind} {trap.pattern}: "
                f"{len(useless)} of {len(is_new)} fetched pages say nothing new"
            )
            suspects.condemn(trap.pattern, Judgement(Verdict.TRAP, evidence), useless)


def canonicals(store: Store, graph: LinkGraph, measures: Measures, remarks: Remarks) -> Mask:
    """Leave out the pages whose original is another one; which nodes are such originals."""
    found = Canonicals(store.canonicals(), graph, measures)
    remarks.apply(found.rulings(store.canonicals()))
    return found.is_original


def failing(store: Store, remarks: Remarks) -> None:
    """Say of which listed pages it is not known whether they are still there."""
    remarks.apply(
        Ruling(
            key,
            Verdict.LISTED,
            f"{f'HTTP {status}' if status else 'no answer'} for {runs} "
            f"{'run' if runs == 1 else 'runs'}; listed as it was",
            remark="no_answer",
        )
        for key, status, runs in store.failing()
    )


def duplicates(
    store: Store,
    graph: LinkGraph,
    measures: Measures,
    is_original: Mask,
    remarks: Remarks,
    *,
    leave_out: bool,
) -> None:
    """Of pages with the same content, list one; or only say so."""
    table = np.fromiter(store.contents(), dtype=[("key", np.int64), ("hash", np.int64)])
    hashes = table["hash"]
    is_template = same.is_template(hashes)
    remarks.apply(
        Ruling(key, Verdict.LISTED, "same content as most pages", remark="same_as_most")
        for key in table["key"][is_template].tolist()
    )
    pages, hashes = same.groups(graph.find(table["key"][~is_template]), hashes[~is_template])
    alternates = _alternates(store, graph, pages)
    found = np.fromiter(
        same.duplicates(pages, hashes, alternates, graph.nodes, measures, is_original),
        dtype=[("page", np.int64), ("listed", np.int64)],
    )
    verdict, remark = (Verdict.DUPLICATE, "") if leave_out else (Verdict.LISTED, "same_content")
    keys, listed = graph.nodes.keys[found["page"]], graph.nodes.keys[found["listed"]]
    order = np.argsort(keys)  # that of the store, so that it writes each part of it once
    remarks.apply(
        Ruling(key, verdict, "same content as ", other, remark)
        for key, other in zip(keys[order].tolist(), listed[order].tolist())
    )


def _alternates(store: Store, graph: LinkGraph, pages: Ints) -> dict[int, frozenset[int]]:
    keys = graph.nodes.keys[pages].tolist()
    return {
        int(graph.find(np.array([key]))[0]): frozenset(
            graph.find(np.frombuffer(packed, np.int64)).tolist()
        )
        for key, packed in store.alternates(keys)
    }


def dates(store: Store) -> dict[str, dict[str, int]]:
    """Settle the date of every page; how many listed pages claim what is not believed."""
    found = Dates(store.dated(), store.history.records())
    store.history.keep_records(found.records)
    store.history.keep_visits()
    store.set_lastmods(found.conclude(store.dated_at(found.keys)))
    return found.distrusted()
