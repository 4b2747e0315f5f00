"""Which pages are nearly the same: by their texts, and by what they say about themselves."""

import random
from collections import Counter

import numpy as np
import pytest

from sitemapgen.analysis import near_duplicates as near
from sitemapgen.analysis.near_duplicates import (
    Candidate,
    PageExcerpt,
    TextSignature,
    estimate_similarity,
    fills_a_form,
    is_numbered,
    names_itself,
    near_duplicates,
    shows_the_same,
)
from sitemapgen.core.document.shingles import sample_shingles, signature_of_parts
from tests.helpers.tables import for_each

WORDS = random.Random(1).sample(range(10**7, 10**8), 4_000)
SITE = "https://example.com/"


def text(first: int, last: int) -> str:
    """Some 9 characters a word; texts that overlap have these words in common."""
    return " ".join(map(str, WORDS[first:last]))


def signed(words: str, *media: str) -> TextSignature:
    text = words.replace(" ", "").encode()
    return TextSignature.of(signature_of_parts(text, np.empty(0, np.int64), media)[0])


def page(node: int, words: str, *media: str, subject: int = 1, url: str = "") -> Candidate:
    text = PageExcerpt(SITE + (url or chr(97 + node)), words[:2_000])
    return Candidate(node, subject, text, signed(words, *media))


def found(*pages: Candidate, threshold: float = 0.85, **alternates: set[int]) -> dict[int, int]:
    named = {int(node[1:]): frozenset(others) for node, others in alternates.items()}
    return {each.node: each.listed for each in near_duplicates(pages, named, threshold)}


@for_each(0, 20, 50, 100, 200, 400, 2_000)
def test_the_estimate_is_near_the_share_of_common_shingles(shift: int) -> None:
    one, other = (text(first, first + 1_000) for first in (0, shift))
    shingles, others = (
        set(sample_shingles(words.replace(" ", "").encode(), 10**6).tolist())
        for words in (one, other)
    )
    share = len(shingles & others) / len(shingles | others)
    assert estimate_similarity(signed(one), signed(other)) == pytest.approx(share, abs=0.1)


def test_texts_smaller_than_a_sample_are_compared_exactly() -> None:
    one, other = (
        TextSignature(signed(text(0, 99)).media, sample_shingles(data.encode()))
        for data in ("x" * 40 + "y", "x" * 40 + "z")
    )
    assert estimate_similarity(one, other) == 1 / 3


LONG, NEAR = text(0, 300), text(0, 301)


@for_each(
    # One page under three URLs.
    ([page(5, LONG), page(2, text(2, 302)), page(7, NEAR)], {2: 5, 7: 5}),
    # The nearest of the listed ones.
    ([page(0, LONG), page(1, text(40, 340)), page(2, text(38, 338))], {2: 1}),
    # Another subject, another image, pages of a list.
    ([page(0, LONG), page(1, LONG, subject=2)], {}),
    ([page(0, LONG, "a"), page(1, NEAR, "b")], {}),
    ([page(0, LONG, "a", "b"), page(1, NEAR, "b")], {1: 0}),
    ([page(0, LONG, url="l?page=1"), page(1, NEAR, url="l?page=2")], {}),
    ([page(0, LONG, url="l?p=x"), page(1, NEAR, url="l?p=y")], {1: 0}),
)
def test_what_is_near(pages: list[Candidate], listed: dict[int, int]) -> None:
    assert found(*pages) == listed


def test_near_a_page_that_is_near_another_is_not_near_that() -> None:
    steps = [page(node, text(first, first + 1_000)) for node, first in enumerate((0, 80, 160))]
    first, second, third = (each.signature for each in steps)
    assert estimate_similarity(first, second) > 0.79 > estimate_similarity(first, third)
    assert estimate_similarity(second, third) > 0.79
    assert found(*steps, threshold=0.79) == {1: 0}


def test_the_threshold_decides() -> None:
    pages = page(0, text(0, 1_000)), page(1, text(100, 1_100))
    assert found(*pages) == {}
    assert found(*pages, threshold=0.7) == {1: 0}


@for_each({"n0": {1}}, {"n1": {0}}, {"n0": {1}, "n1": {0}})
def test_versions_in_other_languages(names: dict[str, set[int]]) -> None:
    assert found(page(0, text(0, 300)), page(1, text(0, 301)), **names) == {}


def test_what_is_like_many_and_near_none_is_compared_with_no_later_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    alike = [page(number, text(number * 45, number * 45 + 300)) for number in range(4)]
    again = [each._replace(node=each.node + 10) for each in alike]
    assert found(*alike, *again) == {10: 0, 11: 1, 12: 2, 13: 3}
    monkeypatch.setattr(near, "MAX_COMPARED", 1)
    assert set(found(*alike, *again)) < {10, 11, 12, 13}
    monkeypatch.undo()
    monkeypatch.setattr(near, "MAX_LISTED", 2)
    assert found(*alike, *again) == {10: 0, 11: 1}


LONG = " word" * 100


@for_each(
    (("item?id=17", "Article no. 17 is"), ("item?id=18", "Article no. 18 is"), True),
    (("shoe/red", "A red shoe"), ("shoe/blue", "A blue shoe"), True),
    (("14/intro", "Version 14"), ("15/intro", "Version 15"), True),
    (("list/2", "Page 2 of 3"), ("list", "Page 1 of 3"), True),
    (("schuhe/gr%C3%BCn", "Ein GRÜNER: grün"), ("schuhe/rot", "Ein roter: rot"), True),
    (("a?print=1", "Article"), ("a", "Article"), False),
    (("red/shoe", "Red shoe"), ("shoes/red", "Red shoe"), False),
    (("a?id=1", "Views: 17"), ("a?id=2", "Views: 18"), False),
)
def test_pages_that_name_themselves(
    one: tuple[str, str], other: tuple[str, str], expected: bool
) -> None:
    pages = [PageExcerpt(SITE + url, words) for url, words in (one, other)]
    assert names_itself(*pages) is expected
    assert names_itself(*reversed(pages)) is expected


@for_each(
    ("A red shoe" + LONG, "A blue shoe" + LONG, True),
    ("Article 17" + LONG, "Article 18" + LONG, True),
    ("A red shoe" + LONG, "A red shoe" + LONG, False),
    ("Menu A red shoe" + LONG, "A red shoe" + LONG, False),
    ("one two three four five" + LONG, "six seven eight nine ten" + LONG, False),
    (LONG + " on Monday", LONG + " on Friday", False),
    (LONG[:-2], "x" + LONG[:-1], False),  # cut in a word
)
def test_forms(one: str, other: str, expected: bool) -> None:
    pages = PageExcerpt(SITE, one), PageExcerpt(SITE, other)
    assert fills_a_form(*pages) is expected
    assert fills_a_form(*reversed(pages)) is expected


@for_each(
    ("", "", True),
    ("ab", "ab", True),
    ("ab", "b", True),
    ("", "a", True),
    ("ab", "bc", False),
)
def test_what_pages_show(one: str, other: str, expected: bool) -> None:
    pages = signed(text(0, 100), *one), signed(text(0, 100), *other)
    assert shows_the_same(*pages) is expected
    assert shows_the_same(*reversed(pages)) is expected


@for_each(("list?page=2", True), ("blog/page/2", True), ("item/2", False))
def test_numbered_pages(url: str, expected: bool) -> None:
    assert is_numbered(SITE + url) is expected


def test_a_page_is_compared_with_a_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts of half of a pool each: every page has dozens of candidates, none of them near."""
    chosen, compared = random.Random(7), Counter[bytes]()

    def counted(one: TextSignature, other: TextSignature) -> float:
        compared[one.shingles.tobytes()] += 1
        return estimate_similarity(one, other)

    pool = np.array(sorted(chosen.sample(range(2**32), 2 * near.SAMPLE)), np.uint32)
    pages = [
        Candidate(node, 1, PageExcerpt("", ""), TextSignature(pool[:0], pool[sorted(places)]))
        for node in range(300)
        if (places := chosen.sample(range(len(pool)), near.SAMPLE))
    ]
    monkeypatch.setattr(near, "estimate_similarity", counted)
    assert found(*pages) == {}
    assert max(compared.values()) == near.MAX_COMPARED
