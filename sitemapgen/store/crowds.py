"""Protocol of the store for directories of plain URLs that may be endless."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sitemapgen.analysis.crowds import PlainUrl
    from sitemapgen.analysis.made_up import MadeUp


class Answers(NamedTuple):
    """The responses of a directory to made-up URLs, which no page links to."""

    directory: str
    answers: list[MadeUp]
    usual_length: float
    """Mean length in characters of the main text of its listed pages."""


class Crowds(Protocol):
    """The plain URLs of a store, directory by directory."""

    def plain_urls(self) -> Iterator[PlainUrl]:
        """Yield the plain URLs that are not held back."""

    def asked(self) -> Mapping[str, int]:
        """Return, by directory, the number of its listed pages when it was last probed."""

    def hold(self, directory: str, kind: str) -> None:
        """Hold back the present and future URLs of a directory as suspects of this kind."""

    def listed(self, directory: str, count: int) -> list[str]:
        """Return the first listed URLs in a directory, in the order of a hash."""

    def begin(self, directory: str, listed: int) -> None:
        """Forget what a directory has answered. ``listed``: its number of listed pages so far."""

    def ask(self, directory: str, urls: Iterable[str]) -> None:
        """Put made-up URLs of a directory into the frontier, unless it was asked for them."""

    def answers(self) -> list[Answers]:
        """Return all responses of the directories that have new ones since the last call."""

    def leave(self, directory: str, reason: str) -> None:
        """Hold back the present and future URLs of a directory as an endless space."""

    def leave_out_made_up(self) -> None:
        """Give the fetched pages of directories that were left the verdict ``trap``.

        A page stays to which a page outside of its directory links, or that the site names
        elsewhere; and all of the start URL's directory, which the site's own pages share.
        """
