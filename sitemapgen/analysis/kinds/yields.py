"""Endless spaces: which of their waiting URLs are fetched next, by expected yield; which are left.

The *yield* of a pattern is the probability that its next page is useful (``usefulness.py``). Its
prior is the share of useful pages so far or, before the first one, the yield of its space, in which
each pattern counts as one page; the useless pages since the last useful one are the data. A pattern
is fetched in batches as long as its yield is at least ``LEAST``, however large it is.

With a smaller yield it is *in doubt*, which proves nothing: a form for each station or a short list
under each letter has little content, and ends. It is fetched to its end if no pattern in doubt has
revealed URLs of it: what ordinary and useful pages link to is finite. The others come last, one
space at a time, until their pages have revealed ``DOUBT`` URLs. If they still reveal others then,
they are *endless*. So are, sooner, those whose last ``PATIENCE`` pages had the text of an earlier
one, in its order, if URLs that no page links to have it, too (``made_up.py``). A pattern ends after
``PATIENCE`` pages in a row that are copies of others, or redirect to them.

=====================  ==============================================  =============================
rule                   must not hurt                                   has to stop
=====================  ==============================================  =============================
useful by its leads    a paged catalogue of codes, an A to Z index     a list that repeats itself
useful by its content  rates by day, photos by number                  counters, empty calendars
finite                 a form with 300 plain answers                   (ends by itself)
in doubt               timetables, 400 draws, ``?id=`` in a tree       facets of 6 x 8, mirrors
alike                  a catalogue with numbers for names              counters, months of buttons
copies                 a post that is all of its topic                 posts that show a topic again
not to be indexed      a list that is noindex and leads to pages       edit forms, sort orders
=====================  ==============================================  =============================

Sources: Laplace's rule of succession for the yield; for what reveals itself, branching processes
(Harris, The Theory of Branching Processes, 1963, chapter I): a space that reveals less than one new
page per page dies out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import add
from typing import NamedTuple

from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION
from sitemapgen.analysis.kinds.made_up import MadeUp, describe_alike, describe_proof
from sitemapgen.analysis.kinds.patterns import Pattern
from sitemapgen.analysis.kinds.usefulness import PATIENCE, UNLISTED, Tally, Use, Usefulness

LEAST = 1 / PATIENCE
"""Minimum yield: one useful page for ``PATIENCE`` requests."""
PRIOR, WEIGHT = 1 / 2, 2
"""Yield of a space of which nothing was fetched; and pages that a prior is worth (Laplace)."""
DOUBT, SHARE = 600, 0.25
"""URLs that the pages of a space in doubt may reveal, ten times what a useless pattern costs; or
that share of the pages of the crawl if it is more. Each endless space of the site halves it for the
others, so that all of them together reveal twice as many at most."""
BRANCHING = 2
"""Maximum number of URLs that count of those that a page in doubt reveals: a space that branches is
left after half as many requests as a chain, and not before a finite one is seen to end."""
FIRST = 16
"""Number of URLs of a pattern in its first release, and minimum of a later one; of an endless one
in each release with ``traps=report``. Also the maximum number of patterns without a useful page of
a space in one round."""
EACH = 4
"""Minimum number of URLs of a pattern without a useful page in a release."""
PROBED_EACH = 8
"""Minimum number of pages of a pattern that is probed with two made-up URLs: all alike, or useful
ones, where ``PATIENCE`` of its growing family are useful without links elsewhere."""


class Grant(NamedTuple):
    """The next release of a pattern."""

    pattern: int
    urls: int = 0
    """Number of URLs to release."""
    doubt: float = 0.0
    """Number of URLs that their pages are expected to reveal, if the pattern is in doubt."""
    reason: str = ""
    """The evidence that the pattern is a trap from now on; empty if it is none."""
    is_endless: bool = False
    """Whether it is a trap because it has no end, and not because its pages ask to be left out."""


_NO_PAGES = Tally()


class Spaces(Usefulness):
    """Decides how many URLs each suspicious pattern of a site gets, by how useful it was."""

    def __init__(self) -> None:
        super().__init__()
        self.reasons: dict[int, str] = {}
        """By pattern: the proof that its pages are made up."""

    def to_probe(self, patterns: Iterable[Pattern]) -> list[int]:
        """Return the patterns that may make up their pages, as they reveal themselves alone."""
        return [
            each.id
            for each in patterns
            if each.revealed and each.waiting and not each.is_trap and not each.is_probed
            if self._tally(each).fetched >= PROBED_EACH
            if self.are_alike(each) or self._may_be_prose(each)
        ]

    def _may_be_prose(self, each: Pattern) -> bool:
        tally = self._tally(each)
        is_useful = tally.useful >= PROBED_EACH and not tally.uses[Use.LEADS]
        return is_useful and self.beside[f"*{each.family}"].useful >= PATIENCE

    def makes_up(self, pattern: Pattern, answers: Sequence[MadeUp], usual_length: float) -> str:
        """Prove that a pattern is endless by its answers to made-up URLs; empty if it is not."""
        if self.is_answered_alike(pattern, answers):
            return describe_alike(answers, self.beside[pattern.space].again)
        return describe_proof(answers, usual_length) if self.is_made_up(pattern, answers) else ""

    def grants(
        self,
        patterns: Sequence[Pattern],
        feeds: Collection[tuple[int, int]],
        fetched: int,
        *,
        stops: bool,
        held: Collection[int] = (),
    ) -> list[Grant]:
        """What each pattern with waiting URLs gets next.

        ``patterns``: all of them; ``feeds``: (pattern, pattern of which it has revealed URLs);
        ``fetched``: pages of the crawl. ``stops``: whether endless spaces are left. ``held``:
        patterns that wait for an answer about them.
        """
        asked = [each for each in patterns if each.id not in held]
        traps = [Grant(each.id, max(0, FIRST - each.pending)) for each in asked if each.is_trap]
        grants = [] if stops else traps
        yields = self._yields(patterns)
        doubtful = {each.id for each in asked if yields[each.id] < LEAST}
        rest = []
        kinds = self._kinds(patterns)
        declined = {kind: _unlisted(tally) for kind, tally in kinds.items()}
        for each in (each for each in asked if not each.is_trap):
            if reason := self.reasons.get(each.id) or self._declines(each, declined):
                grants.append(Grant(each.id, reason=reason, is_endless=each.id in self.reasons))
            else:
                rest.append(each)
        fed = {target for source, target in feeds if source in doubtful}
        hanging = {each.id for each in rest if each.id in doubtful and self._hangs(each)}
        if any(each.waiting or each.pending for each in rest if each.id not in hanging):
            rest = [each for each in rest if each.pending or each.id not in hanging]
        in_doubt = [each for each in rest if each.id in doubtful & fed]
        worth = [each for each in rest if each.id not in doubtful & fed]
        released = [*self._released(worth, yields, kinds)]
        if any(each.pending for each in rest) or any(grant.urls for grant in released):
            return grants + released
        most = max(DOUBT, SHARE * fetched)
        return [*grants, *self._in_doubt(in_doubt, patterns, feeds, yields, most)]

    def idle(self) -> list[int]:
        """Return the patterns of which ``PATIENCE`` pages or more in a row were useless."""
        return sorted(each for each, tally in self.tallies.items() if tally.idle >= PATIENCE)

    def _tally(self, each: Pattern) -> Tally:
        return self.tallies.get(each.id, _NO_PAGES)

    def _hangs(self, each: Pattern) -> bool:
        """Whether all depends on what its pages lead to, as redirects to forms to log in.

        Such a pattern waits for these others.
        """
        tally = self._tally(each)
        return tally.open >= WITHOUT_EXCEPTION and not tally.listable

    def _kinds(self, patterns: Iterable[Pattern]) -> dict[str, Tally]:
        """Return the counts of the pages of each kind."""
        kinds: defaultdict[str, Tally] = defaultdict(Tally)
        for each in patterns:
            for kind in _kinds_of(each.pattern):
                kinds[kind].uses = [*map(add, kinds[kind].uses, self._tally(each).uses)]
        return kinds

    def _declines(self, each: Pattern, declined: Mapping[str, str]) -> str:
        """Return the reason to leave a pattern; empty if there is none.

        Of each pattern of a kind some pages have to be fetched, as one may differ from the others.
        """
        tally = self._tally(each)
        if tally.in_row >= WITHOUT_EXCEPTION:
            return (
                f"the last {tally.in_row} fetched pages show nothing that others do not show, "
                "under the same title"
            )
        if tally.copied >= PATIENCE:
            return (
                f"the last {tally.copied} fetched pages are copies of others, or redirect to them"
            )
        if tally.listable or not tally.unlisted:
            return ""
        return next(filter(None, map(declined.get, _kinds_of(each.pattern))), "")

    def _yields(self, patterns: Iterable[Pattern]) -> dict[int, float]:
        """Return by pattern the probability that its next page is useful."""
        spaces: dict[str, Tally] = {}
        useless = set()
        for each in sorted(patterns, key=lambda each: each.id):
            tally, space = self._tally(each), spaces.setdefault(each.space, Tally())
            if tally.useful:
                space.add(Use.USEFUL)
            elif tally.idle >= EACH:
                space.add(Use.NOTHING)
                useless.add(each.id)
        yields = {}
        for each in patterns:
            tally, space, own = self._tally(each), spaces[each.space], each.id in useless
            prior = _yield(space.useful, space.fetched - own, space.idle - own, PRIOR)
            yields[each.id] = _yield(tally.useful, tally.fetched, tally.idle + tally.open, prior)
        return yields

    def _released(
        self, patterns: list[Pattern], yields: dict[int, float], kinds: Mapping[str, Tally]
    ) -> Iterator[Grant]:
        """Yield what patterns get that are worth it, or have an end.

        Those of a kind without a page that may be listed get together what decides on it.
        """
        left = {kind: WITHOUT_EXCEPTION - t.unlisted for kind, t in kinds.items() if not t.listable}
        patterns = sorted(patterns, key=lambda each: (-yields[each.id], each.id))
        patterns = [each for each in patterns if each.waiting]
        unproven = Counter(each.space for each in patterns if not self._tally(each).useful)
        looked_at = Counter[str]()
        for each in patterns:
            tally, worth = self._tally(each), yields[each.id] / LEAST
            most = 1 + int((worth - 1) * (WEIGHT + tally.idle)) if worth > 1 else FIRST
            wanted = FIRST + 2 * tally.recent
            if not tally.useful:
                looked_at[each.space] += 1
                wanted = min(FIRST, max(EACH, FIRST * EACH // unproven[each.space]))
            if looked_at[each.space] <= FIRST or tally.useful:
                of_kind = left.keys() & _kinds_of(each.pattern)
                decisive = min((left[kind] for kind in of_kind), default=wanted)
                wanted = min(wanted, decisive if tally.unlisted else max(EACH, decisive))
                urls = max(0, min(wanted, most) - each.pending)
                for kind in of_kind:
                    left[kind] -= min(urls, each.waiting)
                yield Grant(each.id, urls)

    def _in_doubt(
        self,
        in_doubt: list[Pattern],
        patterns: Iterable[Pattern],
        feeds: Collection[tuple[int, int]],
        yields: dict[int, float],
        most: float,
    ) -> Iterator[Grant]:
        """Yield what one space in doubt gets, and the verdicts of those that are endless."""
        spent: defaultdict[str, float] = defaultdict(float)
        for each in patterns:
            spent[each.space] += each.doubt
        endless = {each.id: each.space for each in patterns if each.is_endless}
        lasting = _lasting({each.id for each in in_doubt}, feeds)
        grants: list[Grant] = []
        while not any(grant.urls for grant in grants):
            waiting = [each for each in in_doubt if each.waiting]
            if not waiting:
                break
            first = max(waiting, key=lambda each: (spent[each.space], yields[each.id], each.space))
            mine = [each for each in in_doubt if each.space == first.space]
            others = {*endless.values()} - {first.space}
            if spent[first.space] < most / 2 ** len(others):
                beyond = {target for source, target in feeds if source in endless}
                grants = self._doubted(mine, self._price(in_doubt), yields, beyond)
            else:
                grants = [*self._left(mine, feeds, lasting)]
                endless.update((each.id, each.space) for each in mine)
                in_doubt = [each for each in in_doubt if each.space != first.space]
            yield from grants

    def _price(self, patterns: Sequence[Pattern]) -> float:
        """Return the number of URLs that a page in doubt has revealed in the last round."""
        latest = sum(self._tally(each).latest for each in patterns)
        revealed = sum(each.revealed for each in patterns)
        return min(BRANCHING, revealed / latest) if latest else 1

    def _doubted(
        self,
        patterns: list[Pattern],
        price: float,
        yields: dict[int, float],
        beyond: Collection[int],
    ) -> list[Grant]:
        """Return the next URLs in doubt of a space, those of the highest yield first.

        ``beyond``: patterns that an endless one has revealed; each of their URLs counts.
        """
        patterns = sorted(patterns, key=lambda each: (-yields[each.id], each.pattern))
        patterns = [each for each in patterns if each.waiting][:FIRST]
        grants = []
        for each in patterns:
            urls = min(FIRST // len(patterns), each.waiting)
            grants.append(Grant(each.id, urls, urls * max(price, each.id in beyond)))
        return grants

    def _left(
        self, patterns: list[Pattern], feeds: Collection[tuple[int, int]], lasting: Collection[int]
    ) -> Iterator[Grant]:
        """Leave out the patterns of an endless space, but for those that are not themselves.

        What lasts without an end lasts by patterns that reveal each other in a circle. A choice
        outside of it is fetched to its end, within ``DOUBT`` useless pages in a row; one inside of
        it, if others have revealed the last URLs of it, as long as one page in ``WORTH`` is useful.
        """
        shown = {target for source, target in feeds if source != target}
        for each in patterns:
            tally = self._tally(each)
            is_outside = each.id not in lasting and tally.idle < DOUBT
            is_ending = each.id in shown and each.waiting <= FIRST and tally.is_worth_it
            if _is_choice(each) and (is_outside or is_ending):
                yield Grant(each.id, min(FIRST, each.waiting))
            elif each.waiting or not tally.is_worth_it:
                reason = (
                    f"{tally.useful} of {tally.fetched} fetched pages say or lead to something "
                    f"new, none of the last {round(tally.idle)}; still revealing itself"
                )
                yield Grant(each.id, reason=reason, is_endless=True)


def _yield(useful: int, fetched: int, idle: float, prior: float) -> float:
    """Return the probability that the next page is useful. ``prior``: that before the first one.

    ``idle``: useless pages since the last useful one, and those whose use is still open.
    """
    if useful:
        prior = (1 + useful) / (2 + fetched)
    return WEIGHT * min(PRIOR, prior) / (WEIGHT + idle)


def _is_choice(each: Pattern) -> bool:
    """Return whether one part of its URLs varies, as of the categories or products of a shop.

    Days of a calendar are no products.
    """
    query = each.pattern.partition("?")[2]
    return sum(part.endswith("=") for part in query.split("&")) < 2 and each.kind != "calendar"


def _lasting(patterns: set[int], feeds: Iterable[tuple[int, int]]) -> set[int]:
    """Return the patterns from which those that reveal each other in a circle are reached."""
    edges = {(source, target) for source, target in feeds if {source, target} <= patterns}
    while leaves := {target for _, target in edges} - {source for source, _ in edges}:
        edges = {(source, target) for source, target in edges if target not in leaves}
    return {source for source, _ in edges}


def _kinds_of(pattern: str) -> list[str]:
    """Return what a pattern shares with others: its directories, and values of its parameters.

    >>> _kinds_of("/git/patch/*?id="), _kinds_of("/?a=patch&h=")
    (['/git', '/git/patch', '/git/patch/*?id='], ['/?a=patch', '/?a=patch&h='])
    """
    path, _, query = pattern.partition("?")
    names = path.partition("*")[0].partition("{")[0].rstrip("/").split("/")
    above = ("/".join(names[:depth]) for depth in range(2, len(names) + 1))
    values = (f"{path}?{part}" for part in query.split("&") if part.partition("=")[2])
    return [*dict.fromkeys((*filter(None, above), *values, pattern))]


def _unlisted(tally: Tally) -> str:
    """Return the reason to leave a kind none of whose pages may be listed; empty if some may."""
    if tally.listable or tally.unlisted < WITHOUT_EXCEPTION:
        return ""
    most = max(UNLISTED, key=tally.uses.__getitem__)
    return f"all {tally.uses[most]} fetched {UNLISTED[most]}"
