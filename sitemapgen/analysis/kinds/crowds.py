"""Detection of endless directories of plain URLs, none of which has a suspicious form.

``/maze/amber-ivory`` has the form of an article. An endless directory is only recognised by many of
its pages together, while others of its URLs wait:

====================  ====================================  ====================================
rule                  must not harm                         has to stop
====================  ====================================  ====================================
nearly all copies     a second language with the same text  the site again in /de/, /de/fr/ ...
not a single page     short addresses that lead to pages    a redirect to the next redirect
few words, many URLs  routes from one town to another       filters in paths: /red/large/cotton/
URLs of no page       a dictionary that offers near words   text generated for any URL
====================  ====================================  ====================================

The first three prove nothing: such a directory waits, and is fetched in batches as far as
``yields.py`` allows, to its end if it has one. The last one is a proof, by the responses of
URLs that no page links to (``made_up.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from math import prod
from typing import NamedTuple
from zlib import crc32

from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION
from sitemapgen.analysis.kinds.usefulness import PATIENCE
from sitemapgen.core.urls import path_names, split

FIRST = 64
"""Fetched pages of a crawl after which its directories are examined for the first time, and minimum
waiting URLs of a directory that is examined: one with fewer is soon done."""
GROWTH = 1.5
"""Factor by which the fetched pages grow until the directories are examined again."""
COPIES = 0.9
"""Minimum share of ``PATIENCE`` fetched pages of a directory, or more, that have the content of a
page elsewhere that is nearer to the start URL, for MIRROR."""
COMBINED, PER_WORD, COMBINATIONS = 512, 8, 20_000
"""Minimums for FACETS: URLs of a directory, their multiple of the distinct words at any position of
their paths, and possible combinations of these words; with fewer it is finite, and soon done."""
AGAIN = 4
"""Factor by which the listed pages of a directory grow until ASK is repeated; it is first chosen
after ``WITHOUT_EXCEPTION`` of them, while each reveals a further URL on average."""
MAX_DIRECTORIES = 10_000
"""Maximum number of directories counted at a time; above it the smallest ones are dropped."""
MAX_PLACES, MAX_WORDS = 12, 20_000
"""Maximum number of positions in the paths of a directory, and of distinct words counted at each
position."""


class Step(Enum):
    """Step for a directory."""

    NONE = 0
    MIRROR = 1
    """Its URLs wait: its pages are copies."""
    FACETS = 2
    """Its URLs wait: they combine few words."""
    NO_PAGES = 3
    """Its URLs wait: none was a page."""
    ASK = 4
    """URLs in it are requested that no page links to."""


class Crowd(NamedTuple):
    """Counts of the plain URLs of a directory."""

    directory: str
    """Path with its slash at the end."""
    urls: int
    words: int
    """Maximum number of distinct words at one position of the paths; a segment is split into words
    at comma, plus sign and semicolon."""
    combinations: int
    """Product of the numbers of distinct words at each position; capped."""
    fetched: int
    listed: int
    recent: int
    """URLs fetched since the previous examination."""
    copies: int
    """Copies among the recent ones."""
    is_growing: bool
    """Whether each page since the last count has revealed a further URL on average."""
    waiting: int
    asked: int
    """Number of listed pages at the last ASK; 0 before the first."""


class PlainUrl(NamedTuple):
    """A URL whose form is not suspicious, and what is recorded of it."""

    url: str
    directory: str
    is_fetched: bool
    is_listed: bool
    is_copy: bool
    """It has the content of a page nearer to the start URL."""
    is_waiting: bool


class _Count:
    """Counts of one directory."""

    __slots__ = ("copies", "fetched", "listed", "urls", "waiting", "words")

    def __init__(self) -> None:
        self.urls = self.fetched = self.listed = self.copies = self.waiting = 0
        self.words: list[set[int]] = []

    def add(self, each: PlainUrl) -> None:
        self.urls += 1
        self.fetched += each.is_fetched
        self.listed += each.is_fetched and each.is_listed
        self.copies += each.is_copy
        self.waiting += each.is_waiting
        _take_words(self.words, split(each.url).path[len(each.directory) :])


class Directories:
    """Counts the plain URLs of a crawl by directory, each time that it has grown enough."""

    def __init__(self) -> None:
        self._due = FIRST
        self._before: dict[str, tuple[int, int]] = {}
        """Fetched pages and copies of a directory when it was last examined for copies."""
        self._last: dict[str, tuple[int, int]] = {}
        """Fetched pages and URLs of a directory when they were last counted."""

    def is_due(self, fetched: int) -> bool:
        """Report whether a crawl of ``fetched`` pages has grown enough to be examined again."""
        if fetched < self._due:
            return False
        self._due = int(fetched * GROWTH)
        return True

    def count_urls(self, urls: Iterable[PlainUrl], asked: Mapping[str, int]) -> list[Crowd]:
        """Count URLs by directory. ``asked``: see ``Crowd.asked``, by directory."""
        counts: dict[str, _Count] = {}
        fewest = 1
        for each in urls:
            if each.directory not in counts:
                if len(counts) >= MAX_DIRECTORIES:
                    for small in [name for name, row in counts.items() if row.urls <= fewest]:
                        del counts[small]
                    fewest += 1
                counts[each.directory] = _Count()
            counts[each.directory].add(each)
        crowds = [
            self._make_crowd(name, count, asked.get(name, 0)) for name, count in counts.items()
        ]
        self._last = {name: (count.fetched, count.urls) for name, count in counts.items()}
        return crowds

    def _make_crowd(self, directory: str, count: _Count, asked: int) -> Crowd:
        fetched, copies = self._before.get(directory, (0, 0))
        if count.fetched - fetched >= PATIENCE:
            self._before[directory] = count.fetched, count.copies
        read, known = self._last.get(directory, (count.fetched, count.urls))
        sizes = [*map(len, count.words)]
        return Crowd(
            directory=directory,
            urls=count.urls,
            words=max(sizes, default=0),
            combinations=prod(sizes),
            fetched=count.fetched,
            listed=count.listed,
            recent=count.fetched - fetched,
            copies=count.copies - copies,
            is_growing=count.urls - known >= max(count.fetched - read, 1),
            waiting=count.waiting,
            asked=asked,
        )


def _take_words(words: list[set[int]], path: str) -> None:
    """Add the words of a path to the sets of their positions: /red,green/large/ has three."""
    for at, word in enumerate(path_names(path)):
        if at == len(words):
            if at == MAX_PLACES:
                break
            words.append(set())
        if len(words[at]) < MAX_WORDS:
            words[at].add(crc32(word.encode()))


def choose_step(crowd: Crowd) -> Step:
    """Choose the step for a directory.

    >>> choose_step(Crowd("/de/", 900, 300, 6_000, 80, 80, 80, 80, True, 820, 0))
    <Step.MIRROR: 1>
    """
    if crowd.waiting < FIRST:
        return Step.NONE
    if crowd.recent >= PATIENCE and crowd.copies >= COPIES * crowd.recent:
        return Step.MIRROR
    if crowd.fetched >= WITHOUT_EXCEPTION and not crowd.listed:
        return Step.NO_PAGES
    is_combined = crowd.urls >= max(COMBINED, PER_WORD * crowd.words)
    if is_combined and crowd.combinations >= COMBINATIONS:
        return Step.FACETS
    if crowd.is_growing and crowd.listed >= max(WITHOUT_EXCEPTION, AGAIN * crowd.asked):
        return Step.ASK
    return Step.NONE
