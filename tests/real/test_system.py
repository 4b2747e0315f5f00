"""The comparison with an ideal set, on a site of a few names."""

import pytest

from tests.real.system import Site, compare, normal

ORIGIN = "http://127.0.0.1:8000"
SITE = Site(
    start=f"{ORIGIN}/",
    ideal=frozenset({"/", "/a", "/b?x=1&y=2"}),
    also={"an old version": r"/a\?id=.*"},
    beyond={"a form": r"/login"},
    same=lambda path: "/" if path == "/index.php" else path,
)


@pytest.mark.parametrize("name", ["/b?y=2&x=1", "/b?y=2;x=1", "/%62?x=1&y=2"])
def test_order_and_encoding_of_parameters_do_not_count(name: str) -> None:
    assert normal(f"{ORIGIN}{name}") == "/b?x=1&y=2"


def test_what_is_listed_is_compared_with_the_ideal_set() -> None:
    names = ("/index.php", "/b?y=2&x=1", "/a?id=1", "/login", "/other")
    found = compare(SITE, [ORIGIN + name for name in names])
    assert (found.ideal, found.listed, found.missing) == (3, 5, ["/a"])
    assert found.also == {"an old version": ["/a?id=1"]}
    assert found.beyond == {"a form": ["/login"], "unknown": ["/other"]}
    assert found.excess == pytest.approx(2 / 3)


def test_a_page_under_two_names_is_beyond() -> None:
    found = compare(SITE, [f"{ORIGIN}/", f"{ORIGIN}/index.php"])
    assert found.beyond == {"listed twice, under two URLs": ["/index.php"]}
