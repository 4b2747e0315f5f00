"""What rendering finds on real builds in real crawls, and what it renders for nothing."""

from typing import Any

import pytest

from tests.benchmarks.corpus import CORPUS, manifest
from tests.benchmarks.rendering import ALWAYS, AUTO, beyond, crawl, details, table
from tests.helpers.browser import BROWSER
from tests.helpers.shared import require

ORDERS = 5
WASTED = 0.15
"""Share of the renders, at most."""

require(CORPUS)

pytestmark = [
    pytest.mark.skipif(not BROWSER, reason="no Chromium is on PATH"),
    # The server of the corpus leaves closing its files to the collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def sites(*names: str) -> list[dict[str, Any]]:
    return [site for site in manifest() if site["name"] in names]


@pytest.mark.parametrize("name", ["htmx-partial", "tricky-a"])
def test_a_site_is_found_as_a_whole(name: str) -> None:
    """One that is partly rendered, and one with all that misleads: two crawls, ten seconds."""
    (site,) = sites(name)
    found = crawl(site, AUTO)
    assert not found.missing
    assert not found.forbidden
    assert not found.lacking
    # The server's word against the crawl's own.
    assert len(found.rendered) == found.renders_reported == sum(found.reasons.values())
    assert len(found.wasted) < len(found.rendered)


def test_what_the_benchmark_counts() -> None:
    """The same crawls would tell, were the rule to fail."""
    (site,) = sites("htmx-partial")
    never = crawl(site, "never")
    assert never.missing
    assert never.lacking
    assert not never.rendered
    assert "| `never` | 6 of 13 |" in table([never])
    assert "missing" in details([never])
    assert set(never.missing) == set(site["expected_urls"]) - set(site["expected_http_only"])


@pytest.mark.slow
def test_everything_is_found_in_any_order_with_few_renders() -> None:
    outcomes = []
    for site in manifest():
        if site["hash_router"]:  # one document, whatever is done
            continue
        outcomes += [crawl(site, AUTO, order) for order in range(ORDERS)]
        outcomes += [crawl(site, ALWAYS)]
    print(f"\n{table(outcomes)}\n\n{details(outcomes)}")
    ours = [outcome for outcome in outcomes if outcome.rule == AUTO]
    for outcome in ours:
        assert not outcome.missing, outcome
        assert not outcome.forbidden, outcome
        assert not outcome.lacking, outcome
    renders = sum(len(outcome.rendered) for outcome in ours)
    assert sum(len(outcome.wasted) for outcome in ours) <= WASTED * renders
    assert not beyond(outcomes)
