"""Pages that answer 200 and say "not found" are not listed, and lead nowhere; real ones stay."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sitemapgen.core.urls import key
from sitemapgen.items import Link
from sitemapgen.params import Params
from sitemapgen.store.opening import open_store
from tests.helpers.crawls import IMPATIENT, Crawl, Crawler, command, kill_after, run_to_end
from tests.helpers.server import Answer, Serve, Server, page, redirect, text

PROBE = "sitemapgen-404-check-"
OFF = (*IMPATIENT, "-s", "SITEMAPGEN_MAX_PROBES=0")


def missing(path: str, *hrefs: str) -> Answer:
    """What many sites say of a path that they do not have."""
    links = "".join(f'<a href="{href}">{href}</a>' for href in hrefs)
    return Answer(
        f"<!doctype html><title>Not found</title><h1>Sorry</h1><p>{path} was not found.</p>{links}"
    )


def otherwise(
    site: dict[str, Answer], answer: Callable[[str], Answer | None]
) -> Callable[[str], Answer | None]:
    """A site that has an answer for every path."""

    def answer_(path: str) -> Answer | None:
        if path in ("/robots.txt", "/sitemap.txt") or path.endswith(".xml"):
            return site.get(path)
        return site.get(path) or answer(path)

    return answer_


def probes(server: Server) -> list[str]:
    return [path for path in server.paths if PROBE in path]


def by_path(server: Server, crawl: Crawl) -> dict[str, str]:
    return {"/" + url.removeprefix(server.url): word for url, word in crawl.verdicts.items()}


COMPLETE = {"text": "All about oak and how it grows. " * 60, "title": "Oak"}
FRAME = (
    '<div><a href="/">Home</a> <a href="/gallery">Gallery</a> <a href="/contact">Contact</a></div>'
)


def framed(content: str, title: str = "The Shop") -> Answer:
    return Answer(f"<!doctype html><title>{title}</title><body>{FRAME}{content}")


def test_an_honest_site_is_asked_once(crawl: Crawler) -> None:
    server, result = crawl.site(
        {"/": page("/a", "/b", "/gone"), "/a": page("/c"), "/b": page(), "/c": page()}
    )
    assert by_path(server, result) == {
        **dict.fromkeys(["/", "/a", "/b", "/c"], "listed"),
        "/gone": "http_error",
    }
    assert len(probes(server)) == 1
    assert result.report["fetched"] == 5


def test_complete_pages_cost_no_request(serve: Serve, crawl: Crawler) -> None:
    server = serve({"/": page("/a", "/b"), "/a": page("/c", **COMPLETE), "/b": page(**COMPLETE)})
    assert len(crawl(server.url).sitemap) == 3
    assert not probes(server)


def test_a_site_that_answers_everything(crawl: Crawler) -> None:
    pages = {
        "/": page("/oak", "/short", "/gone", "/lost/too?a=1", "/old", "/older"),
        "/oak": page("/a.html", **COMPLETE),
        "/short": page(text="It rains."),
    }
    server, result = crawl.site(otherwise(pages, missing))
    gone = ["/gone", "/lost/too?a=1", "/old", "/older", "/a.html"]
    assert by_path(server, result) == {
        **dict.fromkeys(["/", "/oak", "/short"], "listed"),
        **dict.fromkeys(gone, "soft_404"),
    }
    asked = probes(server)
    assert len(asked) == len(set(asked)) == 2, "in the root and in /lost/"
    row = result.urls[f"{server.url}gone"]
    name = asked[0].rpartition("/")[2]
    assert row["evidence"] == f"answers like {server.url}{name}, which cannot exist"
    assert row["status"] == "200"
    assert not any(PROBE in url for url in result.urls)
    assert result.report["verdicts"]["soft_404"] == 5
    off = crawl(server.url, "fresh=true", settings=OFF)
    assert len(off.sitemap) == 8


@pytest.mark.parametrize(
    "head", ["<meta name=robots content=noindex>", "<link rel=canonical href=/>"]
)
def test_what_does_not_exist_is_that_first(head: str, serve: Serve, crawl: Crawler) -> None:
    def answer(path: str) -> Answer:
        return page(f"{path}x", head=head, title="Not found")

    server = serve(otherwise({"/": page("/gone")}, answer))
    assert by_path(server, crawl(server.url))["/gone"] == "soft_404"
    off = crawl(server.url, "fresh=true", "max_depth=3", settings=OFF)
    assert by_path(server, off)["/gone"] in ("noindex", "canonicalised")


@pytest.mark.parametrize(
    "home",
    [
        page("/a", "/b/c", text="Welcome to our little shop"),
        page("/a", "/b/c", text="Oops, you are looking for a shop? Nothing here is not found!"),
        page("/a", "/b/c", **COMPLETE),
        Answer(
            '<!doctype html><title>App</title><div id=root></div><script src="/a.js"></script>'
            '<a href="/a">a</a> <a href="/b/c">c</a>'
        ),
    ],
)
def test_a_site_that_serves_its_home_page_everywhere_proves_nothing(
    home: Answer, crawl: Crawler
) -> None:
    server, result = crawl.site(otherwise({}, lambda _: home), "duplicates=off", "render=never")
    assert set(by_path(server, result).values()) == {"listed"}
    assert len(result.sitemap) == 3


def test_a_directory_that_answers_everything(serve: Serve, crawl: Crawler) -> None:
    pages = {
        "/": page("/about", "/shop/", "/blog/gone"),
        "/about": page("/shop/gone.html", "/shop/deep/gone"),
        "/shop/": page("/shop/chair", text="Chairs and tables"),
        "/shop/chair": page(text="A red chair"),
    }
    server = serve(
        otherwise(pages, lambda path: missing(path) if path.startswith("/shop/") else None)
    )
    assert by_path(server, crawl(server.url)) == {
        **dict.fromkeys(["/", "/about", "/shop/", "/shop/chair"], "listed"),
        **dict.fromkeys(["/shop/gone.html", "/shop/deep/gone"], "soft_404"),
        "/blog/gone": "http_error",
    }
    assert len(probes(server)) == 2


def test_a_directory_that_serves_its_list_everywhere_loses_nothing(
    serve: Serve, crawl: Crawler
) -> None:
    shop = framed('<h1>Chairs</h1>Red and blue <a href="/shop/red">Red</a>')
    pages = {"/": page("/shop/", "/moved/"), "/shop/red": framed("<h1>Red</h1>A red chair")}
    pages["/moved/"] = page("/moved/x", text="All that moved")
    pages["/moved/x"] = page(text="The first of all")

    def answer(path: str) -> Answer | None:
        if path.startswith("/moved/"):
            return redirect("/moved/", 302)
        return shop if path.startswith("/shop/") else None

    server = serve(otherwise(pages, answer))
    listed = {f"/{url.removeprefix(server.url)}" for url in crawl(server.url).sitemap}
    assert {"/", "/shop/", "/shop/red", "/moved/", "/moved/x"} <= listed


def test_a_forest_of_soft_404s_ends_at_once(serve: Serve, crawl: Crawler) -> None:
    def forest(path: str) -> Answer:
        return missing(path, *[f"{path.rstrip('/')}/{tree}" for tree in ("oak", "elm", "ash")])

    server = serve(otherwise({"/": page("/forest/", "/a"), "/a": page("/forest/b")}, forest))
    result = crawl(server.url, "max_pages=200")
    assert by_path(server, result) == {
        **dict.fromkeys(["/", "/a"], "listed"),
        **dict.fromkeys(["/forest/", "/forest/b"], "soft_404"),
        **{
            f"/forest/{at}{tree}": "not_fetched"
            for at in ("", "b/")
            for tree in ("oak", "elm", "ash")
        },
    }
    evidence = {row["evidence"] for row in result.urls.values() if row["verdict"] == "not_fetched"}
    assert evidence == {"only nofollow links or soft 404s lead here"}
    assert len(server.visits) < 15
    server.visits.clear()
    crawl(server.url, "max_pages=200", "fresh=true", settings=OFF)
    assert len(server.visits) > 200


def test_thin_but_real_pages_in_one_frame_are_listed(serve: Serve, crawl: Crawler) -> None:
    pages = {
        "/": framed(
            '<a href="/search?q=oak">oak</a> <a href="/search?q=elm">elm</a> <a href="/c">C</a>'
        ),
        "/gallery": framed("<img src=/1.jpg><img src=/2.jpg>"),
        "/contact": framed("<form><input name=mail placeholder=Mail><button>Send</button></form>"),
        "/search?q=oak": framed("<p>No results for oak</p>"),
        "/search?q=elm": framed("<p>No results for elm</p>"),
        "/c": framed('<a href="/c/1">1</a> <a href="/c/2">2</a>'),
        "/c/1": framed("<p>1</p>"),
        "/c/2": framed("<video src=/2.mp4></video>"),
    }
    for lost in ("<p>No page here</p>", "<p>Page not found</p>", "<p>Not here, please</p>", ""):
        server = serve(otherwise(pages, lambda _, lost=lost: framed(lost)))
        server.site = otherwise({**pages, "/": page("/", *pages, "/gone")}, lambda _: framed(lost))  # noqa: B023
        result = crawl(server.url, "fresh=true", "force=true")
        verdicts = by_path(server, result)
        assert verdicts.pop("/gone") == ("soft_404" if lost else "listed")
        assert verdicts == dict.fromkeys(pages, "listed"), lost


def test_a_redirect_to_the_error_page(serve: Serve, crawl: Crawler) -> None:
    pages = {
        "/": page("/gone", "/members"),
        "/error": page("/other", title="Error", text="We do not have this page."),
        "/members": redirect("/login", 302),
        "/login": page(title="Log in", text="Please log in."),
    }
    server = serve(otherwise(pages, lambda _: redirect("/error", 302)))
    verdicts = by_path(server, crawl(server.url))
    assert verdicts["/gone"] == "redirect"
    assert verdicts["/error"] == "soft_404"
    assert verdicts["/login"] == "listed"
    server.site = otherwise(pages, lambda _: redirect("/login", 302))
    assert by_path(server, crawl(server.url, "fresh=true"))["/login"] == "listed"


def test_a_redirect_that_only_adds_a_slash(serve: Serve, crawl: Crawler) -> None:
    def answer(path: str) -> Answer:
        return missing(path) if path.endswith("/") else redirect(f"{path}/")

    server = serve(otherwise({"/": page("/gone")}, answer))
    assert by_path(server, crawl(server.url)) == {
        "/": "listed",
        "/gone": "redirect",
        "/gone/": "soft_404",
    }


@pytest.mark.parametrize(
    ("rules", "argument"),
    [
        ("User-agent: *\nDisallow: /sitemapgen-", "max_depth=9"),
        ("User-agent: *\nDisallow: /s", "max_depth=9"),
        ("User-agent: *\nDisallow: /error", "max_depth=9"),
        ("", "exclude=/sitemapgen-*"),
        ("", "include=/gone*"),
    ],
)
def test_what_is_forbidden_is_not_asked(
    rules: str, argument: str, serve: Serve, crawl: Crawler
) -> None:
    to_error = "error" in rules
    pages = {"/robots.txt": text(rules), "/": page("/gone1"), "/error": missing("/error")}
    pages["/gone1"] = missing("/gone1")
    server = serve(otherwise(pages, lambda path: redirect("/error") if to_error else missing(path)))
    assert by_path(server, crawl(server.url, argument))["/gone1"] == "listed"
    assert len(probes(server)) == (1 if to_error else 0)
    assert "/error" not in server.paths


@pytest.mark.parametrize("answer", [Answer(status=0), Answer(delay=60), Answer("", 503)])
def test_a_probe_without_an_answer_stops_nothing(answer: Answer, crawl: Crawler) -> None:
    pages = {"/": page("/a", "/b"), "/a": page("/c"), "/b": missing("/b"), "/c": page()}
    impatient = (*IMPATIENT, "-s", "DOWNLOAD_TIMEOUT=4", "-s", "CONCURRENT_REQUESTS=1")
    server, result = crawl.site(otherwise(pages, lambda _: answer), settings=impatient)
    assert by_path(server, result) == dict.fromkeys(pages, "listed")
    assert probes(server)
    assert "Traceback" not in result.log


def test_the_start_page_is_none_even_where_it_says_so(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    server = serve(otherwise({}, lambda _: missing("this", "/a")))
    params = Params(url=server.url, output=tmp_path / "output")
    store, _ = open_store(params, 20)  # a crawl that was killed before it kept its start page
    store.frontier.seed(Link(url=server.url, key=key(server.url)), 0.0)
    store.settle_start(server.url)
    store.close()
    result = crawl(server.url, "duplicates=off")
    assert by_path(server, result) == {"/": "listed", "/a": "listed"}


def test_never_more_probes_than_the_setting_allows(serve: Serve, crawl: Crawler) -> None:
    names = [f"/dir{number}/gone" for number in range(60)]
    server = serve(otherwise({"/": page(*names)}, missing))
    for settings, most in [(IMPATIENT, 40 - 8), ((*IMPATIENT, "-s", "SITEMAPGEN_MAX_PROBES=3"), 3)]:
        server.visits.clear()
        result = crawl(server.url, "fresh=true", settings=settings)
        assert list(result.verdicts.values()).count("soft_404") == 60
        assert len(probes(server)) == most


@pytest.mark.full
def test_killed_anywhere_it_ends_with_the_same_files(crawl: Crawler, tmp_path: Path) -> None:
    def answer(path: str) -> Answer | None:
        if int(path.count("/")) > 2 and path[2] in "02468" and not path.endswith("0"):
            return None
        return missing(path, f"{path}/{len(path)}", "/d1/3")._replace(delay=0.01)

    pages = {"/": page(*[f"/d{number}/" for number in range(50)])}
    for number in range(50):
        links = [f"/d{number}/{leaf}" for leaf in range(6)]
        pages[f"/d{number}/"] = page(*links, text=f"Directory {number}")
        pages[links[0]] = page(f"/d{(number + 7) % 50}/3", text="A leaf")
    server, undisturbed = crawl.site(otherwise(pages, answer))
    assert "soft_404" in undisturbed.verdicts.values()
    output, log = tmp_path / "killed", tmp_path / "killed.log"
    for visits in (30, 60, 90):
        kill_after(visits, server, command(server.url, output, *IMPATIENT), log)
    assert run_to_end(command(server.url, output, *IMPATIENT), log) == 0, log.read_text()
    assert Crawl(0, "", output).files == undisturbed.files


def test_a_directory_that_only_articles_link_to(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    """A made-up name is requested where many pages share a title, and only there."""
    lost = [f"/shop/item-{number}" for number in range(35)]
    named = [f"/parts/x/part-{number}.html" for number in range(32)]
    real = ["/shop/chair", "/shop/lamp"]
    photos = [f"/photos/tree-{number}" for number in range(32)]
    quotes = [f"/quotes/said-{number}" for number in range(31)]
    pages = {
        "/": page("/article", title="Home", text="Home of all"),
        "/article": page(*lost, *named, *real, *photos, *quotes, **COMPLETE),
        **{path: page(title="The Shop", text=f"A fine {path[6:]} of wood") for path in real},
        **{path: page(title="Quote", text=f"They said {path}") for path in quotes},
    }

    def answer(path: str) -> Answer | None:
        name = path.rpartition("/")[2]
        if path.startswith("/shop/"):
            return page("/", title="The Shop", text="This product is not available")
        if path.startswith("/parts/"):
            return page("/", title=f"{name} not found", text=f"There is no such part: {name}")
        if path.startswith("/photos/"):
            return page("/", title="Photo", text=f"<img src=/big/{name}.jpg>")
        return None

    server = serve(otherwise(pages, answer))
    one, many = (
        crawl(
            server.url,
            output=tmp_path / str(number),
            settings=(*IMPATIENT, "-s", f"CONCURRENT_REQUESTS={number}"),
        )
        for number in (1, 16)
    )
    assert one.files == many.files
    verdicts = by_path(server, many)
    assert verdicts == {
        **dict.fromkeys([*pages, *photos], "listed"),
        **dict.fromkeys([*lost, *named], "soft_404"),
    }
    assert many.report["complete"]
    assert len(set(probes(server))) == 1 + 4
