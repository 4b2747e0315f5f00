"""``sitemapgen`` in new processes: what does not crawl imports neither Scrapy nor Twisted."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.crawls import DEADLINE, ROOT, Crawler, captured, rest
from tests.helpers.server import Serve, page

pytestmark = pytest.mark.sample

WATCHED = """
import atexit, sys
from sitemapgen.__main__ import main
watched = {"scrapy", "twisted", *sys.argv.pop(1).split(",")}
atexit.register(lambda: print("LOADED", sorted(watched & {*sys.modules})))
main()
"""


@pytest.fixture
def output(serve: Serve, crawl: Crawler) -> Path:
    """The output of a crawl of two pages."""
    crawled = crawl.published(serve({"/": page("/a"), "/a": page()}).url)
    return crawled.output


def loaded(*words: str, cwd: Path, watched: str = "") -> tuple[int, str]:
    """Run a command in a new process; return its exit code, and what it imported, as a list."""
    done = captured(
        [sys.executable, "-c", WATCHED, watched, *words],
        cwd=cwd,
        env={"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", "PATH": "/usr/bin:/bin"},
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout.splitlines()[-1]


@pytest.mark.parametrize("words", [[], ["--version"], ["--help"], ["validate", "--help"]])
def test_help_imports_no_model_of_arguments(words: list[str], tmp_path: Path) -> None:
    code = 0 if words else 2
    assert loaded(*words, cwd=tmp_path, watched="numpy,pydantic") == (code, "LOADED []")


def test_the_help_of_a_crawl_imports_no_scrapy(tmp_path: Path) -> None:
    assert loaded("crawl", "--help", cwd=tmp_path) == (0, "LOADED []")


def test_commands_on_files_import_no_scrapy(output: Path) -> None:
    (output / "old.xml").write_bytes((output / "sitemap.xml").read_bytes())
    for words in (
        *(["validate", "sitemap.xml"], ["diff", "old.xml", "sitemap.xml"], ["report", "."]),
        *(["publish", "."], ["compare", "."], ["indexnow", "."], ["submit", "."]),
        ["export", ".", "--to", "csv"],
    ):
        assert loaded(*words, cwd=output) == (0, "LOADED []"), words


def test_scrapy_runs_what_sends_requests(output: Path, serve: Serve) -> None:
    server = serve({"/": page()})
    code, modules = loaded("validate", f"{server.url}sitemap.xml", cwd=output)
    assert (code, modules) == (3, "LOADED ['scrapy', 'twisted']")


OPTIONAL = {
    "cluster": {"setup"},
    "extensions.dashboard": {"extension", "events"},
    "cli.serve": set(),
    "tools.fleet": set(),
    "publish.tables": set(),
}
"""Optional parts, each a package, and the modules by which the rest enters them."""
PACKAGES = (
    *("sitemapgen.browser.pool", "playwright", "aiohttp"),
    *("redis", "msgpack", "pyarrow", "xlsxwriter", "psutil", "rich"),
)
"""What these, a terminal, or pages that need a browser, alone import."""


def test_a_plain_crawl_imports_no_optional_part(serve: Serve, tmp_path: Path) -> None:
    parts = [
        f"sitemapgen.{package}.{path.stem}"
        for package, doors in OPTIONAL.items()
        for path in (ROOT / "sitemapgen" / package.replace(".", "/")).glob("[!_]*.py")
        if path.stem not in doors
    ]
    assert len(parts) > 3 * len(OPTIONAL)
    url = serve({"/": page("/a"), "/a": page()}).url
    code, modules = loaded("crawl", url, cwd=tmp_path, watched=",".join((*parts, *PACKAGES)))
    assert (code, modules) == (0, "LOADED ['scrapy', 'twisted']")


LOGS = [
    ([], "2"),
    (["--log-level", "ERROR"], ""),
    (["-s", "LOG_LEVEL=ERROR"], ""),
    (["-s", "LOG_ENABLED=False"], ""),
    (["-s", "LOG_ENABLED=False", "--log-level", "INFO"], "2"),
    (["-s", "LOG_FORMAT=log: %(message)s"], "l"),
]
"""Options, and the first character of the log, which begins with the date."""


@pytest.mark.parametrize(("words", "first"), [LOGS[0], *rest(*LOGS[1:])])
def test_the_log_is_as_scrapy_writes_it(words: list[str], first: str, output: Path) -> None:
    program = [sys.executable, "-m"]
    ours, scrapys = (
        subprocess.run(
            [*program, *command],
            cwd=output,
            env={"PYTHONPATH": str(ROOT), "SCRAPY_SETTINGS_MODULE": "sitemapgen.settings"},
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=True,
        ).stderr
        for command in (
            ["sitemapgen", "report", ".", *words],
            ["scrapy", "report", ".", *("--loglevel" if w == "--log-level" else w for w in words)],
        )
    )
    assert ours[:1] == first
    assert [line.split()[2:] for line in ours.splitlines()] == [
        line.split()[2:] for line in scrapys.splitlines()
    ]


@pytest.mark.parametrize("program", ["sitemapgen", *rest("scrapy")])
def test_a_log_file_is_continued_or_begun_again(program: str, output: Path, tmp_path: Path) -> None:
    option, log = (
        ("--log-file" if program == "sitemapgen" else "--logfile"),
        tmp_path / "report.log",
    )
    sizes = []
    for append in ("True", "True", "False"):
        subprocess.run(
            [sys.executable, "-m", program, "report", ".", option, str(log)]
            + ["-s", f"LOG_FILE_APPEND={append}"],
            cwd=output,
            env={"PYTHONPATH": str(ROOT), "SCRAPY_SETTINGS_MODULE": "sitemapgen.settings"},
            timeout=DEADLINE,
            check=True,
        )
        sizes.append(len(log.read_text().splitlines()))
    assert sizes[0] > 0
    assert sizes == [sizes[0], 2 * sizes[0], sizes[0]]
