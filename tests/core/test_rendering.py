"""Which documents need a browser, and why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen import settings
from sitemapgen.core.rendering.detect import (
    CLASSIC,
    GOES_ON,
    Policy,
    judge_classic,
    judge_document,
    outline_document,
    page_signature,
    read_policy,
    read_raw,
)
from sitemapgen.core.url_forms import template
from tests.helpers.tables import for_each

APP = '<script type="module" src="/assets/index-DNCkK1qM.js"></script>'
TEXT = "<p>" + "A shop with honest wheels and patient makers. " * 8 + '<a href="/a">Shop</a></p>'
FULL = TEXT + APP
URL = "https://e.example/shop/red-bike"


def body(inner: str, head: str = "") -> bytes:
    return f"<!doctype html><head><title>t</title>{head}</head><body>{inner}</body>".encode()


@for_each(
    (TEXT, ("no_script",)),
    ('<div id="root"></div>', ("no_script",)),
    ('<div id="root"></div><script type="application/ld+json">{}</script>', ("no_script",)),
    ('<div id="root"></div><script type="speculationrules">{}</script>', ("no_script",)),
    ("<template><script>x()</script></template>", ("no_script",)),
    ("<!-- <script>x()</script> -->", ("no_script",)),
    ("<script> </script>", ("no_script",)),
    (FULL, ("complete",)),
    ('<div id="root">' + FULL + "</div>", ("complete",)),
    ('<div id="root"></div>' + FULL, ("empty_mount",)),
    ('<div id="root"> <!-- app --> </div>' + FULL, ("empty_mount",)),
    ("<main></main>" + FULL, ("empty_mount",)),
    ('<div id="app"></div>' + APP, ("empty_mount", "thin_and_linkless")),
    ("<shop-app></shop-app>" + APP, ("empty_mount", "thin_and_linkless")),
    ('<div id="c"></div><a href="/a">A shop</a>' + APP, ("empty_mount",)),
    ('<div><shop-list of="bikes"></shop-list></div>' + FULL, ("empty_mount",)),
    ("<div><router-outlet></router-outlet></div>" + FULL, ("complete",)),
    ('<svg><font-face font-family="x"></font-face></svg>' + FULL, ("complete",)),
    ('<div><div id="toc"></div></div>' + FULL, ("complete",)),
    ("<p>Six doors</p>" + APP, ("thin_and_linkless",)),
    ('<p><a href="/a">Door</a></p>' + APP, ("complete",)),
    ('<p><a href="#top">Up</a></p>' + APP, ("thin_and_linkless",)),
    ('<script>location.href="/b"</script>', ("moves", "thin_and_linkless")),
    (TEXT + '<script>if(a)location.href="/b"</script>', ("complete",)),
    (
        "<noscript>You need to enable JavaScript.</noscript><a href=/>Up</a>" + APP,
        ("asks_for_scripts",),
    ),
    ("<noscript>Please enable JavaScript.</noscript>" + FULL, ("complete",)),
    ('<div hx-get="/f" hx-trigger="load">wait</div>' + FULL, ("lazy_fragment",)),
    ('<div hx-get="/f" hx-trigger="click">more</div>' + FULL, ("complete",)),
    ('<turbo-frame src="/f">wait</turbo-frame>' + FULL, ("lazy_fragment",)),
    ("<div><p>Loading comments</p></div>" + FULL, ("placeholder",)),
    ("<p>" + "Loading a spinner takes patience and time and care. " * 3 + FULL, ("complete",)),
    (TEXT + "<script>document.write('<a href=/x>')</script>", ("writes_links",)),
    (TEXT + "<script>b.innerHTML=\"<a href='/x'>\"</script>", ("writes_links",)),
    (TEXT + "<script>document.write('<b>')</script>", ("complete",)),
    (TEXT + "<script>var s = \"<a href='/x'>\"</script>", ("complete",)),
)
def test_the_rule(inner: str, reasons: tuple[str, ...]) -> None:
    verdict = judge_document(read_raw(body(inner)))
    assert verdict == (reasons not in (("no_script",), ("complete",)), reasons)


def test_noindex_is_not_rendered_unless_it_is_that_of_a_challenge() -> None:
    head = '<meta name="Robots" content="NOINDEX, follow">'
    assert judge_document(read_raw(body('<div id="root"></div>' + APP, head))) == (
        False,
        ("noindex",),
    )
    gate = "<h1>One moment</h1><script>document.cookie='a=1';location.reload()</script>"
    assert judge_document(read_raw(body(gate, head))) == (True, ("challenge",))
    assert judge_document(read_raw(body(TEXT + gate, head))) == (False, ("noindex",))


def test_a_page_like_a_path_that_cannot_exist_is_a_shell() -> None:
    shell, other = (
        outline_document(read_raw(body(f"<header>{TEXT}</header><div>{inner}</div>{APP}")), URL)
        for inner in ("<i></i>", "Bikes")
    )
    assert shell.verdict == (False, ("complete",))
    assert shell.against(shell) == (True, ("like_random_path",))
    assert other.against(shell) == (False, ("complete",))


def test_a_document_in_another_encoding() -> None:
    raw = read_raw(
        "\ufeff<div id=root></div><script src=a.js></script>".encode("utf-16-le"), "text/html"
    )
    assert judge_document(raw).reasons[0] == "empty_mount"


# The seed's function: https: "Client-Side Rendering Detection"

ROOT = '<div id="root"></div>'
MANY = "<script></script>" * 11
PAD = "<p>" + "x" * 300 + "</p>"


@for_each(
    ("<p>short</p>", ("seed_short_html",)),
    ("", ("seed_short_html",)),
    (PAD, ("seed_none",)),
    (PAD + ROOT, ("seed_root_and_empty_body",)),
    (PAD + ROOT + "<i></i>" * 2, ("seed_root_and_empty_body",)),
    (PAD + ROOT + "<i></i>" * 3, ("seed_none",)),
    (PAD + ROOT + " <!-- --> ", ("seed_none",)),
    (PAD + f"<div>{MANY}</div>", ("seed_empty_body_and_many_scripts",)),
    (PAD + f"<div>{MANY[17:]}</div>", ("seed_none",)),
    (PAD + ROOT + "<i></i>" * 3 + "<script></script>", ("seed_low_ratio_and_root",)),
    (PAD * 4 + ROOT + "<i></i>" * 3 + "<script></script>", ("seed_none",)),
)
def test_the_seed(html: str, reasons: tuple[str, ...]) -> None:
    raw = read_raw(html.encode())
    assert judge_classic(raw) == (reasons != ("seed_none",), reasons)
    assert judge_document(raw, Policy(rule=CLASSIC)) == judge_classic(raw)


def test_thresholds_and_selectors_are_settings() -> None:
    loose = Policy(minimal_content_length=1, root_selectors=(".app",))
    html = b'<p class="app">' + b"y" * 20
    assert judge_classic(read_raw(html)).reasons == ("seed_short_html",)
    assert judge_classic(read_raw(html), loose).reasons == ("seed_root_and_empty_body",)
    assert judge_document(read_raw(body("<b>Wait</b>" + FULL))).reasons == ("complete",)
    waiting = Policy(loading_indicators=("wait",))
    raw = read_raw(body("<div>Wait</div>" + FULL), "", waiting)
    assert judge_document(raw, waiting).reasons == ("placeholder",)


GIVEN = {name: value for name, value in vars(settings).items() if "RENDERING" in name}


def test_the_settings_hold_the_seeds_values() -> None:
    assert read_policy(GIVEN) == Policy()
    assert read_policy({**GIVEN, "SITEMAPGEN_RENDERING_RULE": "classic"}).rule == "classic"


@for_each(
    ("RULE", "maybe", "'maybe' is no rule; use auto or classic"),
    ("ROOT_SELECTORS", "#a,##", "'##' is no CSS selector"),
)
def test_bad_settings_get_a_sentence(name: str, value: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"SITEMAPGEN_RENDERING_{name}: {sentence}"):
        read_policy({**GIVEN, f"SITEMAPGEN_RENDERING_{name}": value})


@for_each(
    (FULL, FULL.replace("DNCkK1qM", "Bz81vXq0"), True),
    (FULL, FULL.replace("/assets/", "/release-2/"), True),
    (FULL, FULL.replace("honest", "other"), True),
    (FULL, FULL + "<script>x()</script>", False),
    (FULL, FULL.replace("index", "admin"), False),
    (FULL, '<div><div id="comments"></div></div>' + FULL, False),
    (
        '<div><div id="list-1"></div></div>' + FULL,
        '<div><div id="list-2"></div></div>' + FULL,
        True,
    ),
    (
        '<div><div id="C-0aff1db35e78-04c6e90faac2_diff"></div></div>' + FULL,
        '<div><div id="C-b1749d0ee2af-c7b05538afdd_diff"></div></div>' + FULL,
        True,
    ),
    (
        '<div><div id="chart-8a1f0c3e-5b1d-4a0e-9c55-d1e2f3a4b5c6"></div></div>' + FULL,
        '<div><div id="chart-11d24cf0-ae0b-4fdc-bbbb-0123456789ab"></div></div>' + FULL,
        True,
    ),
    (FULL, '<section id="comments"><h2>Comments</h2></section>' + FULL, False),
    (FULL, '<div data-v-319d5ca6=""></div>' + FULL, True),
    (FULL, '<div><div data-src="/api/a.json"></div></div>' + FULL, False),
)
def test_signatures(one: str, other: str, is_same: bool) -> None:
    names = [page_signature(read_raw(body(html)), URL) for html in (one, other)]
    assert (names[0] == names[1]) is is_same


@for_each(
    ('<a data-href="/x">x</a>', True),
    ('<a href="#" data-url="/x">x</a>', True),
    ('<a href="javascript:void(0)" data-link="/x">x</a>', True),
    ("<script>a.setAttribute('href', url)</script>", True),
    ("<script>$('a').attr(\"href\", url)</script>", True),
    ("<script>link.href = url</script>", True),
    ('<a href="/y" data-href="/x">x</a>', False),
    ('<a data-id="3">x</a>', False),
    ("<script>if (a.href == b) c()</script>", False),
    ("<script>if (a) location.href = b</script>", False),
    ("<script>var b = $('a').attr('href')</script>", False),
)
def test_anchors_that_scripts_fill_are_a_reason_to_sample(html: str, is_filled: bool) -> None:
    raw = read_raw(body(FULL + html))
    assert judge_document(raw) == (False, ("complete",))
    assert page_signature(raw, URL).is_sampled is is_filled


@for_each(
    ("", "/"),
    ("about", "/*"),
    ("shop/red-bike", "/shop/*"),
    ("2024/05/hello", "/#/*/*"),
    ("shop?page=2&sort=a", "/*?page&sort"),
)
def test_templates(path: str, pattern: str) -> None:
    assert template(f"https://e.example/{path}") == pattern


@given(st.one_of(st.binary(max_size=300), st.text(alphabet='<>scriptdv/="- ab1').map(str.encode)))
def test_any_bytes_are_read(some: bytes) -> None:
    raw = read_raw(b"<script>x()</script>" + some)
    judge_document(raw)
    judge_classic(raw)
    assert sum(map(len, page_signature(raw, URL))) < 1_000


LINKED = "<li><a href=/a>a</a></li><li><a href=/b>b</a></li><li><a href=/c>c</a></li>"


@for_each(
    (f"<ul>{LINKED}</ul><button>Load more</button>", True),
    (f"<ul>{LINKED}</ul><button aria-label='Mehr laden'></button>", True),
    (f"<ul>{LINKED}</ul><a href='#'>\u203a</a>", True),
    (f"<ul>{LINKED}</ul><!--]--> <div></div>", True),
    (f"<p>3 of 40</p><ul><!--[-->{LINKED}</ul>", True),
    ("<main>" + "<div role=button tabindex=0>Maker</div>" * 3 + "</main>", True),
    ("<p>a</p><script type=application/json>" + '{"slug": "a"}' * 11 + "</script>", True),
    # those that only look like them
    (f"<ul>{LINKED}</ul><a href=/all>Read more</a>", False),
    (f"<ul>{LINKED}</ul><button>Search</button>", False),
    ("<p>Text</p><div class=clear></div>", False),
    (f"<div><h1>News</h1><ul>{LINKED}</ul></div><div class=clear></div>", False),
    (f"<p>2 of 3 people liked this</p><ul>{LINKED}</ul>", False),
    (f"<p>Page 1 of 9</p><ul>{LINKED}</ul>", False),
    ("<nav>" + "<button>Menu</button>" * 3 + "</nav>", False),
    ("<a name=a></a>" * 9, False),
)
def test_lists_that_go_on(body: str, goes_on: bool) -> None:
    raw = read_raw(f"<title>List</title>{body}<script>start()</script>".encode())
    assert (GOES_ON in raw.hints) is goes_on
