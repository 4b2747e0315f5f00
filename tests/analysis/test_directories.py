"""The tree of directories: counts in one pass, pruned to the largest."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from sitemapgen.analysis import directories
from sitemapgen.analysis.directories import Directory, tree

ORIGIN = "https://example.com"


def rows(*paths: str, listed: bool = True, in_sitemap: bool = False, view: bool = False):
    return [(ORIGIN + path, listed, in_sitemap, view) for path in sorted(paths)]


def shape(directory: Directory) -> dict[str, int]:
    """Every directory that is kept, with its URLs."""
    found = {directory.path: directory.tally.urls}
    for child in directory.children:
        found |= shape(child)
    return found


def test_counts() -> None:
    found = tree(
        sorted(
            [
                *rows("/", "/a", "/a/", "/a/b/c", "/a-z/d", "/a/b/e?x=/f/g"),
                *rows("/a/q", in_sitemap=True),
                *rows("/a/page/2", view=True),
                *rows("/a?/b/c", listed=False),
                ("https://www.example.com/", True, True, False),
            ]
        ),
        ORIGIN,
    )
    assert shape(found.root) == {"/": 9, "/a/": 5, "/a/b/": 2, "/a/page/": 1, "/a-z/": 1}
    assert found.elsewhere == 1
    assert found.root.tally.listed == 8
    assert found.root.tally.missing == 6
    assert found.missing == [("/a/", 3), ("/", 2), ("/a-z/", 1)]


def test_no_site() -> None:
    found = tree([], ORIGIN)
    assert shape(found.root) == {"/": 0}
    assert found.missing == []


def random_paths(seed: int, count: int) -> list[str]:
    dice = random.Random(seed)
    paths = set()
    while len(paths) < count:
        parts = [str(int(dice.paretovariate(0.5)) % 60) for _ in range(dice.randint(1, 5))]
        paths.add("/" + "/".join(parts) + f"/{len(paths)}.html")
    return sorted(paths)


@pytest.mark.parametrize("seed", range(4))
def test_the_largest_are_kept_whatever_the_order_of_pruning(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directories, "MAX_NODES", 25)
    paths = random_paths(seed, 3_000)
    counts: Counter[str] = Counter()
    for path in paths:
        parts = path.split("/")[:-1]
        counts.update("/".join(parts[: depth + 1]) + "/" for depth in range(len(parts)))
    largest = sorted(counts, key=lambda path: (-counts[path], path))[:25]
    found = tree(rows(*paths), ORIGIN)
    assert shape(found.root) == {path: counts[path] for path in largest}

    def check(directory: Directory) -> None:
        below = sum(child.tally.urls for child in directory.children) + directory.more.urls
        own = sum(path.rpartition("/")[0] + "/" == directory.path for path in paths)
        assert below + own == directory.tally.urls
        assert directory.children == sorted(directory.children, key=lambda child: child.rank)
        for child in directory.children:
            check(child)

    check(found.root)


def test_an_endless_path_is_cut() -> None:
    found = tree(rows("/" + "a/" * 900, "/" + "a/" * 900 + "b"), ORIGIN)
    kept = shape(found.root)
    assert len(kept) == directories.MAX_DEPTH + 1
    assert set(kept.values()) == {2}
