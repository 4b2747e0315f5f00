"""What flows from the spider to the store: pages, links and sitemap files.

Who decides about a URL: ``core/eligibility.py``. Who keeps these: ``store/``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.verdicts import Reason

if TYPE_CHECKING:
    from sitemapgen.verdicts import Verdict


class Revisit(IntEnum):
    """How a run treats a page that the run before read."""

    FETCHED = 0
    """It is requested, as a new one is."""
    SKIPPED_UNCHANGED = 1
    """It is not requested: its date in the site's sitemap has not moved."""
    SPOT_CHECK = 2
    """The same, and it is requested all the same, to test whether the date is right."""
    OVER_BUDGET = 3
    """It is not requested: other pages are worth more of the ``max_pages`` requests."""


class Validation(IntEnum):
    """What an answer shows of the marks (ETag, Last-Modified) by which a page was asked for."""

    NOTHING = 0
    """It was not asked for by any."""
    CHANGED = 1
    """The server said that it is another one, and sent it."""
    UNCHANGED = 2
    """The server said that it is as it was, and was believed."""
    CHECKED = 3
    """The server said so, and the page was read all the same."""


class Judgement(NamedTuple):
    """A verdict and what it rests on."""

    verdict: Verdict
    evidence: str
    """One line that a site owner can check: a header, a target URL, a robots.txt line."""
    other_url: str = ""
    """Where it redirects to, its canonical, or the path that a soft 404 answers like."""
    reason: Reason = Reason.NONE


class Ruling(NamedTuple):
    """The verdict on a page when the whole site is known."""

    key: int
    verdict: Verdict
    evidence: str
    other: int = 0
    """Key of the URL that completes the evidence; 0 where it is complete."""
    other_url: str = ""
    """The URL that the evidence is about, where ``other`` is 0; empty for none."""
    reason: Reason = Reason.NONE


class Suspicion(NamedTuple):
    """Why a URL may be one of endlessly many; ``core/traps.py`` finds it."""

    kind: str
    """``repeating_path``, ``growing_url``, ``calendar``, ``pagination``, ``facets``,
    ``parameter``, ``session_id`` or ``numbers``."""
    family: str
    """The form of the URL without its words and values: ``/*/{month}``, ``/*?colour=&size=``."""


class FileHint(NamedTuple):
    """The form of a URL whose path ends like a file that is no page; ``core/file_hints.py``."""

    directory: str
    """``/src/{n}/``, ``/wiki/File:``."""
    extension: str
    """Lower case, without its dot."""


class Sighting(NamedTuple):
    """A link whose form was repaired, or that leads where no search engine follows."""

    kind: str
    """``session_id``, ``host_alias`` (another name of this site), ``hash_route`` or
    ``unread_links`` (those of a page beyond the most that are followed)."""
    pattern: str
    """``sid=``, the other origin, the document that all routes behind its ``#`` are, or the page
    with the unread links."""
    example: str
    """A URL; of unread links their number."""


class LinkLabel(NamedTuple):
    """One link of a page: a row of links.csv."""

    target: str
    """Absolute URL, also of another site."""
    kind: str
    """``link``, ``area``, ``frame``, ``refresh``, ``redirect``, ``canonical``, ``next``, ``prev``
    or ``alternate``."""
    text: str
    """At most 200 characters."""
    nofollow: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One edge of the link graph, as far as its target goes."""

    url: str
    key: int
    """``core.urls.key(url)``: the 64-bit identity of the target."""
    nofollow: bool = False
    """Recorded, but it does not bring its target into the frontier."""
    refusal: Judgement | None = None
    """Why the target may never be fetched; None if it may."""
    suspicion: Suspicion | None = None
    """Why the target waits until ordinary pages are done; None if it need not."""
    file: FileHint | None = None
    """Set where the target ends like a file: it waits, too, and its suspicion is found later."""
    list_url: str = ""
    """The URL of the list whose pages are numbered, without the number; empty for others."""
    same_list: bool = False
    """The page that links and the target are pages of one list: ``core/pagination.py``."""


class Video(NamedTuple):
    """A <video:video> of a sitemap entry: as it was written, or as a page says it."""

    title: str = ""
    thumbnail: str = ""
    content: str = ""
    """URL of the video itself."""
    player: str = ""
    """URL of a page that plays it."""
    description: str = ""
    duration: int = 0
    """Seconds; 0 where nobody says."""
    published: str = ""
    """W3C datetime."""


class News(NamedTuple):
    """The <news:news> of a sitemap entry: as it was written, or as a page says it."""

    publication: str = ""
    language: str = ""
    date: str = ""
    title: str = ""


class Extensions(NamedTuple):
    """What a sitemap entry says beyond the protocol, in Google's extensions."""

    images: tuple[str, ...] = ()
    """The <image:loc> of each image."""
    videos: tuple[Video, ...] = ()
    news: News | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    """(hreflang, href) of each <xhtml:link rel="alternate">."""


READER_VERSION = 1
"""The version of what is read out of a page: a larger one has every page read again in the next run
(``core/document/pages.py``). It rises when the same document would make another ``Page``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One fetched URL: what it answered, what was found in it, what is thought of it."""

    url: str
    key: int
    judgement: Judgement
    status: int | None = None
    """The HTTP status; None when no answer came."""
    links: tuple[Link, ...] = ()
    """Distinct, in document order; of a redirect the first is its target, and of one by status
    the only one."""
    malformed_links: int = 0
    """How many hrefs were no http(s) URL at all."""
    offsite_links: int = 0
    """How many hrefs lead to another origin."""
    sightings: tuple[Sighting, ...] = ()
    sketch: bytes = b""
    """Of a suspect: ``core.novelty.sketch`` of its main text."""
    title: str = ""
    excerpt: str = ""
    """The first 2,000 characters of the main text."""
    text_hash: int | None = None
    """64-bit hash of the main text; None when there is too little of it to compare."""
    content_hash: int | None = None
    """The same over all that has to agree before two pages are called one: main text, title,
    language, images."""
    subject: int | None = None
    """64-bit hash of title, heading and language; None when there are none, or no signature."""
    signature: bytes = b""
    """``core.shingles.signature``: what nearly the same pages are told by; empty when there is too
    little text."""
    pictures: bytes = b""
    """Of a page with pictures and no signature: ``core.shingles.signed_media`` of those."""
    text_length: int = 0
    """Characters of the main text, white space not counted."""
    language: str = ""
    canonical: str = ""
    """The canonical URL that the page names, normalised; empty when it names none. Several,
    separated by spaces, contradict each other."""
    alternates: tuple[int, ...] = ()
    """Keys of the site's URLs that the page names as its versions in other languages."""
    etag: str = ""
    last_modified: str = ""
    """The Last-Modified header as it came."""
    answered: int = 0
    """When the document was served, in seconds since 1970 UTC; 0 for what is no document."""
    claims: str = ""
    """When the page says that it changed: ``core.lastmod.pack``."""
    lastmod: str = ""
    """W3C datetime by the page alone; empty without evidence."""
    lastmod_source: str = ""
    lastmod_evidence: str = ""
    """The date as the page wrote it, and what was not believed."""
    extensions: Extensions | None = None
    """What its sitemap entry may say beyond the protocol; None when nobody asked."""
    labels: tuple[LinkLabel, ...] | None = None
    """Texts and attributes of its links, those to other sites included; None if not wanted."""
    is_lasting: bool = False
    """All this holds for as long as the server says that nothing changed."""
    revisit: Revisit = Revisit.FETCHED
    validation: Validation = Validation.NOTHING
    is_carried: bool = False
    """It was not read again: what is not said here is as the run before read it."""
    failures: int = 0
    """Of a carried page: runs in a row, this one included, in which it gave no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlItem:
    """One URL that a crawl saw, at its end: an item of Scrapy's feeds.

    The fields of urls.csv, in its order, and what the page says.
    """

    url: str
    verdict: str
    evidence: str
    status: int | None
    depth: int | None
    parent: str | None
    in_degree: int
    canonical: str | None
    lastmod: str | None
    lastmod_source: str | None
    title: str | None
    lastmod_evidence: str | None
    pagerank: float | None
    in_sitemap: int
    reached: int
    text: str = ""
    """The first 2,000 characters of the main text; empty for what is no page."""
    links: list[str] = field(default_factory=list)
    """Absolute URLs of the site that it links to: followed links first, then nofollow ones."""


class SitemapEntry(NamedTuple):
    """One URL of a sitemap that the site already has, the fields as they were written."""

    url: str
    lastmod: str = ""
    """Of a feed: its date, as a W3C datetime where it could be read."""
    changefreq: str = ""
    priority: str = ""
    extensions: Extensions | None = None


class SitemapCounts(NamedTuple):
    """What there is in one sitemap file, in numbers. With ``entries`` as the whole: the shares
    of the paper's Table 1."""

    entries: int = 0
    children: int = 0
    """How many sitemap files an index lists."""
    unread: int = 0
    """How many of them were not asked for; the error says why."""
    malformed: int = 0
    """Entries that are no http(s) URL."""
    offsite: int = 0
    """Entries of another site."""
    outside_location: int = 0
    """Entries of the site that the file may not list where it stands."""
    with_lastmod: int = 0
    with_changefreq: int = 0
    with_priority: int = 0
    with_images: int = 0
    with_video: int = 0
    with_news: int = 0
    with_hreflang: int = 0


class SitemapDocument(NamedTuple):
    """A sitemap file as it came, to be read again where the server says that nothing changed."""

    location: str
    """Where redirects of its URL led."""
    etag: str
    last_modified: str
    """As they came; both empty once they have said that another file was the same."""
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """One sitemap file of the site, read or failed."""

    url: str
    found: str
    """Who named it: ``robots``, ``argument``, ``usual_path`` or ``index``."""
    parent: str = ""
    """The sitemap index that lists it; empty for the others."""
    format: str = ""
    """``urlset``, ``index``, ``text``, ``rss``, ``atom``, ``rdf``; empty when unreadable."""
    error: str = ""
    counts: SitemapCounts = field(default_factory=SitemapCounts)
    offsite_examples: tuple[str, ...] = ()
    """The first few of the entries of other sites, which are kept nowhere else."""
    document: SitemapDocument | None = None
    """What is kept of it for the next run; None leaves what is."""
    entries: tuple[tuple[SitemapEntry, Link], ...] = ()
    """Its entries of this site, each with the link that it makes."""
    kept_for: int = 0
    """Runs in a row, this one included, in which these entries are those of an earlier one."""
