"""``--help`` of each command, at any width: its words are whole, and its examples accepted."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module

import pytest
from scrapy.cmdline import ScrapyArgumentParser
from scrapy.commands import ScrapyHelpFormatter
from scrapy.utils.project import get_project_settings

from sitemapgen.cli import main
from tests.docs.pages import ROOT
from tests.helpers.crawls import rest
from tests.helpers.programs import free_port
from tests.helpers.reader import Reader
from tests.helpers.scrapyd_stub import stubs

pytestmark = pytest.mark.sample

COMMANDS = [
    *(("scrapy", name) for name in ("crawl", *main.TOOLS)),
    *(("sitemapgen", name) for name in (*main.OWN, *main.TOOLS)),
]
WIDTHS = range(50, 120, 7)
"""Columns of a terminal."""
WIDE = 1000
UNREACHABLE = 3
HEADINGS = {"Usage", "Options", "Global Options", "Examples"}


def help_of(program: str, command: str) -> str:
    """Return the help of a command for the width in COLUMNS, as its program makes it."""
    if program == "sitemapgen":
        (parsers,) = (each for each in main._parser(command)._actions if each.choices)
        return str(parsers.choices[command].format_help())
    made = import_module(f"sitemapgen.scrapy_commands.{command}").Command()
    made.settings = get_project_settings()
    parser = ScrapyArgumentParser(
        formatter_class=ScrapyHelpFormatter,
        usage=f"scrapy {command} {made.syntax()}",
        conflict_handler="resolve",
        description=made.long_desc(),
    )
    made.add_options(parser)
    return parser.format_help()


def examples(program: str, text: str) -> list[str]:
    """Return the lines below the heading of the examples."""
    lines = re.split(r"^(?:examples:|Examples\n=+)\n", text, flags=re.MULTILINE)[1].splitlines()
    assert all(line.startswith(f"  {program} ") for line in lines), text
    return [line.strip() for line in lines]


@pytest.mark.parametrize(("program", "command"), COMMANDS)
def test_help_at_any_width(program: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words and examples; underlined are headings alone, which was once an option."""
    monkeypatch.setenv("COLUMNS", str(WIDE))
    wide = help_of(program, command)
    assert examples(program, wide)
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        text = help_of(program, command)
        assert text.split() == wide.split()
        assert examples(program, text) == examples(program, wide)
        headings = re.findall(r"^(.*)\n(?:==+|--+)$", text, re.MULTILINE)
        assert set(headings) == (HEADINGS if program == "scrapy" else set())


def test_scrapy_prints_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    printed = [sys.executable, "-m", "scrapy", "report", "-h"]
    done = subprocess.run(printed, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == help_of("scrapy", "report").strip()


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """Yield a reader with two crawls, sites in files, and a Scrapyd server."""
    reader = Reader(tmp_path_factory.mktemp("reader"))
    with stubs(1) as scrapyd:
        reader.hosts["http://localhost:6800/"] = scrapyd.urls[0]
        reader.hosts["redis://localhost:6379"] = f"redis://127.0.0.1:{free_port()}"
        reader.hosts["sc-domain:example.com"] = reader.server.url
        settings = reader.directory / "scrapy.cfg"
        text = reader.localised(settings.read_text("utf-8"))
        settings.unlink()
        settings.write_text(text, "utf-8")
        (reader.directory / "sites.csv").write_text("url\nhttps://example.com\n", "utf-8")
        reader.prepare()
        reader.give("scrapy crawl sitemap -a url=https://example.com", {0})
        shutil.copytree(reader.output, reader.directory / "output" / "example.org")
        reader.write(ROOT / "docs" / "guides" / "sitemapgen.md")
        yield reader
        reader.server.stop()


RUN = [each for each in COMMANDS if each[0] == "scrapy" or each[1] in main.OWN]
RUN.remove(("sitemapgen", main.SERVE))  # it ends with a signal: test_serve.py
SOME = [("scrapy", "crawl"), ("scrapy", "validate")]
"""Whose examples are not left to the sweeps; all are parsed."""
MORE = {
    "fleet": " -s SITEMAPGEN_FLEET_POLL=0.2",
    "crawl": " -s DOWNLOAD_DELAY=0",
    "init": " -s DOWNLOAD_DELAY=0 --file new.toml",
}
"""Words that are added for speed, and since there is a sitemapgen.toml."""


@pytest.mark.parametrize(
    ("program", "command"), [*SOME, *rest(*(each for each in RUN if each not in SOME))]
)
@pytest.mark.full
def test_every_example_runs(
    program: str, command: str, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker finds no Redis, which comes after its options."""
    monkeypatch.setenv("COLUMNS", "80")
    for line in examples(program, help_of(program, command)):
        code = UNREACHABLE if command == "worker" else 0
        reader.give(line + MORE.get(command, ""), {code})


@pytest.mark.parametrize("command", [*main.TOOLS, main.SERVE])
def test_every_example_is_accepted(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the parser; and the examples of Scrapy's commands are the same."""
    monkeypatch.setenv("COLUMNS", "80")
    lines = examples("sitemapgen", help_of("sitemapgen", command))
    for line in lines:
        main._parser(command).parse_args(shlex.split(line)[1:])
    if command in main.TOOLS:
        others = examples("scrapy", help_of("scrapy", command))
        assert [each.split()[1:] for each in lines] == [each.split()[1:] for each in others]
