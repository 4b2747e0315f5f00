"""Conversion of a measured rate of changes to a changefreq of sitemaps.org."""

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
"""Days between two changes for each word; ``always`` is a quarter of an hour, ``never`` ten years.
A rate gets the word whose interval is nearest as a ratio, so the limits are 30 minutes, 4.9 hours,
2.6 days, 15 days, 105 days and 3.2 years."""


MIN_VISITS = 3
"""Minimum visits with a previous one, for a rate that is the page's own."""
MIN_SHARE = 0.5
"""Minimum observed share of a word's interval: three visits in a day cannot show ``weekly``."""


def changefreq(rate: float, visits: int, days: float) -> str:
    """Return the word for a rate of changes a day; empty if a page was not observed long enough.

    ``visits`` is the number of visits with a previous one, ``days`` the sum of their distances.

    >>> changefreq(1 / 6, 12, 12.0), changefreq(1 / 6, 12, 0.1), changefreq(1 / 6, 2, 14.0)
    ('weekly', '', '')
    """
    if visits < MIN_VISITS:
        return ""
    word = min(INTERVALS, key=lambda word: abs(log(INTERVALS[word] * rate)))
    return word if days >= MIN_SHARE * INTERVALS[word] else ""
