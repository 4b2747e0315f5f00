"""Assignment of the listed URLs to the parts of a sitemap.

The rules: ``analysis/parts.py``. The part that a URL has already: ``existing.py``.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable

import numpy as np

from sitemapgen.analysis import parts
from sitemapgen.analysis.graph import Ints
from sitemapgen.analysis.key_index import NOWHERE, Places
from sitemapgen.core.urls import first_segment, key
from sitemapgen.publish.existing import Published
from sitemapgen.publish.file_names import part_of, section_label


class Sorter:
    """Collects what a layout needs of the listed URLs, and assigns each of them to a part."""

    def __init__(self, layout: str, published: Published | None, now: int) -> None:
        """``published``: the parts that URLs have already. ``now``: seconds since 1970 UTC."""
        self._layout = layout
        self._parts: dict[int, parts.Part] = {}  # by their positions among the published files
        self._published = published
        for place, name in enumerate(published.names if published else ()):
            part = part_of(name)
            if part and part.kind in parts.KINDS[layout] and part not in self._parts.values():
                self._parts[place] = part
        self._now = now
        self._keys = array("q")
        self._dates = array("q")
        self._sections = array("q")
        self._section = ("", key(section_label("")))

    def note(self, url: str, lastmod: str) -> None:
        """Keep what the layout needs of the next URL."""
        if self._parts:
            self._keys.append(key(url))
        if self._layout == "section":
            section = first_segment(url)
            if section != self._section[0]:
                self._section = (section, key(section_label(section)))
            self._sections.append(self._section[1])
        elif self._layout in ("recency", "log"):
            self._dates.append(parts.epoch_seconds(lastmod))

    def sort(
        self, sizes: Ints, capacity: parts.Capacity, url_at: Callable[[int], str]
    ) -> parts.Assigned:
        """Assign each URL to a part.

        ``sizes``: bytes of the entries, in the order of the URLs. ``url_at`` returns a URL by its
        index: sections are kept as numbers, and few of them need a name.
        """
        before, published_dates = self._published_parts(len(sizes))
        dates = np.frombuffer(self._dates, np.int64)
        if self._layout == "section":
            sections = np.frombuffer(self._sections, np.int64)
            published = [key(part.label) for part in self._parts.values()]
            return parts.by_section(
                sizes,
                before,
                capacity,
                sections,
                published,
                lambda place: section_label(first_segment(url_at(place))),
            )
        if self._layout == "recency":
            return parts.by_recency(sizes, before, capacity, dates, self._now)
        if self._layout == "log":
            return parts.as_log(sizes, before, capacity, dates, published_dates)
        return parts.by_size(sizes, before, capacity)

    def _published_parts(self, count: int) -> tuple[parts.Before, Ints]:
        """Return the published parts of this layout, and the published date of each URL.

        Of a URL that is published twice, the first entry counts.
        """
        at = np.full(count, NOWHERE, np.int64)
        dates = np.full(count if self._layout == "log" else 0, parts.UNDATED, np.int64)
        published = self._published
        if published is None or not self._parts:
            return parts.Before([], np.empty(0, np.int64), at), dates
        listed = Places(np.frombuffer(self._keys, np.int64))
        self._keys = array("q")
        ends = np.cumsum(published.counts)
        for place, file in reversed(list(enumerate(self._parts))):
            entries = slice(ends[file] - published.counts[file], ends[file])
            found = listed.find_positions(published.keys[entries])[::-1]
            is_listed = found != NOWHERE
            at[found[is_listed]] = place
            if self._layout == "log":
                dates[found[is_listed]] = published.dates[entries][::-1][is_listed]
        counts = published.counts[list(self._parts)]
        return parts.Before(list(self._parts.values()), counts, at), dates
