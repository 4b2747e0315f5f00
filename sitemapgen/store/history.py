"""Protocol of the history over all runs: changes of pages, outcomes of URLs, trust in dates.

The pages of the previous run: ``previous_run.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from sitemapgen.analysis.freshness.trust import Record
    from sitemapgen.analysis.graph import Floats
    from sitemapgen.analysis.lastmod import Validated


class FirstSeen(NamedTuple):
    """Times at which each URL of all runs was first seen: seconds since 1970 UTC, NaN for never."""

    links: Floats
    sitemaps: Floats
    starts: Floats
    """The start times of the runs, in their order."""
    since: float | None
    """The start of the first complete run under the arguments of this one; URLs first seen after it
    are new. None if there is no such run before this one."""


class TrustRow(NamedTuple):
    """A source of dates that lost trust in a section of the site, or regained it."""

    source: str
    section: int
    """A value of ``analysis.lastmod.section``, or ``trust.SMALL_SECTIONS``."""
    name: str
    """The first segment of the path; empty for the root and for the small sections."""
    is_trusted: bool
    reason: str
    """One of ``trust.REASONS``."""
    evidence: str


class History(Protocol):
    """The data that is kept permanently of every run, this one included."""

    run: int
    """The number of the current run, or of the last one; 0 in a new store."""

    def keep_visits(self) -> None:
        """Keep the visits of this run to pages that answered."""

    def keep_outcomes(self) -> None:
        """Keep verdict and lastmod of each URL of this run, which has been concluded."""

    def concluded_runs(self) -> list[int]:
        """Return the numbers of the runs whose outcomes were kept, in their order."""

    def outcomes(self, run: int) -> Iterator[tuple[str, str, str]]:
        """Yield (URL, verdict, lastmod if listed) of every URL seen in a run, in URL order."""

    def starts(self) -> list[float]:
        """Return the start times of all runs, in their order; seconds since 1970 UTC."""

    def last_request(self) -> float:
        """Return the time of the last response of this run; 0 if there is none."""

    def visits(self) -> NDArray[np.void]:
        """Return the visits of all runs, as ``analysis.freshness.visits.VISIT``.

        Sorted by page and time; those of this run are included once it has been concluded.
        """

    def change_claims(self) -> Iterator[tuple[str, str]]:
        """Yield (URL, dates that the page gave) of each visit that has ``is_dated``, in order."""

    def first_seen(self) -> FirstSeen:
        """Return when links and sitemaps first named each URL."""

    def records(self) -> dict[tuple[str, int], Record]:
        """Return the record of each source of dates in each section, up to the previous run."""

    def last_records(self) -> dict[tuple[str, int], Record]:
        """Return the same of the last run that was concluded, which may be this one."""

    def validations(self) -> Iterator[Validated]:
        """Yield the pages of this run that were requested conditionally, and read."""

    def keep_records(self, records: Mapping[tuple[str, int], Record]) -> None:
        """Keep the records of sources and validators with this run."""

    def keep_trust_changes(self, changes: Sequence[TrustRow]) -> list[TrustRow]:
        """Replace the decisions of this run; return those that it had not made before."""

    def trust_changes(self) -> list[TrustRow]:
        """Return the last decision for each source and section, this run included; losses first."""

    def is_change(self, key: int, lastmod: str) -> bool:
        """Return whether the main text changed in a run after the first that published this date.

        True if no run has published it, as there is no evidence against a change.
        """
