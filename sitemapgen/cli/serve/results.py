"""What a job has left behind: its outcome, its files, and those of them that may be served."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from sitemapgen.cli.serve.jobs import Job
from sitemapgen.errors import Exit
from sitemapgen.publish.files import read_object
from sitemapgen.publish.replacing import REFUSED_FILES
from sitemapgen.publish.result import RESULT_FILE
from sitemapgen.report.html import REPORT_FILES

PAGES = ("report.html", "comparison.html", "sitemap.html")
"""Files to look at in a browser; the others are for download."""
LAST_LINES = 200
"""Number of lines of a log in which its last error is looked for."""
_ERROR = re.compile(r"^\S+ \S+ ERROR (.*)")


class File(NamedTuple):
    """A file of a job."""

    name: str
    """Its path below the output directory, with ``/``."""
    size: int

    @property
    def is_page(self) -> bool:
        return self.name.rpartition("/")[2] in PAGES


def result_of(job: Job) -> dict[str, Any]:
    """Return result.json, if the crawl of this job has written it; else an empty object."""
    found = read_object(Path(job.output) / RESULT_FILE)
    is_its = bool(job.began) and str(found.get("started", "")) >= job.began
    return found if is_its and job.pid in (None, found.get("pid")) else {}


def last_error(log: Path) -> str:
    """Return the last error of a log, without its time; empty if there is none."""
    with suppress(OSError), log.open(encoding="utf-8", errors="replace") as file:
        for line in reversed(deque(file, LAST_LINES)):
            if match := _ERROR.match(line):
                return match[1]
    return ""


def existing_files(output: str, names: Iterable[str]) -> list[File]:
    """Return those of the files that are there, the pages first."""
    root = Path(output)
    found = [File(name, path.stat().st_size) for name in names if (path := locate_file(root, name))]
    return sorted(found, key=lambda file: (not file.is_page, file.name.count("/")))


def file_names(output: str, result: Mapping[str, Any]) -> list[str]:
    """Return the files that a crawl has published, or refused to, by path below the output."""
    code = result.get("exit_code")
    if code not in (Exit.PUBLISHED, Exit.REFUSED):
        return []
    directory = f"{REFUSED_FILES}/" if code == Exit.REFUSED else ""
    listed = result.get("files")
    paths = [str(path) for path in listed] if isinstance(listed, list) else []
    found = [path.removeprefix(f"{output}/") for path in paths if path.startswith(f"{output}/")]
    found += [directory + name for name in REPORT_FILES]
    return [name for name in dict.fromkeys(found) if name.startswith(directory)]


def locate_file(root: Path, name: str) -> Path | None:
    """Return the path of a file below a directory; None if it leads elsewhere, or to no file.

    Symbolic links lead elsewhere.
    """
    path = root / name
    with suppress(OSError, ValueError, RuntimeError):
        real = os.path.realpath(root)
        if os.path.realpath(path) == f"{real}/{name}" and path.is_file():
            return path
    return None
