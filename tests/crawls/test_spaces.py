"""The laboratory of sites, crawled: nothing real is lost, nothing endless is followed for long."""

from pathlib import Path

import pytest

from tests.helpers.crawls import rest
from tests.helpers.server import Server
from tests.spaces.crawling import Outcome, crawl_at, run, run_offline
from tests.spaces.registry import NAMES, space

SAMPLE = ("parts-next", "facets", "random-words", "shorter-pages-that-are-gone")
"""Crawled by every run of the tests: finite and endless ones, with and without views or probes."""
IN_PROCESS = (
    *("calendar-with-events", "calendar-of-days", "shop-of-codes", "gitweb"),
    *("session-in-path", "alternating-segments"),
    *("related-topics", "mirrors-of-languages", "dictionary", "another-country"),
    *("shop-of-fallbacks", "forms-below-products", "versions-below-histories"),
    "tables-and-queries",
    *("exchange-rates", "weather", "photos", "photos-of-many-sizes", "a-to-z", "shuffled-list"),
    *("old-versions", "forecasts", "minutes-of-meetings", "sections-below-towns"),
    *("forms-beside-articles", "single-posts-of-days", "rows-with-pages", "hotels-of-few-words"),
    *("sizes-as-of-commits", "long-posts-in-days", "mornings-and-evenings"),
)
"""One site for each rule, a fixed list: where no network is needed, in a tenth of the time."""
REST = [name for name in NAMES if name not in SAMPLE]
UNORDERED = (
    "weather-of-all",
    "facets",
    "calendar-with-events",
    "random-identifiers",
    "mirrors-in-mirrors",
)
"""Sites on which the order of the answers could decide the most."""
AGAIN = ("orders-with-a-user", "few-chapters-that-name-their-look", "photos-in-sets")
"""Sites that are crawled twice in every run of the tests."""
CHANGING = (
    *("booking", "filters-in-paths-with-pages", "gitweb", "random-words", "redirects-and-pages"),
    "rows-of-few-words",
)
"""Sites of which a second crawl lists a few other URLs that are none of the ideal."""
ONCE = (*AGAIN, "missing-pages")
"""The last needs probes, that are made over the network alone."""


def check_listed(outcome: Outcome) -> None:
    """Compare a crawl with its site's ideal; each trap of the report has URLs, which name it."""
    assert not outcome.faults, f"{outcome.space.about}\n{outcome.faults}\n{outcome.crawl.log}"
    crawl = outcome.crawl
    assert sum(crawl.report["verdicts"].values()) == len(crawl.urls)
    for trap in crawl.report["traps"] if outcome.space.is_endless else ():
        assert trap["urls"] > 0
        rows = [crawl.urls[example] for example in trap["examples"]]
        assert {(row["verdict"], row["evidence"]) for row in rows} == {
            ("trap", f"{trap['kind']} {trap['pattern']}: {trap['reason']}")
        }


def check(outcome: Outcome) -> None:
    """The same, and that a finite site is complete, without a trap."""
    check_listed(outcome)
    crawl, space_ = outcome.crawl, outcome.space
    if space_.is_endless:
        return
    assert crawl.report["complete"]
    advised = [trap["pattern"] for trap in crawl.report["traps"] if trap["fetched"]]
    assert not advised, f"{space_.about} is finite, and these are called traps: {advised}"


@pytest.mark.parametrize("name", SAMPLE)
def test_a_site_of_the_sample(name: str, tmp_path: Path) -> None:
    check(run(space(name), tmp_path))


@pytest.mark.parametrize("name", IN_PROCESS)
def test_a_site_in_this_process(name: str, tmp_path: Path) -> None:
    check_listed(run_offline(space(name), tmp_path))


@pytest.mark.parametrize("name", [*AGAIN, *rest(*(name for name in REST if name not in ONCE))])
def test_a_site_that_has_not_changed(name: str, tmp_path: Path) -> None:
    """A second crawl writes the same sitemap, for no more requests."""
    first = run_offline(space(name), tmp_path)
    sitemap = first.crawl.files["sitemap.xml"]
    second = run_offline(space(name), tmp_path)
    assert second.space.ideal - second.listed == first.space.ideal - first.listed
    assert second.requests <= first.requests
    assert second.crawl.files["sitemap.xml"] == sitemap or name in CHANGING


@pytest.mark.slow
@pytest.mark.parametrize("name", REST)
def test_a_site(name: str, tmp_path: Path) -> None:
    check(run(space(name), tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("name", UNORDERED)
def test_the_order_of_answers_decides_nothing(name: str, tmp_path: Path) -> None:
    with Server(space(name).answer) as server:
        one, many = (
            crawl_at(
                server.url, tmp_path / number, settings=("-s", f"CONCURRENT_REQUESTS={number}")
            ).files
            for number in ("1", "16")
        )
    assert one == many
