"""Feeds of the latest changes of the site: RSS 2.0 and Atom (RFC 4287).

A feed has only changes that a crawl observed or that a trusted source dates. Every date in it is
that of a change, never the time at which the feed was written.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, time, timezone
from email.utils import format_datetime
from typing import NamedTuple

from sitemapgen.core.document.texts import line
from sitemapgen.core.lastmod import iso_date
from sitemapgen.core.urls import authority
from sitemapgen.publish.formats import escaped
from sitemapgen.publish.sections import MAX_TITLE
from sitemapgen.store.results import TitledRow

ENTRIES = 100
"""Maximum number of changes in a feed."""

_ATOM = "http://www.w3.org/2005/Atom"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


class FeedItem(NamedTuple):
    """A page in a feed."""

    url: str
    title: str
    changed: datetime
    """UTC."""


def latest_changes(rows: Iterable[TitledRow]) -> list[FeedItem]:
    """Return the pages that changed last, newest first, equal dates by URL."""
    changes = (
        FeedItem(row.url, line(row.title, MAX_TITLE) or row.url, moment)
        for row in rows
        if row.lastmod and row.is_trusted and (moment := _parse_lastmod(row.lastmod))
    )
    return heapq.nsmallest(ENTRIES, changes, key=lambda each: (-each.changed.timestamp(), each.url))


def _parse_lastmod(lastmod: str) -> datetime | None:
    """Parse a W3C datetime; a day without a time is its midnight in UTC."""
    found = iso_date(lastmod)
    if found is None or isinstance(found, datetime):
        return found
    return datetime.combine(found, time.min, timezone.utc)


def write_rss(changes: Sequence[FeedItem], start: str, title: str, url: str) -> bytes:
    """Return an RSS 2.0 document (rssboard.org) of at least one change; ``url`` is its own."""
    items = "".join(
        f"    <item>\n      <title>{escaped(each.title)}</title>\n"
        f"      <link>{escaped(each.url)}</link>\n"
        f'      <guid isPermaLink="true">{escaped(each.url)}</guid>\n'
        f"      <pubDate>{format_datetime(each.changed, usegmt=True)}</pubDate>\n    </item>\n"
        for each in changes
    )
    newest = format_datetime(changes[0].changed, usegmt=True)
    return (
        f'{_DECLARATION}<rss version="2.0" xmlns:atom="{_ATOM}">\n  <channel>\n'
        f"    <title>{escaped(title)}</title>\n    <link>{escaped(start)}</link>\n"
        f"    <description>{escaped(_describe_feed(start))}</description>\n"
        f"    <lastBuildDate>{newest}</lastBuildDate>\n    <generator>sitemapgen</generator>\n"
        f'    <atom:link href="{escaped(url)}" rel="self" type="application/rss+xml"/>\n'
        f"{items}  </channel>\n</rss>\n"
    ).encode()


def write_atom(changes: Sequence[FeedItem], start: str, title: str, url: str) -> bytes:
    """Return an Atom document of at least one change; ``url`` is its own, and its id."""
    entries = "".join(
        f"  <entry>\n    <title>{escaped(each.title)}</title>\n    <id>{escaped(each.url)}</id>\n"
        f'    <link rel="alternate" type="text/html" href="{escaped(each.url)}"/>\n'
        f"    <updated>{_format_rfc3339(each.changed)}</updated>\n  </entry>\n"
        for each in changes
    )
    return (
        f'{_DECLARATION}<feed xmlns="{_ATOM}">\n  <title>{escaped(title)}</title>\n'
        f"  <subtitle>{escaped(_describe_feed(start))}</subtitle>\n  <id>{escaped(url)}</id>\n"
        f'  <link rel="alternate" type="text/html" href="{escaped(start)}"/>\n'
        f'  <link rel="self" type="application/atom+xml" href="{escaped(url)}"/>\n'
        f"  <updated>{_format_rfc3339(changes[0].changed)}</updated>\n"
        f"  <author>\n    <name>{escaped(authority(start))}</name>\n  </author>\n"
        f"  <generator>sitemapgen</generator>\n{entries}</feed>\n"
    ).encode()


FORMATS: Mapping[str, tuple[str, Callable[[Sequence[FeedItem], str, str, str], bytes]]] = {
    "rss": ("sitemap.rss", write_rss),
    "atom": ("sitemap.atom", write_atom),
}
"""By format, its file name, from whose suffix web servers derive the media type, and its writer."""


def _describe_feed(start: str) -> str:
    return f"The latest changes of {authority(start)}"


def _format_rfc3339(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ").zfill(20)
