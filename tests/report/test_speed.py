"""Slow kinds, and slow and large pages, from the times of responses."""

from typing import Any

from sitemapgen.report.metrics import judge_condition, parse_conditions
from sitemapgen.report.priorities import list_fixes
from sitemapgen.report.sections.speed import measure_speed
from sitemapgen.store.results import LARGE, Transfer
from tests.report.sample import SITE, empty

PRODUCTS = [Transfer(f"{SITE}/p/{number}", 1.2 + number % 3 / 10, 9_000) for number in range(12)]
POSTS = [Transfer(f"{SITE}/blog/{number}", 0.0, 9_000) for number in range(40)]


def report(*transfers: Transfer, **facts: Any) -> dict[str, Any]:
    found = {**empty(), "seen": 99, "speed": measure_speed(transfers), **facts}
    return {**found, "priorities": list_fixes(found)}


def fixes(facts: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {fix["id"]: fix for fix in facts["priorities"]}


def test_a_slow_kind_is_named() -> None:
    slowest = Transfer(f"{SITE}/blog/x", 6.0, 9_000)
    facts = report(*PRODUCTS, *POSTS, slowest)
    assert facts["speed"]["kinds"] == [
        {"kind": "/p/*", "pages": 12, "median": 1.3, "p95": 1.4, "slowest": 1.4},
    ]
    fix = fixes(facts)["slow_kinds"]
    assert fix["sentence"].startswith(
        "12 pages of 1 kind take a second or more, by the median, first /p/* (12 pages, 1.3 s): "
    )
    assert fix["filter"] == {"kind": ["/p/*"], "status": [200], "title_length": [">-1"]}
    assert fixes(facts)["slow_pages"]["count"] == 1
    for text in ("slow_kinds>0", "slow_pages>0"):
        assert judge_condition(parse_conditions(text)[0], facts).failed


def test_a_few_pages_are_no_kind_and_fast_ones_no_fault() -> None:
    """Nor is a page that the load of a moment makes slow."""
    late = Transfer(f"{SITE}/blog/x", 2.0, 9_000)
    facts = report(*PRODUCTS[:4], *POSTS, late)
    assert "slow_pages" not in fixes(facts)
    assert facts["speed"]["kinds"] == []
    assert "slow_kinds" not in fixes(facts)
    assert not report(*POSTS)["priorities"]


def test_large_pages() -> None:
    pages = [Transfer(f"{SITE}/{size}", 0.0, size) for size in (LARGE - 1, LARGE, 9 * LARGE)]
    facts = report(*pages)
    assert [page["bytes"] for page in facts["speed"]["large"]["examples"]] == [9 * LARGE, LARGE]
    assert fixes(facts)["large_pages"]["count"] == 2


def test_deep_pages() -> None:
    deep = {"limit": 5, "count": 3, "share": 0.1, "examples": []}
    fix = fixes(report(deep=deep))["deep_pages"]
    assert fix["sentence"].startswith("3 pages are more than 5 clicks from the start page: link")
    assert fix["filter"] == {"verdict": ["listed"], "reached": [1], "depth": [">5"]}


def test_faults_of_titles_lead_to_their_rows() -> None:
    found = {"count": 2, "share": 0.1, "examples": []}
    titles = {
        **empty()["titles"],
        **{"missing_titles": found, "long_titles": found, "long_descriptions": found},
        "repeated_titles": {**found, "groups": 1},
    }
    listed = {"verdict": ["listed"]}
    filters = {name: fix["filter"] for name, fix in fixes(report(titles=titles)).items()}
    assert filters == {
        "missing_titles": {**listed, "title_length": [0]},
        "long_titles": {**listed, "title_pixels": [">580"]},
        "long_descriptions": {**listed, "description_length": [">160"]},
        "repeated_titles": {"same_title": [">0"]},
    }
