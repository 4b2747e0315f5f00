"""Other spellings of URLs: with all their slashes, or with their parameters in another order.

A URL is requested in one spelling, and in another if the site needs that: ``frontier/phases.py``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sitemapgen.core.eligibility import GONE
from sitemapgen.core.urls import key
from sitemapgen.items import Link, Page
from sitemapgen.store.database import Database
from sitemapgen.store.history import History
from sitemapgen.store.states import DONE, OPEN_SQL, PENDING

OFFER = """
INSERT INTO form (key, url, target, is_named, run) VALUES (?, ?, ?, 0, 0)
ON CONFLICT (key) DO UPDATE SET url = excluded.url, target = excluded.target
WHERE form.run = 0 AND NOT form.is_named AND excluded.url < form.url
"""
NAME = """
INSERT INTO form (key, url, target, is_named, run) VALUES (?, ?, ?, 1, 0)
ON CONFLICT (key) DO UPDATE SET url = excluded.url, target = excluded.target, is_named = 1, run = 0
WHERE form.run <> ?
"""
WANTED = f"""
SELECT form.key, url.url, target, form.url FROM form JOIN url USING (key) JOIN page USING (key)
WHERE form.run = 0 AND state = {DONE}
AND (is_named OR page.status IN ({", ".join(map(str, GONE))})) ORDER BY form.url
"""
RENAME = "UPDATE url SET key = ?, url = ?"
AWAY = 0
"""Key of a row while its own is given to another one."""


class Spellings:
    """The table ``form``, which the frontier fills and reads."""

    def __init__(self, db: Database, history: History) -> None:
        self._db = db
        self._history = history

    def begin_run(self) -> None:
        """Forget the spellings that were not requested, or whose URL the last run did not meet."""
        self._db.execute(
            "DELETE FROM form WHERE run = 0 "
            "OR target NOT IN (SELECT key FROM url WHERE sources <> 0)"
        )

    def actual_links(self, links: Iterable[Link]) -> tuple[Link, ...]:
        """Return links, of which those to URLs that are missing with fewer slashes have all."""
        return tuple(self._actual_link(link) if link.linked else link for link in links)

    def _actual_link(self, link: Link) -> Link:
        row = self._db.execute(
            "SELECT url, target FROM form WHERE key = ? AND run AND target <> key", (link.key,)
        ).fetchone()
        if row:
            return replace(link, url=row[0], key=row[1], linked="", literal_key=0)
        self._db.execute(OFFER, (link.key, link.linked, key(link.linked)))
        return link

    def record_page(self, page: Page) -> None:
        """Keep the spelling that a page names as its own; one that is missing is forgotten."""
        if page.spelling:
            named = (page.key, page.spelling, key(page.spelling))
            self._db.execute(NAME, (*named, self._history.run))
        elif page.status in GONE:
            self._db.execute(
                "DELETE FROM form WHERE target = ? AND run NOT IN (0, ?)",
                (page.key, self._history.run),
            )

    def request_urls(self) -> list[tuple[int, int]]:
        """Put other spellings into the frontier; return (key before, key now) of each URL."""
        found = []
        for before, url, now, spelling in self._db.execute(WANTED).fetchall():
            self._db.execute("UPDATE form SET run = ? WHERE key = ?", (self._history.run, before))
            if now != before:  # the rows are exchanged, as earlier links have their numbers
                self._db.execute(f"{RENAME} WHERE key = ? AND sources = 0", (AWAY, url, now))
            done = self._db.execute(
                f"UPDATE OR IGNORE url SET key = ?, url = ?, state = {PENDING}, {OPEN_SQL} "
                "WHERE key = ?",
                (now, spelling, before),
            )
            if done.rowcount:
                found.append((before, now))
                self._db.execute(f"{RENAME} WHERE key = ?", (before, url, AWAY))
        return found
