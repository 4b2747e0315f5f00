"""What all tests share."""

import os
import random
import signal
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("tests.helpers")  # before anything imports them
pytest_plugins = [
    f"tests.helpers.{name}"
    for name in ("crawls", "dashboard", "endpoints", "opened", "raw", "redis", "report", "serving")
]
"""The modules with fixtures for any directory."""

settings.register_profile("loaded", deadline=None)  # no result hangs on the load of the machine
settings.load_profile("loaded")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in the background of a script
    signal.signal(signal.SIGINT, signal.default_int_handler)


FULL = {"benchmarks", "egress", "faults", "hostile", "real"}
"""Directories with crawls by the hundred, real systems, and attacks."""
SAMPLED = {"crawls"}
"""Directories of which each test is a ``sample``."""
SIGNALS = sorted(
    number
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}
    if signal.getsignal(number) is not None  # of C code
)


@pytest.fixture(autouse=True)
def no_process_is_left() -> Iterator[None]:
    """End the processes that a test has started and, having failed, not waited for."""
    from tests.helpers.crawls import STARTED

    before = len(STARTED)
    yield
    for process in STARTED[before:]:
        if process.poll() is None:
            process.kill()
            process.wait()
    del STARTED[before:]


@pytest.fixture(autouse=True)
def process_is_restored() -> Iterator[None]:
    """Take back what a test has changed in its process, where Scrapy changes some of it.

    The environment, the handlers of signals, the working directory, the search path of modules, and
    modules that were replaced or removed.
    """
    environment, directory, paths, modules = (
        dict(os.environ),
        Path.cwd(),
        [*sys.path],
        {**sys.modules},
    )
    handlers = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for name in os.environ.keys() - environment.keys():
        del os.environ[name]
    os.environ.update(environment)
    for number, handler in handlers.items():
        if signal.getsignal(number) is not handler:
            signal.signal(number, handler)
    os.chdir(directory)
    sys.path[:] = paths
    sys.modules.update(modules)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for another order."""
    parser.addoption("--seed", help="run the modules in the order of this seed")


def pytest_report_header(config: pytest.Config) -> str:
    """Print the seed, to repeat the order."""
    seed = config.getoption("seed")
    return f"order of the modules: --seed={seed}" if seed else ""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark as ``full`` what is in ``make test-all`` only, and order the modules by the seed.

    These are the tests in the directories ``FULL`` that are no ``sample``, and all cases of a
    ``sample`` but the first. The tests of a module stay in their order.
    """
    if seed := config.getoption("seed"):
        modules = sorted({item.path for item in items})
        random.Random(seed).shuffle(modules)
        items.sort(key=lambda item: modules.index(item.path))
    seen: set[str] = set()
    for item in items:
        if item.get_closest_marker("slow"):
            continue
        name = item.nodeid.partition("[")[0]
        directory = Path(name).parts[1]
        is_sample = directory in SAMPLED or item.get_closest_marker("sample") is not None
        if name in seen if is_sample else directory in FULL:
            item.add_marker("full")
        seen.add(name)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Place a skip of a module in that module: xdist takes skips at one place for the same one."""
    from tests.helpers.shared import NOT_SHARED

    report = yield
    if report.skipped and NOT_SHARED in str(report.longrepr):
        report.longrepr = (str(collector.path), None, report.longrepr[2])
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter,
) -> Generator[None, None, None]:
    """Count, below the list of skips, what was skipped for want of ``../shared``.

    How many cases a module has is not known where their file is absent: modules count as such.
    """
    from tests.helpers.shared import NOT_SHARED

    yield
    skipped = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if NOT_SHARED in str(report.longrepr)
    ]
    if skipped:
        modules = sum(isinstance(report, pytest.CollectReport) for report in skipped)
        terminalreporter.write_line(
            "Skipped for want of ../shared: modules with all of their cases: "
            f"{modules}; single tests: {len(skipped) - modules}",
            yellow=True,
        )
