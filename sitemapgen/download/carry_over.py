"""Carry-over of the previous run's pages, for URLs that are not, or cannot be, fetched now."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

from scrapy.http import Response

from sitemapgen.core.document.pages import is_confirmed, remarked_page
from sitemapgen.core.eligibility import admit_url
from sitemapgen.core.links import LinkReader
from sitemapgen.download.responses import headers_of
from sitemapgen.items import Link, Page
from sitemapgen.store import Store
from sitemapgen.verdicts import Verdict


class CarryOver:
    """Carries pages of the previous run over into this one."""

    def __init__(self, store: Store, grace_runs: int) -> None:
        """``grace_runs``: number of runs for which a listed page stays listed while it fails."""
        self._previous_run = store.previous_run
        self._grace_runs = grace_runs

    def page(self, link: Link, reader: LinkReader, response: Response | None = None) -> Page | None:
        """Return a page as the previous run has it; None if it has not.

        ``response``: the 304 Not Modified for it; a new Last-Modified updates the dates. None as
        well if its headers state something else than those of the stored response.
        """
        previous = self._previous_run.page(link.key)
        if previous is None:
            return None
        links = []
        for url, nofollow in previous.links:
            target = reader.known(url)
            links.append(replace(target, nofollow=True) if nofollow else target)
        page = Page(
            url=link.url,
            key=link.key,
            judgement=admit_url(link.url, reader.rules) or previous.judgement,
            status=200,
            links=tuple(links),
            canonical=previous.canonical,
            alternates=previous.alternates,
            is_carried=True,
        )
        if response is None:
            return page
        headers, now = headers_of(response), datetime.now(timezone.utc)
        if not is_confirmed(page, headers, reader, now):
            return None
        last_modified = headers.get("last-modified", [""])[0]
        if last_modified in ("", previous.last_modified):
            return page
        return remarked_page(page, previous.claims, headers, now)

    def within_grace_period(self, page: Page, reader: LinkReader) -> Page:
        """Return a failing page in its previous, listed state during its grace period."""
        previous = self._previous_run.page(page.key)
        if (
            previous is None
            or previous.judgement.verdict is not Verdict.LISTED
            or previous.failures >= self._grace_runs
            or (carried := self.page(Link(url=page.url, key=page.key), reader)) is None
        ):
            return page
        judgement = carried.judgement
        if judgement.verdict is Verdict.LISTED:
            judgement = page.judgement._replace(verdict=Verdict.LISTED)
        is_rendered = page.judgement.verdict is not Verdict.UNRENDERABLE
        return replace(
            carried,
            judgement=judgement,
            status=page.status if is_rendered else None,
            failures=previous.failures + 1,
        )
