"""What earlier pages say about the next one, and what a browser added to a document."""

from sitemapgen.core.rendering.detect import (
    CLASSIC,
    Policy,
    Raw,
    RenderSignature,
    judge_document,
    read_raw,
)
from sitemapgen.core.rendering.learn import (
    FAMILY_FRUITLESS_WAITS,
    FRUITLESS_WAITS,
    LARGE_TEMPLATE,
    MANY_FAMILIES,
    PATIENCE,
    ComparedReading,
    Gain,
    Patience,
    RenderRecord,
    RenderTally,
    WaitRecord,
    choose_samples,
    compare_readings,
    decide_rendering,
    is_empty,
    is_patient,
    second_looks,
)
from tests.helpers.tables import for_each

SCRIPT = b'<script src="a.js"></script>'
FULL = read_raw(b"<p>" + b"word " * 60 + b'<a href="/a">a</a>' + SCRIPT)
SHELL = read_raw(b'<div id="root"></div>' + SCRIPT)
PLAIN = read_raw(b"<p>Nothing runs here")
HIDDEN = read_raw(b'<meta name="robots" content="noindex"><div id="root"></div>' + SCRIPT)

NEW = RenderRecord()
GAINED = RenderRecord(RenderTally(3, 3, 3, 0), RenderTally(3, 3, 3, 0))
DRY = RenderRecord(RenderTally(3, 2, 0, 2), RenderTally(3, 2, 0, 2))
ONCE_DRY = RenderRecord(RenderTally(3, 1, 0, 1), RenderTally(3, 1, 0, 1))
DRY_FAMILY = RenderRecord(RenderTally(), RenderTally(9, 4, 0, 4))
EXHAUSTED = RenderRecord(RenderTally(50, 9, 1, PATIENCE), RenderTally(50, 9, 1, PATIENCE))


@for_each(
    (PLAIN, GAINED, (False, "no_script", False)),
    (HIDDEN, GAINED, (False, "noindex", False)),
    (FULL, NEW, (False, "complete", True)),
    (FULL, GAINED, (True, "learned", True)),
    (FULL, EXHAUSTED, (False, "learned", True)),
    (FULL, RenderRecord(is_sample=True), (True, "sampled", True)),
    (SHELL, NEW, (True, "empty_mount", True)),
    (SHELL, GAINED, (True, "empty_mount", True)),
    (SHELL, ONCE_DRY, (True, "empty_mount", True)),
    (SHELL, DRY, (False, "learned", True)),
    (SHELL, DRY_FAMILY, (False, "learned", True)),
    (SHELL, DRY._replace(is_sample=True), (True, "sampled", True)),
)
def test_decisions(raw: Raw, record: RenderRecord, decision: tuple[bool, str, bool]) -> None:
    assert decide_rendering(judge_document(raw), record) == decision


def test_the_seeds_rule_learns_nothing() -> None:
    policy = Policy(rule=CLASSIC)
    decision = decide_rendering(judge_document(SHELL, policy), DRY, is_classic=True)
    assert decision == (True, "seed_short_html", False)
    assert decide_rendering(judge_document(FULL, policy), GAINED, is_classic=True) == (
        False,
        "seed_none",
        False,
    )


def tallies(**templates: RenderTally) -> dict[RenderSignature, RenderTally]:
    """Tallies of templates, named ``family_template``, and of the levels above them."""
    found: dict[RenderSignature, RenderTally] = {}
    for name, tally in templates.items():
        family, _, place = name.rpartition("_")
        for names in ((family, place), (family,), ()):
            level = RenderSignature(*names)
            found[level] = RenderTally(*map(sum, zip(found.get(level, RenderTally()), tally)))
    return found


@for_each(
    ({}, {}),
    ({"a_x": RenderTally(1)}, {"a x": 1}),
    ({"a_/y/*": RenderTally(3), "a_/": RenderTally(1), "a_/*": RenderTally(1)}, {"a /": 1}),
    ({"a_/y/*": RenderTally(3), "a_/*": RenderTally(1)}, {"a /*": 1}),
    ({"a_x": RenderTally(1), "b_y": RenderTally(3)}, {"a x": 1, "b y": 1}),
    ({"a_x": RenderTally(2, 1, 0, 1)}, {}),
    ({"a_x": RenderTally(2, 1, 0, 1), "a_y": RenderTally(LARGE_TEMPLATE - 1)}, {}),
    ({"a_x": RenderTally(2, 1, 0, 1), "a_y": RenderTally(LARGE_TEMPLATE)}, {"a y": 1}),
    ({"a_x": RenderTally(LARGE_TEMPLATE, 1, 0, 1)}, {}),
    ({"a_x": RenderTally(LARGE_TEMPLATE * 2, 1, 0, 1)}, {"a x": 1}),
    ({"a_x": RenderTally(LARGE_TEMPLATE * 1024, 3, 0, 3)}, {"a x": 8}),
    # A family's samples are shared out among its templates, by their pages.
    (
        {
            "a_x": RenderTally(LARGE_TEMPLATE * 96, 1, 0, 1),
            "a_y": RenderTally(LARGE_TEMPLATE * 32, 1, 0, 1),
            "a_z": RenderTally(LARGE_TEMPLATE, 1, 0, 1),
        },
        {"a x": 5, "a y": 1},
    ),
    ({"a_x": RenderTally(5, 1, 1, 0)}, {"a x": 4}),
    ({"a_x": RenderTally(5, 1, 1, 0), "a_y": RenderTally(1)}, {"a x": 4, "a y": 1}),
    ({"a_x": RenderTally(5, 1, 1, 0), "a_y": RenderTally(2, 1, 0, 1)}, {"a x": 4}),
    ({"a_x": RenderTally(9, 9, 1, PATIENCE)}, {}),
    # All pages got links that were known: their family needs fewer samples.
    ({"a_x": RenderTally(LARGE_TEMPLATE * 1024)}, {"a x": 1}),
    ({"a_x": RenderTally(LARGE_TEMPLATE * 1024, is_static=True)}, {}),
    ({"a_x": RenderTally(9, is_static=True), "a_y": RenderTally(1)}, {"a y": 1}),
    ({"|goes_on_x": RenderTally(9, is_static=True)}, {"|goes_on x": 1}),
    ({"a_x": RenderTally(5, 1, 1, 0, is_static=True)}, {"a x": 4}),
    ({"a_x": RenderTally(LARGE_TEMPLATE * 1024, 1, 0, 2)}, {"a x": 5}),
    (
        {"a_x": RenderTally(LARGE_TEMPLATE * 64, 1, 0, 2), "a_y": RenderTally(9, 9, 1, 8)},
        {"a x": 3},
    ),
    ({"a_x": RenderTally(LARGE_TEMPLATE * 8, 2, 0, 4), "a_y": RenderTally(8, 1, 0, 2)}, {}),
    # Scripts seem to fill the anchors of these: each template is looked at.
    ({"|goes_on_x": RenderTally(2, 1, 0, 1), "|goes_on_y": RenderTally(2)}, {"|goes_on y": 1}),
    ({"|goes_on_x": RenderTally(2, 1, 0, 1)}, {}),
)
def test_samples(counts: dict[str, RenderTally], chosen: dict[str, int]) -> None:
    found = choose_samples(tallies(**counts))
    assert {" ".join(signature): pages for signature, pages in found.items()} == chosen


def test_templates_of_an_earlier_run_whose_family_was_not_seen_yet() -> None:
    """What is static is known from the run before; no page of this run counts for its family."""
    assert not choose_samples(
        {RenderSignature("|fills_links", "/x/*"): RenderTally(is_static=True)}
    )


def test_kinds_whose_anchors_scripts_fill_are_sampled_on_a_dry_site_too() -> None:
    filled = {f"|fills_links_{number}": RenderTally(1) for number in range(100)}
    dry = {f"d{number}_x": RenderTally(1, 1, 0, 1) for number in range(20)}
    assert (
        len(choose_samples(tallies(**filled, **dry, **{"|fills_links_z": RenderTally(1, 1, 0, 1)})))
        == MANY_FAMILIES - 1
    )


@for_each(
    (Patience(), Patience(), True),
    (Patience(0, FRUITLESS_WAITS - 1), Patience(0, FRUITLESS_WAITS - 1), True),
    (Patience(0, FRUITLESS_WAITS), Patience(0, FRUITLESS_WAITS), False),
    # Content that comes for one page in a hundred does come.
    (Patience(1, 99), Patience(1, 99), True),
    (Patience(), Patience(0, FAMILY_FRUITLESS_WAITS), False),
    (Patience(), Patience(1, FAMILY_FRUITLESS_WAITS), True),
    # Of a template that is under way the family does not decide.
    (Patience(0, 1), Patience(0, FAMILY_FRUITLESS_WAITS), True),
)
def test_patience(template: Patience, family: Patience, is_it: bool) -> None:
    assert is_patient(WaitRecord(template, family)) is is_it
    assert is_patient(WaitRecord(template, family, is_sample=True))


@for_each((0, 0, 0), (3, 0, 0), (4, 0, 1), (3, 1, 0), (8, 0, 2), (1000, 0, 8), (992, 8, 0))
def test_second_looks(denied: int, looked: int, wanted: int) -> None:
    assert second_looks(denied, looked) == wanted


@for_each(
    (ComparedReading(), True),
    (ComparedReading(links={"/"}, length=199), True),
    (ComparedReading(links={"/", "/a"}), False),
    (ComparedReading(length=200), False),
)
def test_an_empty_page(rendered: ComparedReading, is_it: bool) -> None:
    assert is_empty(rendered, "/", 200) is is_it


def test_a_site_whose_signatures_tell_nothing_apart_is_sampled_thinly() -> None:
    families = {f"f{number}_x": RenderTally(1) for number in range(1000)}
    assert len(choose_samples(tallies(**families))) == 20
    dry = {f"d{number}_x": RenderTally(1, 1, 0, 1) for number in range(20)}
    assert len(choose_samples(tallies(**families, **dry))) == 0
    few = {f"f{number}_x": RenderTally(1) for number in range(100)}
    assert len(choose_samples(tallies(**few))) == MANY_FAMILIES


WORDS = frozenset(["a", "shop", "with", "honest", "wheels"])
STATIC = ComparedReading(
    links={"/a", "/b"}, words=WORDS, title="Shop", robots="index", canonical="/a"
)


@for_each(
    ({}, Gain()),
    ({"links": {"/a", "/b", "/c"}}, Gain(links=1)),
    ({"links": {"/a"}}, Gain()),
    ({"links": {"/a?sid=1", "/b?sid=2"}}, Gain()),
    ({"links": {"/a", "/b", "/b?page=2"}}, Gain(links=1)),
    ({"words": WORDS | {"cookies", "accept"}}, Gain()),
    ({"words": WORDS | set("1234")}, Gain(words=4)),
    ({"words": frozenset()}, Gain()),
    ({"title": "(3) Shop"}, Gain()),
    ({"title": ""}, Gain()),
    ({"robots": "NOINDEX"}, Gain(directives=1)),
    ({"robots": " Index "}, Gain()),
    ({"canonical": "/c"}, Gain(directives=1)),
    ({"canonical": ""}, Gain()),
)
def test_gains(rendered: dict[str, object], brought: Gain) -> None:
    fields = {name: getattr(STATIC, name) for name in ComparedReading.__slots__}
    assert compare_readings(STATIC, ComparedReading(**{**fields, **rendered})) == brought
    assert brought.is_any is any(brought)


def test_a_title_where_there_was_none_is_a_gain() -> None:
    assert compare_readings(ComparedReading(), ComparedReading(title="Shop")) == Gain(directives=1)
