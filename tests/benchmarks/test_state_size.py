"""The budget of the state: bytes of a page and of a link."""

import pytest

from tests.benchmarks.living_site import POSTGRESQL
from tests.benchmarks.state_size import measure
from tests.store.tables import can_count_bytes

pytestmark = [
    pytest.mark.skipif(not POSTGRESQL.exists(), reason="postgresql-doc-15 is not installed"),
    pytest.mark.skipif(not can_count_bytes(), reason="SQLite is without dbstat"),
]


def test_the_bytes_of_a_page_and_of_a_link() -> None:
    measured = measure(5_000)
    assert measured["page"] < 2_500, measured
    assert measured["link"] < 8, measured
