"""Which pages are nearly the same page under another URL, and which of them is listed?

Their text has to be nearly the same, and nothing they say about themselves may differ: title,
heading, language, images, what their URL names. What is compared of a text: ``core/shingles.py``;
pages that are wholly the same: ``duplicates.py``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

import numpy as np

from sitemapgen.core.shingles import SAMPLE
from sitemapgen.core.traps import suspect
from sitemapgen.core.urls import split

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW = 4
"""Different words that are a form's."""
END = 200
"""Characters at which a page ends."""

_WORD = re.compile(r"[^\W_]+")


class Signature(NamedTuple):
    """A packed signature, read. Both arrays ascend."""

    media: NDArray[np.uint32]
    shingles: NDArray[np.uint32]

    @classmethod
    def of(cls, packed: bytes) -> Signature:
        """Read what ``core.shingles.signature`` packed."""
        numbers = np.frombuffer(packed, "<u4")
        end = 1 + int(numbers[0])
        return cls(numbers[1:end], numbers[end:])


def similarity(one: Signature, other: Signature) -> float:
    """Estimate the share of the shingles of two texts that both have, from 0 to 1.

    Of the smallest hashes of either text: how many are of both. Exact for texts with fewer
    shingles than a sample has.
    """
    both = np.sort(np.concatenate((one.shingles, other.shingles)))
    is_again = both[1:] == both[:-1]
    common = both[1:][is_again]
    union = both[np.append(True, ~is_again)][:SAMPLE]
    return float(np.searchsorted(common, union[-1], "right") / len(union))


def shows_the_same(one: Signature, other: Signature) -> bool:
    """Tell whether the one shows no image, frame or player besides those of the other.

    A print view has fewer; two photos of an album have one each.
    """
    media, others = one.media, other.media
    return bool(np.isin(media, others).all() or np.isin(others, media).all())


def is_numbered(url: str) -> bool:
    """Tell whether a URL is that of a numbered page of a list."""
    found = suspect(url)
    return found is not None and found.kind == "pagination"


class Said(NamedTuple):
    """What a page is called, and the beginning of what it says."""

    url: str
    excerpt: str


def names_itself(one: Said, other: Said) -> bool:
    """Tell whether one of two pages says a word of its own URL that the other does not say.

    The article number, the name, the version, the page of a list: two pages, not one.
    """
    urls, texts = (_words_of_url(one.url), _words_of_url(other.url)), (
        _words(one.excerpt),
        _words(other.excerpt),
    )
    return any(
        not ((urls[this] - urls[that]) & texts[this]).issubset(texts[that])
        for this, that in ((0, 1), (1, 0))
    )


def fills_a_form(one: Said, other: Said) -> bool:
    """Tell whether two pages differ in a few words only, and not at their end.

    A name, a number, a colour: a form that was filled in twice. At the end of a page counters and
    dates differ too, and that says nothing.
    """
    (text, start), (other_text, other_start) = (
        (_words(each.excerpt), _words(each.excerpt[:-END].rpartition(" ")[0])) for each in (one, other)
    )
    return 0 < len(start - other_text) <= FEW and 0 < len(other_start - text) <= FEW


def _words_of_url(url: str) -> set[str]:
    return _words(unquote(url[len(split(url).origin) :]))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
