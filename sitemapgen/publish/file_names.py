"""Names of the files of a sitemap."""

from __future__ import annotations

import re

from sitemapgen.analysis.parts import KINDS, Part

ENTRY = "sitemap.xml"
"""The name that robots.txt and search consoles know: the urlset, or the index of its parts."""

WHOLE = "sitemap"
"""The stem of a file that has everything."""

ALWAYS_NUMBERED = frozenset({"", "section", "mixed", "rest", "log"})
"""The kinds of which even the first part has a number in its name."""

SUFFIXES = ("xml", "xml.gz", "txt", "json")
"""Of all files that ``sitemaps.py`` has ever written."""

_WORDS = "|".join(sorted(kind for kinds in KINDS.values() for kind in kinds if kind))
_STEM = re.compile(rf"sitemap(?:-({_WORDS}))?(?:-([1-9][0-9]*))?")
_BRIDGING = re.compile(
    rf"sitemap(?:-(?:{_WORDS}|google-news))?(?:-[1-9][0-9]*)?\.[0-9a-f]{{8}}\.xml(?:\.gz)?"
)


def stem(part: Part) -> str:
    """The name of a part without its suffix.

    >>> stem(Part("", 3)), stem(Part("section", 1)), stem(Part("news", 1)), stem(Part("news", 2))
    ('sitemap-3', 'sitemap-section-1', 'sitemap-news', 'sitemap-news-2')
    """
    words = [WHOLE, *filter(None, [part.kind])]
    if part.number > 1 or part.kind in ALWAYS_NUMBERED:
        words.append(str(part.number))
    return "-".join(words)


def part_of(name: str) -> Part | None:
    """The part that a file name stands for; None for other names.

    >>> part_of("sitemap.xml"), part_of("sitemap-rest-2.xml.gz"), part_of("sitemap-02.xml")
    (Part(kind='', number=1), Part(kind='rest', number=2), None)
    """
    match = _STEM.fullmatch(name.partition(".")[0])
    if match is None:
        return None
    part = Part(match[1] or "", int(match[2] or 1))
    return part if match[0] in (WHOLE, stem(part)) else None


def content_addressed(name: str, digest: str) -> str:
    """The name of a part while the file of its own name is replaced: it never has other content.

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
    """Return whether the name of a file is one of those that ``sitemaps.py`` gives."""
    part = part_of(name)
    if part is None or name.partition(".")[2] not in SUFFIXES:
        return False
    return part.kind in ALWAYS_NUMBERED or not for_sure
