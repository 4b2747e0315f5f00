"""A real Scrapyd on loopback, and what its users do with it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.helpers.crawls import DEADLINE, ROOT, captured, wait_for
from tests.helpers.programs import free_port


def checkout(directory: Path) -> Path:
    """A copy of what the egg is made of: building leaves files behind."""
    directory.mkdir()
    for name in ("setup.py", "scrapy.cfg", "requirements.txt", "README.md"):
        shutil.copy(ROOT / name, directory)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "sitemapgen", directory / "sitemapgen", ignore=ignored)
    return directory


def deploy(project: Path, *options: str, url: str = "") -> subprocess.CompletedProcess[str]:
    """``scrapyd-deploy``, to the daemon at a URL."""
    if url:
        config = project / "scrapy.cfg"
        config.write_text(config.read_text("utf-8").replace("http://localhost:6800/", url))
    environment = {**os.environ, "PYTHONPATH": ""}
    return captured(
        [sys.executable, "-m", "scrapyd_client.deploy", *options], cwd=project, env=environment
    )


class Daemon:
    """``scrapyd`` in a directory of its own, with whichever Python, until ``stop``."""

    def __init__(
        self,
        directory: Path,
        python: str = sys.executable,
        *,
        options: str = "",
        **environment: str,
    ) -> None:
        """Start it. ``options``: more lines of scrapyd.conf."""
        self.directory = directory
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/"
        config = f"[scrapyd]\nhttp_port = {port}\npoll_interval = 0.2\nmax_proc = 2\n{options}"
        (directory / "scrapyd.conf").write_text(config)
        self._command = [python, "-m", "scrapyd"]
        self._environment = {**os.environ, "PYTHONPATH": "", **environment}
        self.start()

    def start(self) -> None:
        """Start it, for the first time or again, and wait until it answers."""
        with (self.directory / "scrapyd.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self.directory,
                env=self._environment,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        wait_for(self._answers)

    def _answers(self) -> bool:
        try:
            return self.get("daemonstatus")["status"] == "ok"
        except HTTPError as error:
            return error.code == HTTPStatus.UNAUTHORIZED
        except URLError:
            assert self._process.poll() is None, (self.directory / "scrapyd.log").read_text()
            return False

    def get(self, name: str, **parameters: str) -> dict[str, Any]:
        return self._ask(f"{name}.json?{urlencode(parameters)}", None)

    def post(self, name: str, *more: tuple[str, str], **parameters: str) -> dict[str, Any]:
        data = urlencode([*parameters.items(), *more]).encode()
        return self._ask(f"{name}.json", data)

    def _ask(self, path: str, data: bytes | None) -> dict[str, Any]:
        with urlopen(self.url + path, data, timeout=DEADLINE) as answer:
            result: dict[str, Any] = json.load(answer)
            return result

    def schedule(self, url: str, *settings: str, **arguments: str) -> str:
        """Schedule a crawl; its jobid."""
        job = self.post(
            "schedule",
            *(("setting", setting) for setting in settings),
            project="sitemapgen",
            spider="sitemap",
            url=url,
            **arguments,
        )
        assert job["status"] == "ok", job
        return str(job["jobid"])

    def jobs(self, state: str) -> list[str]:
        """The ids of the jobs that are ``pending``, ``running`` or ``finished``."""
        return [job["id"] for job in self.get("listjobs", project="sitemapgen")[state]]

    def wait(self, job: str, times: int = 1) -> None:
        """Wait until a job has finished for so many times."""
        wait_for(lambda: self.jobs("finished").count(job) >= times)

    def log(self, job: str) -> str:
        return (self.directory / f"logs/sitemapgen/sitemap/{job}.log").read_text("utf-8")

    def kill(self) -> None:
        """End it without a chance to react; its jobs go on."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        finally:
            self._process.kill()
            self._process.wait()


def python_without(directory: Path, *names: str) -> str:
    """An environment with all that this one has but some distributions; its Python."""
    subprocess.run(
        [sys.executable, "-m", "venv", "--without-pip", str(directory)],
        check=True,
        timeout=DEADLINE,
    )
    (there,) = directory.glob("lib/python*/site-packages")
    hidden = tuple(name.replace("-", "_").lower() for name in names)
    for here in _site_packages():
        for path in here.iterdir():
            if not path.name.lower().startswith(hidden) and not (there / path.name).exists():
                (there / path.name).symlink_to(path)
    return str(directory / "bin" / "python")


def _site_packages() -> Iterator[Path]:
    return (Path(path) for path in sys.path if path.endswith("site-packages"))
