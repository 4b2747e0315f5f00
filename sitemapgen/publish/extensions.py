"""XML of Google's extensions in the entries of a sitemap.

They are read from pages by ``core/document/extensions.py``; versions in other languages are chosen
by ``analysis/hreflang.py``. All are in Google's namespaces, in the order of their schemas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapgen.core.sitemap_files.schema import IMAGE, NEWS, VIDEO, XHTML

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sitemapgen.items import News, Video

NAMESPACES = {
    "hreflang": ("xhtml", XHTML),
    "images": ("image", IMAGE),
    "videos": ("video", VIDEO),
    "news": ("news", NEWS),
}
"""Kind of extension -> (prefix, namespace), in the order of declaration."""

# sitemaps.org, "Entity escaping"; the ampersand is replaced first.
ENTITIES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&apos;"), ('"', "&quot;"))


def escaped(text: str) -> str:
    """Escape a text for XML."""
    for character, entity in ENTITIES:
        text = text.replace(character, entity)
    return text


def declare_namespaces(kinds: Collection[str]) -> str:
    """Return the namespace attributes of a <urlset> for these kinds of extensions."""
    return "".join(
        f' xmlns:{prefix}="{namespace}"'
        for kind, (prefix, namespace) in NAMESPACES.items()
        if kind in kinds
    )


def images_xml(images: Iterable[str]) -> str:
    """Return an <image:image> for each URL."""
    return "".join(
        f"    <image:image>\n      <image:loc>{escaped(image)}</image:loc>\n    </image:image>\n"
        for image in images
    )


def videos_xml(videos: Iterable[Video]) -> str:
    """Return a <video:video> for each video, its elements in the order of the schema."""
    return "".join(map(_video_xml, videos))


def _video_xml(video: Video) -> str:
    fields = (
        ("thumbnail_loc", video.thumbnail),
        ("title", video.title),
        ("description", video.description),
        ("content_loc", video.content),
        ("player_loc", video.player),
        ("duration", str(video.duration or "")),
        ("publication_date", video.published),
    )
    lines = "".join(
        f"      <video:{name}>{escaped(value)}</video:{name}>\n" for name, value in fields if value
    )
    return f"    <video:video>\n{lines}    </video:video>\n"


def alternates_xml(alternates: Iterable[tuple[str, str]]) -> str:
    """Return an <xhtml:link> for each (code, URL)."""
    return "".join(
        f'    <xhtml:link rel="alternate" hreflang="{code}" href="{escaped(url)}"/>\n'
        for code, url in alternates
    )


def news_xml(news: News) -> str:
    """Return the <news:news> of an article."""
    return (
        "    <news:news>\n      <news:publication>\n"
        f"        <news:name>{escaped(news.publication)}</news:name>\n"
        f"        <news:language>{news.language}</news:language>\n"
        "      </news:publication>\n"
        f"      <news:publication_date>{news.date}</news:publication_date>\n"
        f"      <news:title>{escaped(news.title)}</news:title>\n    </news:news>\n"
    )
