"""Which links do the HTTP headers of an answer name? RFC 8288, "Web Linking"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_TARGET = re.compile(r"[\s,]*<([^<>]*)>")
_PARAMETER = re.compile(
    r"""\s*;\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]*)))?"""
)
_REST = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|<[^<>]*>|[^,"<])*""")
_ESCAPED = re.compile(r"\\(.)")


class HeaderLink(NamedTuple):
    """One link of a Link header."""

    href: str
    """As it was written: to be resolved against the URL that answered, not a ``<base>``."""
    rel: frozenset[str]
    """Relation types, lower case."""
    hreflang: str
    """Lower case; empty when it names none."""


def read_links(values: Iterable[str]) -> Iterator[HeaderLink]:
    """Yield the links that the values of Link headers make for the answer itself.

    Those with an ``anchor`` speak of something else. Of a parameter that is repeated the first
    counts (section 3.3). What is malformed ends a link, and costs none of the others.
    """
    for value in values:
        position = 0
        while position < len(value):
            target = _TARGET.match(value, position)
            parameters: dict[str, str] = {}
            if target:
                position = target.end()
                while found := _PARAMETER.match(value, position):
                    name, quoted, token = found.groups()
                    text = token if quoted is None else _ESCAPED.sub(r"\1", quoted)
                    parameters.setdefault(name.lower(), text or "")
                    position = found.end()
            if target and "anchor" not in parameters:
                rel = frozenset(parameters.get("rel", "").lower().split())
                yield HeaderLink(
                    decoded(target[1]).strip(), rel, parameters.get("hreflang", "").strip().lower()
                )
            rest = _REST.match(value, position)
            position = (rest.end() if rest else position) + 1


def decoded(uri: str) -> str:
    """The text of a URI in a header: browsers read it as UTF-8, HTTP hands out Latin-1."""
    try:
        return uri.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return uri
