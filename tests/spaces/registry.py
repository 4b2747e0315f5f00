"""All sites of the laboratory by their names."""

from tests.spaces.endless import choices, counters, dates, paths
from tests.spaces.honest import (
    contents,
    dated,
    lists,
    media,
    numbers,
    plain,
    repositories,
    systems,
    texts,
)
from tests.spaces.space import BUILDERS, Space

HONEST = (contents, dated, lists, media, numbers, plain, repositories, systems, texts)
ENDLESS = (choices, counters, dates, paths)
NAMES = sorted(BUILDERS)


def space(name: str) -> Space:
    """Build a site.

    Raises:
        KeyError: there is none of this name.
    """
    return BUILDERS[name]()
