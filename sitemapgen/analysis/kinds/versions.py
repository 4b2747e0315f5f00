"""Versions: pages under the numbers of their versions, as /file/8eef71e/src/a.c of a code browser.

A place has versions if the same paths recur below many identifiers. Its law is that of renditions
(``laws.Own.is_version``): such a page shows nothing of its own, or is another version, beside the
base version of its path. That is the one under a word, as /file/tip/src/a.c, or the latest number,
or the nearest to the start. A path that has no other version is a page.

Links with an identifier of the place are no items of such a page: they lead on within a version,
or to others. What the page of the version itself shows, as the message of a commit, is no text of
it. A directory, whose links to paths below its own lead to such pages, is judged by its words, and
what the pages of versions show that it links to is no text of it. Years are no identifiers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from sitemapgen.analysis.kinds.evidence import MOST, WITHOUT_EXCEPTION, Evidence
from sitemapgen.analysis.kinds.laws import SHARED, Law, Shown, layout_of, own_of
from sitemapgen.analysis.kinds.lists import Lists
from sitemapgen.analysis.kinds.patterns import FEW_VALUES
from sitemapgen.analysis.kinds.roles import Role, Variant
from sitemapgen.analysis.kinds.slots import names_of, without
from sitemapgen.core.shapes import VersionUrl, is_date_segment, is_identifier
from sitemapgen.core.urls import key, split

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from sitemapgen.analysis.kinds.laws import Layout, Signature
    from sitemapgen.analysis.kinds.recombined import Texts

MAX_PLACES = 1_000
"""Maximum number of places whose paths are counted."""


@dataclass(slots=True)
class _Seen:
    """What was counted at a place, whatever the order of its pages."""

    values: set[str] = field(default_factory=set)
    """Identifiers that are no dates; no more than are needed."""
    tails: dict[int, set[str]] = field(default_factory=dict)
    """By hash of a path below them, the smallest ones: its identifiers; no more than are needed."""

    @property
    def recurs(self) -> bool:
        again = sum(len(values) - 1 for values in self.tails.values())
        return len(self.values) > FEW_VALUES and again >= WITHOUT_EXCEPTION

    def add(self, value: str, tail: int) -> None:
        if len(self.values) <= FEW_VALUES and not is_date_segment(value):
            self.values.add(value)
        known = self.tails.setdefault(tail, set())
        if len(known) <= WITHOUT_EXCEPTION:
            known.add(value)
        if len(self.tails) > WITHOUT_EXCEPTION:
            del self.tails[max(self.tails)]


class _Place(NamedTuple):
    """A place whose law was tested."""

    bases: Mapping[str, str]
    """By path below the identifier: the URL of its base version."""
    evidence: Evidence
    layout: Layout
    frame: frozenset[int]
    values: frozenset[str]
    """The identifiers of all places whose paths recur."""


class PathVersions:
    """The places whose pages have versions; they follow from the set of fetched pages."""

    def __init__(self, pages: Texts) -> None:
        self._pages = pages
        self._seen: dict[str, _Seen] = {}
        self._places: dict[str, _Place] = {}
        self._lists = Lists(pages)

    def learn(self, urls: Iterable[str]) -> None:
        """Add fetched pages, and test the places where paths recur."""
        for url in urls:
            for above, value, tail in VersionUrl.all_of(url):
                if above in self._seen or len(self._seen) < MAX_PLACES:
                    seen = self._seen.setdefault(above, _Seen())
                    seen.add(value, crc32(tail.partition("?")[0].encode()))
        self._lists = Lists(self._pages)
        recurring = tuple(above for above, seen in self._seen.items() if seen.recurs)
        self._places = self._tested(recurring) if recurring else {}

    def _tested(self, recurring: tuple[str, ...]) -> dict[str, _Place]:
        """Return the places, of some, that obey the law; directories after what is in them."""
        every: dict[str, dict[str, tuple[bool, int, int, str]]] = {above: {} for above in recurring}
        below: dict[str, list[VersionUrl]] = {above: [] for above in recurring}
        for url, depth in self._pages.sketched():
            for above in filter(url.startswith, recurring):
                value, _, tail = url[len(above) :].partition("/")
                if not tail.partition("?")[0]:
                    continue
                is_numbered = is_identifier(value)
                if is_numbered:
                    below[above].append(VersionUrl(above, value, tail))
                if self._pages.is_listed(key(url)):
                    one = is_numbered, -int(value) if value.isdecimal() else 0, depth, url
                    every[above][tail] = min(one, every[above].get(tail, one))
        bases = {
            above: {tail: url for tail, (*_, url) in tails.items()}
            for above, tails in every.items()
        }
        values = frozenset(each.value for versions in below.values() for each in versions)
        known: dict[str, _Place] = {}
        while len(known) < len(recurring):
            tested = {
                at: self._test(below[at], bases[at], values, known)
                for at in recurring
                if at not in known
            }
            found = {at: place for at, place in tested.items() if place.evidence.is_accepted}
            if not found:
                break
            known |= found
        return known

    def _test(
        self,
        versions: Iterable[VersionUrl],
        bases: Mapping[str, str],
        values: frozenset[str],
        known: Container[str],
    ) -> _Place:
        """Test a place. ``known``: the places that obey the law."""
        drawn = sorted((crc32(each.url.encode()), each) for each in versions)
        sample = [each for _, each in drawn if _base(each, bases) != each.url][:MOST]
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
            if evidence.is_accepted or evidence.is_refuted:
                break
        return place._replace(evidence=evidence)

    def _signature(self, url: str) -> Signature:
        return self._pages.signature(key(url))

    def _is_version(self, each: VersionUrl, place: _Place, known: Container[str]) -> bool | None:
        """Return whether a page obeys the law of its place; None if too little is known of it."""
        page = self._signature(each.url)
        base = self._signature(_base(each, place.bases))
        if page.is_empty:
            return None
        links = {item: self._pages.url(item) for item in page.items}
        above = f"{each.value}/{each.tail.partition('?')[0].rstrip('/')}/"
        versions = (version for url in links.values() for version in VersionUrl.all_of(url))
        below = {
            version.above
            for version in versions
            if f"{version.value}/{version.tail}".startswith(above)
        }
        is_list = bool(below) and all(at in known or at == each.above for at in below)
        items, shown = set(), self._lists.shown(base.url, "")
        for item, url in links.items():
            names = split(url).path.split("/")
            is_known = self._pages.is_known(item)
            is_other = url.startswith(each.above) and url.endswith(each.tail)
            if not place.values.isdisjoint(names):
                if is_known and (is_list or names[-1] == each.value):
                    shown.append(Shown.of([self._pages.signature(item)]))
            elif item not in base.items and not is_other and (is_known or not is_list):
                items.add(key(without(url, names_of(page.url))))
        page = page._replace(items=frozenset(items), relatives=())
        own = own_of("", page, base, shown, place.layout)
        if is_list:
            own = own._replace(sentences={}, numbers=frozenset())
        return True if own.law is Law.SAME else own.is_version(place.frame)

    # Out

    def has_any(self) -> bool:
        """Whether there are places with versions."""
        return bool(self._places)

    def variant(
        self, url: str, waiting: dict[tuple[str, str], str] | None = None
    ) -> Variant | None:
        """Return the base version that stands for a URL.

        ``waiting``: URLs by place and path of which no version was fetched. The first one that is
        asked for is added, and stands for the others.
        """
        found = next((found for found, _ in self._found(url)), None)
        if found or waiting is None or not self._places:
            return found
        for above, _, tail in VersionUrl.all_of(url):
            place = self._places.get(above)
            if place and (first := waiting.setdefault((above, tail), url)) != url:
                return self._stands(first, above, place)
        return None

    def variant_read(self, url: str) -> Variant | None:
        """Return the base version beside which a fetched page shows nothing of its own."""
        for found, each in self._found(url):
            place = self._places[each.above]
            if self._pages.is_known(key(url)) and self._is_version(each, place, self._places):
                return found
        return None

    def _found(self, url: str) -> Iterator[tuple[Variant, VersionUrl]]:
        for each in VersionUrl.all_of(url) if self._places else ():
            if place := self._places.get(each.above):
                base = _base(each, place.bases)
                if not url.startswith(base):
                    yield self._stands(base, each.above, place), each

    def _stands(self, base: str, above: str, place: _Place) -> Variant:
        return Variant(base, f"{split(above).path}*/", place.evidence, Role.RENDITION)


def _base(each: VersionUrl, bases: Mapping[str, str]) -> str:
    """Return the URL of the base version of a path, without its parameters if it has none.

    That of the version itself if there is no other.
    """
    url = each.url
    found = map(bases.get, (each.tail, each.tail.partition("?")[0]))
    return next((base for base in found if base and base != url), url)
