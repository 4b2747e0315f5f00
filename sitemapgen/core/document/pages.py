"""Page reader: turns the response of a URL into a Page with content, links, verdict and date.

The parts are ``html.py`` (the document), ``core/links.py`` (its links), ``core/eligibility.py``
(the verdict) and ``core/lastmod.py`` (its date).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote_to_bytes

from sitemapgen.core.document import html
from sitemapgen.core.document.extensions import read_extensions
from sitemapgen.core.document.labels import complete_labels
from sitemapgen.core.document.main_text import hash_of
from sitemapgen.core.document.on_page import is_upgraded
from sitemapgen.core.document.shingles import signed_media
from sitemapgen.core.eligibility import (
    HTML,
    REFRESH_SECONDS,
    ResponseFacts,
    admit_url,
    judge_response,
    robots_directives,
)
from sitemapgen.core.headers import (
    HeaderLink,
    Refresh,
    content_type_of,
    media_type_of,
    read_links,
    read_refresh,
)
from sitemapgen.core.lastmod import (
    SOURCES,
    Claim,
    best_claim,
    explain_choice,
    http_date,
    make_claims,
    pack_claims,
    unpack_claims,
)
from sitemapgen.core.urls import (
    LONGEST,
    Resolver,
    Site,
    base_of,
    directory,
    escape_bytes,
    other_address,
    split,
)
from sitemapgen.items import DOCUMENT_FACTS, Judgement, Link, LinkLabel, Page, Sighting
from sitemapgen.verdicts import DOCUMENTS, Reason, Verdict

if TYPE_CHECKING:
    from sitemapgen.core.document.html import ReadOptions
    from sitemapgen.core.document.markup import Source
    from sitemapgen.core.links import LinkReader

READER_VERSION = 13
"""Version of the reading of pages, to be raised when the same document results in another ``Page``.
After that, the next run reads every page again."""

Headers = Mapping[str, Sequence[str]]
"""Header values by lower-case name."""

MAX_CANONICALS = 4
"""Canonical URLs kept of a page; two are enough to contradict each other."""
JUDGED = frozenset({"link", "refresh", "x-robots-tag"})
"""Headers that change what a page with the same document is read as."""
SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)

_ATTRIBUTE = rb"\b(?:action|background|data|href|poster|src|srcset)\s*=\s*[\"']?\s*"
_RELATIVE = re.compile(_ATTRIBUTE + rb"(?![\s\"'>/#?]|[a-z][a-z0-9+.-]*:)", re.IGNORECASE)
_QUERY_ALONE = re.compile(_ATTRIBUTE + rb"\?", re.IGNORECASE)
_PARAMETER = re.compile(rb"([?&;][\w.\[\]-]+=)([^\"'&<>\s#;]+)")
_HTML_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a"
    rb"|style|title|b|body|br|p)[\s>])",
    re.IGNORECASE,
)
"""Beginnings of HTML without a type: https://mimesniff.spec.whatwg.org, section 7.1."""


class Sent(NamedTuple):
    """What counts of the document as the server sent it, before scripts changed it.

    Search engines see both versions: a noindex counts in either, and canonicals that differ
    contradict each other (Google, "Understand the JavaScript SEO basics").
    """

    canonicals: tuple[str, ...] = ()
    """Normalised."""
    noindex: str = ""
    """The directive that forbids indexing, in the words of ``robots_directives``."""
    decorated: frozenset[str] = frozenset()
    """URLs that it linked to, to which scripts only added a query, which is dropped."""
    removed: frozenset[str] = frozenset()
    """URLs that it linked to, and the page does no more; search engines follow these as well."""


UNCHANGED = Sent()


class HttpResponse(NamedTuple):
    """The response of a URL, and what is known of its document before it is read."""

    status: int
    headers: Headers
    body: bytes
    received: datetime
    source: Source | None = None
    """What ``markup.read_source`` returned for the body; None if it was not read before."""
    sent: Sent = UNCHANGED
    """For a rendered document, the values of the server's document."""


class _Statements(NamedTuple):
    """What headers, or all the rest of a page, state about it; empty or False for nothing."""

    noindex: str | bool
    nofollow: bool
    unseparated: str | bool
    refresh: str
    """In headers the target of a refresh that counts as a redirect."""
    canonicals: frozenset[str]
    alternates: frozenset[int]
    expires: bool = False

    @classmethod
    def of(cls, headers: Headers, url: str, reader: LinkReader, now: datetime) -> _Statements:
        place = Resolver(reader.rules.site, url, url)
        named = tuple(read_links(headers.get("link", ())))
        directives = robots_directives((), headers.get("x-robots-tag", ()), now)
        return cls(
            *(directives.noindex, directives.nofollow, directives.unseparated),
            _resolve_refresh(_refresh_header(headers), place),
            frozenset(_distinct_canonicals(_canonicals_named(named, place), place.site)),
            frozenset(
                link.key for link in _alternate_links(_alternate_hrefs(named), place, reader)
            ),
            directives.expires,
        )

    def adds_to(self, rest: _Statements) -> bool:
        """Return whether headers state anything that the rest of a page does not."""
        return (
            self.expires
            or any(mine and not theirs for mine, theirs in zip(self[:4], rest[:4]))
            or not self.canonicals <= rest.canonicals
            or not self.alternates <= rest.alternates
        )


def read_page(response: HttpResponse, link: Link, reader: LinkReader, options: ReadOptions) -> Page:
    """Read the response of a URL; never raises, whatever the response."""
    content_type = content_type_of(response.headers.get("content-type", ()))
    media_type = _media_type(content_type, response.body)
    if response.status == 200 and media_type in HTML:
        document = html.parse_document(
            response.body, content_type, source=response.source, url=link.url, options=options
        )
        return _DocumentPage(response, link, document, reader, options).build(media_type)
    site = reader.rules.site
    location = _redirect_link(link.url, response, reader)
    answer = ResponseFacts(
        url=link.url,
        status=response.status,
        media_type=media_type,
        location=location.url if location else "",
    )
    judgement = judge_response(answer, site)
    is_kept = judgement.verdict is Verdict.REDIRECT or (
        location is not None and other_address(location.url, site.origin)
    )
    label = location and LinkLabel(location.url, "redirect", "", nofollow=False)
    return Page(
        url=link.url,
        key=link.key,
        judgement=judgement,
        status=response.status,
        links=(location,) if location and is_kept else (),
        spelling=_other_spelling(link, location) if location else "",
        labels=((label,) if label else ()) if options.labels else None,
    )


def is_confirmed(page: Page, headers: Headers, reader: LinkReader, now: datetime) -> bool:
    """Return whether the headers of a 304 Not Modified leave a carried page as it was read.

    They replace those of the stored response (RFC 9111 sections 3.2 and 4.3.4). The document of a
    lasting page states all that its headers do, so that only what they add can change it.
    """
    media_type = media_type_of(content_type_of(headers.get("content-type", ())))
    if "/" in media_type and media_type not in HTML:
        return False
    if JUDGED.isdisjoint(headers):
        return True
    judgement = page.judgement
    is_redirect = judgement.verdict in (Verdict.REDIRECT, Verdict.OFFSITE_REDIRECT)
    ignores_nofollow = reader.rules.ignores_nofollow
    rest = _Statements(
        noindex=is_redirect or judgement.verdict is Verdict.NOINDEX,
        nofollow=is_redirect or ignores_nofollow or all(link.nofollow for link in page.links),
        unseparated=judgement.verdict is not Verdict.LISTED or bool(judgement.reason),
        refresh=judgement.other_url if is_redirect else "",
        canonicals=frozenset(page.canonical.split()),
        alternates=frozenset(page.alternates),
    )
    return not _Statements.of(headers, page.url, reader, now).adds_to(rest)


def remarked_page(page: Page, claims: str, headers: Headers, now: datetime) -> Page:
    """Update a carried page by the Last-Modified header of a 304 Not Modified response.

    ``claims`` are the packed claims of the previous run (RFC 9111 section 3.2: a stored response is
    updated by the headers of a 304). The new date may be false; keeping it makes that detectable.
    """
    last_modified = _first_value(headers, "last-modified")
    changed = make_claims(
        [("last_modified", last_modified)], now=now, served=http_date(_first_value(headers, "date"))
    )
    by_source = {claim.source: claim for claim in (*unpack_claims(claims), *changed)}
    claims_now = [by_source[source] for source in SOURCES if source in by_source]
    return replace(page, **_date_fields(claims_now, headers, now))


class _DocumentPage:
    """Makes the page of a document, from the document and the headers of its response."""

    def __init__(
        self,
        response: HttpResponse,
        link: Link,
        document: html.Document,
        reader: LinkReader,
        options: ReadOptions,
    ) -> None:
        self.response = response
        self.headers = headers = response.headers
        self.link = link
        self.document = document
        self.reader = reader
        self.options = options
        self.site = site = reader.rules.site
        base = base_of(link.url, document.base)
        self.place = place = Resolver(site, link.url, base, document.encoding)
        self.named = tuple(read_links(headers["link"])) if "link" in headers else ()
        self.directives = robots_directives(
            document.robots, headers.get("x-robots-tag", ()), response.received
        )
        outer = place.of_headers
        self.own_canonicals = tuple(map(place.target, document.canonicals))
        further = (*_canonicals_named(self.named, outer), *response.sent.canonicals)
        self.canonicals = _distinct_canonicals((*self.own_canonicals, *further), site)
        self.own_alternates = _alternate_links(
            (href for _, href in document.hreflang), place, reader
        )
        self.alternates = self.own_alternates + _alternate_links(
            _alternate_hrefs(self.named), outer, reader
        )

    def build(self, media_type: str) -> Page:
        """Return the page; ``media_type``: of the document."""
        document, link, headers, options = self.document, self.link, self.headers, self.options
        answer = self._response_facts(media_type)
        judgement = admit_url(link.url, self.reader.rules) or judge_response(answer, self.site)
        if document.has_password and judgement.verdict in DOCUMENTS:
            judgement = judgement._replace(reason=Reason.PASSWORD_FIELD)
        anchors = document.anchors
        if self._is_nofollow:
            anchors = tuple(html.Anchor(anchor.href, True) for anchor in anchors)
        outlinks = self.reader.read(anchors, self.place)
        links = self._all_links(outlinks.links, answer, judgement)
        facts: dict[str, Any] = {name: getattr(document, name) for name in DOCUMENT_FACTS}
        if document.text_hash is None:
            facts["content_hash"] = _hash_of_bytes(link.url, document, self.response.body, options)
        return Page(
            url=link.url,
            key=link.key,
            judgement=judgement,
            status=200,
            links=links,
            spelling=self._spelling(answer, judgement),
            malformed_links=outlinks.malformed,
            offsite_links=outlinks.offsite,
            external=outlinks.external,
            sightings=(*outlinks.sightings, *self._view_sightings()),
            description_length=len(document.description),
            description_hash=hash_of(document.description.encode("utf-8", "replace"))
            if document.description
            else None,
            on_page=_on_page(document, link.url, headers, links),
            pictures=signed_media(document.picture_names)
            if document.pictures and not document.signature
            else b"",
            canonical=" ".join(self.canonicals),
            alternates=tuple(alternate.key for alternate in self.alternates),
            etag=_first_value(headers, "etag"),
            extensions=read_extensions(options.extensions, document, self.place, self.named)
            if options.extensions
            else None,
            labels=self._link_labels(links) if options.labels else None,
            markdown=document.markdown if options.markdown else None,
            description=document.description if options.description else None,
            is_lasting=not outlinks.sightings and self._is_lasting(),
            **facts,
            **_date_fields(self._date_claims(), headers, self.response.received),
        )

    def _response_facts(self, media_type: str) -> ResponseFacts:
        refresh, place = Refresh(self.document.refresh_delay, self.document.refresh), self.place
        if not refresh.target and "refresh" in self.headers:
            refresh, place = _refresh_header(self.headers), place._replace(base=place.document)
        return ResponseFacts(
            url=self.link.url,
            status=200,
            media_type=media_type,
            refresh=_resolve_refresh(refresh, place),
            canonical=self.canonicals[0] if len(self.canonicals) == 1 else "",
            noindex=self.directives.noindex or self.response.sent.noindex,
            unseparated=self.directives.unseparated,
            qualified=_qualified_canonical(self.document, self.named, self.place),
        )

    @property
    def _is_nofollow(self) -> bool:
        return self.directives.nofollow and not self.reader.rules.ignores_nofollow

    def _all_links(
        self, links: tuple[Link, ...], answer: ResponseFacts, judgement: Judgement
    ) -> tuple[Link, ...]:
        """Return the links of the document, with those of its headers and a refresh."""
        decorated, reader = self.response.sent.decorated, self.reader
        if decorated:
            plain = (each.url.partition("?")[0] for each in links)
            links = _distinct_links(
                reader.link(url) if url in decorated else each for each, url in zip(links, plain)
            )
        if judgement.verdict is Verdict.REDIRECT:
            return _distinct_links((reader.link(answer.refresh), *links))
        removed = sorted(self.response.sent.removed)
        if not (self.named or removed) and self.canonicals in ((), (self.link.url,)):
            return links  # they hold all the others
        canonicals = filter(self.site.owns, self.canonicals)
        others = (*map(reader.link, (*canonicals, *removed)), *self.alternates)
        more = (replace(each, nofollow=self._is_nofollow) for each in others)
        return _distinct_links((*links, *more))

    def _spelling(self, answer: ResponseFacts, judgement: Judgement) -> str:
        other = judgement.other_url or answer.canonical
        if other in ("", self.link.url) or judgement.verdict not in (
            Verdict.LISTED,
            Verdict.REDIRECT,
        ):
            return ""
        return _other_spelling(self.link, self.reader.link(other))

    def _is_lasting(self) -> bool:
        """Return whether the document states all that its headers do, and nothing that expires."""
        document, now = self.document, self.response.received
        if document.routes or document.links_cut or self.directives.expires:
            return False
        if JUDGED.isdisjoint(self.headers):
            return True
        own = robots_directives(document.robots, (), now)
        rest = _Statements(
            *(own.noindex, own.nofollow, own.unseparated, document.refresh),
            frozenset(_distinct_canonicals(self.own_canonicals, self.site)),
            frozenset(alternate.key for alternate in self.own_alternates),
        )
        stated = _Statements.of(self.headers, self.link.url, self.reader, now)
        return not stated.adds_to(rest)

    def _link_labels(self, links: tuple[Link, ...]) -> tuple[LinkLabel, ...]:
        found = []
        for anchor, kind, text in self.document.labels:
            url = self.place.url(anchor.href)
            if url and (plain := url.partition("?")[0]) in self.response.sent.decorated:
                url = plain
            if url:
                nofollow = self.directives.nofollow or anchor.nofollow
                found.append(LinkLabel(url, kind, text, nofollow))
        return complete_labels(found, links, self.canonicals)

    def _view_sightings(self) -> Iterator[Sighting]:
        """Yield links to views that scripts render, and the number of links that were not read."""
        for href in self.document.routes:  # search engines see one page
            path, _, fragment = href.partition("#")
            url = self.place.url(path)
            if self.site.owns(url):
                yield Sighting("hash_route", url, f"{url}#{fragment}"[:LONGEST])
        if self.document.links_cut:
            yield Sighting("unread_links", self.link.url, str(self.document.links_cut))

    def _date_claims(self) -> tuple[Claim, ...]:
        last_modified = _first_value(self.headers, "last-modified")
        candidates = [*self.document.dates, ("last_modified", last_modified)]
        return make_claims(
            candidates if last_modified else self.document.dates,
            now=self.response.received,
            served=http_date(_first_value(self.headers, "date")),
        )


def _hash_of_bytes(
    url: str, document: html.Document, body: bytes, options: ReadOptions
) -> int | None:
    """Return the hash of a document with little text, by which byte-identical ones are found.

    None if it proves nothing: there is nothing to see, or scripts may add it. Where its relative
    URLs lead depends on its own URL, so that is part of it. That links lead back to it is not.
    """
    has_content = document.text_length or document.pictures
    if not has_content or (not options.judges_scripts and SCRIPT.search(body)):
        return None
    place = ""
    if not document.base and _RELATIVE.search(body):
        place = directory(url)
    if not document.base and _QUERY_ALONE.search(body):
        place = url.partition("?")[0]
    return hash_of(b"%s\n%s" % (place.encode(), _without_return_addresses(url, body)))


def _without_return_addresses(url: str, body: bytes) -> bytes:
    """Return a document without the values of parameters that are its own URL.

    >>> _without_return_addresses("https://a.test/b?c=1", b"<a href='/login?next=%2Fb%3Fc%3D1'>")
    b"<a href='/login?next='>"
    """
    own = {unquote_to_bytes(each) for each in (url, url.removeprefix(split(url).origin))}
    return _PARAMETER.sub(
        lambda found: found[1] if unquote_to_bytes(found[2]) in own else found[0], body
    )


def _on_page(document: html.Document, url: str, headers: Headers, links: Iterable[Link]) -> str:
    """Return what an SEO audits, packed; a page of http:, or with the header, is not mixed."""
    facts, policies = document.on_page, headers.get("content-security-policy", ())
    if nofollow := sum(link.nofollow and not link.refusal for link in links):
        facts = facts._replace(nofollow_links=nofollow)
    if facts.mixed_content and (not url.startswith("https:") or any(map(is_upgraded, policies))):
        facts = facts._replace(mixed_content=0)
    return facts.pack()


def _canonicals_named(named: Iterable[HeaderLink], place: Resolver) -> Iterator[str]:
    """Yield the canonical URLs in Link headers; empty ones for no URL."""
    return (place.target(each.href) for each in named if each.is_canonical and not each.qualifier)


def _qualified_canonical(
    document: html.Document, named: Iterable[HeaderLink], place: Resolver
) -> tuple[str, str] | None:
    """Return the first canonical URL of another page that does not count, and why."""
    found = [(name, href, place) for href, name in document.qualified]
    found += [
        (each.qualifier, each.href, place.of_headers)
        for each in named
        if each.is_canonical and each.qualifier
    ]
    for name, href, its_place in found[:MAX_CANONICALS]:
        other = its_place.url(href)
        if other and _prefer_https(other, place.site) != place.document:
            return other, name
    return None


def _distinct_canonicals(urls: Iterable[str], site: Site) -> tuple[str, ...]:
    """Return the distinct ones of canonical URLs, of which several do not count.

    Source: Google, "How to specify a canonical URL".
    """
    canonicals = dict.fromkeys(_prefer_https(url, site) for url in urls if url)
    return tuple(canonicals)[:MAX_CANONICALS]


def _prefer_https(canonical: str, site: Site) -> str:
    """Return a canonical URL with https: for http: on the site's own host; Google prefers https.

    Many applications behind a TLS proxy still write http: URLs.
    """
    secure = canonical.replace("http://", "https://", 1)
    return secure if site.owns(secure) else canonical


def _refresh_header(headers: Headers) -> Refresh:
    return read_refresh(_first_value(headers, "refresh")) or Refresh(0, "")


def _resolve_refresh(refresh: Refresh, place: Resolver) -> str:
    """Return the target of a refresh that is fast enough to be a redirect; empty without one."""
    is_redirect = refresh.target and refresh.delay <= REFRESH_SECONDS
    return place.target(refresh.target) if is_redirect else ""


def _other_spelling(link: Link, target: Link) -> str:
    """Return the spelling of its own URL that a page names by a redirect or as canonical."""
    url = target.linked or target.url
    return url if target.key == link.key and url != link.url and not target.refusal else ""


def _date_fields(claims: Sequence[Claim], headers: Headers, now: datetime) -> dict[str, Any]:
    """Return the fields of a page with its dates."""
    chosen = best_claim(claims)
    return {
        "last_modified": _first_value(headers, "last-modified"),
        "answered": int(now.timestamp()),
        "claims": pack_claims(claims),
        "lastmod": chosen.lastmod if chosen else "",
        "lastmod_source": chosen.source if chosen else "",
        "lastmod_evidence": explain_choice(claims, chosen),
    }


def _alternate_hrefs(named: Iterable[HeaderLink]) -> Iterator[str]:
    """Yield what Link headers name as other languages."""
    return (link.href for link in named if link.is_language_version)


def _alternate_links(hrefs: Iterable[str], place: Resolver, reader: LinkReader) -> tuple[Link, ...]:
    """Return the site's URLs among those that a page names as other languages."""
    anchors = [(href, False) for href in hrefs]
    links = reader.read(anchors, place).links if anchors else ()
    return tuple(each for each in links if place.site.owns(each.url))


def _distinct_links(links: Iterable[Link]) -> tuple[Link, ...]:
    """Keep the first link to each target."""
    targets: dict[int, Link] = {}
    for link in links:
        targets.setdefault(link.key, link)
    return tuple(targets.values())


def _redirect_link(url: str, response: HttpResponse, reader: LinkReader) -> Link | None:
    """Return the target of a redirect as a link; None without one."""
    value = _first_value(response.headers, "location")
    if not 300 <= response.status < 400 or not value:
        return None
    target = Resolver(reader.rules.site, url, url).link(escape_bytes(value))
    if target.linked == url:
        return reader.link(url)
    return reader.resolved(target) if target.url else None


def _media_type(content_type: str, body: bytes) -> str:
    """Return the declared media type in lower case; without a valid one, HTML if it starts so.

    >>> [_media_type("", start) for start in (b" <Title>Lamps", b"<!-- -->", b"<p>", b"<path d=''")]
    ['text/html', 'text/html', 'text/html', '']
    """
    declared = media_type_of(content_type)
    if "/" in declared:
        return declared
    return "text/html" if _HTML_START.match(body[:512]) else declared


def _first_value(headers: Headers, name: str) -> str:
    values = headers.get(name)
    return values[0] if values else ""
