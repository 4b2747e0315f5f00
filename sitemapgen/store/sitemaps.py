"""Protocol of the store for the site's own sitemap files and their validators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapgen.items import SitemapEntry


class SitemapMark(NamedTuple):
    """What an earlier answer for a sitemap file was marked with."""

    location: str
    """Where redirects led."""
    etag: str
    last_modified: str
    is_check: bool
    """Whether it is read in this run all the same."""


class KeptEntry(NamedTuple):
    """An entry of the run before, of a file that was not read, or not wholly."""

    sitemap: int
    """``core.urls.key`` of the URL of the file."""
    entry: SitemapEntry
    runs: int
    """In a row, this one included, in which it is kept."""


class Repeated(NamedTuple):
    """URLs that the site's sitemaps list more than once."""

    urls: int
    entries: int
    examples: list[tuple[str, int]]
    """(URL, how often), the most often first."""


class Sitemaps(Protocol):
    """The sitemap files of a site, as it named them."""

    def has_named(self, url: str) -> bool:
        """Whether this file named URLs of the site in the run before."""

    def unread(self, read: Iterable[str], grace: int) -> Iterator[list[KeptEntry]]:
        """Entries of all other files in the run before, some at a time.

        ``read``: files that were read as a whole. ``grace``: runs that an entry is kept for.
        """

    def mark(self, url: str) -> SitemapMark | None:
        """By what a file may be asked for conditionally."""

    def is_unreliable(self, url: str) -> bool:
        """Whether a file was said to be as it was when it was another one."""

    def body(self, url: str) -> bytes:
        """The file with that mark, as it came."""

    def files(self) -> list[dict[str, Any]]:
        """All of them, in URL order: the fields of SitemapFile and its counts."""

    def priorities(self) -> Iterator[tuple[int, str]]:
        """(key, priority as written) of each entry that has one."""

    def repeated(self, examples: int) -> Repeated:
        """What they list more than once, with so many examples."""
