"""Groups of pages that each show what one other page shows, and honest ones that resemble them."""

from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION
from tests.analysis.made import Made, examples, sentences, views
from tests.helpers.tables import for_each

MENU = ["Home", "Our journal on the coast", "About us", "Write to us"]
FORM = [
    "Leave a comment",
    "Your email address will not be published.",
    "Required fields are marked with a star, and all comments are read before they appear.",
]
DAYS = range(1, 41)
"""As many as the test needs, with one exception."""


def name(day: int) -> str:
    return f"The story of {' '.join(sentences(f'title{day}', 1)[0].split()[:4])}"


def post(day: int, *images: str) -> Made:
    """An article that the lists link to, with its date."""
    blocks = [*MENU, name(day), *sentences(f"post{day}", 12), *FORM]
    return Made(blocks, ["/", f"/2024/03/{day:02d}/", f"/post/{day}/photo/"], images)


def day_archive(day: int, *, shown: int = 5) -> Made:
    blocks = [*MENU, f"Day: March {day}, 2024", name(day)]
    blocks += [*sentences(f"post{day}", shown), f"Continue reading {name(day)}"]
    return Made(blocks, ["/", f"/post/{day}"])


def photo(day: int, image: str = "", heading: str = "") -> Made:
    blocks = [*MENU, heading or f"IMG_{day:04d}", f"Published in {name(day)}", *FORM]
    return Made(blocks, ["/", f"/post/{day}"], (image or f"/photo-{day}.jpg",))


POSTS = {f"/post/{day}": post(day, f"/photo-{day}.jpg") for day in DAYS}
LISTS = {
    path: Made([*MENU, *sentences(path, 6)], ["/", *POSTS]) for path in ("/", "/news", "/archive")
}
JOURNAL = LISTS | POSTS
ARCHIVES = {f"/2024/03/{day:02d}/": day_archive(day) for day in DAYS}
PHOTOS = {f"/post/{day}/photo/": photo(day) for day in DAYS}


def test_archives_of_days_with_one_post_are_views() -> None:
    found = examples(JOURNAL | ARCHIVES)
    assert found == {path: f"/post/{int(path[-3:-1])}" for path in ARCHIVES}


def test_pages_of_a_picture_are_views_of_the_post_that_shows_it() -> None:
    found = examples(JOURNAL | PHOTOS)
    assert found == {path: path.removesuffix("/photo/") for path in PHOTOS}


def test_pages_of_a_picture_without_a_link_to_the_post() -> None:
    alone = {path: made._replace(links=["/"]) for path, made in PHOTOS.items()}
    found = examples(JOURNAL | alone)
    assert found == {path: path.removesuffix("/photo/") for path in PHOTOS}


def test_a_day_with_two_posts_and_a_day_with_an_own_text() -> None:
    two = Made(
        [*day_archive(3).blocks, *day_archive(4).blocks[len(MENU) + 1 :]], ["/post/3", "/post/4"]
    )
    own = Made([*MENU, "A day off", *sentences("an essay", 9)], ["/post/5"])
    found = views(JOURNAL | ARCHIVES | {"/2024/03/03/": two, "/2024/03/05/": own})
    assert found.keys() == ARCHIVES.keys() - {"/2024/03/05/"}


def test_a_few_pages_prove_nothing() -> None:
    few = dict(list(ARCHIVES.items())[: WITHOUT_EXCEPTION - 1])
    assert views(JOURNAL | few) == {}
    assert (
        len(views(JOURNAL | dict(list(ARCHIVES.items())[:WITHOUT_EXCEPTION]))) == WITHOUT_EXCEPTION
    )


def test_some_honest_pages_keep_their_whole_group() -> None:
    own = {
        f"/2024/04/{day:02d}/": Made([*MENU, *sentences(f"own{day}", 9)], ["/", f"/post/{day}"])
        for day in DAYS[:4]
    }
    assert views(JOURNAL | ARCHIVES | own) == {}


@for_each(True, False)
def test_parts_of_one_whole_are_pages(described: bool) -> None:
    """Chapters and the manual, answers and the list of questions, products and their category."""
    parts = {
        f"/part/{number}/": Made([*MENU, *sentences(f"part{number}", 6)], ["/", "/whole"])
        for number in DAYS
    }
    lines = [line for part in parts.values() for line in part.blocks[len(MENU) :]]
    own = sentences("description", 5) if described else []
    whole = Made([*MENU, *own, *lines], ["/", *parts])
    front = {path: made._replace(links=["/whole", *parts]) for path, made in LISTS.items()}
    found = views(front | parts | {"/whole": whole})
    assert set(found) == (set() if described else {"/whole"})


def test_parts_of_several_wholes_are_pages() -> None:
    """Products of ten categories, two in each."""
    products = {
        f"/product/{number}/": Made(
            [*MENU, *sentences(f"product{number}", 6)], ["/", f"/category/{number // 2}"]
        )
        for number in range(20)
    }
    categories = {}
    for number in range(10):
        shown = [products[f"/product/{2 * number + more}/"] for more in (0, 1)]
        lines = [line for made in shown for line in made.blocks[len(MENU) :]]
        categories[f"/category/{number}"] = Made([*MENU, *lines], ["/"])
    front = {path: made._replace(links=[*categories]) for path, made in LISTS.items()}
    assert views(front | products | categories) == {}


def test_an_offer_is_no_view_of_the_form_that_repeats_it() -> None:
    """What is linked from the lists is the page; more about it has one link, from there."""
    offers, forms = {}, {}
    for number in DAYS:
        text = sentences(f"offer{number}", 7)
        offers[f"/job/{number}"] = Made([*MENU, *text], ["/", f"/job/{number}/apply"])
        forms[f"/job/{number}/apply"] = Made(
            [*MENU, *text, *FORM, *sentences("conditions", 3)], ["/", f"/job/{number}"]
        )
    front = {path: made._replace(links=[*offers]) for path, made in LISTS.items()}
    assert views(front | offers | forms) == {}


def test_concerts_made_of_an_artist_and_a_place_are_pages() -> None:
    artists = {
        f"/artist/{day}": Made([*MENU, *sentences(f"artist{day}", 8)], ["/"]) for day in DAYS
    }
    places = {f"/place/{n}": Made([*MENU, *sentences(f"place{n}", 8)], ["/"]) for n in range(5)}
    concerts = {
        f"/concert/{day}": Made(
            [*MENU, *sentences(f"artist{day}", 4), *sentences(f"place{day % 5}", 3), f"{day} May"],
            ["/", f"/artist/{day}", f"/place/{day % 5}"],
        )
        for day in DAYS
    }
    made = artists | places | concerts
    front = {path: page._replace(links=[*artists, *places]) for path, page in LISTS.items()}
    assert views(front | made) == {}
    alone = {path: page._replace(blocks=page.blocks[:8]) for path, page in concerts.items()}
    assert set(views(front | artists | places | alone)) == set(alone)


def test_photos_of_an_album_are_pages() -> None:
    """One page shows many of them."""
    albums = {
        f"/album/{number}": Made(
            [*MENU, f"Album {number}", *sentences(f"album{number}", 5)],
            ["/", *(f"/album/{number}/{each}/" for each in range(5))],
            tuple(f"/{number}-{each}.jpg" for each in range(5)),
        )
        for number in range(4)
    }
    photos = {
        f"/album/{number}/{each}/": Made(
            [*MENU, f"Photo {each}", *FORM], ["/", f"/album/{number}"], (f"/{number}-{each}.jpg",)
        )
        for number in range(4)
        for each in range(5)
    }
    front = {path: made._replace(links=[*albums]) for path, made in LISTS.items()}
    assert views(front | albums | photos) == {}


def test_a_picture_of_its_own_makes_a_page() -> None:
    """A drawing that the article does not show, and large ones beside small ones."""
    own = {path: photo(day, f"/large/{day}.jpg") for path, day in zip(PHOTOS, DAYS)}
    assert views(JOURNAL | own) == {}


def test_a_caption_makes_a_page() -> None:
    told = {
        path: photo(day, heading=sentences(f"caption{day}", 1)[0])
        for path, day in zip(PHOTOS, DAYS)
    }
    assert views(JOURNAL | told) == {}


def test_archives_that_show_whole_posts_are_listed() -> None:
    """Which of two pages with the same text is the view is not to be seen."""
    whole = {f"/2024/03/{day:02d}/": day_archive(day, shown=12) for day in DAYS}
    plain = {path: made._replace(blocks=made.blocks[: -len(FORM)]) for path, made in POSTS.items()}
    assert views(LISTS | plain | whole) == {}


def test_posts_of_the_first_month_are_no_views_of_their_days() -> None:
    """A calendar on all pages links to the days, which show whole posts below the date."""
    days = {f"/2024/03/{day:02d}/": day_archive(day, shown=12) for day in DAYS}
    calendar = {path: made._replace(links=[*made.links, *days]) for path, made in LISTS.items()}
    more = {f"/page/{number}": Made(sentences(f"{number}", 5), [*days]) for number in range(9)}
    for length in (12, 3):
        posts = {
            f"/post/{day}": Made(
                [*MENU, name(day), *sentences(f"post{day}", length)], ["/", f"/2024/03/{day:02d}/"]
            )
            for day in DAYS
        }
        whole = {
            path: made._replace(blocks=made.blocks[: 6 + length + 1]) for path, made in days.items()
        }
        assert views(calendar | more | posts | whole) == {}


def test_pages_with_the_layout_alone_are_listed() -> None:
    """Announced products, empty lists, thanks for a message."""
    stubs = {f"/soon/{day}/": Made([*MENU, f"Item {day}", *FORM], ["/", *POSTS]) for day in DAYS}
    assert views(JOURNAL | stubs) == {}


def test_pages_of_a_word_or_two() -> None:
    short = {
        f"/{'ab'[day % 2]}/{day}/": Made(["Soon", f"{day}"][: 1 + day % 2], ["/", f"/post/{day}"])
        for day in [*DAYS, *range(30, 50)]
    }
    assert views(JOURNAL | short) == {}


def test_groups_that_show_each_other_are_listed() -> None:
    """A chain: the day shows the beginning of a post, and the post that of a longer text."""
    texts_of = {}
    for day in DAYS:
        blocks = [*MENU, name(day), *sentences(f"post{day}", 12), *FORM, *sentences(f"{day}", 9)]
        texts_of[f"/full/{day}"] = Made(blocks, ["/"])
    posts = {path: made._replace(links=["/", f"/full/{path[6:]}"]) for path, made in POSTS.items()}
    posts = {path: made._replace(images=()) for path, made in posts.items()}
    lists = {path: made._replace(links=[*made.links, *texts_of]) for path, made in LISTS.items()}
    more = {f"/more{n}": Made(sentences(f"m{n}", 5), [*texts_of]) for n in range(3)}
    found = views(lists | posts | texts_of | ARCHIVES | more)
    assert not found.keys() & ARCHIVES.keys()
