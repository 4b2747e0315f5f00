"""Protocol of the store for editions: the runs whose report differs from the one before.

What makes an edition: ``publish/editions.py``.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Edition(NamedTuple):
    """A report of a site, which stands until a later run has another one."""

    run: int
    """The number of the run that was the first with this report."""
    digest: str
    """Digest of the report; empty if unknown."""
    crawled: float
    """Time at which the crawl ended, in seconds since 1970 UTC."""
    version: str
    """Version of the crawler."""
    changes: str
    """The section ``changes`` of the report as JSON."""
    seen: int | None = None
    """Number of URLs seen; None if unknown, as for a state of an earlier version."""
    listed: int | None = None
    in_sitemap: int | None = None
    """Number of listed URLs in the site's own sitemaps; None if unknown, or without a sitemap."""


class Moved(NamedTuple):
    """URLs that entered or left the published set, or whose main text changed."""

    urls: int
    """Their number."""
    examples: list[tuple[str, str | None]]
    """(URL, its verdict now) of the first ones in URL order; None: it is named nowhere now."""


class Editions(Protocol):
    """The editions of all runs; those whose files were refused count for their own run only."""

    def of_run(self) -> Edition:
        """Return the edition of the current or last run; a preliminary one if it has no report."""

    def own(self) -> Edition | None:
        """Return the edition that the current run was the first with; None if there is none."""

    def before(self) -> Edition | None:
        """Return the edition that was published last before the current run."""

    def latest(self, count: int) -> list[Edition]:
        """Return the last editions with known figures up to the current run, the oldest first."""

    def keep(self, edition: Edition) -> None:
        """Keep an edition; it replaces that of the same run."""

    def discard(self) -> None:
        """Remove the edition of the current run, if any."""

    def new(self, since: int, examples: int) -> Moved:
        """Count the URLs that are listed now and were not in run ``since``."""

    def gone(self, since: int, examples: int) -> Moved:
        """Count the URLs that were listed in run ``since`` and are not now."""

    def changed(self, since: int, examples: int) -> Moved:
        """Count the URLs that are listed in both, and whose main text changed after ``since``."""
