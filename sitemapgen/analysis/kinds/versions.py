"""Versions: pages under the identifiers of their versions, as /file/8eef71e/src/a.c.

Or as ``?file=src/a.c&rev=8eef71e``. A place has versions if the same paths, or the same other
parameters, recur with hashes or with many numbers. Its law is that of renditions
(``laws.Own.is_version``): such a page shows nothing of its own, or is another version, beside the
base version. That is the one without a parameter, or under a word, as /file/tip/src/a.c, or under
the latest number, or the nearest to the start. A page that has no other version is a page. Values
of other parameters that separate patterns, as ``a=history``, make places of their own; where one of
them is left out as well, ``FIRST`` pages of such a place have to obey what accepts the law.

Links with an identifier of the place are no items of such a page: they lead on within a version,
or to others. What the page of the version itself shows, as the message of a commit, is no text of
it. A directory, whose links to paths below its own lead to such pages, is judged by its words, and
what the pages of versions show that it links to is no text of it. Years are no identifiers. Titles
may repeat the URL, with an abbreviated identifier. Beside an identifier that is no number, numbers
are those of the version, and the same words may be divided into other sentences, as in a source.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, chain, combinations, islice
from typing import NamedTuple
from zlib import crc32

from sitemapgen.analysis.kinds.evidence import MOST, WITHOUT_EXCEPTION, Evidence
from sitemapgen.analysis.kinds.laws import SHARED, Law, Layout, Shown, Signature, layout_of, own_of
from sitemapgen.analysis.kinds.lists import Firsts, Lists
from sitemapgen.analysis.kinds.patterns import FEW_VALUES
from sitemapgen.analysis.kinds.recombined import Texts
from sitemapgen.analysis.kinds.roles import FIRST, Role, Variant
from sitemapgen.analysis.kinds.slots import parts_of, slot, without
from sitemapgen.core.shapes import VersionUrl, is_date_segment, is_identifier
from sitemapgen.core.urls import key, split

_WORD = re.compile(r"\w+")
MAX_PLACES = 1_000
"""Maximum number of places whose paths are counted."""
MAX_DRAWN = 4 * MOST
"""Pages of a place that are drawn: of those of a short file most have too little text to decide."""


@dataclass(slots=True)
class _Seen:
    """What was counted at a place, whatever the order of its pages."""

    is_in_path: bool
    values: set[str] = field(default_factory=set)
    """Identifiers that are no dates, of fetched pages or others; no more than are needed."""
    is_hashed: bool = False
    """Whether one of them is no number: editions of a manual are few, and have numbers or words."""
    rests: dict[int, set[str]] = field(default_factory=dict)
    """By hash of what recurs, the smallest ones: its identifiers; no more than are needed."""

    @property
    def is_shown(self) -> bool:
        """Whether enough fetched pages recur for a test."""
        return sum(len(values) - 1 for values in self.rests.values()) >= WITHOUT_EXCEPTION

    @property
    def recurs(self) -> bool:
        """Whether these have many identifiers as well, or hashes."""
        return self.is_shown and (self.is_hashed or len(self.values) > FEW_VALUES)

    def add(self, value: str, rest: int) -> None:
        self.add_value(value)
        known = self.rests.setdefault(rest, set())
        if len(known) <= WITHOUT_EXCEPTION:
            known.add(value)
        if len(self.rests) > WITHOUT_EXCEPTION:
            del self.rests[max(self.rests)]

    def add_value(self, value: str) -> None:
        if len(self.values) <= FEW_VALUES and not is_date_segment(value):
            self.values.add(value)
            self.is_hashed |= not value.removeprefix("-").isdecimal()


class _Place(NamedTuple):
    """A place whose law was tested."""

    bases: Mapping[str, str]
    """By what the versions of a page have in common: the URL of its base version."""
    evidence: Evidence
    layout: Layout
    frame: frozenset[int]
    values: frozenset[str]
    """The identifiers of all places whose paths recur."""
    kinds: frozenset[str] = frozenset()
    """The kinds of which ``FIRST`` pages obey the law."""


class PageVersions:
    """The places whose pages have versions; they follow from the set of fetched pages."""

    def __init__(self, pages: Texts) -> None:
        self._pages = pages
        self._seen: dict[str, _Seen] = {}
        self._places: dict[str, _Place] = {}
        self._begun: frozenset[str] = frozenset()
        """What these begin with, if their versions are parameters: all but other values."""
        self._lists = Lists(pages)

    def learn(self, pages: Iterable[tuple[str, str]]) -> None:
        """Add fetched pages, and test the places where paths or parameters recur.

        ``pages``: (URL, pattern).
        """
        for url, pattern in pages:
            for each in _versions(url, pattern, is_identifier):
                if each.place in self._seen or len(self._seen) < MAX_PLACES:
                    seen = self._seen.setdefault(each.place, _Seen(is_in_path=not each.name))
                    seen.add(each.value, crc32(each.path.encode()))
        self._lists = Lists(self._pages)
        some = {at: seen for at, seen in self._seen.items() if seen.is_in_path and seen.is_shown}
        few = {at: seen for at, seen in some.items() if not seen.recurs}
        for url in self._pages.urls() if few else ():
            for each in VersionUrl.in_path(url, is_identifier):
                if each.place in few:
                    few[each.place].add_value(each.value)
        recurring = {place for place, seen in self._seen.items() if seen.recurs}
        self._places = self._tested(recurring) if recurring else {}
        self._begun = frozenset(map(_begin_of, self._places))

    def _tested(self, recurring: Collection[str]) -> dict[str, _Place]:
        """Return the places, of some, that obey the law; directories after what is in them."""
        every: dict[str, dict[str, tuple[bool, int, int, str]]] = {at: {} for at in recurring}
        for each, depth in self._read(recurring):
            if self._pages.is_listed(key(each.url)):
                value = -int(each.value) if each.value.isdecimal() else 0
                one, known = (is_identifier(each.value), value, depth, each.url), every[each.place]
                if each.rest not in known and (plain := self._plain(each)):
                    known[each.rest] = False, 0, -1, plain
                known[each.rest] = min(one, known.get(each.rest, one))
        bases = {
            at: {rest: url for rest, (*_, url) in rests.items()} for at, rests in every.items()
        }
        values = set[str]()
        drawn: dict[str, dict[str, list[tuple[int, VersionUrl]]]] = {at: {} for at in recurring}
        for each, _ in self._read(recurring):
            if is_identifier(each.value):
                values.add(each.value)
                if _base(each, bases[each.place]) != each.url:
                    some = drawn[each.place].setdefault(each.kind, [])
                    insort(some, (crc32(each.url.encode()), each))
                    del some[MAX_DRAWN:]
        lawful: dict[str, _Place] = {}
        identifiers = frozenset(values)
        while len(lawful) < len(every):
            tested = {
                at: self._test(drawn[at], bases[at], identifiers, lawful)
                for at in every
                if at not in lawful
            }
            found = {at: place for at, place in tested.items() if place.evidence.is_accepted}
            if not found:
                break
            lawful |= found
        return lawful

    def _plain(self, each: VersionUrl) -> str | None:
        """Return the listed page that is no version, best one whose text was kept.

        Its URL has neither the identifier nor, in a path, any of the directories above that.
        """
        urls = [each.rest]
        if not each.name:
            origin, *above = each.place.removesuffix("/").split("/")[2:]
            begin = each.place.partition(origin)[0] + origin
            urls = [f"{part}/{each.rest}" for part in accumulate((begin, *above), "{}/{}".format)]
        tests = self._pages.is_known, self._pages.is_listed
        return next((url for fits in tests for url in reversed(urls) if fits(key(url))), None)

    def _read(self, places: Collection[str]) -> Iterator[tuple[VersionUrl, int]]:
        """Yield what may be a version at some places, with its depth: pages whose text was kept."""
        for url, depth, pattern in self._pages.sketched():
            yield from ((each, depth) for each in _versions(url, pattern) if each.place in places)

    def _test(
        self,
        drawn: Mapping[str, list[tuple[int, VersionUrl]]],
        bases: Mapping[str, str],
        values: frozenset[str],
        known: Container[str],
    ) -> _Place:
        """Test a place.

        ``drawn``: by kind, versions that are no base version, as they are drawn; ``known``: the
        places that obey the law.
        """
        sample = [each for _, each in sorted(chain(*drawn.values()))[:MAX_DRAWN]]
        others = [*dict.fromkeys(_base(each, bases) for each in sample)]
        place = _Place(
            bases,
            Evidence(0, 0),
            layout_of([self._signature(each.url) for each in sample], is_choice=False),
            layout_of([*map(self._signature, others)], is_choice=False).content,
            values,
        )
        evidence = place.evidence
        for each in sample if len(others) >= SHARED else ():
            obeys = self._is_version(each, place, known)
            if obeys is not None:
                evidence = evidence.joined(Evidence(int(obeys), 1))
            if evidence.is_accepted or evidence.is_refuted or evidence.total == MOST:
                break
        every = drawn.items() if evidence.is_accepted else ()
        obey = {kind for kind, some in every if self._obey(some, place, known)}
        return place._replace(evidence=evidence, kinds=frozenset(obey))

    def _obey(
        self, some: list[tuple[int, VersionUrl]], place: _Place, known: Container[str]
    ) -> bool:
        """Return whether the first pages of a kind obey the law; a place in paths is one kind."""
        if not some[0][1].name:
            return True
        tested = (self._is_version(each, place, known) for _, each in some)
        first = [*islice((obeys for obeys in tested if obeys is not None), FIRST)]
        return len(first) == FIRST and all(first)

    def _signature(self, url: str) -> Signature:
        return self._pages.signature(key(url))

    def _is_version(self, each: VersionUrl, place: _Place, known: Container[str]) -> bool | None:
        """Return whether a page obeys the law of its place; None if too little is known of it."""
        page = self._signature(each.url)
        base = self._signature(_base(each, place.bases))
        if page.is_empty:
            return None
        links = {item: url for item in page.targets if (url := self._pages.url(item))}
        above = f"{each.value}/{each.path.rstrip('/')}/"
        versions = (version for url in links.values() for version in VersionUrl.in_path(url))
        below = {
            version.place
            for version in versions
            if f"{version.value}/{version.rest}".startswith(above)
        }
        is_list = bool(below) and all(at in known or at == each.place for at in below)
        carried = {*parts_of(page.url)}
        items = page.targets.difference(links, base.targets)
        shown = self._lists.shown(base.url, "")
        for item, url in links.items():
            names = _names_in(url)
            is_known = self._pages.is_known(item)
            is_new = item not in base.targets and (is_known or not is_list)
            if not place.values.isdisjoint(names):
                is_whole = each.value in names and len(names) < len(_names_in(each.url))
                if is_known and (is_list or is_whole):
                    shown.append(Shown.of([self._pages.signature(item)]))
            elif is_new and not any(_is_other(version, each) for version in _versions(url, "")):
                same = carried.intersection(parts_of(url))
                items |= {key(without(url, [part.partition("=")[0] for part in same]))}
        page = page._replace(items=items, relatives=())
        own = own_of("", page, base, shown, place.layout)
        if is_list:
            own = own._replace(sentences={}, numbers=frozenset())
        if own.law is Law.SAME:
            return True
        named = _WORD.findall(each.url.casefold())
        title = frozenset(w for w in own.title if not any(name.startswith(w) for name in named))
        if not each.value.isdecimal():
            own = own._replace(numbers=frozenset())
            own = own._replace(sentences=own.sentences if own.words else {})
        return own._replace(title=title).is_version(place.frame)

    # Out

    def has_any(self) -> bool:
        """Whether there are places with versions."""
        return bool(self._places)

    def variant(self, url: str, pattern: str = "") -> Variant | None:
        """Return the base version that stands for a URL."""
        for found, each in self._found(url, pattern):
            if each.kind in self._places[each.place].kinds:
                return found
        return None

    def variant_unread(self, url: str, firsts: Firsts) -> Variant | None:
        """Return the first waiting version of a path of which none was fetched."""
        for each in VersionUrl.in_path(url, is_identifier) if self._places else ():
            place = self._places.get(each.place)
            if place and (first := firsts.find((each.place, each.rest), url)):
                return _stands(first, each, place)
        return None

    def variant_read(self, url: str, pattern: str) -> Variant | None:
        """Return the base version beside which a fetched page shows nothing of its own.

        As the law holds there, a page with too little text to prove it is no exception.
        """
        if not self._pages.is_known(key(url)) or self._signature(url).is_empty:
            return None
        for found, each in self._found(url, pattern):
            if self._is_version(each, self._places[each.place], self._places) is not False:
                return found
        return None

    def _found(self, url: str, pattern: str) -> Iterator[tuple[Variant, VersionUrl]]:
        for each in _versions(url, pattern, is_identifier, self._begun) if self._places else ():
            if place := self._places.get(each.place):
                base = _base(each, place.bases)
                if not url.startswith(base):
                    yield _stands(base, each, place), each


def _begin_of(place: str) -> str:
    """Return a place of a parameter without the values of others.

    >>> _begin_of("https://a.test/git?a&f&h#h&a=log")
    'https://a.test/git?a&f&h#h'
    """
    form, _, name = place.partition("#")
    return f"{form}#{name.partition('&')[0]}"


def _stands(base: str, each: VersionUrl, place: _Place) -> Variant:
    name = each.name or f"{split(each.place).path}*/"
    return Variant(base, name, place.evidence, Role.RENDITION)


def _versions(
    url: str,
    pattern: str,
    fits: Callable[[str], bool] = bool,
    begun: Container[str] | None = None,
) -> Iterator[VersionUrl]:
    """Yield the versions that a URL may be: by segments of its path, and by its parameters.

    Of the values of other parameters that separate patterns, one may be left out. ``fits``: whether
    a value may be that of a version; ``begun``: what the places of parameters begin with.

    >>> each, *_ = _versions("https://a.test/git?a=log&f=a.c&h=7", "/git?a=log&f=&h=")
    >>> each.place, each.value, each.rest, each.kind
    ('https://a.test/git?a&f&h#h&a=log', '7', 'https://a.test/git?a=log&f=a.c', 'a=log')
    """
    yield from VersionUrl.in_path(url, fits)
    values = dict(part.partition("=")[::2] for part in reversed(parts_of(url)))
    names = "&".join(sorted(values))
    for name, value in values.items():
        if fits(value):
            path, others, _ = slot(pattern, name)
            at = f"{split(url).origin}{path}?{names}#{name}"
            if begun is not None and at not in begun:
                continue
            rest = without(url, [name])
            for left in dict.fromkeys((others, *combinations(others, max(len(others) - 1, 0)))):
                place = "&".join((at, *left))
                yield VersionUrl(url, place, value, rest, name, "&".join(others))


def _is_other(one: VersionUrl, each: VersionUrl) -> bool:
    """Return whether two URLs are versions of the same page."""
    is_same = bool(one.name) or one.place == each.place
    return is_same and (one.name, one.rest) == (each.name, each.rest)


def _names_in(url: str) -> list[str]:
    """Return the segments of the path of a URL, and the values of its parameters."""
    return [*split(url).path.split("/"), *(part.partition("=")[2] for part in parts_of(url))]


def _base(each: VersionUrl, bases: Mapping[str, str]) -> str:
    """Return the URL of the base version of a page, without its parameters if it has none.

    That of the version itself if there is no other.
    """
    found = map(bases.get, (each.rest, each.path))
    return next((base for base in found if base and base != each.url), each.url)
