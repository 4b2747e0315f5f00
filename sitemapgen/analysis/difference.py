"""Changes between two states of a site: two lists of URLs, each in URL order -> the changes.

``tools/states.py`` reads the states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sitemapgen.core.lastmod import iso_date
from sitemapgen.verdicts import Verdict

ADDED, REMOVED, VERDICT, LASTMOD = "added", "removed", "verdict", "lastmod"
KINDS = (ADDED, REMOVED, VERDICT, LASTMOD)


class State(NamedTuple):
    """State of a URL at one time."""

    url: str
    verdict: str
    """Value of a ``verdicts.Verdict``; for URLs of a sitemap always ``listed``."""
    lastmod: str


class Change(NamedTuple):
    """Change of a URL."""

    kind: str
    """One of ``KINDS``."""
    url: str
    old: State | None
    """None if it is new."""
    new: State | None
    """None if it is gone."""

    @property
    def move(self) -> str:
        """The change of its verdict, ``listed -> noindex``, or its verdict if that is unchanged."""
        if self.old and self.new and self.old.verdict != self.new.verdict:
            return f"{self.old.verdict} -> {self.new.verdict}"
        state = self.new or self.old
        assert state is not None
        return state.verdict


def find_changes(old: Iterable[State], new: Iterable[State]) -> Iterator[Change | None]:
    """Merge two states, each in URL order without repetitions; None for each unchanged URL.

    A ``lastmod`` counts only if a URL is listed before and after, as it is not published otherwise.
    """
    olds, news = iter(old), iter(new)
    before, after = next(olds, None), next(news, None)
    while before or after:
        if after is None or (before and before.url < after.url):
            assert before is not None
            yield Change(REMOVED, before.url, before, None)
            before = next(olds, None)
        elif before is None or after.url < before.url:
            yield Change(ADDED, after.url, None, after)
            after = next(news, None)
        else:
            kind = _kind_of_change(before, after)
            yield Change(kind, after.url, before, after) if kind else None
            before, after = next(olds, None), next(news, None)


def _kind_of_change(old: State, new: State) -> str:
    if old.verdict != new.verdict:
        return VERDICT
    if new.verdict == Verdict.LISTED.value and not is_same_time(old.lastmod, new.lastmod):
        return LASTMOD
    return ""


def is_same_time(one: str, other: str) -> bool:
    """Return whether two W3C datetimes are the same moment, or the same day.

    >>> is_same_time("2024-05-01T12:00:00+02:00", "2024-05-01T10:00:00Z")
    True
    """
    if one == other:
        return True
    first, second = iso_date(one), iso_date(other)
    return first is not None and type(first) is type(second) and first == second
