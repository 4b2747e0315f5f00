"""Protocol of the store for forms of URLs in which made-up names are requested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapgen.analysis.forms import FormKey, FormPage


class Forms(Protocol):
    """The fetched pages, for their forms, and the probes of forms since the store was opened."""

    probes: dict[FormKey, str]
    """The made-up URL of each form that has one."""
    compared: set[FormKey]
    """The forms all of whose pages are compared with it."""
    limit: int
    """Maximum number of probes."""
    planned: frozenset[str]
    """The made-up URLs with which pages are compared in any case."""

    def pages(self) -> Iterator[FormPage]:
        """Yield the pages of this run that are listed or soft 404s, and may be compared.

        Those with a query, or with much text, are left out.
        """
