"""The logo of a report: an image file as a ``data:`` URL, as the page makes no requests."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from sitemapgen.errors import CrawlError, Exit

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 1_000_000
"""Maximum bytes of a logo, which is a part of each report."""
TYPES = (
    ("image/png", re.compile(rb"\x89PNG\r\n\x1a\n")),
    ("image/jpeg", re.compile(rb"\xff\xd8\xff")),
    ("image/gif", re.compile(rb"GIF8[79]a")),
    ("image/webp", re.compile(rb"RIFF....WEBP", re.DOTALL)),
    (
        "image/svg+xml",
        re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|<\?[^>]*>|<!--[^>]*-->|<!DOCTYPE[^>]*>)*<svg[\s>]"),
    ),
)
"""Types that each browser shows, by their first bytes; scripts of an SVG do not run in an image."""


def read_logo(path: Path) -> str:
    """Return the image in a file as a ``data:`` URL.

    Raises CrawlError if it cannot be read or is no image.
    """
    try:
        with path.open("rb") as file:
            image = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unusable(f"{path} cannot be read: {error.strerror}") from error
    if len(image) > MAX_BYTES:
        raise _unusable(f"{path} is larger than {MAX_BYTES:,} bytes; scale it down")
    for media_type, begin in TYPES:
        if begin.match(image):
            return f"data:{media_type};base64,{base64.b64encode(image).decode()}"
    raise _unusable(f"{path} is no image; give a PNG, JPEG, GIF, WebP or SVG file")


def _unusable(sentence: str) -> CrawlError:
    return CrawlError(Exit.ARGUMENTS, f"report_logo: {sentence}")
