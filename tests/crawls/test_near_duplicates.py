"""Nearly the same page under several URLs: reported, or left out where the user says so."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits
from tests.helpers.crawls import IMPATIENT, Crawl, Crawler
from tests.helpers.server import HERE, Answer, Server, Site, page, urlset
from tests.helpers.sites import VOCABULARY, prose

EAGER = (*IMPATIENT, "-s", "CONCURRENT_REQUESTS=16", "-s", "CONCURRENT_REQUESTS_PER_DOMAIN=16")


def article(title: str, text: str, *, head: str = "") -> Answer:
    answer = page(head=head, title=title, text=f"<h1>{title}</h1>{text}")
    assert isinstance(answer.body, str)
    return answer._replace(body=answer.body.replace("<html>", "<html lang=en>"))


GUIDE = prose(0, 300)
MENU = "<ul>" + "".join(f"<li>{word}" for word in VOCABULARY[2_000:2_010]) + "</ul>"
PRINTED = article("Guide", f"{MENU}{GUIDE}")
SHOP = prose(400, 600)
VERSIONS = "".join(
    f'<link rel="alternate" hreflang="en-{country}" href="/{country}">' for country in ("gb", "us")
)
PAGES = {
    "/guide": article("Guide", GUIDE),
    "/guide/print": PRINTED,
    "/guide/p": PRINTED,  # an exact copy of a near-duplicate
    "/guide?from=top": article("Guide", f"{GUIDE}<p>Seen 14 times, at 10:14 today.</p>"),
    # A chain: the second is near the first and the third, these two are not.
    "/a": article("Chain", prose(700, 1_000)),
    "/bb": article("Chain", prose(718, 1_018)),
    "/ccc": article("Chain", prose(736, 1_036)),
    # The site's sitemap names the longer one.
    "/s": article("Sold", prose(1_100, 1_300)),
    "/sold": article("Sold", prose(1_101, 1_301)),
    # What only looks alike.
    "/item?id=1": article("Item", f"<b>Red shoe</b>{SHOP}"),
    "/item?id=2": article("Item", f"<b>Blue boot</b>{SHOP}"),
    "/shoe": article("Shoe", SHOP),
    "/boot": article("Boot", SHOP),
    "/list?page=2": article("List", prose(1_400, 1_600)),
    "/list?page=3": article("List", prose(1_401, 1_601)),
    "/gb": article("Colour", prose(1_700, 1_900), head=VERSIONS),
    "/us": article("Colour", prose(1_701, 1_901), head=VERSIONS),
    "/photo/1": article("Photo", f'{prose(2_100, 2_300)}<img src="/1.jpg">'),
    "/photo/2": article("Photo", f'{prose(2_101, 2_301)}<img src="/2.jpg">'),
    "/short": article("Short", prose(2_400, 2_440)),
    "/short?x": article("Short", prose(2_401, 2_441)),
}
COPIES = {"/guide/print": "/guide/p"}
NEAR = {"/guide/p": "/guide", "/guide?from=top": "/guide", "/bb": "/a", "/s": "/sold"}


def site(hrefs: list[str]) -> dict[str, Answer]:
    return {
        "/": page(*hrefs, text=f"Home. {prose(2_440, 2_500)}"),
        "/sitemap.xml": urlset("sold", base=HERE),
        **PAGES,
    }


def served(serve: Callable[[Site], Server]) -> Server:
    return serve(site(list(PAGES)))


def paths(crawled: Crawl, verdict: str) -> set[str]:
    return {"/" + url.split("/", 3)[3] for url, each in crawled.verdicts.items() if each == verdict}


def clusters(output: Path) -> dict[str, tuple[str, float]]:
    store = Store(output / "crawl.sqlite", Limits())
    rows = list(store.results.clusters())
    store.close()
    return {
        "/" + row.url.split("/", 3)[3]: ("/" + row.listed.split("/", 3)[3], row.similarity)
        for row in rows
    }


def test_near_one_of_each_cluster_is_listed(
    serve: Callable[[Site], Server], crawl: Crawler
) -> None:
    server = served(serve)
    crawled = crawl.published(server.url, "duplicates=near")
    assert paths(crawled, "duplicate") == {*COPIES, *NEAR}
    assert paths(crawled, "listed") == {"/", *PAGES} - {*COPIES, *NEAR}
    assert len(crawled.sitemap) == len(PAGES) + 1 - len(COPIES) - len(NEAR)
    found = clusters(crawled.output)
    assert {member: listed for member, (listed, _) in found.items()} == NEAR
    host = server.url[:-1]
    for member, listed in NEAR.items():
        similarity = found[member][1]
        assert 0.85 <= similarity < 1
        evidence = crawled.urls[host + member]["evidence"]
        assert evidence == f"nearly the same content ({similarity:.2f}) as {host}{listed}"
    copy = crawled.urls[host + "/guide/print"]["evidence"]  # its original is not listed either
    assert copy == crawled.urls[host + "/guide/p"]["evidence"]


def test_exact_near_ones_are_reported(serve: Callable[[Site], Server], crawl: Crawler) -> None:
    server = served(serve)
    crawled = crawl.published(server.url)
    assert paths(crawled, "duplicate") == set(COPIES)
    found = clusters(crawled.output)
    assert {member: listed for member, (listed, _) in found.items()} == NEAR
    assert crawled.report["remarks"] == {"near_duplicate": len(NEAR)}
    row = crawled.urls[f"{server.url}bb"]
    assert row["evidence"] == f"nearly the same content ({found['/bb'][1]:.2f}) as {server.url}a"
    copy = crawled.urls[f"{server.url}guide/print"]
    assert copy["evidence"] == f"same content as {server.url}guide/p"


def test_off_all_are_listed(serve: Callable[[Site], Server], crawl: Crawler) -> None:
    crawled = crawl.published(served(serve).url, "duplicates=off")
    assert paths(crawled, "listed") == {"/", *PAGES}
    assert crawled.report["remarks"] == {"near_duplicate": len(NEAR), "same_content": len(COPIES)}
    assert {member: listed for member, (listed, _) in clusters(crawled.output).items()} == NEAR


def test_the_threshold_is_a_setting(serve: Callable[[Site], Server], crawl: Crawler) -> None:
    settings = (*IMPATIENT, "-s", "SITEMAPGEN_NEAR_DUPLICATE_THRESHOLD=0.99")
    crawled = crawl(served(serve).url, "duplicates=near", settings=settings)
    assert paths(crawled, "duplicate") < {*COPIES, *NEAR}
    assert "/bb" in paths(crawled, "listed")


def test_pages_that_are_noindex_are_not_unique_twice(crawl: Crawler) -> None:
    noindex = '<meta name="robots" content="noindex">'
    pages = {
        "/guide": article("Guide", GUIDE),
        "/guide/print": article("Guide", GUIDE, head=noindex),
        "/guide?from=top": article("Guide", f"{GUIDE}<p>Seen 14 times.</p>", head=noindex),
        "/found?q=1": article("Found", SHOP, head=noindex),  # shorter, and no less linked to
        "/found": article("Found", SHOP, head=noindex),
        "/own": article("Own", prose(700, 1_000), head=noindex),
    }
    _, crawled = crawl.site(
        {
            "/": page(*pages, text=f"Home. {prose(2_440, 2_500)}"),
            "/sitemap.xml": urlset("", "guide", base=HERE),
            **pages,
        }
    )
    found = {member: listed for member, (listed, _) in clusters(crawled.output).items()}
    assert found == {
        **dict.fromkeys(("/guide/print", "/guide?from=top"), "/guide"),
        "/found?q=1": "/found",
    }
    coverage = crawled.report["coverage"]
    # The start page, the guide, what was found, its own.
    assert coverage["sets"]["unique"] == {
        **{"all": 4, "discovery": 4, "sitemaps": 2, "both": 2, "either": 4}
    }
    assert coverage["unique_coverage"]["value"] == 0.5
    assert paths(crawled, "noindex") == set(pages) - {"/guide"}
    assert paths(crawled, "listed") == {"/", "/guide"}
    assert crawled.report["duplicates"]["near"]["count"] == 0  # of what is listed
    assert crawled.report["duplicates"]["exact"]["count"] == 0


def test_the_order_of_answers_and_of_links_does_not_matter(
    serve: Callable[[Site], Server], crawl: Crawler, tmp_path: Path
) -> None:
    server = served(serve)
    published = []
    for seed in (1, 2):
        shuffled = random.Random(seed)
        hrefs = shuffled.sample(list(PAGES), len(PAGES))
        server.site = {
            path: answer._replace(delay=shuffled.random() / 5)
            for path, answer in site(hrefs).items()
        }
        output = tmp_path / str(seed)
        crawled = crawl.published(server.url, "duplicates=near", output=output, settings=EAGER)
        published.append((crawled.files, clusters(output)))
    orders = server.paths[: len(server.paths) // 2], server.paths[len(server.paths) // 2 :]
    assert orders[0] != orders[1]
    assert published[0] == published[1]


@pytest.mark.parametrize(("others", "left_out"), [(0, 0), (12, 9)])
def test_a_title_that_most_pages_have_names_none(
    serve: Callable[[Site], Server], crawl: Crawler, others: int, left_out: int
) -> None:
    pages = {f"/{number}": article("Our shop", prose(number, number + 300)) for number in range(10)}
    pages |= {f"/x{number}": article(f"X{number}", GUIDE) for number in range(others)}
    crawled = crawl.published(
        serve({"/": page(*pages, text=GUIDE), **pages}).url, "duplicates=near"
    )
    assert len(paths(crawled, "duplicate")) == left_out
