"""Numbered pages of lists that show what their entries show, and honest ones that resemble them."""

import random
from collections.abc import Iterable

from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION
from sitemapgen.analysis.kinds.views import COMPOSED
from tests.analysis.made import Made, examples, sentences, views
from tests.helpers.tables import for_each

MENU = ["Spare parts", "Your cart is empty", "Our shops and workshops", "Delivery and returns"]
LISTS = 20
EACH = 8
"""Entries of a list."""


def numbers(page: int) -> range:
    return range(page * EACH, (page + 1) * EACH)


def entry(number: int) -> list[str]:
    """Name, price and a word, as a list and the page of a product have them."""
    name = " ".join(sentences(f"name{number}", 1)[0].split()[:2])
    return [f"{name} {number}", f"€{number % 90 + 3}.{number % 7}0", "In stock", "Add to cart"]


def product(number: int) -> Made:
    more = ["Description", *sentences(f"product{number}", 9)]
    return Made([*MENU, *entry(number), *more], ["/", "/parts"])


def lines_of(numbers: Iterable[int]) -> list[str]:
    return [part for number in numbers for part in entry(number)]


def pagination(page: int) -> list[str]:
    first, last = page * EACH + 1, (page + 1) * EACH
    return [f"{LISTS * EACH} results, {first} to {last}", "Previous", "Next"]


def paged(page: int) -> Made:
    links = ["/", "/parts", f"/parts?page={page}", f"/parts?page={page + 2}"]
    links += [f"/part/{number}" for number in numbers(page)]
    return Made([*MENU, *pagination(page), *lines_of(numbers(page))], links)


NUMBERS = {f"{number}" for number in range(1_000)}
PRODUCTS = {f"/part/{number}": product(number) for number in range(LISTS * EACH)}
PAGES = {"/parts" + (f"?page={page + 1}" if page else ""): paged(page) for page in range(LISTS)}
LATER = {path: made for path, made in PAGES.items() if "?" in path}
HOME = {"/": Made([*MENU, *sentences("welcome")], ["/parts"])}
SHOP = HOME | PRODUCTS | PAGES


def test_lists_of_names_and_prices_after_the_first() -> None:
    found = examples(SHOP)
    assert found.keys() == LATER.keys()
    assert found["/parts?page=2"] in {f"/part/{number}" for number in numbers(1)}


def test_a_few_pages_prove_nothing() -> None:
    """Each is as good as three, as it shows three products at least."""
    least = -(-WITHOUT_EXCEPTION // COMPOSED)
    few = dict(list(LATER.items())[: least - 1])
    assert views(HOME | PRODUCTS | few) == {}
    assert len(views(HOME | PRODUCTS | dict(list(LATER.items())[:least]))) == least


def test_a_list_with_words_of_its_own() -> None:
    own = LATER["/parts?page=7"]
    blocks = [*own.blocks, *sentences("how to choose a bearing", 3)]
    found = views(SHOP | {"/parts?page=7": own._replace(blocks=blocks)})
    assert found.keys() == LATER.keys() - {"/parts?page=7"}


def test_some_honest_pages_keep_their_whole_group() -> None:
    own = {
        path: made._replace(blocks=[*made.blocks, *sentences(path, 3)])
        for path, made in list(LATER.items())[:3]
    }
    assert views(SHOP | own) == {}


def described(page: int, links: list[str]) -> Made:
    """A list with a sentence on each entry."""
    entries = [
        part
        for number in numbers(page)
        for part in (*entry(number), *sentences(f"only here {number}", 1))
    ]
    return Made([*MENU, *pagination(page), *entries], links)


def test_lists_that_describe_their_entries() -> None:
    own = {path: described(page, made.links) for page, (path, made) in enumerate(LATER.items(), 1)}
    assert views(SHOP | own) == {}


def test_lists_with_a_number_for_each_entry() -> None:
    """The place in a ranking, its votes: nowhere else."""
    ranked = {}
    for page, (path, made) in enumerate(LATER.items(), 1):
        lines = [
            part
            for number in numbers(page)
            for part in (f"{900 - number}.", *PRODUCTS[f"/part/{number}"].blocks[-9:-7])
        ]
        ranked[path] = made._replace(blocks=[*MENU, *pagination(page), *lines])
    assert views(SHOP | ranked) == {}
    plain = {
        path: made._replace(blocks=[block for block in made.blocks if block[:-1] not in NUMBERS])
        for path, made in ranked.items()
    }
    assert views(SHOP | plain).keys() == LATER.keys()


@for_each(3, 8)
def test_lists_of_results(length: int) -> None:
    """Clubs with long names play each other: only the list has the goals, few numbers in all."""
    clubs = [" ".join(sentences(f"club{number}", 1)[0].split()[:length]) for number in range(160)]
    pages = {
        f"/part/{number}": Made([*MENU, club, "Founded in 0 1 2 3 4", *sentences(club, 9)], ["/"])
        for number, club in enumerate(clubs)
    }
    results = {
        path: made._replace(
            blocks=[
                *MENU,
                *(
                    line
                    for number in numbers(page)
                    for line in (clubs[number], random.Random(number).choice("01234"))
                ),
            ]
        )
        for page, (path, made) in enumerate(LATER.items(), 1)
    }
    assert views(HOME | pages | results) == {}
    names = {
        path: made._replace(blocks=[block for block in made.blocks if block not in NUMBERS])
        for path, made in results.items()
    }
    assert views(HOME | pages | names).keys() == LATER.keys()


@for_each("manual", "answers")
def test_long_texts_on_several_pages(name: str) -> None:
    """Chapters, topics of a forum: each page has the heading, and links to what it is about."""
    pages = {
        f"/{name}?page={page}": Made(
            [*MENU, "On bearings", *entry(page), *sentences(f"{name}{page}", 8)],
            ["/", *(f"/part/{number}" for number in numbers(page % LISTS))],
        )
        for page in range(2, 22)
    }
    assert views(HOME | PRODUCTS | pages) == {}


def test_entries_without_pages() -> None:
    """Firms with their addresses, links to other sites: lists are all there is of them."""
    alone = {path: made._replace(links=["/", "/parts"]) for path, made in LATER.items()}
    assert views(SHOP | alone) == {}


def test_another_list_of_the_same_entries_is_no_evidence() -> None:
    """By name, by place and by trade: all pages link to these lists."""
    others = {
        f"/by-{start}": Made([*MENU, *lines_of(range(start, LISTS * EACH, 4))], ["/"])
        for start in range(4)
    }
    pages = {path: made._replace(links=["/", *others]) for path, made in LATER.items()}
    assert views(HOME | others | pages) == {}


def test_numbered_lists_in_another_order_are_no_evidence() -> None:
    """Two orders of the same entries, which have no pages: one of them would be lost."""
    pairs = [pair for start in range(LISTS) for pair in range(start, LISTS * EACH // 2, LISTS)]
    order = [number for pair in pairs for number in (2 * pair, 2 * pair + 1)]
    other = {
        f"/parts?page={page}&sort=name": Made(
            [*MENU, *pagination(page), *lines_of(order[page * EACH : (page + 1) * EACH])], ["/"]
        )
        for page in range(LISTS)
    }
    pages = {}
    for path, made in LATER.items():
        places = {order.index(number) // EACH for number in numbers(int(path[12:]) - 1)}
        pages[path] = made._replace(links=["/", *(f"/parts?page={at}&sort=name" for at in places)])
    assert views(HOME | pages | other) == {}


def test_a_sheet_of_the_same_entries_is_one_page() -> None:
    """It is no evidence, and takes none away from the entries."""
    sheets = {
        path.replace("parts?page=", "sheet/"): made._replace(links=["/"])
        for path, made in LATER.items()
    }
    pages = {
        path: made._replace(links=[*made.links, path.replace("parts?page=", "sheet/")])
        for path, made in LATER.items()
    }
    assert views(SHOP | pages | sheets).keys() == LATER.keys()
    alone = {path: made._replace(links=made.links[-1:]) for path, made in pages.items()}
    assert views(HOME | alone | sheets) == {}


def test_pages_composed_of_two_others() -> None:
    """A third page that they link to has nothing of them that the other two lack."""
    parts = {f"/half/{n}": Made([*MENU, *sentences(f"half{n}", 9)], ["/"]) for n in range(60)}
    pages = {}
    for page in range(20):
        blocks = [line for n in (page, page + 20) for line in sentences(f"half{n}", 4)]
        parts[f"/half/{page + 40}"] = parts[f"/half/{page}"]
        links = [f"/half/{page + each}" for each in (0, 20, 40)]
        pages[f"/pairs?page={page}"] = Made([*MENU, *blocks], ["/", *links])
    assert views(HOME | parts | pages) == {}


def test_the_same_words_in_another_order() -> None:
    """Topics of a forum, all of common words: only runs of them are evidence."""
    mixed = {}
    for page, (path, made) in enumerate(LATER.items(), 1):
        blocks = []
        for number in numbers(page):
            words = " ".join(PRODUCTS[f"/part/{number}"].blocks[-9:]).split()
            blocks += [" ".join(words[:8]), " ".join(words[60:30:-5])]
        mixed[path] = made._replace(blocks=[*MENU, *pagination(page), *blocks])
    assert views(SHOP | mixed) == {}


def test_short_lists_prove_nothing() -> None:
    short = {
        path: made._replace(blocks=[*MENU, *(entry(number)[0] for number in numbers(page)[:4])])
        for page, (path, made) in enumerate(LATER.items(), 1)
    }
    assert views(SHOP | short) == {}


def test_pictures_that_entries_do_not_show() -> None:
    """A journal of drawings, whose captions link to the places."""
    drawn = {
        path: made._replace(images=tuple(f"/{path[-2:]}-{each}.png" for each in range(3)))
        for path, made in LATER.items()
    }
    assert views(SHOP | drawn) == {}
    shown = {path: made._replace(images=(f"/{path[6:]}.png",)) for path, made in PRODUCTS.items()}
    thumbnails = {
        path: made._replace(images=tuple(f"/{number}.png" for number in numbers(page)))
        for page, (path, made) in enumerate(LATER.items(), 1)
    }
    assert views(SHOP | shown | thumbnails).keys() == LATER.keys()


def test_pages_of_a_word_or_two() -> None:
    empty = {path: made._replace(blocks=["Nothing", path[-1]]) for path, made in LATER.items()}
    assert views(SHOP | empty) == {}
    assert views(SHOP | {path: made._replace(blocks=[]) for path, made in LATER.items()}) == {}
