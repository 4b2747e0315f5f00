"""A site with doors into spaces that never end."""

import re
from collections.abc import Callable
from random import Random
from urllib.parse import parse_qsl, urlencode

from tests.helpers.server import Answer, page
from tests.spaces.pages import words

Part = Callable[[str], Answer | None]


def with_doors(*parts: Part, doors: Callable[[int], list[str]], pages: int = 300) -> Part:
    """Real pages, each with links to its children and into the traps."""

    def answer(path: str) -> Answer | None:
        found = re.fullmatch(r"/(?:real-([0-9]+))?(?:[?;].*)?", path)
        number = int(found[1] or 0) if found else pages
        if number >= pages:
            return next(filter(None, (part(path) for part in parts)), None)
        children = [f"/real-{3 * number + step}" for step in (1, 2, 3) if 3 * number + step < pages]
        text = f"Page {number}. {words(f'real {number}', 40)}"
        return page(*children, *doors(number), title=f"Page {number}", text=text)

    return answer


def calendar(path: str) -> Answer | None:
    """A page for each month and each day of all time; in 2026 something happens."""
    found = re.fullmatch(r"/calendar/([0-9]{4})/([0-9]{2})(?:/([0-9]{2}))?", path)
    if not found:
        return None
    month = int(found[1]) * 12 + int(found[2]) - 1
    near = [f"/calendar/{other // 12:04}/{other % 12 + 1:02}" for other in (month - 1, month + 1)]
    days = [] if found[3] else [f"{path}/{day:02}" for day in range(1, 29)]
    text = words(path, 20) if found[1] == "2026" and not found[3] else "no events"
    return page(*near, *days, title=f"Calendar {path[10:]}", text=f"{path[10:]}: {text}.")


def shop(path: str) -> Answer | None:
    """Six facets with eight values each: every choice leads to all that differ in one of them."""
    where, _, query = path.partition("?")
    if where != "/shop":
        return None
    chosen = dict(parse_qsl(query))
    links = [
        f"/shop?{urlencode({**chosen, facet: f'{facet}-{value}'})}"
        for facet in ("brand", "colour", "fit", "material", "price", "size")
        for value in range(8)
    ]
    shown = Random(query).sample([words(f"shoe {number}", 2) for number in range(30)], 10)
    choice = " and ".join(chosen.values()) or "everything"
    return page(*links, title=f"Shop: {choice}", text=f"Shown: {choice}. {', '.join(shown)}")


def search(path: str) -> Answer | None:
    """Results without end: behind the third page always the same."""
    found = re.fullmatch(r"/results\?page=([0-9]+)", path)
    if not found:
        return None
    number = int(found[1])
    text = words(path, 30) if number < 4 else "Nothing more was found."
    near = [f"/results?page={other}" for other in range(number + 1, number + 11)]
    return page(*near, title=f"Results, page {number}", text=text)
