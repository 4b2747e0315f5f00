"""Database file of the store, SQLite in WAL mode: locking, versions, reading, writing, errors.

All parts of the store share one ``Database``; each part has its own tables.
"""

from __future__ import annotations

import logging
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from threading import get_ident
from typing import Any

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.store.packing import pack_text, renumber_links, unpack_text
from sitemapgen.store.readings import SUFFIX
from sitemapgen.store.states import insert_sql

logger = logging.getLogger(__name__)

VERSION = 23
"""Version of the tables; ``migrations/N.sql`` migrates a state from version N - 1 to N."""
OLDEST = 4
"""The oldest version of the tables that can be migrated: that of the first release."""
APPLICATION_ID = 0x534D4150  # "SMAP", for file(1), and to recognize other databases

STEPS = {8: renumber_links}
"""Steps of migrations that are no SQL, by version; each follows the script of its version."""

BATCH = 2_000
"""Number of rows read or written at a time where reading and writing alternate."""

CACHED_URLS = 50_000
"""Number of URLs that ``url_of`` caches, as links of a navigation recur; they take 10 MB."""

PAGE_BYTES = 4_096
WAL_PAGES = 8_192
"""Pages of the write-ahead log after which it is copied into the file: 32 MB, or less if disk space
is short."""
FEWEST_WAL_PAGES = 64
WAL_SHARE = 4
"""Reciprocal of the share of free disk space that the write-ahead log may take, as its content has
to fit into the file as well."""

SENTENCES = (
    ("locked", Exit.REFUSED, "another crawl is using it; wait for it, or use another -a output="),
    ("full", Exit.NO_SPACE, "no space left to write it"),
    ("disk I/O", Exit.NO_SPACE, "the disk cannot read or write it"),
    ("unable to open", Exit.NO_SPACE, "cannot be opened for writing"),
    ("readonly", Exit.NO_SPACE, "cannot be written"),
    ("not a database", Exit.REFUSED, "damaged; use -a fresh=true to start over"),
    ("malformed", Exit.REFUSED, "damaged; use -a fresh=true to start over"),
    ("interrupted", Exit.INTERRUPTED, "nothing is lost, the same command continues"),
)
"""Parts of SQLite's messages, with exit code and sentence; Python 3.10 has no error codes."""


_COMMENT = re.compile(r" *--[^\n]*")

REMOVED = "removed while it was in use; the same command starts over"
STEPS_BETWEEN_CHECKS = 100_000
"""Instructions of SQLite's virtual machine between two calls of ``abort_when``'s condition."""


class _Connection(sqlite3.Connection):
    """A connection that one thread uses at a time.

    SQLite's lock on the file excludes a second connection, also of this process, and sqlite3 ties a
    connection to the thread that opened it for ever. This one can be handed over: ``owner``.
    """

    owner = 0
    """The thread that may use the connection; others get a ProgrammingError."""

    def execute(self, *args: Any) -> sqlite3.Cursor:
        self._check_thread()
        return super().execute(*args)

    def executemany(self, *args: Any) -> sqlite3.Cursor:
        self._check_thread()
        return super().executemany(*args)

    def _check_thread(self) -> None:
        if get_ident() != self.owner:
            raise sqlite3.ProgrammingError("the store is in use by another thread")


class Database:
    """One SQLite file in WAL mode, locked against other processes until ``close``.

    Writes are collected in one transaction until ``commit``. Reading and writing raise CrawlError
    if the disk is full or the file damaged.
    """

    def __init__(self, path: Path, *, fresh: bool = False, lent: bool = False) -> None:
        """Open or create the file.

        ``lent``: all writes are rolled back by ``close``. A file of an older version is migrated.
        Raises CrawlError if another process uses the file, if it is damaged or of a newer version
        (``fresh`` replaces such a file), and if it cannot be written.
        """
        self.path = path
        self._is_lent = lent
        self._is_provisional = False
        """Whether ``commit`` waits, and ``close`` undoes what was written."""
        self._disk_error: CrawlError | None = None
        if fresh:
            self._discard_file()
        self._wal_pages = 0
        self.connection = self._open_file()
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self.execute = self.connection.execute
        """For use inside ``writing``; to read there are ``one``, ``first``, ``rows`` and others."""
        self.executemany = self.connection.executemany
        self.url_of = lru_cache(CACHED_URLS)(self._read_url)
        """Returns the URL of a number, ``url.number``."""

    # The file

    def _open_file(self) -> _Connection:
        with suppress(OSError):  # SQLite has its own words for it
            # It has the texts of pages, also of those behind a login.
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        with self._translated_errors():
            connection = sqlite3.connect(
                self.path,
                isolation_level=None,
                timeout=0,
                check_same_thread=False,
                factory=_Connection,
            )
            connection.owner = get_ident()
            try:
                connection.execute("PRAGMA locking_mode = EXCLUSIVE")
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute("PRAGMA cache_size = -8192")
                for function in (pack_text, unpack_text):
                    connection.create_function(function.__name__, 1, function, deterministic=True)
                self._bound_log(connection)
                connection.execute("BEGIN IMMEDIATE")
                self._create_or_check(connection)
                if not self._is_lent:
                    connection.execute("COMMIT")
            except BaseException:
                connection.close()
                raise
            return connection

    def _create_or_check(self, connection: sqlite3.Connection) -> None:
        (identity,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        is_empty = not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        if is_empty and self._is_lent:
            raise CrawlError(Exit.ARGUMENTS, f"{self.path}: holds no crawl")
        if is_empty and version == 0:
            _create_tables(connection)
            return
        if identity != APPLICATION_ID or version < OLDEST:
            raise CrawlError(
                Exit.REFUSED,
                f"{self.path}: no state of a crawl that this version can read; "
                "use -a fresh=true to start over, or another -a output=",
            )
        if version > VERSION:
            raise CrawlError(
                Exit.REFUSED,
                f"{self.path}: state of a newer sitemapgen (version {version}, this one reads up "
                f"to {VERSION}); upgrade, use -a fresh=true to start over, or another -a output=",
            )
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("malformed")
        for number in range(version + 1, VERSION + 1):
            logger.info(
                "%(path)s: state of version %(before)d, migrated to version %(version)d",
                {"path": self.path, "before": number - 1, "version": number},
            )
            _run_script(connection, _read_script(f"migrations/{number}.sql"))
            if number in STEPS:
                STEPS[number](connection)
            connection.execute(f"PRAGMA user_version = {number}")
        if not _has_all_tables(connection):
            raise sqlite3.DatabaseError("malformed")

    def _discard_file(self) -> None:
        """Remove the file, whatever its content, unless another process uses it."""
        probe = sqlite3.connect(self.path, isolation_level=None, timeout=0)
        try:
            with self._translated_errors():
                probe.execute("BEGIN IMMEDIATE")
        except CrawlError as error:
            if "another crawl" in error.sentence:
                raise
        finally:
            probe.close()
        for suffix in ("", "-wal", "-shm", SUFFIX):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)

    def commit(self) -> None:
        """Commit all writes, unless the file is lent, or they are provisional.

        Raises CrawlError also if the file was removed or replaced.
        """
        if self.connection.in_transaction and not (self._is_lent or self._is_provisional):
            with self._translated_errors():
                self.execute("COMMIT")
        if not (self._is_lent or (self.path.exists() and os.fstat(self._file).st_nlink)):
            raise CrawlError(Exit.NO_SPACE, f"{self.path}: {REMOVED}")
        self._bound_log(self.connection)

    def checkpoint(self) -> None:
        """Commit, and copy the log into the file, so that small changes after it need no new space.

        The log is not copied while rows are being read.
        """
        self.commit()
        try:
            self.execute("PRAGMA wal_checkpoint(FULL)").fetchall()
        except sqlite3.DatabaseError as error:
            if "table is locked" not in str(error):
                self._translate_error(error)
                raise

    def close(self) -> None:
        """Commit, or roll back what is lent or provisional, and release it even after errors."""
        if self._file < 0:
            return
        try:
            self.commit()
        finally:
            with suppress(sqlite3.Error):  # what was committed is safe in the log
                self.roll_back()
                self.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.connection.close()
            os.close(self._file)  # not earlier: that would release SQLite's lock
            self._file = -1

    def _bound_log(self, connection: sqlite3.Connection) -> None:
        """Limit the size of the log according to the free disk space."""
        disk = os.statvfs(self.path.parent)
        share = disk.f_bavail * disk.f_frsize // PAGE_BYTES // WAL_SHARE
        pages = 1 << max(min(share, WAL_PAGES), FEWEST_WAL_PAGES).bit_length() - 1
        if pages != self._wal_pages:
            connection.execute(f"PRAGMA wal_autocheckpoint = {pages}")
            self._wal_pages = pages

    # Threads

    def bind_to_thread(self) -> None:
        """Hand the connection over to the calling thread; others cannot use it from now on."""
        self.connection.owner = get_ident()

    def abort_when(self, condition: Callable[[], bool] | None) -> None:
        """Have statements raise CrawlError once a condition holds; None: no more.

        It is checked every few milliseconds while statements run.
        """
        steps = STEPS_BETWEEN_CHECKS if condition else 0
        self.connection.set_progress_handler(condition, steps)

    def roll_back(self) -> None:
        """Undo what was written since the last commit."""
        if self.connection.in_transaction:
            self.execute("ROLLBACK")

    # Reading

    # A query has placeholders without names, ``?``, or with names, ``:key``.

    def one(self, query: str, *parameters: object, **named: object) -> Any:
        """Return the first column of the first row; None if there is no row."""
        row = self.first(query, *parameters, **named)
        return row[0] if row else None

    def first(self, query: str, *parameters: object, **named: object) -> Any:
        """Return the first row; None if there is none."""
        with self._translated_errors():
            return self.execute(query, named or parameters).fetchone()

    def rows(self, query: str, *parameters: object, **named: object) -> list[Any]:
        """Return all rows at once, so that other code may write afterwards."""
        with self._translated_errors():
            return self.execute(query, named or parameters).fetchall()

    def column(self, query: str, *parameters: object, **named: object) -> list[Any]:
        """Return the first column of all rows."""
        return [row[0] for row in self.rows(query, *parameters, **named)]

    def column_names(self, table: str) -> list[str]:
        """Return the names of the columns of a table, in their order."""
        return [name for _, name, *_ in self.rows(f"PRAGMA table_info({table})")]

    def read(self, query: str, *parameters: object) -> Iterator[Any]:
        """Yield the rows one by one, while they are read."""
        with self._translated_errors():
            yield from self.execute(query, parameters)

    def by_key(self, query: str) -> Iterator[Any]:
        """Yield rows by page key, read in batches, so that other code may write in between.

        The query has to end in a condition, and its first column has to be ``page.key``.
        """
        after = -1 << 63
        while True:
            rows = self.rows(f"{query} AND page.key >= ? ORDER BY page.key LIMIT {BATCH}", after)
            yield from rows
            if len(rows) < BATCH:
                break
            after = rows[-1][0] + 1

    def of_keys(self, query: str, keys: Iterable[int]) -> Iterator[Any]:
        """Yield the rows of pages with ascending ``keys``, read in batches.

        The query has to end in a condition.
        """
        keys = iter(keys)
        while batch := list(islice(keys, BATCH)):
            marks = ", ".join("?" * len(batch))
            yield from self.rows(f"{query} AND page.key IN ({marks}) ORDER BY page.key", *batch)

    def _read_url(self, number: int) -> str:
        return str(self.one("SELECT url FROM url WHERE number = ?", number))

    def count(self, query: str, *parameters: object) -> int:
        """Return the number in the first column of the only row."""
        return int(self.one(query, *parameters))

    # Writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write inside the open transaction, or open one. Raises CrawlError.

        After a disk error, each call raises it again: the open transaction is lost, and later
        writes would refer to it.
        """
        if self._disk_error is not None:
            raise self._disk_error
        try:
            if not self.connection.in_transaction:
                self.execute("BEGIN IMMEDIATE")
            yield
        except sqlite3.DatabaseError as error:
            self._translate_error(error)
            raise

    def write(self, statement: str, parameters: Sequence[object] = ()) -> sqlite3.Cursor:
        """Execute one statement that writes."""
        with self.writing():
            return self.execute(statement, parameters)

    def write_all(
        self, statement: str, rows: Iterable[tuple[object, ...] | dict[str, object]]
    ) -> None:
        """Write rows in batches, so that ``rows`` may read from this database in between."""
        rows = iter(rows)
        while batch := list(islice(rows, BATCH)):
            with self.writing():
                self.executemany(statement, batch)

    def replace_all(
        self, table: str, columns: str, rows: Iterable[tuple[object, ...]], run: int | None = None
    ) -> None:
        """Replace all rows of a table, or of a run; ``rows`` may read from this database."""
        if run is None:
            self.write(f"DELETE FROM {table}")
        else:
            self.write(f"DELETE FROM {table} WHERE run = ?", (run,))
        self.write_all(insert_sql(table, columns), rows)

    # Errors

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            self._translate_error(error)
            raise

    def _translate_error(self, error: sqlite3.DatabaseError) -> None:
        """Raise CrawlError for an error of SQLite that the user can remedy."""
        for words, exit_code, sentence in SENTENCES:
            if words in str(error):
                found = CrawlError(exit_code, f"{self.path}: {sentence}")
                if exit_code is Exit.NO_SPACE:
                    self._disk_error = found
                raise found from error


def _read_script(name: str) -> str:
    """Return an SQL file without comments, as SQLite would keep them: 8 kB of a new state."""
    return _COMMENT.sub("", files(__package__).joinpath(name).read_text("utf-8"))


def _schema() -> str:
    of_a_run = _read_script("two_runs.sql")
    return _read_script("schema.sql") + of_a_run.format(run="") + of_a_run.format(run="earlier_")


def _has_all_tables(connection: sqlite3.Connection) -> bool:
    names = set(re.findall(r"^CREATE TABLE (\w+)", _schema(), re.MULTILINE))
    return names <= {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}


def _run_script(connection: sqlite3.Connection, script: str) -> None:
    """Run statements inside the open transaction."""
    for statement in script.split(";\n"):
        connection.execute(statement)


def _create_tables(connection: sqlite3.Connection) -> None:
    _run_script(connection, _schema())
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
