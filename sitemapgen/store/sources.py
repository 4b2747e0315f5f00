"""Protocol of the store for what systems behind the site state about its pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sitemapgen.analysis.freshness.silence import Undated
    from sitemapgen.core.sources.reading import Ask


class Sources(Protocol):
    """The parts of the systems, and their entries."""

    def unread(self, read: Iterable[str], grace: int) -> Iterator[list[tuple[int, str, int]]]:
        """Yield (part, URL, runs) of the previous run's pages of all parts not in ``read``.

        In batches. ``read``: the URLs of the parts that were read completely. ``grace``: runs for
        which a page is kept. ``part``: ``core.urls.key`` of its URL; ``runs``: number of runs in a
        row, this one included, in which the page was kept.
        """

    def systems(self, *, before: bool = False) -> list[tuple[str, Ask]] | None:
        """Return (name, first request) of the systems that the start page names in this run.

        ``before``: in the run before this one. None if this version has not examined the page.
        """

    def keep_systems(self, systems: Sequence[tuple[str, Ask]]) -> None:
        """Keep what ``systems`` returns."""

    def is_concluded(self) -> bool:
        """Return whether the systems were read in this run; it may have been interrupted since."""

    def conclude(self, now: float, *, is_whole: bool) -> None:
        """Compare all statements with those of the previous run, once they are read.

        ``is_whole``: whether everything was read; if not, nothing is concluded from silence.
        """

    def parts(self) -> list[dict[str, Any]]:
        """Return the fields of all SourceParts and their counts, by system and URL."""

    def named_alone(self) -> int:
        """Return the number of listed pages that only systems name, and no link or sitemap."""

    def undated(self) -> Iterator[Undated]:
        """Yield the pages without a date of a system that were visited again while all statements
        were the same; not those that had changed in the same way at the visit before."""

    def missing(self) -> Iterator[Undated]:
        """Yield the URLs without a page that were requested again while all statements were the
        same; they have changed if they answer now."""
