"""What the rendering rule finds on real builds, and what it renders for nothing."""

import random
from pathlib import Path

import pytest

from sitemapgen.core.rendering.detect import judge_classic, read_raw
from tests.benchmarks.corpus import CORPUS, module
from tests.benchmarks.rendering_rule import CONTENT_TYPE, crawl, sites
from tests.helpers.shared import require

ORDERS = 5
WASTED = 0.15
"""Share of the renders, at most."""

require(CORPUS)

# The server of the corpus leaves closing its files to the collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def test_everything_is_found_in_any_order_with_few_renders(tmp_path: Path) -> None:
    renders = wasted = 0
    for served in sites():
        if served.site["hash_router"]:  # one document, whatever is done
            continue
        orders = [
            crawl(served, random.Random(seed), tmp_path / "crawl.sqlite") for seed in range(ORDERS)
        ]
        for outcome in orders:
            assert not outcome.missing, served.site["name"]
            assert not outcome.forbidden, served.site["name"]
            assert not outcome.unrendered, served.site["name"]
            renders += outcome.renders
            wasted += len(outcome.wasted)
        assert len({frozenset(outcome.found) for outcome in orders}) == 1
    assert wasted / renders <= WASTED


def test_the_seeds_rule_answers_as_the_reference_does() -> None:
    reference = module("score_seed_heuristic")
    answers = differing = 0
    for served in sites():
        for path in {route.partition("#")[0] for route in served.routes}:
            body = served.document(path)[1]
            expected = reference.seed(body.decode("utf-8", "replace"))[0]
            answers += 1
            differing += judge_classic(read_raw(body, CONTENT_TYPE)).needs is not expected
    assert answers > 300
    assert not differing
