"""A crawl of a real system, as users run it, and what came of it."""

import re
import shutil
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.crawls import IMPATIENT, Crawl, command, start
from tests.helpers.programs import free_port
from tests.real.system import Comparison, Site, System, Views, compare, compare_views

DEADLINE = 1800
"""Seconds after which a crawl is killed."""


@dataclass(frozen=True)
class Result:
    """A crawl and its comparison with the ideal set."""

    crawl: Crawl
    comparison: Comparison
    requests: int
    """All that were sent: pages, robots.txt, sitemaps, checks for soft 404s."""
    seconds: float
    views: Views | None
    """None where it is not known which pages are views."""

    @property
    def text(self) -> str:
        """The figures, then what is missing by verdict and what is listed beyond by reason."""
        ours = self.comparison
        rows = {"ideal": ours.ideal, "listed": ours.listed, "missing": len(ours.missing)}
        rows["further real pages"] = sum(map(len, ours.also.values()))
        rows |= {"beyond": sum(map(len, ours.beyond.values())), "requests": self.requests}
        lines = [f"{name:20}{number:6}" for name, number in rows.items()]
        lines += [f"{'seconds':20}{self.seconds:6.0f}", f"{'exit code':20}{self.crawl.code:6}"]
        lines.append(f"verdicts: {dict(Counter(self.crawl.verdicts.values()))}")
        for title, kinds in (("further", ours.also), ("beyond", ours.beyond)):
            for reason, paths in kinds.items():
                lines += [
                    f"{title}: {reason}: {len(paths)}",
                    *(f"    {path}" for path in paths[:5]),
                ]
        lines += [f"missing: {path}" for path in ours.missing[:40]]
        if views := self.views:
            found = (
                f"{len(views.right)} right, {len(views.wrong)} wrong, {len(views.missing)} missing"
            )
            lines += [f"views: {found}", *(f"wrong: {path}" for path in views.wrong[:40])]
            lines += [f"no view: {path}" for path in views.missing[:10]]
        return "\n".join([*lines, f"output: {self.crawl.output}"])


def crawl(site: Site, output: Path, *arguments: str, again: bool = False) -> Result:
    """Crawl a running system into a directory; ``arguments`` as ``name=value``.

    ``again``: it is a refresh of the crawl that is there.
    """
    if not again:
        shutil.rmtree(output, ignore_errors=True)
    output.mkdir(parents=True, exist_ok=True)
    log = output / "log"
    log.unlink(missing_ok=True)
    options = [part for argument in arguments for part in ("-a", argument)]
    began = time.monotonic()
    process = start(command(site.start, output, *options, "-L", "INFO", *IMPATIENT), log)
    try:
        code = process.wait(DEADLINE)
    finally:
        process.kill()
        process.wait()
    done = Crawl(code, log.read_text("utf-8", "replace"), output)
    counts = re.findall(r"downloader/request_count': (\d+)", done.log)
    listed = done.sitemap if (output / "sitemap.xml").exists() else []
    views = compare_views(site, done.urls) if site.views and listed else None
    return Result(done, compare(site, listed), int(counts[-1]), time.monotonic() - began, views)


def measure(system: System, home: Path, output: Path) -> tuple[Result, Result]:
    """Set a system up in a directory that does not exist; return a crawl of it and a refresh."""
    home.mkdir(parents=True)
    with system.serve(home, free_port()) as site:
        first = crawl(site, output)
        return first, crawl(site, output, again=True)
