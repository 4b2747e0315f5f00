"""The width of titles in Google's results, by the letters of Arial."""

from sitemapgen.core.title_width import _WIDTHS, MAX_PIXELS, pixels


def test_letters_have_widths_of_their_own() -> None:
    assert pixels("i" * 100, 100) < MAX_PIXELS < pixels("W" * 40, 40)
    assert pixels("\u6f22" * 29, 29) == MAX_PIXELS
    assert pixels("", 0) == 0
    assert pixels("SeaSea", 6) == pixels("Sea", 6)


def test_all_letters_of_english_have_a_width() -> None:
    others = {letter for letter in map(chr, range(32, 127)) if _WIDTHS[letter] == 556}
    assert others == set('"#$*0123456789?L\\^_abdeghnopqu'), "556, or so"
