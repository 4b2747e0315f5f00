"""What the rendering rule finds, and renders for nothing, on real builds with ground truth.

    python -m tests.benchmarks.rendering_rule [--rule seed] [--orders 5]

Crawls each site of ``../shared/corpus`` in shuffled orders: the documents as its server sends
them, rendered ones as the manifest says that a browser sees them. A render is wasted when the
manifest says that its page needs no browser. Prints one row a site and the totals.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import threading
import urllib.error
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from sitemapgen.core import html
from sitemapgen.core.learning import Record, Tally, decide
from sitemapgen.core.rendering import AUTO, Policy, Raw, read, signature
from sitemapgen.core.urls import key
from tests.shared import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator

CORPUS = SHARED / "corpus"
WORDS_MISSING = 0.6
"""The manifest's label: a page needs a browser when its raw document has fewer of its words."""


@dataclass
class Outcome:
    """What one crawl of one site came to."""

    found: set[str] = field(default_factory=set)
    missing: set[str] = field(default_factory=set)
    forbidden: set[str] = field(default_factory=set)
    renders: int = 0
    wasted: list[str] = field(default_factory=list)
    unrendered: set[str] = field(default_factory=set)
    """Pages that need a browser and got none."""
    reasons: Counter[str] = field(default_factory=Counter)
    recalled: int = 0


class Served:
    """One site of the corpus, its documents read over HTTP and kept."""

    def __init__(self, site: dict[str, Any], server: Any) -> None:
        self.site = site
        self.routes = {route["path"]: route for route in site["routes"]}
        self._server = server
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{server.server_address[1]}"
        self.shell = self.document("/no-such-page")

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    @lru_cache(maxsize=None)  # noqa: B019 - lives as long as the site
    def document(self, path: str) -> tuple[int, bytes]:
        try:
            with urllib.request.urlopen(self.base + path, timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    @lru_cache(maxsize=None)  # noqa: B019
    def raw(self, path: str) -> Raw:
        return read(self.document(path)[1], "text/html; charset=utf-8")

    def static_links(self, path: str) -> list[str]:
        document = html.parse(self.document(path)[1], "text/html; charset=utf-8")
        base = urljoin(self.base + path, document.base)
        links = (self.normal(urljoin(base, anchor.href)) for anchor in document.anchors)
        return [link for link in links if link]

    def normal(self, url: str) -> str:
        """A path as the manifest writes it; empty for another host."""
        parts = urlsplit(url)
        if f"{parts.scheme}://{parts.netloc}" != self.base:
            return ""
        path = parts.path.removesuffix("/index.html") or "/"
        path = path.rstrip("/") or "/"
        return path + (f"?{parts.query}" if parts.query else "")


def sites() -> Iterator[Served]:
    """Serve every site of the corpus that has more than one document, one after the other."""
    spec = importlib.util.spec_from_file_location("corpus_serve", CORPUS / "serve.py")
    assert spec and spec.loader
    serving = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(serving)
    for site in json.loads((CORPUS / "manifest.json").read_text("utf-8"))["sites"]:
        if site["hash_router"]:
            continue
        served = Served(site, serving.make(site, 0, None, True, str(CORPUS)))
        yield served
        served.close()


class Memory:
    """The store's part: what rendering has brought so far, and who went without it."""

    def __init__(self) -> None:
        self.tallies: dict[str, Tally] = {}
        self.skipped: dict[str, str] = {}
        self.recalled: set[str] = set()

    def levels(self, name: str) -> tuple[str, str, str]:
        return name, name.partition(" ")[0], ""

    def record(self, name: str) -> Record:
        return Record(*(self.tallies.get(level, Tally()) for level in self.levels(name)))

    def note(self, name: str, *, rendered: bool, gained: bool = False) -> None:
        for level in self.levels(name):
            seen, renders, gains, dry = self.tallies.get(level, Tally())
            if rendered:
                renders, gains, dry = renders + 1, gains + gained, 0 if gained else dry + 1
            self.tallies[level] = Tally(seen + 1, renders, gains, dry)

    def recall(self) -> list[str]:
        """The pages that went without, of templates that turned out to gain."""
        owed = [
            path
            for path, name in self.skipped.items()
            if self.record(name).template.gained and path not in self.recalled
        ]
        self.recalled.update(owed)
        return sorted(owed)


def crawl(served: Served, order: random.Random, policy: Policy = Policy()) -> Outcome:
    """Crawl a site in a random order."""
    outcome, memory = Outcome(), Memory()
    host = f"{order.random()}.example"  # whose keys choose the samples
    pending, seen = ["/"], {"/"}
    shell = read(served.shell[1], "text/html; charset=utf-8")
    is_shell = served.shell[0] == 200
    while pending or (pending := memory.recall()):
        path = pending.pop(order.randrange(len(pending)))
        status, body = served.document(path)
        if status != 200:
            continue
        outcome.found.add(path)
        raw = served.raw(path)
        name = signature(raw, served.base + path)
        decision = decide(
            raw, key(f"https://{host}" + path), memory.record(name),
            shell if is_shell else None, policy,
        )  # fmt: skip
        links = served.static_links(path)
        route = served.routes.get(path)
        if decision.render:
            outcome.renders += 1
            outcome.reasons[decision.reason] += 1
            gained = route is not None and bool(
                route["missing_in_raw"] or route["raw_text_coverage"] < WORDS_MISSING
            )
            if route is None or not route["needs_browser"]:
                outcome.wasted.append(f"{path} ({decision.reason})")
            links += route["missing_in_raw"] if route else []
            memory.note(name, rendered=True, gained=gained)
            memory.skipped.pop(path, None)
        elif raw.is_scripted and not raw.noindex:
            if path not in memory.skipped:
                memory.note(name, rendered=False)
            memory.skipped[path] = name
        new = [link for link in dict.fromkeys(links) if link not in seen]
        seen.update(new)
        pending += new
    outcome.recalled = len(memory.recalled)
    outcome.missing = set(served.site["expected_urls"]) - outcome.found
    outcome.forbidden = set(served.site["forbidden_urls"]) & outcome.found
    outcome.unrendered = {
        path for path, name in memory.skipped.items() if served.routes[path]["needs_browser"]
    }
    return outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rule", default=AUTO)
    parser.add_argument("--orders", type=int, default=5)
    arguments = parser.parse_args()
    policy = Policy(arguments.rule)
    total: Counter[str] = Counter()
    print(f"{'site':26} {'expected':>8} {'missing':>8} {'need':>5} {'renders':>8} {'wasted':>7}")
    for served in sites():
        need = sum(route["needs_browser"] for route in served.site["routes"])
        outcomes = [crawl(served, random.Random(seed), policy) for seed in range(arguments.orders)]
        mean: Counter[str] = Counter()
        for outcome in outcomes:
            mean["missing"] += len(outcome.missing)
            mean["renders"] += outcome.renders
            mean["wasted"] += len(outcome.wasted)
            mean["recalled"] += outcome.recalled
            mean["unrendered"] += len(outcome.unrendered)
            mean["forbidden"] += len(outcome.forbidden)
        mean["expected"] = len(served.site["expected_urls"]) * len(outcomes)
        mean["need"] = need * len(outcomes)
        total += mean
        share = {name: count / len(outcomes) for name, count in mean.items()}
        print(
            f"{served.site['name']:26} {share['expected']:8.0f} {share.get('missing', 0):8.1f} "
            f"{need:5} {share.get('renders', 0):8.1f} {share.get('wasted', 0):7.1f} "
            f"{dict(sum((o.reasons for o in outcomes), Counter()))} rec={mean['recalled']} unr={mean['unrendered']}"
        )
        if any(o.wasted for o in outcomes):
            print("     ", Counter(w for o in outcomes for w in o.wasted))
        for o in outcomes:
            if o.missing or o.forbidden:
                print("   !!", o.missing, o.forbidden)
    mean = {name: count / arguments.orders for name, count in total.items()}
    print(
        f"{'all':26} {mean['expected']:8.0f} {mean.get('missing', 0):8.1f} {mean['need']:5.0f} "
        f"{mean['renders']:8.1f} {mean.get('wasted', 0):7.1f} "
        f"= {mean.get('wasted', 0) / mean['renders']:.1%} of the renders forb={mean.get('forbidden')} unr={mean.get('unrendered')}"
    )


if __name__ == "__main__":
    main()
