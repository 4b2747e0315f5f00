"""``scrapy validate``, ``diff`` and ``indexnow`` as users run them."""

import gzip
import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

from tests.helpers import forks
from tests.helpers.crawls import DEADLINE, ROOT

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    log: str

    @property
    def json(self) -> dict[str, Any]:
        result: dict[str, Any] = json.loads(self.out)
        return result

    @property
    def sentence(self) -> str:
        """The one line of the log, without its time."""
        (line,) = self.log.splitlines()
        return line.split(" ", 2)[2]


def run(*arguments: object, **environment: str) -> Result:
    """Run ``scrapy`` with these arguments to its end."""
    line = [sys.executable, "-m", "scrapy", *map(str, arguments)]
    given = {**os.environ, "PYTHONWARNINGS": "error", "PYTHONPATH": str(ROOT), **environment}
    done = forks.captured(line, given, DEADLINE)
    return Result(done.returncode, done.stdout, done.stderr)


def urlset(*urls: str, **lastmods: str) -> str:
    """A urlset with one URL a line, from the second on; a lastmod is given by last segment."""
    lines = []
    for url in urls:
        lastmod = lastmods.get(url.rpartition("/")[2], "")
        lastmod = lastmod and f"<lastmod>{lastmod}</lastmod>"
        lines.append(f"<url><loc>{url}</loc>{lastmod}</url>\n")
    return f"<urlset {NS}>\n{''.join(lines)}</urlset>\n"


def index(*urls: str) -> str:
    """An index with one file a line, from the second on."""
    lines = "".join(f"<sitemap><loc>{url}</loc></sitemap>\n" for url in urls)
    return f"<sitemapindex {NS}>\n{lines}</sitemapindex>\n"


def write(directory: Path, **files: str | bytes) -> Path:
    """Write files; in their names, __ stands for the dot."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, body in files.items():
        raw = body.encode() if isinstance(body, str) else body
        (directory / name.replace("__", ".")).write_bytes(raw)
    return directory


def packed(body: str) -> bytes:
    return gzip.compress(body.encode())
