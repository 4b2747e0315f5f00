"""What parameters mean on a site: the roles of slots, and what follows for URLs never fetched.

A slot is a parameter at a form of path. Its role follows from the pairs of siblings that were
fetched (``laws.py``, ``evidence.py``):

=============  ==========================================  ========================================
role           of its pages                                so
=============  ==========================================  ========================================
``NOTHING``    all are the same as their siblings          none is listed, and no more are fetched
``SELECTION``  all show a part of what a list shows,       one alone is a page, such as a category;
               some under a title of their own             two, or a further page of one, are none
``RENDITION``  all are their siblings in another version   none is listed, and no more are fetched
``PAGE``       most go on with the list of their sibling,  its pages are one list, read to its end
               and lead from one to another
``IDENTITY``   they have content of their own              all are fetched
=============  ==========================================  ========================================

A value of another parameter that selects a kind of page, as ``a=commit`` does, is part of a slot.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from enum import Enum
from functools import partial
from typing import NamedTuple
from zlib import crc32

from sitemapgen.analysis.kinds.dates import is_date
from sitemapgen.analysis.kinds.evidence import MOST, WITHOUT_EXCEPTION, Evidence
from sitemapgen.analysis.kinds.laws import (
    NO_LAYOUT,
    SHARED,
    Law,
    Layout,
    Shown,
    Signature,
    are_scaled,
    layout_of,
    own_of,
)
from sitemapgen.analysis.kinds.lists import Firsts, Lists, Pages, is_ahead
from sitemapgen.analysis.kinds.slots import (
    PLACE,
    Parameters,
    Slot,
    is_without,
    parts_of,
    places_above,
    siblings_of,
    slot,
    slots_of,
    values_of,
    without,
)
from sitemapgen.core.pagination import strip_page_number
from sitemapgen.core.urls import key, split, with_parameters

AROUND = 8
"""Pages that a page links to, of which the frame is what more than half have: what four fifths of
a site have is found with a probability of 0.94."""
FIRST = 4
"""Pages of a slot that obey the law of all slots below the same place, so that it is taken over:
as many as are requested first of each pattern."""
WAITING = 100_000
"""Pages whose siblings are not fetched yet, of which that is remembered."""


class Role(Enum):
    """The role of a slot."""

    UNKNOWN = "unknown"
    NOTHING = "nothing"
    SELECTION = "selection"
    RENDITION = "rendition"
    PAGE = "page"
    IDENTITY = "identity"


SHOWS_NOTHING = (Role.NOTHING, Role.SELECTION)
"""Roles of slots whose pages have no content of their own."""
MAKES_VARIANTS = (Role.NOTHING, Role.RENDITION)
"""Roles of slots of which no page is needed."""
OBEYS = {
    Role.NOTHING: (Law.SAME, Law.PART),
    Role.SELECTION: (Law.SAME, Law.PART),
    Role.RENDITION: (Law.SAME, Law.RENDITION, Law.LITTLE),
}
"""By role of a slot: what a page of it is that is none of its own."""


class Fetched(NamedTuple):
    """A fetched page of which content was kept."""

    key: int
    url: str
    pattern: str
    """The pattern of its URL; empty if it has none."""
    target: str
    """The URL to which it redirects; empty for none."""
    depth: int


class Variant(NamedTuple):
    """A URL that is no page of its own."""

    url: str
    """The URL that stands for it."""
    name: str
    """The parameter that makes it one."""
    evidence: Evidence
    role: Role = Role.NOTHING

    @property
    def words(self) -> str:
        """What was found, for people; a place is named by its directory.

        >>> Variant("https://example.com/", "sort", Evidence(24, 24)).words
        '`sort`: 24 of 24 sampled pages show nothing of their own beside https://example.com/'
        """
        obey, total = self.evidence
        name = self.name if self.name != PLACE else f"{split(self.url).path.rstrip('/')}/*"
        if total == 1:
            return f"`{name}`: the page shows nothing of its own beside {self.url}"
        found = f"`{name}`: {obey} of {total} sampled pages"
        if self.role is Role.RENDITION:
            return f"{found} show at least four fifths of the text of {self.url}, under its title"
        return f"{found} show nothing of their own beside {self.url}"


class _Pair(NamedTuple):
    """A page and its sibling."""

    parameters: int
    """Pairs with the fewest are compared first; 0 if all URLs have the parameter."""
    draw: int
    page: int
    sibling: int
    is_same: bool
    """Whether it redirects to the URL without the parameter."""


class _Tested(NamedTuple):
    """The compared pairs of a slot."""

    role: Role
    evidence: Evidence
    laws: tuple[Law, ...]
    layout: Layout
    frame: frozenset[int] | None
    values: frozenset[str]
    """The values of the parameter, as they are written in the URLs."""
    is_choice: bool
    """Whether its values recur, as those of a filter: an identifier has no usual one."""
    is_token: bool = False
    """Whether each answer has another value of it, which changes nothing."""

    def choices(self, name: str) -> Iterable[str]:
        """Return what separates no kinds of pages: the parameter, or its values seen so far."""
        if self.role in SHOWS_NOTHING:
            return (name,)
        return self.values if self.evidence.is_without_exception else ()


_NONE = _Tested(Role.UNKNOWN, Evidence(0, 0), (), NO_LAYOUT, None, frozenset(), is_choice=False)


class Roles:
    """The roles of the slots of a site; they follow from the set of its fetched pages."""

    def __init__(self, pages: Pages, firsts: Iterable[tuple[str, str]] = ()) -> None:
        """``firsts``: as those of ``Parameters``, of all pages that are going to be learnt."""
        self._pages = pages
        self.parameters = Parameters(firsts, pages.is_listed)
        self._pairs: dict[Slot, set[_Pair]] = {}
        self._lonely: dict[int, list[tuple[Slot, _Pair]]] = {}
        """By page that is not fetched yet: the pairs that wait for it."""
        self._alike: dict[tuple[Slot, int], list[tuple[bool, bool, str]]] = {}
        """By slot that is never left out, and key of the URL without it: (whether links of this
        run lead to it, whether its value is an unusual one, URL) of pages, ascending; the first one
        stands for the others."""
        self._firsts = Firsts(pages)
        """Waiting URLs by the same."""
        self._has_tokens = False
        self._tested: dict[Slot, _Tested] = {}
        """By their own pairs."""
        self._settled: dict[Slot, _Tested] = {}
        """Also by those of other slots."""
        self._found_of: dict[tuple[str, str], _Tested] = {}
        """By pattern and parameter: what ``_of`` has found."""
        self._known: dict[tuple[str, tuple[_Pair, ...]], _Tested] = {}
        """By name and pairs: what was found with the same lists."""
        self._lists = Lists(pages)
        self._choices: frozenset[tuple[str, str]] = frozenset()
        """(path, parameter or value of one) of which no page showed anything of its own."""

    def _slots(self, url: str, pattern: str) -> list[str]:
        return slots_of(url, pattern, self.parameters)

    def _siblings_of(self, url: str, pattern: str, *names: str) -> tuple[str, ...]:
        """Return the URLs that the sibling of a page without some slots may have.

        Of a slot that no URL lacks and that changes nothing, that is the fetched page that stands
        for the others; where none is fetched, the one that has its usual value.
        """
        usual, name = self.parameters.usual(pattern), names[0]
        choices = {n: each for n, each in usual.items() if self._of(pattern, n).is_choice}
        of = self._of(pattern, name)
        if of.is_token or (name in choices and of.role in MAKES_VARIANTS):
            alike = (first for *_, first in self._alike.get(_alike(slot(pattern, name), url), ()))
            if first := next((each for each in alike if self._pages.is_listed(key(each))), ""):
                choices.pop(name, "")
                found = siblings_of(url, *names, usual=choices)
                return found if first == url else (*found, first)
        return siblings_of(url, *names, usual=choices)

    # In

    def extend(self, firsts: Iterable[tuple[str, str]]) -> bool:
        """Take up further patterns; return whether what was learnt of the others stays valid."""
        before = self.parameters
        self.parameters = Parameters(firsts, self._pages.is_listed)
        return self.parameters.extends(before)

    def learn(self, pages: Iterable[Fetched]) -> bool:
        """Add fetched pages; return whether there were any."""
        page = None
        for page in pages:
            for slot_, pair in self._lonely.pop(page.key, ()):
                self._add(slot_, pair)
            for name in self._slots(page.url, page.pattern):
                is_same = is_without(page.target, page.url, name)
                if page.target and not is_same:
                    continue
                slot_ = slot(page.pattern, name)
                usual = self.parameters.usual(page.pattern)
                size = len(parts_of(page.url)) if name not in usual else 0
                draw = _draw(page.url)
                siblings = [*map(key, siblings_of(page.url, name, usual=usual))]
                pairs = [_Pair(size, draw, page.key, each, is_same) for each in siblings]
                if name in usual and not is_same and len(self._alike) < WAITING:
                    alike = self._alike.setdefault(_alike(slot_, page.url), [])
                    is_unusual = values_of(page.url, name) != [f"{name}={usual[name]}"]
                    if (one := (page.depth > 0, is_unusual, page.url)) not in alike:
                        insort(alike, one)
                        del alike[MOST:]
                known = next((each for each in pairs if self._pages.is_known(each.sibling)), None)
                if known is not None:
                    self._add(slot_, known)
                elif len(self._lonely) < WAITING:
                    for pair in pairs:
                        self._lonely.setdefault(pair.sibling, []).append((slot_, pair))
        return page is not None

    def _add(self, slot_: Slot, pair: _Pair) -> None:
        pairs = self._pairs.setdefault(slot_, set())
        pairs.add(pair)
        if len(pairs) > 2 * MOST:
            self._pairs[slot_] = {*sorted(pairs)[:MOST]}

    def lacking(self, pages: Callable[[Iterable[int]], Container[int]]) -> set[int]:
        """Return the pages whose content is needed: for a test that they are enough to decide.

        And those that stand for others, which are compared with them. Of pages that are the same,
        only those that stand for several: equal content shows it as well.

        ``pages``: those of some keys that were fetched, but of which no content was kept.
        """
        fetched = pages(self._lonely)
        pairs: dict[Slot, set[_Pair]] = {}
        for sibling, waiting in self._lonely.items():
            for slot_, pair in waiting if sibling in fetched else ():
                pairs.setdefault(self._pool(slot_), set()).add(pair)
        below = _below(pairs)
        needed: set[int] = set()
        for slot_, found in pairs.items():
            role = self._settled.get(slot_, _NONE).role
            siblings = Counter(pair.sibling for pair in found)
            if role is Role.RENDITION:
                needed |= siblings.keys()
            elif role is Role.NOTHING:
                needed |= {sibling for sibling, pages in siblings.items() if pages > 1}
            elif role is Role.UNKNOWN and len(found) >= FIRST:
                places = (slot_, *places_above(slot_))
                if max(len(below[place]) for place in places) >= WITHOUT_EXCEPTION:
                    needed |= {pair.sibling for pair in sorted(found)[:WITHOUT_EXCEPTION]}
        return needed

    # The test

    def decide(self) -> None:
        """Compare the pairs of all slots; then those of slots that are one, together.

        What shows nothing of its own, as far as it was seen, separates no kinds of pages. What was
        decided before is the beginning, as long as nothing contradicts it.
        """
        self._begin(self._lists.further)
        self._test()
        if self._found() <= self._choices and not self._contradicted():
            return
        self._choices = frozenset()
        if self._lists.further:
            self._begin(frozenset())
        seen = set()
        while (self._choices, self._lists.further) not in seen:
            seen.add((self._choices, self._lists.further))
            self._test()
            self._choices |= self._found()
            self._found_of.clear()
            if (further := self._leading_on()) != self._lists.further:
                self._begin(further)

    def _found(self) -> frozenset[tuple[str, str]]:
        """Return what separates no kinds of pages, as far as it was tested."""
        return frozenset(
            (slot_.path, part)
            for slot_, tested in self._tested.items()
            if not slot_.others
            for part in tested.choices(slot_.name)
        )

    def _leading_on(self) -> frozenset[tuple[tuple[str, ...], str]]:
        return frozenset(
            (slot_.others, slot_.name)
            for slot_, tested in self._tested.items()
            if tested.role is Role.PAGE
        )

    def _contradicted(self) -> bool:
        """Whether the test has another outcome than what it began with."""
        return self._leading_on() != self._lists.further or any(
            (slot_.path, part) in self._choices
            for slot_, tested in self._tested.items()
            if not (slot_.others or tested.choices(slot_.name))
            for part in (slot_.name, *tested.values)
        )

    def _begin(self, further: frozenset[tuple[tuple[str, ...], str]]) -> None:
        self._lists = Lists(self._pages, further)
        self._known.clear()

    def _test(self) -> None:
        """Test all slots: by their own pairs, by those of others, and by where their pages lead."""
        pooled: dict[Slot, set[_Pair]] = {}
        for slot_, pairs in self._pairs.items():
            pooled.setdefault(self._pool(slot_), set()).update(pairs)
        below = _below(pooled)
        self._tested = {slot_: self._compared(slot_.name, pairs) for slot_, pairs in pooled.items()}
        tokens = self._tokens(pooled)
        self._has_tokens = bool(tokens)
        self._tested |= tokens
        self._settled = {
            slot_: self._with_others(slot_, own, below) for slot_, own in self._tested.items()
        }
        self._found_of.clear()
        needed = [slot_ for slot_, pairs in pooled.items() if self._is_needed(slot_, pairs)]
        for slot_ in needed:
            self._settled[slot_] = self._settled[slot_]._replace(role=Role.IDENTITY)
        self._found_of.clear()

    def _tokens(self, pooled: Mapping[Slot, set[_Pair]]) -> dict[Slot, _Tested]:
        """Return the slots that have another value in each answer, which changes nothing.

        Links differ in it as well, so that these slots have no role by their siblings. A name is
        one on the whole site: its values are no numbers or dates, or each page has another one, as
        empty months of several calendars are alike, too. ``pooled``: the pairs of siblings.
        """
        of_slot: dict[Slot, set[_Pair]] = {}
        of_name: dict[str, set[_Pair]] = {}
        for (slot_, _), [(*_, first), *others] in self._alike.items():
            if others and self._is_open(self._pool(slot_)):
                pairs = {_Pair(0, _draw(url), key(url), key(first), False) for *_, url in others}
                of_slot.setdefault(self._pool(slot_), set()).update(pairs)
                of_name.setdefault(slot_.name, set()).update(pairs)
        tested = {name: self._compare_alike(name, pairs) for name, pairs in of_name.items()}
        tokens = {name: each for name, each in tested.items() if each.is_token}
        found = {}
        for slot_, pairs in {**pooled, **of_slot}.items() if tokens else ():
            if slot_.name in tokens and self._is_open(slot_):
                laws = self._compare_alike(slot_.name, pairs).laws
                if len(laws) >= FIRST and {*laws} == {Law.SAME}:
                    found[slot_] = tokens[slot_.name]
        return found

    def _is_open(self, slot_: Slot) -> bool:
        """Return whether the siblings of a slot do not prove that it has nothing of its own."""
        return self._tested.get(slot_, _NONE).role not in OBEYS

    def _compare_alike(self, name: str, every: Iterable[_Pair]) -> _Tested:
        laws, values, firsts = list[Law](), list[str](), set[int]()
        is_number = False
        same = Evidence(0, 0)
        for pair in sorted(pair for pair in every if not pair.is_same)[:MOST]:
            page, sibling = self._pages.signature(pair.page), self._pages.signature(pair.sibling)
            if not page.is_empty:
                laws.append(self._law_alike(name, page, sibling))
                same = same.joined(Evidence(int(laws[-1] is Law.SAME), 1))
                values += values_of(page.url, name)
                is_number |= _is_number(page.url, name)
                firsts.add(pair.sibling)
            if len(firsts) >= SHARED and (same.is_accepted or same.is_refuted):
                break
        is_token = len(firsts) >= SHARED and same.is_accepted
        is_token = is_token and (not is_number or len({*values}) == len(values))
        role = Role.NOTHING if is_token else Role.UNKNOWN
        return _NONE._replace(role=role, evidence=same, laws=tuple(laws), is_token=is_token)

    def _is_needed(self, slot_: Slot, pairs: Iterable[_Pair]) -> bool:
        """Return whether most of some pages that show nothing are the only way to other pages.

        Those have the same parameter, and content of their own.
        """
        if self._settled[slot_].role not in MAKES_VARIANTS:
            return False
        some = [pair.page for pair in sorted(pairs)[:FIRST] if not pair.is_same]
        ahead = (self._pages.signature(page).ahead(slot_.name) for page in some)
        leading = [any(self._is_page(slot_.name, *each) for each in led.items()) for led in ahead]
        return 2 * sum(leading) > len(some)

    def _is_page(self, name: str, pattern: str, url: str) -> bool:
        """Return whether a fetched page has content of its own, and no other slot makes it none."""
        others = (each for each in self._slots(url, pattern) if each != name)
        if any(self._of(pattern, each).role in MAKES_VARIANTS for each in others):
            return False
        one, tested = self._pages.signature(key(url)), self._of(pattern, name)
        siblings = filter(self._pages.is_known, map(key, self._siblings_of(url, pattern, name)))
        laws = {self._law(name, one, self._pages.signature(each), tested) for each in siblings}
        return bool(laws) and laws <= {Law.OWN, Law.PAGE}

    def _with_others(
        self, slot_: Slot, own: _Tested, below: Mapping[Slot, Iterable[_Pair]]
    ) -> _Tested:
        """Return the test of a slot; where it is open, that of all slots below it, or its parents.

        Some pages of its own have to obey the same law, and none may break it. So the old versions
        of a directory, which show no more than the sizes of its files, are judged by these.

        ``below``: the pairs of all slots below a place with the same parameter.
        """
        if own.role is Role.UNKNOWN and len(own.laws) >= FIRST:
            for place in (slot_, *places_above(slot_)):
                found = self._compared(place.name, below.get(place, ()))
                if {*own.laws} <= {*OBEYS.get(found.role, ())}:
                    return found
                if found.role is Role.NOTHING and {*own.laws} <= {*OBEYS[Role.RENDITION]}:
                    return found._replace(role=Role.RENDITION)
        return own

    def _pool(self, slot_: Slot) -> Slot:
        """Return a slot without the values, and below the places, that separate nothing."""
        names = slot_.path.split("/")
        above = ("/".join(names[:depth]) for depth in range(2, len(names)))
        path = next((each for each in above if (each, PLACE) in self._choices), slot_.path)
        named = ((other, other.partition("=")[0]) for other in slot_.others)
        further = {name for _, name in self._lists.further}
        others = (
            other
            for other, name in named
            if self._choices.isdisjoint({(path, other), (path, name)}) and name not in further
        )
        return Slot(path, tuple(others), slot_.name)

    def _compared(self, name: str, every: Iterable[_Pair]) -> _Tested:
        pairs = tuple(sorted(every)[:MOST])
        if (name, pairs) not in self._known:
            self._known[name, pairs] = self._compare(name, pairs)
        return self._known[name, pairs]

    def _law_alike(self, name: str, page: Signature, sibling: Signature) -> Law:
        """Compare two pages whose URLs differ in one value, and whose links may do, too."""
        own = own_of(name, page, sibling, [Shown.of([sibling])], NO_LAYOUT)
        law = own._replace(has_new_items=False, has_items_about_it=False).law
        is_same = law is Law.SAME and page.targets != sibling.targets
        return Law.PAGE if is_same and self._bare(name, page) - self._bare(name, sibling) else law

    def _bare(self, name: str, page: Signature) -> set[int]:
        """Return the keys of the URLs to which a page links, without a slot."""
        urls = ((each, self._pages.url(each)) for each in page.targets)
        return {key(without(url, [name])) if url else each for each, url in urls}

    def _compare(self, name: str, pairs: tuple[_Pair, ...]) -> _Tested:
        pages = {pair.page: self._pages.signature(pair.page) for pair in pairs if not pair.is_same}
        of_value = {value: page for page in pages.values() for value in values_of(page.url, name)}
        some = [*of_value.values()] if name == PLACE else [*pages.values()]
        is_choice = name != PLACE and len(pages) >= SHARED * len(of_value)
        usual = {pair.page: pair.sibling for pair in pairs if self._has(pair.sibling, name)}
        if not is_choice:
            pairs = tuple(pair for pair in pairs if pair.page not in usual)
        compared = [pair for pair in pairs if not pair.is_same]
        frame = self._frame(name, compared) if compared else None
        layout = layout_of(some, name, is_choice=is_choice and not usual)
        begun = _NONE._replace(
            layout=layout, frame=frame, values=frozenset(of_value), is_choice=is_choice
        )
        laws: list[Law] = []
        dated_siblings = set[int]()
        for pair in pairs:
            law = Law.SAME
            if not pair.is_same:
                page = pages[pair.page]
                if page.is_empty:
                    continue  # it proves nothing
                if is_date(page.url, name):
                    if pair.sibling in dated_siblings:
                        continue  # the dates around it, as they were fetched, are no sample
                    dated_siblings.add(pair.sibling)
                sibling, beside = self._pages.signature(pair.sibling), begun
                if pair.page in usual and not page.has_more_than(layout, name):
                    beside = begun._replace(layout=NO_LAYOUT)  # they may be of different kinds
                law = self._law(name, page, sibling, beside)
            laws.append(law)
            if _role(laws)[0] is not Role.UNKNOWN:
                break
        role, evidence = _role(laws)
        alone = frozenset(name.split("&"))
        if role is Role.PAGE and not any(alone in page.neighbours for page in pages.values()):
            role = Role.IDENTITY  # further pages of a list lead from one to another
        return begun._replace(role=role, evidence=evidence, laws=tuple(laws))

    def _has(self, page: int, name: str) -> bool:
        return name != PLACE and bool(values_of(self._pages.signature(page).url, name))

    # Out

    def decided(self) -> Iterator[tuple[str, str, Role, Evidence]]:
        """Yield (URL of a page, name, role, evidence) of each slot that has a role."""
        urls = {slot_: url for (slot_, _), [(*_, url), *_] in self._alike.items()}
        urls |= {slot_: self._pages.signature(min(p).page).url for slot_, p in self._pairs.items()}
        for slot_, url in urls.items():
            tested = self._settled.get(self._pool(slot_), _NONE)
            if tested.role is not Role.UNKNOWN:
                yield url, slot_.name, tested.role, tested.evidence

    def _of(self, pattern: str, name: str) -> _Tested:
        """Return what is known of the slot of a parameter."""
        if (found := self._found_of.get((pattern, name))) is None:
            found = self._settled.get(self._pool(slot(pattern, name)), _NONE)
            self._found_of[pattern, name] = found
        return found

    def variant(self, url: str, pattern: str) -> Variant | None:
        """Return what stands for a URL that is no page of its own; None for a page.

        That may be fetched later.
        """
        if found := self._variant(url, pattern, partial(is_ahead, self._pages)):
            return found
        for name in self._slots(url, pattern) if self._has_tokens else ():
            tested = self._of(pattern, name)
            if tested.is_token and (
                first := self._firsts.find(_alike(slot(pattern, name), url), url)
            ):
                return Variant(first, name, tested.evidence)
        return None

    def _variant(self, url: str, pattern: str, stands: Callable[[int], bool]) -> Variant | None:
        usual = self.parameters.usual(pattern)
        common = {
            name: ""
            for name in usual
            if values_of(url, name) == [f"{name}={usual[name]}"]
            and not self._of(pattern, name).is_token
        }
        of = {
            name: self._of(pattern, name)
            for name in self._slots(url, pattern)
            if name not in common  # its usual value selects nothing
        }
        nothing = [name for name, tested in of.items() if tested.role in MAKES_VARIANTS]
        chosen = [name for name, tested in of.items() if tested.role is Role.SELECTION]
        if not (nothing or chosen):
            return None
        parts = [*(part.partition("=")[0] for part in parts_of(url)), PLACE]
        pages = [name for name, tested in of.items() if tested.role is Role.PAGE]
        if any(is_date(url, name) for name in chosen):  # a day is no further page of its month
            pages = [name for name in pages if not is_date(url, name)]
        is_further = bool(pages or strip_page_number(with_parameters(url, common)))
        ways = [nothing, *([name] for name in nothing if len(nothing) > 1)]
        if nothing and (
            plain := [n for n in common if self._of(pattern, n).role in MAKES_VARIANTS]
        ):
            ways.append(plain + nothing)
        times = sum(max(map(parts.count, name.split("&"))) for name in chosen)
        if times > 1 or (chosen and is_further):
            ways.append(nothing + chosen)
        for dropped in filter(None, ways):
            tested = of[dropped[-1]]
            for shorter in self._siblings_of(url, pattern, *dropped):
                for other in (shorter, self._lists.first_of(shorter)):
                    if stands(key(other)):
                        return Variant(other, dropped[-1], tested.evidence, tested.role)
            if PLACE in dropped:
                above = slot(pattern, PLACE).path
                query = pattern.partition("?")[2]
                if found := self._variant(shorter, f"{above}?{query}", stands):
                    return found
        return None

    def variant_read(self, page: int, url: str, pattern: str) -> Variant | None:
        """Return what stands for a fetched page that shows nothing of its own.

        A page is judged by its content, also where the law holds for most of its kind. Where too
        few were compared for a test, those that are the same as their siblings are variants, also
        without several such slots together, and those of which no page lacks one; and so is the
        first page of a list, with its number.
        """
        found = self._variant(url, pattern, self._pages.is_known)
        if found:
            ways = (found, *self._nearer(url, pattern))
            is_one = any(self._law_of(page, pattern, way) in OBEYS[way.role] for way in ways)
            return found if is_one else None
        of = {name: self._of(pattern, name) for name in self._slots(url, pattern)}
        open_ = [
            name
            for name, tested in of.items()
            if tested.role is Role.UNKNOWN and tested.evidence.is_likely
        ]
        drops = {n: n for n in (*open_, *(n for n in of if of[n].role is Role.PAGE))}
        untested = [name for name in of if name != PLACE and not of[name].evidence.total]
        if names := [*(name for name in of if of[name].role is Role.NOTHING), *open_]:
            for more in ((), untested):
                drops["&".join((*names, *more))] = "&".join(names)
        if not drops or self._pages.signature(page).is_empty:
            return None
        for dropped, name in drops.items():
            for found in self._siblings(url, pattern, dropped, of.get(name, _NONE)):
                if self._law_of(page, pattern, found._replace(name=name)) is Law.SAME:
                    return found._replace(evidence=Evidence(1, 1))
        return None

    def _nearer(self, url: str, pattern: str) -> Iterator[Variant]:
        """Yield the read siblings of a URL beside which its kind shows nothing of its own.

        What shows nothing beside a part of a list shows nothing beside the list.
        """
        for name in self._slots(url, pattern):
            tested = self._of(pattern, name)
            if tested.role in SHOWS_NOTHING:
                yield from self._siblings(url, pattern, name, tested)

    def _siblings(self, url: str, pattern: str, name: str, tested: _Tested) -> Iterator[Variant]:
        """Yield the known siblings of a URL in a slot."""
        for shorter in self._siblings_of(url, pattern, name):
            if self._pages.is_known(key(shorter)):
                yield Variant(shorter, name, tested.evidence, tested.role)

    def is_list(self, page: int, url: str, pattern: str) -> bool:
        """Return whether a fetched page is a part of a list, or goes on with one.

        Pages of their own may have one title, and other links each: only a number is a further one,
        if none of the two has sentences, as the pages of an article, and nothing else identifies
        them.
        """
        names = self._slots(url, pattern)
        roles = {name: self._of(pattern, name) for name in names if name != PLACE}
        for name, tested in roles.items():
            found = next(self._siblings(url, pattern, name, tested), None)
            if found is None:
                continue
            if tested.role is Role.SELECTION:
                return self._law_of(page, pattern, found) is Law.PART
            others = {roles[other].role for other in roles if other != name}
            if tested.role is Role.PAGE and strip_page_number(url) and others <= {Role.SELECTION}:
                one, first = map(self._pages.signature, (page, key(found.url)))
                if one.tells_more_than(first) or first.tells_more_than(one):
                    return False
                return self._law_of(page, pattern, found) is Law.PAGE
        return False

    def _law_of(self, page: int, pattern: str, variant: Variant) -> Law:
        """Compare a fetched page with the one that stands for it."""
        sibling = key(variant.url)
        one = self._pages.signature(page)
        tested = self._of(pattern, variant.name)
        return self._law(variant.name, one, self._pages.signature(sibling), tested)

    def _law(self, name: str, page: Signature, sibling: Signature, tested: _Tested) -> Law:
        if tested.is_token:
            return self._law_alike(name, page, sibling)
        shown = self._lists.shown(sibling.url, name)
        own = own_of(name, page, sibling, shown, tested.layout)
        is_same = own.has_new_items and own._replace(has_new_items=False).law is Law.SAME
        if is_same and self._are_read(name, page, page.new_items(name, shown)):
            return Law.SAME
        is_further = sibling.url not in siblings_of(page.url, name, usual=page.usual)
        if is_further and tested.role in MAKES_VARIANTS:
            # Links carry the other slots along as well, in which the two differ.
            own = own._replace(has_new_items=False, has_items_about_it=False)
        if own.law is not Law.OWN:
            return own.law
        if is_version := own.is_version(tested.frame):
            return Law.RENDITION
        plain = own._replace(numbers=frozenset())
        if plain.law is Law.SAME or plain.is_version(tested.frame):
            texts = (self._pages.excerpt(key(each.url)) for each in (sibling, page))
            if own.numbers and are_scaled(*texts):
                return Law.RENDITION
        return Law.LITTLE if is_version is None else Law.OWN

    def _are_read(self, name: str, page: Signature, items: Iterable[int]) -> bool:
        """Return whether all of some items carry a parameter, and were fetched without it."""
        carried = page.carried(name)
        return all(any(map(self._pages.is_listed, carried.get(item, ()))) for item in items)

    def _frame(self, name: str, pairs: Iterable[_Pair]) -> frozenset[int] | None:
        """Return content of the siblings of a slot that proves nothing: other pages have it, too.

        These are the other siblings or, of a single one, the pages that it links to. None if too
        few are known.
        """
        others = [*dict.fromkeys(pair.sibling for pair in pairs)]
        if len(others) < SHARED:
            linked = self._pages.signature(others[0]).targets_without(name)
            others = [*filter(self._pages.is_known, sorted(linked.difference(others)))]
        some = [self._pages.signature(each) for each in others[:AROUND]]
        return layout_of(some, is_choice=False).content if some else None


def _alike(slot_: Slot, url: str) -> tuple[Slot, int]:
    """Return what URLs have in common that differ in a slot alone."""
    return slot_, key(without(url, [slot_.name]))


def _draw(url: str) -> int:
    """Return the place of a page in the order in which pairs are compared."""
    return crc32(url[len(split(url).origin) :].encode())


def _is_number(url: str, name: str) -> bool:
    """Return whether a value of a slot is a number or a date."""
    values = (part.partition("=")[2] for part in values_of(url, name))
    return is_date(url, name) or any(value.lstrip("-").isdecimal() for value in values)


def _below(pairs: Mapping[Slot, Iterable[_Pair]]) -> dict[Slot, set[_Pair]]:
    """Return the pairs of all slots below each place with the same parameter, of slots as well."""
    below: dict[Slot, set[_Pair]] = {}
    for slot_, some in pairs.items():
        for place in (slot_, *places_above(slot_)):
            below.setdefault(place, set()).update(some)
    return below


def _role(laws: Iterable[Law]) -> tuple[Role, Evidence]:
    counts = Counter(laws)
    total = sum(counts.values())
    same = Evidence(counts[Law.SAME], total)
    obeying = Evidence(counts[Law.SAME] + counts[Law.PART], total)
    if same.is_accepted:
        return Role.NOTHING, same
    if obeying.is_accepted and same.is_refuted:
        return Role.SELECTION, obeying
    within = Evidence(counts[Law.SAME] + counts[Law.RENDITION], total - counts[Law.LITTLE])
    if obeying.is_refuted and within.is_accepted:
        return Role.RENDITION, within
    if obeying.is_refuted and within.is_refuted:
        is_list = 2 * counts[Law.PAGE] > total - obeying.obey  # the first page has a number, too
        return Role.PAGE if is_list else Role.IDENTITY, obeying
    return Role.UNKNOWN, max(obeying, within)
