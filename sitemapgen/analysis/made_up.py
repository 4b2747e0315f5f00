"""Proof that a site makes up its pages, by its answers to URLs that no page links to.

An honest server has no such page, or the same sentence for each, or a short hint. One that answers
every URL with a text of its own and with further links has no end by construction.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.document.novelty import ENOUGH_CHARACTERS, NONE, difference

if TYPE_CHECKING:
    from collections.abc import Sequence

LENGTH = 0.5
"""How long their texts have to be, as a share of the usual length: a page that offers near words is
short."""


class MadeUp(NamedTuple):
    """What a URL answered that no page links to."""

    url: str
    sketch: bytes
    """Empty if it was no page."""
    reveals: bool
    """Whether it links to URLs of its kind that were not known."""
    length: int
    """Characters of its main text."""
    title: str = ""


def proof(answers: Sequence[MadeUp], usual_length: float) -> str:
    """Describe how these answers prove it; empty if they do not.

    ``usual_length``: characters of the main text of the pages that links lead to, in the mean.
    """
    if len(answers) < 2 or not all(
        answer.reveals and answer.length >= LENGTH * usual_length for answer in answers
    ):
        return ""
    urls = [answer.url for answer in answers]
    for one, other in permutations(answers, 2):
        if not difference(one.sketch, other.sketch, urls).exceeds(NONE):
            return ""
    return f"it answers URLs that no page links to with pages of their own: {', '.join(urls)}"


def is_prose(answers: Sequence[MadeUp]) -> bool:
    """Report whether each answer has a title and sentences that none of the others has.

    A shop that shows some of its products where one is missing has other products each time, under
    one title.
    """
    urls = [answer.url for answer in answers]
    titles = {answer.title.casefold() for answer in answers}
    return len(titles) == len(answers) and all(
        difference(one.sketch, other.sketch, urls).characters >= ENOUGH_CHARACTERS
        for one, other in permutations(answers, 2)
    )
