"""From an answer to a Page: what it says, where it links, what is thought of it.

The parts are ``html.py`` (the document), ``links.py`` (its links), ``eligibility.py`` (the
verdict) and ``lastmod.py`` (its date).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sitemapgen.core import html
from sitemapgen.core.eligibility import HTML, Answer, admit, judge, robots_directives
from sitemapgen.core.lastmod import choose, last_modified_evidence
from sitemapgen.core.urls import parse
from sitemapgen.items import Judgement, Link, Page, Verdict

if TYPE_CHECKING:
    from datetime import datetime

    from sitemapgen.core.links import LinkReader

Headers = Mapping[str, Sequence[str]]
"""Header values by lower-case name."""


def read_page(
    *,
    link: Link,
    status: int,
    headers: Headers,
    body: bytes,
    reader: LinkReader,
    now: datetime,
    is_suspect: bool = False,
) -> Page:
    """Read what a URL answered; never raises, whatever the answer."""
    media_type = _media_type(headers, body)
    if status == 200 and media_type in HTML:
        return _read_document(link, media_type, headers, body, reader, now, is_suspect)
    site = reader.rules.site
    location = _location(link.url, status, headers, reader)
    answer = Answer(
        url=link.url,
        status=status,
        media_type=media_type,
        location=location.url if location else "",
    )
    judgement = judge(answer, site)
    followed = location is not None and judgement.verdict is Verdict.REDIRECT
    return Page(
        url=link.url,
        key=link.key,
        judgement=judgement,
        status=status,
        links=(location,) if location and followed else (),
    )


def unfetched_page(link: Link, judgement: Judgement) -> Page:
    """The page of a URL that gave no answer."""
    return Page(url=link.url, key=link.key, judgement=judgement)


def _read_document(
    link: Link,
    media_type: str,
    headers: Headers,
    body: bytes,
    reader: LinkReader,
    now: datetime,
    is_suspect: bool,
) -> Page:
    site = reader.rules.site
    document = html.parse(body, _first(headers, "content-type"), sketched=is_suspect)
    base = (parse(document.base, link.url) if document.base else None) or link.url
    directives = robots_directives(document.robots, headers.get("x-robots-tag", ()), now)
    canonicals = {site.resolve(href, base, document.encoding) for href in document.canonicals}
    # Contradicting canonicals say nothing: Google, "Consolidate duplicate URLs".
    canonical = canonicals.pop() if len(canonicals) == 1 else None
    answer = Answer(
        url=link.url,
        status=200,
        media_type=media_type,
        canonical=canonical or "",
        noindex=directives.noindex,
    )
    anchors = document.anchors
    if directives.nofollow:
        anchors = tuple(html.Anchor(anchor.href, True) for anchor in anchors)
    outlinks = reader.read(anchors, base, document.encoding)
    last_modified = _first(headers, "last-modified")
    lastmod, lastmod_source = choose(
        (
            *document.dates,
            ("last_modified", last_modified_evidence(last_modified, _first(headers, "date"))),
        ),
        now=now,
    )
    return Page(
        url=link.url,
        key=link.key,
        judgement=admit(link.url, reader.rules) or judge(answer, site),
        status=200,
        links=outlinks.links,
        malformed_links=outlinks.malformed,
        offsite_links=outlinks.offsite,
        sightings=outlinks.sightings,
        sketch=document.sketch,
        title=document.title,
        excerpt=document.excerpt,
        text_hash=document.text_hash,
        language=document.language,
        canonical=answer.canonical,
        etag=_first(headers, "etag"),
        last_modified=last_modified,
        lastmod=lastmod,
        lastmod_source=lastmod_source,
    )


def _location(url: str, status: int, headers: Headers, reader: LinkReader) -> Link | None:
    """Where a redirect leads, as a link."""
    value = _first(headers, "location")
    if not 300 <= status < 400 or not value:
        return None
    target = reader.rules.site.resolve(value, url)
    return reader.link(target) if target else None


def _media_type(headers: Headers, body: bytes) -> str:
    """The declared media type, lower case; without one, HTML if the body starts like it."""
    declared = _first(headers, "content-type").partition(";")[0].strip().lower()
    if declared:
        return declared
    start = body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return "text/html" if start.startswith((b"<!doctype html", b"<html")) else ""


def _first(headers: Headers, name: str) -> str:
    values = headers.get(name)
    return values[0] if values else ""
