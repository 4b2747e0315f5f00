"""What a page says that the pages before it did not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.novelty import News, is_variant, sketch

SHOP = ["Shoes", "Red leather shoe", "Blue canvas shoe", "Size 38", "Size 39"]


def told(*pages: list[str]) -> list[bool]:
    news = News()
    return [news.add(sketch(page, ())) for page in pages]


def test_a_choice_of_what_was_shown_is_no_news() -> None:
    assert told(SHOP, ["Shoes", "Red leather shoe", "Size 40"]) == [True, False]


def test_numbers_and_dates_are_no_news() -> None:
    months = [
        [f"{year}-07", "July", "no events", f"{day}."] for year, day in ((2031, 1), (2032, 2))
    ]
    assert told(*months) == [True, False]


def test_two_new_words_are_news_and_one_is_not() -> None:
    assert told(SHOP, [*SHOP, "sandal"], [*SHOP, "suede boot"]) == [True, False, True]


def test_new_paragraphs_are_news_though_every_word_is_known() -> None:
    words = [f"w{chr(97 + one)}{chr(97 + two)}" for one in range(26) for two in range(4)]
    assert told(words, [" ".join(words)], [" ".join(words)]) == [True, True, False]


def test_images_are_news() -> None:
    news = News()
    assert [news.add(sketch(["Photo 1"], [image])) for image in ("/1.jpg", "/1.jpg", "/2.jpg")] == [
        *(True, False, True)
    ]


def test_nothing_is_no_news() -> None:
    assert not News().add(b"")
    assert told([], []) == [False, False]


@given(st.lists(st.text()), st.lists(st.text()))
def test_the_same_twice_is_no_news(texts: list[str], images: list[str]) -> None:
    news = News()
    news.add(sketch(texts, images))
    assert not news.add(sketch(texts, images))


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("Page 7. A red shoe, size 38", "Page 8. A red shoe, size 39", True),
        ("A red shoe", "A blue shoe", False),
        ("", "", False),
        ("7", "8", False),
    ],
)
def test_variants(text: str, other: str, expected: bool) -> None:
    assert is_variant(text, other) is expected


def test_what_more_than_half_of_the_pages_say_is_expected() -> None:
    prose = "The office is closed on all days that are holidays in the country or in town. " * 4
    first, second, *rest = (
        sketch(["One two three four", prose], ["a"]),
        sketch(["One two three four", prose], ["a", "b"]),
        sketch(["One two"], ["a", "b"]),
        sketch(["One two"], ["a", "b"]),
    )
    news = News()
    news.expect([first, second, *rest, b""])
    assert not news.add(sketch(["two one"], ["a", "b"]))
    assert news.add(sketch(["one two three four"], ["a"]))  # on half of the pages, not on more
    half = News()
    half.expect([first, second])
    assert not half.add(sketch(["One two three four", prose], ["a"]))
    assert half.add(sketch([], ["b"]))
