"""Protocol of the store for links to other sites, and what their check has found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection

    from sitemapgen.core.external import Finding, Outcome

MAX_CHARACTERS = 20_000_000
"""Maximum length of all distinct URLs on other sites together: some 200,000 URLs, 40 MB of the
state."""


class ExternalHost(NamedTuple):
    """A host of other sites, and the links to it."""

    host: str
    """With the port, if it has one."""
    urls: int
    links: int
    """Each page counts once for each URL."""
    pages: int


class ExternalLinks(NamedTuple):
    """The links to other sites."""

    urls: int
    links: int
    pages: int
    """Number of pages with such a link."""
    unkept: int
    """Number of further links, to URLs beyond ``MAX_CHARACTERS``."""
    hosts: list[ExternalHost]
    """Those with the most pages first, then by name."""


class BrokenUrl(NamedTuple):
    """A URL of another site that does not work."""

    url: str
    outcome: Outcome
    evidence: str
    links: int
    pages: list[str]
    """The first pages that link to it, in URL order."""


class External(Protocol):
    """The links to other sites, and the results of their check in this run."""

    def unchecked(self, limit: int) -> list[str]:
        """Return those of the first ``limit`` URLs that have no result yet.

        Their order: by the number of pages that link to them, the most first, then by URL.
        """

    def keep(self, url: str, finding: Finding) -> None:
        """Keep the result for a URL."""

    def links(self) -> ExternalLinks:
        """Count the links of the pages that were read."""

    def outcomes(self) -> dict[Outcome, int]:
        """Count the URLs by their results; those that were not checked are left out."""

    def broken(
        self, outcomes: Collection[Outcome], examples: int, pages: int
    ) -> tuple[int, int, list[BrokenUrl]]:
        """Return (number of URLs, number of links to them, the first ``examples`` of them).

        Of URLs with one of these outcomes that pages link to, those with the most links first, then
        by URL; each with its first ``pages`` pages.
        """
