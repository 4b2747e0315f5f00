"""The public cases of robots meta tags and X-Robots-Tag headers."""

from datetime import datetime, timezone
from typing import Any

from sitemapgen.core.document import html
from sitemapgen.core.eligibility import robots_directives
from tests.helpers.shared import conformance
from tests.helpers.tables import for_each

NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
HEADERS = conformance("robots_tags/headers.jsonl")
METAS = conformance("robots_tags/meta.jsonl")


def answer(case: dict[str, Any], noindex: bool, nofollow: bool) -> dict[str, bool]:
    """Ours, for what the case asks."""
    ours = {"may_index": not noindex, "may_follow": not nofollow}
    return {name: ours[name] for name in ours if name in case}


@for_each(*[case for case in HEADERS if {"may_index", "may_follow"} & case.keys()])
def test_headers(case: dict[str, Any]) -> None:
    asked = {name: case[name] for name in ("may_index", "may_follow") if name in case}
    values = [
        value.strip()
        for name, _, value in (header.partition(":") for header in case["headers"])
        if name.lower() == "x-robots-tag"
    ]
    agents = frozenset({case["user_agent"].lower()} if case.get("user_agent") else ())
    directives = robots_directives([], values, NOW, agents)
    assert answer(case, bool(directives.noindex), directives.nofollow) == asked


@for_each(*METAS)
def test_metas(case: dict[str, Any]) -> None:
    document = html.parse_document(case["html"].encode(), "text/html; charset=utf-8")
    directives = robots_directives(document.robots, [], NOW)
    asked = {name: case[name] for name in ("may_index", "may_follow") if name in case}
    assert asked
    assert answer(case, bool(directives.noindex), directives.nofollow) == asked
