"""Whole texts of the listed pages: sitemap.md.zip, a Markdown file a page, and sitemap.jsonl.

Both are in URL order, and the same bytes for the same texts. The texts:
``core/document/markdown.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from typing import BinaryIO
from urllib.parse import unquote
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from sitemapgen.core.document.languages import canonical_language
from sitemapgen.core.document.texts import line
from sitemapgen.core.urls import split
from sitemapgen.store.results import PageText

BEGINNING = b'{"url": "http'
"""The first bytes of sitemap.jsonl."""
COMMENT = b"sitemapgen"
"""The comment of the archive, its last bytes."""
MAX_TITLE = 2_000
"""Maximum number of characters of a title."""
MAX_NAME = 150
"""Maximum number of characters of a name in the archive without a digest."""

_SAFE = re.compile(r"(?:/[a-z0-9_][a-z0-9_.-]*)*/?")
_UNSAFE = re.compile(r"[^a-z0-9_/]+")
_RESERVED = re.compile(  # on Windows; ``index`` is the name of a directory's own page
    r"(?:^|/)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./]|$)|\.(?:/|$)|(?:^|/)index$"
)


def write_archive(pages: Iterable[PageText], file: BinaryIO) -> None:
    """Write a ZIP archive with a Markdown file for each page, with front matter in YAML."""
    with ZipFile(file, "w", ZIP_DEFLATED) as target:
        target.comment = COMMENT
        for page in pages:
            entry = ZipInfo(name_of(page.url))  # dated 1980, so that equal texts make equal bytes
            entry.compress_type = ZIP_DEFLATED
            entry.create_system = 3  # Unix, whatever the system
            entry.external_attr = 0o644 << 16
            facts = "".join(
                f"{name}: {_to_json(value)}\n" for name, value in _front_matter(page).items()
            )
            text = f"---\n{facts}---\n\n{page.markdown}"
            target.writestr(entry, text.encode("utf-8", "replace"))


def write_lines(pages: Iterable[PageText], file: BinaryIO) -> None:
    """Write a JSON object for each page, one a line."""
    for page in pages:
        row = {name: value or None for name, value in _front_matter(page).items()}
        file.write(f"{_to_json({**row, 'text': page.markdown})}\n".encode("utf-8", "replace"))


FORMATS: Mapping[str, tuple[str, Callable[[Iterable[PageText], BinaryIO], None]]] = {
    "md": ("sitemap.md.zip", write_archive),
    "jsonl": ("sitemap.jsonl", write_lines),
}
"""By format, its file name and its writer."""


def name_of(url: str) -> str:
    """Return the name of a page in the archive: its path, of small letters a to z and digits.

    A name that differs from the path has a digest of the URL at its end. Page ``/a`` is ``a.md``,
    and ``/a/`` is ``a/index.md``.

    >>> name_of("https://example.com/blog/2-news"), name_of("https://example.com/blog/")
    ('blog/2-news.md', 'blog/index.md')
    >>> name_of("https://example.com/../Blog?page=2")
    'blog-page-2-b25bd7a9767d.md'
    """
    _, path, query = split(url)
    name = path[1:]
    is_plain = _SAFE.fullmatch(path) and len(name) <= MAX_NAME and not _RESERVED.search(name)
    if is_plain and not query:
        return f"{name}index.md" if not name or name.endswith("/") else f"{name}.md"
    digest = blake2b(url.encode(), digest_size=6).hexdigest()
    words = _UNSAFE.sub("-", unquote(f"{name}-{query}").lower())
    steps = [step.strip("-") for step in words[:MAX_NAME].split("/")]
    return f"{'/'.join(f'{step}-' for step in steps if step)}{digest}.md".replace("-/", "/")


def _front_matter(page: PageText) -> dict[str, str]:
    return {
        "url": page.url,
        "title": line(page.title, MAX_TITLE),
        "lastmod": page.lastmod,
        "lang": canonical_language(page.language),
    }


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
