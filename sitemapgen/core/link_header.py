"""Reads the links that the HTTP headers of an answer name: RFC 8288, "Web Linking"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SEPARATORS = re.compile(r"[\s,]*")
_TARGET = re.compile(r"<([^<>]*)>")
_NAME = re.compile(r"\s*;\s*([!#$%&'*+.^_`|~\w-]+)\s*")
_EQUALS = re.compile(r"=\s*")
_QUOTED = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_TOKEN = re.compile(r'[^\s";,]*')
_PLAIN = re.compile(r'[^,"<]*')
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


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
        yield from _Scanner(value).links()


class _Scanner:
    """Reads one value from left to right; no character is looked at more than a few times."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.may_quote = True
        """Whether a quoted string may still end: behind one that does not, none does."""

    def links(self) -> Iterator[HeaderLink]:
        while self.position < len(self.text):
            self._take(_SEPARATORS)
            if target := self._take(_TARGET):
                parameters = self._parameters()
                if "anchor" not in parameters:
                    rel = frozenset(parameters.get("rel", "").lower().split())
                    hreflang = parameters.get("hreflang", "").strip().lower()
                    yield HeaderLink(decoded(target[1]).strip(), rel, hreflang)
            self._skip()

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.position)
        if found:
            self.position = found.end()
        return found

    def _parameters(self) -> dict[str, str]:
        """Parameters by lower-case name; those without a value are empty."""
        parameters: dict[str, str] = {}
        while name := self._take(_NAME):
            text = ""
            if self._take(_EQUALS):
                quoted = self._quoted()
                token = self._take(_TOKEN) if quoted is None else None
                text = _ESCAPED.sub(r"\1", quoted or "") if token is None else token[0]
            parameters.setdefault(name[1].lower(), text)
        return parameters

    def _quoted(self) -> str | None:
        """The content of the quoted string that begins here, escaped; None if none does."""
        if not (self.may_quote and self.text.startswith('"', self.position)):
            return None
        found = self._take(_QUOTED)
        self.may_quote = found is not None
        return found[1] if found else None

    def _skip(self) -> None:
        """Pass over the rest of a link: to behind the next comma, or behind what is malformed."""
        while True:
            self._take(_PLAIN)
            if self._quoted() is None and not self._take(_TARGET):
                break
        self.position += 1


def decoded(uri: str) -> str:
    """The text of a URI in a header: browsers read it as UTF-8, HTTP hands out Latin-1."""
    try:
        return uri.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return uri
