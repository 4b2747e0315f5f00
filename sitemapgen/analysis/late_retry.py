"""The pages that are asked for again at the end of a crawl, round by round, with growing pauses.

Each round asks for a sample, of each section and kind of failure a few; as long as pages recover,
for eight more for each of them. So 2,000 pages that always answer 500 cost 8 requests a round, 56
in all, and 300 that failed for a minute are all read again. The pauses double, from 1/127 to 64/127
of the time allowed.

What it must not hurt: a page that failed while the server was restarted, also where other pages of
the site are broken for good. What it gives up: a few such pages among thousands of broken ones in
the same section, with the same error, that no sample met.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core import late_retry
from sitemapgen.core.urls import split
from sitemapgen.verdicts import Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

ROUNDS = 7
SAMPLE = 48
"""Pages that a round begins with, at the most."""
SAMPLE_OF_ONE = 8
"""The same of one section and kind of failure."""
SAMPLE_OF_REFUSED = 2
"""The same of pages that answer 429 or 503: each one pauses the whole host."""
FOR_EACH = 8
"""Further pages for each one that recovered."""
HOPELESS = 4
"""Failures of one section and kind, and no recovery in the section: no more of it in a round."""
REFUSALS = ("HTTP 429", "HTTP 503")


class FailedPage(NamedTuple):
    """A page that could not be read."""

    key: int
    url: str
    reason: str
    tries: int
    """How often it was asked for again."""
    round: int
    """In which round last; 0: in none."""
    is_old: bool
    """Whether it failed in the run before as well."""
    verdict: Verdict = Verdict.FETCH_ERROR
    status: int | None = None
    cause: Reason = Reason.NONE

    @property
    def may_pass(self) -> bool:
        """Whether it may answer later: ``core/late_retry.py``."""
        return late_retry.may_pass(self.verdict, self.status, self.cause)

    @property
    def kind(self) -> tuple[str, str]:
        """The section and the reason."""
        return section(self.url), self.reason


def pauses(seconds: float) -> list[float]:
    """Return the pause before each round, ``seconds`` in all."""
    return [seconds * 2**number / (2**ROUNDS - 1) for number in range(ROUNDS)]


def section(url: str) -> str:
    """Return the first directory of a URL; empty for pages in the root."""
    first, slash, _ = split(url).path[1:].partition("/")
    return first if slash else ""


def first_batch(failed: Iterable[FailedPage]) -> list[int]:
    """Choose the pages that a round begins with: keys."""
    return _choose(failed, SAMPLE, SAMPLE_OF_ONE)


def next_batch(failed: Collection[FailedPage], now: int, recovered: Collection[str]) -> list[int]:
    """Choose the pages that follow in round ``now``, after these URLs recovered: keys."""
    alive = {section(url) for url in recovered}
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
    return _choose(some, count, count)


def _choose(failed: Iterable[FailedPage], count: int, of_one: int) -> list[int]:
    """Take turns among the kinds; of each the least tried, the shortest URL first."""
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
