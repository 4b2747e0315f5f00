"""The site's own sitemap files and their validators."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import compress, decompress

from sitemapgen.core.urls import key
from sitemapgen.items import SitemapCounts, SitemapEntry
from sitemapgen.store.database import BATCH
from sitemapgen.store.packing import pack_extensions
from sitemapgen.store.states import insert

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from sitemapgen.core.sitemap_files.validate import Field
    from sitemapgen.items import SitemapDocument, SitemapFile
    from sitemapgen.store.database import Database


class SitemapMark(NamedTuple):
    """The validators of the stored response for a sitemap file."""

    location: str
    """The URL after redirects."""
    etag: str
    last_modified: str


class KeptEntry(NamedTuple):
    """An entry of the previous run, of a file that this run read only in part or not at all."""

    sitemap: int
    """``core.urls.key`` of the URL of the file."""
    entry: SitemapEntry
    runs: int
    """Number of runs in a row, this one included, in which the entry was kept."""


class RepeatedEntries(NamedTuple):
    """URLs that the site's sitemaps list more than once."""

    urls: int
    entries: int
    examples: list[tuple[str, int]]
    """(URL, number of entries), the largest number first."""


REPORTED = (
    "url",
    "found",
    "parent",
    "format",
    "error",
    "offsite_examples",
    *SitemapCounts._fields,
)
COLUMNS = (*REPORTED, "reason")

ADD = f"""
INSERT INTO sitemap (id, {", ".join(COLUMNS)})
VALUES (?, {", ".join("?" for _ in COLUMNS)})
ON CONFLICT (url) DO UPDATE SET
    {", ".join(f"{name} = excluded.{name}" for name in COLUMNS)}
RETURNING id
"""

UNREAD = f"""
SELECT key, sitemap, url, lastmod, changefreq, priority, max(-times, 0) + 1
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

    def record(self, file: SitemapFile) -> None:
        """Store a file and its entries; their URLs are added to the frontier elsewhere."""
        (sitemap,) = self._db.execute(
            ADD,
            (
                key(file.url),  # the same in each run: earlier entries refer to it
                file.url,
                file.found,
                file.parent,
                file.format,
                file.error,
                json.dumps(file.offsite_examples, ensure_ascii=False),
                *file.counts,
                file.reason.value,
            ),
        ).fetchone()
        if file.document is not None:
            self._keep(file.url, file.document)
        times = Counter(link.key for _, link in file.entries)
        self._db.executemany(
            insert(
                "sitemap_entry",
                "key sitemap lastmod changefreq priority times",
                f"INSERT OR {'IGNORE' if file.kept_for else 'REPLACE'}",
            ),
            (
                (
                    link.key,
                    sitemap,
                    entry.lastmod,
                    entry.changefreq,
                    entry.priority,
                    -file.kept_for or times[link.key],
                )
                for entry, link in file.entries
            ),
        )
        self._db.executemany(
            insert("sitemap_extension", "key sitemap said", "REPLACE"),
            (
                (link.key, sitemap, pack_extensions(entry.extensions))
                for entry, link in file.entries
                if entry.extensions
            ),
        )

    def _keep(self, url: str, document: SitemapDocument) -> None:
        """Store the unmodified content of a file, and its validators."""
        location, etag, last_modified, body = document
        self._db.execute(
            insert("sitemap_document", "url location etag last_modified body", "REPLACE"),
            (url, location, etag, last_modified, compress(body)),
        )

    def has_named(self, url: str) -> bool:
        """Return whether this file had entries for URLs of the site in the previous run."""
        query = "SELECT 1 FROM earlier_sitemap_entry WHERE sitemap = ? LIMIT 1"
        return self._db.one(query, key(url)) is not None

    def unread(self, read: Iterable[str], grace: int) -> Iterator[list[KeptEntry]]:
        """Yield the previous run's entries of all files not in ``read``, in batches.

        ``read``: the files that were read completely. ``grace``: runs for which an entry is kept.
        """
        known = json.dumps([key(url) for url in read])
        after = (-1 << 63, -1 << 63)
        while rows := self._db.rows(UNREAD, known, grace, *after):
            yield [
                KeptEntry(sitemap, SitemapEntry(*entry), kept) for _, sitemap, *entry, kept in rows
            ]
            after = rows[-1][:2]

    def mark(self, url: str) -> SitemapMark | None:
        """Return the validators for a conditional request; None if there are none."""
        row = self._db.first(
            "SELECT location, etag, last_modified FROM sitemap_document "
            "WHERE url = ? AND (etag <> '' OR last_modified <> '')",
            url,
        )
        if row is None:
            return None
        location, etag, last_modified = row
        return SitemapMark(location, etag, last_modified)

    def is_unreliable(self, url: str) -> bool:
        """Return whether the server answered 304 for a file that had changed."""
        query = "SELECT 1 FROM sitemap_document WHERE url = ? AND etag = '' AND last_modified = ''"
        return self._db.one(query, url) is not None

    def body(self, url: str) -> bytes:
        """Return the stored content of a file that ``mark`` has validators for."""
        return decompress(self._db.one("SELECT body FROM sitemap_document WHERE url = ?", url))

    def files(self) -> list[dict[str, Any]]:
        """Return the fields of all SitemapFiles and their counts, in URL order."""
        rows = self._db.rows(f"SELECT {', '.join(REPORTED)} FROM sitemap ORDER BY url")
        files = [dict(zip(REPORTED, row)) for row in rows]
        for file in files:
            file["offsite_examples"] = json.loads(file["offsite_examples"])
        return files

    def values(self, field: Field) -> Iterator[tuple[str, int]]:
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

    def repeated(self, examples: int) -> RepeatedEntries:
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
