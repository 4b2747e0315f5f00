"""States of crawls as older versions left them, for the tests of migrations.

``python -m tests.store.old_states PROJECT VERSION`` crawls a small site with the code in another
directory, and writes ``tests/store/states/VERSION-finished.sql`` after two runs, and
``VERSION-interrupted.sql`` after a third one was killed. They are SQL, so that they can be read.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.helpers.server import Answer, Server, marked, page, redirect, text, xml

STATES = Path(__file__).resolve().parent / "states"
PAGES = 24
"""Pages of the site's tree; listed are these and those of the calendar."""
INTERRUPTED_AFTER = 12
"""Requests of the third run."""
WORDS = "The lamps of the harbour are lit by hand every evening of the year, except on holidays. "


def site(run: int) -> dict[str, Answer]:
    """The site as it is in a run: in the second one page 3 says something else."""
    pages = {
        "/robots.txt": text("User-agent: *\nDisallow: /secret\nSitemap: /sitemap.xml"),
        "/sitemap.xml": xml("<urlset><url><loc>http://site.example/orphan</loc></url></urlset>"),
        "/orphan": page("/", title="Orphan", text=f"{WORDS * 3} No page links here."),
        "/moved": redirect("/1"),
        "/away": redirect("https://other.example/"),
        "/gone": page(title="Gone")._replace(status=404),
        "/canonical": page(head='<link rel="canonical" href="/1">', text=f"{WORDS * 3} again"),
        "/hidden": page(head='<meta name="robots" content="noindex">', text=WORDS * 2),
    }
    for number in range(PAGES):
        further = [f"/{child}" for child in (2 * number + 1, 2 * number + 2) if child < PAGES]
        if number == 0:
            further += ["/secret", "/moved", "/away", "/gone", "/twin", "/canonical", "/hidden"]
            further.append("/calendar?month=2026-01")
        version = 2 if number == 3 and run > 1 else 1
        words = f"{WORDS * 3} {number}" + " It was painted red." * (version - 1)
        head = '<script type="application/ld+json">{"dateModified": "2026-0%d-01"}</script>'
        answer = page(*further, title=f"Page {number}", text=words, head=head % version)
        pages[f"/{number or ''}"] = marked(answer, f"{version}-{number}")
    pages["/twin"] = pages["/2"]
    for month in range(1, 7):
        name = f"/calendar?month=2026-0{month}"
        further = [f"/calendar?month=2026-0{month + 1}"] if month < 6 else []
        pages[name] = page(*further, title="Calendar", text=f"{WORDS} {'fair ' * month * 20}")
    return pages


def listed(run: int) -> set[str]:
    """What has to be listed."""
    answers = site(run)
    left_out = {"/robots.txt", "/sitemap.xml", "/twin", "/canonical", "/hidden"}
    return {
        f"http://site.example{path}"
        for path, answer in answers.items()
        if answer.status == 200 and path not in left_out
    }


def dump(state: Path) -> str:
    """Write a database as SQL, its header included."""
    database = sqlite3.connect(state)
    lines = [*database.iterdump()]
    for pragma in ("application_id", "user_version"):
        (value,) = database.execute(f"PRAGMA {pragma}").fetchone()
        lines.append(f"PRAGMA {pragma} = {value};")
    database.close()
    return "\n".join(lines) + "\n"


def restore(name: str, directory: Path) -> Path:
    """Make the database of a stored state in an output directory; return its path."""
    directory.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(directory / "crawl.sqlite")
    database.executescript((STATES / f"{name}.sql").read_text("utf-8"))
    database.close()
    return directory / "crawl.sqlite"


def _crawl(project: Path, server: Server, output: Path) -> subprocess.Popen[bytes]:
    arguments = ("-a", f"url={server.url}", "-a", f"output={output}", "-a", f"proxy={server.proxy}")
    return subprocess.Popen(
        [sys.executable, "-m", "scrapy", "crawl", "sitemap", *arguments],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project)},
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("project", type=Path)
    parser.add_argument("version", type=int)
    given = parser.parse_args()
    STATES.mkdir(exist_ok=True)
    with TemporaryDirectory() as name:
        output = Path(name) / "output"
        for run in (1, 2, 3):
            if run == 3:
                (STATES / f"{given.version}-finished.sql").write_text(
                    dump(output / "crawl.sqlite"), "utf-8"
                )
            delay = 0.3 if run == 3 else 0.0
            answers = {path: each._replace(delay=delay) for path, each in site(run).items()}
            server = Server(answers, name="site.example")
            process = _crawl(given.project, server, output)
            while run == 3 and len(server.visits) < INTERRUPTED_AFTER:
                time.sleep(0.05)
            if run == 3:
                process.kill()
            process.wait()
            server.stop()
        (STATES / f"{given.version}-interrupted.sql").write_text(
            dump(output / "crawl.sqlite"), "utf-8"
        )


if __name__ == "__main__":
    main()
