"""The URLs of a store that may be endlessly many, by their patterns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sitemapgen.analysis.crowds import Directories

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapgen.analysis.made_up import MadeUp
    from sitemapgen.analysis.patterns import Family, Pattern
    from sitemapgen.analysis.traps import Feed, Grant, Spaces
    from sitemapgen.analysis.usefulness import SuspectPage, Use
    from sitemapgen.analysis.views import View
    from sitemapgen.core.document.novelty import Novelty


class TrapRow(NamedTuple):
    """One trap, one way to say that a page is missing, or one kind of repaired links."""

    kind: str
    pattern: str
    urls: int
    """URLs left out; of session ids and host aliases: links met."""
    fetched: int
    useful: int
    """Pages of the fetched ones that said or led to something new."""
    examples: tuple[str, ...]
    reason: str = ""
    """Of a trap: what was seen of it."""
    is_endless: bool = False
    """Of a trap: it was still revealing itself when it was left."""


class FamilyRow(NamedTuple):
    """A family of suspicious URLs, some of which are in no pattern yet."""

    id: int
    name: str
    constants: frozenset[tuple[str, str]]
    """(slot, value) pairs that separate its patterns: ``analysis/patterns.py``."""
    size: int
    """Number of its URLs when the constants were decided."""


class Assignment(NamedTuple):
    """The pattern of a suspicious URL."""

    key: int
    url: str
    kind: str
    pattern: str
    space: str


@dataclass(slots=True)
class Memory:
    """What the analyses have counted in this run; empty after a restart and in a new run."""

    families: dict[int, Family] = field(default_factory=dict)
    spaces: Spaces | None = None
    directories: Directories = field(default_factory=Directories)


class TrapCandidates(Protocol):
    """The URLs of a store that may be endlessly many, by their patterns."""

    memory: Memory
    round: int
    """How often URLs were released in this run."""

    def are_pending(self) -> bool:
        """Return whether any of them is in the frontier."""

    def families(self) -> list[FamilyRow]:
        """Families with URLs that are in no pattern, sorted by name."""

    def new_urls(self, family: FamilyRow) -> Iterator[str]:
        """URLs of a family that are in no pattern yet."""

    def sorted_urls(self, family: FamilyRow) -> Iterator[str]:
        """URLs of a family that are in its patterns."""

    def has_released(self, family: FamilyRow) -> bool:
        """Whether URLs of a pattern of this family were let into the frontier."""

    def decide(self, family: FamilyRow, constants: frozenset[tuple[str, str]], size: int) -> bool:
        """Keep the constants of a family of ``size`` URLs; whether URLs lost their pattern.

        All do where the constants are others than before.
        """

    def unassigned(self, family: FamilyRow) -> list[tuple[int, str]]:
        """Some thousand (key, URL) of a family that are in no pattern; empty if all are."""

    def assign(self, family: FamilyRow, assignments: Sequence[Assignment]) -> None:
        """Put URLs of a family into their patterns."""

    def patterns(self) -> list[Pattern]:
        """All patterns, sorted by name."""

    def feeds(self) -> list[Feed]:
        """Which patterns revealed which."""

    def judged(self) -> Iterator[tuple[SuspectPage, Use]]:
        """The pages that have been judged, in the order of judging."""

    def unjudged(self) -> Iterator[tuple[SuspectPage, int, Use | None]]:
        """Pages to judge, in their order: the page, its round, and OPEN where it was judged."""

    def keep(self, uses: Iterable[tuple[int, Use]]) -> None:
        """Keep what the pages with these keys are good for."""

    def noise(self) -> dict[int, Novelty]:
        """By pattern: what a second reading of its pages brought; zero until they were read."""

    def sample(self, patterns: Iterable[int]) -> list[int]:
        """Choose two pages of each of these patterns to be read again; their keys."""

    def useful_urls(self, pattern: int) -> list[str]:
        """Two useful pages of a pattern, or fewer."""

    def probe(self, pattern: int, urls: Iterable[str]) -> int:
        """Let URLs into the frontier that no page links to; how many were not known."""

    def made_up(self) -> dict[int, tuple[list[MadeUp], float]]:
        """By pattern: what such URLs answered, and the mean length of its listed pages' texts."""

    def release(self, grants: Iterable[Grant]) -> int:
        """Keep what was granted, and let that many URLs of each pattern into the frontier."""

    def mark_traps(self, *, leaves_out: bool) -> None:
        """Give the waiting URLs of traps, and their useless pages, the verdict ``trap``.

        Not ``leaves_out``: traps are only named.
        """

    def views(self) -> Iterator[View]:
        """The listed pages of patterns."""

    def report(self) -> list[TrapRow]:
        """The traps, what answers like a missing page, the session ids and the host aliases."""
