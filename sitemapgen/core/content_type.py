"""Content-Type headers of a response, combined as browsers do it.

Source: WHATWG Fetch, "extract a MIME type". The encoding in one: ``document/encoding.py``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# A comma within quotes does not end a value; quotes without an end quote the rest.
_VALUE = re.compile(r'(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|\\?\Z))+', re.DOTALL)
_NAME = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_MEDIA_TYPE = re.compile(rf"\s*({_NAME}/{_NAME})(?![^\s;(])")
_CHARSET = re.compile(r";\s*charset=.*", re.IGNORECASE | re.DOTALL)
_ANY = "*/*"


def content_type_of(values: Iterable[str]) -> str:
    """Return what all Content-Type headers of a response state: media type and charset.

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
