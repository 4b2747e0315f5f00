"""Protocol of the store for URLs of possibly endless spaces, by their patterns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sitemapgen.analysis.crowds import Directories

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapgen.analysis.made_up import MadeUp
    from sitemapgen.analysis.patterns import Family, Pattern
    from sitemapgen.analysis.traps import Grant, Spaces
    from sitemapgen.analysis.usefulness import SuspectPage, Use
    from sitemapgen.analysis.views import View
    from sitemapgen.core.document.novelty import Novelty


class TrapRow(NamedTuple):
    """One trap, one kind of response for missing pages, or one kind of repaired links."""

    kind: str
    pattern: str
    urls: int
    """Number of URLs left out; of session ids and host aliases, number of links found."""
    fetched: int
    useful: int
    """Number of fetched pages with new content or links to new content."""
    examples: tuple[str, ...]
    reason: str = ""
    """The evidence for a trap; empty for other rows."""
    is_endless: bool = False
    """Whether a trap still revealed new URLs when it was left; False for other rows."""


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
    """Statistics of the analyses in this run; empty after a restart and in a new run."""

    families: dict[int, Family] = field(default_factory=dict)
    spaces: Spaces | None = None
    directories: Directories = field(default_factory=Directories)


class TrapCandidates(Protocol):
    """The URLs of a store in possibly endless spaces, by their patterns."""

    memory: Memory
    round: int
    """Number of releases of URLs in this run."""

    def are_pending(self) -> bool:
        """Return whether any of them is in the frontier."""

    def families(self) -> list[FamilyRow]:
        """Return the families with URLs that are in no pattern, sorted by name."""

    def new_urls(self, family: FamilyRow) -> Iterator[str]:
        """Yield the URLs of a family that are in no pattern yet."""

    def sorted_urls(self, family: FamilyRow) -> Iterator[str]:
        """Yield the URLs of a family that are in its patterns."""

    def has_released(self, family: FamilyRow) -> bool:
        """Return whether URLs of a pattern of this family were released in doubt."""

    def decide(self, family: FamilyRow, constants: frozenset[tuple[str, str]], size: int) -> bool:
        """Keep the constants of a family of ``size`` URLs; return whether URLs lost their pattern.

        All of them do if the constants changed.
        """

    def unassigned(self, family: FamilyRow) -> list[tuple[int, str]]:
        """Return some thousand (key, URL) of a family that are in no pattern; empty at the end."""

    def assign(self, family: FamilyRow, assignments: Sequence[Assignment]) -> None:
        """Put URLs of a family into their patterns."""

    def patterns(self) -> list[Pattern]:
        """Return all patterns, sorted by name."""

    def feeds(self) -> list[tuple[int, int]]:
        """Return (pattern, pattern of which it revealed URLs)."""

    def judged(self) -> Iterator[tuple[SuspectPage, Use]]:
        """Yield the pages that have been judged, in the order of judging."""

    def unjudged(self) -> Iterator[tuple[SuspectPage, int, Use | None]]:
        """Yield the pages to judge, in order: page, its round, and ``OPEN`` if judged before."""

    def keep(self, uses: Iterable[tuple[int, Use]]) -> None:
        """Keep the judgements of pages: (key, use)."""

    def noise(self) -> dict[int, Novelty]:
        """Return, by pattern, how much its pages differ when read twice; zero until then."""

    def sample(self, patterns: Iterable[int]) -> list[int]:
        """Choose two pages of each of these patterns to be read again; return their keys."""

    def useful_urls(self, pattern: int) -> list[str]:
        """Return the URLs of up to two useful pages of a pattern."""

    def probe(self, pattern: int, urls: Iterable[str]) -> int:
        """Put made-up URLs of a pattern into the frontier; return the number of new ones."""

    def made_up(self) -> dict[int, tuple[list[MadeUp], float]]:
        """Return, by pattern, the responses to made-up URLs, and the mean text length of its
        listed pages."""

    def release(self, grants: Iterable[Grant]) -> int:
        """Keep the grants, and put the granted URLs into the frontier; return their number."""

    def mark_traps(self, *, leaves_out: bool) -> None:
        """Give the waiting URLs of traps, and their useless pages, the verdict ``trap``.

        Without ``leaves_out`` traps are only reported.
        """

    def views(self) -> Iterator[View]:
        """Yield the listed pages of patterns."""

    def report(self) -> list[TrapRow]:
        """Return the traps, soft 404s by kind, session ids and host aliases."""
