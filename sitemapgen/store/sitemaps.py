"""The site's own sitemap files and their validators."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import compress, decompress

from sitemapgen.core.urls import key
from sitemapgen.items import Link, SitemapCounts, SitemapDocument, SitemapEntry, SitemapFile
from sitemapgen.store.database import BATCH, Database
from sitemapgen.store.packing import pack_extensions
from sitemapgen.store.states import insert_sql

if TYPE_CHECKING:
    from sitemapgen.core.sitemap_files.validate import Field


class RepeatedEntries(NamedTuple):
    """URLs that the site's sitemaps list more than once."""

    urls: int
    entries: int
    examples: list[tuple[str, int]]
    """(URL, number of entries), the largest number first."""


REPORTED = ("url", "found", "parent", "format", "error", "offsite_examples", *SitemapCounts._fields)

ADD = insert_sql("sitemap", f"id reason {' '.join(REPORTED)}", "REPLACE")

UNREAD = f"""
SELECT key, sitemap, max(-times, 0) + 1, url, lastmod, changefreq, priority
FROM earlier_sitemap_entry JOIN url USING (key)
WHERE sitemap NOT IN (SELECT value FROM json_each(?)) AND times > -? AND (key, sitemap) > (?, ?)
ORDER BY key, sitemap LIMIT {BATCH}
"""


ENTRIES = (
    "FROM sitemap_entry JOIN sitemap ON sitemap.id = sitemap_entry.sitemap "
    "JOIN url ON url.key = sitemap_entry.key WHERE format = 'urlset' AND times > 0"
)
"""The entries that have the fields of the protocol, without those that are kept for failing files.
"""


def unread_rows(
    db: Database, query: str, read: Iterable[str], grace: int
) -> Iterator[tuple[int, int, list[list[Any]]]]:
    """Yield (file, runs, rows) of a query, in batches, for files that are not in ``read``.

    The first columns of the query: key, file, runs; the rows are without them.
    """
    known = json.dumps([key(url) for url in read])
    after = (-1 << 63, -1 << 63)
    while batch := db.rows(query, known, grace, *after):
        groups: defaultdict[tuple[int, int], list[list[Any]]] = defaultdict(list)
        for _, file, runs, *row in batch:
            groups[file, runs].append(row)
        yield from ((*of, rows) for of, rows in groups.items())
        after = batch[-1][:2]


class Sitemaps:
    """The sitemap files of a site and their entries."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def drop_unmet(self) -> None:
        """Delete the documents of sitemap files absent from the last run, if it had any files."""
        self._db.execute(
            "DELETE FROM sitemap_document WHERE url NOT IN (SELECT url FROM sitemap) "
            "AND EXISTS (SELECT 1 FROM sitemap)"
        )

    def record_file(self, file: SitemapFile, links: Sequence[Link]) -> None:
        """Store a file and its entries, the URLs of which are ``links``.

        They are added to the frontier elsewhere.
        """
        sitemap = key(file.url)  # the same in each run: earlier entries refer to it
        examples = json.dumps(file.offsite_examples, ensure_ascii=False)
        facts = (file.url, file.found, file.parent, file.format, file.error, examples)
        self._db.execute(ADD, (sitemap, file.reason.value, *facts, *file.counts))
        if file.document is not None:
            location, etag, last_modified, body = file.document
            self._db.execute(
                insert_sql("sitemap_document", "url location etag last_modified body", "REPLACE"),
                (file.url, location, etag, last_modified, compress(body)),
            )
        times = Counter(link.key for link in links)
        self._db.executemany(
            insert_sql(
                "sitemap_entry",
                "key sitemap lastmod changefreq priority times",
                f"INSERT OR {'IGNORE' if file.kept_for else 'REPLACE'}",
            ),
            (
                (
                    *(link.key, sitemap, entry.lastmod, entry.changefreq, entry.priority),
                    -file.kept_for or times[link.key],
                )
                for (entry, _), link in zip(file.entries, links)
            ),
        )
        self._db.executemany(
            insert_sql("sitemap_extension", "key sitemap said", "REPLACE"),
            (
                (link.key, sitemap, pack_extensions(entry.extensions))
                for (entry, _), link in zip(file.entries, links)
                if entry.extensions
            ),
        )

    def has_named(self, url: str) -> bool:
        """Return whether this file had entries for URLs of the site in the previous run."""
        query = "SELECT 1 FROM earlier_sitemap_entry WHERE sitemap = ? LIMIT 1"
        return self._db.one(query, key(url)) is not None

    def unread_entries(
        self, read: Iterable[str], grace: int
    ) -> Iterator[tuple[int, int, list[SitemapEntry]]]:
        """Yield (file, runs, entries) of the previous run's entries of all files not in ``read``.

        A file may recur. ``read``: the files that were read completely. ``grace``: runs for which
        an entry is kept. ``file``: ``core.urls.key`` of its URL; ``runs``: number of runs in a row,
        this one included, in which the entries were kept.
        """
        for file, runs, rows in unread_rows(self._db, UNREAD, read, grace):
            yield file, runs, [SitemapEntry(*row) for row in rows]

    def stored_document(self, url: str) -> SitemapDocument | None:
        """Return the stored document of a file, without its content, for a conditional request.

        None if there is none with validators.
        """
        row = self._db.first(
            "SELECT location, etag, last_modified, x'' FROM sitemap_document "
            "WHERE url = ? AND (etag <> '' OR last_modified <> '')",
            url,
        )
        return SitemapDocument(*row) if row else None

    def is_unreliable(self, url: str) -> bool:
        """Return whether the server answered 304 for a file that had changed."""
        query = "SELECT 1 FROM sitemap_document WHERE url = ? AND etag = '' AND last_modified = ''"
        return self._db.one(query, url) is not None

    def stored_body(self, url: str) -> bytes:
        """Return the stored content of a file that ``stored_document`` has validators for."""
        return decompress(self._db.one("SELECT body FROM sitemap_document WHERE url = ?", url))

    def files(self) -> list[dict[str, Any]]:
        """Return the fields of all SitemapFiles and their counts, in URL order."""
        rows = self._db.rows(f"SELECT {', '.join(REPORTED)} FROM sitemap ORDER BY url")
        files = [dict(zip(REPORTED, row)) for row in rows]
        for file in files:
            file["offsite_examples"] = json.loads(file["offsite_examples"])
        return files

    def field_values(self, field: Field) -> Iterator[tuple[str, int]]:
        """Yield (value, number of entries) of a field in XML sitemaps, sorted; not empty ones."""
        return self._db.read(
            f"SELECT {field}, sum(times) {ENTRIES} AND {field} <> '' GROUP BY {field} ORDER BY 1"
        )

    def entries_with(
        self, field: Field, values: Collection[str], count: int
    ) -> list[tuple[str, str, str]]:
        """Return (value, URL, file) of the first entries with one of these values, in URL order."""
        marks = ", ".join("?" * len(values))
        return self._db.rows(
            f"SELECT {field}, url.url, sitemap.url {ENTRIES} AND {field} IN ({marks}) "
            f"ORDER BY url.url, sitemap.url LIMIT {count}",
            *values,
        )

    def priorities(self) -> Iterator[tuple[int, str]]:
        """Yield (key, priority as written) of each entry that has one."""
        return self._db.read("SELECT key, priority FROM sitemap_entry WHERE priority <> ''")

    def repeated_entries(self, examples: int) -> RepeatedEntries:
        """Count the URLs that are listed more than once, with up to ``examples`` examples."""
        several = (
            "SELECT key, sum(times) AS count FROM sitemap_entry WHERE times > 0 "
            "GROUP BY key HAVING sum(times) > 1"
        )
        urls, entries = self._db.first(f"SELECT count(*), total(count) FROM ({several})")
        most = self._db.rows(
            f"SELECT url, count FROM ({several}) JOIN url USING (key) "
            f"ORDER BY count DESC, url LIMIT {examples}"
        )
        return RepeatedEntries(urls, int(entries), most)
