"""What a store says for a report, and that a lent one keeps nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from sitemapgen.core.rendering.detect import RenderSignature
from sitemapgen.core.rendering.learn import Gain, RenderTally
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.items import Judgement, Ruling, SitemapEntry, SitemapFile
from sitemapgen.params import Params
from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits
from sitemapgen.store.opening import lend_store, open_store
from sitemapgen.store.options import RunOptions
from sitemapgen.store.results import Copy, Detail
from sitemapgen.store.sitemaps import RepeatedEntries
from sitemapgen.verdicts import Reason, Verdict
from tests.store.helpers import NOW, Open, begin, link, names, page, settle, start, url


def listing(name: str, *entries: str) -> SitemapFile:
    return SitemapFile(
        url=url(name),
        found="robots",
        format="urlset",
        entries=tuple((SitemapEntry(url(entry)), link(entry)) for entry in entries),
    )


def test_what_sitemaps_list_more_than_once(opened: Open) -> None:
    store = begin(opened())
    store.record_sitemap(listing("one.xml", "a", "b", "a", "c", "a"), NOW)
    store.record_sitemap(listing("two.xml", "b", "d", "c"), NOW)
    assert store.sitemaps.repeated_entries(5) == RepeatedEntries(
        3, 7, [(url("a"), 3), (url("b"), 2), (url("c"), 2)]
    )
    assert store.sitemaps.repeated_entries(1).examples == [(url("a"), 3)]
    store.record_sitemap(listing("one.xml", "a", "b", "a", "c", "a"), NOW)  # a crash repeats it
    assert store.sitemaps.repeated_entries(5).entries == 7


def test_copies_name_the_url_that_they_repeat(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", *map(link, "abcde")), NOW)
    names(store)
    for name in "abcde":
        store.record_page(page(name), NOW)
    rulings = {
        "a": (Verdict.DUPLICATE, "same content as ", Reason.SAME_CONTENT),
        "b": (Verdict.DUPLICATE, "nearly the same content (0.93) as ", Reason.NEAR_DUPLICATE),
        "c": (Verdict.LISTED, "same content as ", Reason.SAME_CONTENT),
        "d": (Verdict.LISTED, "canonical ignored: it redirects to ", Reason.CANONICAL_BROKEN),
    }
    store.conclusions.set_verdicts(
        Ruling(link(name).key, verdict, evidence, link("").key, reason=reason)
        for name, (verdict, evidence, reason) in rulings.items()
    )
    store.conclusions.set_verdicts(
        [Ruling(link("e").key, Verdict.LISTED, "like most pages", reason=Reason.SAME_AS_MOST)]
    )
    found = sorted(store.results.copies(), key=lambda copy: copy.url)
    assert found == [
        Copy(link("a").key, url("a"), url(""), True),
        Copy(link("b").key, url("b"), url(""), False),
        Copy(link("c").key, url("c"), url(""), True),
    ]


def test_details_and_addresses(opened: Open) -> None:
    store = begin(opened())
    store.record_sitemap(listing("map.xml", "z"), NOW)
    names(store)
    store.record_page(page("", link("a")), NOW)
    names(store)
    store.record_page(page("a", judgement=Judgement(Verdict.HTTP_ERROR, "HTTP 404")), NOW)
    settle(store)
    keys = [link(name).key for name in ("a", "", "z")]
    assert store.results.details(keys) == [
        Detail(url("a"), "http_error", "HTTP 404", "", 1, 1),
        Detail(url(""), "listed", "", "", 0, 0),
        Detail(url("z"), "", "", "", 2, 0),
    ]
    rows = {row.url: (row.in_sitemap, row.reached) for row in store.results.urls()}
    assert rows == {url(""): (0, 1), url("a"): (0, 1), url("z"): (1, 0)}


def test_statuses_are_those_of_this_run(opened: Open) -> None:
    store = start(opened())
    store.record_page(page("", link("a"), link("b")), NOW)
    names(store)
    store.record_page(replace(page("a"), status=404), NOW)
    store.record_page(replace(page("b"), status=None), NOW)
    assert store.results.count_statuses() == {None: 1, 200: 1, 404: 1}
    store.end_run("finished", NOW)
    begin(store)
    assert store.results.count_statuses() == {}


def test_the_total_of_rendering(opened: Open) -> None:
    store = begin(opened())
    assert store.rendering.site_tally() == RenderTally()
    store.rendering.count_skipped(RenderSignature("f", "/a"), 1)
    store.rendering.count_rendered(RenderSignature("f", "/b"), 2, Gain(links=1))
    assert store.rendering.site_tally()[:3] == (2, 1, 1)


def test_options_are_those_of_the_last_process(opened: Open) -> None:
    store = begin(opened())
    store.keep_options(RunOptions(duplicates="exact"))
    store.keep_options(RunOptions(duplicates="off"))
    store.end_run("finished", NOW)
    store.keep_options(RunOptions(duplicates="near"))  # of no run
    run = store.last_run()
    assert run is not None
    assert (run.options, run.reason, run.ended) == (RunOptions(duplicates="off"), "finished", True)


def test_a_lent_store_keeps_nothing(tmp_path: Path) -> None:
    path = tmp_path / "crawl.sqlite"
    store = begin(Store(path, Limits()))
    store.settle_start(url(""))
    store.keep_options(RunOptions(max_depth=7))
    names(store)
    store.record_page(page("", link("a")), NOW)
    store.close()
    before = path.read_bytes()
    lent, run = lend_store(tmp_path)
    assert not run.ended
    assert lent.frontier.limits.max_depth == 7
    assert lent.frontier.close_urls(Judgement(Verdict.OVER_CAP, "max_pages=1")) == 1
    lent.commit()
    assert {row.verdict for row in lent.results.urls()} == {"listed", "over_cap"}
    lent.close()
    assert path.read_bytes() == before
    store = Store(path, Limits())
    assert names(store) == ["a"]
    store.close()


def test_a_store_without_an_answer_cannot_be_lent(tmp_path: Path) -> None:
    begin(Store(tmp_path / "crawl.sqlite", Limits())).close()
    with pytest.raises(CrawlError, match="its start URL never answered") as caught:
        lend_store(tmp_path)
    assert caught.value.exit_code == Exit.ARGUMENTS


def test_a_run_without_an_answer_leaves_the_one_before_it(tmp_path: Path) -> None:
    params = Params.model_validate({"url": url(""), "output": str(tmp_path / "output")})
    store, start = open_store(params, 0)
    assert start == ""
    store.settle_start(url(""))
    store.frontier.seed(link(""), NOW)
    names(store)
    store.record_page(page("", link("a")), NOW)
    names(store)
    store.record_page(page("a"), NOW)
    store.end_run("finished", NOW)
    store.close()
    refreshed, start = open_store(params, 0)
    assert start == ""
    refreshed.frontier.seed(link(""), NOW)
    names(refreshed)
    refreshed.record_page(replace(page(""), status=503), NOW)
    refreshed.commit()
    refreshed.close()
    lent, run = lend_store(tmp_path / "output")
    assert (run.start, run.ended, run.reason) == (url(""), True, "finished")
    assert [row.url for row in lent.results.urls()] == [url(""), url("a")]
    lent.close()
