"""Protocol of the store for URLs that end like files: samples, waiting URLs, and verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sitemapgen.analysis.file_hints import Shape
    from sitemapgen.items import Judgement, Suspicion


class Example(NamedTuple):
    """A requested URL and its outcome."""

    url: str
    verdict: str
    evidence: str


class FileHints(Protocol):
    """The URLs of a store that end like files, by shape: form of the directory, and extension."""

    def are_waiting(self) -> bool:
        """Return whether any of them was neither requested nor released nor left out."""

    def shapes(self) -> list[Shape]:
        """Count the URLs of each shape."""

    def ask(self, counts: Mapping[int, int]) -> int:
        """Put this number of URLs of each shape into the frontier; return how many there were."""

    def waiting(self, shapes: Iterable[int]) -> list[tuple[int, str]]:
        """Return (key, URL) of the waiting URLs of these shapes, sorted by URL."""

    def waiting_earlier(self) -> list[tuple[int, str]]:
        """Return (key, URL) of the waiting pages of the previous run, sorted by URL."""

    def release(self, urls: Iterable[tuple[int, Suspicion | None]]) -> int:
        """Put URLs into the frontier; those under a suspicion wait among the trap candidates.

        Return the number of the former.
        """

    def examples(self, shapes: Iterable[int]) -> list[Example]:
        """Return some outcomes of these shapes, files first, then by length of the URL."""

    def leave_out(self, shapes: Iterable[int], judgement: Judgement) -> None:
        """Give the waiting URLs of these shapes this verdict."""
