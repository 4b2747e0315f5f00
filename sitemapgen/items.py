"""Items that flow from the spider to the store: pages, links and sitemap files.

Verdicts on URLs: ``core/eligibility.py``. Storage: ``store/``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import IntEnum, IntFlag
from typing import Any, NamedTuple

from sitemapgen.verdicts import Reason, Verdict


class Revisit(IntEnum):
    """How a run treats a page of the previous run."""

    FETCHED = 0
    """The page is requested, like a new one."""
    SKIPPED_UNCHANGED = 1
    """The page is not requested, as its date in the site's sitemap has not changed."""
    SPOT_CHECK = 2
    """The page is requested although its sitemap date has not changed, to test that date."""
    OVER_BUDGET = 3
    """The page is not requested, as ``max_pages`` was used for more important pages."""
    NOT_DUE = 4
    """The page is not requested, as its turn has not come: ``analysis/freshness/due.py``."""
    LEFT_OUT = 5
    """The page is not requested, as it had nothing of its own in the previous run."""

    @property
    def is_request(self) -> bool:
        """Whether the page is requested."""
        return self in (Revisit.FETCHED, Revisit.SPOT_CHECK)


class Validation(IntEnum):
    """The outcome of a conditional request (If-None-Match, If-Modified-Since) for a page."""

    NOTHING = 0
    """The request was not conditional."""
    CHANGED = 1
    """The server sent a new version of the page."""
    UNCHANGED = 2
    """The server answered 304 Not Modified, and the page was not read again."""
    CHECKED = 3
    """The server answered 304 Not Modified, but the page was read to check that."""


class Judgement(NamedTuple):
    """A verdict with its evidence."""

    verdict: Verdict
    evidence: str
    """One line that a site owner can check: a header, a target URL, a robots.txt line."""
    other_url: str = ""
    """The redirect target, the canonical URL, or the probe that a soft 404 resembles."""
    reason: Reason = Reason.NONE


CRASHED = Judgement(
    Verdict.FETCH_ERROR, "the crawler crashed twice while reading it", reason=Reason.CRASHED
)
MAX_WORKER_DEATHS = 4
"""Number of workers that may end while they have a page; it is left out then. The other pages that
they had are none of it: after the first time, one such page at a time is handed out."""
DEADLY = CRASHED._replace(evidence=f"{MAX_WORKER_DEATHS} workers ended while they had it")
LOST = Judgement(Verdict.FETCH_ERROR, "lost inside the crawler; see its log", reason=Reason.LOST)
"""A page, or a sitemap file, that was not read because of an error in the crawler."""


class Ruling(NamedTuple):
    """The verdict on a page that rests on the whole site."""

    key: int
    verdict: Verdict
    evidence: str
    other: int = 0
    """Key of the URL to be appended to the evidence; 0 for none."""
    other_url: str = ""
    """The URL that the evidence is about if ``other`` is 0; empty for none."""
    reason: Reason = Reason.NONE


class Suspicion(NamedTuple):
    """Why a URL may belong to an endless space; detected by ``core/shapes.py``."""

    kind: str
    """``repeating_path``, ``growing_url``, ``calendar``, ``pagination``, ``facets``,
    ``parameter``, ``session_id`` or ``numbers``."""
    family: str
    """The form of the URL without its words and values: ``/*/{month}``, ``/*?colour=&size=``."""


class FileHint(NamedTuple):
    """The form of a URL whose path ends like a file; detected by ``core/file_hints.py``."""

    directory: str
    """The form of the directory: ``/src/{n}/``, ``/wiki/File:``."""
    extension: str
    """The extension in lower case, without its dot."""


class Sighting(NamedTuple):
    """A link that was repaired, or that search engines do not follow."""

    kind: str
    """``session_id``, ``hash_route``, ``unread_links`` (those above the maximum of a page) or
    ``unreached`` (those that scrolling and buttons may show)."""
    pattern: str
    """By kind: ``sid=``, the document whose routes are behind ``#``, or the page with the unread
    links."""
    example: str
    """A URL; of ``unread_links`` their number, of ``unreached`` the reason in words."""


class LinkLabel(NamedTuple):
    """One link of a page: a row of links.csv."""

    target: str
    """The absolute URL, also on another site."""
    kind: str
    """``link``, ``area``, ``frame``, ``refresh``, ``redirect``, ``canonical``, ``next``, ``prev``
    or ``alternate``."""
    text: str
    """The text of the link, up to 200 characters."""
    nofollow: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The target of one link, with the attributes of the link."""

    url: str
    key: int
    """``core.urls.key(url)``: the 64-bit identity of the target."""
    nofollow: bool = False
    """Whether the link is nofollow: recorded, but its target is not put into the frontier."""
    refusal: Judgement | None = None
    """Why the target must not be fetched; None if it may be."""
    suspicion: Suspicion | None = None
    """Why the target waits until ordinary pages are done; None if it does not."""
    file: FileHint | None = None
    """Set if the target ends like a file: it waits as well, and its suspicion is found later."""
    linked: str = ""
    """The URL as it is linked, if slashes of it were merged and it may be fetched as well."""
    literal_key: int = 0
    """``core.urls.literal_key`` of the URL as it is linked; 0 if it is equal to ``key``."""


class Video(NamedTuple):
    """A <video:video> of a sitemap entry, or the same data of a page."""

    title: str = ""
    thumbnail: str = ""
    content: str = ""
    """URL of the video itself."""
    player: str = ""
    """URL of a page that plays the video."""
    description: str = ""
    duration: int = 0
    """Duration in seconds; 0 if unknown."""
    published: str = ""
    """Publication date as a W3C datetime."""


class News(NamedTuple):
    """The <news:news> of a sitemap entry, or the same data of a page."""

    publication: str = ""
    language: str = ""
    date: str = ""
    title: str = ""


class Extensions(NamedTuple):
    """The data of a sitemap entry in Google's extensions of the protocol."""

    images: tuple[str, ...] = ()
    """The <image:loc> of each image."""
    videos: tuple[Video, ...] = ()
    news: News | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    """(hreflang, href) of each <xhtml:link rel="alternate">."""


class SameDates(IntFlag):
    """What states the same as at the last visit of a page; a moved date leaves nothing."""

    IN_SITEMAP = 1
    """Its date in the site's sitemaps, if no system has a date for it."""
    OF_SYSTEM = 2
    """Its date of a system behind the site."""
    SILENCE = 4
    """All statements of the systems about all pages, if they have no date for this one, and it did
    not change at its last visit while they stated the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFacts:
    """Facts of a document that its page keeps as they are."""

    title: str = ""
    """``<title>`` without the site's name."""
    title_length: int | None = None
    """Number of characters of the title with the site's name; None if the URL is no document."""
    h1: str | None = None
    """Text of the first ``<h1>``, or the ``alt`` of its image; empty without one; None if the URL
    is no document."""
    excerpt: str = ""
    """The first 2,000 characters of the main text."""
    text_length: int = 0
    """Number of characters of the main text, without white space."""
    text_hash: int | None = None
    """Signed 64-bit hash of the main text without white space; None if there is too little text to
    compare."""
    content_hash: int | None = None
    """64-bit hash of everything that has to be equal in duplicates: main text, title, language,
    images, drawings, frames and players; of a page without ``text_hash`` all bytes of the document;
    None if that proves nothing."""
    subject: int | None = None
    """``core.document.shingles.hash_subject`` of title, the last ``<h1>`` and language; None
    without them, or without a signature."""
    signature: bytes = b""
    """``core.document.shingles.signature_of_parts`` of the main text, and of images, frames and
    players, by which near-duplicates are found; empty if there is too little text."""
    unbroken: bytes = b""
    """Bits of the shingles of the signature that lie within one text node, by which pages are found
    that show only what others show; empty without a signature."""
    language: str = ""
    """``<html lang>``, else ``<meta http-equiv=content-language>``; lower case."""
    sketch: bytes = b""
    """``core.document.novelty.sketch_page`` of the main text, images, players and drawings; empty
    unless requested."""


DOCUMENT_FACTS = tuple(each.name for each in fields(DocumentFacts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(DocumentFacts):
    """One fetched URL: its response, its content and its verdict.

    Workers send its fields (``cluster/messages.py``), and the table ``page`` has columns of their
    names.
    """

    url: str
    key: int
    judgement: Judgement
    status: int | None = None
    """The HTTP status; None without a response."""
    links: tuple[Link, ...] = ()
    """The distinct links in document order; of a redirect the first is its target, and of one by
    status the only one."""
    spelling: str = ""
    """Another spelling of its own URL, such as with its parameters in another order, to which it
    redirects or which it names as canonical; empty for none."""
    malformed_links: int = 0
    """Number of hrefs that are not http(s) URLs."""
    offsite_links: int = 0
    """Number of hrefs to other origins."""
    external: tuple[str, ...] = ()
    """Distinct URLs on other sites that it links to, normalised."""
    sightings: tuple[Sighting, ...] = ()
    description_length: int | None = None
    """Number of characters of the meta description; None if the URL is no document."""
    description_hash: int | None = None
    """64-bit hash of the meta description; None without one."""
    on_page: str = ""
    """``OnPage``, packed; empty if the URL is no document."""
    pictures: bytes = b""
    """``core.document.shingles.signed_media`` of a page with pictures and without a signature."""
    canonical: str = ""
    """The canonical URL that the page names, normalised; empty for none. Contradictory ones are
    separated by spaces."""
    alternates: tuple[int, ...] = ()
    """Keys of the site's URLs that the page names as versions in other languages."""
    etag: str = ""
    last_modified: str = ""
    """The Last-Modified header, unchanged."""
    answered: int = 0
    """Time of the response in seconds since 1970 UTC; 0 if it is not a document."""
    claims: str = ""
    """The dates of change that the page states, packed by ``core.lastmod.pack_claims``."""
    lastmod: str = ""
    """Date of the last change as a W3C datetime, from the page alone; empty without evidence."""
    lastmod_source: str = ""
    lastmod_evidence: str = ""
    """The date as written in the page, and the dates that were rejected."""
    extensions: Extensions | None = None
    """Data for Google's sitemap extensions; None if they were not requested."""
    labels: tuple[LinkLabel, ...] | None = None
    """Texts and attributes of all links, also to other sites; None if they were not requested."""
    markdown: str | None = None
    """The main text as Markdown, up to ``core.document.markdown.MAX_TEXT`` characters; None if it
    was not requested."""
    description: str | None = None
    """The meta description as one line, up to ``core.document.html.MAX_TITLE`` characters; None if
    it was not requested."""
    is_lasting: bool = False
    """Whether the page stays valid as long as the server answers 304 Not Modified."""
    revisit: Revisit = Revisit.FETCHED
    validation: Validation = Validation.NOTHING
    is_carried: bool = False
    """Whether the page was not read again; unset fields are then those of the previous run."""
    failures: int = 0
    """Number of runs in a row, this one included, in which a carried page failed."""


class OnPage(NamedTuple):
    """Facts of one document that SEO tools audit; each is a column of urls.csv."""

    h1s: int = 0
    """Number of ``<h1>`` elements."""
    words: int = 0
    """Number of words in the main text: ``core.document.on_page.count_words``."""
    images_without_alt: int = 0
    """Number of ``<img>`` without an ``alt`` attribute, even an empty one."""
    links_without_text: int = 0
    """Number of ``<a>`` with neither text, nor an image with ``alt``, nor a label or title."""
    nofollow_links: int = 0
    """Number of URLs of the site to which it has nofollow links only, without those that may not be
    requested."""
    mixed_content: int = 0
    """Number of distinct images, scripts, style sheets and frames of http: in a page of https."""
    invalid_json_ld: int = 0
    """Number of JSON-LD scripts that are no JSON."""
    incomplete_entities: int = 0
    """Number of entities of JSON-LD without a property that Google requires."""
    structured_data: str = ""
    """The types of the entities of JSON-LD, separated by spaces, in document order."""
    structured_data_faults: str = ""
    """What is wrong with the structured data, in words, separated by ``;``."""

    def pack(self) -> str:
        """Return the facts as they are stored, separated by tabs: the texts, then the numbers."""
        return "\t".join(map(str, self[-2:] + self[:-2]))

    @classmethod
    def of(cls, packed: str) -> OnPage:
        """Return the facts of ``pack``; numbers that were not known then are 0.

        >>> OnPage.of(OnPage(1, 20, structured_data="Product").pack())[:3]
        (1, 20, 0)
        """
        types, faults, *rest = packed.split("\t")
        numbers: list[Any] = list(map(int, rest))
        return cls(*numbers)._replace(structured_data=types, structured_data_faults=faults)


class SitemapEntry(NamedTuple):
    """One entry of a sitemap of the site, with its fields as written."""

    url: str
    lastmod: str = ""
    """The lastmod; for an entry of a feed its date, as a W3C datetime if it is valid."""
    changefreq: str = ""
    priority: str = ""
    extensions: Extensions | None = None
    permalink: str = ""
    """Of an entry of a feed another URL, which may be its page: its id, or a related link."""


class SitemapCounts(NamedTuple):
    """Counts of one sitemap file. Divided by ``entries``, they are the shares of Table 1 of
    Schonfeld and Shivakumar (2009)."""

    entries: int = 0
    children: int = 0
    """Number of sitemap files that an index lists."""
    unread: int = 0
    """Number of those files that were not requested; the error states the reason."""
    malformed: int = 0
    """Number of entries that are not http(s) URLs."""
    offsite: int = 0
    """Number of entries of other sites."""
    outside_location: int = 0
    """Number of entries of the site that a file at this location may not list."""
    with_lastmod: int = 0
    with_changefreq: int = 0
    with_priority: int = 0
    with_images: int = 0
    with_video: int = 0
    with_news: int = 0
    with_hreflang: int = 0


class SourceEntry(NamedTuple):
    """A page of the site as a system behind it states it (``core/sources``)."""

    link: Link
    changed: str
    """The date of its last change as written; empty if there is none."""
    is_page: bool
    """Whether its URL enters the crawl, as those of sitemaps do."""


class SourceCounts(NamedTuple):
    """Counts of one part of a system."""

    requests: int = 0
    entries: int = 0
    """Number of entries of this site; ``with_date`` of them have one."""
    with_date: int = 0
    malformed: int = 0
    """Number of entries that are not http(s) URLs."""
    offsite: int = 0
    """Number of entries of other sites."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePart:
    """One part of a system that states which pages the site has, such as the posts of WordPress."""

    url: str
    """The URL of its first request."""
    system: str
    part: str
    """Its name; empty for the response that lists the parts."""
    error: str = ""
    counts: SourceCounts = field(default_factory=SourceCounts)
    """Of all its responses so far."""
    entries: tuple[SourceEntry, ...] = ()
    """The entries of this site in the last response."""
    kept_for: int = 0
    """Number of runs in a row, this one included, that kept these entries of an earlier run; they
    have no dates then. 0 for entries that were read."""


class SitemapDocument(NamedTuple):
    """The unmodified content of a sitemap file, to be used again after a 304 Not Modified."""

    location: str
    """The URL after redirects."""
    etag: str
    last_modified: str
    """The validators ``etag`` and ``last_modified`` as received; both empty once the server has
    answered 304 for a changed file."""
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """One sitemap file of the site, read or failed."""

    url: str
    found: str
    """How the file was found: ``robots``, ``argument``, ``usual_path`` or ``index``."""
    parent: str = ""
    """The sitemap index that lists the file; empty for none."""
    format: str = ""
    """``urlset``, ``index``, ``text``, ``rss``, ``atom``, ``rdf``; empty when unreadable."""
    error: str = ""
    reason: Reason = Reason.NONE
    """``LOST`` for a file that was not read because of an error in the crawler."""
    counts: SitemapCounts = field(default_factory=SitemapCounts)
    offsite_examples: tuple[str, ...] = ()
    """The first entries of other sites, which are not stored elsewhere."""
    document: SitemapDocument | None = None
    """The content to store for the next run; None keeps the stored one."""
    entries: tuple[tuple[SitemapEntry, Link], ...] = ()
    """The entries of this site, each with its URL as a link."""
    kept_for: int = 0
    """Number of runs in a row, this one included, that kept these entries of an earlier run; 0 for
    entries that were read."""
