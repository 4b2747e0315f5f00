"""The wheel in an environment of its own: the oldest and the newest Python and requirements."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.browser import app
from tests.helpers.crawls import IMPATIENT, ROOT, Crawl, rest
from tests.helpers.server import Serve, page

pytestmark = pytest.mark.full

OLDEST, NEWEST = "3.10", "3.13"
APPLICATION = app("root.innerHTML = '<a href=/b>b</a>'")
SOURCE = ("setup.py", "pyproject.toml", "requirements.txt", "README.md", "LICENSE")


def interpreter(version: str) -> str:
    """Return a Python of a version; that of the tests for none. Skips where there is none."""
    candidates = [shutil.which(f"python{version}") or ""]
    candidates += map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    for candidate in filter(None, candidates):
        command = [candidate, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        if found.stdout.strip() == version:
            return candidate
    pytest.skip(f"no Python {version} on this machine")


def lowest(requirements: str) -> str:
    """Return constraints to the lower bounds of requirements."""
    return re.sub(r"^([\w.-]+)>=([\w.]+),.*?(;.*)?$", r"\1==\2\3", requirements, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("wheel")
    source = directory / "source"
    shutil.copytree(
        ROOT / "sitemapgen", source / "sitemapgen", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name in SOURCE:
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    run([*command, "--no-build-isolation", "-w", str(directory), str(source)])
    (found,) = directory.glob("sitemapgen-*.whl")
    return found


def run(command: list[str], cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, without what the environment has of this checkout."""
    environment = {name: value for name, value in os.environ.items() if "PYTHON" not in name}
    result = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result


@pytest.mark.parametrize("version", [OLDEST, *rest(NEWEST)])
def test_a_crawl_with_the_wheel_alone(
    version: str, wheel: Path, serve: Serve, tmp_path: Path
) -> None:
    """Without the extras: a page that needs a browser is named, with the remedy."""
    server = serve({"/": page("/a", "/app"), "/a": page("/"), "/app": APPLICATION, "/b": page()})
    environment = tmp_path / "environment"
    command = str(environment / "bin/sitemapgen")
    run([interpreter(version), "-m", "venv", str(environment)])
    (tmp_path / "lowest.txt").write_text(lowest((ROOT / "requirements.txt").read_text()))
    constraints = ["-c", str(tmp_path / "lowest.txt")] if version == OLDEST else []
    install = [str(environment / "bin/pip"), "install", "--quiet", "--no-compile"]
    run([*install, *constraints, str(wheel)])
    where = tmp_path / "elsewhere"
    where.mkdir()
    result = run([command, "crawl", server.url, "--output", "here", *IMPATIENT], where)
    crawl = Crawl(0, result.stderr, where / "here")
    assert sorted(crawl.sitemap) == [server.url, f"{server.url}a"]
    assert crawl.verdicts[f"{server.url}app"] == "unrenderable"
    assert "Pages need a browser, and for that" in crawl.log
    assert "pip install scrapy-playwright psutil" in crawl.log
    for words in (["report", "here"], ["export", "here", "--to", "csv"], ["validate", "--help"]):
        run([command, *words], where)
    assert "sitemapgen 0.1.0" in run([command, "--version"], where).stdout
    assert run([str(environment / "bin/scrapy"), "version"], where).stdout.startswith("Scrapy 2.")
