"""Made sites that more than one test crawls."""

import random
from collections.abc import Callable

from tests.helpers.server import HERE, Answer, page, redirect, text, urlset


def site_with_everything(lists: int = 150) -> dict[str, Answer]:
    """Two paths to most pages, redirects, a sitemap with orphans, refusals: order would show.

    It has some three pages for each of the ``lists``, of which there are more than 40.
    """
    site = {
        "/robots.txt": text("User-agent: *\nDisallow: /secret\nSitemap: /sitemap.xml"),
        "/": page("/a0", "/b0", "/r0", "/secret"),
        "/404": Answer("gone", 404),
    }
    for number in range(lists):
        deeper = f"/a{number + 1}" if number < 40 else "/a0"
        site[f"/a{number}"] = page(
            deeper, f"/b{number * 2}", f"/b{number * 7 % (2 * lists)}", "/404"
        )
    for number in range(2 * lists):
        site[f"/b{number}"] = page(f"/a{number // 3}", f"/b{number + 1}", f"/r{number % 9}")
    for number in range(9):
        site[f"/r{number}"] = redirect(f"/r{number + 1}" if number < 8 else f"/b{2 * lists - 1}")
    names = ("a1", "orphan1", "orphan2", "b5")
    dates = {name: f"2024-0{digit}-01" for digit, name in enumerate(names, start=1)}
    site["/sitemap.xml"] = urlset(*names, base=HERE, dates=dates)
    words = "What several URLs answer, and who is to say which of them is the one to list? " * 2
    for number in range(12):
        shared = "/circle" if number % 2 else "/same"
        site[f"/b{number}"] = page(
            *(f"{shared}{other}" for other in range(number, 12, 2)), f"/b{number + 1}"
        )
        after = (number + 2) % 12
        site[f"/circle{number}"] = page(head=f'<link rel="canonical" href="/circle{after}">')
        site[f"/same{number}"] = page(f"/a{number}", text=words, title="Same")
    for number in (1, 2):
        site[f"/orphan{number}"] = page("/b1", f"/only-from-orphan{number}")
        site[f"/only-from-orphan{number}"] = page("/")
    return site


SLOW_ROBOTS = "User-agent: *\nCrawl-delay: {}\n"
"""robots.txt with a delay in seconds: ``SLOW_ROBOTS.format(2)``."""


def endless_tree(delay: float = 0.03, robots: str = "") -> Callable[[str], Answer | None]:
    """An endless site: each page links to two others, named by one letter more."""

    def answer(path: str) -> Answer | None:
        name = path.strip("/")
        if path == "/robots.txt":
            return text(robots)
        if name and not name.isalpha():
            return None
        found = page(f"/{name}a", f"/{name}b", title=f"Page {name}", text=f"This is {name}. ")
        return found._replace(delay=delay)

    return answer


VOCABULARY = [
    "".join(letters)
    for letters in random.Random(1).sample(
        [
            (a, e, b, i)
            for a in "bdfgklmnprst"
            for e in "aeiou"
            for b in "bdfgklmnprst"
            for i in "aeio"
        ],
        2_500,
    )
]


def prose(first: int, last: int) -> str:
    """A paragraph of the words from one place in the vocabulary to another."""
    return f"<p>{' '.join(VOCABULARY[first:last])}</p>"
