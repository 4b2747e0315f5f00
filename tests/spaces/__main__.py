"""Crawl sites of the laboratory and print what became of each.

python -m tests.spaces NAME... [--all] [--honest] [--endless] [--keep DIRECTORY] [--offline]
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.spaces.crawling import Outcome, run, run_offline
from tests.spaces.registry import NAMES, space

HEAD = ("site", "ideal", "listed", "missing", "beyond", "requests", "complete", "s", "traps")


def row(outcome: Outcome) -> tuple[object, ...]:
    """The cells of a site's line, in the order of ``HEAD``."""
    crawl = outcome.crawl
    has_report = (crawl.output / "report.json").exists()
    beyond = f"{len(outcome.beyond)}/{outcome.space.most_beyond}"
    return (
        f"{'  ' if not outcome.faults else '! '}{outcome.space.name}",
        len(outcome.space.ideal),
        len(outcome.listed),
        len(outcome.missing),
        beyond,
        f"{outcome.requests}/{outcome.space.max_requests}",
        crawl.report["complete"] if has_report else f"exit {crawl.code}",
        f"{outcome.seconds:.1f}",
        shortened(outcome.traps) if has_report else "",
    )


def shortened(traps: list[str]) -> str:
    """The first two, and how many more there are."""
    more = f", and {len(traps) - 2} more" if len(traps) > 2 else ""
    return ", ".join(traps[:2]) + more


def chosen(arguments: argparse.Namespace) -> list[str]:
    """The names of the sites to crawl."""
    if arguments.all:
        return NAMES
    if arguments.honest or arguments.endless:
        return [name for name in NAMES if space(name).is_endless == arguments.endless]
    return list(arguments.names)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.spaces", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[[], *NAMES])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--honest", action="store_true")
    parser.add_argument("--endless", action="store_true")
    parser.add_argument("--keep", type=Path, help="keep output and log of each site here")
    parser.add_argument("-a", action="append", default=[], help="an argument of the crawl")
    parser.add_argument("--offline", action="store_true", help="in this process: fast")
    parser.add_argument("-v", action="store_true", help="name what is missing and beyond")
    arguments = parser.parse_args()
    lines = "{:<26}{:>6}{:>7}{:>8}{:>9}{:>11}{:>9}{:>6}  {}"
    print(lines.format(*HEAD))
    faulty = 0
    for name in chosen(arguments):
        with TemporaryDirectory() as temporary:
            directory = (arguments.keep or Path(temporary)) / name
            try:
                if arguments.offline:
                    outcome = run_offline(space(name), directory)
                else:
                    outcome = run(space(name), directory, *arguments.a)
            except Exception as error:  # noqa: BLE001 - the table has a line for every site
                print(f"! {name}: {error!r}", flush=True)
                faulty += 1
                continue
            faulty += bool(outcome.faults)
            print(lines.format(*map(str, row(outcome))), flush=True)
            if arguments.v:
                print("   missing", *outcome.missing[:10])
                print("   beyond", *outcome.beyond[:10])
    print(f"{faulty} with a fault")
    return int(faulty > 0)


if __name__ == "__main__":
    sys.exit(main())
