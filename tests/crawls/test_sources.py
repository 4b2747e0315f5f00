"""Sites whose system states its pages and their dates: what is found, dated, spared and refused.

The server answers as WordPress does by its documentation; the real one: ``tests/real``.
"""

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from email.utils import formatdate
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.server import Answer, Serve, page, redirect, text

pytestmark = pytest.mark.fixed_urls

DAY = 86_400.0
BEGIN = 20_500.5 * DAY
API = "/wp-json/wp/v2"
FILES = ("sitemap.xml", "report.json", "report.html", "urls.csv")
ATOM_LINK = '<link rel="alternate" type="application/atom+xml" href="/feed">'
Visit = Crawler


def written(moment: float) -> str:
    return datetime.fromtimestamp(moment, timezone.utc).isoformat()[:19]


@dataclass
class Blog:
    """A hundred posts of six tags; the system states them all, links lead to all but the last."""

    posts: dict[str, float] = field(
        default_factory=lambda: {f"post-{n}": BEGIN - (n + 3) * 40.5 * DAY for n in range(100)}
    )
    """Name -> time of the last change."""
    api: Answer | None = None
    """What the API answers in place of the posts."""
    hidden: int = 3
    """Number of posts that nothing links to."""
    dates: dict[str, float] = field(default_factory=dict)
    """Times that the API states in place of those of ``posts``."""
    offset: float = 0.0
    """Seconds that dates of the API are off."""
    also: tuple[dict[str, str], ...] = ()
    """Further entries of the API."""
    is_named: bool = True
    feed: Answer | None = None

    def __call__(self, path: str) -> Answer | None:
        parts = urlsplit(path)
        names = list(self.posts)
        name = parts.path.strip("/")
        if parts.path == "/":
            link = '<link rel="https://api.w.org/" href="/wp-json/">' if self.is_named else ""
            link += ATOM_LINK if self.feed else ""
            tags = [f"/tag/{number}/" for number in range(6)]
            return page(*tags, head=link, title="Blog", text=f"Latest: {names[-4:]}")
        if parts.path in [f"/tag/{number}/" for number in range(6)]:
            mine = names[: len(names) - self.hidden][int(name[-1]) :: 6]
            return page("/", *(f"/{each}/" for each in mine), title=name, text=f"Posts on {name}")
        if name in self.posts:
            words = f"All there is to say on the subject of {name}. " * 9
            return page("/", title=name, text=f"{words} As of {written(self.posts[name])}.")
        if parts.path == "/feed":
            return self.feed
        if parts.path == f"{API}/types":
            return types("post", "attachment", "nav_menu_item")
        if parts.path == f"{API}/post":
            return self.api or self.entries(int(parse_qs(parts.query)["page"][0]))
        if parts.path == f"{API}/attachment":
            return answer([])
        return None

    def entries(self, number: int) -> Answer:
        rows = [
            {
                "link": f"/{name}/",
                "modified_gmt": written(self.dates.get(name, changed) + self.offset),
            }
            for name, changed in self.posts.items()
        ]
        rows += self.also
        headers = {"X-WP-TotalPages": str(-(-len(rows) // 100))}
        return answer(rows[100 * number - 100 : 100 * number], **headers)


def answer(value: Any, **headers: str) -> Answer:
    return Answer(json.dumps(value), headers={"Content-Type": "application/json", **headers})


def types(*names: str) -> Answer:
    link = {name: [{"href": f"{API}/{name}"}] for name in names}
    return answer({name: {"_links": {"wp:items": link[name]}} for name in names})


@pytest.fixture
def visit(serve: Serve, crawl: Visit) -> Visit:
    """Crawl a blog on a day: ``visit(blog, day)``."""
    server = serve({})

    def visit_(blog: Blog, day: int, *arguments: str, code: int = 0) -> Crawl:
        server.site = blog
        server.visits.clear()
        result = crawl(server.url, *arguments, now=BEGIN + day * DAY)
        assert result.code == code, result.log
        visit_.paths = server.paths  # type: ignore[attr-defined]
        return result

    return visit_


def listed(result: Crawl) -> set[str]:
    return {urlsplit(url).path.strip("/") for url in result.sitemap}


def parts(result: Crawl) -> dict[str, dict[str, Any]]:
    return {row["part"]: row for row in result.report["sources"]["parts"]}


def test_pages_that_only_the_system_names_are_listed_and_dated(visit: Visit) -> None:
    blog = Blog()
    result = visit(blog, 0)
    assert {*blog.posts} <= listed(result)
    rows = {urlsplit(url).path.strip("/"): row for url, row in result.urls.items()}
    for name, changed in blog.posts.items():
        assert rows[name]["lastmod"] == f"{written(changed)}+00:00"
        assert rows[name]["lastmod_source"] == "api"
    assert rows["post-99"]["in_sitemap"] == "0"
    said = parts(result)
    assert (said["post"]["entries"], said["post"]["with_date"]) == (100, 100)
    assert (said["post"]["requests"], said["post"]["error"]) == (1, "")
    assert "nav_menu_item" not in said
    assert result.report["sources"]["named_alone"] == 3
    assert "What systems behind the site state" in result.html


@pytest.mark.full
def test_an_unchanged_site_costs_next_to_nothing_and_changes_no_file(visit: Visit) -> None:
    blog = Blog()
    visit(blog, 0)
    counts = []
    for day in range(1, 6):
        result = visit(blog, day)
        counts.append(len(visit.paths))  # type: ignore[attr-defined]
        if day == 1:
            first = {name: (result.output / name).read_bytes() for name in FILES}
    assert counts[0] > 107
    assert max(counts[2:]) <= 25, counts
    assert {name: (result.output / name).read_bytes() for name in FILES} == first
    assert result.report["fetched"] == 107


@pytest.mark.slow
def test_dates_of_a_feed_that_are_a_minute_old_by_now_change_nothing(visit: Visit) -> None:
    changed = BEGIN - 3 * 40.5 * DAY
    entry = f"<entry><link href='/post-0/'/><updated>{written(changed)}Z</updated></entry>"

    def feed(seconds: float) -> Answer:
        served = formatdate(changed + seconds, usegmt=True)
        atom = f"<feed xmlns='http://www.w3.org/2005/Atom'>{entry}</feed>"
        return Answer(atom, headers={"Content-Type": "application/atom+xml", "Date": served})

    lists, dated = [], []
    for day, seconds in enumerate([5, 5, 5, 5, 5, 5, 500]):
        result = visit(Blog(feed=feed(seconds)), day)
        lists.append(sum(path.startswith("/tag/") for path in visit.paths))  # type: ignore[attr-defined]
        dated.append(parts(result)["entries"]["with_date"])
    assert dated == [0, 0, 0, 0, 0, 0, 1]
    assert lists[0] >= 6
    assert max(lists[5:]) <= 4, lists


@pytest.mark.full
def test_what_changed_is_found_at_once(visit: Visit) -> None:
    """Edited, new and deleted posts; lists without a date are read as soon as a date moves."""
    blog = Blog()
    for day in range(4):
        visit(blog, day)
    edited, new = [f"post-{n}" for n in range(5, 90, 9)], ["new-1", "new-2"]
    for name in edited:
        blog.posts[name] = BEGIN + 3.5 * DAY
    del blog.posts["post-7"], blog.posts["post-98"]
    blog.posts = {"new-1": BEGIN + 3.6 * DAY, **blog.posts, "new-2": BEGIN + 3.7 * DAY}
    result = visit(blog, 4)
    assert {*blog.posts} <= listed(result)
    assert not {"post-7", "post-98"} & listed(result)
    rows = {urlsplit(url).path.strip("/"): row for url, row in result.urls.items()}
    for name in (*edited, *new):
        assert rows[name]["lastmod"] == f"{written(blog.posts[name])}+00:00"
    assert len([path for path in visit.paths if path.startswith("/post-")]) <= 25  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_list_that_changes_at_each_visit_is_read_in_each_run(visit: Visit) -> None:
    """And costs the others nothing."""

    class Restless(Blog):
        def __call__(self, path: str) -> Answer | None:
            if path == "/tag/5/":
                counter["visits"] += 1
                return page(*(f"/post-{n}/" for n in range(5, 97, 6)), text=f"Seen {counter}")
            return super().__call__(path)

    counter = {"visits": 0}
    blog = Restless()
    for day in range(5):
        visit(blog, day)
        assert counter["visits"] == day + 1
    assert len(visit.paths) <= 25  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("api", "error"),
    [
        (page(text="Log in"), "the answer is HTML"),
        (answer({"code": "rest_disabled"}), "the answer has another form than documented"),
        (Answer(status=403), "HTTP 403"),
        (
            Answer("{" * 100_000, headers={"Content-Type": "application/json"}),
            "the answer is no JSON",
        ),
        (redirect("https://elsewhere.example/posts"), "HTTP 301"),
        (answer([{"link": "/post-1/"}] * 100), "the same pages again and again"),
    ],
)
def test_what_is_no_answer_is_a_row_and_costs_the_crawl_nothing(
    visit: Visit, api: Answer, error: str
) -> None:
    result = visit(Blog(api=api), 0)
    assert len(listed(result)) == 104
    assert parts(result)["post"]["error"] == error
    assert error in result.log
    assert result.report["complete"] is True
    assert len([path for path in visit.paths if path.startswith(API)]) <= 4  # type: ignore[attr-defined]


def test_an_endless_count_of_pages_ends_with_the_budget(visit: Visit) -> None:
    class Endless(Blog):
        def entries(self, number: int) -> Answer:
            rows = [{"link": f"https://elsewhere.example/{number}-{n}"} for n in range(99)]
            return answer([*rows, {"link": f"/gone-{number}/"}], **{"X-WP-TotalPages": "9" * 9})

    result = visit(Endless(), 0)
    said = parts(result)["post"]
    assert said["offsite"] == 99 * said["requests"]
    assert said["error"] == "not read further: no more than 20 requests for 18 pages"
    assert not {name for name in listed(result) if name.startswith("gone")}


@pytest.mark.full
def test_a_system_that_fails_costs_no_page_for_two_runs(visit: Visit) -> None:
    blog = Blog()
    visit(blog, 0)
    visit(blog, 1)
    blog.api = Answer(status=403)
    for day in (2, 3):
        result = visit(blog, day)
        assert {"post-97", "post-98", "post-99"} <= listed(result)
        assert (
            "100 pages of the crawl before are still requested, in 2 crawls at most" in result.log
        )
        rows = result.urls
        assert all(rows[url]["lastmod_source"] == "api" for url in rows if "/post-" in url)
    blog.api = None
    assert {*blog.posts} <= listed(visit(blog, 4))


def test_a_system_that_is_no_longer_named_costs_no_page_at_once(visit: Visit) -> None:
    blog = Blog()
    visit(blog, 0)
    blog.is_named = False
    result = visit(blog, 1)
    assert {"post-97", "post-98", "post-99"} <= listed(result)
    assert "no system is named any more" in {row["error"] for row in parts(result).values()}


def test_pages_that_are_missing_are_not_listed(visit: Visit) -> None:
    also = tuple(
        {"link": f"/missing-{n}/", "modified_gmt": "2020-01-01T00:00:00"} for n in range(9)
    )
    result = visit(Blog(also=also), 0)
    assert len(listed(result)) == 107
    assert sum(row["verdict"] == "http_error" for row in result.urls.values()) == 9


@pytest.mark.full
def test_dates_that_move_every_day_are_found_out(visit: Visit) -> None:
    """They are no dates of changes: none is published for long, and no visit is spared."""
    blog = Blog()
    for day in range(4):
        blog.dates = {name: BEGIN + day * DAY - 800 * n for n, name in enumerate(blog.posts, 1)}
        result = visit(blog, day)
    (lost,) = result.report["lastmod_trust"]
    assert (lost["source"], lost["reason"]) == ("api", "false_alarms")
    visited = [path for path in visit.paths if path.startswith("/post-")]  # type: ignore[attr-defined]
    assert len(visited) == 100


def test_dates_in_local_time(visit: Visit) -> None:
    """A system three hours ahead: its dates lie in the future, and are none for those hours."""
    blog = Blog()
    blog.posts["post-1"] = BEGIN - 600
    blog.offset = 3 * 3_600
    result = visit(blog, 0)
    row = next(row for url, row in result.urls.items() if url.endswith("/post-1/"))
    assert row["lastmod"] == ""
    assert "future" in row["lastmod_evidence"]


def test_nothing_is_asked_where_that_is_not_wanted(visit: Visit) -> None:
    result = visit(Blog(), 0, "sources=off")
    assert len(listed(result)) == 104
    assert not [path for path in visit.paths if path.startswith("/wp-json")]  # type: ignore[attr-defined]
    assert result.report["sources"]["parts"] == []


def test_robots_txt_holds_for_systems_too(serve: Serve, crawl: Visit) -> None:
    blog = Blog()

    def site(path: str) -> Answer | None:
        return text("User-agent: *\nDisallow: /wp-json/") if path == "/robots.txt" else blog(path)

    server = serve(site)
    result = crawl.published(server.url)
    assert not [path for path in server.paths if path.startswith("/wp-json")]
    (row,) = result.report["sources"]["parts"]
    assert "robots.txt" in row["error"]


def test_far_more_pages_than_the_crawl_may_fetch(visit: Visit) -> None:
    also = tuple({"link": f"/missing-{n}/"} for n in range(2_000))
    result = visit(Blog(also=also), 0, "max_pages=150")
    assert parts(result)["post"]["entries"] == 2_100
    assert result.report["stopped_by"] == "max_pages"


@pytest.mark.full
def test_times_of_one_day_are_told_apart(visit: Visit) -> None:
    """Two edits of a page on the same day, with a crawl in between: the second is found, too."""
    blog = Blog()
    for day in range(4):
        visit(blog, day)
    moment = BEGIN + 4 * DAY
    for hours in (1, 2):
        blog.posts["post-50"] = moment + timedelta(hours=hours).total_seconds() - 60
        result = visit(blog, 4 + hours / 24)
        row = next(row for url, row in result.urls.items() if url.endswith("/post-50/"))
        assert row["lastmod"] == f"{written(blog.posts['post-50'])}+00:00"


@pytest.mark.full
def test_an_edit_that_the_page_does_not_show_dates_it_all_the_same(visit: Visit) -> None:
    """The second half of an article, once the system has stated a dozen changes rightly."""
    blog = Blog()
    for day in range(3):
        visit(blog, day)
    for number in range(20):
        blog.posts[f"post-{number}"] = BEGIN + 2.5 * DAY + 900 * number
    blog.dates = {"post-40": BEGIN + 2.6 * DAY}
    for day in (3, 4):
        result = visit(blog, day)
        row = next(row for url, row in result.urls.items() if url.endswith("/post-40/"))
        assert (row["lastmod"], row["lastmod_source"]) == (
            f"{written(BEGIN + 2.6 * DAY)}+00:00",
            "api",
        )


@dataclass
class Broken(Blog):
    """A blog with links to pages that are missing, and posts that are something else."""

    links: tuple[str, ...] = ()
    other: dict[str, Answer] = field(default_factory=dict)
    """Path -> answer."""

    def __call__(self, path: str) -> Answer | None:
        if path == "/tag/0/" and self.links:
            return page(*self.links, *(f"/post-{n}/" for n in range(0, 97, 6)), title="tag/0")
        return self.other.get(path) or super().__call__(path)


@pytest.mark.full
def test_a_page_that_fails_leaves_in_time_though_its_date_stays(visit: Visit) -> None:
    blog = Broken()
    for day in range(3):
        visit(blog, day)
    blog.other["/post-50/"] = Answer("", 500)
    found = []
    for day in range(3, 24):
        result = visit(blog, day)
        found.append(("/post-50/" in visit.paths, "post-50" in listed(result)))  # type: ignore[attr-defined]
        if not found[-1][1]:
            break
    assert found[-3:] == [(True, True), (True, True), (True, False)]
    assert {*found[:-3]} <= {(False, True)}
