"""Kinds of pages of which none is listed: a refresh requests a sample of them."""

import pytest

from sitemapgen.analysis.freshness.rest import GONE_EVERY
from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION
from tests.helpers.crawls import IMPATIENT, Crawler
from tests.helpers.server import Answer, Serve, page, redirect, text, urlset

MANY = 60
WORDS = "All there is to say about the subject of this page, and not a word about another one. "
NOINDEX = '<meta name="robots" content="noindex">'


def shop(beside: dict[str, Answer], path: str) -> dict[str, Answer]:
    """A list of products; beside each is a page at ``path``."""
    products = {
        f"/product/{number}": page(path.format(number), text=f"{WORDS * 3} {number} {number * 7}")
        for number in range(MANY)
    }
    return {"/": page(*products), **products, **beside}


def forms(head: str = NOINDEX) -> dict[str, Answer]:
    """A form for each product, left out because of what is in its head."""
    return {
        f"/review/{number}": page(head=head, text=f"{WORDS * 2} Review {number} {number * 11}")
        for number in range(MANY)
    }


def asked(paths: list[str], start: str) -> int:
    return sum(path.startswith(start) for path in paths)


def others() -> dict[str, Answer]:
    """Each product again in a category, which names the product as its canonical URL."""
    return {
        f"/lamps/item/{number}": page(
            head=f'<link rel="canonical" href="/product/{number}">',
            text=f"{WORDS * 3} {number} {number * 7}",
        )
        for number in range(MANY)
    }


@pytest.mark.parametrize(
    ("beside", "path"),
    [
        (forms(), "/review/{}"),
        (others(), "/lamps/item/{}"),
        ({f"/add/{number}": redirect("/") for number in range(MANY)}, "/add/{}"),
        ({f"/raw/{number}": text(WORDS) for number in range(MANY)}, "/raw/{}"),
    ],
    ids=["noindex", "canonicalised", "redirects", "files"],
)
def test_a_sample_of_a_kind_is_requested(
    beside: dict[str, Answer], path: str, crawl: Crawler
) -> None:
    start = path.format("")
    server, first = crawl.site(shop(beside, path), settings=IMPATIENT)
    assert len(first.sitemap) == MANY + 1
    assert asked(server.paths, start) == WITHOUT_EXCEPTION
    for _ in range(2):
        server.visits.clear()
        assert crawl.published(server.url, settings=IMPATIENT).files == first.files
        assert 1 <= asked(server.paths, start) <= MANY / 10


def test_views_of_pages_that_lead_to_them_rest(crawl: Crawler) -> None:
    """Their texts differ from those of their pages in a line; the links decide what they are."""
    answers = {}
    for number in range(MANY):
        about = f"{WORDS * 3} Lamp{number:x} has shade{number * 7:x} and foot{number * 11:x}."
        answers[f"/lamp/{number}"] = page(
            f"/lamp/{number}/print", title=f"Lamp {number}", text=about
        )
        answers[f"/lamp/{number}/print"] = page(title=f"Lamp {number}", text=f"Printed. {about}")
    server, first = crawl.site({"/": page(*answers), **answers}, settings=IMPATIENT)
    assert len(first.sitemap) == MANY + 1, first.log
    for _ in range(2):
        server.visits.clear()
        assert crawl.published(server.url, settings=IMPATIENT).files == first.files
        assert sum(path.endswith("/print") for path in server.paths) <= MANY / 10
    answers["/lamp/7"] = page("/lamp/7/print", title="Lamp 7", text="Nothing of it is left here.")
    server.site = {**server.site, **answers}
    server.visits.clear()
    crawl.published(server.url, settings=IMPATIENT)
    assert "/lamp/7/print" in server.paths


@pytest.mark.parametrize("base", ["/", "/in/"])
def test_a_directory_that_was_left_stays_so(base: str, serve: Serve, crawl: Crawler) -> None:
    """Its URLs have no suspicious form, so they are left when many of them were fetched."""
    names = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("ame", "ill", "ond", "ush", "ock")]
    both = [f"{one}-{other}" for one in names[:20] for other in names[20:40]]
    told = {
        f"{base}about/{name}": f"{WORDS * 2} {name} {number}" for number, name in enumerate(both)
    }
    about = {path: page(head=NOINDEX, text=text) for path, text in told.items()}
    site = {f"/{name}": page(f"{base}about/{name}", text=f"{WORDS * 3} {name} ") for name in both}
    server = serve({base: page(*site), **site, **about})
    url = server.url + base[1:]
    assert len(crawl(url, settings=IMPATIENT).sitemap) == len(both) + 1
    assert asked(server.paths, f"{base}about/") < len(both)
    for most in (WITHOUT_EXCEPTION, len(both) / 20):
        server.visits.clear()
        assert len(crawl.published(url, settings=IMPATIENT).sitemap) == len(both) + 1
        assert 1 <= asked(server.paths, f"{base}about/") <= most
    server.site |= {path: page(text=text) for path, text in told.items()}
    assert len(crawl.published(url, settings=IMPATIENT).sitemap) == 2 * len(both) + 1


def test_a_kind_that_is_let_in_is_listed_in_the_same_run(serve: Serve, crawl: Crawler) -> None:
    server = serve(shop(forms(), "/review/{}"))
    assert len(crawl(server.url, settings=IMPATIENT).sitemap) == MANY + 1
    server.site = shop(forms(""), "/review/{}")
    assert len(crawl.published(server.url, settings=IMPATIENT).sitemap) == 2 * MANY + 1


def test_a_kind_that_is_gone_is_not_requested_as_a_whole(crawl: Crawler) -> None:
    """None of it can be listed now, so nothing is lost until the turn of each page."""
    server, first = crawl.site(shop(forms(), "/review/{}"), settings=IMPATIENT)
    server.site = shop({}, "/review/{}")
    server.visits.clear()
    assert crawl.published(server.url, settings=IMPATIENT).sitemap == first.sitemap
    assert 1 <= asked(server.paths, "/review/") <= MANY / 10


def test_copies_that_get_a_text_of_their_own(serve: Serve, crawl: Crawler) -> None:
    """Placeholders of which one is listed: their kind is one of pages, and each is requested."""
    soon = page(text="This page is about to be written. Please be patient. " * 5, title="Soon")
    stubs = {f"/town/t{number}": soon for number in range(MANY - 20)}
    towns = {"/towns": page(*stubs, text="All towns of the county"), **stubs}
    server = serve(shop(towns, "/towns"))
    assert len(crawl(server.url, settings=IMPATIENT).sitemap) == MANY + 3
    towns["/town/t31"] = page(text="Its market is on every Thursday, beside the church. " * 4)
    server.site = shop(towns, "/towns")
    assert f"{server.url}town/t31" in crawl.published(server.url, settings=IMPATIENT).sitemap


def test_lists_that_lead_to_pages_do_not_rest(serve: Serve, crawl: Crawler) -> None:
    """Lists that are noindex are the only way to articles, also to a new one."""

    def archive(*new: str) -> dict[str, Answer]:
        lists = {
            f"/list/{number}": page(f"/article/{number}", *new, head=NOINDEX, text=WORDS)
            for number in range(MANY)
        }
        articles = {
            f"/article/{name}": page(text=f"{WORDS} Article {name} on {name * 3}")
            for name in (*map(str, range(MANY)), "new")
        }
        return {"/": page(*lists), **lists, **articles}

    server = serve(archive())
    assert len(crawl(server.url, settings=IMPATIENT).sitemap) == MANY + 1
    server.site = archive("/article/new")
    server.visits.clear()
    assert len(crawl.published(server.url, settings=IMPATIENT).sitemap) == MANY + 2
    assert asked(server.paths, "/list/") >= MANY


def test_what_the_sitemap_of_the_site_names_is_requested(crawl: Crawler) -> None:
    server, _ = crawl.site(shop(forms(), "/review/{}"), settings=IMPATIENT)
    names = [f"{server.url}review/{number}" for number in range(MANY)]
    server.site = shop(forms(), "/review/{}") | {"/sitemap.xml": urlset(*names)}
    server.visits.clear()
    crawl.published(server.url, settings=IMPATIENT)
    assert asked(server.paths, "/review/") == MANY


NOTHING = tuple(f"/old/{number}/" for number in range(120))


def tried(paths: list[str]) -> set[str]:
    return {*NOTHING} & {*paths}


def test_links_to_nothing_are_tried_in_turn(serve: Serve, crawl: Crawler) -> None:
    """Also in the second run, and on a site without systems that state anything."""
    server = serve({"/": page(*NOTHING, "/a", text=WORDS * 3), "/a": page(text="The other page")})
    first = crawl(server.url, settings=IMPATIENT)
    assert tried(server.paths) == {*NOTHING}
    turns = []
    for _ in range(GONE_EVERY):
        server.visits.clear()
        again = crawl.published(server.url, settings=IMPATIENT)
        assert again.files == first.files
        assert sum(row["status"] == "404" for row in again.urls.values()) == len(NOTHING)
        turns.append(tried(server.paths))
    assert {*map(len, turns)} == {len(NOTHING) / GONE_EVERY}
    assert set().union(*turns) == {*NOTHING}


def test_few_links_to_nothing_are_all_tried(crawl: Crawler) -> None:
    site = {"/": page(*NOTHING[: 2 * WITHOUT_EXCEPTION - 1], text=WORDS * 3)}
    server, _ = crawl.site(site, settings=IMPATIENT)
    server.site = {**site, "/old/7/": page(text=WORDS * 2 + " The seventh")}
    assert f"{server.url}old/7/" in crawl.published(server.url, settings=IMPATIENT).sitemap


def test_links_that_are_mended_are_followed(crawl: Crawler) -> None:
    """One of those that are tried is enough; one that a sitemap names needs no turn."""
    site = {"/": page(*NOTHING, text=WORDS * 3)}
    server, _ = crawl.site(site, settings=IMPATIENT)
    pages = {path: page(text=f"{WORDS * 2} {path}") for path in NOTHING}
    mended = NOTHING[::3]
    server.site = {**site, **{path: pages[path] for path in mended}}
    assert len(crawl.published(server.url, settings=IMPATIENT).sitemap) == len(mended) + 1
    server.site = {
        **server.site,
        NOTHING[1]: pages[NOTHING[1]],
        "/sitemap.xml": urlset(NOTHING[1][1:], base=server.url),
    }
    assert len(crawl.published(server.url, settings=IMPATIENT).sitemap) == len(mended) + 2


def test_a_page_that_has_gone_is_tried_in_every_run(serve: Serve, crawl: Crawler) -> None:
    site = {**shop({}, "/product/{}"), "/old": page(*NOTHING)}
    site["/"] = page("/old", *site, text=WORDS * 3)
    server = serve({**site, NOTHING[0]: page(text=f"{WORDS * 2} It was here")})
    crawl(server.url, settings=IMPATIENT)
    server.site = site
    for _ in range(4):
        server.visits.clear()
        crawl.published(server.url, settings=IMPATIENT)
        assert NOTHING[0] in server.paths
