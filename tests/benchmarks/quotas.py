"""How many pages worth listing does a crawl find when max_pages reaches only a part of a site?

The good pages are those of the PostgreSQL documentation; a share of them has no
link and is only named by the sitemap. Noise is planted among the links (copies by parameter, soft
404s) and in the sitemap (pages that are gone, that moved, soft 404s). All URLs of a site together
are 100 % of a budget. Real crawls over HTTP; the best possible order knows which pages are good.
"""

import json
import re
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from tests.benchmarks.crawling import ours
from tests.benchmarks.living_site import LINK, POSTGRESQL
from tests.helpers.server import Answer, Server, redirect, text, xml

START = "index.html"
_HEAD_LINK = re.compile(rb"<link [^>]*>")
HUBS = 10
"""Pages deep down that link to all the noise, where it is spread so."""
NEAR = 30
"""One page in so many is near the start."""
SHARES = (0.1, 0.2, 0.5)
STRATEGIES = ("bfs", "seeded", "balanced")
MISSING = (
    "<!doctype html><title>Page not found</title><h1>Page not found</h1>"
    "<p>Sorry, the page that you are looking for is not here.</p>"
)


class Mix(NamedTuple):
    """What a site is like."""

    orphans: float
    """Share of the good pages that only the sitemap names."""
    link_noise: float
    """Noise among the links, for each good page that links lead to."""
    sitemap_noise: float
    """Noise in the sitemap, for each good URL in it."""
    in_both: float = 0.2
    """Share of the linked pages that the sitemap names as well."""
    has_priorities: bool = False
    """Good entries have 0.4 to 1.0, noise 0.1 to 0.7."""
    spread: str = "links"
    """Which pages link to noise: the more ``links`` a page has, the more; all ``pages`` alike; ten
    of those ``deep`` down; or the thirtieth of them that is nearest to the ``start``."""


_MIXES = {
    "good links, bad sitemap": Mix(orphans=0.1, link_noise=0, sitemap_noise=5, in_both=0),
    "bad links, good sitemap": Mix(orphans=0.6, link_noise=3, sitemap_noise=0),
    # 60 % of both are good: of the copies by parameter nearly all are seen through in any order.
    "mixed": Mix(orphans=0.5, link_noise=1.33, sitemap_noise=0.67),
    "mixed, with priorities": Mix(
        orphans=0.5, link_noise=1.33, sitemap_noise=0.67, has_priorities=True
    ),
    "both good": Mix(orphans=0.5, link_noise=0, sitemap_noise=0),
}
SPREADS = {
    "links": "",
    "pages": ", noise on all pages",
    "deep": ", noise deep down",
    "start": ", noise near the start",
}
MIXES = {
    name + where: mix._replace(spread=spread)
    for name, mix in _MIXES.items()
    for spread, where in SPREADS.items()
    if mix.link_noise or spread == "links"
}


class QuotaSite:
    """The documents of a mix, by path."""

    def __init__(self, mix: Mix, *, pages: int | None = None, seed: int = 1) -> None:
        """``pages``: so many of the documents only, for a quick look."""
        rng = np.random.default_rng(seed)
        links = _links(pages)
        names = sorted(links)
        chosen = rng.random(len(names)) < mix.orphans
        orphans = {name for name, is_one in zip(names, chosen.tolist()) if is_one} - {START}
        linked = _reached({name: targets - orphans for name, targets in links.items()})
        self.good = len(names)
        noise = [
            f"missing/{number}-topic.html" if number % 2 else f"{{name}}?highlight=topic{number}"
            for number in range(int(mix.link_noise * len(linked)))
        ]
        hosts = _hosts(mix.spread, linked, rng)
        count = np.array([len(links[name]) if mix.spread == "links" else 1 for name in hosts])
        places = rng.choice(hosts, (len(noise), 3), p=count / count.sum())
        shown: dict[str, list[str]] = {}
        for number, (form, where) in enumerate(zip(noise, places.tolist())):
            url = form.format(name=where[0])
            for name in where[: 1 + number % 3]:
                shown.setdefault(name, []).append(url)
        entries = [name for name in names if name not in linked or rng.random() < mix.in_both]
        kinds = ("gone/{}-topic.html", "moved/{}-topic.html", "missing/old-{}-topic.html")
        stale = [kinds[n % 3].format(n) for n in range(int(mix.sitemap_noise * len(entries)))]
        self.urls = self.good + len(noise) + len(stale)
        self._linked, self._shown = frozenset(linked), shown
        self._entries = [(name, 0.4 + 0.6 * rng.random()) for name in entries]
        self._entries += [(name, 0.1 + 0.6 * rng.random()) for name in stale]
        rng.shuffle(self._entries)
        self._has_priorities = mix.has_priorities
        self._names = frozenset(names)

    def serve(self) -> Server:
        server = Server({})
        server.site = self.serve_at(server.url)
        return server

    def serve_at(self, url: str) -> Callable[[str], Answer | None]:
        """What the paths of the site answer when it stands at this URL."""
        said = "<priority>{:.1f}</priority>" if self._has_priorities else ""
        entries = "".join(
            f"<url><loc>{url}{name}</loc>{said.format(float(priority))}</url>"
            for name, priority in self._entries
        )
        sitemap = xml(f"<urlset>{entries}</urlset>")
        robots = text(f"Sitemap: {url}sitemap.xml")

        def answer(path: str) -> Answer | None:
            name = path[1:].partition("?")[0]
            if name in self._names:
                return Answer(self._document(name))
            if name in ("robots.txt", "sitemap.xml"):
                return robots if name == "robots.txt" else sitemap
            if name.startswith("gone/"):
                return None
            return redirect(f"/{START}") if name.startswith("moved/") else Answer(MISSING)

        return answer

    def _document(self, name: str) -> bytes:
        """A page without the links to what has none, and with those to noise."""

        def link(match: re.Match[bytes]) -> bytes:
            return match[0] if match[1].decode() in self._linked else b""

        more = "".join(f'<a href="/{url}">more</a> ' for url in self._shown.get(name, ()))
        document = LINK.sub(link, _HEAD_LINK.sub(b"", (POSTGRESQL / name).read_bytes()))
        if crc32(name.encode()) % 2:
            return re.sub(rb"<body[^>]*>", rb"\g<0>" + more.encode(), document, count=1)
        return document.replace(b"</body>", more.encode() + b"</body>")


def _hosts(spread: str, linked: list[str], rng: np.random.Generator) -> list[str]:
    """The pages that noise may be linked from, of all linked ones in breadth-first order."""
    if spread == "deep":
        deep = linked[len(linked) // 2 :]
        return [deep[place] for place in rng.choice(len(deep), HUBS, replace=False)]
    return sorted(linked[: len(linked) // NEAR] if spread == "start" else linked)


@lru_cache
def _links(pages: int | None) -> dict[str, frozenset[str]]:
    """The documents, and which others each of them links to; the first in breadth-first order."""
    links = {}
    for file in POSTGRESQL.glob("*.html"):
        found = {match[1].decode() for match in LINK.finditer(file.read_bytes())}
        links[file.name] = frozenset(found)
    links = {name: targets & links.keys() for name, targets in links.items()}
    some = frozenset(_reached(links)[:pages])
    return {name: links[name] & some for name in some}


def _reached(links: dict[str, frozenset[str]]) -> list[str]:
    """What links lead to from the start page, breadth first."""
    reached = dict.fromkeys([START])
    queue = [START]
    for name in queue:
        new = sorted(links[name] - reached.keys())
        reached.update(dict.fromkeys(new))
        queue += new
    return queue


def listed(site: QuotaSite, server: Server, strategy: str, budget: int) -> int:
    """Crawl once; how many pages the sitemap lists."""
    with tempfile.TemporaryDirectory() as name:
        output = Path(name) / "output"
        arguments = [f"strategy={strategy}", f"max_pages={budget}", "render=never"]
        ours(server.url + START, output, arguments=[p for a in arguments for p in ("-a", a)])
        report = json.loads((output / "report.json").read_bytes())
    assert report["fetched"] == min(budget, site.urls), report["fetched"]
    count: int = report["listed"]
    return count


def measure(mix: Mix, *, pages: int | None = None, seed: int = 1) -> dict[float, dict[str, int]]:
    """Pages listed by share of the budget and strategy, with the ``budget`` and the ``best``."""
    site = QuotaSite(mix, pages=pages, seed=seed)
    with site.serve() as server:
        return {
            share: {
                "budget": (budget := int(share * site.urls)),
                **{strategy: listed(site, server, strategy, budget) for strategy in STRATEGIES},
                "best": min(budget, site.good),
            }
            for share in SHARES
        }
