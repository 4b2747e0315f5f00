"""URLs whose path ends like a file, not a page, and the form of their directory.

A name proves nothing: ``/wiki/Node.js`` is an article, ``/src/tree/README.txt`` a view of a code
browser. ``analysis/kinds/files.py`` decides which forms are requested, by their responses.
"""

from __future__ import annotations

import re

from sitemapgen.core.urls import NOT_PAGES, extension, split
from sitemapgen.items import FileHint

MAX_LEVELS = 5
"""Directories of a form; deeper ones count as one. Significant words such as ``raw`` and ``tree``
are among the first: ``/owner/repository/raw/branch/main/...``."""
MAX_LENGTH = 200
"""Maximum characters of a form's directory; a longer one is cut."""

_NUMBER_OR_ID = re.compile(r"[0-9]+|[0-9a-f]{8,}|[0-9a-f-]{32,}", re.IGNORECASE)
_NAMESPACE = re.compile(r"[^:./;=]{1,60}:(?=.)")


def file_hint(url: str) -> FileHint | None:
    """Return the form of a normalised URL that ends like a file, else None.

    Numbers and identifiers in directories become ``{n}``. A namespace before the name counts as a
    directory: articles, files and categories of a wiki differ.

    >>> file_hint("https://example.com/src/41/notes/Readme.txt")
    FileHint(directory='/src/{n}/notes/', extension='txt')
    >>> file_hint("https://example.com/wiki/File:Map.png")
    FileHint(directory='/wiki/File:', extension='png')
    """
    path = split(url).path
    suffix = extension(path)
    if suffix not in NOT_PAGES:
        return None
    before, _, name = path.rpartition("/")
    levels = before.split("/")[1:]
    shown = ["{n}" if _NUMBER_OR_ID.fullmatch(level) else level for level in levels[:MAX_LEVELS]]
    if len(levels) > MAX_LEVELS:
        shown.append("**")
    directory = "".join(f"/{level}" for level in shown)[:MAX_LENGTH]
    namespace = _NAMESPACE.match(name)
    return FileHint(f"{directory}/{namespace[0] if namespace else ''}", suffix)
