"""``scrapy fleet`` with real Scrapyd servers: every site gets one job, whatever happens to them.

That a site was scheduled once is asked of the site itself: a crawl begins with its robots.txt.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from sitemapgen.tools.fleet.servers import rendezvous
from tests.helpers import scrapyd
from tests.helpers.crawls import DEADLINE, IMPATIENT, rest, wait_for
from tests.helpers.gateway import NEVER, Fault, Gateway
from tests.helpers.scrapyd import Daemon
from tests.helpers.server import Answer, Server, page
from tests.helpers.tls import self_signed

pytest.importorskip("scrapyd", reason="requirements-dev.txt has it")
pytest.importorskip("scrapyd_client", reason="requirements-dev.txt has it")

OPTIONS = "jobs_to_keep = 100\n"
QUICK = (*IMPATIENT, "-s", "RETRY_TIMES=0", "-s", "SITEMAPGEN_FLEET_POLL=0.5")
ADDRESSES = (f"127.0.{number}.1" for number in count(1))
"""Addresses are used once: the state of a host is that of one site."""


Start = Callable[..., Daemon]
Sites = Callable[..., list[Server]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return scrapyd.checkout(tmp_path_factory.mktemp("project") / "sitemapgen")


@pytest.fixture(scope="module")
def first(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A daemon that has the egg."""
    directory = tmp_path_factory.mktemp("first")
    daemon = Daemon(directory, options=OPTIONS, SITEMAPGEN_OUTPUT_ROOT=str(directory / "output"))
    try:
        deployed = scrapyd.deploy(project, url=daemon.url)
        assert json.loads(deployed.stdout)["status"] == "ok", deployed.stderr
        yield daemon
    finally:
        daemon.stop()


@pytest.fixture
def start(first: Daemon, tmp_path: Path) -> Iterator[Start]:
    """Start another daemon with the same eggs."""
    daemons: list[Daemon] = []

    def start_one(options: str = "", eggs: Path = first.directory / "eggs") -> Daemon:
        directory = tmp_path / f"daemon-{len(daemons)}"
        directory.mkdir()
        options = f"{OPTIONS}eggs_dir = {eggs}\n{options}"
        root = str(directory / "output")
        daemons.append(Daemon(directory, options=options, SITEMAPGEN_OUTPUT_ROOT=root))
        return daemons[-1]

    yield start_one
    for daemon in daemons:
        daemon.stop()


@pytest.fixture
def sites() -> Iterator[Sites]:
    """Serve sites, each on an address of its own: of one host only one is crawled at a time."""
    with ExitStack() as servers:

        def serve(
            number: int,
            site: Callable[[str], Answer | None] | None = None,
            addresses: Iterable[str] = ADDRESSES,
        ) -> list[Server]:
            found = (Server(site or pages(3), address=each) for each in islice(addresses, number))
            return [*map(servers.enter_context, found)]

        yield serve


def pages(number: int, delay: float = 0.0) -> Callable[[str], Answer | None]:
    """A site of so many pages, the start page first; each links to the next."""

    def site(path: str) -> Answer | None:
        name = path.strip("/") or "0"
        if not name.isdecimal() or int(name) >= number:
            return None
        more = [f"/{int(name) + 1}"] if int(name) + 1 < number else []
        text = f"This is page number {name} of the site, and no other page."
        return page(*more, title=name, text=text)._replace(delay=delay if int(name) else 0.0)

    return site


def crawls_of(server: Server) -> int:
    return server.paths.count("/robots.txt")


class Fleet:
    """A sites.csv, and the command on it."""

    def __init__(self, directory: Path, servers: list[Server], *daemons: str) -> None:
        self.path = directory / "sites.csv"
        self.path.write_text("url\n" + "".join(f"{server.url}\n" for server in servers))
        named = (part for daemon in daemons for part in ("--server", daemon))
        self.command = [sys.executable, "-m", "scrapy", "fleet", str(self.path), *named, *QUICK]
        self.environment = dict(os.environ)

    def begin(self, *options: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*self.command, *options],
            cwd=scrapyd.ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *options: str) -> tuple[int, str, str]:
        """The exit code, the table and the log."""
        process = self.begin(*options)
        table, log = process.communicate(timeout=DEADLINE)
        assert "Traceback" not in log, log
        return process.returncode, table, log

    def run_up_to(self, steps: int) -> None:
        """Kill it once its state has so many lines, unless the round is complete by then."""
        if self.done("over"):
            return
        process = self.begin()
        wait_for(lambda: len(self.steps) >= steps or process.poll() is not None)
        process.kill()
        process.communicate()

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The lines of the state."""
        path = self.path.with_name("sites.fleet") / "state.jsonl"
        if not path.exists():
            return []
        return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]

    def done(self, event: str) -> int:
        return sum(step["event"] == event for step in self.steps)

    @property
    def outcomes(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(
            (self.path.with_name("sites.fleet") / "outcomes.json").read_bytes()
        )
        return facts

    def of(self, server: Server) -> dict[str, Any]:
        """The outcome of a site."""
        (found,) = (site for site in self.outcomes["sites"] if site["url"] == server.url)
        return dict(found)


@pytest.mark.full
def test_sites_on_two_servers(first: Daemon, start: Start, sites: Sites, tmp_path: Path) -> None:
    second = start()
    both = [first.url, second.url]
    good = [
        server
        for url in both
        for server in sites(2, None, (each for each in ADDRESSES if rendezvous(each, both) == url))
    ]
    (bad,) = sites(1, lambda path: None)
    fleet = Fleet(tmp_path, [*good, bad], first.url, second.url)
    code, table, log = fleet.run()
    assert code == 11, log
    assert table.splitlines()[-1] == "5 sites: published 4, unreachable 1"
    outcomes = fleet.outcomes
    assert outcomes["complete"] is True
    assert outcomes["totals"] == {"published": 4, "unreachable": 1}
    assert [site["line"] for site in outcomes["sites"]] == [2, 3, 4, 5, 6]
    assert "HTTP 404" in fleet.of(bad)["sentence"]
    for server in good:
        outcome = fleet.of(server)
        assert crawls_of(server) == 1
        assert (outcome["outcome"], outcome["jobs"]) == ("published", 1)
        assert outcome["counts"]["listed"] == 3
        assert (Path(outcome["output"]) / "sitemap.xml").is_file()
    servers = {site["url"]: site["server"] for site in outcomes["sites"]}
    assert [servers[server.url] for server in good] == [first.url] * 2 + [second.url] * 2
    # The next round: with a third server, to which no host moves, and a line less.
    third = start()
    fleet = Fleet(tmp_path, good, first.url, second.url, third.url)
    code, table, log = fleet.run()
    assert (code, table.splitlines()[-1]) == (0, "4 sites: published 4"), log
    assert all(site["server"] == servers[site["url"]] for site in fleet.outcomes["sites"])
    assert all(crawls_of(server) == 2 for server in good)
    # A server with state is not forgotten in silence.
    code, _, log = Fleet(tmp_path, good, first.url).run()
    assert code == 2
    assert f"{second.url} has the state of" in log
    assert f"--gone {second.url}" in log


SEEDS = [1, *rest(*range(2, 21))]


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_killed_anywhere_no_site_is_scheduled_twice(
    seed: int, first: Daemon, sites: Sites, tmp_path: Path
) -> None:
    servers = sites(3)
    fleet = Fleet(tmp_path, servers, first.url)
    dice = random.Random(seed)
    for _ in range(3):
        fleet.run_up_to(len(fleet.steps) + dice.randint(1, 5))
    if not fleet.done("over"):
        code, table, log = fleet.run()
        assert (code, table.splitlines()[-1]) == (0, "3 sites: published 3"), log
    assert [crawls_of(server) for server in servers] == [1, 1, 1]


@pytest.mark.full
def test_ctrl_c_keeps_the_state_and_the_jobs_go_on(
    first: Daemon, sites: Sites, tmp_path: Path
) -> None:
    servers = sites(3, pages(4))
    interrupted = threading.Event()
    for server in servers:
        server.holds = lambda path: path == "/1" and not interrupted.is_set()
    fleet = Fleet(tmp_path, servers, first.url)
    process = fleet.begin("--at-once", "2")
    wait_for(lambda: fleet.done("running") > 0)
    other = Fleet(tmp_path, servers, first.url).run("--into", str(tmp_path / "elsewhere"))
    assert other[0] == 5
    assert "another fleet is at work with it" in other[2]
    process.send_signal(signal.SIGINT)
    table, log = process.communicate(timeout=DEADLINE)
    interrupted.set()
    assert process.returncode == 6, log
    assert "3 sites have no outcome yet; 2 jobs go on at the servers; the same command" in log
    assert table.splitlines()[-1] == "3 sites: none yet 3"
    assert fleet.outcomes["complete"] is False
    wait_for(lambda: all(crawls_of(server) for server in servers[:2]))
    code, table, log = fleet.run()
    assert (code, table.splitlines()[-1]) == (0, "3 sites: published 3"), log
    assert [crawls_of(server) for server in servers] == [1, 1, 1]


@pytest.mark.slow
def test_a_server_that_is_restarted(start: Start, sites: Sites, tmp_path: Path) -> None:
    """Of its running jobs one is killed with it, another outlives it; two are in its queue."""
    daemon = start()
    (killed, alive, *queued) = sites(4, pages(5, delay=1.0))
    fleet = Fleet(tmp_path, [killed, alive, *queued], daemon.url)
    path = tmp_path / "log"
    process = fleet.begin("-s", "SITEMAPGEN_FLEET_SILENCE=8", "--logfile", str(path))
    wait_for(lambda: all("/1" in server.paths for server in (killed, alive)))
    wait_for(lambda: fleet.done("running") == 2)
    daemon.kill()
    os.kill(process_of(daemon, killed), signal.SIGKILL)
    wait_for(lambda: "it is tried again for 10 min" in path.read_text())
    daemon.start()
    table, _ = process.communicate(timeout=DEADLINE)
    log = path.read_text()
    assert (process.returncode, table.splitlines()[-1]) == (0, "4 sites: published 4"), log
    assert f"{killed.url}: its job was killed with its server; scheduled again" in log
    assert log.count("scheduled again") == 1
    assert [fleet.of(each)["jobs"] for each in (killed, alive, *queued)] == [2, 1, 1, 1]
    assert [crawls_of(each) for each in (alive, *queued)] == [1, 1, 1]
    assert killed.paths.count("/") == 1  # its state was continued


def process_of(daemon: Daemon, server: Server) -> int:
    """The process of the crawl of a site, as its result.json has it."""
    host = server.url.split("/")[2].replace(":", "_")
    path = daemon.directory / "output" / "sitemapgen" / "sitemap" / host / "result.json"
    return int(json.loads(path.read_bytes())["pid"])


@pytest.mark.slow
def test_a_server_that_is_gone(first: Daemon, start: Start, sites: Sites, tmp_path: Path) -> None:
    second = start()
    servers = sites(4)
    fleet = Fleet(tmp_path, servers, second.url)
    process = fleet.begin("-s", "SITEMAPGEN_FLEET_GIVE_UP=1", "--at-once", "2")
    wait_for(lambda: fleet.done("ended") > 0)
    second.kill()
    table, log = process.communicate(timeout=DEADLINE)
    assert process.returncode == 6, log
    assert f"{second.url}: connection refused; " in log
    assert "no outcome yet" in log
    assert "the same command continues" in log
    done = [server for server in servers if fleet.of(server)["outcome"]]
    assert 0 < len(done) < 4
    fleet = Fleet(tmp_path, servers, first.url)
    code, table, log = fleet.run("--gone", second.url)
    assert (code, table.splitlines()[-1]) == (0, "4 sites: published 4"), log
    assert {fleet.of(server)["server"] for server in done} == {second.url}
    others = [server for server in servers if server not in done]
    assert {fleet.of(server)["server"] for server in others} == {first.url}


@pytest.mark.slow
def test_sites_that_never_end(first: Daemon, sites: Sites, tmp_path: Path) -> None:
    """One reacts to the first cancel, one is stopped (SIGSTOP) and reacts to the last alone."""
    (slow, stuck) = sites(2, pages(10_000, delay=0.3))
    fleet = Fleet(tmp_path, [slow, stuck], first.url)
    process = fleet.begin("--limit", "0")
    wait_for(lambda: "/1" in slow.paths and "/1" in stuck.paths and fleet.done("running") == 2)
    process.terminate()
    process.communicate(timeout=DEADLINE)
    assert process.returncode == 6
    os.kill(process_of(first, stuck), signal.SIGSTOP)
    code, table, log = fleet.run("--limit", "0.01", "-s", "SITEMAPGEN_FLEET_GRACE=15")
    assert (code, table.splitlines()[-1]) == (11, "2 sites: time_limit 2"), log
    assert log.count(f"{stuck.url}: runs longer than 0.6 s; cancelled") == 3
    assert "cancelled (KILL)" in log
    for server in (slow, stuck):
        outcome = fleet.of(server)
        assert outcome["jobs"] == 1
        assert outcome["sentence"].startswith("runs longer than 0.6 s; its state is kept")


@pytest.mark.slow
def test_a_site_that_never_ends_and_a_server_that_forgot_it(
    start: Start, sites: Sites, tmp_path: Path
) -> None:
    daemon = start()
    servers = sites(1, pages(10_000, delay=0.3))
    fleet = Fleet(tmp_path, servers, daemon.url)
    process = fleet.begin("--limit", "0")
    wait_for(lambda: "/1" in servers[0].paths and fleet.done("running") == 1)
    process.terminate()
    process.communicate(timeout=DEADLINE)
    daemon.kill()
    daemon.start()
    try:
        code, table, log = fleet.run("--limit", "0.01")
        assert (code, table.splitlines()[-1]) == (11, "1 site: time_limit 1"), log
        assert "its restarted server cannot cancel it: end its process" in log
    finally:
        os.kill(process_of(daemon, servers[0]), signal.SIGKILL)
    assert crawls_of(servers[0]) == 1


@pytest.mark.slow
def test_a_proxy_that_refuses_and_one_that_swallows_answers(
    first: Daemon, sites: Sites, tmp_path: Path
) -> None:
    """A job whose answer was lost is not scheduled again; one that was refused is."""
    servers = sites(3)
    faults = {
        "/listspiders.json": [(429, False), (502, False)],
        "/schedule.json": [(504, True), (503, False), (0, True)],
        "/listjobs.json": [(200, True), (500, False)],
    }
    with Gateway(first.url, faults) as gateway:
        fleet = Fleet(tmp_path, servers, gateway.url)
        code, table, log = fleet.run()
    assert (code, table.splitlines()[-1]) == (0, "3 sites: published 3"), log
    assert not any(faults.values())
    assert [crawls_of(server) for server in servers] == [1, 1, 1]


@pytest.mark.slow
def test_killed_between_a_request_and_its_answer(
    first: Daemon, sites: Sites, tmp_path: Path
) -> None:
    """One request has arrived by then, the next one has not."""
    servers = sites(3)
    faults = {"/schedule.json": [(NEVER, True), (NEVER, False)]}
    with Gateway(first.url, faults) as gateway:
        fleet = Fleet(tmp_path, servers, gateway.url)
        for left in (1, 0):
            process = fleet.begin()
            wait_for(lambda left=left: len(faults["/schedule.json"]) == left)
            wait_for(lambda left=left: left == 0 or crawls_of(servers[0]) == 1)
            process.kill()
            process.communicate()
            assert fleet.done("intended") == 2 - left
            assert fleet.done("scheduled") == 1 - left
        code, table, log = fleet.run()
    assert (code, table.splitlines()[-1]) == (0, "3 sites: published 3"), log
    assert [crawls_of(server) for server in servers] == [1, 1, 1]
    assert [fleet.of(server)["jobs"] for server in servers] == [1, 1, 1]


class FirstLogs(dict[str, list[Fault]]):
    """Faults of the logs that are the first to be asked for, and of no other."""

    def __init__(self, *faults: Fault, times: int, logs: int = 1) -> None:
        super().__init__()
        self._left = logs
        self._faults = [*faults] * times

    def get(self, path: str, default: Any = None) -> Any:
        if path.startswith("/logs/") and path not in self and self._left:
            self._left -= 1
            self[path] = [*self._faults]
        return super().get(path, default)


REFUSALS = [
    pytest.param((403, False), id="refused"),
    pytest.param((500, False), id="fails", marks=pytest.mark.slow),
    pytest.param((0, False), id="hangs-up", marks=pytest.mark.slow),
    pytest.param((NEVER, False), id="hangs", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("fault", REFUSALS)
@pytest.mark.slow
def test_a_log_that_cannot_be_read_concerns_its_site_alone(
    fault: Fault, first: Daemon, sites: Sites, tmp_path: Path
) -> None:
    """With one job at a time: it does not hold its place either."""
    servers = sites(3)
    with Gateway(first.url, FirstLogs(fault, times=10_000)) as gateway:
        fleet = Fleet(tmp_path, servers, gateway.url)
        process = fleet.begin("--at-once", "1")  # it would be patient for ten minutes
        wait_for(lambda: fleet.done("ended") == 2)
        process.terminate()
        process.communicate(timeout=DEADLINE)
        assert fleet.of(servers[0])["outcome"] is None
        assert [fleet.of(each)["outcome"] for each in servers[1:]] == ["published"] * 2
        code, table, log = fleet.run("-s", "SITEMAPGEN_FLEET_GIVE_UP=1")
    assert (code, table.splitlines()[-1]) == (11, "3 sites: published 2, no_result 1"), log
    assert fleet.of(servers[0])["sentence"].startswith("its log cannot be read: ")
    assert [crawls_of(server) for server in servers] == [1, 1, 1]


@pytest.mark.slow
def test_a_server_that_serves_no_logs(first: Daemon, sites: Sites, tmp_path: Path) -> None:
    """Its sites are not all crawled for nothing."""
    servers = sites(6)
    with Gateway(first.url, FirstLogs((403, False), times=10_000, logs=100)) as gateway:
        fleet = Fleet(tmp_path, servers, gateway.url)
        code, _, log = fleet.run("--at-once", "2", "-s", "SITEMAPGEN_FLEET_GIVE_UP=1")
    assert code == 6, log
    assert "the logs of its jobs cannot be read: HTTP 403; correct the address" in log
    assert fleet.outcomes["totals"] == {"none yet": 4, "no_result": 2}


@pytest.mark.full
def test_a_server_with_tls(first: Daemon, sites: Sites, tmp_path: Path) -> None:
    servers = sites(1)
    with Gateway(first.url, {}, self_signed(tmp_path)) as gateway, Gateway(first.url, {}) as other:
        fleet = Fleet(tmp_path, servers, gateway.url)
        named = Fleet(tmp_path, servers, gateway.url.replace("127.0.0.1", "localhost"))
        plain = Fleet(tmp_path, servers, other.url.replace("http:", "https:"))
        bundle, nowhere = str(tmp_path / "certificate.pem"), str(tmp_path / "nowhere")
        cases = [
            (fleet, "", "self-signed certificate; name its authority in REQUESTS_CA_BUNDLE"),
            (fleet, nowhere, f"invalid path: {nowhere}; correct REQUESTS_CA_BUNDLE"),
            (named, bundle, "'localhost'; write a name that is in its certificate"),
            (plain, bundle, "write http:// if it is without TLS"),
        ]
        for each, path, sentence in cases:
            each.environment["REQUESTS_CA_BUNDLE"] = path
            code, _, log = each.run()
            assert (code, sentence in log) == (2, True), log
            assert not each.done("intended")
        fleet.environment["REQUESTS_CA_BUNDLE"] = bundle
        code, table, log = fleet.run()
    assert (code, table.splitlines()[-1]) == (0, "1 site: published 1"), log


@pytest.mark.slow
def test_what_is_wrong_from_the_start(
    first: Daemon, start: Start, sites: Sites, tmp_path: Path
) -> None:
    servers = sites(1)
    closed = start("username = me\npassword = right\n")
    nothing = start(eggs=tmp_path / "no-eggs")
    down = start()
    down.kill()
    secret = closed.url.replace("//", "//me:wrong@")
    cases = [
        ((secret,), 2, f"{closed.url}: HTTP 401: wrong user or password; correct"),
        ((nothing.url,), 2, f"{nothing.url}: project 'sitemapgen' not found; deploy it there"),
        ((servers[0].url,), 2, f"{servers[0].url}: HTTP 404; correct the address"),
        ((first.url, nothing.url), 2, "nothing was scheduled"),
        ((down.url,), 3, f"{down.url}: connection refused; start Scrapyd, or correct"),
    ]
    for number, (daemons, code, sentence) in enumerate(cases):
        (tmp_path / str(number)).mkdir()
        fleet = Fleet(tmp_path / str(number), servers, *daemons)
        if len(daemons) == 2:  # a host for each
            fleet.path.write_text("url\n" + "".join(f"{n}.example\n" for n in range(20)))
        found, _, log = fleet.run()
        assert (found, sentence in log, "wrong@" in log) == (code, True, False), log
        assert not fleet.done("intended")
    fleet = Fleet(tmp_path, servers, closed.url.replace("//", "//me:right@"))
    code, _, log = fleet.run("--at-once", "0")
    assert (code, "--at-once: '0' is no number of jobs" in log) == (2, True)
    with fleet.path.open("a") as file:
        file.write("ftp://nowhere\n")
    code, _, log = fleet.run()
    assert code == 2
    assert "line 3: url: 'ftp://nowhere' is not an http or https URL" in log
    assert "1 line is bad, and nothing was scheduled" in log
    code, table, log = fleet.run("--skip-bad")
    assert (code, table.splitlines()[-1]) == (0, "1 site: published 1"), log
    assert fleet.outcomes["skipped"][0]["line"] == 3
