"""Paths without end around 300 real pages: mirrors, loops, session ids, generated names."""

import re
from collections.abc import Sequence
from random import Random

from tests.helpers.server import Answer
from tests.spaces.pages import (
    REAL,
    Theme,
    around,
    behind,
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


@endless(tolerated=r"/session/.*", most=300)
@behind(
    rf"/session/[0-9a-f]{{32}}/{NUMBER}", doors=lambda n: [f"/session/{digest(n)}/real-{n or 1}"]
)
def session_in_path(found: re.Match[str]) -> Answer:
    """Links with a session id of their own on each page: /session/ID/real-3; copies, to the end."""
    return real(int(found[1] or 0), (), THEME, f"/session/{digest(found[0])}/")


def _of_a_visit(seed: object) -> list[str]:
    number = int(digest(seed)[:4], 16) % 299 + 1
    return [f"/real-{n}?visit={digest(seed, n)[:20]}" for n in (number, 300 - number)]


@endless(tolerated=r"/(?:real-\d+)?\?visit=.*", most=40)
@behind(rf"/{NUMBER}\?visit=[0-9a-f]{{20}}", doors=_of_a_visit)
def session_in_query(found: re.Match[str]) -> Answer:
    """The same in the query, under a name that no list has: ?visit=."""
    return real(int(found[1] or 0), _of_a_visit(found[0]), THEME)


def _numbered(seed: object) -> list[str]:
    number = int(digest(seed)[:4], 16) % 299 + 1
    return [f"/real-{number}?n={1_700_000_000 + int(digest(seed, n)[:7], 16)}" for n in (1, 2)]


@endless(tolerated=r"/real-\d+\?n=.*", most=40)
@behind(rf"/{NUMBER}\?n=\d+", doors=_numbered)
def cache_busters(found: re.Match[str]) -> Answer:
    """A number that no page repeats on each link: ?n=1718203321."""
    return real(int(found[1] or 0), _numbered(found[0]), THEME)


@endless(tolerated=r"/(?:a|b)/.*", most=12)
@behind(r"(?:/a/b)*(?:/a)?/|/b(?:/a/b)*/", doors=lambda _: ["/a/"])
def relative_links(found: re.Match[str]) -> Answer:
    """A pair of relative links: /a/b/a/b/a/..."""
    href = "b/" if found[0].endswith("a/") else "a/"
    return THEME("Contact", "<p>Write to us, we answer within a day.</p>", links=[href])


@endless(tolerated=r"/help/.*", most=12)
@behind(r"/(?:help/contact/)+", doors=lambda _: ["/help/contact/"])
def repeating_path(found: re.Match[str]) -> Answer:
    """A relative link that was meant to be absolute: /help/contact/help/contact/."""
    text = "<p>Write to us, we answer within a day.</p>"
    return THEME("Contact", text, links=["help/contact/"])


@endless(tolerated=r"/loop/.*", most=12)
@behind(r"/loop/(?:[ab]/)*", doors=lambda _: ["/loop/"])
def alternating_segments(found: re.Match[str]) -> Answer:
    """/loop/a/b/a/b and /loop/b/a/a/b: any sequence of two names, one sentence on all pages."""
    links = [f"{found[0]}{name}/" for name in "ab"]
    return THEME("A loop", "<p>The same sentence.</p>", links=links)


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
@behind(rf"(/(?:copy/)+){NUMBER}", doors=lambda _: ["/copy/"])
def mirrors_in_mirrors(found: re.Match[str]) -> Answer:
    """The whole site again under /copy/, /copy/copy/ and so on."""
    return real(int(found[2] or 0), [f"{found[1]}copy/"], THEME, found[1])


def _translations(path: str) -> list[str]:
    return [f"/{code}{path}" for code in ("de", "en", "es", "fr", "it", "pl")]


@endless(tolerated=r"/(?:(?:de|en|es|fr|it|pl)/)+.*", most=60, requests=300)
@behind(rf"((?:/(?:de|en|es|fr|it|pl))+/){NUMBER}", doors=lambda n: _translations(REAL[n]))
def mirrors_of_languages(found: re.Match[str]) -> Answer:
    """A language switch that prepends its code to the path it stands on: /de/fr/de/real-7."""
    return real(int(found[2] or 0), _translations(found[0]), THEME, found[1])


@endless(tolerated=r"/index\.php/.*", most=300)
@behind(rf"/index\.php/(?:[\w.-]+/)*{NUMBER}", doors=lambda _: ["/index.php/"])
def path_info(found: re.Match[str]) -> Answer:
    """A script that answers whatever stands behind its name, with relative links."""
    links = ["index.php/real-3", "real-5/", "news/"]
    return real(int(found[1] or 0), links, THEME, "")


@endless(tolerated=r"/trap/.*", most=60)
@behind(r"/trap/[a-z/-]+", doors=lambda n: [f"/trap/{words(f'trap {n}', 2).replace(' ', '-')}"])
def random_words(found: re.Match[str]) -> Answer:
    """Generated words on every page, with links to other generated names."""
    links = [f"/trap/{words(f'{found[0]} {n}', 2).replace(' ', '-')}" for n in range(5)]
    return THEME(words(found[0], 3), f"<p>{words(f'{found[0]}!', 80)}.</p>", links=links)


@endless(tolerated=r"/maze/.*", most=60)
@behind(r"/maze/(?:[a-z]+/)*", doors=lambda _: ["/maze/"])
def random_depths(found: re.Match[str]) -> Answer | None:
    """The same in folders of folders: each page lies deeper than the one before it."""
    if len(found[0]) > 1_500:
        return None
    links = [f"{found[0]}{words(f'{found[0]} {n}', 1)}/" for n in range(4)]
    return THEME(words(found[0], 3), f"<p>{words(f'{found[0]}!', 80)}.</p>", links=links)


@endless(tolerated=r"/trap/.*", most=100)
@behind(r"/trap/[0-9a-f]{24}", doors=lambda n: [f"/trap/{digest(n)[:24]}"])
def random_identifiers(found: re.Match[str]) -> Answer:
    """The same with 24 hexadecimal digits."""
    links = [f"/trap/{digest(found[0], n)[:24]}" for n in range(5)]
    return THEME(words(found[0], 3), f"<p>{words(f'{found[0]}!', 80)}.</p>", links=links)


@endless(tolerated=r"/forest/.*", most=12)
@behind(r"/forest/.*", doors=lambda n: [f"/forest/{n}"])
def missing_pages(found: re.Match[str]) -> Answer:
    """Below /forest/ each page repeats its name and that it does not exist, with status 200."""
    path = found[0]
    links = [f"{path.rstrip('/')[:100]}-{words(f'{path} {n}', 1)}" for n in range(3)]
    return THEME("Not found", f"<p>Sorry, {path} does not exist.</p>", links=links)


@endless(tolerated=r"/related/.*", most=12)
@behind(r"/related/[0-9a-f]{8}", doors=lambda n: [f"/related/{digest(n)[:8]}"])
def redirects_without_end(found: re.Match[str]) -> Answer:
    """A page that leads to another one by chance, by a redirect to the next redirect."""
    target = f"/related/{digest(found[0])[:8]}"
    return Answer(status=302, headers={"Location": target})


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
