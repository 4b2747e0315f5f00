"""Protocol of the store for the pages of the previous run, and whether they are still valid.

The history over all runs: ``history.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapgen.analysis.freshness.revisits import Doubtful
    from sitemapgen.analysis.graph import Floats, Ints, Mask
    from sitemapgen.items import Judgement


class PreviousPage(NamedTuple):
    """A page as the previous run read it."""

    judgement: Judgement
    """The verdict from its response alone."""
    failures: int
    """Number of runs in a row in which it failed."""
    links: list[tuple[str, bool]]
    """(URL, is nofollow) of each link."""
    last_modified: str = ""
    claims: str = ""
    """The dates of the page: ``last_modified`` as in the header, ``claims`` packed by
    ``core.lastmod.pack``."""
    canonical: str = ""
    alternates: tuple[int, ...] = ()
    """``Page.canonical`` and ``Page.alternates``."""


class Postponed(NamedTuple):
    """Arrays over the pages carried over without a request, in URL order."""

    keys: Ints
    urls: list[str]
    age: Floats
    """Days since the last visit, at the start of this run."""
    is_listed: Mask
    """Whether the page was listed at its last visit."""
    is_moved: Mask
    """Whether sitemaps give another date than at the last visit."""
    is_silent: Mask
    """Whether sitemaps give the same date as at the last visit; False if there is none."""
    step: float
    """Days between the starts of the previous run and this one."""


class PreviousRun(Protocol):
    """The pages of the previous run, if they are valid under the arguments of this one."""

    @property
    def holds(self) -> bool:
        """Whether its unchanged pages remain valid: same arguments, same reader version."""

    def known(self) -> int:
        """Return the number of pages that are still valid."""

    def page(self, key: int) -> PreviousPage | None:
        """Return a page as that run read it; None if it did not."""

    def doubtful(self) -> list[Doubtful]:
        """Return the pages confirmed as unchanged for which a sitemap has a newer date."""

    def unchanged(self) -> int:
        """Return the number of pages that the server confirmed as unchanged in this run."""

    def left_out(self, keys: Iterable[int]) -> set[int]:
        """Return those of some pages that were ``variant`` or ``trap`` after they were read.

        Without those that the site names elsewhere than in links.
        """

    def doubted(self) -> list[int]:
        """Return the keys of pages confirmed as unchanged that are to be read again."""

    def postponed(self) -> Postponed:
        """Return the pages of this run that were postponed (``Revisit.OVER_BUDGET``)."""

    def count_spared(self) -> int:
        """Return the number of pages that were not requested, as nothing new was expected."""

    def count_postponed(self) -> int:
        """Return the number of URLs that were postponed in favour of other pages."""
