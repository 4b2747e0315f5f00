"""Edited, new and deleted pages of real systems, and the dates in their databases."""

import json
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from tests.real.wordpress import Database

EDITED, NEW, DELETED = 20, 5, 5

PHP = ["php", "-d", "error_reporting=0", "-d", "memory_limit=512M"]

WORDPRESS = r"""<?php
$_SERVER["HTTP_HOST"] = "127.0.0.1"; $_SERVER["REQUEST_URI"] = "/";
require $argv[1] . "/wp/wp-load.php";
$posts = get_posts(array("numberposts" => -1, "post_status" => "publish", "orderby" => "ID",
    "order" => "ASC", "has_password" => false));
$out = array("edited" => array(), "new" => array(), "deleted" => array());
for ($i = 0; $i < 20; $i++) {
    $post = $posts[5 + 6 * $i];
    wp_update_post(array("ID" => $post->ID,
        "post_content" => "<p>An addition on the subject, number $i.</p>" . $post->post_content));
    $out["edited"][] = get_permalink($post->ID);
}
for ($i = 0; $i < 5; $i++) {
    $out["deleted"][] = get_permalink($posts[6 + 20 * $i]->ID);
    wp_delete_post($posts[6 + 20 * $i]->ID, true);
}
for ($i = 0; $i < 5; $i++) {
    $text = "<p>Not written before, part $i. " . str_repeat("It goes on, $i. ", 30) . "</p>";
    $out["new"][] = get_permalink(wp_insert_post(array("post_title" => "A new post $i",
        "post_content" => $text, "post_status" => "publish", "post_author" => 2)));
}
echo json_encode($out);
"""


class Edits(NamedTuple):
    """URLs of pages."""

    edited: list[str]
    new: list[str]
    deleted: list[str]


@dataclass
class WordPress:
    """A running WordPress with pretty permalinks."""

    directory: Path
    start: str

    def edit(self) -> Edits:
        script = self.directory / "edit.php"
        script.write_text(WORDPRESS)
        command = [*PHP, str(script), str(self.directory)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return Edits(**json.loads(done.stdout[done.stdout.index("{") :]))

    def dates(self) -> dict[str, str]:
        """The time of the last change of each post and page by the last segment of its URL."""
        rows = Database(self.directory).rows(
            "SELECT post_name, post_modified_gmt FROM wp_posts "
            "WHERE post_status = 'publish' AND post_type IN ('post', 'page')"
        )
        return {name: f"{changed.replace(' ', 'T')}+00:00" for name, changed in rows}

    def name(self, url: str) -> str:
        return url.rstrip("/").rpartition("/")[2]


@dataclass
class MediaWiki:
    """A running MediaWiki."""

    directory: Path
    start: str

    def edit(self) -> Edits:
        titles = [title for title, space, _ in self._pages() if space == 0 and title != "Main_Page"]
        titles.sort()
        edited, deleted = titles[:100:5], titles[101:126:5]
        new = [f"A_new_article_{n}" for n in range(NEW)]
        for title in edited:
            text = self._run("getText.php", title.replace("_", " "))
            self._run("edit.php", "-u", "Admin", title, text=f"An addition to the subject. {text}")
        for title in new:
            self._run("edit.php", "-u", "Admin", title, text=f"Nobody has written on {title}. " * 9)
        self._run(
            "edit.php",
            "-u",
            "Admin",
            "Main Page",
            text="\n".join(
                [self._run("getText.php", "Main Page"), *(f"* [[{title}]]" for title in new)]
            ),
        )
        listed = self.directory / "deleted.txt"
        listed.write_text("\n".join(deleted))
        self._run("deleteBatch.php", "-u", "Admin", str(listed))
        self._run("runJobs.php")
        return Edits(*([self._url(title) for title in some] for some in (edited, new, deleted)))

    def _run(self, script: str, *arguments: str, text: str = "") -> str:
        command = [*PHP, f"maintenance/{script}", *arguments]
        return subprocess.run(
            command,
            check=True,
            input=text,
            capture_output=True,
            text=True,
            cwd=self.directory / "w",
        ).stdout

    def _url(self, title: str) -> str:
        return f"{self.start}index.php/{quote(title, safe='/:_.,()')}"

    def _pages(self) -> list[tuple[str, int, str]]:
        database = self.directory / "data" / "wiki.sqlite"
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as wiki:
            return wiki.execute(
                "SELECT CAST(page_title AS TEXT), page_namespace, CAST(rev_timestamp AS TEXT) "
                "FROM page JOIN revision ON rev_id = page_latest WHERE NOT page_is_redirect"
            ).fetchall()

    def dates(self) -> dict[str, str]:
        """The time of the last revision of each article by the last segment of its URL."""
        return {
            self.name(self._url(title)): (
                f"{at[:4]}-{at[4:6]}-{at[6:8]}T{at[8:10]}:{at[10:12]}:{at[12:14]}+00:00"
            )
            for title, space, at in self._pages()
            if space == 0
        }

    def name(self, url: str) -> str:
        return url.rpartition("/index.php/")[2]
