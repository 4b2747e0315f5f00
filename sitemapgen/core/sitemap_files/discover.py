"""Rules for which sitemap files may be read, and which of their URLs belong to the site.

``read.py`` reads the files, ``spiders/sitemap_files.py`` requests them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sitemapgen.core.addresses import REFUSAL
from sitemapgen.core.urls import Site, directory, is_private, is_same_site, parse, split
from sitemapgen.core.words import agree, clauses, counted
from sitemapgen.items import Link, SitemapCounts, SitemapEntry

if TYPE_CHECKING:
    from sitemapgen.core.links import LinkReader
    from sitemapgen.core.sitemap_files.read import Sitemap

USUAL_PATHS = ("/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml", "/sitemap.txt")
"""Paths tried in this order, up to the first sitemap, if neither robots.txt nor the user names one.
"""
MAX_LEVELS = 3
"""Maximum levels of nested indexes that are followed."""
MAX_FAILURES = 100
"""Consecutive unreadable files of one index after which the rest of the index is skipped."""
EXAMPLES = 5
"""Entries of other sites kept as examples per file."""
_EXAMPLE_LENGTH = 200

ROBOTS, ARGUMENT, USUAL_PATH, INDEX = "robots", "argument", "usual_path", "index"
"""Ways in which a file was found."""


class Named:
    """Sitemap files that robots.txt and the user name, and the rule for which others may be read.

    A file on another host is read only if one of the two names it. An index on another host may
    also list files of its own host and of the site. Source: sitemaps.org/protocol.html,
    "Sitemaps & Cross Submits" and "Using Sitemap index files" ("can only specify Sitemaps that are
    found on the same site as the Sitemap index file").
    """

    def __init__(self, start: str, robots: Iterable[str], arguments: Iterable[str]) -> None:
        """``robots``: raw values of Sitemap lines; ``arguments``: the user's URLs, normalised."""
        self.start = start
        base = split(start).origin + "/robots.txt"
        named = ((parse(value, base), ROBOTS) for value in robots)
        self.files = {url: found for url, found in named if url}
        for url in arguments:
            self.files.setdefault(url, ARGUMENT)

    def refusal(self, url: str, near: str) -> str:
        """Return why ``url``, to which the file at ``near`` leads, may not be read, or nothing."""
        if is_same_site(url, self.start) or split(url).origin == split(near).origin:
            return ""
        found = self.files.get(url)
        if found is None:
            return "on another host, and robots.txt does not name it"
        return self.intrusion(url) if found == ROBOTS else ""

    def intrusion(self, url: str) -> str:
        """Return a refusal if a public site leads into a private network; empty if it does not."""
        if is_private(url) and not is_private(self.start):
            return REFUSAL
        return ""


def sort_entries(
    sitemap: Sitemap, *, base: str, location: str, reader: LinkReader
) -> tuple[SitemapCounts, tuple[tuple[SitemapEntry, Link], ...], tuple[str, ...]]:
    """Resolve the entries of a file against ``base``, keep the site's own, count the others.

    Returns (counts, the site's own, examples of the others). ``location`` is the required prefix of
    its URLs (``allowed_location``). Other URLs of the site are counted but kept: they are fetched
    before they are listed.
    """
    site = reader.rules.site
    kept: list[tuple[SitemapEntry, Link]] = []
    examples: list[str] = []
    malformed = offsite = outside = 0
    for entry in sitemap.entries:
        resolved = site.resolve_link(entry.url, base)
        if entry.permalink and (resolved.url is None or not site.owns(resolved.url)):
            page = site.resolve_link(entry.permalink, base)
            resolved = page if page.url and site.owns(page.url) else resolved
        if resolved.url is None:
            malformed += 1
        elif site.owns(resolved.url):
            outside += not resolved.url.startswith(location)
            kept.append((entry, reader.resolved(resolved)))
        else:
            offsite += 1
            if len(examples) < EXAMPLES:
                examples.append(resolved.url[:_EXAMPLE_LENGTH])
    extensions = [entry.extensions for entry in sitemap.entries if entry.extensions]
    counts = SitemapCounts(
        entries=len(sitemap.entries),
        children=len(sitemap.children),
        malformed=malformed,
        offsite=offsite,
        outside_location=outside,
        with_lastmod=sum(1 for entry in sitemap.entries if entry.lastmod),
        with_changefreq=sum(1 for entry in sitemap.entries if entry.changefreq),
        with_priority=sum(1 for entry in sitemap.entries if entry.priority),
        with_images=sum(1 for each in extensions if each.images),
        with_video=sum(1 for each in extensions if each.videos),
        with_news=sum(1 for each in extensions if each.news),
        with_hreflang=sum(1 for each in extensions if each.alternates),
    )
    return counts, tuple(kept), tuple(examples)


def allowed_location(url: str, site: Site, *, is_vouched_for: bool) -> str:
    """Return the prefix of all URLs that the sitemap at ``url`` may list.

    It is the file's own directory, or the whole site if robots.txt names the file or the index that
    lists it (sitemaps.org/protocol.html, "Sitemap file location").

    >>> from sitemapgen.core.urls import Site
    >>> site = Site(origin="https://example.com")
    >>> allowed_location("https://example.com/shop/s.xml", site, is_vouched_for=False)
    'https://example.com/shop/'
    """
    return f"{site.origin}/" if is_vouched_for else directory(site.resolve(url) or url)


def join_faults(error: str, counts: SitemapCounts, location: str) -> str:
    """Join the error of a file and the faults of its entries, in one line."""
    count = counts.outside_location
    return clauses(
        (len(error), error),
        (
            counts.malformed,
            f"{counted(counts.malformed, 'entry is', 'entries are')} no http(s) URL",
        ),
        (
            count,
            f"{counted(count, 'URL is', 'URLs are')} not under {location}, where the file stands; "
            f"only robots.txt could allow {agree(count, 'it', 'them')}",
        ),
        joint="; ",
    )
