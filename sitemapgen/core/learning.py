"""What did the browser add to earlier pages of a kind, and does the next one need it?

Kinds are signatures: ``rendering.signature``. What was learned is kept in the store, on three
levels: the site, the family (the same scripts and hints), the family's pages of one URL template.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.rendering import DEFAULT, SEED, judge

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from sitemapgen.core.rendering import Policy, Raw

MISSING_WORDS = 0.4
"""Share of a rendered page's words that its raw document lacks: then it needs the browser."""
OVERRULED = 2
"""Renders in a row that added nothing: then a template's documents may look as they want."""
FAMILY_OVERRULED = 4
"""The same for a whole family, before its new templates are no longer believed."""
PATIENCE = 8
"""Renders in a row that added nothing before a template that once gained is called static."""
LARGE_TEMPLATE = 5
"""Pages of one template, of which one is rendered though its family has gained nothing."""
FIRST_SHARE = 16
"""One page of so many is rendered at first, to check again; half as many with each that is dry."""
MANY_FAMILIES = 12
"""Families that gained nothing: on such a site a new family is no longer rendered at sight."""

_SEPARATORS = re.compile(r"[\s,]+")


class Tally(NamedTuple):
    """What rendering has brought, on one level."""

    seen: int = 0
    """Pages with scripts, rendered or not."""
    rendered: int = 0
    gained: int = 0
    """Rendered pages to which the browser added something."""
    dry: int = 0
    """Rendered pages in a row to which it added nothing."""


class Record(NamedTuple):
    """What is known before a page of some signature is judged."""

    template: Tally = Tally()
    family: Tally = Tally()
    site: Tally = Tally()


class Decision(NamedTuple):
    """Whether to render a page, and why or why not."""

    render: bool
    reason: str
    """A reason of ``rendering.judge``; or ``learned`` (earlier pages decide), ``sampled``."""


def decide(
    raw: Raw, key: int, record: Record, shell: Raw | None = None, policy: Policy = DEFAULT
) -> Decision:
    """Decide about a page by its document and by what rendering added to others of its kind.

    ``key`` is that of its URL and chooses the samples; ``shell`` is what a path that cannot exist
    answers.
    """
    needs, reasons = judge(raw, policy, shell)
    reason = reasons[0]
    if policy.rule == SEED or reason in ("no_script", "noindex", "challenge"):
        return Decision(needs, reason)
    here, family, site = record
    if here.gained:
        return _unless_dry(here, PATIENCE, key, Decision(True, reason if needs else "learned"))
    if needs:
        if not here.rendered and family.dry >= FAMILY_OVERRULED:
            return _sample(family, key)
        return _unless_dry(here, OVERRULED, key, Decision(True, reason))
    if here.rendered:
        return _sample(here, key)
    if family.gained:
        return Decision(True, "learned")
    if not family.rendered:
        # So many kinds of pages that their signatures tell nothing apart.
        if site.dry < MANY_FAMILIES or key % FIRST_SHARE == 0:
            return Decision(True, "sampled")
    elif here.seen + 1 == LARGE_TEMPLATE:
        return Decision(True, "sampled")
    return _sample(family, key)


def _unless_dry(here: Tally, patience: int, key: int, decision: Decision) -> Decision:
    return decision if here.dry < patience else _sample(here, key)


def _sample(here: Tally, key: int) -> Decision:
    """Check a kind of pages again, the more rarely the longer it has been dry.

    Chosen by the URL, so that no run chooses others: who is in the rare sample is in all.
    """
    if key % (FIRST_SHARE << min(here.dry, 20)) == 0:
        return Decision(True, "sampled")
    return Decision(False, "learned")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a document says, raw or rendered, as far as the two are compared."""

    links: AbstractSet[str] = frozenset()
    """Normalised URLs of the site."""
    words: AbstractSet[str] = frozenset()
    title: str = ""
    robots: str = ""
    canonical: str = ""


class Gain(NamedTuple):
    """What the browser added to a document."""

    links: int = 0
    words: int = 0
    """Distinct words, if they are many of the page's; else 0."""
    directives: int = 0
    """How many of title, robots and canonical URL it changed."""

    @property
    def is_any(self) -> bool:
        """Whether it was worth the browser."""
        return any(self)


def gain(static: Reading, rendered: Reading) -> Gain:
    """Compare two readings of a document.

    A link that only got a query (a random ``?sid=``) is no new one, a few words (a banner, the
    time) are no gain, and of titles only one where there was none.
    """
    lost = {link.partition("?")[0] for link in static.links - rendered.links}
    links = sum(link.partition("?")[0] not in lost for link in rendered.links - static.links)
    words = len(rendered.words - static.words)
    if words <= MISSING_WORDS * len(rendered.words):
        words = 0
    directives = (
        (bool(rendered.title) and not static.title)
        + (_parts(rendered.robots) != _parts(static.robots))
        + (rendered.canonical != static.canonical and bool(rendered.canonical))
    )
    return Gain(links, words, directives)


def _parts(robots: str) -> frozenset[str]:
    return frozenset(filter(None, _SEPARATORS.split(robots.lower())))
