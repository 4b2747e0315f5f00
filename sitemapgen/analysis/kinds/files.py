"""Classification of URLs that end like files, by samples of each pattern.

A pattern is a directory and an extension: ``/wiki/*.js``. Directories with at least a sixteenth of
the site's URLs with the extension are patterns of their own; the others share one, ``*``, level by
level, so that 1,000 directories with images make one pattern, but ``/*/raw/*.txt`` and
``/*/tree/*.txt`` are two. An extension has at most some 60 patterns, however many directories.

Two URLs of a pattern are requested (eight, in eight directories, if several share it). If all are
pages, the others are pages; if none is, the others are files. If both occur, the others are
requested, twice as many each time, as long as one in nine is a page. Other responses (redirects,
errors) prove nothing; another URL is requested instead.

It must not harm a wiki whose ``File:`` pages, or a code browser whose views, are beside real files.
It must bound 100,000 downloads in 1,000 directories. It gives up single pages among files with the
same extension in the same directory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

SHARE = 16
"""Divisor of an extension's URLs: a directory with 1/16 of them or more is a pattern of its own."""
ENOUGH = 2
"""Equal responses that decide a pattern with one directory."""
ENOUGH_SHARED = 8
"""Equal responses that decide a pattern with several directories. If a quarter of the URLs were
pages, eight responses would miss that one time in ten."""
SPARE_FILES, FILES_A_PAGE = 16, 8
"""Maximum files that are requested in a pattern with pages: the first number, and the second more
for each page."""
MAX_SILENT = 16
"""Responses that prove nothing, after which a pattern is given up."""
MAX_FILES = 400
"""Maximum files that a crawl requests in patterns without pages."""


class HintShape(NamedTuple):
    """Counts of the URLs with one form of directory and one extension."""

    id: int
    directory: str
    """Form of the directory (``core.file_hints.file_hint``)."""
    extension: str
    waiting: int
    pending: int
    """URLs that were released and have no response yet."""
    pages: int
    """Responses that were HTML."""
    files: int
    """Responses of another media type."""
    silent: int
    """Other responses, which prove nothing."""

    @property
    def urls(self) -> int:
        return sum(self[3:])


class HintStep(Enum):
    """Step for the waiting URLs of a pattern."""

    WAIT = "wait"
    ASK = "ask"
    """Some are requested as samples."""
    RELEASE = "release"
    """All are fetched, as pages."""
    LEAVE_OUT = "leave out"
    """All are files, which are not fetched."""
    GIVE_UP = "give up"
    """No more samples are requested, without a result."""


class Group(NamedTuple):
    """Shapes that share a pattern."""

    pattern: str
    shapes: tuple[HintShape, ...]

    @property
    def enough(self) -> int:
        return ENOUGH_SHARED if len(self.shapes) > 1 else ENOUGH

    @property
    def ids(self) -> list[int]:
        return [shape.id for shape in self.shapes]

    def total(self, name: str) -> int:
        """Return the sum of a count over the shapes."""
        return sum(getattr(shape, name) for shape in self.shapes)

    @property
    def asked(self) -> int:
        """Number of responses that prove something."""
        return self.total("pages") + self.total("files")


class HintDecision(NamedTuple):
    """Step for the waiting URLs of a group, and the number of these URLs."""

    group: Group
    step: HintStep
    urls: int = 0


def decide_patterns(shapes: Iterable[HintShape]) -> list[HintDecision]:
    """Decide on each pattern, in descending order of URLs."""
    groups = sorted(
        group_by_pattern(shapes), key=lambda group: (-group.total("urls"), group.pattern)
    )
    spent = sum(group.total("files") for group in groups if not group.total("pages"))
    decisions = []
    for group in groups:
        step, count = _decide_group(group)
        if step is HintStep.ASK and not group.total("pages"):
            if spent >= MAX_FILES:
                step, count = HintStep.GIVE_UP, 0
            spent += count
        decisions.append(HintDecision(group, step, count))
    return decisions


def _decide_group(group: Group) -> tuple[HintStep, int]:
    waiting, pages, files = (group.total(name) for name in ("waiting", "pages", "files"))
    if group.total("pending") or not waiting:
        return HintStep.WAIT, 0
    if pages and files:
        if files > SPARE_FILES + FILES_A_PAGE * pages:
            return HintStep.GIVE_UP, 0
        return HintStep.ASK, min(waiting, 2 * (pages + files))
    if files >= group.enough:
        return HintStep.LEAVE_OUT, 0
    if pages >= group.enough:
        return HintStep.RELEASE, waiting
    if group.total("silent") >= MAX_SILENT:
        return (HintStep.RELEASE, waiting) if pages else (HintStep.GIVE_UP, 0)
    return HintStep.ASK, min(waiting, group.enough - pages - files)


def spread_requests(group: Group, count: int) -> dict[int, int]:
    """Distribute ``count`` requests over shapes, least requested first: number by shape id."""
    order = sorted(
        (shape for shape in group.shapes if shape.waiting),
        key=lambda shape: (shape.urls - shape.waiting, -shape.waiting, shape.directory),
    )
    chosen: dict[int, int] = {}
    left = {shape.id: shape.waiting for shape in order}
    while count and left:
        for id_ in list(left)[:count]:
            chosen[id_] = chosen.get(id_, 0) + 1
            left[id_] -= 1
            count -= 1
            if not left[id_]:
                del left[id_]
    return chosen


def group_by_pattern(shapes: Iterable[HintShape]) -> Iterator[Group]:
    """Yield groups of shapes by pattern, one extension after the other."""
    by_extension: dict[str, list[HintShape]] = {}
    for shape in shapes:
        by_extension.setdefault(shape.extension, []).append(shape)
    for suffix, some in sorted(by_extension.items()):
        least = sum(shape.urls for shape in some) / SHARE
        named = [(shape.directory.split("/")[1:], shape) for shape in some]
        for levels, members in _split(named, 0, least):
            yield Group(f"/{'/'.join(levels)}*.{suffix}", tuple(members))


_Named = list[tuple[list[str], HintShape]]


def _split(named: _Named, level: int, least: float) -> Iterator[tuple[list[str], list[HintShape]]]:
    """Split shapes with the same directories so far by the next level of them."""
    children: dict[tuple[bool, str], _Named] = {}
    for levels, shape in named:
        is_last = len(levels) == level + 1
        children.setdefault((is_last, levels[level]), []).append((levels, shape))
    for (is_last, name), members in _merge_small(children, least):
        if is_last:
            yield [name], [shape for _, shape in members]
        else:
            for levels, some in _split(members, level + 1, least):
                yield [name, *levels], some


def _merge_small(
    children: dict[tuple[bool, str], _Named], least: float
) -> Iterator[tuple[tuple[bool, str], _Named]]:
    """Merge the children with fewer than ``least`` URLs under ``*``, if there are several."""
    small: dict[bool, list[tuple[bool, str]]] = {}
    for place, members in children.items():
        if sum(shape.urls for _, shape in members) < least:
            small.setdefault(place[0], []).append(place)
    merged = {place for places in small.values() if len(places) > 1 for place in places}
    for place in sorted(children):
        if place not in merged:
            yield place, children[place]
    for is_last, places in sorted(small.items()):
        if len(places) > 1:
            yield (is_last, "*"), [member for place in sorted(places) for member in children[place]]
