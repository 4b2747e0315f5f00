"""The audit of a site with one of every fault: every figure was worked out by hand, here."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from tests.crawls import commands
from tests.helpers.crawls import IMPATIENT, Crawl, Crawler, command, kill_after, run_to_end
from tests.helpers.server import HERE, Answer, Serve, Server, page, redirect, text, urlset, xml
from tests.helpers.sites import site_with_everything
from tests.store.old_states import dump

WORDS = (
    "Ada wrote the first program, Grace the first compiler, and Margaret the software that landed.",
    "Rivers carry what mountains lose, and deltas are what the sea has not yet taken from them.",
    "A loaf takes flour, water, salt and time; of the four it is the last that cannot be bought.",
    "A ship that sails by the stars has to know the hour, which is why clocks were made for ships.",
    "Glass is neither liquid nor crystal, and old panes are thick below for another reason.",
)

EXCLUDE = "exclude=/note.txt"  # what that is, no answer says
REACHED = {
    *("", "a", "b", "old", "gone", "hidden", "copy", "secret"),  # and in the sitemap
    *("docs/c", "docs/d", "docs/c?print=1", "hop1", "hop2", "far", "circle1", "circle2", "lost"),
}
IN_SITEMAP = {
    *("", "a", "b", "old", "gone", "hidden", "copy", "secret"),
    *("orphan", "island", "away", "dead", "note.txt"),
}
SEEN = REACHED | IN_SITEMAP | {"beyond"}  # which only an orphan links to
LISTED = {"", "a", "b", "docs/c", "docs/d", "orphan", "island", "beyond"}


def faulty() -> dict[str, Answer]:
    """A site of 23 URLs; what is wrong with which stands beside it."""

    def full(number: int, *hrefs: str, head: str = "") -> Answer:
        said = " ".join(WORDS[(number + step) % len(WORDS)] for step in range(3))
        return page(*hrefs, text=f"{said} Part {number}.", title=f"Page {number}", head=head)

    start_links = (
        *("/a", "/b", "/docs/c", "/docs/d", "/old", "/gone", "/hidden", "/copy"),
        *("/secret", "/docs/c?print=1", "/hop1", "/far", "/circle1"),
    )
    listed = (
        *("", "a", "b", "old", "gone", "hidden", "copy", "secret", "a"),  # a: twice
        *("orphan", "island", "away", "dead", "note.txt"),
    )
    entries = "".join(
        f"<url><loc>{HERE}{name}</loc>"
        + ("<lastmod>2024-05-01</lastmod>" if place < 7 else "")
        + ("<priority>0.5</priority>" if place < 2 else "")
        + "</url>"
        for place, name in enumerate(listed)
    )
    entries += "<url><loc>http://another.example/</loc></url><url><loc>mailto:x</loc></url>"
    hreflang = '<link rel="alternate" hreflang="de" href="/docs/d">'
    return {
        "/robots.txt": text(f"User-agent: *\nDisallow: /secret\nSitemap: {HERE}map.xml"),
        "/map.xml": xml(f"<urlset>{entries}</urlset>"),
        "/": full(0, *start_links),
        "/a": full(1, "/", "/b", "/gone", "/old"),
        "/b": full(2, "/", "/lost"),
        "/docs/c": full(3, "/", head=hreflang),  # which docs/d does not answer
        "/docs/d": full(4),  # a dead end
        "/docs/c?print=1": full(5, "/", head='<link rel="canonical" href="/docs/c">'),
        "/old": redirect("/a"),
        "/gone": Answer("gone", 404),
        "/lost": Answer("lost", 410),
        "/hidden": full(6, "/", head='<meta name="robots" content="noindex">'),
        "/copy": full(2, "/", "/lost"),
        "/hop1": redirect("/hop2"),
        "/hop2": redirect("/docs/d"),
        "/far": redirect("http://another.example/elsewhere"),
        "/circle1": redirect("/circle2"),
        "/circle2": redirect("/circle1"),
        "/orphan": full(7, "/", "/beyond"),
        "/beyond": full(8, "/"),
        "/island": full(9, "/orphan"),
        "/away": redirect("http://another.example/"),
        "/dead": Answer(status=0),
    }


class Audit:
    """A crawl's report, its URLs shortened."""

    def __init__(self, crawl: Crawl, url: str) -> None:
        self.crawl, self.url = crawl, url
        self.report = json.loads((crawl.output / "report.json").read_text().replace(url, ""))

    def figure(self, *path: str) -> tuple[Any, Any]:
        found = self.report["coverage"]
        for name in path:
            found = found[name]
        assert found["value"] == round(found["part"] / found["whole"], 4)
        return found["part"], found["whole"]


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Audit:
    with Server(faulty()) as server:
        crawl = Crawler(tmp_path_factory.mktemp("audit"))
        return Audit(crawl.published(server.url, EXCLUDE), server.url)


def counts(numbers: dict[str, int]) -> tuple[int, ...]:
    return tuple(numbers[name] for name in ("all", "discovery", "sitemaps", "both", "either"))


def test_the_site_is_what_the_figures_are_made_of(audited: Audit) -> None:
    rows = {url.removeprefix(audited.url): row for url, row in audited.crawl.urls.items()}
    assert set(rows) == SEEN
    assert {name for name, row in rows.items() if row["reached"] == "1"} == REACHED
    assert {name for name, row in rows.items() if row["in_sitemap"] == "1"} == IN_SITEMAP
    assert {name for name, row in rows.items() if row["verdict"] == "listed"} == LISTED


def test_the_states_of_the_paper(audited: Audit) -> None:
    sets = audited.report["coverage"]["sets"]
    assert counts(sets["seen"]) == (23, 17, 13, 8, 22)
    # All but secret (robots.txt) and note.txt (excluded).
    assert counts(sets["crawled"]) == (21, 16, 11, 7, 20)
    # Listed ones and hidden (noindex); copy repeats b, and docs/c?print=1 names docs/c.
    assert counts(sets["unique"]) == (9, 6, 6, 4, 8)
    assert counts(sets["listed"]) == counts(sets["indexed"]) == (8, 5, 5, 3, 7)
    assert audited.report["coverage"]["indexed_from"] == "eligible"
    assert sets["results"] is None
    assert sets["clicked"] is None


def test_the_metrics_of_the_paper(audited: Audit) -> None:
    assert audited.figure("coverage") == (11, 21)
    assert audited.figure("unique_coverage") == (6, 9)
    assert audited.figure("index_coverage") == (5, 8)
    assert audited.figure("signal_to_noise", "all") == (9, 23)
    assert audited.figure("signal_to_noise", "discovery") == (6, 17)
    assert audited.figure("signal_to_noise", "sitemaps") == (6, 13)
    assert audited.figure("efficiency", "discovery") == (6, 16)
    assert audited.figure("efficiency", "sitemaps") == (6, 11)
    ranked = {url: float(row["pagerank"] or 0) for url, row in audited.crawl.urls.items()}
    part, whole = audited.figure("pagerank_coverage")
    assert whole == pytest.approx(1)
    assert part == pytest.approx(sum(ranked[audited.url + name] for name in IN_SITEMAP), abs=1e-5)


def test_table_1(audited: Audit) -> None:
    table = audited.report["table_1"]
    assert (table["files"], table["failed"], table["urls"]) == (1, 0, 16)
    assert table["formats"] == [{"format": "urlset", "files": 1, "urls": 16, "share": 1.0}]
    assert table["lastmod"] == {"count": 7, "share": 0.4375}
    assert table["changefreq"] == {"count": 0, "share": 0.0}
    assert table["priority"] == {"count": 2, "share": 0.125}


def test_table_2(audited: Audit) -> None:
    missing = audited.report["missing"]
    assert missing["crawled"] == {"count": 10, "share": round(10 / 21, 4)}
    types = {row["type"]: [each["url"] for each in row["examples"]] for row in missing["types"]}
    assert {name: urls for name, urls in types.items() if urls} == {
        "errors": ["lost"],
        "redirects": ["circle1", "circle2", "far", "hop1", "hop2"],
        "duplicates_extra_parameter": ["docs/c?print=1"],
        "missing_content": ["beyond", "docs/c", "docs/d"],
    }
    assert sum(row["count"] for row in missing["types"]) == 10
    assert sum(row["count"] for row in missing["verdicts"]) == 10
    assert missing["pages"]["count"] == 3
    assert missing["pages"]["share"] == 0.375
    assert missing["pages"]["kinds"] == [
        {"kind": "/docs/*", "count": 2},
        {"kind": "/*", "count": 1},
    ]


def test_titles_and_values_of_entries_with_faults(serve: Serve, crawl: Crawler) -> None:
    described = '<meta name="description" content="{}">'
    heads = {"/a": described.format("Same"), "/b": described.format("Same")}
    titles = {"/a": "Same", "/b": "Same", "/c": "", "/d": "long " * 15}
    pages = {
        path: page(title=title, head=heads.get(path, described.format(path * 90)))
        for path, title in titles.items()
    }
    entry = "<url><loc>{}</loc><lastmod>2024-05</lastmod><priority>9</priority></url>"
    server = serve({"/": page(*pages, title="Start"), **pages})
    file = xml(f"<urlset>{entry.format(server.url + 'a')}</urlset>")
    server.site = {**server.site, "/sitemap.xml": file}
    result = crawl(server.url)
    report = json.loads((result.output / "report.json").read_text().replace(server.url, "/"))
    found = report["titles"]
    assert found["missing_titles"]["examples"] == ["/c"]
    assert found["repeated_titles"]["examples"] == [
        {"text": "Same", "count": 2, "members": ["/a", "/b"]}
    ]
    assert found["long_titles"]["examples"] == [{"url": "/d", "length": 645}]
    assert found["missing_descriptions"]["examples"] == ["/"]
    assert found["repeated_descriptions"]["examples"][0]["members"] == ["/a", "/b"]
    assert found["long_descriptions"]["examples"] == [
        {"url": "/c", "length": 180},
        {"url": "/d", "length": 180},
    ]
    places = {
        row["rule"]: [(each["url"], each["file"]) for each in row["examples"]]
        for row in report["invalid_values"]
    }
    there = [("/a", "/sitemap.xml")]
    assert places == {"lastmod_format": there, "priority_value": there}
    fixes = {fix["id"]: fix["count"] for fix in report["priorities"]}
    assert fixes["invalid_in_sitemap"] == 2
    assert (fixes["missing_titles"], fixes["repeated_titles"], fixes["long_titles"]) == (1, 2, 1)
    text = result.html
    assert text.count('id="titles"') == text.count("Entries that break the rules") == 1


def test_what_the_sitemap_wastes(audited: Audit) -> None:
    wasted = audited.report["wasted"]
    assert (wasted["urls"], wasted["count"], wasted["share"]) == (13, 7, round(7 / 13, 4))
    found = {
        row["verdict"]: [each["url"] for each in row["examples"]] for row in wasted["verdicts"]
    }
    assert found == {
        "http_error": ["gone"],
        "fetch_error": ["dead"],
        "redirect": ["old"],
        "offsite_redirect": ["away"],
        "noindex": ["hidden"],
        "duplicate": ["copy"],
        "robots_disallowed": ["secret"],
    }
    assert [row["verdict"] for row in wasted["not_judged"]] == ["excluded"]
    assert wasted["repeated"]["examples"] == [{"url": "a", "times": 2}]
    assert (wasted["repeated"]["count"], wasted["repeated"]["entries"]) == (1, 2)
    assert wasted["offsite"]["of"] == "another site"
    assert wasted["offsite"]["examples"] == ["http://another.example/"]
    assert wasted["malformed"] == 1


def test_links(audited: Audit) -> None:
    orphans = audited.report["orphans"]
    assert (orphans["count"], orphans["listed"], orphans["at_most"]) == (2, 2, False)
    assert [(each["url"], each["in_degree"]) for each in orphans["examples"]] == [
        *(("island", 0), ("orphan", 1)),  # island links to it, and nothing to island
    ]
    dead_ends = audited.report["dead_ends"]
    assert dead_ends["examples"] == [{"url": "docs/d", "verdict": "listed"}]
    assert (dead_ends["count"], dead_ends["share"]) == (1, round(1 / 8, 4))
    broken = audited.report["broken_links"]
    assert (broken["count"], broken["links"]) == (2, 4)
    described = [(each["url"], each["links"], each["pages"]) for each in broken["examples"]]
    assert described == [("gone", 2, ["", "a"]), ("lost", 2, ["b", "copy"])]


def test_redirects(audited: Audit) -> None:
    redirects = audited.report["redirects"]
    assert redirects["count"] == 7
    assert redirects["hops"] == [
        {"hops": 0, "count": 2},  # the circle
        {"hops": 1, "count": 4},
        {"hops": 2, "count": 1},
    ]
    # Start page and a link to old; the start page to hop1, far and circle1.
    assert (redirects["linked"], redirects["links"], redirects["in_sitemap"]) == (4, 5, 2)
    chains = {tuple(each["chain"]): each["verdict"] for each in redirects["examples"]}
    assert chains == {
        ("old", "a"): "listed",
        ("circle1", "circle2", "circle1"): None,
        ("far", "http://another.example/elsewhere"): None,
        ("hop1", "hop2", "docs/d"): "listed",
        ("away", "http://another.example/"): None,
    }
    assert redirects["examples"][0]["chain"] == ["old", "a"]


def test_distributions(audited: Audit) -> None:
    histograms = audited.report["histograms"]
    assert [tuple(row.values()) for row in histograms["depth"]] == [
        (0, 1, 0, 1),
        (1, 4, 8, 6),  # left out: old gone hidden copy docs/c?print=1 hop1 far circle1
        (2, 0, 3, 0),  # hop2 circle2 lost; no click reaches orphan island away dead beyond
    ]
    assert [tuple(row.values()) for row in histograms["in_degree"]] == [
        (0, 0, 3, 3),  # island away dead
        (1, 1, 9, 3),  # copy hidden docs/c?.. hop1 hop2 far circle2 orphan beyond
        (2, 3, 8, 4),  # a b old gone lost docs/c docs/d circle1
        (8, 15, 1, 1),  # the start page
    ]
    status = {row["status"]: row["count"] for row in histograms["status"]}
    assert status == {200: 11, 301: 7, 404: 1, 410: 1, None: 1}
    assert sum(row["urls"] for row in histograms["pagerank"]) == 11
    kinds = audited.report["kinds"]
    for name, count in {"urls": 23, "listed": 8, "in_sitemap": 13, "missing": 3}.items():
        assert sum(row[name] for row in kinds["rows"]) == count
    docs = next(row for row in kinds["rows"] if row["kind"] == "/docs/*")
    assert (docs["urls"], docs["missing"]) == (2, 2)


def test_what_pages_repeat_and_say(audited: Audit) -> None:
    exact = audited.report["duplicates"]["exact"]
    assert exact == {
        "groups": 1,
        "count": 1,
        "examples": [{"url": "b", "count": 1, "members": ["copy"]}],
    }
    assert audited.report["hreflang"] == {
        "pages": 1,
        "one_way": 1,
        "left_out": 0,
        "faulty": 1,
        "examples": [{"url": "docs/c", "fault": "one_way", "other": "docs/d"}],
    }


def test_what_to_fix_first(audited: Audit) -> None:
    said = {each["id"]: each for each in audited.report["priorities"]}
    assert said["redirect_in_sitemap"]["sentence"] == (
        "1 of your sitemap's 13 URLs redirects: list its target instead."
    )
    assert said["missing_from_sitemap"]["sentence"] == (
        "3 of the site's 8 pages that belong in a sitemap are not in yours: add them."
    )
    assert next(iter(said)) == "sitemap_errors"
    exact = {name for name in said if name.endswith("_in_sitemap")} - {
        *("repeated_in_sitemap", "offsite_in_sitemap")
    }
    for name in exact | {"missing_from_sitemap", "orphans", "duplicates"}:
        assert len(audited.crawl.rows_of(said[name]["filter"])) == said[name]["count"], name


# --- scrapy report


def scrapy(*arguments: str | Path) -> tuple[int, str]:
    """Run a command of the project; its exit code and its log."""
    result = commands.run(*arguments)
    return result.code, result.log


def test_rebuilding_changes_nothing(audited: Audit) -> None:
    before = audited.crawl.files
    (audited.crawl.output / "report.json").write_text("{}")
    (audited.crawl.output / "urls.csv").unlink()
    code, log = scrapy("report", audited.crawl.output)
    assert code == 0, log
    assert audited.crawl.files == before
    assert len(log.splitlines()) == len([name for name in before if name != "sitemap.xml"])


def test_conditions(audited: Audit, tmp_path: Path) -> None:
    conditions = "orphans>5%, non_indexable_in_sitemap>7, coverage<60%,http_error==2,listed<=7"
    junit = tmp_path / "junit.xml"
    code, log = scrapy("report", audited.crawl.output, "--fail-on", conditions, "--junit", junit)
    assert code == 8, log
    assert "ERROR orphans>5%: failed, orphans is 15.38 % (2 of 13)" in log
    assert "INFO non_indexable_in_sitemap>7: passed, non_indexable_in_sitemap is 7" in log
    suite = ElementTree.parse(junit).getroot()[0]
    outcomes = {case.attrib["name"]: [child.tag for child in case] for case in suite}
    assert outcomes == {
        "orphans>5%": ["failure"],
        "non_indexable_in_sitemap>7": [],
        "coverage<60%": ["failure"],
        "http_error==2": ["failure"],
        "listed<=7": [],
    }
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("5", "3")
    assert scrapy("report", audited.crawl.output, "--fail-on", "orphans>40%")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--fail-on", "orphan>5"], "--fail-on: orphan: no such metric; did you mean orphans?"),
        (["--fail-on", "orphans>"], "--fail-on: 'orphans>' is no condition; write one such as"),
        (["--fail-on", ""], "--fail-on: no condition; write one such as orphans>5%"),
        (["--junit", "x.xml"], "--junit: needs --fail-on, whose outcome it is"),
        (["--failon", "orphans>5"], "--failon: no such option; --help shows all"),
        (["another"], "give OUTPUT, and not "),
        (["--indexed", "/nowhere.csv"], "indexed: /nowhere.csv cannot be read: No such file"),
    ],
)
def test_bad_arguments_get_one_sentence(
    arguments: list[str], sentence: str, audited: Audit
) -> None:
    before = audited.crawl.files
    code, log = scrapy("report", audited.crawl.output, *arguments)
    assert code == 2, log
    assert sentence in log
    assert len(log.splitlines()) == 1
    assert audited.crawl.files == before


@pytest.mark.parametrize(
    ("place", "state", "code", "sentence"),
    [
        ("nowhere", None, 2, "nowhere: not the output of a crawl; no such directory"),
        ("", None, 2, "not the output of a crawl; it has no crawl.sqlite"),
        ("", b"", 2, "crawl.sqlite: holds no crawl"),
        ("", b"no database " * 500, 5, "damaged"),
    ],
)
def test_an_output_that_is_none(
    place: str, state: bytes | None, code: int, sentence: str, tmp_path: Path
) -> None:
    if state is not None:
        (tmp_path / "crawl.sqlite").write_bytes(state)
    found, log = scrapy("report", tmp_path / place)
    assert (found, len(log.splitlines())) == (code, 1)
    assert sentence in log


# --- what a search engine has

PAGES_CSV = """\
Die häufigsten Seiten;Klicks;Impressionen;CTR;Position
{url};120;3.400;3,5 %;4,2
{url}a;0;12;0 %;31
{url}a#section;1;10;10 %;12
{url}gone;2;20;10 %;8
{url}docs/c;0;0;0 %;0
{url}never;4;40;10 %;3
http://another.example/x;9;90;10 %;1
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_indexed_urls(encoding: str, audited: Audit, tmp_path: Path) -> None:
    file = tmp_path / "Seiten.csv"
    file.write_bytes(PAGES_CSV.format(url=audited.url).encode(encoding))
    before = audited.crawl.files
    code, log = scrapy("report", audited.crawl.output, "--indexed", file)
    assert code == 0, log
    assert "indexed: 1 of 7 rows is a URL of another site, such as http://another.example/x" in log
    report = Audit(audited.crawl, audited.url).report
    sets = report["coverage"]["sets"]
    assert report["coverage"]["indexed_from"] == "file"
    assert counts(sets["indexed"]) == (5, 4, 3, 3, 4)  # / a gone docs/c, and never
    assert counts(sets["results"]) == (4, 3, 3, 3, 3)  # / a gone, and never
    assert counts(sets["clicked"]) == (4, 3, 3, 3, 3)  # a by its section
    figure = report["coverage"]["index_coverage"]  # what was never seen is indexed all the same
    assert (figure["value"], figure["part"], figure["whole"]) == (0.6, 3, 5)
    assert report["indexed"] == {
        "file": "Seiten.csv",
        "error": None,
        "rows": 7,
        "urls": 5,
        "foreign": 1,
        "malformed": 0,
        "foreign_examples": ["http://another.example/x"],
        "not_seen": {"count": 1, "share": 0.2, "examples": ["never"]},
        "verdicts": {"listed": 3, "http_error": 1},
    }
    assert {"indexed_left_out", "indexed_not_seen"} <= {each["id"] for each in report["priorities"]}
    assert scrapy("report", audited.crawl.output)[0] == 0
    assert audited.crawl.files == before


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        ("Häufigste Seiten,Klicks\n".encode("latin-1"), "is neither UTF-8 nor UTF-16; save it as"),
        ("http://a.example/\n".encode("utf-16")[2:], "has no URL of http://127.0.0.1"),
        (b"PK\x03\x04...", "is an archive or a workbook; name the table of pages"),
        (b"http://another.example/\n", "the first one is http://another.example/"),
    ],
)
def test_files_that_are_of_no_use(
    content: bytes, sentence: str, audited: Audit, tmp_path: Path
) -> None:
    file = tmp_path / "file.csv"
    file.write_bytes(content)
    code, log = scrapy("report", audited.crawl.output, "--indexed", file)
    assert (code, len(log.splitlines())) == (2, 1), log
    assert sentence in log


def test_a_crawl_refuses_a_useless_file_before_it_asks_anything(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    server = serve({"/": page()})
    result = crawl(server.url, f"indexed={tmp_path / 'none.csv'}")
    assert result.code == 2
    assert "none.csv cannot be read: No such file or directory" in result.log
    assert not server.visits
    good = tmp_path / "urls.txt"
    good.write_text(f"{server.url}\n{server.url}gone\nnonsense\n")
    result = crawl.published(server.url, f"indexed={good}")
    assert result.report["indexed"]["urls"] == 2
    assert result.report["indexed"]["malformed"] == 1
    good.write_text("http://another.example/\n")  # found out only once the site is known
    result = crawl.published(server.url, f"indexed={good}")
    assert "has no URL of" in result.report["indexed"]["error"]
    assert "WARNING indexed: " in result.log


# --- sites without a sitemap of their own


def test_a_site_without_a_sitemap(crawl: Crawler) -> None:
    _, result = crawl.site({"/": page("/a"), "/a": page("/")})
    report = result.report
    for name in ("coverage", "unique_coverage", "index_coverage", "pagerank_coverage"):
        assert report["coverage"][name] == {
            "value": None,
            "part": None,
            "whole": None,
            "why": "the site has no sitemap",
        }
    assert report["coverage"]["signal_to_noise"]["sitemaps"]["value"] is None
    assert report["coverage"]["efficiency"]["discovery"]["value"] == 1.0
    assert report["priorities"][0]["sentence"] == (
        "The site has no sitemap: publish one with its 2 pages."
    )
    assert "missing_from_sitemap" not in {each["id"] for each in report["priorities"]}
    code, log = scrapy("report", result.output, "--fail-on", "coverage<50%,orphans>0")
    assert code == 8
    assert "coverage<50%: failed, coverage is undefined: the site has no sitemap" in log
    assert "orphans>0: passed, orphans is 0" in log


def test_a_sitemap_of_another_site(serve: Serve, crawl: Crawler) -> None:
    listed = urlset("0", "1", "2", base="http://another.example/")
    server = serve({"/": page("/a"), "/a": page(), "/sitemap.xml": listed})
    report = crawl(server.url).report
    assert report["coverage"]["coverage"] == {"value": 0.0, "part": 0, "whole": 2, "why": None}
    assert report["coverage"]["efficiency"]["sitemaps"]["why"] == (
        "none of the URLs that the site's sitemaps list was fetched"
    )
    assert report["wasted"]["offsite"]["entries"] == 3
    assert report["priorities"][0]["sentence"].startswith(
        "3 of the 3 entries of your sitemap are of another site"
    )


# --- crawls that are not finished


@pytest.mark.full
def test_the_report_of_an_unfinished_crawl_leaves_it_as_it_was(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    server, undisturbed = crawl.site(site_with_everything())
    output = tmp_path / "killed"
    kill_after(150, server, command(server.url, output, *IMPATIENT), tmp_path / "log-killed")
    code, log = scrapy("report", output)  # the first one recovers what the killed one wrote
    assert code == 0, log
    before = dump(output / "crawl.sqlite")
    code, log = scrapy("report", output)
    assert code == 0, log
    assert "WARNING The crawl is not finished: " in log
    assert dump(output / "crawl.sqlite") == before
    lines = (output / "report.json").read_text().splitlines()
    assert lines[1].startswith('  "unfinished": "The crawl is not finished: ')
    part = Crawl(0, "", output)
    assert part.report["stopped_by"] == "interrupted"
    assert [row["cause"] for row in part.report["not_looked_at"]] == ["interrupted"]
    assert "The crawl was interrupted: " in log
    assert not part.report["complete"]
    assert part.report["published_complete"]  # nothing is published yet
    assert part.report["priorities"][0]["id"] == "unfinished"
    assert sum(part.report["verdicts"].values()) == len(part.urls) == part.report["seen"]
    assert 0 < part.report["fetched"] < undisturbed.report["fetched"]
    assert run_to_end(command(server.url, output, *IMPATIENT), tmp_path / "log-killed") == 0
    assert Crawl(0, "", output).files == undisturbed.files
    code, _ = scrapy("report", output)
    assert code == 0
    assert Crawl(0, "", output).files == undisturbed.files


@pytest.mark.full
def test_a_report_between_two_crawls_does_not_make_the_published_sitemap_incomplete(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    pages = {f"/{number}": page(title=str(number)) for number in range(60)}
    server = serve({"/": page(*pages), **pages})
    assert crawl(server.url).code == 0
    output = tmp_path / "output"
    before = (output / "sitemap.xml").read_bytes()
    again = ("-a", "query=keep")  # other arguments: nothing is known that could stay as it was
    kill_after(20, server, command(server.url, output, *again, *IMPATIENT), tmp_path / "log2")
    assert scrapy("report", output)[0] == 0
    report = Crawl(0, "", output).report
    assert (report["complete"], report["published_complete"]) == (False, True)
    result = crawl(server.url, "max_pages=40", "query=keep")
    assert result.code == 5, result.log  # a capped crawl may not replace that of the whole site
    assert (output / "sitemap.xml").read_bytes() == before
    refused = {path.name: path.read_bytes() for path in (output / "refused").iterdir()}
    assert scrapy("report", output)[0] == 0
    assert {path.name: path.read_bytes() for path in (output / "refused").iterdir()} == refused


# --- scrapy compare


def test_comparing_sites(audited: Audit, crawl: Crawler, tmp_path: Path) -> None:
    server, other = crawl.site({"/": page("/a"), "/a": page("/")})
    into = tmp_path / "comparison"
    code, log = scrapy("compare", audited.crawl.output, other.output, "--into", into)
    assert code == 0, log
    rows = json.loads((into / "comparison.json").read_text())
    by_site = {row["site"]: row for row in rows}
    assert by_site[audited.url] == {
        "output": str(audited.crawl.output),
        "site": audited.url,
        "seen": 23,
        "crawled": 21,
        "unique": 9,
        "in_sitemap": 13,
        "coverage": 0.5238,
        "unique_coverage": 0.6667,
        "index_coverage": 0.625,
        "pagerank_coverage": audited.report["coverage"]["pagerank_coverage"]["value"],
        "signal_to_noise": 0.3913,
        "indexed_from": "eligible",
        "unfinished": False,
        "not_looked_at": 0,
        "listed": 8,
        "listed_in_sitemap": 5,
    }
    assert by_site[server.url]["coverage"] is None
    assert len((into / "comparison.csv").read_text().splitlines()) == 3
    html = (into / "comparison.html").read_text()
    assert html.count("1 without such a figure.") == 3  # the other site has no sitemap
    linked = into / unquote(re.findall(r'<a href="([^"]*report.html)"', html)[0])
    assert linked.resolve() in {
        each / "report.html" for each in (audited.crawl.output, other.output)
    }
    code, log = scrapy("compare", audited.crawl.output, tmp_path, "--into", into)
    assert (code, len(log.splitlines())) == (2, 1)
    assert "report.json: No such file or directory; scrapy report" in log
