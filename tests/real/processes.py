"""Programs of real systems: found, started on loopback, and ended whatever happens."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

CACHE = Path(tempfile.gettempdir()) / "sitemapgen-real"
"""Where virtual environments stay from one run to the next."""


def free_port() -> int:
    """A port of the loopback interface that nothing listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


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


def wait_for(port: int, seconds: float = 60) -> None:
    """Wait until something listens on a port of the loopback interface."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port}")


@contextmanager
def background(command: list[str | Path], port: int, log: Path, **more: object) -> Iterator[None]:
    """Run a server until the end of the context, in a process group of its own."""
    with log.open("ab") as file:
        process = subprocess.Popen(
            list(map(str, command)),
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            **more,
        )
    try:
        wait_for(port)
        yield
    finally:
        end_group(process.pid)
        process.wait()


@contextmanager
def script(path: Path, directory: Path, port: int, *more: str) -> Iterator[None]:
    """Run a set-up script of ``../shared/real-sites`` and end the servers that it leaves."""
    try:
        run(
            ["bash", path, directory, str(port), *more], directory.parent / "setup.log", timeout=300
        )
        wait_for(port)
        yield
    finally:
        for file in (directory / "server.pid", directory / "my" / "pid"):
            with suppress(FileNotFoundError):
                end_group(int(file.read_text()))


def end_group(leader: int, seconds: float = 10) -> None:
    """End a process group, first kindly; returns when it is gone."""
    end = time.monotonic() + seconds
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGTERM)
        while time.monotonic() < end:
            time.sleep(0.05)
            with suppress(ChildProcessError):
                os.waitpid(-leader, os.WNOHANG)
            os.killpg(leader, 0)
        os.killpg(leader, signal.SIGKILL)


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
