"""Trust in the sources of lastmod, tested by the claimed and the observed changes between visits.

``core/lastmod.py`` assesses single dates, ``analysis/lastmod.py`` compares those of all pages.

A source loses and regains a section by Page's cumulative sum test (E. S. Page, "Continuous
Inspection Schemes", Biometrika 41, 1954), a sequential probability ratio test (A. Wald, "Sequential
Analysis", 1947) that restarts at zero whenever it supports the current state. Each observation adds
the logarithm of its likelihood ratio between an honest source and a false one, and the state
changes when the sum reaches ln(ODDS). Two properties are tested: precision, the share of claimed
changes that are real (``HONEST_PRECISION`` or ``LYING_PRECISION``); and recall, the share of
observed changes that are claimed (``HONEST_RECALL`` or ``LYING_RECALL``). From the initial state,
five false alarms or six misses in a row lose a section, and twelve true claims or eight claimed
changes regain it. Without claims and changes the sum stays, so that nothing is lost or regained by
the passing of time.

Observations have to be independent, or an honest site is blamed for one event:

- Claims of a section within the same ten minutes are one observation: a bulk edit of a category
  moves the dates of twenty pages whose text stays.
- What has changed on most pages of a kind, and moved no date, is none: a new template, or a list of
  the newest posts below each one, changes every main text.
- A page with a sampling weight, for others that were not fetched, counts once.

Sections with fewer than ``OWN_PAGES`` compared pages are tested together (``SMALL_SECTIONS``): on a
site of URLs like ``/my-article/`` each page is a section of its own.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitemapgen.analysis.freshness.rates import Floats
from sitemapgen.analysis.graph import Ints, Mask
from sitemapgen.core.lastmod import CLOCK_SECONDS

MEMORY = 0.7
"""Factor for the counts of previous runs in a run with new comparisons, so that precision and
recall follow the current behaviour of a source."""

ODDS = 1_000
"""Likelihood ratio at which a source loses or regains a section."""
HONEST_PRECISION, LYING_PRECISION = 0.9, 0.5
"""Precision of an honest and of a false source: the share of claimed changes in which the main text
changed; edits of images, categories and metadata also move honest dates."""
HONEST_RECALL, LYING_RECALL = 0.8, 0.3
"""Recall of an honest and of a false source: the share of changes that are claimed; comments change
honest pages without a new date."""

OWN_PAGES = 10
"""Minimum compared pages in one run for a section to be tested by itself."""
SMALL_SECTIONS = -1
"""Section under which all smaller sections are tested together."""
MOMENT = 600
"""Seconds within which claims count as one event."""

SPARING_RECALL = 0.85
"""Minimum recall of a source by which pages with an unmoved date are not visited."""
SPARING_QUIET = 10.0
"""Minimum number of unchanged pages with an unmoved date, before a source saves visits; those of
all small sections count together."""
CHECKED_EVERY = 20
"""One in this number of the pages that need no visit is visited anyway, each in its turn."""

VALIDATED_EVERY = 50
"""One in this number of the pages that answer 304 Not Modified is read anyway, different
ones in each run."""
FILE_VALIDATED_EVERY = 8
"""Number of runs in one of which a sitemap file is read even if the server answers 304."""

USUAL = 0.9
"""Prior mean of precision and recall: dates are trusted until there is evidence against them."""
STRENGTH = 2.0
"""Weight of a prior in observations; a section with this number of observations of its own gives
the record of the site half the weight."""

DAY = 86_400

UNTESTED, PROVED, FALSE_ALARMS, MISSES = "untested", "proved", "false_alarms", "misses"
REASONS = (UNTESTED, PROVED, FALSE_ALARMS, MISSES)
"""Reasons for trust in a source: nothing was compared yet; it has been right; it claims changes
where there are none; it misses changes."""


class Pairs(NamedTuple):
    """Dates of one source at two consecutive visits of a page; one element a pair, in any order.

    Only pages for which the source had a date without a fault at both visits.
    """

    section: Ints
    """Number of the section from 0: the first segment of the path, or another division."""
    before: Ints
    """Time of the previous visit in seconds since 1970."""
    said_before: Ints
    """Date of the source at the previous visit, in seconds (``core.lastmod.claim_number``)."""
    says: Ints
    """Date of the source at the current visit, in seconds."""
    changed: Mask
    """Whether the main text has changed between the visits."""
    weight: Floats
    """Sampling weight: ``CHECKED_EVERY`` if the page needed no visit by its date and was visited
    only as a check, else 1."""


class Record(NamedTuple):
    """Results of a source in a section: weighted counts, and the state of both tests.

    For a single run, the tests hold the sum of its observations.
    """

    hits: float = 0.0
    """Claimed changes that were real."""
    false_alarms: float = 0.0
    """Claimed changes that were not real."""
    misses: float = 0.0
    """Changes that were not claimed."""
    quiet: float = 0.0
    """Unchanged pages without a claim."""
    alarm: float = 0.0
    """State of the test of precision: from 0 on, the evidence against the source; below 0 the
    section is lost, and the absolute value is the evidence needed to regain it."""
    silence: float = 0.0
    """State of the test of recall, in the same form."""
    proof: float = 0.0
    """State of the reversed test of precision: the evidence that the source is honest."""
    is_own: float = 0.0
    """1 if the section is tested by itself, from the first run with enough compared pages on."""

    @property
    def lost(self) -> str:
        """Reason why the section is lost, one of ``REASONS``; empty if it is not."""
        return FALSE_ALARMS if self.alarm < 0 else MISSES if self.silence < 0 else ""


NOTHING = Record()


class Trust(NamedTuple):
    """Assessment of a source in a section, with the reason."""

    precision: float
    """Estimated share of claimed changes that are real."""
    recall: float
    """Estimated share of changes that are claimed."""
    is_trusted: bool
    """Whether its dates are published."""
    is_sparing: bool
    """Whether pages with an unmoved date need no fetch."""
    reason: str
    """One of ``REASONS``."""
    evidence: str
    """Counts in words; empty without any."""
    is_proved: bool
    """Whether the evidence for it would be enough to regain a section; it may then contradict a
    date of another source."""


def claims_change(before: Ints, said_before: Ints, says: Ints) -> Mask:
    """Return where a date claims that its page has changed since the previous visit.

    Such a date has moved, and to a time since that visit. Dates without a time count as the whole
    day; clocks may differ by ``CLOCK_SECONDS``. A date that was corrected to one before that visit
    claims nothing about the time since.
    """
    is_day = says % DAY == 0
    since = np.where(is_day, before // DAY * DAY, before - CLOCK_SECONDS)
    is_claimed: Mask = (says != said_before) & (says >= since)
    return is_claimed


def tally_claims(pairs: Pairs, sections: int) -> list[Record]:
    """Count for each section the true and false claims of a source in one run, as evidence."""
    claimed = claims_change(pairs.before, pairs.said_before, pairs.says)
    outcome = np.where(pairs.changed, np.where(claimed, 0, 2), np.where(claimed, 1, 3))
    place = 4 * pairs.section + outcome
    counts = np.bincount(place, pairs.weight, 4 * sections).reshape(-1, 4)
    observed = np.bincount(place, _independent_counts(pairs, claimed), 4 * sections).reshape(-1, 4)
    compared, hits = (
        np.bincount(pairs.section[mask], minlength=sections)
        for mask in (np.ones(len(claimed), np.bool_), outcome == 0)
    )
    columns = (
        *counts.T,
        observed[:, 1] * _ALARM + observed[:, 0] * _RIGHT,
        observed[:, 2] * _MISS + hits * _HIT,
        np.zeros(sections),
        compared >= OWN_PAGES,
    )
    return [Record(*row) for row in np.column_stack(columns).astype(float).tolist()]


_ALARM = log((1 - LYING_PRECISION) / (1 - HONEST_PRECISION))
_RIGHT = log(LYING_PRECISION / HONEST_PRECISION)
_MISS = log((1 - LYING_RECALL) / (1 - HONEST_RECALL))
_HIT = log(LYING_RECALL / HONEST_RECALL)
_LIMIT = log(ODDS)
_MOMENTS = 1 << 24  # more than there are until the year 2288


def _independent_counts(pairs: Pairs, claimed: Mask) -> Floats:
    """Return how many observations each pair counts as; small sections share their events."""
    compared = np.bincount(pairs.section, minlength=1)[pairs.section]
    group = np.where(compared >= OWN_PAGES, pairs.section + 1, 0)
    share = np.ones(len(claimed))
    events = group[claimed] * _MOMENTS + pairs.says[claimed] // MOMENT
    _, event, size = np.unique(events, return_inverse=True, return_counts=True)
    share[claimed] = 1 / size[event]
    return share


def add_record(before: Record, now: Record) -> Record:
    """Add the record of a run to that of previous runs; a run without pairs changes nothing."""
    if not any(now):
        return before
    hits, false_alarms, misses, quiet = (
        MEMORY * old + new for old, new in zip(before[:4], now[:4])
    )
    return Record(
        hits=hits,
        false_alarms=false_alarms,
        misses=misses,
        quiet=quiet,
        alarm=_add_evidence(before.alarm, now.alarm),
        silence=_add_evidence(before.silence, now.silence),
        proof=min(_LIMIT, max(0.0, before.proof - now.alarm)),
        is_own=max(before.is_own, now.is_own),
    )


def _add_evidence(state: float, evidence: float) -> float:
    """Add the evidence of a run against a source to the state of a test (``Record.alarm``)."""
    if state >= 0:
        state = max(0.0, state + evidence)
        return state if state < _LIMIT else -_LIMIT
    return min(0.0, max(-_LIMIT, state - evidence))


def add_run(before: list[Record], now: list[Record], small: Record) -> tuple[list[Record], Record]:
    """Add a run to the records of a source, by section, and to that of its small sections.

    A section that has become large starts with the tests of the small ones.
    """
    found = []
    together = NOTHING
    for old, new in zip(before, now):
        if old.is_own:
            found.append(add_record(old, new))
        elif new.is_own:
            tests = {"alarm": small.alarm, "silence": small.silence, "proof": small.proof}
            found.append(add_record(old._replace(**tests), new))
        else:
            together = Record(*map(sum, zip(together, new)))
            found.append(add_record(old, new._replace(alarm=0.0, silence=0.0)))
    return found, add_record(small, together)


def assess_sections(records: list[Record], small: Record = NOTHING) -> list[Trust]:
    """Assess one source in each section; ``small`` is the record of its small sections.

    The tests decide whether it is trusted. Precision and recall are estimates, means of beta
    distributions: a section without observations is expected to be like the site.
    """
    site = Record(*map(sum, zip(*records))) if records else Record()
    precision = _shrunk_mean(site.hits, site.false_alarms, USUAL)
    recall = _shrunk_mean(site.hits, site.misses, USUAL)

    tested = (record if record.is_own else small for record in records)
    return [_assess_section(*each, precision, recall) for each in zip(records, tested)]


def _shrunk_mean(right: float, wrong: float, expected: float) -> float:
    return (right + STRENGTH * expected) / (right + wrong + STRENGTH)


def _assess_section(
    record: Record, tested: Record, site_precision: float, site_recall: float
) -> Trust:
    as_site = STRENGTH / (STRENGTH + sum(record[:4]))
    expected_precision = USUAL + as_site * (site_precision - USUAL)
    expected_recall = USUAL + as_site * (site_recall - USUAL)
    recall = _shrunk_mean(record.hits, record.misses, expected_recall)
    is_trusted = not tested.lost
    known = record if record.quiet >= SPARING_QUIET else tested
    is_complete = _shrunk_mean(known.hits, known.misses, expected_recall) >= SPARING_RECALL
    return Trust(
        precision=_shrunk_mean(record.hits, record.false_alarms, expected_precision),
        recall=recall,
        is_trusted=is_trusted,
        is_sparing=is_trusted and is_complete and known.quiet >= SPARING_QUIET,
        reason=tested.lost or (PROVED if record.hits or record.quiet else UNTESTED),
        evidence=describe_record(tested if tested.lost else record),
        is_proved=is_trusted and tested.proof >= _LIMIT,
    )


def describe_record(record: Record) -> str:
    """Describe the counts of a record in one line; older runs have a lower weight in them."""
    claimed = record.hits + record.false_alarms
    changed = record.hits + record.misses
    parts = []
    if claimed:
        parts.append(f"{record.hits:.0f} of {claimed:.0f} claimed changes were changes")
    if changed:
        parts.append(f"{record.hits:.0f} of {changed:.0f} changes were claimed")
    if record.quiet:
        parts.append(f"rightly silent {record.quiet:.0f} times")
    return "; ".join(parts)


def is_turn(keys: Ints, run: int, every: int = CHECKED_EVERY) -> Mask:
    """Mark the pages that need no visit in a run, but are visited as a check.

    They are chosen by their keys, which are hashes: one page in ``every``, and each page once in
    that number of runs.
    """
    is_due: Mask = (keys % every + run) % every == 0
    return is_due


def is_sample(keys: Ints, run: int) -> Mask:
    """Mark the pages that are read in a run though the server answers 304 Not Modified.

    One in ``VALIDATED_EVERY``, independent of ``is_turn``.
    """
    mask: Mask = hash_keys(keys, run) % np.uint64(VALIDATED_EVERY) == 0
    return mask


def hash_keys(keys: Ints, run: int) -> NDArray[np.uint64]:
    """Return a hash of each key and the run (splitmix64), to draw other pages in each run."""
    salt = np.uint64(run * 0x9E3779B97F4A7C15 % (1 << 64))
    mixed: NDArray[np.uint64] = keys.astype(np.uint64) ^ salt
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def is_file_sample(key: int, run: int) -> bool:
    """Return whether a sitemap file is read in a run even if the server answers 304."""
    return (key + run) % FILE_VALIDATED_EVERY == 0


class Validations(NamedTuple):
    """Results of conditional requests for pages that were read in any case; one element a page."""

    section: Ints
    """Number of the section from 0."""
    says_same: Mask
    """Whether the server answered 304 Not Modified."""
    changed: Mask
    """Whether the page had changed."""
    weight: Floats
    """Sampling weight."""


def tally_validations(found: Validations, sections: int) -> list[Record]:
    """Count for each section the right and wrong results of ETag and Last-Modified in one run."""
    outcome = np.where(
        found.changed, np.where(found.says_same, 2, 0), np.where(found.says_same, 3, 1)
    )
    counts = np.bincount(4 * found.section + outcome, found.weight, 4 * sections)
    return [Record(*row) for row in counts.reshape(-1, 4).tolist()]


def is_hiding(record: Record) -> bool:
    """Return whether a server answers 304 Not Modified for changed pages.

    One miss is enough if there are no hits. Detected changes count for the server; a 304 for an
    unchanged page is no evidence, as it is right in any case.
    """
    recall = _shrunk_mean(record.hits, record.misses, USUAL)
    return record.misses > 0 and recall < SPARING_RECALL
