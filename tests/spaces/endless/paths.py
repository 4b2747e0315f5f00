"""Paths without end around 300 real pages: mirrors, loops, session ids, generated names."""

import re
from collections.abc import Sequence
from random import Random

from tests.helpers.server import Answer
from tests.spaces.pages import (
    REAL,
    Theme,
    around,
    digest,
    image,
    matching,
    real,
    vocabulary,
    words,
)
from tests.spaces.space import Part, endless

THEME = Theme("The real pages")
SHELVES = ("goods", *vocabulary("shelves", 6))
GOODS = {n: {"goods", *Random(f"shelves of {n}").sample(SHELVES[1:], 2)} for n in range(120)}
PHOTOS = range(1, 101)
NUMBER = r"(?:real-([1-9]\d?|[12]\d\d))?"


def _mirror(prefix: str) -> Part:
    """Every real page, under whatever matches ``prefix``."""

    @matching(rf"(?P<before>{prefix}){NUMBER}")
    def answer(found: re.Match[str]) -> Answer:
        number = int(found[found.re.groups] or 0)
        before = found["before"]
        doors = [f"{before}{name}/" for name in ("copy",)]
        return real(number, doors, THEME, before)

    return answer


@endless(tolerated=r"/session/.*", most=300)
def session_in_path() -> Part:
    """Links with a session id of their own on each page: /session/ID/real-3; copies, to the end."""

    @matching(rf"/session/[0-9a-f]{{32}}/{NUMBER}")
    def answer(found: re.Match[str]) -> Answer:
        return real(int(found[1] or 0), (), THEME, f"/session/{digest(found[0])}/")

    return around(answer, doors=lambda n: [f"/session/{digest(n)}/real-{n or 1}"])


@endless(tolerated=r"/(?:real-\d+)?\?visit=.*", most=40)
def session_in_query() -> Part:
    """The same in the query, under a name that no list has: ?visit=."""

    @matching(rf"/{NUMBER}\?visit=[0-9a-f]{{20}}")
    def answer(found: re.Match[str]) -> Answer:
        return real(int(found[1] or 0), doors(found[0]), THEME)

    def doors(seed: object) -> list[str]:
        number = int(digest(seed)[:4], 16) % 299 + 1
        return [f"/real-{n}?visit={digest(seed, n)[:20]}" for n in (number, 300 - number)]

    return around(answer, doors=doors)


@endless(tolerated=r"/real-\d+\?n=.*", most=40)
def cache_busters() -> Part:
    """A number that no page repeats on each link: ?n=1718203321."""

    @matching(rf"/{NUMBER}\?n=\d+")
    def answer(found: re.Match[str]) -> Answer:
        return real(int(found[1] or 0), doors(found[0]), THEME)

    def doors(seed: object) -> list[str]:
        number = int(digest(seed)[:4], 16) % 299 + 1
        return [f"/real-{number}?n={1_700_000_000 + int(digest(seed, n)[:7], 16)}" for n in (1, 2)]

    return around(answer, doors=doors)


@endless(tolerated=r"/(?:a|b)/.*", most=12)
def relative_links() -> Part:
    """A pair of relative links: /a/b/a/b/a/..."""

    def answer(path: str) -> Answer | None:
        if not re.fullmatch(r"(?:/a/b)*(?:/a)?/", path) and not re.fullmatch(r"/b(?:/a/b)*/", path):
            return None
        href = "b/" if path.endswith("a/") else "a/"
        return THEME("Contact", "<p>Write to us, we answer within a day.</p>", links=[href])

    return around(answer, doors=lambda _: ["/a/"])


@endless(tolerated=r"/help/.*", most=12)
def repeating_path() -> Part:
    """A relative link that was meant to be absolute: /help/contact/help/contact/."""

    @matching(r"/(?:help/contact/)+")
    def answer(found: re.Match[str]) -> Answer:
        text = "<p>Write to us, we answer within a day.</p>"
        return THEME("Contact", text, links=["help/contact/"])

    return around(answer, doors=lambda _: ["/help/contact/"])


@endless(tolerated=r"/loop/.*", most=12)
def alternating_segments() -> Part:
    """/loop/a/b/a/b and /loop/b/a/a/b: any sequence of two names, one sentence on all pages."""

    @matching(r"/loop/(?:[ab]/)*")
    def answer(found: re.Match[str]) -> Answer:
        links = [f"{found[0]}{name}/" for name in "ab"]
        return THEME("A loop", "<p>The same sentence.</p>", links=links)

    return around(answer, doors=lambda _: ["/loop/"])


TOPICS = vocabulary("topics", 120)


def _topics(place: str) -> frozenset[str]:
    return frozenset({place, *(f"{place}{name}/" for name in TOPICS)})


def _topic(name: str, crumbs: str, links: Sequence[str], head: str = "") -> Answer:
    text = f"<p>{words(f'on {name}', 40)}.</p>"
    return THEME(f"On {name}", f"<p>{crumbs}</p>", text, links=links, head=head)


def _related(name: str) -> list[str]:
    """Three other topics; the last ten are related to none."""
    at = TOPICS.index(name)
    return [TOPICS[(at * 7 + step) % 110] for step in (1, 2, 3)]


@endless(tolerated=r"/on/[^/]+/.+", most=5, also=lambda: _topics("/on/"))
def related_topics() -> Part:
    """Links relative to an article, which the server answers by the last name, with breadcrumbs."""
    return _by_the_last_name("")


@endless(tolerated=r"/on/[^/]+/.+", most=0, also=lambda: _topics("/on/"))
def related_topics_with_canonicals() -> Part:
    """The same, and each page names the article as canonical."""
    return _by_the_last_name('<link rel="canonical" href="/on/{}/">')


def _by_the_last_name(head: str) -> Part:
    def answer(path: str) -> Answer | None:
        if path == "/on/":
            return THEME("Topics", links=[f"/on/{name}/" for name in TOPICS])
        names = path.removeprefix("/on/").strip("/").split("/")
        if not path.startswith("/on/") or not path.endswith("/") or set(names) - {*TOPICS}:
            return None
        crumbs = " / ".join(f"On {name}" for name in names)
        links = [f"{name}/" for name in _related(names[-1])]
        return _topic(names[-1], crumbs, links, head.format(names[-1]))

    return around(answer, doors=lambda _: ["/on/"])


@endless(tolerated=r"/view\.php/[^/]+/.+", most=5, also=lambda: _topics("/view.php/"))
def rest_of_the_path() -> Part:
    """The same, but the server answers by the first name: a script that ignores what follows."""

    def answer(path: str) -> Answer | None:
        start = "/view.php/"
        if path == start:
            return THEME("Topics", links=[f"{start}{name}/" for name in TOPICS])
        name = path.removeprefix(start).partition("/")[0]
        if not path.startswith(start) or name not in TOPICS:
            return None
        return _topic(name, "", [f"{other}/" for other in _related(name)])

    return around(answer, doors=lambda _: ["/view.php/"])


@endless(tolerated=r"/(?:copy/)+.*", most=40)
def mirrors_in_mirrors() -> Part:
    """The whole site again under /copy/, /copy/copy/ and so on."""
    return around(_mirror(r"/(?:copy/)+"), doors=lambda _: ["/copy/"])


@endless(tolerated=r"/(?:(?:de|en|es|fr|it|pl)/)+.*", most=60, requests=300)
def mirrors_of_languages() -> Part:
    """A language switch that prepends its code to the path it stands on: /de/fr/de/real-7."""

    @matching(rf"((?:/(?:de|en|es|fr|it|pl))+/){NUMBER}")
    def answer(found: re.Match[str]) -> Answer:
        return real(int(found[2] or 0), doors(found[0]), THEME, found[1])

    def doors(path: str) -> list[str]:
        return [f"/{code}{path}" for code in ("de", "en", "es", "fr", "it", "pl")]

    return around(answer, doors=lambda n: doors(REAL[n]))


@endless(tolerated=r"/index\.php/.*", most=300)
def path_info() -> Part:
    """A script that answers whatever stands behind its name, with relative links."""

    @matching(rf"/index\.php/(?:[\w.-]+/)*{NUMBER}")
    def answer(found: re.Match[str]) -> Answer:
        links = ["index.php/real-3", "real-5/", "news/"]
        return real(int(found[1] or 0), links, THEME, "")

    return around(answer, doors=lambda _: ["/index.php/"])


@endless(tolerated=r"/trap/.*", most=60)
def random_words() -> Part:
    """Generated words on every page, with links to other generated names."""

    @matching(r"/trap/[a-z/-]+")
    def answer(found: re.Match[str]) -> Answer:
        links = [f"/trap/{words(f'{found[0]} {n}', 2).replace(' ', '-')}" for n in range(5)]
        return THEME(words(found[0], 3), f"<p>{words(f'{found[0]}!', 80)}.</p>", links=links)

    return around(answer, doors=lambda n: [f"/trap/{words(f'trap {n}', 2).replace(' ', '-')}"])


@endless(tolerated=r"/maze/.*", most=60)
def random_depths() -> Part:
    """The same in folders of folders: each page lies deeper than the one before it."""

    @matching(r"/maze/(?:[a-z]+/)*")
    def answer(found: re.Match[str]) -> Answer | None:
        if len(found[0]) > 1_500:
            return None
        links = [f"{found[0]}{words(f'{found[0]} {n}', 1)}/" for n in range(4)]
        return THEME(words(found[0], 3), f"<p>{words(f'{found[0]}!', 80)}.</p>", links=links)

    return around(answer, doors=lambda _: ["/maze/"])


@endless(tolerated=r"/trap/.*", most=100)
def random_identifiers() -> Part:
    """The same with 24 hexadecimal digits."""

    @matching(r"/trap/[0-9a-f]{24}")
    def answer(found: re.Match[str]) -> Answer:
        links = [f"/trap/{digest(found[0], n)[:24]}" for n in range(5)]
        return THEME(words(found[0], 3), f"<p>{words(f'{found[0]}!', 80)}.</p>", links=links)

    return around(answer, doors=lambda n: [f"/trap/{digest(n)[:24]}"])


@endless(tolerated=r"/forest/.*", most=12)
def missing_pages() -> Part:
    """Below /forest/ each page repeats its name and that it does not exist, with status 200."""

    def answer(path: str) -> Answer | None:
        if not path.startswith("/forest/"):
            return None
        links = [f"{path.rstrip('/')[:100]}-{words(f'{path} {n}', 1)}" for n in range(3)]
        return THEME("Not found", f"<p>Sorry, {path} does not exist.</p>", links=links)

    return around(answer, doors=lambda n: [f"/forest/{n}"])


@endless(tolerated=r"/related/.*", most=12)
def redirects_without_end() -> Part:
    """A page that leads to another one by chance, by a redirect to the next redirect."""

    @matching(r"/related/[0-9a-f]{8}")
    def answer(found: re.Match[str]) -> Answer:
        target = f"/related/{digest(found[0])[:8]}"
        return Answer(status=302, headers={"Location": target})

    return around(answer, doors=lambda n: [f"/related/{digest(n)[:8]}"])


@endless(tolerated=r"/real-\d+\?from=.*", most=40)
def redirects_and_pages() -> Part:
    """Redirects that lead to the real pages, under names that no page repeats."""

    @matching(r"/random/[0-9a-f]{8}")
    def answer(found: re.Match[str]) -> Answer:
        target = f"/real-{int(digest(found[0])[:4], 16) % 299 + 1}?from={digest(found[0])[:8]}"
        return Answer(status=302, headers={"Location": target})

    @matching(rf"/{NUMBER}\?from=[0-9a-f]{{8}}")
    def page(found: re.Match[str]) -> Answer:
        doors = [f"/random/{digest(found[0], n)[:8]}" for n in (1, 2)]
        return real(int(found[1] or 0), doors, THEME)

    return around(answer, page, doors=lambda n: [f"/random/{digest(n)[:8]}"])


@endless(
    tolerated=r"/(?!goods/)[a-z]+/p-\d+/",
    most=0,
    also=lambda: frozenset(
        [*(f"/goods/p-{n}/" for n in GOODS), *(f"/{name}/" for name in SHELVES)]
    ),
)
def products_in_categories() -> Part:
    """120 products, each again in two categories, with the way to it and the like of it."""

    def answer(path: str) -> Answer | None:
        _, shelf, *more = path.split("/")
        if shelf not in SHELVES or len(more) > 2:
            return None
        if more == [""]:
            others = [f"/{other}/" for other in SHELVES if other != shelf]
            links = [(f"/{shelf}/p-{n}/", f"Good {n}") for n in GOODS if shelf in GOODS[n]]
            return THEME(f"The {shelf}", links=[*others, *links])
        number = int(more[0].removeprefix("p-"))
        shelves = GOODS[number]
        alike = [n for n in GOODS if (n - number) % len(GOODS) in (7, 11, 30)]
        links = [f"/{shelf if shelf in GOODS[n] else 'goods'}/p-{n}/" for n in alike]
        crumbs = f'<p><a href="/">Home</a>, <a href="/{shelf}/">The {shelf}</a></p>'
        text = f"<p>{words(f'good {number}', 40)}.</p>"
        named = [(link, f"Good {n}") for link, n in zip(links, alike)]
        return THEME(f"Good {number}", crumbs, text, links=named) if shelf in shelves else None

    return around(answer, doors=lambda _: ["/goods/"])


@endless(
    tolerated=r"/photo/\d+/in/album-\d+/",
    most=0,
    also=lambda: frozenset(f"/photo/{n}/" for n in PHOTOS) | {f"/album-{n}/" for n in range(1, 9)},
)
def photos_in_albums() -> Part:
    """100 photos, and again in their albums, with the neighbours that they have there."""

    @matching(r"/photo/(\d+)/(?:in/album-(\d)/)?")
    def photo(found: re.Match[str]) -> Answer:
        number, album = int(found[1]), found[2]
        near = [n for n in (number - 1, number + 1) if n in PHOTOS]
        if album:
            some = [n for n in PHOTOS if n % 8 + 1 == int(album)]
            near = [n for n in some if abs(n - number) == 8]
        where = f"in/album-{album}/" if album else ""
        links = [(f"/photo/{n}/{where}", "Another photo") for n in near]
        way = f'<p><a href="/album-{album}/">Album {album}</a></p>' if album else ""
        return THEME(f"Photo of {words(f'of {number}', 2)}", image_of(number), way, links=links)

    @matching(r"/album-([1-8])/")
    def answer(found: re.Match[str]) -> Answer:
        some = [n for n in PHOTOS if n % 8 + 1 == int(found[1])]
        return THEME(f"Album {found[1]}", links=[f"/photo/{n}/in/album-{found[1]}/" for n in some])

    def image_of(number: int) -> str:
        return image(f"/photo-{number}.jpg") + f"<p>{words(f'caption {number}', 12)}.</p>"

    every = [f"/photo/{n}/" for n in PHOTOS] + [f"/album-{n}/" for n in range(1, 9)]
    return around(photo, answer, doors=lambda n: every if n == 0 else [])
