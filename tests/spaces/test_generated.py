"""Any finite site is crawled to its end, whatever stands beside it and in whatever order."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.server import Answer
from tests.spaces import generated
from tests.spaces.offline import ORIGIN, OfflineCrawl
from tests.spaces.space import Part, normal

SITES = st.builds(
    generated.finite,
    st.sampled_from(sorted(generated.ADDRESSES)),
    st.sampled_from(sorted(generated.CONTENTS)),
    st.sampled_from(sorted(generated.LINKINGS)),
    st.integers(5, 150),
)
BESIDE = 2_000
"""Requests that an endless space beside a small site may cost."""


def table(pages: dict[str, Answer]) -> Part:
    known = {normal(path): answer for path, answer in pages.items()}
    return lambda path: known.get(normal(path))


def listed(crawl: OfflineCrawl) -> set[str]:
    rows = crawl.store.results.urls()
    return {normal(row.url.removeprefix(ORIGIN)) for row in rows if row.verdict == "listed"}


def crawl(answer: Part, *, most: int = 10_000, seed: int | None = None) -> tuple[set[str], int]:
    """What a crawl lists before duplicates are looked for, and how many URLs it fetched."""
    with TemporaryDirectory() as directory:
        found = OfflineCrawl(Path(directory) / "crawl.sqlite", answer)
        if seed is not None:
            found.shuffle = Random(seed).shuffle
        fetched = found.fetch()
        while fetched < most and found.advance():
            fetched += found.fetch()
        found.conclude()
        result = listed(found)
        found.store.close()
    return result, fetched


@pytest.mark.full
@settings(deadline=None, derandomize=True, max_examples=15)
@given(pages=SITES)
def test_a_finite_site_loses_no_page(pages: dict[str, Answer]) -> None:
    found, _ = crawl(table(pages))
    ideal = {normal(path) for path in pages}
    assert not ideal - found, sorted(ideal - found)[:5]
    assert not found - ideal, sorted(found - ideal)[:5]


@pytest.mark.slow
@settings(deadline=None, derandomize=True, max_examples=14)
@given(pages=SITES, name=st.sampled_from(sorted(generated.ENDLESS)))
def test_an_endless_space_costs_a_site_no_page(pages: dict[str, Answer], name: str) -> None:
    found, fetched = crawl(generated.with_space(pages, name), most=len(pages) + BESIDE + 1)
    assert {normal(path) for path in pages} <= found
    assert fetched <= len(pages) + BESIDE


@pytest.mark.slow
@settings(deadline=None, derandomize=True, max_examples=10)
@given(pages=SITES, name=st.sampled_from(sorted(generated.ENDLESS)), seed=st.integers(0, 99))
def test_the_order_of_answers_decides_nothing(
    pages: dict[str, Answer], name: str, seed: int
) -> None:
    site = generated.with_space(pages, name)
    most = len(pages) + BESIDE
    assert crawl(site, most=most) == crawl(site, most=most, seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("address", generated.ADDRESSES)
@pytest.mark.parametrize("linking", generated.LINKINGS)
@pytest.mark.parametrize("content", generated.CONTENTS)
def test_every_combination(address: str, content: str, linking: str) -> None:
    pages = generated.finite(address, content, linking, 120)
    found, _ = crawl(table(pages))
    ideal = {normal(path) for path in pages}
    assert not ideal - found, sorted(ideal - found)[:5]
    assert not found - ideal, sorted(found - ideal)[:5]
