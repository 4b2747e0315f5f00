"""How the budget of a pattern grows, and when it is a trap."""

from __future__ import annotations

import pytest

from sitemapgen.analysis.traps import NOTORIOUS, TEMPERS, Ledger, PatternPage, balance, useful
from sitemapgen.core.novelty import sketch


def ledger(kind: str = "calendar", **fields: int) -> Ledger:
    return Ledger(kind=kind, pattern="/x", family="/x", **fields)  # type: ignore[arg-type]


def page(text: str, url: str = "/x", **fields: object) -> PatternPage:
    values: dict[str, object] = {
        "kind": "",
        "pattern": "/x",
        "key": 1,
        "url": url,
        "verdict": "listed",
        "is_copy": False,
        "title": "",
        "excerpt": text,
        "text_hash": None,
        "sketch": sketch([text], ()),
        "base": None,
    }
    return PatternPage(**{**values, **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", TEMPERS)
def test_a_pattern_begins_small_grows_with_news_and_ends_without(kind: str) -> None:
    first = balance(ledger(kind), 0, 0)
    assert (first.batch, first.is_trap) == (TEMPERS[kind].first, False)
    account, known = first, 0
    for _ in range(5):
        known += account.batch
        grown = balance(ledger_after(account, account.batch), known, 0)
        assert (grown.batch, grown.is_trap) == (account.batch * 2, False)
        account = grown
    spent = 0
    while not account.is_trap:
        released = min(account.batch, 10)  # as much as was waiting
        spent += released
        account = balance(ledger_after(account, released), known, 0)
        assert spent < 200
    assert spent >= TEMPERS[kind].patience


def of(kind: str, pages: list[PatternPage]) -> list[PatternPage]:
    return [one._replace(kind=kind) for one in pages]


def ledger_after(account: Ledger, released: int) -> Ledger:
    from dataclasses import replace

    return replace(account, released=released)


def test_a_notorious_family_is_only_sampled() -> None:
    assert balance(ledger("facets"), 0, NOTORIOUS).batch == 2
    assert balance(ledger("facets", released=2, batch=2), 0, NOTORIOUS).is_trap
    assert not balance(ledger("facets", released=2, batch=2), 2, NOTORIOUS).is_trap


def test_months_without_events_say_nothing_new() -> None:
    months = [page(f"{year}: no events") for year in range(2031, 2035)]
    assert useful(of("calendar", months)) == [True, False, False, False]
    meeting = page("2035: the annual assembly of members")
    assert useful(of("calendar", [*months, meeting]))[-1]


def test_what_most_months_say_is_their_form_also_where_it_comes_first() -> None:
    months = [page(f"{year}: no events") for year in range(2031, 2042)]
    assembly = page("2042: the annual assembly of members; no events")
    assert useful(of("calendar", [*months, assembly])) == [False] * 11 + [True]
    assert useful(of("pagination", [*months, assembly])) == [True] + [False] * 10 + [True]


def test_things_may_differ_by_a_number() -> None:
    items = [page(f"Item {number}") for number in range(4)]
    assert useful(of("numbers", items)) == [True] * 4
    assert useful(of("numbers", [*items, page("Item 0")]))[-1] is False


def test_a_copy_of_another_page_is_nothing_new() -> None:
    assert useful(of("numbers", [page("Item", is_copy=True)])) == [False]
    assert useful(of("calendar", [page("Item", is_copy=True)])) == [False]


def test_a_variant_of_the_page_without_its_query_is_nothing_new() -> None:
    variant = page(
        "Red leather shoes for rainy days, printed 7",
        base="\nRed leather shoes for rainy days, printed 8",
    )
    assert useful(of("parameter", [variant])) == [False]


@pytest.mark.parametrize("verdict", ["http_error", "redirect", "not_html", "fetch_error"])
def test_what_is_no_page_says_nothing(verdict: str) -> None:
    assert useful(of("numbers", [page("Item", verdict=verdict)])) == [False]
    assert useful(of("calendar", [page("Item", verdict=verdict)])) == [False]


def test_filters_and_identifiers() -> None:
    """The same texts: with 8 values of each parameter filters, with 20 identifiers."""
    filters = [page(f"Shown {n}", f"/x?colour={n % 8}&size={n // 8}") for n in range(20)]
    assert sum(useful(of("facets", filters))) == 0
    things = [page(f"Shown {n}", f"/x?cat=1&id={n}") for n in range(20)]
    assert sum(useful(of("facets", things))) == 20
