"""Protocol of the store for pages that are visited in turn: ``analysis/freshness/due.py``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from sitemapgen.analysis.freshness.due import SectionTest, Standing
    from sitemapgen.analysis.graph import Ints, Mask


class KnownPages(NamedTuple):
    """Pages of the previous run that may be left out, sorted by key; one element a page.

    They were listed in it, their last request succeeded, and their content lasts.
    """

    keys: Ints
    urls: list[str]
    visited: Ints
    """Time of the last visit in seconds since 1970 UTC."""
    has_other_date: Mask
    """Whether sitemaps or systems of the site have other dates for the page than at that visit."""
    has_system_date: Mask
    """Whether a system has a date for the page."""


class Visited(NamedTuple):
    """Pages that were requested in this run, by key; one element a page."""

    keys: Ints
    changed: Mask
    """Whether the page is gone or had changed, as in ``Due.visits``."""


class SectionRow(NamedTuple):
    """What is kept of a section of the site in a run."""

    tested: SectionTest
    name: str
    """The first segment of the path; empty for the root and for the small sections."""


class Left(NamedTuple):
    """Pages that this run left out (``Revisit.NOT_DUE``)."""

    pages: int
    oldest: float
    """Time of the earliest of their last visits in seconds since 1970 UTC; 0 for no pages."""
    examples: list[str]
    """The URLs of the pages that were visited the longest ago."""


class Due(Protocol):
    """The pages that are visited in turn, and the tests of their sections."""

    def known(self) -> KnownPages:
        """Return the pages of the previous run; none if it is not valid in this run."""

    def visits(self, runs: int) -> NDArray[np.void]:
        """Return the visits of the last ``runs`` runs before this one, as ``visits.VISIT``.

        They are sorted by page and time. ``changed`` is about directives and links too, but not
        about links that the start page has as well, and dates are left aside.
        """

    def recalled(self) -> list[int]:
        """Return the keys of pages that were left out in this run, and are to be visited now."""

    def recall(self, keys: Iterable[int]) -> int:
        """Put these pages into the frontier if they were left out; return their number."""

    def visited(self) -> Visited:
        """Return the pages that answered in this run, or are gone."""

    def standings(self) -> dict[int, Standing]:
        """Return the state of each section before this run."""

    def keep(self, rows: Iterable[SectionRow]) -> None:
        """Replace the rows of this run."""

    def rows(self) -> list[SectionRow]:
        """Return the rows of this run, sorted by name."""

    def left_out(self) -> Ints:
        """Return the keys of the pages that this run left out."""

    def left(self, examples: int) -> Left:
        """Return the pages that this run left out, with at most this number of examples."""
