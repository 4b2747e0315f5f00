"""Link reader: resolves, normalises and judges the raw hrefs of a document.

The rules are in ``urls.py`` and ``eligibility.py``. Their results are cached here, since most hrefs
of a page were on the previous page; this cache is decisive for the speed of a crawl. An href is
cached without its fragment by what it is resolved against: nothing, the origin of the base URL, its
directory, or the directory above; what keeps the path of the base URL only for one document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from sitemapgen.core.eligibility import Rules, admit_url
from sitemapgen.core.file_hints import file_hint
from sitemapgen.core.shapes import suspect
from sitemapgen.core.urls import (
    LONGEST,
    Resolved,
    Resolver,
    directory,
    key,
    literal_key,
    other_address,
    split,
)
from sitemapgen.items import Link, Sighting

MEMORY = 20_000
"""Maximum cached hrefs, with their origins and directories, some 10 MB; a full cache is emptied."""
MAX_KNOWN = 50_000
"""Maximum cached URLs of pages that were read elsewhere or earlier, some 20 MB."""

_BLANK = re.compile(r"[\0- ]+")
_WITHOUT_PATH = re.compile(r"(?:https?:)?(?:\?|\Z)", re.IGNORECASE)
"""An href, without its blanks and fragment, that keeps the whole path of the base URL."""


class Outlinks(NamedTuple):
    """The links of one document."""

    links: tuple[Link, ...]
    """Distinct targets inside the site's origin, and at other addresses of its host, which are
    refused; in document order."""
    malformed: int
    """Number of hrefs that are not http(s) URLs."""
    offsite: int
    """Number of hrefs to other origins."""
    sightings: tuple[Sighting, ...] = ()
    """One for each href with a session id."""
    external: tuple[str, ...] = ()
    """Distinct URLs on other sites, normalised, in document order; longer ones than ``LONGEST`` are
    left out."""


class _OtherPort(NamedTuple):
    """A link to another port of the host: a refused link of the site, and one to another site."""

    link: Link


class _NoLink(Enum):
    NEW, MALFORMED, OFFSITE = range(3)


_NEW, _MALFORMED, _OFFSITE = _NoLink
_Target = Link | _OtherPort | str | _NoLink


class LinkReader:
    """Turns hrefs into links under one set of rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._known: dict[tuple[str, str], dict[str, _Target]] = {}
        self._size = 0
        self._by_url: dict[str, Link] = {}

    def read(self, anchors: Iterable[tuple[str, bool]], place: Resolver) -> Outlinks:
        """Read (href, nofollow) pairs of a document.

        A target that is linked both with and without nofollow is followed.
        """
        origin, here = split(place.base).origin, directory(place.base)
        above = here[: here.rfind("/", len(origin), -1) + 1] or here
        absolute, rooted, upward, relative = (
            self._known_targets(beginning, place.encoding)
            for beginning in ("", origin, above, here)
        )
        own: dict[str, _Target] = {}
        targets: dict[int, Link] = {}
        spellings: list[Link] = []
        external: dict[str, None] = {}
        sightings: list[Sighting] = []
        malformed = offsite = 0
        ignores_nofollow = self.rules.ignores_nofollow
        for raw, nofollow in anchors:
            href = raw.partition("#")[0]
            if href.startswith(("http://", "https://")):
                known = absolute
            elif href.startswith(("/", "\\")):
                known = rooted
            elif href.startswith("../"):
                known = upward
            else:
                known = relative
            link = known.get(href, _NEW)
            if link is _NEW and (link := own.get(href, _NEW)) is _NEW:
                link, sighting = self._resolve_href(href, place)
                if sighting:  # not cached: it counts on every page
                    sightings.append(sighting)
                elif _WITHOUT_PATH.match(_BLANK.sub("", href)):
                    own[href] = link
                elif len(href) <= LONGEST:
                    known[href] = link
                    self._size += 1
            if not isinstance(link, Link):
                malformed += link is _MALFORMED
                offsite += link is not _MALFORMED
                if not isinstance(link, _OtherPort):
                    if isinstance(link, str):
                        external[link] = None
                    continue
                link = link.link
                external[link.url] = None
            if link.literal_key:
                spellings.append(link)
            if not nofollow or ignores_nofollow:
                targets[link.key] = link
            elif link.key not in targets:
                targets[link.key] = replace(link, nofollow=True)
        for each in spellings:
            target = targets[each.key]
            if target is not each and _rank_link(each) < _rank_link(target):
                targets[each.key] = replace(each, nofollow=target.nofollow)
        return Outlinks(
            tuple(targets.values()), malformed, offsite, tuple(sightings), tuple(external)
        )

    def link(self, url: str) -> Link:
        """Judge a normalised URL."""
        refusal = admit_url(url, self.rules)
        url = url[:LONGEST]  # a longer one is refused anyway
        hint = None if refusal else file_hint(url)
        suspicion = None if refusal or hint else suspect(url)
        identity = key(url)
        return Link(
            url=url,
            key=identity,
            refusal=refusal,
            suspicion=suspicion,
            file=hint,
            literal_key=literal_key(url) if "&" in url else 0,
        )

    def resolved(self, target: Resolved) -> Link:
        """Judge a resolved link, which has a URL."""
        assert target.url is not None
        link = self.link(target.url)
        if not target.linked or link.refusal or admit_url(target.linked, self.rules):
            return link
        return replace(link, linked=target.linked, literal_key=literal_key(target.linked))

    def known(self, url: str) -> Link:
        """Judge a normalised URL that was probably met before."""
        link = self._by_url.get(url)
        if link is None:
            if len(self._by_url) > MAX_KNOWN:
                self._by_url.clear()
            link = self._by_url[url] = self.link(url)
        return link

    def _resolve_href(self, href: str, place: Resolver) -> tuple[_Target, Sighting | None]:
        """Return a link, or the URL of an external one, and the sighting if there is one."""
        site, resolved = place.site, place.link(href)
        url, session, _ = resolved
        if url is None:
            return _MALFORMED, None
        if not site.owns(url):
            if how := other_address(url, site.origin):
                link = self.link(url)
                is_another_site = "port " in how and len(url) <= LONGEST
                return (_OtherPort(link) if is_another_site else link), None
            return (url if len(url) <= LONGEST else _OFFSITE), None
        link = self.resolved(resolved)
        return link, Sighting("session_id", session, link.url) if session else None

    def _known_targets(self, beginning: str, encoding: str) -> dict[str, _Target]:
        if self._size + len(self._known) > MEMORY:
            self._known.clear()
            self._size = 0
        return self._known.setdefault((beginning, encoding), {})


def _rank_link(link: Link) -> tuple[bool, str, bool, str]:
    """Return a key for sorting the spellings of one URL: the first is that of the page."""
    return link.refusal is not None, link.url, not link.linked, link.linked
