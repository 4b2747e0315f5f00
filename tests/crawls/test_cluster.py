"""Many machines for one site: workers by way of Redis, and the files of a crawl without them."""

import os
import random
import re
import signal
import sys
import threading
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.server import Serve
from tests.helpers.sessions import in_path, sessions

pytest.importorskip("redis", reason="redis is not installed")
pytest.importorskip("msgpack", reason="msgpack is not installed")

import redis

from sitemapgen.cluster.connection import COORDINATOR, CRAWL, ENDED, GROUP, LEASES, RESULTS, TYPES
from sitemapgen.cluster.description import Description
from sitemapgen.cluster.messages import FIELD, VERSION, JobOutcome, WorkerJob, pack, read_as
from sitemapgen.core.probes import probe_token
from sitemapgen.core.urls import key
from sitemapgen.items import MAX_WORKER_DEATHS
from sitemapgen.store.frontier import Lease
from tests.helpers.browser import QUICK as QUICK_BROWSER
from tests.helpers.browser import app, links, needs_browser
from tests.helpers.crawls import (
    DEADLINE,
    IMPATIENT,
    ROOT,
    Crawl,
    assert_one_sentence,
    command,
    rest,
    start,
    wait_for,
)
from tests.helpers.programs import free_port
from tests.helpers.redis import LEASE, QUICK, Monitor, Redis, SlowWay, Workers, needs_redis
from tests.helpers.server import Answer, Server, page, site
from tests.helpers.sites import SLOW_ROBOTS, endless_tree, site_with_everything
from tests.helpers.tls import self_signed

BROWSING = (*QUICK_BROWSER, "-s", "SITEMAPGEN_RENDERING_DEADLINE=30")  # on a busy machine, too
PASSWORD = {**os.environ, "PASSWORD": "S3CRET"}
pytestmark = needs_redis


def cluster(url: str) -> tuple[str, str]:
    return "-s", f"SITEMAPGEN_CLUSTER={url}"


def everything(serve: Serve) -> Server:
    """A site on which the order would show, with dates of the near future."""
    answers = site_with_everything(50)
    soon = (datetime.now(timezone.utc) + timedelta(minutes=30)).isoformat()
    head = f'<meta property="article:modified_time" content="{soon}">'
    answers["/a3"] = page("/b3", "https://other.example/a", "//third.example/b", head=head)
    answers["/b2"] = page("/b4", "/hangs-up", head='<meta name="robots" content="noindex">')
    answers["/hangs-up"] = Answer(status=0)
    return serve(answers)


def wait_for_visits(server: Server, number: int) -> None:
    wait_for(lambda: len(server.visits) > number)


def asked(server: Server) -> list[str]:
    """The requests for pages that answer; the start page is also asked whether the site is up."""
    return [
        path for path in server.paths if path not in ("/", "/hangs-up") and "404-check" not in path
    ]


@pytest.fixture
def together(redis_server: Redis, workers: Workers, crawl: Crawler, tmp_path: Path) -> Crawler:
    """Crawl with some workers: ``together(url, 2)``."""

    def together_(url: str, number: int, *arguments: str, **more: Any) -> Crawl:
        for each in range(number):
            now = time.time() + 3_600 if each == 1 else None
            workers.begin(redis_server.url, now=now)
        settings = (*more.pop("settings", IMPATIENT), *cluster(redis_server.url))
        output = more.pop("output", tmp_path / f"together-{number}")
        result = crawl(url, *arguments, settings=settings, output=output, **more)
        assert workers.codes() == [0] * len(workers.processes), (result.log, workers.text())
        return result

    return together_


@pytest.mark.full
def test_the_files_are_those_of_a_crawl_without_workers(
    serve: Serve, crawl: Crawler, redis_server: Redis, together: Crawler, workers: Workers
) -> None:
    """The second worker has a clock an hour ahead, and the site dates of the near future.

    One page is held until all workers take part.
    Leases have their usual length: a worker that waits for a busy machine is not dead.
    """
    server = everything(serve)
    server.holds = lambda path: (
        path == "/a3"
        and not all(
            "Taking part" in workers.text(number) for number in range(len(workers.processes))
        )
    )
    alone = crawl.published(server.url)
    visits = sorted(asked(server))
    for number in (1, 3):
        server.visits.clear()
        result = together(server.url, number)
        assert result.code == 0, result.log
        assert result.files == alone.files
        assert sorted(asked(server)) == visits
        assert set(redis_server.client.keys()) == {ENDED.encode()}


def test_a_session_id_in_each_url(serve: Serve, crawl: Crawler, together: Crawler) -> None:
    """The coordinator requests the URL with the session id, at its pace."""
    alone = crawl.published(serve(sessions(in_path)).url)
    result = together(serve(sessions(in_path)).url, 1)
    assert (result.code, len(result.sitemap)) == (0, len(alone.sitemap)), result.log


def test_every_verdict_and_a_refresh(serve: Serve, crawl: Crawler, together: Crawler) -> None:
    server = serve({})
    answers = site("every-verdict")
    answers[f"/{probe_token(server.url.rstrip('/'))}"] = answers["/lost"]
    server.site = answers
    arguments = (
        "max_depth=3",
        "exclude=*/print",
        "formats=xml,links,jsonl,llms",
        "extensions=images",
    )
    settings = (*IMPATIENT, "-s", "SITEMAPGEN_RENDERING_QUIET=0.3", "-s", "RETRY_TIMES=1")
    for _ in range(2):
        alone = crawl(server.url, *arguments, settings=settings)
        result = together(server.url, 1, *arguments, settings=settings)
        assert result.code == alone.code == 0, result.log
        assert result.files.keys() == alone.files.keys()
        assert result.verdicts == alone.verdicts
        for name, content in result.files.items():
            assert content == alone.files[name] or name.startswith("report."), name


@pytest.mark.full
@needs_browser
def test_pages_are_rendered_by_workers(
    serve: Serve, crawl: Crawler, redis_server: Redis, workers: Workers, tmp_path: Path
) -> None:
    """The coordinator has no browser."""
    shown = "root.innerHTML = '<h1>' + location.pathname + '</h1>';"
    server = serve(
        {
            "/": app(shown + links("/one", "/two", "/static")),
            "/one": app(shown + links("/three")),
            "/two": app(shown),
            "/three": app(shown + "document.title = 'Three';"),
            "/static": page("/plain", text="Some text that is complete. " * 20),
            "/plain": page(head="<script>let used = 1;</script>", text="Words of a page. " * 30),
        }
    )
    alone = crawl(server.url, settings=BROWSING)
    assert alone.report["rendering"]["gained"] == 4
    browser = next(each for each in BROWSING if each.startswith("SITEMAPGEN_BROWSER="))
    workers.begin(redis_server.url, "-s", browser)
    without = ("-s", "SITEMAPGEN_BROWSER=/no/browser")  # the last one counts
    settings = (*BROWSING, *without, *cluster(redis_server.url))
    result = crawl.published(server.url, settings=settings, output=tmp_path / "together")
    assert result.report["rendering"]["gained"] == 4
    for name in ("sitemap.xml", "urls.csv"):
        assert result.files[name] == alone.files[name]
    assert workers.codes() == [0]


@pytest.mark.full
@pytest.mark.parametrize(
    "seeds", [range(2), pytest.param(range(2, 22), marks=pytest.mark.slow)], ids=["few", "many"]
)
def test_killed_workers(
    seeds: range,
    serve: Serve,
    crawl: Crawler,
    redis_server: Redis,
    workers: Workers,
    tmp_path: Path,
) -> None:
    server = everything(serve)
    alone = crawl(server.url)
    number = len(server.visits)
    for seed in seeds:
        dice = random.Random(seed)
        server.visits.clear()
        output, log = tmp_path / f"killed-{seed}", tmp_path / f"log-{seed}"
        for _ in range(2):
            workers.begin(redis_server.url)
        process = start(command(server.url, output, *QUICK, *cluster(redis_server.url)), log)
        for _ in range(dice.randint(1, 2)):
            goal = dice.randint(20, number - 40)
            wait_for_visits(server, goal)
            dice.choice(workers.processes[-2:]).kill()
            workers.begin(redis_server.url)
        assert process.wait(DEADLINE) == 0, log.read_text()
        assert Crawl(0, "", output).files == alone.files, seed
        workers.end()  # the last one may have come after the end


@pytest.mark.full
def test_a_page_that_ends_worker_after_worker(
    serve: Serve, redis_server: Redis, workers: Workers, tmp_path: Path
) -> None:
    """It is left out, and none of those that the workers had at the same time.

    The third worker is only replaced when the crawl has none any more.
    """
    others = [f"/{number}" for number in range(8)]
    answers = {name: page()._replace(delay=0.5) for name in others}
    server = serve({"/": page("/deadly", *others), "/deadly": page()} | answers)
    server.holds = lambda path: path == "/deadly"
    output, log = tmp_path / "together", tmp_path / "log-of-it"
    process = start(command(server.url, output, *QUICK, *cluster(redis_server.url)), log)
    for number in range(1, MAX_WORKER_DEATHS + 1):
        worker = workers.begin(redis_server.url)
        wait_for(lambda deaths=number: server.paths.count("/deadly") == deaths)
        worker.kill()
        if number == 3:
            wait_for(lambda: "0 workers at present" in log.read_text())
    workers.begin(redis_server.url)
    assert process.wait(DEADLINE) == 0, log.read_text()
    deadly = Crawl(0, "", output).urls.pop(f"{server.url}deadly")
    assert deadly["evidence"] == "4 workers ended while they had it"
    verdicts = Crawl(0, "", output).verdicts
    assert verdicts.pop(f"{server.url}deadly") == "fetch_error"
    assert verdicts == dict.fromkeys(
        [server.url, *(server.url + one[1:] for one in others)], "listed"
    )
    assert "left out: 4 workers ended while they had it" in log.read_text()


@pytest.mark.full
def test_redis_is_stopped_and_begins_again_empty(
    serve: Serve, crawl: Crawler, redis_server: Redis, workers: Workers, tmp_path: Path
) -> None:
    server = everything(serve)
    alone = crawl(server.url)
    server.visits.clear()
    workers.begin(redis_server.url)
    output, log = tmp_path / "together", tmp_path / "log-of-it"
    process = start(command(server.url, output, *QUICK, *cluster(redis_server.url)), log)
    for visits in (50, 100):
        wait_for_visits(server, visits)
        redis_server.stop()
        time.sleep(0.5)
        redis_server.begin()
    wait_for_visits(server, 130)
    redis_server.client.flushall()
    assert process.wait(DEADLINE) == 0, log.read_text()
    assert Crawl(0, "", output).files == alone.files
    assert workers.codes() == [0]
    assert "Traceback" not in log.read_text() + workers.text()


@pytest.mark.full
def test_a_coordinator_that_is_killed_continues(
    serve: Serve, crawl: Crawler, redis_server: Redis, workers: Workers, tmp_path: Path
) -> None:
    server = everything(serve)
    alone = crawl(server.url)
    server.visits.clear()
    workers.begin(redis_server.url)
    output, log = tmp_path / "together", tmp_path / "log-of-it"
    run = command(server.url, output, *QUICK, *cluster(redis_server.url))
    process = start(run, log)
    wait_for_visits(server, 70)
    process.kill()
    process.wait()
    assert start(run, log).wait(DEADLINE) == 0, log.read_text()
    assert Crawl(0, "", output).files == alone.files
    assert workers.codes() == [0]


@pytest.mark.slow
def test_a_slow_way_to_redis_and_workers_that_join_and_leave(
    crawl: Crawler, redis_server: Redis, workers: Workers, tmp_path: Path
) -> None:
    server, alone = crawl.site(
        {"/": page(*(f"/{number}" for number in range(60)))}
        | {f"/{number}": page(f"/{number + 1}") for number in range(60)}
    )
    server.visits.clear()
    joined, late = threading.Event(), {f"/{number}" for number in range(30, 60)}
    server.holds = lambda path: path in late and not joined.is_set()
    way = SlowWay(redis_server.port, 0.05)
    first = workers.begin(way.url)
    output, log = tmp_path / "together", tmp_path / "log-of-it"
    process = start(command(server.url, output, *QUICK, *cluster(way.url)), log)
    wait_for_visits(server, 20)
    workers.begin(way.url)
    wait_for(lambda: workers.has_joined(1))
    joined.set()
    first.send_signal(signal.SIGTERM)
    assert first.wait(DEADLINE) == 0, workers.text()
    assert "SIGTERM: finishing the pages under way" in workers.text()
    assert process.wait(DEADLINE) == 0, log.read_text()
    assert workers.processes[1].wait(DEADLINE) == 0
    way.stop()
    files = Crawl(0, "", output).files
    for name in ("sitemap.xml", "urls.csv"):  # the report names the pages that were held as slow
        assert files[name] == alone.files[name]
    assert "Traceback" not in log.read_text() + workers.text() + workers.text(1)


@pytest.mark.full
def test_the_pace_of_the_site_holds_for_all_workers_together(
    serve: Serve, together: Crawler
) -> None:
    server = serve(endless_tree(robots=SLOW_ROBOTS.format(0.4)))
    result = together(server.url, 2, "max_pages=8")
    assert result.code == 0, result.log
    moments = sorted(visit.began for visit in server.visits)
    # One of them may be late, on a busy machine, but not all; two paces would take half of it.
    assert moments[-1] - moments[0] > 0.8 * 0.4 * (len(moments) - 1)
    assert server.most_at_once == 1
    server.site, _ = endless_tree(delay=0.1), server.visits.clear()
    result = together(server.url, 2, "max_pages=60", "fresh=true", "force=true")
    assert result.code == 0, result.log
    assert 1 < server.most_at_once <= 5


@pytest.mark.full
def test_tls_and_the_secrets(
    serve: Serve, workers: Workers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Credentials of the site never pass by way of Redis; its own password is shown nowhere."""
    own, theirs = "REDIS-S3CRET", "owner:SITE-S3CRET"
    self_signed(tmp_path)
    certificate = tmp_path / "certificate.pem"
    options = ("--tls-cert-file", str(certificate), "--tls-key-file", str(tmp_path / "key.pem"))
    ports = ("--port", str(free_port()))
    server = serve(lambda path: page("/a") if path in ("/", "/a") else None)
    redis_ = Redis(tmp_path, *options, "--tls-auth-clients", "no", *ports, password=own, tls=True)
    try:
        url = f"{redis_.url}?ssl_ca_certs={certificate}"
        plain = Redis.__new__(Redis)
        plain.port, plain.password = int(ports[1]), own
        monitor = Monitor(plain, tmp_path / "monitor")
        log = ("-s", "LOG_LEVEL=DEBUG")
        refused = workers.begin(url, *log)
        output = tmp_path / "output"
        run = command(server.url, output, "-a", f"auth={theirs}", *log, *QUICK, *cluster(url))
        process = start(run, tmp_path / "coordinator.log")
        assert refused.wait(DEADLINE) == 2
        assert "the crawl sends auth, and this worker has none; set SITEMAPGEN_AUTH" in (
            workers.text()
        )
        monkeypatch.setenv("SITEMAPGEN_AUTH", theirs)
        workers.begin(url, *log)
        assert process.wait(DEADLINE) == 0, (tmp_path / "coordinator.log").read_text()
        assert workers.processes[1].wait(DEADLINE) == 0, workers.text(1)
        sent = monitor.stop()
    finally:
        redis_.stop()
    assert {visit.headers.get("Authorization", "")[:6] for visit in server.visits} == {"Basic "}
    assert sent.count(b'"XADD" "sitemapgen:leases"') == 2
    basic = server.visits[-1].headers["Authorization"].removeprefix("Basic ")
    for secret in (theirs, "SITE-S3CRET", basic):
        assert secret.encode() not in sent
    files = [path for path in output.rglob("*") if path.is_file()]
    for path in (*files, tmp_path / "coordinator.log", workers.log(0), workers.log(1)):
        for secret in (own, "SITE-S3CRET", basic):
            assert secret.encode() not in path.read_bytes(), path


@pytest.mark.full
def test_the_commands_of_the_docs(serve: Serve, tmp_path: Path) -> None:
    """Both of its machines are this one."""
    server = serve({"/": page("/a", "/b"), "/a": page(), "/b": page()})
    text = (ROOT / "docs/guides/workers.md").read_text("utf-8")
    lines = re.findall(r"^(?:first|second)\$ +(.*)$", text, re.MULTILINE)
    redis_, _, crawl_, _, worker_ = lines
    port = free_port()
    begun = [Popen(["sh", "-c", f"exec {redis_} --port {port}"], env=PASSWORD, cwd=tmp_path)]
    assert begun[0].wait(DEADLINE) == 0
    try:
        for line in (crawl_, worker_):
            here = line.replace("first:6379", f"127.0.0.1:{port}")
            here = here.replace("https://example.com", f"{server.url} -a output={tmp_path}/out")
            here = here.replace("scrapy", f"exec {sys.executable} -m scrapy")
            begun.append(Popen(["sh", "-c", here], env=PASSWORD, cwd=ROOT))
        assert [process.wait(DEADLINE) for process in begun] == [0, 0, 0]
    finally:
        for process in begun:
            process.kill()
            process.wait()
        redis.Redis(port=port, password=PASSWORD["PASSWORD"]).shutdown(nosave=True)
    assert len(Crawl(0, "", tmp_path / "out").sitemap) == 3


# Errors: one sentence each


def one_page(serve: Serve) -> Server:
    return serve({"/": page()})


def test_no_redis(serve: Serve, crawl: Crawler, workers: Workers) -> None:
    url = f"redis://:S3CRET@127.0.0.1:{free_port()}/0"
    result = crawl(one_page(serve).url, settings=(*QUICK, *cluster(url)))
    assert_one_sentence(result, 3, "cannot be reached")
    assert workers.begin(url).wait(DEADLINE) == 3
    assert "start Redis there, or correct the URL" in workers.text()
    assert "S3CRET" not in result.log + workers.text()


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("http://127.0.0.1/", "no URL of a Redis; write redis://host:6379/0"),
        ("redis://127.0.0.1/0?socket_timeout=soon", "the options of redis://127.0.0.1:6379/0"),
    ],
)
def test_no_url_of_a_redis(url: str, sentence: str, serve: Serve, crawl: Crawler) -> None:
    result = crawl(one_page(serve).url, settings=(*QUICK, *cluster(url)))
    assert_one_sentence(result, 2, sentence)


def test_wrong_password(serve: Serve, crawl: Crawler, workers: Workers, tmp_path: Path) -> None:
    server = Redis(tmp_path, password="S3CRET")
    try:
        for login in ("", ":WR0NG@"):
            url = f"redis://{login}127.0.0.1:{server.port}/0"
            result = crawl(one_page(serve).url, settings=(*QUICK, *cluster(url)))
            assert_one_sentence(result, 2, "refuses the password")
            assert "WR0NG" not in result.log
        assert workers.begin(url).wait(DEADLINE) == 2
        assert "refuses the password" in workers.text()
        assert "WR0NG" not in workers.text()
    finally:
        server.stop()


@pytest.mark.parametrize("name", [LEASES, *rest(CRAWL)])
def test_data_of_another_program(
    name: str, serve: Serve, crawl: Crawler, redis_server: Redis, workers: Workers
) -> None:
    redis_server.client.lpush(name, "theirs")
    result = crawl(one_page(serve).url, settings=(*QUICK, *cluster(redis_server.url)))
    assert_one_sentence(result, 5, f"has data of another program under {name}; use another")
    assert workers.begin(redis_server.url).wait(DEADLINE) == 5
    assert redis_server.client.lrange(name, 0, -1) == [b"theirs"]
    assert set(redis_server.client.keys()) == {name.encode()}


def test_two_coordinators(
    serve: Serve, crawl: Crawler, redis_server: Redis, tmp_path: Path
) -> None:
    server = one_page(serve)
    run = command(server.url, tmp_path / "first", *QUICK, *cluster(redis_server.url))
    first = start(run, tmp_path / "first.log")
    wait_for(lambda: bool(redis_server.client.exists(COORDINATOR)))
    result = crawl(server.url, settings=(*QUICK, *cluster(redis_server.url)))
    assert_one_sentence(result, 5, "another crawl uses redis://127.0.0.1")
    assert not result.output.exists()
    first.send_signal(signal.SIGTERM)
    assert first.wait(DEADLINE) == 6
    assert not redis_server.client.exists(COORDINATOR, LEASES, CRAWL)


@pytest.mark.slow
def test_redis_is_out_of_memory(
    serve: Serve, crawl: Crawler, redis_server: Redis, workers: Workers, tmp_path: Path
) -> None:
    server = serve(endless_tree(delay=0.01))
    client = redis_server.client
    workers.begin(redis_server.url)
    log = tmp_path / "log-of-it"
    run = command(server.url, tmp_path / "output", *QUICK, *cluster(redis_server.url))
    process = start([*run, "-a", "max_pages=2000"], log)
    wait_for_visits(server, 40)
    client.config_set("maxmemory", "1")
    assert process.wait(DEADLINE) == 7, log.read_text()
    assert "is out of memory; raise its maxmemory" in log.read_text()
    assert "nothing is lost, the same command continues" in log.read_text()
    result = crawl(server.url, settings=(*QUICK, *cluster(redis_server.url)))
    assert_one_sentence(result, 7, "is out of memory")
    client.config_set("maxmemory", "0")
    run += ["-a", "max_pages=150"]
    workers.begin(redis_server.url)
    assert start(run, log).wait(DEADLINE) == 0, log.read_text()


class Imposter:
    """A coordinator made by the test, of one job."""

    def __init__(self, server: Redis, **changes: Any) -> None:
        self.client = server.client
        self.description = Description(
            version=VERSION,
            session="test",
            rules=1,
            seconds=LEASE,
            arguments={"url": "http://site.example/"},
            settings={},
            access=(),
            url="http://site.example/",
            robots=(),
            egress=(False, {"site.example": False}),
        )._replace(**changes)
        self.client.set(COORDINATOR, "test", ex=600)
        self.client.xgroup_create(LEASES, GROUP, mkstream=True)
        self.client.set(CRAWL, pack(self.description))

    def outcome(self, url: str) -> JobOutcome:
        """What a worker makes of a URL."""
        job = WorkerJob("test", 1, 1, Lease(key(url), url, 0), url)
        self.client.xadd(LEASES, {FIELD: pack(job)})
        found = self.client.xread({RESULTS: "0"}, block=60_000)
        return read_as(JobOutcome, found[0][1][-1][1][FIELD])

    def end(self) -> None:
        self.client.set(ENDED, "test")


def test_a_worker_of_another_version(redis_server: Redis, workers: Workers) -> None:
    Imposter(redis_server, version=(VERSION[0] + 1, "9.9.9", VERSION[2]))
    assert workers.begin(redis_server.url).wait(DEADLINE) == 5
    errors = [line for line in workers.text().splitlines() if " ERROR " in line]
    assert len(errors) == 1
    assert "is one of sitemapgen 9.9.9, this worker is" in errors[0]
    assert "install the same version on all machines" in errors[0]


@pytest.mark.parametrize("host", ["127.0.0.1", *rest("localhost")])
def test_the_fence_holds_on_workers(
    host: str, serve: Serve, redis_server: Redis, workers: Workers
) -> None:
    """A job for a private address of a public site, as DNS or a compromised Redis may have it."""
    server = one_page(serve)
    imposter = Imposter(redis_server)
    workers.begin(redis_server.url)
    outcome = imposter.outcome(server.url.replace("127.0.0.1", host))
    assert outcome.kind == "failed"
    assert outcome.content[0] == "PrivateAddress"
    assert not server.visits
    imposter.end()
    assert workers.codes() == [0]


def test_what_is_no_message_is_dropped(serve: Serve, redis_server: Redis, workers: Workers) -> None:
    server = one_page(serve)
    imposter = Imposter(redis_server, arguments={"url": server.url}, url=server.url)
    for message in (b"", b"\x80\x04N.", pack(1), b"z" + b"x" * 100):
        imposter.client.xadd(LEASES, {FIELD: message})
    workers.begin(redis_server.url)
    assert imposter.outcome(server.url).status == 200
    imposter.end()
    assert workers.codes() == [0]
    assert workers.text().count("A job is not one of sitemapgen") == 4


@pytest.mark.full
def test_a_worker_without_a_crawl(redis_server: Redis, workers: Workers) -> None:
    process = workers.begin(redis_server.url, "-s", "SITEMAPGEN_BACKOFF_GIVE_UP=1")
    assert process.wait(DEADLINE) == 3
    assert "start one there first" in workers.text()
    assert workers.begin("").wait(DEADLINE) == 2
    assert "a worker needs the Redis of its crawl" in workers.text(1)


def test_a_crawl_without_a_worker(serve: Serve, crawl: Crawler, redis_server: Redis) -> None:
    settings = (*QUICK, *cluster(redis_server.url), "-s", "SITEMAPGEN_BACKOFF_GIVE_UP=1")
    result = crawl(one_page(serve).url, settings=settings)
    assert_one_sentence(result, 6, "no worker at redis://127.0.0.1")
    assert not set(redis_server.client.keys()) & {name.encode() for name in TYPES if name != ENDED}


def test_without_its_packages(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "redis.py").write_text("raise ModuleNotFoundError('no', name='redis')\n")
    run = command(one_page(serve).url, tmp_path / "output", *QUICK, *cluster("redis://x"))
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv = {['scrapy', *run[3:]]!r}"
    run = [run[0], "-c", f"{code}; from scrapy.cmdline import execute; execute()"]
    log = tmp_path / "log-of-it"
    assert start(run, log).wait(DEADLINE) == 2
    assert "redis is not installed; pip install 'redis[hiredis]' msgpack" in log.read_text()
