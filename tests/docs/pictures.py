"""Pictures of the documentation, taken by Chromium of one real crawl: its dashboard and its report.

``make pictures`` writes them to docs/images/. The site is a made shop under the name shop.example,
with some faults of each kind and a sitemap that lacks a part of it.
"""

import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.docs.pages import ROOT
from tests.helpers.browser import BROWSER
from tests.helpers.crawls import DEADLINE, command, start
from tests.helpers.server import Answer, Server, page, redirect, text, urlset
from tests.helpers.sites import prose

IMAGES = ROOT / "docs" / "images"
HOST = "shop.example"
SIZE = {"width": 1280, "height": 1000}
CATEGORIES = (
    *("lamps", "chairs", "tables", "shelves", "carpets", "mirrors", "curtains", "clocks"),
    *("vases", "baskets", "blankets", "cushions", "desks", "benches", "frames", "hooks"),
)
PRODUCTS = 60
"""Number of products in a category."""


def product(category: str, number: int) -> Answer:
    """A product, of which every seventh has a fault."""
    name = f"{category.title()[:-1]} {number}"
    faults = {
        3: Answer("sold out", 404),
        10: redirect(f"/{category}/{number + 1}"),
        17: page(head='<meta name="robots" content="noindex">', title=name, text=name),
        24: page(head=f'<link rel="canonical" href="/{category}/1">', title=name, text=name),
    }
    if number in faults:
        return faults[number]
    place = 97 * number + 1_301 * CATEGORIES.index(category)
    return page(
        *("/", f"/{category}/", f"/{category}/{number % PRODUCTS + 1}"),
        *(["https://makers.example/"] if number % 5 else ["https://old.example/gone"]),
        head=f'<meta name="description" content="{name} of wood and steel.">',
        title=f"{name} | Shop",
        text=f"<h1>{name}</h1>{prose(place, place + 60)}",
    )


def shop(categories: tuple[str, ...], delay: float) -> Callable[[str], Answer | None]:
    """The shop; ``delay``: seconds before each answer."""
    paths = [f"/{category}/{number}" for category in categories for number in range(1, 61)]
    listed = ["/", *(f"/{category}/" for category in categories), *paths[: len(paths) * 2 // 3]]
    answers = {
        "/robots.txt": text(
            f"User-agent: *\nDisallow: /cart\nSitemap: http://{HOST}/sitemap.xml\n"
        ),
        "/sitemap.xml": urlset(*listed, "/cart", base=f"http://{HOST}"),
        "/": page(
            *(f"/{category}/" for category in categories),
            "/cart",
            title="Shop",
            text="<h1>Shop</h1>",
        ),
        **{
            f"/{category}/": page(
                *(f"/{category}/{number}" for number in range(1, PRODUCTS + 1)),
                title=f"{category.title()} | Shop",
                text=f"<h1>All our {category}</h1>{prose(50 * at, 50 * at + 60)}",
            )
            for at, category in enumerate(categories)
        },
    }

    def answer(path: str) -> Answer | None:
        found = answers.get(path)
        if found is None and path in paths:
            found = product(path.split("/")[1], int(path.split("/")[2]))
        return found and found._replace(delay=delay)

    return answer


def take(directory: Path, categories: tuple[str, ...] = CATEGORIES, delay: float = 0.05) -> None:
    """Crawl the shop, and write dashboard.png and report.png."""
    server = Server(shop(categories, delay), name=HOST)
    try:
        with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
            _take(directory, Path(name), server, browser)
            browser.close()
    finally:
        server.stop()


def _take(directory: Path, work: Path, server: Server, browser: Browser) -> None:
    log, output = work / "log", work / "output"
    more = ("-a", f"proxy={server.proxy}", "-a", "dashboard=true")
    port = ("-s", "SITEMAPGEN_DASHBOARD_PORT=0")
    process = start(command(server.url, output, *more, *port), log)
    try:
        _picture(browser, directory / "dashboard.png", _address(log), _half_done)
        process.wait(DEADLINE)
        report = (output / "report.html").as_uri()
        _picture(browser, directory / "report.png", report, _drawn)
    finally:
        process.kill()
        process.wait()


def _address(log: Path) -> str:
    end = time.monotonic() + DEADLINE
    while not (found := re.search(r"Dashboard: (\S+)", log.read_text())):
        if time.monotonic() > end:
            raise RuntimeError(log.read_text())
        time.sleep(0.05)
    return found[1]


def _half_done(page: Page) -> None:
    """Wait until the dashboard has a curve, and more pages fetched than are left."""
    page.wait_for_selector("#curve svg", timeout=1_000 * DEADLINE)
    bar = page.get_by_role("progressbar")
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        now, most = (float(bar.get_attribute(f"aria-value{name}") or 0) for name in ("now", "max"))
        if now > most / 2:
            return
        page.wait_for_timeout(100)


def _drawn(page: Page) -> None:
    page.wait_for_selector("html[data-ready=yes]", timeout=1_000 * DEADLINE)


def _picture(browser: Browser, path: Path, url: str, wait: Callable[[Page], None]) -> None:
    page = browser.new_page(viewport=SIZE, color_scheme="light", reduced_motion="reduce")
    page.goto(url)
    wait(page)
    page.screenshot(path=path)
    page.close()


if __name__ == "__main__":
    take(IMAGES)
