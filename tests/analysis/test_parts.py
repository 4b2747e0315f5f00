"""Which part has which URL: each one, within the limits, and the same again if nothing changed."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapgen.analysis import parts
from sitemapgen.analysis.key_index import NOWHERE
from sitemapgen.analysis.parts import UNDATED, Assigned, Before, Capacity, Part
from tests.helpers.tables import for_each

DAY = 86_400
NOW = 1_000 * DAY


@dataclass
class Url:
    size: int = 1
    section: int = 0
    date: int = UNDATED


def column(values: Sequence[int]) -> np.ndarray:
    return np.array(values, np.int64)


@dataclass
class Sitemap:
    """What is published: laid out again and again, as the runs of a site do."""

    layout: str
    capacity: Capacity
    parts: list[Part] = field(default_factory=list)
    of: dict[str, Part] = field(default_factory=dict)
    urls: dict[str, Url] = field(default_factory=dict)

    def publish(self, urls: dict[str, Url], now: int = NOW) -> dict[str, Part]:
        """The part of each URL from now on."""
        names = sorted(urls)
        listed = [urls[name] for name in names]
        at = [self.parts.index(self.of[name]) if name in self.of else NOWHERE for name in names]
        counts = [sum(of == part for of in self.of.values()) for part in self.parts]
        before = Before(self.parts, column(counts), column(at))
        sizes = column([url.size for url in listed])
        dates = column([url.date for url in listed])
        if self.layout == "section":
            sections = column([url.section for url in listed])
            own = [int(part.label or 0) for part in self.parts]
            found = parts.by_section(
                sizes, before, self.capacity, sections, own, lambda place: str(sections[place])
            )
        elif self.layout == "recency":
            found = parts.by_recency(sizes, before, self.capacity, dates, now)
        elif self.layout == "log":
            known = column([self.urls[name].date if name in self.of else UNDATED for name in names])
            found = parts.as_log(sizes, before, self.capacity, dates, known)
        else:
            found = parts.by_size(sizes, before, self.capacity)
        self.check(found, sizes)
        self.parts, self.urls = found.parts, dict(urls)
        self.of = {name: found.parts[place] for name, place in zip(names, found.at.tolist())}
        return self.of

    def check(self, found: Assigned, sizes: np.ndarray) -> None:
        """Every URL has one part, no part is empty or too full, and no name stands twice."""
        counts = np.bincount(found.at, minlength=len(found.parts))
        weights = np.bincount(found.at, sizes, minlength=len(found.parts))
        assert found.at.min() >= 0
        assert len(counts) == len(found.parts) == len(set(found.parts))
        assert counts.min() > 0
        assert counts.max() <= self.capacity.urls
        assert weights.max() <= self.capacity.bytes
        assert all(part.kind in parts.KINDS[self.layout] for part in found.parts)
        assert all(part.number > 0 for part in found.parts)

    def listed(self, part: Part) -> list[str]:
        return sorted(name for name, of in self.of.items() if of == part)

    @property
    def content(self) -> dict[Part, list[str]]:
        return {part: self.listed(part) for part in self.parts}


def urls(names: str, **facts: int) -> dict[str, Url]:
    return {name: Url(**facts) for name in names}


def numbers(sitemap: Sitemap) -> dict[int, str]:
    return {part.number: "".join(listed) for part, listed in sitemap.content.items()}


# --- size


def test_parts_are_as_full_as_they_may_be() -> None:
    sitemap = Sitemap("size", Capacity(3, 100))
    sitemap.publish(urls("abcdefgh"))
    assert numbers(sitemap) == {1: "abc", 2: "def", 3: "gh"}


def test_bytes_count_as_well() -> None:
    sitemap = Sitemap("size", Capacity(3, 10))
    sitemap.publish({name: Url(size) for name, size in zip("abcdef", (5, 5, 1, 9, 1, 10))})
    assert numbers(sitemap) == {1: "ab", 2: "cd", 3: "e", 4: "f"}


@for_each(
    ("abcdefgh", {1: "abc", 2: "def", 3: "gh"}),
    ("bcdefgh", {1: "bc", 2: "def", 3: "gh"}),  # no section moves up
    ("abcdefgh0", {1: "abc", 2: "def", 3: "0gh"}),  # where there is room
    ("abcdefgh012", {1: "abc", 2: "def", 3: "0gh", 4: "12"}),
    ("abcdfgh0", {1: "abc", 2: "0df", 3: "gh"}),  # in the place of one that left
    ("abcdfgh012", {1: "abc", 2: "0df", 3: "1gh", 4: "2"}),
    ("abcgh", {1: "abc", 3: "gh"}),
    ("cgh", {1: "c", 3: "gh"}),
    ("ch", {1: "c", 3: "h"}),
    ("h", {3: "h"}),
    ("xyz", {1: "xyz"}),
)
def test_a_url_stays_in_its_part(then: str, expected: dict[int, str]) -> None:
    sitemap = Sitemap("size", Capacity(3, 100))
    sitemap.publish(urls("abcdefgh"))
    sitemap.publish(urls(then))
    assert numbers(sitemap) == expected


def test_new_urls_go_where_most_room_is() -> None:
    sitemap = Sitemap("size", Capacity(10, 1000))
    sitemap.publish(urls("abcdefghijklmnopqrstuvwxyz"))
    sitemap.publish(urls("abcdefghijkuvwxyz"))
    assert numbers(sitemap) == {1: "abcdefghij", 2: "k", 3: "uvwxyz"}
    sitemap.publish(urls("abcdefghijkuvwxyz12"))
    assert numbers(sitemap) == {1: "abcdefghij", 2: "12k", 3: "uvwxyz"}


@for_each(
    ("aku0123456789", {1: "0a", 2: "12345678k", 3: "9u"}),
    ("abkluv", {1: "abkluv"}),
)
def test_parts_that_are_nearly_empty_are_laid_out_anew(left: str, expected: dict[int, str]) -> None:
    """Three parts of ten; that is what less than ten URLs are. More than ten stay."""
    sitemap = Sitemap("size", Capacity(10, 1000))
    sitemap.publish(urls("abcdefghijklmnopqrstuvwxyz"))
    sitemap.publish(urls(left))
    assert (len(numbers(sitemap)) == 1) is (len(left) <= 10)
    if len(expected) == 1:
        assert numbers(sitemap) == expected


def test_entries_that_grow_take_others_with_them() -> None:
    sitemap = Sitemap("size", Capacity(10, 10))
    sitemap.publish(urls("abcdefghijkl"))
    assert numbers(sitemap) == {1: "abcdefghij", 2: "kl"}
    sitemap.publish({**urls("abcdefghijkl"), "b": Url(4)})
    assert numbers(sitemap) == {1: "abcdefg", 2: "hijkl"}


def test_what_no_part_can_hold_has_one_of_its_own() -> None:
    before = Before([], column([]), column([NOWHERE] * 3))
    assert parts.by_size(column([1, 99, 1]), before, Capacity(5, 10)).at.tolist() == [0, 1, 2]


# --- section


@pytest.fixture
def small_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "OWN_PART", 3)
    monkeypatch.setattr(parts, "MOST_SECTIONS", 2)


def sections(**names: str) -> dict[str, Url]:
    return {name: Url(section=ord(section)) for section, listed in names.items() for name in listed}


def named(sitemap: Sitemap) -> str:
    content = sitemap.content.items()
    names = {part: chr(int(part.label)) if part.label else part.kind for part in sitemap.parts}
    return " ".join(f"{names[part]}{part.number}={''.join(listed)}" for part, listed in content)


@pytest.mark.usefixtures("small_sections")
@for_each(
    ([{"A": "bcd", "B": "a", "C": "efg"}], "A1=bcd C1=efg mixed1=a"),
    ([{"A": "ab", "B": "cd", "C": "e"}], "mixed1=abcd mixed2=e"),
    # The largest:
    ([{"A": "abc", "B": "defg", "C": "hijk"}], "B1=defg C1=hijk mixed1=abc"),
    # It stays what it is when it shrinks,
    ([{"A": "abc", "B": "x"}, {"A": "a", "B": "x"}], "A1=a mixed1=x"),
    ([{"A": "abc", "B": "x"}, {"A": "ad", "B": "x"}], "A1=ad mixed1=x"),
    # and when it grows, what comes then is in a part of its own.
    ([{"A": "ab", "B": "x"}, {"A": "abcde", "B": "x"}], "A1=cde mixed1=abx"),
    # A section has several parts:
    ([{"A": "abcdefghij", "B": "x"}], "A1=abcd A2=efgh A3=ij mixed1=x"),
    # The index has them by name, and none takes the name of another one.
    ([{"B": "abc", "C": "def"}, {"C": "def", "A": "012"}], "A1=012 C1=def"),
    # What is in a part of another section moves to its own.
    ([{"A": "abcd", "B": "x"}, {"A": "ab", "B": "cdx"}], "A1=ab B1=cd mixed1=x"),
)
def test_sections(runs: list[dict[str, str]], expected: str) -> None:
    sitemap = Sitemap("section", Capacity(4, 100))
    for run in runs:
        sitemap.publish(sections(**run))
    assert named(sitemap) == expected


def test_many_tiny_sections_share_few_parts() -> None:
    sitemap = Sitemap("section", Capacity(50_000, 1 << 30))
    sitemap.publish({f"{number:05d}": Url(section=number) for number in range(10_000)})
    assert sitemap.parts == [Part("mixed", 1)]


def test_no_more_sections_than_that_have_parts_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts, "OWN_PART", 2)
    monkeypatch.setattr(parts, "MOST_SECTIONS", 5)
    sitemap = Sitemap("section", Capacity(1000, 1 << 30))
    listed = {f"{number:04d}": Url(section=number % 40) for number in range(160)}
    sitemap.publish(listed)
    assert len(sitemap.parts) == 6
    sitemap.publish(listed | {f"x{number}": Url(section=99) for number in range(9)})
    assert len(sitemap.parts) == 6


# --- recency


@for_each(
    (-DAY, "news"),
    (0, "news"),
    (2 * DAY, "news"),
    (2 * DAY + 1, "week"),
    (7 * DAY, "week"),
    (7 * DAY + 1, "month"),
    (30 * DAY, "month"),
    (30 * DAY + 1, "rest"),
    (999 * DAY, "rest"),
)
def test_by_age(age: int, kind: str) -> None:
    sitemap = Sitemap("recency", Capacity(10, 100))
    assert sitemap.publish({"a": Url(date=NOW - age)}) == {"a": Part(kind, 1)}


def test_no_date_is_the_rest() -> None:
    sitemap = Sitemap("recency", Capacity(10, 100))
    assert sitemap.publish(urls("a")) == {"a": Part("rest", 1)}


def test_pages_age() -> None:
    sitemap = Sitemap("recency", Capacity(2, 100))
    listed = {name: Url(date=NOW - age * DAY) for name, age in zip("abcde", (0, 3, 20, 40, 50))}
    sitemap.publish(listed)
    assert named(sitemap) == "news1=a week1=b month1=c rest1=de"
    sitemap.publish(listed, NOW + 4 * DAY)
    assert named(sitemap) == "week1=ab month1=c rest1=de"
    sitemap.publish(listed, NOW + 11 * DAY)
    assert named(sitemap) == "month1=ab rest1=de rest2=c"
    fresh = listed | {"z": Url(date=NOW + 11 * DAY)}
    sitemap.publish(fresh, NOW + 11 * DAY)
    assert named(sitemap) == "news1=z month1=ab rest1=de rest2=c"


# --- log


def test_each_run_appends_what_is_new_or_changed() -> None:
    sitemap = Sitemap("log", Capacity(3, 100))
    sitemap.publish(urls("bcde", date=5))
    assert numbers(sitemap) == {1: "bcd", 2: "e"}
    sitemap.publish(urls("bcde", date=5))
    assert numbers(sitemap) == {1: "bcd", 2: "e"}
    sitemap.publish(urls("abcde", date=5))
    assert numbers(sitemap) == {1: "bcd", 2: "e", 3: "a"}
    sitemap.publish(urls("abde", date=5) | urls("c", date=6))
    assert numbers(sitemap) == {1: "bd", 2: "e", 3: "a", 4: "c"}
    sitemap.publish(urls("bde", date=5) | urls("c", date=6))  # a is gone
    assert numbers(sitemap) == {1: "bd", 2: "e", 4: "c"}
    sitemap.publish(urls("abde", date=5) | urls("c", date=6))  # and back
    assert numbers(sitemap) == {1: "bd", 2: "e", 4: "c", 5: "a"}


@for_each((5, 6, True), (UNDATED, 5, True), (5, 5, False), (6, 5, False), (5, UNDATED, False))
def test_what_counts_as_changed(before: int, after: int, moves: bool) -> None:
    sitemap = Sitemap("log", Capacity(3, 100))
    sitemap.publish(urls("a", date=before) | urls("b"))
    sitemap.publish(urls("a", date=after) | urls("b"))
    assert sitemap.of["a"].number == (2 if moves else 1)


def test_the_oldest_parts_of_a_long_log_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST_ENTRIES", 6)
    sitemap = Sitemap("log", Capacity(3, 100))
    for count in range(1, 7):
        sitemap.publish(urls("abcdefgh"[:count]))
    assert len(sitemap.parts) == 6
    sitemap.publish(urls("abcdefg"))
    assert numbers(sitemap) == {1: "abc", 4: "def", 7: "g"}
    sitemap.publish(urls("abcdefg"))
    assert numbers(sitemap) == {1: "abc", 4: "def", 7: "g"}
    sitemap.publish(urls("abcdefgh"))
    assert numbers(sitemap) == {1: "abc", 4: "def", 7: "g", 8: "h"}


# --- any site

names = st.text("abcdef", min_size=1, max_size=3)
some = st.builds(
    Url,
    size=st.integers(1, 5),
    date=st.one_of(st.just(UNDATED), st.integers(0, 60).map(lambda days: NOW - days * DAY)),
)
site = st.dictionaries(names, some, min_size=1, max_size=30)


@pytest.mark.parametrize("layout", parts.KINDS)
@settings(max_examples=50, deadline=None)
@given(
    runs=st.lists(st.tuples(site, st.integers(0, 9)), min_size=2, max_size=5),
    capacity=st.builds(Capacity, st.integers(1, 9), st.integers(5, 30)),
    own=st.integers(1, 5),
    most=st.integers(2, 8),
)
def test_whatever_happens(
    layout: str, runs: list[tuple[dict[str, Url], int]], capacity: Capacity, own: int, most: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "OWN_PART", own)
        patch.setattr(parts, "MOST_SECTIONS", 2)
        patch.setattr(parts, "MOST_ENTRIES", most)
        sitemap = Sitemap(layout, capacity)
        now = NOW
        for listed, days in runs:
            now += days * DAY
            for name, url in listed.items():
                url.section = ord(name[0])
            sitemap.publish(listed, now)
            before = sitemap.content
            sitemap.publish(listed, now)
            assert sitemap.content == before
        for part, listed_there in sitemap.content.items():
            there = [sitemap.urls[name] for name in listed_there]
            if part.kind == "named":
                assert {url.section for url in there} == {int(part.label)}
            if layout == "recency":
                ages = {(now - url.date) // DAY if url.date != UNDATED else 99 for url in there}
                low, high = {"news": (-1, 2), "week": (3, 7), "month": (8, 30), "rest": (31, 999)}[
                    part.kind
                ]
                assert low <= min(ages) <= max(ages) <= high


@settings(max_examples=50, deadline=None)
@given(site, site, st.builds(Capacity, st.integers(2, 9), st.integers(10, 40)))
def test_few_parts_change(old: dict[str, Url], new: dict[str, Url], capacity: Capacity) -> None:
    """Unless all is laid out anew: those that lost a URL, one besides, and new ones."""
    old, new = dict.fromkeys(old, Url()), dict.fromkeys(new, Url())
    sitemap = Sitemap("size", capacity)
    sitemap.publish(old)
    before = sitemap.content
    sitemap.publish(new)
    after = sitemap.content
    if 2 * len(new) <= (len(before) - 1) * min(capacity):
        return
    losing = {part for part, listed in before.items() if set(listed) - set(new)}
    changed = {part for part, listed in before.items() if after.get(part) != listed}
    assert len(changed - losing) <= 1
    for name in old.keys() & new.keys():
        assert next(part for part, listed in before.items() if name in listed) == sitemap.of[name]
