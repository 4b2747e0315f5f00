"""What differs between two readings of one URL, and what between two pages."""

from sitemapgen.download.second_readings import are_same, differing_places, split_parts
from tests.helpers.tables import for_each

FIRST = b"<title>Basket</title><p>Empty</p><img src=/c?n=17><input name=t value=9f2> at 12:03"
AGAIN = b"<title>Basket</title><p>Empty</p><img src=/c?n=88><input name=t value=01a> at 12:04"

OTHERS = {
    "another token, captcha and time": (FIRST.replace(b"17", b"42").replace(b"9f2", b"7"), True),
    "another word": (FIRST.replace(b"Empty", b"Full"), False),
    "another image": (FIRST.replace(b"/c?", b"/photo?"), False),
    "something more": (FIRST + b" and more", False),
    "something less": (FIRST.replace(b"<p>Empty</p>", b""), False),
}


@for_each(*OTHERS)
def test_pages(name: str) -> None:
    other, is_same = OTHERS[name]
    places = differing_places(split_parts(FIRST), split_parts(AGAIN))
    assert places is not None
    assert are_same(split_parts(AGAIN), split_parts(other), places) is is_same


@for_each(FIRST + b" more", FIRST.replace(b"a", b"b").upper())
def test_readings_that_do_not_correspond(again: bytes) -> None:
    assert differing_places(split_parts(FIRST), split_parts(again)) is None
