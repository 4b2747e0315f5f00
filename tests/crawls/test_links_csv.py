"""links.csv: one row for each distinct source and target, with what the page says of the link.

How links are kept from run to run: ``test_collected.py``.
"""

import csv
from pathlib import Path

import pytest

from tests.helpers.crawls import IMPATIENT, Crawler
from tests.helpers.server import Answer, Serve, Server, redirect, text

HOME = """<!doctype html><html><head><title>Home</title>
<link rel="canonical" href="/"><link rel="next" href="/2"><link rel="prev" href="/0">
<link rel="alternate" hreflang="de" href="/de"><link rel="alternate" type="application/rss+xml"
 href="/feed"><link rel="stylesheet" href="/style.css">
</head><body>
<a href="/a">First   <b>words</b>
 of a link</a> <a href="/a">Others</a> <a href="/a#part">Again</a>
<a href="/img"><img src="/i.png" alt="A picture"></a>
<a href="/long">LONG</a> <a href="/nofollow" rel="nofollow">Not followed</a>
<a href="/both" rel="nofollow">One</a> <a href="/both">Two</a>
<a href="/2">Next page</a> <a href="=1+1">=cmd()</a>
<a href="https://other.example/x?b=1&amp;a=2" rel="nofollow">Elsewhere</a>
<a href="mailto:a@b.example">Mail</a> <a href="">Nothing</a>
<map><area href="/area" alt="A part of the map"></map><iframe src="/frame"></iframe>
<noscript><a href="/noscript">Without scripts</a></noscript>
</body></html>""".replace("LONG", "x" * 500)
PLAIN = "<!doctype html><html><head><title>{0}</title></head><body>{0}{1}</body></html>"
HTML = {"Content-Type": "text/html"}


def leaf(name: str, body: str = "") -> Answer:
    return Answer(PLAIN.format(f"The page called {name}", body), headers={**HTML, "ETag": '"1"'})


NAMES = ("a", "img", "long", "both", "2", "0", "de", "=1+1", "area", "frame", "noscript")
REFRESH = '<!doctype html><meta http-equiv="refresh" content="0; url=/a"><title>R</title>'
SITE = {
    "/robots.txt": text("User-agent: *\nDisallow: /0\n"),
    "/": Answer(HOME, headers={**HTML, "Link": '</h>; rel="canonical"', "ETag": '"1"'}),
    **{f"/{name}": leaf(name) for name in NAMES},
    "/a": leaf("a", '<a href="/old">Old</a> <a href="/gone">Gone</a> <a href="/r">R</a>'),
    "/old": redirect("/b"),
    "/b": leaf("b", '<meta name="robots" content="nofollow"><a href="/a">A</a>'),
    "/gone": redirect("https://other.example/"),
    "/r": Answer(REFRESH, headers=HTML),
}

Rows = dict[tuple[str, str], tuple[str, str, str]]


def rows(directory: Path, origin: str) -> Rows:
    """(source, target) -> (text, nofollow, kind), the site's own URLs as paths."""
    with (directory / "links.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    assert list(found[0]) == ["source", "target", "text", "nofollow", "kind"]
    table = {
        (row["source"].replace(origin, "/"), row["target"].replace(origin, "/")): (
            row["text"],
            row["nofollow"],
            row["kind"],
        )
        for row in found
    }
    assert len(table) == len(found), "an edge has two rows"
    assert [(row["source"], row["target"]) for row in found] == sorted(
        (row["source"], row["target"]) for row in found
    )
    return table


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve(SITE)


def test_what_a_page_says_of_its_links(server: Server, crawl: Crawler) -> None:
    feed = ("-O", "/dev/null:jl")
    result = crawl.published(server.url, "formats=xml,links", settings=(*IMPATIENT, *feed))
    table = rows(result.output, server.url)
    home = {target: row for (source, target), row in table.items() if source == "/"}
    assert home == {
        "/": ("", "0", "canonical"),
        "/a": ("First words of a link", "0", "link"),
        "/img": ("A picture", "0", "link"),
        "/long": ("x" * 200, "0", "link"),
        "/nofollow": ("Not followed", "1", "link"),
        "/both": ("One", "0", "link"),
        "/2": ("Next page", "0", "link"),
        "/0": ("", "0", "prev"),
        "/de": ("", "0", "alternate"),
        "/h": ("", "0", "canonical"),
        "/=1+1": ("'=cmd()", "0", "link"),
        "/area": ("A part of the map", "0", "area"),
        "/frame": ("", "0", "frame"),
        "/noscript": ("", "0", "link"),
        "https://other.example/x?b=1&a=2": ("Elsewhere", "1", "link"),
    }
    assert table["/old", "/b"] == ("", "0", "redirect")
    assert table["/gone", "https://other.example/"] == ("", "0", "redirect")
    assert table["/r", "/a"] == ("", "0", "refresh")
    assert table["/b", "/a"] == ("A", "1", "link")
    # The followed links are those of the graph.
    for url, row in result.urls.items():
        path = url.replace(server.url, "/")
        followed = {
            source
            for (source, target), (_, nofollow, _) in table.items()
            if target == path and nofollow == "0" and source != path
        }
        assert len(followed) == int(row["in_degree"]), path
