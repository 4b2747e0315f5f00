"""Whose dates have been right: which sources of lastmod are believed, and which pages they spare?

What a date is worth by itself: ``core/lastmod.py``; beside those of the other pages:
``analysis/lastmod.py``. This is about what it claimed from visit to visit, and what had happened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sitemapgen.core.lastmod import CLOCK_SECONDS

if TYPE_CHECKING:
    from sitemapgen.analysis.freshness.rates import Floats
    from sitemapgen.analysis.graph import Ints, Mask

MEMORY = 0.7
"""What a run leaves of the counts of those before: a source that begins to lie is found out,
however long it was right."""
TRUSTED_PRECISION = 0.8
"""Of the changes that a source claims, so many have to be changes of the main text."""
TRUSTED_RECALL = 0.5
"""Of the changes that were seen, it has to have told so many. Less is enough: a change that it
missed is dated by the visit that saw it."""
SPARING_RECALL = 0.85
SPARING_QUIET = 10.0
"""Before its silence spares pages a visit, it has to have told so many of the changes, and to have
been silent about as many unchanged pages."""
CHECKED_EVERY = 20
"""Of the pages that are spared, one in so many is visited all the same, each in its turn."""

VALIDATED_EVERY = 50
"""Of the pages of which a server says that they have not changed, one in so many is read all the
same, others in each run."""

USUAL = 0.9
"""How often a source is thought right that has shown nothing yet: dates are believed until they
are caught."""
STRENGTH = 2.0
"""As how many observations that counts; and how many make a section's own record speak louder than
what the whole site shows."""

DAY = 86_400

UNTESTED, PROVED, FALSE_ALARMS, MISSES = "untested", "proved", "false_alarms", "misses"
REASONS = (UNTESTED, PROVED, FALSE_ALARMS, MISSES)
"""Why a source is believed or not: nothing was compared yet, it has been right, it claims changes
where there are none, it does not tell those that there are."""


class Pairs(NamedTuple):
    """What one source said at two visits of a page in a row; one element a pair, in any order.

    Only of pages for which the source had a date without a fault at both.
    """

    section: Ints
    """From 0: the first segment of the path, or whatever divides the site."""
    before: Ints
    """When the visit before was, in seconds since 1970."""
    said_before: Ints
    """The date that the source gave then, in the same seconds (``core.lastmod.number``)."""
    says: Ints
    """The date that it gives now."""
    changed: Mask
    """Whether the main text is another one."""
    weight: Floats
    """For how many pages this one stands: ``CHECKED_EVERY`` if its date spared it and it was only
    visited in its turn, else 1."""


class Record(NamedTuple):
    """How often a source was right about a section; weighted counts."""

    hits: float = 0.0
    """Changes that it told."""
    false_alarms: float = 0.0
    """Changes that it told and that were none."""
    misses: float = 0.0
    """Changes that it did not tell."""
    quiet: float = 0.0
    """Pages about which it rightly said nothing new."""


class Trust(NamedTuple):
    """What is thought of a source in a section, and why."""

    precision: float
    """Of the changes that it claims, how many are thought to be some."""
    recall: float
    """Of the changes that there are, how many it is thought to claim."""
    is_trusted: bool
    """Whether its dates are published."""
    is_sparing: bool
    """Whether a page whose date has not moved need not be fetched."""
    reason: str
    """One of ``REASONS``."""
    evidence: str
    """The counts behind it; empty without any."""


def claims_change(before: Ints, said_before: Ints, says: Ints) -> Mask:
    """Tell where a date says that its page has changed since the visit before.

    It has moved, and to a time since that visit. Dates without a time count as the whole day;
    clocks may differ by ``CLOCK_SECONDS``. A date that was corrected to one before that visit
    claims nothing about the time since.
    """
    is_day = says % DAY == 0
    since = np.where(is_day, before // DAY * DAY, before - CLOCK_SECONDS)
    is_claimed: Mask = (says != said_before) & (says >= since)
    return is_claimed


def tally(pairs: Pairs, sections: int) -> list[Record]:
    """Count for each section how often a source was right in one run."""
    claimed = claims_change(pairs.before, pairs.said_before, pairs.says)
    outcome = np.where(pairs.changed, np.where(claimed, 0, 2), np.where(claimed, 1, 3))
    counts = np.bincount(4 * pairs.section + outcome, pairs.weight, 4 * sections)
    return [Record(*row) for row in counts.reshape(-1, 4).tolist()]


def remember(before: Record, now: Record) -> Record:
    """Add what a run has shown to what earlier ones did; a run without pairs changes nothing."""
    if not any(now):
        return before
    return Record(*(MEMORY * old + new for old, new in zip(before, now)))


def judge(records: list[Record]) -> list[Trust]:
    """Decide about one source in each section.

    Precision and recall are means of beta distributions. A section of which nothing is known is
    judged as the site; one with a record is judged by it, however the others lie: also by its
    silence, since who says nothing of unchanged pages raises no false alarms. One page that was
    caught lying is enough for a section that has shown nothing else.
    """
    site = Record(*map(sum, zip(*records))) if records else Record()
    precision = _mean(site.hits, site.false_alarms, USUAL)
    recall = _mean(site.hits, site.misses, USUAL)
    return [_judge(record, precision, recall) for record in records]


def _mean(right: float, wrong: float, expected: float) -> float:
    return (right + STRENGTH * expected) / (right + wrong + STRENGTH)


def _judge(record: Record, site_precision: float, site_recall: float) -> Trust:
    as_site = STRENGTH / (STRENGTH + sum(record))
    expected_precision = USUAL + as_site * (site_precision - USUAL)
    expected_recall = USUAL + as_site * (site_recall - USUAL)
    precision = _mean(record.hits, record.false_alarms, expected_precision)
    recall = _mean(record.hits, record.misses, expected_recall)
    if precision < TRUSTED_PRECISION:
        reason = FALSE_ALARMS
    elif recall < TRUSTED_RECALL:
        reason = MISSES
    else:
        reason = PROVED if record.hits or record.quiet else UNTESTED
    is_trusted = reason in (PROVED, UNTESTED)
    return Trust(
        precision=precision,
        recall=recall,
        is_trusted=is_trusted,
        is_sparing=is_trusted and recall >= SPARING_RECALL and record.quiet >= SPARING_QUIET,
        reason=reason,
        evidence=_evidence(record),
    )


def _evidence(record: Record) -> str:
    """Say in one line what was counted; of late, since older runs count less."""
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


def is_turn(keys: Ints, run: int) -> Mask:
    """Mark the spared pages that are visited in a run all the same.

    By the hash that a key is: of many pages one in ``CHECKED_EVERY``, and each page once in as
    many runs.
    """
    is_due: Mask = (keys % CHECKED_EVERY + run) % CHECKED_EVERY == 0
    return is_due


def is_sample(keys: Ints, run: int) -> Mask:
    """Mark the pages that are read in a run though the server says that they have not changed.

    One in ``VALIDATED_EVERY``, by a hash (splitmix64), so that no page is only a sample in runs in
    which its turn does not come.
    """
    mixed = keys.astype(np.uint64) ^ np.uint64(run * 0x9E3779B97F4A7C15 % (1 << 64))
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mask: Mask = (mixed ^ (mixed >> np.uint64(31))) % np.uint64(VALIDATED_EVERY) == 0
    return mask


class Validations(NamedTuple):
    """What conditional requests said about pages that were read then; one element a page."""

    section: Ints
    """From 0."""
    says_same: Mask
    """Whether the server said that nothing had changed (and the page was read all the same)."""
    changed: Mask
    """Whether anything had."""
    weight: Floats
    """For how many pages this one stands."""


def tally_validations(found: Validations, sections: int) -> list[Record]:
    """Count for each section how often ETag and Last-Modified were right in one run."""
    outcome = np.where(
        found.changed, np.where(found.says_same, 2, 0), np.where(found.says_same, 3, 1)
    )
    counts = np.bincount(4 * found.section + outcome, found.weight, 4 * sections)
    return [Record(*row) for row in counts.reshape(-1, 4).tolist()]


def is_hiding(record: Record) -> bool:
    """Tell whether a server says "not modified" of pages that are: one is enough, if it is all.

    A change that was told speaks for the server, and silence about a page that is as it was says
    nothing: it would have been right in any case.
    """
    recall = _mean(record.hits, record.misses, USUAL)
    return record.misses > 0 and recall < SPARING_RECALL
