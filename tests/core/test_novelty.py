"""What a page says that the pages before it did not."""

from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.document.novelty import NONE, Known, Sketch, sketch_page
from tests.helpers.tables import for_each

SHOP = ["Shoes", "Red leather shoe", "Blue canvas shoe", "Size 38", "Size 39"]


def told(*pages: list[str], urls: tuple[str, ...] = ()) -> list[bool]:
    known = Known()
    return [known.add(sketch_page(page, (), urls)).is_content for page in pages]


def test_a_choice_of_what_was_shown_is_no_news() -> None:
    assert told(SHOP, ["Shoes", "Red leather shoe", "Size 40"]) == [True, False]


def test_what_was_shown_in_another_order_is_no_news() -> None:
    items = [f"{'abcdefgh'[n]}lpha {'abcdefgh'[n]}eta" for n in range(8)]
    assert told([", ".join(items)], [", ".join(reversed(items))], items[3:]) == [True, False, False]


def test_two_new_words_are_news_and_one_is_not() -> None:
    assert told(SHOP, [*SHOP, "sandal"], [*SHOP, "suede boot"]) == [True, False, True]


def test_new_sentences_are_news_though_every_word_is_known() -> None:
    words = [f"w{chr(97 + one)}{chr(97 + two)}" for one in range(26) for two in range(4)]
    assert told(words, [" ".join(words)], [" ".join(words)]) == [True, True, False]


def test_numbers_are_news_unless_they_follow_from_a_url() -> None:
    rates = [["Rates", "1.0876", "0.8543", "163.32"], ["Rates", "1.0912", "0.8551", "162.08"]]
    assert told(*rates) == [True, True]
    months = [["July 2031", "no events", "01", "02", "03"], ["August 2032", "no events", "4", "5"]]
    assert told(*months, urls=("/2031/07", "/2032/08", "/d/1", "/d/2", "/d/3", "/d/04?n=5")) == [
        *(True, False)
    ]


def test_digits_inside_of_an_identifier_derive_no_number() -> None:
    """They are any: else a list would lack numbers that its parts, with other links, have."""
    urls = ("/commit?id=4d38b968cf54b61ae28bff1086ce39b49cfc", "/commit?id=8af67de2-43c6-d3c1-bb42")
    assert told(["Log"], ["Log", "38", "(39)", "42"], urls=urls) == [False, True]
    assert told(["Log"], ["Log", "4d38b968c", "8af67de2", "v49"], urls=urls) == [False, False]


def test_numbers_that_followed_from_the_urls_of_one_page_are_known_of_others() -> None:
    known = Known()
    known.add(sketch_page(["a", "17", "18", "19"], (), ["/f#17", "/f#18", "/f#19"]))
    assert not known.add(sketch_page(["a", "17", "18", "19"], ())).is_content


def test_images_are_news() -> None:
    known = Known()
    found = [known.add(sketch_page(["Photo 1"], [f"/{n}.jpg"])).is_content for n in (1, 1, 2)]
    assert found == [True, False, True]


def test_two_links_to_what_no_other_page_links_to_are_news() -> None:
    known = Known()
    known.add(sketch_page(SHOP, ()), frozenset({1, 2, 3}))
    assert not known.add(sketch_page(SHOP, ()), frozenset({2, 3, 4})).is_content
    assert known.add(sketch_page(SHOP, ()), frozenset({5, 6})).is_content


def test_nothing_is_no_news() -> None:
    assert not Known().add(b"").is_content
    assert told([], []) == [False, False]


def test_memory_is_bounded() -> None:
    known = Known(capacity=3)
    known.add(sketch_page(SHOP, ()))
    assert known.is_full
    known.add(sketch_page(["suede boot"], ()))
    assert known.compare(sketch_page(["suede boot"], ())).words == 2


@given(st.lists(st.text()), st.lists(st.text()), st.lists(st.text()))
def test_the_same_twice_is_no_news(texts: list[str], images: list[str], urls: list[str]) -> None:
    known = Known()
    known.add(sketch_page(texts, images, urls))
    assert known.add(sketch_page(texts, images, urls)) == NONE


def test_a_sketch_is_small_whatever_the_page() -> None:
    texts = [f"w{'abcdefghij'[n % 10]}{n} {' '.join(['word'] * 9)} {n}.{n}" for n in range(5_000)]
    packed = sketch_page(texts, [f"/{n}.png" for n in range(1_000)])
    assert len(packed) <= 4_300
    assert len(Sketch.of(packed).numbers) == 200


@for_each(b"", sketch_page((), ()))
def test_an_empty_sketch(packed: bytes) -> None:
    assert Sketch.of(packed)[:-1] == (frozenset(), {}, *[frozenset()] * 3)


@for_each(
    (["Month 8 of 2031", "No events", "9"], True),
    (["Month 8 of 2031", "No events", "17"], False),
    (["Month 8 of 2031", "events No", "9"], False),
    (["Month 8 of 2031", "No events at all", "9"], False),
    (["Month 8 of 2031", "No events"], True),
)
def test_a_wording_is_that_of_another_page_but_for_what_its_urls_say(
    other: list[str], is_alike: bool
) -> None:
    month = sketch_page(
        ["Month 7 of 2031", "No events", "8"], (), ("/2031/7", "/2031/8"), "Month 7"
    )
    for title, is_titled in (("Month 8", True), ("Closed", False)):
        packed = sketch_page(other, (), ("/2031/8", "/2031/9"), title)
        is_same = Sketch.of(packed).wording == Sketch.of(month).wording
        assert is_same == (is_alike and is_titled)


def test_a_wording_has_the_players_of_a_page() -> None:
    films = [sketch_page(["Begin"], (), (), "Film", [player]) for player in ("/1", "/2", "/1")]
    one, other, again = (Sketch.of(packed).wording for packed in films)
    assert one == again != other
