"""The frontier: what is to be fetched, in which order, and the state of the crawl."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sitemapgen.items import Judgement, Revisit
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitemapgen.analysis.graph import Ints, Mask
    from sitemapgen.items import Link

MAX_HOPS = 5
"""Redirects that are followed in a row."""

TOO_MANY_HOPS = Judgement(Verdict.NOT_FETCHED, f"after {MAX_HOPS} redirects in a row")
ONLY_NOFOLLOW = Judgement(Verdict.NOT_FETCHED, "only nofollow links or soft 404s lead here")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the frontier lets in; 0 means no limit."""

    max_depth: int = 0
    """Links from the start URL; those between pages of one list do not count."""
    sitemaps_first: bool = False
    """Sitemap URLs enter with the start URL, not once links lead nowhere new."""
    stops_at_traps: bool = True
    """Endless spaces are left; else they are named, and fetched on."""


class Lease(NamedTuple):
    """A URL handed out to be fetched."""

    key: int
    url: str
    depth: int
    is_suspect: bool = False
    """Whether its page is to be compared with others of its pattern."""
    etag: str = ""
    last_modified: str = ""
    """What an earlier answer was marked with, if what it said may still hold."""
    revisit: Revisit = Revisit.FETCHED
    is_check: bool = False
    """Whether it is read all the same where the server says that it has not changed."""
    is_late: bool = False
    """Whether it failed before in this run: it is asked for once, without retries."""


class Candidates(NamedTuple):
    """URLs that wait to be fetched, in URL order; one element a URL."""

    keys: Ints
    is_start: Mask
    is_linked: Mask
    in_sitemap: Mask
    depth: Ints


class Standing(NamedTuple):
    """How a crawl stands."""

    waiting: dict[int, int]
    """URLs that wait to be fetched, by depth."""
    later: int
    """URLs whose phase has not come: suspects, and what only sitemaps name."""
    verdicts: dict[str, int]
    """URLs that have a verdict so far, by its word."""


class Frontier(Protocol):
    """The URLs of a run: known, pending, in flight or done."""

    limits: Limits

    # In and out

    def seed(self, link: Link, now: float) -> bool:
        """Let a start URL into the frontier at depth 0; False if it was there."""

    def take(self, link: Link, now: float) -> None:
        """Take a URL into flight that a spider fetched unasked; as a start URL, if no link leads
        there."""

    def lease(self, count: int) -> list[Lease]:
        """Take up to ``count`` pending URLs into flight, the shallowest and first found first."""

    def lease_these(self, keys: Sequence[int]) -> list[Lease]:
        """Take those of some URLs into flight that are pending or postponed, in their order."""

    def lease_again(self, keys: Sequence[int]) -> list[Lease]:
        """Take pages into flight that are done: failures that may have passed."""

    def lease_earlier(self, count: int) -> list[Lease]:
        """Take pending URLs into flight that the run before read, so that they stay as they were.

        Those with a date that spares them a request are ``SPARED``, all others ``POSTPONED``.
        """

    def requeue(self) -> None:
        """Make every URL in flight pending again."""

    # Its phases

    def is_anything_held_back(self) -> bool:
        """Return whether ``readmit`` may find something."""

    def readmit(self) -> int:
        """Let URLs into the frontier that a longer path kept out; how many."""

    def recall_doubted(self) -> int:
        """Let pages into the frontier again that are said to be as they were, though a sitemap that
        is believed gives them another date; how many. They are read in any case."""

    def read_again(self, keys: Sequence[int]) -> int:
        """Let pages into the frontier again; how many."""

    def do_sitemaps_wait(self) -> bool:
        """Return whether ``release_sitemaps`` would find something."""

    def release_sitemaps(self) -> int:
        """Let the sitemaps' URLs into the frontier that nothing else brought there; how many."""

    def close(self, judgement: Judgement) -> int:
        """Give every URL that still waits this verdict; how many."""

    # How it stands

    def has_pending(self) -> bool:
        """Return whether a URL waits to be fetched."""

    def candidates(self) -> Candidates:
        """The pending URLs."""

    def in_flight(self) -> int:
        """How many URLs were handed out and are not done."""

    def lost(self) -> list[Lease]:
        """The URLs that were handed out and are not done."""

    def known(self) -> int:
        """How many URLs were seen in this run."""

    def fetched(self) -> int:
        """How many URLs were fetched in this run."""

    def standing(self, *, last: bool = False) -> Standing:
        """How the crawl stands. The first call begins to count, the ``last`` one ends it."""
