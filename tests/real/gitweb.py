"""gitweb from Debian, a code browser with ``;`` between its parameters; the ideal set from git.

gitweb asks crawlers not to follow its links; a server in front of it takes that back here, as those
do who want their code found. Must: the repository, its log to the end, every commit, every file of
the newest version. Also: files, directories and logs as of each commit, and differences.
"""

import functools
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl

from tests.real import cgi
from tests.real.processes import lacking
from tests.real.repository import commits, git, make
from tests.real.system import Site, System, normal

PROGRAM = "/usr/share/gitweb/gitweb.cgi"
CONFIG = """our $projectroot = "{root}";
our $git_temp = "{root}";
our @stylesheets = (); our $logo = ""; our $favicon = ""; our $javascript = "";
"""
FOLLOWED = (b'content="index, nofollow"', b'content="index, follow"')
P = "p=project/.git"
COMMITS = 24
"""Each commit adds some 400 URLs: views of its files, and differences of two of them."""


def ideal(path: Path) -> frozenset[str]:
    """Paths of the pages about the project and about every commit."""
    known = commits(path)
    views = {"summary", "shortlog", "log", "heads", "tags", "tree"}
    pages = {"/", *(f"/?{P}&a={view}" for view in views)}
    pages |= {f"/?{P}&a=commit&h={name}" for name in known}
    entries = git(path, "ls-tree", "-r", "HEAD", "--format=%(path)&h=%(objectname)").split()
    return frozenset(pages | {f"/?{P}&a=blob&f={entry}" for entry in entries})


@functools.cache
def resolved(path: Path, name: str) -> str:
    """The hash behind a name of a commit or a file, as git resolves it; empty if there is none."""
    try:
        return git(path, "rev-parse", "--verify", "--quiet", name).strip()
    except subprocess.CalledProcessError:
        return ""


def same(repository: Path, path: str) -> str:
    """The commit or file that a path shows under another name: HEAD, a branch, a tag."""
    query = dict(parse_qsl(path.partition("?")[2], keep_blank_values=True))
    name = query.get("h") or query.get("hb", "")
    if query.get("a") == "commit":
        return f"/?{P}&a=commit&h={resolved(repository, name or 'HEAD') or name}"
    if query.get("a") == "blob" and "f" in query:
        hash_ = query.get("h") or resolved(repository, f"{name}:{query['f']}")
        return f"/?{P}&a=blob&f={query['f']}&h={hash_}"
    return path


@contextmanager
def serve(directory: Path, port: int) -> Iterator[Site]:
    """A browser of a small repository."""
    path, config = directory / "project", directory / "gitweb.conf"
    make(path, COMMITS)
    config.write_text(CONFIG.format(root=directory))
    with cgi.serve(PROGRAM, port, {"GITWEB_CONFIG": str(config)}, FOLLOWED):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(path),
            also={
                "what a commit changed": r"/\?a=commitdiff&.*",
                "a file or directory as of a commit": r"/\?a=(tree|blob|history|blobdiff|tag)&.*",
                "the log of another start, or of an author": r"/\?a=((short)?log|search&h=.*)&.*",
                "an HTML file as it is": r"/\?a=blob_plain&f=.*\.html&.*",
            },
            beyond={
                "the list of projects in another order, or of one": r"/\?(o=.*|a=project_list&.*)",
                "how to search, and commits by their author": r"/\?a=search(_help)?&.*",
            },
            same=lambda shown: normal(same(path, shown)),
        )


SYSTEM = System(
    name="gitweb",
    serve=serve,
    lacks=lambda: lacking(PROGRAM, "git"),
    excess=0.1,  # three pages of every site of gitweb, beside a small repository
)
