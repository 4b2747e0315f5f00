"""Each reader of a page takes time linear to the page, whatever stands in it."""

from collections.abc import Callable

import pytest

from sitemapgen.core import soft404
from sitemapgen.core.document import html
from sitemapgen.core.document.extensions import KINDS, read_extensions
from sitemapgen.core.document.markup import parse_markup
from sitemapgen.core.headers import read_refresh
from sitemapgen.core.rendering import detect as rendering
from sitemapgen.core.urls import Resolver, Site
from tests.helpers.cost import usual_seconds
from tests.helpers.crawls import rest
from tests.hostile import soup
from tests.hostile.growth import MAX_GROWTH, cpu, growth
from tests.hostile.pages import PAGES

UTF_8 = "text/html; charset=utf-8"
URL = "https://example.com/"
SIZE = 400_000  # beyond the sizes from where on pages are looked at more closely
LARGE = 2_000_000
REPEATED = 250_000
SUSPECT_SECONDS = 0.12  # of a usual machine's CPU for a page of that size
SCRIPT = "<script src=x></script>"
SOME = sorted(PAGES)[::8]
"""Pages that are not left to the sweeps; what each of them costs is bounded in ``test_html.py``."""


def read_for_extensions(page: str) -> object:
    document = html.parse_document(page.encode(), UTF_8)
    place = Resolver(Site(origin="https://example.com"), URL, URL)
    return read_extensions(KINDS, document, place, ())


EVERYTHING = html.ReadOptions(labels=True, sketch=True)
READERS: dict[str, Callable[[str], object]] = {
    "parse": lambda page: html.parse_document(page.encode(), UTF_8, url=URL, options=EVERYTHING),
    "rendering": lambda page: rendering.read_raw((SCRIPT + page).encode(), UTF_8),
    "classic": lambda page: rendering.judge_classic(rendering.Raw(html=page)),
    "soft404": lambda page: soft404.read_document(page.encode(), UTF_8),
    "extensions": read_for_extensions,
}


@pytest.mark.parametrize("name", [*SOME, *rest(*(name for name in PAGES if name not in SOME))])
def test_parsing_is_linear(name: str) -> None:
    assert growth(READERS["parse"], PAGES[name], SIZE) <= MAX_GROWTH


@pytest.mark.parametrize("name", SOME[::4])
@pytest.mark.parametrize("reader", ["rendering", "classic", "soft404", "extensions"])
def test_further_readers_are_linear(reader: str, name: str) -> None:
    assert growth(READERS[reader], PAGES[name], SIZE) <= MAX_GROWTH


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("reader", READERS)
def test_readers_are_linear_in_large_pages(reader: str, name: str) -> None:
    assert growth(READERS[reader], PAGES[name], LARGE) <= MAX_GROWTH


def test_what_is_repeated_is_parsed_in_linear_time() -> None:
    for seed in range(1_200, 1_212):
        assert_repeated_is_linear(seed)


@pytest.mark.slow
def test_much_that_is_repeated_is_parsed_in_linear_time() -> None:
    for seed in range(5_000):
        assert_repeated_is_linear(seed)


def assert_repeated_is_linear(seed: int) -> None:
    make = soup.repeated(seed)
    for scripting in (False, True):
        parse = lambda page, scripting=scripting: parse_markup(page, scripting=scripting)  # noqa: E731
        if cpu(parse, make(REPEATED)) > usual_seconds(SUSPECT_SECONDS):
            assert growth(parse, make, REPEATED) <= MAX_GROWTH, f"seed {seed}: {make(400)!r}"


@pytest.mark.parametrize("filling", ["1", *rest(".", " ")])
def test_a_refresh_header_is_read_in_linear_time(filling: str) -> None:
    make = lambda size: f"1{filling * size}x"  # noqa: E731
    assert growth(read_refresh, make, 8_000_000) <= MAX_GROWTH  # beyond any cache
