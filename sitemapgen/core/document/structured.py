"""Structured data of a document, JSON-LD: its entities, their types, and what they lack.

Dates of change in it count by ``core/lastmod.py``; videos and news are read by ``extensions.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Any

Entity = dict[str, Any]

MAIN = ("@graph", "mainEntity", "mainEntityOfPage")
"""Properties that hold the main entities of a page, not their parts, comments or reviews."""
REQUIRED: dict[str, tuple[tuple[str, ...], ...]] = {
    "Product": (("name",), ("review", "aggregateRating", "offers")),
    "BreadcrumbList": (("itemListElement",),),
    "Event": (("name",), ("startDate",), ("location",)),
}
"""Properties of which Google requires one each (Google Search Central, "Product snippet",
"Breadcrumb", "Event"). Of an Article it requires none."""
MAX_CHARACTERS = 2_097_152
"""Characters of JSON-LD read per document; the longest legitimate ones have some 200,000."""
MAX_ENTITIES = 1_000
"""Entities of a document that are looked at."""
MAX_TYPES = 20
"""Types that are kept of a document."""

_REFERENCE = {"@context", "@id", "@type"}
"""Properties of an entity that another page describes."""
_TYPE = re.compile(r"(?:.*[/:#])?([A-Za-z][A-Za-z0-9]{0,63})")


class JsonLd:
    """The JSON-LD scripts of one document."""

    def __init__(self) -> None:
        self.scripts: list[str] = []
        self.errors: list[str] = []
        """Why scripts cannot be read, in words."""
        self.entities: list[Entity] = []
        self._size = 0

    def read(self, script: str) -> Iterator[str]:
        """Add a script; yield the dates of change in it, as written."""
        self._size += len(script)
        if self._size > MAX_CHARACTERS or not script.strip():
            return
        self.scripts.append(script)
        try:
            found = read_entities(script)
        except ValueError as error:
            self.errors.append(f"JSON-LD is no JSON: {error}")
            return
        self.entities += found
        for entity in found:
            if isinstance(modified := entity.get("dateModified"), str):
                yield modified


def read_entities(script: str, parts: Collection[str] = MAIN) -> list[Entity]:
    """Return the entities of a JSON-LD script, and those in ``parts`` of them after the others.

    Raises ValueError for what is no JSON.
    """
    try:
        pending = [json.loads(script)]
    except RecursionError:
        return []
    entities = []
    for node in pending:
        if isinstance(node, list):
            pending += node
        elif isinstance(node, dict):
            entities.append(node)
            pending += [node[part] for part in parts if part in node]
    return entities


def types_of(entity: Entity) -> Iterator[str]:
    """Yield the types of an entity without their vocabulary.

    >>> list(types_of({"@type": ["https://schema.org/Product", "schema:Car", 1]}))
    ['Product', 'Car']
    """
    types = entity.get("@type")
    for each in types if isinstance(types, list) else [types]:
        if isinstance(each, str) and (found := _TYPE.fullmatch(each[:256])):
            yield found[1]


def summarise_entities(entities: Iterable[Entity]) -> tuple[str, int, list[str]]:
    """Return (types, number of incomplete entities, what they lack).

    The distinct types are separated by spaces, in document order; what is lacking is in words:
    ``Event has no location``. Entities with one ``@id`` are one.
    """
    types: dict[str, None] = {}
    faults: dict[str, None] = {}
    properties: dict[tuple[str, object], set[str]] = {}
    for number, entity in enumerate(islice(entities, MAX_ENTITIES)):
        for name in types_of(entity):
            types[name] = None
            if name in REQUIRED and not _REFERENCE.issuperset(entity):
                identity = entity.get("@id")
                its_own = identity if isinstance(identity, str) else number
                properties.setdefault((name, its_own), set()).update(
                    each for each, value in entity.items() if value or value == 0
                )
    incomplete = 0
    for (name, _), given in properties.items():
        lacks = [choice for choice in REQUIRED[name] if given.isdisjoint(choice)]
        incomplete += bool(lacks)
        faults.update((f"{name} has no {' or '.join(choice)}", None) for choice in lacks)
    return " ".join(list(types)[:MAX_TYPES]), incomplete, list(faults)
