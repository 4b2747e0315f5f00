"""Protocol of the store for the kinds of pages: ``analysis/kinds``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from sitemapgen.analysis.kinds.recombined import Texts
from sitemapgen.analysis.kinds.roles import Pages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapgen.analysis.kinds.dates import DatedUrl
    from sitemapgen.analysis.kinds.recombined import Recombined
    from sitemapgen.analysis.kinds.roles import Roles, Variant


class Asked(NamedTuple):
    """A URL that may be a variant of another one."""

    key: int
    url: str
    pattern: str
    """Its ``analysis.patterns.Pattern``; empty for that of a URL without parameters."""
    is_variant: bool
    """Whether it is called one already."""


class Kinds(Pages, Texts, Protocol):
    """The pages of a store, as far as their kinds are compared."""

    roles: Roles
    """Those of the pages that were learnt in this process."""
    recombined: Recombined
    """The places below which names change nothing, of those pages."""
    is_asking: bool
    """Whether pages were to be read again when ``lacking`` was last called."""

    def forget(self) -> None:
        """Begin anew, as URLs have other patterns."""

    def learn(self) -> bool:
        """Have the roles learn the pages that were fetched since; return whether there were any."""

    def learn_paths(self) -> None:
        """Have ``recombined`` learn the pages that were fetched since."""

    def lacking(self) -> list[int]:
        """Return the fetched pages that have to be read again to be compared; each once."""

    def plain_waiting(self) -> Iterator[Asked]:
        """Yield the other URLs that wait, and those that were variants."""

    def plain_listed(self) -> Iterator[tuple[int, str]]:
        """Yield (key, URL) of the listed pages that only links lead to, and whose text was kept."""

    def waiting(self, since: int = 0) -> Iterator[Asked]:
        """Yield the URLs with parameters that wait in patterns, and those that were variants.

        ``since``: the first round in which they were found.
        """

    def listed(self) -> Iterator[Asked]:
        """Yield the listed pages of patterns whose URLs have parameters."""

    def set_variants(self, variants: Iterable[tuple[int, Variant | None]]) -> None:
        """Give URLs the verdict ``variant``, by key, or take it back."""

    def dates(self) -> Iterator[DatedUrl]:
        """Yield the URLs of calendars that wait, are fetched, or were called beyond the end."""

    def end_calendar(self, ended: Iterable[int], waiting: Iterable[int] = ()) -> None:
        """Give URLs the verdict ``trap``, by key, or have them wait."""
