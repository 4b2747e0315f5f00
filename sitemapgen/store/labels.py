"""Storage format of texts and attributes of the links of a page: compressed JSON."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING

from sitemapgen.items import LinkLabel

if TYPE_CHECKING:
    from collections.abc import Iterable


def pack_labels(labels: Iterable[LinkLabel]) -> bytes:
    text = json.dumps([tuple(label) for label in labels], separators=(",", ":"))
    return zlib.compress(text.encode(), 1)


def unpack_labels(packed: bytes) -> list[LinkLabel]:
    return [
        LinkLabel(target, kind, text, nofollow)
        for target, kind, text, nofollow in json.loads(zlib.decompress(packed))
    ]
