"""URLs that end like files: what was asked for, what waits, and what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sitemapgen.analysis.file_hints import Shape
    from sitemapgen.items import Judgement


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

    def release(self, shapes: Iterable[int]) -> int:
        """Treat the waiting URLs of these shapes as any others; return how many may be fetched."""

    def release_earlier(self) -> int:
        """Treat those as any others that the run before read; return how many may be fetched."""

    def examples(self, shapes: Iterable[int]) -> list[Example]:
        """Return some answers of these shapes, the shortest URL first."""

    def leave_out(self, shapes: Iterable[int], judgement: Judgement) -> None:
        """Give the waiting URLs of these shapes this verdict."""
