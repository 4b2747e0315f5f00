"""Refreshes of real systems that state their pages: what they cost, find, and date."""

from pathlib import Path

import pytest

from tests.helpers.programs import free_port
from tests.real import edits
from tests.real.crawling import crawl
from tests.real.systems import SYSTEMS

MOST = 0.10
"""Requests of a refresh without a change, from the third crawl on, of those of the first one."""
pytestmark = [pytest.mark.real, pytest.mark.slow]


@pytest.mark.parametrize(
    ("name", "made"),
    [("wordpress-pretty", edits.WordPress), ("mediawiki", edits.MediaWiki)],
)
def test_what_changed_is_found_and_dated_and_the_rest_is_spared(
    name: str, made: type[edits.WordPress | edits.MediaWiki], home: Path, tmp_path: Path
) -> None:
    if lacks := SYSTEMS[name].lacks():
        pytest.skip(lacks)
    home, output = home / "system", tmp_path / "output"
    home.mkdir()
    with SYSTEMS[name].serve(home, free_port()) as site:
        system = made(home, site.start)
        results = [crawl(site, output, again=again) for again in (False, True, True, True, True)]
        counts = [result.requests for result in results]
        print(name, "requests", counts)
        assert max(counts[2:]) <= MOST * counts[0], counts
        changes = system.edit()
        assert list(map(len, changes)) == [edits.EDITED, edits.NEW, edits.DELETED]
        result = crawl(site, output, again=True)
        print(name, "requests after changes", result.requests)
        assert result.crawl.code == 0, result.crawl.log
        listed = set(result.crawl.sitemap)
        assert not {*changes.edited, *changes.new} - listed
        assert not listed.intersection(changes.deleted)
        rows, dates = result.crawl.urls, system.dates()
        found = {url: rows[url]["lastmod"] for url in listed if system.name(url) in dates}
        wrong = {url for url, date in found.items() if date != dates[system.name(url)]}
        print(name, len(found) - len(wrong), "of", len(found), "dates as in the database", wrong)
        assert len(found) >= 140
        assert not wrong
