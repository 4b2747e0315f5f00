"""Things to fix lead to the rows of urls.csv that they count, and not to others like these."""

from collections.abc import Callable

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.server import HERE, HOST, Answer, Serve, page, redirect, urlset, xml
from tests.helpers.shop import alternate, canonical, shop
from tests.helpers.sites import prose
from tests.helpers.traps import calendar

PAIRS = range(21)
"""Pairs of pages with the same title, description and h1: more than the report names."""
DAY = '<meta property="article:modified_time" content="2026-02-0{}T08:00:00Z">'
TEXT = "A page of some words that are its own, number {}. "


def pair(number: int, place: int) -> Answer:
    head = f'<meta name="description" content="About {number} and what is like it.">'
    words = prose(40 * number + 900 * place, 40 * number + 900 * place + 60)
    return page("/", head=head, title=f"Pair {number}", text=f"<h1>Pair {number}</h1>{words}")


def own(number: int, *links: str, head: str = "") -> Answer:
    """A page without a fault."""
    words = f"<h1>Own {number}</h1>{TEXT.format(number)}{prose(7 * number, 7 * number + 50)}"
    return page("/", *links, head=head, title=f"Own {number}", text=words)


def large_shop() -> dict[str, Answer]:
    """The shop with further faults, and with what is like a fault and none."""
    site = shop()
    other = f"https://{HOST}/other"
    linked = [f"/pair/{number}/{place}" for number in PAIRS for place in range(2)]
    dated = [f"/news/{number}" for number in range(12)]
    linked += [*dated, "/same/1", "/same/2", "/deep/1", "/out", "/circle/1", "/found/moved", other]
    linked += ["/found/picture", "/calendar/2026/06"]
    site["/all"] = own(900, *linked)
    start = site["/"]
    site["/"] = start._replace(body=str(start.body).replace("<body>", '<body><a href="/all">'))
    site |= {f"/pair/{number}/{place}": pair(number, place) for number in PAIRS for place in (0, 1)}
    # One moment beside every page of a section; some pages of it are in the sitemap, with another.
    site |= {path: own(600 + number, head=DAY.format(1)) for number, path in enumerate(dated)}
    site |= {
        "/same/1": own(700),
        "/same/2": own(700),
        **{f"/deep/{step}": own(710 + step, f"/deep/{step + 1}") for step in range(1, 8)},
        "/deep/8": own(718),
        "/out": redirect("/away"),
        "/away": redirect("http://elsewhere.example/"),
        "/circle/1": redirect("/circle/2"),
        "/circle/2": redirect("/circle/1"),
        "/found/moved": redirect("/product/1"),
        "/found/picture": Answer("x", headers={"Content-Type": "image/png"}),
    }
    lines = "".join(f"<url><loc>{HERE}{each}</loc></url>" for each in IN_SITEMAP)
    listed = str(site["/sitemap.xml"].body).replace("</urlset>", f"{lines}</urlset>")
    site["/sitemap.xml"] = xml(listed)
    site["/by-sitemap-alone"] = redirect("/product/1")
    return site


IN_SITEMAP = ("gone", "by-sitemap-alone", "same/1")
"""What no page links to, or only one that is like it."""


def shared_canonical() -> dict[str, Answer]:
    """A template that names the start page, a page that names another one, a site with a path."""
    links = [f"/shop/{number}" for number in range(30)]
    other = [f"https://{HOST}/shop/x", "/elsewhere"]
    site = {"/shop/": own(1, *links, "/shop/copy", *other)}
    site |= {path: own(10 + n, head=canonical("/shop/")) for n, path in enumerate(links)}
    return site | {"/shop/copy": own(2, head=canonical("/shop/plain")), "/shop/plain": own(2)}


def wrong_dates() -> dict[str, Answer]:
    """A sitemap with the dates of one section wrong, and those of the other right."""
    paths = [f"/a/{number}" for number in range(12)] + [f"/b/{number}" for number in range(8)]
    dates = dict.fromkeys(paths[:12], "2026-02-01T08:00:00Z")
    dates |= {path: f"2025-{1 + n % 12:02}-{1 + n}" for n, path in enumerate(paths[12:])}
    site = {path: own(number) for number, path in enumerate(paths)}
    head = alternate("/a/1")
    return site | {
        "/": own(99, *paths, head=head),
        "/sitemap.xml": urlset(*dates, base=HERE[:-1], dates=dates),
    }


@pytest.mark.parametrize(
    ("site", "start", "arguments", "among"),
    [
        (
            large_shop,
            "",
            (),
            """broken_links canonicalised_in_sitemap dead_ends deep_pages distrusted_lastmods
            duplicates hreflang http_error_in_sitemap large_pages linked_redirects little_content
            missing_from_sitemap missing_h1s near_duplicates orphans other_addresses redirect_chains
            redirect_in_sitemap repeated_descriptions repeated_h1s repeated_titles slow_kinds
            slow_pages traps few_wrong_dates""",
        ),
        (large_shop, "", ("duplicates=off",), "duplicates missing_from_sitemap near_duplicates"),
        (large_shop, "", ("duplicates=near",), "duplicates"),
        (shared_canonical, "shop/", ("scope=path",), "no_sitemap shared_canonical other_addresses"),
        (wrong_dates, "", (), "wrong_dates_in_sitemap hreflang"),
    ],
    ids=["shop", "duplicates listed", "near-duplicates left out", "canonicals", "dates"],
)
def test_each_leads_to_the_rows_that_it_counts(
    site: Callable[[], dict[str, Answer]],
    start: str,
    arguments: tuple[str, ...],
    among: str,
    serve: Serve,
    crawl: Crawler,
) -> None:
    pages = site()
    server = serve(lambda path: pages.get(path) or calendar(path))
    result = crawl.published(server.url + start, *arguments)
    found = {fix["id"]: fix for fix in result.report["priorities"] if fix["filter"] is not None}
    rows = {name: len(result.rows_of(fix["filter"])) for name, fix in found.items()}
    assert rows == {name: fix["count"] for name, fix in found.items()}
    assert not {*among.split()} - rows.keys()
