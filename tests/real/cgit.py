"""cgit from Debian, a code browser with ``?id=``; the ideal set from git.

Must: the repository, its log to the end, every commit, every file of the newest version, its tags.
Further real pages: files, directories and logs as of each commit, and differences. Beyond: the same
again in another order, or with messages. Plain files and patches are no HTML.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.real import cgi
from tests.real.processes import lacking
from tests.real.repository import commits, files, git, make
from tests.real.system import Site, System

PROGRAM = "/usr/lib/cgit/cgit.cgi"
CONFIG = """virtual-root=/
robots=index, follow
cache-size=0
repo.url=project
repo.path={path}/.git
repo.desc=A list of things
"""
PAGE = 50
"""Commits on a page of the log."""


def ideal(path: Path) -> frozenset[str]:
    """Paths of the pages about the newest version and about every commit."""
    known = commits(path)
    pages = {"/", "/project/", "/project/refs/", "/project/tree/", "/project/log/"}
    pages |= {f"/project/log/?ofs={first}" for first in range(PAGE, len(known), PAGE)}
    pages |= {f"/project/commit/?id={name}" for name in known}
    pages |= {f"/project/tree/{name}" for name in files(path)}
    return frozenset(pages | {f"/project/tag/?h={name}" for name in git(path, "tag").split()})


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """A browser of a repository of 100 commits."""
    path, config = directory / "project", directory / "cgitrc"
    make(path)
    config.write_text(CONFIG.format(path=path))
    head = commits(path)[0]
    with cgi.serve(PROGRAM, port, {"CGIT_CONFIG": str(config)}):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(path),
            also={
                "what a commit or range changed": r"/project/diff/.*",
                "a file or directory as of a commit": r"/project/tree/.*\?(h|id)=.*",
                "the log of a file or of another start": r"/project/log/.*",
                "a commit, limited to a file": r"/project/commit/.*",
                "a directory as a plain list": r"/project/plain/.*",
                "summary and references, reached from a tag": r"/project/(refs/)?\?(h|id)=.*",
            },
            beyond={"the list of repositories in another order": r"/\?.*"},
            same=lambda path: f"/project/commit/?id={head}" if path == "/project/commit/" else path,
        )


SYSTEM = System(name="cgit", serve=serve, lacks=lambda: lacking(PROGRAM, "git"))
