"""A django-oscar shop from PyPI with 600 products called by codes; the ideal set from its database.

Must: products, the two categories and the catalogue with all their numbered pages. Beyond: what
every shop links to but no visitor searches for: the basket, the forms to sign in and to reset a
password, the empty list of offers. ``oscar-defaults`` is the same shop with oscar's defaults: each
product links to a form for reviews, each list to itself filtered.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from tests.helpers.programs import background
from tests.real.processes import environment, install, lacking, run
from tests.real.system import Site, System

HERE = Path(__file__).parent
PER_PAGE = 12
PACKAGES = ("django-oscar>=4.1,<5", "whoosh-reloaded>=2.7,<3", "waitress>=3,<4")
PYTHON = environment("oscar") / "bin" / "python"

BEYOND = {
    "an empty basket": r"/basket/",
    "forms of an account": r"/(accounts/login|password-reset)/(\?.*)?",
    "an empty list of offers": r"/offers/",
}
MORE = {
    "a form for a review": r"/catalogue/[\w-]+_\d+/reviews/(add/)?",
    "a list, filtered by what all have": r"/catalogue/.*[?&]selected_facets=.*",
}

VIEWS = r"/catalogue/(category/[\w-]+_\d+/)?(\?page=\d+)?"


def ideal(database: Path) -> frozenset[str]:
    """Paths of products and of every page of the lists of them."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as shop:
        products = shop.execute(
            "SELECT slug, id FROM catalogue_product WHERE is_public AND parent_id IS NULL"
        ).fetchall()
        categories = shop.execute(
            "SELECT slug, c.id, count(product_id) FROM catalogue_category c"
            " JOIN catalogue_productcategory ON category_id = c.id WHERE is_public GROUP BY c.id"
        ).fetchall()
    pages = {f"/catalogue/{slug}_{number}/" for slug, number in products}
    pages |= _numbered("/catalogue/", len(products))
    for slug, number, size in categories:
        pages |= _numbered(f"/catalogue/category/{slug}_{number}/", size)
    return frozenset(pages)


def _numbered(path: str, size: int) -> set[str]:
    last = -(-size // PER_PAGE)
    return {path, *(f"{path}?page={number}" for number in range(2, last + 1))}


@contextmanager
def serve(directory: Path, port: int, pages: str = "few") -> Iterator[Site]:
    """A shop with 600 products."""
    variables = {**os.environ, "SHOP_HOME": str(directory), "SHOP_PAGES": pages}
    variables |= {"PYTHONPATH": str(HERE / "shop"), "DJANGO_SETTINGS_MODULE": "settings"}
    log = directory / "log"
    run([PYTHON, HERE / "shop" / "fill.py"], log, env=variables)
    server = [PYTHON, "-m", "waitress", f"--listen=127.0.0.1:{port}"]
    application = ["--call", "django.core.wsgi:get_wsgi_application"]
    with background([*server, *application], port, log, env=variables):
        yield Site(
            start=f"http://127.0.0.1:{port}/",
            ideal=ideal(directory / "shop.sqlite3"),
            beyond=BEYOND | (MORE if pages == "all" else {}),
            same=lambda path: path.removesuffix("?page=1"),
            views=VIEWS,
        )


SYSTEM = System(
    name="oscar",
    serve=serve,
    lacks=lambda: lacking(PYTHON),
    install=partial(install, "oscar", *PACKAGES),
    recall=0.95,
)
DEFAULTS = System(
    name="oscar-defaults",
    serve=partial(serve, pages="all"),
    lacks=SYSTEM.lacks,
    install=SYSTEM.install,
    excess=0.9,  # a form for each product, which says that it may be indexed
)
