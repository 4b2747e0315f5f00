"""What docs/guides/deploy.md shows: the units, the image, the cron line and the examples."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sitemapgen.errors import Exit
from sitemapgen.publish.result import RUNNING, Result
from sitemapgen.report.metrics import METRICS, metric_values
from sitemapgen.verdicts import Verdict
from tests.helpers.crawls import DEADLINE, IMPATIENT, ROOT, Crawl, Crawler, captured, command, start
from tests.helpers.scrapyd import python_without
from tests.helpers.server import Answer, Serve, page, text

DEPLOY = ROOT / "deploy"
DOCUMENT = (ROOT / "docs" / "guides" / "deploy.md").read_text("utf-8")
CRAWLS = {
    *("PUBLISHED", "ERROR", "ARGUMENTS", "UNREACHABLE"),
    *("NOTHING", "REFUSED", "INTERRUPTED", "NO_SPACE"),
}
"""The exit codes that a crawl may have."""


def block(language: str, heading: str) -> str:
    """The first code block of a language after a heading."""
    text = DOCUMENT[DOCUMENT.index(f"\n{heading}\n") :]
    found = re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)
    assert found
    return found[1]


def written(tmp_path: Path) -> dict[str, object]:
    path = tmp_path / "result.json"
    known = dict.fromkeys(("project", "spider", "job", "url", "output"))
    result = Result([path], **known)
    result.begin()
    facts: dict[str, object] = json.loads(path.read_text())
    assert facts["outcome"] == RUNNING
    result.end(Exit.REFUSED, "no", fetched=3)
    result.end(Exit.PUBLISHED)  # too late
    facts = json.loads(path.read_text())
    assert (facts["outcome"], facts["exit_code"], facts["sentence"]) == ("refused", 5, "no")
    assert facts["counts"] == {"fetched": 3}
    assert [each.name for each in tmp_path.iterdir()] == ["result.json"]
    return facts


def test_every_field_of_a_result_has_its_row(tmp_path: Path) -> None:
    shown = json.loads(block("json", "## What became of a crawl"))
    assert list(shown) == list(written(tmp_path))
    text = DOCUMENT[DOCUMENT.index("| field |") : DOCUMENT.index("It is replaced at once")]
    rows = {row.partition("|")[0]: row for row in text.replace("\n| ", "\n").splitlines()[2:]}
    assert [name for cell in rows for name in re.findall(r"\w+", cell)] == list(shown)
    outcomes = re.findall(r"`(\w+)`", next(row for row in rows.values() if "outcome" in row))
    assert outcomes[1:] == [RUNNING, *(code.name.lower() for code in Exit if code.name in CRAWLS)]


def test_the_cron_line_runs(serve: Serve, tmp_path: Path) -> None:
    """In cron's environment: hardly any."""
    server = serve({"/": page("/a", title="Home"), "/a": page(title="A")})
    (tmp_path / ".venv").symlink_to(sys.prefix)
    for name in ("scrapy.cfg", "sitemapgen"):
        (tmp_path / name).symlink_to(ROOT / name)
    line = block("cron", "## cron")
    when, typed = re.fullmatch(r"((?:\S+ ){5}) (.*)\n", line).groups()
    assert when == "0 4 * * 1 "
    typed = typed.replace("/srv/sitemapgen", str(tmp_path))
    typed = typed.replace("https://example.com", server.url)
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "SHELL": "/bin/sh"}
    subprocess.run(["/bin/sh", "-c", typed], env=environment, check=True, timeout=DEADLINE)
    output = tmp_path / "output" / f"127.0.0.1_{server.port}"
    result = json.loads((output / "result.json").read_text())
    assert result["outcome"] == "published"
    assert result["output"] == str(output)


@pytest.mark.full
def test_a_result_has_the_metrics(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    """So that a scheduler reads one file."""
    site = {"/": page("/a", title="Home"), "/a": page(title="A")}
    server = serve(site)
    listed = [server.url, f"{server.url}gone"]
    site["/robots.txt"] = text(f"Sitemap: {server.url}sitemap.txt\n")
    site["/sitemap.txt"] = text("\n".join(listed))
    done = crawl(server.url)
    result = done.outcome
    metrics = result["metrics"]
    assert metrics == metric_values(done.report)
    assert list(metrics) == [name for name in METRICS if name not in set(Verdict)]
    assert metrics["coverage"] == round(2 / 3, 4)
    names = ("http_error_in_sitemap", "redirect_in_sitemap", "missing_from_sitemap", "unfinished")
    assert [metrics[name] for name in names] == [1, 0, 1, 0]
    assert metrics["index_coverage"] is not None
    del site["/robots.txt"], site["/sitemap.txt"]
    without = crawl(server.url, output=tmp_path / "without")
    assert without.outcome["metrics"]["coverage"] is None


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if not verify:
        pytest.skip("systemd-analyze is not installed")
    (tmp_path / ".venv").symlink_to(sys.prefix)
    names = {
        "sitemapgen@.service": "sitemapgen@example.com.service",
        "sitemapgen@.timer": "sitemapgen@example.com.timer",
        "scrapyd.service": "scrapyd.service",
    }
    for name, instance in names.items():
        unit = re.sub(r"/srv/(sitemapgen|scrapyd)", str(tmp_path), (DEPLOY / name).read_text())
        unit = unit.replace("bin/scrapyd", "bin/python")  # the name is not what is checked
        (tmp_path / instance).write_text(unit.replace("User=scrapyd", "User=root"))
    for instance in names.values():
        verifying = [verify, "verify", "--man=no", str(tmp_path / instance)]
        done = captured(verifying)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_arguments_of_the_unit_are_a_crawl(serve: Serve, tmp_path: Path) -> None:
    """As systemd reads them: the value of ARGUMENTS split at its spaces."""
    server = serve({"/": page(title="Home")})
    variables = dict(
        line.split("=", 1)
        for line in (DEPLOY / "example.com.conf").read_text().splitlines()
        if not line.startswith("#")
    )
    arguments = variables["ARGUMENTS"].replace("https://example.com", server.url).split()
    line = re.search(r"^ExecStart=\S+ (.*)", (DEPLOY / "sitemapgen@.service").read_text(), re.M)
    assert line
    before = line[1].replace("%S", str(tmp_path)).replace("%i", "site").split()[:-1]
    crawling = [sys.executable, "-m", "scrapy", *before, *arguments]
    subprocess.run(crawling, cwd=ROOT, check=True, timeout=DEADLINE, capture_output=True)
    output = tmp_path / "sitemapgen" / "site"
    assert {"sitemap.xml", "sitemap.txt"} <= {path.name for path in output.iterdir()}


def test_the_dockerfile() -> None:
    """Linted; what it copies is there, and nothing runs as root."""
    hadolint = shutil.which("hadolint", path=f"{Path(sys.executable).parent}{os.pathsep}/usr/bin")
    if not hadolint:
        pytest.skip("hadolint is not installed")
    subprocess.run([hadolint, str(ROOT / "Dockerfile")], check=True, timeout=DEADLINE)
    text = (ROOT / "Dockerfile").read_text("utf-8")
    lines = re.findall(r"^COPY (?!--from)(.*)", text, re.MULTILINE)
    copied = [name for line in lines for name in line.split()[:-1]]
    assert all((ROOT / name).exists() for name in copied)
    allowed = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert allowed[0] == "*"
    assert {f"!{name}" for name in copied} == {line for line in allowed if line[0] == "!"}
    assert re.findall(r"^FROM (\S+)", text, re.MULTILINE)[:2] == 2 * ["${BASE}"]
    assert re.search(r"^ARG BASE=python:3\.11-\S+@sha256:[0-9a-f]{64}$", text, re.MULTILINE)
    stages = re.split(r"^FROM ", text, flags=re.MULTILINE)[1:]
    names = [re.search(r" AS (\w+)", stage)[1] for stage in stages]
    assert names[-1] == "plain"
    for name, stage in zip(names, stages):
        if name not in ("wheel", "base"):
            assert re.findall(r"^USER (\S+)", stage, re.MULTILINE)[-1] == "10001"


LOCK = ROOT / "requirements.lock"
ROOTFS = (
    *("mmdebstrap", "--variant=apt", "--include=python3-pip,python3-venv,ca-certificates"),
    '--customize-hook=cd "$1/usr" && rm lib/python3*/EXTERNALLY-MANAGED && ln -sf pip3 bin/pip '
    "&& ln -sf python3 bin/python",
)
"""Makes Debian's Python of the base image's release, with the names of commands that it has."""
PIP = ("/etc/ssl/certs", "/etc/pip.conf", "/etc/xdg/pip", os.environ.get("PIP_FIND_LINKS", ""))


@pytest.mark.slow
@pytest.mark.skipif(
    not (shutil.which("buildah") and shutil.which("mmdebstrap")) or os.geteuid() != 0,
    reason="needs root, and buildah and mmdebstrap of Debian",
)
def test_the_plain_image(tmp_path: Path) -> None:
    """Built without a daemon, on Debian's Python in place of the official image, and run."""
    store = ("--root", str(tmp_path / "root"), "--runroot", str(tmp_path / "run"))
    settings = {**os.environ, "STORAGE_DRIVER": "vfs", "BUILDAH_ISOLATION": "chroot"}

    def buildah(*words: str) -> str:
        line = ["buildah", *store, *words]
        return subprocess.run(
            line, check=True, env=settings, cwd=ROOT, stdout=subprocess.PIPE, text=True
        ).stdout.strip()

    base = str(tmp_path / "base.tar")
    subprocess.run([*ROOTFS, "bookworm", base], check=True)
    container = buildah("from", "scratch")
    buildah("add", container, base, "/")
    buildah("commit", "--rm", container, "localhost/base")
    mounts = [f"--volume={path}:{path}:ro" for path in PIP if path and Path(path).exists()]
    buildah("bud", "--pull=false", "--build-arg=BASE=localhost/base", *mounts, "--tag=plain", ".")
    container = buildah("from", "--pull=false", "localhost/plain")
    settled = "{{.OCIv1.Config.User}} {{.OCIv1.Config.Entrypoint}} {{.OCIv1.Config.Cmd}}"
    assert buildah("inspect", "--format", settled, container) == "10001 [sitemapgen] [--help]"
    command = "id -u && touch output/x && sitemapgen --help"
    shown = buildah("run", container, "--", "sh", "-c", command).splitlines()
    assert shown[0] == "10001"
    assert shown[1].startswith("usage: sitemapgen")


def test_the_lock_has_what_the_wheel_needs() -> None:
    """Of all extras, for the image's Python, in versions that are allowed, each with its hash."""
    text = LOCK.read_text("utf-8")
    pinned = dict(re.findall(r"^([\w.-]+)==(\S+) \\\n    --hash=sha256:", text, re.MULTILINE))
    assert len(pinned) == text.count("==")
    command = [sys.executable, "setup.py", "--quiet", "egg_info", "--egg-base"]
    with TemporaryDirectory() as base:
        subprocess.run([*command, base], cwd=ROOT, check=True, capture_output=True)
        (path,) = Path(base).glob("*/PKG-INFO")
        metadata = path.read_text("utf-8")
    extras = re.findall(r"^Provides-Extra: (.*)", metadata, re.MULTILINE)
    needed = re.findall(r"^Requires-Dist: (.*)", metadata, re.MULTILINE)
    assert {"browser", "cluster", "tables"} <= {*extras}
    python = {"python_version": "3.11", "python_full_version": "3.11.0"}
    for requirement in map(Requirement, needed):
        marker = requirement.marker
        if not marker or any(marker.evaluate({**python, "extra": extra}) for extra in extras):
            version = pinned[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), f"make lock: {requirement}"


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the lock is for Python 3.11")
@pytest.mark.slow
def test_the_lock_can_be_installed() -> None:
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed"]
    more = ["--quiet", "--require-hashes", "-r", str(LOCK)]
    done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.full
def test_make_crawl_names_the_exit_code(tmp_path: Path) -> None:
    """make itself ends with 2, whatever its commands end with."""
    for name in ("Makefile", "requirements.txt", "scrapy.cfg", "sitemapgen"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    (tmp_path / ".venv" / "crawl.done").touch()
    for words, sentence in (
        ((), "Name the site: make crawl URL=https://example.com"),
        (("URL=http://127.0.0.1:9", "ARGS=-a layout=none"), "The crawl ended with exit code 2; "),
        (("URL=http://127.0.0.1:9",), "The crawl ended with exit code 3; make ends with 2"),
    ):
        done = captured(["make", "crawl", *words], cwd=tmp_path)
        assert done.returncode == 2
        assert sentence in done.stderr


@pytest.mark.full
def test_without_a_browser_s_library_the_other_pages_go_on(serve: Serve, tmp_path: Path) -> None:
    """As without the extra of that name."""
    python = python_without(tmp_path / "venv", "playwright", "scrapy-playwright", "psutil")
    shell = Answer('<!doctype html><body><div id="root"></div><script src="/app.js"></script>')
    server = serve({"/": page("/a", "/b", "/c", title="Home"), "/a": shell, "/b": shell})
    output, log = tmp_path / "output", tmp_path / "log"
    arguments = command(server.url, output, *IMPATIENT)
    process = start([python, *arguments[1:]], log)
    assert process.wait(DEADLINE) == 0, log.read_text()
    verdicts = Crawl(0, "", output).verdicts
    assert [verdicts[server.url + name] for name in ("", "a", "b", "c")] == [
        *("listed", "unrenderable", "unrenderable", "http_error"),
    ]
    remedy = "pip install scrapy-playwright psutil"
    sentence = f"Pages need a browser, and for that scrapy_playwright: {remedy}"
    assert log.read_text().count(sentence) == 1
    assert "Traceback" not in log.read_text()
