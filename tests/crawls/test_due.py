"""refresh=due: pages that were never seen to change are visited in turn, all others always."""

import json
import shutil
from pathlib import Path

import pytest

from sitemapgen.analysis.freshness.due import MIN_QUIET, SAMPLED
from tests.helpers.crawls import NAMED, Crawl, Crawler
from tests.helpers.server import Answer, Serve, Server, page, text
from tests.store.tables import let_a_day_pass

pytestmark = [pytest.mark.fixed_urls, pytest.mark.full]

WORDS = "All there is to say about the subject of this page, and not a word about another one. "
DOCS, NEWS = ([f"/{section}/{number}-" for number in range(20)] for section in ("docs", "news"))
LATER = "/docs/later-"


def site(edition: int, *, docs: str = "", gone: str = "", more: str = "") -> dict[str, Answer]:
    """News with other words in each edition; documents, one of which links to ``more``."""
    answers = {"/robots.txt": text("")}
    for name in NEWS:
        answers[name] = page("/", text=f"{WORDS} {name} edition {edition}", title=name)
    for name in DOCS:
        links = ["/", *([more] if name == DOCS[0] and more else [])]
        answers[name] = page(*links, text=f"{WORDS} {name} {docs}", title=name)
    if more:
        answers[more] = page("/", text=f"{WORDS} new", title="new")
    answers.pop(gone, None)
    return {**answers, "/": page(*NEWS, *DOCS, text=WORDS)}


class Days:
    """Crawls of one site, one a day."""

    def __init__(self, server: Server, crawl: Crawler) -> None:
        self.server, self._crawl, self.edition = server, crawl, 0
        self.result: Crawl

    def crawl(self, *arguments: str, **how: str) -> tuple[Crawl, set[str]]:
        """Return a crawl of the next day, and the paths that it requested."""
        self.edition += 1
        self.server.site = site(self.edition, **how)
        self.server.visits.clear()
        result = self._crawl(self.server.url, *arguments)
        assert result.code == 0, result.log
        let_a_day_pass(result.state)
        return result, {path for path in self.server.paths if path.endswith(("-", "/"))}


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Days:
    """A site of which no page is settled, but the documents will be with the next crawl."""
    server = Server({}, name="site.example")
    found = Days(server, Crawler(tmp_path_factory.mktemp("watched")))
    NAMED[server.url] = server
    for _ in range(MIN_QUIET + 1):
        found.result, visited = found.crawl("refresh=due")
        assert {"/", *NEWS, *DOCS} <= visited
    NAMED.clear()
    server.stop()
    assert found.result.report["due"]["not_visited"] == 0
    assert "all pages were requested" in found.result.log
    return found


@pytest.fixture
def days(watched: Days, serve: Serve, crawl: Crawler, tmp_path: Path) -> Days:
    """Return a copy of the site and its state."""
    shutil.copytree(watched.result.output, tmp_path / "output")
    found = Days(serve({}), crawl)
    found.edition = watched.edition
    return found


def test_documents_are_visited_in_turn(days: Days) -> None:
    removed = DOCS[3]
    is_gone = False
    seen: list[set[str]] = []
    for run in range(6):
        result, visited = days.crawl("refresh=due", gone=removed if run else "")
        assert {"/", *NEWS} <= visited
        of_docs = visited & set(DOCS)
        facts = result.report["due"]
        assert SAMPLED <= len(of_docs) < len(DOCS)
        assert facts["not_visited"] == len(DOCS) - len(of_docs)
        assert facts["sentence"] in result.log
        assert facts["sentence"] in result.html
        assert facts["stale"] <= 0.05 * facts["not_visited"]
        assert facts["days"] <= 5
        seen.append(of_docs)
        is_gone |= bool(run) and removed in of_docs  # it is listed until it is visited
        assert len(result.sitemap) == 41 - is_gone
    assert set().union(*seen) == set(DOCS)
    assert len(set(map(frozenset, seen))) > 1
    result, visited = days.crawl()
    assert set(DOCS) <= visited
    assert result.report["due"] is None


def test_a_section_that_changes_as_a_whole_is_visited_as_a_whole(days: Days) -> None:
    _, visited = days.crawl("refresh=due")
    assert not set(DOCS) <= visited
    result, visited = days.crawl("refresh=due", docs="in another design", more=LATER)
    assert {*DOCS, LATER} <= visited
    assert "refresh=due: " in result.log
    assert "all pages there are visited" in result.log
    facts = result.report["due"]
    assert facts["not_visited"] == 0
    (whole,) = facts["visited_whole"]
    assert (whole["section"], whole["changed"]) == ("/docs", len(DOCS))
    # Each document has to be found unchanged again as often as at first.
    result, visited = days.crawl("refresh=due", docs="in another design", more=LATER)
    assert {*DOCS, LATER} <= visited
    assert json.loads((result.output / "report.json").read_text("utf-8"))["due"]["stale"] == 0


def test_a_budget_is_for_the_pages_that_are_due(days: Days) -> None:
    for _ in range(2):
        result, visited = days.crawl("refresh=due", "max_pages=23")
        left, postponed = result.report["due"]["not_visited"], result.report["postponed"]
        assert " 23 pages fetched in " in result.log
        assert len(visited) == 23
        assert left + postponed == 41 - 23
        assert 0 < left < len(DOCS)
        assert result.report["due"]["stale"] < 0.05 * left
        assert len(visited & set(NEWS)) > len(visited & set(DOCS))
        assert len(result.sitemap) == 41
