"""What a rendered page costs, against a bare Playwright loop over the same URLs.

Three ways to render the pages of a client-rendered site, in turn: ``ours`` (``scrapy crawl
sitemap``, from the start URL to the published files), ``fresh`` (Playwright, a page opened for each
URL) and ``reused`` (Playwright, one page for all). All read a page when links and text have been
quiet for the same time and no request is in flight. CPU is that of every process a contestant
started, ended or not: crawler, driver and browser; the server is not among them. Measured: CPU
milliseconds a page, less what one page alone takes (``marginal``) and all in all (``whole``), and
the ratios of ours to the others (medians over the rounds). Linux only.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks import PROJECT
from tests.benchmarks.crawling import OURS, per_page
from tests.helpers.browser import BROWSER
from tests.helpers.server import Answer, Server

FRESH, REUSED = "fresh", "reused"
DEADLINE = 900
"""Seconds after which a contestant is killed."""
PR_SET_CHILD_SUBREAPER = 36
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PROJECT), "SCRAPY_PROJECT": "fast"}

SHELL = (
    "<!doctype html><html lang=en><head><meta charset=utf-8><title>Shop</title>"
    "<link rel=stylesheet href=/app.css></head>"
    "<body><div id=root></div><script src=/app.js></script></body></html>"
)
STYLE = "body { font: 16px sans-serif } nav a { padding: 4px } section { margin: 1em }"
SCRIPT = """
const element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
};
const show = async () => {
    const data = await (await fetch("/api" + location.pathname)).json();
    document.title = data.title;
    const links = data.links.map((to) => element("a", { href: to }, "Product " + to));
    const parts = data.texts.map((text, at) => element("section", { id: "part" + at },
        element("h2", {}, data.title + ", part " + at), element("p", {}, text)));
    document.querySelector("#root").append(
        element("nav", {}, ...links), element("h1", {}, data.title), ...parts,
        element("img", { src: "/picture.svg?" + location.pathname, alt: "" }));
};
show();
"""
TEXT = "Some say that the best page is the one that is read, others that it is the one found. " * 5
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"></svg>'


def shop(pages: int, path: str) -> Answer | None:
    """A client-rendered site: the home page links to all others, those to their neighbours."""
    if path == "/app.js":
        return Answer(SCRIPT, headers={"Content-Type": "text/javascript"})
    if path == "/app.css":
        return Answer(STYLE, headers={"Content-Type": "text/css"})
    if path.startswith("/picture.svg"):
        return Answer(PICTURE, headers={"Content-Type": "image/svg+xml"})
    if path.startswith("/api/"):
        name = path.removeprefix("/api/product-")
        number = int(name) if name.isdecimal() else 0
        near = range(1, pages) if not number else range(max(1, number - 10), number + 11)
        said = {
            "title": f"Product {number}",
            "links": ["/", *(f"/product-{to}" for to in near if to < pages)],
            "texts": [f"{number * 31 + part}. {TEXT}" for part in range(8)],
        }
        return Answer(json.dumps(said), headers={"Content-Type": "application/json"}, delay=0.05)
    name = path.removeprefix("/product-")
    if path == "/" or (name.isdecimal() and 0 < int(name) < pages):
        return Answer(SHELL)
    return None


def serve(pages: int) -> Server:
    """Serve the shop from this process, whose work is not counted."""
    return Server(partial(shop, pages))


@contextmanager
def reaping() -> Iterator[None]:
    """Be the parent of every orphan, so that the work of none is forgotten."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


def cpu_of(command: list[str], given: str = "") -> tuple[float, str]:
    """Run a command; CPU seconds of it and all that it started, and its output.

    Raises RuntimeError when it fails.
    """
    before = _children_cpu()
    done = subprocess.run(
        command,
        input=given,
        cwd=PROJECT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command}: exit code {done.returncode}\n{done.stderr[-2_000:]}")
    end = time.monotonic() + 1.0
    with suppress(ChildProcessError):  # there is none any more
        while time.monotonic() < end:  # what it left behind, and no other process waits for
            if not os.waitpid(-1, os.WNOHANG)[0]:
                time.sleep(0.01)
    return _children_cpu() - before, done.stdout


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def crawling(server: Server, output: str, at_once: int, quiet: float) -> list[str]:
    """The command of a crawl that renders so many pages at a time."""
    command = [sys.executable, "-m", "scrapy", "crawl", "sitemap"]
    command += ["-a", f"url={server.url}", "-a", f"output={output}"]
    command += ["-s", f"SITEMAPGEN_BROWSER={BROWSER}"]
    command += ["-s", f"SITEMAPGEN_RENDERING_TABS={at_once}"]
    return [*command, "-s", f"SITEMAPGEN_RENDERING_QUIET={quiet}"]


def render(contestant: str, server: Server, pages: int, at_once: int, quiet: float) -> float:
    """Render so many pages; CPU seconds. Raises RuntimeError if one of them was not rendered."""
    server.visits.clear()
    if contestant == OURS:
        with tempfile.TemporaryDirectory() as output:
            spent, _ = cpu_of(crawling(server, output, at_once, quiet))
            listed = (Path(output) / "sitemap.xml").read_text().count("<loc>")
        if listed != pages:
            raise RuntimeError(f"{listed} pages are listed, not {pages}")
    else:
        urls = [server.url, *(f"{server.url}product-{number}" for number in range(1, pages))]
        command = [sys.executable, "-m", "tests.benchmarks.baselines.browser"]
        command += [contestant, str(at_once), str(quiet), BROWSER]
        spent, _ = cpu_of(command, "\n".join(urls))
    rendered = {path for path in server.paths if path.startswith("/api/")}
    if len(rendered) != pages:
        raise RuntimeError(f"{contestant} rendered {len(rendered)} pages, not {pages}")
    return spent


def measure(
    pages: int,
    at_once: int,
    rounds: int,
    quiet: float = 0.7,
    others: Sequence[str] = (FRESH, REUSED),
) -> dict[str, Any]:
    """Render in turn, so that a busy moment of the machine meets all."""
    names = (OURS, *others)
    many: dict[str, list[float]] = {name: [] for name in names}
    one: dict[str, list[float]] = {name: [] for name in names}
    with reaping(), serve(pages) as large, serve(1) as small:
        for _ in range(rounds):
            for name in names:
                one[name].append(render(name, small, 1, at_once, quiet))
                many[name].append(render(name, large, pages, at_once, quiet))
    marginal = {
        name: [each - median(one[name]) for each in column] for name, column in many.items()
    }
    return {
        "pages": pages,
        "at_once": at_once,
        "whole": per_page(many, pages),
        "marginal": per_page(marginal, pages - 1),
    }
