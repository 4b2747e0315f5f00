"""Phases of a crawl: which URLs are fetched when links lead nowhere new.

After ordinary links, breadth first: URLs that are missing in the spelling in which they were
requested, in another one; pages to be read again in the browser; pages whose turn had not come, in
sections that change more often than before; samples of URLs that may be a login form; samples of
URLs that end like files, and those that turn out to be pages; suspicious URLs, release by release
(``suspects.py``); URLs that only sitemaps name, and links from there; pages of forms that
may be soft 404s, to be compared with a made-up URL; variants that rested and differ by now from
what they repeated. A phase begins when nothing is in flight, so that the result does not depend on
the order of responses.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sitemapgen.analysis.kinds import files, titles
from sitemapgen.core import logins
from sitemapgen.core.rendering.learn import choose_samples, second_looks
from sitemapgen.core.shapes import suspect
from sitemapgen.core.words import counted
from sitemapgen.frontier.suspects import release_suspects
from sitemapgen.items import Judgement
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from sitemapgen.frontier.revisits import Revisits
    from sitemapgen.store import Store

logger = logging.getLogger(__name__)


def next_phase(store: Store, revisits: Revisits, max_depth: int) -> int:
    """Put the URLs of the next phase into the frontier; return their number."""
    return (
        _readmit_urls(store, max_depth)
        or store.request_spellings()
        or recall_unrendered(store)
        or _log_recalled(revisits.recall_doubted(), "as sitemap and server disagree")
        or _log_recalled(revisits.recall_resting(), "as others of their kind have changed")
        or (revisits.due.recall_pages() if revisits.due else 0)
        or _settle_logins(store)
        or _release_files(store)
        or release_suspects(store)
        or _release_sitemaps(store, max_depth)
        or _probe_forms(store)
        or _log_recalled(revisits.recall_contradicted(), "as what they repeated has changed")
    )


def admit_known(store: Store, max_depth: int) -> int:
    """Put URLs into the frontier that the previous run may have read; return their number."""
    released = _release_sitemaps(store, max_depth)
    released = released or _release_ordinary(store, store.file_hints.waiting_earlier())
    if not released and not store.suspects.are_pending():
        released = release_suspects(store)
    return released


def _readmit_urls(store: Store, max_depth: int) -> int:
    """Put URLs into the frontier that were excluded because a longer path was found first."""
    if not store.frontier.has_held_back():
        return 0
    _write_measures(store, max_depth)
    return store.frontier.readmit_urls()


def recall_unrendered(store: Store) -> int:
    """Have pages read again in the browser, or waited for there; return their number.

    Samples, and all pages of kinds found to need it: ``core/rendering/learn.py``.
    """
    rendering = store.rendering
    keys: list[int] = []
    for signature, count in choose_samples(rendering.tallies()).items():
        keys += rendering.unrendered_keys(signature, count)
    for kind in rendering.denied_waits():
        count = kind.pages if kind.has_come else second_looks(kind.pages, kind.looked)
        keys += rendering.unawaited_keys(kind.signature, count)
    rendering.keep_samples(keys)
    return _log_recalled(store.frontier.read_again(keys), "with the browser")


def _log_recalled(recalled: int, why: str) -> int:
    if recalled:
        words = {"pages": counted(recalled, "page is", "pages are"), "why": why}
        logger.debug("%(pages)s read again, %(why)s", words)
    return recalled


def _release_sitemaps(store: Store, max_depth: int) -> int:
    if not store.frontier.has_waiting_sitemaps():
        return 0
    _write_measures(store, max_depth)  # their depth depends on the deepest page
    released = store.frontier.release_sitemaps()
    urls = counted(released, "more URL", "more URLs")
    logger.info(
        "All links followed; %(urls)s from sitemaps or the system behind the site", {"urls": urls}
    )
    return released


def _write_measures(store: Store, max_depth: int) -> None:
    graph = store.graph()
    store.conclusions.write_measures(graph.measure(max_depth), graph)


def _settle_logins(store: Store) -> int:
    """Sample URLs that may be one login form; leave out the others of those that are."""
    asked = 0
    for step, some in store.logins.steps():
        if step is logins.LoginStep.ASK:
            asked += store.frontier.read_again([each.key for each in some])
        elif step is logins.LoginStep.LEAVE_OUT:
            store.logins.set_verdicts(logins.login_verdicts(some))
    return asked


def _probe_forms(store: Store) -> int:
    """Have pages of forms read again and compared with a made-up URL; return their number."""
    known = store.forms
    if not known.limit:
        return 0
    keys: list[int] = []
    for form in titles.crowded_forms(known.comparable_pages()):
        is_new = form.key not in known.probes
        if is_new and (len(known.probes) >= known.limit or form.probe in known.planned):
            continue
        known.probes.setdefault(form.key, form.probe)
        listed = [page.key for page in form.listed_pages]
        if form.has_soft_404 and form.key not in known.compared:
            known.compared.add(form.key)
            keys += listed
        elif is_new:
            keys += listed[: titles.SAMPLES]
    return store.frontier.read_again(keys)


def _release_files(store: Store) -> int:
    """Sample URLs that end like files, by pattern; release the patterns that are pages."""
    if not store.file_hints.are_waiting():
        return 0
    released = 0
    for group, step, count in files.decide_patterns(store.file_hints.count_shapes()):
        if step is files.HintStep.ASK:
            released += store.file_hints.request_urls(files.spread_requests(group, count))
        elif step is files.HintStep.RELEASE:
            released += _release_ordinary(store, store.file_hints.waiting_urls(group.ids))
        elif step is files.HintStep.LEAVE_OUT:
            # Pages that lead to these alone lead to nothing.
            store.file_hints.leave_out(group.ids, Judgement(Verdict.NOT_HTML, group.pattern))
    return released


def _release_ordinary(store: Store, urls: Iterable[tuple[int, str]]) -> int:
    """Put URLs that end like files into the frontier as ordinary ones; return their number."""
    return store.file_hints.release_urls((key, suspect(url)) for key, url in urls)
