"""Phases of a large crawl are planned beside the event loop, with the same result as in it."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.helpers.crawls import (
    CRAWLED,
    DEADLINE,
    IMPATIENT,
    ROOT,
    Crawl,
    Crawler,
    captured,
    command,
    rest,
    wait_for,
)
from tests.helpers.server import Serve, Server, Site, page, text, xml

LARGE = """
from sitemapgen.frontier import batches, scheduler

scheduler.LARGE = 0
run = scheduler.FrontierScheduler._lease_in_background

async def counted(self, capacity):
    await run(self, capacity)
    self.crawler.stats.inc_value("plans")

scheduler.FrontierScheduler._lease_in_background = counted
"""
ENDLESS = """
import threading
from pathlib import Path

usual = batches.next_phase

def next_phase(store, *others):
    if threading.current_thread() is threading.main_thread():
        return usual(store, *others)
    Path({begun!r}).touch()
    while True:
        store.frontier.count_known()

batches.next_phase = next_phase
"""
URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'


def site() -> Site:
    """30 pages of links, 10 that only the sitemap names, and files."""
    answers = {f"/{n}": page(f"/{n + 1}", f"/{n * 2}", text=f"Page {n}") for n in range(1, 29)}
    answers["/29"] = page("/files/a.pdf", "/files/b.pdf", text="Page 29")
    only = {f"/only/{n}": page("/", text=f"Only {n}") for n in range(10)}
    entries = "".join(f"<url><loc>{{home}}{path[1:]}</loc></url>" for path in only)
    return {
        **{f"/{n}": page(text=f"Page {n}") for n in range(30, 60)},
        **answers,
        **only,
        "/": page("/1", text="Home"),
        "/sitemap.xml": xml(URLSET.format(entries)),
    }


def at(server: Server) -> Server:
    """Name the sitemap's pages by the URL that the server has."""
    answer = server.site["/sitemap.xml"]
    server.site["/sitemap.xml"] = xml(str(answer.body).replace("{home}", server.url))
    server.site["/robots.txt"] = text(f"Sitemap: {server.url}sitemap.xml")
    return server


def planted(tmp_path: Path, code: str) -> dict[str, str]:
    (tmp_path / "planted").mkdir()
    (tmp_path / "planted" / "sitecustomize.py").write_text(code, "utf-8")
    path = f"{tmp_path / 'planted'}{os.pathsep}{ROOT}"
    return {**os.environ, "PYTHONPATH": path, "SOURCE_DATE_EPOCH": str(CRAWLED)}


@pytest.mark.parametrize(
    "arguments",
    [(), ("strategy=balanced", "max_pages=25"), *rest((("strategy=balanced",),))],
)
def test_the_result_is_the_same(
    arguments: tuple[str, ...], serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    server = at(serve(site()))
    usual = crawl.published(server.url, *arguments, output=tmp_path / "usual")
    output = tmp_path / "beside"
    given = [part for argument in arguments for part in ("-a", argument)]
    done = captured(
        command(server.url, output, *IMPATIENT, *given, "-s", "LOG_LEVEL=INFO"),
        env=planted(tmp_path, LARGE),
    )
    assert done.returncode == 0, done.stderr
    assert "'plans': " in done.stderr
    assert Crawl(0, "", output).files == usual.files


@pytest.mark.full
def test_a_signal_while_it_plans(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    server = at(serve(site()))
    begun, output = tmp_path / "begun", tmp_path / "output"
    environment = planted(tmp_path, LARGE + ENDLESS.format(begun=str(begun)))
    with subprocess.Popen(
        command(server.url, output, *IMPATIENT),
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_for(lambda: begun.exists() or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        _, log = process.communicate(timeout=DEADLINE)
    assert process.returncode == 6, log
    assert "Traceback" not in log
    assert "nothing is lost, the same command continues" in log
    again = crawl.published(server.url, output=output)
    usual = crawl(server.url, output=tmp_path / "usual")
    assert again.files.keys() == usual.files.keys()
    assert again.sitemap == usual.sitemap
