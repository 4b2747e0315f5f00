"""Tree of a site's directories with counts, in one pass over its URLs."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_NODES = 500
"""Maximum directories of a tree."""
SLACK = 4
"""Multiple of MAX_NODES below a directory at which it is pruned while it still grows."""
MAX_DEPTH = 30
"""Maximum depth of directories; URLs in deeper ones count in the last one."""
MAX_LARGEST = 20
"""Maximum directories in ``Tree.missing``."""


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of URLs under a directory, at any depth."""

    urls: int = 0
    listed: int = 0
    in_sitemap: int = 0
    missing: int = 0
    """URLs that are listed, but in no sitemap of the site."""

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        self.urls += other.urls
        self.listed += other.listed
        self.in_sitemap += other.in_sitemap
        self.missing += other.missing


@dataclass(slots=True, kw_only=True)
class Directory:
    """A directory with its subdirectories."""

    path: str
    """Path from the origin on; ends with a slash."""
    tally: Tally = field(default_factory=Tally)
    children: list[Directory] = field(default_factory=list)
    more: Tally = field(default_factory=Tally)
    """Counts of child directories that are not among ``children``."""
    more_directories: int = 0
    """Number of child directories that are not among ``children``."""
    nodes: int = 1
    """Number of directories in this tree, itself included."""

    @property
    def rank(self) -> tuple[int, str]:
        """Sort key: the directories with the most URLs first, each before its subdirectories."""
        return (-self.tally.urls, self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Directories of a site."""

    root: Directory
    missing: list[tuple[str, int]]
    """(path, number) of the top-level directories, and of the root for its own pages, with the most
    listed URLs in no sitemap."""
    elsewhere: int
    """Number of URLs of other origins."""


def tree(addresses: Iterable[tuple[str, bool, bool, bool]], origin: str) -> Tree:
    """Count (URL, is listed, is in a sitemap, is a view) rows, in URL order, by directory.

    Memory does not depend on the number of directories: of each open directory, only the largest
    subdirectories are kept.
    """
    root = Directory(path="/")
    open_, elsewhere = [root], 0
    largest: list[tuple[str, int]] = []
    of_root = 0
    start = f"{origin}/"
    for url, is_listed, in_sitemap, is_view in addresses:
        if not url.startswith(start):
            elsewhere += 1
            continue
        path = url[len(origin) :].partition("?")[0]
        while not path.startswith(open_[-1].path):
            _close(open_, largest)
        here = open_[-1]
        at = path.find("/", len(here.path))
        while at >= 0 and len(open_) <= MAX_DEPTH:
            here = Directory(path=path[: at + 1])
            open_.append(here)
            at = path.find("/", at + 1)
        is_missing = is_listed and not in_sitemap and not is_view
        tally = here.tally
        tally.urls += 1
        tally.listed += is_listed
        tally.in_sitemap += in_sitemap
        tally.missing += is_missing
        of_root += is_missing and here is root
    while len(open_) > 1:
        _close(open_, largest)
    _prune(root)
    if of_root:
        largest.append(("/", of_root))
    largest.sort(key=lambda item: (-item[1], item[0]))
    return Tree(root=root, missing=largest[:MAX_LARGEST], elsewhere=elsewhere)


def _close(open_: list[Directory], largest: list[tuple[str, int]]) -> None:
    """Close the innermost open directory, which has no further URLs, and add it to its parent."""
    done, parent = open_.pop(), open_[-1]
    _prune(done)
    parent.tally.add(done.tally)
    parent.children.append(done)
    parent.nodes += done.nodes
    if parent.nodes > SLACK * MAX_NODES:
        _prune(parent, is_open=True)
    if len(open_) == 1 and done.tally.missing:
        largest.append((done.path, done.tally.missing))
        if len(largest) > SLACK * MAX_LARGEST:
            largest[:] = heapq.nsmallest(MAX_LARGEST, largest, key=lambda item: (-item[1], item[0]))


def _prune(root: Directory, *, is_open: bool = False) -> None:
    """Keep the directories with the most URLs; a tree within the limit is only sorted.

    A removed directory has at least MAX_NODES larger ones in its tree, so it would not be kept in
    any larger tree either.
    """
    if root.nodes > MAX_NODES:
        below = sorted(directory.rank for child in root.children for directory in _walk(child))
        last = below[MAX_NODES - 2]
        for directory in list(_walk(root)):
            kept = [child for child in directory.children if child.rank <= last]
            for child in directory.children:
                if child.rank > last:
                    directory.more.add(child.tally)
                    directory.more_directories += 1
            directory.children = kept
        _count(root)
    if not is_open:
        root.children.sort(key=lambda child: child.rank)


def _walk(directory: Directory) -> Iterator[Directory]:
    yield directory
    for child in directory.children:
        yield from _walk(child)


def _count(directory: Directory) -> int:
    directory.nodes = 1 + sum(map(_count, directory.children))
    return directory.nodes
