"""Releases URLs of possibly endless spaces into the frontier, as far as their pages warrant.

The rules are in ``analysis``: ``patterns.py`` sorts URLs, ``usefulness.py`` judges pages,
``yields.py`` grants further URLs, ``crowds.py`` looks at directories of plain URLs, ``made_up.py``
at answers to URLs that no page links to. The store keeps what they decide.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from sitemapgen.analysis.kinds.crowds import Step, choose_step
from sitemapgen.analysis.kinds.evidence import level
from sitemapgen.analysis.kinds.made_up import ANSWERS, judge_answers
from sitemapgen.analysis.kinds.patterns import Family, Pattern
from sitemapgen.analysis.kinds.usefulness import SuspectPage, Use
from sitemapgen.analysis.kinds.yields import Spaces
from sitemapgen.core.shapes import Shape, further, made_up, plain_shape, shape, space
from sitemapgen.frontier.kinds import (
    end_calendars,
    leave_out_by_path,
    leave_out_variants,
    take_back_variants,
)
from sitemapgen.store.kinds.suspects import Assignment, FamilyRow, Suspects
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from sitemapgen.store import Store
    from sitemapgen.store.kinds.crowds import Crowds

logger = logging.getLogger(__name__)


def examine_crowds(store: Store) -> None:
    """Hold back waiting URLs of directories that seem endless: ``analysis/kinds/crowds.py``."""
    for directory, answers, usual_length in store.crowds.new_answers():
        reason, count = judge_answers(answers, usual_length)
        if reason:
            logger.info("%(directory)s: %(reason)s", {"directory": directory, "reason": reason})
            store.crowds.leave_out(directory, reason)
        elif count > len(answers):
            _ask_directory(store.crowds, directory, count)
    directories = store.suspects.memory.directories
    if not directories.is_due(store.frontier.fetched()):
        return
    if store.frontier.limits.stops_at_traps:
        leave_out_by_path(store)
    for crowd in directories.count_urls(store.crowds.plain_urls(), store.crowds.asked()):
        step = choose_step(crowd)
        if step is Step.ASK:
            store.crowds.forget_answers(crowd.directory, crowd.listed)
            _ask_directory(store.crowds, crowd.directory, ANSWERS)
        elif step is not Step.NONE:
            logger.debug("%(directory)s waits", {"directory": crowd.directory})
            store.crowds.hold_back(crowd.directory, step.name.lower())


def release_suspects(store: Store) -> int:
    """Judge the fetched suspects, and release as many URLs of each pattern as they warrant.

    Pages whose use is open are judged again when there are more pages by a tenth, and before
    anything is left out. Return the number of URLs put into the frontier.
    """
    suspects = store.suspects
    if sort_suspects(suspects):
        suspects.memory.spaces = None
        store.kinds.forget()
    patterns = {each.id: each for each in suspects.patterns()}
    spaces = suspects.memory.spaces = suspects.memory.spaces or _counted_spaces(suspects, patterns)
    spaces.begin_round()
    seen = spaces.seen
    suspects.set_uses([*_judge_pages(spaces, suspects.unjudged(), patterns)])
    for each, (answers, length) in suspects.made_up().items():
        if each in patterns and (reason := spaces.makes_up(patterns[each], answers, length)):
            spaces.reasons[each] = reason
    stops = store.frontier.limits.stops_at_traps
    if has_grown := level(spaces.seen) > level(seen):
        _settle_pages(spaces, suspects, patterns)
    is_due = store.kinds.is_asking or has_grown
    if stops and (asked := leave_out_variants(store, decides=is_due)):
        return asked
    back = 0
    if stops:
        end_calendars(store, spaces.idle())
        back = leave_out_by_path(store) if has_grown else 0
    some_patterns = suspects.patterns()
    probed = spaces.to_probe(some_patterns)
    asked = sum(_probe_pattern(spaces, suspects, patterns[each]) for each in probed)
    held = probed if asked else ()
    fetched = store.frontier.fetched()
    feeds = suspects.feeds()
    grants = spaces.grants(some_patterns, feeds, fetched, stops=stops, held=held)
    leaves_out = any(grant.reason for grant in grants)
    if not has_grown and (leaves_out or not any(grant.urls for grant in grants)):
        _settle_pages(spaces, suspects, patterns)
        back = leave_out_by_path(store) if stops else 0
        grants = spaces.grants(some_patterns, feeds, fetched, stops=stops, held=held)
    released = back + asked + suspects.release(grants)
    if not released and stops and take_back_variants(store):
        return release_suspects(store)
    return released


def sort_suspects(suspects: Suspects) -> bool:
    """Assign new suspects to patterns; return whether URLs have another pattern than before.

    What separates the patterns of a family is decided again when the family has doubled, as long as
    nothing of it was released: what a probe reveals is no reason to call it another pattern.
    """
    has_changed = False
    for family in suspects.families():
        counted = _counted_family(suspects, family)
        for url in suspects.new_urls(family):
            counted.count_url(_shape_of(url))
        constants = family.constants
        if counted.total >= 2 * family.size and not suspects.has_released(family):
            constants = counted.constants()
            has_changed |= suspects.decide(family, constants, counted.total)
        while urls := suspects.unassigned(family):
            suspects.assign(family, [_assign_pattern(key, url, constants) for key, url in urls])
    return has_changed


def _counted_family(suspects: Suspects, family: FamilyRow) -> Family:
    """Return the counts of a family, made again after a restart."""
    families = suspects.memory.families
    if family.id not in families:
        families[family.id] = Family()
        for url in suspects.sorted_urls(family):
            families[family.id].count_url(_shape_of(url))
    return families[family.id]


def _assign_pattern(key: int, url: str, constants: frozenset[tuple[str, str]]) -> Assignment:
    found = _shape_of(url)
    pattern = found.pattern(constants)
    return Assignment(key, url, found.kind, pattern, space(pattern))


def _shape_of(url: str) -> Shape:
    return shape(url) or plain_shape(url)


def _counted_spaces(suspects: Suspects, patterns: Mapping[int, Pattern]) -> Spaces:
    """Return the statistics of the pages that were judged by an earlier process."""
    spaces = Spaces()
    for page, use in suspects.judged():
        spaces.learn(page, patterns[page.pattern])
        spaces.count(patterns[page.pattern], use)
    return spaces


def _judge_pages(
    spaces: Spaces,
    pages: Iterable[tuple[SuspectPage, int]],
    patterns: Mapping[int, Pattern],
) -> Iterator[tuple[int, Use]]:
    for page, round_ in pages:
        pattern = patterns[page.pattern]
        use = spaces.judge(page, pattern)
        is_last = use in (Use.NOTHING, Use.LITTLE, Use.AGAIN) or page.verdict is Verdict.REDIRECT
        if not round_ and is_last:
            use = Use.UNKNOWN  # fetched before the first release, which did not record its links
        spaces.count(pattern, use)
        yield page.key, use


def _settle_pages(spaces: Spaces, suspects: Suspects, patterns: Mapping[int, Pattern]) -> None:
    """Judge the pages again whose use is open."""
    settled = []
    for page in suspects.open_pages():
        if (use := spaces.settle(page)) is not Use.OPEN:
            spaces.count(patterns[page.pattern], use, Use.OPEN)
            settled.append((page.key, use))
    suspects.set_uses(settled)


def _probe_pattern(spaces: Spaces, suspects: Suspects, pattern: Pattern) -> int:
    """Put made-up URLs of a pattern into the frontier; return their number."""
    change = further if spaces.are_alike(pattern) else made_up
    some = enumerate(suspects.listed_urls(pattern.id), 1)
    return suspects.probe(pattern.id, [change(url, pattern.pattern, seed) for seed, url in some])


def _ask_directory(crowds: Crowds, directory: str, count: int) -> None:
    """Have a directory be asked for ``count`` made-up URLs in all, each like one of its pages."""
    some = enumerate(crowds.listed_urls(directory, count), 1)
    crowds.request_made_up(
        directory,
        [made_up(url, plain_shape(url).pattern(frozenset()), seed) for seed, url in some],
    )
