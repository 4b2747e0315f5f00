"""Which pages show what another one shows, in another order."""

from sitemapgen.analysis.views import SuspectView, same_views
from sitemapgen.core.document.novelty import sketch

SHOES = """Shoes red leather shoe 40 EUR, blue canvas shoe 30 EUR, green rubber boot 50 EUR, and all
that belongs to them: laces, soles, polish, brushes and boxes to keep them in"""
OTHER_ORDER = " ".join(reversed(SHOES.split()))


def view(url: str, text: str = SHOES, **fields: object) -> SuspectView:
    values = {"space": "/shop", "sketch": sketch([text], ["a.png"]), "items": b"1234"}
    return SuspectView(
        hash(url), url, text=text, **{**values, "title": "", "subject": None, **fields}
    )


def same(*views: SuspectView) -> list[set[str]]:
    urls = {each.key: each.url for each in views}
    return [{urls[key] for key in keys} for keys in same_views(views)]


def test_another_order_is_the_same_view() -> None:
    orders = [view("/shop?sort=name"), view("/shop?sort=price-up", OTHER_ORDER)]
    assert same(*orders) == same(*orders[::-1]) == [{"/shop?sort=name", "/shop?sort=price-up"}]


def test_what_differs_in_a_number_an_image_or_an_item_is_a_page() -> None:
    first = view("/shop?page=1")
    assert not same(first, view("/shop?page=2", SHOES.replace("50", "51")))
    assert not same(first, view("/shop?page=2", sketch=sketch([SHOES], ["b.png"])))
    assert not same(first, view("/shop?page=2", items=b"5678"))
    assert not same(first, view("/shop?page=2", f"{SHOES} and boot"))
    assert not same(first, view("/shop?page=2", space="/other"))


def test_the_way_back_is_another_page() -> None:
    """The stops of a line in both directions, named in the title or in the heading."""
    there = view("/line?direction=out", title="Harbour to Airport")
    assert not same(there, view("/line?direction=in", OTHER_ORDER, title="Airport to Harbour"))
    assert not same(view("/line?1", subject=1), view("/line?2", OTHER_ORDER, subject=2))
    assert same(there, view("/line?direction=out&sort=zone", OTHER_ORDER, title=there.title))


def test_of_what_is_too_short_or_cut_nothing_is_known() -> None:
    assert not same(view("/a?1", "Item of our catalogue"), view("/a?2", "catalogue our of Item"))
    long = " ".join(["word"] * 500)
    assert not same(view("/a?1", long), view("/a?2", long))
