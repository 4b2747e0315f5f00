"""Learning from the browser's gain on earlier pages whether the next page of a kind needs it.

Kinds are signatures (``detect.RenderSignature``). The store keeps the tallies on three levels: the
site, the family (the same scripts and hints), and the family's pages of one URL template.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from sitemapgen.core.rendering.detect import RenderSignature, RenderVerdict

MISSING_WORDS = 0.4
"""Minimum share of a rendered page's words, missing in its raw document, that counts as a gain."""
OVERRULED = 2
"""Renders in a row without gain after which a template that never gained is rendered no more."""
FAMILY_OVERRULED = 4
"""Renders in a row without gain in a family, after which its new templates are not rendered."""
PATIENCE = 8
"""Renders in a row without gain after which a template that has gained before counts as static."""
REPEATED = 2
"""What a render counts as that only added links to URLs that were known: a menu on every page. It
shows what scripts do on pages of its kind, which one that adds nothing does not."""
LARGE_TEMPLATE = 4
"""Pages of one template from which one is sampled though its family has gained nothing. Of the
whole family two from twice this number, three from four times, and so on, by its templates' sizes.
"""
MANY_FAMILIES = 12
"""Maximum samples of new families without any gain; on larger sites 2 % of the pages instead."""

FRUITLESS_WAITS = 4
"""Pages of one signature whose content never came within the browser's wait, after which it waits
only for samples of that signature."""
FAMILY_FRUITLESS_WAITS = 12
"""Pages of a family whose content never came within the browser's wait, after which it does not
wait for pages of its new templates."""

GUESSES = frozenset({"always", "learned", "sampled"})
"""Reasons for rendering a page that may be complete without a browser."""
WHOLE = GUESSES | {"writes_links"}
"""Reasons for rendering a page whose own document shows no lack: it gains only what is new for the
whole site, as a menu that scripts add everywhere is learnt from a few pages."""

TEXT, LINKS, METADATA = 1, 2, 4
"""Bits of ``Gain.bits``."""

_EMPTY = "the server sends an empty page that scripts fill"
_KIND = "other pages of its kind show more in a browser"

RENDERED_FOR = {
    "challenge": "a script checks the browser before the page is shown",
    "moves": "a script leads to the content",
    "empty_mount": "scripts fill the page",
    "open_boundary": "a part of the page is sent as a script",
    "thin_and_linkless": "the server sends hardly any text, and no link",
    "asks_for_scripts": "the page asks visitors to switch on JavaScript",
    "lazy_fragment": "a script loads a part of the page",
    "placeholder": "the server sends a placeholder such as Loading",
    "writes_links": "a script writes links",
    "like_random_path": "the server sends the same document for every path",
    "learned": _KIND,
    "sampled": _KIND,
    "always": "all pages are read in a browser (render=always)",
    "seed_short_html": _EMPTY,
    "seed_root_and_empty_body": _EMPTY,
    "seed_empty_body_and_many_scripts": _EMPTY,
    "seed_low_ratio_and_root": "an element for scripts to fill, and little besides scripts",
}
"""Each reason of ``RenderDecision`` for rendering a page -> a clause."""

_SEPARATORS = re.compile(r"[\s,]+")


class Waiting(Enum):
    """Outcome for the content that a page in the browser seemed to lack."""

    NONE = ""
    """No content was missing."""
    CAME = "came"
    VAIN = "vain"
    """The browser waited, and the content did not come."""
    DENIED = "denied"
    """The browser did not wait."""
    IDLE = "idle"
    """Nothing was pending that could have brought the content."""


class Patience(NamedTuple):
    """Number of pages of one kind for which waiting brought content (came) and did not (vain)."""

    came: int = 0
    vain: int = 0


class WaitRecord(NamedTuple):
    """What waiting has brought before a page of some signature is rendered."""

    template: Patience = Patience()
    family: Patience = Patience()
    is_sample: bool = False
    """The page itself was chosen to be waited for."""


class RenderTally(NamedTuple):
    """Results of rendering on one level."""

    seen: int = 0
    """Pages with scripts, rendered or not."""
    rendered: int = 0
    gained: int = 0
    """Rendered pages with a gain."""
    dry: int = 0
    """Latest rendered pages in a row without gain; each counts 1 or ``REPEATED``."""
    is_static: bool = False
    """Of a template: whether an earlier run rendered pages of it, and none gained."""


class RenderRecord(NamedTuple):
    """Tallies of a page's signature before the page is judged."""

    template: RenderTally = RenderTally()
    family: RenderTally = RenderTally()
    is_sample: bool = False
    """Whether ``choose_samples`` chose the page to be read again."""


class RenderDecision(NamedTuple):
    """Whether to render a page, with the reason."""

    render: bool
    reason: str
    """A reason of the verdict; or ``learned`` (earlier pages decide), ``sampled``."""
    is_counted: bool = True
    """Whether the store counts the page in its tallies, from which later decisions follow."""


def decide_rendering(
    verdict: RenderVerdict, record: RenderRecord, *, is_classic: bool = False
) -> RenderDecision:
    """Decide whether to render a page, by its document and the gain on other pages of its kind.

    ``is_classic``: by its document alone.
    """
    needs, reasons = verdict
    reason = reasons[0]
    if is_classic or reason in ("no_script", "noindex", "challenge"):
        return RenderDecision(needs, reason, is_counted=False)
    here, family, is_sample = record
    if here.gained:
        is_believed = here.dry < PATIENCE
    else:
        is_new_and_dry = not here.rendered and family.dry >= FAMILY_OVERRULED
        is_believed = needs and here.dry < OVERRULED and not is_new_and_dry
    if is_believed:
        return RenderDecision(True, reason if needs else "learned")
    if is_sample:
        return RenderDecision(True, "sampled")
    return RenderDecision(False, "learned" if needs or here.rendered else reason)


def is_patient(waits: WaitRecord) -> bool:
    """Decide whether the browser waits for content that a page of a kind seems to lack.

    It always waits for a template for which waiting has ever brought content, so that an API that
    is slow at times loses no page. Only kinds that poll forever, or always show a spinner (a live
    score beside a complete article), must not cost the full wait on every page.
    """
    template, family, is_sample = waits
    if is_sample or template.came:
        return True
    is_hopeless = not template.vain and family.vain >= FAMILY_FRUITLESS_WAITS and not family.came
    return template.vain < FRUITLESS_WAITS and not is_hopeless


def second_looks(denied: int, looked: int) -> int:
    """Return how many pages of a signature, read without the wait, are read again with it.

    ``denied``: pages of the signature read without the wait; ``looked``: those already read again.
    As for samples of pages that are not rendered: one of 4, two of 8, three of 16.
    """
    return max(0, ((denied + looked) // LARGE_TEMPLATE).bit_length() - looked)


def choose_samples(tallies: Mapping[RenderSignature, RenderTally]) -> dict[RenderSignature, int]:
    """Choose how many pages of each signature are read again, with the browser.

    ``tallies`` are those of all levels. Once no request is in flight, the choice does not
    depend on the order of responses: pages of templates with a gain, more each time until all were
    read or ``PATIENCE`` has ended; one of each template whose family has a gain, whose anchors
    scripts seem to fill or whose lists seem to go on; one of each new family; and a falling share
    of those without gain. A static template is left alone until a page of it is rendered;
    not one whose lists may go on once they are longer. What an earlier run has found static may not
    have been seen in this one.
    """
    site = tallies.get(RenderSignature(), RenderTally())
    chosen: dict[RenderSignature, int] = {}
    new: dict[str, tuple[int, int, RenderSignature]] = {}
    filled: list[tuple[int, int, RenderSignature]] = []
    templates = {
        signature: here
        for signature, here in tallies.items()
        if signature.template
        and here.seen
        and (here.rendered or signature.is_sampled or not here.is_static)
    }
    for signature, here in templates.items():
        family = tallies[RenderSignature(signature.family)]
        if here.gained and here.dry < PATIENCE:
            chosen[signature] = max(2 * here.gained, -(-(PATIENCE - here.dry) // REPEATED))
        elif not family.rendered:
            # Lists are nearer to the root than the pages that they list, and are few.
            depth = signature.template.count("/") if signature.template != "/" else 0
            rank = (-family.seen, depth, signature)
            new[signature.family] = min(new.get(signature.family, rank), rank)
        elif family.gained and not here.rendered:
            chosen[signature] = 1
        elif signature.is_sampled and not here.rendered:
            filled.append((-here.seen, signature.template.count("/"), signature))
        elif not here.rendered:
            if here.seen >= LARGE_TEMPLATE:
                chosen[signature] = 1
        else:
            whole = here if family.gained else family
            share = (whole.seen // LARGE_TEMPLATE).bit_length() * here.seen / whole.seen
            enough = math.ceil(share)
            repeats = 0 if family.gained else family.dry - family.rendered
            left = enough - max(here.dry, REPEATED * repeats)
            if left > 0:
                chosen[signature] = -(-left // REPEATED) if here.dry > here.rendered else left
    # Many families can mean that signatures fail to distinguish kinds of pages.
    many = max(MANY_FAMILIES, site.seen // 50)
    looked_at = sum(
        bool(here.rendered) for signature, here in templates.items() if signature.is_sampled
    )
    budget = many - (0 if site.gained else site.dry)
    first = [*sorted(new.values())[: max(budget, 0)], *sorted(filled)[: max(many - looked_at, 0)]]
    for *_, signature in first:
        chosen[signature] = 1
    return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedReading:
    """Content of a document, raw or rendered, as far as the two are compared."""

    links: AbstractSet[str] = frozenset()
    """Normalised URLs of the site."""
    nofollow: AbstractSet[str] = frozenset()
    """Those to which all of its links are nofollow."""
    words: AbstractSet[str] = frozenset()
    label_words: AbstractSet[str] = frozenset()
    """The words in the texts of links."""
    title: str = ""
    robots: str = ""
    noindex: str = ""
    """The directive that forbids indexing; empty without one."""
    canonical: str = ""
    """Normalised URLs, separated by spaces."""
    length: int = 0
    """Characters of the main text."""


class Gain(NamedTuple):
    """Content that the browser added to a document."""

    links: int = 0
    words: int = 0
    """Distinct new words, if more than ``MISSING_WORDS`` of the page's; else 0."""
    directives: int = 0
    """Number of changes among title, robots and canonical URL."""

    @property
    def is_any(self) -> bool:
        """Whether there is any gain."""
        return any(self)

    @property
    def bits(self) -> int:
        """The kinds of gain: the sum of ``TEXT``, ``LINKS`` and ``METADATA``."""
        return TEXT * bool(self.words) + LINKS * bool(self.links) + METADATA * bool(self.directives)


def decorated_links(static: ComparedReading, rendered: ComparedReading) -> frozenset[str]:
    """Return links of the raw document to which scripts only added a query: a random ``?sid=``."""
    got = {link.partition("?")[0] for link in rendered.links - static.links if "?" in link}
    return frozenset(link for link in static.links - rendered.links if link in got)


def removed_links(static: ComparedReading, rendered: ComparedReading) -> frozenset[str]:
    """Return links of the raw document that scripts removed, such as that to the next page.

    Not those to which they only added a query.
    """
    removed = static.links - rendered.links - decorated_links(static, rendered)
    return frozenset(removed - static.nofollow)


def added_links(static: ComparedReading, rendered: ComparedReading) -> frozenset[str]:
    """Return the links that scripts added; one that only got a query (``?sid=``) is none."""
    lost = {link.partition("?")[0] for link in static.links - rendered.links}
    new = rendered.links - static.links
    return frozenset(link for link in new if link.partition("?")[0] not in lost)


def compare_readings(
    static: ComparedReading, rendered: ComparedReading, *, is_whole: bool = False
) -> Gain:
    """Compare the raw and the rendered reading of a document.

    A few words (a banner, the time) are no gain, and a title counts only if there was none.
    ``is_whole``: the document lacks nothing by itself, so that the words of a menu are none either.
    """
    new = rendered.words - static.words
    words = len(new - rendered.label_words if is_whole else new)
    if words <= MISSING_WORDS * len(rendered.words):
        words = 0
    directives = (
        (bool(rendered.title) and not static.title)
        + (_split_directives(rendered.robots) != _split_directives(static.robots))
        + (rendered.canonical != static.canonical and bool(rendered.canonical))
    )
    return Gain(len(added_links(static, rendered)), words, directives)


def is_empty(rendered: ComparedReading, url: str, minimum: int) -> bool:
    """Return whether a rendered page has under ``minimum`` characters and links only to itself."""
    return rendered.length < minimum and rendered.links <= {url}


def _split_directives(robots: str) -> frozenset[str]:
    return frozenset(filter(None, _SEPARATORS.split(robots.lower())))
