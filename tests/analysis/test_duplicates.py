"""Which of the URLs with one content is listed, and when are equal pages no duplicates?"""

import random
from collections.abc import Mapping, Sequence

import numpy as np

from sitemapgen.analysis.duplicates import duplicate_groups, find_duplicates, is_template
from sitemapgen.core.urls import key
from tests.analysis.sites import site, url
from tests.helpers.tables import for_each


def find(
    contents: Mapping[str, int],
    *,
    originals: Sequence[str] = (),
    alternates: Mapping[str, Sequence[str]] | None = None,
    linked: Mapping[str, Sequence[int]] | None = None,
    shuffle: int = 0,
    **more: object,
) -> dict[str, str]:
    """What is left out, and what is listed instead."""
    names = sorted(contents, key=url)
    graph = site(names, **more)
    node = {name: int(graph.find_nodes(np.array([key(url(name))]))[0]) for name in names}
    order = list(names)
    random.Random(shuffle).shuffle(order)
    pages = np.array([node[name] for name in order], np.int64)
    hashes = np.array([contents[name] for name in order], np.int64)
    found = find_duplicates(
        *duplicate_groups(pages, hashes),
        {
            node[name]: frozenset(node[other] for other in others)
            for name, others in (alternates or {}).items()
        },
        graph.nodes,
        graph.measure(),
        np.array([name in originals for name in names], np.bool_),
        lambda page: frozenset((linked or {}).get(names[page], ())),
    )
    return {names[each.node]: names[each.listed] for each in found}


GOODS = {"gb": [2, 3, 4, 5], "us": [2, 6, 7, 8], "us?x": [1, 2, 6, 7, 9]}


@for_each(
    ({"a": 1, "b": 2}, {}, {}),
    ({}, {}, {}),
    ({"a": 1, "b": 1}, {}, {"b": "a"}),  # by URL
    ({"a": 1, "a/": 1}, {}, {"a/": "a"}),
    ({"bb": 1, "c": 1}, {}, {"bb": "c"}),  # the shorter
    ({"": 2, "bb": 1, "c": 1, "d": 3}, {"links": {"": ["bb", "d"], "d": ["c"]}}, {"c": "bb"}),
    (
        {"": 2, "bb": 1, "c": 1, "d": 3, "e": 4},
        {"links": {"": ["bb", "d", "e"], "d": ["c"], "e": ["c"]}},
        {"bb": "c"},  # more links go before fewer steps
    ),
    (
        {"": 2, "tree?id=7": 1, "long-tree": 1, "d": 3},
        {"links": {"": ["tree?id=7", "d"], "d": ["tree?id=7", "long-tree"]}},
        {"tree?id=7": "long-tree"},  # no query goes before more links
    ),
    (
        {"": 2, "de/a": 1, "a": 1, "d": 3},
        {"links": {"": ["de/a", "d", "a"], "d": ["de/a"]}, "endless": ["de/a"]},
        {"de/a": "a"},  # and a page outside of an endless space
    ),
    ({"": 1, "i": 1, "c": 2}, {"links": {"c": ["i"], "": ["i", "c"]}}, {"i": ""}),
    ({"": 1, "i": 1}, {"originals": ["i"]}, {"": "i"}),
    ({"": 2, "bb": 1, "c": 1}, {"links": {"": ["c"]}, "originals": ["bb"]}, {"c": "bb"}),
    ({"": 2, "bb": 1, "c": 1}, {"originals": ["c"], "sitemap": ["bb"]}, {"c": "bb"}),
    ({"a": 1, "b": 2, "c": 1, "d": 2, "e": 3}, {}, {"c": "a", "d": "b"}),
    ({"a": 1, "b": 1, "c": 1}, {}, {"b": "a", "c": "a"}),
    # Versions for several countries may say the same in the same words.
    ({"gb": 1, "us": 1}, {"alternates": {"gb": ["gb", "us"], "us": ["gb", "us"]}}, {}),
    ({"gb": 1, "us": 1}, {"alternates": {"us": ["gb"]}}, {"us": "gb"}),
    ({"gb": 1, "us": 1}, {"alternates": {"gb": ["us"]}}, {"us": "gb"}),
    (
        {"gb": 1, "us": 1, "us?x": 1},
        {"alternates": {"gb": ["us"], "us": ["gb"], "us?x": ["gb"]}},
        {"us?x": "gb"},
    ),
    # So may the first pages of two countries, each of which leads to its own pages.
    ({"gb": 1, "us": 1, "us?x": 1}, {"linked": GOODS}, {"us?x": "us"}),
    ({"gb": 1, "us": 1}, {"linked": {**GOODS, "us": [2, 3, 4, 6]}}, {"us": "gb"}),
    ({"gb": 1, "us": 1}, {"linked": {**GOODS, "us": [1, 2]}}, {"us": "gb"}),  # printed
    ({"gb": 1, "us": 1}, {"linked": {"gb": [1], "us": [1]}}, {"us": "gb"}),
)
def test_duplicates(
    contents: dict[str, int], more: dict[str, object], expected: dict[str, str]
) -> None:
    for shuffle in range(3):
        assert find(contents, shuffle=shuffle, **more) == expected


@for_each(
    ([7] * 10, 10),
    ([7] * 9, 0),  # too few to call anything a template
    ([7] * 6 + [1, 2, 3, 4], 6),
    ([7] * 5 + [1, 2, 3, 4, 5], 0),
    ([-7] * 6 + [1, 2, 3, 4, 5], 6),
    ([], 0),
)
def test_what_most_pages_say_is_no_content(hashes: list[int], shared: int) -> None:
    found = is_template(np.array(hashes, np.int64))
    assert int(found.sum()) == shared
    assert len(found) == len(hashes)
