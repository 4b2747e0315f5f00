"""What flows from the spider to the store: pages, links, sitemap files and the words for them.

Who decides about a URL: ``core/eligibility.py``. Who keeps these: ``store/``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Verdict(str, Enum):
    """What became of a URL: every URL ever seen has exactly one of these.

    The same word stands in urls.csv, report.json, the log and the stats.
    """

    LISTED = "listed"
    ROBOTS_DISALLOWED = "robots_disallowed"
    EXCLUDED = "excluded"
    OUT_OF_SCOPE = "out_of_scope"
    TOO_DEEP = "too_deep"
    OVER_CAP = "over_cap"
    NOT_FETCHED = "not_fetched"
    HTTP_ERROR = "http_error"
    FETCH_ERROR = "fetch_error"
    NOT_HTML = "not_html"
    REDIRECT = "redirect"
    OFFSITE_REDIRECT = "offsite_redirect"
    SOFT_404 = "soft_404"
    NOINDEX = "noindex"
    CANONICALISED = "canonicalised"


class Judgement(NamedTuple):
    """A verdict and what it rests on."""

    verdict: Verdict
    evidence: str
    """One line that a site owner can check: a header, a target URL, a robots.txt line."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One fetched URL: what it answered, what was found in it, what is thought of it."""

    url: str
    key: int
    judgement: Judgement
    status: int | None = None
    """The HTTP status; None when no answer came."""
    links: tuple[Link, ...] = ()
    """Distinct, in document order; of a redirect, its only link is its target."""
    malformed_links: int = 0
    """How many hrefs were no http(s) URL at all."""
    offsite_links: int = 0
    """How many hrefs lead to another origin."""
    title: str = ""
    excerpt: str = ""
    """The first 2,000 characters of the main text."""
    text_hash: int | None = None
    """64-bit hash of the main text; None when there is too little of it to compare."""
    language: str = ""
    canonical: str = ""
    """The canonical URL that the page names, normalised; empty when it names none."""
    etag: str = ""
    last_modified: str = ""
    """The Last-Modified header as it came."""
    lastmod: str = ""
    """W3C datetime; empty without evidence."""
    lastmod_source: str = ""


class SitemapEntry(NamedTuple):
    """One <url> of a sitemap that the site already has, its fields as they were written."""

    url: str
    lastmod: str = ""
    changefreq: str = ""
    priority: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """One sitemap file of the site, read or failed."""

    url: str
    parent: str = ""
    """The sitemap index that lists it; empty for robots.txt, an argument or a usual path."""
    format: str = ""
    """``urlset``, ``index``, ``text``, or empty when it could not be read."""
    error: str = ""
    children: int = 0
    """How many sitemap files an index lists."""
    entries: tuple[tuple[SitemapEntry, Link], ...] = ()
    """What it lists, each with the link that it makes."""
