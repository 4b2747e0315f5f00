"""How much of a suspicious pattern is fetched, and when is it a trap?

A pattern begins with a few URLs. As long as a third of what was released last said something new,
its budget doubles: a shop with 10,000 pages behind ``?id=`` is crawled to the last of them. Once
enough pages of the last releases brought nothing, the rest is left out.

What counts as new depends on what the URLs stand for. A number, an identifier or a name stands for
a thing, and two things may differ by a number alone: a page is new if its text is. A date, the
number of a page or a choice of filters stands for a view of things that other views show, too: it
is new if it says something that no view before it said, numbers not counted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.novelty import News, is_variant, sketch

if TYPE_CHECKING:
    from collections.abc import Sequence


class Temper(NamedTuple):
    """How a kind of suspicion is treated."""

    first: int
    """URLs released to begin with."""
    patience: int
    """Fruitless pages that make a trap."""


TEMPERS = {
    "repeating_path": Temper(4, 4),
    "growing_url": Temper(6, 6),
    "calendar": Temper(12, 12),
    "pagination": Temper(16, 5),  # its pages come in order: behind the last there are none
    "facets": Temper(12, 6),
    "parameter": Temper(8, 12),
    "session_id": Temper(12, 12),
    "numbers": Temper(64, 32),
}
VIEWS = frozenset({"repeating_path", "growing_url", "calendar", "pagination", "facets"})
"""Kinds whose URLs stand for views."""
FEW = 10
"""Values of a filter. An identifier has more, and a new one on at least every second page."""
NOTORIOUS = 24
"""Fruitless pages of a family, from where on its other patterns are only sampled."""
SAMPLE = Temper(2, 2)
FRUITFUL = 3
"""One page in so many has to say something new."""
SPEAKING = frozenset({"listed", "noindex", "canonicalised"})
"""Verdicts of pages that may say something: what a page lists is found although it is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """The account of one pattern."""

    kind: str
    pattern: str
    family: str
    released: int = 0
    """URLs of the last release."""
    batch: int = 0
    """The budget of the next one."""
    useful: int = 0
    """Pages that said something new, up to the last release."""
    fruitless: int = 0
    """Pages that said nothing new since a release was worth it."""
    is_trap: bool = False


class PatternPage(NamedTuple):
    """One fetched page of a pattern."""

    kind: str
    pattern: str
    key: int
    url: str
    verdict: str
    is_copy: bool
    """Whether a page outside the pattern has the same main text."""
    title: str
    excerpt: str
    text_hash: int | None
    sketch: bytes
    """``core.novelty.sketch``; empty if it was not made."""
    base: str | None
    """Title and excerpt of the page at ``core.traps.base(url)``; None if there is none."""


def useful(pages: Sequence[PatternPage]) -> list[bool]:
    """Tell for each page of a family, shortest URL first, whether it says something new."""
    views = {page.pattern for page in pages if page.kind in VIEWS} - _things(pages)
    news = News()
    # What a page shows, its views show, too.
    for base in {page.base for page in pages if page.base and page.pattern in views}:
        news.add(sketch([base], ()))
    # "No events" is what a calendar says of most days: also the first that says so is empty.
    months = [page.sketch for page in pages if page.kind == "calendar" and page.pattern in views]
    if len(months) >= TEMPERS["calendar"].first:
        news.expect(months)
    texts: set[object] = set()
    result = []
    for page in pages:
        if page.pattern in views:
            is_new = page.verdict in SPEAKING and news.add(page.sketch)
        else:
            told = f"{page.title}\n{page.excerpt}"
            text: object = page.text_hash or told
            is_variant_of_base = page.base is not None and is_variant(told, page.base)
            is_new = page.verdict == "listed" and text not in texts and not is_variant_of_base
            if page.verdict == "listed":
                texts.add(text)
        result.append(is_new and not page.is_copy)
    return result


def _things(pages: Sequence[PatternPage]) -> set[str]:
    """Tell ``?cat=3&id=1078`` from filters, whose parameters have a few values each."""
    values: dict[str, dict[str, set[str]]] = {}
    count = Counter(page.pattern for page in pages)
    for page in pages:
        if page.kind == "facets":
            parameters = values.setdefault(page.pattern, {})
            for part in page.url.partition("?")[2].split("&"):
                name, _, value = part.partition("=")
                parameters.setdefault(name, set()).add(value)
    return {
        pattern
        for pattern, parameters in values.items()
        if (most := max(map(len, parameters.values()))) > FEW and most * 2 > count[pattern]
    }


def balance(ledger: Ledger, useful_now: int, family_fruitless: int) -> Ledger:
    """Account for the last release and grant the next: ``batch`` URLs, or none to a trap."""
    temper = TEMPERS[ledger.kind] if family_fruitless < NOTORIOUS else SAMPLE
    if not ledger.released:
        return replace(ledger, batch=temper.first)
    gain = useful_now - ledger.useful
    if gain * FRUITFUL >= ledger.released:
        return replace(ledger, batch=ledger.batch * 2, useful=useful_now, fruitless=0)
    fruitless = ledger.fruitless + ledger.released - max(gain, 0)
    return replace(
        ledger,
        batch=max(temper.first // 2, 2),
        useful=useful_now,
        fruitless=fruitless,
        is_trap=fruitless >= temper.patience,
    )
