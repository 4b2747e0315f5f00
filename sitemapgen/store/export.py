"""Protocol of the store for whole tables: every page, link, visit and change of verdict.

Each method streams its rows, so that memory is bounded whatever the size of the state. Results for
reports, with URLs instead of keys: ``results.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class PageRow(NamedTuple):
    """One URL that the last run saw; None where a value does not exist. Times: seconds, UTC."""

    key: int
    url: str
    verdict: str | None
    reason: str | None
    evidence: str | None
    other_url: str | None
    status: int | None
    depth: int | None
    parent_key: int | None
    in_degree: int
    pagerank: float | None
    reached: int
    """1 if followed links lead from the start URL to this one, else 0."""
    in_sitemap: int
    """1 if the site's own sitemaps list the URL, else 0."""
    canonical: str | None
    language: str | None
    title: str | None
    text_length: int | None
    lastmod: str | None
    """A W3C datetime."""
    lastmod_source: str | None
    lastmod_evidence: str | None
    visited: int | None
    first_linked: float | None
    first_in_sitemap: float | None
    render_seconds: float | None


class LinksRow(NamedTuple):
    """The links of one page: keys of their targets, 8 bytes each, in native byte order."""

    source: int
    followed: bytes
    nofollow: bytes


class ChangeRow(NamedTuple):
    """A URL whose verdict or lastmod a run changed."""

    run: int
    key: int
    url: str
    verdict: str | None
    """None: no link and no sitemap names the URL any more."""
    verdict_before: str | None
    """That of the run before; None: no run had seen the URL, or the one before had not."""
    lastmod: str | None
    """A W3C datetime; None or empty without one."""


class VisitRow(NamedTuple):
    """A visit of a page that answered; what it changed is None at the first visit."""

    run: int
    key: int
    visited: int
    text_changed: int | None
    links_changed: int | None
    directives_changed: int | None


class RunRow(NamedTuple):
    """One run. Times: seconds since 1970, UTC."""

    run: int
    start: str
    """The start URL after redirects; empty if it never answered."""
    started: float
    ended: float | None
    reason: str | None
    is_complete: int | None
    """0: a cap left URLs unfetched; None: the run was not concluded."""
    version: str


class Export(Protocol):
    """Whole tables, read only."""

    def runs(self) -> list[RunRow]:
        """Return the runs, in their order."""

    def pages(self) -> Iterator[PageRow]:
        """Yield every URL seen in the last run, by key."""

    def links(self) -> Iterator[LinksRow]:
        """Yield the links of every page read in the last run, by key."""

    def changes(self) -> Iterator[ChangeRow]:
        """Yield the changes of verdicts and dates of all runs, by run and key."""

    def visits(self) -> Iterator[VisitRow]:
        """Yield the visits of all runs, by run and key."""
