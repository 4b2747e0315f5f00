"""What is fetched once links lead nowhere new: the order of a crawl's phases.

Ordinary links, breadth first; pages that are read again with the browser; a few of the URLs that
end like files, and what turns out to be pages; release by release, URLs whose form is suspicious;
then what only sitemaps name, and what is found from there. Each step is taken when nothing is in
flight, so that what it finds does not depend on the order of answers.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from sitemapgen.analysis import file_hints
from sitemapgen.analysis.crowds import ANSWERS, Step, decide
from sitemapgen.analysis.made_up import is_prose, proof
from sitemapgen.analysis.traps import Spaces, Use
from sitemapgen.items import Judgement
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitemapgen.analysis.traps import Pattern, SuspectPage
    from sitemapgen.store import Store

logger = logging.getLogger(__name__)


def next_phase(store: Store, max_depth: int) -> int:
    """Let further URLs into the frontier; how many.

    Source of the phases: the seed "Crawl Engine".
    """
    return (
        _readmit(store, max_depth)
        or _recall_unrendered(store)
        or _recall_doubted(store)
        or _release_files(store)
        or _release_suspects(store)
        or _release_sitemaps(store, max_depth)
    )


def examine_crowds(store: Store) -> None:
    """Hold back what waits of directories that seem to have no end; see ``analysis/crowds.py``."""
    for directory, answers, usual_length in store.crowds.answers():
        if len(answers) < ANSWERS or not is_prose(answers):
            continue
        if reason := proof(answers, usual_length):
            logger.info("%(directory)s: %(reason)s", {"directory": directory, "reason": reason})
            store.crowds.leave(directory, reason)
    if not store.crowds.is_due(store.frontier.fetched()):
        return
    for crowd in list(store.crowds.crowds()):
        step = decide(crowd)
        if step is Step.ASK:
            store.crowds.ask(crowd, ANSWERS)
        elif step is not Step.NONE:
            logger.debug("%(directory)s waits", {"directory": crowd.directory})
            store.crowds.hold(crowd.directory, step.name.lower())


def admit_known(store: Store, max_depth: int) -> int:
    """Let in what may have been read by the run before, whatever else still waits; how many."""
    released = _release_sitemaps(store, max_depth) or store.file_hints.release_earlier()
    if not released and not store.trap_candidates.are_pending():
        released = _release_suspects(store)
    return released


def _readmit(store: Store, max_depth: int) -> int:
    """Let in what depth or hops kept out wrongly, when a longer path was found first."""
    if not store.frontier.is_anything_held_back():
        return 0
    _measure(store, max_depth)
    return store.frontier.readmit()


def _recall_unrendered(store: Store) -> int:
    """Read pages again with the browser: samples, and kinds that turned out to need it."""
    recalled = store.frontier.recall_unrendered()
    if recalled:
        logger.debug("%(count)d pages are read again, with the browser", {"count": recalled})
    return recalled


def _recall_doubted(store: Store) -> int:
    """Read pages of which the server and its sitemap say different things."""
    recalled = store.frontier.recall_doubted()
    if recalled:
        logger.debug("%(count)d pages are read to see whether they changed", {"count": recalled})
    return recalled


def _release_sitemaps(store: Store, max_depth: int) -> int:
    if not store.frontier.do_sitemaps_wait():
        return 0
    _measure(store, max_depth)  # their depth depends on the deepest page
    released = store.frontier.release_sitemaps()
    logger.info("Links lead nowhere new; %(count)d URLs only sitemaps name", {"count": released})
    return released


def _measure(store: Store, max_depth: int) -> None:
    graph = store.graph()
    store.conclusions.apply(graph.measure(max_depth), graph)


def _release_suspects(store: Store) -> int:
    """Judge the suspects that were fetched, and release as much of each pattern as they warrant."""
    suspects = store.trap_candidates
    has_changed = suspects.sort()
    patterns = {each.id: each for each in suspects.patterns()}
    spaces = None if has_changed else suspects.spaces()
    if spaces is None:
        spaces = Spaces()
        for page, use in suspects.judged():
            spaces.learn(page, patterns[page.pattern])
            spaces.count(patterns[page.pattern], use)
        suspects.keep_spaces(spaces)
    spaces.noise = suspects.noise()
    spaces.begin_round()
    suspects.keep(list(_judge(spaces, suspects.unjudged(), patterns)))
    for each, (answers, length) in suspects.made_up().items():
        if each in patterns and (reason := spaces.makes_up(patterns[each], answers, length)):
            spaces.reasons[each] = reason
    stops = store.frontier.limits.stops_at_traps
    some_patterns = [*patterns.values()]
    probed = spaces.to_probe(some_patterns)
    asked = suspects.probe(probed)
    held = probed if asked else ()
    asked += store.frontier.read_again(suspects.sample(spaces.to_sample(some_patterns)))
    return asked + suspects.release(
        spaces.grants(some_patterns, suspects.feeds(), stops=stops, held=held)
    )


def _judge(
    spaces: Spaces,
    pages: Iterable[tuple[SuspectPage, int, Use | None]],
    patterns: Mapping[int, Pattern],
) -> Iterator[tuple[int, Use]]:
    for page, round_, before in pages:
        pattern = patterns[page.pattern]
        use = spaces.settle(page) if before else spaces.judge(page, pattern)
        if not round_ and use in (Use.NOTHING, Use.LITTLE):
            use = Use.UNKNOWN  # fetched before anything was released: what it led to is not known
        spaces.count(pattern, use, before)
        if use is not before:
            yield page.key, use


def _release_files(store: Store) -> int:
    """Ask for a few URLs of each pattern that end like files; release those that are pages."""
    if not store.file_hints.are_waiting():
        return 0
    released = 0
    for group, step, count in file_hints.decide(store.file_hints.shapes()):
        if step is file_hints.Step.ASK:
            released += store.file_hints.ask(file_hints.spread(group, count))
        elif step is file_hints.Step.RELEASE:
            released += store.file_hints.release(group.ids)
        elif step is file_hints.Step.LEAVE_OUT:  # pages that lead to these alone lead to nothing
            store.file_hints.leave_out(group.ids, Judgement(Verdict.NOT_HTML, group.pattern))
    return released
