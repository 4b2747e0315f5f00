"""Protocol of the store for pages that could not be read, and their late retries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapgen.analysis.late_retry import FailedPage


class Retried(NamedTuple):
    """A page that was requested again in a round."""

    key: int
    url: str
    batch: int


class LateRetries(Protocol):
    """The failures of the current run, which survive a kill."""

    def failed(self) -> list[FailedPage]:
        """Return the pages that could not be read in this run, sorted by URL."""

    def last_round(self) -> int:
        """Return the number of the last round; 0 before the first."""

    def retried(self, number: int) -> list[Retried]:
        """Return the pages that were requested again in a round."""

    def begin(self, keys: Iterable[int], number: int, batch: int) -> None:
        """Note that pages are requested again, with the numbers of round and batch."""
