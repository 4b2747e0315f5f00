"""A django-machina forum from PyPI with 270 topics; the ideal set from its database.

Must: categories, forums and topics with their numbered pages, members and their posts. Not: a
topic under the number of each of its posts (``?post=``), which are copies of it.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from tests.helpers.programs import background
from tests.real.processes import environment, install, lacking, run
from tests.real.system import Site, System

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
VIEWS = r"/forum/[\w-]+/\?page=\d+"
"""Lists of titles of topics, who began them and when: the first page of each is none."""
TOPICS_PER_PAGE, POSTS_PER_PAGE = 20, 15
PACKAGES = ("django-machina>=1.3,<2", "django>=5.2,<6", "waitress>=3,<4")
PYTHON = environment("machina") / "bin" / "python"
ALSO = {"posts of a member": r"/member/profile/\d+/posts/(\?page=\d+)?", "the search": r"/search/"}


def ideal(database: Path) -> frozenset[str]:
    """Paths of forums, topics and members, with every page of the lists."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as forum:
        forums = forum.execute(
            "SELECT f.slug, f.id, count(t.id) FROM forum_forum f"
            " LEFT JOIN forum_conversation_topic t ON t.forum_id = f.id GROUP BY f.id"
        ).fetchall()
        topics = forum.execute(
            "SELECT f.slug, f.id, t.slug, t.id, count(p.id) FROM forum_conversation_topic t"
            " JOIN forum_forum f ON f.id = t.forum_id"
            " JOIN forum_conversation_post p ON p.topic_id = t.id GROUP BY t.id"
        ).fetchall()
        members = forum.execute("SELECT DISTINCT poster_id FROM forum_conversation_post").fetchall()
    pages = {"/", *(f"/member/profile/{member}/" for (member,) in members)}
    for slug, number, size in forums:
        pages |= _numbered(f"/forum/{slug}-{number}/", size, TOPICS_PER_PAGE)
    for slug, number, topic, its_number, size in topics:
        path = f"/forum/{slug}-{number}/topic/{topic}-{its_number}/"
        pages |= _numbered(path, size, POSTS_PER_PAGE)
    return frozenset(pages)


def _numbered(path: str, size: int, per_page: int) -> set[str]:
    last = -(-size // per_page)
    return {path, *(f"{path}?page={number}" for number in range(2, last + 1))}


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """A forum with 270 topics."""
    path = os.pathsep.join((str(HERE / "forum"), str(ROOT)))
    variables = {**os.environ, "FORUM_HOME": str(directory), "PYTHONPATH": path}
    variables["DJANGO_SETTINGS_MODULE"] = "settings"
    log = directory / "log"
    run([PYTHON, HERE / "forum" / "fill.py"], log, env=variables)
    server = [PYTHON, "-m", "waitress", f"--listen=127.0.0.1:{port}"]
    application = ["--call", "django.core.wsgi:get_wsgi_application"]
    with background([*server, *application], port, log, env=variables):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(directory / "forum.sqlite3"),
            also=ALSO,
            same=lambda path: path.removesuffix("?page=1"),
            views=VIEWS,
        )


SYSTEM = System(
    name="machina",
    serve=serve,
    lacks=lambda: lacking(PYTHON),
    install=partial(install, "machina", *PACKAGES),
)
