"""History over all runs: when each page changed, and the outcome of each URL.

What the run before read: ``previous_run.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sitemapgen.analysis.freshness.rates import Visits
    from sitemapgen.analysis.freshness.trust import Record
    from sitemapgen.analysis.graph import Floats, Ints


class PastVisits(NamedTuple):
    """What the visits of all runs found, those of this run from its conclusion on."""

    keys: Ints
    """The pages that were ever visited, by key: ``visits.page`` is a place among them."""
    last: Ints
    """When each of them was visited last, in seconds since 1970 UTC."""
    visits: Visits
    """By page, and of a page by time."""


class FirstSeen(NamedTuple):
    """When each URL of all runs was seen first; times are seconds since 1970 UTC, NaN for never."""

    links: Floats
    sitemaps: Floats
    starts: Floats
    """When the runs began, in their order."""
    since: float | None
    """The start of the first run that was complete, under the arguments of this one: what was not
    seen then is new. None if there is none before this run."""


class TrustRow(NamedTuple):
    """A source of dates that lost a section, or regained it."""

    source: str
    section: int
    """``analysis.lastmod.section``, or ``trust.SMALL_SECTIONS``."""
    name: str
    """The first segment of the path; empty for the root and for the small sections."""
    is_trusted: bool
    reason: str
    """One of ``trust.REASONS``."""
    evidence: str


class History(Protocol):
    """What is kept of every run, this one included."""

    def keep_visits(self) -> None:
        """Keep what this run saw of each page that answered, for good."""

    def keep_outcomes(self) -> None:
        """Keep what became of each URL in this run, which has been concluded, for good."""

    def concluded_runs(self) -> list[int]:
        """The numbers of the runs whose outcomes were kept, in their order."""

    def outcomes(self, run: int) -> Iterator[tuple[str, str, str]]:
        """(URL, verdict, lastmod of a listed page) of every URL seen in a run, in URL order."""

    def horizon(self) -> int:
        """Return the moment after which no date and no visit can be: ``analysis.lastmod``."""

    def visits(self) -> PastVisits:
        """What has been kept of the visits of all runs."""

    def first_seen(self) -> FirstSeen:
        """When links and sitemaps named each URL first."""

    def records(self) -> dict[tuple[str, int], Record]:
        """How often each source of dates was right about each section, before this run."""

    def validators(self) -> dict[tuple[str, int], Record]:
        """How often ETag and Last-Modified were right about each section, with this run."""

    def keep_records(self, records: Mapping[tuple[str, int], Record]) -> None:
        """Keep the same with this run."""

    def keep_trust_changes(self, changes: Sequence[TrustRow]) -> list[TrustRow]:
        """Keep what this run decided, instead of what it decided before; return what is new."""

    def trust_changes(self) -> list[TrustRow]:
        """The last decision about each source and section, this run included; losses first."""

    def is_change(self, key: int, lastmod: str) -> bool:
        """Whether a run after the first that published this date saw another main text.

        True if no run has published it: nothing is known against a change.
        """
