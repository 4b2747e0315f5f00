"""strategy=balanced by real crawls: never much worse than the better order, often better."""

import pytest

from tests.benchmarks.living_site import POSTGRESQL
from tests.benchmarks.quotas import MIXES, QuotaSite, listed, measure

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not POSTGRESQL.exists(), reason="the Debian package postgresql-doc-15 is not installed"
    ),
]


@pytest.mark.parametrize(
    ("mix", "other"), [("good links, bad sitemap", "bfs"), ("bad links, good sitemap", "seeded")]
)
def test_the_balance_finds_the_better_of_both(mix: str, other: str) -> None:
    site = QuotaSite(MIXES[mix], pages=250)
    with site.serve() as server:
        budget = site.urls // 2
        ours, theirs = (listed(site, server, name, budget) for name in ("balanced", other))
    assert ours >= 0.95 * theirs  # small budgets pay more for what they learn


def test_links_are_chosen_well_where_all_pages_link_to_noise_alike() -> None:
    site = QuotaSite(MIXES["mixed, noise on all pages"], pages=300)
    with site.serve() as server:
        budget = site.urls // 5
        assert listed(site, server, "balanced", budget) >= 0.84 * budget


@pytest.mark.parametrize("mix", MIXES)
def test_quotas(mix: str) -> None:
    measured = measure(MIXES[mix], seed=8).values()
    for figures in measured:
        better = max(figures["bfs"], figures["seeded"])
        assert figures["balanced"] >= 0.97 * better, figures
    if mix.startswith("mixed"):
        ours, breadth, seeded = (
            sum(figures[name] for figures in measured) for name in ("balanced", "bfs", "seeded")
        )
        assert ours > max(breadth, seeded)
