"""Trust in the dates of a site, from crawl to crawl: what is lost, kept, said and submitted."""

import json
import re
from email.utils import formatdate

import pytest

from tests.crawls.commands import run
from tests.helpers.crawls import IMPATIENT, Crawl, Crawler
from tests.helpers.server import Answer, Serve, page

DAY = 86_400.0
BEGIN = 20_500.5 * DAY
PAGES = 60
FORMATS = "formats=xml,rss,atom"


def written(number: int) -> str:
    """A date of its own for each page, years ago."""
    return f"{2012 + number % 12}-{number % 12 + 1:02}-{number % 28 + 1:02}"


def site(
    day: int, editions: dict[int, int], dates: dict[int, str] | None = None
) -> dict[str, Answer]:
    """Sixty documents: the edition of each is in its main text, its date in JSON-LD."""
    made = {}
    for number in range(PAGES):
        said = json.dumps({"dateModified": (dates or {}).get(number, written(number))})
        made[f"/docs/{number}"] = page(
            head=f'<script type="application/ld+json">{said}</script>',
            text=f"document {number} " * 30 + f"edition {editions.get(number, 0)}",
            title=f"Document {number}",
        )
    answers = {"/": page(*made, text="All there is"), **made}
    headers = {"Date": formatdate(BEGIN + day * DAY, usegmt=True)}
    return {
        path: answer._replace(headers={**answer.headers, **headers})
        for path, answer in answers.items()
    }


Visit = Crawler


@pytest.fixture
def visit(serve: Serve, crawl: Visit) -> Visit:
    """Crawl the site as it is on a day: ``visit(day, editions, dates)``."""
    server = serve({})

    def visit_(day: int, *state: object) -> Crawl:
        server.site = site(day, *state)
        return crawl.published(server.url, FORMATS, now=BEGIN + day * DAY)

    return visit_


def dates(result: Crawl) -> dict[int, tuple[str, str]]:
    """The date of each document and its source."""
    return {
        int(url.rpartition("/")[2]): (row["lastmod"], row["lastmod_source"])
        for url, row in result.urls.items()
        if "/docs/" in url
    }


def to_submit(result: Crawl) -> set[int]:
    """The documents that ``scrapy indexnow`` would submit."""
    plan = run("indexnow", result.output, *IMPATIENT)
    assert (plan.code, plan.log) == (0, "")
    return {int(name) for name in re.findall(r"^[+~-] \S+/docs/(\d+)$", plan.out, re.MULTILINE)}


def take_as_submitted(result: Crawl) -> None:
    assert run("indexnow", result.output, "--baseline", *IMPATIENT).code == 0


def trust_lines(result: Crawl) -> list[str]:
    return [line for line in result.log.splitlines() if "lastmod: " in line]


@pytest.mark.full
def test_two_changes_without_a_date_cost_the_other_pages_nothing(visit: Visit) -> None:
    """And nothing comes back later, since nothing was lost."""
    first = visit(0, {})
    assert dates(first) == {n: (written(n), "json_ld") for n in range(PAGES)}
    take_as_submitted(first)
    second = visit(1, {3: 1, 4: 1})
    found = dates(second)
    assert {n for n in found if found[n] != (written(n), "json_ld")} == {3, 4}
    assert {found[n][1] for n in (3, 4)} == {"observed"}
    assert trust_lines(second) == []
    assert second.report["lastmod_trust"] == []
    assert to_submit(second) == {3, 4}
    for day in (2, 3):
        assert visit(day, {3: 1, 4: 1}).files == second.files


@pytest.mark.full
@pytest.mark.parametrize("changed", [5, 6])
def test_a_section_that_has_just_lost_trust_or_nearly(visit: Visit, changed: int) -> None:
    """Five of sixty changes untold are not enough, six are; either way the others keep theirs."""
    take_as_submitted(visit(0, {}))
    editions = dict.fromkeys(range(changed), 1)
    second = visit(1, editions)
    found = dates(second)
    assert {n for n in found if found[n] != (written(n), "json_ld")} == set(editions)
    is_lost = changed >= 6
    assert len(trust_lines(second)) == is_lost
    assert to_submit(second) == set(editions)
    feed = (second.output / "sitemap.rss").read_text()
    assert feed.count("<item>") == (changed if is_lost else PAGES)
    if is_lost:
        evidence = f"0 of {changed} changes were claimed; rightly silent {PAGES - changed} times"
        (line,) = trust_lines(second)
        assert "WARNING" in line
        assert f"json_ld is no longer trusted in /docs/: {evidence}" in line
        assert second.report["lastmod_trust"] == [
            {
                "source": "json_ld",
                "section": "/docs/",
                "is_trusted": False,
                "reason": "misses",
                "evidence": evidence,
            }
        ]
        assert evidence in second.html
    for day in (2, 3):
        again = visit(day, editions)
        assert trust_lines(again) == []
        assert again.files == second.files


def test_a_source_regains_a_section_by_changes_that_it_claims(visit: Visit) -> None:
    visit(0, {})
    editions = dict.fromkeys(range(6), 1)
    assert trust_lines(visit(1, editions))
    now = dict.fromkeys(range(10, 22), "2026-02-18")
    moments = {n: f"2026-02-18T{n - 10 + 1:02}:30:00+00:00" for n in now}
    third = visit(3, {**editions, **dict.fromkeys(now, 1)}, moments)
    (line,) = trust_lines(third)
    assert "INFO" in line
    assert "json_ld is trusted again in /docs/" in line
    found = dates(third)
    assert all(found[n] == (moments[n], "json_ld") for n in now)
    assert all(found[n] == (written(n), "json_ld") for n in range(22, PAGES))
    assert {found[n][1] for n in editions} == {"observed"}
    (row,) = third.report["lastmod_trust"]
    assert (row["source"], row["section"], row["is_trusted"]) == ("json_ld", "/docs/", True)


def test_a_date_that_appears_with_trust_is_no_change(visit: Visit) -> None:
    """A page without a date that gets one, though no visit saw it change, is not submitted."""
    none = dict.fromkeys(range(PAGES), "soon")
    first = visit(0, {}, none)
    assert {date for date, _ in dates(first).values()} == {""}
    take_as_submitted(first)
    second = visit(1, {7: 1})  # a template that writes dates as it should
    assert dates(second)[8] == (written(8), "json_ld")
    assert to_submit(second) == {7}
