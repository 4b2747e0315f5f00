"""What a fleet costs itself, by the number of its sites: CPU, memory, requests, bytes of its state.

The command is run as users run it. Its servers are stubs whose jobs end at once, so that nothing
but the fleet is measured.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.crawls import ROOT
from tests.helpers.scrapyd_stub import stubs

MOST_REQUESTS = 2
"""Requests for one site: to schedule it, and to read its log; looks at a server come to that."""
MOST_KB = 8
"""Memory that a further site takes."""
MOST_STATE_BYTES = 1_200


def measure(sites: int, *, hosts: int = 0) -> dict[str, Any]:
    """Run a fleet. ``hosts``: different hosts among the sites, 0 for one each."""
    with tempfile.TemporaryDirectory() as name, stubs(2, "--slots", "4", "--looks", "1") as servers:
        directory = Path(name)
        path = directory / "sites.csv"
        lines = (f"{number % (hosts or sites)}.example,{number}\n" for number in range(sites))
        path.write_text("url,output\n" + "".join(lines))
        named = (part for url in servers.urls for part in ("--server", url))
        options = ["--at-once", "4", "-s", "SITEMAPGEN_FLEET_POLL=0.01"]
        command = [sys.executable, "-m", "scrapy", "fleet", str(path), *named, *options]
        measured = _run(command, directory)
    return {"sites": sites, **measured, "requests": dict(servers.requests)}


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


def test_a_few_sites() -> None:
    measured = measure(60)
    print(measured)
    assert measured["total"] == "60 sites: published 60"
    requests = measured["requests"]
    assert requests["POST schedule.json"] + requests["GET log"] == MOST_REQUESTS * 60
    assert measured["state_bytes"] <= MOST_STATE_BYTES * 60


@pytest.mark.slow
def test_sites_of_few_hosts() -> None:
    """As many jobs at a time as there are hosts, if that is less than there may be."""
    assert measure(300, hosts=3)["total"] == "300 sites: published 300"


@pytest.mark.alone
@pytest.mark.slow
def test_ten_thousand_sites_cost_ten_times_as_much_as_a_thousand() -> None:
    small, large = measure(1_000), measure(10_000)
    print(small, large)
    assert large["total"] == "10,000 sites: published 10,000"
    assert large["state_bytes"] <= MOST_STATE_BYTES * 10_000
    assert large["peak_mb"] - small["peak_mb"] <= MOST_KB * 9
    # Start-up, which both have, only makes the small one seem dearer; twice is noise.
    assert large["seconds"] / small["seconds"] <= 10 * 2
