"""Late retry of failed pages when all others are done. The rules: ``analysis/late_retry.py``.

A round begins with a pause, in which its pages wait in the downloader; a signal cancels them at
once. The requested pages are kept in the store, so that a killed crawl continues with the round.
"""

from __future__ import annotations

import logging
from time import monotonic
from typing import TYPE_CHECKING

from sitemapgen.analysis.late_retry import first_batch, next_batch, pauses
from sitemapgen.core.words import counted

if TYPE_CHECKING:
    from sitemapgen.analysis.late_retry import FailedPage
    from sitemapgen.store import Store

logger = logging.getLogger(__name__)


NOTHING: tuple[list[int], float] = ([], 0.0)


class LateRetry:
    """The late retry of one crawl. ``seconds``: maximum of waiting time; 0 disables it."""

    def __init__(self, store: Store, seconds: float) -> None:
        self._store = store
        self._seconds = seconds
        self._pauses = pauses(seconds)
        self._spent = 0.0
        self._begun: float | None = None
        self._pause = 0.0

    def next(self) -> tuple[list[int], float]:
        """Begin the next batch, when no page is in flight; return its keys and the pause before."""
        if self._seconds <= 0:
            return NOTHING
        failed = [page for page in self._store.late_retry.failed() if page.may_pass]
        number = self._store.late_retry.last_round()
        still = {page.key for page in failed}
        retried = self._store.late_retry.retried(number) if number else []
        batch = max((page.batch for page in retried), default=0)
        recovered = [page.url for page in retried if page.batch == batch and page.key not in still]
        self._account(has_recovered=bool(recovered))
        if recovered and (keys := next_batch(failed, number, recovered)):
            return self._begin(keys, number, batch + 1, 0.0)
        return self._next_round(failed, number)

    def _next_round(self, failed: list[FailedPage], number: int) -> tuple[list[int], float]:
        if number:  # no second round for pages that also failed in the previous run
            failed = [page for page in failed if not page.is_old]
        if not failed or number >= len(self._pauses) or self._spent >= self._seconds:
            return NOTHING
        pause = self._pauses[number]
        keys = first_batch(failed)
        logger.info(
            "%(pages)s failed for reasons that may be temporary; %(asked)s requested again in "
            "%(pause).0f s (round %(number)d of %(rounds)d)",
            {
                "pages": counted(len(failed), "page"),
                "asked": counted(len(keys), "is", "are"),
                "pause": pause,
                "number": number + 1,
                "rounds": len(self._pauses),
            },
        )
        return self._begin(keys, number + 1, 0, pause)

    def _begin(
        self, keys: list[int], number: int, batch: int, pause: float
    ) -> tuple[list[int], float]:
        self._begun, self._pause = monotonic(), pause
        self._store.late_retry.begin(keys, number, batch)
        return keys, pause

    def _account(self, *, has_recovered: bool) -> None:
        """Add the waiting time: the whole batch if no page recovered, else only its pause."""
        if self._begun is not None:
            self._spent += self._pause if has_recovered else monotonic() - self._begun
            self._begun = None
