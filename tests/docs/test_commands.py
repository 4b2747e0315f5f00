"""Every command of the documentation runs, page by page, as a reader would give it.

example.com is a server on this machine, and each page finds what its reader has by then: a crawl,
the output of an earlier one, a sitemap of some site.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, Command, commands
from tests.helpers.server import Answer, Server, page, text, xml

DEADLINE = 120
"""Seconds for a command."""

ELSEWHERE = {
    "make test": "runs this test",
    "make crawl": "makes an environment, then gives the command below it",
    "make bench": "takes five minutes",
    "make browser": "downloads a browser",
    "pip install": "is what `make crawl` does, and the tests of Scrapyd",
    "docker ": "needs a daemon; the file is linted",
    "python3 -m venv /srv": "tests/crawls/test_scrapyd.py has a daemon of its own",
    "/srv/scrapyd": "the same",
    "cp deploy/scrapyd.conf": "the same",
    "SITEMAPGEN_OUTPUT_ROOT=": "the same",
    "scrapyd-deploy": "the same",
    "scrapy fleet": "needs Scrapyd; tests/crawls/test_fleet.py has some",
    "cat sites.csv": "the same",
    "curl http://localhost:6800": "the same",
    'curl "http://localhost:6800': "the same",
    "cat $SITEMAPGEN_OUTPUT_ROOT": "the same",
    "sitemapgen serve": "runs until a signal; tests/cli/test_serve.py has some",
    "curl -N http://127.0.0.1:6030": "tests/crawls/test_dashboard.py reads the stream",
}
"""What is not run here, and why."""

CODES = {
    "--fail-on": {8},
    "scrapy validate public/sitemap.xml": {0, 9},
}
"""Commands that say something with their exit code."""

SITE = {
    "/": page("/a", "/b", "/blog/1", title="Home", text="Welcome to a site of some pages."),
    "/a": page("/b", title="A", text="The first page says this and that about its subject."),
    "/b": page("/", title="B", text="The second page speaks of something else altogether."),
    "/blog/1": page("/", title="Blog", text="An article, as articles are, about nothing at all."),
}


class Reader:
    """A directory with the project, a site, and a shell in between."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        for name in ("sitemapgen", "scrapy.cfg", "setup.py", "requirements.txt"):
            (directory / name).symlink_to(ROOT / name)
        self.server = Server(self.answer)
        self.address = f"127.0.0.1:{self.server.port}"
        tools = directory / "bin"
        tools.mkdir()
        for name in ("scrapy", "sitemapgen"):
            (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {name} "$@"\n')
            (tools / name).chmod(0o755)
        self.tools = tools
        self.output = directory / "output" / self.address.replace(":", "_")

    def answer(self, path: str) -> Answer | None:
        if path == "/indexnow":
            return Answer(status=200)
        if path == "/robots.txt":
            return text(f"Sitemap: {self.server.url}sitemap.xml\n")
        if path == "/sitemap.xml":
            locs = "".join(f"<url><loc>{self.server.url}{name}</loc></url>" for name in ("a", "b"))
            return xml(
                '<?xml version="1.0" encoding="UTF-8"?>'
                f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{locs}</urlset>'
            )
        if re.fullmatch(r"/[0-9a-f]{8,}\.txt", path):
            return text((self.output / path[1:]).read_text("utf-8"))
        return SITE.get(path)

    def begin(self) -> None:
        """Begin a page: nothing is exported yet."""
        self.environment = {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}"}

    def prepare(self) -> None:
        """Crawl once, and keep a copy, as if that had been some time ago."""
        self.begin()
        self.give("scrapy crawl sitemap -a url=https://example.com", {0})
        shutil.copytree(self.output, self.directory / "output" / "before")
        shutil.copytree(self.output, self.directory / "public")

    def give(self, command: str, codes: set[int]) -> None:
        """Run a command as it stands on the page, but for the name of the site."""
        command = self.localised(command)
        if " indexnow " in command:
            command += f" -s SITEMAPGEN_INDEXNOW_ENDPOINT=http://{self.address}/indexnow"
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            cwd=self.directory,
            env=self.environment,
            capture_output=True,
            timeout=DEADLINE,
            check=False,
        )
        assert done.returncode in codes, f"$ {command}\n{done.stderr.decode()}"

    def localised(self, words: str) -> str:
        """Replace the site of the documentation by the one on this machine."""
        site = r"https?://(?:(\w+\.)?example\.com|127\.0\.0\.1:8000)"
        words = re.sub(site, f"http://{self.address}", words)
        return words.replace("output/example.com", f"output/{self.output.name}")

    def write(self, path: Path) -> None:
        """Write the file of sites that a page shows."""
        block = re.search(r"```toml\n(\[defaults\].*?)```", path.read_text("utf-8"), re.DOTALL)
        if block:
            (self.directory / "sitemapgen.toml").write_text(self.localised(block[1]))

    def export(self, command: str) -> None:
        """Keep what an ``export`` sets for the commands after it."""
        name, _, value = command.removeprefix("export ").partition("=")
        self.environment[name] = value.strip("'\"")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    reader = Reader(tmp_path_factory.mktemp("reader"))
    reader.prepare()
    yield reader
    reader.server.stop()


def is_elsewhere(command: Command) -> bool:
    return any(command.text.startswith(each) for each in ELSEWHERE)


@pytest.mark.parametrize(
    "path",
    [path for path in PAGES if not all(map(is_elsewhere, commands(path)))],
    ids=lambda path: path.name,
)
def test_every_command_of_the_page_runs(path: Path, reader: Reader) -> None:
    reader.begin()
    reader.write(path)
    for command in commands(path):
        if command.text.startswith("export "):
            reader.export(command.text)
        elif not is_elsewhere(command):
            codes = [codes for part, codes in CODES.items() if part in command.text]
            reader.give(command.text, codes[0] if codes else {0})


def test_what_is_run_elsewhere_is_on_a_page() -> None:
    given = [command.text for path in PAGES for command in commands(path)]
    for each in ELSEWHERE:
        assert any(text.startswith(each) for text in given) or f"`{each}`" in "".join(
            path.read_text("utf-8") for path in PAGES
        ), each
