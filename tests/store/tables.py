"""The tables of a state, for tests elsewhere: what they hold, in words of the domain, and damage.

Outside of ``tests/store`` no test has SQL. What the store returns is read through
``sitemapgen.store.opening.lend_store``; here is the rest.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from sitemapgen.store import Store
from sitemapgen.store.packing import unpack_numbers

DAY = 86_400


def _rows(state: Path, query: str, *parameters: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{state}?mode=rw", uri=True)) as db:
        return db.execute(query, parameters).fetchall()


def _change(state: Path, *statements: str) -> None:
    with closing(sqlite3.connect(state)) as db, db:
        for statement in statements:
            db.execute(statement)


def unreached(state: Path) -> dict[str, str]:
    """By page that may go on: what ended its reading."""
    query = "SELECT pattern, example FROM sighting WHERE kind = 'unreached'"
    return dict(_rows(state, query))


# Runs


def runs(state: Path) -> int:
    """The number of runs."""
    return int(_rows(state, "SELECT count(*) FROM run")[0][0])


def has_ended(state: Path) -> bool:
    """Whether the last run ended; also while it is written, and where there is no table yet."""
    try:
        ends = _rows(state, "SELECT ended FROM run ORDER BY id DESC LIMIT 1")
    except sqlite3.OperationalError:
        return False
    return ends not in ([], [(None,)])


def plan(state: Path) -> dict[str, Any]:
    """What the last run leaves to the next."""
    result: dict[str, Any] = json.loads(_rows(state, "SELECT plan FROM run ORDER BY id DESC")[0][0])
    return result


def let_a_day_pass(state: Path) -> None:
    """Move all times of visits and runs back by a day."""
    _change(
        state,
        *(
            f"UPDATE {table} SET visited = visited - {DAY}"
            for table in ("page", "earlier_page", "visit")
        ),
        f"UPDATE run SET started = started - {DAY}",
    )


# URLs and links


class Url(NamedTuple):
    """What is known about a URL."""

    verdict: str
    is_named: bool
    """Whether a link, a sitemap or the start names it in this run."""


def urls(state: Path) -> dict[str, Url]:
    """All URLs."""
    rows = _rows(state, "SELECT url, verdict, sources FROM url")
    return {url: Url(verdict, sources != 0) for url, verdict, sources in rows}


def link_graph(state: Path) -> dict[str, list[str]]:
    """The targets of the followed links of each page."""
    numbered = dict(_rows(state, "SELECT number, url FROM url"))
    links = _rows(state, "SELECT url, followed FROM link JOIN url ON url.key = link.source")
    return {
        source: [numbered[target] for target in unpack_numbers(packed)] for source, packed in links
    }


def first_seen(state: Path) -> dict[str, tuple[float | None, float | None]]:
    """When a link to each URL was first seen, and when a sitemap first named it."""
    rows = _rows(state, "SELECT url, first_link, first_sitemap FROM url")
    return {url: (link, sitemap) for url, link, sitemap in rows}


# Pages


def read_pages(state: Path) -> set[str]:
    """The pages that the last run has an answer of."""
    return {url for (url,) in _rows(state, "SELECT url FROM page JOIN url USING (key)")}


def done_pages(state: Path) -> set[str]:
    """Those of them that are done; also while the state is written, and before it has tables."""
    try:
        rows = _rows(state, "SELECT url FROM page JOIN url USING (key) WHERE state = 3")
    except sqlite3.OperationalError:
        return set()
    return {url for (url,) in rows}


def changed_pages(state: Path) -> set[str]:
    """The pages that the last run found changed."""
    query = "SELECT url FROM page JOIN url USING (key) WHERE changed"
    return {url for (url,) in _rows(state, query)}


def last_modified_headers(state: Path) -> set[str]:
    """The headers Last-Modified that pages were sent with."""
    query = "SELECT DISTINCT last_modified FROM page WHERE last_modified <> ''"
    return {header for (header,) in _rows(state, query)}


def listed_dates(state: Path) -> list[tuple[str, str]]:
    """The date of each listed page, from the whole site; of a state of any version."""
    table = "final_lastmod" if version(state) >= 6 else "settled"
    return _rows(
        state,
        f"SELECT url, coalesce({table}.lastmod, page.lastmod) FROM page JOIN url USING (key) "
        f"LEFT JOIN {table} USING (key) WHERE verdict = 'listed' ORDER BY url",
    )


# Sitemaps


def sitemap_entries(state: Path) -> list[tuple[str, str, str]]:
    """Lastmod, changefreq and priority of each entry of a sitemap file."""
    return _rows(state, "SELECT lastmod, changefreq, priority FROM sitemap_entry")


def sitemap_extensions(state: Path) -> list[dict[str, Any]]:
    """What entries of sitemap files have besides: images, videos, news, alternates."""
    return [json.loads(said) for (said,) in _rows(state, "SELECT said FROM sitemap_extension")]


def sitemap_contents(state: Path) -> list[list[tuple[Any, ...]]]:
    """All there is of sitemap files, of their entries and of the extensions of these."""
    return [
        _rows(state, "SELECT * FROM sitemap ORDER BY url"),
        _rows(state, "SELECT * FROM sitemap_entry ORDER BY key, sitemap"),
        _rows(state, "SELECT * FROM sitemap_extension ORDER BY key, sitemap"),
    ]


# Histories


def outcome_changes(state: Path) -> list[tuple[int, int]]:
    """(run, URLs whose outcome it changed), of the runs that changed any."""
    query = "SELECT run, count(*) FROM verdict_history GROUP BY run ORDER BY run"
    return _rows(state, query)


def changed_texts(state: Path, run: int) -> int:
    """The number of pages whose main text a run found changed."""
    query = "SELECT count(*) FROM visit WHERE run = ? AND changed & 1"
    return int(_rows(state, query, run)[0][0])


def histories(state: Path, runs: int) -> dict[str, list[tuple[Any, ...]]]:
    """What the first runs together saw; of a state of any version."""
    verdicts = "verdict_history" if version(state) >= 6 else "outcome"
    of_runs = f"WHERE run <= {runs:d}"
    queries = {
        "visit": f"SELECT key, run, visited, changed FROM visit {of_runs} ORDER BY 1, 2",
        "verdicts": f"SELECT key, run, verdict FROM {verdicts} {of_runs} ORDER BY 1, 2",
        "trust": f"SELECT run, source, section, hits FROM trust {of_runs} ORDER BY 1, 2, 3",
        "first seen": "SELECT key, first_link, first_sitemap FROM url ORDER BY key",
    }
    return {name: _rows(state, query) for name, query in queries.items()}


# The file


def version(state: Path) -> int:
    """The version of the tables."""
    return int(_rows(state, "PRAGMA user_version")[0][0])


def set_version(state: Path, version: int) -> None:
    """Write another version of the tables into the file."""
    _change(state, f"PRAGMA user_version = {version:d}")


def is_sound(state: Path) -> bool:
    """Whether the database finds no damage in itself."""
    return _rows(state, "PRAGMA integrity_check") == [("ok",)]


def tables(state: Path) -> list[str]:
    """The names of the tables."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    return [name for (name,) in _rows(state, query)]


def sizes(state: Path) -> dict[str, int]:
    """Bytes of each table and index, the largest first."""
    return dict(_rows(state, "SELECT name, sum(pgsize) FROM dbstat GROUP BY name ORDER BY 2 DESC"))


def can_count_bytes() -> bool:
    """Whether this SQLite is built with what ``sizes`` needs."""
    with closing(sqlite3.connect(":memory:")) as db:
        return bool(
            db.execute("SELECT sqlite_compileoption_used('ENABLE_DBSTAT_VTAB')").fetchone()[0]
        )


def forget_editions(state: Path) -> None:
    """Remove the editions, which states of earlier versions did not have."""
    _change(state, "DELETE FROM edition")


def drop_table(state: Path, name: str) -> None:
    """Remove a table."""
    _change(state, f"DROP TABLE {name}")


def write_nine_kilobytes(store: Store, key: int) -> None:
    """Write a row that cannot be compressed, in place of the one with the same key."""
    with store.writing():
        store.execute("REPLACE INTO label VALUES (?, randomblob(9000))", (key,))
