"""gitweb from Debian, a code browser with ``;`` between its parameters; the ideal set from git.

gitweb asks crawlers not to follow its links; a server in front of it takes that back here, as those
do who want their code found. Must: the repository, its log to the end, every commit, every file of
the newest version. Also: files, directories and logs as of each commit, and differences.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.real import cgi
from tests.real.processes import lacking
from tests.real.repository import TAGGED, commits, git, make
from tests.real.system import Site, System

PROGRAM = "/usr/share/gitweb/gitweb.cgi"
CONFIG = """our $projectroot = "{root}";
our $git_temp = "{root}";
our @stylesheets = (); our $logo = ""; our $favicon = ""; our $javascript = "";
"""
FOLLOWED = (b'content="index, nofollow"', b'content="index, follow"')
PAGE = 100
P = "p=project/.git"


def ideal(path: Path) -> frozenset[str]:
    """Paths of the pages about the project and about every commit."""
    known = commits(path)
    views = {"summary", "shortlog", "log", "heads", "tags", "tree"}
    pages = {"/", *(f"/?{P}&a={view}" for view in views)}
    pages |= {f"/?{P}&a=commit&h={name}" for name in known}
    entries = git(path, "ls-tree", "-r", "HEAD", "--format=%(path)&h=%(objectname)").split()
    return frozenset(pages | {f"/?{P}&a=blob&f={entry}" for entry in entries})


def same(known: list[str], path: str) -> str:
    """The commit or file that a path shows under another name; ``known``: the newest first."""
    tagged = known[len(known) - 1 - TAGGED]
    names = {f"/?a=commit&{P}": known[0], f"/?a=commit&h=refs/tags/v{TAGGED}&{P}": tagged}
    if path in names:
        return f"/?a=commit&h={names[path]}&{P}"
    path = re.sub(r"(?<=a=blob&)(f=.*&h=\w+)&hb=[\w/]+", r"\1", path)
    return path.replace("a=commit&hb=", "a=commit&h=")


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """A browser of a repository of 100 commits."""
    path, config = directory / "project", directory / "gitweb.conf"
    make(path)
    config.write_text(CONFIG.format(root=directory))
    with cgi.serve(PROGRAM, port, {"GITWEB_CONFIG": str(config)}, FOLLOWED):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(path),
            also={
                "what a commit changed": r"/\?a=commitdiff&.*",
                "a file or directory as of a commit": r"/\?a=(tree|blob|history|blobdiff|tag)&.*",
                "the log of another start": r"/\?a=(short)?log&.*",
                "an HTML file as it is": r"/\?a=blob_plain&f=.*\.html&.*",
            },
            beyond={
                "the list of projects in another order, or of one": r"/\?(o=.*|a=project_list&.*)",
                "how to search, and commits by their author": r"/\?a=search(_help)?&.*",
            },
            same=functools.partial(same, commits(path)),
        )


SYSTEM = System(name="gitweb", serve=serve, lacks=lambda: lacking(PROGRAM, "git"))
