"""What was not looked at, and why: by a depth limit, a cap or a trap."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.crawls.commands import run
from tests.helpers.crawls import Crawl, Crawler, rest
from tests.helpers.server import Answer, Serve, page, redirect, text, urlset

Part = Callable[[str], Answer | None]

WORDS = "anchor basin cedar delta ember fjord glacier harbour island jetty kelp lagoon marsh north ocean pier quay reef shore tide upland valley wharf yard zenith".split()  # noqa: SIM905, E501 - a word list, not code
"""Of which each item is described by a choice of its own."""


def described(number: int) -> str:
    """Words that only this item has, in this order."""
    chosen = [WORDS[(number * step + step * step) % len(WORDS)] for step in range(1, 19)]
    return f"Item {number} is for the {' '.join(chosen)} {WORDS[number % 25]}{number}."


def catalogue(number: Callable[[str], int | None], url: Callable[[int], str], pages: int) -> Part:
    """A list of ten items a page with a "Next" link only, and the items."""

    def answer(path: str) -> Answer | None:
        if path == "/":
            return page(url(1), title="Home", text="All our parts.")
        if item := re.fullmatch(r"/part/([a-z]+)", path):
            return page("/", title=f"Part {item[1]}", text=described(named(item[1])))
        here = number(path)
        if here is None or not 1 <= here <= pages:
            return None
        items = [f"/part/{name(10 * here + each)}" for each in range(10)]
        after = [url(here + 1)] if here < pages else []
        text = ", ".join(described(10 * here + each) for each in range(10))
        return page(*items, *after, title=f"Parts, page {here}", text=text)

    return answer


def name(number: int) -> str:
    """A number in letters: the form of such a URL is not suspicious."""
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


def named(text: str) -> int:
    """The number that letters name."""
    return int("".join(str("abcdefghij".index(letter)) for letter in text))


def by_query(path: str) -> int | None:
    found = re.fullmatch(r"/parts(?:\?page=([0-9]+))?", path)
    return int(found[1] or 1) if found else None


def by_path(path: str) -> int | None:
    found = re.fullmatch(r"/parts/(?:page/([0-9]+)/)?", path)
    return int(found[1] or 1) if found else None


def by_offset(path: str) -> int | None:
    found = re.fullmatch(r"/parts\?start=([0-9]+)", path)
    return 1 + int(found[1]) // 10 if found else None


LISTS = {
    "query": (by_query, lambda page: "/parts" if page == 1 else f"/parts?page={page}"),
    "path": (by_path, lambda page: "/parts/" if page == 1 else f"/parts/page/{page}/"),
    "offset": (by_offset, lambda page: f"/parts?start={10 * (page - 1)}"),
}
PARTS = {f"part/{name(number)}" for number in range(10, 410)}


@pytest.mark.parametrize("form", ["query", *rest("path", "offset")])
def test_each_page_of_a_list_is_a_link_further(crawl: Crawler, form: str) -> None:
    """For ``max_depth`` and in the report alike; ``rel=next`` and redirects make no difference."""
    server, result = crawl.site(catalogue(*LISTS[form], pages=40), "max_depth=2")
    second, third = (LISTS[form][1](number).removeprefix("/") for number in (2, 3))
    assert set(result.sitemap) >= {f"{server.url}part/{name(number)}" for number in range(10, 20)}
    assert result.urls[server.url + second]["depth"] == "2"
    beyond = {third, *(f"part/{name(number)}" for number in range(20, 30))}
    found = {url for url, verdict in result.verdicts.items() if verdict == "too_deep"}
    assert found == {server.url + path for path in beyond}
    assert not {f"/{path}" for path in beyond} & set(server.paths)
    assert unseen(result)["max_depth"]["urls"] == 11
    whole = crawl(server.url, "fresh=true")
    assert {url.removeprefix(server.url) for url in whole.sitemap} >= PARTS
    assert whole.report["complete"] is True


LINKED = {
    "rel=next": {
        "/": page("/log"),
        "/log": page(head='<link rel="next" href="/older">', text=described(1)),
        "/older": page("/beyond", head='<link rel="prev" href="/log">', text=described(2)),
    },
    "redirects": {
        "/": page("/parts?page=1"),
        "/parts?page=1": redirect("/parts/?page=1"),
        "/parts/?page=1": page("/beyond", "/parts?page=2", text=described(1)),
        "/parts?page=2": redirect("/parts/?page=2"),
    },
    "a counter without an end": {
        "/": page("/log?page=1"),
        "/log?page=1": page("/log?page=2", text=described(1)),
        "/log?page=2": page("/beyond", "/log?page=3", text=described(2)),
    },
}


@pytest.mark.parametrize("how", LINKED)
def test_nothing_passes_the_limit(crawl: Crawler, how: str) -> None:
    server, result = crawl.site(LINKED[how], "max_depth=2")
    assert result.verdicts[f"{server.url}beyond"] == "too_deep"
    assert max(int(row["depth"]) for row in result.urls.values() if row["status"]) == 2


@pytest.mark.parametrize(
    ("setting", "argument", "limit"),
    [
        ("DEPTH_LIMIT", "max_depth", 1),
        ("SITEMAPGEN_MAX_PAGES", "max_pages", 2),
    ],
)
def test_the_remedy_names_what_held(
    crawl: Crawler, setting: str, argument: str, limit: int
) -> None:
    """An argument cannot change what a setting of the command line gives."""
    server, result = crawl.site(tree, f"{argument}=9", settings=("-s", f"{setting}={limit}"))
    assert f"-s {setting}=0 (no limit) or a larger number fetches them" in result.log
    assert f"-a {argument}=" not in result.log
    code, _, log = run("report", result.output)
    assert (code, f"-s {setting}=0 (no limit)" in log) == (0, True)
    given = crawl(server.url, f"{argument}={limit}", "fresh=true")
    assert f"-a {argument}=0 (no limit) or a larger number fetches them" in given.log


def unseen(result: Crawl) -> dict[str, dict[str, Any]]:
    """What was not looked at, by its cause."""
    return {row["cause"]: row for row in result.report["not_looked_at"]}


NOFOLLOW = '<meta name="robots" content="index, nofollow">'


def browser_of_code(path: str) -> Answer | None:
    """A site whose pages all are "index, nofollow", as some code browsers are by default."""
    if path == "/":
        return page("/rev/1", "/log", head=NOFOLLOW, title="Log", text=described(1))
    if re.fullmatch(r"/log|/rev/[1-9]", path):
        number = int(path[-1]) + 1 if path[-1].isdigit() else 2
        return page(f"/rev/{number}", "/", head=NOFOLLOW, title=path, text=described(number) + path)
    return None


def test_a_site_without_followed_links_is_no_site_of_one_page(crawl: Crawler) -> None:
    server, result = crawl.site(browser_of_code)
    assert result.verdicts == {
        server.url: "listed",
        f"{server.url}log": "not_fetched",
        f"{server.url}rev/1": "not_fetched",
    }
    row = unseen(result)["nofollow"]
    assert (row["urls"], row["examples"]) == (2, [f"{server.url}log", f"{server.url}rev/1"])
    assert "2 URLs were not fetched" in result.log
    assert "-a nofollow=ignore fetches them" in result.log
    assert result.report["complete"] is False

    result = crawl.published(server.url, "nofollow=ignore", "fresh=true")
    assert len(result.sitemap) == 11
    assert not unseen(result)
    assert result.report["complete"] is True


def test_an_entry_page_that_only_a_script_leaves(serve: Serve, crawl: Crawler) -> None:
    """The twin is a small site of which another page is known."""
    enter = "<script>function enter(){location.href='main.html'}</script>"
    words = "Welcome to the studio. Click the logo to enter."
    imprint, server = page("/", title="Imprint", text="Smith, Leeds"), serve({})
    for links, is_named in (((), True), (("/imprint",), False)):
        entry = page(*links, head=enter, title="Studio", text=words)
        server.site = {"/": entry, "/imprint": imprint}
        log = crawl.published(server.url, "render=never", "fresh=true").log
        assert ("The start page links to no other page of the site: " in log) is is_named


def test_single_links_with_nofollow_are_no_cut(serve: Serve, crawl: Crawler) -> None:
    """Nor are those of pages that are not to be indexed."""

    def answers(path: str) -> Answer | None:
        if path == "/":
            found = page("/a", "/login", title="Home", text=described(1))
            return found._replace(body=f'{found.body}<a href="/reply" rel="nofollow">Reply</a>')
        if path == "/a":
            return page("/", title="A", text=described(2))
        if path == "/login":
            head = '<meta name="robots" content="noindex, nofollow">'
            return page("/secret", head=head, title="Log in", text=described(3))
        return None

    result = crawl.published(serve(answers).url)
    assert sorted(result.verdicts.values()) == ["listed", "listed", "noindex"] + ["not_fetched"] * 2
    assert not unseen(result)
    assert "WARNING" not in result.log


def tree(path: str) -> Answer | None:
    """A page has three children, down to the fourth level."""
    if not re.fullmatch(r"/[abc]{0,4}", path):
        return None
    children = [path + letter for letter in "abc"] if len(path) < 5 else []
    return page(*children, "/", title=f"Page {path}", text=described(sum(path.encode())) + path)


@pytest.mark.full
def test_what_max_depth_cut_off_is_said(crawl: Crawler) -> None:
    server, result = crawl.site(tree, "max_depth=2")
    assert result.report["complete"] is False
    assert (result.report["stopped_by"], result.report["published_complete"]) == (None, True)
    deep = sorted(f"{server.url}{x}{y}{z}" for x in "abc" for y in "abc" for z in "abc")
    assert result.report["not_looked_at"] == [
        {
            "cause": "max_depth",
            "reason": "Deeper than max_depth=2",
            "urls": 27,
            "examples": deep[:20],
            "remedy": "-a max_depth=0 (no limit) or a larger number fetches them",
        }
    ]
    line = f"Deeper than max_depth=2: 27 URLs were not fetched ({' '.join(deep[:3])} ...)"
    assert f"WARNING {line}; -a max_depth=0" in result.log
    facts = result.outcome
    assert facts["complete"] is False
    assert facts["not_looked_at"] == result.report["not_looked_at"]
    fixes = [fix["id"] for fix in result.report["priorities"]]
    assert fixes[:2] == ["no_sitemap", "not_looked_at_max_depth"]
    page_ = result.html
    assert "27 known URLs were not looked at" in page_
    before = result.files
    code, _, log = run("report", result.output, "--fail-on", "not_looked_at>0")
    assert code == 8
    assert line in log
    assert "not_looked_at>0: failed, not_looked_at is 27" in log
    assert result.files == before
    whole = crawl(server.url, "max_depth=0", "fresh=true")
    assert whole.report["complete"] is True
    assert whole.report["not_looked_at"] == []
    assert len(whole.sitemap) == 1 + 3 + 9 + 27 + 81


def test_what_max_pages_cut_off_is_said(serve: Serve, crawl: Crawler) -> None:
    result = crawl(serve(tree).url, "max_pages=5")
    row = unseen(result)["max_pages"]
    assert row["urls"] == len(row["examples"]) == result.report["verdicts"]["over_cap"] > 0
    line = f"WARNING Stopped by max_pages=5: {row['urls']} URLs were not fetched ("
    assert result.log.count(line) == 1
    assert "-a max_pages=0 (no limit) or a larger number fetches them" in result.log
    assert result.outcome["not_looked_at"] == [row]
    assert result.report["published_complete"] is False


def test_requests_of_any_kind_count(crawl: Crawler) -> None:
    settings = ("-s", "SITEMAPGEN_MAX_REQUESTS=12")
    server, result = crawl.site(tree, settings=settings)
    assert len(server.visits) == 12
    row = unseen(result)["max_pages"]
    assert row["reason"] == "Stopped by SITEMAPGEN_MAX_REQUESTS=12"
    assert row["remedy"].startswith("-s SITEMAPGEN_MAX_REQUESTS=0 (no limit)")
    assert row["urls"] == result.report["verdicts"]["over_cap"]
    assert result.report["fetched"] + row["urls"] == result.report["seen"]


def with_a_calendar(path: str) -> Answer | None:
    """40 pages, and a calendar of all time in which nothing ever happens."""
    if path == "/robots.txt":
        return text("Sitemap: /sitemap.xml")
    if path == "/sitemap.xml":
        names = [*map(name, range(10, 50)), *("island", "hidden", "gone")]
        return urlset(*names, base="/")
    if path == "/":
        return page("/calendar/2026/06/", *(f"/{name(number)}" for number in range(10, 50)))
    if path == "/hidden":
        return page(head='<meta name="robots" content="noindex,nofollow">', text="Not for you.")
    if path == "/island":
        return page("/", title="Island", text=described(99))
    if path == f"/{name(10)}":
        return page("/calendar/2026/05/", title="Dates", text=described(10))
    if found := re.fullmatch(r"/calendar/([0-9]{4})/([0-9]{2})/", path):
        month = int(found[1]) * 12 + int(found[2]) - 1
        near = [f"/calendar/{each // 12:04}/{each % 12 + 1:02}/" for each in (month - 1, month + 1)]
        return page(*near, title="Calendar", text=f"{path[10:]} has no events at all.")
    if re.fullmatch("/[a-j]{2}", path):
        return page("/", title=path, text=described(named(path[1:])))
    return None


@pytest.mark.full
def test_a_trap_is_cut_off_and_the_sitemap_published_all_the_same(crawl: Crawler) -> None:
    server, first = crawl.site(with_a_calendar)
    row = unseen(first)["trap"]
    assert 0 < row["urls"] <= first.report["verdicts"]["trap"]
    asked = set(server.paths)
    assert all(re.sub("http://[^/]*", "", url) not in asked for url in row["examples"])
    assert first.log.count("WARNING Endless URLs, or of kinds that ask not to be listed: ") == 1
    assert "-a traps=report fetches them" in first.log
    assert (first.report["complete"], first.report["stopped_by"]) == (False, None)
    assert first.report["published_complete"] is True
    assert first.outcome["complete"] is False
    assert first.outcome["outcome"] == "published"
    pages = {f"{server.url}{name(number)}" for number in range(10, 50)}
    assert set(first.sitemap) >= pages
    # Neither the noindex page, nor the missing one is an orphan or a dead end.
    orphans, dead_ends = first.report["orphans"], first.report["dead_ends"]
    assert [row["url"] for row in orphans["examples"]] == [f"{server.url}island"]
    assert orphans["at_most"] is True  # what was cut off may link to it
    assert f"{server.url}hidden" not in [row["url"] for row in dead_ends["examples"]]
    fixes = {row["id"]: row["sentence"] for row in first.report["priorities"]}
    assert "unless URLs that were not looked at do" in fixes["orphans"]
    assert "keep crawlers out" in fixes["traps"]
    before = first.files
    again = crawl.published(server.url)
    assert again.files["sitemap.xml"] == before["sitemap.xml"]
    # A page that is gone may leave the sitemap: no cap hides it.
    server.site = lambda path: None if path == f"/{name(11)}" else with_a_calendar(path)
    third = crawl.published(server.url)
    assert f"{server.url}{name(11)}" not in third.sitemap


@pytest.mark.full
def test_what_a_cap_left_out_is_no_orphan(crawl: Crawler) -> None:
    server, capped = crawl.site(with_a_calendar, "max_pages=20")
    assert capped.verdicts[f"{server.url}island"] == "over_cap"
    assert capped.report["orphans"]["count"] == 0


def test_blank_pages_are_listed_and_a_warning(crawl: Crawler) -> None:
    blank = Answer("<!doctype html><html><head></head><body></body></html>")
    picture = Answer('<!doctype html><img src="/one.png" alt="" width="900" height="600">')
    names = [f"/blank-{letter}" for letter in "abcdefghij"]
    pages = {**dict.fromkeys(names, blank), "/picture": picture}
    server, result = crawl.site({"/": page(*pages, title="Home"), **pages})
    assert f"{server.url}blank-a" in result.sitemap
    found = result.report["blank"]
    assert (found["count"], found["share"], found["is_start"]) == (10, round(10 / 12, 4), False)
    warning = f"10 listed pages are blank (no title, text or image), first {server.url}blank-a"
    assert warning in result.log
    facts = result.outcome
    assert any(said.startswith(warning) for said in facts["warnings"])


def test_a_start_page_that_is_blank_is_to_be_fixed_first(crawl: Crawler) -> None:
    server, result = crawl.site(
        {"/": Answer("<!doctype html><html><head></head><body></body></html>")}
    )
    assert result.sitemap == [server.url]
    first = result.report["priorities"][0]
    assert first["id"] == "blank"
    assert first["sentence"].startswith("1 listed page is blank (no title, text or image)")
