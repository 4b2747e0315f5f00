"""What a report says is to be fixed."""

from typing import Any

from sitemapgen.report.priorities import GROUNDS, SEVERITIES, list_fixes
from sitemapgen.verdicts import DateFault
from tests.helpers.tables import for_each
from tests.report.sample import SITE, empty, filled


def fixes(**facts: Any) -> dict[str, dict[str, Any]]:
    return {fix["id"]: fix for fix in list_fixes({**empty(), **facts})}


CAUSES = ("max_depth", "trap", "nofollow", "links", "interact", "files")


def everything() -> dict[str, Any]:
    """A report with each fault that there is."""
    row = {"reason": "Why", "urls": 2, "examples": [], "remedy": "this helps"}
    shared = {"url": f"{SITE}/", "pages": 30, "titles": 29, "share": 0.9}
    route = {"kind": "hash_route", "pattern": f"{SITE}/", "examples": [f"{SITE}/#/a"]}
    facts = filled(2, 1)
    return {
        **facts,
        "not_looked_at": [{**row, "cause": cause} for cause in CAUSES],
        "shared_canonical": {**shared, "examples": [f"{SITE}/a"]},
        "shared_parameter": {"parameter": "u=eccbc87e4b", "count": 24},
        "offsite_canonicals": {"count": 24, "origin": SITE, "examples": [f"{SITE}/a"]},
        "rendering": {**facts["rendering"], "empty_start": "The start page is empty"},
        "traps": [*facts["traps"], trap(**route)],
    }


def test_everything_to_fix_has_a_severity_and_a_reason() -> None:
    of_a_large_site = {**everything(), "listed": 1_000}  # less than half of its dates are wrong
    found = [*list_fixes(everything()), *list_fixes(of_a_large_site)]
    assert {fix["id"] for fix in found} == set(GROUNDS)
    for fix in found:
        assert fix["severity"] in SEVERITIES
        assert fix["why"].endswith(".")
        assert fix["why"][0].isupper()


def test_what_many_pages_share_is_a_doubt() -> None:
    found = {fix["id"]: fix["sentence"] for fix in list_fixes(everything())}
    beginnings = {
        "repeated": "2 pages have no link, and the same short text as others, first",
        "shared_canonical": f"30 pages with 29 different titles name {SITE}/ as their canonical",
        "offsite_canonicals": f"24 pages name a canonical URL of another site, {SITE}, first",
        "shared_parameter": "24 listed URLs have the parameter u=eccbc87e4b: if it is the session",
        "logins": "2 URLs need a login, first",
    }
    for name, beginning in beginnings.items():
        assert found[name].startswith(beginning)
    alone = fixes(logins={"count": 1, "examples": [SITE]}, offsite_canonicals={"count": 9})
    assert alone["logins"]["sentence"] == (
        f"1 URL needs a login, first {SITE}: -a cookies=name=value reads it as a visitor with a "
        "login."
    )
    assert "offsite_canonicals" not in alone


def test_no_doubt_is_above_what_is_graver() -> None:
    found = list_fixes(everything())
    grades = [SEVERITIES.index(fix["severity"]) for fix in found]
    assert grades == sorted(grades)
    places = {fix["id"]: place for place, fix in enumerate(found)}
    assert places["unfinished"] == 0
    assert places["missing_from_sitemap"] < places["not_looked_at_nofollow"]
    assert places["not_looked_at_nofollow"] < places["traps"] < places["not_looked_at_trap"]


def test_views_behind_a_hash_are_to_have_urls() -> None:
    route = {"kind": "hash_route", "urls": 3, "pattern": f"{SITE}/app", "is_endless": False}
    fix = fixes(traps=[trap(**{**route, "examples": [f"{SITE}/app#/a"]})])["hash_routes"]
    assert (fix["count"], fix["severity"], fix["where"]) == (3, "error", "traps")
    assert fix["sentence"].startswith(
        f"3 links lead to views behind # of 1 page, first {SITE}/app#/a: give each view a URL"
    )


def test_pages_that_lack_content_without_scripts_are_to_be_sent_whole() -> None:
    example = {"url": f"{SITE}/a", "reason": "a script writes links", "lacks": ["links"]}
    needed = {"count": 5, "share": 0.5, "without_text": 3, "reasons": [], "examples": [example]}
    fix = fixes(rendering={**empty()["rendering"], "needed": needed})["scripted"]
    assert fix["filter"] == {"verdict": ["listed"], "rendered": [1]}
    assert fix["sentence"] == (
        f"5 pages lack content without JavaScript, 3 of them nearly all, first {SITE}/a: have the "
        "server send their content."
    )
    facts = {**empty()["rendering"], "needed": {**needed, "without_text": 5}}
    assert fixes(rendering=facts)["scripted"]["sentence"] == (
        f"5 pages are nearly empty without JavaScript, first {SITE}/a: have the server send their "
        "content."
    )


@for_each((68, True), (69, False))
def test_many_wrong_dates_of_the_sitemap_are_an_error(listed: int, is_error: bool) -> None:
    facts = {"distrusted_lastmods": {"sitemap": {"shared": 34}}, "pages_with_wrong_dates": 1}
    dates = [{"lastmod": "2026-03-04T05:06:07+00:00", "entries": 34}]
    found = fixes(**facts, listed=listed, sitemap_dates=dates)
    counts = {name: fix["count"] for name, fix in found.items()}
    if not is_error:
        assert counts == {"few_wrong_dates": 34, "distrusted_lastmods": 1}
        return
    assert counts == {"wrong_dates_in_sitemap": 34, "distrusted_lastmods": 1}
    fix = found["wrong_dates_in_sitemap"]
    assert fix["severity"] == "error"
    assert fix["sentence"] == (
        "34 dates of your sitemap, such as 2026-03-04T05:06:07+00:00, do not "
        "follow changes: leave them out, or write the time of the last real change."
    )


def test_pages_with_one_title_are_counted_once() -> None:
    repeated = {"groups": 1, "count": 24, "share": 0.5, "examples": []}
    titles = {**empty()["titles"], "repeated_titles": repeated}
    assert fixes(titles=titles)["repeated_titles"]["sentence"] == (
        "24 pages have the same title: give each page its own."
    )


def test_wrong_dates_have_one_piece_of_advice() -> None:
    assert fixes(pages_with_wrong_dates=15)["distrusted_lastmods"]["sentence"] == (
        "15 pages have dates that do not follow changes: leave them out, or write the time of the "
        "last real change."
    )
    remedies = {fault.row.remedy for fault in (DateFault.CLOCK, DateFault.SHARED)}
    assert len(remedies) == 1


def trap(**fields: Any) -> dict[str, Any]:
    made = {"kind": "calendar", "pattern": "/{day}", "urls": 40, "fetched": 9, "useful": 0}
    return {**made, "examples": [], "reason": "", "is_endless": True, **fields}


def test_crawlers_are_to_be_kept_out_of_what_was_shown_to_be_endless() -> None:
    said = fixes(traps=[trap(), trap(pattern="/{month}", urls=2)])["traps"]
    assert said["count"] == 42
    assert said["sentence"].startswith("Endless URLs without new content, 42 URLs of 2 patterns")


@for_each(
    {"useful": 2},  # a list, say, that is the first to lead to a page
    {"is_endless": False},  # not shown to be, or links with session ids
    {"urls": 0},  # they were crawled all the same
)
def test_and_out_of_nothing_else(fields: dict[str, Any]) -> None:
    assert "traps" not in fixes(traps=[trap(**fields)])


def test_what_was_not_looked_at_makes_the_figures_doubtful() -> None:
    row = {"cause": "trap", "reason": "In endless spaces", "urls": 7, "examples": []}
    rows = [{**row, "remedy": "-a traps=report fetches them"}]
    (first, *_) = list_fixes({**empty(), "not_looked_at": rows})
    assert (first["id"], first["count"], first["where"]) == (
        *("not_looked_at_trap", 7),
        "not_looked_at",
    )
    assert first["sentence"] == (
        "In endless spaces: 7 URLs were not looked at, and what they link to is not known; "
        "-a traps=report fetches them."
    )


@for_each(False, True)
def test_orphans_are_not_asserted_where_parts_were_cut_off(at_most: bool) -> None:
    orphans = {"count": 2, "share": 0.5, "listed": 2, "at_most": at_most, "examples": []}
    sentence = fixes(orphans=orphans)["orphans"]["sentence"]
    assert ("unless URLs that were not looked at do" in sentence) is at_most


def test_a_canonical_that_most_pages_share_makes_the_figures_doubtful() -> None:
    shared = {"url": "https://e.example/", "pages": 30, "titles": 29, "share": 0.9}
    fix = fixes(shared_canonical={**shared, "examples": ["https://e.example/a"]})[
        "shared_canonical"
    ]
    assert fix["count"] == 30
    assert fix["filter"] == {"verdict": ["canonicalised"], "canonical": ["https://e.example/"]}
    assert fix["sentence"].startswith(
        "30 pages with 29 different titles name https://e.example/ as their canonical URL, first "
        "https://e.example/a, and are left out for that"
    )


@for_each((10, False, True), (9, False, False), (1, True, True))
def test_blank_pages_make_the_figures_doubtful(count: int, is_start: bool, is_said: bool) -> None:
    blank = {"count": count, "share": 0.1, "is_start": is_start, "examples": ["https://e.example/"]}
    assert ("blank" in fixes(blank=blank)) is is_said
    if count == 10:
        assert fixes(blank=blank)["blank"]["sentence"] == (
            "10 listed pages are blank (no title, text or image), first https://e.example/: a "
            "theme, a template or a script may be missing on the server."
        )
