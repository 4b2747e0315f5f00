"""WordPress from Debian, with both forms of permalinks; the ideal set from its MariaDB database.

Must: published posts with all their pages, pages, pages of linked pictures, and the lists of posts
with all their numbered pages: home, categories, tags and authors that have posts, months. Also: the
lists of single days and years, and pages of a post without text. Not: empty categories, private
posts, drafts, forms to log in, search, replies.
"""

import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tests.helpers.shared import SHARED
from tests.real.processes import lacking, script
from tests.real.system import Site, System

SCRIPT = SHARED / "real-sites" / "wordpress.sh"
WANTED = (
    *(SCRIPT, "/usr/share/wordpress/wp-content/themes/twentytwentyone"),
    *("mariadbd", "mysql_install_db", "php"),
    *("/usr/share/php8.2-mysql", "/usr/share/php8.2-gd", "/usr/share/php8.2-xml"),
)
PER_PAGE = 10
BREAK = "<!--nextpage-->"

POSTS = """SELECT ID, post_type, post_name, post_parent, date_format(post_date, '%Y %m'),
 post_author, replace(replace(post_content, char(10), ' '), char(9), ' ') FROM wp_posts
 WHERE post_status = 'publish' AND post_type IN ('post', 'page')"""
PICTURES = "SELECT ID, post_name, post_parent FROM wp_posts WHERE post_type = 'attachment'"
TERMS = """SELECT taxonomy, slug, t.term_id, object_id FROM wp_term_relationships r
 JOIN wp_term_taxonomy x USING (term_taxonomy_id) JOIN wp_terms t USING (term_id)
 WHERE taxonomy IN ('category', 'post_tag')"""
AUTHORS = "SELECT ID, user_nicename FROM wp_users"

ALSO = {
    "pretty": {"the posts of a day or year": r"/\d{4}/(\d\d/\d\d/)?(page/\d+/)?"},
    "plain": {"the posts of a day or year": r"/\?m=\d{4}(\d{4})?(&paged=\d+)?"},
}
VIEWS = {
    "pretty": r"/(\d+/){0,3}(page/\d+/)?|/(category|tag|author)/.*|.*/photo-of-.*",
    "plain": r"/\?(author|cat|m|paged|tag|attachment_id)=.*",
}
"""Lists of posts, and pages of pictures; most lists of a day have one post. Too short to be
recognised are the last pages of some lists."""


class Database:
    """What SQL says, by the command-line client."""

    def __init__(self, directory: Path) -> None:
        self._client = ["mysql", "-uroot", "-S", str(directory / "my" / "s.sock"), "-N", "--raw"]

    def rows(self, query: str) -> list[list[str]]:
        command = [*self._client, "wp", "-e", query]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return [line.split("\t") for line in text.splitlines()]


def ideal(directory: Path, style: str) -> frozenset[str]:
    """Paths of everything published; ``style``: ``pretty`` or ``plain`` permalinks."""
    database = Database(directory)
    rows = {row[0]: row for row in database.rows(POSTS)}
    authors = dict(database.rows(AUTHORS))
    pretty = style == "pretty"
    posts = {key for key, row in rows.items() if row[1] == "post"}

    def link(key: str) -> str:
        _, kind, name, parent, month, *_ = rows[key]
        if not pretty:
            return f"/?{'p' if kind == 'post' else 'page_id'}={key}"
        if kind == "page":
            return f"{link(parent) if parent in rows else '/'}{name}/"
        return f"/{month.replace(' ', '/')}/{name}/"

    lists = Counter({"/": len(posts)})
    for key in posts:
        month, author = rows[key][4:6]
        lists[f"/{month.replace(' ', '/')}/" if pretty else f"/?m={month.replace(' ', '')}"] += 1
        lists[f"/author/{authors[author]}/" if pretty else f"/?author={author}"] += 1
    for kind, slug, number, post in database.rows(TERMS):
        if post in posts:
            tag, base = kind == "post_tag", "tag" if kind == "post_tag" else "category"
            plain = f"/?tag={slug}" if tag else f"/?cat={number}"
            lists[f"/{base}/{slug}/" if pretty else plain] += 1
    pages = {numbered for path, size in lists.items() for numbered in _numbered(path, size, pretty)}
    for key, row in rows.items():
        pages |= _parts(link(key), row[6], pretty)
    for key, name, parent in database.rows(PICTURES):
        if parent in rows:
            pages.add(f"{link(parent)}{name}/" if pretty else f"/?attachment_id={key}")
    return frozenset(pages)


def _numbered(path: str, size: int, pretty: bool) -> set[str]:
    """The pages of a list of posts."""
    further = range(2, -(-size // PER_PAGE) + 1)
    sign = "&" if "?" in path else "?"
    return {path, *(f"{path}page/{n}/" if pretty else f"{path}{sign}paged={n}" for n in further)}


def _parts(path: str, content: str, pretty: bool) -> set[str]:
    """The pages of a post, those without a text left out."""
    parts = enumerate(content.split(BREAK), 1)
    further = [number for number, text in parts if number > 1 and text.strip()]
    return {path, *(f"{path}{n}/" if pretty else f"{path}&page={n}" for n in further)}


@contextmanager
def serve(directory: Path, port: int, style: str) -> Iterator[Site]:
    """A journal with 150 posts."""
    with script(SCRIPT, directory, port, style):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(directory, style),
            also=ALSO[style],
            views=VIEWS[style],
        )


PRETTY, PLAIN = (
    System(
        name=f"wordpress-{style}",
        serve=partial(serve, style=style),
        lacks=lambda: lacking(*WANTED),
        recall=0.95,
    )
    for style in ("pretty", "plain")
)
