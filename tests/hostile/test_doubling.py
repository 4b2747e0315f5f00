"""Twice the input takes at most 2.5 times the CPU: every reader, every token, every finding."""

import random
from collections.abc import Callable
from itertools import product

import pytest

from sitemapgen.core import headers, robots, shapes
from sitemapgen.core.sitemap_files import read as sitemaps
from sitemapgen.core.urls import Patterns
from tests.hostile import growth as growing
from tests.hostile.growth import assert_linear, growth, repeated
from tests.hostile.readers import BODIES, BODY_SIZE, HEADER_SIZE, OPENINGS, SITE, TEXTS, normal
from tests.hostile.tokens import GROWING_ENTITIES, TOKENS

RARE = [token for token in dict.fromkeys(TOKENS) if token not in GROWING_ENTITIES]
FEW = random.Random(8).sample(RARE, 6)


def encoded(make: Callable[[int], str]) -> Callable[[int], bytes]:
    return lambda size: make(size).encode("utf-8", "surrogatepass")


def test_what_is_quadratic_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = 0.0
    monkeypatch.setattr(growing.time, "thread_time", lambda: seconds)

    def quadratic(text: str) -> None:
        nonlocal seconds
        seconds += len(text) ** 2 / 1e9

    assert growth(quadratic, repeated("a"), 30_000) == pytest.approx(4)


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name: str) -> None:
    for token in FEW:
        assert_linear(TEXTS[name], repeated(token, after="!"), 8_000)


@pytest.mark.parametrize("name", BODIES)
def test_bodies(name: str) -> None:
    for token, opening in zip(FEW, [*OPENINGS[name], *OPENINGS[name]]):
        assert_linear(BODIES[name], encoded(repeated(token, opening, "\xff")), 50_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_texts_of_all_tokens(name: str) -> None:
    for token, before in product(RARE, ("", '<a>;b="')):
        assert_linear(TEXTS[name], repeated(token, before, "!"), HEADER_SIZE)


@pytest.mark.slow
@pytest.mark.parametrize("name", BODIES)
def test_bodies_of_all_tokens(name: str) -> None:
    for token, opening in product(RARE, OPENINGS[name]):
        assert_linear(BODIES[name], encoded(repeated(token, opening, "\xff")), BODY_SIZE)


# What has been quadratic


@pytest.mark.parametrize(
    "token", ["<", ",", ", ", '"', '\\"', '"\\', '; a="', "</a>; ", "<a", '="']
)
def test_link_headers(token: str) -> None:
    def read(text: str) -> None:
        list(headers.read_links([text]))

    for before in ("", "</a>; rel=", '"'):
        assert_linear(read, repeated(token, before), HEADER_SIZE)


def test_patterns_with_several_stars() -> None:
    patterns = Patterns("*a*a*a*a*a*b,/*/*/*/*/*x")
    for token in ("a", "/", "a/", "?a"):
        assert_linear(patterns.match, lambda size, t=token: normal((t * size)[:size]), 100_000)


def test_rules_with_several_stars() -> None:
    rules = robots.parse_robots(b"User-agent: *\nDisallow: /*a*a*a*a*a*a*a*b$\nDisallow: /*/*/*/*x")
    for token in ("a", "a/", "%61"):
        assert_linear(rules.refusal, lambda size, t=token: normal((t * size)[:size]), 9_000)


def test_a_url_longer_than_any_is_refused_where_there_are_rules() -> None:
    long = f"{SITE}/{'a' * 30_000}"
    assert robots.parse_robots(b"User-agent: *\nDisallow: /x").refusal(long)
    assert not robots.Robots().refusal(long)


@pytest.mark.parametrize("token", [" ", "a", "/", "@", ":", "http://", "a."])
def test_users_in_urls(token: str) -> None:
    assert_linear(TEXTS["users in URLs"], repeated(token, after="!"), 20_000)


def test_words_of_a_path() -> None:
    def url(size: int) -> str:
        return SITE + "/" + "/".join(map(str, (f"w{n}" for n in range(size // 6))))

    assert_linear(shapes.suspect, url, 60_000)


@pytest.mark.parametrize(
    "attribute", ['xmlns="{}"', 'xmlns:i="{}"', 'xml:base="{}"', 'xmlns:{}="i"']
)
def test_what_surrounds_the_entries_of_a_broken_sitemap(attribute: str) -> None:
    """Each entry is parsed in a copy of the start tag of the whole file: it is kept short."""

    def body(size: int) -> bytes:
        start = f"<urlset {attribute.format('x' * 2_000)}>"
        entry = "<url><loc>https://e.example/</loc></url>"
        return (start + entry * (size // len(entry)) + "<url><loc>&</loc></url>").encode()

    assert len(sitemaps.read_sitemap(body(40_000)).entries) == 1_000
    assert_linear(sitemaps.read_sitemap, body, 100_000)


def test_bases_around_the_entries_of_a_feed() -> None:
    def body(size: int) -> bytes:
        start = f'<feed xml:base="http://e.example/{"a/" * 30_000}">'
        entry = '<entry><link href="../x"/></entry>'
        return (start + entry * (size // len(entry)) + "</feed>").encode()

    assert_linear(sitemaps.read_sitemap, body, 100_000)


@pytest.mark.parametrize(
    "line", ["Visit-time: 0600-0700", "Request-rate: 1/5", "Disallow: /*a*b$", "User-agent: a", "a"]
)
def test_lines_of_robots_txt(line: str) -> None:
    assert_linear(robots.parse_robots, encoded(repeated(f"{line}\n", "User-agent: *\n")), BODY_SIZE)


def test_a_robots_txt_of_16_mb_costs_what_its_first_half_megabyte_does() -> None:
    def body(size: int) -> bytes:
        return b"User-agent: *\n" + b"Disallow: /a*b\n" * (size // 15)

    assert growth(robots.parse_robots, body, 8_000_000) < 1.5
