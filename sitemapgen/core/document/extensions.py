"""Sitemap extensions of a page: its images, videos, news and language versions.

These are Google's extensions of the protocol. Incomplete data that search engines would reject is
left out: a video without its thumbnail, news without a date. ``analysis/hreflang.py`` checks the
language versions across the site.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta, timezone
from itertools import chain, islice
from typing import TYPE_CHECKING

from sitemapgen.core.document.languages import news_language
from sitemapgen.core.document.media import MAX_IMAGES
from sitemapgen.core.document.structured import Entity, read_entities, types_of
from sitemapgen.core.document.texts import BEGINNING, line
from sitemapgen.core.lastmod import iso_date
from sitemapgen.core.urls import MAX_LENGTH, Resolver, extension, parse, split
from sitemapgen.items import Extensions, News, Video

if TYPE_CHECKING:
    from sitemapgen.core.document.html import Document
    from sitemapgen.core.headers import HeaderLink

KINDS = ("hreflang", "images", "videos", "news")

MAX_VIDEOS = 100
"""Videos of one page; Google documents no limit."""
MAX_NODES = 1_000
"""Entities that are read of the JSON-LD of one page."""
MAX_ALTERNATES = 1_000
"""Language versions of one page; Google documents no limit."""
MAX_VIDEO_TITLE = 100
"""Characters of a video's title (sitemap-video.xsd)."""
MAX_VIDEO_DESCRIPTION = 2_048
"""Characters of a video's description (sitemap-video.xsd)."""
MAX_DURATION = 28_800
"""Seconds of a video (sitemap-video.xsd)."""
MAX_NEWS_TEXT = 500
"""Characters of a headline, and of the name of a publication; Google documents no limit."""

NEWS_TYPES = frozenset(
    """
    NewsArticle Article ReportageNewsArticle AnalysisNewsArticle AskPublicNewsArticle
    BackgroundNewsArticle OpinionNewsArticle ReviewNewsArticle LiveBlogPosting
    """.split()  # noqa: SIM905 - a word list, not code
)
"""Types of schema.org that are news; BlogPosting is not."""

NEWS_AGE = timedelta(days=2)
"""Maximum age of an article in a news sitemap (Google, "News sitemaps")."""
SKEW = timedelta(minutes=5)
"""Tolerance for the clock of a site: a date this far in the future is accepted."""

_NO_IMAGES = frozenset({"ico", "cur"})
_PARTS = ("@graph", "mainEntity", "mainEntityOfPage", "video", "associatedMedia")
"""Properties of JSON-LD that hold the main entities of a page, and its videos."""
_DURATION = re.compile(
    r"P(?:(\d{1,3})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})(?:[.,]\d+)?S)?)?"
)
_UNITS = (86_400, 3_600, 60, 1)


def read_extensions(
    kinds: Collection[str], document: Document, place: Resolver, named: Iterable[HeaderLink]
) -> Extensions:
    """Read the requested ``kinds``, a subset of KINDS; never raises.

    ``named``: the document's Link headers.
    """
    nodes: list[Entity] = []
    if "videos" in kinds or "news" in kinds:
        nodes = list(islice(_json_ld_entities(document.json_ld), MAX_NODES))
    properties: dict[str, str] = {}
    for name, content in reversed(document.open_graph):
        properties[name] = content  # the first one counts
    return Extensions(
        images=tuple(_visible_images(document, place)) if "images" in kinds else (),
        videos=tuple(_complete_videos(nodes, properties, document, place))
        if "videos" in kinds
        else (),
        news=_first_article(nodes, properties, document) if "news" in kinds else None,
        alternates=_alternate_urls(document, place, named) if "hreflang" in kinds else (),
    )


# Images


def _visible_images(document: Document, place: Resolver) -> Iterable[str]:
    """Return the visible images: the preview image of Open Graph, then each ``<img>``.

    Leaves out icons, spacers and tracking pixels (a declared size below 32 pixels, or .ico and
    .cur), and ``data:`` URLs.
    """
    named = ("og:image", "og:image:url", "og:image:secure_url")
    sources = [content for name, content in document.open_graph if name in named]
    found: dict[str, None] = {}
    for source in (*sources, *document.pictures):
        image = _resolve_url(place, source)
        if image and image != place.document and extension(split(image).path) not in _NO_IMAGES:
            found[image] = None
            if len(found) == MAX_IMAGES:
                break
    return found


# Videos


def _complete_videos(
    nodes: list[Entity], properties: dict[str, str], document: Document, place: Resolver
) -> Iterator[Video]:
    """Yield the videos for which the page states all required fields; each once."""
    found = (_read_video(node, place) for node in nodes if "VideoObject" in types_of(node))
    met: set[str] = set()
    for video in chain(found, [_open_graph_video(properties, document, place)]):
        where = {video.content, video.player} - {""}
        has_all = video.title and video.thumbnail and video.description and where
        if has_all and met.isdisjoint(where):
            met |= where
            yield video
        if len(met) >= 2 * MAX_VIDEOS:
            break


def _read_video(node: Entity, place: Resolver) -> Video:
    content, player = (_first_url(place, node.get(name)) for name in ("contentUrl", "embedUrl"))
    return Video(
        title=line(_text_of(node.get("name")), MAX_VIDEO_TITLE),
        thumbnail=_first_url(place, node.get("thumbnailUrl"))
        or _first_url(place, node.get("thumbnail")),
        content=content if content != place.document else "",  # Google: not the page itself
        player=player if player != place.document else "",
        description=line(_text_of(node.get("description")), MAX_VIDEO_DESCRIPTION),
        duration=_duration_in_seconds(_text_of(node.get("duration"))),
        published=_format_w3c(iso_date(_text_of(node.get("uploadDate")))),
    )


def _open_graph_video(properties: dict[str, str], document: Document, place: Resolver) -> Video:
    names = ("og:video:secure_url", "og:video:url", "og:video")
    source = next(filter(None, map(properties.get, names)), "")
    where = _resolve_url(place, source) if source else ""
    where = where if where != place.document else ""
    is_file = properties.get("og:video:type", "").strip().lower().startswith("video/")
    image = properties.get("og:image:secure_url") or properties.get("og:image", "")
    return Video(
        title=line(properties.get("og:title") or document.title, MAX_VIDEO_TITLE),
        thumbnail=_resolve_url(place, image) if image else "",
        content=where if is_file else "",
        player="" if is_file else where,
        description=line(properties.get("og:description", ""), MAX_VIDEO_DESCRIPTION),
    )


def _duration_in_seconds(duration: str) -> int:
    """Return the seconds of an ISO 8601 duration; 0 if malformed or beyond ``MAX_DURATION``."""
    found = _DURATION.fullmatch(duration.strip())
    if found is None:
        return 0
    seconds = sum(unit * int(part or 0) for unit, part in zip(_UNITS, found.groups()))
    return seconds if seconds <= MAX_DURATION else 0


# News


def _first_article(
    nodes: list[Entity], properties: dict[str, str], document: Document
) -> News | None:
    """Return the first news article in the page's JSON-LD that has all required fields."""
    named = {node["@id"]: node for node in nodes if isinstance(node.get("@id"), str)}
    site_name = line(properties.get("og:site_name", ""), MAX_NEWS_TEXT)
    title = line(properties.get("og:title") or document.title, MAX_NEWS_TEXT)
    for node in nodes:
        if NEWS_TYPES.isdisjoint(types_of(node)):
            continue
        publisher = _publisher_name(node.get("publisher"), named)
        language = _text_of(node.get("inLanguage")) or document.language
        news = News(
            publication=line(publisher, MAX_NEWS_TEXT) or site_name,
            language=news_language(language),
            date=_format_w3c(iso_date(_text_of(node.get("datePublished")))),
            title=line(_text_of(node.get("headline")), MAX_NEWS_TEXT) or title,
        )
        if all(news):
            return news
    return None


def is_recent(published: str, now: datetime) -> bool:
    """Return whether a W3C datetime is of the last two days; a date counts to the day's end."""
    moment = iso_date(published)
    if moment is None:
        return False
    if isinstance(moment, datetime):
        first = last = moment
    else:
        first = datetime.combine(moment, time.min, timezone.utc)
        last = first + timedelta(days=1)
    return first <= now + SKEW and last > now - NEWS_AGE


def _publisher_name(value: object, named: dict[str, Entity]) -> str:
    for each in value if isinstance(value, list) else [value]:
        name = each
        if isinstance(each, dict):
            name = each.get("name") or named.get(str(each.get("@id")), {}).get("name")
        if text := _text_of(name):
            return text
    return ""


# Other languages


def _alternate_urls(
    document: Document, place: Resolver, named: Iterable[HeaderLink]
) -> tuple[tuple[str, str], ...]:
    """Return (hreflang as written, URL), each pair once."""
    hrefs = [(code, href, place) for code, href in document.hreflang]
    hrefs += [
        (link.hreflang, link.href, place.of_headers) for link in named if link.is_language_version
    ]
    found: dict[tuple[str, str], None] = {}
    for code, href, its_place in hrefs[:MAX_ALTERNATES]:
        if url := its_place.link(href).url:
            found[code, url] = None
    return tuple(found)


# URLs and JSON-LD


def _resolve_url(place: Resolver, href: str) -> str:
    """Resolve a URL that is no link of the page; empty if a sitemap may not have it."""
    url = parse(href.strip(), place.base)
    return url if url is not None and 12 <= len(url) <= MAX_LENGTH else ""


def _first_url(place: Resolver, value: object) -> str:
    """Return the first URL in a JSON-LD value (text, object or list); empty without one."""
    for each in value if isinstance(value, list) else [value]:
        href = each
        if isinstance(each, dict):
            href = each.get("url") or each.get("contentUrl") or each.get("@id")
        if isinstance(href, str) and href and (url := _resolve_url(place, href)):
            return url
    return ""


def _json_ld_entities(scripts: Iterable[str]) -> Iterator[Entity]:
    """Yield the entities in a page's JSON-LD, nested ones after the others."""
    for script in scripts:
        with suppress(ValueError):
            yield from read_entities(script, _PARTS)


def _text_of(value: object) -> str:
    return value[:BEGINNING] if isinstance(value, str) else ""


def _format_w3c(moment: date | None) -> str:
    if isinstance(moment, datetime):
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment.year >= 1000 else ""
    return moment.isoformat() if moment else ""
