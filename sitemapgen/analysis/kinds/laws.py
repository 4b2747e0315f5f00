"""The law of a pair of siblings: whether the longer URL shows anything of its own.

What a page has of its own is neither in the list that its shorter sibling begins, nor on most pages
with the same parameter. Of a choice, such as a filter, it is on less than ``SHARED`` of these.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import NamedTuple, TypeVar
from urllib.parse import unquote
from zlib import crc32

from sitemapgen.analysis.kinds.evidence import LAWLESS, WITHOUT_EXCEPTION
from sitemapgen.analysis.kinds.slots import (
    NONE,
    PLACE,
    parts_of,
    place_of,
    siblings_of,
    values_of,
    without,
)
from sitemapgen.core.document.novelty import (
    ENOUGH_CHARACTERS,
    ENOUGH_NUMBERS,
    ENOUGH_WORDS,
    MAX_IMAGES,
    MAX_NUMBERS,
    MAX_SENTENCES,
    MAX_WORDS,
    Sketch,
    hashes_of,
    hashes_of_dates,
    integers,
)
from sitemapgen.core.urls import key, split_parameters

T = TypeVar("T", bound=Hashable)

SHARED = 3
"""Pages with the same text, among those with a choice, that make it content of none of them; and
pages with each value, on average, that make a parameter a choice."""
SCALED = 3
"""Numbers in another measure that show its ratio: by chance, the second and the third have it to a
tenth in one page of a hundred."""
_NUMBER = re.compile(r"[0-9]{1,15}(?:[.,][0-9]{1,9}){0,4}(?=[^0-9])")
"""A number, but for one at the end of a text, which may be cut there; all are finite."""
_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"[0-9]")
_COMMA = re.compile(r"[,+]|%2[BbCc]")
_TOKEN = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[0-9A-Za-z_-]{16,}")
"""An identifier of 64 bits or more."""
_BASE64 = re.compile(r"(?:aHR0c|eyJ|L[0-9A-Za-z])[0-9A-Za-z_-]{8,}")
"""That of a URL, of JSON, or of a path."""


class Law(Enum):
    """What a page is, beside its sibling without a parameter."""

    SAME = "same"
    """It shows nothing of its own, and is named as its sibling is."""
    PART = "part"
    """It shows nothing of its own, under a title of its own."""
    RENDITION = "rendition"
    """It is its sibling in another version: named as that is, with most of its content from it."""
    LITTLE = "little"
    """It may be a rendition, but is too short for a decision."""
    PAGE = "page"
    """It has other items, under the same title: a further page of the same list."""
    OWN = "own"
    """It has content of its own."""


class Carrying(NamedTuple):
    """A URL with parts of that of the page that links to it."""

    url: str
    names: frozenset[str]
    """Parameters of the page whose values it has, as its own or as those of others; ``PLACE``."""
    pattern: str
    """Of a fetched page that is further from the start; else empty."""
    usual: Mapping[str, str]
    """Its ``slots.Parameters.usual``."""


class _Links(NamedTuple):
    """What the links of a page lead to: the fields of ``Signature`` with these names."""

    items: frozenset[int]
    along: Mapping[int, Carrying]
    relatives: tuple[tuple[int, frozenset[str]], ...]
    neighbours: frozenset[frozenset[str]]
    single: Mapping[str, tuple[int, frozenset[str], int]]

    @classmethod
    def of(cls, url: str, links: list[tuple[int, str, str, Mapping[str, str]]]) -> _Links:
        """Return those of the page at a URL; ``links``: as those of ``Signature.of``."""
        path, own = split_parameters(url).path, {*parts_of(url)}
        items, relatives, neighbours = set(), [], set()
        along: dict[int, Carrying] = {}
        place = place_of(path) if own else ""
        with_query: dict[str, list[tuple[int, str]]] = {}
        tokens = _tokens(target for _, target, *_ in links) - own
        for each, target, pattern, its_usual in links:
            _, its_path, query = split_parameters(target)
            parts, shared = parts_of(target), set[str]()
            if its_path == path:
                relatives.append((each, _names(parts)))
                neighbours.add(_names(own.symmetric_difference(parts)))
            elif not (len(path) > 1 and _is_about(target, path)):
                token = tokens.intersection(parts_of(target))
                items.add(key(without(target, _names(token))) if token else each)
                if query:
                    with_query.setdefault(its_path, []).append((each, target))
                values = {*parts, *map(_value, parts)} - {""}
                shared = {*_names(part for part in own if {part, _value(part)} & values)}
            if place and place_of(its_path) == place:
                shared.add(PLACE)
            if shared:
                along[each] = Carrying(target, frozenset(shared), pattern, its_usual)
        single = {
            its_path: (
                each,
                _single_values(parts_of(target)),
                key(target.partition("?")[0]),
            )
            for its_path, ((each, target), *more) in with_query.items()
            if not more
        }
        return cls(frozenset(items), along, tuple(relatives), frozenset(neighbours), single)


class Signature(NamedTuple):
    """What is compared of a page."""

    url: str
    title: frozenset[str]
    """Its words in lower case, numbers included."""
    phrase: int
    """Hash of these words in their order, which "there and back" differ in."""
    named: frozenset[int]
    """The hashes of the words of its title and its URL, and of a date in its title."""
    subject: int | None
    """Hash of its title and heading; None if it has too little text."""
    sketch: Sketch
    items: frozenset[int]
    """Keys of the URLs of other paths that it links to."""
    along: Mapping[int, Carrying]
    """By key: the URLs it links to that have parts of its URL."""
    relatives: tuple[tuple[int, frozenset[str]], ...]
    """(key, names of parameters) of those of its own path."""
    neighbours: frozenset[frozenset[str]]
    """Parameters in which URLs of its path that it links to differ from its own."""
    single: Mapping[str, tuple[int, frozenset[str], int]]
    """By path to which one of its items leads with parameters, and no other one: key, values, and
    the key without parameters."""
    is_rendered: bool
    usual: Mapping[str, str]
    """Its ``slots.Parameters.usual``."""
    found: dict[str, dict[int, tuple[int, ...]]]
    """By slot: what ``carried`` has returned."""

    @classmethod
    def of(
        cls,
        url: str,
        title: str,
        subject: int | None,
        sketch: bytes,
        links: Iterable[tuple[int, str, str, Mapping[str, str]]] = (),
        *,
        is_rendered: bool = False,
        usual: Mapping[str, str] = NONE,
    ) -> Signature:
        """Return the signature of a page.

        ``sketch``: ``core.document.novelty.sketch_page``. ``links``: (key, URL, pattern of a
        fetched page that is further from the start than this one, or nothing, usual values).
        """
        words = _WORD.findall(title.casefold())
        return cls(
            url,
            frozenset(words),
            crc32(" ".join(words).encode()),
            frozenset(hashes_of((url, title)) | hashes_of_dates(title)),
            subject,
            Sketch.of(sketch),
            *_Links.of(url, [*links]),
            is_rendered,
            usual,
            {},
        )

    @property
    def targets(self) -> frozenset[int]:
        """The keys of all URLs that it links to."""
        return self.items.union(each for each, _ in self.relatives)

    def carried(self, name: str) -> Mapping[int, tuple[int, ...]]:
        """Return by key of the URLs that have the value of a slot: their keys without it."""
        if name not in self.found:
            values = {*map(_value, values_of(self.url, name))} - {""}
            found = self.found[name] = {}
            for each, other in self.along.items():
                if other.names.issuperset(name.split("&")):
                    others = _names(part for part in parts_of(other.url) if _value(part) in values)
                    ways = (
                        siblings_of(other.url, *n, usual=other.usual)
                        for n in ((name,), (name, *others))
                    )
                    found[each] = (*map(key, dict.fromkeys(chain(*ways))),)
        return self.found[name]

    def ahead(self, name: str) -> dict[str, str]:
        """Return the URLs to which it carries parameters along, further from the start.

        By pattern; of fetched pages.
        """
        names = {*name.split("&")} - {PLACE}
        return {
            each.pattern: each.url
            for each in self.along.values()
            if each.pattern and names and names <= each.names
        }

    def items_without(self, name: str) -> frozenset[int]:
        """Return its items, without this slot where they have it as the page has."""
        carried = self.carried(name)
        if not carried:
            return self.items
        return frozenset(carried.get(each, (each,))[0] for each in self.items)

    def about(self, name: str, sibling: Signature) -> frozenset[int]:
        """Return the items that repeat the value of a parameter, as a query or a map of the page.

        There is one to a path, and also one on the sibling without the parameter.
        """
        values = _single_values(values_of(self.url, name))
        return frozenset(
            each
            for path, (each, its_values, plain) in self.single.items()
            if values
            and values <= its_values
            and (path in sibling.single or plain in sibling.items)
        )

    def _others(self, name: str) -> Iterator[int]:
        """Yield the URLs of its own path without a parameter."""
        return (each for each, names in self.relatives if names.isdisjoint(name.split("&")))

    def targets_without(self, name: str) -> frozenset[int]:
        """Return the keys of the URLs that it links to, but for those of its path that have it."""
        return self.items.union(self._others(name))

    def has_items(self, name: str, layout: Layout) -> bool:
        """Return whether it has items at all, its layout left out."""
        return not layout.items.issuperset(self.items_without(name).union(self._others(name)))

    def has_more_than(self, layout: Layout, name: str) -> bool:
        """Return whether it has anything at all, a layout left out."""
        return not self.content <= layout.content or self.has_items(name, layout)

    def new_items(self, name: str, shown: Sequence[Shown]) -> frozenset[int]:
        """Return its items that lists do not show, neither with the parameter nor without."""
        carried = self.carried(name)
        known = [each.items for each in shown]
        return frozenset(
            each
            for each in self.targets_without(name).difference(*known)
            if all(some.isdisjoint(carried.get(each, ())) for some in known)
        )

    @property
    def content(self) -> frozenset[int]:
        """The hashes of its content, without the words of its title and its URL."""
        return frozenset(self.hashes()).difference(self.named)

    @property
    def is_empty(self) -> bool:
        """Whether it has no content, as a page that could not be rendered."""
        return next(iter(self.hashes()), None) is None

    def tells_more_than(self, other: Signature) -> bool:
        """Return whether it has sentences that another page lacks."""
        sentences = self.sketch.sentences
        own = sentences.keys() - other.sketch.sentences.keys()
        return sum(sentences[each] for each in own) >= ENOUGH_CHARACTERS

    def hashes(self) -> Iterable[int]:
        """Yield the hashes of all its content."""
        for part in (self.sketch.words, self.sketch.sentences, self.sketch.images):
            yield from part
        yield from self.sketch.numbers


@dataclass(frozen=True)
class Shown:
    """Content of the fetched pages of a list, as far as it was kept of them."""

    pages: tuple[Signature, ...]
    words: frozenset[int]
    content: frozenset[int]
    """Hashes of sentences and images."""
    numbers: frozenset[int]
    items: frozenset[int]
    """Keys of the URLs that its pages link to, and of these pages."""
    names: frozenset[str]
    """The parameters that its pages have."""
    limits: tuple[int, int, int, int]
    """Of a page with more words, numbers, images or sentences only the smallest hashes are kept:
    above these nothing is known."""

    @classmethod
    def of(cls, pages: Iterable[Signature]) -> Shown:
        """Return what some pages show together."""
        pages = tuple(pages)
        every = [page.sketch for page in pages]
        return cls(
            pages,
            words=frozenset[int]().union(*(sketch.words for sketch in every)),
            content=frozenset[int]().union(*(chain(each.sentences, each.images) for each in every)),
            numbers=frozenset[int]().union(*(each.numbers | each.derived for each in every)),
            items=frozenset(key(page.url) for page in pages).union(
                *(page.targets for page in pages)
            ),
            names=_names(part for page in pages for part in parts_of(page.url)),
            limits=(
                _limit((sketch.words for sketch in every), MAX_WORDS),
                _limit(chain(*((each.numbers, each.derived) for each in every)), MAX_NUMBERS),
                _limit((sketch.images for sketch in every), MAX_IMAGES),
                _limit((sketch.sentences.keys() for sketch in every), MAX_SENTENCES),
            ),
        )


def _is_about(url: str, path: str) -> bool:
    """Return whether a URL has a path in its query or with an extension, or in base64 anywhere.

    >>> _is_about("https://example.com/login?next=%2Fshop%2F", "/shop/")
    True
    >>> _is_about("https://example.com/events/2026-07.ics", "/events/2026-07")
    True
    >>> _is_about("https://a.test/add/uenc/aHR0cHM6Ly9hLnRlc3Qvc2hvcC8,/id/7/", "/shop/")
    True
    """
    plain, _, query = url.partition("?")
    file = f"{path}."  # the same with an extension
    if path in unquote(query) or (file in plain and split_parameters(plain).path.startswith(file)):
        return True
    encoded = (each[: len(each) - (len(each) % 4 == 1)] for each in _BASE64.findall(url))
    return any(path.encode() in urlsafe_b64decode(f"{each}===") for each in encoded)


def _tokens(urls: Iterable[str]) -> set[str]:
    """Return the parts of URLs that prove nothing: identifiers that all links of a page share.

    Such as a key of the visit, which is another one on each page; not one that is alone.

    >>> _tokens([f"https://example.com/rate?id={n}&key=41bd4e6f0a7c93d2" for n in (1, 2)])
    {'key=41bd4e6f0a7c93d2'}
    """
    found: dict[str, dict[str, int]] = {}
    for url in urls:
        for part in parts_of(url):
            name, _, value = part.partition("=")
            if _TOKEN.fullmatch(value):
                parts = found.setdefault(name, {})
                parts[part] = parts.get(part, 0) + 1
    return {
        part
        for parts in found.values()
        for part, number in parts.items()
        if len(parts) == 1 < number
    }


def _names(parts: Iterable[str]) -> frozenset[str]:
    return frozenset(part.partition("=")[0] for part in parts)


def _single_values(parts: Iterable[str]) -> frozenset[str]:
    """Return the values of parameters, and those of several, which a comma divides, one by one."""
    every = (_COMMA.split(_value(part)) for part in parts)
    return frozenset(filter(None, chain.from_iterable(every)))


def _value(part: str) -> str:
    return part.partition("=")[2]


def _limit(kept: Iterable[AbstractSet[int]], most: int) -> int:
    return min((max(hashes) for hashes in kept if len(hashes) >= most), default=1 << 32)


class Layout(NamedTuple):
    """What pages with the same parameter share, so that none of them owns it."""

    content: frozenset[int]
    """Hashes of content that more than half of them have, or of a choice ``SHARED``."""
    items: frozenset[int]
    """Keys of URLs that more than half of them link to."""
    words: frozenset[str]
    """Words that more than half of their titles have."""


NO_LAYOUT = Layout(frozenset(), frozenset(), frozenset())


class Own(NamedTuple):
    """What a page shows beside its sibling without a parameter, and the list that this begins."""

    title: frozenset[str]
    has_heading: bool
    """Whether its heading is another one under the same title, or the title in another order."""
    has_items: bool
    """Whether it has items at all, its layout left out."""
    has_new_items: bool
    has_items_about_it: bool
    """Whether links that repeat the value of its parameter lead to others."""
    words: frozenset[int]
    numbers: frozenset[int]
    images: frozenset[int]
    sentences: Mapping[int, int]
    """Length in characters by hash."""
    sketch: Sketch
    """All content of the page."""
    limits: tuple[int, ...]
    """Those of the lists with which it was compared (``Shown.limits``)."""

    @property
    def is_content(self) -> bool:
        """Whether that is content.

        A list may have a word and two numbers of its own, as "37 lamps"; on a page without items
        one may be a price, and all that it has.
        """
        return bool(
            len(self.words) >= (ENOUGH_WORDS if self.has_items else 1)
            or len(self.numbers) >= (ENOUGH_NUMBERS if self.has_items else 1)
            or sum(self.sentences.values()) >= ENOUGH_CHARACTERS
            or self.images
        )

    @property
    def law(self) -> Law:
        """What the page is."""
        if self.has_new_items:
            is_named = any(not word.isdecimal() for word in self.title)
            return Law.OWN if is_named else Law.PAGE
        if self.is_content:
            return Law.OWN
        if self.title or self.has_heading or self.has_items_about_it:
            return Law.PART
        return Law.SAME

    def is_version(self, frame: AbstractSet[int] | None) -> bool | None:
        """Return whether the page is its sibling in another version; None if too little is known.

        It has the title of its sibling but for numbers, and at least four fifths of its words
        and of its sentences; one or two numbers of its own are the date or the size of a version.

        ``frame``: content that other pages have, too, and that proves nothing; None if no other
        pages are known.
        """
        if self.has_new_items or self.has_heading or self.images:
            return False
        every = self.sketch.words, self.sketch.numbers, (), self.sketch.sentences.keys()
        words, numbers, _, sentences = (
            frozenset(part for part in parts if part <= limit).difference(frame or ())
            for parts, limit in zip(every, self.limits)
        )
        if (
            not all(map(_DIGIT.search, self.title))
            or len(self.words) > (1 - LAWLESS) * len(words)
            or len(self.sentences) > (1 - LAWLESS) * len(sentences)
        ):
            return False
        count = len(words) + len(sentences) + len(numbers)
        if frame is None or count < WITHOUT_EXCEPTION:
            return None
        return len(self.numbers) <= max(ENOUGH_NUMBERS - 1, (1 - LAWLESS) * len(numbers))


def are_scaled(one: str, other: str) -> bool:
    """Return whether a text has the numbers of another in another measure, as another currency.

    Those that differ have one ratio, and ``SCALED`` of them are exact enough to show it.

    >>> are_scaled("3 sizes: 1,200.00, 9.95 or 30.00 EUR", "3 sizes: 1308, 10.85 or 32.70 USD")
    True
    >>> are_scaled("1.08 dollars, 162.1 yen, 0.86 pounds.", "1.09 dollars, 161.4 yen, 0.87 pounds.")
    False
    """
    found = (map(_amount, _NUMBER.findall(text)) for text in (one, other))
    pairs = [(first, second) for first, second in zip(*found) if first[0] != second[0]]
    (largest, _), (scaled, _) = max(pairs, default=((0.0, 0.0), (0.0, 0.0)))
    if len(pairs) < SCALED or not largest:
        return False
    ratio, exact = scaled / largest, 0
    for (amount, step), (others, its_step) in pairs:
        error = (its_step + ratio * step) / 2 * (1 + amount / largest)
        if abs(others - ratio * amount) > error:
            return False
        exact += abs(others - amount) >= SCALED * error
    return exact >= SCALED


def _amount(number: str) -> tuple[float, float]:
    """Return a number, and one unit of its last digit. Three digits after a comma are thousands.

    >>> _amount("1,200.50"), _amount("1.200")
    ((1200.5, 0.01), (1200.0, 1.0))
    """
    *whole, last = re.split("[.,]", number)
    decimals = len(last) if whole and len(last) != 3 else 0
    digits = float("".join((*whole, last)))
    return digits / 10**decimals, 10.0**-decimals


def layout_of(pages: Sequence[Signature], name: str = "", *, is_choice: bool) -> Layout:
    """Return the layout of pages with the same parameter.

    ``is_choice``: whether its values recur, as those of a filter; what such pages show is a choice
    from the same things, and the text of an empty result. An identifier has a value for each page.
    What rendered pages share is layout, too: scripts add it, and not all pages are rendered.
    """
    rendered = [page for page in pages if page.is_rendered]
    one, other = (_shared_by(some, name, is_choice) for some in (pages, rendered))
    return Layout(one.content | other.content, one.items | other.items, one.words | other.words)


def _shared_by(pages: Sequence[Signature], name: str, is_choice: bool) -> Layout:
    most = max(len(pages) // 2, 1)

    def shared(parts: Iterable[Iterable[T]], least: int) -> frozenset[T]:
        counts = Counter(each for part in parts for each in part)
        return frozenset(each for each, count in counts.items() if count >= least)

    return Layout(
        shared((page.hashes() for page in pages), SHARED if is_choice else most + 1),
        shared((page.items_without(name) for page in pages), most + 1),
        shared((page.title for page in pages), most + 1),
    )


def _counts(page: Signature, most: int, numbers: AbstractSet[int]) -> set[int]:
    """Return the numbers of a list that count its items, as "red (37)" of a filter does.

    There is one for each link to its own path at most. ``most``: number of items.
    """
    counts = {each for each in numbers if integers().get(each, most + 1) <= most}
    return counts if len(counts) <= len(page.relatives) else set()


def own_of(
    name: str, page: Signature, sibling: Signature, shown: Sequence[Shown], layout: Layout
) -> Own:
    """Compare a page with its sibling without the parameter ``name``.

    ``shown``: the list that the sibling begins, and others that show the same things.
    """
    new, sketch = page.new_items(name, shown), page.sketch
    about = page.about(name, sibling)
    has_items = page.has_items(name, layout)
    words = sketch.words.difference(page.named, *(each.words for each in shown))
    numbers = sketch.numbers.difference(*(each.numbers for each in shown))
    if has_items:
        numbers -= _counts(page, max(len(each.items) for each in shown), numbers)
    known = frozenset[int]().union(*(each.content for each in shown))
    own = words, numbers, sketch.images - known, sketch.sentences.keys() - known
    limits = tuple(map(min, zip(*(each.limits for each in shown))))
    words, numbers, images, sentences = (
        frozenset(part for part in parts - layout.content if part <= limit)
        for parts, limit in zip(own, limits)
    )
    return Own(
        title=page.title - sibling.title - layout.words,
        has_heading=page.title == sibling.title
        and (page.phrase != sibling.phrase or len({page.subject, sibling.subject} - {None}) > 1),
        has_items=has_items,
        has_new_items=bool(new - about),
        has_items_about_it=bool(new & about),
        words=words,
        numbers=numbers,
        images=images,
        sentences={each: sketch.sentences[each] for each in sentences},
        sketch=sketch,
        limits=limits,
    )
