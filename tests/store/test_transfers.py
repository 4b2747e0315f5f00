"""Times and sizes of responses: what replaces what, and of which pages."""

from dataclasses import replace

import pytest

from sitemapgen.store import Store
from tests.store.helpers import NOW, Open, page, start


@pytest.fixture
def store(opened: Open) -> Store:
    return start(opened())


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        (0.2, 0.9, None),
        (0.9, 1.24, 1.2),
        (1.2, 1.9, 1.2),
        (1.2, 2.6, 2.6),
        (3.0, 1.2, 1.2),
        (1.2, 0.8, None),
    ],
)
def test_a_time_is_replaced_where_it_differs(
    before: float, after: float, kept: float | None, store: Store
) -> None:
    item = page("")
    store.record_transfer(item.key, before, 100)
    store.record_transfer(item.key, after, 100)
    store.record_page(item, NOW)
    (row,) = store.results.transfers()
    assert (row.seconds or None, row.size) == (kept, 100)


@pytest.mark.parametrize(("after", "kept"), [(150, 100), (201, 201), (49, 49)])
def test_a_size_is_replaced_where_it_differs(after: int, kept: int, store: Store) -> None:
    item = page("")
    store.record_transfer(item.key, 0.0, 100)
    store.record_transfer(item.key, 0.0, after)
    store.record_page(item, NOW)
    (row,) = store.results.transfers()
    assert row.size == kept


def test_other_statuses_have_no_times(store: Store) -> None:
    item = replace(page(""), status=404)
    store.record_transfer(item.key, 9.0, 100)
    store.record_page(item, NOW)
    assert list(store.results.transfers()) == []
