"""How many bytes of the state a page and a link take.

Measured: ``page``, bytes of the file a page, after one crawl that was concluded and published;
``link``, bytes of the links a link, with the index of the numbers of their targets; ``tables``,
bytes a page of the largest tables and indexes. The store is that of ``concluding.py``, but the
excerpts are real: 2,000 characters of English, none of them twice.
"""

import tempfile
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sitemapgen.core.document.html import parse_document
from sitemapgen.core.document.main_text import EXCERPT_LENGTH
from sitemapgen.core.document.shingles import SAMPLE
from sitemapgen.items import Page
from tests.benchmarks.concluding import conclude, crawl, page, publish_before
from tests.benchmarks.living_site import POSTGRESQL
from tests.store import tables
from tests.store.tables import can_count_bytes

pytestmark = [
    pytest.mark.skipif(not POSTGRESQL.exists(), reason="postgresql-doc-15 is not installed"),
    pytest.mark.skipif(not can_count_bytes(), reason="SQLite is without dbstat"),
]

OF_LINKS = ("link", "numbered")


@lru_cache(maxsize=1)
def texts() -> str:
    """The beginnings of the pages of the PostgreSQL manual, one after another."""
    files = islice(sorted(POSTGRESQL.glob("*.html")), 400)
    return " ".join(
        parse_document(file.read_bytes(), "text/html; charset=utf-8").excerpt for file in files
    )


def real_page(number: int, pages: int) -> Page:
    """The page of ``concluding.py``, with another part of the manual as its excerpt."""
    made = page(number, pages)
    if not made.excerpt:
        return made
    start = number * 7_919 % (len(texts()) - EXCERPT_LENGTH)
    sample = np.random.default_rng(number).integers(0, 1 << 32, SAMPLE, np.uint32)
    return replace(
        made,
        excerpt=texts()[start : start + EXCERPT_LENGTH],
        signature=bytes(4) + np.sort(sample).tobytes(),
    )


def measure(pages: int) -> dict[str, Any]:
    """Make the state, conclude it, and count its bytes."""
    links = 0

    def counted(number: int, pages: int) -> Page:
        nonlocal links
        made = real_page(number, pages)
        links += len(made.links)
        return made

    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        state = directory / "crawl.sqlite"
        crawl(pages, state, made=counted)
        publish_before(pages, directory)
        conclude(directory)
        sizes = tables.sizes(state)
        size = state.stat().st_size
    return {
        "page": round(size / pages),
        "link": round(sum(sizes[name] for name in OF_LINKS) / links, 2),
        "links": links,
        "tables": {each: round(taken / pages) for each, taken in islice(sizes.items(), 10)},
    }


def test_the_bytes_of_a_page_and_of_a_link() -> None:
    measured = measure(5_000)
    assert measured["page"] < 2_500, measured
    assert measured["link"] < 8, measured
