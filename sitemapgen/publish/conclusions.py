"""Verdicts and dates that depend on the whole site: from ``analysis/`` into the store.

Order of the steps: ``publication.py``.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis import duplicates
from sitemapgen.analysis.canonicals import Canonicals
from sitemapgen.analysis.freshness.rates import changefreq, estimate_rates
from sitemapgen.analysis.freshness.silence import add_run
from sitemapgen.analysis.freshness.trust import SMALL_SECTIONS
from sitemapgen.analysis.graph import Ints, LinkGraph, Mask, Measures, sort_by_preference
from sitemapgen.analysis.kinds.dates import endings
from sitemapgen.analysis.kinds.files import Group, HintStep, decide_patterns
from sitemapgen.analysis.lastmod import Dates, TrustChange, add_validations, url_section
from sitemapgen.analysis.near_duplicates import (
    Candidate,
    PageExcerpt,
    TextSignature,
    near_duplicates,
)
from sitemapgen.core import logins
from sitemapgen.core.url_forms import template
from sitemapgen.core.urls import first_segment, split
from sitemapgen.core.words import agree
from sitemapgen.items import Judgement, Ruling
from sitemapgen.report.sections.pages import place_of_trust
from sitemapgen.store import Store
from sitemapgen.store.history import TrustRow
from sitemapgen.store.kinds.files import Example, FileHints
from sitemapgen.store.options import RunOptions
from sitemapgen.verdicts import Reason, Verdict

logger = logging.getLogger(__name__)

READ_TOGETHER = 500
"""Number of pages whose texts are in memory at a time, about 3 kB each."""


class Remarks:
    """Applies rulings, and counts those that report.json has under ``remarks``."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.counts: Counter[str] = Counter()

    def apply(self, rulings: Iterable[Ruling]) -> None:
        self._store.conclusions.set_verdicts(self._count_reasons(rulings))

    def _count_reasons(self, rulings: Iterable[Ruling]) -> Iterator[Ruling]:
        for ruling in rulings:
            if ruling.reason and ruling.verdict is Verdict.LISTED:
                self.counts[ruling.reason.value] += 1
            yield ruling


class Linked(NamedTuple):
    """A store with its link graph, and what was concluded from it."""

    store: Store
    graph: LinkGraph
    measures: Measures
    remarks: Remarks
    is_original: Mask
    """Whether a node has no other original: ``leave_out_canonicalised``."""

    def preferred(self, nodes: Ints) -> Ints:
        """Return nodes of one content, the one to list first."""
        return sort_by_preference(nodes, self.graph.nodes, self.measures, self.is_original)


def leave_out_calendars(store: Store) -> None:
    """Leave out the dates without content of calendars that have ended."""
    kinds = store.kinds
    for ending in endings(kinds.dates(), kinds.signature):
        kinds.end_calendar(ending.empty)


def leave_out_login_forms(store: Store) -> None:
    """Leave out the URLs of login forms; those that are none get back what they answered."""
    store.logins.restore_verdicts()
    for step, some in store.logins.steps():
        if step is logins.LoginStep.LEAVE_OUT:
            store.logins.set_verdicts(logins.login_verdicts(some))


def leave_out_files(file_hints: FileHints) -> dict[str, Any]:
    """Leave out unrequested URLs that end like files; return the section ``files``.

    URLs without a decision, and those after the last request for their pattern, are
    ``not_fetched``. Patterns with requests to come (an interrupted crawl, a cap) are left open.
    """
    found: dict[str, Any] = {"patterns": 0, "not_asked": 0, "not_looked_at": 0, "examples": []}
    for group, step, _ in decide_patterns(file_hints.count_shapes()):
        ids = group.ids
        if step is HintStep.LEAVE_OUT:
            evidence = file_evidence(group, file_hints.examples(ids))
            found["patterns"] += 1
            found["not_asked"] += group.total("waiting")
            file_hints.leave_out(ids, Judgement(Verdict.NOT_HTML, evidence))
        elif step is HintStep.GIVE_UP:
            evidence = file_evidence(group, file_hints.examples(ids))
            found["not_looked_at"] += group.total("waiting")
            found["examples"].append(group.pattern)
            file_hints.leave_out(ids, Judgement(Verdict.NOT_FETCHED, f"{evidence}; not asked for"))
    return found


def file_evidence(group: Group, examples: Iterable[Example]) -> str:
    """Return the pattern of a group, with its requested URLs and their results.

    Such as ``/a/*.png: 0 of 2 asked for are HTML: /a/1.png (image/png)``.
    """
    answers = group.asked + group.total("silent")
    shown = ", ".join(
        f"{split(example.url).path} ({example.evidence or example.verdict})" for example in examples
    )
    return f"{group.pattern}: {group.total('pages')} of {answers} asked for are HTML: {shown}"


def leave_out_canonicalised(
    store: Store, graph: LinkGraph, measures: Measures, remarks: Remarks
) -> Mask:
    """Leave out the pages that have another original; return which nodes are originals."""
    found = Canonicals(store.conclusions.canonicals(), graph, measures)
    remarks.apply(found.rulings(store.conclusions.canonicals()))
    return found.is_original


COPY = [("page", np.int64), ("listed", np.int64)]
NEAR = [*COPY, ("similarity", np.float64)]


def mark_postponed(store: Store, remarks: Remarks) -> None:
    """Mark the listed pages that ``max_pages`` left no visit for."""
    remarks.apply(
        Ruling(
            key,
            Verdict.LISTED,
            f"as on {datetime.fromtimestamp(visited, timezone.utc).date()}; "
            "max_pages left no visit for it",
            reason=Reason.POSTPONED,
        )
        for key, visited in store.conclusions.postponed_pages()
    )


def mark_failing(store: Store, remarks: Remarks) -> None:
    """Mark the listed pages that failed in this run, and stay listed."""
    remarks.apply(
        Ruling(
            key,
            Verdict.LISTED,
            f"{_status_in_words(status)} for {runs} {agree(runs, 'run', 'runs')}; listed as it was",
            reason=Reason.NO_ANSWER,
        )
        for key, status, runs in store.conclusions.failing_pages()
    )


def repeat_remarks(store: Store, remarks: Remarks) -> None:
    """Repeat what the responses of listed pages gave reason to remark."""
    remarks.apply(
        Ruling(key, Verdict.LISTED, evidence, reason=reason)
        for key, evidence, reason in store.conclusions.remarked_pages()
    )


def _status_in_words(status: int | None) -> str:
    if status is None:
        return "no answer"
    return "not read" if status < 400 else f"HTTP {status}"


def choose_duplicates(site: Linked, options: RunOptions) -> None:
    """List one of the pages with the same, or nearly the same, content; or only mark the others."""
    graph, leave_out = site.graph, options.duplicates
    table = _comparable_contents(site)
    pages, is_listed = table["page"], table["is_listed"]
    some, hashes = duplicates.duplicate_groups(pages[is_listed], table["hash"][is_listed])
    alternates = versions_of(site.store, graph, some)
    copies = np.fromiter(
        duplicates.find_duplicates(
            some,
            hashes,
            alternates,
            graph.nodes,
            site.measures,
            site.is_original,
            partial(_contents_linked, graph, table[is_listed & ~table["is_short"]]),
        ),
        COPY,
    )
    verdict = Verdict.DUPLICATE if leave_out != "off" else Verdict.LISTED
    keys = graph.nodes.keys
    copies = copies[np.argsort(keys[copies["page"]])]  # the store's order: each part written once
    site.remarks.apply(
        Ruling(
            key=int(keys[page]),
            verdict=verdict,
            evidence="same content as ",
            other=int(keys[listed]),
            reason=Reason.SAME_CONTENT,
        )
        for page, listed in copies.tolist()
    )
    table = table[~np.isin(pages, copies["page"])]
    beside = _copies_beside(table)
    table = table[~np.isin(table["page"], beside["page"])]
    near = _near_duplicates(site, *_by_subject(site, table), options)
    site.store.conclusions.set_clusters(
        (int(keys[page]), int(keys[listed]), similarity)
        for page, listed, similarity in _by_key(np.concatenate((near, beside)), keys).tolist()
    )
    near = near[np.isin(near["page"], table["page"][table["is_listed"]])]
    _mark_near(site, _by_key(near, keys), copies, leave_out=leave_out == "near")


CONTENT = [
    *(("key", np.int64), ("hash", np.int64), ("subject", np.int64)),
    *(("is_listed", np.bool_), ("is_short", np.bool_)),
]
"""Fields of comparable pages; ``subject`` is 0 for none, ``is_short`` means too little text, so
that all bytes were hashed."""


def _comparable_contents(site: Linked) -> NDArray[np.void]:
    """Return CONTENT rows with their nodes, ``page``, sorted by these; not those of a template."""
    graph = site.graph
    table = np.fromiter(site.store.conclusions.contents(), CONTENT)
    is_short, is_listed = table["is_short"], table["is_listed"]
    is_template = _has_most(table["hash"], is_listed & ~is_short) & ~is_short
    # With little text it is the page in front of a whole site, a consent or a login, and not the
    # same error or empty basket at many addresses.
    is_start = np.isin(table["key"], graph.nodes.keys[graph.nodes.is_start])
    is_before_all = _has_most(table["hash"], is_listed)
    if is_start[is_before_all].any():
        is_template |= is_before_all
    site.remarks.apply(
        Ruling(key, Verdict.LISTED, "same content as most pages", reason=Reason.SAME_AS_MOST)
        for key in table["key"][is_template & table["is_listed"]].tolist()
    )
    table = table[~is_template]
    result = np.empty(len(table), [("page", np.int64), *CONTENT])
    for name, _ in CONTENT:
        result[name] = table[name]
    result["page"] = graph.find_nodes(table["key"])
    return result[np.argsort(result["page"])]


def _contents_linked(graph: LinkGraph, table: NDArray[np.void], page: int) -> frozenset[int]:
    """Return the hashes of the pages of CONTENT rows that a page links to."""
    targets = graph.targets_of(page)
    place = np.searchsorted(table["page"], targets)
    some = table[place[place < len(table)]]
    return frozenset(some["hash"][np.isin(some["page"], targets)].tolist())


def _has_most(values: NDArray[np.int64], is_listed: Mask) -> Mask:
    """Return which pages have the value that more than half of the listed pages have."""
    listed = values[is_listed]
    return np.isin(values, listed[duplicates.is_template(listed)][:1])


def _copies_beside(table: NDArray[np.void]) -> NDArray[np.void]:
    """Return NEAR rows for noindex pages with the content of a listed one."""
    listed, others = table[table["is_listed"]], table[~table["is_listed"]]
    found = duplicates.copies_beside(listed["page"], listed["hash"], others["page"], others["hash"])
    return np.fromiter(((page, listed, 1.0) for page, listed in found), NEAR)


def _by_key(rows: NDArray[np.void], keys: Ints) -> NDArray[np.void]:
    return rows[np.argsort(keys[rows["page"]])]


def _by_subject(site: Linked, table: NDArray[np.void]) -> tuple[Ints, Ints]:
    """Return pages to compare, and their subjects: sorted by subject, the preferred page first.

    noindex pages come after all listed ones, which never depend on them.
    """
    is_named = (table["subject"] != 0) & ~_has_most(table["subject"], table["is_listed"])
    table = table[is_named]
    some, subjects = duplicates.duplicate_groups(table["page"], table["subject"])
    order = site.preferred(some)
    is_hidden = np.isin(order, table["page"][~table["is_listed"]])
    order = order[np.argsort(is_hidden, kind="stable")]
    subjects = subjects[np.searchsorted(some, order)]
    by_subject = np.argsort(subjects, kind="stable")
    return order[by_subject], subjects[by_subject]


def _near_duplicates(
    site: Linked, pages: Ints, subjects: Ints, options: RunOptions
) -> NDArray[np.void]:
    """Return NEAR rows; ``pages`` are sorted by subject, the one to list first."""
    alternates = versions_of(site.store, site.graph, pages)
    candidates = _read_candidates(site, pages, subjects)
    return np.fromiter(near_duplicates(candidates, alternates, options.near_threshold), NEAR)


def _read_candidates(site: Linked, pages: Ints, subjects: Ints) -> Iterator[Candidate]:
    for first in range(0, len(pages), READ_TOGETHER):
        part = slice(first, first + READ_TOGETHER)
        some = pages[part]
        keys = site.graph.nodes.keys[some].tolist()
        rows = {row.key: row for row in site.store.conclusions.signed_pages(sorted(keys))}
        for node, key, subject in zip(some.tolist(), keys, subjects[part].tolist()):
            row = rows[key]
            text = PageExcerpt(row.url, row.excerpt)
            yield Candidate(node, subject, text, TextSignature.of(row.signature))


def _mark_near(
    site: Linked, near: NDArray[np.void], copies: NDArray[np.void], *, leave_out: bool
) -> None:
    """Mark the listed near-duplicates, or leave them out together with their copies."""
    keys = site.graph.nodes.keys
    verdict = Verdict.DUPLICATE if leave_out else Verdict.LISTED
    if leave_out:
        row_of = {page: row for row, page in enumerate(near["page"].tolist())}
        theirs = [(page, row_of[listed]) for page, listed in copies.tolist() if listed in row_of]
        further = near[[row for _, row in theirs]]
        further["page"] = [page for page, _ in theirs]
        near = np.concatenate((near, further))
    site.remarks.apply(
        Ruling(
            int(keys[page]),
            verdict,
            f"nearly the same content ({similarity:.2f}) as ",
            int(keys[listed]),
            reason=Reason.NEAR_DUPLICATE,
        )
        for page, listed, similarity in near.tolist()
    )


def versions_of(store: Store, graph: LinkGraph, pages: Ints) -> dict[int, frozenset[int]]:
    """Return the nodes that each of some pages names as its versions in other languages."""
    keys = graph.nodes.keys[pages].tolist()
    return {
        int(graph.find_nodes(np.array([key]))[0]): frozenset(
            graph.find_nodes(np.frombuffer(packed, np.int64)).tolist()
        )
        for key, packed in store.conclusions.alternates(keys)
    }


def observed_changefreqs(store: Store) -> Iterator[tuple[int, str]]:
    """Yield (key, changefreq) of the pages that were observed long enough."""
    keys, _, visits = store.history.past_visits()
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
    columns = (keys, estimate_rates(visits, templates), counts, watched)
    for key, rate, count, span in zip(*(column.tolist() for column in columns)):
        if word := changefreq(rate, count, span):
            yield key, word


def decide_lastmods(store: Store) -> dict[str, dict[str, int]]:
    """Decide the lastmod of every page; count the distrusted dates by source and fault."""
    history = store.history
    records = history.source_records()
    found = Dates(store.conclusions.dated_pages(), records, history.horizon())
    validators = add_validations(history.validated_pages(), records, history.run)
    undated = store.sources.undated_pages()
    silence = add_run(((url_section(each.url), each.has_changed) for each in undated), records)
    history.keep_records({**found.records, **validators, **silence})
    changes = [_trust_row(store, each) for each in found.changes]
    for change in history.keep_trust_changes(changes):
        _log_trust(change)
    history.keep_visits()
    store.conclusions.set_lastmods(found.conclude_pages(store.conclusions.dated_at(found.keys)))
    store.conclusions.set_date_faults(found.date_faults())
    return found.count_distrusted()


def _trust_row(store: Store, change: TrustChange) -> TrustRow:
    name = ""
    if change.section != SMALL_SECTIONS:
        (page,) = store.results.details([change.example])
        name = first_segment(page.url)
    source, section, _, is_trusted, reason, evidence = change
    return TrustRow(source, section, name, is_trusted, reason, evidence)


def _log_trust(change: TrustRow) -> None:
    where = place_of_trust(change)
    words = {"source": change.source, "section": where, "evidence": change.evidence}
    if change.is_trusted:
        logger.info("lastmod: %(source)s is trusted again in %(section)s: %(evidence)s", words)
    else:
        logger.warning(
            "lastmod: %(source)s is no longer trusted in %(section)s: %(evidence)s; "
            "unchanged pages keep their dates",
            words,
        )
