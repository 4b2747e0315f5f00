"""What counts as a change between two states of a site."""

import random

from sitemapgen.analysis.difference import Change, State, find_changes, is_same_time
from tests.helpers.tables import for_each


def state(name: str, verdict: str = "listed", lastmod: str = "") -> State:
    return State(f"https://example.com/{name}", verdict, lastmod)


CASES = [
    ([], [], []),
    ([state("a")], [state("a")], [None]),
    ([], [state("a")], ["added listed"]),
    ([state("a")], [], ["removed listed"]),
    ([state("a"), state("c")], [state("b")], ["removed listed", "added listed", "removed listed"]),
    ([state("a")], [state("a", "noindex")], ["verdict listed -> noindex"]),
    ([state("a", "noindex")], [state("a")], ["verdict noindex -> listed"]),
    ([state("a", "listed", "2024")], [state("a", "noindex")], ["verdict listed -> noindex"]),
    ([state("a")], [state("a", "listed", "2024-01-01")], ["lastmod listed"]),
    ([state("a", "noindex")], [state("a", "noindex", "2024-01-01")], [None]),
    (
        [state("a", "listed", "2024-01-01T12:00:00+02:00")],
        [state("a", "listed", "2024-01-01T10:00:00Z")],
        [None],
    ),
]  # fmt: skip


@for_each(*CASES)
def test_changes(old: list[State], new: list[State], expected: list[str | None]) -> None:
    found = [change and f"{change.kind} {change.move}" for change in find_changes(old, new)]
    assert found == expected


def test_any_two_states() -> None:
    draw = random.Random(1)
    for _ in range(200):
        old, new = (
            {name: draw.choice("xyz") for name in "abcdefgh" if draw.random() < 0.5}
            for _ in range(2)
        )
        merged = list(
            find_changes(
                *([State(url, each[url], "") for url in sorted(each)] for each in (old, new))
            )
        )
        found = {change.url: change for change in merged if change}
        assert list(found) == sorted(found)
        assert len(merged) == len(old.keys() | new.keys())
        assert found.keys() == {
            url for url in old.keys() | new.keys() if old.get(url) != new.get(url)
        }
        assert all(isinstance(change, Change) for change in found.values())


@for_each(
    ("2024-01-01", "2024-01-01", True),
    ("2024-01-01", "2024-01-01T00:00:00Z", False),
    ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00+00:00", True),
    ("2024-01-01T00:00:00Z", "2024-01-01T00:00:01Z", False),
    ("soon", "soon", True),
    ("soon", "later", False),
    ("", "2024-01-01", False),
)
def test_is_same_time(one: str, other: str, expected: bool) -> None:
    assert is_same_time(one, other) is expected
