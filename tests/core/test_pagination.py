"""Page numbers in the URLs of lists."""

from sitemapgen.core.pagination import page_number, strip_page_number
from tests.helpers.tables import for_each

ROOT = "https://example.com"


@for_each(
    ("/parts?page=7", "/parts", 7),
    ("/parts/?page=7", "/parts/", 7),
    ("/?page=2", "/", 2),
    ("/parts?page=7&sort=name", "/parts?sort=name", 7),
    ("/parts?colour=red&page=7&sort=name", "/parts?colour=red&sort=name", 7),
    ("/parts?start=20", "/parts", 20),
    ("/parts?offset=20&limit=10", "/parts?limit=10", 20),
    ("/news?tx_news%5BcurrentPage%5D=3", "/news", 3),
    ("/katalog?PAGEN_1=3", "/katalog", 3),
    ("/spip.php?rubrique3&debut_articles=10", "/spip.php?rubrique3", 10),
    ("/news?b_start:int=20", "/news", 20),
    ("/blog/page/2", "/blog", 2),
    ("/blog/page/2/", "/blog/", 2),
    ("/page/2/", "/", 2),
    ("/blog/page-2", "/blog", 2),
    ("/blog/list-page-2.html", "/blog/list.html", 2),
    ("/blog/seite2", "/blog", 2),
    ("/list/page:2/sort:age/", "/list/sort:age/", 2),
)
def test_a_list_is_what_is_left_without_the_page_number(
    url: str, expected: str, number: int
) -> None:
    assert strip_page_number(ROOT + url) == ROOT + expected
    assert page_number(ROOT + url) == number


@for_each(
    "/",
    "/parts",
    "/parts/7",
    "/parts?id=7",
    "/?p=7",  # a post of WordPress
    "/parts?page=all",
    "/calendar?start=20240131",  # a day
    "/calendar?start=2024-01-31",
    "/programme?debut=2026",  # a year
    "/page",
    "/pages/7-reasons",
    "/homepage-2024-review",
)
def test_what_has_no_page_number(url: str) -> None:
    assert strip_page_number(ROOT + url) == ""
    assert page_number(ROOT + url) == 0
