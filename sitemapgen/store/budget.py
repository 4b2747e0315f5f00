"""Budget of a crawl: how many pages it may still request."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemapgen.store.frontier import Frontier


class Budget:
    """``SITEMAPGEN_MAX_PAGES`` of one crawl, less the pages that were fetched."""

    def __init__(self, max_pages: int, frontier: Frontier) -> None:
        """``max_pages``: 0 means no limit."""
        self.max_pages = max_pages
        self._frontier = frontier

    @property
    def is_limited(self) -> bool:
        return self.max_pages > 0

    @property
    def is_spent(self) -> bool:
        """Whether as many pages were fetched as the budget allows."""
        return self.is_limited and self._frontier.fetched() >= self.max_pages

    def of(self, wanted: int) -> int:
        """Return how many of ``wanted`` further pages may be requested, those in flight counted."""
        if not self.is_limited:
            return wanted
        spent = self._frontier.fetched() + self._frontier.in_flight()
        return max(0, min(wanted, self.max_pages - spent))
