"""Pages that crashed the HTML parser, stopped a crawl or filled the memory, each with its bound."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import sitemapgen
from sitemapgen.core.document import html
from sitemapgen.core.document.markup import LONGER_THAN_THEIR_NAMES, parse_markup
from sitemapgen.core.eligibility import Rules
from sitemapgen.core.links import LinkReader
from sitemapgen.core.rendering import detect as rendering
from sitemapgen.core.robots import Robots
from sitemapgen.core.urls import LONGEST, Patterns, Resolver, Site
from sitemapgen.verdicts import Verdict
from tests.helpers.cost import usual_seconds
from tests.helpers.tables import for_each
from tests.hostile.growth import cpu
from tests.hostile.pages import PAGES, numbered, times

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(sitemapgen.__file__).parent
UTF_8 = "text/html; charset=utf-8"
PAGE_BYTES = 16_000_000
MAX_MEGABYTES = 300

MEASURE = """
import sys, time
from pathlib import Path
from sitemapgen.core import soft404
from sitemapgen.core.document import html
from sitemapgen.core.rendering import detect as rendering
body, reader = Path(sys.argv[1]).read_bytes(), sys.argv[2]
readers = {
    "parse": html.parse_document,
    "rendering": rendering.read_raw,
    "soft404": soft404.read_document,
}
def status(name):  # of this program alone: ru_maxrss has the peak of the one that started it, too
    return int(Path("/proc/self/status").read_text().partition(f"{name}:")[2].split()[0])
before = status("VmRSS")
began = time.process_time()
for name in readers if reader == "all" else [reader]:
    readers[name](body, "text/html; charset=utf-8")
seconds = time.process_time() - began
print(seconds, (status("VmHWM") - before) >> 10)
"""


def read_alone(page: str, reader: str, directory: Path) -> tuple[float, int]:
    """Read in a process of its own: seconds of CPU, megabytes of memory beside the page's."""
    (directory / "page.html").write_bytes(page.encode())
    command = [sys.executable, "-c", MEASURE, str(directory / "page.html"), reader]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"exit code {done.returncode}: {done.stderr[-2_000:]}"
    seconds, megabytes = done.stdout.split()
    return float(seconds), int(megabytes)


# --- The parser's heap ---------------------------------------------------------------------------

PLACES: dict[str, Callable[[str], str]] = {
    "text": lambda many: f"<p>{many}",
    "title": lambda many: f"<title>{many}</title>",
    "textarea": lambda many: f"<textarea>{many}",
    "quoted": lambda many: f'<a href="{many}">x</a>',
    "bare": lambda many: f"<a href={many}>x</a>",
    "meta": lambda many: f"<meta name=description content='{many}'>",
    "noscript": lambda many: f"<noscript><a href='{many}'>{many}</a></noscript>",
    "template": lambda many: f"<div><template shadowrootmode=open>{many}</template></div>",
    "svg": lambda many: f"<svg><title>{many}</title><text>{many}",
    "table": lambda many: f"<table>{many}<tr>{many}",
    "streamed": lambda many: (
        f'<template id="B:0"></template><div hidden id="S:0">{many}</div>'
        '<script>$RC("B:0","S:0")</script>'
    ),
    "flattened": lambda many: "<div>" * 12_000 + many,
    "undone": lambda many: "".join(f"<i>{many[:50]}</i>" for _ in range(500)),
    "of-a-reference": lambda many: many.replace("&", "&amp;"),
}


@pytest.mark.parametrize("place", PLACES)
def test_no_entity_takes_the_process_down(place: str, tmp_path: Path) -> None:
    page = "".join(
        PLACES[place](name * count)
        for name in (*LONGER_THAN_THEIR_NAMES, "&nGt", "&nGtv;", "&acE;")
        for count in (1, 818, 819, 820, 5_000)
    )
    read_alone(f"<script>1</script>{page}", "all", tmp_path)


def test_the_two_entities_keep_their_meaning() -> None:
    document = html.parse_document(
        b"<title>a &nGt; b &amp;nLt; c &nLt</title><a href='?a&nGt;=1&nLt;'>x</a>", UTF_8
    )
    assert document.title == "a \u226b\u20d2 b &nLt; c &nLt"
    assert [anchor.href for anchor in document.anchors] == ["?a\u226b\u20d2=1\u226a\u20d2"]


def test_only_one_module_builds_parsers() -> None:
    builders = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and "LexborHTMLParser" in ast.unparse(node.func)
    }
    assert builders == {"core/document/markup.py"}
    setters = ("inner_html", "create_node", "insert_before(f", "replace_with(", "parse_fragment")
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        assert not any(name in text for name in setters), path


# --- What a page costs ---------------------------------------------------------------------------

SECONDS = {"refresh-of-digits": 0.05, "ideographs": 0.2, "nested-times": 1.5}
"""Bounds of 100,000 characters where they are not those of all. Of a page of any size, 500 <time>
elements are read at most, each with up to 512 elements around it."""


@for_each(*PAGES)
def test_a_page_costs_little(name: str) -> None:
    page = PAGES[name](100_000).encode()
    options = html.ReadOptions(sketch=True)
    read = lambda body: html.parse_document(body, UTF_8, url="http://e.example/", options=options)  # noqa: E731
    assert min(cpu(read, page) for _ in range(2)) < usual_seconds(SECONDS.get(name, 1.0))


LARGE = {
    "text": times("lorem ipsum dolor. ", "<p>"),
    "one-wide-character": times("lorem ipsum dolor. ", "<p>\U0001f600"),
    "short-words": times("xx ", "<p>"),
    "links": numbered("<a href=/%d>x</a>"),
    "layout-and-text": times("xx<b>"),
    "attributes": numbered("<x a%d>"),
    "one-tag": numbered("a%d ", "<p "),
    "json-ld": times("{},", "<script type=application/ld+json>[", "{}]</script>"),
    "frames": numbered("<iframe src=/%d></iframe>"),
    "entities": times("&nGt;"),
}


@pytest.mark.slow
@pytest.mark.parametrize("reader", ["parse", "rendering", "soft404"])
@pytest.mark.parametrize("name", LARGE)
def test_a_page_of_16_megabytes_takes_300(name: str, reader: str, tmp_path: Path) -> None:
    seconds, megabytes = read_alone(LARGE[name](PAGE_BYTES), reader, tmp_path)
    print(f"{name} {reader}: {seconds:.2f} s, {megabytes} MB")
    assert megabytes <= MAX_MEGABYTES
    assert seconds < 10


# --- What is left of a page that is cut ----------------------------------------------------------


def test_a_bomb_keeps_its_links_and_facts() -> None:
    page = (
        "<title>Title</title><link rel=canonical href=/c>"
        + "<div>" * 20_000
        + "<a class=x href='/a>b'>A</a><!-- <a href=/no> --><script>'<a href=/no>'</script>"
        + "<time class=updated datetime=2020-01-02>x</time><area href=/b><iframe src=/f></iframe>"
    )
    document = html.parse_document(page.encode(), UTF_8)
    assert [anchor.href for anchor in document.anchors] == ["/c", "/a>b", "/b", "/f"]
    assert document.title == "Title"
    assert document.canonicals == ("/c",)
    assert document.dates == (("time", "2020-01-02"),)
    assert document.excerpt == "A x"


def test_links_beyond_50_000_are_counted() -> None:
    few = "".join(f"<a href=/{number}#x>x</a><a href=/{number}>x</a>" for number in range(50_000))
    document = html.parse_document(few.encode(), UTF_8)
    assert (len(document.anchors), document.links_cut) == (50_000, 0)
    document = html.parse_document(f"{few}<a href=/x>x</a><a href=/y>y</a>".encode(), UTF_8)
    assert (len(document.anchors), document.links_cut) == (50_000, 2)


def test_a_million_links_are_counted() -> None:
    page = "".join(f"<a href=/{number}>" for number in range(1_000_000))
    document = html.parse_document(page.encode(), UTF_8)
    assert len(document.anchors) == 50_000
    assert len(document.anchors) + document.links_cut == 1_000_000


def test_hrefs_are_remembered_up_to_their_limit() -> None:
    rules = Rules(
        site=Site(origin="https://example.com"),
        robots=Robots(),
        include=Patterns(""),
        exclude=Patterns(""),
    )
    reader = LinkReader(rules)
    hrefs = [(f"/{'x' * 50_000}{number}", False) for number in range(100)]
    found = reader.read(hrefs, Resolver(rules.site, *["https://example.com/"] * 2))
    (link,) = found.links  # they differ in what no sitemap has room for
    assert len(link.url) == LONGEST
    assert link.refusal is not None
    assert link.refusal.verdict is Verdict.EXCLUDED
    assert "characters; a sitemap takes 12 to 2,048" in link.refusal.evidence
    assert sum(len(href) for known in reader._known.values() for href in known) == 0


def test_an_address_in_svg_does_not_stop_the_detection() -> None:
    page = b"<script>1</script><svg><a xlink:href=/x>x</a></svg><a href=/y>y</a>"
    assert rendering.read_raw(page, UTF_8).links == {"/y"}


def test_an_honest_page_is_parsed_as_it_is() -> None:
    """Long attributes, scripts with markup, icons, tags left out: nothing is cut."""
    row = (
        "<li><a href='/%d' title='a > b' data-json='{\"a\": \"<b>\"}'><b><i>x</b></i></a>"
        "<svg><style>.a{}</style><g><path d='M0'/></g></svg><font color=red><div>y</font></div>"
    )
    script = json.dumps(['<div class="x">' * 50] * 20)
    page = (
        "<html lang=en><body><ul>"
        + "".join(row % number for number in range(2_000))
        + f"</ul><script>x = {script}</script><img src='data:{'x' * 70_000}'><p>end"
    )
    tree, links_cut = parse_markup(page, scripting=True)
    assert links_cut == 0
    assert len(tree.css("li")) == len(tree.css("svg g path")) == 2_000
    assert len(tree.css("a[data-json]")) == 2_000
