"""Reader of what SEO tools audit in a document: headings, images, links, structured data.

The rules by which it is a fault: ``report/sections/on_page.py``.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
from selectolax.lexbor import LexborNode

from sitemapgen.core.document.media import Attributes
from sitemapgen.core.document.structured import JsonLd, summarise_entities
from sitemapgen.items import OnPage

MAX_RESOURCES = 1_000
"""Distinct resources of http: that are counted."""
MAX_LINK_TEXT = 1_048_576
"""Characters, and elements, read of all links to find those without text; nested ones repeat."""
MAX_IN_LINK = 50
"""Elements in a link without text that are searched for a label."""
FIRST_OF_WORDS = ord("0")
"""ASCII characters before it, spaces and signs, stand between words."""
FIRST_IDEOGRAPH, LAST_IDEOGRAPH = 0xE3, 0xE9
"""First bytes of the UTF-8 of U+3000 to U+9FFF: Chinese and Japanese."""

_LABELS = frozenset({"alt", "aria-label", "aria-labelledby", "title"})


class Audit:
    """Counts the facts of one document, element by element."""

    def __init__(self) -> None:
        self.h1s = 0
        self._images_without_alt = 0
        self._links_without_text = 0
        self._link_text_read = 0
        self._is_upgraded = False
        self._insecure: set[str] = set()

    def add_policy(self, policy: str) -> None:
        """Add a Content-Security-Policy of the document."""
        self._is_upgraded = self._is_upgraded or is_upgraded(policy)

    def add_resource(self, url: str) -> None:
        """Add an image, script, style sheet or frame, which may be mixed content."""
        if url[:5].lower() == "http:" and len(self._insecure) < MAX_RESOURCES:
            self._insecure.add(url)

    def add_image(self, image: Attributes, url: str) -> None:
        """Add an ``<img>``; ``url``: ``media.image_url``."""
        self.add_resource(url)
        if "alt" not in image and (image.get("aria-hidden") or "").lower() != "true":
            role = (image.get("role") or "").lower()
            self._images_without_alt += role not in ("none", "presentation")

    def add_link(self, link: LexborNode) -> None:
        """Add a link that begins with no text; nested ones are read repeatedly, up to a limit."""
        if link.tag == "a" and self._link_text_read < MAX_LINK_TEXT:
            text = link.text()
            self._link_text_read += len(text)
            if not text or text.isspace():
                self._link_text_read += MAX_IN_LINK
                self._links_without_text += not _is_labelled(link)

    def facts(self, words: int, json_ld: JsonLd) -> OnPage:
        """Return the facts; ``words``: ``count_words`` of the main text."""
        types, incomplete, faults = summarise_entities(json_ld.entities)
        return OnPage(
            h1s=self.h1s,
            words=words,
            images_without_alt=self._images_without_alt,
            links_without_text=self._links_without_text,
            mixed_content=0 if self._is_upgraded else len(self._insecure),
            invalid_json_ld=len(json_ld.errors),
            incomplete_entities=incomplete,
            structured_data=types,
            structured_data_faults="; ".join((*json_ld.errors[:1], *faults)),
        )


def is_upgraded(policy: str) -> bool:
    """Return whether by a Content-Security-Policy browsers load http: resources by https:."""
    return "upgrade-insecure-requests" in policy.lower()


def _is_labelled(link: LexborNode) -> bool:
    """Return whether a link without text has a label, or an image with one, or is hidden."""
    if (link.attributes.get("aria-hidden") or "").lower() == "true":
        return True
    return any(
        value and value.strip()
        for inner in islice(link.traverse(), MAX_IN_LINK)
        for name, value in inner.attributes.items()
        if name in _LABELS
    )


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
