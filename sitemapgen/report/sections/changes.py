"""The section ``changes`` in words; ``publish/editions.py`` has its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sitemapgen.core.words import clauses, counted

if TYPE_CHECKING:
    from collections.abc import Mapping


def changes_in_words(changes: Mapping[str, Any] | None) -> str:
    """Describe what has changed; empty if there is nothing to compare with, or no change.

    >>> counts = {"new": {"count": 1}, "gone": {"count": 0}, "changed": {"count": 2}}
    >>> changes_in_words({"since": "2024-05-01T12:00:00+00:00", **counts})
    'Since 2024-05-01 1 page is new, the text of 2 pages has changed.'
    """
    if changes is None:
        return ""
    new, gone, changed = (changes[kind]["count"] for kind in ("new", "gone", "changed"))
    words = clauses(
        (new, counted(new, "page is new", "pages are new")),
        (gone, counted(gone, "page is gone", "pages are gone")),
        (changed, f"the text of {counted(changed, 'page')} has changed"),
    )
    return words and f"Since {changes['since'][:10]} {words}."
