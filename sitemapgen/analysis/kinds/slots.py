"""The parts of URLs that vary: parameters, and the last segment of a path beside them.

Parameters that always come together, as a column and its direction do, are one part. Its name has
the names of all, as in ``dir&sort``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from sitemapgen.core.urls import key, spellings, split, split_parameters, with_parameters

NONE: Mapping[str, str] = MappingProxyType({})
PLACE = "/"
"""The name of the last segment of a path, as one of a parameter: a file in a directory."""


class Slot(NamedTuple):
    """A parameter at a form of path."""

    path: str
    """The path of its ``analysis.kinds.patterns.Pattern``."""
    others: tuple[str, ...]
    """Values of other parameters that separate patterns, such as ``a=commit``; empty for all."""
    name: str


@lru_cache(maxsize=4_096)
def slot(pattern: str, name: str) -> Slot:
    """Return the slot of a parameter of the URLs of a pattern.

    >>> slot("/?a=log&h=", "h")
    Slot(path='/', others=('a=log',), name='h')
    >>> slot("/log/src?h=", PLACE)
    Slot(path='/log', others=(), name='/')
    """
    path, _, query = pattern.partition("?")
    if name == PLACE:
        path = path.rpartition("/")[0]
    others = (part for part in query.split("&") if part.partition("=")[2])
    return Slot(path, tuple(part for part in others if not is_of(part, name)), name)


class _Form(NamedTuple):
    """A pattern, and its URL nearest to the start."""

    url: str
    names: frozenset[str]
    constants: dict[str, str]

    @classmethod
    def of(cls, pattern: str, url: str) -> _Form:
        parts = [part.partition("=") for part in pattern.partition("?")[2].split("&") if part]
        names = {name for name, *_ in parts}.intersection(names_of(url))  # a long one is cut
        return cls(url, frozenset(names), {name: value for name, _, value in parts if value})

    def agrees_with(self, other: _Form, but: str) -> bool:
        """Return whether all common constants are the same, ``but`` those of one parameter."""
        return all(
            other.constants.get(name, value) == value
            for name, value in self.constants.items()
            if name != but
        )


@dataclass(slots=True)
class _Tree:
    """Paths by their segments."""

    below: dict[str, _Tree]
    path: str
    """The path that ends here; empty for none."""


class Parameters:
    """Which parameters of a site always come together, and which are never left out."""

    def __init__(
        self, firsts: Iterable[tuple[str, str]] = (), is_listed: Callable[[int], bool] = bool
    ) -> None:
        """``firsts``: (pattern, its URL nearest to the start), the nearest first."""
        paths: defaultdict[str, dict[str, _Form]] = defaultdict(dict)
        for pattern, url in firsts:
            paths[pattern.partition("?")[0]][pattern] = _Form.of(pattern, url)
        self._usual = {
            pattern: _usual(form, [*forms.values()], is_listed)
            for forms in paths.values()
            for pattern, form in forms.items()
        }
        """By pattern."""
        self._wholes: dict[tuple[str, str], str] = {}
        """By (path, parameter): the names of those that always come together, as one slot."""
        tree = _tree(path for path in paths if "/*" in path)
        for path, forms in paths.items():
            wider = {path, *_wider(tree, path)}
            every = [form for each in wider for form in paths[each].values()]
            names = frozenset().union(*(form.names for form in forms.values()))
            names = names.difference(*(self._usual[pattern] for pattern in forms))
            wholes: defaultdict[tuple[bool, ...], list[str]] = defaultdict(list)
            for name in sorted(names):
                wholes[tuple(name in form.names for form in every)].append(name)
            for whole in wholes.values():
                self._wholes.update({(path, name): "&".join(whole) for name in whole})

    def extends(self, other: Parameters) -> bool:
        """Return whether it has all that another one has, for the same patterns."""
        return (
            self._usual.items() >= other._usual.items()
            and self._wholes.items() >= other._wholes.items()
        )

    @property
    def has_usual(self) -> bool:
        """Whether there are any usual values."""
        return any(self._usual.values())

    def usual(self, pattern: str) -> Mapping[str, str]:
        """Return by name the parameters of a pattern that are never left out.

        All forms have them that have no parameters but those of the pattern. With each, its usual
        value: that in the URL nearest to the start.

        >>> firsts = [("/list?by=&group=", "https://a.test/list?by=age&group=7")]
        >>> Parameters(firsts, lambda key: False).usual("/list?by=&group=")
        {'by': 'age', 'group': '7'}
        """
        return self._usual.get(pattern, NONE)

    def whole(self, pattern: str, name: str) -> str:
        """Return the names of the parameters that always come with one, as that of one slot.

        >>> every = "/shop?dir=&page=&sort=", "/*?page=", "/a/shop?page="
        >>> every = Parameters([(each, f"https://a.test{each}") for each in every])
        >>> every.whole("/shop?dir=&page=&sort=", "dir"), every.whole("/a/shop?page=", "page")
        ('dir&sort', 'page')
        """
        return self._wholes.get((pattern.partition("?")[0], name), name)


def _tree(paths: Iterable[str]) -> _Tree:
    tree = _Tree({}, "")
    for path in paths:
        node = tree
        for name in path.split("/"):
            node = node.below.setdefault(name, _Tree({}, ""))
        node.path = path
    return tree


def _wider(tree: _Tree, path: str) -> Iterator[str]:
    """Yield the paths of patterns, such as /*/list, that have that of another one among them."""
    nodes = [tree]
    for name in path.split("/"):
        below = ((node.below.get(name), node.below.get("*")) for node in nodes)
        nodes = [node for pair in below for node in pair if node]
    yield from (node.path for node in nodes if node.path)


def _usual(form: _Form, forms: Iterable[_Form], is_listed: Callable[[int], bool]) -> dict[str, str]:
    """Return the usual values of a form; none where its URLs without these parameters are pages."""
    shorter = [other for other in forms if other.names <= form.names]
    found = {}
    for name in sorted(form.names):
        some = [other for other in shorter if form.agrees_with(other, but=name)]
        if all(name in other.names for other in some):
            found[name] = values_of(some[0].url, name)[0].partition("=")[2]
    plain = (key(without(other.url, found)) for other in shorter if found)
    return {} if all(map(is_listed, plain)) else found


def places_above(slot_: Slot) -> Iterator[Slot]:
    """Yield the places above the path of a slot, the nearest first."""
    path = slot_.path
    while path := path.rpartition("/")[0]:
        yield slot_._replace(path=path)


def parts_of(url: str) -> list[str]:
    """Return the parameters of a URL.

    >>> parts_of("https://example.com/shop?color=red&size=l")
    ['color=red', 'size=l']
    """
    return [part for part in split_parameters(url).query.replace(";", "&").split("&") if part]


def place_of(path: str) -> str:
    """Return the last segment of a path that has more than one; empty for others.

    >>> place_of("/log/src/a.c"), place_of("/log/")
    ('a.c', '')
    """
    above, _, last = path.rstrip("/").rpartition("/")
    return last if above else ""


def is_of(part: str, name: str) -> bool:
    """Return whether a part of a query is one of that slot."""
    return part.partition("=")[0] in name.split("&")


def without(url: str, names: Iterable[str]) -> str:
    """Return a URL without some slots: parameters, or the last segment of its path.

    >>> without("https://example.com/shop?color=red&size=l&color=blue", ["color"])
    'https://example.com/shop?size=l'
    >>> without("https://example.com/git?a=blob;f=x;hb=7", ["hb"])
    'https://example.com/git?a=blob;f=x'
    >>> without("https://example.com/log/src/a.c?id=7", [PLACE])
    'https://example.com/log/src?id=7'
    """
    url = with_parameters(url, {each: "" for name in names for each in name.split("&")})
    if PLACE not in names:
        return url
    path, mark, query = url.partition("?")
    return f"{path.rstrip('/').rpartition('/')[0]}{mark}{query}"


def names_of(url: str) -> list[str]:
    """Return the names of the parameters of a URL, each once.

    >>> names_of("https://example.com/shop?color=red&size=l&color=blue")
    ['color', 'size']
    """
    return [*dict.fromkeys(part.partition("=")[0] for part in parts_of(url))]


def values_of(url: str, name: str) -> list[str]:
    """Return the values of a slot, as they are written in a URL.

    >>> values_of("https://example.com/log/src?x=1&x=2", "x")
    ['x=1', 'x=2']
    >>> values_of("https://example.com/log/src?x=1", PLACE)
    ['src']
    """
    if name == PLACE:
        return [place_of(split(url).path)]
    return [part for part in parts_of(url) if is_of(part, name)]


def slots_of(url: str, pattern: str, parameters: Parameters) -> list[str]:
    """Return the names of the slots of a URL: its parameters and, beside these, its place.

    >>> slots_of("https://example.com/log/src?h=7", "/log/src?h=", Parameters())
    ['h', '/']
    """
    path, _, query = pattern.partition("?")
    names = names_of(url) if pattern else []
    wholes = [parameters.whole(pattern, name) for name in names]
    found = dict.fromkeys(
        whole if {*names}.issuperset(whole.split("&")) else name
        for name, whole in zip(names, wholes)
    )
    depth = split(url).path.rstrip("/").count("/")
    return [*found, PLACE] if query and path.count("/") == depth > 1 else [*found]


def siblings_of(url: str, *names: str, usual: Mapping[str, str] = NONE) -> tuple[str, ...]:
    """Return the URLs that the sibling of a page without some slots may have.

    ``usual``: values of parameters that no URL lacks, which the sibling has, too.

    >>> siblings_of("https://example.com/shop?size=l&sort=age", "sort", usual={"sort": "name"})
    ('https://example.com/shop?size=l', 'https://example.com/shop?size=l&sort=name')
    """
    shorter = without(url, names)
    if PLACE in names:
        return spellings(shorter)
    values = {each: usual.get(each, "") for name in names for each in name.split("&")}
    other = with_parameters(url, values)
    return (shorter,) if other in (shorter, url) else (shorter, other)


def is_without(target: str, url: str, name: str) -> bool:
    """Return whether a URL is another one without a slot, and maybe without others."""
    dropped = set(names_of(url)) - set(names_of(target)) if target else set()
    return dropped.issuperset(name.split("&")) and key(without(url, dropped)) == key(target)
