"""Link graphs out of plain dictionaries."""

from array import array

import numpy as np
from hypothesis import strategies as st

from sitemapgen.analysis.graph import LinkGraph, Nodes


def graph(
    links: dict[int, list[int]],
    size: int,
    *,
    start: tuple[int, ...] = (0,),
    sitemap: tuple[int, ...] = (),
    fetched: set[int] | None = None,
    redirects: tuple[int, ...] = (),
) -> LinkGraph:
    """Nodes 0 to size - 1 in URL order, with keys that are in no order at all."""
    keys = np.array([(node * 7919 + 13) % 10007 - 5000 for node in range(size)], np.int64)

    def mask(chosen: object) -> np.ndarray:
        return np.array([node in chosen for node in range(size)], np.bool_)

    nodes = Nodes(
        keys=keys,
        is_start=mask(start),
        in_sitemap=mask(sitemap),
        is_named=mask(sitemap),
        is_fetched=mask(fetched if fetched is not None else range(size)),
        is_redirect=mask(redirects),
        verdict=np.zeros(size, np.int8),
        length=np.zeros(size, np.int32),
        is_endless=np.zeros(size, np.bool_),
        parameters=np.zeros(size, np.int16),
    )

    def rows(of: dict[int, list[int]]) -> list[tuple[int, bytes]]:
        return [
            (int(keys[source]), array("q", [int(keys[target]) for target in targets]).tobytes())
            for source, targets in of.items()
        ]

    return LinkGraph(nodes, rows(links))


LINKS = st.dictionaries(
    st.integers(0, 11), st.lists(st.integers(0, 11), unique=True, max_size=6), max_size=12
)
