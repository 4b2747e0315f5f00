"""URLs that end like files: what was asked for, what waits, and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sitemapgen.analysis.file_hints import Shape
    from sitemapgen.items import Judgement, Suspicion


class Example(NamedTuple):
    """A URL that was asked for, and its answer."""

    url: str
    verdict: str
    evidence: str


class FileHints(Protocol):
    """The URLs of a store that end like files, by the form of their directory."""

    def are_waiting(self) -> bool:
        """Report whether any of them was neither asked for nor released nor left out."""

    def shapes(self) -> list[Shape]:
        """Count the URLs of each form."""

    def ask(self, counts: Mapping[int, int]) -> int:
        """Let this number of URLs of each shape into the frontier; return how many were let in."""

    def waiting(self, shapes: Iterable[int]) -> list[tuple[int, str]]:
        """Return (key, URL) of the waiting URLs of these shapes, sorted by URL."""

    def waiting_earlier(self) -> list[tuple[int, str]]:
        """Return (key, URL) of the waiting URLs that the run before read, sorted by URL."""

    def release(self, urls: Iterable[tuple[int, Suspicion | None]]) -> int:
        """Let URLs into the frontier; those under a suspicion wait among the trap candidates.

        Return the number of URLs that were let in.
        """

    def examples(self, shapes: Iterable[int]) -> list[Example]:
        """Return some answers of these shapes, the shortest URL first."""

    def leave_out(self, shapes: Iterable[int], judgement: Judgement) -> None:
        """Give the waiting URLs of these shapes this verdict."""
