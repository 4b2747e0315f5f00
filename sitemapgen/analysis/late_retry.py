"""Retries of failed pages at the end of a crawl, in rounds with growing pauses.

Each round requests a sample, a few pages of each section and kind of failure; for each page that
recovers, it requests eight more. So 2,000 pages that always answer 500 cost 8 requests a round, 56
in all, and 300 that failed for a minute are all read again. The pauses double, from 1/127 to 64/127
of the time allowed.

It must not lose a page that failed while the server was restarted, even if other pages of the site
are permanently broken. It gives up a few such pages among thousands of broken ones in the same
section, with the same error, if no sample includes them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sitemapgen.core.politeness import FORBIDDEN, SUSPICIOUS
from sitemapgen.core.urls import split
from sitemapgen.verdicts import Reason, Verdict

ROUNDS = 7
SAMPLE = 48
"""Maximum pages with which a round begins."""
SAMPLE_OF_ONE = 8
"""Maximum pages of one section and kind of failure with which a round begins."""
SAMPLE_OF_REFUSED = 2
"""Maximum pages of one section and kind in a batch if they answered 429 or 503, as each pauses the
whole host."""
FOR_EACH = 8
"""Further pages that are requested for each one that recovered."""
HOPELESS = 4
"""Failures of one section and kind in a round after which no more of them are requested in it, if
no page of the section recovers."""
REFUSALS = ("HTTP 429", "HTTP 503")
CLIENT_STATUSES = frozenset({408, 425, 429})
"""Temporary statuses: time-out (RFC 9110 section 15.5.9), too early (RFC 8470), too many requests
(RFC 6585)."""
PERMANENT_STATUSES = frozenset({501, 505, 506, 508, 510, 511})
"""Permanent server errors, about the request or the server's configuration (RFC 9110 section 15.6).
"""
PERMANENT = frozenset({Reason.PERMANENT, Reason.CRASHED, Reason.LOST})
"""Reasons of failures that are not temporary."""


class FailedPage(NamedTuple):
    """A page that could not be read."""

    key: int
    url: str
    reason: str
    tries: int
    """Number of late retries so far."""
    round: int
    """Round of its last retry; 0 for none."""
    is_old: bool
    """Whether it failed in the previous run as well."""
    verdict: Verdict = Verdict.FETCH_ERROR
    status: int | None = None
    cause: Reason = Reason.NONE

    @property
    def may_pass(self) -> bool:
        """Whether the failure may be temporary: a server error, a time-out, a failed render."""
        if self.verdict is Verdict.HTTP_ERROR:
            return self.status in CLIENT_STATUSES or (
                self.status is not None
                and self.status >= 500
                and self.status not in PERMANENT_STATUSES
            )
        # A listed one is a page of a previous run that could not be read now, and was kept.
        return self.cause not in PERMANENT

    @property
    def is_doubtful(self) -> bool:
        """Whether its response may be the page itself: 403, or a text that others have as well."""
        is_forbidden = self.verdict is Verdict.HTTP_ERROR and self.status == FORBIDDEN
        return is_forbidden or self.cause is Reason.REPEATED_TEXT

    @property
    def kind(self) -> tuple[str, str]:
        """Section and reason."""
        return first_directory(self.url), self.reason


class LinklessPage(NamedTuple):
    """A page of this run with little text and without any link."""

    key: int
    url: str
    content: int
    """Hash of everything that is equal in duplicates."""
    tries: int
    round: int
    is_old: bool
    """Whether it had this text in the previous run."""


def find_repeated(pages: Iterable[LinklessPage], known: set[int]) -> list[FailedPage]:
    """Return the pages whose content is that of ``SUSPICIOUS`` or more.

    ``known``: such contents, to which those found are added; fewer pages are enough for them.
    """
    groups: dict[int, list[FailedPage]] = {}
    for page in pages:
        failed = FailedPage(
            page.key,
            page.url,
            Reason.REPEATED_TEXT.value,
            page.tries,
            page.round,
            bool(page.is_old),
            Verdict.LISTED,
            cause=Reason.REPEATED_TEXT,
        )
        groups.setdefault(page.content, []).append(failed)
    known.update(content for content, group in groups.items() if len(group) >= SUSPICIOUS)
    return [page for content, group in groups.items() if content in known for page in group]


def round_pauses(seconds: float) -> list[float]:
    """Return the pause before each round, ``seconds`` in all."""
    return [seconds * 2**number / (2**ROUNDS - 1) for number in range(ROUNDS)]


def first_directory(url: str) -> str:
    """Return the first directory of a URL; empty for pages in the root."""
    first, slash, _ = split(url).path[1:].partition("/")
    return first if slash else ""


def first_batch(failed: Iterable[FailedPage]) -> list[int]:
    """Choose the keys of the pages with which a round begins."""
    return _choose_pages(failed, SAMPLE, SAMPLE_OF_ONE)


def without_lasting(failed: Collection[FailedPage]) -> list[FailedPage]:
    """Return the pages for another round.

    Not those that also failed in the previous run, nor doubtful ones of a section and kind of
    which one was requested again in vain: the site was up then, so it is their answer for good.
    """
    lasting = {page.kind for page in failed if page.is_doubtful and page.tries}
    return [page for page in failed if not page.is_old and page.kind not in lasting]


def next_batch(failed: Collection[FailedPage], now: int, recovered: Collection[str]) -> list[int]:
    """Choose the keys of the pages that follow in round ``now`` after these URLs recovered."""
    alive = {first_directory(url) for url in recovered}
    tried: dict[tuple[str, str], int] = {}
    for page in failed:
        if page.round == now:
            tried[page.kind] = tried.get(page.kind, 0) + 1
    some = [
        page
        for page in failed
        if page.round != now and (page.kind[0] in alive or tried.get(page.kind, 0) < HOPELESS)
    ]
    count = FOR_EACH * len(recovered)
    return _choose_pages(some, count, count)


def _choose_pages(failed: Iterable[FailedPage], count: int, of_one: int) -> list[int]:
    """Choose round-robin among the kinds; within one the least tried, the shortest URL first."""
    kinds: dict[tuple[str, str], list[FailedPage]] = {}
    for page in sorted(failed, key=lambda page: (page.tries, len(page.url), page.url)):
        kinds.setdefault(page.kind, []).append(page)
    queues = [
        pages[: SAMPLE_OF_REFUSED if kind[1].startswith(REFUSALS) else of_one]
        for kind, pages in sorted(kinds.items())
    ]
    longest = max(map(len, queues), default=0)
    turns = (pages[turn].key for turn in range(longest) for pages in queues if turn < len(pages))
    return [key for key, _ in zip(turns, range(count))]
