"""Finite sites of many plain URLs in one directory, as mazes and mirrors have them."""

from random import Random

from tests.helpers.server import Answer, redirect
from tests.spaces.pages import Theme, anchors, chunks, digest, image, pick, table, vocabulary, words
from tests.spaces.space import Pages, honest

PLAIN = vocabulary("plain", 80)
NAMES = vocabulary("dictionary", 700)
DICTIONARY = Theme("Dictionary")


@honest()
def routes() -> Pages:
    """From each of 30 towns to each other one, /route/a/b: three numbers and where to change."""
    theme = Theme("Trains")
    towns = vocabulary("towns", 30)
    result = {"/": theme("Trains", links=[f"/from/{town}" for town in towns])}
    for town in towns:
        others = [other for other in towns if other != town]
        links = [f"/route/{town}/{other}" for other in others]
        result[f"/from/{town}"] = theme(f"From {town}", links=links)
        for other in others:
            random = Random(f"{town} {other}")
            text = (
                f"<p>{random.randint(20, 900)} km, {random.randint(1, 9)} h "
                f"{random.randint(0, 59)} min. Change in {random.choice(towns)}.</p>"
            )
            back = [f"/route/{other}/{town}", *(f"/route/{town}/{random.choice(others)}",) * 3]
            title = f"{town} to {other}"
            result[f"/route/{town}/{other}"] = theme(title, text, links=dict.fromkeys(back))
    return result


@honest(requests=700)
def short_addresses() -> Pages:
    """700 pages that nothing but redirects lead to, /go/WORD."""
    theme = Theme("Short addresses")
    names = vocabulary("short", 700)
    result = {"/": theme("Start", links=[f"/go/{name}" for name in names[:4]])}
    for place, name in enumerate(names):
        target = f"/{digest(name)[:4]}-page"
        result[f"/go/{name}"] = Answer(status=302, headers={"Location": target})
        links = [f"/go/{names[(3 * place + step) % 700]}" for step in range(1, 5)]
        result[target] = theme(name, f"<p>{words(name, 30)}.</p>", links=links)
    return result


STORIES = Theme("Stories")


def _address(number: int) -> str:
    return f"/story/{number}-{words(f'slug {number}', 1)}"


def _story(number: int) -> Answer:
    near = [_address((7 * number + step) % 600) for step in range(1, 5)]
    title = words(f"title {number}", 3)
    return STORIES(title, f"<p>{words(f'story {number}', 90)}.</p>", links=near)


def _any_slug(path: str) -> Answer | None:
    number = path.removeprefix("/story/").partition("-")[0]
    return _story(int(number)) if number.isdigit() and int(number) < 600 else None


@honest(otherwise=_any_slug)
def any_slug() -> Pages:
    """600 stories by number, each of which leads to four others; the words behind it are free."""
    stories = {_address(number): _story(number) for number in range(600)}
    return {"/": STORIES("Stories", links=[*stories][:9]), **stories}


def _another(path: str) -> Answer | None:
    return _story(Random(path + ":").randrange(600)) if path.startswith("/story/") else None


@honest(otherwise=_another)
def another_story() -> Pages:
    """The same, with some story in full in place of a missing one."""
    return any_slug()


def _no_entry(path: str) -> Answer | None:
    if not path.startswith("/word/"):
        return None
    word = path[6:].strip("/")
    near = Random(word).sample(NAMES, 5)
    text = f"<p>There is no entry for {word}. Did you mean {', '.join(near)}?</p>"
    return DICTIONARY(word, text, links=[f"/word/{name}" for name in near])


@honest(otherwise=_no_entry)
def dictionary() -> Pages:
    """700 words; any other word answers 200, with five that are near to it."""
    result = {"/": DICTIONARY("Dictionary", links=[f"/word/{name}" for name in NAMES[:9]])}
    for place, name in enumerate(NAMES):
        links = [f"/word/{NAMES[(3 * place + step) % 700]}" for step in range(1, 6)]
        text = f"<p>{name}: {words(name, 50)}.</p>"
        result[f"/word/{name}"] = DICTIONARY(name, text, links=links)
    return result


SHOP = Theme("Shop of tools")
TOOLS = vocabulary("tools of a shop", 3_000)


def _something_else(path: str) -> Answer | None:
    if not path.startswith("/shop/"):
        return None
    some = Random(path).sample(TOOLS, 12)
    shown = "".join(f"<p>{words(name, 12)}.</p>" for name in some)
    return SHOP("You may like", shown, links=[f"/shop/{name}" for name in some])


@honest(otherwise=_something_else)
def shop_of_fallbacks() -> Pages:
    """3,000 products; any other name answers 200, with twelve of them."""
    result = {"/": SHOP("Shop", links=[f"/shop/{name}" for name in TOOLS[:9]])}
    for place, name in enumerate(TOOLS):
        links = [f"/shop/{TOOLS[(3 * place + step) % 3_000]}" for step in range(1, 5)]
        result[f"/shop/{name}"] = SHOP(name, f"<p>{words(name, 12)}.</p>", links=links)
    return result


@honest(views=r"/us/(?!only-).*", requests=200)
def another_country() -> Pages:
    """500 pages, and the same again under /us/, where 9 more are."""
    theme = Theme("Tools")
    result = {"/": theme("Tools", links=["/tools/0", "/us/"])}
    for prefix in ("", "/us"):
        for place in range(500):
            following = range(3 * place + 1, min(3 * place + 4, 500))
            links = [f"{prefix}/tools/{words(f'tool {n}', 1)}-{n}x" for n in following]
            if prefix and place % 50 == 49 and place < 450:
                links.append(f"/us/only-{words(f'only {place}', 1)}")
            address = f"{prefix}/tools/{words(f'tool {place}', 1)}-{place}x"
            if place == 0:
                address = f"{prefix}/tools/0" if not prefix else "/us/"
            title = words(f"tool {place}", 1)
            result[address] = theme(title, f"<p>{words(f'text {place}', 30)}.</p>", links=links)
    for place in range(49, 450, 50):
        name = words(f"only {place}", 1)
        result[f"/us/only-{name}"] = theme(name, f"<p>{words(name, 30)}.</p>")
    return result


@honest()
def encyclopedia() -> Pages:
    """1,500 articles of one directory that lead to each other."""
    theme = Theme("Encyclopedia")
    names = vocabulary("articles", 1_500)
    result = {"/": theme("Encyclopedia", links=[f"/wiki/{name}" for name in names[:5]])}
    for place, name in enumerate(names):
        links = [f"/wiki/{names[(4 * place + step) % 1_500]}" for step in range(1, 6)]
        result[f"/wiki/{name}"] = theme(name, f"<p>{words(name, 40)}.</p>", links=links)
    return result


@honest(views=r"/shop/.*", requests=1_000)
def filters_that_end() -> Pages:
    """240 products that lists of any brand, colour and size lead to: /shop/BRAND/COLOUR/SIZE/."""
    theme = Theme("Shop")
    brands, colours, sizes = (vocabulary(name, size) for name, size in SLOTS)
    products = [
        (brands[n % 12], colours[n // 12 % 10], sizes[n % 7], f"/{digest(n)[:6]}-shoe")
        for n in range(240)
    ]
    result: dict[str, Answer] = {}
    for brand, colour, size, address in products:
        title = pick(address, PLAIN, 2)
        text = f"<p>{brand}, {colour}, {size}. {words(address, 20)}.</p>"
        result[address] = theme(title, text, links=["/shop/"])
    slots = [["", *brands], ["", *colours], ["", *sizes]]
    for brand in slots[0]:
        for colour in slots[1]:
            for size in slots[2]:
                chosen = (brand, colour, size)
                if chosen != tuple(sorted(chosen, key=lambda word: not word)):
                    continue  # a colour alone is no list
                here = "/shop/" + "".join(f"{word}/" for word in chosen if word)
                at = sum(map(bool, chosen))
                finer = [f"{here}{word}/" for word in slots[at][1:]] if at < 3 else []
                shown = [
                    address
                    for *facets, address in products
                    if all(not word or word == own for word, own in zip(chosen, facets))
                ]
                body = anchors(chunks(shown, 20)[0] if shown else [])
                result[here] = theme("Shoes", body, links=finer)
    result["/"] = theme("Shop", links=["/shop/"])
    return result


SLOTS = (("brands", 12), ("colours", 10), ("sizes", 7))


MANUAL = vocabulary("manual", 60)
CHANGED = MANUAL[50:]


@honest(views=rf"/v[1-3]/.*|/v4/(?!(?:{'|'.join(CHANGED)})/).*")
def versions_in_directories() -> Pages:
    """A manual that stands in the root and in four versions; the last one has changed ten pages."""
    theme = Theme("Manual")
    result = {}
    for version in ("", "v1/", "v2/", "v3/", "v4/"):
        others = [] if version else [f"v{number}/" for number in range(1, 5)]
        result[f"/{version}"] = theme("Manual", links=[*(f"{name}/" for name in MANUAL), *others])
        for place, name in enumerate(MANUAL):
            text = words(f"{name} {version if name in CHANGED and version == 'v4/' else ''}", 40)
            near = ["examples/", f"../{MANUAL[place - 1]}/"]
            result[f"/{version}{name}/"] = theme(f"How to {name}", f"<p>{text}.</p>", links=near)
            more = theme(f"Examples of {name}", f"<p>{words(text, 30)}.</p>", links=["../"])
            result[f"/{version}{name}/examples/"] = more
    return result


@honest()
def pairs_of_funds() -> Pages:
    """Each of 40 funds beside each other one, /x/y/: one table, in which the numbers differ."""
    theme = Theme("Funds")
    funds = vocabulary("funds", 40)
    links = [f"{fund}/" for fund in funds]
    result = {"/": theme("Funds", links=links)}
    for fund in funds:
        result[f"/{fund}/"] = theme(f"Fund {fund}", _table(fund, ""), links=links)
        for other in funds:
            result[f"/{fund}/{other}/"] = theme(f"Fund {other}", _table(fund, other))
    return result


def _table(*seeds: str) -> str:
    random = Random(" ".join(seeds))
    return table(("Year", "Value"), [(year, random.randint(100, 9_999)) for year in range(3)])


@honest(apart=r"/lamps/\w+/.+", requests=60)
def forms_below_products() -> Pages:
    """60 products; a form for a review of each, and each for printing, are to be left out."""
    theme = Theme("Shop of forms")
    names = vocabulary("form products", 60)
    labels = "<form>Title of your review <input name=a> Your score <input name=b></form>"
    result = {"/": theme("Home", links=[f"/lamps/{name}/" for name in names])}
    for name in names:
        address, title = f"/lamps/{name}/", f"{name} {words(name, 1)}"
        links = [f"{address}reviews/add/", f"{address}print"]
        prose = f"<p>{words(f'{name} text', 40)}.</p>"
        result[address] = theme(title, prose, links=links)
        result[f"{address}reviews/add/"] = theme(f"Review of {title}", labels, links=[address])
        result[f"{address}print"] = theme(title, "<p>For printing</p>", prose, links=[address])
    return result


@honest(requests=60)
def sections_below_towns() -> Pages:
    """Five pages below each of 40 towns: hotels that the town's page has, too, a map, facts."""
    theme = Theme("Towns")
    towns = vocabulary("towns", 40)
    result = {"/": theme("Home", links=[f"/town/{town}" for town in towns])}
    for place, town in enumerate(towns):
        address, hotels = f"/town/{town}", [f"/hotel/{place}-{number}" for number in range(4)]
        below = [f"{address}/{each}" for each in ("hotels", "map", "mayor", "height", "history")]
        prose = f"<p>{words(town, 30)}.</p>"
        result[address] = theme(town, prose, links=[*below, *hotels])
        result |= {hotel: theme(f"Hotel {hotel}", f"<p>{words(hotel, 20)}</p>") for hotel in hotels}
        result[below[0]] = theme(f"Hotels of {town}", links=[address, *hotels])
        result[below[1]] = theme(f"Map of {town}", image(f"/{town}.png"), links=[address])
        result[below[2]] = theme(f"Mayor of {town}", words(f"{town} mayor", 1), links=[address])
        result[below[3]] = theme(f"Height of {town}", f"{100 + 7 * place} m", links=[address])
        history = f"<p>{words(f'{town} history', 15)}.</p>"
        result[below[4]] = theme(f"History of {town}", history, links=[address])
    return result


@honest(apart=r"/index\.php/.*|/print.*", requests=90)
def forms_beside_articles() -> Pages:
    """60 articles; each for printing and a form for each, elsewhere, are to be left out.

    A third of the articles have more comments than text, which is all that is printed.
    """
    theme = Theme("Magazine of forms")
    names = vocabulary("magazine", 60)
    links = [f"/article.php?id={number}" for number in range(60)]
    form = "<form>Address of your friend <input name=a> Your greeting <input name=b></form>"
    result = {"/": theme("Home", links=links)}
    for number, name in enumerate(names):
        title, prose = f"{name} {words(name, 2)}", words(f"{name} text", 90)
        body = f"<p>{prose}, as <a href='{links[number // 2]}'>before</a>.</p>"
        own = [f"/print.php?id={number}", f"/index.php/tell/{number}/form"]
        comments = f"<p>{words(f'{name} comments', 200 * (number % 3 == 0))}</p>"
        result[links[number]] = theme(title, body, comments, links=[*own, links[-number]])
        result[own[0]] = Theme("For printing")(title, body)
        result[own[1]] = theme(f"Tell a friend about {title}", form, links=[links[number]])
    return result


@honest()
def single_posts_of_days() -> Pages:
    """60 days, under one title, each with the whole text of its only post."""
    theme = Theme("Diary")
    days = [f"/day/{1 + place // 28}-{1 + place % 28}" for place in range(60)]
    result = {"/": theme("Diary", links=days)}
    for day, name in zip(days, vocabulary("diary", 60)):
        body = f"<h2>{name}</h2><p>{words(f'{name} day', 40)}.</p>"
        result[day] = theme("Diary", body, links=[f"/post/{name}"])
        result[f"/post/{name}"] = theme(f"Diary: {name}", body)
    return result


@honest(requests=60)
def untranslated_pages() -> Pages:
    """60 pages in English and German, most of which have the same text in both."""
    theme = Theme("Manual")
    names = vocabulary("untranslated", 60)
    result = {"/": theme("Manual", links=[f"/en/{name}" for name in names])}
    for place, name in enumerate(names):
        for language, other in (("en", "de"), ("de", "en")):
            text = words(f"{name} {language if place % 20 == 0 else ''}", 40)
            near = f"/{language}/{names[place - 1]}"
            result[f"/{language}/{name}"] = theme(
                name, f"<p>{text}, {language}.</p>", links=[f"/{other}/{name}", near]
            )
    return result


@honest()
def rows_with_pages() -> Pages:
    """A table of 60 stations under one title, and a page for each with the words of its row."""
    theme = Theme("Stations")
    rows = [(name, *words(name, 3).split()) for name in vocabulary("stations", 60)]
    links = [(f"/station/{place}", row[0]) for place, row in enumerate(rows)]
    result = {"/": theme("Stations", links=["/stations"])}
    result["/stations"] = theme("Stations", table(("Name", "Lines"), rows), links=links)
    for (address, _), row in zip(links, rows):
        result[address] = theme("Stations", f"<p>{' '.join(row)}</p>", links=["/stations"])
    return result


@honest(views=r"/day/\d+")
def long_posts_in_days() -> Pages:
    """Two posts of 500 words of each of 60 days, whole on the day's page, under one title."""
    theme = Theme("Diary")
    days = [f"/day/{place}" for place in range(60)]
    result = {"/": theme("Diary", links=days)}
    for place, day in enumerate(days):
        posts = {f"/post/{place}-{n}": f"<p>{words(f'{day}{n}', 500)}</p>" for n in range(2)}
        result[day] = theme("Diary", *posts.values(), links=posts)
        result |= {post: theme("Diary", text, links=[day]) for post, text in posts.items()}
    return result


@honest()
def hotels_of_few_words() -> Pages:
    """Three hotels of each of 60 towns, whole on the town's page, in 14 words under one title."""
    theme, few = Theme("Hotels"), vocabulary("hotels", 14)
    towns = [f"/town/{place}" for place in range(60)]
    result = {"/": theme("Hotels", links=towns)}
    for place, town in enumerate(towns):
        hotels = {f"/hotel/{place}-{n}": f"<p>{pick(f'{town}{n}', few, 6)}</p>" for n in range(3)}
        result[town] = theme("Hotels", *hotels.values(), links=hotels)
        result |= {hotel: theme("Hotels", row, links=[town]) for hotel, row in hotels.items()}
    return result


@honest()
def prices_of_countries() -> Pages:
    """60 products in three countries, with one text and another price."""
    theme, countries = Theme("Lamps"), ("austria", "france", "norway")
    result = {"/": theme("Lamps", links=[f"/{country}/" for country in countries])}
    for at, country in enumerate(countries):
        lamps = [f"/{country}/lamp-{number}/" for number in range(60)]
        result[f"/{country}/"] = theme(f"Lamps in {country}", links=lamps)
        for number, address in enumerate(lamps):
            text = f"<p>{words(f'lamp {number}', 40)}.</p><p>{number * 7 + at * 3 + 20}.90</p>"
            result[address] = theme(f"Lamp {number}", text)
    return result


@honest()
def versions_for_countries() -> Pages:
    """60 products in three countries that name each other, with one text, in another currency."""
    theme = Theme("Rugs")
    prices = {"us": "${}.00", "gb": "£{}.00", "au": "{}.00 AU$"}
    result = {"/": theme("Rugs", links=[f"/{country}/" for country in prices])}
    for country, money in prices.items():
        rugs = [f"/{country}/rug-{number}/" for number in range(60)]
        result[f"/{country}/"] = theme(f"Rugs in {country}", links=rugs)
        for number, address in enumerate(rugs):
            others = (
                f'<link rel="alternate" hreflang="en-{other}" href="/{other}/rug-{number}/">'
                for other in prices
            )
            text = f"<p>{pick(f'rug {number}', PLAIN, 40)}.</p>"
            price = f"<p>{money.format(40 + 7 * number % 90)}</p>"
            title = f"Rug {pick(f'name {number}', PLAIN, 2)}"
            result[address] = theme(title, text, price, head="".join(others))
    return result


@honest()
def notes_in_exhibitions() -> Pages:
    """60 paintings, and again in two exhibitions, with a sentence about their place there."""
    theme = Theme("Museum")
    shows = ("spring", "autumn")
    paintings = [f"/painting/{number}/" for number in range(60)]
    result = {"/": theme("Museum", links=[*paintings, *(f"/{show}/" for show in shows)])}
    for show in shows:
        result[f"/{show}/"] = theme(show, links=[f"{address}in/{show}/" for address in paintings])
    for number, address in enumerate(paintings):
        text = f"<p>{words(f'painting {number}', 40)}.</p>"
        result[address] = theme(f"Painting {number}", text)
        for show in shows:
            note = f"<p>{words(f'{show} {number}', 8)}.</p>"
            way = f'<a href="/{show}/">{show}</a>'
            result[f"{address}in/{show}/"] = theme(f"Painting {number}", text, note, way)
    return result


@honest()
def links_by_number() -> Pages:
    """300 pages that links to /go/7 alone lead to, half of them first to one that is known."""
    theme = Theme("A firm", ("/contact", "Contact"))
    pages = [f"/{word}-{number}" for number, word in enumerate(PLAIN * 15)][:300]
    result = {"/": theme("A firm", links=["/index"]), "/contact": theme("Contact", "<p>Write.</p>")}
    result["/index"] = theme("Index", links=[f"/go/{number}" for number in range(600)])
    for number, address in enumerate(pages):
        result[f"/go/{2 * number}"] = redirect("/contact")
        result[f"/go/{2 * number + 1}"] = redirect(address)
        result[address] = theme(address, f"<p>{words(address, 30)}.</p>")
    return result
