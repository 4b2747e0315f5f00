"""The check that no sentence of a crawl has a part larger than its whole: ``helpers/wholes.py``."""

from tests.helpers.tables import for_each
from tests.helpers.wholes import larger_parts


@for_each(
    ("20 of your sitemap's 0 URLs are pages to which no link leads", True),
    ("20 of your sitemap's 30 URLs are pages to which no link leads", False),
    ("3 of the site's 2 pages that belong in a sitemap are not in yours", True),
    ("1,002 of 1,000 published URLs are no longer listed", True),
    ("302 of 1,000 published URLs are no longer listed (noindex 300)", False),
    ("7 pages lack content without JavaScript, 8 of them most of their text", True),
    ("of 40 parts 41 written", True),
    ("50 pages, 51 with a date, 2 requests", True),
    ("50 pages, 50 with a date, 2 requests", False),
    ("40 of the 30 URLs that were fetched (50.0%) are in no sitemap", True),
)
def test_parts_and_wholes(sentence: str, is_wrong: bool) -> None:
    assert bool(larger_parts(sentence)) is is_wrong
