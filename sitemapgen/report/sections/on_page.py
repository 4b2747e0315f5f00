"""The section ``on_page``: faults of single pages, and the types of their structured data.

``PAGE_FAULTS`` has each fault with its words; what is to be fixed, the metrics of ``--fail-on`` and
the parts of the section derive from it. The facts: ``core/document/on_page.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import nsmallest
from typing import Any, Literal, NamedTuple

from sitemapgen.core.url_forms import template
from sitemapgen.items import OnPage
from sitemapgen.report.dataset import EXAMPLES, count_part

MIN_WORDS = 50
"""Words of the main text below which a page has little content; Google names no number."""
KINDS = 5
"""Maximum number of kinds of pages that are named for a type of structured data."""
KEPT = 2_000
"""Number of pages with a fault from which only the examples are kept."""


class PageFault(NamedTuple):
    """A fault that the pages have whose column of urls.csv fits a value."""

    id: str
    severity: Literal["error", "warning", "notice"]
    column: str
    fits: str
    """A value of a filter: ``>`` or ``<`` and a number."""
    title: str
    what: str
    """What such pages have, with ``{total:,}`` for the sum of the column."""
    remedy: str
    """What is to be done, inflected by ``core.words.inflect``."""
    why: str
    unit: str = ""
    """What the column counts, one; empty if ``structured_data_faults`` has the details."""


PAGE_FAULTS = (
    PageFault(
        "several_h1s",
        "notice",
        "h1s",
        ">1",
        "Several h1",
        "more than one main heading (h1)",
        "keep the one that names the subject, and make the others h2",
        "Search engines and screen readers do not see which heading names the page.",
        "h1",
    ),
    PageFault(
        "images_without_alt",
        "warning",
        "images_without_alt",
        ">0",
        "Images without alt",
        "images without an alt attribute, {total:,} in all",
        'describe what each image shows, or write alt="" where it only decorates',
        "Screen readers and search engines for images do not see what these images show.",
        "image",
    ),
    PageFault(
        "links_without_text",
        "warning",
        "links_without_text",
        ">0",
        "Links without text",
        "links without text, image description or label, {total:,} in all",
        "write a text, the alt of the image in the link, or an aria-label",
        "Visitors with screen readers, and search engines, do not see where these links lead.",
        "link",
    ),
    PageFault(
        "mixed_content",
        "warning",
        "mixed_content",
        ">0",
        "Mixed content",
        "images, scripts, style sheets or frames of http: in a page of https:, {total:,} in all",
        "load them by https:",
        "Browsers block such scripts, style sheets and frames, and warn of such images.",
        "insecure resource",
    ),
    PageFault(
        "invalid_json_ld",
        "warning",
        "invalid_json_ld",
        ">0",
        "JSON-LD that does not parse",
        "JSON-LD that is no JSON, and is ignored",
        "correct the script; the evidence names the place",
        "Search engines ignore the whole script, and show no rich result for the page.",
    ),
    PageFault(
        "incomplete_entities",
        "warning",
        "incomplete_entities",
        ">0",
        "Structured data without required properties",
        "structured data without a property that Google requires",
        "add the properties, or take the entity out",
        "Google shows no rich result for the page.",
    ),
    PageFault(
        "little_content",
        "notice",
        "words",
        f"<{MIN_WORDS}",
        "Little content",
        f"fewer than {MIN_WORDS} words of main text",
        "write what visitors look for there, or leave [it|them] out of search engines by noindex",
        "Search engines rank such pages low, or take them for soft 404s.",
        "word",
    ),
    PageFault(
        "nofollow_links",
        "notice",
        "nofollow_links",
        ">0",
        "Nofollow links to pages of the site",
        "nofollow links to pages of the site, {total:,} in all",
        "take the nofollow out where the target is to be found",
        "Search engines do not follow these links, and pass nothing on to their targets.",
        "link",
    ),
)


class _Found:
    """The pages with one fault, of which the worst are kept."""

    def __init__(self, fault: PageFault) -> None:
        self._column, self._unit = fault.column, fault.unit
        self._sign = -1 if fault.fits[0] == ">" else 1
        self._limit = self._sign * int(fault.fits[1:])
        self.count = self.total = 0
        self._worst: list[tuple[int, str, int, str]] = []

    def add(self, url: str, facts: OnPage) -> None:
        number = getattr(facts, self._column)
        rank = self._sign * number
        if rank >= self._limit:
            return
        self.count += 1
        self.total += number
        self._worst.append((rank, url, number, "" if self._unit else facts.structured_data_faults))
        if len(self._worst) == KEPT:
            self._worst = nsmallest(EXAMPLES, self._worst)

    def facts(self, pages: int) -> dict[str, Any]:
        examples = [
            {"url": url, "number": number, "evidence": evidence}
            for _, url, number, evidence in nsmallest(EXAMPLES, self._worst)
        ]
        return count_part(self.count, pages, total=self.total, examples=examples)


def on_page(pages: Iterable[tuple[str, OnPage]]) -> dict[str, Any]:
    """Count the pages by their faults, and the types of structured data by kind of page."""
    found = {fault.id: _Found(fault) for fault in PAGE_FAULTS}
    types: Counter[str] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    number = 0
    for url, facts in pages:
        number += 1
        for each in found.values():
            each.add(url, facts)
        if facts.structured_data:
            names, kind = facts.structured_data.split(), template(url)
            types.update(names)
            kinds.update((name, kind) for name in names)
    return {
        "pages": number,
        **{name: each.facts(number) for name, each in found.items()},
        "structured_data": _count_types(types, kinds),
    }


def _count_types(types: Counter[str], kinds: Counter[tuple[str, str]]) -> list[dict[str, Any]]:
    most = nsmallest(EXAMPLES, types, key=lambda name: (-types[name], name))
    return [
        {
            "type": name,
            "pages": types[name],
            "kinds": [
                {"kind": kind, "pages": pages}
                for (type_, kind), pages in nsmallest(
                    KINDS,
                    (item for item in kinds.items() if item[0][0] == name),
                    key=lambda item: (-item[1], item[0]),
                )
            ],
        }
        for name in most
    ]
