"""Names of the files of a sitemap."""

from __future__ import annotations

import re
from hashlib import blake2b
from unicodedata import combining, normalize
from urllib.parse import unquote

from sitemapgen.analysis.parts import KINDS, Part
from sitemapgen.core.urls import split
from sitemapgen.publish.formats import FORMATS

ENTRY = "sitemap.xml"
"""The file to submit to search engines: the urlset, or the index of its parts."""

WHOLE = "sitemap"
"""The stem of a file that has all entries."""

NAMED = "named"
"""The kind of parts that have the name of their section."""

FORMER = "section"
"""The kind that parts of a section had when their names were numbers: ``sitemap-section-1``."""

ALWAYS_NUMBERED = frozenset({"", FORMER, "mixed", "rest", "log"})
"""The kinds of parts whose names have a number from the first part on."""

SUFFIXES = {"xml.gz", *(each.suffix[1:] for each in FORMATS.values())}
"""The suffixes of all files that ``sitemaps.py`` writes."""

ROOT = "root"
"""The label of the pages in no directory."""

MAX_LABEL = 40
"""Maximum number of characters that a label has of the name of its section."""

_KINDS = {kind for kinds in KINDS.values() for kind in kinds if kind and kind != NAMED} | {FORMER}
_WORDS = "|".join(sorted(_KINDS))
_STEM = re.compile(rf"sitemap(?:-({_WORDS}))?(?:-([1-9][0-9]*))?")
_LABELLED = re.compile(r"sitemap-([a-z0-9]+(?:-[a-z0-9]+)*?)(?:-([1-9][0-9]*))?")
_AMBIGUOUS = re.compile(rf"(?:{_WORDS}|google-news)|(?:.+-)?[0-9]+")
_NO_WORD = re.compile(r"[^a-z0-9]+")
_BRIDGING = re.compile(r"sitemap(?:-[a-z0-9]+)*\.[0-9a-f]{8}\.xml(?:\.gz)?")


def public_directory(base_url: str, start: str) -> str:
    """Return the URL of the directory of the files: ``base_url``, or the root of the site."""
    return base_url or f"{split(start).origin}/"


def section_label(section: str) -> str:
    """Return the name of a section in file names: words of a to z and 0 to 9, joined by dashes.

    ``section`` is the first directory of a normalised URL's path. Accents go. A digest of the whole
    follows what has letters of other scripts or is cut, ``pages`` what would read like the name of
    another part. Sections with one label share their parts.

    >>> [section_label(name) for name in ("blog", "My_Caf%C3%A9", "", "news", "2024")]
    ['blog', 'my-cafe', 'root', 'news-pages', '2024-pages']
    >>> section_label("%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8")
    'xc12d296'
    """
    if not section:
        return ROOT
    plain = "".join(c for c in normalize("NFKD", unquote(section).casefold()) if not combining(c))
    words = _NO_WORD.sub("-", plain).strip("-")
    if len(words) > MAX_LABEL or any(c.isalnum() and not c.isascii() for c in plain) or not words:
        digest = blake2b(section.encode(), digest_size=4).hexdigest()[:7]
        return "-".join(filter(None, (words[:MAX_LABEL].strip("-"), f"x{digest}")))
    return f"{words}-pages" if _AMBIGUOUS.fullmatch(words) else words


def stem(part: Part) -> str:
    """Return the name of a part without its suffix.

    >>> stem(Part("", 3)), stem(Part("mixed", 1)), stem(Part("news", 1)), stem(Part("news", 2))
    ('sitemap-3', 'sitemap-mixed-1', 'sitemap-news', 'sitemap-news-2')
    >>> stem(Part("named", 1, "blog")), stem(Part("named", 2, "blog"))
    ('sitemap-blog', 'sitemap-blog-2')
    """
    words = [WHOLE, *filter(None, [part.label or part.kind])]
    if part.number > 1 or part.kind in ALWAYS_NUMBERED:
        words.append(str(part.number))
    return "-".join(words)


def part_of(name: str) -> Part | None:
    """Return the part that a file name stands for; None for other names.

    >>> part_of("sitemap.xml"), part_of("sitemap-rest-2.xml.gz"), part_of("sitemap-02.xml")
    (Part(kind='', number=1, label=''), Part(kind='rest', number=2, label=''), None)
    >>> part_of("sitemap-blog.xml")
    Part(kind='named', number=1, label='blog')
    """
    first = name.partition(".")[0]
    if match := _STEM.fullmatch(first):
        part = Part(match[1] or "", int(match[2] or 1))
    elif match := _LABELLED.fullmatch(first):
        if _AMBIGUOUS.fullmatch(match[1]):
            return None
        part = Part(NAMED, int(match[2] or 1), match[1])
    else:
        return None
    return part if match[0] in (WHOLE, stem(part)) else None


def content_addressed(name: str, digest: str) -> str:
    """Return a part's name by content, for the time in which its usual file is replaced.

    >>> content_addressed("sitemap-2.xml.gz", "9f86d081884c7d65")
    'sitemap-2.9f86d081.xml.gz'
    """
    first, _, suffix = name.partition(".")
    return f"{first}.{digest[:8]}.{suffix}"


def is_bridging(name: str) -> bool:
    """Return whether a file has a name that :func:`content_addressed` makes.

    >>> is_bridging("sitemap-news.9f86d081.xml"), is_bridging("sitemap-news.xml")
    (True, False)
    """
    return _BRIDGING.fullmatch(name) is not None


def is_ours(name: str, *, for_sure: bool = False) -> bool:
    """Return whether ``sitemaps.py`` gives files this name; ``for_sure``: and hardly others do."""
    part = part_of(name)
    if part is None or name.partition(".")[2] not in SUFFIXES:
        return False
    return part.kind in ALWAYS_NUMBERED or not for_sure
