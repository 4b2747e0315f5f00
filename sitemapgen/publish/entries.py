"""Entries of the sitemap, read from the store one by one.

XML of extensions: ``formats.py``. Distribution to files: ``sitemaps.py``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from datetime import datetime
from itertools import starmap
from typing import Any

from sitemapgen.analysis.hreflang import REASONS, Versions
from sitemapgen.core.document.extensions import is_recent
from sitemapgen.items import Extensions
from sitemapgen.publish import formats
from sitemapgen.publish.sitemaps import Listed
from sitemapgen.store import Store
from sitemapgen.store.results import ListedRow
from sitemapgen.verdicts import Verdict


class Entries:
    """Entries of a concluded store, with the given kinds of extensions."""

    def __init__(self, store: Store, kinds: Collection[str]) -> None:
        self._store = store
        self._kinds = kinds
        self._versions = _language_versions(store) if "hreflang" in kinds else None

    def listed(self) -> Iterator[Listed]:
        """Yield all entries in URL order."""
        if set(self._kinds) <= {"news"}:
            yield from starmap(Listed, self._store.results.listed(ListedRow))
            return
        for row, key, extra in self._store.results.listed_extended():
            yield Listed(*row, self._extensions_xml(key, extra) if extra else "")

    def news(self, now: datetime) -> Iterator[Listed]:
        """Yield the articles of the last two days in URL order; none without the kind ``news``."""
        if "news" not in self._kinds:
            return
        for row, _, extra in self._store.results.listed_extended():
            if extra and extra.news and is_recent(extra.news.date, now):
                yield Listed(row.url, "", row.depth, extensions=formats.news_xml(extra.news))

    def summary(self) -> dict[str, Any]:
        """Count the pages with extensions and the extensions, by kind.

        ``left_out`` of ``hreflang`` counts, by reason, the links to other languages that no entry
        has. Nothing of it depends on the clock: news are counted whatever their date.
        """
        pages: Counter[str] = Counter()
        things: Counter[str] = Counter()
        left_out: Counter[str] = Counter()
        if self._kinds:
            for key, extra in self._store.results.extensions():
                alternates: list[tuple[str, str]] = []
                if self._versions is not None and extra.alternates:
                    alternates, faults = self._versions.of(key, extra.alternates)
                    left_out += faults
                found = {
                    "hreflang": len(alternates),
                    "images": len(extra.images),
                    "videos": len(extra.videos),
                    "news": int(extra.news is not None),
                }
                things.update(found)
                pages.update({kind: 1 for kind, count in found.items() if count})
        facts: dict[str, Any] = {
            kind: {"pages": pages[kind], "count": things[kind]} for kind in sorted(self._kinds)
        }
        if "hreflang" in facts:
            facts["hreflang"]["left_out"] = {why: left_out[why] for why in REASONS if left_out[why]}
        return facts

    def _extensions_xml(self, key: int, extra: Extensions) -> str:
        xml = ""
        if self._versions is not None and extra.alternates:
            xml += formats.alternates_xml(self._versions.of(key, extra.alternates)[0])
        if "images" in self._kinds:
            xml += formats.images_xml(extra.images)
        if "videos" in self._kinds:
            xml += formats.videos_xml(extra.videos)
        return xml


def _language_versions(store: Store) -> Versions:
    verdicts = store.results.verdicts()
    listed = verdicts["key"][verdicts["verdict"] == Verdict.LISTED.code]
    named = (
        (key, extra.alternates) for key, extra in store.results.extensions() if extra.alternates
    )
    return Versions(named, listed)
