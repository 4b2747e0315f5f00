"""What a fleet costs itself, by the number of its sites: CPU, memory, requests, bytes of its state.

    python -m tests.benchmarks.fleet --sites 10000
    python -m tests.benchmarks.fleet --sites 300 --real --poll 1

Prints JSON. The command is run as users run it. Its servers are stubs whose jobs end at once, so
that nothing but the fleet is measured, or, with ``--real``, Scrapyd with a spider that ends at
once, which starts a process for each site. CPU and memory of the servers are not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from tests.helpers.crawls import ROOT
from tests.helpers.scrapyd import Daemon
from tests.helpers.scrapyd_stub import stubs

EGG = {
    "EGG-INFO/PKG-INFO": "Metadata-Version: 1.0\nName: sitemapgen\nVersion: 1\n",
    "EGG-INFO/entry_points.txt": "[scrapy]\nsettings = trivial.settings\n",
    "trivial/__init__.py": "",
    "trivial/settings.py": """
SPIDER_MODULES = ["trivial.spider"]
LOG_LEVEL = "INFO"
LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s"
TELNETCONSOLE_ENABLED = False
""",
    "trivial/spider.py": """
import json
from scrapy import Spider

class Trivial(Spider):
    name = "sitemap"

    async def start(self):
        for request in ():
            yield request

    def closed(self, reason):
        facts = {"job": self._job, "outcome": "published", "exit_code": 0, "url": self.url}
        self.logger.info("result: %s", json.dumps(facts))
""",
}
"""A project whose spider makes no request, and ends as a crawl does."""


@dataclass
class Servers:
    """Their URLs, and, of stubs, what was requested of them."""

    urls: list[str]
    requests: Counter[str] = field(default_factory=Counter)


@contextmanager
def daemons(number: int, directory: Path) -> Iterator[Servers]:
    """Run real Scrapyd servers with the trivial spider."""
    with ExitStack() as stack:
        servers = Servers([])
        for index in range(number):
            home = directory / f"daemon-{index}"
            eggs = home / "eggs" / "sitemapgen"
            eggs.mkdir(parents=True)
            with ZipFile(eggs / "1.egg", "w") as egg:
                for name, text in EGG.items():
                    egg.writestr(name, text)
            daemon = Daemon(home, options="jobs_to_keep = 50\n")
            stack.callback(daemon.stop)
            servers.urls.append(daemon.url)
        yield servers


def measure(
    sites: int,
    *,
    servers: int = 2,
    at_once: int = 4,
    looks: int = 1,
    hosts: int = 0,
    poll: float = 0.01,
    real: bool = False,
) -> dict[str, Any]:
    """Run a fleet. ``looks``: for how many looks a job of a stub runs; ``hosts``: different hosts
    among the sites, 0 for one each; ``real``: two jobs at a time run on each Scrapyd."""
    with ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        found = stack.enter_context(
            daemons(servers, directory)
            if real
            else stubs(servers, "--slots", str(at_once), "--looks", str(looks))
        )
        path = directory / "sites.csv"
        lines = (f"{number % (hosts or sites)}.example,{number}\n" for number in range(sites))
        path.write_text("url,output\n" + "".join(lines))
        named = (part for url in found.urls for part in ("--server", url))
        options = ["--at-once", str(at_once), "-s", f"SITEMAPGEN_FLEET_POLL={poll}"]
        command = [sys.executable, "-m", "scrapy", "fleet", str(path), *named, *options]
        measured = _run(command, directory)
    return {"sites": sites, **measured, "requests": dict(found.requests)}


def _run(command: list[str], directory: Path) -> dict[str, Any]:
    begin = time.perf_counter()
    with (directory / "log").open("wb") as log, (directory / "table").open("wb") as table:
        process = subprocess.Popen(command, cwd=ROOT, stdout=table, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begin
    assert process.returncode == 0, (directory / "log").read_text()
    state = directory / "sites.fleet"
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return {
        "total": (directory / "table").read_text().splitlines()[-1],
        "seconds": round(usage.ru_utime + usage.ru_stime, 2),
        "wall_seconds": round(wall, 1),
        "peak_mb": round(usage.ru_maxrss / scale, 1),
        "state_bytes": (state / "state.jsonl").stat().st_size,
        "outcomes_bytes": (state / "outcomes.json").stat().st_size,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sites", type=int, default=1_000)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--looks", type=int, default=1)
    parser.add_argument("--hosts", type=int, default=0)
    parser.add_argument("--poll", type=float, default=0.01)
    parser.add_argument("--real", action="store_true")
    print(json.dumps(measure(**vars(parser.parse_args())), indent=1))


if __name__ == "__main__":
    main()
