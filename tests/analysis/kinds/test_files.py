"""Patterns of URLs that end like files, and what their answers mean."""

import random
from itertools import count

from sitemapgen.analysis.kinds.files import (
    MAX_FILES,
    HintDecision,
    HintShape,
    HintStep,
    decide_patterns,
    group_by_pattern,
    spread_requests,
)
from tests.helpers.tables import for_each

NUMBER = count(1)


def shape(directory: str, extension: str = "png", **counts: int) -> HintShape:
    known = {"waiting": 10, "pending": 0, "pages": 0, "files": 0, "silent": 0}
    return HintShape(next(NUMBER), directory, extension, **{**known, **counts})


def steps(*shapes: HintShape) -> dict[str, tuple[HintStep, int]]:
    return {group.pattern: (step, urls) for group, step, urls in decide_patterns(shapes)}


@for_each(
    ({}, HintStep.ASK, 2),
    ({"files": 1}, HintStep.ASK, 1),
    ({"pending": 1}, HintStep.WAIT, 0),
    ({"waiting": 0, "files": 1}, HintStep.WAIT, 0),
    ({"files": 2}, HintStep.LEAVE_OUT, 0),
    ({"pages": 2}, HintStep.RELEASE, 10),
    ({"pages": 1}, HintStep.ASK, 1),
    ({"pages": 1, "files": 1}, HintStep.ASK, 4),
    ({"pages": 1, "files": 24}, HintStep.ASK, 10),
    ({"pages": 1, "files": 25}, HintStep.GIVE_UP, 0),
    ({"silent": 5}, HintStep.ASK, 2),
    ({"silent": 16}, HintStep.GIVE_UP, 0),
    ({"silent": 16, "pages": 1}, HintStep.RELEASE, 10),
)
def test_one_pattern(counts: dict[str, int], step: HintStep, urls: int) -> None:
    assert steps(shape("/a/", **counts)) == {"/a/*.png": (step, urls)}


def test_many_directories_make_one_pattern() -> None:
    shapes = [shape(f"/media/{name}x/") for name in "abcdefghijklmnopqrstuvwxyz"]
    assert steps(*shapes) == {"/media/*/*.png": (HintStep.ASK, 8)}
    (decision,) = decide_patterns(shapes)
    assert sorted(spread_requests(decision.group, 8).values()) == [1] * 8


def test_views_and_raw_files_are_different_patterns() -> None:
    """Also where owners and repositories are many."""
    shapes = [
        shape(f"/owner{o}x/repo{o}x{r}/{word}/main/", "txt", waiting=3)
        for o in range(30)
        for r in range(5)
        for word in ("raw", "tree")
    ]
    assert {"/*/*/raw/main/*.txt", "/*/*/tree/main/*.txt"} <= steps(*shapes).keys()


def test_a_large_directory_is_a_pattern_of_its_own() -> None:
    shapes = [shape("/wiki/", waiting=200), *(shape(f"/p{n}x/", waiting=2) for n in range(300))]
    assert steps(*shapes) == {"/wiki/*.png": (HintStep.ASK, 2), "/*/*.png": (HintStep.ASK, 8)}


def test_a_namespace_is_a_pattern_of_its_own() -> None:
    shapes = [shape("/wiki/File:", pages=2), shape("/wiki/", files=2)]
    assert {pattern: step for pattern, (step, _) in steps(*shapes).items()} == {
        "/wiki/File:*.png": HintStep.RELEASE,
        "/wiki/*.png": HintStep.LEAVE_OUT,
    }


def test_requests_are_bounded_over_all() -> None:
    """A site of downloads with 500 extensions: the largest patterns are asked for."""
    shapes = [shape("/d/", f"e{n}", waiting=n + 1) for n in range(500)]
    asked: list[HintDecision] = [
        each for each in decide_patterns(shapes) if each.step is HintStep.ASK
    ]
    assert MAX_FILES <= sum(each.urls for each in asked) <= MAX_FILES + 8
    assert min(each.group.total("urls") for each in asked) > 100
    assert len(decide_patterns(shapes)) == 500


def test_patterns_are_few() -> None:
    """However directories are nested, and whatever order they come in."""
    numbers = random.Random(4)
    shapes = [
        shape("/" + "".join(f"{numbers.choice('abcdefghi')}/" for _ in range(depth)))
        for depth in (1, 2, 3, 4, 5)
        for _ in range(2_000)
    ]
    found = sorted(group.pattern for group in group_by_pattern(shapes))
    assert len(found) <= 64
    assert sum(len(group.shapes) for group in group_by_pattern(shapes)) == len(shapes)
    numbers.shuffle(shapes)
    assert sorted(group.pattern for group in group_by_pattern(shapes)) == found


def test_the_least_asked_directories_come_first() -> None:
    shapes = [shape("/a/", files=1), shape("/b/"), shape("/c/", waiting=1)]
    group = decide_patterns(shapes)[0].group._replace(shapes=tuple(shapes))
    assert spread_requests(group, 3) == {shapes[1].id: 1, shapes[2].id: 1, shapes[0].id: 1}
    assert sum(spread_requests(group, 100).values()) == 21
