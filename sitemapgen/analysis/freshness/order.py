"""Order of visits in a run whose budget is too small for all pages.

How often they change: ``rates.py``; whose dates are believed: ``trust.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from sitemapgen.analysis.freshness.rates import Floats
    from sitemapgen.analysis.graph import Ints, Mask

_TINY = 1e-4


class Known(NamedTuple):
    """What is known of each page before a run; one element a page."""

    rate: Floats
    """Changes a day: ``rates.rates``."""
    age: Floats
    """Days since its last visit; infinite when it was never visited."""
    weight: Floats
    """What its being fresh is worth: PageRank, priority, or 1."""
    recall: Floats
    """Which share of its changes a trusted date tells; 0 where none is trusted."""
    precision: Floats
    """How likely it has changed now because such a date says so; 0 where it says nothing."""


def value(known: Known, step: float) -> Floats:
    """Return what visiting each page in this run adds to freshness, in weight times days.

    ``step`` is the days until the next run. Freshness is the share of time in which our copy is the
    page's. The best policy visits a page as soon as that is worth the price T of a visit, the same
    for all pages (Cho and Garcia-Molina, "Effective page refresh policies for Web crawlers", ACM
    TODS 28(4), 2003, solve it by Lagrange multipliers; Azar et al., "Tractable near-optimal
    policies for crawling", PNAS 115(32), 2018). With rate r and age t it is

        weight / r * (1 - (1 + r t) * exp(-r t))

    (Olston and Pandey, "Recrawl scheduling based on information longevity", WWW 2008, appendix),
    which approaches weight / r: what changes too fast is never worth its price. Taking the best
    first finds T by itself (Busa-Fekete et al., "A Scalable Crawling Algorithm Utilizing Noisy
    Change-Indicating Signals", 2025).

    Two things are added by the same argument. Runs come every ``step`` days: T is the price at
    which visiting now and one run later pay the same. And where dates tell a share of the changes,
    a page whose date is silent is less likely to have changed: with full recall it is worth
    nothing, while one whose date has moved is worth weight / r, if it is right.
    """
    rate, age, weight, recall, precision = known
    x = rate * age
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # How often as long as one run the page has been left alone, by what its date would tell.
        runs = np.where(
            recall * rate * step > 1e-9,
            np.expm1(-recall * x) / np.expm1(-recall * rate * step),
            age / step,
        )
        silent = -np.expm1(-x) + np.exp((recall - 1) * x) * np.expm1(-rate * step) * runs
        silent = np.where(x > _TINY, silent / rate, (1 - recall) * x * (age + step) / 2)
        silent = np.where(np.isfinite(age), silent, 1 / rate)
    return weight * np.maximum(np.maximum(silent, 0.0), precision / rate)


def order(values: Floats, is_due: Mask, budget: int) -> Ints:
    """Choose at most ``budget`` pages: those whose check is due, then the most valuable.

    Ties are broken by place, so that pages in URL order give the same choice everywhere.
    """
    return np.lexsort((-values, ~is_due))[:budget].astype(np.int64)
