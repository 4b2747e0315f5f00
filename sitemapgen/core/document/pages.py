"""Page reader: turns the response of a URL into a Page with content, links, verdict and date.

The parts are ``html.py`` (the document), ``core/links.py`` (its links), ``core/eligibility.py``
(the verdict) and ``core/lastmod.py`` (its date).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.document import html
from sitemapgen.core.document.extensions import read_extensions
from sitemapgen.core.document.labels import complete
from sitemapgen.core.document.main_text import hash_of
from sitemapgen.core.document.refresh import Refresh, read_refresh
from sitemapgen.core.document.shingles import signed_media
from sitemapgen.core.eligibility import (
    HTML,
    REFRESH_SECONDS,
    ResponseFacts,
    admit,
    judge,
    robots_directives,
)
from sitemapgen.core.lastmod import SOURCES, best, explain, http_date, pack, unpack, weigh
from sitemapgen.core.link_header import decoded, read_links
from sitemapgen.core.pagination import in_lists
from sitemapgen.core.urls import LONGEST, directory, parse
from sitemapgen.items import Judgement, Link, LinkLabel, Page, Sighting
from sitemapgen.verdicts import Content, Reason, Verdict, verdicts_where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from sitemapgen.core.document.markup import Source
    from sitemapgen.core.lastmod import Claim
    from sitemapgen.core.link_header import HeaderLink
    from sitemapgen.core.links import LinkReader
    from sitemapgen.core.urls import Site

Headers = Mapping[str, Sequence[str]]
"""Header values by lower-case name."""

MAY_BE_LOGIN = verdicts_where(lambda row: row.content in (Content.OWN, Content.COPY))
"""Verdicts of documents that may be login forms."""
MAX_CANONICALS = 4
"""Canonical URLs kept of a page; two are enough to contradict each other."""

_ATTRIBUTE = rb"\b(?:action|background|data|href|poster|src|srcset)\s*=\s*[\"']?\s*"
_RELATIVE = re.compile(_ATTRIBUTE + rb"(?![\s\"'>/#?]|[a-z][a-z0-9+.-]*:)", re.IGNORECASE)
_QUERY_ALONE = re.compile(_ATTRIBUTE + rb"\?", re.IGNORECASE)
_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)


class Sent(NamedTuple):
    """Canonical URLs and noindex of the document as the server sent it, before scripts changed it.

    Search engines see both versions: a noindex counts in either, and canonicals that differ
    contradict each other (Google, "Understand the JavaScript SEO basics").
    """

    canonicals: tuple[str, ...] = ()
    """Normalised."""
    noindex: str = ""
    """The directive that forbids indexing, in the words of ``robots_directives``."""


UNCHANGED = Sent()


def read_page(
    *,
    link: Link,
    status: int,
    headers: Headers,
    body: bytes,
    reader: LinkReader,
    now: datetime,
    is_suspect: bool = False,
    decorated: frozenset[str] = frozenset(),
    extensions: frozenset[str] = frozenset(),
    sent: Sent = UNCHANGED,
    source: Source | None = None,
) -> Page:
    """Read the response of a URL; never raises, whatever the response.

    ``extensions``: the ``extensions.KINDS`` that its sitemap entry is to have. ``decorated``: URLs
    to whose links scripts only added a query, which is dropped. ``sent``: for a rendered document,
    the values of the server's document. ``is_suspect`` requests the sketch. ``source``: what
    ``markup.read_source`` returned for the body, if it was read before.
    """
    media_type = _media_type(headers, body)
    if status == 200 and media_type in HTML:
        document = html.parse(
            body,
            _first(headers, "content-type"),
            source=source,
            sketched=link.url if is_suspect else "",
            labelled=reader.with_labels,
            written=link.url if reader.with_markdown else "",
        )
        page = _document_page(
            link, document, media_type, headers, reader, now, decorated, extensions, sent
        )
        if page.text_hash is None:
            page = replace(page, content_hash=_hash_of_bytes(link.url, document, body, reader))
        return page
    site = reader.rules.site
    location = _location(link.url, status, headers, reader)
    answer = ResponseFacts(
        url=link.url,
        status=status,
        media_type=media_type,
        location=location.url if location else "",
    )
    judgement = judge(answer, site)
    followed = location is not None and judgement.verdict is Verdict.REDIRECT
    label = location and LinkLabel(location.url, "redirect", "", nofollow=False)
    return Page(
        url=link.url,
        key=link.key,
        judgement=judgement,
        status=status,
        links=in_lists(link.url, (location,)) if location and followed else (),
        labels=((label,) if label else ()) if reader.with_labels else None,
    )


def carried_page(
    link: Link, judgement: Judgement, links: Iterable[Link], reader: LinkReader
) -> Page:
    """Build the page of a URL from the verdict of a previous run, under the rules of this one."""
    return Page(
        url=link.url,
        key=link.key,
        judgement=admit(link.url, reader.rules) or judgement,
        status=200,
        links=tuple(links),
        is_carried=True,
    )


def remarked_page(page: Page, claims: str, headers: Headers, now: datetime) -> Page:
    """Update a carried page by the Last-Modified header of a 304 Not Modified response.

    ``claims`` are the packed claims of the previous run (RFC 9111 section 3.2: a stored response is
    updated by the headers of a 304). The new date may be false; keeping it makes that detectable.
    """
    last_modified = _first(headers, "last-modified")
    changed = weigh(
        [("last_modified", last_modified)], now=now, served=http_date(_first(headers, "date"))
    )
    by_source = {claim.source: claim for claim in (*unpack(claims), *changed)}
    claims_now = [by_source[source] for source in SOURCES if source in by_source]
    chosen = best(claims_now)
    return replace(
        page,
        last_modified=last_modified,
        answered=int(now.timestamp()),
        claims=pack(claims_now),
        lastmod=chosen.lastmod if chosen else "",
        lastmod_source=chosen.source if chosen else "",
        lastmod_evidence=explain(claims_now, chosen),
    )


def unfetched_page(link: Link, judgement: Judgement) -> Page:
    """Build the page of a URL that has no response."""
    return Page(url=link.url, key=link.key, judgement=judgement)


def _document_page(
    link: Link,
    document: html.Document,
    media_type: str,
    headers: Headers,
    reader: LinkReader,
    now: datetime,
    decorated: frozenset[str],
    extensions: frozenset[str],
    sent: Sent,
) -> Page:
    site = reader.rules.site
    base = (parse(document.base, link.url) if document.base else None) or link.url
    named = tuple(read_links(headers["link"])) if "link" in headers else ()
    directives = robots_directives(document.robots, headers.get("x-robots-tag", ()), now)
    canonicals = _canonicals(link.url, document, base, named, site, sent.canonicals)
    answer = ResponseFacts(
        url=link.url,
        status=200,
        media_type=media_type,
        refresh=_refresh(link.url, document, base, headers, site),
        canonical=canonicals[0] if len(canonicals) == 1 else "",
        noindex=directives.noindex or sent.noindex,
    )
    judgement = admit(link.url, reader.rules) or judge(answer, site)
    if document.has_password and judgement.verdict in MAY_BE_LOGIN:
        judgement = judgement._replace(reason=Reason.PASSWORD_FIELD)
    anchors = document.anchors
    is_nofollow = directives.nofollow and not reader.rules.ignores_nofollow
    if is_nofollow:
        anchors = tuple(html.Anchor(anchor.href, True) for anchor in anchors)
    outlinks = reader.read(anchors, base, document.encoding)
    alternates = _alternates(link.url, document, base, named, reader)
    links = outlinks.links
    if decorated:
        plain = (each.url.partition("?")[0] for each in links)
        links = _distinct(
            reader.link(url) if url in decorated else each for each, url in zip(links, plain)
        )
    if judgement.verdict is Verdict.REDIRECT:
        links = _distinct((reader.link(answer.refresh), *links))
    elif named or canonicals not in ((), (link.url,)):  # else the document's links hold them all
        further = [reader.link(url) for url in canonicals if site.owns(url)]
        further += alternates
        links = _distinct((*links, *(replace(each, nofollow=is_nofollow) for each in further)))
    neighbours = reader.read(document.neighbours, base, document.encoding).links
    claims = _claims(document, headers, now)
    chosen = best(claims)
    labels = None
    if reader.with_labels:
        found = _labels(document, base, site, decorated, nofollow=directives.nofollow)
        labels = complete(found, links, canonicals)
    return Page(
        url=link.url,
        key=link.key,
        judgement=judgement,
        status=200,
        links=in_lists(link.url, links, {each.key for each in neighbours}),
        malformed_links=outlinks.malformed,
        offsite_links=outlinks.offsite,
        external=outlinks.external,
        sightings=(*outlinks.sightings, *_routes(document, base, site), *_unread(link, document)),
        sketch=document.sketch,
        title=document.title,
        title_length=document.title_length,
        description_length=len(document.description),
        description_hash=_hash_of(document.description),
        excerpt=document.excerpt,
        text_hash=document.text_hash,
        content_hash=document.content_hash,
        subject=document.subject,
        signature=document.signature,
        unbroken=document.unbroken,
        pictures=_pictures(document),
        text_length=document.text_length,
        language=document.language,
        canonical=" ".join(canonicals),
        alternates=tuple(alternate.key for alternate in alternates),
        etag=_first(headers, "etag"),
        last_modified=_first(headers, "last-modified"),
        answered=int(now.timestamp()),
        claims=pack(claims),
        lastmod=chosen.lastmod if chosen else "",
        lastmod_source=chosen.source if chosen else "",
        lastmod_evidence=explain(claims, chosen),
        extensions=read_extensions(extensions, document, link.url, base, named, site)
        if extensions
        else None,
        labels=labels,
        markdown=document.markdown if reader.with_markdown else None,
        description=document.description if reader.with_descriptions else None,
        is_lasting=not (
            outlinks.sightings or document.routes or document.links_cut or directives.expires
        ),
    )


def _hash_of_bytes(
    url: str, document: html.Document, body: bytes, reader: LinkReader
) -> int | None:
    """Return the hash of a document with little text, by which byte-identical ones are found.

    None if it proves nothing: there is nothing to see, or scripts may add it. Where its relative
    URLs lead depends on its own URL, so that is part of it.
    """
    has_content = document.text_length or document.pictures
    if not has_content or (not reader.judges_scripts and _SCRIPT.search(body)):
        return None
    place = ""
    if not document.base and _RELATIVE.search(body):
        place = directory(url)
    if not document.base and _QUERY_ALONE.search(body):
        place = url.partition("?")[0]
    return hash_of(b"%s\n%s" % (place.encode(), body))


def _labels(
    document: html.Document, base: str, site: Site, decorated: frozenset[str], *, nofollow: bool
) -> Iterator[LinkLabel]:
    """Yield the labels of a document's links, with their URLs; links without a URL are skipped."""
    for anchor, kind, text in document.labels:
        url = (site.resolve(anchor.href, base, document.encoding) or "")[:LONGEST]
        if url and (plain := url.partition("?")[0]) in decorated:
            url = plain
        if url:
            yield LinkLabel(url, kind, text, nofollow or anchor.nofollow)


def _hash_of(text: str) -> int | None:
    return hash_of(text.encode("utf-8", "replace")) if text else None


def _pictures(document: html.Document) -> bytes:
    if document.signature or not document.pictures:
        return b""
    return signed_media(document.picture_names)


def _canonicals(
    url: str,
    document: html.Document,
    base: str,
    named: Iterable[HeaderLink],
    site: Site,
    sent: Iterable[str] = (),
) -> tuple[str, ...]:
    """Return the distinct canonical URLs of a document and its Link headers.

    ``sent``: those of the server's document, before scripts changed them. Of several none counts
    (Google, "How to specify a canonical URL").
    """
    hrefs = [(href, base, document.encoding) for href in document.canonicals]
    hrefs += [
        (link.href, url, "utf-8")
        for link in named
        if "canonical" in link.rel and link.href.partition("#")[0]
    ]
    resolved = (*((site.resolve(*href) or "")[:LONGEST] for href in hrefs), *sent)
    canonicals = dict.fromkeys(_secure(canonical, site) for canonical in resolved if canonical)
    return tuple(canonicals)[:MAX_CANONICALS]


def _secure(canonical: str, site: Site) -> str:
    """Return a canonical URL with https: for http: on the site's own host; Google prefers https.

    Many applications behind a TLS proxy still write http: URLs.
    """
    secure = canonical.replace("http://", "https://", 1)
    return secure if site.owns(secure) else canonical


def _refresh(url: str, document: html.Document, base: str, headers: Headers, site: Site) -> str:
    """Return the target of a refresh that is fast enough to be a redirect; empty without one."""
    refresh = Refresh(document.refresh_delay, document.refresh)
    if not refresh.target and "refresh" in headers:
        refresh, base = read_refresh(_first(headers, "refresh")) or refresh, url
    if not refresh.target or refresh.delay > REFRESH_SECONDS:
        return ""
    return (site.resolve(refresh.target, base, document.encoding) or "")[:LONGEST]


def _claims(document: html.Document, headers: Headers, now: datetime) -> tuple[Claim, ...]:
    last_modified = _first(headers, "last-modified")
    candidates = [*document.dates, ("last_modified", last_modified)]
    return weigh(
        candidates if last_modified else document.dates,
        now=now,
        served=http_date(_first(headers, "date")),
    )


def _routes(document: html.Document, base: str, site: Site) -> Iterator[Sighting]:
    """Yield a sighting for each link to a view that scripts render; search engines see one page."""
    for href in document.routes:
        path, _, fragment = href.partition("#")
        url = site.resolve(path, base, document.encoding)
        if url is not None and site.owns(url):
            yield Sighting("hash_route", url[:LONGEST], f"{url}#{fragment}"[:LONGEST])


def _unread(link: Link, document: html.Document) -> Iterator[Sighting]:
    """Yield a sighting with the number of links beyond the maximum that is followed."""
    if document.links_cut:
        yield Sighting("unread_links", link.url, str(document.links_cut))


def _alternates(
    url: str,
    document: html.Document,
    base: str,
    named: Iterable[HeaderLink],
    reader: LinkReader,
) -> tuple[Link, ...]:
    """Return the site's URLs that a document and its Link headers name as other languages."""
    alternates: tuple[Link, ...] = ()
    if document.hreflang:
        hrefs = [(href, False) for _, href in document.hreflang]
        alternates = reader.read(hrefs, base, document.encoding).links
    if named:
        hrefs = [(link.href, False) for link in named if _is_alternate(link)]
        alternates += reader.read(hrefs, url).links
    return alternates


def _is_alternate(link: HeaderLink) -> bool:
    return bool(link.href and link.hreflang) and "alternate" in link.rel


def _distinct(links: Iterable[Link]) -> tuple[Link, ...]:
    """Keep the first link to each target."""
    targets: dict[int, Link] = {}
    for link in links:
        targets.setdefault(link.key, link)
    return tuple(targets.values())


def _location(url: str, status: int, headers: Headers, reader: LinkReader) -> Link | None:
    """Return the target of a redirect as a link; None without one."""
    value = _first(headers, "location")
    if not 300 <= status < 400 or not value:
        return None
    target = reader.rules.site.resolve(decoded(value), url)
    return reader.link(target) if target else None


def _media_type(headers: Headers, body: bytes) -> str:
    """Return the declared media type in lower case; without one, HTML if the body starts so."""
    # Of several, joined by a comma, the last one counts (WHATWG Fetch, "extract a MIME type").
    types = [part.partition(";")[0].strip() for part in _first(headers, "content-type").split(",")]
    if declared := next((name for name in reversed(types) if "/" in name), types[0]):
        return declared.lower()
    start = body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return "text/html" if start.startswith((b"<!doctype html", b"<html")) else ""


def _first(headers: Headers, name: str) -> str:
    values = headers.get(name)
    return values[0] if values else ""
