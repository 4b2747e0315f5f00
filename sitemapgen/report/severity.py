"""How grave each thing to fix is, and why it matters to visitors or search engines.

The things to fix: ``priorities.py``.
"""

from __future__ import annotations

from typing import NamedTuple

from sitemapgen.report.sections.on_page import PAGE_FAULTS

ERROR, WARNING, NOTICE = SEVERITIES = ("error", "warning", "notice")
"""Pages are lost or found broken; they are found worse than they could be; only effort is lost."""


class Ground(NamedTuple):
    """Why something is to be fixed."""

    severity: str
    """One of ``SEVERITIES``."""
    why: str
    """One sentence: what it costs visitors, or search engines."""


_UNSEEN = "What was not looked at may be pages that belong in the sitemap."
_NO_RANK = "Search engines index one of the URLs, and may choose another one than you would."

GROUNDS = {
    "unfinished": Ground(ERROR, "The figures are about a part of the site only."),
    "empty_start": Ground(
        ERROR, "Search engines begin at the start page, and find no other page from there."
    ),
    "blank": Ground(ERROR, "Visitors and search engines get pages without any content."),
    "shared_canonical": Ground(
        ERROR, "Search engines drop pages that name another URL as their canonical one."
    ),
    "logins": Ground(NOTICE, "What is behind the login is not known to search engines either."),
    "not_looked_at_max_depth": Ground(WARNING, _UNSEEN),
    "not_looked_at_trap": Ground(NOTICE, _UNSEEN),
    "not_looked_at_interact": Ground(WARNING, _UNSEEN),
    "not_looked_at_nofollow": Ground(WARNING, _UNSEEN),
    "not_looked_at_links": Ground(WARNING, _UNSEEN),
    "not_looked_at_files": Ground(NOTICE, _UNSEEN),
    "no_sitemap": Ground(
        ERROR, "Without a sitemap search engines find new and changed pages later, or not at all."
    ),
    "sitemap_errors": Ground(ERROR, "Search engines ignore what they cannot read in a sitemap."),
    "http_error_in_sitemap": Ground(
        ERROR, "Search engines follow the sitemap to pages that do not exist, and trust it less."
    ),
    "fetch_error_in_sitemap": Ground(
        ERROR, "What does not answer cannot be indexed, and visitors do not see it either."
    ),
    "soft_404_in_sitemap": Ground(
        ERROR, "Search engines treat a page that only states an error as missing."
    ),
    "login_in_sitemap": Ground(
        ERROR, "Searchers are led to a login form, and not to what it protects."
    ),
    "redirect_in_sitemap": Ground(
        WARNING, "Search engines index the target of a redirect, after one more request."
    ),
    "offsite_redirect_in_sitemap": Ground(
        WARNING, "Search engines index the other site's page, and not one of yours."
    ),
    "noindex_in_sitemap": Ground(
        ERROR, "The sitemap asks for what the page forbids: search engines do not index it."
    ),
    "canonicalised_in_sitemap": Ground(
        WARNING, "The sitemap and the page name different URLs, so that neither is trusted fully."
    ),
    "duplicate_in_sitemap": Ground(WARNING, _NO_RANK),
    "trap_in_sitemap": Ground(
        WARNING, "Search engines spend their requests on URLs without new content."
    ),
    "robots_disallowed_in_sitemap": Ground(
        ERROR, "The sitemap asks for what robots.txt forbids: search engines do not read it."
    ),
    "invalid_in_sitemap": Ground(
        WARNING, "Search engines ignore values that break the protocol, or the entries with them."
    ),
    "offsite_in_sitemap": Ground(
        WARNING, "Search engines ignore entries for a site that the sitemap may not speak for."
    ),
    "wrong_dates_in_sitemap": Ground(
        ERROR, "Search engines ignore all dates of a sitemap once they have been wrong."
    ),
    "missing_from_sitemap": Ground(
        ERROR, "Search engines find these pages later than they could, and their changes too."
    ),
    "broken_links": Ground(ERROR, "Visitors who follow these links see an error, and leave."),
    "other_addresses": Ground(
        WARNING, "Search engines may index both addresses, and what is linked to is in no sitemap."
    ),
    "broken_external_links": Ground(
        WARNING, "Visitors who follow these links see an error, and trust the page less."
    ),
    "orphans": Ground(
        WARNING, "Visitors do not find these pages, and search engines take them for unimportant."
    ),
    "named_alone": Ground(
        WARNING, "Visitors do not find these pages, and search engines may not, either."
    ),
    "indexed_left_out": Ground(
        WARNING, "Searchers are led to pages that do not work, or that repeat others."
    ),
    "indexed_not_seen": Ground(
        WARNING, "Searchers find pages that the site itself does not lead to."
    ),
    "hash_routes": Ground(
        ERROR, "Search engines ignore what follows a #, and index one page instead of all views."
    ),
    "scripted": Ground(
        WARNING,
        "Search engines that run no JavaScript see nothing there; those that do see it later.",
    ),
    "by_scripts_alone": Ground(
        WARNING, "Search engines neither scroll nor press buttons, and follow no links of scripts."
    ),
    "missing_titles": Ground(
        WARNING,
        "Search engines make up a title, and visitors do not find the page among tabs.",
    ),
    "repeated_titles": Ground(
        WARNING, "Searchers do not see which of the pages answers their question."
    ),
    "long_titles": Ground(NOTICE, "Search engines cut off the end, or write another title."),
    "missing_descriptions": Ground(
        NOTICE, "Search engines show some sentence of the page below its title."
    ),
    "repeated_descriptions": Ground(
        NOTICE, "Search engines ignore descriptions that are not about the page itself."
    ),
    "long_descriptions": Ground(NOTICE, "Search engines cut off the end."),
    "missing_h1s": Ground(
        WARNING, "Visitors and search engines do not see at the first look what a page is about."
    ),
    "repeated_h1s": Ground(NOTICE, "Visitors do not see which of the pages they are on."),
    **{fault.id: Ground(fault.severity, fault.why) for fault in PAGE_FAULTS},
    "redirect_chains": Ground(
        WARNING, "Each redirect makes visitors wait, and search engines give up on long chains."
    ),
    "linked_redirects": Ground(NOTICE, "Each redirect makes visitors wait for one more request."),
    "slow_kinds": Ground(
        WARNING, "Visitors leave while they wait, and search engines read fewer pages a day."
    ),
    "slow_pages": Ground(NOTICE, "Visitors leave while they wait."),
    "large_pages": Ground(NOTICE, "Large pages are slow on phones, and cost visitors their data."),
    "deep_pages": Ground(
        NOTICE, "Visitors rarely go that far, and search engines come there less often."
    ),
    "repeated_in_sitemap": Ground(NOTICE, "Repeated entries make a sitemap larger, and no better."),
    "duplicates": Ground(WARNING, _NO_RANK),
    "near_duplicates": Ground(
        NOTICE, "Pages that hardly differ compete with each other in search results."
    ),
    "traps": Ground(
        WARNING, "Search engines spend their requests there, and come to real pages less often."
    ),
    "distrusted_lastmods": Ground(
        NOTICE, "Search engines ignore the dates of a site whose dates have been wrong."
    ),
    "robots_unseparated": Ground(
        ERROR, "Search engines index pages that are meant to stay out of their results."
    ),
    "hreflang": Ground(WARNING, "Searchers may be shown a page in a language that is not theirs."),
    "dead_ends": Ground(NOTICE, "Visitors have to go back, and links pass nothing on from there."),
}
"""The ground of each ``priorities.Fix``, by its id."""
