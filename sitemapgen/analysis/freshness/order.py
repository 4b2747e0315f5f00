"""Order of visits in a run whose budget is too small for all pages.

``rates.py`` estimates how often pages change; ``trust.py`` decides whose dates are trusted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sitemapgen.analysis.freshness.rates import Floats
from sitemapgen.analysis.graph import Ints, Mask

_TINY = 1e-4


class VisitFacts(NamedTuple):
    """Facts about each page before a run; one element a page."""

    rate: Floats
    """Changes a day (``rates.estimate_rates``)."""
    age: Floats
    """Days since the last visit; infinite if there was none."""
    weight: Floats
    """Value of its freshness: PageRank, priority, or 1."""
    recall: Floats
    """Share of its changes that a trusted date claims; 0 without a trusted date."""
    precision: Floats
    """Probability that it has changed if such a date claims a change now; 0 without a claim."""


def visit_values(known: VisitFacts, step: float) -> Floats:
    """Return the gain in freshness from visiting each page in this run, in weight times days.

    ``step`` is the days until the next run. Freshness is the share of time in which our copy equals
    the page. The best policy visits a page as soon as the gain reaches the price T of a visit, the
    same for all pages (Cho and Garcia-Molina, "Effective page refresh policies for Web crawlers",
    ACM TODS 28(4), 2003, solve it by Lagrange multipliers; Azar et al., "Tractable near-optimal
    policies for crawling", PNAS 115(32), 2018). With rate r and age t the gain is

        weight / r * (1 - (1 + r t) * exp(-r t))

    (Olston and Pandey, "Recrawl scheduling based on information longevity", WWW 2008, appendix),
    which approaches weight / r: pages that change too fast are never worth the price. Visiting the
    best pages first finds T by itself (Busa-Fekete et al., "A Scalable Crawling Algorithm Utilizing
    Noisy Change-Indicating Signals", 2025).

    Two extensions follow from the same argument. Runs are ``step`` days apart: T is the price at
    which visits now and one run later are worth the same. And where dates claim a share of the
    changes, a page with an unmoved date is less likely to have changed: with full recall its gain
    is 0, while a moved date gives weight / r times its precision.
    """
    rate, age, weight, recall, precision = known
    x = rate * age
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        # Number of runs since the last visit, discounted by the changes that the date would claim.
        runs = np.where(
            recall * rate * step > 1e-9,
            np.expm1(-recall * x) / np.expm1(-recall * rate * step),
            age / step,
        )
        silent = -np.expm1(-x) + np.exp((recall - 1) * x) * np.expm1(-rate * step) * runs
        silent = np.where(x > _TINY, silent / rate, (1 - recall) * x * (age + step) / 2)
        silent = np.where(np.isfinite(age), silent, 1 / rate)
    return weight * np.maximum(np.maximum(silent, 0.0), precision / rate)


def choose_visits(values: Floats, is_due: Mask, budget: int) -> Ints:
    """Choose at most ``budget`` pages: those whose check is due, then those of highest value.

    Ties are broken by position, so that pages in URL order always give the same choice.
    """
    return np.lexsort((-values, ~is_due))[:budget].astype(np.int64)
