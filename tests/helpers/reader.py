"""A reader who gives commands as they are printed, with example.com on this machine."""

import os
import re
import shutil
import sys
from pathlib import Path

from tests.docs.pages import ROOT
from tests.helpers.crawls import captured
from tests.helpers.server import Answer, Server, page, text, urlset

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
        self.hosts: dict[str, str] = {}
        """Further addresses of examples -> those on this machine."""
        tools = directory / "bin"
        tools.mkdir()
        for name in ("scrapy", "sitemapgen"):
            (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {name} "$@"\n')
            (tools / name).chmod(0o755)
        self._tools = tools
        self.output = directory / "output" / self.address.replace(":", "_")
        self._crawled = directory / "crawled"
        self._kept: set[Path] = set()

    def answer(self, path: str) -> Answer | None:
        if path == "/indexnow":
            return Answer(status=200)
        if path == "/robots.txt":
            return text(f"Sitemap: {self.server.url}sitemap.xml\n")
        if path == "/sitemap.xml":
            return urlset("a", "b", base=self.server.url)
        if re.fullmatch(r"/[0-9a-f]{8,}\.txt", path):
            return text((self.output / path[1:]).read_text("utf-8"))
        return SITE.get(path)

    def begin(self) -> None:
        """Begin a page: nothing is exported yet, and what other pages made is gone."""
        self.environment = {**os.environ, "PATH": f"{self._tools}:{os.environ['PATH']}"}
        for path in {*self.directory.iterdir()} - self._kept:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
        if self._crawled.exists():
            for place in (self.output, self.output.with_name("before"), self.directory / "public"):
                shutil.copytree(self._crawled, place)

    def prepare(self) -> None:
        """Crawl twice; each page finds a copy, also as of some time ago."""
        self._kept = {*self.directory.iterdir(), self._crawled}
        self.begin()
        for _ in range(2):
            self.give("scrapy crawl sitemap -a url=https://example.com", {0})
        self.output.rename(self._crawled)
        self.begin()

    def give(self, command: str, codes: set[int]) -> None:
        """Run a command as it stands on the page, but for the name of the site."""
        command = self.localised(command)
        if " indexnow " in command:
            command += f" -s SITEMAPGEN_INDEXNOW_ENDPOINT=http://{self.address}/indexnow"
        done = captured(["/bin/sh", "-c", command], cwd=self.directory, env=self.environment)
        assert done.returncode in codes, f"$ {command}\n{done.stderr}"

    def localised(self, words: str) -> str:
        """Replace the site of the documentation by the one on this machine."""
        site = r"https?://(?:(\w+\.)?example\.com|127\.0\.0\.1:8000)"
        words = re.sub(site, f"http://{self.address}", words)
        for host, here in self.hosts.items():
            words = words.replace(host, here)
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
