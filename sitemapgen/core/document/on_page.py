"""Facts of a document that SEO tools audit: headings, images, links, structured data.

The rules by which they are faults: ``report/sections/on_page.py``. To add one: a field here, its
value in ``html.py``, its column in ``store/results.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class OnPage(NamedTuple):
    """Facts of one document; each is a column of urls.csv."""

    h1s: int = 0
    """Number of ``<h1>`` elements."""
    words: int = 0
    """Number of words in the main text: ``count_words``."""
    images_without_alt: int = 0
    """Number of ``<img>`` without an ``alt`` attribute, even an empty one."""
    links_without_text: int = 0
    """Number of ``<a>`` with neither text, nor an image with ``alt``, nor a label or title."""
    nofollow_links: int = 0
    """Number of URLs of the site to which it has nofollow links only."""
    mixed_content: int = 0
    """Number of distinct images, scripts, style sheets and frames of http: in a page of https."""
    invalid_json_ld: int = 0
    """Number of JSON-LD scripts that are no JSON."""
    incomplete_entities: int = 0
    """``structured.StructuredData.incomplete``."""
    structured_data: str = ""
    """``structured.StructuredData.types``."""
    structured_data_faults: str = ""
    """What is wrong with the structured data, in words, separated by ``;``."""

    def pack(self) -> str:
        """Return the facts as they are stored, separated by tabs: the texts, then the numbers."""
        return _PACKED % (self[-2:] + self[:-2])

    @classmethod
    def of(cls, packed: str) -> OnPage:
        """Return the facts of ``pack``; numbers that were not known then are 0.

        >>> OnPage.of(OnPage(1, 20, structured_data="Product").pack())[:3]
        (1, 20, 0)
        """
        types, faults, *rest = packed.split("\t")
        numbers: list[Any] = list(map(int, rest))
        return cls(*numbers)._replace(structured_data=types, structured_data_faults=faults)


_PACKED = "\t".join(["%s"] * len(OnPage._fields))

FIRST_OF_WORDS = ord("0")
"""ASCII characters before it, spaces and signs, stand between words."""
FIRST_IDEOGRAPH, LAST_IDEOGRAPH = 0xE3, 0xE9
"""First bytes of the UTF-8 of U+3000 to U+9FFF: Chinese and Japanese."""


def count_words(text: bytes) -> int:
    """Count the words of a UTF-8 text; of Chinese and Japanese, without spaces, the characters.

    >>> count_words(b"Two words, 3 and the light."), count_words("灯台 light".encode())
    (6, 3)
    """
    each = np.frombuffer(b" %s" % text, np.uint8)
    is_between = each < FIRST_OF_WORDS
    begins = is_between[:-1] > is_between[1:]
    if text.isascii():
        return int(np.count_nonzero(begins))
    is_own = each - FIRST_IDEOGRAPH <= LAST_IDEOGRAPH - FIRST_IDEOGRAPH  # below 0 it wraps
    return int(np.count_nonzero(begins | is_own[1:]))
