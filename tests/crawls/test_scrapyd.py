"""Scrapyd's jobs: an egg without its requirements, a result for each job, nothing lost by cancel.

The daemon calls every job finished, so what became of it is asked of ``result.json``.
"""

import json
import os
import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.helpers import scrapyd
from tests.helpers.crawls import DEADLINE, IMPATIENT, wait_for
from tests.helpers.scrapyd import Daemon
from tests.helpers.server import Answer, Serve, page

pytest.importorskip("scrapyd", reason="requirements-dev.txt has it")
pytest.importorskip("scrapyd_client", reason="requirements-dev.txt has it")

QUICK = tuple(option for option in IMPATIENT if option != "-s")
NOT_IN_THE_EGG = (".md", ".sh", ".entry.js", ".pyc")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return scrapyd.checkout(tmp_path_factory.mktemp("project") / "sitemapgen")


@pytest.fixture(scope="module")
def egg(project: Path) -> Path:
    built = scrapyd.deploy(project, "--build-egg", "sitemapgen.egg")
    assert built.returncode == 0, built.stderr
    return project / "sitemapgen.egg"


@pytest.fixture(scope="module")
def daemon(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A daemon that has the egg, and puts what jobs make below ``output``."""
    directory = tmp_path_factory.mktemp("daemon")
    daemon = Daemon(directory, SITEMAPGEN_OUTPUT_ROOT=str(directory / "output"))
    try:
        deployed = scrapyd.deploy(project, url=daemon.url)
        assert deployed.returncode == 0, deployed.stderr
        assert json.loads(deployed.stdout)["spiders"] == 2
        yield daemon
    finally:
        daemon.stop()


def outputs(daemon: Daemon) -> Path:
    return daemon.directory / "output" / "sitemapgen" / "sitemap"


def result(path: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(path.read_bytes())
    return facts


def tree(number: int, delay: float = 0.0) -> Callable[[str], Answer | None]:
    """A site of so many pages, each with links to two more."""

    def site(path: str) -> Answer | None:
        name = path.strip("/") or "0"
        if not name.isdecimal() or int(name) >= number:
            return None
        more = (f"/{child}" for child in (2 * int(name) + 1, 2 * int(name) + 2) if child < number)
        return page(*more, title=name)._replace(delay=delay)

    return site


def test_the_egg_is_small_and_whole(egg: Path) -> None:
    names = set(zipfile.ZipFile(egg).namelist())
    package = scrapyd.ROOT / "sitemapgen"
    for path in package.rglob("*"):
        if path.is_file() and not path.name.endswith(NOT_IN_THE_EGG):
            assert str(path.relative_to(scrapyd.ROOT)) in names
    assert {name.split("/")[0] for name in names} == {"sitemapgen", "EGG-INFO"}
    assert "EGG-INFO/zip-safe" in names
    assert egg.stat().st_size < 1_250_000


@pytest.mark.full
def test_every_module_runs_out_of_the_egg(egg: Path, tmp_path: Path) -> None:
    """Those that read their data when they are imported, too."""
    code = (
        "import pkgutil, sys; sys.path.insert(0, sys.argv[1]); import sitemapgen\n"
        "for each in pkgutil.walk_packages(sitemapgen.__path__, 'sitemapgen.'):\n"
        "    __import__(each.name)\n"
        "assert sys.argv[1] in sitemapgen.__file__"
    )
    run = [sys.executable, "-c", code, str(egg)]
    subprocess.run(run, cwd=tmp_path, env={}, check=True, timeout=DEADLINE)


def test_a_job_and_its_result(daemon: Daemon, serve: Serve) -> None:
    server = serve(tree(7))
    job = daemon.schedule(server.url, *QUICK, gzip="true")
    daemon.wait(job)
    output = outputs(daemon) / f"127.0.0.1_{server.port}"
    facts = result(output / "result.json")
    assert facts == result(outputs(daemon) / f"{job}.json")
    assert (facts["outcome"], facts["exit_code"], facts["sentence"]) == ("published", 0, "")
    assert (facts["project"], facts["spider"], facts["job"]) == ("sitemapgen", "sitemap", job)
    assert facts["url"] == server.url
    assert facts["output"] == str(output)
    assert facts["complete"] is True
    assert facts["counts"]["listed"] == facts["counts"]["verdicts"]["listed"] == 7
    assert all(Path(file).is_file() for file in facts["files"])
    assert str(output / "sitemap-1.xml.gz") in facts["files"]
    assert facts["started"] <= facts["ended"]
    assert f"{output}/sitemap.xml: written" in daemon.log(job)
    again = daemon.schedule(server.url, *QUICK, gzip="true")
    daemon.wait(again)
    facts = result(output / "result.json")
    assert (facts["job"], facts["changed"]) == (again, [])  # a refresh, and nothing had changed
    assert {job, again} <= {*daemon.jobs("finished")}


@pytest.mark.full
def test_cancel_keeps_the_state(daemon: Daemon, serve: Serve) -> None:
    server = serve(tree(120, delay=0.02))
    arguments = {"output": "cancelled"}
    job = daemon.schedule(server.url, *QUICK, **arguments)
    output = outputs(daemon) / "cancelled"
    wait_for(lambda: len(server.visits) > 30)
    assert result(output / "result.json")["outcome"] == "running"
    cancelled = daemon.post("cancel", project="sitemapgen", job=job)
    assert cancelled["prevstate"] == "running"
    daemon.wait(job)
    facts = result(output / "result.json")
    assert (facts["outcome"], facts["exit_code"]) == ("interrupted", 6)
    assert "nothing is lost" in facts["sentence"]
    assert 0 < facts["counts"]["fetched"] < 120
    assert not (output / "sitemap.xml").exists()
    job = daemon.schedule(server.url, *QUICK, **arguments)
    daemon.wait(job)
    facts = result(output / "result.json")
    assert (facts["outcome"], facts["counts"]["listed"]) == ("published", 120)
    asked = Counter(path for path in server.paths if path.strip("/").isdecimal())
    assert asked.total() - len(asked) <= 5  # those in flight


@pytest.mark.full
def test_a_job_that_has_a_name(daemon: Daemon, serve: Serve) -> None:
    """The same job again is a refresh of the same files."""
    server = serve(tree(3))
    for times in (1, 2):
        assert daemon.schedule(server.url, *QUICK, jobid="shop weekly") == "shop weekly"
        daemon.wait("shop weekly", times)
    output = outputs(daemon) / "shop_weekly"
    assert result(output / "result.json")["changed"] == []
    assert result(outputs(daemon) / "shop_weekly.json")["outcome"] == "published"


FAILURES: list[tuple[dict[str, str], str, str, str]] = [
    ({"max_depth": "-1"}, "A=1", "arguments", "max_depth: -1 is negative; use 0 for no limit"),
    ({"max_page": "3"}, "A=1", "arguments", "max_page: no such argument; did you mean max_pages?"),
    ({}, "SITEMAPGEN_PROFILE=polit", "arguments", "'polit' is no profile; there are fast, polite"),
    ({"output": "rule"}, "SITEMAPGEN_RENDERING_RULE=x", "arguments", "SITEMAPGEN_RENDERING_RULE"),
    ({"output": "missing"}, "RETRY_TIMES=0", "unreachable", "HTTP 404"),
]


@pytest.mark.full
def test_jobs_that_fail_say_why(daemon: Daemon, serve: Serve) -> None:
    server = serve({})
    jobs = [daemon.schedule(server.url, each[1], **each[0]) for each in FAILURES]
    for job, (_, _, outcome, sentence) in zip(jobs, FAILURES):
        daemon.wait(job)
        facts = result(outputs(daemon) / f"{job}.json")
        assert facts["outcome"] == outcome
        assert sentence in facts["sentence"]
        assert sentence in daemon.log(job)
        assert "Traceback" not in daemon.log(job)


@pytest.mark.full
def test_a_job_does_not_speak_for_the_one_that_runs(daemon: Daemon, serve: Serve) -> None:
    server = serve(tree(200, delay=0.5))
    running = daemon.schedule(server.url, *QUICK, output="shared")
    path = outputs(daemon) / "shared" / "result.json"
    wait_for(path.exists)
    refused = daemon.schedule(server.url, *QUICK, output="shared")
    daemon.wait(refused)
    assert result(outputs(daemon) / f"{refused}.json")["outcome"] == "refused"
    assert result(path)["job"] == running
    assert result(path)["outcome"] == "running"
    daemon.post("cancel", project="sitemapgen", job=running)
    daemon.wait(running)
    assert result(path)["outcome"] == "interrupted"


@pytest.mark.full
def test_a_profile_of_a_job(daemon: Daemon, serve: Serve) -> None:
    server = serve(tree(3))
    profile = "SITEMAPGEN_PROFILE=polite"
    daemon.wait(daemon.schedule(server.url, profile, "DOWNLOAD_DELAY=2", output="polite"))
    assert server.most_at_once == 1
    gaps = [after.began - before.began for before, after in pairwise(server.visits)]
    assert min(gaps) > 1.6  # what is said with setting= comes before the profile's second


@pytest.mark.full
def test_a_job_without_an_output_root_says_where_its_files_are(
    daemon: Daemon, serve: Serve
) -> None:
    server = serve(tree(3))
    job = daemon.schedule(server.url, *QUICK, "SITEMAPGEN_OUTPUT_ROOT=")
    daemon.wait(job)
    output = daemon.directory / "output" / f"127.0.0.1_{server.port}"
    assert f"The files go to {output}, below the daemon's directory" in daemon.log(job)
    assert result(output / "result.json")["job"] == job


@pytest.mark.full
def test_the_commands_of_the_docs(daemon: Daemon, serve: Serve) -> None:
    """Each line that docs/guides/deploy.md says to type, as it stands there."""
    server = serve(tree(3))
    document = (scrapyd.ROOT / "docs" / "guides" / "deploy.md").read_text("utf-8")
    lines = re.findall(r"^\$ ((?:curl|cat) .*(?:localhost|ROOT).*)$", document, re.MULTILINE)
    assert len(lines) == 7
    job = ""
    for line in lines:
        command = line.replace("http://localhost:6800/", daemon.url)
        command = command.replace("https://example.com", server.url)
        if "schedule.json" in line:
            command += "".join(f" -d setting={option}" for option in QUICK) + " -d output=docs"
        root = f"{daemon.directory}/output"
        environment = {**os.environ, "JOB": job, "SITEMAPGEN_OUTPUT_ROOT": root}
        run = ["/bin/sh", "-c", command]
        done = subprocess.run(
            run, env=environment, capture_output=True, check=True, timeout=DEADLINE
        )
        if "logs/" in line:
            assert b"sitemap.xml: written" in done.stdout
            continue
        answer = json.loads(done.stdout)
        assert answer.get("status", answer.get("outcome")) in ("ok", "published"), line
        if "schedule.json" in line:
            job = answer["jobid"]
            daemon.wait(job)


@pytest.mark.full
def test_an_environment_without_the_requirements(egg: Path, tmp_path: Path) -> None:
    """One sentence in the answer, instead of a traceback."""
    python = scrapyd.python_without(tmp_path / "venv", "selectolax", "rensa")
    daemon = Daemon(tmp_path, python)
    try:
        answer = upload(daemon, egg)
        assert answer["status"] == "error"
        assert re.fullmatch(
            r"RunnerError: sitemapgen cannot run with \S+/venv/bin/python, for what it lacks: "
            r"selectolax\S+ \(not installed\), rensa\S+ \(not installed\); "
            r"install the project's requirements.txt there\n",
            answer["message"],
        ), answer["message"]
    finally:
        daemon.stop()


def upload(daemon: Daemon, egg: Path) -> dict[str, Any]:
    """What scrapyd-deploy does."""
    import requests  # scrapyd-client has it

    data = {"project": "sitemapgen", "version": "1"}
    with egg.open("rb") as file:
        answer = requests.post(
            f"{daemon.url}addversion.json", data=data, files={"egg": file}, timeout=DEADLINE
        )
    facts: dict[str, Any] = answer.json()
    return facts
