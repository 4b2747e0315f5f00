"""Times that readers accept."""

from __future__ import annotations

import re

_ZONED = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)")


def zoned(said: object) -> str:
    """Return a time of ISO 8601 that has a zone; empty for everything else.

    >>> zoned("2026-03-01T12:00:00-05:00"), zoned("2026-03-01T12:00:00"), zoned(1772366400)
    ('2026-03-01T12:00:00-05:00', '', '')
    """
    return said if isinstance(said, str) and _ZONED.fullmatch(said) else ""
