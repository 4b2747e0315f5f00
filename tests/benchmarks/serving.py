"""A site served from memory, by a process of its own, so that its work is not counted as theirs.

    python -m tests.benchmarks.serving DIRECTORY | [tls:](tree|wide|posts|apps):PAGES CERTIFICATES

CERTIFICATES: a directory for the certificate of a site over TLS. Prints the site's URL. Then, for
each line that it reads, what it was asked for since the last one: ``{"paths": [...], "first":
seconds on the monotonic clock, "sent": bytes of bodies}``.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import IO, NamedTuple
from zlib import crc32

from tests.benchmarks import PROJECT
from tests.helpers.server import Answer, Server, Site, page
from tests.helpers.tls import CERTIFICATE, self_signed

ALONE = "alone.html"
"""A page without links: a crawl of it is all start-up and end."""
TLS = "tls:"
"""Beginning of the name of a site that is served over TLS."""

TEXT = "Some say that the best page is the one that is read, others that it is the one found. " * 20
NAVIGATION = range(1, 11)
WIDTH = 1_000
POST_LINKS, POST_WORDS = 50, 300


def files(root: Path) -> dict[str, Answer]:
    """The HTML files of a directory, marked with an ETag, and ``ALONE``."""
    found = sorted(root.rglob("*.html"))
    answers = {
        f"/{file.relative_to(root).as_posix()}": _marked(file.read_bytes()) for file in found
    }
    return {**answers, f"/{ALONE}": page(title="Alone", text=TEXT)}


def tree(pages: int, path: str) -> Answer | None:
    """A site of any size, 22 links a page: navigation, neighbours, two children, five anywhere."""
    number = _number(path)
    if number is None or number >= pages:
        return None
    if number < 0:
        return page(title="Alone", text=TEXT)
    near = range(max(number - 2, 0), number + 3)
    children = range(2 * number + 1, 2 * number + 3)
    anywhere = (number * 7919 + step * 104_729 for step in range(5))
    targets = [*NAVIGATION, *near, *children]
    hrefs = [_path(target) for target in targets if target < pages]
    hrefs += [_path(target % pages) for target in anywhere]
    return page(*hrefs, title=f"Page {number}", text=f"{number}. {TEXT}")


def wide(pages: int, path: str) -> Answer | None:
    """A site whose pages link to 1,000 others each, new ones as long as there are any."""
    number = _number(path)
    if number is None or number >= pages:
        return None
    targets = range(number * WIDTH + 1, (number + 1) * WIDTH + 1)
    return page(*(_path(target % pages) for target in targets), text=f"{number}. {TEXT}")


def post(number: int, posts: int, before: str) -> str:
    """A post in a directory of its own, with links to 50 others. ``before``: their beginning."""
    targets = ((number + step * 37) % posts for step in range(1, POST_LINKS + 1))
    links = "".join(f'<li><a href="{before}post-{each}/">Post {each}</a>' for each in targets)
    text = " ".join(Random(number).choices(TEXT.split(), k=POST_WORDS))
    return f"<title>Post {number}</title><h1>Post {number}</h1><p>{text}<ul>{links}</ul>"


def posts(pages: int, path: str) -> Answer | None:
    """A start page, and so many posts with root-relative links, all marked with an ETag."""
    if path in ("/", f"/{ALONE}"):
        links = [f"/post-{number}/" for number in range(10)] if path == "/" else []
        return page(*links, title="Posts", text=TEXT)
    number = path.removeprefix("/post-").removesuffix("/")
    if not number.isdigit() or path != f"/post-{number}/" or int(number) >= pages:
        return None
    return _marked(post(int(number), pages, "/").encode())


def _marked(body: bytes) -> Answer:
    """A document with an ETag, as web servers mark it."""
    headers = {"Content-Type": "text/html; charset=utf-8", "ETag": f'"{crc32(body):x}"'}
    return Answer(body, headers=headers)


def apps(pages: int, path: str) -> Answer | None:
    """The pages of ``tree``, each made by a script."""
    found = tree(pages, path)
    if found is None or path == f"/{ALONE}":
        return found
    body = str(found.body).partition("<body>")[2].partition("</body>")[0]
    script = f"document.querySelector('#root').innerHTML = {json.dumps(body)};"
    return Answer(
        f"<!doctype html><html lang=en><head><title>App {path}</title></head>"
        f"<body><div id=root></div><script>{script}</script></body></html>"
    )


def _path(number: int) -> str:
    return f"/section-{number // 1000}/page-{number}.html" if number else "/"


def _number(path: str) -> int | None:
    """The number of a page; -1 is ``ALONE``; None where there is no page."""
    if path in ("/", f"/{ALONE}"):
        return 0 if path == "/" else -1
    digits = path.rpartition("-")[2].removesuffix(".html")
    return int(digits) if digits.isdigit() else None


class Record(NamedTuple):
    """What a server was asked for."""

    paths: list[str]
    first: float
    """When it was first asked for anything, on the monotonic clock."""
    sent: int
    """Bytes of the bodies that it sent."""


class Serving:
    """The server, seen from outside."""

    def __init__(self, process: subprocess.Popen[str], certificate: Path) -> None:
        self._process = process
        self.url = self._read()
        trusted = {"SSL_CERT_FILE": str(certificate)} if certificate.exists() else {}
        self.variables: Mapping[str, str] = trusted
        """Of the environment of its clients, which trust its certificate."""

    def record(self) -> Record:
        """Say what was asked for since the last time, and forget it."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return Record(**json.loads(self._read()))

    def _read(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        if not line:
            raise RuntimeError("the server did not start")
        return line


@contextmanager
def serve(site: str) -> Iterator[Serving]:
    """Run a server as long as the block: ``serve("tree:1000")``."""
    with (
        tempfile.TemporaryDirectory() as directory,
        subprocess.Popen(
            [sys.executable, "-m", __name__, site, directory],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        try:
            yield Serving(process, Path(directory) / CERTIFICATE)
        finally:
            process.kill()


def _answer(server: Server, lines: IO[str]) -> None:
    """Print the record for each line, until there are no more."""
    print(server.url, flush=True)
    for _ in lines:
        visits, server.visits = server.visits, []
        first = min((visit.began for visit in visits), default=0.0)
        paths, sent = [visit.path for visit in visits], sum(visit.size for visit in visits)
        print(json.dumps({"paths": paths, "first": first, "sent": sent}), flush=True)


def _site(name: str) -> Site:
    kind, _, size = name.partition(":")
    if made := {"tree": tree, "wide": wide, "posts": posts, "apps": apps}.get(kind):
        return partial(made, int(size))
    return files(Path(name))


if __name__ == "__main__":
    name, directory = sys.argv[1:]
    tls = self_signed(Path(directory)) if name.startswith(TLS) else None
    _answer(Server(_site(name.removeprefix(TLS)), tls=tls), sys.stdin)
