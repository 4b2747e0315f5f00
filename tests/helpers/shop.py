"""A made shop with planted faults: ``tests/crawls/test_shop.py`` counts them."""

from sitemapgen.store.results import LARGE, SLOW
from tests.helpers.server import HERE, Answer, page, redirect, text, xml
from tests.helpers.sites import prose

PRODUCTS = range(40)
PARTS = {
    **dict.fromkeys((6, 7, 8), '<img src="/a.png">'),
    9: "<h1>Another</h1>",
    10: '<a href="/"><i></i></a>',
    11: '<script type="application/ld+json">{"@type": "Product",}</script>',
    12: f"<!-- {'x' * LARGE} -->",
}
"""By number of a product: what its page has besides, which is a fault."""


def product(number: int, head: str = "") -> Answer:
    name = f"Product {number}"
    h1 = "" if number in (1, 2) else f"<h1>{name}</h1>"
    words = prose(30 * number, 30 * number + (12 if number in (13, 14) else 60))
    title = "Product" if number in (4, 5) else name
    links = [] if number in (17, 18) else ["/"]
    return page(*links, head=head, title=title, text=f"{h1}{words}{PARTS.get(number, '')}")


def canonical(path: str) -> str:
    return f'<link rel="canonical" href="{path}">'


def alternate(path: str) -> str:
    return f'<link rel="alternate" hreflang="de" href="{path}">'


def shop() -> dict[str, Answer]:
    """A start page, 40 products, 12 lists and three orphans; beside each other group, its fault."""
    products = [f"/product/{number}" for number in PRODUCTS]
    sold_out = [f"/sold-out/{number}" for number in range(4)]  # 404, in the sitemap
    moved = [f"/moved/{number}" for number in range(3)]  # 301, in the sitemap
    tests = [f"/test/{number}" for number in range(2)]  # noindex, in the sitemap
    colours = [f"{products[number]}?colour=red" for number in range(5)]  # of another canonical
    shut = ["/cart", "/checkout"]  # robots.txt
    orphans = [f"/sale/{number}" for number in range(3)]
    slow = [f"/found/{number}" for number in range(12)]  # take 1.2 s, the last one 5 s
    broken = "/no-longer-there"
    care = ["/care", "/care/print"]  # nearly the same
    listed = ["/", *products[:30], *slow, *sold_out, *moved, *tests, *colours, *shut, *orphans]
    entries = [f"{HERE}{path[1:]}" for path in listed]
    entries += ["http://another.example/", "http://another.example/shop"]
    # The time at which the sitemap was made stands beside every page of it.
    made = "<lastmod>2026-03-04T05:06:07+00:00</lastmod>"
    answers = {
        "/robots.txt": text(
            f"User-agent: *\nDisallow: /cart\nDisallow: /checkout\nSitemap: {HERE}sitemap.xml"
        ),
        "/sitemap.xml": xml(
            "<urlset>"
            + "".join(f"<url><loc>{each}</loc>{made}</url>" for each in entries)
            + "</urlset>"
        ),
        "/": page(
            *(*products, *slow, *sold_out, *moved, *tests, *colours, *shut, *care),
            *(broken, "/first"),
            title="Shop",
            text=f"<h1>Shop</h1>{prose(1300, 1360)}",
        ),
        **{path: product(number) for number, path in enumerate(products)},
        **{path: Answer("sold out", 404) for path in (*sold_out, broken)},
        **{path: redirect(products[number]) for number, path in enumerate(moved)},
        **{
            path: product(60 + number, head='<meta name="robots" content="noindex">')
            for number, path in enumerate(tests)
        },
        **{
            path: product(number, head=canonical(products[number]))
            for number, path in enumerate(colours)
        },
        **{path: product(65 + number) for number, path in enumerate(orphans)},
        **{path: product(69 + number)._replace(delay=1.2) for number, path in enumerate(slow)},
        slow[-1]: product(80)._replace(delay=SLOW),
        **{
            path: page(
                "/", title="Care", text=f"<h1>Care</h1>{prose(2000 + number, 2200 + number)}"
            )
            for number, path in enumerate(care)
        },
        "/first": redirect("/second"),
        "/second": redirect(products[9]),
    }
    for number in (20, 21):  # of which the other page names none
        answers[products[number]] = product(number, head=alternate(products[number + 5]))
    return answers
