"""How grave each thing to fix is, and why it matters to visitors or search engines.

The things to fix: ``priorities.py``.
"""

from __future__ import annotations

from typing import NamedTuple

from sitemapgen.report.sections.on_page import PAGE_FAULTS
from sitemapgen.verdicts import REPETITION, Verdict

SEVERITIES = ("error", "warning", "notice")
"""Pages are lost or found broken; they are found worse than they could be; only effort is lost."""


class Ground(NamedTuple):
    """Why something is to be fixed."""

    severity: str
    """One of ``SEVERITIES``."""
    why: str
    """One sentence: what it costs visitors, or search engines."""


_UNSEEN = "What was not looked at may be pages that belong in the sitemap."

ERRORS = {
    "unfinished": "The figures are about a part of the site only.",
    "empty_start": "Search engines begin at the start page, and find no other page from there.",
    "blank": "Visitors and search engines get pages without any content.",
    "shared_canonical": "Search engines drop pages that name another URL as their canonical one.",
    "no_sitemap": "Without a sitemap search engines find new and changed pages later, or not at "
    "all.",
    "sitemap_errors": "Search engines ignore what they cannot read in a sitemap.",
    "wrong_dates_in_sitemap": "Search engines ignore all dates of a sitemap once they have been "
    "wrong.",
    "missing_from_sitemap": "Search engines find these pages later than they could, and their "
    "changes too.",
    "broken_links": "Visitors who follow these links see an error, and leave.",
    "hash_routes": "Search engines ignore what follows a #, and index one page instead of all "
    "views.",
    "robots_unseparated": "Search engines index pages that are meant to stay out of their results.",
}
WARNINGS = {
    "not_looked_at_max_depth": _UNSEEN,
    "not_looked_at_interact": _UNSEEN,
    "not_looked_at_nofollow": _UNSEEN,
    "not_looked_at_links": _UNSEEN,
    "invalid_in_sitemap": "Search engines ignore values that break the protocol, or the entries "
    "with them.",
    "offsite_in_sitemap": "Search engines ignore entries for a site that the sitemap may not "
    "speak for.",
    "other_addresses": "Search engines may index both addresses, and what is linked to is in no "
    "sitemap.",
    "broken_external_links": "Visitors who follow these links see an error, and trust the page "
    "less.",
    "orphans": "Visitors do not find these pages, and search engines take them for unimportant.",
    "named_alone": "Visitors do not find these pages, and search engines may not, either.",
    "indexed_left_out": "Searchers are led to pages that do not work, or that repeat others.",
    "indexed_not_seen": "Searchers find pages that the site itself does not lead to.",
    "scripted": "Search engines that run no JavaScript see nothing there; those that do see it "
    "later.",
    "by_scripts_alone": "Search engines neither scroll nor press buttons, and follow no links of "
    "scripts.",
    "missing_titles": "Search engines make up a title, and visitors do not find the page among "
    "tabs.",
    "repeated_titles": "Searchers do not see which of the pages answers their question.",
    "missing_h1s": "Visitors and search engines do not see at the first look what a page is about.",
    "redirect_chains": "Each redirect makes visitors wait, and search engines give up on long "
    "chains.",
    "slow_kinds": "Visitors leave while they wait, and search engines read fewer pages a day.",
    "duplicates": REPETITION,
    "traps": "Search engines spend their requests there, and come to real pages less often.",
    "hreflang": "Searchers may be shown a page in a language that is not theirs.",
}
NOTICES = {
    "logins": "What is behind the login is not known to search engines either.",
    "not_looked_at_trap": _UNSEEN,
    "not_looked_at_files": _UNSEEN,
    "long_titles": "Search engines cut off the end, or write another title.",
    "missing_descriptions": "Search engines show some sentence of the page below its title.",
    "repeated_descriptions": "Search engines ignore descriptions that are not about the page "
    "itself.",
    "long_descriptions": "Search engines cut off the end.",
    "repeated_h1s": "Visitors do not see which of the pages they are on.",
    "linked_redirects": "Each redirect makes visitors wait for one more request.",
    "slow_pages": "Visitors leave while they wait.",
    "large_pages": "Large pages are slow on phones, and cost visitors their data.",
    "deep_pages": "Visitors rarely go that far, and search engines come there less often.",
    "repeated_in_sitemap": "Repeated entries make a sitemap larger, and no better.",
    "near_duplicates": "Pages that hardly differ compete with each other in search results.",
    "few_wrong_dates": "Search engines ignore all dates of a sitemap once they have been wrong.",
    "distrusted_lastmods": "Search engines ignore the dates of a site whose dates have been wrong.",
    "dead_ends": "Visitors have to go back, and links pass nothing on from there.",
}
GROUNDS = {
    **{name: Ground("error", why) for name, why in ERRORS.items()},
    **{name: Ground("warning", why) for name, why in WARNINGS.items()},
    **{name: Ground("notice", why) for name, why in NOTICES.items()},
    **{fault.id: Ground(fault.severity, fault.why) for fault in PAGE_FAULTS},
    **{
        f"{each.value}_in_sitemap": Ground(waste.severity, waste.why)
        for each in Verdict
        if (waste := each.row.waste)
    },
}
"""The ground of each ``priorities.Fix``, by its id."""
