"""Names of the files of a sitemap."""

from __future__ import annotations

import re

from sitemapgen.analysis.parts import KINDS, Part

ENTRY = "sitemap.xml"
"""The file to submit to search engines: the urlset, or the index of its parts."""

WHOLE = "sitemap"
"""The stem of a file that has all entries."""

ALWAYS_NUMBERED = frozenset({"", "section", "mixed", "rest", "log"})
"""The kinds of parts whose names have a number from the first part on."""

SUFFIXES = ("xml", "xml.gz", "txt", "json")
"""The suffixes of all files that any version of ``sitemaps.py`` writes."""

_WORDS = "|".join(sorted(kind for kinds in KINDS.values() for kind in kinds if kind))
_STEM = re.compile(rf"sitemap(?:-({_WORDS}))?(?:-([1-9][0-9]*))?")
_BRIDGING = re.compile(
    rf"sitemap(?:-(?:{_WORDS}|google-news))?(?:-[1-9][0-9]*)?\.[0-9a-f]{{8}}\.xml(?:\.gz)?"
)


def stem(part: Part) -> str:
    """Return the name of a part without its suffix.

    >>> stem(Part("", 3)), stem(Part("section", 1)), stem(Part("news", 1)), stem(Part("news", 2))
    ('sitemap-3', 'sitemap-section-1', 'sitemap-news', 'sitemap-news-2')
    """
    words = [WHOLE, *filter(None, [part.kind])]
    if part.number > 1 or part.kind in ALWAYS_NUMBERED:
        words.append(str(part.number))
    return "-".join(words)


def part_of(name: str) -> Part | None:
    """Return the part that a file name stands for; None for other names.

    >>> part_of("sitemap.xml"), part_of("sitemap-rest-2.xml.gz"), part_of("sitemap-02.xml")
    (Part(kind='', number=1), Part(kind='rest', number=2), None)
    """
    match = _STEM.fullmatch(name.partition(".")[0])
    if match is None:
        return None
    part = Part(match[1] or "", int(match[2] or 1))
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
