"""Pages that show only what other pages show: marked, or left out where the user says so."""

import pytest

from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.server import Answer, Serve, Server, page, urlset
from tests.helpers.sites import prose

POSTS = range(24)
PER_PAGE = 6


def title(number: int) -> str:
    return f"Number {number}, {prose(number * 90, number * 90 + 4)}"


def post(number: int) -> Answer:
    tag = f"/tag/{'abcd'[number % 4]}/"
    text = "".join(
        f"<p>{prose(number * 90 + first, number * 90 + first + 40)}</p>"
        for first in range(0, 80, 40)
    )
    return page("/", tag, title=title(number), text=f"<h1>{title(number)}</h1>{text}")


def listing(heading: str, numbers: range, *more: str) -> Answer:
    """Titles and excerpts of posts, as blogs have them."""
    text = "".join(
        f"<h2>{title(number)}</h2><p>{prose(number * 90, number * 90 + 32)} ...</p>"
        f'<a href="/post/{number}">Continue reading</a>'
        for number in numbers
    )
    return page(*more, title=heading, text=f"<h1>{heading}</h1>{text}")


LISTS = [f"/page/{number}" for number in range(2, 5)]
TAGS = [f"/tag/{letter}/" for letter in "abcd"]
VIEWS = {*LISTS, *TAGS, "/archive"}
"""``/archive`` alone leads to the last post."""


def blog() -> dict[str, Answer]:
    site = {f"/post/{number}": post(number) for number in POSTS}
    site["/"] = listing("Our journal", POSTS[:PER_PAGE], *LISTS, *TAGS, "/about", "/archive")
    for number, path in enumerate(LISTS, 1):
        first = number * PER_PAGE
        site[path] = listing(f"Page {number + 1}", POSTS[first : min(first + PER_PAGE, 23)], "/")
    teaser = f"</h1><p>{prose(2_170, 2_290)}</p>"  # of a post for members: no page shows it
    site[LISTS[1]] = site[LISTS[1]]._replace(body=str(site[LISTS[1]].body).replace("</h1>", teaser))
    for number, path in enumerate(TAGS):
        site[path] = listing(f"Tag {path}", range(number, 23, 4), "/")
    site["/archive"] = listing("Archive", range(18, 24), "/")
    intro = f"<p>{prose(2_300, 2_360)}</p>"
    tips = listing("Tips", range(2, 10, 2))
    site["/about"] = page("/tips", "/", title="About", text=prose(2_380, 2_480))
    site["/tips"] = tips._replace(body=str(tips.body).replace("</h1>", f"</h1>{intro}"))
    return site


def views_by_kind(crawled: Crawl) -> dict[str, int]:
    """Return the number of views of each kind that has any."""
    rows = crawled.report["kinds"]["rows"]
    return {row["kind"]: row["views"] for row in rows if row["views"]}


def paths(crawled: Crawl, column: str, value: str) -> set[str]:
    found = {url for url, row in crawled.urls.items() if row[column] == value}
    return {"/" + url.split("/", 3)[3] for url in found}


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve(blog())


def test_views_are_listed_and_marked(server: Server, crawl: Crawler) -> None:
    crawled = crawl.published(server.url)
    assert paths(crawled, "view", "1") == VIEWS
    assert set(crawled.verdicts.values()) == {"listed"}
    row = crawled.urls[f"{server.url}page/2"]
    assert row["view_of"].startswith(f"{server.url}post/")
    section = crawled.report["views"]
    assert (section["count"], section["listed"], section["left_out"]) == (len(VIEWS),) * 2 + (0,)
    assert section["share"] == round(len(VIEWS) / len(crawled.sitemap), 4)
    assert {row["url"] for row in section["examples"]} == {server.url + path[1:] for path in VIEWS}
    assert views_by_kind(crawled)["/tag/*"] == len(TAGS)


def test_views_are_left_out_and_the_only_way_to_a_page(server: Server, crawl: Crawler) -> None:
    crawled = crawl.published(server.url, "views=exclude")
    assert paths(crawled, "verdict", "view") == paths(crawled, "view", "1") == VIEWS
    assert paths(crawled, "verdict", "listed") == blog().keys() - VIEWS
    assert crawled.urls[f"{server.url}post/23"]["verdict"] == "listed"
    row = crawled.urls[f"{server.url}archive"]
    assert row["evidence"].startswith("shows only what 6 listed pages show, such as ")
    assert row["evidence"].endswith(row["view_of"])
    assert f"views=exclude: {len(VIEWS)} pages that show only what" in crawled.log
    assert crawled.report["views"]["left_out"] == len(VIEWS) == crawled.report["verdicts"]["view"]


def test_views_are_known_again(server: Server, crawl: Crawler) -> None:
    """Of pages that are carried over from the previous run, and of other pages as they change."""
    first = crawl(server.url)
    again = crawl(server.url)
    assert paths(again, "view", "1") == paths(first, "view", "1") == VIEWS
    site = blog()
    tag = str(site["/tag/a/"].body).replace("</h1>", f"</h1><p>{prose(2_360, 2_380)}</p>")
    server.site = {**site, "/tag/a/": site["/tag/a/"]._replace(body=tag)}
    changed = crawl(server.url, "views=exclude", "force=true")
    assert paths(changed, "verdict", "view") == VIEWS - {"/tag/a/"}


def test_views_are_not_advised_for_the_sitemap(server: Server, crawl: Crawler) -> None:
    named = ["", "post/0", "page/2"]
    server.site = {**blog(), "/sitemap.xml": urlset(*named, base=server.url)}
    crawled = crawl(server.url)
    lacking = len(blog()) - len(named) - (len(VIEWS) - 1)
    pages = crawled.report["missing"]["pages"]
    assert (pages["count"], pages["views"]) == (lacking, len(VIEWS) - 1)
    (fix,) = (fix for fix in crawled.report["priorities"] if fix["id"] == "missing_from_sitemap")
    assert fix["count"] == lacking
    further = f"({len(VIEWS) - 1} further views show only what other pages show)"
    assert fix["sentence"].endswith(f"add them {further}.")
    assert fix["filter"] == {
        "verdict": ["listed"],
        "in_sitemap": [0],
        "view": [0],
        "duplicate_of": [""],
    }
    assert sum(row["count"] for row in pages["kinds"]) == lacking
    types = {row["type"]: row["count"] for row in crawled.report["missing"]["types"]}
    assert types["view"] == len(VIEWS) - 1
    assert crawled.report["views"]["in_sitemap"] == 1


def goods(number: int) -> str:
    """What lists show of a product."""
    name = prose(number * 30, number * 30 + 2)
    return f"<h2>{name} {number}</h2><p>£{number % 70}.{number % 9}5</p><p>In stock</p>"


@pytest.mark.parametrize("start", ["/parts", "/parts/", "/parts?page=1"])
def test_numbered_lists_of_names_and_prices(start: str, crawl: Crawler) -> None:
    """The first page of the list is what it is found by."""
    numbers = range(13 * PER_PAGE)
    site = {
        f"/part/{number}": page(
            "/parts",
            text=f"{goods(number)}<p>{prose(3_000 + 60 * number, 3_060 + 60 * number)}</p>",
        )
        for number in numbers
    }
    for first in numbers[::PER_PAGE]:
        entries = numbers[first : first + PER_PAGE]
        at = first // PER_PAGE + 1
        body = f"<h1>Parts</h1><p>{first + 1} to {first + PER_PAGE}</p>"
        body += "".join(f'<a href="/part/{n}">Details</a>{goods(n)}' for n in entries)
        path = f"/parts?page={at}" if first else start
        site[path] = page(f"/parts?page={at + 1}", text=body)
    server, crawled = crawl.site(site | {"/": page(start, text=prose(2_300, 2_360))})
    views = {f"/parts?page={number}" for number in range(2, 14)}
    assert paths(crawled, "view", "1") == views
    row = crawled.urls[f"{server.url}parts?page=2"]
    assert row["view_of"] in {f"{server.url}part/{n}" for n in range(PER_PAGE, 2 * PER_PAGE)}
    left = crawl(server.url, "views=exclude", "force=true")
    assert paths(left, "verdict", "view") == views
    assert paths(left, "verdict", "listed") == {"/", *site} - views


def test_start_pages_of_other_languages_are_pages(serve: Serve, crawl: Crawler) -> None:
    """As the start page of all, which has the beginnings of the latest posts."""
    site = blog()
    names = '<link rel="alternate" hreflang="fr" href="/accueil">'
    start = listing("Our journal", POSTS[:PER_PAGE], *LISTS, *TAGS, "/archive", "/de/", "/accueil")
    site["/"] = start._replace(body=str(start.body).replace("</head>", f"{names}</head>"))
    site["/de/"] = listing("Unser Journal", POSTS[6:12], "/")
    site["/accueil"] = listing("Notre journal", POSTS[9:15], "/")
    crawled = crawl(serve(site).url)
    assert paths(crawled, "view", "1") == VIEWS
    assert {"/de/", "/accueil", "/"} <= paths(crawled, "view", "0")


DAYS = range(1, 25)
MENU = f"<p>The journal of the coast. {prose(2_480, 2_490)}</p>"
FORM = f"<p>Leave a comment. {prose(2_490, 2_500)}</p>"
ARCHIVES = {f"/2024/03/{day:02d}/" for day in DAYS}
PICTURES = {f"/story/{day}/picture/" for day in DAYS}


def photo(day: int, shown: str) -> str:
    """One picture in three sizes, of which a page shows the one that fits it."""
    sizes = {"300": 300, "600": 600, "full": 1_200}
    urls = [f"/{day}-{shown}.jpg {sizes[shown]}w"]
    urls += [f"/{day}-{size}.jpg {width}w" for size, width in sizes.items() if size != shown]
    return f'<img src="/{day}-{shown}.jpg" srcset="{", ".join(urls)}">'


def journal() -> dict[str, Answer]:
    """A story each day; its picture has a page, and so has the day."""
    site = {}
    for day in DAYS:
        heading, first = f"<h1>Story {day}: {prose(day * 75, day * 75 + 3)}</h1>", day * 75 + 3
        story, archive = f"/story/{day}/", f"/2024/03/{day:02d}/"
        text = prose(first, first + 30) + prose(first + 30, first + 70)
        site[story] = page(
            *(archive, f"{story}picture/", "/", "/list"),
            title=f"Story {day}",
            text=f"{MENU}{heading}{photo(day, '600')}{text}{FORM}",
        )
        site[archive] = page(
            *(story, "/"),
            title=f"March {day}, 2024",
            text=f"{MENU}<h1>Day: March {day}</h1>{heading}{prose(first, first + 30)}",
        )
        site[f"{story}picture/"] = page(
            story, title=f"IMG_{day}", text=f"{MENU}<h1>IMG_{day}</h1>{photo(day, '300')}{FORM}"
        )
    for path in ("/", "/list"):
        site[path] = page(
            *("/", "/list"),
            *(f"/story/{day}/" for day in DAYS),
            title=path,
            text=prose(2_000 + 100 * len(path), 2_060 + 100 * len(path)),
        )
    return site


def test_days_with_one_story_and_pages_of_its_picture_are_views(crawl: Crawler) -> None:
    server, crawled = crawl.site(journal())
    assert set(crawled.verdicts.values()) == {"listed"}
    assert paths(crawled, "view", "1") == ARCHIVES | PICTURES
    for path in PICTURES:
        row = crawled.urls[server.url + path[1:]]
        assert row["view_of"] == server.url + path[1:].removesuffix("picture/")
    assert views_by_kind(crawled) == {"/#/*/*": len(DAYS), "/story/*/*": len(DAYS)}
    left = crawl(server.url, "views=exclude", "force=true")
    assert paths(left, "verdict", "listed") == journal().keys() - ARCHIVES - PICTURES


def test_pages_of_another_picture_are_pages(serve: Serve, crawl: Crawler) -> None:
    site = journal()
    for path in PICTURES:
        own = f'</h1><img src="/drawing{path.split("/")[2]}.jpg">'
        site[path] = site[path]._replace(body=str(site[path].body).replace("</h1>", own))
    assert paths(crawl(serve(site).url), "view", "1") == ARCHIVES
