"""A process that has imported what a command needs, and forks a child for each: ``forks.py``.

Its one argument is the file descriptor of a socket. Each message there is a command in JSON, with
four file descriptors: the standard streams of the child, and where its process id and its exit code
are written, a line each. It ends when the other end is closed.

A child does what ``python -m scrapy`` does, in its environment, but for the imports. The settings
are not imported before: they depend on the environment, and begin to handle signals.
"""

import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from scrapy.utils.versions import get_versions

MESSAGE = 1 << 18
"""Bytes of the longest message: more than a socket takes."""
PACKAGES = (
    *("analysis", "browser", "commands", "context", "core", "download", "extensions", "frontier"),
    *("middlewares", "pipelines", "publish", "report", "scrapy_commands", "spiders", "store"),
    "tools",
)
"""Parts of sitemapgen that a crawl or a tool needs; each is imported with all that is in it ..."""
WITHOUT = "sitemapgen.publish.tables"
"""... but for what imports PyArrow, which starts threads."""
OTHERS = (
    *("jinja2", "playwright.async_api", "scrapy.cmdline", "scrapy.contracts", "scrapy.shell"),
    *("scrapy.commands", "scrapy.core.downloader.contextfactory", "scrapy.downloadermiddlewares"),
    *("scrapy.extensions.closespider", "scrapy.extensions.corestats", "scrapy.extensions.logcount"),
    *("scrapy.extensions.memusage", "scrapy.extensions.throttle", "scrapy.statscollectors"),
    *("scrapy.utils.engine", "sitemapgen.checks.requirements", "twisted.internet.asyncioreactor"),
)
NOT_IMPORTED = ("twisted.internet.reactor", "sitemapgen.settings")
"""Each command installs a reactor, and reads the settings in its own environment."""
THREADS = "OPENBLAS_NUM_THREADS"


def import_all() -> None:
    """Import what a command needs, with as many threads in NumPy as a crawl has: one."""
    os.environ[THREADS] = "1"
    for name in (*OTHERS, *(f"sitemapgen.{name}" for name in PACKAGES)):
        _import_with_parts(name)
    get_versions()  # for the log; the platform is looked up once
    del os.environ[THREADS]
    assert not sys.modules.keys() & set(NOT_IMPORTED)


def _import_with_parts(name: str) -> None:
    package = importlib.import_module(name)
    for part in pkgutil.iter_modules(getattr(package, "__path__", ()), f"{name}."):
        if part.name != WITHOUT:
            _import_with_parts(part.name)


def serve(control: socket.socket) -> dict[str, Any]:
    """Fork a child for each command; return the command, in the child alone."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MESSAGE, 4)
        if not message:
            sys.exit()
        *streams, answers = descriptors
        if not os.fork():
            return _fork(json.loads(message), streams, answers)
        for descriptor in descriptors:
            os.close(descriptor)
        _reap()


def _reap() -> None:
    """Forget the processes that have waited for a child to its end."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _fork(command: dict[str, Any], streams: list[int], answers: int) -> dict[str, Any]:
    """Fork the child, and return in it the command; here, report its end."""
    child = os.fork()
    if child:
        with suppress(BrokenPipeError):  # of a test that no longer waits
            os.write(answers, f"{child}\n".encode())
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            os.write(answers, f"{code}\n".encode())
        os._exit(0)
    os.close(answers)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    return command


def become(command: dict[str, Any], installed: list[str]) -> None:
    """Take over the environment, directory and arguments of a command; ``installed``: its paths."""
    os.chdir(command["directory"])
    os.environ.clear()
    os.environ.update(command["environment"])
    time.tzset()
    paths = os.environ["PYTHONPATH"].split(os.pathsep)
    sys.path[:] = [command["directory"], *paths, *installed]
    for path in paths:
        customization = Path(path, "sitecustomize.py")
        if customization.exists():
            runpy.run_path(str(customization))
    sys.argv[:] = command["arguments"]
    sys.orig_argv[:] = [sys.executable, "-m", *sys.argv]


def main() -> None:
    """Import, serve, and run each command."""
    interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests
    installed = sys.path[1 + len(os.environ["PYTHONPATH"].split(os.pathsep)) :]
    import_all()
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as control:
        command = serve(control)
    gc.unfreeze()
    signal.signal(signal.SIGINT, interrupt)
    become(command, installed)
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
