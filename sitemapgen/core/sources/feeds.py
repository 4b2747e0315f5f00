"""Feeds that the start page names: RSS 2.0, RSS 1.0 and Atom (RFC 4287).

A feed has the newest pages of a site. The date of an item of RSS is that of its publication
(``pubDate``), which a later change leaves as it is: it is no date of change. ``updated`` of Atom is
one, by RFC 4287 section 4.2.15; but that of the response is the clock of a feed that has no dates.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import urljoin, urlsplit

from sitemapgen.core.lastmod import CLOCK_SECONDS, http_date, iso_date
from sitemapgen.core.sitemap_files.read import read_sitemap
from sitemapgen.core.sources.reading import (
    Answer,
    Ask,
    Reader,
    Response,
    SourceRecord,
    Statement,
    Unreadable,
    zoned_time,
)
from sitemapgen.items import SitemapEntry

TYPES = ("application/atom+xml", "application/rss+xml")
"""Media types of feeds; those with dates of changes are preferred."""
FORMATS = frozenset({"atom", "rss", "rdf"})
DATED = "atom"
COMMENTS = "comment"
"""Part of the URL of a feed of comments, which names no further pages."""
PART = "entries"
MOST = 1_000
"""Maximum of the entries that are read."""


class Feeds(Reader):
    """The first feed on the site's own host.

    Entries with a query add no URLs: feeds of wikis and repositories name comparisons of versions.
    Pages that have one are linked somewhere, as they are without a feed.
    """

    system = "feed"

    def first(self, statement: Statement) -> Ask | None:
        own = urlsplit(statement.url)[:2]
        named = [
            (TYPES.index(kind), link.href)
            for link in statement.links
            if "alternate" in link.rel
            and (kind := link.type.partition(";")[0].strip()) in TYPES
            and urlsplit(link.href)[:2] == own
            and COMMENTS not in link.href.lower()
        ]
        if not named:
            return None
        _, url = min(named, key=lambda each: each[0])
        return Ask(url, PART)

    def answer(self, ask: Ask, response: Response) -> Answer:
        feed = read_sitemap(response.body, max_entries=MOST)
        if feed.format not in FORMATS:
            raise Unreadable(feed.error or "the answer is no feed")
        is_dated = feed.format == DATED
        served = http_date(response.headers.get("date", ""))
        clock = served and served - timedelta(seconds=CLOCK_SECONDS)
        found: dict[str, str] = {}
        for entry in feed.entries:
            url, changed = _page_of_entry(ask.url, entry)
            if url:
                moment = iso_date(changed)
                is_clock = clock and isinstance(moment, datetime) and moment > clock
                is_change = is_dated and not is_clock
                found[url] = found.get(url) or (changed if is_change else "")
        records = (SourceRecord(url, changed, "?" not in url) for url, changed in found.items())
        return Answer(tuple(records), error=feed.error)


def _page_of_entry(base: str, entry: SitemapEntry) -> tuple[str, str]:
    """Return the page of an entry, empty for none, and its date; a part of a page has none.

    Where the link leads to another site, as in link blogs, it is the entry's URL on this one.
    """
    own, url = _site_of_url(base), entry.url
    try:
        url = urljoin(base, url)
    except ValueError:
        url = ""
    if _site_of_url(url) != own and _site_of_url(entry.permalink) == own:
        url = entry.permalink
    url, mark, _ = url.partition("#")
    return url, "" if mark or not url else zoned_time(entry.lastmod)


def _site_of_url(url: str) -> tuple[str, str]:
    """Return scheme and host; both empty if the URL is invalid."""
    try:
        return urlsplit(url)[:2]
    except ValueError:
        return "", ""
