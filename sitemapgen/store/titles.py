"""Protocol of the store for the titles and meta descriptions of the listed pages, read only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

Field = Literal["title", "description"]


class Missing(NamedTuple):
    """Pages without a title, or without a description."""

    pages: int
    examples: list[str]
    """The first ones in URL order."""


class Long(NamedTuple):
    """Pages whose title, or description, is longer than a limit."""

    pages: int
    examples: list[tuple[str, int]]
    """(URL, number of characters), the longest first."""


class Repeated(NamedTuple):
    """A title, or a description, of several pages."""

    pages: int
    value: str | int
    """The title without the site's name, or the hash of the description."""


class Titles(Protocol):
    """The titles and descriptions of the listed pages; those that were never read do not count."""

    def missing(self, field: Field, examples: int) -> Missing:
        """Count the pages without it."""

    def long(self, field: Field, limit: int, examples: int) -> Long:
        """Count the pages with more characters than ``limit``."""

    def repeated(self, field: Field) -> Iterator[Repeated]:
        """Yield what more than one page has, in no order."""

    def pages_with(
        self, field: Field, values: Collection[str | int]
    ) -> Iterator[tuple[str | int, str]]:
        """Yield (value, URL) of the pages with one of these values, a few dozen, in URL order."""
