"""Page numbers in the URLs of lists."""

from __future__ import annotations

import re

_PAGE = (
    "page|pages|paged|pg|pagina|seite|page[_-]?(?:no|num|nr|number|index)|(?:current|cur)[_-]?page"
)
_NUMBER = "[0-9]{1,6}"  # a date has more digits, and a calendar is not a list
_HINT = re.compile(rf"[=/_-]{_NUMBER}(?=[/&;.]|$)|(?:page|seite|pagina){_NUMBER}", re.IGNORECASE)
_PARAMETER = re.compile(
    rf"([?&;])(?:[^=&;]*(?:\[|%5B|[._-]))?"
    rf"(?:{_PAGE}|pagen|start|start[_-]?(?:index|row|at)?|limitstart|offset|skip)"
    rf"(?:\]|%5D)?(?:_[0-9]+)?={_NUMBER}(?=[&;]|$)",
    re.IGNORECASE,
)
_SEGMENT = re.compile(
    rf"[/_-](?:page|seite|pagina)[/_-]?{_NUMBER}(?=/|\.[a-z]{{2,5}}$|$)", re.IGNORECASE
)


def unnumbered(url: str) -> str:
    """Return the URL of a list, which is ``url`` without its page number; empty without one.

    A parameter named ``p`` is not a page number: in WordPress it identifies a post.

    >>> unnumbered("https://example.com/parts?page=7&sort=name")
    'https://example.com/parts?sort=name'
    >>> unnumbered("https://example.com/blog/page/2/"), unnumbered("https://example.com/?p=2")
    ('https://example.com/blog', '')
    """
    if not _HINT.search(url, url.find("/", len("https://"))):
        return ""
    path, _, query = url.partition("?")
    path, segments = _SEGMENT.subn("", path, 1)
    query, parameters = _PARAMETER.subn(r"\1", f"?{query}")
    if not segments and not parameters:
        return ""
    return _trimmed(f"{path}?{'&'.join(filter(None, re.split('[&;]', query[1:])))}")


def spellings(of_list: str) -> tuple[str, str]:
    """Return the two URLs that the first page of a list may have, given what is ``unnumbered``.

    >>> spellings("https://example.com/parts?sort=name")
    ('https://example.com/parts?sort=name', 'https://example.com/parts/?sort=name')
    """
    path, mark, query = of_list.partition("?")
    return of_list, f"{path}/{mark}{query}"


def _trimmed(url: str) -> str:
    """Return a URL without the slash at the end of its path, and without an empty query."""
    path, _, query = url.partition("?")
    return path.rstrip("/") + (f"?{query}" if query else "")
