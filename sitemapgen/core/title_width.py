"""Width of titles in Google's results, approximated: Arial at 20 pixels, up to some 580 of them.

The widths are those of Helvetica, which Arial shares (Adobe, "Core 14 AFM Files"). Google shows
other fonts on other devices, and often another title (Google Search Central, "Influencing title
links").
"""

from __future__ import annotations

MAX_PIXELS = 580
"""Pixels of a title beyond which Google's results on a desktop cut it off."""
FONT_SIZE = 20
_FIRST_WIDE = "\u2e80"
"""The first character of the scripts of East Asia, whose characters are squares."""


class _Widths(dict[str, int]):
    def __missing__(self, letter: str) -> int:
        return 1000 if letter >= _FIRST_WIDE else 556


_WIDTHS = _Widths(
    {
        **dict.fromkeys(map(chr, range(128)), 556),
        **dict.fromkeys("'", 191),
        **dict.fromkeys("ijl", 222),
        **dict.fromkeys("|", 260),
        **dict.fromkeys(" !,./:;I[]ft", 278),
        **dict.fromkeys("()-`r{}", 333),
        **dict.fromkeys("Jcksvxyz", 500),
        **dict.fromkeys("+<=>~", 584),
        **dict.fromkeys("FTZ", 611),
        **dict.fromkeys("&ABEKPSVXY", 667),
        **dict.fromkeys("CDHNRUw", 722),
        **dict.fromkeys("GOQ", 778),
        **dict.fromkeys("Mm", 833),
        **dict.fromkeys("%", 889),
        **dict.fromkeys("W", 944),
        **dict.fromkeys("@\N{EM DASH}", 1000),
    }
)
"""Width of characters in thousandths of the font size."""


def pixels(title: str, length: int) -> int:
    """Return the approximate width of a title of ``length`` characters that begins with ``title``.

    >>> pixels("Sea", 3), pixels("Sea", 6)
    (36, 71)
    """
    thousandths = sum(map(_WIDTHS.__getitem__, title))
    return round(thousandths * FONT_SIZE / 1000 * length / max(len(title), 1))
