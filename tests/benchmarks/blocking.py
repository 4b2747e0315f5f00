"""How long the event loop stands still while a crawl is concluded and published.

A real process continues a crawl of which all pages are read: the site of ``concluding.py``.
``tests/helpers/watchdog.py`` measures the largest gaps between two turns, by step.
"""

import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sitemapgen.params import Params
from tests.benchmarks import concluding
from tests.helpers.crawls import DEADLINE, IMPATIENT, ROOT, command, wait_for
from tests.helpers.server import Server, page

HOST = "www.example.com"


def make(pages: int, output: Path) -> None:
    """Make the output of a crawl whose process ended when all pages were read."""
    concluding.SITE = f"http://{HOST}/"
    concluding.link.cache_clear()
    output.mkdir(parents=True)
    url = concluding.link(0).url
    params = Params(url=url, output=output, max_pages=0)
    concluding.crawl(pages, output / "crawl.sqlite", params.in_scope())


class Concluded(NamedTuple):
    """A crawl that was continued, up to its end."""

    code: int
    log: str
    gaps: dict[str, Any]
    """What the watchdog wrote; empty if it could not."""


def conclude(output: Path, *more: str, step: str = "", signals: Sequence[int] = ()) -> Concluded:
    """Continue the crawl; send ``signals`` to its process once a step of the publication begins."""
    server = Server({"/": page()}, name=HOST)
    found = output.with_suffix(".json")
    found.unlink(missing_ok=True)
    begun = output.with_suffix(".step")
    begun.unlink(missing_ok=True)
    extensions = json.dumps({"tests.helpers.watchdog.Watchdog": 0})
    arguments = [
        *command(concluding.link(0).url, output, *IMPATIENT, "-a", "max_pages=0"),
        *("-a", f"proxy={server.proxy}", "-s", f"EXTENSIONS_BASE={extensions}"),
        *("-s", f"WATCHDOG_FILE={found}", *more),
    ]
    try:
        with subprocess.Popen(arguments, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
            if step:
                wait_for(lambda: process.poll() is not None or _is_at(step, begun))
            for number in signals:
                process.send_signal(number)
                time.sleep(0.1)
            _, log = process.communicate(timeout=DEADLINE)
    finally:
        server.stop()
    gaps = json.loads(found.read_text()) if found.exists() else {}
    return Concluded(process.returncode, log, gaps)


def _is_at(step: str, file: Path) -> bool:
    return file.exists() and file.read_text() == step
