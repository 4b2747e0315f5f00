"""Filters, orders and an endless calendar beside a few pages: what is asked for, and listed."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from sitemapgen.core.urls import Patterns
from tests.helpers.crawls import Crawler
from tests.helpers.programs import background, free_port
from tests.helpers.server import Answer, page, urlset
from tests.helpers.server import text as text_of
from tests.helpers.shared import SHARED, require

WORDS = [
    f"{first}{second}" for first in ("ba", "co", "du", "fi") for second in ("lem", "nar", "pos")
]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    script, port = require(SHARED / "spaces" / "facets-calendar.py"), free_port()
    with background([sys.executable, script, str(port)], port, tmp_path / "site.log"):
        yield f"http://127.0.0.1:{port}/"


def test_a_shop_and_a_calendar(site: str, crawl: Crawler) -> None:
    result = crawl.published(site)
    rows = result.urls
    ideal = {site, f"{site}shop", f"{site}events"}
    ideal |= {f"{site}p/{number}" for number in range(30)}
    ideal |= {f"{site}e/c{number}" for number in range(15)}
    assert ideal <= {*result.sitemap}
    assert len(result.sitemap) <= 70
    assert result.report["seen"] - result.report["verdicts"]["trap"] <= 260
    variants = [row for row in rows.values() if row["verdict"] == "variant"]
    assert len(variants) > 50
    assert all(f"beside {site}shop" in row["evidence"] for row in variants)
    complete = "All 48 pages with content of their own are in your sitemap, and "
    assert result.report["headline"]["sentence"].startswith(complete)
    assert not [fix for fix in result.report["priorities"] if fix["severity"] == "error"]
    kinds = {row["kind"]: row for row in result.report["kinds"]["rows"]}
    parts = {part["part"]: part["role"] for row in kinds.values() for part in row["roles"]}
    assert parts["sort"] == "nothing", kinds
    excludes = {row["kind"]: row["exclude"] for row in kinds.values() if row["roles"]}
    assert all(
        Patterns(pattern).match(kinds[kind]["example"]) for kind, pattern in excludes.items()
    )
    assert not any(Patterns(pattern).match(f"{site}shop") for pattern in excludes.values())
    outcome = result.outcome
    assert [row["listed"] for row in outcome["kinds"] if row["kind"] == "/p/*"] == [30]
    once = result.files
    again = crawl.published(site)
    assert again.files == once
    assert int(re.findall(r"(\d+) pages fetched", again.log)[0]) <= 80


def recipes(seed: str = "", view: str = "{}?print=1") -> dict[str, Answer]:
    """60 recipes with a view to print; ``seed``: of a second part, which that does not show."""
    names = [f"/recipe/{number}" for number in range(60)]
    answers = {"/": page(*names, title="Recipes")}
    for name in names:
        text, more = (
            " ".join(Random(each).choices(WORDS, k=30)) for each in (name, f"{name}/{seed}")
        )
        printed = view.format(name)
        answers[name] = page(printed, text=f"{text}. {more}.", title=f"Recipe {name}")
        answers[printed] = page(text=f"{text}.", title=f"Recipe {name}")
    return answers


def test_what_had_nothing_of_its_own_is_not_requested_again(crawl: Crawler) -> None:
    """But for one in twenty, and what the site's sitemap names by now."""
    answers = recipes()
    server, first = crawl.site(answers)
    assert [*first.verdicts.values()].count("variant") == 60, first.log
    named = next(visit.path for visit in server.visits if visit.path.endswith("print=1"))
    server.visits.clear()
    second = crawl(server.url)
    assert second.files == first.files
    assert sum(visit.path.endswith("print=1") for visit in server.visits) <= 4
    server.visits.clear()
    server.site = {
        **answers,
        "/robots.txt": text_of(f"Sitemap: {server.url}sitemap.xml"),
        "/sitemap.xml": urlset(named, base=server.url[:-1]),
    }
    assert crawl(server.url).code == 0
    assert named in {visit.path for visit in server.visits}


def test_what_rests_is_requested_once_where_what_it_repeats_has_changed(crawl: Crawler) -> None:
    view = "/print{}"
    server, first = crawl.site(recipes(view=view))
    assert [*first.verdicts.values()].count("variant") == 60, first.log
    server.site = recipes("changed", view)
    server.visits.clear()
    second = crawl(server.url)
    assert {*second.sitemap} == {*first.sitemap}, second.log
    asked = [visit.path for visit in server.visits if visit.path.startswith("/print")]
    assert len(asked) == len({*asked}) == 60


def test_traps_are_only_reported(site: str, crawl: Crawler) -> None:
    result = crawl(site, "traps=report", "max_pages=300")
    assert result.report["verdicts"]["variant"] == 0
    assert f"{site}shop?c=red&sort=price" in result.sitemap


FILTERS = ("stock=1", "max=20", "max=50", "max=70", "max=50&stock=1")


def test_filters_that_rest_while_products_come_and_go_stay_variants(crawl: Crawler) -> None:
    """They are requested where they show what the list has no longer."""
    chance = Random(3)
    products = {
        number: (number % 8, chance.randint(5, 90), " ".join(chance.choices(WORDS, k=30)))
        for number in range(200)
    }
    gone: set[int] = set()

    def shop(path: str) -> Answer | None:
        place, _, query = path.partition("?")
        name, number = place[:3], place[3:]
        if path == "/":
            return page(*(f"/c/{shelf}" for shelf in range(8)), title="Shop")
        if name == "/p/" and number.isdecimal() and int(number) in products.keys() - gone:
            shelf, price, words = products[int(number)]
            return page(f"/c/{shelf}", title=f"Lamp {number}", text=f"{words} {number} {price}")
        if name != "/c/" or (query and query not in FILTERS):
            return None
        most = int(query[4:6]) if query.startswith("max") else 100
        shown = {
            f"/p/{each}": f"Lamp {each} for {price}"
            for each, (shelf, price, _) in products.items()
            if each not in gone
            and str(shelf) == number
            and price <= most
            and ("stock" not in query or each % 3)
        }
        entries = "".join(f"<li><a href={to}>{label}</a></li>" for to, label in shown.items())
        links = [f"{place}?{each}" for each in FILTERS]
        return page(*links, title=f"Shelf {number}", text=f"<ul>{entries}</ul>")

    server, first = crawl.site(shop)
    assert [*first.verdicts.values()].count("variant") == 8 * len(FILTERS), first.log
    gone |= {each for each in products if each % 8 in (3, 7) and products[each][1] < 50}
    second = crawl.published(server.url)
    assert len(second.sitemap) == 1 + 8 + len(products) - len(gone), second.log
    asked = [path for path in server.paths if "?" in path]
    assert len(asked) < 2 * 8 * len(FILTERS)
    assert second.report["broken_links"]["count"] == 0  # those of filters that were not read
