"""Links to other sites, and what their check has found.

A row of ``external`` has the numbers of the URLs that one page links to, as rows of ``link`` do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from heapq import nsmallest
from itertools import islice
from typing import NamedTuple

import numpy as np

from sitemapgen.analysis.graph import Ints
from sitemapgen.core.external import LinkCheck, LinkStatus
from sitemapgen.core.urls import authority
from sitemapgen.store.database import Database
from sitemapgen.store.packing import pack_numbers, unpack_all
from sitemapgen.store.states import DONE, insert_sql

MAX_CHARACTERS = 20_000_000
"""Maximum length of all distinct URLs on other sites together: some 200,000 URLs, 40 MB of the
state."""


class ExternalHost(NamedTuple):
    """A host of other sites, and the links to it."""

    host: str
    """With the port, if it has one."""
    urls: int
    links: int
    """Each page counts once for each URL."""
    pages: int


class ExternalLinks(NamedTuple):
    """The links to other sites."""

    urls: int
    links: int
    pages: int
    """Number of pages with such a link."""
    unkept: int
    """Number of further links, to URLs beyond ``MAX_CHARACTERS``."""
    hosts: list[ExternalHost]
    """Those with the most pages first, then by name."""


class BrokenUrl(NamedTuple):
    """A URL of another site that does not work."""

    url: str
    outcome: LinkStatus
    evidence: str
    links: int
    pages: list[str]
    """The first pages that link to it, in URL order."""


MEMORY = 20_000
"""Number of URLs whose numbers are cached; they take about 4 MB."""
BATCH = 5_000
"""Number of pages whose links are counted together."""
READ = f"FROM external JOIN url USING (key) WHERE state = {DONE} AND sources <> 0"


class External:
    """The links to other sites, and the results of their check in this run."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._numbers: dict[str, int] = {}
        self._last: int | None = None
        """The highest number; None before the first URL of this process."""
        self._size = 0
        """Characters of all URLs."""

    # What pages link to

    def record_links(self, key: int, urls: Sequence[str]) -> None:
        """Keep the URLs that a page links to, inside of ``Database.writing``."""
        if not urls:
            self._db.execute("DELETE FROM external WHERE key = ?", (key,))
            return
        numbers = [number for url in urls if (number := self._url_number(url))]
        row = (key, pack_numbers(numbers), len(urls) - len(numbers))
        self._db.execute(insert_sql("external", "key targets unkept", "REPLACE"), row)

    def _url_number(self, url: str) -> int:
        """Return the number of a URL; 0 if there are too many URLs for another one."""
        if url in self._numbers:
            return self._numbers[url]
        number = self._db.one("SELECT number FROM external_url WHERE url = ?", url)
        if number is None:
            if self._last is None:
                self._last, self._size = self._db.first(
                    "SELECT coalesce(max(number), 0), coalesce(sum(length(url)), 0) "
                    "FROM external_url"
                )
            if self._size + len(url) > MAX_CHARACTERS:
                return 0
            number, self._size = self._last + 1, self._size + len(url)
            self._last = number
            self._db.execute(insert_sql("external_url", "number url"), (number, url))
        if len(self._numbers) > MEMORY:
            self._numbers.clear()
        self._numbers[url] = number
        return int(number)

    def begin_run(self) -> None:
        """Forget the results, and the URLs that no page of the previous run links to."""
        self._numbers.clear()
        self._last = None
        linked: set[int] = set()
        for _, numbers, _ in self._batches("SELECT key, targets FROM earlier_external"):
            linked.update(np.unique(numbers).tolist())
        rows = self._db.execute("SELECT number FROM external_url").fetchall()
        gone = [(number,) for (number,) in rows if number not in linked]
        self._db.executemany("DELETE FROM external_url WHERE number = ?", gone)
        self._db.execute("UPDATE external_url SET outcome = '', evidence = '' WHERE outcome <> ''")

    # Their check

    def unchecked_urls(self, limit: int) -> list[str]:
        """Return those of the first ``limit`` URLs that have no result yet.

        Their order: by the number of pages that link to them, the most first, then by URL.
        """
        pages = self._pages_by_number()
        rows = self._db.read("SELECT number, url, outcome FROM external_url")
        linked = (row for row in rows if pages[row[0]])
        first = nsmallest(limit, linked, key=lambda row: (-pages[row[0]], row[1]))
        return [url for _, url, outcome in first if not outcome]

    def record_check(self, url: str, finding: LinkCheck) -> None:
        """Keep the result for a URL."""
        self._db.write(
            "UPDATE external_url SET outcome = ?, evidence = ? WHERE url = ?",
            (finding.outcome.value, finding.evidence, url),
        )

    # What is reported

    def count_links(self) -> ExternalLinks:
        """Count the links of the pages that were read."""
        host_of, names = self._hosts_of_urls()
        links_of = self._pages_by_number()
        pages = np.zeros(len(names), np.int64)
        number_of_pages = 0
        for _, numbers, counts in self._batches(f"SELECT key, targets {READ}"):
            number_of_pages += int(np.count_nonzero(counts))
            page = np.repeat(np.arange(len(counts)), counts)
            of_hosts = np.unique(page * len(names) + host_of[numbers]) % max(len(names), 1)
            pages += np.bincount(of_hosts, minlength=len(names))
        links = np.bincount(host_of, links_of, len(names)).astype(np.int64)
        urls = np.bincount(host_of[links_of > 0], minlength=len(names))
        rows = [
            ExternalHost(name, *row)
            for name, *row in zip(names, urls.tolist(), links.tolist(), pages.tolist())
            if row[0]
        ]
        return ExternalLinks(
            urls=int(np.count_nonzero(links_of)),
            links=int(links.sum()),
            pages=number_of_pages,
            unkept=self._db.one(f"SELECT coalesce(sum(unkept), 0) {READ}"),
            hosts=sorted(rows, key=lambda row: (-row.pages, row.host)),
        )

    def count_outcomes(self) -> dict[LinkStatus, int]:
        """Count the URLs by their results; those that were not checked are left out."""
        rows = self._db.rows(
            "SELECT outcome, count(*) FROM external_url WHERE outcome <> '' GROUP BY outcome"
        )
        found = dict(rows)
        return {outcome: found[outcome.value] for outcome in LinkStatus if outcome.value in found}

    def broken_urls(
        self, outcomes: Collection[LinkStatus], examples: int, pages: int
    ) -> tuple[int, int, list[BrokenUrl]]:
        """Return (number of URLs, number of links to them, the first ``examples`` of them).

        Of URLs with one of these outcomes that pages link to, those with the most links first, then
        by URL; each with its first ``pages`` pages.
        """
        marks = ", ".join("?" * len(outcomes))
        rows = self._db.rows(
            f"SELECT number, url, outcome, evidence FROM external_url WHERE outcome IN ({marks})",
            *(outcome.value for outcome in outcomes),
        )
        links = self._pages_by_number()
        linked = [row for row in rows if row[0] < len(links) and links[row[0]]]
        linked.sort(key=lambda row: (-links[row[0]], row[1]))
        first = linked[:examples]
        linking = self._linking_pages([number for number, *_ in first], pages)
        found = [
            BrokenUrl(url, LinkStatus(outcome), evidence, int(links[number]), linking[number])
            for number, url, outcome, evidence in first
        ]
        return len(linked), int(sum(links[number] for number, *_ in linked)), found

    def _linking_pages(self, numbers: list[int], pages: int) -> dict[int, list[str]]:
        """Return the first pages that link to each of these URLs, in URL order."""
        found: dict[int, list[str]] = {number: [] for number in numbers}
        if not numbers:
            return found
        for urls, targets, counts in self._batches(f"SELECT url, targets {READ} ORDER BY url"):
            page = np.repeat(np.arange(len(counts)), counts)
            is_one = np.isin(targets, numbers)
            for number, at in zip(targets[is_one].tolist(), page[is_one].tolist()):
                if len(found[number]) < pages:
                    found[number].append(str(urls[at]))
        return found

    # Reading

    def _batches(self, query: str) -> Iterator[tuple[Sequence[object], Ints, Ints]]:
        """Yield (first column, numbers of all rows, how many each row has) of the rows."""
        rows = self._db.read(query)
        while batch := list(islice(rows, BATCH)):
            firsts, packed = zip(*batch)
            yield (firsts, *unpack_all(packed))

    def _pages_by_number(self) -> Ints:
        """Return how many pages link to the URL of each number."""
        highest = self._db.one("SELECT coalesce(max(number), 0) FROM external_url")
        pages = np.zeros(highest + 1, np.int64)
        for _, numbers, _ in self._batches(f"SELECT key, targets {READ}"):
            pages += np.bincount(numbers, minlength=len(pages))
        return pages

    def _hosts_of_urls(self) -> tuple[Ints, list[str]]:
        """Return the place of each URL's host by its number, and the names of the hosts."""
        highest = self._db.one("SELECT coalesce(max(number), 0) FROM external_url")
        host_of = np.zeros(highest + 1, np.int64)
        places: dict[str, int] = {}
        for number, url in self._db.read("SELECT number, url FROM external_url"):
            host_of[number] = places.setdefault(authority(url), len(places))
        return host_of, list(places)
