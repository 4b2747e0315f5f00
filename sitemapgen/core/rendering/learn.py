"""Learns from what the browser added to earlier pages of a kind whether the next one needs it.

Kinds are signatures: ``rendering.signature``. What was learned is kept in the store, on three
levels: the site, the family (the same scripts and hints), the family's pages of one URL template.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.rendering.detect import DEFAULT, FILLED, SEED, judge

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from sitemapgen.core.rendering.detect import Policy, Raw

MISSING_WORDS = 0.4
"""Share of a rendered page's words that its raw document lacks: then it needs the browser."""
OVERRULED = 2
"""Renders in a row that added nothing: then a template's documents may look as they want."""
FAMILY_OVERRULED = 4
"""The same for a whole family, before its new templates are no longer believed."""
PATIENCE = 8
"""Renders in a row that added nothing before a template that once gained is called static."""
LARGE_TEMPLATE = 4
"""Pages of one template, of which one is sampled though its family has gained nothing; of twice
as many two, and so on."""
MANY_FAMILIES = 12
"""Samples of new families in a row that gained nothing: then 2 % of the pages are enough."""

FRUITLESS_WAITS = 4
"""Pages of one signature for whose content the browser waited in vain, and never otherwise: then
it waits for samples of the others only."""
FAMILY_FRUITLESS_WAITS = 12
"""The same for a whole family, before its new templates are not waited for either."""

_SEPARATORS = re.compile(r"[\s,]+")
_ALL = 1 << 60


class Waiting(Enum):
    """What became of the content that a page in the browser seemed to wait for."""

    NONE = ""
    """Nothing was missing."""
    CAME = "came"
    VAIN = "vain"
    """It was waited for, and did not come."""
    DENIED = "denied"
    """It was not waited for."""
    IDLE = "idle"
    """Nothing was under way that could have brought it."""


class Patience(NamedTuple):
    """How often waiting for pages of one kind has brought something, and how often not."""

    came: int = 0
    vain: int = 0


class Waits(NamedTuple):
    """What waiting has brought before a page of some signature is rendered."""

    template: Patience = Patience()
    family: Patience = Patience()
    is_sample: bool = False
    """The page itself was chosen to be waited for."""


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
    is_sample: bool = False
    """The page itself was chosen by ``samples`` to be read again."""


class Decision(NamedTuple):
    """Whether to render a page, and why or why not."""

    render: bool
    reason: str
    """A reason of ``rendering.judge``; or ``learned`` (earlier pages decide), ``sampled``."""
    is_counted: bool = True
    """Whether the store is to count the page: others may learn from it."""


def decide(
    raw: Raw, record: Record, shell: Raw | None = None, policy: Policy = DEFAULT
) -> Decision:
    """Decide about a page by its document and by what rendering added to others of its kind.

    ``shell`` is what a path that cannot exist answers.
    """
    needs, reasons = judge(raw, policy, shell)
    reason = reasons[0]
    if policy.rule == SEED or reason in ("no_script", "noindex", "challenge"):
        return Decision(needs, reason, is_counted=False)
    here, family, is_sample = record
    if here.gained:
        is_believed = here.dry < PATIENCE
    else:
        is_new_and_dry = not here.rendered and family.dry >= FAMILY_OVERRULED
        is_believed = needs and here.dry < OVERRULED and not is_new_and_dry
    if is_believed:
        return Decision(True, reason if needs else "learned")
    if is_sample:
        return Decision(True, "sampled")
    return Decision(False, "learned" if needs or here.rendered else reason)


def is_patient(waits: Waits) -> bool:
    """Decide whether the browser waits for content that a page of a kind seems to lack.

    Where that has ever brought something it always waits: an API that is slow now and then costs
    no page. What must not cost the whole wait page after page is a kind that polls for ever or
    keeps a spinner in sight, such as a live score beside a complete article.
    """
    template, family, is_sample = waits
    if is_sample or template.came:
        return True
    is_hopeless = not template.vain and family.vain >= FAMILY_FRUITLESS_WAITS and not family.came
    return template.vain < FRUITLESS_WAITS and not is_hopeless


def second_looks(denied: int, looked: int) -> int:
    """Count how many pages that were not waited for are read again, with the wait.

    ``denied``: of one signature; ``looked``: how many of it were read again already. As of the
    pages that are not rendered: of 4 one, of 8 two, of 16 three.
    """
    return max(0, ((denied + looked) // LARGE_TEMPLATE).bit_length() - looked)


def samples(tallies: Mapping[str, Tally]) -> dict[str, int]:
    """Choose how many pages of which signatures are read again, with the browser.

    ``tallies`` are those of every level, by its name. Once nothing is in flight this depends on
    no order of answers: all pages of templates that turned out to gain, one of each template whose
    family did, or whose anchors scripts seem to fill, one of each new family, and ever fewer of
    what has stayed dry.
    """
    site = tallies.get("", Tally())
    chosen: dict[str, int] = {}
    new: dict[str, tuple[int, int, str]] = {}
    filled: list[tuple[int, int, str]] = []
    for name, here in tallies.items():
        family_name, space, place = name.partition(" ")
        if not space:
            continue
        family = tallies[family_name]
        if here.gained and here.dry < PATIENCE:
            chosen[name] = _ALL
        elif not family.rendered:
            # Lists stand nearer to the root than what they list, and are few.
            depth = place.count("/") if place != "/" else 0
            rank = (-family.seen, depth, name)
            new[family_name] = min(new.get(family_name, rank), rank)
        elif family.gained and not here.rendered:
            chosen[name] = 1
        elif name.startswith(FILLED) and not here.rendered:
            filled.append((-here.seen, place.count("/"), name))
        elif here.seen >= LARGE_TEMPLATE:
            wanted = (here.seen // LARGE_TEMPLATE).bit_length()
            if wanted > here.rendered:
                chosen[name] = wanted - here.rendered
    # So many kinds of pages can be a sign that their signatures tell nothing apart.
    many = max(MANY_FAMILIES, site.seen // 50)
    looked_at = sum(
        bool(here.rendered) for name, here in tallies.items() if name[:1] == FILLED and " " in name
    )
    budget = many - (0 if site.gained else site.dry)
    first = [*sorted(new.values())[: max(budget, 0)], *sorted(filled)[: max(many - looked_at, 0)]]
    for *_, name in first:
        chosen[name] = 1
    return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a document says, raw or rendered, as far as the two are compared."""

    links: AbstractSet[str] = frozenset()
    """Normalised URLs of the site."""
    words: AbstractSet[str] = frozenset()
    title: str = ""
    robots: str = ""
    noindex: str = ""
    """The directive that forbids indexing; empty when none does."""
    canonical: str = ""
    """Normalised URLs, with a space between them."""
    length: int = 0
    """Characters of the main text."""


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


def decorated(static: Reading, rendered: Reading) -> frozenset[str]:
    """Links that the document had, and that scripts only gave a query: a random ``?sid=``."""
    got = {link.partition("?")[0] for link in rendered.links - static.links if "?" in link}
    return frozenset(link for link in static.links - rendered.links if link in got)


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


def is_empty(rendered: Reading, url: str, minimum: int) -> bool:
    """Whether a rendered page shows hardly a word, and links to no other page of the site."""
    return rendered.length < minimum and rendered.links <= {url}


def _parts(robots: str) -> frozenset[str]:
    return frozenset(filter(None, _SEPARATORS.split(robots.lower())))
