"""Header fields that state how a document is read: Content-Type, Link, Refresh.

The value of a Refresh is that of ``<meta http-equiv=refresh>`` as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

# Content-Type

# A comma within quotes does not end a value; quotes without an end quote the rest.
_VALUE = re.compile(r'(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|\\?\Z))+', re.DOTALL)
_TYPE_NAME = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_MEDIA_TYPE = re.compile(rf"\s*({_TYPE_NAME}/{_TYPE_NAME})(?![^\s;(])")
_CHARSET = re.compile(r";\s*charset=.*", re.IGNORECASE | re.DOTALL)
_ANY = "*/*"


def content_type_of(values: Iterable[str]) -> str:
    """Return what all Content-Type headers of a response state, as browsers combine them.

    WHATWG Fetch, "extract a MIME type". The encoding in one: ``document/encoding.py``.

    The last valid media type counts, with its charset, else with that of the values before it that
    have the same media type. If none is valid, it is the first value as it is; empty without one.

    >>> content_type_of(["text/html; charset=koi8-r", "text/html", "nonsense"])
    'text/html; charset=koi8-r'
    """
    headers = tuple(values)
    if len(headers) == 1 and "," not in headers[0]:
        return headers[0]
    media_type = charset = ""
    for value in _VALUE.findall(", ".join(headers)):
        found = _MEDIA_TYPE.match(value)
        if found is None or found[1] == _ANY:
            continue
        own = _CHARSET.search(value)
        if own or found[1].lower() != media_type:
            charset = own[0] if own else ""
        media_type = found[1].lower()
    return media_type + charset if media_type else "".join(headers[:1])


def media_type_of(content_type: str) -> str:
    """Return the media type of a value in lower case, also without a ``;`` before what follows.

    An invalid one is returned up to its first ``;``.

    >>> media_type_of("TEXT/html charset=utf-8")
    'text/html'
    """
    found = _MEDIA_TYPE.match(content_type)
    return (found[1] if found else content_type.partition(";")[0].strip()).lower()


# Link: RFC 8288, "Web Linking"

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
            self._match_here(_SEPARATORS)
            if target := self._match_here(_TARGET):
                parameters = self._read_parameters()
                if "anchor" not in parameters:
                    rel = frozenset(parameters.get("rel", "").lower().split())
                    hreflang = parameters.get("hreflang", "").strip().lower()
                    qualifier = next((name for name in QUALIFIERS if name in parameters), "")
                    yield HeaderLink(decode_uri(target[1]).strip(), rel, hreflang, qualifier)
            self._skip_link()

    def _match_here(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.position)
        if found:
            self.position = found.end()
        return found

    def _read_parameters(self) -> dict[str, str]:
        """Read parameters by lower-case name; those without a value are empty."""
        parameters: dict[str, str] = {}
        while name := self._match_here(_NAME):
            text = ""
            if self._match_here(_EQUALS):
                quoted = self._read_quoted()
                token = self._match_here(_TOKEN) if quoted is None else None
                text = _ESCAPED.sub(r"\1", quoted or "") if token is None else token[0]
            parameters.setdefault(name[1].lower(), text)
        return parameters

    def _read_quoted(self) -> str | None:
        """Read the quoted string that begins here, still escaped; None if none does."""
        if not (self.may_quote and self.text.startswith('"', self.position)):
            return None
        found = self._match_here(_QUOTED)
        self.may_quote = found is not None
        return found[1] if found else None

    def _skip_link(self) -> None:
        """Skip the rest of a link, up to and including the next comma or malformed character."""
        while True:
            self._match_here(_PLAIN)
            if self._read_quoted() is None and not self._match_here(_TARGET):
                break
        self.position += 1


def decode_uri(uri: str) -> str:
    """Decode a URI of a header, given as Latin-1, as UTF-8 if possible, as browsers do."""
    try:
        return uri.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return uri


# Refresh

_SPACE = "\t\n\f\r "
# No two adjacent parts match the same character, so a mismatch fails without backtracking.
_REFRESH = re.compile(
    rf"[{_SPACE}]*([0-9]*)(?:(?<=[0-9])|(?=\.))(?:\.[0-9.]*)?"
    rf"(?:\Z|[{_SPACE}]*[;,]|[{_SPACE}])[{_SPACE}]*(.*)",
    re.DOTALL,
)
_REFRESH_URL = re.compile(rf"url[{_SPACE}]*=[{_SPACE}]*", re.IGNORECASE)


class Refresh(NamedTuple):
    """A declarative refresh."""

    delay: int
    """Seconds."""
    target: str
    """Raw href; empty if the page reloads itself."""


def read_refresh(content: str) -> Refresh | None:
    """Parse a refresh like ``5; url=/next``; None if it is malformed.

    WHATWG HTML, "shared declarative refresh steps".
    """
    found = _REFRESH.match(content)
    if found is None:
        return None
    target = found[2]
    if named := _REFRESH_URL.match(target):
        target = target[named.end() :]
    if target[:1] in ("'", '"'):
        target = target[1:].partition(target[0])[0]
    return Refresh(int(found[1][:9] or 0), target.strip(_SPACE))
