"""The directories of plain URLs that may have no end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapgen.analysis.crowds import Crowd
    from sitemapgen.analysis.made_up import MadeUp


class Answers(NamedTuple):
    """What a directory answered to URLs that no page links to."""

    directory: str
    answers: list[MadeUp]
    usual_length: float
    """Characters of the main text of its listed pages, in the mean."""


class Crowds(Protocol):
    """The plain URLs of a store, directory by directory."""

    def is_due(self, fetched: int) -> bool:
        """Report whether a crawl of so many pages has grown enough to be examined again."""

    def crowds(self) -> Iterator[Crowd]:
        """Count the plain URLs of each directory that are not held back yet."""

    def hold(self, directory: str, kind: str) -> None:
        """Let the URLs of a directory wait as suspects of this kind, those to come as well."""

    def ask(self, crowd: Crowd, count: int) -> None:
        """Let URLs of a directory into the frontier that no page links to."""

    def answers(self) -> list[Answers]:
        """Return the complete answers that came since the last call."""

    def leave(self, directory: str, reason: str) -> None:
        """Let the URLs of a directory wait as an endless space, those to come as well."""
