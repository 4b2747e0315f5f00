"""Menus of forms: those sent by GET are links, those sent by POST are named."""

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.server import Answer, Serve, page

pytestmark = pytest.mark.sample

DECADES = range(1860, 1960, 10)


def menu(name: str, values: object, attributes: str) -> str:
    options = "".join(f"<option value={value}>{value}s" for value in values)
    return f"<form {attributes}><select name={name}>{options}</select><input type=submit></form>"


def archive() -> dict[str, Answer]:
    """Photographs behind a menu of decades, wills behind one that is sent by POST."""
    shown = menu("decade", DECADES, "action=/photographs")
    site = {
        "/": page("/photographs", "/wills", title="Archive"),
        "/robots.txt": Answer("User-agent: *\nDisallow: /photographs?decade=1950\n"),
        "/photographs": Answer(f"<title>Photographs</title>{shown}"),
        "/wills": Answer(f"<title>Wills</title>{menu('letter', 'abc', 'method=post')}"),
    }
    for decade in DECADES:
        photos = [f"/photo/{decade}-{number}" for number in range(3)]
        links = "".join(f"<a href={photo}>{photo}</a>" for photo in photos)
        site[f"/photographs?decade={decade}"] = Answer(f"<title>{decade}</title>{shown}{links}")
        site |= {photo: page(title=photo, text=f"The photograph {photo}. " * 9) for photo in photos}
    return site


def test_menus_of_forms(serve: Serve, crawl: Crawler) -> None:
    server = serve(archive())
    result = crawl.published(server.url)
    photos = {url for url in result.sitemap if "/photo/" in url}
    assert len(photos) == 27
    assert result.verdicts[f"{server.url}photographs?decade=1950"] == "robots_disallowed"
    (row,) = result.report["not_looked_at"]
    assert (row["cause"], row["urls"], row["examples"]) == ("forms", 1, [f"{server.url}wills"])
    assert "Menus of forms that are sent by POST may lead to more pages: 1 form" in result.log
    again = crawl.published(server.url)
    assert again.report["not_looked_at"] == [row]
