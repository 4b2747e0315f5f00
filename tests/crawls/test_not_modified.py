"""Headers of a 304 Not Modified, which replace those of the page as it was read: a real nginx."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.crawls import Crawl, Crawler
from tests.helpers.nginx import Nginx

URL = "http://site.example/"
ADDED = {
    "noindex": ('X-Robots-Tag "noindex, nofollow"', "noindex", "X-Robots-Tag: noindex, nofollow"),
    "ours": ('X-Robots-Tag "googlebot: none"', "noindex", "X-Robots-Tag: googlebot: none"),
    "past": (
        *('X-Robots-Tag "unavailable_after: 25 Jun 2010 15:00:00 GMT"', "noindex"),
        "X-Robots-Tag: unavailable_after: 25 Jun 2010 15:00:00 GMT",
    ),
    "canonical": ("Link '</1>; rel=\"canonical\"'", "canonicalised", f"canonical is {URL}1"),
    "away": ('Refresh "0; url=/1"', "redirect", f"refresh to {URL}1"),
    "plain": ("Content-Type text/plain", "not_html", "text/plain"),
    "unseparated": (
        *('X-Robots-Tag "noindex nofollow"', "listed"),
        "X-Robots-Tag: noindex nofollow ignored: only commas separate directives",
    ),
    "english": ("Link '</german>; rel=alternate; hreflang=de'", "listed", ""),
}
"""By page: the header that is added, its verdict and evidence then."""
SAME = {
    "others": 'X-Robots-Tag "otherbot: noindex"',
    "styled": "Link '</style.css>; rel=preload; as=style'",
    "in_document": "Link '</1>; rel=canonical'",
}
"""By page: a header that is added and changes nothing."""
PLAIN = [str(number) for number in range(1, 41)]
LINKED = [*PLAIN, *ADDED, *SAME, "behind"]


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Nginx]:
    """The site: ``german`` and ``behind`` are linked by no page but ``noindex``, if at all."""
    root = tmp_path / "site"
    root.mkdir()
    links = {"index.html": [*PLAIN, *ADDED, *SAME], "noindex": ["behind"]}
    for name in ("index.html", "german", *LINKED):
        hrefs = "".join(f'<a href="/{href}">{href}</a> ' for href in links.get(name, ["", "1"]))
        head = '<link rel="canonical" href="/1">' if name == "in_document" else ""
        text = f"<title>{name}</title>{head}<p>{f'All about {name}. ' * 20}</p>{hrefs}"
        (root / name).write_text(f"<!doctype html>{text}")
    served = f"root {root}; default_type text/html; access_log {tmp_path}/access.log;\n"
    with Nginx(tmp_path, served) as server:
        yield server


def locations(headers: dict[str, str]) -> str:
    return "".join(f"location = /{page} {{ add_header {it}; }}\n" for page, it in headers.items())


def test_headers_that_are_added_and_taken_away(
    nginx: Nginx, crawl: Crawler, tmp_path: Path
) -> None:
    log, plain = tmp_path / "access.log", nginx.directives

    def crawled(added: str, **more: Path) -> tuple[Crawl, dict[str, list[int]]]:
        nginx.stop()
        log.unlink()
        nginx.directives = plain + added
        nginx.start()
        result = crawl(URL, f"proxy={nginx.url}", **more)
        asked = defaultdict(list)
        for line in log.read_text().splitlines():
            _, target, _, status = line.split('"', 1)[1].split()[:4]
            asked[target.removeprefix(URL)].append(int(status))
        return result, asked

    first, _ = crawled("")
    assert set(first.sitemap) == {URL, *(URL + page for page in LINKED)} - {f"{URL}in_document"}
    headers = {**{page: row[0] for page, row in ADDED.items()}, **SAME}
    second, asked = crawled(locations(headers))
    rows = {url.removeprefix(URL): row for url, row in second.urls.items()}
    for page, (_, verdict, evidence) in ADDED.items():
        assert (rows[page]["verdict"], rows[page]["evidence"]) == (verdict, evidence)
        assert asked[page] == [304, 200]
    assert (rows["behind"]["verdict"], rows["german"]["verdict"]) == ("not_fetched", "listed")
    rank = {"pagerank": "by the links of others"}
    for page in SAME:
        assert rows[page] | rank == first.urls[URL + page] | rank
        assert asked[page] == [304]
    assert sum(asked[page] == [304] for page in PLAIN) > 0.9 * len(PLAIN)  # others are samples
    assert second.report["remarks"] == {"robots_unseparated": 1}
    fixes = {fix["id"]: fix["sentence"] for fix in second.report["priorities"]}
    assert fixes["robots_unseparated"].startswith("1 page has a noindex that search engines ignore")
    third, asked = crawled(locations(headers))
    assert third.files["urls.csv"] == second.files["urls.csv"]
    assert {page for page, statuses in asked.items() if statuses == [200]} >= set(ADDED)
    fourth, _ = crawled("")
    assert fourth.verdicts == first.verdicts
    # All pages at once, the start page among them: as a crawl that reads them for the first time.
    everywhere = 'add_header X-Robots-Tag "noindex, nofollow";'
    last, asked = crawled(everywhere)
    fresh, _ = crawled(everywhere, output=tmp_path / "fresh")
    assert (last.code, fresh.code) == (4, 4)
    assert asked[""] == [304, 200]
    assert "noindex" in last.log
