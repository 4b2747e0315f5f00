"""Sites put together from a scheme of addresses, a kind of content and a way of linking."""

from collections.abc import Callable
from datetime import date, timedelta
from random import Random

from tests.helpers.server import Answer
from tests.spaces.pages import (
    Link,
    Theme,
    chunks,
    digest,
    image,
    pick,
    steps,
    table,
    vocabulary,
    words,
)
from tests.spaces.space import Part, normal

PLAIN = vocabulary("generated", 20)
DAY = date(2020, 1, 6)

ADDRESSES: dict[str, Callable[[int], str]] = {
    "number": lambda n: f"/thing/{n + 1}",
    "id": lambda n: f"/thing.php?id={7 * n + 3}",
    "pair": lambda n: f"/data?station={n // 6 + 100}&type={'abcdef'[n % 6]}",
    "two numbers": lambda n: f"/results/{n // 20 + 1}/day/{n % 20 + 1}",
    "day": lambda n: f"/rates/{DAY + timedelta(days=n)}",
    "day parameter": lambda n: f"/rates?date={DAY + timedelta(days=n):%d.%m.%Y}",
    "week": lambda n: f"/charts/{2010 + n // 52}-W{n % 52 + 1:02}",
    "month": lambda n: f"/tides/{1990 + n // 12}/{n % 12 + 1:02}",
    "identifier": lambda n: f"/p/{digest('generated', n)}",
    "code": lambda n: f"/part/AB-{1000 + 3 * n}",
    "semicolon": lambda n: f"/repo?a=commit;h={digest('generated', n)}",
}
"""The address of a page by its number."""

CONTENTS: dict[str, Callable[[int], str]] = {
    "numbers": lambda n: table(("a", "b", "c"), [Random(n).sample(range(10**6), 3)]),
    "words": lambda n: f"<p>{pick(f'{n}', PLAIN, 9)}.</p>",
    "image": lambda n: image(f"/img/{digest('image', n)[:8]}.jpg"),
    "few words": lambda n: f"<p>{pick(f'{n}', PLAIN, 2)} {Random(n).randint(1, 999_999)}</p>",
}
"""The HTML of a page by its number; none of it follows from the address."""

Links = Callable[[int, list[str]], list[Link]]
LINKINGS: dict[str, Links] = {
    "index": lambda n, pages: [],
    "chain": lambda n, pages: list(steps(pages, n)),
    "next": lambda n, pages: [(page, "Next") for page in pages[n + 1 : n + 2]],
    "tree": lambda n, pages: list(pages[3 * n + 1 : 3 * n + 4]),
}
"""Where a page leads among all of them."""


def finite(address: str, content: str, linking: str, size: int) -> dict[str, Answer]:
    """A finite site by the names of its parts."""
    theme = Theme("Generated")
    pages = [ADDRESSES[address](number) for number in range(size)]
    result: dict[str, Answer] = {}
    for number, page in enumerate(pages):
        links = LINKINGS[linking](number, pages)
        result[page] = theme("A page", CONTENTS[content](number), links=links)
    if linking != "index":
        return {"/": theme("Generated", links=pages[:1]), **result}
    lists = ["/list", *(f"/list?page={n}" for n in range(2, -(-size // 20) + 1))]
    for place, group in enumerate(chunks(pages, 20)):
        result[lists[place]] = theme("List", links=[*group, *steps(lists, place)])
    return {"/": theme("Generated", links=["/list"]), **result}


def _dates(path: str) -> list[str]:
    day = date.fromisoformat(path.rpartition("/")[2])
    return [f"/calendar/{day + timedelta(days=step)}" for step in (-7, -1, 1, 7)]


def _facets(path: str) -> list[str]:
    chosen = dict(part.split("=") for part in path.partition("?")[2].split("&"))
    values = [{**chosen, name: str(value)} for name in "abcdef" for value in range(1, 9)]
    return ["/shop?" + "&".join(f"{n}={v}" for n, v in sorted(each.items())) for each in values]


ENDLESS: dict[str, tuple[str, Callable[[str], list[str]]]] = {
    "calendar": ("/calendar/2026-06-01", _dates),
    "facets": ("/shop?a=1", _facets),
    "counter": ("/next/1", lambda path: [f"/next/{int(path[6:]) + 1}"]),
    "appended": ("/sorted?by=a", lambda path: [f"{path}&by=a", f"{path}&by=b"]),
    "loop": ("/loop/", lambda path: [f"{path}a/", f"{path}b/"]),
    "identifiers": ("/s/0", lambda path: [f"/s/{digest(path, n)}" for n in range(3)]),
    "searches": ("/find?q=a", lambda path: [f"/find?q={words(path, 1)}"]),
}
"""The entrance of an endless space, and where each of its addresses leads."""


def endless(name: str) -> Part:
    """A space that says the same on all of its pages."""
    theme = Theme("Generated")
    entrance, following = ENDLESS[name]
    before = entrance.rstrip("0123456789-")

    def answer(path: str) -> Answer | None:
        if not path.startswith(before[:5]):
            return None
        return theme("Nothing", "<p>There is nothing here.</p>", links=following(path))

    return answer


def with_space(pages: dict[str, Answer], name: str) -> Part:
    """A finite site with links from each of its pages into an endless space."""
    inside, entrance = endless(name), ENDLESS[name][0]
    known = {normal(path): answer for path, answer in pages.items()}

    def answer(path: str) -> Answer | None:
        found = known.get(normal(path))
        if found is None:
            return inside(path)
        body = str(found.body).replace("</body>", f'<a href="{entrance}">More</a></body>')
        return found._replace(body=body)

    return answer
