"""Declarative refreshes: the ``Refresh`` header and ``<meta http-equiv=refresh>``."""

from __future__ import annotations

import re
from typing import NamedTuple

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
