"""Rules for which sitemap files may be read, and which of their URLs belong to the site.

Reading them: ``sitemaps.py``. Requesting them: ``spiders/sitemap_files.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.addresses import REFUSAL
from sitemapgen.core.urls import directory, is_private, is_same_site, parse, split
from sitemapgen.items import SitemapCounts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sitemapgen.core.links import LinkReader
    from sitemapgen.core.sitemap_files.read import Sitemap
    from sitemapgen.core.urls import Site
    from sitemapgen.items import Link, SitemapEntry

USUAL_PATHS = ("/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml", "/sitemap.txt")
"""Tried in this order, up to the first that is one, where nobody names any."""
MAX_LEVELS = 3
"""An index, the indexes that it lists, and theirs."""
MAX_FAILURES = 100
"""So many files of one index that cannot be read, one after the other: the rest is left alone."""
EXAMPLES = 5
"""Entries of other sites that are kept of a file."""
_EXAMPLE_LENGTH = 200

ROBOTS, ARGUMENT, USUAL_PATH, INDEX = "robots", "argument", "usual_path", "index"
"""How a file was found."""


class Named:
    """The sitemap files that robots.txt and the user name, and which others these vouch for.

    A file of another host is read only when one of the two names it. Of an index on another host
    the files next to it are read too, and those of the site. Source: sitemaps.org/protocol.html,
    "Sitemaps & Cross Submits" and "Using Sitemap index files" ("can only specify Sitemaps that are
    found on the same site as the Sitemap index file").
    """

    def __init__(self, start: str, robots: Iterable[str], arguments: Iterable[str]) -> None:
        """``robots``: the values of the Sitemap lines as written; ``arguments`` are normalised."""
        self.start = start
        base = split(start).origin + "/robots.txt"
        named = ((parse(value, base), ROBOTS) for value in robots)
        self.files = {url: found for url, found in named if url}
        for url in arguments:
            self.files.setdefault(url, ARGUMENT)

    def refusal(self, url: str, near: str) -> str:
        """Why ``url``, to which a file at ``near`` leads, may not be read; empty if it may."""
        if is_same_site(url, self.start) or split(url).origin == split(near).origin:
            return ""
        found = self.files.get(url)
        if found is None:
            return "on another host, and robots.txt does not name it"
        return self.intrusion(url) if found == ROBOTS else ""

    def intrusion(self, url: str) -> str:
        """Describe that a public site leads into a private network; empty if it does not."""
        if is_private(url) and not is_private(self.start):
            return REFUSAL
        return ""


class Sorted(NamedTuple):
    """What a file lists, by whose it is."""

    counts: SitemapCounts
    entries: tuple[tuple[SitemapEntry, Link], ...]
    offsite_examples: tuple[str, ...]


def sort_entries(sitemap: Sitemap, *, base: str, location: str, reader: LinkReader) -> Sorted:
    """Resolve what a file lists against ``base``, keep what is the site's own, count the rest.

    ``location`` is where its URLs have to be (``allowed_location``). One that is elsewhere within
    the site is kept: it is fetched before it is listed.
    """
    site = reader.rules.site
    kept: list[tuple[SitemapEntry, Link]] = []
    examples: list[str] = []
    malformed = offsite = outside = 0
    for entry in sitemap.entries:
        url = site.resolve(entry.url, base)
        if url is None:
            malformed += 1
        elif site.owns(url):
            outside += not url.startswith(location)
            kept.append((entry, reader.link(url)))
        else:
            offsite += 1
            if len(examples) < EXAMPLES:
                examples.append(url[:_EXAMPLE_LENGTH])
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
        with_images=sum(1 for said in extensions if said.images),
        with_video=sum(1 for said in extensions if said.videos),
        with_news=sum(1 for said in extensions if said.news),
        with_hreflang=sum(1 for said in extensions if said.alternates),
    )
    return Sorted(counts, tuple(kept), tuple(examples))


def allowed_location(url: str, site: Site, *, is_vouched_for: bool) -> str:
    """The prefix of all URLs that the sitemap at ``url`` may list.

    Everything below its own directory; the whole site if robots.txt names the file, or the index
    that lists it (sitemaps.org/protocol.html, "Sitemap file location").

    >>> site = Site(origin="https://example.com")
    >>> allowed_location("https://example.com/shop/s.xml", site, is_vouched_for=False)
    'https://example.com/shop/'
    """
    return f"{site.origin}/" if is_vouched_for else directory(site.resolve(url) or url)


def faults(error: str, counts: SitemapCounts, location: str) -> str:
    """Add to what is wrong with a file what is wrong with its entries, in one line."""
    return "; ".join(_faults(error, counts, location))


def _faults(error: str, counts: SitemapCounts, location: str) -> Iterator[str]:
    if error:
        yield error
    if counts.malformed:
        yield f"{counts.malformed:,} of its entries are no http(s) URL"
    if counts.outside_location:
        yield (
            f"{counts.outside_location:,} of its URLs are not under {location}, where it stands; "
            "only robots.txt could allow them"
        )
