"""URLs that a refresh does not request, as nothing of their kind belongs in a sitemap.

Such as carts, edit forms and URLs with another canonical: of ``WITHOUT_EXCEPTION`` URLs or more
none is listed, and none is the first to lead to a listed page, unless that is its own original. A
variant, a trap and a file rest alone. In each run it is the turn of one in ``CHECKED_EVERY`` pages
of a kind, and of one at least, unless they are variants; those are requested. If other directives
or another canonical URL allow one to be listed, all of its kind are requested.

Links to nothing (404, 410), where no run has found a page, are one kind of the whole site. One in
``GONE_EVERY`` is requested, and ``WITHOUT_EXCEPTION`` at least, so that few are all looked at.
"""

from __future__ import annotations

import numpy as np

from sitemapgen.analysis.coverage import Census
from sitemapgen.analysis.freshness.trust import CHECKED_EVERY
from sitemapgen.analysis.graph import NOWHERE, Ints, Mask
from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION
from sitemapgen.verdicts import Verdict

ALONE = (Verdict.VARIANT, Verdict.TRAP)
"""Verdicts of pages that show nothing of their own."""
TOGETHER = (Verdict.NOINDEX, Verdict.CANONICALISED, Verdict.DUPLICATE, Verdict.REDIRECT)
"""Verdicts of pages that rest if no page of their kind is listed."""
GONE_EVERY = 5
"""One in this number of many links to nothing is requested in each run."""


def resting_pages(
    census: Census,
    groups: tuple[Ints, Ints],
    parent: Ints,
    is_read: Mask,
    is_gone: Mask,
    run: int,
) -> tuple[Ints, Mask]:
    """Return the pages that rest, and whether it is the turn of each in the run after ``run``.

    Arrays have one element a page. ``groups``: numbers of its kind and of its pattern; ``parent``:
    the page that is the first to lead to it, or ``NOWHERE``; ``is_gone``: whether links lead to it,
    and no run has found a page there.
    """
    of_form, of_pattern = groups
    _, kind = np.unique(of_form * (of_pattern.max(initial=0) + 1) + of_pattern, return_inverse=True)
    is_listed = census.is_listed
    found = np.flatnonzero(is_listed & (parent != NOWHERE))
    leading = parent[found][census.original[parent[found]] != found]
    is_alone, is_file = census.has(*ALONE), census.has(Verdict.NOT_HTML)
    sizes = np.bincount(kind[is_alone | census.has(*TOGETHER)], minlength=len(kind))
    sizes[kind[is_listed | census.has(Verdict.VIEW)]] = sizes[kind[leading]] = 0
    is_idle = census.has(*TOGETHER) & (sizes[kind] >= WITHOUT_EXCEPTION)
    pages = np.flatnonzero(is_read & (is_alone | is_file | is_idle | is_gone))
    kind = np.where(is_gone, len(sizes), kind)
    pages = pages[np.argsort(kind[pages], kind="stable")]
    of_kind = kind[pages]
    place = np.arange(len(pages)) - np.searchsorted(of_kind, of_kind)
    read = np.bincount(of_kind, minlength=len(sizes) + 1)[of_kind]
    # What stands for a kind, as the samples of files do, has a turn in each run.
    every = np.where(is_alone[pages], CHECKED_EVERY, np.minimum(read, CHECKED_EVERY))
    of_gone = np.clip(read // WITHOUT_EXCEPTION, 1, GONE_EVERY)
    every = np.where(is_gone[pages], of_gone, every)
    return pages, (place + run + 1) % every == 0
