"""Pages that ask for ever more while they are rendered: a bound on the requests of one render."""

import json
from collections import Counter

import pytest

from sitemapgen.core.rendering.fence import MAX_FRAMES, MAX_REQUESTS
from tests.helpers.browser import BROWSER, app, links, needs_browser
from tests.helpers.crawls import IMPATIENT, Crawler, rest
from tests.helpers.server import Answer, Serve, page

pytestmark = pytest.mark.full

FETCHES = """
let number = 0;
const ask = async () => {
    while (number < 3000) await fetch(`${base}/item-${number++}`).catch(() => 0);
};
for (let i = 0; i < 6; i++) ask();
"""
WORKER = """
const code = "const base = '" + location.origin + "';" + STORM;
new Worker(URL.createObjectURL(new Blob([code])));
"""
FRAMES = """
for (let i = 0; i < 5; i++)
    root.appendChild(document.createElement("iframe")).src = "/frame-" + Math.random();
"""
STEADY = (
    *IMPATIENT,
    *("-s", "SITEMAPGEN_RENDERING_DEADLINE=120", "-s", "SITEMAPGEN_RENDERING_SETTLE=60"),
    *("-s", f"SITEMAPGEN_BROWSER={BROWSER}"),
)
"""However busy the machine is, a page is read when it rests."""
STORMS = {
    "fetches": f"const base = ''; {FETCHES}",
    "worker": WORKER.replace("STORM", json.dumps(FETCHES)),
    "frames": FRAMES,
}


@needs_browser
@pytest.mark.parametrize(
    "name",
    ["fetches", *rest("frames", "worker")],
)
def test_a_storm_of_requests_is_bounded(name: str, crawl: Crawler) -> None:
    def answer(path: str) -> Answer | None:
        if path == "/":
            return app(links("/storm", "/calm"))
        if path == "/storm":
            return app(STORMS[name] + links("/from-storm"))
        if path.startswith("/frame-"):
            return app(FRAMES)
        return None if path in ("/robots.txt", "/sitemap.xml") else page(title=path)

    server, result = crawl.site(answer, "render=always", "exclude=/frame-*", settings=STEADY)
    assert result.verdicts[f"{server.url}from-storm"] == "listed"
    made = Counter(path.partition("-")[0] for path in server.paths if "-" in path)
    if name == "frames":
        assert made["/frame"] <= 2 * MAX_FRAMES  # a page that misses its deadline is tried twice
    else:
        assert MAX_REQUESTS / 2 <= made["/item"] <= 2 * MAX_REQUESTS
    assert f"{server.url}storm makes more than" in result.log


@needs_browser
def test_a_page_of_many_requests_is_read_whole(serve: Serve, crawl: Crawler) -> None:
    """400 requests and 40 frames are more than all but a page in a hundred makes."""
    wanted = (
        """
    const all = Array.from({length: 400}, (_, i) => fetch("/item-" + i).then((got) => got.text()));
    for (let i = 0; i < 40; i++)
        root.appendChild(document.createElement("iframe")).src = "/frame-" + i;
    Promise.all(all).then((found) => { if (found.length === 400) {"""
        + links("/whole")
        + "} });"
    )
    server = serve(lambda path: app(wanted) if path == "/" else page(title=path))
    result = crawl.published(server.url, "exclude=/frame-*", settings=STEADY)
    assert f"{server.url}whole" in result.sitemap
    assert len({path for path in server.paths if path.startswith("/frame-")}) == 40
    assert "makes more than" not in result.log
