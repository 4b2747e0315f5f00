"""Addresses as widely used systems write them, all pages finite and linked."""

from calendar import month_name

from tests.helpers.server import Answer
from tests.spaces.pages import (
    Link,
    Theme,
    anchors,
    chunks,
    digest,
    listing,
    pick,
    steps,
    vocabulary,
)
from tests.spaces.pages import words as some_words
from tests.spaces.space import Pages, honest

PLAIN = vocabulary("systems", 60)


def _article(theme: Theme, address: str, size: int, links: list[Link]) -> Answer:
    text = f"<p>{some_words(address, size)}.</p>"
    return theme(pick(address, PLAIN, 3), text, links=links)


@honest(views=r"/\?m=\d+|/\?(?:author=1)?(?:&?paged=\d+)?")
def plain_permalinks() -> Pages:
    """WordPress without permalinks: /?p=, /?cat=&paged=, /?m=202403."""
    theme = Theme("A blog", *((f"/?cat={number}", f"Topic {number}") for number in range(1, 5)))
    result: dict[str, Answer] = {}
    posts = [f"/?p={number}" for number in range(10, 250)]
    for number in range(4):
        within = posts[number::4]
        lists = [f"/?cat={number + 1}", *(f"/?cat={number + 1}&paged={n}" for n in range(2, 7))]
        items = [(address, pick(address, PLAIN, 3)) for address in within]
        result |= listing(theme, f"Topic {number + 1}", lists, items, is_numbered=False)
    for place, address in enumerate(posts):
        month = f"/?m=2024{place % 12 + 1:02}"
        result[address] = _article(theme, address, 20, [month, *steps(posts, place)])
        result.setdefault(month, theme("Archive", links=posts[place % 12 :: 12]))
    return {"/": theme("A blog", links=posts[:10]), **result}


@honest()
def joomla() -> Pages:
    """index.php?option=com_content&view=article&id=12:name&catid=3&Itemid=55."""
    theme = Theme("A school")
    base = "/index.php?Itemid={}&option=com_content&view={}"
    result: dict[str, Answer] = {}
    categories = []
    for number in range(1, 6):
        first = f"{base.format(50 + number, 'category')}&id={number}"
        categories.append(first)
        lists = [first, *(f"{first}&limitstart={start}" for start in (10, 20, 30))]
        items = []
        for n in range(40):
            name = pick(f"{number} {n}", PLAIN, 2)
            address = base.format(50 + number, "article")
            address += f"&catid={number}&id={100 * number + n}:{name.replace(' ', '-')}"
            items.append((address, name))
        result |= listing(theme, f"Class {number}", lists, items, is_numbered=True)
        for address, name in items:
            result[address] = theme(name, f"<p>{pick(address, PLAIN, 9)}.</p>")
    return {"/": theme("A school", links=categories), **result}


@honest(views=r"/news\?page=0")
def drupal() -> Pages:
    """/node/N, in lists whose pages count from 0."""
    theme = Theme("An office", ("/news", "News"))
    lists = ["/news", *(f"/news?page={page}" for page in range(1, 20))]
    items = [(f"/node/{1000 + 7 * number}", pick(f"{number}", PLAIN, 3)) for number in range(200)]
    result = listing(theme, "News", lists, items, is_numbered=True)
    for number, (address, name) in enumerate(items):
        result[address] = theme(name, f"<p>{pick(address, PLAIN, 8)}. Ref. {number * 31}.</p>")
    return {"/": theme("An office", "<p>Welcome.</p>"), **result}


@honest()
def oscar() -> Pages:
    """A shop of 600 codes in long lists: /catalogue/NAME_ID/ and /catalogue/?page=."""
    theme = Theme("Oscar", ("/catalogue/", "All products"))
    lists = ["/catalogue/", *(f"/catalogue/?page={page}" for page in range(2, 31))]
    codes = [f"hx-{3000 + 17 * number}" for number in range(600)]
    items = [(f"/catalogue/{code}_{n}/", code.upper()) for n, code in enumerate(codes, 1)]
    size = 20
    result: dict[str, Answer] = {"/": theme("Oscar", "<p>A shop.</p>")}
    for place, address in enumerate(lists):
        shown = "".join(
            f'<article><a href="{href}"><img src="/media/{href.split("_")[1]}t.jpg" alt=""></a>'
            f'<h3><a href="{href}">{name}</a></h3><p>£{9 + place}.99</p><p>In stock</p></article>'
            for href, name in items[size * place : size * place + size]
        )
        pager = f"<p>Page {place + 1} of 30</p>"
        result[address] = theme("All products", shown, pager, links=steps(lists, place))
    for number, (address, name) in enumerate(items, 1):
        facts = (
            f"<p>UPC {9_780_000_000 + number * 331}. Price £{number * 7 % 300}.99. In stock.</p>"
        )
        result[address] = theme(name, facts)
    return result


@honest()
def notes_database() -> Pages:
    """/laws.nsf/0/32 hexadecimal digits?OpenDocument, from a view in pages."""
    theme = Theme("Laws", ("/laws.nsf/all?OpenView", "All"))
    ids = [digest("document", number).upper() for number in range(180)]
    lists = ["/laws.nsf/all?OpenView"]
    lists += [f"/laws.nsf/all?OpenView&Start={start}" for start in range(31, 180, 30)]
    items = [(f"/laws.nsf/0/{each}?OpenDocument", f"Law {n}") for n, each in enumerate(ids)]
    result = listing(theme, "All laws", lists, items, is_numbered=False)
    for address, name in items:
        result[address] = theme(name, f"<p>{pick(address, PLAIN, 10)}.</p>")
    return {"/": theme("Laws", "<p>Laws.</p>"), **result}


@honest()
def matrix_parameters() -> Pages:
    """/hotels;city=NAME;page=2 and /hotel;id=12."""
    theme = Theme("Hotels")
    result: dict[str, Answer] = {}
    cities = PLAIN[:12]
    for place, city in enumerate(cities):
        first = f"/hotels;city={city}"
        items = [(f"/hotel;id={100 * place + n}", f"Hotel {n}") for n in range(20)]
        result |= listing(theme, city, [first, f"{first};page=2"], items, is_numbered=True)
        for address, name in items:
            result[address] = theme(name, f"<p>{pick(address, PLAIN, 4)}.</p>")
    return {"/": theme("Hotels", links=[f"/hotels;city={city}" for city in cities]), **result}


@honest(views=r"/\d{4}-[A-Z][a-z]+/(?:date|author|subject)\.html")
def pipermail() -> Pages:
    """A mailing list of 36 months with four orders of 8 mails each."""
    theme = Theme("A list")
    result: dict[str, Answer] = {}
    months = [f"/{2004 + n // 12}-{month_name[n % 12 + 1]}/" for n in range(36)]
    for place, month in enumerate(months):
        mails = [f"{month}{100 * place + n:06}.html" for n in range(8)]
        shown: list[Link] = [(mail, pick(mail, PLAIN, 3)) for mail in mails]
        views = [f"{month}{view}.html" for view in ("thread", "date", "author", "subject")]
        for number, view in enumerate(views):
            order = shown[number:] + shown[:number]
            result[view] = theme("Archive", anchors(order), links=views)
        for n, mail in enumerate(mails):
            result[mail] = _article(theme, mail, 15, [views[0], *steps(mails, n)])
    return {"/": theme("A list", links=[f"{month}thread.html" for month in months]), **result}


@honest(views=r".*\?C=\w;O=\w")
def folder_listings() -> Pages:
    """Listings of 25 folders with links to eight orders each, ?C=N;O=D, and 200 documents."""
    theme = Theme("Files")
    result: dict[str, Answer] = {}
    folders = [f"/files/{name}/" for name in PLAIN[:25]]
    for folder in folders:
        files = [f"{folder}{name}.html" for name in vocabulary(folder, 8)]
        orders = [f"{folder}?C={column};O={order}" for column in "NMSD" for order in "AD"]
        shown = theme(f"Index of {folder}", links=[*orders, *files])
        back = theme(f"Index of {folder}", links=[*orders, *files[::-1]])
        result |= {folder: shown, **{each: back if each[-1] == "D" else shown for each in orders}}
        for file in files:
            result[file] = _article(theme, file, 15, [folder])
    return {"/": theme("Files", links=folders), **result}


@honest()
def genealogy() -> Pages:
    """150 people with three kinds of pages each, behind the same parameters."""
    theme = Theme("Genealogy", ("/index.php?tree=t1", "All"))
    people = [f"I{number}" for number in range(1, 151)]
    kinds = ("getperson", "pedigree", "descend")
    first = [f"/getperson.php?personID={each}&tree=t1" for each in people]
    result = {"/": theme("Genealogy", "<p>A family.</p>")}
    result["/index.php?tree=t1"] = theme("All", links=first)
    for place, person in enumerate(people):
        links: list[Link] = [f"/{kind}.php?personID={person}&tree=t1" for kind in kinds]
        near = people[max(2 * place - 3, 0) : 2 * place + 4]
        relatives = [pick(each, PLAIN, 2).title() for each in near]
        texts = (f"born {1700 + place}", ", ".join(relatives[:4]), ", ".join(relatives[4:]))
        name = pick(person, PLAIN, 2).title()
        for link, kind, text in zip(links, ("Born", "Parents", "Children"), texts):
            facts = f"<p>{kind} of {name}: {text or 'nobody'}.</p>"
            result[str(link)] = theme(name, facts, links=links)
    return result


@honest()
def many_parameters() -> Pages:
    """200 pages behind ten parameters of which two differ."""
    theme = Theme("An agency", ("/show.asp?lang=1", "All"))
    rest = "c=44&lang=1&mid=2&nav=7&t=3&tmpl=9&x=0&y=1&z=5"
    addresses = [f"/show.asp?id={number}&{rest}" for number in range(300, 500)]
    result = {"/": theme("An agency", "<p>An agency.</p>")}
    result["/show.asp?lang=1"] = theme("All", links=addresses)
    for place, address in enumerate(addresses):
        text = f"<p>{pick(address, PLAIN, 7)}. File {place * 13}.</p>"
        result[address] = theme(pick(address, PLAIN, 2), text)
    return result


@honest()
def cursors() -> Pages:
    """A list of 30 pages by ?after= an opaque name, each with 10 things; Next alone."""
    theme = Theme("Links", ("/new", "New"))
    cursors = [digest("cursor", number)[:20] for number in range(29)]
    lists = ["/new", *(f"/new?after={each}" for each in cursors)]
    items = [(f"/r/{digest('r', n)[:6]}", pick(f"r {n}", PLAIN, 2)) for n in range(300)]
    result = listing(theme, "New", lists, items, is_numbered=False)
    for address, name in items:
        result[address] = theme(name, f"<p>{pick(address, PLAIN, 6)}.</p>")
    return {"/": theme("Links", "<p>Links.</p>"), **result}


@honest()
def facets_alone() -> Pages:
    """240 shoes that only pages of two facets lead to: 8 brands and 6 sizes."""
    theme = Theme("Shoes")
    brands, sizes = PLAIN[:8], [str(size) for size in range(38, 44)]
    result: dict[str, Answer] = {}
    for b, brand in enumerate(brands):
        within = [f"/shoes?brand={brand}&size={size}" for size in sizes]
        result[f"/shoes?brand={brand}"] = theme(brand, links=within)
        for s, address in enumerate(within):
            shoes = [f"/shoe/{1000 + 30 * b + 5 * s + n}" for n in range(5)]
            result[address] = theme(f"{brand}, {sizes[s]}", links=[*shoes, *within])
            for shoe in shoes:
                text = f"<p>{brand}, {sizes[s]}, {int(shoe[6:]) % 90} euros</p>"
                result[shoe] = theme(f"Shoe {shoe[6:]}", text)
    return {"/": theme("Shoes", links=[f"/shoes?brand={brand}" for brand in brands]), **result}


@honest(views=r"/author/\w+(?:\?page=\d+)?|/tag/\w+(?:\?page=\d+)?")
def many_lists() -> Pages:
    """200 articles in lists by author and by tag that repeat each other."""
    theme = Theme("Magazine", ("/articles", "Articles"))
    items = [(f"/articles/{2000 + n}", pick(f"article {n}", PLAIN, 4)) for n in range(200)]
    lists = ["/articles", *(f"/articles?page={page}" for page in range(2, 21))]
    result = listing(theme, "Articles", lists, items, is_numbered=False)
    for kind, names in (("author", PLAIN[:5]), ("tag", PLAIN[5:15])):
        for number, name in enumerate(names):
            within = items[number :: len(names)]
            first = f"/{kind}/{name}"
            pages = [first, *(f"{first}?page={n + 2}" for n in range(-(-len(within) // 10) - 1))]
            result |= listing(theme, name, pages, within, is_numbered=True)
    for number, (address, name) in enumerate(items):
        by: list[Link] = [f"/author/{PLAIN[number % 5]}", f"/tag/{PLAIN[5 + number % 10]}"]
        result[address] = theme(name, f"<p>{some_words(address, 25)}.</p>", links=by)
    return {"/": theme("Magazine", links=chunks(lists, 1)[0]), **result}


@honest()
def jump_menus() -> Pages:
    """A company of the year 2000: menus, buttons and pop-ups of scripts, and hardly a link."""
    theme = Theme("Pumps and valves")
    areas = [f"/area{number}.htm" for number in range(8)]
    options = "".join(f'<option value="{area}">{area}</option>' for area in areas)
    menu = (
        '<form name="nav"><select onchange="go(this)"><option value="">Where to?</option>'
        f"{options}</select></form>"
    )
    result = {"/": theme("Start", menu)}
    for place, area in enumerate(areas):
        pages = [f"product.php?id={10 * place + number}" for number in range(10)]
        buttons = "".join(
            f"<input type=button value=More onclick=\"window.location.href='{page}'\">"
            if number % 2
            else f"<a href=\"JavaScript:popup('{page}', 400, 300)\">More</a>"
            for number, page in enumerate(pages)
        )
        result[area] = theme(f"Area {place}", f"<p>{some_words(area, 20)}</p>{menu}{buttons}")
        for page in pages:
            text = f"<p>{some_words(page, 25)}</p><div data-href='{page}&data=1'>Data</div>"
            result[f"/{page}"] = theme(page, text)
            result[f"/{page}&data=1"] = theme(
                f"Data of {page}", f"<p>{some_words(page + 'd', 25)}</p>"
            )
    return result


@honest(views=r"/(?:print|cart|wishlist)\.php.*|.*[?&]sort=.*", most=20, requests=-1_100)
def old_php_shop() -> Pages:
    """One script for each kind of page; products carry the order of the list that led to them."""
    theme = Theme("Old shop", *((f"/category.php?cat={n}", f"Category {n}") for n in range(8)))
    result = {"/": theme("Old shop", "<p>Welcome.</p>")}
    ids = {category: [*range(category, 160, 8)] for category in range(8)}
    for category, products in ids.items():
        for order in ("", "name", "price"):
            sorted_ = sorted(products, key=lambda number: digest(order, number))
            shown = sorted_ if order == "price" else products
            links: list[Link] = [f"/product.php?id={n}&sort={order or 'name'}" for n in shown]
            links += [f"/cart.php?add={n}" for n in shown]
            base = f"/category.php?cat={category}"
            links += [f"{base}&sort=name", f"{base}&sort=price"]
            address = f"{base}&sort={order}" if order else base
            result[address] = theme(f"Category {category}", links=links)
    cart = "Thank you, the product is in the cart. Go to the checkout, or on in the shop."
    for number in range(160):
        text = f"<p>{some_words(f'product {number}', 120)}.</p>"
        named = f"id={number}"
        links = [(f"/print.php?{named}", "Print"), (f"/wishlist.php?{named}", "Wish")]
        links += [
            (f"/cart.php?add={number}", "Buy"),
            (f"/product.php?id={(number + 1) % 160}", "Next"),
        ]
        product = theme(pick(named, PLAIN, 3), text, links=links)
        result[f"/product.php?{named}"] = product
        result |= {f"/product.php?{named}&sort={order}": product for order in ("name", "price")}
        result[f"/print.php?{named}"] = Theme("Old shop")(f"Print: {pick(named, PLAIN, 3)}", text)
        result[f"/cart.php?add={number}"] = theme("Cart", f"<p>{cart} {cart}</p>")
        result[f"/wishlist.php?{named}"] = theme("Wishlist", f"<p>Please log in first. {cart}</p>")
    return result


@honest(
    views=r"/old/\?forum-\d\.html|/forum\?fid=\d&page=2|/rate\?.*",
    apart=r".*(?:sort|print|thr.*ht).*",
    most=9,
    requests=-1_100,
)
def forum_with_copies() -> Pages:
    """120 threads, each printed and in an archive, in 4 lists with orders.

    The lists have links with a key of the visit, all to one login form, and those of the archive
    lead to its copies.
    """
    theme = Theme("A forum")
    forums = {n: [*range(n, 120, 4)] for n in range(1, 5)}
    result = {"/": theme("A forum", links=[f"/forum?fid={n}" for n in forums])}
    for n, threads in forums.items():
        for order in ("", "&sort=name", "&sort=views", "&sort=replies", "&sort=date"):
            ordered = (
                sorted(threads, key=lambda thread: digest(order, thread)) if order else threads
            )
            lists = [f"/forum?fid={n}{order}", f"/forum?fid={n}&page=2{order}"]
            for place, within in enumerate((ordered[:15], ordered[15:])):
                key = f"key={digest(lists[place])}"
                rates = [f"/rate?{key}&tid={thread}" for thread in within]
                links = [*(f"/thread?tid={thread}" for thread in within), *rates, *lists]
                orders = [f"/forum?fid={n}&sort={s}" for s in ("name", "views", "replies", "date")]
                result[lists[place]] = theme(f"Forum {n}", links=[*links, *orders])
                login = "<p>Please log in first.</p><form><input type=password name=p></form>"
                result |= dict.fromkeys(rates, theme("Rate this", login))
        copies = [f"/old/?thread-{thread}.html" for thread in threads]
        result[f"/old/?forum-{n}.html"] = theme(f"Forum {n}, all", links=copies)
        for thread, copy in zip(threads, copies):
            name, text = pick(f"thread {thread}", PLAIN, 3), f"<p>{some_words(copy, 60)}.</p>"
            links = [f"/forum?fid={n}", f"/print?tid={thread}", copy]
            result[f"/thread?tid={thread}"] = theme(name, text, links=links)
            heads = f"<p>Forum {n}, to print</p>"
            result[f"/print?tid={thread}"] = theme(name, heads, text, links=links[:1])
            back = [f"/old/?forum-{n}.html", f"/thread?tid={thread}"]
            result[copy] = theme(f"{name}, old", f"<p>Forum {n}</p>", text, links=back)
    return result
