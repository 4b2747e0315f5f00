"""Every URL ever seen has one verdict, and what it rests on; the counts add up."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from sitemapgen.core.probes import probe_token
from sitemapgen.verdicts import Verdict
from tests.helpers.crawls import Crawler
from tests.helpers.server import HERE, Serve, Server, page, redirect, site

EXPECTED = Path(__file__).parents[1] / "sites" / "every-verdict" / "expected.json"


@pytest.fixture
def shop(serve: Serve) -> Server:
    server = serve({})
    answers = site("every-verdict")
    answers[f"/{probe_token(server.url.rstrip('/'))}"] = answers[
        "/lost"
    ]  # it answers 200 to anything
    server.site = answers
    return server


def absolute(server: Server, path: str) -> str:
    return server.url + path.removeprefix("/") if path.startswith("/") else path


def test_every_verdict(shop: Server, crawl: Crawler) -> None:
    result = crawl.published(shop.url, "max_depth=3", "exclude=*/print")
    expected = {
        absolute(shop, url): (
            verdict,
            evidence.replace(HERE, shop.url).replace("TOKEN", probe_token(shop.url.rstrip("/"))),
            "" if depth is None else str(depth),
            absolute(shop, parent) if parent else "",
        )
        for url, (verdict, evidence, depth, parent) in json.loads(EXPECTED.read_text()).items()
    }
    rows = result.urls
    found = {
        url: (row["verdict"], row["evidence"], row["depth"], row["parent"])
        for url, row in rows.items()
    }
    assert found == expected
    assert set(result.sitemap) == {url for url, row in expected.items() if row[0] == "listed"}
    seen = {row["verdict"] for row in rows.values()}
    elsewhere = {"over_cap", "out_of_scope", "trap", "unrenderable", "variant", "view"}
    assert seen == {verdict.value for verdict in Verdict} - elsewhere
    forbidden = {"/private/plan", "/ad", "/deep/4", "/about/print"}
    assert not set(shop.paths) & forbidden
    home, about = rows[shop.url], rows[f"{shop.url}about"]
    assert home["title"] == "A page"
    assert about["lastmod"] == "2024-01-02T02:04:05+00:00"
    assert about["lastmod_source"] == "article:modified_time"
    assert rows[f"{shop.url}products/"]["in_degree"] == "2"
    with (result.output / "urls.csv").open(newline="", encoding="utf-8") as file:
        header = next(csv.reader(file))
    assert header == [
        *("url", "verdict", "evidence", "status", "depth", "parent", "in_degree", "canonical"),
        *("lastmod", "lastmod_source", "title", "lastmod_evidence", "pagerank", "in_sitemap"),
        *("reached", "rendered", "render_reason", "view", "view_of", "redirect_target", "kind"),
        *("title_length", "title_pixels", "description_length", "description"),
        *("h1", "h1s", "words", "images_without_alt", "links_without_text", "nofollow_links"),
        *("mixed_content", "invalid_json_ld", "incomplete_entities", "structured_data"),
        *("structured_data_faults", "bytes", "seconds", "duplicate_of", "similarity"),
        *("dead_end", "hreflang_faults", "sitemap_date_fault", "page_date_faults"),
        *("redirect_hops", "redirect_links", "same_title", "same_description", "same_h1"),
    ]


def test_counts_add_up(shop: Server, crawl: Crawler) -> None:
    result = crawl(shop.url, "max_pages=7")
    report, verdicts = result.report, Counter(result.verdicts.values())
    assert report["seen"] == sum(report["verdicts"].values()) == len(result.urls)
    assert {name: count for name, count in report["verdicts"].items() if count} == verdicts
    assert report["listed"] == len(result.sitemap) == verdicts["listed"]
    assert report["fetched"] == 7
    assert verdicts["over_cap"] == report["verdicts"]["over_cap"] > 0
    assert sum(report["listed_by_depth"].values()) == report["listed"]


def test_every_hop_is_a_row_and_five_are_followed(crawl: Crawler) -> None:
    pages = {"/": page("/r0", "/loop1")}
    pages |= {f"/r{number}": redirect(f"/r{number + 1}") for number in range(9)}
    pages |= {"/loop1": redirect("/loop2"), "/loop2": redirect("/loop1")}
    server, result = crawl.site(pages)
    verdicts = {url.removeprefix(server.url): verdict for url, verdict in result.verdicts.items()}
    assert verdicts == {
        "": "listed",
        **{f"r{number}": "redirect" for number in range(6)},
        "r6": "not_fetched",
        "loop1": "redirect",
        "loop2": "redirect",
    }
    assert server.paths.count("/loop1") == 1
