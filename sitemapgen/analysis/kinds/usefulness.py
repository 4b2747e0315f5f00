"""Usefulness of the fetched pages of suspicious patterns, by their content and their links.

A page is *useful* when it is the first to lead to pages elsewhere that are worth listing, or when
it has content that no page of its topic had before: words, sentences, images, or numbers that
cannot be derived from URLs. What follows for a pattern: ``yields.py``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

from sitemapgen.analysis.kinds.made_up import MadeUp
from sitemapgen.analysis.kinds.patterns import Pattern
from sitemapgen.core.document.novelty import NONE, PLENTY, Known, Novelty, Sketch, sketch_page
from sitemapgen.core.shapes import topic
from sitemapgen.verdicts import Verdict

PATIENCE = 60
"""Useless pages in a row that make a pattern idle: with 95 % confidence fewer than one in twenty
of its pages is useful (0.95 ** 60 = 0.046; "rule of three")."""
WORTH = 20
"""Maximum number of pages per useful one in a pattern that stays: what ``PATIENCE`` can detect."""
_OTHERS = (Verdict.CANONICALISED, Verdict.REDIRECT)
"""Verdicts of pages that name another page instead."""
_WORD = re.compile(r"\w+")
MAX_NAMES = 10_000
"""Maximum number of names of pages that are remembered of a pattern."""
WEAK = 1 / 3
"""Weight of a page of use ``LITTLE`` among the useless ones."""


class Use(IntEnum):
    """The use of a fetched page of a suspicious pattern."""

    USEFUL = 1
    """It has content that no earlier page of its topic had."""
    LITTLE = 2
    """It has one new word, or one or two new numbers, or just another picture, as each minute of a
    radar has: not enough to go on, more than nothing."""
    NOTHING = 3
    OPEN = 4
    """It leads to suspects whose use is not decided yet."""
    NOT_INDEXED = 5
    """It is noindex, and leads to nothing new."""
    COPY = 6
    """It is a copy, by its canonical URL or its content, and leads to nothing new."""
    UNKNOWN = 7
    """Its request failed."""
    LEADS = 8
    """It is useful because it was the first to lead to pages worth listing."""

    ABSENT = 9
    """It answers with an error, such as 404."""
    FILE = 10
    """It is no page, such as an image."""
    REPEAT = 11
    """It has the name of its base or, but for the number in it, that of an earlier page; it lists
    pages that the base does not list, and has nothing at all that other pages of its topic lack. Or
    it is the same form with a password as an earlier page."""
    LIKE_BASE = 12
    """The same without such pages: it may be a part of the base's list, or an order of numbers. Or
    with another number in its name than all pages before, as that of a day or a paragraph."""
    AGAIN = 13
    """It has nothing new, and the title and text of an earlier page of its space, in their order,
    but for what follows from the URLs."""

    @property
    def is_useful(self) -> bool:
        """Whether the page has new content, or leads to it."""
        return self in (Use.USEFUL, Use.LEADS)


_LISTABLE = (Use.USEFUL, Use.LEADS, Use.LITTLE, Use.NOTHING, Use.LIKE_BASE, Use.AGAIN)
UNLISTED = {
    Use.NOT_INDEXED: "pages are noindex and lead to nothing new",
    Use.REPEAT: "pages show nothing that others do not show",
    Use.COPY: "pages are copies of others, redirect to them, or name them as canonical",
    Use.FILE: "URLs are files, and no pages",
}
"""Uses of pages that may not be listed, and the words for a kind that has no others."""


class Lead(NamedTuple):
    """A URL outside of a page's space, first linked in the round of this page."""

    verdict: Verdict | None
    """None while it waits."""
    use: int | None
    """The ``Use`` of a suspect that was fetched."""
    pattern: int | None
    """The pattern of a suspect."""


class SuspectPage(NamedTuple):
    """A fetched page of a suspicious pattern."""

    key: int
    pattern: int
    verdict: Verdict | None
    """None if only its content counts."""
    leads: tuple[Lead, ...] = ()
    is_server_error: bool = False
    is_form_again: bool = False
    """Whether it has a password field, and the same content as an earlier page of the pattern."""
    is_copy: bool = False
    """Whether a page outside of the pattern has the same content."""
    sketch: bytes = b""
    """``core.document.novelty.sketch_page``; empty if there is none."""
    items: frozenset[int] = frozenset()
    """Hashes of its links to listed pages outside of its space that its base does not have."""
    base: str = ""
    """Title and excerpt of the page without the query or identifier; empty if there is none."""
    name: str = ""
    """Title and heading."""
    base_name: str = ""
    """Those of the page without the query; empty if there is none."""


@dataclass(slots=True)
class Tally:
    """Counts of the fetched pages of a pattern, a space, a family or a kind."""

    uses: list[int] = field(default_factory=lambda: [0] * (len(Use) + 1))
    """Number of pages by their ``Use``, once that is decided."""
    latest: int = 0
    """Pages fetched in the last round."""
    recent: int = 0
    """Useful pages of the last round."""
    in_row: int = 0
    """Number of repeats since the last page with anything of its own."""
    copied: int = 0
    """Number of copies since the last page that is none."""
    again: int = 0
    """Copies and repeats since the last page with a text of its own, if only in its order."""
    idle: float = 0.0
    """Useless pages since the last useful one, weighted."""
    open: int = 0
    """Pages of use ``OPEN``."""

    @property
    def fetched(self) -> int:
        """Number of pages."""
        return sum(self.uses)

    @property
    def useful(self) -> int:
        """Number of useful pages."""
        return self.uses[Use.USEFUL] + self.uses[Use.LEADS]

    @property
    def listable(self) -> int:
        """Number of pages that are neither noindex nor copies nor repeats nor failed nor files."""
        return sum(map(self.uses.__getitem__, _LISTABLE))

    @property
    def unlisted(self) -> int:
        """Number of its pages that may not be listed; as many of those that are gone count, too."""
        some = sum(map(self.uses.__getitem__, UNLISTED))
        return some + min(self.uses[Use.ABSENT], some)

    @property
    def is_hopeful(self) -> bool:
        """Whether it may still turn out to be useful.

        Without a limit, spaces that lead only to each other would wait for each other for ever.
        """
        return self.idle + (0 if self.useful else self.open) < PATIENCE

    @property
    def is_worth_it(self) -> bool:
        """Whether one in ``WORTH`` of its pages or more was useful."""
        return self.useful * WORTH >= max(self.fetched - self.uses[Use.ABSENT], 1)

    def add(self, use: Use) -> None:
        """Count a page whose use is decided.

        Absent pages are no evidence of what the others are, unless they are the majority: a code
        browser links to commits that are none, and an endless space may have nothing else.
        """
        self.uses[use] += 1
        self.latest += 1
        if use.is_useful:
            self.recent += 1
            self.idle = 0.0
        elif use is Use.ABSENT:
            self.idle += 2 * self.uses[use] > self.fetched
        elif use is not Use.UNKNOWN:
            self.idle += WEAK if use is Use.LITTLE else 1.0
        if use is not Use.UNKNOWN:
            self.copied = self.copied + 1 if use is Use.COPY else 0
        if use is Use.REPEAT:
            self.in_row += 1
        elif use not in (Use.COPY, Use.LIKE_BASE, Use.ABSENT, Use.UNKNOWN):
            self.in_row = 0
        if use in (Use.AGAIN, Use.COPY, Use.REPEAT):
            self.again += 1
        elif use in _LISTABLE:
            self.again = 0


class _Topics:
    """The content of the pages of each topic, and of wider topics."""

    def __init__(self) -> None:
        self._known: dict[str, Known] = {}
        self._of_space: defaultdict[str, list[tuple[frozenset[str], Known]]] = defaultdict(list)

    def of(self, name: str) -> tuple[Known, list[Known]]:
        """Return the content of a topic, and of the topics whose constants are a part of its own.

        The rows of a table of lamps, and of one of brass, are not new in one of brass lamps.
        """
        where, _, query = name.partition("?")
        values = frozenset(query.split("&")) if query else frozenset()
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = Known()
            self._of_space[where].append((values, known))
        return known, [other for some, other in self._of_space[where] if some < values]


class Usefulness:
    """Use of the pages of each pattern, in memory that does not grow with the site."""

    def __init__(self) -> None:
        self.tallies: dict[int, Tally] = {}
        """By pattern."""
        self.beside: dict[str, Tally] = {}
        """By space and by family."""
        self._topics = _Topics()
        self._names: defaultdict[int, set[int]] = defaultdict(set)
        """By pattern: hashes of the names of its pages."""
        self._wordings: defaultdict[str, set[int]] = defaultdict(set)
        """By space: ``_hash_wordings`` of its pages."""

    def learn(self, page: SuspectPage, pattern: Pattern) -> Novelty:
        """Add the content of a page; return how much of it is new to its topic."""
        if len(names := self._names[page.pattern]) < MAX_NAMES:
            names.add(crc32(page.name.encode()))
        if len(wordings := self._wordings[pattern.space]) < MAX_NAMES:
            wordings |= _hash_wordings(page.sketch, page.items)
        known, wider = self._topics.of(topic(pattern.pattern))
        if page.base:
            known.add(_sketch_of_base(page.base))
        if known.is_full:
            return PLENTY
        new = known.add(page.sketch, frozenset() if page.is_copy else page.items, wider)
        # The base is kept as one text: where its sentences begin and end is not known.
        return new._replace(characters=0) if page.base else new

    def judge(self, page: SuspectPage, pattern: Pattern) -> Use:
        """Judge a page, and add its content. Pages come in the order of their release."""
        is_named_before = page.name == page.base_name or (
            crc32(page.name.encode()) in self._names[page.pattern]
        )
        wordings = _hash_wordings(page.sketch, page.items)
        is_again = bool(wordings) and wordings <= self._wordings[pattern.space]
        new = self.learn(page, pattern)
        if any(map(_is_worth, page.leads)):
            return Use.LEADS
        is_listed = page.verdict is Verdict.LISTED
        if is_listed and page.sketch and new.is_text and not page.is_copy:
            return Use.USEFUL
        if any(map(self._is_hopeful, page.leads)):
            return Use.OPEN
        if page.verdict is Verdict.NOINDEX:
            return Use.NOT_INDEXED
        if page.is_copy or page.verdict in _OTHERS:
            return Use.COPY
        if page.verdict is Verdict.FETCH_ERROR or page.is_server_error:
            return Use.UNKNOWN
        if page.verdict is Verdict.HTTP_ERROR:
            return Use.ABSENT
        if page.verdict is Verdict.NOT_HTML:
            return Use.FILE
        if page.is_form_again and pattern.kind != "calendar":  # the site may have a login box
            return Use.REPEAT
        if is_listed and new == NONE and is_named_like_base(page):
            return Use.REPEAT if page.items and is_named_before else Use.LIKE_BASE
        if is_listed and is_again and new == NONE:
            return Use.AGAIN
        return Use.LITTLE if is_listed and any(new) else Use.NOTHING

    def settle(self, page: SuspectPage) -> Use:
        """Judge a page again whose use was open: by what its leads turned out to be."""
        if any(map(_is_worth, page.leads)):
            return Use.LEADS
        if any(map(self._is_hopeful, page.leads)):
            return Use.OPEN
        if any(lead.use == Use.LITTLE for lead in page.leads):
            return Use.LITTLE
        if page.verdict is Verdict.NOINDEX:
            return Use.NOT_INDEXED
        return Use.COPY if page.verdict in _OTHERS else Use.NOTHING

    def _is_hopeful(self, lead: Lead) -> bool:
        """Whether a lead that waits, or is open, may still be worth it, by its pattern."""
        if (lead.verdict or lead.use) and lead.use != Use.OPEN:
            return False
        tally = self.tallies.get(lead.pattern) if lead.pattern else None
        return tally is None or tally.is_hopeful

    def count(self, pattern: Pattern, use: Use, before: Use | None = None) -> None:
        """Count a page; ``before``: what was known of its use."""
        tally = self.tallies.setdefault(pattern.id, Tally())
        tally.open += (use is Use.OPEN) - (before is Use.OPEN)
        if use is Use.OPEN:
            return
        tally.add(use)
        for name in (pattern.space, f"*{pattern.family}"):
            self.beside.setdefault(name, Tally()).add(use)

    @property
    def seen(self) -> int:
        """Number of fetched pages, with those whose use is still open."""
        return sum(tally.fetched + tally.open for tally in self.tallies.values())

    def begin_round(self) -> None:
        """Count the useful pages of a round from here on."""
        for tally in self.tallies.values():
            tally.latest = tally.recent = 0

    def are_alike(self, pattern: Pattern) -> bool:
        """Whether ``PATIENCE`` pages of its space in a row had the text of an earlier one."""
        space = self.beside.get(pattern.space)
        return space is not None and space.again >= PATIENCE

    def is_answered_alike(self, pattern: Pattern, answers: Sequence[MadeUp]) -> bool:
        """Whether made-up URLs are answered as the last pages of its space were."""
        return (
            len(answers) > 1
            and self.are_alike(pattern)
            and all(_hash_wordings(each.sketch) & self._wordings[pattern.space] for each in answers)
        )

    def is_made_up(self, pattern: Pattern, answers: Sequence[MadeUp]) -> bool:
        """Whether each answer to a made-up URL has content that is new to the pattern's topic."""
        known, wider = self._topics.of(topic(pattern.pattern))
        return all(known.compare(each.sketch, others=wider).is_content for each in answers)


@lru_cache(maxsize=16)
def _hash_wordings(sketch: bytes, *items: frozenset[int]) -> frozenset[int]:
    """Return the hashes of title, text and images of a page, without its items and with them.

    Empty if its wording is not known.
    """
    unpacked = Sketch.of(sketch)
    shown = unpacked.wording, unpacked.images
    return frozenset((hash(shown), hash((*shown, *items)))) if unpacked.wording else frozenset()


def is_named_like_base(page: SuspectPage) -> bool:
    """Return whether a page has no name of its own.

    A number may count what it lists: "Tickets (24 found)".
    """
    name, base = ({*_WORD.findall(each.casefold())} for each in (page.name, page.base_name))
    return bool(base) and all(map(str.isdecimal, name - base))


@lru_cache(maxsize=256)
def _sketch_of_base(text: str) -> bytes:
    return sketch_page([text], ())


def _is_worth(lead: Lead) -> bool:
    """Whether it turned out to be a listed page that has new content itself, or no suspect."""
    is_page = lead.verdict is Verdict.LISTED and lead.use is None
    return is_page or lead.use in (Use.USEFUL, Use.LEADS)
