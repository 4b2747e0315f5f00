"""What a store keeps of rendering: counts that survive, and pages that are read again."""

import inspect
import re

from sitemapgen.analysis.freshness.trust import CHECKED_EVERY
from sitemapgen.core.rendering import detect, learn
from sitemapgen.core.rendering.detect import RenderSignature
from sitemapgen.core.rendering.learn import (
    FAMILY_FRUITLESS_WAITS,
    FRUITLESS_WAITS,
    RENDERED_FOR,
    TEXT,
    Gain,
    RenderRecord,
    RenderTally,
    Waiting,
    is_patient,
)
from sitemapgen.core.urls import key
from sitemapgen.frontier.phases import recall_unrendered
from sitemapgen.store import Store
from sitemapgen.store.rendering import Render
from tests.store.helpers import NOW, Open, begin, link, names, page, start, url

LINKS = Gain(links=2)
POST = RenderSignature("app.js|0|", "/blog/*")
SHOP = POST._replace(template="/shop/*")
OTHER = RenderSignature("other.js|0|", "/*")


def crawled(store: Store, *pages: str) -> Store:
    begin(store)
    names(store)
    store.record_page(page("", *map(link, pages)), NOW)
    for name in names(store):
        store.record_page(page(name), NOW)
    return store


def test_counts_are_kept_by_signature_and_family(opened: Open) -> None:
    store = begin(opened())
    assert store.rendering.record_of(POST, 1) == RenderRecord()
    store.rendering.count_skipped(POST, 1)
    store.rendering.count_rendered(POST, 2, LINKS)
    store.rendering.count_rendered(POST, 3, Gain())
    store.rendering.count_rendered(SHOP, 4, Gain())
    store.rendering.count_skipped(OTHER, 5)
    family = RenderTally(seen=4, rendered=3, gained=1, dry=2)
    assert store.rendering.record_of(POST, 1) == RenderRecord(RenderTally(3, 2, 1, 1), family)
    assert store.rendering.record_of(SHOP, 9) == RenderRecord(RenderTally(1, 1, 0, 1), family)
    assert store.rendering.record_of(OTHER, 9) == RenderRecord(RenderTally(1), RenderTally(1))


def test_a_gain_ends_what_was_dry(opened: Open) -> None:
    store = begin(opened())
    for number, gain in enumerate((Gain(), Gain(), LINKS)):
        store.rendering.count_rendered(POST, number, gain)
    assert store.rendering.record_of(POST, 9).template == RenderTally(3, 3, 1, 0)


def test_counts_survive_a_restart_and_each_page_counts_once(opened: Open) -> None:
    store = begin(opened())
    store.rendering.count_rendered(POST, 1, LINKS)
    store.rendering.count_skipped(POST, 2)
    store.commit()
    store = opened(crash=True)
    store.resume_run()
    store.rendering.count_rendered(POST, 1, LINKS)
    store.rendering.count_skipped(POST, 1)
    store.rendering.count_skipped(POST, 2)
    assert store.rendering.record_of(POST, 9).template == RenderTally(2, 1, 1, 0)
    store.begin_run({}, NOW)
    assert store.rendering.record_of(POST, 9) == RenderRecord()


def test_a_static_template_is_rendered_again_after_some_runs(opened: Open) -> None:
    store = crawled(opened(), "a", "b", "c")
    for signature, name, outcome in (
        (POST, "a", "nothing"),
        (SHOP, "b", "gained"),
        (OTHER, "c", "failed"),
    ):
        gain = LINKS if outcome == "gained" else Gain()
        store.rendering.count_rendered(signature, key(name), gain)
        store.rendering.record_render(key(name), Render("sampled", outcome, 1.0, signature))
    static = []
    for _ in range(CHECKED_EVERY + 1):
        begin(store)
        names(store)
        store.record_page(page(""), NOW)
        tallies = store.rendering.tallies()
        static.append({each for each, tally in tallies.items() if tally.is_static})
    assert static == [{POST}] * CHECKED_EVERY + [set()]
    store.begin_run({"max_pages": 7}, NOW)
    assert store.rendering.tallies() == {}


def test_the_report_counts_each_page_once(opened: Open) -> None:
    store = begin(opened())
    for number, reason, outcome in [
        (1, "empty_mount", "failed"),
        (1, "empty_mount", "gained"),
        (2, "sampled", "nothing"),
        (3, "sampled", "failed"),
    ]:
        store.rendering.record_render(number, Render(reason, outcome, 1.25))
    report = store.rendering.report()
    assert report == (3, {"empty_mount": 1, "sampled": 2}, 1, 1, 3.8, 0, [])
    store.begin_run({}, 2.0)
    assert store.rendering.report() == (0, {}, 0, 0, 0.0, 0, [])


def waited(store: Store, name: str, signature: RenderSignature, waiting: Waiting) -> None:
    """Note how a page was waited for that shows more in a browser."""
    render = Render("empty_mount", "gained", 1.0, signature, waiting.value)
    store.rendering.record_render(key(url(name)), render)
    store.rendering.count_rendered(signature, key(url(name)), LINKS)


def test_waiting_in_vain_ends_by_signature_and_by_family(opened: Open) -> None:
    store = begin(opened())
    for number in range(FRUITLESS_WAITS):
        assert is_patient(store.rendering.wait_record(POST, 1))
        waited(store, f"{number}", POST, Waiting.VAIN)
        waited(store, f"{number}", POST, Waiting.VAIN)  # a crash repeats it
    assert not is_patient(store.rendering.wait_record(POST, 1))
    assert is_patient(store.rendering.wait_record(SHOP, 1))
    for number in range(FAMILY_FRUITLESS_WAITS):
        waited(store, f"more-{number}", POST._replace(template=f"/blog/*/{number}"), Waiting.VAIN)
    assert not is_patient(store.rendering.wait_record(SHOP, 1))
    assert is_patient(store.rendering.wait_record(OTHER, 1))
    waited(store, "late", POST, Waiting.CAME)
    assert is_patient(store.rendering.wait_record(POST, 1))
    assert is_patient(store.rendering.wait_record(SHOP, 1))


PAGES = [f"{number}" for number in range(12)]


def test_of_pages_that_were_not_waited_for_some_are_read_again(opened: Open) -> None:
    """The same ones in any order; all of them where waiting has brought something."""
    chosen = []
    for order in (PAGES, PAGES[::-1]):
        store = crawled(opened(fresh=True), *PAGES)
        for name in order:
            waited(store, name, POST, Waiting.DENIED)
        assert store.rendering.report().unfinished == len(PAGES)
        assert recall_unrendered(store) == 2
        chosen.append(set(names(store)))
        for name in chosen[-1]:
            assert is_patient(store.rendering.wait_record(POST, key(url(name))))
            waited(store, name, POST, Waiting.VAIN)
            store.record_page(page(name), NOW)
        assert recall_unrendered(store) == 0
    assert chosen[0] == chosen[1]
    waited(store, "another", POST, Waiting.CAME)
    assert recall_unrendered(store) == len(PAGES) - 2


def test_what_kept_a_page_empty(opened: Open) -> None:
    store = begin(opened())
    assert store.rendering.emptiness(1) is None
    store.rendering.record_render(1, Render("empty_mount", "nothing", empty="its API is broken"))
    assert store.rendering.emptiness(1) == "its API is broken"


def test_what_went_without_is_read_again_once(opened: Open) -> None:
    store = crawled(opened(), "a", "b", "c")
    assert recall_unrendered(store) == 0
    for name in "ab":
        store.rendering.count_skipped(POST, key(url(name)))
    store.rendering.count_rendered(POST, key(url("c")), LINKS)
    assert store.frontier.fetched() == 4
    assert recall_unrendered(store) == 2
    assert store.frontier.fetched() == 2
    assert sorted(names(store)) == ["a", "b"]
    assert store.rendering.record_of(POST, key(url("a"))).is_sample
    assert not store.rendering.record_of(POST, key(url("c"))).is_sample
    for name in "ab":
        store.record_page(page(name), NOW)
        store.rendering.count_rendered(POST, key(url(name)), LINKS)
    assert store.frontier.fetched() == 4
    assert recall_unrendered(store) == 0
    assert store.rendering.record_of(POST, 9).template == RenderTally(3, 3, 3, 0)


def test_the_sample_of_a_new_family_does_not_depend_on_order(opened: Open) -> None:
    chosen = []
    for order in ("abc", "cab", "bca"):
        store = crawled(opened(fresh=True), "a", "b", "c")
        for name in order:
            store.rendering.count_skipped(POST, key(url(name)))
        assert recall_unrendered(store) == 1
        chosen += names(store)
        # Rendering it failed, and was not counted: it is not asked for again.
        store.record_page(page(chosen[-1]), NOW)
        assert recall_unrendered(store) == 1
        assert names(store) != chosen[-1:]
    assert len(set(chosen)) == 1


def test_a_page_that_is_not_done_is_not_read_again(opened: Open) -> None:
    store = start(opened())
    store.rendering.count_skipped(POST, key(url("")))
    assert recall_unrendered(store) == 0
    store.record_page(page(""), NOW)
    assert recall_unrendered(store) == 1


def rendered(store: Store) -> dict[str, tuple[int, str]]:
    """The last columns of urls.csv, of the pages that show more in a browser."""
    rows = list(store.results.urls())
    return {row.url: (row.rendered, row.render_reason) for row in rows if row.rendered}


def test_pages_that_show_more_in_a_browser_are_known_from_run_to_run(opened: Open) -> None:
    store = crawled(opened(), "a", "b", "c")
    for name, reason, gained in (("a", "writes_links", TEXT), ("b", "learned", 0)):
        store.rendering.record_render(key(url(name)), Render(reason, "gained", gained=gained))
    store.conclusions.reset_site_verdicts()
    assert rendered(store) == {url("a"): (1, "a script writes links")}
    assert store.rendering.count_gains() == {("writes_links", TEXT): 1}
    assert store.rendering.rendered_pages(9) == [(url("a"), "writes_links", TEXT)]
    store.end_run("finished", NOW)
    store.begin_run({"url": url("")}, NOW)
    store.frontier.seed(link(""), NOW)
    names(store)
    store.record_page(page("", link("a"), link("b")), NOW)
    assert rendered(store) == {}
    store.record_page(page("a", is_carried=True), NOW)
    store.record_page(page("b", is_carried=True), NOW)
    assert rendered(store) == {url("a"): (1, "a script writes links")}
    store.rendering.record_render(key(url("a")), Render("sampled", "nothing"))  # it is read again
    assert rendered(store) == {}


def test_every_reason_for_rendering_has_words() -> None:
    code = "".join(
        inspect.getsource(rule)
        for rule in (
            detect.judge_document,
            detect.Outline.against,
            detect.judge_classic,
            learn.decide_rendering,
        )
    )
    named = set(re.findall(r'"([a-z]\w+)"', code)) - {
        "noscript",
        "script",
        "seed_none",
        "surrogatepass",
    }
    never = {"no_script", "noindex", "complete"}  # not rendered for these
    assert named - never | {"always"} == set(RENDERED_FOR)
