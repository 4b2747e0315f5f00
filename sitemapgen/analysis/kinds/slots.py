"""The parts of URLs that vary: parameters, and the last segment of a path beside them.

Parameters that always come together, as a column and its direction do, are one part. Its name has
the names of all, as in ``dir&sort``.
"""

from __future__ import annotations

from collections import defaultdict
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.urls import key, spellings, split, split_parameters, with_parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

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


def joined_names(patterns: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return by (path, parameter) the name of several that always come together, as one slot.

    >>> joined_names(["/shop?dir=&sort=", "/shop?dir=&page=&sort=", "/*?page="])
    {('/shop', 'dir'): 'dir&sort', ('/shop', 'sort'): 'dir&sort'}
    """
    sets: defaultdict[str, set[frozenset[str]]] = defaultdict(set)
    for path, _, query in (pattern.partition("?") for pattern in patterns):
        sets[path].add(frozenset(part.partition("=")[0] for part in query.split("&") if part))
    wholes: defaultdict[tuple[str, frozenset[frozenset[str]]], list[str]] = defaultdict(list)
    for path, every in sets.items():
        for name in sorted(frozenset().union(*every)):
            wholes[path, frozenset(names for names in every if name in names)].append(name)
    return {
        (path, name): "&".join(whole)
        for (path, _), whole in wholes.items()
        for name in whole
        if len(whole) > 1
    }


def usual_values(
    firsts: Iterable[tuple[str, str]], is_listed: Callable[[int], bool]
) -> dict[str, dict[str, str]]:
    """Return by path the parameters that all of its URLs have, each with its usual value.

    That is the value in the URL nearest to the start. A path has none where its URLs without these
    parameters are pages.

    ``firsts``: (pattern, its URL nearest to the start), the nearest first.
    """
    every: dict[str, frozenset[str]] = {}
    urls: defaultdict[str, list[str]] = defaultdict(list)
    for pattern, url in firsts:
        path, _, query = pattern.partition("?")
        names = frozenset(part.partition("=")[0] for part in query.split("&") if part)
        every[path] = every.get(path, names) & names
        urls[path].append(url)
    return {
        path: {
            name: each.partition("=")[2]
            for name in names
            for each in values_of(urls[path][0], name)[:1]
        }
        for path, names in every.items()
        if not all(is_listed(key(without(url, names))) for url in urls[path])
    }


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


def slots_of(url: str, pattern: str, joined: Mapping[tuple[str, str], str]) -> list[str]:
    """Return the names of the slots of a URL: its parameters and, beside these, its place.

    ``joined``: those of ``joined_names``.

    >>> slots_of("https://example.com/log/src?h=7", "/log/src?h=", {})
    ['h', '/']
    """
    path, _, query = pattern.partition("?")
    every = names_of(url) if pattern else []
    wholes = [joined.get((path, name), name) for name in every] if joined else every
    names = [
        whole if {*every}.issuperset(whole.split("&")) else name
        for name, whole in zip(every, wholes)
    ]
    names = [*dict.fromkeys(names)]
    depth = split(url).path.rstrip("/").count("/")
    return [*names, PLACE] if query and path.count("/") == depth > 1 else names


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
