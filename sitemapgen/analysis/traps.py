"""Endless spaces: how many URLs of a suspicious pattern are fetched, and when it is called endless.

A finite space is crawled to its end, whatever its pages contain; an endless one is bounded. They
differ in how they reveal themselves, and in how useful their pages are (``usefulness.py``).
A pattern gets more URLs released the more of its pages were useful.

A pattern whose last ``PATIENCE`` pages were of no use is *idle*. That alone proves nothing: a form
for each station or a short list under each letter has little content, and ends. So idle patterns
that reveal each other are probed together in depth: the URLs revealed last are fetched first, a few
at a time. In a finite space of N pages, each of which reveals b new ones, this ends after
log N / log b steps, the height of a tree; a graph of N pages saturates as soon. Then the space is
released in doubling steps, until all of it is fetched. A space that still reveals itself after
``DEPTH`` such steps, and more URLs of itself than were fetched, is *endless*. One that reveals one
page per page, by its "Next" links, may just be long: it is endless after ``CHAIN`` pages in a row
without a single useful one.

=====================  ==============================================  =============================
rule                   must not hurt                                   has to stop
=====================  ==============================================  =============================
useful by its leads    a paged catalogue of codes, an A to Z index     a list that repeats itself
useful by its content  rates by day, photos by number                  counters, empty calendars
closure                timetables, charts by week, ``?id=`` in a tree  (ends by itself)
probing in depth       a form with 300 plain answers                   facets of 6 x 8, mirrors
what stays             the records behind these filters                (is finite, or bounded)
idle by evidence       one empty month between full ones               months without any events
not to be indexed      a list that is noindex and leads to pages       edit forms, sort orders
=====================  ==============================================  =============================

Source of the terms: self-revealing spaces as branching processes (Harris, The Theory of Branching
Processes, 1963, chapter I): a space that reveals less than one new page per page dies out.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.analysis.made_up import proof
from sitemapgen.analysis.usefulness import PATIENCE, Tally, Usefulness
from sitemapgen.core.traps import topic

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sitemapgen.analysis.made_up import MadeUp
    from sitemapgen.analysis.patterns import Pattern

FIRST = 16
"""Number of URLs of a pattern in its first release, and minimum of a later one."""
FIRST_OF_SPACE = 64
"""Number of URLs in a release of all patterns of a space without a useful page; at least 4 each."""
AT_A_TIME = 16
"""Number of patterns of a space without a useful page that get URLs in one round, in the order of
their discovery."""
PATIENCE_BESIDE = 8
"""Useless pages in a row that make a pattern without any useful page idle, beside patterns of its
space or family that had ``EVIDENCE`` useless pages in a row."""
PATIENCE_BESIDE_ENDLESS = 4
"""The same beside an endless pattern of its space or family."""
PATIENCE_IN_IDLE_SPACE = 20
"""Useless pages in a row that make a pattern with useful pages idle, in a space whose last
``ENOUGH`` pages were useless: with 95 % confidence fewer than one in seven of its pages is useful.
An idle pattern is probed, not left out."""
EVIDENCE = 120
"""Useless pages in a row of a space or family, before its new patterns get less patience."""
BARREN = 60
"""Number of patterns of a space in a row without a useful page, after which each further one gets a
single request: with 95 % confidence fewer than one in twenty of them is useful."""
DEPTH, DEPTH_BESIDE_ENDLESS = 15, 6
"""Steps of a probe in depth after which a space is endless; the second beside an endless space. A
tree of that height has 2 ** 15 pages."""
DEPTH_EACH = 2
"""Additional steps of a probe for each further kind of pages (topics or families, if these are
fewer): a code browser leads from one commit to the next by any of its kinds in turn."""
ENOUGH = 250
"""Useless pages in a row of all patterns of a space that make it endless at ``DEPTH``: a chain of
100 pages with a few leaves each is finite."""
ENOUGH_BESIDE_ENDLESS = 60
"""The same beside an endless space."""
CHAIN = 500
"""Useless pages in a row that make a space endless that does not branch: each costs one request."""
SATED = 1_000
"""Useless pages in a row of all patterns of a space that make it endless at any depth, if more URLs
of it wait than were fetched, and each page reveals ``BRANCHING`` others: with 95 % confidence fewer
than three of its pages in 1,000 are useful. The combinations of a table's filters are finite, and
millions."""
RECENT = 4
"""Number of rounds within which patterns have to reveal each other in a circle to be one space."""
BRANCHING = 2
"""Number of URLs that each step leaves waiting in a space that branches."""
PROBE = 8
"""Number of URLs released in one step of a probe."""
BURST = 30
"""Number of URLs released when the probe of an idle pattern ends; doubled each time."""
BURSTING = 8
"""Maximum number of patterns that get a whole ``BURST``; more of them share eight."""
NOT_INDEXED = 30
"""Number of pages of a pattern, all of them noindex and without useful links, that end it: with
95 % confidence fewer than one in ten of its pages is different."""
COPIES = 60
"""Number of pages of a pattern, all of them copies by canonical URL or content, that end it."""
SAMPLED = 64
"""Number of fetched pages of a growing pattern, after which two of them are read again, to measure
how much of a page changes from one reading to the next."""
PROBED = 60
"""Number of useful pages of a growing family without links elsewhere, after which two made-up URLs
are requested of each of its patterns with ``PROBED_EACH`` useful pages."""
PROBED_EACH = 8
"""Minimum number of useful pages of a pattern that is probed with made-up URLs."""
SLOW = 16
"""Number of URLs of an endless pattern in a release with ``traps=report``."""


class Feed(NamedTuple):
    """A pattern whose pages revealed URLs of another pattern, or of the same."""

    source: int
    target: int
    age: int
    """Number of rounds since then; 0 for the last round."""


class Grant(NamedTuple):
    """The next release of a pattern."""

    pattern: int
    urls: int
    """Number of URLs to release."""
    newest_first: bool
    depth: int
    burst: int
    reason: str = ""
    """The evidence that the pattern is a trap from now on; empty if it is none."""
    is_endless: bool = False
    """Whether it is a trap because it has no end, and not because its pages ask to be left out."""


class Spaces(Usefulness):
    """Decides how many URLs each suspicious pattern of a site gets, by how useful it was."""

    def __init__(self) -> None:
        super().__init__()
        self.reasons: dict[int, str] = {}
        """By pattern: the proof that its pages are made up."""

    def to_sample(self, patterns: Iterable[Pattern]) -> list[int]:
        """Patterns of which two pages are to be read again."""
        return [
            each.id
            for each in patterns
            if each.revealed
            and each.waiting
            and not each.is_trap
            and each.id not in self.noise
            and self.tallies.get(each.id, Tally()).fetched >= SAMPLED
        ]

    def to_probe(self, patterns: Iterable[Pattern]) -> list[int]:
        """Patterns that may make up their pages: they reveal themselves, and nothing else."""
        return [
            each.id
            for each in patterns
            if each.revealed and each.waiting and not each.is_trap and not each.is_probed
            for tally in [self.tallies.get(each.id, Tally())]
            if tally.useful >= PROBED_EACH and not tally.leading
            if self.beside[f"*{each.family}"].useful >= PROBED
        ]

    def makes_up(self, pattern: Pattern, answers: Sequence[MadeUp], usual_length: float) -> str:
        """Prove that a pattern is endless by its answers to made-up URLs; empty if it is not."""
        return proof(answers, usual_length) if self.is_made_up(pattern, answers) else ""

    def grants(
        self,
        patterns: Sequence[Pattern],
        feeds: Sequence[Feed],
        *,
        stops: bool,
        held: Collection[int] = (),
    ) -> list[Grant]:
        """What each pattern with waiting URLs gets next.

        ``patterns``: all of them; ``feeds``: which patterns revealed which. ``stops``: whether
        endless spaces are left. ``held``: patterns that wait for an answer about them.
        """
        endless = {each.space for each in patterns if each.is_endless}
        endless |= {f"*{each.family}" for each in patterns if each.is_endless}
        unproven = Counter(
            each.space
            for each in patterns
            if each.waiting and not self.tallies.get(each.id, Tally()).useful
        )
        looked_at: Counter[str] = Counter()
        barren = self._barren_spaces(patterns)
        grants, idle = [], []
        for each in sorted(patterns, key=lambda each: each.id):
            tally = self.tallies.get(each.id, Tally())
            patience = self._patience(each, tally, endless, barren)
            if each.id in held:
                continue
            if each.is_trap:
                if not stops:
                    grants.append(Grant(each.id, max(0, SLOW - each.pending), False, 0, 0))
            elif reason := self.reasons.get(each.id):
                grants.append(Grant(each.id, 0, False, each.depth, each.burst, reason, True))
            elif reason := _declines(tally):
                grants.append(Grant(each.id, 0, False, each.depth, each.burst, reason))
            elif tally.idle >= patience:
                idle.append(each)
            elif each.waiting and (tally.useful or looked_at[each.space] < AT_A_TIME):
                if not tally.useful:
                    looked_at[each.space] += 1
                share = max(4, FIRST_OF_SPACE // max(unproven[each.space], 1))
                if each.space in barren:
                    share = 1
                grants.append(_more(each, tally, patience, share))
        for component in _components(idle, feeds):
            if self._is_sated(component, feeds):
                grants += self._left(component, feeds)
            elif any(each.waiting for each in component) and looked_at.keys().isdisjoint(
                each.space for each in component
            ):
                grants += self._probe(component, endless, feeds)
        return grants

    def _barren_spaces(self, patterns: Sequence[Pattern]) -> set[str]:
        """Spaces whose last ``BARREN`` patterns were of no use, in the order of their discovery."""
        in_a_row: Counter[str] = Counter()
        for each in sorted(patterns, key=lambda each: each.id):
            tally = self.tallies.get(each.id)
            if tally and tally.useful:
                in_a_row[each.space] = 0
            elif tally and tally.fetched >= PATIENCE_BESIDE_ENDLESS:
                in_a_row[each.space] += 1
        return {space for space, count in in_a_row.items() if count >= BARREN}

    def _patience(self, each: Pattern, tally: Tally, endless: set[str], barren: set[str]) -> float:
        if tally.useful:
            is_beside_nothing = self.beside[each.space].idle >= ENOUGH
            return PATIENCE_IN_IDLE_SPACE if is_beside_nothing else PATIENCE
        if each.space in barren:
            return 1
        names = (each.space, f"*{each.family}")
        if not endless.isdisjoint(names):
            return PATIENCE_BESIDE_ENDLESS
        if any(self.beside.get(name, Tally()).idle >= EVIDENCE for name in names):
            return PATIENCE_BESIDE
        return PATIENCE

    def _probe(
        self,
        component: list[Pattern],
        endless: set[str],
        feeds: Sequence[Feed],
    ) -> list[Grant]:
        """One step in depth; at its end more of all, or a verdict.

        The size of a space cannot be judged while another one that is still useful reveals it: it
        is fetched slowly until that one is idle too, or done.
        """
        depth = max(each.depth for each in component)
        is_beside = any(
            not endless.isdisjoint((each.space, f"*{each.family}")) for each in component
        )
        if any(each.pending for each in component):
            return []
        theirs = {each.id for each in component}
        recent = [feed for feed in feeds if feed.age < RECENT and feed.target in theirs]
        sources = {feed.source for feed in recent if not feed.age}
        if sources and sources.isdisjoint(theirs):
            return self._step(component, depth, newest_first=False)
        lasting = _lasting(theirs, recent)
        if not lasting and depth:
            waiting = sum(1 for each in component if each.waiting)
            return [
                Grant(each.id, max(1, burst * BURSTING // max(waiting, BURSTING)), False, 0, burst)
                for each in component
                for burst in [max(BURST, 2 * each.burst)]
            ]
        topics = {topic(each.pattern) for each in component}
        kinds = max(1, min(len(topics), len({each.family for each in component})))
        steps = DEPTH_BESIDE_ENDLESS if is_beside else DEPTH + DEPTH_EACH * (kinds - 1)
        if depth >= steps and self._is_growing(component, depth, is_beside=is_beside):
            return self._left(component, feeds)
        some = [each for each in component if each.id in lasting and each.waiting]
        return self._step(component, depth + 1, newest_first=True, among=some)

    def _step(
        self,
        component: list[Pattern],
        depth: int,
        *,
        newest_first: bool,
        among: Sequence[Pattern] = (),
    ) -> list[Grant]:
        some = sorted(
            among or (each for each in component if each.waiting),
            key=lambda each: (-each.newest, each.pattern),
        )[:PROBE]
        share = PROBE // len(some)
        chosen = {each.id for each in some}
        return [
            Grant(each.id, share if each.id in chosen else 0, newest_first, depth, each.burst)
            for each in component
        ]

    def _is_growing(self, component: list[Pattern], depth: int, *, is_beside: bool) -> bool:
        waiting = sum(each.waiting for each in component)
        idle = sum(self.tallies.get(each.id, Tally()).idle for each in component)
        enough = ENOUGH_BESIDE_ENDLESS if is_beside else ENOUGH
        return (waiting >= BRANCHING * depth and idle >= enough) or idle >= CHAIN

    def _left(self, component: list[Pattern], feeds: Iterable[Feed]) -> list[Grant]:
        """Leave out patterns that are endless together, but for those that are not themselves.

        A pattern that was fetched to its end is finite, whatever reveals it: it stays if enough of
        its pages were useful, or if it is a choice. One that goes on, and that others reveal, is
        fetched on until it had as many useless pages in a row as useful ones (a choice ``ENOUGH``
        at least): that wastes no more than it brought.
        """
        depth = max(each.depth for each in component)
        revealing = {feed.source for feed in feeds if feed.source == feed.target}
        grants = []
        for each in component:
            tally = self.tallies.get(each.id, Tally())
            is_choice = _is_choice(each, each.id not in revealing)
            enough = max(tally.useful, ENOUGH if is_choice else 0)
            if each.waiting and each.id not in revealing and tally.idle < enough:
                grants.append(Grant(each.id, max(0, BURST - each.pending), False, 0, each.burst))
            elif each.waiting or not (tally.is_worth_it or is_choice):
                reason = self._evidence(each, depth)
                grants.append(Grant(each.id, 0, False, depth, each.burst, reason, True))
        return grants

    def _is_sated(self, component: list[Pattern], feeds: Iterable[Feed]) -> bool:
        """Return whether enough was fetched, and still reveals more than is fetched."""
        theirs = {each.id for each in component}
        tallies = [self.tallies[each] for each in theirs & self.tallies.keys()]
        if sum(tally.idle for tally in tallies) < SATED:
            return False
        waiting = sum(each.waiting for each in component)
        revealed = sum(each.revealed for each in component)
        return (
            waiting >= sum(tally.fetched for tally in tallies)
            and revealed >= BRANCHING * sum(tally.latest for tally in tallies)
            and any(not age and {source, target} <= theirs for source, target, age in feeds)
        )

    def _evidence(self, each: Pattern, depth: int) -> str:
        tally = self.tallies.get(each.id, Tally())
        steps = f" after {depth} steps in depth" if depth else ""
        return (
            f"{tally.useful} of {tally.fetched} fetched pages say or lead to something new, none "
            f"of the last {round(tally.idle)}; still revealing itself{steps}"
        )


def _more(each: Pattern, tally: Tally, patience: float, share: int) -> Grant:
    wanted = FIRST + 2 * tally.recent
    if not tally.useful:
        wanted = min(share, wanted, int(patience - tally.idle) + 1)
    return Grant(each.id, max(0, wanted - each.pending), False, 0, 0)


def _is_choice(each: Pattern, is_revealed: bool) -> bool:
    """Return whether a pattern has one parameter, as the categories of a shop; or none, as its
    products, that only other pages lead to (``is_revealed``): days of a calendar are no products.
    """
    if "?" in each.pattern:
        return "&" not in each.pattern
    return is_revealed and each.kind != "calendar"


def _declines(tally: Tally) -> str:
    """The reason not to go on with a pattern whose own pages ask to be left out."""
    if tally.useful or tally.listable:
        return ""
    if tally.not_indexed >= NOT_INDEXED:
        return f"all {tally.not_indexed} fetched pages are noindex and lead to nothing new"
    if tally.copies + tally.not_indexed >= COPIES:
        return f"all {tally.copies} fetched pages are copies of other pages"
    return ""


def _lasting(patterns: set[int], feeds: Iterable[Feed]) -> set[int]:
    """Patterns that reveal themselves, be it by way of others: what lasts without an end lasts by
    them, and all others are their leaves."""
    after: dict[int, set[int]] = {}
    for source, target, _ in feeds:
        if source in patterns and target in patterns:
            after.setdefault(source, set()).add(target)
    lasting = set()
    for start in patterns:
        met: set[int] = set()
        front = list(after.get(start, ()))
        while front:
            if (one := front.pop()) not in met:
                met.add(one)
                front += after.get(one, ())
        if start in met:
            lasting.add(start)
    return lasting


def _components(patterns: Sequence[Pattern], feeds: Iterable[Feed]) -> list[list[Pattern]]:
    """Idle patterns that are one space, or of which one reveals the other; sorted."""
    root = {each.id: each.id for each in patterns}

    def find(one: int) -> int:
        while root[one] != one:
            root[one] = one = root[root[one]]
        return one

    spaces: dict[str, int] = {}
    for each in patterns:
        root[find(each.id)] = find(spaces.setdefault(each.space, each.id))
    for source, target, _ in feeds:
        if source in root and target in root:
            root[find(source)] = find(target)
    found: dict[int, list[Pattern]] = {}
    for each in sorted(patterns, key=lambda each: each.pattern):
        found.setdefault(find(each.id), []).append(each)
    return list(found.values())
