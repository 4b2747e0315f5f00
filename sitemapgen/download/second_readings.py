"""Second readings of pages that hardly differ: whether only a token, a captcha or a clock does.

One page of each group is read again, and once more if it has changed; then the others. It
happens when all pages are done, so that nothing depends on the order of responses. Pages
that the previous run has found different are not read again until one of them changes.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from itertools import groupby
from operator import ne
from typing import NamedTuple

from scrapy.crawler import Crawler
from scrapy.http import Response

from sitemapgen.analysis.near_duplicates import TextSignature
from sitemapgen.core.words import counted
from sitemapgen.download.downloader import RequestCancelled
from sitemapgen.download.engine import fetch_url
from sitemapgen.download.failures import describe_failure
from sitemapgen.errors import CrawlError
from sitemapgen.items import Link, Page
from sitemapgen.store import Store
from sitemapgen.store.conclusions import ShortRow
from sitemapgen.verdicts import Verdict

Groups = list[list[ShortRow]]

logger = logging.getLogger(__name__)

MAX_READINGS = 200
"""Maximum number of these requests; groups and pages beyond are left as they are."""
CLOCK = 1.0
"""Pause in seconds before the first of them, and between two that are equal, though the page has
changed: a clock."""
MAX_SHARE = 4
"""Divisor of the parts of a document; of one that differs in more parts nothing is known."""

_PART = re.compile(rb"[^\s<>\"'=&?;,/]+")
_WORD = re.compile(r"[^\W\d_]+")


class SecondReading(NamedTuple):
    """A page as it was read again."""

    content_hash: int | None
    body: list[bytes]
    """Parts of the document."""
    text: list[bytes]
    """Its media, as one part, and those of its main text; empty if its bytes are its content."""

    def parts(self, *, of_text: bool) -> list[bytes]:
        """Return what is compared: links may differ where enough text is the same."""
        return self.text if of_text else self.body


class SecondReadings:
    """Compares listed pages with little text whose words are the same, numbers aside."""

    def __init__(
        self,
        crawler: Crawler,
        store: Store,
        read: Callable[[Link, Response], Page],
        in_background: Callable[[Callable[[], Groups]], Awaitable[Groups]],
    ) -> None:
        """``read``: turns a response into a page; ``in_background``: works in a thread."""
        self.crawler = crawler
        self.store = store
        self.read = read
        self.in_background = in_background
        self._left = MAX_READINGS

    async def run(self) -> None:
        """Give pages the content hash of the one that they are the same as. Raises CrawlError."""
        results: list[tuple[int, int, bool]] = []
        for first, *others in await self.in_background(self._groups):
            settled = {each.key for each in others if is_settled(each, first)}
            results += [
                (each.key, first.key, each.was_same) for each in others if each.key in settled
            ]
            if new := [each for each in others if each.key not in settled]:
                results += await self._compare(first, new)
        self.store.conclusions.set_comparisons(results)
        self.store.commit()
        if same := sum(is_same for *_, is_same in results):
            logger.info(
                "%(pages)s the same as another one, but for what changes from reading to reading",
                {"pages": counted(same, "page is", "pages are")},
            )

    def _groups(self) -> Groups:
        """Return the groups of pages that will be listed if they are not the same."""
        rows = self.store.conclusions.short_pages()
        if (groups := group_rows(rows)) and self.store.frontier.limits.stops_at_traps:
            keys = {row.key for group in groups for row in group}
            variants = self.store.kinds.read_variants(keys)
            groups = group_rows(row for row in rows if row.key not in variants)
        return groups

    async def _compare(
        self, first: ShortRow, others: Sequence[ShortRow]
    ) -> list[tuple[int, int, bool]]:
        """Return (key, key of the first page, whether they are the same) of the compared pages."""
        if self._left == MAX_READINGS:
            await asyncio.sleep(CLOCK)
        before = await self._read_again(first)
        if before is None:
            return []
        if before.content_hash == first.content_hash:
            return [(other.key, first.key, False) for other in others]
        after = await self._read_again(first)
        if after is not None and after.body == before.body:
            await asyncio.sleep(CLOCK)
            after = await self._read_again(first)
        if after is None:
            return []
        of_text = bool(before.text and after.text) and before.text[0] == after.text[0]
        one = after.parts(of_text=of_text)
        places = differing_places(before.parts(of_text=of_text), one)
        if not places:
            return [(other.key, first.key, False) for other in others]
        results = []
        for other in others:
            if reading := await self._read_again(other):
                is_same = are_same(one, reading.parts(of_text=of_text), places)
                results.append((other.key, first.key, is_same))
        return results

    async def _read_again(self, row: ShortRow) -> SecondReading | None:
        """Request a page; None if that fails, or if it has become something else."""
        if not self._left:
            return None
        self._left -= 1
        self.crawler.stats.inc_value("sitemapgen/duplicates/request_count")
        try:
            response = await fetch_url(self.crawler, row.url, {"dont_retry": True})
        except (CrawlError, RequestCancelled):
            raise
        except Exception as error:  # noqa: BLE001 - any error of the network
            logger.debug("%(url)s: %(error)s", {"url": row.url, "error": describe_failure(error)})
            return None
        page = self.read(Link(url=row.url, key=row.key), response)
        if page.judgement.verdict is not Verdict.LISTED:
            return None
        text = []
        if page.text_hash is not None:
            media = TextSignature.of(page.signature or page.pictures).media
            text = [media.tobytes(), *split_parts(page.excerpt.encode())]
        return SecondReading(page.content_hash, split_parts(response.body), text)


def group_rows(rows: Iterable[ShortRow]) -> Groups:
    """Return the pages with the same title, language and words, the largest groups first.

    Those whose content is the same already are none, nor are those without a word.
    """

    def likeness(row: ShortRow) -> tuple[object, ...]:
        return row.title, row.language, without_numbers(row.excerpt)

    ordered = sorted(rows, key=lambda row: (likeness(row), row.url))
    found = [list(group) for _, group in groupby(ordered, key=likeness)]
    several = [
        group
        for group in found
        if len({row.content_hash for row in group}) > 1 and any(likeness(group[0])[::2])
    ]
    return sorted(several, key=lambda group: (-len(group), group[0].url))


def is_settled(one: ShortRow, first: ShortRow) -> bool:
    """Return whether the previous run has compared two pages, and what it found still holds.

    They were different, and neither has changed since; or the one rests. Of pages that were the
    same, one may show another image by now.
    """
    is_different = not (one.was_same or one.has_changed or first.has_changed)
    return one.first == first.key and (is_different or not one.is_asked)


def split_parts(body: bytes) -> list[bytes]:
    """Split a document into words, names and values."""
    return _PART.findall(body)


def without_numbers(text: str) -> tuple[str, ...]:
    """Return the words of a text that may be the same in another reading.

    >>> without_numbers("Added at 12:03, order 7f3a")
    ('added', 'at', 'order')
    """
    parts = (part for part in text.casefold().split() if not any(map(str.isdigit, part)))
    return tuple(word for part in parts for word in _WORD.findall(part))


def differing_places(one: Sequence[bytes], other: Sequence[bytes]) -> frozenset[int] | None:
    """Return the places at which two readings of one URL differ; None if they do not correspond."""
    if len(one) != len(other):
        return None
    places = frozenset(place for place, differs in enumerate(map(ne, one, other)) if differs)
    return places if len(places) * MAX_SHARE <= len(one) else None


def are_same(one: Sequence[bytes], other: Sequence[bytes], places: Collection[int]) -> bool:
    """Return whether two documents differ at these places only."""
    return len(one) == len(other) and not any(
        differs and place not in places for place, differs in enumerate(map(ne, one, other))
    )
