"""Which pages show nothing but what others show, and the honest pages that resemble them."""

import random

import pytest

from sitemapgen.analysis.kinds.views import MIN_PIECES, within_parts
from sitemapgen.core.document.main_text import EXCERPT_LENGTH, encode, parts_without_space
from sitemapgen.core.document.shingles import signature_of_parts
from tests.analysis.made import Made, sentences, views
from tests.helpers.tables import for_each


def post(number: int, *links: str, length: int = 12) -> Made:
    title = f"Post about {' '.join(sentences(f'title{number}', 1)[0].split()[:4])}"
    return Made([title, "by Anna", *sentences(f"post{number}", length)], ["/", *links])


def archive(title: str, *numbers: int, links: tuple[str, ...] = (), shown: int = 3) -> Made:
    """A list of posts with their titles and first sentences."""
    blocks = [title]
    for number in numbers:
        blocks += [*post(number).blocks[: 2 + shown], "Continue reading"]
    return Made([*blocks, "Older posts"], ["/", *(f"/post/{number}" for number in numbers), *links])


POSTS = {f"/post/{number}": post(number) for number in range(12)}
HOME = {"/": Made(["Our journal", *sentences("home", 8)], [*POSTS])}


def test_lists_with_excerpts_are_views() -> None:
    site = HOME | POSTS | {"/tag/sea/": archive("Tag: sea", 1, 2, 3, 4)}
    site["/page/2/"] = archive("Page 2", 4, 5, 6, 7, 8)
    found = views(site)
    assert set(found) == {"/tag/sea/", "/page/2/"}
    assert found["/tag/sea/"].pages == 4
    assert found["/tag/sea/"].example.startswith("/post/")


def test_whole_posts_on_lists_do_not_make_views_of_the_posts() -> None:
    lists = {
        f"/{year}/": archive(f"{year}", *range(year - 2000, year - 1996), shown=12)
        for year in (2000, 2004, 2008)
    }
    again = {"/all/": archive("All", *range(12), shown=12)}
    assert set(views(HOME | POSTS | lists | again)) == {*lists, *again}


def test_two_lists_with_the_same_entries_are_no_evidence_for_each_other() -> None:
    """Their entries have no page of their own."""
    names = ("/by-name/", "/by-date/", "/by-place/")
    lists = {name: archive(name, 1, 2, 3, 4, links=names) for name in names}
    assert views(HOME | lists) == {}


def test_a_manual_on_one_page_is_a_view_and_its_chapters_are_not() -> None:
    chapters = {
        f"/chapter/{number}": Made(sentences(f"chapter{number}", 20), ["/print", "/"])
        for number in range(5)
    }
    whole = Made([line for made in chapters.values() for line in made.blocks], [*chapters])
    found = views(HOME | chapters | {"/print": whole})
    assert set(found) == {"/print"}
    # Chapters that it does not link to are no evidence; the others are still no views of it.
    assert views(HOME | chapters | {"/print": Made(whole.blocks, [*chapters][:4])}) == {}


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize("count", [1, 3])
def test_an_introduction_of_its_own_makes_a_page(place: str, count: int) -> None:
    """A hub, a category with a description: above its list, and a longer one below."""
    listing = archive("Harbours", 1, 2, 3, 4)
    own = sentences("introduction", count if place == "before" else 4)
    blocks = [*own, *listing.blocks] if place == "before" else [*listing.blocks, *own]
    assert views(HOME | POSTS | {"/harbours/": Made(blocks, listing.links)}) == {}


def test_a_text_of_its_own_below_a_long_list_makes_a_page() -> None:
    """Behind the beginning of the text, of which all words are compared."""
    listing = archive("Harbours", *range(9), shown=5)
    assert len(" ".join(listing.blocks)) > EXCERPT_LENGTH
    described = listing._replace(blocks=[*listing.blocks, *sentences("about them", 4)])
    assert set(views(HOME | POSTS | {"/tag/harbours/": listing})) == {"/tag/harbours/"}
    assert views(HOME | POSTS | {"/tag/harbours/": described}) == {}


def test_products_of_a_category_are_not_views_of_it() -> None:
    products = {
        f"/product/{number}": Made(
            [*sentences(f"product{number}", 8), f"Number {number}"], ["/category/", "/"]
        )
        for number in range(6)
    }
    blocks = [line for made in products.values() for line in made.blocks]
    plain = Made(blocks, [*products])
    assert set(views(HOME | products | {"/category/": plain})) == {"/category/"}
    described = Made([*sentences("about the category", 8), *blocks], [*products])
    assert views(HOME | products | {"/category/": described}) == {}


def test_what_is_composed_of_two_pages_is_a_page() -> None:
    """A concert: what is on the pages of the artist and of the place, and a date."""
    artist, place = Made(sentences("artist", 10), ["/"]), Made(sentences("place", 10), ["/"])
    concert = Made(
        [*artist.blocks[:6], *place.blocks[:6], "3 May 2027, 20:00"], ["/artist", "/place", "/"]
    )
    assert views(HOME | {"/artist": artist, "/place": place, "/concert": concert}) == {}


def test_short_words_of_its_own_make_a_page() -> None:
    """A product whose texts are on the pages on delivery, warranty and the brand."""
    shared = {
        f"/{name}": Made(sentences(name, 9), ["/"]) for name in ("delivery", "warranty", "brand")
    }
    blocks = [line for made in shared.values() for line in made.blocks[:5]]
    table = ["Bosk 18-Q", "129 EUR", "Weight", "1.4 kg", "Voltage", "18 V", "Order no. 4711"]
    assert views(HOME | shared | {"/drill": Made([*table, *blocks], [*shared])}) == {}
    assert set(views(HOME | shared | {"/terms": Made(blocks, [*shared])})) == {"/terms"}


def test_a_text_on_all_pages_is_the_layout() -> None:
    """A gallery: its pages differ by their images, and repeat the text of the site."""
    layout = sentences("layout", 12)
    photos = {
        f"/photo/{number}": Made(
            [*layout, f"Photo {number}"], [f"/photo/{other}" for other in range(20)]
        )
        for number in range(20)
    }
    assert views(HOME | photos) == {}


def test_reference_pages_that_repeat_the_phrases_of_their_neighbours_are_pages() -> None:
    phrases = sentences("phrases", 12)
    draw = random.Random(7)
    pages = {
        f"/reference/{number}": Made(
            [f"command{number}", *draw.sample(phrases, 9)],
            [f"/reference/{other}" for other in range(15)],
        )
        for number in range(15)
    }
    assert views(HOME | pages) == {}


def test_quotations_in_a_text_are_not_the_whole_of_it() -> None:
    quoted = [line for number in range(6) for line in post(number).blocks[2:5]]
    essay = [line for pair in zip(quoted, sentences("essay", 18), strict=True) for line in pair]
    assert views(HOME | POSTS | {"/essay": Made(essay, [*POSTS])}) == {}


def test_pages_with_little_text_are_no_views() -> None:
    assert views(HOME | POSTS | {"/tag/sea/": archive("Tag: sea", 1, 2, 3, shown=0)}) == {}


def test_what_is_not_linked_is_no_evidence() -> None:
    """Texts that were taken over, with other links."""
    copied = archive("Copied", 1, 2, 3, 4)
    assert views(HOME | POSTS | {"/copied": Made(copied.blocks, ["/", "/post/9"])}) == {}


def test_a_small_page_is_a_view_among_eight_others_of_its_form() -> None:
    """A tag of one post resembles its neighbours, and a page with text of its own does not."""
    tags = {f"/tag/t{number}/": archive("Tag", *range(number, number + 4)) for number in range(8)}
    one = {"/tag/one/": archive("Tag", 0)}
    assert set(views(HOME | POSTS | tags | one)) == {*tags, *one}
    fewer = dict(list(tags.items())[::2])
    assert set(views(HOME | POSTS | fewer | one)) == set(fewer)
    own = {f"/tag/own{number}/": Made(sentences(f"own{number}", 2), ["/"]) for number in range(3)}
    assert set(views(HOME | POSTS | tags | one | own)) == set(tags)


def test_the_order_of_the_pages_does_not_matter() -> None:
    tags = {f"/tag/t{number}/": archive("Tag", *range(number, number + 4)) for number in range(6)}
    site = HOME | POSTS | tags
    assert views(site) == views(dict(reversed(site.items())))


def test_pages_of_readers_without_the_bits_are_no_candidates() -> None:
    dense, parts = parts_without_space(encode("\0".join(sentences("a", 20))))
    signed, unbroken = signature_of_parts(dense, parts, ["a.png"])
    assert len(within_parts(signed, unbroken)) > MIN_PIECES
    assert len(within_parts(signed, b"")) == 0


@for_each(0, 4)
def test_topics_of_a_forum_are_no_views_of_the_posts_of_its_members(biography: int) -> None:
    """Each post is on the page of its topic, and on that of its author, below what he says."""
    topics = {
        f"/topic/{topic}": Made(
            [
                f"Topic {topic}",
                *(line for part in range(4) for line in sentences(f"post{topic}.{part}", 3)),
            ],
            ["/", *(f"/member/{(topic + part) % 8}" for part in range(4))],
        )
        for topic in range(8)
    }
    members = {}
    for member in range(8):
        written = [((member - part) % 8, part) for part in range(4)]
        lines = [line for topic, part in written for line in sentences(f"post{topic}.{part}", 3)]
        members[f"/member/{member}"] = Made(
            [f"Member {member}", *sentences(f"about{member}", biography), *lines],
            ["/", *(f"/topic/{topic}" for topic, _ in written)],
        )
    assert not views(HOME | topics | members).keys() & topics.keys()
