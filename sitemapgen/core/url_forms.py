"""Forms of URLs: what the pages of one kind have in common in their addresses.

``template`` groups pages that are probably made by one template. ``form_of`` also separates
archives of a month from those of a day, and both from what has a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from sitemapgen.core.urls import matches, split

DATE_DIGITS = 6
"""Digits from which numbers of different length are of different forms: months, days."""

_DIGITS = re.compile(r"[0-9]+")
_SCRIPT = re.compile(r"\.(?:php|aspx?|jsp|cfm|cgi|pl|do)$", re.IGNORECASE)


def template(url: str) -> str:
    """Return the template of a URL: its section, the depth below it, the names in its query.

    >>> template("https://example.com/blog/2024/hello?page=2")
    '/blog/*/*?page'
    >>> template("https://example.com/about")
    '/*'

    A script is a kind of its own: its name is that of a template.

    >>> template("https://example.com/shop/print.php?id=7")
    '/shop/print.php?id'
    >>> template("https://example.com/spip.php?article12")
    '/spip.php?article#'
    """
    return _form_of_url(url, lambda _: "*")


def pattern_of(url: str) -> str:
    """Return the pattern by which ``exclude`` leaves out URLs like this one; empty for none.

    A pattern of a path without a word of its own would leave out the whole site.

    >>> pattern_of("https://example.com/blog/2024/hello?page=2&tag=sea")
    '/blog/*/*?page=*&tag=*'
    >>> pattern_of("https://example.com/v2/a?q="), pattern_of("https://example.com/about")
    ('/v*/*?q=*', '')
    >>> pattern_of("https://example.com/spip.php?article12")
    '/spip.php?article*'
    """
    path, query = template(url).partition("?")[0].replace("#", "*"), split(url).query
    names = (part.partition("=") for part in query.split("&") if part)
    parts = dict.fromkeys(
        f"{name}=*" if equals else f"{_name_of_bare(name).replace('#', '*').rstrip('*')}*"
        for name, equals, _ in names
    )
    pattern = path + "?" * bool(query) + "&".join(parts)
    return pattern.replace(",", "*") if pattern.strip("/*") else ""


def leaves_out(pattern: str, kind: str) -> bool:
    """Return whether what ``pattern_of`` returned may leave out URLs of a template.

    >>> leaves_out("/tag/*", "/tag/*/*"), leaves_out("/shop?a=*", "/shop?b")
    (True, False)
    >>> leaves_out("/spip.php?article*", "/spip.php?article#")
    True
    """
    (path, names), (of_kind, others) = (
        (path, {part.partition("=")[0] for part in query.split("&")})
        for path, _, query in (pattern.partition("?"), kind.partition("?"))
    )
    return matches(path, of_kind) and all(
        name in others
        or (name.endswith("*") and any(other.startswith(name[:-1]) for other in others))
        for name in names - {""}
    )


def form_of(url: str) -> str:
    """Return the template of a URL in which numbers differ from words, and dates from numbers.

    >>> form_of("https://example.com/2024/03/05/"), form_of("https://example.com/tag/sea/")
    ('/#/#/#', '/tag/*')
    >>> form_of("https://example.com/?m=20240305&paged=2"), form_of("https://example.com/about")
    ('/?m=#8&paged=#', '/*')
    """
    return _form_of_url(url, _kind_of_word)


def _kind_of_word(word: str) -> str:
    digits = len(word) if word.isdecimal() else 0
    return "*" if not digits else "#" if digits < DATE_DIGITS else f"#{digits}"


def _form_of_url(url: str, kind: Callable[[str], str]) -> str:
    _, path, query = split(url)
    words = [word for word in path.split("/") if word]
    places = [kind(word) for word in words]
    if len(words) > 1 and places[0] == "*":
        places[0] = _DIGITS.sub("#", words[0])
    if query and words and _SCRIPT.search(words[-1]):
        places[-1] = words[-1]
    names = sorted({_form_of_parameter(part, kind) for part in query.split("&")}) if query else []
    return "/" + "/".join(places) + ("?" + "&".join(names) if names else "")


def _form_of_parameter(part: str, kind: Callable[[str], str]) -> str:
    name, equals, value = part.partition("=")
    if not equals:
        return _name_of_bare(part)
    return name if (place := kind(value)) == "*" else f"{name}={place}"


def _name_of_bare(part: str) -> str:
    """Return the name of a parameter without a value: of ``?print`` it is one, ``?WikiPage`` none.

    >>> _name_of_bare("print"), _name_of_bare("article12"), _name_of_bare("WikiPage")
    ('print', 'article#', '*')
    """
    is_name = part.isascii() and part.islower() and "%" not in part
    return _DIGITS.sub("#", part) if is_name or part.isdecimal() else "*"
