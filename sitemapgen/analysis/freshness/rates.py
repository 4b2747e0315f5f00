"""Estimates of how often a page changes, from the results of its visits.

``order.py`` chooses the pages that are worth a visit; ``changefreq`` returns the word for a rate
(sitemaps.org). Rates are changes a day, times are days.
"""

from __future__ import annotations

import re
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.graph import Ints, Mask

Floats = NDArray[np.float64]

USUAL_RATE = 1 / 30
"""Prior rate of a site without visits, in changes a day; it counts as half a change."""
MIN_SHAPE, MAX_SHAPE = 0.25, 4.0
"""Bounds for the number of changes that the rate of a template counts as for its pages: it decides
for pages seen once or twice, but does not outweigh the history of a page."""

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

_DIGITS = re.compile("[0-9]+")
_STEPS = 60
_PRECISION = 1e-9


class Visits(NamedTuple):
    """Results of visits, one element a visit, in any order; first visits only with ``since``."""

    page: Ints
    """Number of the page, from 0."""
    days: Floats
    """Days since the previous visit; infinite for a first visit."""
    changed: Mask
    """Whether the main text had changed since then; true for a first visit."""
    since: Floats
    """Days since the last change by a trusted date; NaN without one."""


class Prior(NamedTuple):
    """Gamma distribution of rates, equivalent to ``shape`` changes seen in ``days`` days."""

    shape: Floats
    days: Floats


def url_template(url: str) -> str:
    """Return the template of a URL, whose pages may change alike: its directory, without numbers.

    >>> url_template("https://example.com/blog/2024/05/a-story.html")
    'https://example.com/blog/#/#/'
    """
    return _DIGITS.sub("#", url.partition("?")[0].rpartition("/")[0]) + "/"


def estimate_rates(visits: Visits, template: Ints) -> Floats:
    """Estimate the rate of each page; ``template`` has the number of each page's template.

    A page without visits has the rate of its template, a template without visits that of the site,
    a site without visits ``USUAL_RATE``; with every visit the page's own history counts more. The
    weight of a template's rate is measured: empirical Bayes with gamma priors whose variance is
    that of the counted changes beyond chance (method of moments: Marshall 1991, "Mapping disease
    and mortality rates using empirical Bayes estimators").
    """
    pages, templates = len(template), int(template.max(initial=-1)) + 1
    everywhere = np.zeros(len(visits.page), np.int64)
    usual = Prior(np.array([0.5]), np.array([0.5 / USUAL_RATE]))
    site = np.repeat(posterior_rates(visits._replace(page=everywhere), usual), templates)
    of_template = visits._replace(page=template[visits.page])
    by_template = posterior_rates(of_template, _prior_weights(of_template, site))[template]
    return posterior_rates(visits, _prior_weights(visits, by_template)) if pages else np.zeros(0)


def posterior_rates(visits: Visits, prior: Prior) -> Floats:
    """Estimate the rate of each page, given a prior.

    The maximum likelihood estimator for irregular visits (Cho and Garcia-Molina, "Estimating
    Frequency of Change", ACM TOIT 3(3), 2003): the rate r at which

        sum over changed visits of t / (exp(r t) - 1)  =  sum over unchanged visits of t

    with their correction of its bias, half an unchanged visit of mean length: at regular visits it
    is their -log((unchanged + 0.5) / (visits + 0.5)) / interval. A visit with a trusted date of the
    last change counts as one change in the days since then (their section on known dates). The
    prior adds changes and days of its own.
    """
    page, days, changed, since = visits
    pages = len(prior.shape)
    is_dated = changed & ~np.isnan(since)
    is_plain = ~is_dated & np.isfinite(days)
    plain = np.bincount(page[is_plain], minlength=pages)
    elapsed = np.bincount(page[is_plain], days[is_plain], minlength=pages)
    is_quiet = is_plain & ~changed
    exposure = (
        prior.days
        + 0.5 * elapsed / np.maximum(plain, 1)
        + np.bincount(page[is_quiet], days[is_quiet], minlength=pages)
        + np.bincount(page[is_dated], since[is_dated], minlength=pages)
    )
    counted = prior.shape + np.bincount(page[is_dated], minlength=pages)
    is_loud = is_plain & changed
    return _solve_rates(page[is_loud], days[is_loud], counted, exposure)


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


def _solve_rates(page: Ints, days: Floats, counted: Floats, exposure: Floats) -> Floats:
    """Find r with counted + sum of r t / (exp(r t) - 1) = r exposure, for each page.

    The left side minus the right one is decreasing and convex: Newton's steps from the left never
    pass the root.
    """
    exposure = np.maximum(exposure, np.finfo(np.float64).tiny)
    rate = counted / exposure
    for _ in range(_STEPS):
        x = np.minimum(rate[page] * days, 700.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(x > 1e-8, x / np.expm1(x), 1 - x / 2)
            slope = np.where(x > 1e-5, share * (1 - share - x) / x, x / 6 - 0.5)
        above = counted + np.bincount(page, share, len(rate)) - rate * exposure
        steps = above / (exposure - np.bincount(page, slope * days, len(rate)))
        rate = rate + steps
        if not np.any(np.abs(steps) > _PRECISION * rate):
            break
    return rate


def _prior_weights(visits: Visits, expected: Floats) -> Prior:
    """Return the weight of the expected rates as evidence for each page.

    If pages differ no more than by chance, they are alike, and their common rate has a high weight.
    """
    page, days, changed, _ = visits
    is_plain = np.isfinite(days)
    page, days, changed = page[is_plain], days[is_plain], changed[is_plain]
    quiet = np.exp(-expected[page] * days)
    pages = len(expected)
    surplus = np.bincount(page, changed - (1 - quiet), pages)
    chance = np.bincount(page, quiet * (1 - quiet), pages)
    # Relative growth of the expected count of changes with the rate.
    growth = np.bincount(page, expected[page] * days * quiet, pages)
    information = float(np.sum(growth**2))
    variance = float(np.sum(surplus**2 - chance)) / information if information else 0.0
    shape = 1 / variance if variance > 0 else MAX_SHAPE
    shape = min(max(shape, MIN_SHAPE), MAX_SHAPE)
    return Prior(np.full(pages, shape), shape / expected)
