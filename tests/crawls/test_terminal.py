"""What a crawl shows in a terminal; what others get instead."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sitemapgen.publish.publication import STEPS
from tests.crawls.terminal import CONTROL_C, Terminal
from tests.helpers.crawls import DEADLINE, IMPATIENT, Crawler, command, start
from tests.helpers.server import Answer, Serve
from tests.helpers.sites import SLOW_ROBOTS, endless_tree

LOG_LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [A-Z]+ ")
STATUS = re.compile(r"^[\d,]+ pages? fetched · [\d,]+ listed · [\d,]+ in the queue")


Run = Callable[..., Terminal]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """Crawl in a terminal: ``run(url, "-a", "max_pages=9", columns=80)``."""
    terminals: list[Terminal] = []

    def run_(url: str, *more: str, **options: int | str) -> Terminal:
        arguments = command(url, tmp_path / "output", *IMPATIENT, *more)
        terminals.append(Terminal(arguments, **options))
        return terminals[-1]

    yield run_
    for terminal in terminals:
        terminal.close()


def shows(terminal: Terminal, words: str) -> Callable[[], bool]:
    return lambda: any(words in line for line in terminal.lines)


def has_status(terminal: Terminal, url: str) -> bool:
    """Tell whether the whole status stands there: it may be drawn while it is read."""
    lines = terminal.lines
    where = next((number for number, line in enumerate(lines) if STATUS.match(line)), 0)
    return (
        0 < where < len(lines) - 1
        and "pages a second" in lines[where]
        and lines[where - 1].startswith(url)
        and re.search(r" \d:\d\d:\d\d$", lines[where - 1]) is not None
        and lines[where + 1].startswith("━━")
    )


@pytest.mark.full
def test_the_status_and_then_only_the_log(serve: Serve, run: Run) -> None:
    url = serve(endless_tree()).url
    terminal = run(url, "-a", "max_pages=400")
    terminal.until(lambda: has_status(terminal, url))
    assert terminal.screen.cursor.hidden
    assert terminal.wait() == 0
    assert not terminal.screen.cursor.hidden
    said = "\n".join(terminal.said)
    assert "400 pages fetched in" in said
    assert "pages a second" not in said  # the status left nothing behind
    assert "━" not in said


@pytest.mark.full
def test_no_log_line_is_cut(serve: Serve, run: Run) -> None:
    """At DEBUG there is one line a page, and the status is drawn in between."""
    terminal = run(serve(endless_tree()).url, "-a", "max_pages=300", "-L", "DEBUG", columns=140)
    terminal.until(shows(terminal, "━━"))
    assert terminal.wait() == 0
    pages = [line for line in terminal.said if " DEBUG listed: http" in line]
    assert len(pages) == 300
    assert all(LOG_LINE.match(line) for line in pages)
    assert not [line for line in terminal.said if "━" in line or STATUS.match(line)]
    for number, step in enumerate(STEPS, 1):  # while the files are written
        assert f"publishing: {step} ({number} of {len(STEPS)})".encode() in terminal.raw
    assert "publishing" not in "\n".join(terminal.said)


@pytest.mark.full
def test_a_long_line_is_copied_as_one(serve: Serve, run: Run) -> None:
    terminal = run(serve(endless_tree()).url, "-a", "max_pages=200", columns=60)
    terminal.until(shows(terminal, "━━"))
    assert terminal.wait() == 0
    assert re.search(rb"should have the line: Sitemap: \S+/sitemap.xml\r\n", terminal.raw)


@pytest.mark.full
def test_what_the_site_makes_it_wait_for(serve: Serve, run: Run) -> None:
    server = serve(endless_tree(robots=SLOW_ROBOTS.format(1)))
    terminal = run(server.url, "-a", "max_pages=5", columns=120)
    terminal.until(shows(terminal, "robots.txt asks for 1 s from one request to the next"))
    assert terminal.wait() == 0


@pytest.mark.full
def test_a_pause_that_the_site_asked_for(serve: Serve, run: Run) -> None:
    asked = 0

    def site(path: str) -> Answer | None:
        nonlocal asked
        asked += 1
        if asked == 5:
            return Answer("not now", 429, {"Retry-After": "3"})
        return endless_tree()(path)

    terminal = run(serve(site).url, "-a", "max_pages=9", columns=120)
    terminal.until(shows(terminal, "the site refused requests: no more for"))
    assert terminal.wait() == 0


@pytest.mark.full
def test_when_it_will_be_done(serve: Serve, run: Run) -> None:
    terminal = run(serve(endless_tree(0.1)).url, "-a", "max_pages=900", columns=120)
    terminal.until(
        lambda: any(re.search(r"about \d+ \w+ until max_pages", line) for line in terminal.lines)
    )
    terminal.press(CONTROL_C)
    assert terminal.wait() == 6


def test_control_c_once(serve: Serve, run: Run, tmp_path: Path) -> None:
    server = serve(endless_tree(0.05))
    terminal = run(server.url, columns=180)
    terminal.until(shows(terminal, " fetched"))
    terminal.press(CONTROL_C)
    terminal.until(shows(terminal, "Ctrl-C: finishing the pages under way; the state is kept"))
    assert terminal.wait() == 6
    said = " ".join(terminal.said)
    assert said.count("Ctrl-C") == 1
    assert "nothing is lost, the same command continues" in said
    assert not [line for line in terminal.said if "━" in line or "pages a second" in line]
    assert not terminal.screen.cursor.hidden
    assert not (tmp_path / "output" / "sitemap.xml").exists()
    asked = set(server.paths)
    server.visits.clear()
    terminal = run(server.url, "-a", f"max_pages={len(asked) + 40}")
    assert terminal.wait() == 0
    assert len(asked & {*server.paths} - {"/robots.txt"}) <= 5


def test_control_c_where_the_status_fills_the_line(serve: Serve, run: Run) -> None:
    """The terminal writes ^C where the cursor stands, which is at the end of the last line."""
    terminal = run(serve(endless_tree(0.05)).url, columns=26)
    terminal.until(shows(terminal, "━━━"))
    terminal.press(CONTROL_C)
    assert terminal.wait() == 6
    left = [line for line in terminal.said if re.search(r" \d:\d\d:\d\d$|pages? fetched|━", line)]
    assert left == []


def test_control_c_twice(serve: Serve, run: Run) -> None:
    def site(path: str) -> Answer | None:
        return endless_tree(0 if path in ("/", "/robots.txt") else 2 * DEADLINE)(path)

    terminal = run(serve(site).url, columns=180)
    terminal.until(shows(terminal, " fetched"))
    terminal.press(CONTROL_C)
    terminal.until(shows(terminal, "Once more stops at once"))
    terminal.press(CONTROL_C)
    assert terminal.wait() == 6  # before the pages under way are there
    assert "Ctrl-C again: stopped" in " ".join(terminal.said)
    assert not terminal.screen.cursor.hidden
    assert "Traceback" not in " ".join(terminal.said)


@pytest.mark.full
@pytest.mark.parametrize("options", [("--logfile", "LOG"), ("-s", "LOG_ENABLED=False")])
def test_no_status_where_the_log_does_not_go_to_the_terminal(
    options: tuple[str, str], serve: Serve, run: Run, tmp_path: Path
) -> None:
    given = [str(tmp_path / "log") if option == "LOG" else option for option in options]
    terminal = run(serve(endless_tree()).url, "-a", "max_pages=150", *given)
    assert terminal.wait() == 0
    assert terminal.raw == b""


@pytest.mark.full
def test_no_status_on_a_terminal_that_cannot_erase(serve: Serve, run: Run) -> None:
    terminal = run(serve(endless_tree()).url, "-a", "max_pages=150", TERM="dumb")
    assert terminal.wait() == 0
    assert b"\x1b" not in terminal.raw
    assert b"written" in terminal.raw


@pytest.mark.full
def test_lines_now_and_then_where_there_is_no_terminal(serve: Serve, crawl: Crawler) -> None:
    settings = (*IMPATIENT, "-s", "LOGSTATS_INTERVAL=1.1")
    result = crawl.published(serve(endless_tree()).url, "max_pages=400", settings=settings)
    line = r"INFO [\d,]+ pages? fetched, [\d,]+ listed, [\d,]+ in the queue, [\d.]+ pages a second"
    assert re.search(line, result.log)
    assert "\x1b" not in result.log
    assert "Crawled" not in result.log


@pytest.mark.parametrize("settings", [IMPATIENT, (*IMPATIENT, "-s", "LOGSTATS_INTERVAL=0")])
def test_a_short_crawl_has_none(settings: tuple[str, ...], serve: Serve, crawl: Crawler) -> None:
    result = crawl.published(serve(endless_tree()).url, "max_pages=20", settings=settings)
    assert "in the queue" not in result.log
    assert "publishing" not in result.log


@pytest.mark.parametrize("patience", [0, DEADLINE])
def test_steps_where_there_is_no_terminal(patience: int, serve: Serve, tmp_path: Path) -> None:
    """Lines of the log, of a site that takes longer than so many seconds."""
    watched = tmp_path / "watched.py"
    watched.write_text(
        "import sys; from scrapy.cmdline import execute\n"
        "from sitemapgen.extensions import progress\n"
        f"progress.PATIENCE = {patience}\n"
        "execute(['scrapy', *sys.argv[1:]])\n"
    )
    log = tmp_path / "log"
    arguments = command(
        serve(endless_tree()).url, tmp_path / "output", "-a", "max_pages=20", *IMPATIENT
    )
    arguments[1:3] = [str(watched)]
    assert start(arguments, log).wait(DEADLINE) == 0, log.read_text()
    said = re.findall(r"INFO publishing: (.*) \((\d) of (\d)\)", log.read_text())
    expected = [(step, str(n), str(len(STEPS))) for n, step in enumerate(STEPS, 1)]
    assert said == ([] if patience else expected)
