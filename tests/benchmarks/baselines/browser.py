"""A bare Playwright loop: URLs, one a line on stdin, rendered one after the other.

    python -m tests.benchmarks.baselines.browser fresh|reused AT_ONCE QUIET CHROMIUM

``fresh`` opens a page for each URL, ``reused`` keeps one. A page is read when links and text have
been quiet for so many seconds and no request is in flight, as in our crawls. Prints how many links
it saw.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from playwright.async_api import Page, async_playwright

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Request

SETTLE = """
async (quiet) => {
    const look = () =>
        [...document.querySelectorAll("a[href]")].map((a) => a.getAttribute("href")).join("\\n") +
        (document.body ? document.body.textContent : "");
    let before = look(), since = performance.now();
    while (performance.now() - since < quiet) {
        await new Promise((resolve) => setTimeout(resolve, quiet / 5));
        const after = look();
        if (after !== before) { before = after; since = performance.now(); }
    }
}
"""


async def work(
    context: BrowserContext, urls: list[str], quiet: float, is_fresh: bool, seen: list[int]
) -> None:
    """Take URLs as long as there are any."""
    page: Page | None = None
    in_flight: set[Request] = set()

    def count(request: Request) -> None:
        in_flight.add(request)

    def discount(request: Request) -> None:
        in_flight.discard(request)

    while urls:
        url = urls.pop()
        if page is None or is_fresh:
            page = await context.new_page()
            page.on("request", count)
            page.on("requestfinished", discount)
            page.on("requestfailed", discount)
        await page.goto(url, wait_until="domcontentloaded")
        while True:
            await page.evaluate(SETTLE, quiet * 1000)
            if not in_flight:
                break
        await page.content()
        links = await page.evaluate("[...document.links].map((link) => link.href)")
        seen.append(len(links))
        if is_fresh:
            await page.close()


async def main(how: str, at_once: int, quiet: float, chromium: str) -> None:
    urls = sys.stdin.read().split()
    seen: list[int] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium or None)
        context = await browser.new_context()
        workers = (work(context, urls, quiet, how == "fresh", seen) for _ in range(at_once))
        await asyncio.gather(*workers)
        await browser.close()
    print(sum(seen))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4]))
