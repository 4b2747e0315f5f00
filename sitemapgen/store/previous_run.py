"""The previous run: what it read, and how far that still holds.

What all runs together saw: ``history.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from sitemapgen.analysis.graph import Floats, Ints, Mask
    from sitemapgen.items import Judgement


class PreviousPage(NamedTuple):
    """What the run before read of a page."""

    judgement: Judgement
    """By its answer alone."""
    failures: int
    """Runs in a row in which it gave no answer."""
    links: list[tuple[str, bool, bool]]
    """URLs that it links to, whether with nofollow, whether they are pages of the same list."""
    last_modified: str = ""
    claims: str = ""
    """When it said that it changed: the header, and ``core.lastmod.pack``."""


class Postponed(NamedTuple):
    """Pages that stand as an earlier run read them, in URL order; one element a page."""

    keys: Ints
    urls: list[str]
    age: Floats
    """Days since the last visit, at the start of this run."""
    is_listed: Mask
    """By its answer of then."""
    is_moved: Mask
    """The date that sitemaps give is another one than at that visit."""
    is_silent: Mask
    """It is the same; where there is none, neither."""
    step: float
    """Days from the start of the run before to that of this one."""


class PreviousRun(Protocol):
    """The pages of the run before, as far as they hold under the arguments of this one."""

    @property
    def is_sparing(self) -> bool:
        """Whether sitemap dates that have not moved may spare a request for their pages."""

    def known(self) -> int:
        """How many pages are known whose answers still hold."""

    def page(self, key: int) -> PreviousPage | None:
        """What it read of a page; None if it did not."""

    def postponed(self) -> Postponed:
        """The pages of this run that were not asked for and not skipped by their dates either."""

    def count_postponed(self) -> int:
        """How many URLs stand as they were, since other pages were more worth a visit."""
