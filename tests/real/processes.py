"""Programs of real systems: found, started on loopback, and ended whatever happens."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.helpers.crawls import wait_for
from tests.helpers.programs import answers, end_group

CACHE = Path(tempfile.gettempdir()) / "sitemapgen-real"
"""Where virtual environments stay from one run to the next."""


def lacking(*wanted: str | Path) -> str:
    """The files and programs among those wanted that are not here, in words."""
    missing = [str(one) for one in wanted if not (shutil.which(one) or Path(one).exists())]
    return f"{', '.join(missing)}: not installed" if missing else ""


def run(command: list[str | Path], log: Path, **more: object) -> None:
    """Run a command to its end; raises with the end of its log if it fails."""
    with log.open("ab") as file:
        done = subprocess.run(
            list(map(str, command)),
            check=False,
            stdout=file,
            stderr=subprocess.STDOUT,
            **more,
        )
    if done.returncode:
        raise RuntimeError(f"{command}: {done.returncode}\n{log.read_text('utf-8')[-2000:]}")


@contextmanager
def script(path: Path, directory: Path, port: int, *more: str) -> Iterator[None]:
    """Run a set-up script of ``../shared/real-sites`` and end the servers that it leaves."""
    try:
        run(
            ["bash", path, directory, str(port), *more], directory.parent / "setup.log", timeout=300
        )
        wait_for(lambda: answers(port))
        yield
    finally:
        for file in (directory / "server.pid", directory / "my" / "pid"):
            with suppress(FileNotFoundError):
                end_group(int(file.read_text()))


def environment(name: str) -> Path:
    """The virtual environment of that name."""
    return CACHE / "venvs" / name


def install(name: str, *packages: str) -> None:
    """Make a virtual environment with packages from PyPI, unless it is there."""
    venv, done = environment(name), environment(name) / "done"
    if done.exists() and done.read_text() == "\n".join(packages):
        return
    log = CACHE / f"{name}.install.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    run([sys.executable, "-m", "venv", "--clear", venv], log)
    quiet = ["--quiet", "--disable-pip-version-check"]
    run([venv / "bin" / "python", "-m", "pip", "install", *quiet, *packages], log)
    done.write_text("\n".join(packages))
