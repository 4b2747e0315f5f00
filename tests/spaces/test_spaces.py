"""The sites of the laboratory are what they claim: linked, deterministic, without a dead end."""

import re
from html import unescape
from itertools import islice
from urllib.parse import urljoin

import pytest

from tests.helpers.crawls import rest
from tests.helpers.server import Answer
from tests.spaces.registry import NAMES, space
from tests.spaces.space import Space, normal, without

BASE = "http://site.example"
SAMPLE = (NAMES[0], "facets")
NAMED = [*SAMPLE, *rest(*(name for name in NAMES if name not in SAMPLE))]
MOST = 4_000
"""Pages of one site that are walked; the endless ones have more."""
LINK = re.compile(
    r"""<a href="(?!JavaScript:)([^"]*)"|<option value="([^"]+)"|data-href='([^']*)'|"""
    r"""(?:location(?:\.href)?=|popup\()'([^']*)'"""
)
"""A link, or the address in what only a script follows."""


def hrefs(path: str, answer: Answer) -> list[str]:
    """Where a page or a redirect leads, as path and query."""
    if target := answer.headers.get("Location"):
        return [target]
    found = LINK.findall(str(answer.body))
    joined = (urljoin(BASE + path, unescape("".join(groups))) for groups in found)
    return [url.removeprefix(BASE) for url in joined if url.startswith(f"{BASE}/")]


def walk(site: Space, most: int) -> dict[str, Answer]:
    """What can be reached from the start, breadth first, at most so many pages."""
    reached: dict[str, Answer] = {}
    queue = ["/"]
    for path in queue:
        if len(reached) == most:
            break
        answer = site.answer(path)
        assert answer is not None, f"{site.name}: dead link to {path}"
        if without(path, site.ignored) in reached:
            continue
        reached[without(path, site.ignored)] = answer
        queue += hrefs(path, answer)
    return reached


@pytest.mark.parametrize("name", NAMED)
def test_every_ideal_page_can_be_reached_and_no_link_is_dead(name: str) -> None:
    """Nor does an endless space have an end within 90 pages."""
    site = space(name)
    if site.is_endless:
        for path in site.ideal:
            answer = site.answer(path)
            assert answer is not None
            for href in hrefs(path, answer):
                assert site.answer(normal(href)) is not None, href
        assert sum(path not in site.ideal for path in walk(site, 600)) > 90
        return
    reached = walk(site, MOST)
    assert site.ideal <= set(reached), sorted(site.ideal - set(reached))[:3]


@pytest.mark.parametrize("name", NAMED)
def test_the_same_path_gets_the_same_answer(name: str) -> None:
    site = space(name)
    for path in islice(sorted(site.ideal), 20):
        assert site.answer(path) == site.answer(path)
    assert site.answer("/does-not-exist-4711") is None
