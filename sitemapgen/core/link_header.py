"""Parser of Link headers: RFC 8288, "Web Linking"."""

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

QUALIFIERS = ("hreflang", "lang", "media", "type")
"""Attributes for which a canonical link does not count (Google, "How to specify a canonical URL"):
it names a version for others."""


class HeaderLink(NamedTuple):
    """One link of a Link header."""

    href: str
    """As written, relative to the URL of the response, not to a ``<base>``."""
    rel: frozenset[str]
    """Relation types in lower case."""
    hreflang: str
    """In lower case; empty without one."""
    qualifier: str = ""
    """The first of ``QUALIFIERS`` among its parameters; empty without one."""

    @property
    def is_canonical(self) -> bool:
        """Whether it names a page as canonical; a fragment names no other page."""
        return "canonical" in self.rel and bool(self.href.partition("#")[0])

    @property
    def is_language_version(self) -> bool:
        """Whether it names a version in another language."""
        return bool(self.href and self.hreflang) and "alternate" in self.rel


def read_links(values: Iterable[str]) -> Iterator[HeaderLink]:
    """Yield the links in the values of Link headers whose context is the response itself.

    Links with an ``anchor`` have another context. Of a repeated parameter the first counts
    (section 3.3). A malformed part ends its link, and loses none of the others.
    """
    for value in values:
        yield from _Scanner(value).links()


class _Scanner:
    """Scans one value from left to right, in linear time."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.may_quote = True
        """Whether a quoted string may still end: after one without its end, none does."""

    def links(self) -> Iterator[HeaderLink]:
        while self.position < len(self.text):
            self._take(_SEPARATORS)
            if target := self._take(_TARGET):
                parameters = self._parameters()
                if "anchor" not in parameters:
                    rel = frozenset(parameters.get("rel", "").lower().split())
                    hreflang = parameters.get("hreflang", "").strip().lower()
                    qualifier = next((name for name in QUALIFIERS if name in parameters), "")
                    yield HeaderLink(decoded(target[1]).strip(), rel, hreflang, qualifier)
            self._skip()

    def _take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.position)
        if found:
            self.position = found.end()
        return found

    def _parameters(self) -> dict[str, str]:
        """Read parameters by lower-case name; those without a value are empty."""
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
        """Read the quoted string that begins here, still escaped; None if none does."""
        if not (self.may_quote and self.text.startswith('"', self.position)):
            return None
        found = self._take(_QUOTED)
        self.may_quote = found is not None
        return found[1] if found else None

    def _skip(self) -> None:
        """Skip the rest of a link, up to and including the next comma or malformed character."""
        while True:
            self._take(_PLAIN)
            if self._quoted() is None and not self._take(_TARGET):
                break
        self.position += 1


def decoded(uri: str) -> str:
    """Decode a URI of a header, given as Latin-1, as UTF-8 if possible, as browsers do."""
    try:
        return uri.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return uri
