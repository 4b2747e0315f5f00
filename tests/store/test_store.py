"""What the store promises."""

import json
import sqlite3
from array import array
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from math import inf, nan
from pathlib import Path

import pytest

from sitemapgen.analysis.freshness.trust import Record
from sitemapgen.analysis.kinds.crowds import Crowd, Directories
from sitemapgen.analysis.kinds.yields import Grant
from sitemapgen.analysis.lastmod import Conclusion
from sitemapgen.analysis.ranking import pagerank
from sitemapgen.core.urls import key
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.frontier.suspects import sort_suspects
from sitemapgen.items import (
    Extensions,
    Judgement,
    News,
    Ruling,
    SitemapCounts,
    SitemapEntry,
    SitemapFile,
    Suspicion,
    Video,
)
from sitemapgen.store import Store
from sitemapgen.store.database import BATCH
from sitemapgen.store.frontier import Limits
from sitemapgen.store.results import ListedRow, TitledRow
from sitemapgen.verdicts import Verdict
from tests.helpers.tables import for_each
from tests.store.helpers import (
    FORBIDDEN,
    NOW,
    REDIRECT,
    Open,
    begin,
    link,
    names,
    page,
    settle,
    sitemap_file,
    start,
    url,
)


def verdicts(store: Store) -> dict[str, str]:
    return {row.url.removeprefix(url("")): row.verdict for row in store.results.urls()}


def test_urls_are_claimed_once_the_shallowest_and_first_found_first(opened: Open) -> None:
    store = begin(opened())
    assert names(store) == [""]
    store.record_page(page("", link("b"), link("a")), NOW)
    assert names(store, 1) == ["b"]
    store.record_page(page("b", link("c"), link("a")), NOW)
    assert names(store) == ["a", "c"]
    assert names(store) == []


def test_a_start_url_enters_once(opened: Open) -> None:
    store = opened()
    store.begin_run({}, NOW)
    assert store.frontier.seed(link(""), NOW)
    assert not store.frontier.seed(link(""), NOW)
    assert names(store) == [""]
    assert not store.frontier.seed(link(""), NOW)


def test_what_was_fetched_unasked_is_in_flight(opened: Open) -> None:
    """As a start URL, unless a link leads there: then it keeps the depth of that."""
    store = begin(opened())
    for name in ("start", "linked", "hidden"):
        store.frontier.mark_in_flight(link(name), NOW)
        store.record_page(page(name, link("linked"), link("hidden", nofollow=True)), NOW)
    assert store.frontier.in_flight() == 0
    assert store.frontier.fetched() == 3
    graph = store.graph()
    store.conclusions.write_measures(graph.measure(0), graph)
    assert {row.url: row.depth for row in store.results.urls()} == {
        url(""): 0,
        url("start"): 0,
        url("linked"): 1,
        url("hidden"): 0,
    }


def test_refused_and_nofollow_urls_are_known_and_never_claimed(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", link("no", refusal=FORBIDDEN), link("nf", nofollow=True)), NOW)
    assert names(store) == []
    assert verdicts(store) == {"": "listed", "no": "robots_disallowed", "nf": "not_fetched"}


def test_the_rank_of_a_page_is_kept_for_one_run(opened: Open) -> None:
    store = start(opened())
    gone = Judgement(Verdict.HTTP_ERROR, "HTTP 404")
    store.record_page(page("", link("a"), link("gone")), NOW)
    names(store)
    store.record_page(page("a"), NOW)
    store.record_page(page("gone", judgement=gone), NOW)
    graph = store.graph()
    store.conclusions.write_measures(graph.measure(), graph)  # as while it crawls
    assert [row.pagerank for row in store.results.urls()] == [None] * 3
    store.conclusions.write_measures(graph.measure(), graph, pagerank(graph))
    ranks = [row.pagerank for row in store.results.urls()]
    assert ranks == [pytest.approx(0.5 / 1.425), pytest.approx(1 - 0.5 / 1.425), None]
    assert [row.pagerank for row in store.results.listed(ListedRow)] == ranks[:2]
    assert sorted(store.results.listed_ranks()) == ranks[:2]
    store.begin_run({"url": url("")}, NOW)
    store.frontier.seed(link(""), NOW)
    assert [row.pagerank for row in store.results.urls()] == [None]


def test_a_followed_link_lets_a_nofollow_url_in(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", link("nf", nofollow=True), link("b")), NOW)
    assert names(store) == ["b"]
    store.record_page(page("b", link("nf")), NOW)
    assert names(store) == ["nf"]


def test_a_page_of_this_run_says_what_it_said(opened: Open) -> None:
    store = start(opened())
    assert store.results.page(key(url(""))) is None
    links = link("z"), link("nf", nofollow=True), link("no", refusal=FORBIDDEN), link("a")
    store.record_page(page("", *links, title="Home", excerpt="Welcome"), NOW)
    store.commit()
    store = opened(crash=True)
    assert store.results.page(key(url(""))) == (
        "Home",
        "Welcome",
        [url("z"), url("no"), url("a")],
        [url("nf")],
    )
    assert store.results.page(key(url("z"))) is None
    store.begin_run({}, NOW)
    assert store.results.page(key(url(""))) is None


def test_depth_is_limited_exactly_and_a_shorter_path_counts(opened: Open) -> None:
    store = start(opened(max_depth=2))
    store.record_page(page("", link("a"), link("z")), NOW)
    names(store)
    store.record_page(page("a", link("b")), NOW)
    assert names(store) == ["b"]
    store.record_page(page("b", link("deep"), link("late")), NOW)
    assert names(store) == []
    assert verdicts(store)["deep"] == "too_deep"
    store.record_page(page("z", link("late")), NOW)  # two steps from the start after all
    assert names(store) == ["late"]


def test_a_path_that_became_shorter_lets_in_what_is_behind_it(opened: Open) -> None:
    """x is found at depth 2, then at depth 1: what it links to is no longer too deep."""
    store = start(opened(max_depth=2))
    store.record_page(page("", link("a"), link("slow")), NOW)
    names(store)
    store.record_page(page("a", link("x")), NOW)
    names(store)
    store.record_page(page("x", link("behind")), NOW)
    store.record_page(page("slow"), NOW)
    assert names(store) == []
    store.frontier.seed(link("x"), NOW)  # a start URL after all: depth 0
    settle(store, 2)
    assert store.frontier.readmit_urls() == 1
    assert names(store) == ["behind"]


def test_a_suspect_that_is_no_longer_too_deep_waits_for_its_release(opened: Open) -> None:
    """x is found at depth 2, then at depth 1."""
    suspicion = Suspicion("numbers", "/*/{n}")
    store = start(opened(max_depth=2))
    store.record_page(page("", link("a")), NOW)
    names(store)
    store.record_page(page("a", link("x")), NOW)
    names(store)
    store.record_page(page("x", link("behind"), replace(link("item/7"), suspicion=suspicion)), NOW)
    assert names(store) == []
    assert verdicts(store)["behind"] == verdicts(store)["item/7"] == "too_deep"
    store.frontier.seed(link("x"), NOW)
    settle(store, 2)
    assert store.frontier.readmit_urls() == 1
    assert names(store) == ["behind"]
    assert verdicts(store)["item/7"] is None


def crowded(store: Store) -> Store:
    """A site with /maze/kiwi to /maze/nut and /b, of which /maze/kiwi and /b are listed."""
    begin(store).settle_start(url(""))
    names(store)
    store.record_page(
        page("", *map(link, ("maze/kiwi", "maze/lime", "maze/melon", "maze/nut", "b"))), NOW
    )
    assert names(store, 2) == ["maze/kiwi", "maze/lime"]
    store.record_page(page("maze/kiwi", link("maze/olive"), text_length=80), NOW)
    store.record_page(page("maze/lime", text_length=40, judgement=REDIRECT), NOW)
    return store


def counted(store: Store) -> list[Crowd]:
    return Directories().count_urls(store.crowds.plain_urls(), store.crowds.asked())


def test_plain_urls_are_counted_by_directory(opened: Open) -> None:
    store = crowded(opened())
    crowds = {crowd.directory: crowd for crowd in counted(store)}
    assert set(crowds) == {"/", "/maze/"}
    maze = crowds["/maze/"]
    assert (maze.urls, maze.words, maze.combinations) == (5, 5, 5)
    assert (maze.fetched, maze.listed, maze.copies, maze.waiting) == (2, 1, 0, 3)


def test_copies_are_pages_with_the_content_of_one_nearer_to_the_start(opened: Open) -> None:
    store = crowded(opened())
    names(store)
    store.record_page(page("maze/olive", content_hash=7, text_hash=7), NOW)
    store.record_page(page("maze/melon", content_hash=7, text_hash=7), NOW)
    (maze,) = (crowd for crowd in counted(store) if crowd.directory == "/maze/")
    assert maze.copies == 1


@pytest.mark.parametrize("crash", [False, True])
def test_a_directory_that_is_held_waits_with_all_that_is_found_later(
    opened: Open, crash: bool
) -> None:
    store = crowded(opened())
    store.crowds.hold_back("/maze/", "facets")
    store.commit()
    store = opened(crash=crash)
    assert names(store) == ["b"]
    store.record_page(page("b", link("maze/pear"), link("c"), link("maze/")), NOW)
    assert names(store) == ["c"]
    (pattern,) = store.suspects.patterns()
    assert (pattern.kind, pattern.pattern, pattern.waiting) == ("facets", "/maze/*", 5)


@pytest.mark.parametrize(("verdict", "waits"), [("listed", False), ("noindex", True)])
def test_a_directory_that_was_left_waits_from_the_start_if_none_of_it_is_listed(
    opened: Open, verdict: str, waits: bool
) -> None:
    store = crowded(opened())
    store.write("UPDATE url SET verdict = ? WHERE verdict = 'listed'", (verdict,))
    store.crowds.hold_back("/maze/", "no_pages")
    (pattern,) = store.suspects.patterns()
    store.suspects.release([Grant(pattern.id, reason="all fetched pages are noindex")])
    assert store.crowds.fruitless() == [("/maze/", "no_pages")] * waits


def test_an_endless_directory_takes_in_what_waits_for_other_reasons(opened: Open) -> None:
    suspicion = Suspicion("parameter", "/*/*?x=")
    store = crowded(opened())
    names(store)
    store.record_page(page("b", replace(link("maze/kiwi?x=1"), suspicion=suspicion)), NOW)
    store.crowds.leave_out("/maze/", "it has no end")
    sort_suspects(store.suspects)
    (pattern,) = store.suspects.patterns()
    assert (pattern.kind, pattern.is_trap, pattern.waiting) == ("made_up", True, 1)
    store.suspects.mark_traps(())
    (row,) = store.suspects.report()
    assert (row.urls, row.useful, row.examples) == (1, 1, (url("maze/kiwi?x=1"),))


def test_what_was_listed_is_not_left_out_unread(opened: Open) -> None:
    """One of two orders of a list that show the same is listed: the same one in each run."""
    store = start(opened())
    orders = ["list?order=age", "list?order=name"]
    suspicion = Suspicion("parameter", "/list?order=")
    links = [replace(link(name), suspicion=suspicion) for name in orders]
    store.record_page(page("", *links), NOW)
    sort_suspects(store.suspects)
    assert sorted(each.url for each in store.kinds.waiting()) == [*map(url, orders)]
    listed = "INSERT INTO verdict_history (key, run, verdict) VALUES (?, ?, ?)"
    by_run = {-1: ("listed", "listed"), 0: ("variant", "listed"), 1: ("listed", "variant")}
    for run, of_run in by_run.items():  # this run is the first, and its own outcome does not count
        for name, verdict in zip(orders, of_run):
            store.write(listed, (key(url(name)), run, verdict))
    assert [each.url for each in store.kinds.waiting()] == [url(orders[0])]


def test_the_pages_that_only_an_endless_directory_leads_to_are_left_out(opened: Open) -> None:
    store = crowded(opened())
    names(store)
    store.record_page(page("maze/melon", link("maze/olive"), link("maze/pear"), link("b")), NOW)
    store.record_page(page("maze/olive", link("maze/kiwi")), NOW)
    names(store)
    store.record_page(page("maze/pear"), NOW)
    store.record_page(page("b", link("maze/pear")), NOW)
    store.crowds.leave_out("/maze/", "it has no end")
    store.crowds.leave_out("/", "it has no end")
    store.crowds.leave_out_made_up()
    listed = {name for name, verdict in verdicts(store).items() if verdict == "listed"}
    assert listed == {"", "b", "maze/kiwi", "maze/melon", "maze/pear"}
    assert verdicts(store)["maze/olive"] == "trap"


@pytest.mark.parametrize("crash", [False, True])
def test_what_a_directory_answers_to_urls_of_no_page(opened: Open, crash: bool) -> None:
    store = crowded(opened())
    assert store.crowds.listed_urls("/maze/", 3) == [url("maze/kiwi")]
    store.crowds.forget_answers("/maze/", 1)
    store.crowds.request_made_up("/maze/", [url("maze/rpdp")])
    store.commit()
    if crash:
        store = opened(crash=True)
    asked = [name for name in names(store) if not name.startswith(("maze/melon", "maze/nut", "b"))]
    made_up = [name for name in asked if name != "maze/olive"]
    assert made_up == ["maze/rpdp"]
    store.record_page(
        page("maze/rpdp", link("maze/olive"), link("maze/quince"), link("y"), sketch=b"s"), NOW
    )
    assert "maze/rpdp" not in verdicts(store)
    (answers,) = store.crowds.new_answers()
    (answer,) = answers.answers
    assert (answers.directory, answers.usual_length) == ("/maze/", 80)
    assert (answer.url, answer.reveals, answer.sketch) == (url("maze/rpdp"), True, b"s")
    assert store.crowds.new_answers() == []


def test_five_redirects_in_a_row_are_followed(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", link("r0")), NOW)
    for number in range(9):
        if not names(store):
            break
        store.record_page(page(f"r{number}", link(f"r{number + 1}"), judgement=REDIRECT), NOW)
    assert number == 6
    assert verdicts(store)["r6"] == "not_fetched"
    settle(store)
    assert store.frontier.readmit_urls() == 0


def test_a_page_that_links_into_a_long_chain_lets_its_rest_in(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", link("r0"), link("other")), NOW)
    names(store)
    for number in range(6):
        store.record_page(page(f"r{number}", link(f"r{number + 1}"), judgement=REDIRECT), NOW)
        names(store)
    store.record_page(page("other", link("r3")), NOW)
    assert names(store) == []
    settle(store)
    assert store.frontier.readmit_urls() == 1
    assert names(store) == ["r6"]


def test_sitemap_urls_wait_for_their_phase(opened: Open) -> None:
    store = start(opened())
    store.record_sitemap(sitemap_file("linked", "orphan", lastmod="2024-01-01"), NOW)
    store.record_page(page("", link("linked")), NOW)
    assert names(store) == ["linked"]
    store.record_page(page("linked"), NOW)
    assert names(store) == []
    settle(store)
    assert store.frontier.readmit_urls() == 0
    assert store.frontier.release_sitemaps() == 1
    assert [(claim.url, claim.depth) for claim in store.frontier.lease(9)] == [(url("orphan"), 2)]


def test_sitemap_urls_first(opened: Open) -> None:
    store = begin(opened(sitemaps_first=True))
    store.record_sitemap(sitemap_file("listed"), NOW)
    assert names(store) == ["", "listed"]


def test_which_urls_turned_out_to_be_worth_listing(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", *map(link, "abcdef")), NOW)
    claims = store.frontier.lease_these([key(url(name)) for name in "dcab"])
    assert [claim.url[-1] for claim in claims] == [*"dcab"]
    store.record_page(page("a", content_hash=1), NOW)
    store.record_page(page("b", content_hash=1, canonical=url("b")), NOW)
    store.record_page(page("c", canonical=url("a")), NOW)
    store.record_page(page("d", judgement=REDIRECT), NOW)
    keys = [key(url(name)) for name in "bcde"]
    by_name = {key(url(name)): name for name in "bcde"}
    worth = store.conclusions.predict_listed(keys, with_copies=False)
    assert {by_name[found]: is_listed for found, is_listed in worth.items()} == {
        **{"b": False, "c": False, "d": False}
    }
    assert store.conclusions.predict_listed(keys, with_copies=True)[key(url("b"))]
    both = store.conclusions.predict_listed([key(url("a")), key(url("b"))], with_copies=False)
    assert [both[place] for place in sorted(both)] == [True, False]


def test_what_is_kept_of_a_plan(opened: Open) -> None:
    store = begin(opened())
    assert store.last_plan() == ({}, False)
    store.keep_plan({"balance": [1, 2]})
    assert store.last_plan() == ({"balance": [1, 2]}, True)
    store.end_run("finished", NOW)
    begin(store)
    assert store.last_plan() == ({"balance": [1, 2]}, False)


def test_a_crash_makes_what_was_in_flight_pending_again(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", link("a"), link("b"), link("c")), NOW)
    names(store, 2)
    store.commit()
    store = opened(crash=True)
    run = store.last_run()
    assert run is not None
    assert not run.ended
    store.resume_run()
    assert store.frontier.fetched() == 1
    assert sorted(names(store)) == ["a", "b", "c"]


def test_a_page_its_links_and_done_are_one(opened: Open) -> None:
    store = start(opened())
    store.commit()
    store.record_page(page("", link("a")), NOW)
    store = opened(crash=True)
    store.resume_run()
    assert store.frontier.fetched() == 0
    assert verdicts(store) == {"": None}
    assert names(store) == [""]


def test_a_new_run_unsees_everything_but_the_first_time(opened: Open, tmp_path: Path) -> None:
    store = start(opened())
    store.record_page(page("", link("gone")), NOW)
    store.end_run("finished", NOW)
    store = opened()
    run = store.last_run()
    assert run is not None
    assert run.ended
    store.begin_run({"url": url("")}, NOW + 100)
    store.frontier.seed(link(""), NOW + 100)
    assert names(store) == [""]
    store.record_page(page(""), NOW + 100)
    assert verdicts(store) == {"": "listed"}
    assert store.frontier.fetched() == 1
    store.close()
    with closing(sqlite3.connect(tmp_path / "crawl.sqlite")) as db:
        assert db.execute("SELECT DISTINCT first_link FROM url").fetchall() == [(NOW,)]


def test_a_new_run_follows_links_that_the_one_before_followed(opened: Open) -> None:
    store = begin(opened())
    for _ in range(2):
        assert names(store) == [""]
        store.record_page(page("", link("a")), NOW)
        assert names(store) == ["a"]
        begin(store)
        assert store.frontier.in_flight() == 0


def test_visits_as_arrays(opened: Open) -> None:
    """Of two pages over four runs; one is not met in the second, the other changes in the third."""
    store = opened()
    day = 86_400
    meta = "article:modified_time"
    for run, text in enumerate(("one", "one", "two", "two")):
        now = NOW + run * 2 * day
        store.begin_run({}, now)
        store.history.keep_records({(meta, 0): Record(quiet=20, hits=5)})
        store.frontier.seed(link("a"), now)
        if run != 1:
            store.frontier.seed(link("b"), now)
        for claim in store.frontier.lease(9):
            name = claim.url.removeprefix(url(""))
            claims = f"{meta} {int(now) - day} 2023-11-14 2023-11-14" if run == 2 else ""
            store.record_page(page(name, excerpt=text, answered=1, claims=claims), now)
        store.history.keep_visits()
        store.end_run("finished", now)
    keys, last, visits = store.history.past_visits()
    assert keys.tolist() == sorted([key(url("a")), key(url("b"))])
    assert last.tolist() == [int(NOW) + 6 * day] * 2
    found: dict[str, list[object]] = {}
    for place, *row in zip(*(column.tolist() for column in visits)):
        found.setdefault("a" if keys[place] == key(url("a")) else "b", []).append(tuple(row))
    assert str(found["a"]) == str(
        [(inf, True, nan), (2.0, False, nan), (2.0, True, 1.0), (2.0, False, nan)]
    )
    assert str(found["b"]) == str([(inf, True, nan), (inf, True, nan), (2.0, False, nan)])


def test_what_still_waits_gets_a_verdict(opened: Open) -> None:
    store = start(opened())
    store.record_sitemap(sitemap_file("orphan"), NOW)
    store.record_page(page("", link("a"), link("no", refusal=FORBIDDEN)), NOW)
    over = Judgement(Verdict.OVER_CAP, "max_pages=1")
    assert store.frontier.close_urls(over) == 2
    assert not store.frontier.has_pending()
    assert verdicts(store) == {
        "": "listed",
        "a": "over_cap",
        "no": "robots_disallowed",
        "orphan": "over_cap",
    }


def test_rows_come_in_url_order_with_what_the_graph_says(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", link("z"), link("a"), title="Home", lastmod="2024-05-06"), NOW)
    names(store)
    store.record_page(page("z", link("a"), canonical=url("z")), NOW)
    store.record_page(page("a", judgement=Judgement(Verdict.NOINDEX, "meta")), NOW)
    settle(store)
    assert [tuple(row)[:7] for row in store.results.urls()] == [
        (url(""), "listed", "", 200, 0, None, 0),
        (url("a"), "noindex", "meta", 200, 1, url(""), 2),
        (url("z"), "listed", "", 200, 1, url(""), 1),
    ]
    assert [row[:3] for row in store.results.listed(ListedRow)] == [
        (url(""), "2024-05-06", 0),
        (url("z"), "", 1),
    ]
    assert store.results.count_urls() == {
        "verdict": {"listed": 2, "noindex": 1},
        "depth": {"0": 1, "1": 1},
        "lastmod_source": {"none": 2},
    }
    assert store.results.count_statuses() == {200: 3}


def test_what_sitemaps_say_of_dates(opened: Open) -> None:
    store = start(opened())
    claims = {"answered": 1_700_000_000, "claims": "time 1704067200 2024-01-01 2024-01-01"}
    said = {"lastmod": "2024-01-01", "lastmod_source": "time", "lastmod_evidence": "2024-01-01"}
    store.record_page(page("", link("other"), **claims, **said), NOW)
    names(store)
    store.record_page(page("other"), NOW)
    store.record_sitemap(sitemap_file("", "other", lastmod="2024-02-02"), NOW)
    (dated,) = store.conclusions.dated_at([key(url(""))])
    assert list(store.conclusions.dated_pages()) == [dated]  # what is no document is not asked for
    assert dated == (
        *(key(url("")), url(""), 1, *claims.values(), "2024-02-02", ""),
        *said.values(),
        *(int(NOW), int(NOW), 0, False, "", "", "", ("", "", ""), False, 0),
    )
    store.conclusions.set_lastmods(
        [Conclusion(key(url("")), "2024-02-02", "sitemap", "2024-02-02; more")]
    )
    assert [row.lastmod for row in store.results.listed(ListedRow)] == ["2024-02-02", ""]
    assert [row.lastmod_evidence for row in store.results.urls()] == ["2024-02-02; more", ""]
    assert store.results.count_urls()["lastmod_source"] == {"none": 1, "sitemap": 1}
    assert list(store.conclusions.dated_pages()) == [dated]  # what the page alone says stays
    store.conclusions.set_lastmods([])
    assert [row.lastmod for row in store.results.listed(ListedRow)] == ["2024-01-01", ""]
    assert store.results.count_urls()["lastmod_source"] == {"none": 1, "time": 1}


def test_what_the_whole_site_says_can_be_taken_back(opened: Open) -> None:
    store = start(opened())
    noindex = Judgement(Verdict.NOINDEX, "meta")
    store.record_page(page("", link("a"), link("b"), link("c"), content_hash=1, subject=7), NOW)
    names(store)
    canonicalised = Judgement(Verdict.CANONICALISED, "canonical is a")
    store.record_page(page("a", canonical=url("a"), content_hash=2), NOW)
    store.record_page(page("b", canonical=url("a"), judgement=canonicalised, content_hash=2), NOW)
    store.record_page(page("c", canonical=url("a"), judgement=noindex, content_hash=2), NOW)
    assert verdicts(store)["b"] == "canonicalised"
    for _ in range(2):
        store.conclusions.reset_site_verdicts()
        assert verdicts(store) == {"": "listed", "a": "listed", "b": "listed", "c": "noindex"}
        assert {row.evidence for row in store.results.urls()} == {"", "meta"}
        assert list(store.conclusions.canonicals()) == [(key(url("b")), url("a"))]
        assert sorted(store.conclusions.contents()) == sorted(
            [
                (key(url("")), 1, 7, 1, 1),
                (key(url("a")), 2, 0, 1, 1),
                (key(url("b")), 2, 0, 1, 1),
                (key(url("c")), 2, 0, 0, 1),
            ]
        )
        store.conclusions.set_verdicts(
            [
                Ruling(key(url("b")), Verdict.DUPLICATE, "same content as ", key(url("a"))),
                Ruling(key(url("a")), Verdict.LISTED, "a remark"),
            ]
        )
        rows = {row.url: (row.verdict, row.evidence) for row in store.results.urls()}
        assert rows[url("b")] == ("duplicate", f"same content as {url('a')}")
        assert rows[url("a")] == ("listed", "a remark")


def test_rulings_may_be_made_while_pages_are_read(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", *(link(f"{number}") for number in range(BATCH + 5))), NOW)
    while claims := store.frontier.lease(500):
        for claim in claims:
            name = claim.url.removeprefix(url(""))
            store.record_page(page(name, canonical=url("")), NOW)
    found = store.conclusions.canonicals()
    store.conclusions.set_verdicts(
        Ruling(key_, Verdict.CANONICALISED, f"to {to}") for key_, to in found
    )
    assert store.results.count_urls()["verdict"] == {"listed": 1, "canonicalised": BATCH + 5}


def test_near_duplicates_are_kept(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", link("a"), link("b"), subject=7, signature=b"0123"), NOW)
    names(store)
    store.record_page(page("a", subject=7, signature=b"4567", excerpt="Words"), NOW)
    store.record_page(page("b"), NOW)
    keys = sorted(key(url(name)) for name in ("", "a", "b"))
    assert sorted(store.conclusions.signed_pages(keys)) == sorted(
        [(key(url("")), url(""), "", b"0123"), (key(url("a")), url("a"), "Words", b"4567")]
    )
    rows = [(key(url("b")), key(url("")), 0.9), (key(url("a")), key(url("")), 0.95)]
    store.conclusions.set_clusters(rows)
    assert list(store.results.clusters()) == [(url(""), url("a"), 0.95), (url(""), url("b"), 0.9)]
    store.conclusions.set_clusters(rows[:1])
    assert list(store.results.clusters()) == [(url(""), url("b"), 0.9)]
    begin(store)
    assert list(store.results.clusters()) == []


def test_alternates_are_kept(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", alternates=(5, -7)), NOW)
    ((_, packed),) = store.conclusions.alternates([1, key(url(""))])
    assert array("q", packed).tolist() == [5, -7]


def test_sitemap_files_are_kept_by_url(opened: Open) -> None:
    store = begin(opened())
    index = SitemapFile(
        url=url("index.xml"),
        found="argument",
        format="index",
        counts=SitemapCounts(children=3),
        offsite_examples=("https://other.example/ü",),
    )
    broken = SitemapFile(
        url=url("broken.xml"), found="index", parent=url("index.xml"), error="HTTP 404"
    )
    for file in (index, broken, replace(index, counts=SitemapCounts(children=3, unread=2))):
        store.record_sitemap(file, NOW)
    assert store.sitemaps.files() == [
        {
            "url": file.url,
            "found": file.found,
            "parent": file.parent,
            "format": file.format,
            "error": file.error,
            "offsite_examples": list(file.offsite_examples),
            **SitemapCounts(children=children, unread=unread)._asdict(),
        }
        for file, children, unread in ((broken, 0, 0), (index, 3, 2))
    ]


SAID = Extensions(
    images=("https://e.example/ü.png",),
    videos=(Video(title="A film", content="https://e.example/f.mp4", duration=3),),
    news=News("The Daily", "en", "2024-05-01", "News"),
    alternates=(("de", "https://e.example/de"), ("x-default", "https://e.example/")),
)


def leased(store: Store, *names: str) -> Store:
    """Start URLs that are requested now."""
    for name in names:
        store.frontier.seed(link(name), NOW)
    store.frontier.lease(len(names))
    return store


def test_what_a_page_says_for_its_entry(opened: Open) -> None:
    """It is kept as the page said it last, for the run before as well."""
    store = leased(begin(opened()), "a", "b", "c")
    store.record_page(page("a", extensions=SAID), NOW)
    store.record_page(page("b", extensions=Extensions()), NOW)
    store.record_page(page("c", judgement=FORBIDDEN._replace(verdict=Verdict.NOINDEX)), NOW)
    store = opened()
    assert list(store.results.extensions()) == [(key(url("a")), SAID)]
    rows = [(row.url, found, said) for row, found, said in store.results.listed_extended()]
    assert rows == [(url("a"), key(url("a")), SAID), (url("b"), key(url("b")), None)]
    assert [row.url for row, _, _ in store.results.listed_extended()] == [
        row.url for row in store.results.listed(ListedRow)
    ]
    store.record_page(page("a", extensions=Extensions()), NOW)  # the rendered one has none
    assert list(store.results.extensions()) == []


def test_a_carried_page_keeps_what_it_said(opened: Open) -> None:
    store = leased(begin(opened()), "a")
    store.record_page(page("a", extensions=SAID), NOW)
    store.end_run("finished", NOW)
    leased(begin(store), "a")
    assert list(store.results.extensions()) == []
    store.record_page(page("a", is_carried=True), NOW)
    assert list(store.results.extensions()) == [(key(url("a")), SAID)]


def test_titles(opened: Open) -> None:
    store = leased(begin(opened()), "b", "a")
    store.record_page(page("b", title="B", lastmod="2024-05-01"), NOW)
    store.record_page(page("a", title="A"), NOW)
    assert list(store.results.listed(TitledRow)) == [
        (url("a"), "A", "", 1, ""),
        (url("b"), "B", "2024-05-01", 1, ""),
    ]
    kept = Conclusion(key(url("b")), "2024-05-01", "time", "", is_trusted=False)
    store.conclusions.set_lastmods([kept])
    assert [row.is_trusted for row in store.results.listed(TitledRow)] == [1, 0]


def test_extensions_are_kept_as_they_are(opened: Open, tmp_path: Path) -> None:
    store = begin(opened())
    said = Extensions(
        images=("/ü.png",),
        videos=(Video(title="A film"),),
        news=News(title="News"),
        alternates=(("de", "/de"),),
    )
    store.record_sitemap(sitemap_file("plain"), NOW)
    entry = SitemapEntry(url("rich"), extensions=said)
    file = replace(sitemap_file(), url=url("rich.xml"), entries=((entry, link("rich")),))
    for _ in range(2):
        store.record_sitemap(file, NOW)
    store.close()
    with closing(sqlite3.connect(tmp_path / "crawl.sqlite")) as db:
        ((found, text),) = db.execute("SELECT key, said FROM sitemap_extension").fetchall()
    assert found == key(url("rich"))
    assert json.loads(text) == {
        "images": ["/ü.png"],
        "videos": [{"title": "A film"}],
        "news": {"publication": "", "language": "", "date": "", "title": "News"},
        "alternates": [["de", "/de"]],
    }


# The file


def test_a_second_process_is_refused(opened: Open, tmp_path: Path) -> None:
    begin(opened())
    for fresh in (False, True):
        with pytest.raises(CrawlError, match="another crawl is using it") as caught:
            Store(tmp_path / "crawl.sqlite", Limits(), fresh=fresh)
        assert caught.value.exit_code == Exit.REFUSED


@for_each(
    (lambda path: path.write_bytes(b"no database at all" * 100), "damaged; use -a fresh=true"),
    (lambda path: path.write_bytes(path.read_bytes()[:9000]), "damaged"),
    (lambda path: _execute(path, "PRAGMA user_version = 99"), r"a newer sitemapgen \(version 99"),
    (lambda path: _execute(path, "PRAGMA application_id = 1"), "no state of a crawl"),
)
def test_a_file_that_is_not_ours_is_refused_and_fresh_replaces_it(
    damage: Callable[[Path], None], sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "crawl.sqlite"
    begin(Store(path, Limits())).close()
    damage(path)
    with pytest.raises(CrawlError, match=sentence) as caught:
        Store(path, Limits())
    assert caught.value.exit_code == Exit.REFUSED
    assert "fresh=true" in caught.value.sentence
    store = Store(path, Limits(), fresh=True)
    assert store.last_run() is None
    store.close()


def _execute(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(statement)


def test_a_directory_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(CrawlError) as caught:
        Store(tmp_path / "nowhere" / "crawl.sqlite", Limits())
    assert caught.value.exit_code == Exit.NO_SPACE


def test_a_closed_store_is_one_file(opened: Open, tmp_path: Path) -> None:
    store = begin(opened())
    store.close()
    assert [path.name for path in tmp_path.iterdir()] == ["crawl.sqlite"]


def test_pending_urls_cost_less_than_160_bytes_on_disk(opened: Open, tmp_path: Path) -> None:
    file = tmp_path / "crawl.sqlite"
    begin(opened()).close()
    empty = file.stat().st_size
    store = opened()
    names(store)
    count = 20_000
    links = [link(f"section/{number % 50}/article-{number}.html") for number in range(count)]
    store.record_page(page("", *links), NOW)
    store.close()
    size = file.stat().st_size - empty
    text = sum(len(each.url) for each in links)
    assert size < count * 160, (size / count, text / count)  # their links included


def test_a_checkpoint_while_rows_are_read(tmp_path: Path) -> None:
    with closing(Store(tmp_path / "crawl.sqlite", Limits())) as store:
        store.begin_run({}, 0.0)
        with store.writing():
            store.write_all("REPLACE INTO label VALUES (?, x'')", ((n,) for n in range(9)))
        rows = store.read("SELECT key FROM label")
        assert next(rows) == (0,)
        store.checkpoint()
        assert len(list(rows)) == 8
        store.checkpoint()
