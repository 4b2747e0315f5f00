"""Protocol of the store for the site's own sitemap files and their validators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from sitemapgen.core.sitemap_files.validate import Field
    from sitemapgen.items import SitemapEntry


class SitemapMark(NamedTuple):
    """The validators of the stored response for a sitemap file."""

    location: str
    """The URL after redirects."""
    etag: str
    last_modified: str


class KeptEntry(NamedTuple):
    """An entry of the previous run, of a file that this run read only in part or not at all."""

    sitemap: int
    """``core.urls.key`` of the URL of the file."""
    entry: SitemapEntry
    runs: int
    """Number of runs in a row, this one included, in which the entry was kept."""


class Repeated(NamedTuple):
    """URLs that the site's sitemaps list more than once."""

    urls: int
    entries: int
    examples: list[tuple[str, int]]
    """(URL, number of entries), the largest number first."""


class Sitemaps(Protocol):
    """The sitemap files of a site and their entries."""

    def has_named(self, url: str) -> bool:
        """Return whether this file had entries for URLs of the site in the previous run."""

    def unread(self, read: Iterable[str], grace: int) -> Iterator[list[KeptEntry]]:
        """Yield the previous run's entries of all files not in ``read``, in batches.

        ``read``: the files that were read completely. ``grace``: runs for which an entry is kept.
        """

    def mark(self, url: str) -> SitemapMark | None:
        """Return the validators for a conditional request; None if there are none."""

    def is_unreliable(self, url: str) -> bool:
        """Return whether the server answered 304 for a file that had changed."""

    def body(self, url: str) -> bytes:
        """Return the stored content of a file that ``mark`` has validators for."""

    def files(self) -> list[dict[str, Any]]:
        """Return the fields of all SitemapFiles and their counts, in URL order."""

    def values(self, field: Field) -> Iterator[tuple[str, int]]:
        """Yield (value, number of entries) of a field in XML sitemaps, sorted; not empty ones."""

    def entries_with(
        self, field: Field, values: Collection[str], count: int
    ) -> list[tuple[str, str, str]]:
        """Return (value, URL, file) of the first entries with one of these values, in URL order."""

    def priorities(self) -> Iterator[tuple[int, str]]:
        """Yield (key, priority as written) of each entry that has one."""

    def repeated(self, examples: int) -> Repeated:
        """Count the URLs that are listed more than once, with up to ``examples`` examples."""
