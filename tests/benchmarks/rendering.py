"""What rendering finds on real builds, and what it costs: real crawls with a real browser.

    python -m tests.benchmarks.rendering [--rules auto seed always never] [--orders 5] [--sites ...]

Crawls each site of ``../shared/corpus`` with ``scrapy crawl sitemap`` in a process of its own, once
for each rule and each shuffled order. Prints a table in Markdown: means over the orders, of all
sites but hash routers (one document, whatever is done); then what each rule missed or rendered for
nothing, by site. ``--json`` keeps every crawl.

- found: of the URLs that an ideal crawl without interaction finds, those that were fetched
- renders: pages that the server saw a browser navigate to
- for nothing: of those, the ones that need no browser, by the manifest
- precision, recall: of the pages that were rendered, and of those that need it
"""

import argparse
import csv
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from tests.benchmarks import PROJECT
from tests.benchmarks.corpus import manifest, normal, serve
from tests.benchmarks.cost import cost

AUTO, SEED, ALWAYS, NEVER = "auto", "seed", "always", "never"
OPTIONS = {
    AUTO: ("-a", "render=auto"),
    SEED: ("-a", "render=auto", "-s", "SITEMAPGEN_RENDERING_RULE=classic"),
    ALWAYS: ("-a", "render=always"),
    NEVER: ("-a", "render=never"),
}
DEADLINE = 600
"""Seconds after which a crawl is killed."""
FIRST_PORT = 21_000
"""The keys of URLs, and by them the samples, depend on the port: the same ones each time."""
UNFETCHED = frozenset({"not_fetched", "robots_disallowed", "excluded", "over_cap", "fetch_error"})


@dataclass(kw_only=True)
class Outcome:
    """What one crawl of one site came to; paths as the manifest writes them."""

    site: str
    rule: str
    order: int
    expected: int
    """URLs that an ideal crawl without interaction finds."""
    needing: int
    """Of those, the ones that need a browser."""
    listed: list[str]
    found: int
    missing: list[str]
    unlisted: dict[str, str]
    """Expected URLs that were fetched and are not in the sitemap, with their verdicts."""
    forbidden: list[str]
    rendered: list[str]
    wasted: list[str]
    lacking: list[str]
    """Expected pages that need a browser and had none."""
    reasons: dict[str, int]
    """Why pages were rendered, by the crawl's own report."""
    renders_reported: int
    loads: int
    """Documents that browsers navigated to; a page may lead to another, or be asked for twice."""
    requests: int
    """Everything that the server was asked for."""
    browser_seconds: float
    wall_seconds: float


class Log:
    """The server's log as a file that the corpus writes to."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def write(self, line: str) -> None:
        self.lines.append(json.loads(line))

    def flush(self) -> None:
        """Nothing waits."""


def crawl(site: dict[str, Any], rule: str, order: int = 0, port: int = 0) -> Outcome:
    """Crawl a site. Raises RuntimeError, with the end of the log, when the crawl fails."""
    log = Log()
    with tempfile.TemporaryDirectory() as name, serve(site, port, log) as origin:
        output = Path(name) / "output"
        wall = cost(
            [
                *(sys.executable, "-m", "scrapy", "crawl", "sitemap", *OPTIONS[rule]),
                *("-a", f"url={origin}/", "-a", f"output={output}"),
                *("-s", "SCHEDULER=tests.benchmarks.shuffled.ShuffledScheduler"),
                *("-s", f"SHUFFLE_SEED={order}"),
            ],
            log=Path(name) / "log",
            cwd=PROJECT,
            environment={"SCRAPY_PROJECT": "fast", "PYTHONPATH": str(PROJECT)},
            deadline=DEADLINE,
        ).wall
        report = json.loads((output / "report.json").read_text("utf-8"))
        with (output / "urls.csv").open(encoding="utf-8", newline="") as file:
            verdicts = {normal(row["url"], origin): row["verdict"] for row in csv.DictReader(file)}
    expected = set(site["expected_urls"])
    needing = {route["path"] for route in site["routes"] if route["needs_browser"]}
    needing_expected = needing & expected
    found = {path for path, verdict in verdicts.items() if verdict not in UNFETCHED}
    listed = {path for path, verdict in verdicts.items() if verdict == "listed"}
    loads = [
        normal(f"{origin}{line['path']}", origin)
        for line in log.lines
        if line["dest"] == "document"
    ]
    rendered = set(loads)
    return Outcome(
        site=site["name"],
        rule=rule,
        order=order,
        expected=len(expected),
        needing=len(needing_expected),
        listed=sorted(listed),
        found=len(found & expected),
        missing=sorted(expected - found),
        unlisted={path: verdicts[path] for path in sorted((expected & found) - listed)},
        forbidden=sorted(found & set(site["forbidden_urls"])),
        rendered=sorted(rendered),
        wasted=sorted(rendered - needing),
        lacking=sorted(needing_expected - rendered),
        reasons=report["rendering"]["reasons"],
        renders_reported=report["rendering"]["pages"],
        loads=len(loads),
        requests=len(log.lines),
        browser_seconds=report["rendering"]["seconds"],
        wall_seconds=round(wall, 1),
    )


def table(outcomes: Sequence[Outcome]) -> str:
    """The means over the orders, one row a rule, in Markdown."""
    heads = ("found", "forbidden", "renders", "for nothing", "precision", "recall")
    heads = ("", "URLs found", *heads[1:], "seconds in the browser", "seconds")
    rows = [heads, ("---",) * len(heads)]
    for rule in dict.fromkeys(outcome.rule for outcome in outcomes):
        orders = _by(
            (one for one in outcomes if one.rule == rule), lambda outcome: outcome.order
        ).values()
        sums = [_sums(crawls) for crawls in orders]
        means = {name: mean(each[name] for each in sums) for name in sums[0]}
        least, most = (choose(each["found"] for each in sums) for choose in (min, max))
        found = f"{least:g}" if least == most else f"{least:g} to {most:g}"
        renders, wasted = means["renders"], means["wasted"]
        rows.append(
            (
                f"`{rule}`",
                f"{found} of {means['expected']:g}",
                f"{means['forbidden']:g}",
                f"{renders:.0f}",
                f"{wasted:g}" + (f" ({wasted / renders:.0%})" if renders else ""),
                f"{(renders - wasted) / renders:.2f}" if renders else "",
                f"{1 - means['lacking'] / means['needing']:.2f}",
                f"{means['browser_seconds']:.0f}",
                f"{means['wall_seconds']:.0f}",
            )
        )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def details(outcomes: Iterable[Outcome]) -> str:
    """What each rule missed, rendered for nothing, or did not list: a line a site and a fact."""
    lines = []
    for (rule, site), crawls in _by(outcomes, lambda one: (one.rule, one.site)).items():
        for name in ("missing", "forbidden", "unlisted", "wasted", "lacking"):
            counts = Counter(
                f"{path} ({fact[path]})" if isinstance(fact, dict) else path
                for one in crawls
                for fact in [getattr(one, name)]
                for path in fact
            )
            if counts:
                facts = ", ".join(f"{path} x{count}" for path, count in sorted(counts.items()))
                lines.append(f"{rule:7} {site:26} {name:10} {facts}")
        sets = {tuple(one.listed) for one in crawls}
        if len(sets) > 1:
            lines.append(f"{rule:7} {site:26} lists      {len(sets)} different sets")
    return "\n".join(lines)


def beyond(
    outcomes: Sequence[Outcome], more: str = ALWAYS, less: str = AUTO
) -> dict[str, set[str]]:
    """What one rule lists, in any order, that another does not list in each; by site."""
    found: dict[str, set[str]] = {}
    for site, crawls in _by(outcomes, lambda one: one.site).items():
        ours = [set(one.listed) for one in crawls if one.rule == less]
        theirs = [set(one.listed) for one in crawls if one.rule == more]
        if ours and theirs and (gap := set.union(*theirs) - set.intersection(*ours)):
            found[site] = gap
    return found


def _sums(crawls: Sequence[Outcome]) -> dict[str, float]:
    """Of the crawls of all sites in one order."""
    return {
        "expected": sum(one.expected for one in crawls),
        "needing": sum(one.needing for one in crawls),
        "found": sum(one.found for one in crawls),
        "forbidden": sum(len(one.forbidden) for one in crawls),
        "renders": sum(len(one.rendered) for one in crawls),
        "wasted": sum(len(one.wasted) for one in crawls),
        "lacking": sum(len(one.lacking) for one in crawls),
        "browser_seconds": sum(one.browser_seconds for one in crawls),
        "wall_seconds": sum(one.wall_seconds for one in crawls),
    }


def _by(outcomes: Iterable[Outcome], name: Callable[[Outcome], Any]) -> dict[Any, list[Outcome]]:
    groups: dict[Any, list[Outcome]] = {}
    for outcome in outcomes:
        groups.setdefault(name(outcome), []).append(outcome)
    return groups


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rules", nargs="+", choices=OPTIONS, default=list(OPTIONS))
    parser.add_argument("--orders", type=int, default=5)
    parser.add_argument("--sites", nargs="+", help="names; else all")
    parser.add_argument("--json", type=Path, help="where to keep every crawl")
    arguments = parser.parse_args()
    outcomes: list[Outcome] = []
    hash_routers = set()
    for rule in arguments.rules:
        for number, site in enumerate(manifest()):
            if arguments.sites and site["name"] not in arguments.sites:
                continue
            if site["hash_router"]:
                hash_routers.add(site["name"])
            for order in range(arguments.orders):
                port = FIRST_PORT + 1_000 * list(OPTIONS).index(rule) + 100 * order + number
                outcomes.append(one := crawl(site, rule, order, port))
                facts = {
                    name: len(getattr(one, name)) for name in ("missing", "rendered", "wasted")
                }
                print(rule, site["name"], order, facts, one.reasons, one.wall_seconds, flush=True)
                if arguments.json:
                    kept = [asdict(outcome) for outcome in outcomes]
                    arguments.json.write_text(json.dumps(kept, indent=1), "utf-8")
    print(f"\n{table([one for one in outcomes if one.site not in hash_routers])}")
    print(f"\n{details(outcomes)}")
    for site_name, gap in beyond(outcomes).items():
        print(f"always finds more on {site_name}: {sorted(gap)}")


if __name__ == "__main__":
    main()
