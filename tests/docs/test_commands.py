"""Every command of the documentation runs, page by page, as a reader would give it.

example.com is a server on this machine, and each page finds what its reader has by then: a crawl,
the output of an earlier one, a sitemap of some site.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, Command, commands
from tests.helpers.reader import Reader

pytestmark = pytest.mark.sample

ELSEWHERE = {
    "make test": "runs this test",
    "make crawl": "makes an environment, then gives the command below it",
    "git clone": "needs a network; the rest runs in this copy",
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
    "sitemapgen init": "refuses to replace the file of another page; tests/cli/test_init.py",
    "sitemapgen serve": "runs until a signal; tests/cli/test_serve.py has some",
    "curl -N http://127.0.0.1:6030": "tests/crawls/test_dashboard.py reads the stream",
}
"""What is not run here, and why."""

CODES = {
    "--fail-on": {8},
    "scrapy validate public/sitemap.xml": {0, 9},
}
"""Commands that say something with their exit code."""


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
