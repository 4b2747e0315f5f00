"""Page numbers in the URLs of lists."""

from __future__ import annotations

import re

_PAGE = (
    "page|pages|paged|pg|pagina|seite|page[_-]?(?:no|num|nr|number|index)|(?:current|cur)[_-]?page"
)
_NUMBER = "[0-9]{1,6}"  # a date has more digits, and a calendar is not a list
_HINT = re.compile(rf"[:=/_-]{_NUMBER}(?=[/&;.]|$)|(?:page|seite|pagina){_NUMBER}", re.IGNORECASE)
_PARAMETER = re.compile(
    rf"([?&;])(?:[^=&;]*(?:\[|%5B|[._-]))?"
    rf"(?:{_PAGE}|pagen|debut_[a-z_]+|start|start[_-]?(?:index|row|at)?|limitstart|offset|skip)"
    rf"(?:\]|%5D|:int)?(?:_[0-9]+)?={_NUMBER}(?=[&;]|$)",
    re.IGNORECASE,
)
_SEGMENT = re.compile(
    rf"[/;_-](?:page|seite|pagina)[/:=_-]?{_NUMBER}(?=[/;]|\.[a-z]{{2,5}}$|$)", re.IGNORECASE
)


def strip_page_number(url: str) -> str:
    """Return the URL of a list, which is ``url`` without its page number; empty without one.

    A parameter named ``p`` is not a page number: in WordPress it identifies a post.

    >>> strip_page_number("https://example.com/parts?page=7&sort=name")
    'https://example.com/parts?sort=name'
    >>> strip_page_number("https://example.com/blog/page/2/")
    'https://example.com/blog/'
    >>> strip_page_number("https://example.com/?p=2")
    ''
    """
    if not _HINT.search(url, url.find("/", len("https://"))):
        return ""
    path, _, query = url.partition("?")
    path, segments = _SEGMENT.subn("", path, 1)
    query, parameters = _PARAMETER.subn(r"\1", f"?{query}")
    if not segments and not parameters:
        return ""
    query = "&".join(filter(None, re.split("[&;]", query[1:])))
    return f"{path}?{query}" if query else path


def page_number(url: str) -> int:
    """Return the page number that ``strip_page_number`` removes; 0 without one.

    >>> page_number("https://example.com/parts?page=7&sort=name")
    7
    """
    path, _, query = url.partition("?")
    if not _HINT.search(url, url.find("/", len("https://"))):
        return 0
    found = _SEGMENT.search(path) or _PARAMETER.search(f"?{query}")
    return int(re.findall("[0-9]+", found[0])[-1]) if found else 0
