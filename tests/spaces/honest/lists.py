"""Finite lists of things that differ by a code, a number or two words."""

import uuid
from collections.abc import Sequence
from random import Random

from tests.helpers.server import Answer
from tests.spaces.pages import (
    Theme,
    anchors,
    chunks,
    digest,
    image,
    listing,
    pick,
    steps,
    table,
    vocabulary,
    words,
)
from tests.spaces.space import Pages, honest

PARTS = sorted({f"{Random(n).choice('ABCDEFGH')}{'KLMNPR'[n % 6]}-{1000 + n}" for n in range(900)})
WORDS = vocabulary("shop", 50)
GONE = range(60, 300, 4)


def _parts(*, is_numbered: bool) -> Pages:
    theme = Theme("Spare parts", ("/parts", "All parts"))
    lists = ["/parts", *(f"/parts?page={number}" for number in range(2, 46))]
    items = [(f"/part/{code}", code) for code in PARTS]
    result = listing(theme, "Parts", lists, items, is_numbered=is_numbered)
    for number, (address, code) in enumerate(items):
        facts = f"<p>{code}. Weight {number * 7 % 900} g. Drawing {number * 13 % 8000}.</p>"
        result[address] = theme(f"Part {code}", facts)
    return {"/": theme("Spare parts", "<p>Spare parts for pumps.</p>"), **result}


@honest(views=rf"/item\?id=(?!{'|'.join(map(str, GONE))})\d+&view=full")
def shorter_pages_that_are_gone() -> Pages:
    """300 items, each also under ?view=full; some of the last are left only there."""
    theme = Theme("Items")
    result: dict[str, Answer] = {"/": theme("Items", links=["/items"])}
    items = [f"/item?id={number}" for number in range(300)]
    links = [link for item in items for link in (item, f"{item}&view=full")]
    result["/items"] = theme("All items", links=links)
    for number, item in enumerate(items):
        page = theme(f"Item {number}", f"<p>{words(item, 20)}.</p>")
        result[f"{item}&view=full"] = page
        result[item] = Answer(status=404) if number in GONE else page
    return result


@honest(apart=r"/query/(?!202403).*")
def tables_and_queries() -> Pages:
    """40 tables of 10 to 49 rows; for each its query, to be left out, which shows the same rows.

    Ten of the queries are named by words, and beside nine is a page of help with a text of its own.
    """
    theme = Theme("Museum", ("/tables", "Tables"))
    tables = [f"/table/{number}" for number in range(40)]
    result = {"/": theme("Museum"), "/tables": theme("Tables", links=tables)}
    columns = ("Number", "Name", "Room", "About")
    for number, address in enumerate(tables):
        things = range(100 * number, 100 * number + 10 + number)
        rows = [(n, *words(f"thing {n}", 12).split(" ", 2)) for n in things]
        title = f"{len(rows)} rows of shelf {number}"
        query = f"/query/{number}" if number < 30 else f"/query/{words(title, 2).replace(' ', '-')}"
        form = f"<p>Filter, order and download {len(rows)} rows.</p>"
        notes = f"<p>{words('licence', 20)}.</p>"
        shown = table((*columns, "Shelf"), [(*row, f"Shelf {number}") for row in rows])
        help_ = f"/query/{20240300 + number}"
        links = [query, "/tables", *[help_] * (number < 9)]
        result[address] = theme(title, form, shown, notes, links=links)
        if number < 9:
            result[help_] = theme("Rows of shelf", f"<p>{words(f'help {number}', 40)}.</p>")
        sql = f"<pre>select number, name, room, about from things where shelf = {number}</pre>"
        result[query] = theme("Rows of shelf", sql, table(columns, rows), links=["/tables"])
    return result


@honest()
def parts_numbered() -> Pages:
    """900 parts named by codes, 20 a page, with a pager of numbers."""
    return _parts(is_numbered=True)


@honest()
def parts_next() -> Pages:
    """900 parts named by codes, 20 a page, 45 pages with Next alone."""
    return _parts(is_numbered=False)


@honest()
def parts_in_paths() -> Pages:
    """The same, its pages being /parts/page/7/."""
    theme = Theme("Spare parts", ("/parts/", "All parts"))
    lists = ["/parts/", *(f"/parts/page/{number}/" for number in range(2, 46))]
    items = [(f"/parts/{code.lower()}/", code) for code in PARTS]
    result = listing(theme, "Parts", lists, items, is_numbered=False)
    for address, code in items:
        result[address] = theme(f"Part {code}", f"<p>Part {code}, on stock.</p>")
    return {"/": theme("Spare parts", "<p>Spare parts for pumps.</p>"), **result}


@honest()
def shop_of_few_words() -> Pages:
    """600 products named from a vocabulary of 50 words, 20 a page."""
    theme = Theme("Furniture", ("/shop", "Shop"))
    names = [f"{pick(f'product {number}', WORDS, 2)} {number % 7}" for number in range(600)]
    items = [
        (f"/shop/{name.replace(' ', '-')}-{number}", name) for number, name in enumerate(names)
    ]
    lists = ["/shop", *(f"/shop?page={number}" for number in range(2, 31))]
    result = listing(theme, "Shop", lists, items, is_numbered=True)
    for number, (address, name) in enumerate(items):
        text = pick(f"text {number}", WORDS, 12)
        result[address] = theme(name, f"<p>{text}.</p><p>{number * 37 % 500}.95</p>")
    return {"/": theme("Furniture", "<p>Good furniture.</p>"), **result}


@honest()
def shop_of_codes() -> Pages:
    """Two categories of 240 products named by codes, 12 a page, Next and Previous."""
    theme = Theme("Valves", ("/c/valves/", "Valves"), ("/c/pumps/", "Pumps"))
    result: dict[str, Answer] = {"/": theme("Valves and pumps", "<p>Welcome.</p>")}
    for category, letter in (("valves", "V"), ("pumps", "P")):
        lists = [f"/c/{category}/", *(f"/c/{category}/?page={page}" for page in range(2, 21))]
        codes = [f"{letter}X{4000 + 3 * number}" for number in range(240)]
        for place, group in enumerate(chunks(codes, 12)):
            items = anchors((f"/p/{code.lower()}/", code) for code in group)
            result[lists[place]] = theme(category.title(), items, links=steps(lists, place))
        for code in codes:
            facts = table(("Code", "Price"), [(code, f"{int(code[2:]) % 97}.50")])
            result[f"/p/{code.lower()}/"] = theme(code, facts, "<p>Delivery in 3 days.</p>")
    return result


@honest()
def next_alone() -> Pages:
    """A list of 40 pages with Next alone that leads to 400 items."""
    theme = Theme("Archive", ("/archive/", "Archive"))
    items = [(f"/item-{number}", f"Item {number}") for number in range(400)]
    lists = ["/archive/", *(f"/archive/page/{number}/" for number in range(2, 41))]
    result = listing(theme, "Archive", lists, items, is_numbered=False)
    for address, name in items:
        result[address] = theme(name, f"<p>{words(address, 12)}.</p>")
    return {"/": theme("Archive", "<p>An archive.</p>"), **result}


@honest(views=r"/index\?letter=.(?:&page=1)?")
def a_to_z() -> Pages:
    """An index ?letter=&page= that leads to 800 entries; page=1 is the letter's first page."""
    theme = Theme("Who is who", ("/index", "Index"))
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    result = {
        "/": theme("Who is who", "<p>800 people.</p>"),
        "/index": theme("Index", links=[(f"/index?letter={each}", each) for each in letters]),
    }
    people = {
        letter: [f"{letter}{n:03}" for n in range(31 - (n0 > 19))]
        for n0, letter in enumerate(letters)
    }
    for letter, names in people.items():
        groups = chunks(names, 10)
        pager = [(f"/index?letter={letter}&page={n}", str(n)) for n in range(1, len(groups) + 1)]
        for number, group in enumerate(groups, 1):
            items = anchors((f"/entry/{name.lower()}", _surname(name)) for name in group)
            answer = theme(f"Letter {letter}", items, anchors(pager))
            result[f"/index?letter={letter}&page={number}"] = answer
        result[f"/index?letter={letter}"] = result[f"/index?letter={letter}&page=1"]
        for name in names:
            text = f"<p>{_surname(name)}, born {1800 + int(name[1:]) * 3}.</p>"
            result[f"/entry/{name.lower()}"] = theme(_surname(name), text)
    return result


def _surname(name: str) -> str:
    return f"{name[0]}. {pick(name, WORDS, 1)}"


@honest()
def museum() -> Pages:
    """300 objects by UUID, with short texts that are much alike."""
    theme = Theme("Museum of glass", ("/objects", "Collection"))
    made = [str(uuid.UUID(digest("object", number))) for number in range(300)]
    kinds = ("Vase", "Bowl", "Cup", "Plate", "Jug")
    lists = ["/objects", *(f"/objects?offset={start}" for start in range(25, 300, 25))]
    items = [
        (f"/object/{name}", f"{kinds[n % 5]}, inv. no. {1000 + n}") for n, name in enumerate(made)
    ]
    result = listing(theme, "Collection", lists, items, is_numbered=True)
    for number, (address, name) in enumerate(items):
        kind, _, inventory = name.partition(", ")
        text = f"<p>{kind}, glass, {17 + number % 3}th century, {inventory}</p>"
        result[address] = theme(name, text)
    return {"/": theme("Museum of glass", "<p>Open daily.</p>"), **result}


@honest()
def staff() -> Pages:
    """A directory of 240 people: ?department=&page= lists, and short pages by name."""
    departments = ("physics", "history", "law", "medicine", "music", "chemistry")
    theme = Theme("University", *((f"/staff?department={name}", name) for name in departments))
    result = {"/": theme("University", "<p>Six departments.</p>")}
    names = vocabulary("people", 80)
    for place, department in enumerate(departments):
        first = f"/staff?department={department}"
        lists = [first, *(f"{first}&page={page}" for page in (2, 3, 4))]
        people = [f"{names[(place * 13 + n) % 40]} {names[40 + n]}" for n in range(40)]
        items = [(f"/staff/{department}/{name.replace(' ', '-')}", name.title()) for name in people]
        result |= listing(theme, department.title(), lists, items, is_numbered=True)
        for number, (address, name) in enumerate(items):
            text = f"<p>{name}, room {number + 100}, telephone {place}{number:03}.</p>"
            result[address] = theme(name, text)
    return result


@honest()
def product_variants() -> Pages:
    """20 products, each in 6 colours and 4 sizes with images and prices of their own."""
    theme = Theme("Bicycles")
    colours, sizes = ("red", "green", "blue", "black", "white", "grey"), ("s", "m", "l", "xl")
    result = {}
    for number in range(1, 21):
        name = f"Bicycle {pick(f'bicycle {number}', WORDS, 2)}"
        base = f"/bicycle/{number}"
        variants = [(colour, size) for colour in colours for size in sizes]
        links = [(f"{base}?colour={c}&size={s}", f"{c}, {s.upper()}") for c, s in variants]
        result[base] = theme(name, f"<p>{words(base, 20)}.</p>", links=links)
        for place, (colour, size) in enumerate(variants):
            price = f"<p>{colour}, {size.upper()}: {400 + number * 17 + place * 3} euros</p>"
            photo = image(f"/img/{number}-{colour}-{size}.jpg", name)
            result[links[place][0]] = theme(name, photo, price, links=links)
    links = [(f"/bicycle/{number}", f"Bicycle {number}") for number in range(1, 21)]
    return {"/": theme("Bicycles", links=links), **result}


@honest(views=r"/recipe/\d+\?portions=\d")
def recipes() -> Pages:
    """120 recipes, each with three views by portions, of which the numbers differ."""
    theme = Theme("Recipes")
    addresses = [f"/recipe/{number}" for number in range(1, 121)]
    result = {}
    for place, address in enumerate(addresses):
        name, food = pick(address, WORDS, 2), pick(f"{address} food", WORDS, 5).split()
        views = [
            (f"{address}?portions={portions}", f"{portions} portions") for portions in (2, 4, 6)
        ]
        links = [*views, *steps(addresses, place)]
        for portions, target in ((4, address), *zip((2, 4, 6), (view[0] for view in views))):
            rows = [(portions * 25 * (n + 1 + place % 3), "g", each) for n, each in enumerate(food)]
            text = f"<p>{words(address, 15)}.</p>"
            result[target] = theme(name, table(("How much", "", "What"), rows), text, links=links)
    return {"/": theme("Recipes", links=addresses), **result}


@honest()
def hotels() -> Pages:
    """A list of hotels of 60 cities by ?city=, 180 hotels by number, with short texts."""
    cities = [word.title() for word in vocabulary("cities", 60)]
    theme = Theme("Hotels")
    result = {"/": theme("Hotels", links=[(f"/hotels?city={city}", city) for city in cities])}
    for place, city in enumerate(cities):
        numbers = range(3 * place + 1, 3 * place + 4)
        links = [(f"/hotel.php?id={number}", f"Hotel {number % 9} in {city}") for number in numbers]
        result[f"/hotels?city={city}"] = theme(f"Hotels in {city}", links=links)
        for number in numbers:
            text = f"<p>{number % 40 + 10} rooms, from {number * 3 % 200 + 40} euros, {city}.</p>"
            result[f"/hotel.php?id={number}"] = theme(f"Hotel {number % 9}", text)
    return result


@honest()
def numbers_without_end() -> Pages:
    """The negative control: 3,000 pages /next/N, each leading to the next, each with a text."""
    theme = Theme("A diary")
    addresses = [f"/next/{number}" for number in range(1, 3001)]
    result = {"/": theme("A diary", links=addresses[:1])}
    for place, address in enumerate(addresses):
        text = f"<p>Page {place + 1}. {words(address, 25)}.</p>"
        result[address] = theme(f"Page {place + 1}", text, links=addresses[place + 1 : place + 3])
    return result


@honest()
def pastes() -> Pages:
    """200 pastes under 32 hexadecimal digits, as session ids look."""
    theme = Theme("Pastes", ("/recent", "Recent"))
    items = [(f"/p/{digest('paste', number)}", f"Paste {number}") for number in range(200)]
    lists = ["/recent", *(f"/recent?p={number}" for number in range(2, 11))]
    result = listing(theme, "Recent pastes", lists, items, is_numbered=False)
    for number, (address, name) in enumerate(items):
        result[address] = theme(name, f"<pre>x = {number * 7919 % 10007}\nprint(x)</pre>")
    return {"/": theme("Pastes", "<p>Paste here.</p>"), **result}


@honest()
def videos() -> Pages:
    """250 videos by ?v=, the address of the player being all that differs but their titles."""
    theme = Theme("Videos", ("/channel", "Channel"))
    ids = [digest("video", number)[:11] for number in range(250)]
    lists = ["/channel", *(f"/channel?start={start}" for start in range(25, 250, 25))]
    items = [(f"/watch?v={each}", f"Lesson {number}") for number, each in enumerate(ids, 1)]
    result = listing(theme, "Channel", lists, items, is_numbered=True)
    for (address, name), each in zip(items, ids):
        player = f'<video src="/stream/{each}.mp4" poster="/poster/{each}.jpg" controls></video>'
        result[address] = theme(name, player, image(f"/poster/{each}.jpg"))
    return {"/": theme("Videos", "<p>Lessons.</p>"), **result}


@honest()
def permalinks() -> Pages:
    """150 things, each also behind a redirect /go/N."""
    theme = Theme("Directory")
    things = [
        f"/thing/{pick(f'thing {number}', WORDS, 2).replace(' ', '-')}-{number}"
        for number in range(150)
    ]
    result = {
        address: theme(f"Thing {number}", f"<p>{words(address, 8)}.</p>")
        for number, address in enumerate(things)
    }
    for number, address in enumerate(things):
        result[f"/go/{number}"] = Answer(status=302, headers={"Location": address})
    return {"/": theme("Directory", links=[f"/go/{number}" for number in range(150)]), **result}


@honest()
def nested_categories() -> Pages:
    """Categories of categories of 300 things: the same names on each level of the paths."""
    theme = Theme("Tools")
    names = ("hand", "power", "garden")
    result: dict[str, Answer] = {}

    def grow(address: str, depth: int) -> None:
        below = [f"{address}{name}/" for name in names] if depth < 4 else []
        things = [f"{address}tool-{digest(address, n)[:4]}.html" for n in range(2 if below else 3)]
        title = address.strip("/").replace("/", ", ") or "Tools"
        result[address] = theme(title, links=[*below, *things])
        for thing in things:
            result[thing] = theme(f"Tool {thing[-9:-5]}", f"<p>{words(thing, 6)}.</p>")
        for each in below:
            grow(each, depth + 1)

    grow("/", 0)
    return result


@honest()
def lines_in_both_directions() -> Pages:
    """80 lines with their stops, there and back: the same words in another order."""
    theme = Theme("Buses")
    result: dict[str, Answer] = {}
    out = [f"/stops?line={number}&direction=out" for number in range(1, 81)]
    for place, address in enumerate(out):
        stops = [words(f"stop {place} {number}", 1) for number in range(14)]
        back = address.replace("out", "back")
        for here, other, order in ((address, back, stops), (back, address, stops[::-1])):
            title = f"{order[0]} to {order[-1]}"
            result[here] = theme(title, table(["Stop"], [[stop] for stop in order]), links=[other])
    return {"/": theme("Buses", links=out), **result}


def _firms(*, has_texts: bool) -> Pages:
    theme = Theme("Who does it")
    services, towns = vocabulary("services", 7), vocabulary("towns", 8)
    result: dict[str, Answer] = {}
    firms: dict[str, list[str]] = {}
    for number in range(600):
        service, town = services[number % 7], towns[number // 7 % 8]
        firm = f"/{service}/{town}/firm-{number}/"
        result[firm] = theme(f"Firm {number}", f"<p>{words(f'{number}', 20)}.</p>")
        for place in (f"/{service}/", f"/{town}/", f"/{service}/{town}/"):
            firms.setdefault(place, []).append(firm)

    def add(place: str, title: str, links: Sequence[str] = (), text: str = "") -> None:
        result[place] = theme(title, f"<p>{text}</p>", links=[*firms.get(place, ()), *links])

    for town in towns:
        add(f"/{town}/", f"In {town}", [f"/{service}/{town}/" for service in services])
    for service in services:
        add(f"/{service}/", service, [f"/{service}/{town}/" for town in towns])
        for town in towns:
            guide = [f"/{town}/{service}/"] if has_texts else []
            text = words(f"{service} {town}", 12) if guide and towns.index(town) % 3 == 0 else ""
            add(f"/{service}/{town}/", f"{service} in {town}", guide, text)
            for each in guide:
                add(each, f"Guide to {service} of {town}", text=words(each, 12))
    names = [f"/{name}/" for name in (*services, *towns)]
    return {"/": theme("Who does it", links=names), **result}


@honest()
def services_in_towns() -> Pages:
    """Firms by service, by town, and by both, as /plumber/berlin/ is: each has its place."""
    return _firms(has_texts=False)


@honest()
def services_in_towns_with_texts() -> Pages:
    """The same with a text on some, and guides under the names in the other order."""
    return _firms(has_texts=True)


@honest()
def categories_with_a_mode() -> Pages:
    """30 categories of one list, whose links always have the mode of showing them, too."""
    theme = Theme("Spare parts", ("/shop", "All"))
    names = vocabulary("categories", 30)
    categories = [(f"/shop?category={n}&mode=list", name) for n, name in enumerate(names)]
    items = [(f"/part/{code}", code) for code in PARTS[:200]]
    result = {"/": theme("Spare parts"), "/shop": theme("All", anchors(items), anchors(categories))}
    for number, (address, name) in enumerate(categories):
        result[address] = theme(name, anchors(items[number::30]), anchors(categories))
    for address, code in items:
        result[address] = theme(f"Part {code}", f"<p>{words(address, 20)}.</p>")
    return result


@honest()
def houses_and_talks() -> Pages:
    """60 houses by ?ref=, as advertisers name where a visitor comes from, and talks by session."""
    theme = Theme("Estate", ("/houses", "Houses"), ("/talks", "Talks"))
    houses = [f"/house?ref=EL{100 + number}" for number in range(60)]
    talks = [f"/talk?session_id={number}" for number in range(1, 41)]
    result = {"/": theme("Estate", "<p>Houses and talks.</p>")}
    result |= {"/houses": theme("Houses", links=houses), "/talks": theme("Talks", links=talks)}
    for address, name in zip([*houses, *talks], vocabulary("estate", 100)):
        result[address] = theme(f"{name} {words(name, 2)}", f"<p>{words(f'{name} text', 40)}.</p>")
    return result


RATES = {"": 1.0, "eur": 1.0, "usd": 1.09, "gbp": 0.86}


@honest(views=r".*[?&]currency=\w+", most=60)
def shop_in_currencies() -> Pages:
    """60 products in four categories, all of them with links to prices in three currencies."""
    theme, names = Theme("Shop"), vocabulary("currencies", 60)
    result: dict[str, Answer] = {}

    def add(address: str, title: str, text: str, links: list[str], currency: str) -> None:
        chosen = f"?currency={currency}" if currency else ""
        others = [f"{address}?currency={each}" for each in RATES if each]
        shown = [*(f"{link}{chosen}" for link in links), *others]
        result[f"{address}{chosen}"] = theme(title, text, links=shown)

    for currency, rate in RATES.items():
        add("/", "Shop", "<p>Lamps.</p>", [f"/shelf/{number}" for number in range(4)], currency)
        for number in range(4):
            shelf, some = f"/shelf/{number}", names[number::4]
            prices = {each: Random(each).randint(500, 90_000) * rate / 100 for each in some}
            rows = [(name, f"{price:.2f}") for name, price in prices.items()]
            products = [f"/p/{name}" for name in some]
            add(shelf, f"Shelf {number}", table(("Product", "Price"), rows), products, currency)
            for name, price in prices.items():
                costs = ", ".join(f"{price * times:.2f}" for times in (1, 1.7, 2.3))
                text = f"<p>{words(name, 40)}. In three sizes: {costs}.</p>"
                add(f"/p/{name}", name, text, [shelf], currency)
    return result
