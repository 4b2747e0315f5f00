"""Protocol of the frontier: the URLs to be fetched, their order, and the state of the crawl."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sitemapgen.core.eligibility import MAX_HOPS
from sitemapgen.items import Judgement, Revisit, SameDates
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sitemapgen.analysis.graph import Ints, Mask
    from sitemapgen.items import Link
    from sitemapgen.store.standing import Standing

TOO_MANY_HOPS = Judgement(Verdict.NOT_FETCHED, f"after {MAX_HOPS} redirects in a row")
ONLY_NOFOLLOW = Judgement(Verdict.NOT_FETCHED, "only nofollow links or soft 404s lead here")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of the frontier."""

    max_depth: int = 0
    """Maximum number of links from the start URL; 0 means no limit."""
    sitemaps_first: bool = False
    """Whether sitemap URLs enter with the start URL, instead of after all links were followed."""
    stops_at_traps: bool = True
    """Whether endless spaces are left; otherwise they are only reported."""


class Lease(NamedTuple):
    """A URL that was handed out to be fetched."""

    key: int
    url: str
    depth: int
    is_suspect: bool = False
    """Whether its page is to be compared with others of its pattern."""
    etag: str = ""
    last_modified: str = ""
    """``etag`` and ``last_modified`` are the validators of the stored response, if its content is
    reusable; else empty."""
    revisit: Revisit = Revisit.FETCHED
    is_check: bool = False
    """Whether to download and parse the page even if the server answers 304."""
    is_late: bool = False
    """Whether the URL failed earlier in this run: it is requested once, without retries."""
    same_dates: SameDates = SameDates(0)
    """Evidence that it has not changed since its last visit: only looked up if
    ``Frontier.compares_dates``."""


class Candidates(NamedTuple):
    """Arrays over the URLs that wait to be fetched, in URL order."""

    keys: Ints
    is_start: Mask
    is_linked: Mask
    """Linked, or made up to ask the site about its links."""
    in_sitemap: Mask
    depth: Ints


class Frontier(Protocol):
    """The URLs of a run: known, pending, in flight or done."""

    limits: Limits
    compares_dates: bool
    """Whether leases have ``same_dates``: it costs a look-up each."""

    # In and out

    def seed(self, link: Link, now: float) -> bool:
        """Put a start URL into the frontier at depth 0; return False if it already was there."""

    def take(self, link: Link, now: float) -> None:
        """Mark a URL that a spider fetches on its own as in flight; without links to it, as a
        start URL."""

    def lease(self, count: int) -> list[Lease]:
        """Lease up to ``count`` pending URLs, by depth and then by order of discovery."""

    def lease_these(self, keys: Sequence[int]) -> list[Lease]:
        """Lease the URLs among ``keys`` that are pending or postponed, in the order of ``keys``."""

    def lease_earlier(self, count: int) -> list[Lease]:
        """Lease up to ``count`` pending URLs of the previous run's pages, to be carried over.

        Pages with an unchanged, trusted date are ``SKIPPED_UNCHANGED``, all others ``OVER_BUDGET``.
        """

    def requeue(self) -> None:
        """Make every URL in flight pending again."""

    # Phases

    def is_anything_held_back(self) -> bool:
        """Return whether ``readmit`` may find URLs."""

    def readmit(self) -> int:
        """Put URLs into the frontier that only a longer path had kept out; return their number."""

    def read_again(self, keys: Sequence[int]) -> int:
        """Put pages into the frontier again; return their number."""

    def do_sitemaps_wait(self) -> bool:
        """Return whether ``release_sitemaps`` would find URLs."""

    def release_sitemaps(self) -> int:
        """Put the URLs that only sitemaps name into the frontier; return their number."""

    def close(self, judgement: Judgement) -> int:
        """Give every URL that still waits this verdict; return their number."""

    # Current state

    def has_pending(self) -> bool:
        """Return whether a URL waits to be fetched."""

    def candidates(self) -> Candidates:
        """Return the pending URLs."""

    def in_flight(self) -> int:
        """Return the number of leased URLs that are not done."""

    def lost(self) -> list[Lease]:
        """Return the leased URLs that are not done."""

    def known(self) -> int:
        """Return the number of URLs seen in this run."""

    def known_of(self, keys: Iterable[int]) -> int:
        """Return how many of these URLs were seen in this run."""

    def fetched(self) -> int:
        """Return the number of URLs fetched in this run."""

    def standing(self, *, last: bool = False) -> Standing:
        """Return the current counts. The first call starts counting, the ``last`` stops it."""
