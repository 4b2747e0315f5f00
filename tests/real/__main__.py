"""``python -m tests.real``: set a real system up, crawl it, compare."""

import argparse
import shutil
import signal
import sys
import time
from pathlib import Path

from tests.helpers.programs import free_port
from tests.real.crawling import crawl
from tests.real.processes import CACHE
from tests.real.system import System
from tests.real.systems import SYSTEMS


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.real", description=__doc__)
    parser.add_argument("system", nargs="?", choices=SYSTEMS)
    parser.add_argument("-a", action="append", default=[], metavar="name=value")
    parser.add_argument("--output", type=Path, help="a directory; its contents are replaced")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--wait", action="store_true", help="keep the server up until Ctrl-C")
    parser.add_argument(
        "--install", action="store_true", help="only install what PyPI and npm have"
    )
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the servers end then, too
    if given.install:
        for system in SYSTEMS.values():
            system.install()
    elif given.system:
        _run(SYSTEMS[given.system], given)
    else:
        for name, system in SYSTEMS.items():
            print(f"{name:16}{system.lacks() or 'ready'}")


def _run(system: System, given: argparse.Namespace) -> None:
    system.install()
    if lacks := system.lacks():
        sys.exit(lacks)
    output = given.output or CACHE / system.name / "output"
    home = CACHE / system.name / "system"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    with system.serve(home, given.port or free_port()) as site:
        print(crawl(site, output, *given.a).text, flush=True)
        while given.wait:
            print(f"waiting at {site.start}", flush=True)
            time.sleep(3600)


if __name__ == "__main__":
    main()
