"""Redmine of Debian: three projects with tickets, a wiki, news, boards and documents.

The ideal set is from its database. Must: tickets, pages of the wiki, news, topics, boards,
documents, versions, members, and the parts of each project. Not: tickets to which only lists lead
that its robots.txt forbids, the closed ones without a version. Further: lists in any order, and the
history of the wiki.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.helpers.programs import background
from tests.real.processes import lacking, run
from tests.real.system import Site, System

HERE = Path(__file__).parent
INSTALLED = Path("/usr/share/redmine")
PROJECT = r"/projects/\w+"
ALSO = {
    "a list in another order, or of other entries": rf"({PROJECT})?/[\w/]+\?(.*&)?"
    r"(sort|sort_by|page|per_page|query_id|set_filter)=.*",
    "an old version of a page": rf"{PROJECT}/wiki/\w+/(\d+(/annotate)?|history)",
    "a part of the tracker": rf"({PROJECT})?/(issues|news|projects|search|files|time_entries)?"
    r"(/report)?(\.atom)?",
}
BEYOND = {
    "a ticket with another tab in front": r"/issues/\d+\?tab=\w+",
    "a topic, from one of its answers": r"/boards/\d+/topics/\d+\?r=\d+",
}
PARTS = ("", "/news", "/documents", "/boards", "/roadmap", "/wiki/index", "/wiki/date_index")
IDEAL = {
    "/issues/{}": "SELECT issues.id FROM issues JOIN issue_statuses AS status"
    " ON status.id = status_id WHERE NOT is_closed OR fixed_version_id NOT NULL",
    "/projects/{}/wiki/{}": "SELECT identifier, title FROM wiki_pages"
    " JOIN wikis ON wikis.id = wiki_id JOIN projects ON projects.id = project_id",
    "/news/{}": "SELECT id FROM news",
    "/boards/{}/topics/{}": "SELECT board_id, id FROM messages WHERE parent_id IS NULL",
    "/projects/{}/boards/{}": "SELECT identifier, boards.id FROM boards"
    " JOIN projects ON projects.id = project_id",
    "/documents/{}": "SELECT id FROM documents",
    "/versions/{}": "SELECT id FROM versions",
    "/users/{}": "SELECT id FROM users WHERE login LIKE 'person%'",
    **{f"/projects/{{}}{part}": "SELECT identifier FROM projects" for part in PARTS},
}


def ideal(database: Path) -> frozenset[str]:
    """Paths of all that links lead to without a list that robots.txt forbids."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as redmine:
        return frozenset(
            same(form.format(*row))
            for form, query in IDEAL.items()
            for row in redmine.execute(query)
        )


def same(path: str) -> str:
    """The first page of a wiki has two paths."""
    return path.removesuffix("/Wiki") if path.endswith("/wiki/Wiki") else path


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """Three projects with 40 tickets each."""
    log, root, database = directory / "log", directory / "redmine", directory / "redmine.sqlite3"
    shutil.copytree(INSTALLED, root, symlinks=True)
    for link in ("instances", "config/database.yml", "Gemfile.lock"):  # into /etc and /var
        (root / link).unlink()
    settings = root / "instances" / "default" / "config" / "database.yml"
    settings.parent.mkdir(parents=True)
    content = f"adapter: sqlite3\n  database: {database}\n  timeout: 60000\n"
    settings.write_text(f"production:\n  {content}")
    (root / "config" / "database.yml").symlink_to(settings)
    given = {
        **os.environ,
        **{"RAILS_ENV": "production", "REDMINE_LANG": "en", "SECRET_KEY_BASE": "a" * 64},
    }
    for command in (
        ["rake", "db:migrate"],
        ["rake", "redmine:load_default_data"],
        ["rails", "runner", str(HERE / "projects" / "fill.rb")],
    ):
        run(["bundle", "exec", *command], log, cwd=root, env=given)
    server = ["puma", "-e", "production", "-t", "4:4"]
    with background([*server, "-b", f"tcp://127.0.0.1:{port}"], port, log, cwd=root, env=given):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(database),
            also=ALSO,
            beyond=BEYOND,
            same=same,
        )


SYSTEM = System(
    name="redmine",
    serve=serve,
    lacks=lambda: lacking(INSTALLED / "config.ru", "bundle", "puma"),
    excess=0.7,
)
