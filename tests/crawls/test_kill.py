"""Kill it anywhere and run it again: the files are byte for byte those of an undisturbed crawl."""

import random
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.helpers.crawls import (
    DEADLINE,
    IMPATIENT,
    MADE_AGAIN,
    Crawl,
    command,
    rest,
    start,
    wait_for,
)
from tests.helpers.server import Answer, Serve, Server, page
from tests.helpers.shared import POSTGRESQL
from tests.helpers.sites import site_with_everything
from tests.helpers.traps import calendar, search, with_doors
from tests.store import tables

SECOND_READINGS = 8
"""Two pages of each pattern that goes on are read twice: ``analysis.traps.SAMPLED``."""


def kill_and_continue(server: Server, output: Path, moments: list[float], log: Path) -> list[int]:
    """Crawl, killed after so many seconds each time, then to the end; the exit codes.

    A crawl that had ended when the kill came counts as an undisturbed one. Whenever the kill comes,
    no page that is done then is asked for again, but for second readings.
    """
    codes: list[int] = []
    known: list[tuple[int, set[str]]] = []
    for moment in moments:
        process = start(command(server.url, output, *IMPATIENT), log)
        time.sleep(moment)
        process.kill()
        codes.append(process.wait())
        state = output / "crawl.sqlite"
        if tables.has_ended(state):
            return [*codes[:-1], 0]
        done = {f"/{url.removeprefix(server.url)}" for url in tables.done_pages(state)}
        known.append((len(server.visits), done))
    process = start(command(server.url, output, *IMPATIENT), log)
    codes.append(process.wait(DEADLINE))
    for visits, pages in known:
        assert len(pages & {*server.paths[visits:]}) <= SECOND_READINGS
    return codes


def check_kills(server: Server, seed: int, undisturbed: Crawl, seconds: float) -> None:
    dice = random.Random(seed)
    moments = [dice.uniform(0.3, seconds) for _ in range(dice.randint(1, 3))]
    output = undisturbed.output.parent / f"killed-{seed}"
    log = output.parent / f"log-{seed}"
    server.visits.clear()
    codes = kill_and_continue(server, output, moments, log)
    assert codes[-1] == 0, log.read_text()
    assert Crawl(0, "", output).files == undisturbed.files
    asked = Counter(path for path in server.paths if not re.match(r"/(robots|.*sitemap)", path))
    again = sum(asked.values()) - len(asked)
    kills = len(codes) - 1
    assert again <= kills * MADE_AGAIN + len(asked) // 100, (seed, moments, codes)


@pytest.fixture
def undisturbed(tmp_path: Path) -> Callable[[Server], tuple[Crawl, float]]:
    """Crawl a site once, in a process as those that are killed; how long it took."""

    def undisturbed_(server: Server) -> tuple[Crawl, float]:
        output, log = tmp_path / "output", tmp_path / "log"
        began = time.monotonic()
        code = start(command(server.url, output, *IMPATIENT), log).wait(DEADLINE)
        seconds = time.monotonic() - began
        result = Crawl(code, log.read_text(), output)
        assert result.code == 0, result.log
        return result, seconds

    return undisturbed_


@pytest.mark.full
@pytest.mark.parametrize("seeds", [range(1), *rest(range(1, 2))])
def test_kills_among_traps(
    seeds: range, serve: Serve, undisturbed: Callable[[Server], tuple[Crawl, float]]
) -> None:
    doors = ["/calendar/2026/06", "/results?page=1"]
    server = serve(with_doors(calendar, search, doors=lambda _: doors, pages=100))
    crawl, seconds = undisturbed(server)
    assert crawl.report["verdicts"]["trap"] > 1_000
    for seed in seeds:
        check_kills(server, seed, crawl, seconds)


@pytest.mark.full
@pytest.mark.parametrize("seeds", [range(1), *rest(range(1, 6))])
def test_kills_on_a_site_where_order_would_show(
    seeds: range, serve: Serve, undisturbed: Callable[[Server], tuple[Crawl, float]]
) -> None:
    server = serve(site_with_everything())
    crawl, seconds = undisturbed(server)
    assert {"/orphan1", "/only-from-orphan2"} <= {
        "/" + url[len(server.url) :] for url in crawl.urls
    }
    for seed in seeds:
        check_kills(server, seed, crawl, seconds)


@pytest.mark.slow
def test_kills_on_postgresql_documentation(
    serve: Serve, undisturbed: Callable[[Server], tuple[Crawl, float]]
) -> None:
    if not POSTGRESQL.exists():
        pytest.skip("the Debian package postgresql-doc-15 is not installed")
    server = serve(POSTGRESQL)
    crawl, seconds = undisturbed(server)
    for seed in range(20):
        check_kills(server, seed, crawl, seconds)


def test_a_signal_keeps_the_state_and_says_so(serve: Serve, tmp_path: Path) -> None:
    """No page is read twice, and ``max_pages`` is exact over the interruption."""

    def is_page(path: str) -> bool:
        return path.strip("/").isdecimal() or path == "/"

    def tree(path: str) -> Answer | None:
        if not is_page(path):
            return None
        number = int(path.strip("/") or 0)
        links = f"/{2 * number + 1}", f"/{2 * number + 2}"
        return page(*links, text=f"{number * 7_919} lamps")._replace(delay=0.01)

    server = serve(tree)
    output, log = tmp_path / "output", tmp_path / "log"
    line = command(server.url, output, "-a", "max_pages=120", *IMPATIENT)
    process = start(line, log)
    wait_for(lambda: len(server.visits) >= 50, process)
    process.terminate()
    assert process.wait(DEADLINE) == 6, log.read_text()
    assert "WARNING SIGTERM: finishing the pages under way; the state is kept" in log.read_text()
    assert "nothing is lost, the same command continues" in log.read_text()
    assert not (output / "sitemap.xml").exists()
    before = list(filter(is_page, server.paths))
    server.visits.clear()
    assert start(line, log).wait(DEADLINE) == 0, log.read_text()
    after = list(filter(is_page, server.paths))
    assert len(before) + len(after) == len({*before, *after}) == 120
    assert Crawl(0, "", output).report["fetched"] == 120
    told = rf" {len(after)} pages fetched in [0-9.]+ s, {len(before)} before an"
    assert re.search(told, log.read_text())
