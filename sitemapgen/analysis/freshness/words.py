"""What is a measured rate called: the changefreq of sitemaps.org."""

from __future__ import annotations

from math import log

INTERVALS = {
    "always": 1 / 96,
    "hourly": 1 / 24,
    "daily": 1.0,
    "weekly": 7.0,
    "monthly": 365.25 / 12,
    "yearly": 365.25,
    "never": 3652.5,
}
"""The days between two changes that each word stands for; ``always`` is a quarter of an hour,
``never`` ten years. A rate gets the word whose interval is nearest as a ratio, so the limits are
30 minutes, 4.9 hours, 2.6 days, 15 days, 105 days and 3.2 years."""


MIN_VISITS = 3
"""Visits that had an earlier one to compare with: fewer say nothing of the page itself."""
MIN_SHARE = 0.5
"""Of its interval a word has to have been watched for: three visits of a day cannot say weekly."""


def changefreq(rate: float, visits: int, days: float) -> str:
    """Name a rate of changes a day; empty for a page that was not watched for long enough.

    ``visits`` were compared with earlier ones, which were ``days`` earlier in all.

    >>> changefreq(1 / 6, 12, 12.0), changefreq(1 / 6, 12, 0.1), changefreq(1 / 6, 2, 14.0)
    ('weekly', '', '')
    """
    if visits < MIN_VISITS:
        return ""
    word = min(INTERVALS, key=lambda word: abs(log(INTERVALS[word] * rate)))
    return word if days >= MIN_SHARE * INTERVALS[word] else ""
