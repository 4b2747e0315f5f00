"""Entries of the sitemap as XML, plain text and JSON.

Distribution of entries to files, and the index of the files: ``sitemaps.py``.
"""

from __future__ import annotations

from json import JSONEncoder
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.publish.extensions import declare_namespaces, escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"  # http: Search Console refuses https
STYLESHEETS = {"none": (), "xsl": ("sitemap.xsl", "sitemap.css"), "css": ("sitemap.css",)}
"""Option -> stylesheets that the XML files name; browsers take the first that they support."""

_json_string = JSONEncoder(ensure_ascii=False).encode


class Format(NamedTuple):
    """How one format writes the files of a sitemap."""

    suffix: str
    head: bytes
    entry: Callable[[str, str, str, str, str], str]
    """(URL, lastmod, priority, changefreq, extensions) -> entry; all but the URL may be empty."""
    foot: bytes
    between: bytes = b""
    is_whole: bool = False
    """Whether one file has all entries, in every layout."""


def _xml_entry(url: str, lastmod: str, priority: str, changefreq: str, extensions: str) -> str:
    """Return a ``<url>``, in a third of the time of an XML writer, a fifth of that of a tree."""
    changed = f"    <lastmod>{lastmod}</lastmod>\n" if lastmod else ""
    often = f"    <changefreq>{changefreq}</changefreq>\n" if changefreq else ""
    weight = f"    <priority>{priority}</priority>\n" if priority else ""
    return f"  <url>\n    <loc>{escaped(url)}</loc>\n{changed}{often}{weight}{extensions}  </url>\n"


def _json_entry(url: str, lastmod: str, priority: str, changefreq: str, _extensions: str) -> str:
    changed = f', "lastmod": "{lastmod}"' if lastmod else ""
    often = f', "changefreq": "{changefreq}"' if changefreq else ""
    weight = f', "priority": {priority}' if priority else ""
    return f'{{"loc": {_json_string(url)}{changed}{often}{weight}}}'


def processing(stylesheet: str) -> str:
    """Return the processing instructions that name the stylesheets of an XML file."""
    return "".join(
        f'<?xml-stylesheet type="text/{name.rpartition(".")[2]}" href="{name}"?>\n'
        for name in STYLESHEETS[stylesheet]
    )


def xml_format(extensions: Collection[str] = (), *, stylesheet: str = "none") -> Format:
    """Return the format of a urlset whose entries have these kinds of extensions."""
    namespaces = f'xmlns="{NAMESPACE}"{declare_namespaces(extensions)}'
    return Format(
        suffix=".xml",
        head=f"{DECLARATION}{processing(stylesheet)}<urlset {namespaces}>\n".encode(),
        entry=_xml_entry,
        foot=b"</urlset>\n",
    )


FORMATS = {
    "xml": xml_format(),
    "txt": Format(suffix=".txt", head=b"", entry=lambda url, *_: f"{url}\n", foot=b""),
    "json": Format(
        suffix=".json",
        head=b"[\n",
        entry=_json_entry,
        foot=b"\n]\n",
        between=b",\n",
        is_whole=True,
    ),
}
