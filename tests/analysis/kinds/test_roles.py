"""Kinds of pages: laws of siblings, roles of parameters, ends of calendars, names in paths."""

from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection, Container, Iterable
from datetime import date, timedelta
from itertools import product
from random import Random
from typing import Any
from zlib import crc32

from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapgen.analysis.kinds.dates import EMPTY, DatedUrl, beyond, dated, endings, full_dates
from sitemapgen.analysis.kinds.evidence import Evidence
from sitemapgen.analysis.kinds.laws import Signature, are_scaled
from sitemapgen.analysis.kinds.lists import Firsts
from sitemapgen.analysis.kinds.recombined import Recombined
from sitemapgen.analysis.kinds.roles import Fetched, Roles, Variant
from sitemapgen.analysis.kinds.slots import NONE, Parameters, names_of, parts_of, without
from sitemapgen.analysis.kinds.usefulness import PATIENCE
from sitemapgen.analysis.kinds.versions import PageVersions
from sitemapgen.core.document.novelty import sketch_page
from sitemapgen.core.urls import key, split_parameters
from tests.helpers.tables import for_each

HOST = "https://example.com"
WORDS = [f"{a}{b}{c}" for a, b, c in product("bdfglmnprst", "aeiou", "bdgmnrst")]
PRODUCTS = [f"/p/{100 + number}" for number in range(40)]
MAKERS = WORDS[:40]
COLOURS, SIZES, ORDERS = ("red", "blue", "green", "grey"), ("s", "m", "l", "xl"), ("price", "name")


def words(*seed: object, count: int = 30) -> str:
    return " ".join(Random(repr(seed)).sample(WORDS, count))


class Site:
    """Fetched pages by path; the patterns are those of their paths."""

    def __init__(self) -> None:
        self._pages: dict[int, tuple[str, Signature, list[str]]] = {}
        self._texts: dict[int, str] = {}
        self._targets: dict[str, str] = {}
        self._urls: dict[int, str] = {}
        self.expected: set[int] = set()
        self.listed: set[int] = set()
        """Those whose content was not kept."""
        self.contents: dict[int, int] = {}

    def add(
        self,
        path: str,
        title: str,
        text: str,
        links: Iterable[str] = (),
        target: str = "",
        heading: str = "",
        *,
        is_rendered: bool = False,
        ahead: Collection[str] = (),
    ) -> None:
        """``ahead``: those of the links that are further from the start."""
        links = [*links]
        packed = sketch_page([text], [], [HOST + path, *links])
        subject = key(f"{title} {heading}")
        targets = [
            (key(HOST + link), HOST + link, pattern(link) if link in ahead else "", NONE)
            for link in dict.fromkeys([*ahead, *links])
        ]
        signature = Signature.of(
            HOST + path, title, subject, packed, targets, is_rendered=is_rendered
        )
        self._pages[key(HOST + path)] = (path, signature, links)
        self._texts[key(HOST + path)] = text
        self._urls |= {each: url for each, url, *_ in targets}
        self._targets[path] = target

    def is_known(self, key: int) -> bool:
        return key in self._pages

    def is_expected(self, key: int) -> bool:
        return key in self.expected

    def signature(self, key: int) -> Signature:
        return self._pages[key][1]

    text = signature

    def excerpt(self, key: int) -> str:
        return self._texts[key]

    def is_listed(self, key: int) -> bool:
        return key in self._pages or key in self.listed

    def url(self, key: int) -> str:
        return self._urls.get(key, "")

    def content(self, key: int) -> int | None:
        return self.contents.get(key)

    def list_of(self, key_: int, is_part: Callable[[str], bool]) -> list[int]:
        found = [key_]
        for each in found:
            for link in self._pages[each][2]:
                other = key(HOST + link)
                if other in self._pages and other not in found and is_part(HOST + link):
                    found.append(other)
        return found

    def recombined(self, seed: int = 0) -> Recombined:
        urls = [(HOST + path, pattern(path)) for path, _, _ in self._pages.values()]
        Random(seed).shuffle(urls)
        found = Recombined(self)
        found.learn(urls[:20])
        found.learn(urls[20:])
        found.learn(urls[:5])  # they were read again
        return found

    def sketched(self) -> Iterable[tuple[str, int, str]]:
        return [(HOST + path, 1, pattern(path)) for path, _, _ in self._pages.values()]

    def urls(self) -> Iterable[str]:
        return self._urls.values()

    def versions(self, seed: int = 0) -> PageVersions:
        urls = [(url, pattern) for url, _, pattern in self.sketched()]
        Random(seed).shuffle(urls)
        found = PageVersions(self)
        found.learn(urls[:50])
        found.learn(urls[50:])
        found.learn(urls[:5])
        return found

    def roles(self, seed: int = 0, *, every: int = 0, before: Container[str] = ()) -> Roles:
        """Roles of pages that came in some order, decided also after ``every`` of them.

        ``before``: those that an earlier run listed.
        """
        pages = [
            Fetched(
                key_,
                HOST + path,
                pattern(path),
                self._targets[path] and HOST + self._targets[path],
                depth=-1 if path in before else 1,
            )
            for key_, (path, _, _) in self._pages.items()
        ]
        firsts = {page.pattern: page.url for page in sorted(pages, key=lambda page: page.url)[::-1]}
        Random(seed).shuffle(pages)
        roles = Roles(self, sorted(firsts.items()))
        for number, page in enumerate(pages, 1):
            roles.learn([page])
            if every and number % every == 0:
                roles.decide()
        roles.decide()
        return roles


def pattern(path: str) -> str:
    """The pattern of a path; values of ``a`` separate patterns, as in a code browser."""
    _, before, query = split_parameters(HOST + path)
    parts = sorted(
        part if part.startswith("a=") else f"{part.partition('=')[0]}=" for part in query.split("&")
    )
    return f"{before}?{'&'.join(parts)}" if query else ""


def path_of(found: Variant | None) -> str:
    """The path of what stands for a URL; empty for a page."""
    return found.url.removeprefix(HOST) if found else ""


def variant(found: Roles | PageVersions, path: str) -> str:
    """What stands for a URL that was not fetched."""
    return path_of(found.variant(HOST + path, pattern(path)))


def read(roles: Roles, path: str) -> str:
    """What stands for a URL that was fetched."""
    return path_of(roles.variant_read(key(HOST + path), HOST + path, pattern(path)))


def shop(*, pages: int = 1, titled: bool = False, hidden: int = 0) -> Site:
    """A list of products with filters and orders; ``hidden``: products that only filters show."""

    def shown(chosen: dict[str, str]) -> list[str]:
        found = [
            each
            for number, each in enumerate(PRODUCTS)
            if chosen.get("colour", COLOURS[number % 4]) == COLOURS[number % 4]
            and chosen.get("size", SIZES[number // 4 % 4]) == SIZES[number // 4 % 4]
        ]
        return found if chosen else found[: len(found) - hidden]

    site = Site()
    choices = [(c, s, o) for c in ("", *COLOURS) for s in ("", *SIZES) for o in ("", *ORDERS)]
    for colour, size, order in choices:
        chosen = {"colour": colour, "size": size, "order": order}
        chosen = {name: value for name, value in chosen.items() if value}
        items = shown(chosen)
        query = "&".join(f"{name}={value}" for name, value in chosen.items())
        title = f"Lamps {colour} {size}" if titled else "Lamps"
        each = -(-len(PRODUCTS) // pages)
        for page in range(1 if chosen else pages):
            path = f"/shop?{query}" if query else f"/shop?page={page + 1}" if page else "/shop"
            own = items[page * each : (page + 1) * each]
            further = [f"/shop?page={number + 1}" for number in range(pages)] if pages > 1 else []
            names = " ".join(words(item, count=3) for item in own)
            site.add(path, title, f"{len(items)} results {names}", [*own, *further, "/about"])
    return site


def assert_variants(roles: Roles, stand: dict[str, str], have_read: dict[str, str]) -> None:
    """What stands for URLs that were not fetched, and for some that were."""
    assert {path: variant(roles, path) for path in stand} == stand
    assert {path: read(roles, path) for path in have_read} == have_read


@for_each(
    (
        {},
        {
            **{"/shop?colour=red&size=s&size=m": "/shop", "/shop?order=date": "/shop"},
            # Nothing is a variant of a page that was not fetched.
            **{"/shop?colour=red&brand=7": "", "/shop?colour=red&size=s&page=7": "/shop"},
        },
        {"/shop?colour=red": "/shop", "/shop": ""},
    ),
    # A filter with a title of its own is a page, and two of them are none.
    (
        {"titled": True},
        {
            "/shop?colour=white": "",
            "/shop?colour=white&size=s": "/shop",
            "/shop?colour=white&colour=red": "/shop",
            "/shop?colour=white&page=7": "/shop",
            # A combination whose shorter URLs were not read is one of the list.
            "/shop?colour=white&size=s&order=name": "/shop",
            "/shop?colour=white&order=name": "",  # it stands for /shop?colour=white
            "/shop?colour=red&order=date": "/shop?colour=red",
        },
        {"/shop?colour=red": ""},
    ),
    # A list of several pages shows what is on all of them.
    (
        {"pages": 5},
        {"/shop?colour=red&size=s&order=price": "/shop"},
        {f"/shop?page={page}": "" for page in range(2, 6)},
    ),
    # Filters that are the only way to products.
    ({"hidden": 20}, {"/shop?colour=white&size=s": ""}, {"/shop?colour=grey": ""}),
)
def test_filters_and_orders_of_a_list(
    shape: dict[str, Any], stand: dict[str, str], have_read: dict[str, str]
) -> None:
    assert_variants(shop(**shape).roles(), stand, have_read)


COMMITS = [f"/git?a=commit&h={number}" for number in range(60)]


@for_each(
    # A parameter that changes nothing; each article is a pattern of its own here.
    (
        30,
        lambda n: [(f"/a/{n}{t}", f"Article {n}", words(n), ["/a/1"]) for t in ("", f"?t={n}")],
        {"/a/7?t=99": ""},
        {"/a/7?t=7": "/a/7"},
    ),
    # Dates that change nothing on many pages.
    (
        30,
        lambda n: [
            (f"/room?n={n}{on}", f"Room {n}", words(n)) for on in ("", f"&on=2026-07-{n + 1:02}")
        ],
        {"/room?n=7&on=2026-08-01": "/room?n=7"},
        {},
    ),
    # Most users have told nothing of themselves; no one of them stands for the others.
    (
        60,
        lambda n: [(f"/user?id={n}", "User", "Nothing is known of this user.")],
        {"/user?id=99": ""},
        {},
    ),
    # An application that could not be rendered: empty pages prove nothing.
    (
        40,
        lambda n: [("/app", "App", ""), (f"/app?id={n}", "App", "")],
        {"/app?id=99": ""},
        {"/app?id=7": ""},
    ),
    # A column without its direction is a parameter of its own.
    (
        30,
        lambda n: [
            ("/list", "List", words("list"), PRODUCTS),
            (f"/list?column={n}", "List", words("list"), PRODUCTS),
            (f"/list?column={n}&way=up", "List", words(n)),
        ],
        {"/list?column=99": "/list", "/list?column=99&way=up": ""},
        {},
    ),
    # A link back to the list is no item.
    (
        25,
        lambda n: [
            ("/list", "Things", words("things"), PRODUCTS),
            (f"/list?sort={n}", "Things", words("things"), [*reversed(PRODUCTS), "/list"]),
        ],
        {"/list?sort=99": "/list"},
        {},
    ),
    # A language is no variant.
    (
        30,
        lambda n: [("/", "Home", words("home")), (f"/?lang={n}", "Home", words("home", n))],
        {"/?lang=99": ""},
        {},
    ),
    # Redirects count as what they lead to.
    (
        30,
        lambda n: [("/list", "List", words("list")), (f"/list?s={n}", "", "", [], "/list")],
        {"/list?s=99": "/list"},
        {},
    ),
    # A value that selects a kind of page is judged by itself: the log of a commit shows what the
    # log shows; the commit itself is no variant.
    (
        60,
        lambda n: [
            ("/git?a=log", "Log", words("log"), COMMITS),
            (f"/git?a=log&h={n}", "Log", words("log"), COMMITS[n:]),
            (COMMITS[n], f"Commit {n}", words(n)),
        ],
        {"/git?a=log&h=99": "/git?a=log", "/git?a=commit&h=99": "", "/git?a=tree&h=99": ""},
        {},
    ),
    # Files as of a version that only names them.
    (
        30,
        lambda n: [
            (f"/tree?id={n}", "Files", "a.c b.c", [f"/tree/a.c?id={n}"]),
            (f"/tree/a.c?id={n}", "Files", words(n, count=9)),
        ],
        {"/tree/a.c?id=99": ""},
        {"/tree/a.c?id=7": ""},
    ),
    # What all pages at a place share is no layout, if it is one page in many versions.
    (
        60,
        lambda n: [
            (f"/docs?version={n}", "Manual", "Contents", [f"/docs/a?version={n}"]),
            (f"/docs/a?version={n}", "Manual", words("a", count=30)),
        ],
        {"/docs/a?version=99": ""},
        {"/docs/a?version=7": ""},
    ),
)
def test_values_of_one_parameter(
    count: int,
    pages: Callable[[int], list[Any]],
    stand: dict[str, str],
    have_read: dict[str, str],
) -> None:
    """``pages``: those that are added for each number."""
    site = Site()
    for number in range(count):
        for page in pages(number):
            site.add(*page)
    assert_variants(site.roles(), stand, have_read)


def test_a_category_with_a_heading_of_its_own_is_a_page() -> None:
    site = Site()
    names = [words("names", number, count=2) for number in range(60)]
    everything = [f"/p/{number}" for number in range(60)]
    site.add("/list", "The shop", " ".join(names), everything, heading="All")
    for number, name in enumerate(names):
        path = f"/list?cat={number}"
        site.add(path, "The shop", name, everything[number : number + 3], heading=name)
    roles = site.roles()
    assert variant(roles, "/list?cat=99") == ""
    assert variant(roles, "/list?cat=99&cat=98") == "/list"
    assert read(roles, "/list?cat=7") == ""


def test_the_first_page_of_a_list_with_its_number_is_a_variant() -> None:
    site = shop(pages=5)
    further = [f"/shop?page={number}" for number in range(1, 6)]
    names = " ".join(words(item, count=3) for item in PRODUCTS[: -(-len(PRODUCTS) // 5)])
    site.add(further[0], "Lamps", f"{len(PRODUCTS)} results {names}", [*PRODUCTS[:3], *further])
    roles = site.roles()
    assert [read(roles, each) for each in further] == ["/shop", "", "", "", ""]


def test_parts_of_lists() -> None:
    roles = shop(pages=5, titled=True).roles()
    for path in ("/shop?colour=red", "/shop?page=4"):
        assert roles.is_list(key(HOST + path), HOST + path, pattern(path))
    assert not roles.is_list(key(f"{HOST}/shop"), f"{HOST}/shop", "")


def test_pages_of_an_article_are_no_list() -> None:
    site = Site()
    for number in range(30):
        parts = [f"/?p={number}", *(f"/?p={number}&page={page}" for page in (2, 3))]
        for part in parts:
            site.add(part, f"Article {number}", f"{words(part, count=60)}.", [*parts, f"/x{part}"])
    roles = site.roles()
    for path in ("/?p=7&page=2", "/?p=8&page=3"):
        assert not roles.is_list(key(HOST + path), HOST + path, pattern(path))


def named(number: int) -> str:
    return f"/item.php?id={number}"


@for_each(
    ("Item", words),
    ("Item", lambda number: f"The same words, at the price of {number * 7919 + 13}.99"),
    ("Item", lambda number: words(number % 5, count=4) + " " + words(number, "x", count=3)),
)
def test_pages_of_an_identifier(title: str, text: Callable[[int], str]) -> None:
    site = Site()
    site.add("/item.php", "Item", "Choose an item", [named(number) for number in range(60)])
    for number in range(60):
        site.add(named(number), title, text(number), ["/"])
    roles = site.roles()
    assert variant(roles, named(61)) == ""
    assert [read(roles, named(number)) for number in range(60)] == [""] * 60
    assert not roles.is_list(key(HOST + named(7)), HOST + named(7), pattern(named(7)))


@for_each(
    (lambda amount: amount * 1.09, "/lamp?id=7"),  # dollars
    (lambda amount: amount / 28.35, "/lamp?id=7"),  # ounces
    (lambda amount: amount + 7.25, ""),
    (lambda amount: amount * (1 + amount % 7 / 100), ""),  # prices of another day
)
def test_the_same_numbers_in_another_measure(scale: Callable[[float], float], stands: str) -> None:
    site = Site()
    for number in range(30):
        amounts = [crc32(f"{number} {each}".encode()) % 90_000 / 100 + 30 for each in range(4)]
        for query, some in ("", amounts), ("&in=b", map(scale, amounts)):
            text = f"{words(number)}\n{', '.join(f'{amount:.2f}' for amount in some)} in all"
            site.add(f"/lamp?id={number}{query}", f"Lamp {number}", text, ["/"])
    assert read(Site.roles(site), "/lamp?id=7&in=b") == stands


def test_numbers_of_any_length() -> None:
    texts = [f"{digit * 900} 0.{digit * 900} {','.join([digit * 9] * 90)} in all" for digit in "18"]
    assert are_scaled(*texts)


@for_each((True, ""), (False, "/day"))
def test_the_only_way_to_pages_with_the_same_parameter(is_own: bool, stands: str) -> None:
    """A list without a text leads to them alone: it is needed where these are pages."""
    site = Site()
    for day in ["", *(f"?d={number}" for number in range(40))]:
        part = f"/morning{day}"
        site.add(f"/day{day}", "Day", "Parts of a day", [part], ahead=[part])
        site.add(part, "Morning", words("morning", day if is_own else ""))
    roles = site.roles()
    assert variant(roles, "/day?d=99") == stands
    assert variant(roles, "/morning?d=99") == ("" if is_own else "/morning")


@for_each(("", "/list?n=7"), ("by name", ""))
def test_parameters_that_always_come_together_are_one(title: str, stands: str) -> None:
    """A column and its direction are an order; a category and its mode are a category."""
    site = Site()
    for number in range(12):
        site.add(f"/list?n={number}", f"List {number}", words(number), PRODUCTS)
        for column, way in product(("name", "price"), ("up", "down")):
            name = title and words(column, way, number, count=2)
            path = f"/list?n={number}&column={column}&way={way}"
            site.add(path, f"List {number} {name}".strip(), words(number), PRODUCTS)
    roles = site.roles()
    assert variant(roles, "/list?n=7&column=date&way=up") == stands
    assert variant(roles, "/list?n=7&column=date&way=up&page=7") == "/list?n=7"


def test_a_feed_of_the_choice_and_a_return_address_are_no_items() -> None:
    site = Site()
    site.add("/list", "List", words("list"), [*PRODUCTS, "/feed", "/login?next=%2Flist"])
    for number in range(40):
        page = f"/list?tags=t{number},t7"
        encoded = urlsafe_b64encode((HOST + page).encode()).decode().strip("=")
        links = [*PRODUCTS[:5], f"/feed?tags=t{number}&tags=t7", f"/ask?next={encoded}"]
        site.add(page, "List", words("list"), links)
    assert variant(site.roles(), "/list?tags=t99&tags=t98") == "/list"


@for_each((False, ("5", "age", "grid")), (True, ()))
@for_each("/list?cat={}&sort={}&view={}", "/list/cat:{}/sort:{}/view:{}/")
def test_parameters_that_no_url_lacks(url: str, *, is_own: bool, stands: tuple[str, ...]) -> None:
    """Orders and views of a list, or texts and comments of an version."""
    site = Site()
    for cat, sort, view in product("123456", ("name", "age", "price"), ("grid", "rows", "map")):
        text = words(cat, sort if is_own else "", view if is_own else "")
        site.add(url.format(cat, sort, view), "List", text, PRODUCTS)
    roles = site.roles()
    expected = url.format(*stands) if stands else ""
    assert variant(roles, url.format("5", "rank", "table")) == expected
    assert variant(roles, url.format("7", "name", "grid")) == ""


def test_lists_without_the_usual_order() -> None:
    """The first order of each stands for the others, or the one that was listed before."""
    site = Site()
    orders = "age", "name", "price", "rank"
    every = [
        (f"/list?cat={cat}&sort={order}", cat, order) for cat, order in product("123456789", orders)
    ]
    for path, cat, order in every:
        if (cat, order) != ("9", "age"):
            site.add(path, "List", words(cat), PRODUCTS)
    roles = site.roles()
    usual, *others = (path for path, cat, _ in every if cat == "8")
    assert [read(roles, path) for path in (usual, *others)] == ["", usual, usual, usual]
    _, first, *others = (path for path, cat, _ in every if cat == "9")
    assert [read(roles, path) for path in (first, *others)] == ["", first, first]
    assert variant(roles, "/list?cat=9&sort=year") == first
    roles = site.roles(before=others[1:])
    assert [read(roles, path) for path in (first, *others)] == [others[1], others[1], ""]


def _hash(*seed: object) -> str:
    return f"{crc32(repr(seed).encode()):08x}a1"


def _number(*seed: object) -> str:
    return str(crc32(repr(seed).encode()))


def _of_several(*seed: int) -> str:
    return str((5 * seed[0] + seed[-1]) % 24)


@for_each(
    (_hash, False, True), (_number, False, True), (_of_several, False, False), (_hash, True, False)
)
def test_what_each_answer_has_anew(
    value: Callable[..., str], *, is_own: bool, is_token: bool
) -> None:
    """Each link has another value of it; numbers that several shows have may be those of months."""
    site = Site()

    def show(number: int, *seed: object) -> str:
        return f"/show?id={number}&k={value(number, *seed)}"

    for number, answer in product(range(12), range(4)):
        text = words(number, answer if is_own else "")
        links = [*PRODUCTS, *(show(other, number, answer) for other in range(12))]
        site.add(show(number, answer), f"Show {number}", text, links)
    roles = site.roles()
    firsts = sorted(show(5, answer) for answer in range(4))
    assert variant(roles, "/show?id=5&k=77c0ffee") == (firsts[0] if is_token else "")
    assert [read(roles, each) for each in firsts] == ["", *[firsts[0] if is_token else ""] * 3]
    new = ["/show?id=99&k=77c0ffee", "/show?id=99&k=88c0ffee"]
    site.expected.add(key(HOST + new[0]))
    assert [variant(roles, each) for each in new] == ["", new[0] if is_token else ""]


def test_a_usual_value_selects_nothing() -> None:
    """Filters that every URL names, "all" among them, and the number of the page."""
    site = Site()
    values = ("all", *(f"no{number}" for number in range(6)))
    for colour, size in product(values, values):
        items = [
            each
            for number, each in enumerate(PRODUCTS)
            if colour in ("all", f"no{number % 6}") and size in ("all", f"no{number // 6 % 6}")
        ]
        path = f"/shop?colour={colour}&page=1&size={size}"
        site.add(path, f"Lamps {colour} {size}", words("lamps"), items)
    roles = site.roles()
    assert variant(roles, "/shop?colour=no9&page=1&size=all") == ""
    expected = "/shop?colour=all&page=1&size=all"
    assert variant(roles, "/shop?colour=no9&page=1&size=no7") == expected


@for_each(("m", ""), ("n", "/cal"))
def test_the_empty_months_around_a_date_prove_nothing_of_others(name: str, stands: str) -> None:
    site = Site()
    site.add("/cal", "Events", words("cal"), ["/event/1"])
    for month in range(30):
        path = f"/cal?{name}={2000 + month // 12}-{month % 12 + 1:02}"
        site.add(path if name == "m" else f"/cal?n={month}", "Events", "No events.", [])
    after = "/cal?m=2009-01" if name == "m" else "/cal?n=99"
    assert variant(site.roles(), after) == stands


@for_each(("before", "/log?n=7"), ("size", ""))
def test_links_that_carry_a_value_under_another_name(name: str, stands: str) -> None:
    """A revision to compare with is in the links; a size selects other pages."""
    site = Site()
    for number in range(30):
        links = [f"/file/{each}" for each in range(number, number + 3)]
        site.add(f"/log?n={number}", f"Log {number}", words(number), links)
        value = number + 40 if name == "before" else number
        compared = [f"{link}?{name}={number + 40}" for link in links]
        site.add(f"/log?n={number}&after={value}", f"Log {number}", words(number), compared)
    assert variant(site.roles(), "/log?n=7&after=99") == stands


def test_a_pattern_that_is_cut_has_the_names_that_it_shows() -> None:
    whole = f"/list?{'&'.join(f'a-rather-long-name-{letter}=' for letter in 'abcdefghij')}"
    firsts = [(whole[:100], HOST + whole.replace("=", "=7"))]
    found = Parameters(firsts, lambda key: False).usual(whole[:100])
    assert found == {f"a-rather-long-name-{letter}": "7" for letter in "abcd"}


PLACES = ["/src", "/src/a.c", "/src/b.c"]


def browser() -> Site:
    """A code browser: 30 commits, each limited to a directory or one of its two files."""
    site = Site()
    for number in range(30):
        menu = [f"/log{{}}?id={number}", f"/tree{{}}?id={number}"]
        for place in ["/", *PLACES]:
            within = [each for each in PLACES if each.startswith(place)]
            below = [f"/at{each}?id={number}" for each in within]
            links = [*(link.format(place) for link in menu), f"/at{place}?id={number + 1}", *below]
            text = " ".join(words(number, each, count=9) for each in within)
            site.add(f"/at{place}?id={number}", f"Commit {number}", text, links)
    return site


def test_files_of_a_commit_that_shows_them() -> None:
    roles = browser().roles()
    assert variant(roles, "/at/src/c.c?id=7") == "/at/src?id=7"
    assert variant(roles, "/at/lib/a.c?id=7") == "/at/?id=7"
    assert variant(roles, "/at/?id=99") == ""
    assert variant(roles, "/at/src?id=99") == ""
    assert [read(roles, f"/at{place}?id=8") for place in PLACES] == [
        "/at/?id=8",
        *["/at/src?id=8"] * 2,
    ]
    found = roles.variant(f"{HOST}/at/src/c.c?id=7", "/at/src/c.c?id=")
    assert found
    assert found.words.startswith("`/at/src/*`: 23 of 23 sampled pages")


@for_each(("/src/a.c", "/at/?id=8"), ("own", ""))
def test_a_page_whose_nearest_siblings_were_not_read(place: str, stands: str) -> None:
    """It is compared with a page further away, by its text alone: the menu has other places."""
    site = browser()
    menu = ["/log/lib/x.c?id=8", "/tree/lib/x.c?id=8"]
    site.add("/at/lib/x.c?id=8", "Commit 8", words(8, place, count=9), menu)
    assert read(site.roles(), "/at/lib/x.c?id=8") == stands


def test_a_page_that_is_still_to_be_read_stands_for_others() -> None:
    site = browser()
    roles = site.roles()
    assert variant(roles, "/at/src?id=99") == ""
    site.expected.add(key(f"{HOST}/at/?id=99"))
    assert variant(roles, "/at/src?id=99") == "/at/?id=99"


def test_below_a_place_that_changes_nothing_a_parameter_is_one_slot() -> None:
    """Beside each file are too few pages with the parameter for a test of their own."""
    site = browser()
    for number in range(30):
        place = f"/src/{'ab'[number % 2]}.c"
        text = words(number, place, count=9)
        site.add(f"/at{place}?h=main&id={number}", f"Commit {number}", text)
    roles = site.roles()
    assert variant(roles, "/at/src/b.c?h=old&id=7") == "/at/src?id=7"
    assert variant(roles, "/at/?h=old&id=7") == "/at/?id=7"


def test_what_scripts_add_to_the_pages_that_are_rendered() -> None:
    """A panel on some pages of a filter is not content of theirs; a text of its own is."""
    site, panel = Site(), words("panel", count=20)
    makers = [[each] for each in PRODUCTS]
    text = "\n".join(words(each, count=6) for each in PRODUCTS)
    site.add("/lamps", "Lamps", text, PRODUCTS)
    for number, items in enumerate(makers):
        own = "\n".join(words(each, count=6) for each in items)
        is_rendered = number % 6 == 0
        added = (panel if is_rendered else "") + (words("own", count=20) if number == 6 else "")
        title = f"Maker {number}"
        site.add(f"/lamps?maker={number}", title, f"{own}\n{added}", items, is_rendered=is_rendered)
    roles = site.roles()
    assert roles.is_list(key(f"{HOST}/lamps?maker=12"), f"{HOST}/lamps?maker=12", "/lamps?maker=")
    assert not roles.is_list(key(f"{HOST}/lamps?maker=6"), f"{HOST}/lamps?maker=6", "/lamps?maker=")


def lines(*seed: object) -> str:
    """Eight lines with words of their own."""
    return "\n".join(words(*seed, line, count=6) for line in range(8))


def wiki(old: Callable[[int, int], str], *, title: str = "{}") -> Roles:
    """Articles, each with old versions, and a menu that all pages have."""
    site = Site()
    menu = words("menu", count=20)
    names = [f"/wiki?title={number}" for number in range(10)]
    links = ["/wiki", *names]
    site.add("/wiki", "Wiki", menu, names)
    for number, name in enumerate(names):
        site.add(name, title.format(name), f"{menu}\n{lines(number)}", links)
        for version in range(1, 6):
            text = f"{menu}\n{old(number, version)}"
            site.add(f"{name}&version={version}", title.format(name), text, links)
    return site.roles()


@for_each((9, True), (5, False))
def test_pages_that_stand_for_others_are_read_for_the_test_of_several_slots(
    each: int, *, is_asked: bool
) -> None:
    """Few versions of each of three directories are enough together, not less than a test needs."""
    site = Site()
    site.listed = bases = {key(f"{HOST}/files/{name}") for name in ("src", "docs", "lib")}
    for name in ("src", "docs", "lib"):
        for number in range(each):
            site.add(f"/files/{name}?id={number}", name, words(name), [])
    assert site.roles().lacking(bases.intersection) == (bases if is_asked else set())


def test_old_versions() -> None:
    """A version has a date and a line of its own; later ones are not fetched."""
    roles = wiki(lambda page, n: f"{lines(page)}\n{words('own', page, n, count=6)}\n{4000 + n}.5")
    for number in range(10):
        assert read(roles, f"/wiki?title={number}&version=3") == f"/wiki?title={number}"
    found = roles.variant(f"{HOST}/wiki?title=7&version=99", "/wiki?title=&version=")
    assert found
    assert found.words == (
        "`version`: 23 of 23 sampled pages show at least four fifths of the text of "
        "https://example.com/wiki?title=7, under its title"
    )


@for_each(
    (lambda page, n: f"{lines(page)}\n{lines('own', page, n)[:90]}", "{}"),
    (lambda page, n: "\n".join(words("own", page, n, line, count=6) for line in range(3)), "{}"),
    (lambda page, n: "\n".join(f"{1000 * page + n * 7 + day}.5" for day in range(9)), "{}"),
    (lambda page, n: words("own", page, n, count=4), "Shop"),
)
def test_pages_that_are_no_versions(old: Callable[[int, int], str], title: str) -> None:
    roles = wiki(old, title=title)
    for number in range(10):
        assert read(roles, f"/wiki?title={number}&version=3") == ""
    assert variant(roles, "/wiki?title=7&version=99") == ""


def directories(text: Callable[[int, int], str]) -> Roles:
    """A directory of two files, and both as of 30 commits; ``text``: of a file and a commit."""
    site = Site()
    top, menu = "/tree/docs", words("menu", count=20)
    files = [f"{top}/{number}" for number in range(2)]
    for commit in ("", *(f"?id={number}" for number in range(30))):
        sizes = " ".join(f"{crc32(f'{file}{commit}'.encode())}.5" for file in files)
        links = [f"{file}{commit}" for file in files]
        site.add(f"{top}{commit}", "docs", f"{menu} {sizes}", links)
        for number, file in enumerate(files):
            shown = text(number, int(commit[4:] or -1))
            site.add(f"{file}{commit}", file, f"{menu}\n{shown}", [f"{top}{commit}"])
    return site.roles()


@for_each(
    (lambda file, commit: f"{lines(file)}\n{words('own', file, commit, count=6)}", "/tree/docs"),
    (lambda file, commit: f"{5000 + 100 * file + commit}.25", ""),
    (words, ""),
)
def test_lists_of_versions(text: Callable[[int, int], str], stands: str) -> None:
    """A list with the sizes of what it leads to is a version where these are versions."""
    roles = directories(text)
    assert [read(roles, f"/tree/docs?id={commit}") for commit in (3, 17)] == [stands] * 2
    assert variant(roles, "/tree/docs?id=99") == stands


@for_each((0, "/t/7"), (4, ""))
def test_slots_below_one_place_are_tested_together(own: int, stands: str) -> None:
    """Each place has too few pages for a test, the last one too few to follow the others.

    ``own``: number of places whose pages have content of their own.
    """
    site = Site()
    for place in range(12):
        site.add(f"/t/{place}", f"Topic {place}", words(place), ["/"])
        for order in range(2 if place == 11 else 5):
            text = words(place, order) if place < own else words(place)
            site.add(f"/t/{place}?order={order}", f"Topic {place}", text, ["/"])
    roles = site.roles()
    assert [variant(roles, f"/t/{place}?order=99") for place in (7, 11)] == [stands, ""]


def test_pages_under_one_title_that_lead_to_no_other_are_no_list() -> None:
    site = Site()
    site.add("/diff", "Differences", words("diff"), ["/a"])
    for number in range(60):
        site.add(f"/diff?id={number}", "Differences", words(number), [f"/f/{number}", "/about"])
    for number in range(60):
        site.add(f"/f/{number}?id={number}", "File", words(number, "f"), [])
    roles = site.roles()
    assert not roles.is_list(key(f"{HOST}/diff?id=7"), f"{HOST}/diff?id=7", "/diff?id=")
    assert variant(roles, "/diff?id=99&sort=a") == ""


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1_000))
def test_the_order_of_arrival_decides_nothing(seed: int) -> None:
    site = ORDERED
    wanted = ["/shop?colour=red&size=s", "/shop?order=date", "/shop?page=2&size=s", "/shop?x=1"]
    found = [
        [variant(roles, path) for path in wanted]
        for roles in (site.roles(), site.roles(seed), site.roles(seed, every=1 + seed % 40))
    ]
    assert found[0] == found[1] == found[2]


ORDERED = shop(pages=2)


@given(st.integers(0, 60), st.integers(0, 60))
def test_a_law_is_never_both_accepted_and_refuted(obey: int, broken: int) -> None:
    found = Evidence(obey, obey + broken)
    assert not (found.is_accepted and found.is_refuted)
    assert broken or not found.is_refuted
    assert not obey or broken or found.is_without_exception


@for_each(
    ("/a", []),
    ("/a?x=1;y=2", ["x", "y"]),
    ("/a?x=1&x=2", ["x"]),
    ("/a?flag", ["flag"]),
    ("/a?x=1&", ["x"]),
)
def test_names(url: str, names: list[str]) -> None:
    assert names_of(HOST + url) == names
    assert without(HOST + url, names) == f"{HOST}/a"
    assert bool(parts_of(HOST + url)) == bool(names)


# Calendars


@for_each(
    ("/events/2026/07/", 12 * 2026 + 6),
    ("/events/2026-07", 12 * 2026 + 6),
    ("/events/2026/07/31", 739828),
    ("/events/2026/11", 12 * 2026 + 10),
    ("/events/2026/7/1", 739798),
    ("/events/202607", 12 * 2026 + 6),
    ("/item/2026115", None),
    ("/diary?date=20260731", 739828),
    ("/cal?year=2026&month=7", 12 * 2026 + 6),
    ("/cal?y=2026&m=7&d=31", 739828),
    ("/archive/2026/", 2026),
    ("/events/2026/02/30", None),
    ("/item/7", None),
    ("/cal?month=7", None),
)
def test_dates(path: str, at: int | None) -> None:
    found = dated(HOST + path)
    assert (found and found.at) == at


def test_a_calendar_ends_after_empty_dates_in_a_row() -> None:
    full = dict.fromkeys(range(100, 112), True)
    empty = dict.fromkeys(range(112, 112 + EMPTY), False)
    ended = beyond({**full, **empty}, [112 + EMPTY, 99])
    assert (ended.keys(), {*ended[112 + EMPTY]}) == ({112 + EMPTY}, empty.keys())
    del empty[120]
    assert not beyond({**full, **empty}, [112 + EMPTY])


def test_beside_a_gap_that_was_seen_the_outermost_date_goes_on() -> None:
    dates = {100: True, 140: True, **dict.fromkeys(range(101, 140), False)}
    dates.update(dict.fromkeys({*range(141, 220)} - {190}, False))
    assert beyond(dates, [190, 220]).keys() == {190}
    dates[220] = False
    assert beyond(dates, [190, 221]).keys() == {190, 221}


def test_a_date_far_from_all_others_is_fetched() -> None:
    dates = dict.fromkeys(range(100, 200), False)
    assert beyond(dates, [200, 1_000]).keys() == {200}


def test_links_that_carry_a_parameter_along_are_no_items_of_its_own() -> None:
    """A code browser repeats the branch, and a shop the session, in every link of a page."""
    site = Site()
    for number in range(25):
        site.add(f"/commit?id={number}", "commit", words(number), [f"/tree?id={number}", "/log"])
        links = [f"/tree?h=main&id={number}", "/log?h=main"]
        site.add(f"/commit?h=main&id={number}", "commit", words(number), links)
    assert variant(site.roles(), "/commit?h=main&id=7") == "/commit?id=7"
    site.add("/commit?h=main&id=7", "commit", words(7), ["/tree?h=main&id=8", "/log?h=main"])
    assert not read(site.roles(), "/commit?h=main&id=7")


@for_each("kept", "listed", "new")
def test_links_that_carry_a_parameter_along_to_other_pages(others: str) -> None:
    """A history from another start on leads to other revisions: new unless these were fetched.

    Whether their content was kept or not.
    """
    site = Site()
    for number in range(25):
        site.add(f"/revision?id={number}", "Revision", words(number), ["/files?id=0"])
        further = (number, 24) if others == "kept" else (number + 100, number + 200)
        links = [f"/files?id={other}&start=7" for other in further]
        site.add(f"/revision?id={number}&start=7", "Revision", words(number), links)
        site.add(f"/files?id={number}", "Files", words("files", number))
        if others == "listed":
            site.listed |= {key(f"{HOST}/files?id={other}") for other in further}
    assert bool(variant(site.roles(), "/revision?id=3&start=9")) == (others != "new")


def test_a_combination_of_which_too_few_were_compared() -> None:
    site = Site()
    for path in ("", "?sort=best", "?view=grid", "?sort=low&view=table"):
        site.add(f"/c{path}", "Shelf", words("shelf"), PRODUCTS[:9])
    site.add("/c?sort=new&view=table", "Shelf", words("shelf"), PRODUCTS[:12])
    site.add("/c?sort=own&view=table", "Shelf", words("another"), PRODUCTS[:9])
    roles = site.roles()
    assert read(roles, "/c?sort=low&view=table") == "/c"
    assert read(roles, "/c?sort=new&view=table") == ""
    assert read(roles, "/c?sort=own&view=table") == ""


def test_pages_of_a_filter_that_is_likely_to_show_nothing_of_its_own() -> None:
    site = Site()
    for number in range(17):
        site.add(f"/c?id={number}", f"Shelf {number}", words(number), PRODUCTS[number : number + 9])
        shown = PRODUCTS[number : number + 9 + (number == 5)]
        site.add(f"/c?id={number}&stock=1", f"Shelf {number}", words(number), shown)
    roles = site.roles()
    assert read(roles, "/c?id=3&stock=1") == "/c?id=3"
    assert read(roles, "/c?id=5&stock=1") == ""
    assert read(roles, "/c?id=3") == ""


def test_of_a_calendar_that_has_ended_what_is_like_its_ends_is_no_page() -> None:
    texts = {day: f"soup of {words(day % 2, count=3)}" for day in range(8, 16)} | {20: "feast"}
    urls, pages = [], {}
    for day in range(-30, 60):
        at = date(2026, 3, 1) + timedelta(days=day)
        is_fetched = day not in (-30, 59)
        urls.append(DatedUrl(day, f"{HOST}/menu/{at}", "/menu", is_fetched, False))
        packed = sketch_page([texts.get(day, "closed today")], [], [])
        pages[day] = Signature.of(f"{HOST}/menu/{at}", f"Menu of {at}", None, packed)
    (ending,) = endings(urls, pages.__getitem__)
    assert ending.beyond == {-30, 59}
    assert ending.empty == set(range(-29, 59)) - texts.keys()
    (early,) = endings([each for each in urls if each.key > -10], pages.__getitem__)
    assert early.empty == set(range(-9, 59)) - texts.keys()
    assert not [*endings([each for each in urls if each.is_fetched], pages.__getitem__)]


@for_each(
    ("/at/{month}", range(10, 14), {10, 11, 12, 13}),  # four of 60 have a table of their own
    ("/at/{number}", range(10, 14), {10, 11, 12, 13}),
    ("/at/{month}", range(60), {30}),  # all have, and the start leads to one
    ("/at/{number}", range(60), set()),
    ("/at/{month}", range(40, 60), set()),  # one at an end has
)
def test_the_dates_of_an_endless_space_with_content(
    address: str, with_table: range, kept: set[int]
) -> None:
    def url(at: int) -> str:
        return HOST + address.format(month=f"{2020 + at // 12}-{at % 12 + 1:02}", number=at)

    urls, pages = [], {}
    for at in range(-1, 61):
        is_fetched = at in range(60)
        key_ = key(url(at))
        urls.append(DatedUrl(key_, url(at), "/at", is_fetched, False, abs(at - 30)))
        table = [words(at * 10 % 7 + at, count=9)] if at in with_table else ["no data"]
        links = [(key(url(near)), url(near), "", NONE) for near in (at - 1, at + 1)]
        packed = sketch_page(table, [], [url(at)])
        pages[key_] = Signature.of(url(at), f"Month {at}", None, packed, links)
    found = {*full_dates(urls, pages.__getitem__)}
    assert found == {key(url(at)) for at in kept}


@for_each(range(0), range(1, 90))
def test_dates_that_a_date_with_content_links_to_are_not_beyond(linked: range) -> None:
    urls = [
        DatedUrl(day, f"{HOST}/on/{date(2026, 3, 1) + timedelta(days=day)}", "/on", day < 70, False)
        for day in range(90)
    ]
    pages = {}
    for each in urls[:70]:
        packed = sketch_page([words("feast") if each.key == 9 else "nothing on"], [], [])
        links = [(day, urls[day].url, "", NONE) for day in linked if each.key == 9]
        pages[each.key] = Signature.of(each.url, f"On {each.key}", None, packed, links)
    (ending,) = endings(urls, pages.__getitem__)
    assert ending.beyond == set(range(70, 90)) - set(linked)


@for_each(
    ("/cal?week={}", True, EMPTY),
    ("/cal?week={}", False, 0),
    ("/cal?n={}", True, PATIENCE),
    ("/cal/{}", True, PATIENCE),
    ("/cal?n={}", False, 0),
)  # fmt: skip
def test_other_numbers_end_where_only_the_next_one_leads_to_each(
    path: str, is_chain: bool, empty: int
) -> None:
    """Ten weeks with a text; each page has the numbers of the layout, also those of its URL."""
    urls, pages = [], {}
    for number in range(100, 180):
        url = HOST + path.format(number)
        depth = number if is_chain else 1
        urls.append(DatedUrl(number, url, "/cal", number < 111 + empty, False, depth))
        text = words(number) if number < 110 else "nothing on"
        packed = sketch_page([text, "Call 112 or 120"], [], [url])
        title = f"2026-{number % 12 + 1:02}"
        pages[number] = Signature.of(url, title, None, packed)
    (ending,) = endings(urls, pages.__getitem__)
    assert min(ending.beyond, default=None) == (111 + empty if empty else None)
    assert ending.empty == (set(range(110, 111 + empty)) if empty else set())


def test_dates_that_only_lead_to_pages_are_lists() -> None:
    texts = {9: "concert", 10: "concert", 11: "concert", 12: words("on tour"), 13: "concert"}
    urls = [
        DatedUrl(day, f"{HOST}/on/2026-03-{day + 1:02}", "/on", day > 0, False) for day in range(28)
    ]
    pages = {}
    for day in range(1, 28):
        packed = sketch_page([texts.get(day, "nothing on")], [], [])
        items = {100, 200 + day} if day in (9, 10, 11, 12) else {100}
        links = [(item, f"{HOST}/concerts/{item}", "", NONE) for item in items]
        pages[day] = Signature.of(urls[day].url, f"On {day}", None, packed, links)
    (ending,) = endings(urls, pages.__getitem__)
    assert ending.lists == {9, 10, 11}


def filtered(own: Callable[[str, str], tuple[str, list[str]]]) -> Roles:
    """A list by maker and by room. ``own``: text and links that a page has of its own."""
    site = Site()
    for maker, room in product(("", *MAKERS), ("", "attic", "hall")):
        chosen = {"maker": maker, "room": room}
        query = "&".join(f"{name}={value}" for name, value in chosen.items() if value)
        text, links = own(maker, room)
        items = [each for number, each in enumerate(PRODUCTS) if maker in ("", MAKERS[number])]
        filters = [f"/shop?room={each}" for each in ("attic", "hall")]
        filters += [f"/shop?maker={each}" for each in MAKERS]
        path = f"/shop?{query}" if query else "/shop"
        text = f"All lamps of the house. {text}"
        site.add(path, f"Lamps {maker} {room}", text, [*items, *filters, *links])
    return site.roles()


def counts(maker: str, room: str) -> str:
    """Counts beside filters, others under each choice; the list has one that no choice has."""
    some = Random(maker + room).sample(range(1, len(PRODUCTS)), 5) if maker or room else [40]
    return " ".join(f"{name} ({number})" for name, number in zip("abcde", some))


def prices(maker: str, room: str) -> str:
    """Numbers that count nothing."""
    return " ".join(f"{number}.50" for number in Random(maker + room).sample(range(1_000), 5))


@for_each((counts, "/shop"), (prices, ""))
def test_the_counts_of_filters_are_no_content(text: Callable[[str, str], str], stands: str) -> None:
    roles = filtered(lambda maker, room: (text(maker, room), []))
    assert variant(roles, "/shop?maker=new&room=cellar") == stands


def queries(maker: str, room: str) -> list[str]:
    """The query of a page, as a browser of tables has it."""
    return [f"/sql?q={'m' * bool(maker)}{'r' * bool(room)}&p0={maker or 'all'}&p1={room}"]


def places(maker: str, room: str) -> list[str]:
    """Pages to which only one of the list leads."""
    return [f"/at?p0={maker}&p1={room}&p2={number}" for number in (1, 2)]


@for_each((queries, "/shop"), (places, ""))
def test_a_link_to_the_query_of_a_page_is_no_item(
    links: Callable[[str, str], list[str]], stands: str
) -> None:
    roles = filtered(lambda maker, room: ("", links(maker, room)))
    assert variant(roles, "/shop?maker=new&room=cellar") == stands


def test_a_page_with_more_sentences_than_are_kept_may_have_the_others() -> None:
    site = Site()
    told = [f"{words(place, count=40)}." for place in range(130)]
    site.add("/all", "All", " ".join(told), ["/item"])
    for place in range(60):
        two = f"{told[place]} {told[place + 60]}"
        site.add(f"/all?only={place}", f"Only {place}", two, ["/item"])
    assert variant(site.roles(), "/all?only=7&only=8") == "/all"


def texts(pages: dict[str, tuple[str, int]]) -> Site:
    """Fetched pages by path: of each its text, and a hash of all its content."""
    site = Site()
    for path, (text, content) in pages.items():
        site.add(path, "", text)
        site.contents[key(HOST + path)] = content
    return site


TOPICS = [f"t{number}" for number in range(30)]


def topics(shown: Callable[[str, str], str]) -> dict[str, tuple[str, int]]:
    """30 topics, and below each three others. ``shown``: what a page below one shows."""
    pages = {f"/on/{name}/": words(name) for name in TOPICS}
    for place, name in enumerate(TOPICS):
        for step in (1, 2, 3):
            other = TOPICS[(place + step) % len(TOPICS)]
            pages[f"/on/{name}/{other}/"] = f"{name} > {other}: {shown(name, other)}"
    return {path: (text, number) for number, (path, text) in enumerate(pages.items())}


@for_each(*range(3))
def test_paths_of_which_the_last_name_decides(seed: int) -> None:
    found = texts(topics(lambda _, last: words(last))).recombined(seed)
    for path in ("/on/t1/t2/t3/", "/on/t9/t2/t1/t3/", "/on/unknown/t2/t3/"):
        variant = found.variant(HOST + path)
        assert variant is not None
        assert variant.url == f"{HOST}/on/t3/"
        assert variant.words.startswith("`/on/*/`: 23 of 23 sampled pages show nothing")
    for path in ("/on/t1/", "/on/v2/t3/", "/on/t1/unknown/", "/other/t1/t2/t3/"):
        assert found.variant(HOST + path) is None
    assert found.variant_read(f"{HOST}/on/t1/t2/")


@for_each(
    words,
    lambda first, _: words(first),
    lambda first, last: f"{words(last)} {int(first[1:]) * 31 + int(last[1:]) * 7 + 1_000} euros",
    lambda first, last: words(last, first if int(first[1:]) % 4 == 0 else ""),
)
def test_pages_of_their_own_below_others(shown: Callable[[str, str], str]) -> None:
    assert not texts(topics(shown)).recombined().has_any()


def test_equal_content_without_text_is_the_same() -> None:
    pages = topics(lambda _, last: words(last))
    same = {path: ("", pages[f"/on/{path.split('/')[-2]}/"][1]) for path in pages}
    assert texts(same).recombined().variant(f"{HOST}/on/t1/t2/t3/")
    empty = {path: ("", number) for path, (_, number) in pages.items()}
    assert not texts(empty).recombined().has_any()


VALUES = (COLOURS, SIZES, ("acme", "lumo", "vela"))


def filters(text: Callable[[list[str]], str], *, joined: str = "/", size: int = 3) -> Site:
    """200 lamps behind filters in the path, up to ``size`` of them, a value of each."""
    site = Site()
    lamps = {n: {Random(f"{n} {at}").choice(VALUES[at]) for at in range(3)} for n in range(200)}
    for chosen in product(*(("", *values) for values in VALUES)):
        names = [name for name in chosen if name]
        some = [f"/lamp-{n}" for n, values in lamps.items() if values.issuperset(names)]
        if len(names) > size:
            continue
        more = ([*names[:at], value, *names[at:]] for at in range(3) for value in VALUES[at])
        links = [f"/lamps/{joined.join(each)}" for each in more]
        if len(names) < size:
            some += links
        site.add(f"/lamps/{joined.join(names)}".rstrip("/"), " ".join(names), text(names), some)
    return site


@for_each(*range(3))
@for_each("/", "+", ",")
def test_filters_in_paths(joined: str, seed: int) -> None:
    found = filters(lambda _: words("lamps"), joined=joined).recombined(seed)
    for names in (["red", "m"], ["red", "m", "vela"], ["red", "vela", "s"]):
        assert path_of(found.variant(f"{HOST}/lamps/{joined.join(names)}")) == "/lamps/red"
    assert found.variant_read(f"{HOST}/lamps/{joined.join(['red', 'm'])}")
    for path in ("/lamps/red", "/lamps/red/new", "/other/red/m", "/lamps"):
        assert found.variant(HOST + path) is None


@for_each(
    (lambda names: words("lamps"), 2),  # each has its position
    (lambda names: words("lamps", *names[1:]), 3),
    (lambda names: words("lamps", names if len(names) > 1 and "l" in names else ""), 3),
)
def test_names_that_do_not_select(text: Callable[[list[str]], str], size: int) -> None:
    assert not filters(text, size=size).recombined().has_any()


FILES = [f"src/{name}.c" for name in WORDS[:12]]


def code_browser(
    values: Iterable[object] = range(1, 31),
    text: Callable[[str, str], str] = lambda name, value: f"{words(name)} {value}",
    title: str = "{name} at {value}",
    address: str = "/view/{value}/{name}",
    further: str = "",
    site: Site | None = None,
) -> Site:
    """Files at revisions. ``text`` of a file at one; ``further``: the address of its links.

    ``site``: to which they are added.
    """
    site = site or Site()
    for value in map(str, values):
        for name in FILES:
            to = further or address
            links = [to.format(value=value, name=other) for other in FILES]
            site.add(
                address.format(value=value, name=name),
                title.format(name=name, value=value, word=words(value).split()[0]),
                text(name, value),
                [*links, f"/revision/{value}"],
            )
    return site


@for_each(*range(3))
def test_versions(seed: int) -> None:
    """The latest of them stands for the others."""
    site = code_browser()
    found = site.versions(seed)
    for path in (f"/view/77/{FILES[3]}", f"/view/8eef71edc3ae/{FILES[3]}?sort=name"):
        variant = found.variant(HOST + path)
        assert variant is not None
        assert variant.url == f"{HOST}/view/30/{FILES[3]}"
        assert variant.words.startswith("`/view/*/`: 23 of 23 sampled pages show at least")
    for path in (f"/view/30/{FILES[3]}", f"/view/trunk/{FILES[3]}", "/view/7/src/gone.c"):
        assert found.variant(HOST + path) is None
    assert found.variant_read(f"{HOST}/view/7/{FILES[3]}", "")
    gone, firsts = [f"{HOST}/view/{n}/src/gone.c" for n in (7, 8)], Firsts(site)
    site.expected = {key(gone[0])}
    unread = [found.variant_unread(url, firsts) for url in gone]
    assert [each and each.url for each in unread] == [None, gone[0]]


def test_versions_of_which_few_were_fetched() -> None:
    """Versions that are linked count, too: there are many, and what recurs was tested."""
    linked = [f"/view/{value}/{FILES[0]}" for value in range(1, 31)]
    for links, is_known in ((linked, True), (linked[:20], False)):
        site = code_browser(range(1, 5))
        site.add("/changes", "Changes", words(7), links)
        assert site.versions().has_any() == is_known


IN_PATH, IN_QUERY = "/view/{value}/{name}", "/view?file={name}&rev={value}"
HASHES = [f"{crc32(bytes([n])):08x}a{n}" for n in range(5)]


def test_few_versions_under_hashes() -> None:
    """A repository of five commits: editions of a manual are as few, but have numbers or words."""
    for address in (IN_PATH, IN_QUERY):
        found = code_browser([*HASHES, "trunk"], address=address).versions()
        path, trunk = (address.format(value=value, name=FILES[3]) for value in (HASHES[1], "trunk"))
        assert variant(found, path) == trunk


def test_versions_of_short_files_under_hashes() -> None:
    """What is too short proves nothing, and is a version where others prove it.

    The beginning of a hash, in the titles, may have no digit.
    """
    letters = str.maketrans("0123456789", "abcdefabcd")
    hashes = [f"{crc32(bytes([n])):08x}".translate(letters) + f"{n}00000000" for n in range(30)]
    found = code_browser(
        ["trunk", *hashes],
        text=lambda name, _: words(name, count=30 if name in FILES[:3] else 3),
        title="{name} at {value:.7}",
    ).versions()
    for name, value in ((FILES[0], "0a1b2c3d"), (FILES[7], "0a1b2c3d")):
        assert variant(found, f"/view/{value}/{name}") == f"/view/trunk/{name}"
        assert found.variant_read(f"{HOST}/view/{hashes[7]}/{name}", "")


def test_a_version_under_a_word_stands_for_those_under_numbers() -> None:
    found = code_browser((*range(1, 31), "trunk")).versions()
    assert variant(found, f"/view/30/{FILES[3]}") == f"/view/trunk/{FILES[3]}"


def rates(value: str) -> str:
    return " ".join(str(number * int(value)) for number in (7919, 104_729, 1_299_709))


@for_each(
    *{
        "few versions": {"values": range(1, 13)},
        "years": {"values": range(1990, 2026)},
        "words": {"values": WORDS[60:90]},
        "a text of their own": {"text": words},
        "a text of their own under hashes": {"text": words, "values": HASHES},
        "other items under hashes": {"further": "/stop/a{value}/{name}", "values": HASHES},
        "one page in five with a text of its own": {
            "text": lambda name, value: words(
                name, value if crc32(f"{name}{value}".encode()) % 5 else 0
            )
        },
        "prices": {"text": lambda name, value: f"{words(name)} {rates(value)}"},
        "names as titles": {"title": "{word} {name}"},
        "other items": {"further": "/stop/a{value}/{name}"},
    }.items()
)
@for_each(IN_PATH, IN_QUERY)
def test_pages_under_numbers_that_are_no_versions(
    address: str, name: str, facts: dict[str, Any]
) -> None:
    assert not code_browser(address=address, **facts).versions().has_any(), name


def test_versions_in_queries() -> None:
    found = code_browser((*range(1, 31), "trunk"), address=IN_QUERY).versions()
    url = f"{HOST}/view?file={FILES[3]}&rev=77"
    variant = found.variant(url, pattern(url.removeprefix(HOST)))
    assert variant is not None
    assert variant.url == url.replace("77", "trunk")
    assert variant.words.startswith("`rev`: 23 of 23 sampled pages show at least four fifths")
    assert found.variant(url.replace(FILES[3], "gone.c")) is None


def test_a_kind_of_pages_that_are_no_versions() -> None:
    """What is proved of the pages with one value of a parameter is proved of no others."""
    for address in ("/view?file={name}&rev={value}&a=KIND", "/a/KIND?file={name}&rev={value}"):
        blob, blame, log = (address.replace("KIND", kind) for kind in ("blob", "blame", "log"))
        site = code_browser(address=blob)
        code_browser(range(1, 5), text=words, address=blame, site=site)
        found = site.versions()
        for kind, is_version in ((blob, True), (blame, False), (log, False)):
            path = kind.format(name=FILES[3], value=77)
            assert bool(found.variant(HOST + path, pattern(path))) == is_version, path
        path = blame.format(name=FILES[3], value=3)
        assert not found.variant_read(HOST + path, pattern(path))


def test_links_with_a_token() -> None:
    """Links of which a token proves nothing lead nowhere that is known."""
    token = "?key=41bd4e6f0a7c93d2"
    site = code_browser(further=f"/stop/{{name}}{token}")
    assert site.versions().has_any()
