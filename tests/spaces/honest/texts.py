"""Finite sites of many short texts."""

from itertools import product
from random import Random
from urllib.parse import urlencode

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

PLAIN = vocabulary("plain", 80)


@honest()
def verses() -> Pages:
    """Ten chapters of 25 verses, /book/3/12, eight words each."""
    theme = Theme("A book")
    verses = [f"/book/{chapter}/{verse}" for chapter in range(1, 11) for verse in range(1, 26)]
    chapters = [f"/book/{chapter}" for chapter in range(1, 11)]
    result = {"/": theme("A book", links=chapters)}
    for place, chapter in enumerate(chapters):
        within = verses[25 * place : 25 * place + 25]
        result[chapter] = theme(f"Chapter {place + 1}", links=within)
    for place, address in enumerate(verses):
        text = f"<p>{pick(address, PLAIN, 8)}.</p>"
        result[address] = theme(address[6:].replace("/", ":"), text, links=steps(verses, place))
    return result


@honest()
def law() -> Pages:
    """A law of 240 paragraphs, /law/§17, some of them "(repealed)"."""
    theme = Theme("Law")
    addresses = [f"/law/%C2%A7{number}" for number in range(1, 241)]
    result = {"/": theme("Law", links=["/law/"])}
    result["/law/"] = theme("The law", links=addresses)
    for place, address in enumerate(addresses):
        text = "(repealed)" if place % 9 == 4 else f"{pick(address, PLAIN, 9)}."
        result[address] = theme(f"§ {place + 1}", f"<p>{text}</p>", links=steps(addresses, place))
    return result


@honest()
def glossary() -> Pages:
    """200 words with a sentence each."""
    theme = Theme("Glossary")
    names = vocabulary("glossary", 200)
    result = {"/": theme("Glossary", links=[(f"/glossary/{name}", name) for name in names])}
    for place, name in enumerate(names):
        also = names[place * 7 % 200]
        text = f"<p>{name}: {pick(name, PLAIN, 5)}. See also {also}.</p>"
        result[f"/glossary/{name}"] = theme(name, text, links=[f"/glossary/{also}"])
    return result


@honest()
def questions() -> Pages:
    """240 questions by number with short titles; lists of 20."""
    theme = Theme("Questions", ("/questions", "Questions"))
    lists = ["/questions", *(f"/questions?page={page}" for page in range(2, 13))]
    items = [(f"/questions/{4000 + 3 * n}", f"Why {pick(f'q {n}', PLAIN, 2)}?") for n in range(240)]
    result = listing(theme, "Questions", lists, items, is_numbered=True)
    for address, name in items:
        text = f"<p>{pick(address, PLAIN, 6)}?</p><p>{pick(f'{address} a', PLAIN, 5)}.</p>"
        result[address] = theme(name, text)
    return {"/": theme("Questions", "<p>Ask.</p>"), **result}


@honest(
    views=r"/viewtopic\.php\?p=\d+|/viewtopic\.php\?t=\d+&view=(?:previous|next)",
    ignored=frozenset({"sid"}),
)
def forum() -> Pages:
    """300 topics, viewtopic.php?t=12&start=20, a sid in every link, links to single posts."""
    theme = Theme("Forum")
    result: dict[str, Answer] = {}

    def signed(address: str, on: str) -> str:
        return f"{address}&sid={digest(on)}"

    boards = [f"/viewforum.php?f={number}" for number in range(1, 4)]
    for number, board in enumerate(boards):
        lists = [board, *(f"{board}&start={start}" for start in range(25, 100, 25))]
        topics = [f"/viewtopic.php?t={100 * number + n + 1}" for n in range(100)]
        for place, group in enumerate(chunks(topics, 25)):
            pager = anchors((signed(each, lists[place]), str(n)) for n, each in enumerate(lists, 1))
            shown = anchors((signed(each, lists[place]), pick(each, PLAIN, 3)) for each in group)
            result[lists[place]] = theme(f"Board {number + 1}", pager, shown)
        for place, topic in enumerate(topics):
            pages = [topic, *([f"{topic}&start=20"] if place % 10 == 0 else [])]
            for address in pages:
                posts = "".join(f"<p>{pick(f'{address} {n}', PLAIN, 7)}.</p>" for n in range(3))
                first = f"/viewtopic.php?p={10 * (100 * number + place) + 1}"
                links = [signed(each, address) for each in (*pages, first, board)]
                result[address] = theme(pick(topic, PLAIN, 3), posts, links=links)
                result.setdefault(first, result[address])
    return {"/": theme("Forum", links=[signed(board, "/") for board in boards]), **result}


@honest(views=r"/tag/\w+\?sort=\w+")
def tags() -> Pages:
    """5 tags in 3 orders of the same 24 articles each."""
    theme = Theme("Articles", *((f"/tag/{tag}", tag) for tag in PLAIN[:5]))
    result = {"/": theme("Articles", "<p>Articles.</p>")}
    for tag in PLAIN[:5]:
        articles = [f"/article/{words(f'{tag} {n}', 1)}" for n in range(24)]
        orders = {"date": articles, "title": sorted(articles), "views": articles[::-1]}
        links = [f"/tag/{tag}?sort={order}" for order in orders]
        for link, order in zip(links, orders.values()):
            result[link] = theme(f"About {tag}", anchors(order), links=links)
        result[f"/tag/{tag}"] = result[links[0]]
        for article in articles:
            result[article] = theme(words(article, 2), f"<p>{words(f'{article}!', 15)}.</p>")
    return result


@honest(views=r"/[a-z]+\?print=1")
def print_views() -> Pages:
    """150 articles with a print view each."""
    theme = Theme("Magazine")
    addresses = [f"/{words(f'magazine {number}', 1)}" for number in range(150)]
    result = {}
    for place, address in enumerate(addresses):
        body = f"<p>{words(f'{address}!', 40)}.</p>"
        title = words(address, 3)
        printed = f"{address}?print=1"
        result[address] = theme(title, body, links=[printed, *steps(addresses, place)])
        result[printed] = Theme("Magazine")(title, body)
    return {"/": theme("Magazine", links=addresses[:10]), **result}


@honest(views=r"/post/\d+\?replytocom=\d+")
def reply_links() -> Pages:
    """100 posts with three links each to answer to a comment: the same page again."""
    theme = Theme("A blog")
    addresses = [f"/post/{number}" for number in range(1, 101)]
    result: dict[str, Answer] = {}
    for place, address in enumerate(addresses):
        replies = [f"{address}?replytocom={3 * place + n}" for n in range(3)]
        body = f"<p>{words(address, 40)}.</p>"
        answer = theme(words(address, 2), body, links=[*replies, *steps(addresses, place)])
        result |= dict.fromkeys((address, *replies), answer)
    return {"/": theme("A blog", links=addresses[:20]), **result}


@honest()
def countries() -> Pages:
    """Three shops of one text and title; the 30 goods of each differ in price and delivery."""
    shops = [f"/{country}/" for country in ("at", "de", "ch")]
    result = {"/": Theme("Lamps")("Lamps", links=shops)}
    names = pick("goods", PLAIN, 30).split()
    for number, shop in enumerate(shops, 2):
        goods = [(f"{shop}{name}", name) for name in names]
        theme = Theme("Lamps", (f"{shop}help", "Help"))
        result[shop] = theme("All lamps", f"<p>{words('lamps', 30)}.</p>", links=goods)
        result[f"{shop}help"] = theme("Help", f"<p>{words(f'help {shop}', 30)}.</p>")
        for place, (address, name) in enumerate(goods):
            text = f"<p>{words(name, 30)}. {number * (place + 7)},90 in {number} days.</p>"
            result[address] = theme(name, text)
    return result


@honest()
def versions() -> Pages:
    """The same tree of 40 pages under 7 versions: each says its version, and differs a little."""
    names = vocabulary("manual", 39)
    result: dict[str, Answer] = {}
    for version in range(1, 8):
        prefix = f"/v{version}/"
        theme = Theme(f"Manual {version}", (prefix, "Contents"))
        result[prefix] = theme("Contents", links=[(f"{prefix}{name}", name) for name in names])
        for name in names:
            others = [(f"/v{other}/{name}", f"Version {other}") for other in range(1, 8)]
            text = f"<p>{words(name, 30)}. {words(f'{name} {version}', 3)}.</p>"
            result[f"{prefix}{name}"] = theme(name, text, links=others)
    links = [f"/v{version}/" for version in range(1, 8)]
    return {"/": Theme("Manuals")("Manuals", links=links), **result}


@honest(apart=r".*version.*")
def old_versions() -> Pages:
    """30 articles; 8 versions of each, which differ by a few words, are to be left out."""
    theme = Theme("Wiki of versions")
    names = vocabulary("articles", 30)
    result = {"/": theme("Home", links=[f"/wiki?title={name}" for name in names])}
    for name in names:
        address = f"/wiki?title={name}"
        versions = [f"{address}&version={version}" for version in range(1, 9)]
        prose = ". ".join(words(f"{name} {number}", 6) for number in range(9))
        for version in (address, *versions):
            changed = words(version, 6) if version != address else ""
            text = f"<p>{prose}. {changed}.</p>"
            result[version] = theme(name, text, links=[*versions, "/"])
    return result


@honest(apart=r"/wiki/\w+/[0-9](?:/authors)?|/act/\w+/[0-9]/authors")
def versions_below_histories() -> Pages:
    """60 articles with shorter versions, to be left out, and 60 acts with others; in paths.

    So are versions with authors, beside the versions to which no nearer page leads.
    """
    theme = Theme("Wiki with histories")
    names = vocabulary("histories", 60)
    result = {"/": theme("Home", links=[f"/{kind}/{n}" for n in names for kind in ("wiki", "act")])}
    for name in names:
        for kind in ("wiki", "act"):
            address = f"/{kind}/{name}"
            history, versions = f"{address}/history", [f"{address}/{n}" for n in (1, 2)]
            prose = [words(f"{address} {number}", 6) for number in range(12)]
            result[address] = theme(name, f"<p>{'. '.join(prose)}.</p>", links=[history])
            changes = f"<p>{words(history, 5)}</p>"
            authors = [f"{version}/authors" for version in versions]
            result[history] = theme(
                f"History of {name}", changes, links=[address, *versions, *authors]
            )
            for number, version in enumerate(versions, 1):
                changed = [words(version, 9)] if kind == "act" else []
                text = f"<p>Version {number}</p><p>{'. '.join([*prose[number:], *changed])}.</p>"
                result[version] = theme(f"{name}, version {number}", text, links=[address, history])
                text += "<p>Ada, Ada, Ben, Ada, Ben, Ben</p>"
                result[f"{version}/authors"] = theme(name, text, links=[address, history, version])
    return result


@honest(apart=r".*/_(?:source|files)")
def sources_in_sections() -> Pages:
    """72 articles in 12 sections, each with its source and a list of no files, to be left out.

    And each with notes under a path that ends alike.
    """
    theme = Theme("Wiki in sections")
    names = vocabulary("sections", 84)
    result = {"/": theme("Home", links=[f"/{section}" for section in names[:12]])}
    for place, section in enumerate(names[:12]):
        pages = [f"/{section}/{name}" for name in names[12 + 6 * place :][:6]]
        result[f"/{section}"] = theme(section, f"<p>{words(section, 20)}.</p>", links=pages)
        for page in pages:
            name = page.rpartition("/")[2]
            below = [f"{page}/_{kind}" for kind in ("source", "files", "notes")]
            prose = f"<p>{words(page, 60)}.</p>"
            result[page] = theme(name, prose, links=below)
            result[below[0]] = theme(f"Source of {name}", prose, links=[page])
            none = "<p>There are no files here. Files of this page have to be small.</p>"
            result[below[1]] = theme(f"Files of {name}", none, links=[page])
            notes = f"<p>{words(below[2], 30)}.</p>"
            result[below[2]] = theme(f"Notes on {name}", notes, links=[page])
    return result


@honest(apart=r".*(?:/delete/|order=).*", views=r"/\w+/list\?page=\d")
def rows_of_tables() -> Pages:
    """Two tables of 60 rows with the same numbers; each with a page to delete it, and notes on it.

    The pages of their lists have six orders. Orders and pages to delete a row are to be left out.
    """
    theme = Theme("Tables")
    result = {"/": theme("Tables", links=["/lamps/list", "/rugs/list"])}
    for thing in ("lamps", "rugs"):
        columns = ("name", "price", "town")
        orders = [f"order={sign}{column}" for column in columns for sign in ("", "-")]
        rows = [*range(1, 61)]
        for order in ("", *orders):
            Random(order).shuffle(rows)
            some = sorted(rows) if not order else rows
            for number, here in enumerate(chunks(some, 20), 1):
                parts = [order] * bool(order) + [f"page={number}"] * (number > 1)
                path = f"/{thing}/list{'?' * bool(parts)}{'&'.join(parts)}"
                kinds = ("row", "delete", "notes")
                links = [f"/{thing}/{kind}/{row}" for row in here for kind in kinds]
                links += [f"/{thing}/list?{each}" for each in orders]
                begin = f"/{thing}/list?{order}{'&' * bool(order)}page="
                links += [f"{begin}{each}" for each in (2, 3)]
                result[path] = theme(f"All {thing}", links=links)
        for row in rows:
            prose = f"<p>{words(f'{thing} {row}', 30)}.</p>"
            title = words(f"{thing} {row} title", 2)
            own = [f"/{thing}/delete/{row}", f"/{thing}/notes/{row}"]
            result[f"/{thing}/row/{row}"] = theme(title, prose, links=own)
            sure = f"<p>Delete this row for ever?</p>{prose}"
            result[own[0]] = theme(f"Delete {title}", sure)
            result[own[1]] = theme(
                f"Notes on {title}", f"<p>{words(f'note {thing} {row}', 30)}.</p>"
            )
    return result


@honest(apart=r"/diff/.*")
def changes_beside_articles() -> Pages:
    """40 articles, their visits in a year, and 80 differences to be left out.

    No article leads to these: they have its name in their paths, and a query.
    """
    theme = Theme("Wiki with changes", ("/changes", "Changes"), ("/numbers", "Numbers"))
    names = vocabulary("changes", 40)
    result = {"/": theme("Home", links=[f"/wiki/{name}" for name in names])}
    changes = [f"/diff/{name}?from={number}" for name in names for number in (1, 2)]
    numbers = [f"/visits/{name}?year=2024" for name in names]
    result |= {"/changes": theme("Changes", links=changes)}
    result |= {"/numbers": theme("Numbers", links=numbers)}
    for name, visits in zip(names, numbers):
        prose = [words(f"{name} {number}", 6) for number in range(12)]
        result[f"/wiki/{name}"] = theme(name, f"<p>{'. '.join(prose)}.</p>")
        for number in (1, 2):
            shown = f"<p>From version {number}</p><p>{'. '.join(prose[number:])}.</p>"
            links = [f"/wiki/{name}"]
            result[f"/diff/{name}?from={number}"] = theme(f"Changes of {name}", shown, links=links)
        months = [f"{int(digest(f'{name} {month}')[:4], 16)}" for month in range(12)]
        result[visits] = theme(f"Visits of {name}", f"<p>{' '.join(months)}</p>")
    return result


@honest(apart=r".*/(?:files|report)")
def forms_beside_long_articles() -> Pages:
    """40 long articles, each with an answer and a map; lists of no files, forms to be left out."""
    theme = Theme("Long articles")
    names = [f"/paper/{name}" for name in vocabulary("papers", 40)]
    result = {"/": theme("Home", links=names)}
    notice = f"<p>{words('notice of files', 40)}.</p>"
    for address in names:
        title = address.rpartition("/")[2]
        prose = [f"<p>{words(f'{address} {number}', 60)}.</p>" for number in range(12)]
        kinds = ("files", "report", "answer", "map")
        links = [f"{address}/{kind}" for kind in kinds]
        back = [(address, "Paper"), *zip(links, kinds)]
        result[address] = theme(title, *prose, links=back)
        nothing = "<p>There are no files of this paper.</p>"
        result[links[0]] = theme(f"Files of {title}", notice, nothing, links=back)
        form = "<form><p>Why should this be removed?</p><textarea></textarea></form>"
        result[links[1]] = theme(f"Report {title}", form, links=back)
        answer = f"<p>{words(links[2], 5)}.</p>"
        result[links[2]] = theme(f"Answer to {title}", notice, answer, links=back)
        picture = image(f"{links[3]}.png")
        result[links[3]] = theme(f"Map of {title}", notice, picture, links=back)
    return result


@honest()
def minutes_of_meetings() -> Pages:
    """80 meetings under one title and a long notice; the page without a number is the last one."""
    theme = Theme("Council", semantic=False)
    notice = f"<p>{words('notice', 90)}.</p>"
    every = [f"/minutes.php?no={number}" for number in range(80)]

    def shown(address: str) -> str:
        return f"{notice}<p>{words(address, 12)}.</p>"

    result = {each: theme("Minutes", shown(each), links=["/minutes.php"]) for each in every}
    result["/minutes.php"] = theme("Minutes", shown(every[-1]), links=every)
    result["/about.php"] = theme("About", notice)
    return {"/": theme("Home", notice, links=["/minutes.php", "/about.php"]), **result}


@honest()
def languages() -> Pages:
    """40 pages in 6 languages, ?lang= on each, whose texts differ."""
    theme = Theme("Multilingual")
    result: dict[str, Answer] = {}
    addresses = [f"/about-{number}" for number in range(40)]
    codes = ("en", "de", "fr", "es", "it", "pl")
    for place, address in enumerate(addresses):
        others = [f"{address}?lang={code}" for code in codes]
        for code in codes:
            near = [(f"{each}?lang={code}", text) for each, text in steps(addresses, place)]
            text = f"<p>{words(f'{address} {code}', 20)}.</p>"
            title = words(f"{address} {code} title", 2)
            result[f"{address}?lang={code}"] = theme(title, text, links=[*others, *near])
    return {"/": theme("Home", links=["/about-0?lang=en"]), **result}


@honest()
def family_tree() -> Pages:
    """A tree of people, /person/1/child/2/child/1: alternating segments, six levels deep."""
    theme = Theme("Family")
    result: dict[str, Answer] = {}

    def grow(address: str, depth: int) -> None:
        children = [f"{address}/child/{n}" for n in (1, 2)] if depth < 6 else []
        name = pick(address, PLAIN, 2).title()
        text = f"<p>{name}, born {1700 + 30 * depth}, {pick(f'{address}!', PLAIN, 3)}.</p>"
        result[address] = theme(name, text, links=children)
        for child in children:
            grow(child, depth + 1)

    grow("/person/1", 0)
    return {"/": theme("Family", links=["/person/1"]), **result}


@honest()
def deep_folders() -> Pages:
    """Sources in folders 14 levels deep, some names repeated: /src/org/x/src/org/..."""
    theme = Theme("Sources")
    result: dict[str, Answer] = {}
    folder = "/"
    for level in range(14):
        inner = f"{folder}{('src', 'org', 'impl')[level % 3]}/"
        files = [f"{folder}{name}.html" for name in vocabulary(folder, 9)]
        result[folder] = theme(
            f"Index of {folder}", links=[*files, *([inner] if level < 13 else [])]
        )
        for file in files:
            result[file] = theme(file, f"<p>{words(file, 20)}.</p>")
        folder = inner
    return result


@honest()
def threads() -> Pages:
    """A thread of 60 mails where each leads to its answer alone, deeper than any limit."""
    theme = Theme("A mailing list")
    addresses = [f"/2024-May/msg{number:05}.html" for number in range(60)]
    result = {"/": theme("A mailing list", links=addresses[:1])}
    for place, address in enumerate(addresses):
        links = [(each, "Follow-up") for each in addresses[place + 1 : place + 2]]
        result[address] = theme("Re: a question", f"<p>{words(address, 25)}.</p>", links=links)
    return result


@honest()
def searches() -> Pages:
    """120 topics behind ?q=, each leading to four others, all real."""
    theme = Theme("Topics")
    names = vocabulary("topics", 120)
    result = {"/": theme("Topics", links=[f"/topics?q={name}" for name in names[:4]])}
    for place, name in enumerate(names):
        others = [f"/topics?q={names[(4 * place + n) % 120]}" for n in range(4)]
        result[f"/topics?q={name}"] = theme(name, f"<p>{words(name, 12)}.</p>", links=others)
    return result


@honest()
def thin_pages() -> Pages:
    """300 registered companies: a name and a number, /company/HRB-1234."""
    theme = Theme("Register", ("/companies/", "Companies"))
    addresses = [f"/company/HRB-{1000 + 11 * number}" for number in range(300)]
    lists = ["/companies/", *(f"/companies/{page}/" for page in range(2, 13))]
    items = [(address, f"{pick(address, PLAIN, 2).title()} Ltd") for address in addresses]
    result = listing(theme, "Companies", lists, items, is_numbered=True)
    for address, name in items:
        result[address] = theme(name, f"<p>{address[9:]}</p>")
    return {"/": theme("Register", "<p>Companies.</p>"), **result}


@honest()
def trades_named_in_paths() -> Pages:
    """A page for each of 15 trades in each of 12 towns, /guide/town:pora/trade:baker."""
    theme = Theme("Guide")
    towns, trades = vocabulary("town", 12), vocabulary("trade", 15)
    result = {"/": theme("Guide", links=[f"/guide/town:{town}" for town in towns])}
    for town in towns:
        ways = [(f"/guide/town:{town}/trade:{trade}", trade) for trade in trades]
        result[f"/guide/town:{town}"] = theme(town, f"<p>{words(town, 20)}.</p>", links=ways)
        for address, trade in ways:
            result[address] = theme(f"{trade} in {town}", f"<p>{pick(address, PLAIN, 20)}.</p>")
    return result


@honest(views=r"/shelf/.*")
def products_behind_named_filters() -> Pages:
    """160 products, each on one list alone: that of its kind and colour, /shelf/kind:x/colour:y."""
    theme = Theme("Shop")
    kinds, colours = vocabulary("kind", 8), vocabulary("colour", 5)
    result = {"/": theme("Shop", links=[f"/shelf/kind:{kind}" for kind in kinds])}
    for kind in kinds:
        lists = [f"/shelf/kind:{kind}/colour:{colour}" for colour in colours]
        result[f"/shelf/kind:{kind}"] = theme(kind, links=lists)
        for address in lists:
            products = [f"/{digest(address, number)[:9]}" for number in range(4)]
            result[address] = theme(kind, links=[(each, words(each, 2)) for each in products])
            for each in products:
                result[each] = theme(words(each, 2), f"<p>{words(each, 30)}.</p>")
    return result


def _chapters(parameters: dict[str, tuple[str, ...]], *, views: set[str], count: int = 40) -> Pages:
    """Chapters in all combinations of some parameters; those of ``views`` change nothing."""
    theme = Theme("Reader")
    choices = [dict(zip(parameters, each)) for each in product(*parameters.values())]
    addresses = {
        (
            chapter,
            number,
        ): f"/read?{urlencode({'chapter': chapter, **{n: v for n, v in choice.items() if v}})}"
        for chapter in range(1, count + 1)
        for number, choice in enumerate(choices)
    }
    result = {
        "/": theme("Reader", links=[addresses[chapter, 0] for chapter in range(1, count + 1)])
    }
    for (chapter, number), address in addresses.items():
        own = {name: value for name, value in choices[number].items() if name not in views}
        text = f"<p>{words(f'{chapter} {own}', 40)}.</p>"
        ways = [addresses[chapter, other] for other in range(len(choices))]
        result[address] = theme(f"Chapter {chapter}", text, links=ways)
    return result


@honest(views=r"/read\?.*look=.*")
def translations_with_looks() -> Pages:
    """Chapters in two languages, each in four looks that change nothing."""
    return _chapters({"lang": ("", "de"), "look": ("", "big", "dark", "plain")}, views={"look"})


@honest(views=r"/read\?.*look=(?!big).*")
def chapters_that_name_their_look() -> Pages:
    """Chapters in two languages, whose URLs always name both these and one of four looks."""
    looks = ("big", "dark", "plain", "wide")
    return _chapters({"lang": ("en", "de"), "look": looks}, views={"look"})


@honest(views=r"/read\?.*look=(?!big).*")
def few_chapters_that_name_their_look() -> Pages:
    """The same with six chapters, so that each text is on eight pages."""
    looks = ("big", "dark", "plain", "wide")
    return _chapters({"lang": ("en", "de"), "look": looks}, views={"look"}, count=6)


@honest(views=r"/read\?.*look=.*")
def few_translations_with_looks() -> Pages:
    """Six chapters in three languages, each in four looks that change nothing."""
    looks = ("", "big", "dark", "plain")
    return _chapters({"lang": ("", "de", "fr"), "look": looks}, views={"look"}, count=6)


@honest()
def tabs_of_a_script() -> Pages:
    """Items in three tabs, news and single pages by one script, all of whose URLs name a skin."""
    theme = Theme("Museum")

    def address(act: str, **chosen: object) -> str:
        return f"/index.php?{urlencode({'act': act, **chosen, 'skin': 'blue'})}"

    single = {act: address(act) for act in ("contact", "imprint", "team", "tickets")}
    items = [f"Vase {number}" for number in range(60)]
    tabs = {
        "text": lambda number: f"<p>{words(f'vase {number}', 30)}.</p>",
        "data": lambda number: table(("Height", "Year"), [(number + 11, 1200 + 7 * number)]),
        "photo": lambda number: image(f"/vases/{number}.jpg"),
    }
    result = {}
    for number, name in enumerate(items):
        ways = {tab: address("item", id=number, tab=tab) for tab in tabs}
        for tab, body in tabs.items():
            result[ways[tab]] = theme(name, body(number), links=[*ways.values(), *single.values()])
    for number in range(40):
        text = f"<p>{words(f'news {number}', 20)}.</p>"
        result[address("news", id=number)] = theme("News", text, links=[*single.values()])
    firsts = [address("item", id=number, tab="text") for number in range(60)]
    firsts += [address("news", id=number) for number in range(40)]
    result["/"] = theme("Museum", links=[*firsts, *single.values()])
    for act, way in single.items():
        result[way] = theme(act.title(), f"<p>{words(act, 12)}.</p>")
    return result
