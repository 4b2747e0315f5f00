"""Pages visited in turn (``refresh=due``): which of them a run leaves out, and for how long.

A page is *settled* once its last ``MIN_QUIET`` visits found it unchanged: main text, directives,
and links that the start page lacks. A run leaves out a settled page unless

- its turn has come: each page has one in every ``interval`` runs, by its key, which is a hash;
- the probability of a change since its last visit is above ``MOST_STALE``, by the rate of changes
  of the page, which is shrunk towards its template and the site (``rates.py``);
- its last visit is longer ago than the time for which it was watched without a change, than
  ``MAX_DAYS``, or than ``MAX_RUNS`` runs;
- the site's sitemap has another date for it;
- it is one of the ``SAMPLED`` pages of its section that are visited in any case.

The promise follows from that: no page that a run leaves out is older than ``MAX_DAYS`` or
``MAX_RUNS``, and at most ``MOST_STALE`` of them are expected to be outdated. The estimate holds as
long as pages change as before. That is tested in each run by the settled pages that are visited: a
cumulative sum test (``trust.py`` has the sources) of the hypothesis that the pages of a section
change ``FACTOR`` times as often as estimated. At odds of ``ODDS`` to 1 all pages of the section are
visited, in the same run, and their earlier visits no longer count: each has to be found unchanged
``MIN_QUIET`` times again. One change weighs at most ``FACTOR`` to 1, so that it takes three.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np

from sitemapgen.analysis.freshness.rates import Floats, Visits, estimate_rates
from sitemapgen.analysis.freshness.trust import DAY, OWN_PAGES, SMALL_SECTIONS, hash_keys
from sitemapgen.analysis.freshness.visits import PastVisits
from sitemapgen.analysis.graph import Ints, Mask

MIN_QUIET = 5
"""Number of visits in a row that found a page unchanged, from which on it is settled."""
MOST_STALE = 0.05
"""Maximum probability that a page that is left out has changed since its last visit."""
MAX_DAYS = 30.0
"""Maximum age in days, since the last visit, of a page that a run leaves out."""
MAX_RUNS = 10
"""Number of runs in at least one of which each page is visited."""
SAMPLED = 5
"""Number of pages of each section that are visited though they could be left out."""
MEMORY_RUNS = 100
"""Number of runs before this one whose visits count."""

FACTOR = 5.0
"""Ratio of the rates of changes that the test distinguishes."""
ODDS = 100
"""Likelihood ratio at which a section is visited as a whole."""
MIN_STEP = 60.0
"""Minimum of the seconds between two runs that a plan is based on."""

_LIMIT = log(ODDS)
_LEAST, _MOST = 1e-9, 0.99
"""Bounds of the probabilities in the test, whose logarithms are finite."""


class ListedPages(NamedTuple):
    """Listed pages of the previous run, sorted by key; one element a page."""

    keys: Ints
    sections: Ints
    """``tested_sections``."""
    templates: Ints
    """Number of the template of each page (``rates.url_template``)."""
    visited: Ints
    """Time of the last visit in seconds since 1970 UTC."""
    is_moved: Mask
    """Whether the site's sitemap has another date for the page than at that visit."""


class Plan(NamedTuple):
    """What a run leaves out; one element a page, in the order of ``ListedPages``."""

    keys: Ints
    sections: Ints
    chance: Floats
    """Probability of a change since the last visit."""
    is_settled: Mask
    """Whether the page is an observation of the test if it is visited."""
    is_left: Mask
    """Whether the page is left out."""


class SectionTest(NamedTuple):
    """A section of the site in one run."""

    section: int
    left_out: int
    """Number of pages that were left out."""
    stale: float
    """Number of these that are expected to be outdated."""
    visited: int
    """Number of settled pages that were visited."""
    changed: int
    """Number of these that had changed."""
    expected: float
    """Number of these that were expected to have changed."""
    evidence: float
    """State of the test after the run."""
    ended: int
    """The last run in which the section was visited as a whole; 0 for none."""


class SectionStanding(NamedTuple):
    """State of a section before a run: ``SectionTest.evidence`` and ``SectionTest.ended``."""

    evidence: float = 0.0
    ended: int = 0


def tested_sections(sections: Ints) -> Ints:
    """Return the section under which each page is tested; small ones are tested together."""
    _, place, pages = np.unique(sections, return_inverse=True, return_counts=True)
    return np.where(pages[place.ravel()] >= OWN_PAGES, sections, SMALL_SECTIONS)


def plan_run(pages: ListedPages, past: PastVisits, starts: Floats, run: int) -> Plan:
    """Decide which pages a run leaves out.

    ``past``: the visits that count, of these pages only. ``starts``: start times of all runs up to
    this one, at least two, in seconds since 1970 UTC. ``run``: number of this run.
    """
    place = np.searchsorted(pages.keys, past.keys)
    visits = past.visits._replace(page=place[past.visits.page])
    quiet, watched = unchanged_spells(visits, len(pages.keys))
    rate = estimate_rates(visits, pages.templates)
    age = (starts[-1] - pages.visited) / DAY
    runs = len(starts) - np.searchsorted(starts, pages.visited, "right")
    step = max(starts[-1] - starts[-2], MIN_STEP) / DAY
    longest = np.minimum(-np.log1p(-MOST_STALE) / rate, np.minimum(watched, MAX_DAYS))
    interval = np.clip(longest // step + 1, 1, MAX_RUNS).astype(np.int64)
    is_settled = (quiet >= MIN_QUIET) & (age >= 0) & ~pages.is_moved
    is_turn = (pages.keys % interval + run) % interval == 0
    may_wait = is_settled & (age <= longest) & (runs < MAX_RUNS) & ~is_turn
    return Plan(
        keys=pages.keys,
        sections=pages.sections,
        chance=-np.expm1(-rate * np.maximum(age, 0.0)),
        is_settled=is_settled,
        is_left=may_wait & ~_is_sample(pages, may_wait, run),
    )


def unchanged_spells(visits: Visits, pages: int) -> tuple[Ints, Floats]:
    """Return for each page the visits since its last change, and the days from the first of these.

    ``visits``: sorted by page and time. The visit that found the change is not counted; it is the
    beginning of the days, as the first visit is for a page without changes.
    """
    is_break = visits.changed | ~np.isfinite(visits.days)
    last_break = np.full(pages, -1)
    breaks = np.flatnonzero(is_break)
    last_break[visits.page[breaks]] = breaks  # of several, the last one is assigned last
    is_quiet = np.arange(len(is_break)) > last_break[visits.page]
    quiet = np.bincount(visits.page[is_quiet], minlength=pages)
    watched = np.bincount(visits.page[is_quiet], visits.days[is_quiet], pages)
    return quiet.astype(np.int64), watched.astype(np.float64)


def _is_sample(pages: ListedPages, may_wait: Mask, run: int) -> Mask:
    """Mark ``SAMPLED`` of these pages in each section, others in each run."""
    places = np.flatnonzero(may_wait)
    sections = pages.sections[places]
    order = np.lexsort((hash_keys(pages.keys[places], run), sections))
    ordered = sections[order]
    rank = np.arange(len(order)) - np.searchsorted(ordered, ordered, "left")
    is_one = np.zeros(len(may_wait), np.bool_)
    is_one[places[order[rank < SAMPLED]]] = True
    return is_one


def visit_evidence(chance: Floats, changed: Mask) -> Floats:
    """Return how much each visit speaks for ``FACTOR`` times the rate: log likelihood ratios.

    ``chance``: probability of a change by the estimated rate.
    """
    quiet = np.log1p(-np.clip(chance, _LEAST, _MOST))
    often = -np.expm1(FACTOR * quiet) / -np.expm1(quiet)
    return np.where(changed, np.log(often), (FACTOR - 1) * quiet)


def examine_sections(
    found: Plan, visited: Ints, changed: Mask, before: dict[int, SectionStanding], run: int
) -> list[SectionTest]:
    """Test each section of a plan by the pages visited so far; sorted by section.

    ``visited``: keys of the pages that were visited in this run, in any order; ``changed``: whether
    they had changed. A section in which the test ends the waiting has this ``run`` as ``ended``;
    ``left_out`` and ``stale`` are those of the plan.
    """
    at = np.minimum(np.searchsorted(found.keys, visited), max(len(found.keys) - 1, 0))
    is_one = found.keys[at] == visited if len(found.keys) else np.zeros(len(visited), np.bool_)
    at, changed = at[is_one], changed[is_one]
    is_observed = found.is_settled[at]
    at, changed = at[is_observed], changed[is_observed]
    sections, place = np.unique(found.sections, return_inverse=True)
    place = place.ravel()
    weigh = visit_evidence(found.chance[at], changed)
    sums = [
        np.bincount(place[found.is_left], minlength=len(sections)),
        np.bincount(place[found.is_left], found.chance[found.is_left], len(sections)),
        np.bincount(place[at], minlength=len(sections)),
        np.bincount(place[at[changed]], minlength=len(sections)),
        np.bincount(place[at], found.chance[at], len(sections)),
        np.bincount(place[at], weigh, len(sections)),
    ]
    result = []
    for section, *row in zip(sections.tolist(), *(column.tolist() for column in sums)):
        left, stale, seen, different, expected, now = row
        state, ended = before.get(section, SectionStanding())
        state = max(0.0, state + now)
        if state >= _LIMIT:
            state, ended = 0.0, run
        result.append(SectionTest(section, left, stale, seen, different, expected, state, ended))
    return result
