"""What does the whole site say about its pages? Asked of ``analysis/``, kept in the store.

In which order: ``publication.py``.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import numpy as np

from sitemapgen.analysis import duplicates as same
from sitemapgen.analysis.canonicals import Canonicals
from sitemapgen.analysis.choice import preferred
from sitemapgen.analysis.freshness.rates import rates
from sitemapgen.analysis.freshness.words import changefreq
from sitemapgen.analysis.lastmod import Dates
from sitemapgen.analysis.near_duplicates import Candidate, Said, Signature, near_duplicates
from sitemapgen.analysis.ranking import tenths
from sitemapgen.analysis.traps import useful
from sitemapgen.core.rendering import template
from sitemapgen.items import Judgement, Ruling, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from sitemapgen.analysis.graph import Ints, LinkGraph, Mask, Measures
    from sitemapgen.store import Store
    from sitemapgen.store.suspects import Suspects

READ_TOGETHER = 500
"""Pages whose texts are in memory at a time, some 3 kB each."""


class Remarks:
    """Applies rulings, and counts those that report.json speaks of."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.counts: Counter[str] = Counter()

    def apply(self, rulings: Iterable[Ruling]) -> None:
        self._store.conclusions.overrule(self._counted(rulings))

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
    found = Canonicals(store.conclusions.canonicals(), graph, measures)
    remarks.apply(found.rulings(store.conclusions.canonicals()))
    return found.is_original


COPIES = [("page", np.int64), ("listed", np.int64)]
NEAR = [*COPIES, ("similarity", np.float64)]


def postponed(store: Store, remarks: Remarks) -> None:
    """Say of which listed pages it is not known what became of them."""
    remarks.apply(
        Ruling(
            key,
            Verdict.LISTED,
            f"as on {datetime.fromtimestamp(visited, timezone.utc).date()}; "
            "max_pages left no visit for it",
            remark="postponed",
        )
        for key, visited in store.conclusions.postponed()
    )


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
        for key, status, runs in store.conclusions.failing()
    )


def duplicates(
    store: Store,
    graph: LinkGraph,
    measures: Measures,
    is_original: Mask,
    remarks: Remarks,
    *,
    leave_out: str,
    threshold: float,
) -> None:
    """Of pages with the same content list one, and of pages with nearly the same; or only say so.

    ``leave_out``: ``off``, ``exact`` or ``near``. ``threshold``: the similarity from which on two
    texts are nearly the same.
    """
    table = np.fromiter(
        store.conclusions.contents(),
        dtype=[("key", np.int64), ("hash", np.int64), ("subject", np.int64)],
    )
    is_template = same.is_template(table["hash"])
    remarks.apply(
        Ruling(key, Verdict.LISTED, "same content as most pages", remark="same_as_most")
        for key in table["key"][is_template].tolist()
    )
    table = table[~is_template]
    pages = graph.find(table["key"])
    some, hashes = same.groups(pages, table["hash"])
    alternates = _alternates(store, graph, some)
    copies = np.fromiter(
        same.duplicates(some, hashes, alternates, graph.nodes, measures, is_original), COPIES
    )
    verdict, remark = (
        (Verdict.DUPLICATE, "") if leave_out != "off" else (Verdict.LISTED, "same_content")
    )
    keys = graph.nodes.keys
    copies = copies[np.argsort(keys[copies["page"]])]  # the store's order: each part written once
    remarks.apply(
        Ruling(int(keys[page]), verdict, "same content as ", int(keys[listed]), remark)
        for page, listed in copies.tolist()
    )
    is_compared = (table["subject"] != 0) & ~same.is_template(table["subject"])
    is_compared &= ~np.isin(pages, copies["page"])
    some, subjects = same.groups(pages[is_compared], table["subject"][is_compared])
    order = preferred(some, graph.nodes, measures, is_original)
    by_page = np.argsort(some)
    subjects = subjects[by_page][np.searchsorted(some[by_page], order)]
    by_subject = np.argsort(subjects, kind="stable")
    near = _near_duplicates(store, graph, order[by_subject], subjects[by_subject], threshold)
    _say_near(store, graph, near, copies, remarks, leave_out=leave_out == "near")


def _near_duplicates(
    store: Store, graph: LinkGraph, pages: Ints, subjects: Ints, threshold: float
) -> NDArray[np.void]:
    """NEAR rows, for pages by subject, the one to be listed first."""
    candidates = _candidates(store, graph, pages, subjects)
    alternates = _alternates(store, graph, pages)
    return np.fromiter(near_duplicates(candidates, alternates, threshold), NEAR)


def _candidates(store: Store, graph: LinkGraph, pages: Ints, subjects: Ints) -> Iterator[Candidate]:
    """Read what the pages say, some at a time."""
    for first in range(0, len(pages), READ_TOGETHER):
        part = slice(first, first + READ_TOGETHER)
        some = pages[part]
        keys = graph.nodes.keys[some].tolist()
        rows = {row.key: row for row in store.conclusions.signed(sorted(keys))}
        for node, key, subject in zip(some.tolist(), keys, subjects[part].tolist()):
            row = rows[key]
            said = Said(row.url, row.excerpt)
            yield Candidate(node, subject, said, Signature.of(row.signature))


def _say_near(
    store: Store,
    graph: LinkGraph,
    near: NDArray[np.void],
    copies: NDArray[np.void],
    remarks: Remarks,
    *,
    leave_out: bool,
) -> None:
    """Keep the near-duplicates, and say so; left out, they take their copies with them."""
    keys = graph.nodes.keys
    near = near[np.argsort(keys[near["page"]])]
    store.conclusions.set_clusters(
        (int(keys[page]), int(keys[listed]), similarity)
        for page, listed, similarity in near.tolist()
    )
    verdict, remark = (Verdict.DUPLICATE, "") if leave_out else (Verdict.LISTED, "near_duplicate")
    if leave_out:
        row_of = {page: row for row, page in enumerate(near["page"].tolist())}
        theirs = [(page, row_of[listed]) for page, listed in copies.tolist() if listed in row_of]
        further = near[[row for _, row in theirs]]
        further["page"] = [page for page, _ in theirs]
        near = np.concatenate((near, further))
    remarks.apply(
        Ruling(
            int(keys[page]),
            verdict,
            f"nearly the same content ({similarity:.2f}) as ",
            int(keys[listed]),
            remark,
        )
        for page, listed, similarity in near.tolist()
    )


def _alternates(store: Store, graph: LinkGraph, pages: Ints) -> dict[int, frozenset[int]]:
    keys = graph.nodes.keys[pages].tolist()
    return {
        int(graph.find(np.array([key]))[0]): frozenset(
            graph.find(np.frombuffer(packed, np.int64)).tolist()
        )
        for key, packed in store.conclusions.alternates(keys)
    }


def rank_steps(store: Store) -> list[float]:
    """The PageRanks that part the tenths of the listed pages: ``ranking.tenths``."""
    return tenths(np.fromiter(store.results.listed_ranks(), np.float64))


def changefreqs(store: Store, *, are_published: bool) -> None:
    """Name how often each page was seen to change; none of them, if that is not published."""
    store.conclusions.set_changefreqs(_changefreqs(store) if are_published else ())


def _changefreqs(store: Store) -> Iterator[tuple[int, str]]:
    keys, _, visits = store.history.visits()
    numbers: dict[str, int] = {}
    templates = np.zeros(len(keys), np.int64)
    for first in range(0, len(keys), READ_TOGETHER):
        some = slice(first, first + READ_TOGETHER)
        details = store.results.details(keys[some].tolist())
        names = [template(detail.url) for detail in details]
        templates[some] = [numbers.setdefault(name, len(numbers)) for name in names]
    is_again = np.isfinite(visits.days)
    page, days = visits.page[is_again], visits.days[is_again]
    counts = np.bincount(page, minlength=len(keys))
    watched = np.bincount(page, days, len(keys))
    columns = (keys, rates(visits, templates), counts, watched)
    for key, rate, count, span in zip(*(column.tolist() for column in columns)):
        if word := changefreq(rate, count, span):
            yield key, word


def dates(store: Store) -> dict[str, dict[str, int]]:
    """Settle the date of every page; how many listed pages claim what is not believed."""
    found = Dates(store.conclusions.dated(), store.history.records())
    store.history.keep_records({**found.records, **store.history.validators()})
    store.history.keep_visits()
    store.conclusions.set_lastmods(found.conclude(store.conclusions.dated_at(found.keys)))
    return found.distrusted()
