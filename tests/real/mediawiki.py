"""MediaWiki from Debian; the ideal set from its SQLite database.

Must: every page that links lead to and that is no redirect: articles, also those called like files
(``Node.js``), categories, talk, user and file pages. Not: forms and old revisions (noindex),
special pages (noindex by default), redirects (they name their target as canonical).
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.helpers.shared import SHARED
from tests.real.processes import lacking, script
from tests.real.system import NO_VIEWS, Site, System

SCRIPT = SHARED / "real-sites" / "mediawiki.sh"
TALK, USER, FILE, CATEGORY = 1, 2, 6, 14
PREFIX = {
    0: "",
    TALK: "Talk:",
    USER: "User:",
    3: "User talk:",
    FILE: "File:",
    CATEGORY: "Category:",
}
LINKS = (
    "SELECT pl_from, pl_namespace, pl_title FROM pagelinks",
    f"SELECT cl_from, {CATEGORY}, cl_to FROM categorylinks",
    f"SELECT il_from, {FILE}, il_to FROM imagelinks",
    # what a page itself says of its members, its pictures' users, its subject and its talk
    f"SELECT c.page_id, m.page_namespace, m.page_title FROM categorylinks"
    f" JOIN page c ON c.page_namespace = {CATEGORY} AND c.page_title = cl_to"
    f" JOIN page m ON m.page_id = cl_from",
    f"SELECT f.page_id, m.page_namespace, m.page_title FROM imagelinks"
    f" JOIN page f ON f.page_namespace = {FILE} AND f.page_title = il_to"
    f" JOIN page m ON m.page_id = il_from",
    "SELECT page_id, page_namespace + 1, page_title FROM page WHERE page_namespace % 2 = 0",
    "SELECT page_id, page_namespace - 1, page_title FROM page WHERE page_namespace % 2 = 1",
    f"SELECT f.page_id, {USER}, replace(actor_name, ' ', '_') FROM image"
    f" JOIN page f ON f.page_namespace = {FILE} AND f.page_title = img_name"
    f" JOIN actor ON actor_id = img_actor",
)

Page = tuple[int, str]


def ideal(database: Path) -> frozenset[str]:
    """Paths of the pages that links lead to from the main page, redirects left out."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as wiki:
        rows = wiki.execute(
            "SELECT page_id, page_namespace, CAST(page_title AS TEXT), page_is_redirect FROM page"
        ).fetchall()
        links: dict[int, set[Page]] = defaultdict(set)
        for query in LINKS:
            for source, space, title in wiki.execute(query):
                links[source].add((space, _text(title)))
    key = {(space, title): number for number, space, title, _ in rows}
    reached, queue = {key[0, "Main_Page"]}, [key[0, "Main_Page"]]
    while queue:
        new = {key[page] for page in links[queue.pop()] if page in key} - reached
        reached |= new
        queue += new
    return frozenset(
        f"/index.php/{PREFIX[space].replace(' ', '_')}{title}"
        for number, space, title, is_redirect in rows
        if number in reached and not is_redirect
    )


def _text(title: bytes | str) -> str:
    return title.decode() if isinstance(title, bytes) else title


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """A wiki with 150 articles."""
    with script(SCRIPT, directory, port):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(directory / "data" / "wiki.sqlite"),
            views=NO_VIEWS,
        )


def lacks() -> str:
    return lacking(
        SCRIPT, "/usr/share/mediawiki", "php", "/usr/share/php8.2-sqlite3", "/usr/share/php8.2-intl"
    )


SYSTEM = System(name="mediawiki", serve=serve, lacks=lacks)
