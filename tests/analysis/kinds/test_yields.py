"""When suspicious patterns get more URLs, and when they are endless."""

from collections.abc import Callable
from dataclasses import replace

from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION
from sitemapgen.analysis.kinds.made_up import MadeUp
from sitemapgen.analysis.kinds.patterns import Pattern
from sitemapgen.analysis.kinds.usefulness import PATIENCE, Lead, SuspectPage, Use
from sitemapgen.analysis.kinds.yields import DOUBT, EACH, FIRST, SHARE, Grant, Spaces
from sitemapgen.core.document.novelty import sketch_page
from sitemapgen.verdicts import Verdict
from tests.helpers.tables import for_each

CALENDAR = Pattern(
    1, "calendar", "/c/{month}", "/*/{month}", "/c/{date}", *[0] * 4, is_probed=False, is_trap=False
)


def page(text: str = "", **fields: object) -> SuspectPage:
    values: dict[str, object] = {
        "key": 1,
        "pattern": 1,
        "verdict": Verdict.LISTED,
        "is_server_error": False,
        "is_copy": False,
        "sketch": sketch_page([text], ()),
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
    assert judged(page("no events"), page("no events"))[-1] is Use.AGAIN


def test_a_list_is_useful_that_is_the_first_to_lead_to_pages() -> None:
    listed = Lead(Verdict.LISTED, None, None)
    said = page("Parts")
    assert judged(said, said._replace(leads=(listed,)))[-1] is Use.LEADS
    assert judged(said, said._replace(leads=(listed,), verdict=Verdict.NOINDEX))[-1] is Use.LEADS
    assert (
        judged(said, said._replace(leads=(Lead(Verdict.HTTP_ERROR, None, None),)))[-1] is Use.AGAIN
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


@for_each(
    ({"verdict": Verdict.NOINDEX}, Use.NOT_INDEXED),
    ({"verdict": Verdict.CANONICALISED}, Use.COPY),
    ({"is_copy": True}, Use.COPY),
    ({"verdict": Verdict.FETCH_ERROR, "sketch": b""}, Use.UNKNOWN),
    ({"verdict": Verdict.HTTP_ERROR, "sketch": b"", "is_server_error": True}, Use.UNKNOWN),
    ({"verdict": Verdict.HTTP_ERROR, "sketch": b""}, Use.ABSENT),
    ({"verdict": Verdict.NOT_HTML, "sketch": b""}, Use.FILE),
)
def test_what_may_not_be_listed_is_not_useful_for_what_it_says(
    fields: dict[str, object], use: Use
) -> None:
    assert judged(page("A text of its own", **fields)) == [use]


def grants(spaces: Spaces, *patterns: Pattern, stops: bool = True) -> dict[int, int]:
    found = spaces.grants(patterns, [], 0, stops=stops)
    return {grant.pattern: -1 if grant.reason else grant.urls for grant in found}


def test_a_pattern_gets_the_more_the_more_useful_it_was() -> None:
    waiting = replace(CALENDAR, waiting=1_000)
    assert grants(Spaces(), waiting) == {1: FIRST}
    spaces = after(CALENDAR, *[Use.USEFUL] * 20)
    assert grants(spaces, waiting) == {1: FIRST + 40}
    assert grants(spaces, replace(waiting, pending=10)) == {1: FIRST + 30}
    spaces.begin_round()
    assert grants(spaces, waiting) == {1: FIRST}


def run(
    reveals: Callable[[int], int],
    *,
    waiting: int,
    fetched: int = 0,
    most: int = 5_000,
) -> tuple[bool, int]:
    """Crawl a pattern whose pages say nothing, and reveal others.

    ``reveals``: how many, by the number of pages fetched so far; ``fetched``: other pages. Return
    whether it was called endless, and how many pages were fetched.
    """
    spaces, each, read = Spaces(), replace(CALENDAR, waiting=waiting), 0
    while read < most and each.waiting + each.pending:
        spaces.begin_round()
        after(CALENDAR, *[Use.NOTHING] * each.pending, spaces=spaces)
        new = reveals(read) - reveals(read - each.pending)
        each = replace(each, waiting=each.waiting + new, revealed=new, pending=0)
        grant: Grant | None = next(iter(spaces.grants([each], [(1, 1)], fetched, stops=True)), None)
        if grant is None or grant.reason:
            return grant is not None, read
        got = min(grant.urls, each.waiting)
        read += got
        doubt = each.doubt + grant.doubt
        each = replace(each, waiting=each.waiting - got, pending=got, doubt=doubt)
    return False, read


def test_a_finite_pattern_is_fetched_to_its_end_whatever_it_says() -> None:
    assert run(lambda _: 0, waiting=3_000) == (False, 3_000)


def test_a_space_that_branches_without_an_end_is_endless() -> None:
    is_endless, fetched = run(lambda read: 3 * read, waiting=10)
    assert is_endless
    assert DOUBT / 2 < fetched < DOUBT / 2 + 6 * FIRST


def test_a_chain_may_be_long() -> None:
    is_endless, fetched = run(lambda read: read, waiting=1)
    assert is_endless
    assert DOUBT < fetched < DOUBT + 6 * FIRST


def test_a_space_that_reveals_less_and_less_ends() -> None:
    """Timetables: each names the next ones, and all are known before all were read."""
    assert run(lambda read: min(10 * read, 900), waiting=10) == (False, 910)


def test_of_a_large_site_more_may_be_in_doubt() -> None:
    is_endless, fetched = run(lambda read: read, waiting=1, fetched=4_000)
    assert is_endless
    assert fetched > SHARE * 4_000


def test_one_useful_page_is_not_outweighed_by_many_useless_ones_before_it() -> None:
    spaces = after(CALENDAR, *[Use.NOTHING] * 57, Use.USEFUL)
    assert grants(spaces, replace(CALENDAR, waiting=100))[1] > 0


def test_a_pattern_outweighs_the_fewer_useless_pages_the_fewer_were_useful() -> None:
    def patience(useful: int) -> int:
        spaces, count = after(CALENDAR, *[Use.USEFUL] * useful), 0
        while not any(grant.doubt for grant in doubted(spaces)):
            after(CALENDAR, Use.NOTHING, spaces=spaces)
            count += 1
        return count

    def doubted(spaces: Spaces) -> list[Grant]:
        each = replace(CALENDAR, waiting=9, revealed=5_000)
        return spaces.grants([each], [(1, 1)], 0, stops=True)

    assert [patience(useful) for useful in (1, 10, 100, 1_000)] == [14, 30, 59, 59]
    assert patience(0) == 59


def test_links_to_what_is_not_there_are_no_evidence_against_what_is() -> None:
    spaces = after(CALENDAR, Use.USEFUL, *[Use.NOTHING, Use.ABSENT] * PATIENCE)
    assert spaces.tallies[1].idle == PATIENCE
    mostly = after(CALENDAR, Use.USEFUL, *[Use.ABSENT] * (PATIENCE + 1))
    assert mostly.tallies[1].idle == PATIENCE
    empty = after(CALENDAR, *[Use.ABSENT] * PATIENCE)
    assert empty.tallies[1].idle == PATIENCE
    assert grants(empty, replace(CALENDAR, waiting=500))[1] > 0  # broken links are named


def test_pages_that_are_not_there_do_not_keep_a_pattern_of_forms() -> None:
    spaces = after(CALENDAR, Use.ABSENT, *[Use.NOT_INDEXED] * WITHOUT_EXCEPTION)
    assert grants(spaces, replace(CALENDAR, waiting=500)) == {1: -1}


@for_each(Use.NOT_INDEXED, Use.COPY, Use.FILE)
def test_pages_that_may_not_be_listed_and_lead_nowhere_end_their_pattern(use: Use) -> None:
    waiting = replace(CALENDAR, waiting=500)
    assert grants(after(CALENDAR, *[use] * (WITHOUT_EXCEPTION - 1)), waiting)[1] > 0
    assert grants(after(CALENDAR, *[use] * WITHOUT_EXCEPTION), waiting) == {1: -1}
    spaces = after(CALENDAR, Use.NOTHING, *[use] * WITHOUT_EXCEPTION)  # one of them might be a page
    assert grants(spaces, waiting)[1] > 0


def test_parts_of_lists_that_repeat_others_end_their_pattern() -> None:
    """Windows of a timeline: the first ones have something new, those without events nothing."""
    waiting = replace(CALENDAR, waiting=500)
    early = [Use.USEFUL] * 9 + [Use.LIKE_BASE, Use.REPEAT] * (WITHOUT_EXCEPTION - 1)
    assert grants(after(CALENDAR, *early), waiting)[1] > 0
    assert grants(after(CALENDAR, *early, Use.REPEAT), waiting) == {1: -1}
    assert grants(after(CALENDAR, *early, Use.NOTHING, Use.REPEAT), waiting)[1] > 0


def test_a_page_repeats_others_if_it_has_neither_a_name_nor_anything_of_its_own() -> None:
    spaces = Spaces()
    items = frozenset((1, 2))
    spaces.judge(page("First of May: opened lamp seven in the hall", items=items), CALENDAR)
    part = page("lamp opened", items=items, name="Lamps (9 found)", base_name="Lamps (2 found)")
    assert spaces.judge(part, CALENDAR) is Use.LIKE_BASE, "a number of its own may be its name"
    assert spaces.judge(part, CALENDAR) is Use.REPEAT
    assert spaces.judge(part._replace(name=part.base_name), CALENDAR) is Use.REPEAT
    assert spaces.judge(part._replace(items=frozenset()), CALENDAR) is Use.LIKE_BASE
    red = part._replace(name="Red lamps", sketch=sketch_page(["lamp opened"], (), (), "Red lamps"))
    assert spaces.judge(red, CALENDAR) is Use.NOTHING
    assert spaces.judge(red._replace(base_name=""), CALENDAR) is Use.AGAIN
    assert spaces.judge(red._replace(items=frozenset((1,))), CALENDAR) is Use.NOTHING
    again = red._replace(name="Log in", items=frozenset(), is_form_again=True)
    assert spaces.judge(again, CALENDAR) is Use.NOTHING, "days without events are alike"
    assert spaces.judge(again, replace(CALENDAR, kind="facets")) is Use.REPEAT
    other = part._replace(sketch=sketch_page(["lamp closed"], ()))
    assert spaces.judge(other, CALENDAR) is Use.LITTLE


@for_each(Use.NOT_INDEXED, Use.COPY, Use.FILE)
def test_patterns_of_a_kind_that_may_not_be_listed_end_together(use: Use) -> None:
    """But only those of which a page was fetched: one pattern may differ from the others."""
    kind = [
        replace(CALENDAR, id=number, pattern=f"/?a=patch&f={number}&h=", waiting=500)
        for number in range(1, 9)
    ]
    log = replace(CALENDAR, id=9, pattern="/?a=log&h=", waiting=500)
    spaces = Spaces()
    for number in range(WITHOUT_EXCEPTION):
        spaces.count(kind[number % 7], use)
    granted = grants(spaces, *kind, log)
    assert [granted[each.id] for each in kind[:7]] == [-1] * 7
    assert granted[8] > 0
    assert granted[9] > 0
    spaces.count(kind[7], Use.USEFUL)
    assert min(grants(spaces, *kind, log).values()) > 0


def test_traps_are_fetched_slowly_where_they_are_only_reported() -> None:
    trap = replace(CALENDAR, waiting=100, is_trap=True)
    assert grants(Spaces(), trap) == {}
    assert grants(Spaces(), trap, stops=False) == {1: FIRST}


def table(number: int, *parameters: str, waiting: int = 500) -> Pattern:
    query = "&".join(sorted(parameters))
    family = "&".join(f"{name.partition('=')[0]}=" for name in sorted(parameters))
    return Pattern(
        number, "facets", f"/t?{query}", f"/*?{family}", "/t", waiting, *[0] * 3, False, False
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
    assert set(grants(Spaces(), *some)) == set(range(1, FIRST + 1))
    spaces = after(some[38], Use.USEFUL)
    assert set(grants(spaces, *some)) == {*range(1, FIRST + 1), 39}


def test_the_more_patterns_of_a_space_were_of_no_use_the_less_is_asked_of_the_next() -> None:
    def patience(others: int, *, useful: int = 0) -> int:
        """How many useless pages of the next one are fetched before it is in doubt."""
        spaces, following = Spaces(), table(99, "c=")
        some = [table(n, f"a{n}=", "b=", waiting=0) for n in range(1, others + 1)]
        for each in some:
            use = Use.USEFUL if each.id <= useful else Use.NOTHING
            after(each, *[use] * EACH, spaces=spaces)
        feeds = [(1, 99), (99, 99)]
        for count in range(1, 100):
            (grant,) = spaces.grants([*some, replace(following, revealed=5)], feeds, 0, stops=True)
            if grant.doubt:
                return count - 1
            after(following, Use.NOTHING, spaces=spaces)
        raise AssertionError

    assert [patience(others) for others in (1, 5, 10, 30, 60)] == [39, 16, 9, 2, 0]
    assert patience(20, useful=20) == 59


def left(spaces: Spaces, feeds: list[tuple[int, int]], *patterns: Pattern) -> set[int]:
    """The patterns called endless once nothing may be in doubt any more."""
    spent = replace(table(100, "x="), doubt=DOUBT, waiting=0)
    found = spaces.grants([*patterns, spent], feeds, 0, stops=True)
    return {grant.pattern for grant in found if grant.is_endless}


def test_what_reveals_itself_in_a_circle_is_endless_together() -> None:
    some = [table(n, f"a{n}=", "b=") for n in range(1, 4)]
    spaces = Spaces()
    for each in some:
        after(each, *[Use.NOTHING] * 100, spaces=spaces)
    assert left(spaces, [(1, 2), (2, 1), (1, 3)], *some) == {1, 2, 3}
    assert not left(spaces, [(77, 2)], *some)  # what reveals them is another space
    assert not left(after(some[0], Use.USEFUL, spaces=Spaces()), [(1, 1)], some[0])


def test_records_and_choices_are_not_left_out_with_their_combinations() -> None:
    views = table(1, "a=", "b=")
    record = Pattern(2, "numbers", "/t/{n}", "/*/{n}", "/t/{n}", 900, *[0] * 3, False, False)
    choice, other = table(3, "kind="), table(4, "kind=", "b=", waiting=0)
    day = replace(CALENDAR, id=5, pattern="/c/{day}", waiting=500)
    every = [replace(each, space="/t") for each in (views, record, choice, other, day)]
    spaces = Spaces()
    for each in every:
        after(each, *[Use.NOTHING] * 100, spaces=spaces)
    feeds = [(1, each.id) for each in every]
    assert left(spaces, feeds, *every) == {1, 4, 5}
    assert left(spaces, [*feeds, (3, 1)], *every) == {1, 3, 4, 5}
    after(record, *[Use.NOTHING] * DOUBT, spaces=spaces)
    assert left(spaces, feeds, *every) == {1, 2, 4, 5}


@for_each(
    (16, [2, 3], 4, False),
    (17, [2, 3], 4, True),
    (16, [2], 4, True),  # one page leads to the next
    (16, [2, 3], 3, True),
)
def test_a_choice_with_few_more_pages_is_fetched_to_its_end(
    waiting: int, sources: list[int], useful: int, *, is_left: bool
) -> None:
    views, choice = table(3, "a=", "b="), table(2, "kind=", waiting=waiting)
    spaces = after(choice, *[Use.USEFUL] * useful, *[Use.NOTHING] * (80 - useful), spaces=Spaces())
    after(views, *[Use.NOTHING] * 100, spaces=spaces)
    feeds = [(2, 3), (3, 3), *((source, 2) for source in sources)]
    assert (2 in left(spaces, feeds, views, choice)) == is_left


def test_one_space_in_doubt_is_fetched_at_a_time_and_less_of_it_beside_endless_ones() -> None:
    draws = [
        Pattern(n, "parameter", f"/{n}?no=", "/*?no=", f"/{n}", 5, *[0] * 3, False, False)
        for n in (1, 2, 3)
    ]
    draws[1] = replace(draws[1], doubt=DOUBT / 2)
    spaces = Spaces()
    for each in draws:
        after(each, *[Use.NOTHING] * 100, spaces=spaces)
    feeds = [(n, n) for n in (1, 2, 3)]
    (grant,) = spaces.grants(draws, feeds, 0, stops=True)
    assert (grant.pattern, grant.reason) == (2, "")
    endless = replace(table(9, "a=", waiting=0), is_trap=True, is_endless=True)
    left, following = spaces.grants([*draws, endless], feeds, 0, stops=True)
    assert (left.pattern, left.is_endless) == (2, True)
    assert (following.pattern, following.is_endless) == (3, False)


def answers(*texts: str, reveals: bool = True) -> list[MadeUp]:
    return [
        MadeUp(f"/x/{n}", sketch_page([text], ()), reveals, len(text))
        for n, text in enumerate(texts)
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
    spaces = after(CALENDAR, *[Use.USEFUL] * PATIENCE)
    assert spaces.to_probe([each]) == [1]
    assert spaces.to_probe([replace(each, is_probed=True)]) == []
    assert spaces.to_probe([replace(each, revealed=0)]) == []
    assert after(CALENDAR, Use.LEADS, spaces=spaces).to_probe([each]) == []


def test_a_variant_of_the_page_without_its_query_says_nothing_new() -> None:
    text = "A story about a fox and a hen that lived beside each other in a yard for many years"
    variant = page(text, base=f"The fox\nThe fox. {text} and what came of that")
    assert judged(variant) == [Use.NOTHING]
    assert judged(variant._replace(base="The fox\nAnother text")) == [Use.USEFUL]


def test_what_answers_made_up_urls_as_its_last_pages_has_no_end() -> None:
    month, waiting = page("no events"), replace(CALENDAR, waiting=1, revealed=1)
    spaces = Spaces()
    uses = [spaces.judge(month, CALENDAR) for _ in range(PATIENCE + 1)]
    after(CALENDAR, *uses[:-1], spaces=spaces)
    assert not spaces.to_probe([waiting])
    assert not spaces.makes_up(CALENDAR, answers("no events", "no events"), 0)
    after(CALENDAR, uses[-1], spaces=spaces)
    assert spaces.to_probe([waiting]) == [CALENDAR.id]
    assert "no page links to: /x/0, /x/1" in spaces.makes_up(
        CALENDAR, answers("no events", "no events", reveals=False), 0
    )
    assert not spaces.makes_up(CALENDAR, answers("no events", "no such month"), 0)
    assert not spaces.makes_up(CALENDAR, answers("no events"), 0)
    after(CALENDAR, spaces.judge(page("feast of lamps"), CALENDAR), spaces=spaces)
    assert not spaces.makes_up(CALENDAR, answers("no events", "no events"), 0)
