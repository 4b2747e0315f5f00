"""Reader of one <url>, <sitemap>, <item> or <entry>: element -> entry.

``read.py`` finds the elements in a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from sitemapgen.core.lastmod import MAX_LENGTH as MAX_DATE
from sitemapgen.core.urls import MAX_LENGTH
from sitemapgen.items import Extensions, News, SitemapEntry, Video

if TYPE_CHECKING:
    from lxml import etree

XML_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_FIELDS = ("loc", "lastmod", "changefreq", "priority")


MAX_URL = 16_384
"""Maximum characters of a URL as written; that of a page has at most 2,048."""
MAX_FIELD = 100
"""Characters kept of a date and of the other fields; no valid one is that long."""

NO_URL = "without a URL"
LONG_URL = f"with a URL of more than {MAX_URL:,} characters"
SEVERAL_URLS = "with several <loc>, of which the first was taken"


class Entry(NamedTuple):
    """Content of one element."""

    entry: SitemapEntry | None
    """None without a URL, or where its element contains more than text."""
    fault: str = ""
    """NO_URL, LONG_URL, SEVERAL_URLS or empty; a missing URL is no fault in a feed."""


def _read_url(element: etree._Element) -> Entry:
    """Read a <url> or <sitemap> (sitemaps.org/protocol.html).

    Fields count by their local name if they share the element's namespace, whatever it is: so
    <image:loc> is not a <loc>. Of two equal fields, the first counts.
    """
    namespace = split_name(element)[0]
    fields = dict.fromkeys([namespace + name for name in _FIELDS], "")
    others = []
    locs = 0
    for child in reversed(element):
        if child.tag in fields:
            fields[str(child.tag)] = _text_of(child)
            locs += child.tag == f"{namespace}loc"
        else:
            others.append(child)
    loc, *hints = fields.values()
    if not loc:
        return Entry(None, NO_URL)
    if len(loc) > MAX_URL:
        return Entry(None, LONG_URL)
    lastmod, changefreq, priority = (text[:MAX_FIELD] for text in hints)
    entry = SitemapEntry(loc, lastmod, changefreq, priority, _read_extensions(reversed(others)))
    return Entry(entry, SEVERAL_URLS if locs > 1 else "")


def _read_item(element: etree._Element) -> Entry:
    """Read an <item> of RSS 2.0 or RSS 1.0; without a link, use its guid if it is a permalink.

    It is one unless ``isPermaLink`` is not true (RSS 2.0, "guid").
    """
    namespace = split_name(element)[0]
    guid = element.find(f"{namespace}guid")
    permalink = _web_url(_text_of(guid))
    link = _text_of(element.find(f"{namespace}link"))
    if not link and guid is not None and guid.get("isPermaLink", "true").strip().lower() == "true":
        link = permalink
    dates = (element.find(name) for name in (f"{namespace}pubDate", f"{_DUBLIN_CORE}date"))
    date = next(filter(None, map(_text_of, dates)), "")
    if len(link) > MAX_URL:
        return Entry(None, LONG_URL)
    if not link:
        return Entry(None)
    return Entry(SitemapEntry(link, w3c_datetime(date), permalink=permalink))


def _web_url(text: str) -> str:
    """Return an absolute http(s) URL as it is, else an empty text."""
    is_url = text[:8].lower().startswith(("http://", "https://")) and len(text) <= MAX_URL
    return text if is_url else ""


def _read_atom(element: etree._Element) -> Entry:
    """Read an <entry> of Atom 1.0: its first alternate link (RFC 4287 section 4.2.7.2).

    The link may be relative to the ``xml:base`` around it, or to the feed.
    """
    namespace = split_name(element)[0]
    url = related = ""
    for link in element.iterfind(f"{namespace}link"):
        href, rel = link.get("href", "").strip(), link.get("rel", "alternate").strip().lower()
        if len(href) > MAX_URL and not url:
            return Entry(None, LONG_URL)
        if rel == "alternate" and href:
            url = url or _resolve_against_base(href, link)
        elif rel == "related":
            related = related or _web_url(_resolve_against_base(href, link))
    if not url:
        return Entry(None)
    updated = w3c_datetime(_text_of(element.find(f"{namespace}updated")))
    permalink = _web_url(_text_of(element.find(f"{namespace}id"))) or related
    return Entry(SitemapEntry(url, updated, permalink=permalink))


READERS: Mapping[str, Callable[[etree._Element], Entry]] = {
    "urlset": _read_url,
    "index": _read_url,
    "rss": _read_item,
    "rdf": _read_item,
    "atom": _read_atom,
}
"""Reader of an element by the format of its file."""


def w3c_datetime(date: str) -> str:
    """Convert an RFC 822 date, as in RSS, to a W3C datetime; any other text stays as written.

    A date with an unknown zone also stays: it may be hours off, and is no evidence.

    >>> w3c_datetime("Wed, 02 Oct 2002 08:00:00 EST")
    '2002-10-02T08:00:00-05:00'
    """
    if len(date) > MAX_DATE:
        return date[:MAX_FIELD]
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, TypeError, IndexError, OverflowError):  # it raises all of them on bad input
        return date
    if moment.tzinfo is not None:
        return moment.isoformat()
    return f"{moment.isoformat()}Z" if date.endswith("-0000") else date  # RFC 5322 section 3.3


def split_name(element: etree._Element) -> tuple[str, str]:
    """Return (namespace in braces, local name); an undeclared prefix stays on the name."""
    namespace, brace, name = str(element.tag).rpartition("}")
    return namespace + brace, name


def _read_extensions(elements: Iterable[etree._Element]) -> Extensions | None:
    """Read images, videos, news and hreflang by their local names: namespaces are often wrong."""
    images: list[str] = []
    videos: list[Video] = []
    alternates: list[tuple[str, str]] = []
    news: News | None = None
    for element in elements:
        name = _local_name(element)
        if name == "link":
            language, href = element.get("hreflang", ""), element.get("href", "")
            if language and href and "alternate" in element.get("rel", "").lower().split():
                alternates.append((language.strip(), href.strip()))
            continue
        fields = {_local_name(child): _text_of(child) for child in reversed(element)}
        if name == "image" and fields.get("loc"):
            images.append(fields["loc"])
        elif name == "video":
            videos.append(
                Video(
                    title=fields.get("title", ""),
                    thumbnail=fields.get("thumbnail_loc", ""),
                    content=fields.get("content_loc", ""),
                    player=fields.get("player_loc", ""),
                )
            )
        elif name == "news" and news is None:
            who = {_local_name(part): _text_of(part) for child in element for part in child}
            date, title = fields.get("publication_date", ""), fields.get("title", "")
            news = News(who.get("name", ""), who.get("language", ""), date, title)
    if not (images or videos or news or alternates):
        return None
    return Extensions(tuple(images), tuple(videos), news, tuple(alternates))


def _local_name(element: etree._Element) -> str:
    """Return the name without its namespace and without an undeclared prefix."""
    return split_name(element)[1].rpartition(":")[2]


def _resolve_against_base(href: str, element: etree._Element) -> str:
    """Resolve against each surrounding ``xml:base``, inside out; the result may still be relative.

    A base longer than the URLs of a sitemap is ignored.
    """
    for place in (element, *element.iterancestors()):
        base = place.get(XML_BASE, "").strip()
        try:
            href = urljoin(base, href) if len(base) <= MAX_LENGTH else href
        except ValueError:  # a base such as http://[
            continue
    return href


def _text_of(element: etree._Element | None) -> str:
    if element is None or len(element):  # an undeclared entity is a child, too
        return ""
    return (element.text or "").strip()
