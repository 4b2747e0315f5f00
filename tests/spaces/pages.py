"""What the pages of the laboratory are made of: words without a meaning, tables, templates."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, wraps
from hashlib import md5
from html import escape, unescape
from random import Random

from tests.helpers.server import Answer
from tests.spaces.space import Part

Link = str | tuple[str, str]
"""An address, or an address and its text."""

SYLLABLES = "ba co di fu ge ha ji ko lu me na po ri su te va".split()  # noqa: SIM905 - a word list, not code
REAL = ["/", *(f"/real-{number}" for number in range(1, 300))]
"""The real pages around an endless space."""


def digest(*parts: object) -> str:
    """32 hexadecimal digits that follow from the parts alone."""
    return md5("\n".join(map(str, parts)).encode()).hexdigest()


def vocabulary(seed: str, size: int) -> list[str]:
    """So many different words, the same ones for the same seed."""
    random = Random(seed)
    found: dict[str, None] = {}
    while len(found) < size:
        found["".join(random.choices(SYLLABLES, k=random.choice((2, 3, 3, 4))))] = None
    return list(found)


@cache
def words(seed: str, number: int) -> str:
    """Some words that hardly any other page has."""
    random = Random(seed)
    return " ".join("".join(random.choices(SYLLABLES, k=4)) for _ in range(number))


def pick(seed: str, choices: Sequence[str], number: int) -> str:
    """A number of different words out of a vocabulary."""
    return " ".join(Random(seed).sample(choices, number))


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """An HTML table."""
    top = "".join(f"<th>{escape(str(cell))}</th>" for cell in head)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def image(address: str, alt: str = "") -> str:
    """An image of its own place in the page."""
    return f'<p><img src="{escape(address)}" alt="{escape(alt)}" width="800" height="600"></p>'


def anchors(links: Iterable[Link]) -> str:
    """A list of links."""
    pairs = [link if isinstance(link, tuple) else (link, link) for link in links]
    items = (f'<li><a href="{escape(href)}">{escape(text)}</a></li>' for href, text in pairs)
    return f"<ul>{''.join(items)}</ul>" if pairs else ""


class Theme:
    """The template of a site: its name, its navigation and its footer are on every page."""

    def __init__(self, name: str, *nav: Link, semantic: bool = True) -> None:
        self._name = name
        self._nav = anchors([("/", "Home"), *nav])
        self._main = "main" if semantic else "div"

    def __call__(
        self, title: str, *body: str, links: Iterable[Link] = (), head: str = ""
    ) -> Answer:
        """A page of the site; ``body`` is HTML."""
        name, main = escape(self._name), self._main
        header = "header" if main == "main" else "div"
        return Answer(
            f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f"<title>{escape(title)} - {name}</title>{head}</head><body>"
            f"<{header}><p>{name}</p><nav>{self._nav}</nav></{header}>"
            f"<{main}><h1>{escape(title)}</h1>{''.join(body)}{anchors(links)}</{main}>"
            f"<footer><p>{name}. Imprint, privacy and terms of use.</p></footer></body></html>"
        )


def in_paths(part: Part) -> Part:
    """The same with the parameters as segments of the path: /shop/colour:red/size:2."""

    def segments(link: re.Match[str]) -> str:
        return "/".join([link[1], *unescape(link[2]).replace("=", ":").split("&")])

    def answer(path: str) -> Answer | None:
        parameters = re.findall(r"(?<=/)\w+:[^/]+", path)
        before = path.removesuffix("/".join(["", *parameters]))
        query = "&".join(parameters).replace(":", "=")
        found = part(f"{before}?{query}" if query else path)
        return found and found._replace(
            body=re.sub(r'(?<=href=")([^"?]+)\?([^"]*)', segments, str(found.body))
        )

    return answer


def by_one_script(part: Part, **paths: str) -> Part:
    """The same by one script, which a parameter tells what to show: /index.php?act=shop&id=7.

    ``paths``: by action, its path with {} in place of a number.
    """

    def address(link: re.Match[str]) -> str:
        path, _, query = unescape(link[1]).partition("?")
        for action, form in paths.items():
            if found := re.fullmatch(form.format(r"(?:-(\d+))?"), path):
                chosen = [f"act={action}", *(f"id={each}" for each in found.groups("")), query]
                return escape(f"/index.php?{'&'.join(chosen).rstrip('&')}")
        return link[1]

    def answer(path: str) -> Answer | None:
        before, _, query = path.partition("?")
        if before == "/index.php":
            chosen = dict(each.split("=") for each in query.split("&"))
            number = f"-{chosen.pop('id')}" if "id" in chosen else ""
            before = paths[chosen.pop("act")].format(number)
            path = f"{before}?{'&'.join(map('='.join, chosen.items()))}".rstrip("?")
        found = part(path)
        return found and found._replace(
            body=re.sub(r'(?<=href=")([^"]*)', address, str(found.body))
        )

    return answer


def steps(addresses: Sequence[str], place: int) -> list[tuple[str, str]]:
    """Links to the page before and the page after this one."""
    found = []
    if place > 0:
        found.append((addresses[place - 1], "Previous"))
    if place + 1 < len(addresses):
        found.append((addresses[place + 1], "Next"))
    return found


def chunks(items: Sequence[str], size: int) -> list[list[str]]:
    """The items in groups of this size."""
    return [list(items[start : start + size]) for start in range(0, len(items), size)]


def listing(
    theme: Theme,
    title: str,
    addresses: Sequence[str],
    items: Sequence[tuple[str, str]],
    *,
    is_numbered: bool,
) -> dict[str, Answer]:
    """The pages of a list at these addresses; numbered: each links to each, else Next alone."""
    size = -(-len(items) // len(addresses))
    result: dict[str, Answer] = {}
    for place, address in enumerate(addresses):
        pager: list[Link] = list(steps(addresses, place)[-1:] if place + 1 < len(addresses) else [])
        if is_numbered:
            pager = [(other, str(number)) for number, other in enumerate(addresses, 1)]
        shown: list[Link] = list(items[place * size : (place + 1) * size])
        result[address] = theme(title, anchors(shown), anchors(pager))
    return result


def matching(pattern: str) -> Callable[[Callable[[re.Match[str]], Answer | None]], Part]:
    """Answer the paths that match the whole pattern, from their match, and no others."""

    def decorate(page: Callable[[re.Match[str]], Answer | None]) -> Part:
        def answer(path: str) -> Answer | None:
            found = re.fullmatch(pattern, path)
            return page(found) if found else None

        return answer

    return decorate


def around(*parts: Part, doors: Callable[[int], list[str]]) -> Part:
    """300 real pages, each with links to its children and into the endless spaces."""
    theme = Theme("The real pages")

    def answer(path: str) -> Answer | None:
        if path not in _NUMBERS:
            return next(filter(None, (part(path) for part in parts)), None)
        number = _NUMBERS[path]
        return real(number, doors(number), theme)

    return answer


def behind(
    pattern: str, doors: Callable[[int], list[str]]
) -> Callable[[Callable[[re.Match[str]], Answer | None]], Callable[[], Part]]:
    """The real pages, with doors to the paths of a pattern, whose pages a function makes."""

    def decorate(page: Callable[[re.Match[str]], Answer | None]) -> Callable[[], Part]:
        return wraps(page)(lambda: around(matching(pattern)(page), doors=doors))

    return decorate


_NUMBERS = {path: number for number, path in enumerate(REAL)}


def real(number: int, doors: Iterable[str], theme: Theme, prefix: str = "/") -> Answer:
    """One of the real pages."""
    children = [
        (f"{prefix}real-{child}", f"Chapter {child}")
        for child in range(3 * number + 1, 3 * number + 4)
        if child < len(REAL)
    ]
    text = words(f"real {number}", 40)
    return theme(
        f"Chapter {number}",
        f"<p>{text}.</p>",
        links=[*children, *((door, "More") for door in doors)],
    )
