"""When suspicious patterns get more URLs, and when they are endless."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sitemapgen.analysis.made_up import MadeUp
from sitemapgen.analysis.patterns import Pattern
from sitemapgen.analysis.traps import (
    AT_A_TIME,
    BARREN,
    CHAIN,
    COPIES,
    DEPTH,
    ENOUGH,
    FIRST,
    NOT_INDEXED,
    PROBED,
    RECENT,
    SAMPLED,
    SLOW,
    Feed,
    Spaces,
)
from sitemapgen.analysis.usefulness import PATIENCE, Lead, SuspectPage, Use
from sitemapgen.core.document.novelty import Novelty, sketch
from sitemapgen.verdicts import Verdict

CALENDAR = Pattern(
    1, "calendar", "/c/{month}", "/*/{month}", "/c/{date}", *[0] * 6, is_probed=False, is_trap=False
)


def page(text: str = "", **fields: object) -> SuspectPage:
    values: dict[str, object] = {
        "key": 1,
        "pattern": 1,
        "verdict": Verdict.LISTED,
        "is_server_error": False,
        "is_copy": False,
        "sketch": sketch([text], ()),
        "items": frozenset(),
        "base": "",
        "leads": (),
    }
    return SuspectPage(**{**values, **fields})


def judged(*pages: SuspectPage) -> list[Use]:
    spaces = Spaces()
    return [spaces.judge(each, CALENDAR) for each in pages]


def after(pattern: Pattern, *uses: Use, spaces: Spaces | None = None) -> Spaces:
    spaces = spaces or Spaces()
    for use in uses:
        spaces.count(pattern, use)
    return spaces


def test_months_without_events_say_nothing_new() -> None:
    months = [page(f"{year}: no events") for year in range(2031, 2035)]
    meeting = page("2035: the annual assembly of members")
    assert judged(*months, meeting) == [
        *(Use.USEFUL, Use.LITTLE, Use.LITTLE, Use.LITTLE, Use.USEFUL)
    ]
    assert judged(page("no events"), page("no events"))[-1] is Use.NOTHING


def test_a_list_is_useful_that_is_the_first_to_lead_to_pages() -> None:
    listed = Lead(Verdict.LISTED, None, None)
    said = page("Parts")
    assert judged(said, said._replace(leads=(listed,)))[-1] is Use.LEADS
    assert judged(said, said._replace(leads=(listed,), verdict=Verdict.NOINDEX))[-1] is Use.LEADS
    assert (
        judged(said, said._replace(leads=(Lead(Verdict.HTTP_ERROR, None, None),)))[-1]
        is Use.NOTHING
    )


def test_a_lead_to_suspects_is_open_until_they_are_judged() -> None:
    spaces = Spaces()
    waits = page(leads=(Lead(None, None, 2),))
    assert spaces.judge(waits, CALENDAR) is Use.OPEN
    assert spaces.settle(waits) is Use.OPEN
    assert (
        spaces.settle(waits._replace(leads=(Lead(Verdict.LISTED, Use.USEFUL, None),))) is Use.LEADS
    )
    assert (
        spaces.settle(waits._replace(leads=(Lead(Verdict.LISTED, Use.NOTHING, None),)))
        is Use.NOTHING
    )
    day = replace(CALENDAR, id=2, pattern="/c/{day}")
    after(day, *[Use.NOTHING] * PATIENCE, spaces=spaces)
    assert spaces.settle(waits) is Use.NOTHING  # what waits is of an idle pattern


@pytest.mark.parametrize(
    ("fields", "use"),
    [
        ({"verdict": Verdict.NOINDEX}, Use.NOT_INDEXED),
        ({"verdict": Verdict.CANONICALISED}, Use.COPY),
        ({"is_copy": True}, Use.COPY),
        ({"verdict": Verdict.FETCH_ERROR, "sketch": b""}, Use.UNKNOWN),
        ({"verdict": Verdict.HTTP_ERROR, "sketch": b"", "is_server_error": True}, Use.UNKNOWN),
        ({"verdict": Verdict.HTTP_ERROR, "sketch": b""}, Use.ABSENT),
    ],
)
def test_what_may_not_be_listed_is_not_useful_for_what_it_says(
    fields: dict[str, object], use: Use
) -> None:
    assert judged(page("A text of its own", **fields)) == [use]


def test_a_page_has_to_say_more_than_a_second_reading_of_it_would() -> None:
    spaces = Spaces()
    spaces.noise[1] = Novelty(40, 300, 0, 0)
    random = page("words that are other ones at each reading of the page, twenty or more of them")
    assert spaces.judge(random, CALENDAR) is Use.NOTHING


def grants(spaces: Spaces, *patterns: Pattern, stops: bool = True) -> dict[int, int]:
    found = spaces.grants(patterns, [], stops=stops)
    return {grant.pattern: -1 if grant.reason else grant.urls for grant in found}


def test_a_pattern_gets_the_more_the_more_useful_it_was() -> None:
    waiting = replace(CALENDAR, waiting=1_000)
    assert grants(Spaces(), waiting) == {1: FIRST}
    spaces = after(CALENDAR, *[Use.USEFUL] * 100)
    assert grants(spaces, waiting) == {1: FIRST + 200}
    assert grants(spaces, replace(waiting, pending=10)) == {1: FIRST + 190}
    spaces.begin_round()
    assert grants(spaces, waiting) == {1: FIRST}


def run(spaces: Spaces, reveals: int, *, waiting: int, most: int = 5_000) -> tuple[bool, int]:
    """Crawl a pattern whose pages say nothing and reveal this many others each.

    Whether it was called endless, and how many pages were fetched.
    """
    each, fetched = replace(CALENDAR, waiting=waiting), 0
    while fetched < most:
        feeds = [Feed(1, 1, age=0 if each.revealed else RECENT)]
        (grant,) = spaces.grants([each], feeds, stops=True) or [None]
        if grant is None or grant.reason:
            return grant is not None, fetched
        got = min(grant.urls, each.waiting)
        after(CALENDAR, *[Use.NOTHING] * got, spaces=spaces)
        fetched += got
        each = replace(
            each,
            waiting=each.waiting - got + reveals * got,
            revealed=reveals * got,
            depth=grant.depth,
            burst=grant.burst,
        )
    return False, fetched


def test_a_finite_pattern_is_fetched_to_its_end_whatever_it_says() -> None:
    assert run(Spaces(), 0, waiting=3_000) == (False, 3_000)


def test_a_space_that_branches_without_an_end_is_endless() -> None:
    is_endless, fetched = run(Spaces(), 3, waiting=10)
    assert is_endless
    assert ENOUGH <= fetched <= ENOUGH + FIRST


def test_a_chain_may_be_long() -> None:
    is_endless, fetched = run(Spaces(), 1, waiting=1)
    assert is_endless
    assert CHAIN <= fetched <= CHAIN + DEPTH


def test_one_useful_page_is_not_outweighed_by_many_useless_ones_before_it() -> None:
    spaces = after(CALENDAR, *[Use.NOTHING] * 59, Use.USEFUL, *[Use.NOTHING] * 59)
    assert grants(spaces, replace(CALENDAR, waiting=100)) == {1: FIRST + 2}


def test_links_to_what_is_not_there_are_no_evidence_against_what_is() -> None:
    waiting = replace(CALENDAR, waiting=100)
    spaces = after(CALENDAR, Use.USEFUL, *[Use.NOTHING, Use.ABSENT] * (PATIENCE - 1))
    assert grants(spaces, waiting)[1] > 0
    after(CALENDAR, Use.NOTHING, spaces=spaces)
    assert run(spaces, 0, waiting=100) == (False, 100)  # idle, and finite
    assert spaces.tallies[1].idle == PATIENCE + 100
    mostly = after(CALENDAR, Use.USEFUL, *[Use.ABSENT] * (PATIENCE + 1))
    assert mostly.tallies[1].idle == PATIENCE
    empty = after(CALENDAR, *[Use.ABSENT] * PATIENCE)
    assert empty.tallies[1].idle == PATIENCE


def test_pages_that_are_not_there_do_not_keep_a_pattern_of_forms() -> None:
    spaces = after(CALENDAR, Use.ABSENT, *[Use.NOT_INDEXED] * NOT_INDEXED)
    assert grants(spaces, replace(CALENDAR, waiting=500)) == {1: -1}


@pytest.mark.parametrize(("use", "enough"), [(Use.NOT_INDEXED, NOT_INDEXED), (Use.COPY, COPIES)])
def test_pages_that_ask_not_to_be_listed_and_lead_nowhere_end_their_pattern(
    use: Use, enough: int
) -> None:
    waiting = replace(CALENDAR, waiting=500)
    assert grants(after(CALENDAR, *[use] * (enough - 1)), waiting)[1] > 0
    assert grants(after(CALENDAR, *[use] * enough), waiting) == {1: -1}
    spaces = after(CALENDAR, Use.NOTHING, *[use] * enough)  # one of them might be a page
    assert grants(spaces, waiting)[1] > 0


def test_traps_are_fetched_slowly_where_they_are_only_reported() -> None:
    trap = replace(CALENDAR, waiting=100, is_trap=True)
    assert grants(Spaces(), trap) == {}
    assert grants(Spaces(), trap, stops=False) == {1: SLOW}


def test_beside_an_endless_pattern_little_is_asked_of_others_without_a_use() -> None:
    trap = replace(CALENDAR, is_trap=True, is_endless=True, waiting=5)
    day = replace(CALENDAR, id=2, pattern="/c/{day}", waiting=500)
    assert grants(Spaces(), trap, day)[2] < FIRST
    assert grants(after(day, Use.USEFUL), trap, day)[2] == FIRST + 2


def table(number: int, *parameters: str, waiting: int = 500) -> Pattern:
    query = "&".join(sorted(parameters))
    family = "&".join(f"{name.partition('=')[0]}=" for name in sorted(parameters))
    return Pattern(
        number, "facets", f"/t?{query}", f"/*?{family}", "/t", waiting, *[0] * 5, False, False
    )


def test_what_a_wider_topic_said_is_not_new_in_a_narrower_one() -> None:
    lamps, brass = table(1, "kind=lamp", "maker="), table(2, "material=brass", "maker=")
    both = table(3, "kind=lamp", "material=brass", "maker=")
    spaces = Spaces()
    assert spaces.judge(page("lamp of amber", pattern=1), lamps) is Use.USEFUL
    assert spaces.judge(page("candle holder", pattern=2), brass) is Use.USEFUL
    assert spaces.judge(page("lamp of amber, candle holder", pattern=3), both) is Use.NOTHING
    coins = table(4, "kind=coin", "maker=")
    assert spaces.judge(page("lamp of amber", pattern=4), coins) is Use.USEFUL  # beside, not below


def test_sixteen_patterns_of_a_space_are_looked_at_side_by_side() -> None:
    some = [table(n, f"a{n}=", "b=") for n in range(1, 40)]
    assert set(grants(Spaces(), *some)) == set(range(1, AT_A_TIME + 1))
    spaces = after(some[38], Use.USEFUL)
    assert set(grants(spaces, *some)) == {*range(1, AT_A_TIME + 1), 39}


def test_after_many_patterns_without_a_use_each_further_one_gets_a_single_look() -> None:
    spaces = Spaces()
    some = [table(n, f"a{n}=", "b=", waiting=0) for n in range(1, BARREN + 1)]
    for each in some:
        after(each, *[Use.NOTHING] * 4, spaces=spaces)
    another = table(99, "c=", "d=")
    assert grants(spaces, *some, another)[99] == 1
    after(some[50], Use.USEFUL, spaces=spaces)
    assert grants(spaces, *some, another)[99] == FIRST


def test_millions_of_combinations_are_endless_at_any_depth() -> None:
    some = [table(n, f"a{n}=", "b=") for n in range(1, 11)]
    some = [replace(each, revealed=300) for each in some]
    spaces = Spaces()
    for each in some:
        after(each, *[Use.NOTHING] * 100, spaces=spaces)
    feeds = [Feed(1, 2, age=0)]
    assert all(grant.is_endless for grant in spaces.grants(some, feeds, stops=True))
    ending = [replace(each, revealed=50) for each in some]  # half as many as were fetched
    assert not any(grant.is_endless for grant in spaces.grants(ending, feeds, stops=True))
    led_to = [Feed(77, 2, age=0)]  # what reveals them is another space
    assert not any(grant.is_endless for grant in spaces.grants(some, led_to, stops=True))


def test_choices_that_were_all_fetched_are_not_left_out_with_their_combinations() -> None:
    some = [replace(table(n, f"a{n}=", "b="), revealed=900) for n in range(1, 11)]
    category, other = table(11, "kind=", waiting=0), table(12, "kind=", "b=", waiting=0)
    spaces = Spaces()
    for each in (*some, category, other):
        after(each, *[Use.NOTHING] * 100, spaces=spaces)
    found = spaces.grants([*some, category, other], [Feed(1, 2, age=0)], stops=True)
    assert {grant.pattern for grant in found if grant.is_endless} == {*range(1, 11), 12}


def answers(*texts: str, reveals: bool = True) -> list[MadeUp]:
    return [
        MadeUp(f"/x/{n}", sketch([text], ()), reveals, len(text)) for n, text in enumerate(texts)
    ]


def test_what_answers_made_up_urls_as_it_does_others_has_no_end() -> None:
    spaces = Spaces()
    spaces.judge(page("Some words that are those of the site"), CALENDAR)
    stories = ("lorem ipsum dolor", "consectetur adipiscing elit")
    assert "/x/0, /x/1" in spaces.makes_up(CALENDAR, answers(*stories), 0)
    assert not spaces.makes_up(CALENDAR, answers(*stories, reveals=False), 0)
    assert not spaces.makes_up(CALENDAR, answers(stories[0]), 0)
    missing = "Nothing was found under this address"
    assert not spaces.makes_up(CALENDAR, answers(missing, missing), 0)
    assert not spaces.makes_up(CALENDAR, answers("", ""), 0)


def test_which_patterns_are_probed_with_made_up_urls() -> None:
    each = replace(CALENDAR, waiting=9, revealed=3)
    spaces = after(CALENDAR, *[Use.USEFUL] * PROBED)
    assert spaces.to_probe([each]) == [1]
    assert spaces.to_probe([replace(each, is_probed=True)]) == []
    assert spaces.to_probe([replace(each, revealed=0)]) == []
    assert after(CALENDAR, Use.LEADS, spaces=spaces).to_probe([each]) == []


def test_which_patterns_are_read_again() -> None:
    each = replace(CALENDAR, waiting=9, revealed=3)
    spaces = after(CALENDAR, *[Use.USEFUL] * SAMPLED)
    assert spaces.to_sample([each]) == [1]
    assert spaces.to_sample([replace(each, revealed=0)]) == []
    spaces.noise[1] = Novelty(0, 0, 0, 0)
    assert spaces.to_sample([each]) == []


def test_what_a_useful_pattern_reveals_is_not_endless_by_that() -> None:
    """Decisions by day, of which lists by month go on: the lists decide."""
    day = replace(CALENDAR, id=2, pattern="/c/{day}", waiting=500, revealed=28, depth=DEPTH)
    spaces = after(day, *[Use.NOTHING] * PATIENCE)
    (grant,) = spaces.grants([day], [Feed(1, 2, age=0)], stops=True)
    assert (grant.reason, grant.depth) == ("", DEPTH)
    assert 0 < grant.urls <= 8
    after(day, *[Use.NOTHING] * ENOUGH, spaces=spaces)
    (grant,) = spaces.grants([day], [Feed(2, 2, age=0)], stops=True)
    assert grant.reason
    assert grant.is_endless


def test_leaves_that_are_still_revealed_keep_no_space_alive() -> None:
    """Of 100 commits all are known; each still reveals its own files."""
    commit = replace(CALENDAR, waiting=40, depth=DEPTH)
    blob = replace(CALENDAR, id=2, pattern="/c/{day}", waiting=400, depth=DEPTH)
    spaces = after(commit, *[Use.NOTHING] * ENOUGH)
    after(blob, *[Use.NOTHING] * ENOUGH, spaces=spaces)
    leaves = [Feed(1, 1, age=RECENT), Feed(1, 2, age=0)]
    assert [grant.reason for grant in spaces.grants([commit, blob], leaves, stops=True)] == ["", ""]
    alive = [Feed(1, 1, age=RECENT - 1), Feed(1, 2, age=0)]
    assert all(grant.reason for grant in spaces.grants([commit, blob], alive, stops=True))


def test_a_variant_of_the_page_without_its_query_says_nothing_new() -> None:
    text = "A story about a fox and a hen that lived beside each other in a yard for many years"
    variant = page(text, base=f"The fox\nThe fox. {text} and what came of that")
    assert judged(variant) == [Use.NOTHING]
    assert judged(variant._replace(base="The fox\nAnother text")) == [Use.USEFUL]
