"""Combinations without end around 300 real pages: facets, orders, views, states."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from random import Random
from string import ascii_lowercase
from urllib.parse import parse_qsl, quote, urlencode

from tests.helpers.server import Answer, redirect
from tests.spaces.pages import (
    Theme,
    anchors,
    around,
    behind,
    by_one_script,
    digest,
    image,
    in_paths,
    matching,
    real,
    vocabulary,
    words,
)
from tests.spaces.space import Part, endless

THEME = Theme("The real pages", ("/", "Start"))
FACETS = ("brand", "colour", "fit", "material", "price", "size")
SHOES = [words(f"shoe {number}", 2) for number in range(30)]
TAGS = [words(f"tag {number}", 1) for number in range(14)]
CHAPTER = r"/real-([1-9]\d?|[12]\d\d)"


def _choice(chosen: dict[str, str]) -> str:
    return " and ".join(f"{name} {value}" for name, value in sorted(chosen.items())) or "all"


def _shown(*seed: object) -> str:
    return f"<p>{', '.join(Random(str(seed)).sample(SHOES, 10))}</p>"


@endless(tolerated=r"/shop(?:\?.*)?", most=100)
@behind(r"/shop(?:\?(.*))?", doors=lambda _: ["/shop"])
def facets(found: re.Match[str]) -> Answer:
    """Six facets with eight values: every choice leads to all that differ in one of them."""
    chosen = dict(parse_qsl(found[1] or ""))
    links = [
        f"/shop?{urlencode(sorted({**chosen, facet: value}.items()))}"
        for facet in FACETS
        for value in map(str, range(1, 9))
    ]
    return THEME(f"Shoes: {_choice(chosen)}", _shown(*sorted(chosen.items())), links=links)


@endless(tolerated=r"/cars(?:\?.*)?", most=60)
@behind(r"/cars(?:\?(.*))?", doors=lambda _: ["/cars"])
def cars_by_year(found: re.Match[str]) -> Answer:
    """A list of 240 cars with four filters, one of them a year, that each link combines."""
    chosen = dict(parse_qsl(found[1] or ""))
    choices = {
        "make": [f"make{n}" for n in range(8)],
        "year": [str(2001 + n) for n in range(12)],
        "fuel": ["gas", "oil", "volt", "wood"],
    }
    cars = [
        f"/real-{number}"
        for number in range(1, 241)
        if all(
            chosen.get(name, some[number * 7 // (place + 1) % len(some)])
            == some[number * 7 // (place + 1) % len(some)]
            for place, (name, some) in enumerate(choices.items())
        )
    ]
    links = [
        f"/cars?{urlencode(sorted({**chosen, name: value}.items()))}"
        for name, values in {**choices, "order": ["price", "age", "km"]}.items()
        for value in values
    ]
    return THEME("Cars", f"<p>{len(cars)} cars.</p>", links=[*cars, *links])


@endless(tolerated=r"/shop/.*", most=800)
@behind(r"/shop/(?:[a-z]+-\d/)*", doors=lambda _: ["/shop/"])
def facets_in_paths(found: re.Match[str]) -> Answer:
    """The same as a path: /shop/brand-3/colour-4/."""
    chosen = dict(part.split("-") for part in found[0].split("/")[2:-1])
    links = []
    for facet in FACETS:
        for value in map(str, range(1, 9)):
            parts = sorted({**chosen, facet: value}.items())
            links.append(f"/shop/{''.join(f'{name}-{n}/' for name, n in parts)}")
    return THEME(f"Shoes: {_choice(chosen)}", _shown(*sorted(chosen.items())), links=links)


class View:
    """A view of rows by its query: filters, counts of values, an order, a size and a page."""

    def __init__(self, path: str, query: str, rows: Mapping[int, Mapping[str, object]]) -> None:
        self._path = path
        self._pairs = parse_qsl(query)
        self.chosen = dict(self._pairs)
        found = [
            number
            for number, row in rows.items()
            if all(self.chosen.get(name, str(value)) == str(value) for name, value in row.items())
        ]
        self.count = len(found)
        found.sort(key=lambda number: str(rows[number].get(self.chosen.get("_sort", ""), "")))
        self._start = int(self.chosen.get("_next", 0))
        self._end = self._start + (100 if "_size" in self.chosen else 50)
        self.shown = found[self._start : self._end]

    def other(self, *, without: str = "", **more: str) -> str:
        """The address of another view."""
        kept = [(n, v) for n, v in self._pairs if n not in {"_next", without, *more}]
        return f"{self._path}?{urlencode(sorted([*kept, *more.items()]))}"

    def links(self, values: Mapping[str, Sequence[str]]) -> list[str]:
        """The views that it leads to; ``values``: by column, those that are counted."""
        counted = {value for name, value in self._pairs if name == "_count"}
        links = [self.other(_sort=name) for name in values] + [self.other(_size="max")]
        links += [f"{self.other()}&_count={name}" for name in values if name not in counted]
        links += [self.other(**{n: value}) for n in counted for value in values.get(n, ())]
        links += [self.other(without=name) for name in self.chosen]
        return links + [self.other(_next=str(self._end))] * (self._end < self.count)


@endless(tolerated=r"/table(?:\?.*)?", most=400)
def views_of_a_table() -> Part:
    """A table with filters, counts of values, orders, sizes and pages, in any combination.

    There are some 10,000,000 views of its 299 rows; each parameter may be there or not.
    """
    values = {
        "kind": ("bowl", "coin", "lamp", "ring", "vase"),
        "material": ("clay", "gold", "tin"),
        "maker": tuple(map(str, range(1, 41))),
    }
    rows = {
        number: {name: Random(f"{name} {number}").choice(all_) for name, all_ in values.items()}
        for number in range(1, 300)
    }

    @matching(r"/table(?:\?(.*))?")
    def answer(found: re.Match[str]) -> Answer:
        view = View("/table", found[1] or "", rows)
        cells = [
            f'<tr><td><a href="/real-{n}">{n}</a><td>{rows[n]["kind"]}<td>{rows[n]["material"]}'
            f'<td><a href="{view.other(maker=rows[n]["maker"])}">{words(rows[n]["maker"], 2)}</a>'
            f"<td>{words(f'note {n}', 6)}</tr>"
            for n in view.shown
        ]
        title = f"{view.count} rows where {_choice(view.chosen)}"
        return THEME(title, f"<table>{''.join(cells)}</table>", links=view.links(values))

    return around(answer, doors=lambda _: ["/table"])


ROWS = range(1, 251)
LOANS = {number: Random(f"loan {number}").choice(ROWS) for number in range(1, 60)}


def _record(number: int, vocabulary: Sequence[str], length: int) -> dict[str, object]:
    return {
        "kind": Random(f"kind {number}").choice(("bowl", "coin", "lamp", "ring", "vase")),
        "material": Random(f"material {number}").choice(("clay", "gold", "tin")),
        "maker": Random(f"maker {number}").choice(range(1, 41)),
        "note": " ".join(Random(f"note {number}").choices(vocabulary, k=length)),
    }


def _database(vocabulary: Sequence[str], length: int) -> Part:
    records = {number: _record(number, vocabulary, length) for number in ROWS}

    def rows(numbers: Iterable[int]) -> str:
        cells = (
            f'<tr><td><a href="/hoard/objects/{n}">{n}</a><td>{records[n]["kind"]}'
            f"<td>{records[n]['material']}<td>maker {records[n]['maker']}"
            f"<td>{records[n]['note']}</tr>"
            for n in numbers
        )
        return f"<table>{''.join(cells)}</table>"

    def answer(path: str) -> Answer | None:
        where, _, query = path.partition("?")
        if found := re.fullmatch(r"/hoard/objects/(\d+)", path):
            number = int(found[1])
            links = [f"/hoard/loans?object={number}", "/hoard/objects"]
            return THEME("objects", rows([number]), links=links) if number in ROWS else None
        if where == "/hoard/loans":
            chosen = dict(parse_qsl(query))
            some = [n for n, row in LOANS.items() if chosen.get("object", str(row)) == str(row)]
            return THEME(f"{len(some)} loans", rows(LOANS[n] for n in some))
        if where != "/hoard/objects":
            return None
        names = ("kind", "material", "maker")
        values = {name: sorted({str(row[name]) for row in records.values()}) for name in names}
        view = View(where, query, records)
        title = f"{view.count} rows where {_choice(view.chosen)}"
        return THEME(title, rows(view.shown), links=view.links(values))

    return around(answer, doors=lambda _: ["/hoard/objects", "/hoard/loans"])


_records = endless(
    tolerated=r"/hoard/(?:objects|loans)(?:\?.*)?",
    most=700,  # the loans of each object among them
    also=lambda: frozenset(f"/hoard/objects/{number}" for number in ROWS),
    requests=1_250,
)


@_records
def rows_of_a_table() -> Part:
    """A table with views as above; each row has a page, and says nothing that no view says."""
    return _database(words("vocabulary", 60).split(), 6)


@_records
def rows_of_few_words() -> Part:
    """The same where the rows have two of eight words: all is said after a few of them."""
    return _database(words("vocabulary", 8).split(), 2)


@endless(tolerated=r"/filter(?:\?.*)?", most=100)
@behind(r"/filter(?:\?f=([\d,]+))?", doors=lambda _: ["/filter"])
def facets_of_many_values(found: re.Match[str]) -> Answer:
    """One parameter with any set of 40 values, ?f=3,7,12, in the order of the clicks."""
    chosen = (found[1] or "").split(",") if found[1] else []
    links = [f"/filter?f={','.join([*chosen, str(n)])}" for n in range(40) if str(n) not in chosen]
    return THEME("Shoes", _shown(*sorted(chosen)), links=links)


CHOICES = {
    "dir": ("asc", "desc"),
    "limit": ("5", "10", "15", "25", "30", "50"),
    "order": ("name", "price", "date", "rating", "weight", "code", "stock"),
    "page": ("1", "2", "3", "4", "5", "6"),
    "view": ("grid", "list", "table", "compact"),
    "stock": ("yes", "no", "any"),
}


@endless(tolerated=r"/list(?:\?.*)?", most=100)
@behind(r"/list(?:\?(.*))?", doors=lambda _: ["/list"])
def orders(found: re.Match[str]) -> Answer:
    """Sort, order, view, items a page and page of one list of 30 things."""
    chosen = dict(parse_qsl(found[1] or ""))
    links = [
        f"/list?{urlencode({**chosen, name: value})}"
        for name, values in CHOICES.items()
        for value in values
    ]
    shown = Random(chosen.get("order", "name")).sample(SHOES, 30)
    if chosen.get("dir") == "desc":
        shown.reverse()
    size = int(chosen.get("limit", 10))
    start = size * (int(chosen.get("page", 1)) - 1)
    return THEME("Shoes", f"<p>{', '.join(shown[start : start + size])}</p>", links=links)


@endless(tolerated=r"/shop(?:/.*)?", most=100)
def named_facets_in_paths() -> Part:
    """Six facets with eight values, as /shop/brand:3/colour:4."""
    return in_paths(facets())


@endless(tolerated=r"/list(?:/.*)?", most=100)
def named_orders_in_paths() -> Part:
    """Orders, views, sizes and pages of a list, as /list/page:2/sort:name."""
    return in_paths(orders())


@endless(tolerated=r"/sorted(?:\?.*)?")
@behind(r"/sorted(?:\?(.*))?", doors=lambda _: ["/sorted"])
def parameters_appended(found: re.Match[str]) -> Answer:
    """Each click appends a parameter instead of replacing it: ?by=a&by=b&by=a."""
    query = found[1] or ""
    before = f"{query}&" if query else ""
    links = [f"/sorted?{before}by={name}" for name in ("name", "price", "date")]
    return THEME("Shoes", _shown(), links=links)


@endless(tolerated=r"/index\.php\?.*", most=5)
def edit_forms() -> Part:
    """A wiki's forms: action=edit, oldid=, diff= of each page, noindex,nofollow."""
    hidden = '<meta name="robots" content="noindex,nofollow">'

    def answer(path: str) -> Answer | None:
        where, _, query = path.partition("?")
        chosen = dict(parse_qsl(query))
        if where != "/index.php" or "title" not in chosen:
            return None
        title, old = chosen["title"], int(chosen.get("oldid", 0))
        base = f"/index.php?title={title}"
        links = [f"{base}&action=edit&oldid={old + n}" for n in range(1, 9)]
        links += [f"{base}&diff={old + n}&oldid={old}" for n in range(1, 5)]
        form = f"<form><textarea>{words(title, 30)}</textarea></form>"
        return THEME(f"Editing {title}", form, links=links, head=hidden)

    def doors(number: int) -> list[str]:
        base = f"/index.php?title=Chapter_{number}"
        return [f"{base}&action=edit", f"{base}&action=history", f"{base}&oldid={number + 7}"]

    return around(answer, doors=doors)


@endless(tolerated=r"/index\.php\?.*", most=100)
@behind(
    r"/index\.php\?(.*)", doors=lambda n: [f"/index.php?oldid={10 * n + 1000}&title=Chapter_{n}"]
)
def revisions(found: re.Match[str]) -> Answer | None:
    """Every chapter's old revisions and differences, which may be indexed."""
    chosen = dict(parse_qsl(found[1]))
    if not chosen.get("oldid", "x").isdigit():
        return None
    title, old = chosen.get("title", ""), int(chosen["oldid"])
    base = f"/index.php?oldid={{}}&title={title}"
    links = [base.format(old + n) for n in (-1, 1) if old + n > 0]
    links += [f"/index.php?diff={old + n}&oldid={old}&title={title}" for n in range(1, 4)]
    text = f"<p>Revision {old}. {words(title, 40)}.</p>"
    return THEME(f"{title}: revision", text, links=links)


@endless(tolerated=r"/search\?.*", most=100)
@behind(r"/search\?q=([a-z+]+)", doors=lambda n: [f"/search?q={words(f'door {n}', 1)}"])
def searches_of_searches(found: re.Match[str]) -> Answer:
    """A search that leads to searches of other words, without end."""
    links = [f"/search?q={words(f'{found[0]} {n}', 1)}" for n in range(8)]
    text = f"<p>Nothing was found for {found[1]}. Other people search for:</p>"
    return THEME(f"Search: {found[1]}", text, links=links)


@endless(tolerated=r"/search\?.*", most=100)
@behind(r"/search\?q=([a-z+]+)", doors=lambda n: [f"/search?q={words(f'door {n}', 1)}"])
def searches_with_results(found: re.Match[str]) -> Answer:
    """The same, each search showing ten of the real pages."""
    numbers = Random(found[0]).sample(range(1, 300), 10)
    results = [(f"/real-{n}", f"Chapter {n}") for n in numbers]
    links = [f"/search?q={words(f'{found[0]} {n}', 1)}" for n in range(8)]
    return THEME(f"Search: {found[1]}", anchors(results), links=links)


@endless(tolerated=r"/map\?.*")
@behind(r"/map\?lat=(-?\d+\.\d)&lon=(-?\d+\.\d)", doors=lambda _: ["/map?lat=52.5&lon=13.4"])
def geo_grid(found: re.Match[str]) -> Answer:
    """Tiles of a map without an edge, ?lat=&lon=."""
    lat, lon = float(found[1]), float(found[2])
    steps = ((0, 0.1), (0, -0.1), (0.1, 0), (-0.1, 0))
    links = [f"/map?lat={lat + y:.1f}&lon={lon + x:.1f}" for y, x in steps]
    return THEME("Map", f"<p>Centre: {lat:.1f}, {lon:.1f}. Nothing here.</p>", links=links)


def _codes(path: str) -> list[str]:
    where = path.partition("?")[0]
    codes = ("".join(Random(f"{path}{n}").choices(ascii_lowercase, k=2)) for n in range(6))
    return [f"{where}?lang={code}" for code in codes]


@endless(tolerated=r"/real-\d+\?lang=[a-z]+", most=60)
@behind(rf"{CHAPTER}\?lang=([a-z]{{2}})", doors=lambda n: _codes(f"/real-{n or 1}"))
def unknown_languages(found: re.Match[str]) -> Answer:
    """?lang= of each page in any code, and always the same page."""
    return real(int(found[1]), _codes(found[0]), THEME)


@endless(tolerated=r"/login\?.*", most=12)
@behind(r"/login\?return=.*", doors=lambda n: [f"/login?return=%2Freal-{n}"])
def return_addresses(found: re.Match[str]) -> Answer:
    """A login form whose address holds the page that it was reached from, nested for ever."""
    back = quote(found[0], safe="")
    links = [f"/login?return={back}", f"/login?return={back}%26x"]
    return THEME("Log in", "<form>Name and password, please.</form>", links=links)


def _trails(path: str, trail: object) -> list[str]:
    return [f"/real-{n}?via={trail}" for n in Random(path).sample(range(1, 300), 3)]


@endless(tolerated=r"/real-\d+\?.*", most=60)
@behind(rf"{CHAPTER}\?via=([\d,]+)", doors=lambda n: _trails(f"{n}", n))
def trails(found: re.Match[str]) -> Answer:
    """A parameter that grows by every page that was visited on the way: ?via=3,10,33."""
    return real(int(found[1]), _trails(found[0], f"{found[2]},{found[1]}"), THEME)


@endless(tolerated=r"/real-\d+\?ref=.*", most=60)
@behind(rf"{CHAPTER}\?ref=([\w,-]+)", doors=lambda n: [f"/real-{n * 7 % 299 + 1}?ref=real-{n}"])
def referrers(found: re.Match[str]) -> Answer:
    """The same with a name that is known to advertisers: ?ref=."""
    return real(int(found[1]), [f"/real-{found[1]}?ref={found[2]},real-{found[1]}"], THEME)


@endless(tolerated=r"/compare\?.*", most=100)
@behind(r"/compare\?ids=([\d-]+)", doors=lambda n: [f"/compare?ids={n % 30}"])
def comparisons(found: re.Match[str]) -> Answer:
    """Any set of 30 things side by side, ?ids=3-7-12."""
    chosen = sorted({int(n) for n in found[1].split("-") if n and int(n) < 30})
    links = []
    for other in range(30):
        ids = sorted(set(chosen) ^ {other}) or [other]
        links.append(f"/compare?ids={'-'.join(map(str, ids))}")
    text = "".join(f"<p>{SHOES[n]}, {n * 7 + 40} euros</p>" for n in chosen)
    return THEME("Comparison", text, links=links)


@endless(tolerated=r"/changes\?.*", most=20)
@behind(r"/changes(?:\?(.*))?", doors=lambda _: ["/changes?days=7"])
def recent_changes(found: re.Match[str]) -> Answer:
    """A wiki's recent changes by days, number and time of the last look at them."""
    seen = 20260101000000 + int(digest(found[1] or "")[:6], 16)
    links = [
        f"/changes?days={days}&from={seen}&limit={limit}"
        for days in (1, 3, 7, 14, 30)
        for limit in (50, 100, 250, 500)
    ]
    changed = [(f"/real-{n}", f"Chapter {n}") for n in range(1, 11)]
    return THEME("Recent changes", anchors(changed), links=links)


@endless(tolerated=r"/tagged/.*", most=500)
@behind(r"/tagged/(.*)", doors=lambda n: [f"/tagged/{TAGS[n % 14]}"])
def tag_intersections(found: re.Match[str]) -> Answer | None:
    """What has all of some tags, /tagged/a+b+c, each with links to add another one."""
    chosen = found[1].split("+")
    if not set(chosen) <= set(TAGS):
        return None
    links = [f"/tagged/{'+'.join([*chosen, tag])}" for tag in TAGS if tag not in chosen]
    having = [n for n in range(1, 300) if int(digest(n, chosen[0])[:2], 16) < 20 // len(chosen)]
    shown = anchors((f"/real-{n}", f"Chapter {n}") for n in having)
    return THEME(f"Tagged {' and '.join(chosen)}", shown, links=links)


@endless(tolerated=r"/tiles\?.*", most=300)
@behind(r"/tiles\?x=(-?\d+)&y=(-?\d+)&z=(\d+)", doors=lambda _: ["/tiles?x=5&y=9&z=4"])
def map_tiles(found: re.Match[str]) -> Answer:
    """Tiles of a map without an edge: an image on each, named by the same numbers."""
    x, y, z = map(int, found.groups())
    near = [(x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z), (2 * x, 2 * y, z + 1)]
    links = [f"/tiles?x={a}&y={b}&z={c}" for a, b, c in near]
    return THEME("Map", image(f"/tiles/{z}/{x}/{y}.png"), links=links)


LAMP_FACETS = {
    "colour": ("red", "green", "blue", "white", "black"),
    "size": ("small", "medium", "large"),
    "brand": ("acme", "lumo", "vela", "orbit"),
    "room": ("kitchen", "hall", "office", "garden"),
}
LAMPS = {
    number: {name: Random(f"{name} {number}").choice(all_) for name, all_ in LAMP_FACETS.items()}
    for number in range(1, 241)
}


def _lamp(number: int) -> str:
    return f"/lamp-{number}/"


def _lamp_shop(*, is_ordered: bool, size: int = len(LAMPS)) -> Part:
    """``size``: products that a list shows at a time; ``?page=2`` goes on."""
    of_value = {value: name for name, values in LAMP_FACETS.items() for value in values}

    def url(values: Iterable[str]) -> str:
        places = [*of_value]
        order = sorted(values, key=places.index) if is_ordered else values
        return f"/lamps/{''.join(f'{value}/' for value in order)}"

    def answer(path: str) -> Answer | None:
        if found := re.fullmatch(r"/lamp-(\d+)/", path):
            number = int(found[1])
            facts = LAMPS.get(number)
            text = f"<p>{words(f'lamp {number}', 30)}.</p>"
            return facts and THEME(f"Lamp {number}", text, links=[url([v]) for v in facts.values()])
        if not (found := re.fullmatch(r"(/lamps/(?:[a-z]+/)*)(?:\?page=(\d+))?", path)):
            return None
        chosen, page = found[1].split("/")[2:-1], int(found[2] or 1)
        names = {of_value.get(value) for value in chosen}
        if None in names or len(names) < len(chosen):
            return None
        some = [n for n, facts in LAMPS.items() if {*chosen} <= {*facts.values()}]
        others = (value for value, name in of_value.items() if name not in names)
        more = [(url([*chosen, value]), value) for value in others]
        less = [(url([v for v in chosen if v != value]), f"not {value}") for value in chosen]
        shown = some[(page - 1) * size : page * size]
        items = [(_lamp(number), f"Lamp {number}") for number in shown]
        further = [(f"?page={page + 1}", "Next")] if page * size < len(some) else []
        title = f"{' '.join(chosen)} lamps".strip().capitalize()
        links = [*more, *less, *further]
        return THEME(title, f"<p>{len(some)} found</p>", anchors(items), links=links)

    return around(answer, doors=lambda _: ["/lamps/"])


def _lamps() -> frozenset[str]:
    return frozenset(map(_lamp, LAMPS)) | {"/lamps/"}


@endless(tolerated=r"/lamps/.*", most=16, also=_lamps)
def filters_in_paths() -> Part:
    """240 products behind four filters in the path, in one order: /lamps/red/large/."""
    return _lamp_shop(is_ordered=True)


@endless(tolerated=r"/lamps/.*", most=16, also=_lamps)
def filters_in_paths_in_any_order() -> Part:
    """The same in any order: /lamps/large/red/ is /lamps/red/large/."""
    return _lamp_shop(is_ordered=False)


@endless(tolerated=r"/lamps/.*", most=70, also=_lamps)
def filters_in_paths_with_pages() -> Part:
    """The same, 20 products at a time."""
    return _lamp_shop(is_ordered=False, size=20)


def _lists() -> frozenset[str]:
    return frozenset(map(_lamp, LAMPS)) | {f"/list-{number}" for number in range(12)}


def _ordered_lists(*, carries: bool) -> Part:
    """Orders of two parameters; ``carries``: links to products have them, too."""
    columns = ("price", "name", "date", "rating")

    @matching(r"/(list|lamp)-(\d+)/?(?:\?(.*))?")
    def answer(found: re.Match[str]) -> Answer | None:
        number, chosen = int(found[2]), dict(parse_qsl(found[3] or ""))
        order = {name: chosen[name] for name in ("column", "way") if name in chosen}
        if found[1] == "lamp":
            return THEME(f"Lamp {number}", f"<p>{words(f'lamp {number}', 30)}.</p>")
        page, carried = int(chosen.get("page", 1)), f"?{urlencode(order)}" if carries else ""
        some = [n for n in LAMPS if n % 12 == number]
        if order:
            some.sort(key=lambda n: digest(n, order["column"]), reverse=order["way"] == "down")
        ways = [{"column": column, "way": way} for column in columns for way in ("up", "down")]
        further = [{**order, "page": "2"}] if page == 1 else []
        lamps = [
            (_lamp(n) + carried.rstrip("?"), f"Lamp {n}") for n in some[page * 10 - 10 : page * 10]
        ]
        links = [f"/list-{number}?{urlencode(sorted(o.items()))}" for o in (*ways, *further)]
        return THEME(f"List {number}", anchors(lamps), links=links)

    return around(answer, doors=lambda n: [f"/list-{n % 12}"])


@endless(tolerated=r"/list-\d+\?.*", most=12, also=_lists)
def orders_of_two_parameters() -> Part:
    """Lists of two pages, ordered by a column and a direction that always come together."""
    return _ordered_lists(carries=False)


@matching(r"/lamp-(\d+)/")
def _lamp_page(found: re.Match[str]) -> Answer:
    return THEME(f"Lamp {found[1]}", f"<p>{words(f'lamp {found[1]}', 30)}.</p>")


def _orders_in_every_link(about: str) -> Part:
    values = {"sort": ("name", "price", "age", "rank"), "view": ("grid", "rows"), "way": ("a", "d")}

    def link(chosen: dict[str, str]) -> str:
        return f"/list?{urlencode(sorted(chosen.items()))}"

    start = {"group": "0", "page": "1", "sort": "name", "view": "grid", "way": "a"}

    @matching(r"/list\?(.*)")
    def answer(found: re.Match[str]) -> Answer:
        chosen = dict(parse_qsl(found[1]))
        some = [n for n in LAMPS if n % 12 == int(chosen["group"])]
        some.sort(key=lambda n: digest(n, chosen["sort"]), reverse=chosen["way"] == "d")
        page = int(chosen["page"])
        lamps = [(_lamp(n), f"Lamp {n}") for n in some[page * 10 - 10 : page * 10]]
        ways = [{**chosen, "page": "1", n: v} for n, every in values.items() for v in every]
        pages = [{**chosen, "page": str(n)} for n in range(1, 3)]
        groups = [{**chosen, "page": "1", "group": str(n)} for n in range(12)]
        links = map(link, (*ways, *pages, *groups))
        return THEME(f"{about} {chosen['group']}", anchors(lamps), links=links)

    return around(lambda path: answer(path) or _lamp_page(path), doors=lambda _: [link(start)])


@endless(tolerated=r"/list\?.*", most=60, also=lambda: frozenset(map(_lamp, LAMPS)))
def orders_in_every_link() -> Part:
    """12 lists of two pages, each with 16 orders and views that every link to them names."""
    return _orders_in_every_link("List")


@endless(
    tolerated=r"/index\.php\?act=list.*",
    most=60,
    also=lambda: frozenset(f"/index.php?act=lamp&id={number}" for number in LAMPS),
)
def orders_in_every_link_of_a_script() -> Part:
    """The same by a script that shows all lists and lamps."""
    return by_one_script(_orders_in_every_link("List"), list="/list", lamp="/lamp{}/")


@endless(
    tolerated=r"/index\.php\?act=list.*",
    most=24,
    also=lambda: frozenset(
        [f"/index.php?act=lamp&id={number}" for number in LAMPS]
        + [f"/index.php?act=list&id={number}" for number in range(12)]
    ),
)
def orders_of_two_parameters_of_a_script() -> Part:
    """Lists that only name their order beside others, by a script that also shows the lamps."""
    return by_one_script(_ordered_lists(carries=False), list="/list{}", lamp="/lamp{}/")


BRANDS, COLOURS = (("all", *(f"{name}-{n}" for n in range(6))) for name in ("brand", "colour"))


def _single_choices() -> frozenset[str]:
    """The lists of one brand or colour, and the list of all, each by its first page."""
    ways = [*((brand, "all") for brand in BRANDS), *(("all", colour) for colour in COLOURS)]
    lists = (f"/all?brand={b}&colour={c}&page=1&sort=name" for b, c in ways)
    return frozenset(lists) | frozenset(map(_lamp, LAMPS))


@endless(tolerated=r"/all\?.*", most=20, also=_single_choices)
def choices_in_every_link() -> Part:
    """A list by brand, colour, order and page, which every link to it names, also those of all."""

    def link(**chosen: str) -> str:
        return f"/all?{urlencode(sorted(chosen.items()))}"

    @matching(r"/all\?(.*)")
    def answer(found: re.Match[str]) -> Answer:
        chosen = dict(parse_qsl(found[1]))
        some = [n for n in LAMPS if chosen["brand"] in ("all", BRANDS[1 + n % 6])]
        some = [n for n in some if chosen["colour"] in ("all", COLOURS[1 + n // 6 % 6])]
        some.sort(key=lambda n: digest(n, chosen["sort"]))
        page = int(chosen["page"])
        lamps = [(_lamp(n), f"Lamp {n}") for n in some[page * 20 - 20 : page * 20]]
        first = {**chosen, "page": "1"}
        links = [link(**{**first, "brand": brand}) for brand in BRANDS]
        links += [link(**{**first, "colour": colour}) for colour in COLOURS]
        links += [link(**{**first, "sort": sort}) for sort in ("name", "price", "age")]
        links += [link(**{**chosen, "page": str(n + 1)}) for n in range(-(-len(some) // 20))]
        names = [chosen[name] for name in ("brand", "colour") if chosen[name] != "all"]
        return THEME(" ".join(names or ["All"]), anchors(lamps), links=links)

    start = link(brand="all", colour="all", page="1", sort="name")
    return around(lambda path: answer(path) or _lamp_page(path), doors=lambda _: [start])


@endless(tolerated=r"/list-\d+/.*", most=12, also=_lists)
def named_orders_of_two_parameters() -> Part:
    """A column and its direction, as /list-3/order:name/way:up."""
    return in_paths(_ordered_lists(carries=False))


@endless(
    tolerated=r"/list-\d+/(?:page/\d/)?(?:\?.*)?",
    most=36,
    also=lambda: frozenset(map(_lamp, LAMPS)) | {f"/list-{number}/" for number in range(12)},
)
def orders_of_pages_in_paths() -> Part:
    """12 lists of three pages, the further ones in paths, each in five orders and two colours."""
    orders = ("price", "name", "date", "rating", "sales")

    @matching(r"/list-(\d+)/(?:page/(\d)/)?(?:\?(.*))?")
    def answer(found: re.Match[str]) -> Answer | None:
        chosen = dict(parse_qsl(found[3] or ""))
        some = [n for n in LAMPS if n % 12 == int(found[1])]
        some = [n for n in some if chosen.get("colour", str(n // 12 % 2)) == str(n // 12 % 2)]
        some.sort(key=lambda n: digest(n, chosen.get("orderby", "")))
        page = int(found[2] or 1)
        shown = some[page * 8 - 8 : page * 8]
        lamps = [(_lamp(n), f"Lamp {n}") for n in shown]
        first = f"/list-{found[1]}/"
        ways = [{**chosen, "orderby": order} for order in orders]
        ways += [{**chosen, "colour": colour} for colour in "01"]
        links = [f"{first}?{urlencode(sorted(way.items()))}" for way in ways]
        query = f"?{urlencode(sorted(chosen.items()))}" if chosen else ""
        pages = [f"{first}page/{n}/" if n > 1 else first for n in range(1, len(some) // 8 + 2)]
        links += [each + query for each in pages]
        return THEME(f"List {found[1]}", anchors(lamps), links=links) if shown else None

    doors = [f"/list-{number}/" for number in range(12)]
    return around(lambda path: answer(path) or _lamp_page(path), doors=lambda n: [doors[n % 12]])


COLUMNS = ("age", "code", "maker", "name", "price", "rank", "room", "state", "year")


@endless(tolerated=r"/list-\d+\?.*", most=24, also=_lists)
def orders_with_a_user() -> Part:
    """12 lists of two pages by columns of their own; all links of every second one name a user."""

    @matching(r"/list-(\d+)(?:\?(.*))?")
    def answer(found: re.Match[str]) -> Answer:
        number, chosen = int(found[1]), dict(parse_qsl(found[2] or ""))
        page, up = int(chosen.get("page", 1)), "asc" in chosen
        own = [column for column in COLUMNS if digest(number, column) < "9"]
        sort = chosen.get("sort", own[0])
        some = [n for n in LAMPS if n % 12 == number]
        some.sort(key=lambda n: digest(n, sort), reverse="sort" in chosen and not up)
        lamps = [(_lamp(n), f"Lamp {n}") for n in some[page * 10 - 10 : page * 10]]
        user = {"user": "guest"} if number % 2 else {}
        ways = [{"sort": name, **({} if up and name == sort else {"asc": "1"})} for name in own]
        ways.append({**chosen, "page": str(3 - page)})
        links = [f"/list-{number}?{urlencode(sorted({**way, **user}.items()))}" for way in ways]
        return THEME(f"List {number}", anchors(lamps), links=links)

    doors = sorted(_lists() - {*map(_lamp, LAMPS)})
    return around(lambda path: answer(path) or _lamp_page(path), doors=lambda n: [doors[n % 12]])


@endless(tolerated=r"/(?:list-\d+|lamp-\d+/)\?.*", most=12, also=_lists)
def orders_that_products_carry() -> Part:
    """The same, with the order in the links to the products."""
    return _ordered_lists(carries=True)


@endless(tolerated=r"/real-\d+\?.*", most=0, requests=100)
def dates_of_a_stay() -> Part:
    """Two dates that change nothing on 300 pages, each leading to those of the next day."""

    @matching(r"/real-(\d+)\?arrival=(.*)&departure=(.*)")
    def answer(found: re.Match[str]) -> Answer:
        return real(int(found[1]), [_stay(int(found[1]), date.fromisoformat(found[3]))], THEME)

    return around(answer, doors=lambda n: [_stay(n, date(2026, 7, 1))])


def _stay(number: int, day: date) -> str:
    return f"/real-{number}?arrival={day}&departure={day + timedelta(days=1)}"


@endless(
    tolerated=r"/thread\?.*",
    most=20,
    also=lambda: frozenset(f"/thread?id={number}&mod=view" for number in range(80)),
    requests=400,
)
def threads_in_other_orders() -> Part:
    """Threads of a forum, also as the list led to them, from the last post on, and by author."""
    posts = {number: Random(number).choice((1, 3, 8, 14)) for number in range(80)}

    @matching(r"/thread\?(.*)")
    def answer(found: re.Match[str]) -> Answer:
        chosen = dict(parse_qsl(found[1]))
        number, page = int(chosen["id"]), int(chosen.get("page", 1))
        some = [n for n in range(posts[number]) if chosen.get("author") in (None, str(n % 5))]
        shown = some[:: -1 if "last" in chosen else 1][page * 10 - 10 : page * 10]
        thread = {"mod": "view", "id": number}
        back = {"back": chosen["back"]} if "back" in chosen else {}
        links = [
            *({**thread, "page": 1, "author": n % 5} for n in shown),
            *({**thread, **back, "page": n + 1} for n in range(-(-len(some) // 10))),
            {**thread, **back, "last": 1},
            thread,
        ]
        texts = "".join(f"<p>{words(f'post {number} {n}', 25)}.</p>" for n in shown)
        return THEME(
            f"Thread {words(f'{number}', 3)}",
            texts,
            links=[f"?{urlencode(each)}" for each in links],
        )

    return around(
        answer,
        doors=lambda n: [f"/thread?mod=view&id={n}&back=page%3D{n % 3}"] if n < 80 else [],
    )


@endless(
    tolerated=r"/photo/\d+\?.*",
    most=0,
    also=lambda: frozenset(f"/photo/{number}" for number in range(120)),
    requests=400,
)
def photos_in_sets() -> Part:
    """120 photos, again in sets: ?set=7&index=3, with the next one of the set."""
    sets = {at: [n for n in range(120) if digest(at, n)[0] in "01"] for at in range(20)}

    @matching(r"/photo/(\d+)(?:\?index=(\d+)&set=(\d+))?")
    def answer(found: re.Match[str]) -> Answer:
        number = int(found[1])
        links = [f"/photo/{(number * 7 + step) % 120}" for step in (1, 2, 3)]
        if found[2]:
            index, some = int(found[2]), sets[int(found[3])]
            near = (at for at in (index - 1, index + 1) if 0 <= at < len(some))
            links = [f"/photo/{some[at]}?index={at}&set={found[3]}" for at in near]
        name = words(f"photo {number}", 2)
        shown = image(f"/{number}.jpg"), f"<p>{words(name, 8)}</p>"
        return THEME(name, *shown, links=[(link, "Another one") for link in links])

    firsts = [f"/photo/{some[0]}?index=0&set={at}" for at, some in sets.items()]
    return around(answer, doors=lambda n: [firsts[n % 20], f"/photo/{n % 120}"])


POSTS = 10
TOPICS = [
    "/forum.php?f=1",
    *(f"/topic.php?t={number}" for number in range(60)),
    *(f"/topic.php?p={POSTS * number}" for number in range(60, 66)),
]


@cache
def _board() -> dict[str, Answer]:
    names = vocabulary("board", 66)
    result = {TOPICS[0]: THEME("All topics", links=TOPICS[1:])}
    for number, name in enumerate(names):
        posts = range(POSTS * number, POSTS * number + (POSTS if number < 60 else 1))
        links = [f"/topic.php?p={post}" for post in posts]
        links += [f"/posting.php?mode=quote&p={post}" for post in posts]
        text = "".join(f"<p>{words(f'post {post}', 12)}.</p>" for post in posts)
        page = THEME(f"{name} {words(name, 2)}", text, links=links)
        result |= dict.fromkeys([*TOPICS[1:61][number : number + 1], *links[: len(posts)]], page)
        result |= {
            link: redirect(f"/login.php?to=posting.php&{link.partition('?')[2]}")
            for link in links[len(posts) :]
        }
    return result


def _on_the_board(path: str) -> Answer | None:
    if path.startswith("/login.php"):
        form = "<form method=post><input name=user><input type=password name=word></form>"
        return THEME("Log in", form)
    return _board().get(path)


@endless(tolerated=r"/login\.php.*", most=1, also=lambda: frozenset(TOPICS), requests=-1_300)
@behind(r"/(?:topic|forum|posting|login)\.php\?.*", doors=lambda _: ["/forum.php?f=1"])
def posts_that_show_their_topic(found: re.Match[str]) -> Answer | None:
    """60 topics of ten posts, and six topics known by their only post.

    Each post has an address that shows its topic again, and one to quote it, which redirects.
    """
    return _on_the_board(found[0])
