"""Proof that a site makes up its pages, by its responses to URLs that no page links to.

A legitimate server has no such page, or the same sentence for each, or a short hint. One that
answers every URL with a different text and with further links is endless by construction, unless
it shows some page of its own in place of the missing one: such a response is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION
from sitemapgen.core.document.novelty import ENOUGH_CHARACTERS, novelty_between

ANSWERS = 2
"""Number of URLs without a link to them that are requested first."""
LENGTH = 0.5
"""Minimum length of their texts, as a share of the usual length: a page that suggests similar words
is short."""
EXAMPLES = 3
"""URLs that a proof names."""


class MadeUp(NamedTuple):
    """Response of a URL that no page links to."""

    url: str
    sketch: bytes
    """Sketch of the page; empty if it was not a page."""
    reveals: bool
    """Whether it links to new URLs of its kind, and is not a copy of a page of the site."""
    length: int
    """Characters of its main text."""
    title: str = ""


def judge_answers(answers: Sequence[MadeUp], usual_length: float) -> tuple[str, int]:
    """Return the proof that a directory makes up its pages, or how many URLs to ask it for in all.

    ``ANSWERS`` alone prove nothing of its pages: a law needs ``WITHOUT_EXCEPTION`` of them.
    """
    reason = describe_proof(answers, usual_length) if is_prose(answers) else ""
    if not reason or len(answers) >= WITHOUT_EXCEPTION:
        return reason, len(answers)
    return "", WITHOUT_EXCEPTION if len(answers) == ANSWERS else len(answers)


def describe_proof(answers: Sequence[MadeUp], usual_length: float) -> str:
    """Describe how these responses prove it; empty if they do not.

    ``usual_length``: mean characters of the main text of linked pages.
    """
    if len(answers) < 2 or not all(
        answer.reveals and answer.length >= LENGTH * usual_length for answer in answers
    ):
        return ""
    urls = [answer.url for answer in answers]
    for one, other in permutations(answers, 2):
        if not novelty_between(one.sketch, other.sketch, urls).is_content:
            return ""
    some = _some(answers)
    return f"it answers {len(urls)} URLs that no page links to with pages of their own: {some}"


def describe_alike(answers: Sequence[MadeUp], again: int) -> str:
    """Describe that made-up URLs are answered as the last ``again`` pages were."""
    return (
        f"the last {again} fetched pages have the title and text of earlier ones, in their order, "
        f"and so have {len(answers)} URLs that no page links to: {_some(answers)}"
    )


def _some(answers: Sequence[MadeUp]) -> str:
    return ", ".join(answer.url for answer in answers[:EXAMPLES])


def is_prose(answers: Sequence[MadeUp]) -> bool:
    """Return whether each response has a title and sentences that none of the others has.

    A shop that shows some of its products in place of a missing one shows different products each
    time, under the same title.
    """
    urls = [answer.url for answer in answers]
    titles = {answer.title.casefold() for answer in answers}
    return len(titles) == len(answers) and all(
        novelty_between(one.sketch, other.sketch, urls).characters >= ENOUGH_CHARACTERS
        for one, other in permutations(answers, 2)
    )
