"""HTML that React streams is read as its scripts leave it, and no script is run.

The documents in ``tests/sites/streamed`` are recordings of React 18.3, React 19 and Next.js 15.
"""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from sitemapgen.core.document import html
from sitemapgen.core.document.streamed import assemble_segments, is_stream_code
from sitemapgen.core.rendering.detect import judge_document, page_signature, read_raw
from tests.helpers.cost import at_most
from tests.helpers.tables import for_each

RECORDED = Path(__file__).parents[1] / "sites" / "streamed"
CLIENT = '<script src="/client.js" async=""></script>'
FIRST, SECOND = '$RC("B:0","S:0")', '$RC("B:1","S:1")'
"""Calls that put the first two segments in their places."""
LONG = "Some words about this shop. " * 10 + '<a href="/a">a</a>'


def boundary(number: int, fallback: str = "<p>Loading ...</p>") -> str:
    """A Suspense boundary that waits for its segment."""
    return f'<!--$?--><template id="B:{number}"></template>{fallback}<!--/$-->'


def segment(number: int, content: str) -> str:
    """A part that comes late."""
    return f'<div hidden id="S:{number}">{content}</div>'


def run(*calls: str) -> str:
    """The inline script that React sends with a segment."""
    return f"<script>{';'.join(calls)}</script>"


def body_of(text: str) -> str:
    """The words of a document's body, segments in place, and the hrefs of its links, in order."""
    tree = LexborHTMLParser(f"<body>{text}", scripting=True)
    assemble_segments(tree, text)
    assert tree.body
    words = []
    for node in tree.body.traverse(include_text=True):
        if node.tag == "-text" and node.parent and node.parent.tag not in ("script", "title"):
            words.append(node.text())
    return " ".join(" ".join(words).split())


@for_each(
    # React 18 leaves links where they stand, and in the body they do not count.
    ("react18-item", (), "/ All about 3 "),
    ("react19-item", ("/items/3",), "/ All about 3 "),
    ("next15-item", ("/slow/1",), "Item 1 More of 1 Inner"),
)
def test_recorded_streams_are_complete(
    name: str, canonicals: tuple[str, ...], excerpt: str
) -> None:
    body = (RECORDED / f"{name}.html").read_bytes()
    document = html.parse_document(body)
    assert document.canonicals == canonicals
    assert document.excerpt.startswith(excerpt)
    assert "Loading" not in document.excerpt
    raw = read_raw(body)
    assert judge_document(raw) == (False, ("complete",))
    assert "Loading" not in raw.text
    hrefs = {anchor.href for anchor in document.anchors}
    expected = {"/slow/1/more", "/inner"} if "next" in name else {"/row", "/reviews/3", "/items/6"}
    assert expected <= hrefs


def test_the_title_that_comes_late_is_the_title() -> None:
    document = html.parse_document((RECORDED / "next15-item.html").read_bytes())
    assert document.title == "Slow 1"
    assert document.robots == (("robots", "index, follow"),)


def test_a_late_noindex_and_a_late_title_are_no_text() -> None:
    late = '<title>Late</title><meta name="robots" content="noindex">'
    text = "<body>" + boundary(0) + CLIENT + late + segment(0, "Words") + run(FIRST)
    document = html.parse_document(text.encode())
    assert (document.title, document.excerpt) == ("Late", "Words")
    assert document.robots == (("robots", "noindex"),)
    assert judge_document(read_raw(text.encode())) == (False, ("noindex",))


@for_each("react18-broken", "react19-broken")
def test_what_the_server_failed_on_is_left_to_the_browser(name: str) -> None:
    verdict = judge_document(read_raw((RECORDED / f"{name}.html").read_bytes()))
    assert verdict.needs
    assert verdict.reasons[0] == "open_boundary"


@for_each(
    (f"A {boundary(0)} C{segment(0, 'B')}{run(FIRST)}", "A B C"),
    # React 18 defines the function in front of the first call.
    (f"A {boundary(0)} C{segment(0, 'B')}" + run('function $RC(a,b){b.data="$"}', FIRST), "A B C"),
    # With styles that have to be there first.
    (boundary(0) + segment(0, "B") + run('$RR("B:0","S:0",[["/a.css","high"]])'), "B"),
    # Nested, whichever comes first.
    (
        boundary(0) + segment(0, f"A {boundary(1)} C") + run(FIRST) + segment(1, "B") + run(SECOND),
        "A B C",
    ),
    (
        boundary(0) + segment(1, "B") + segment(0, f"A {boundary(1)} C") + run(SECOND, FIRST),
        "A B C",
    ),
    # Segments of segments.
    (
        boundary(0)
        + segment(0, 'A <template id="P:1"></template> C')
        + segment(1, "B")
        + run('$RS("S:1","P:1")', FIRST),
        "A B C",
    ),
    # Boundaries within a fallback go with it; what comes for them later goes nowhere.
    (
        f"A {boundary(0, boundary(1, 'x') + ' y <!--$-->z<!--/$-->')} C{segment(0, 'B')}"
        f"{run(FIRST)}<i>{segment(1, 'x')}</i>{run(SECOND)}",
        "A B C x",
    ),
    # The order in which segments arrive is no order of the page.
    (f"{boundary(0)} {boundary(1)}{segment(1, 'B')}{segment(0, 'A')}{run(SECOND, FIRST)}", "A B"),
    # Activity, and boundaries that are done, have their own markers.
    (boundary(0, "<!--&-->x<!--/&--><!--$-->y<!--/$-->") + segment(0, "B") + run(FIRST), "B"),
    # An identifierPrefix.
    (
        'A <!--$?--><template id="app-B:0"></template>x<!--/$-->'
        '<div hidden id="app-S:0">B</div>' + run('$RC("app-B:0","app-S:0")'),
        "A B",
    ),
    # Rows and drawings come in elements that may hold them.
    (
        f"<table><tbody>{boundary(0, '<tr><td>x</td></tr>')}</tbody></table>"
        '<table hidden><tbody id="S:0"><tr><td>B</td></tr></tbody></table>' + run(FIRST),
        "B",
    ),
    (
        f"<svg>{boundary(0, '<text>x</text>')}</svg>"
        '<svg aria-hidden="true" style="display:none" id="S:0"><text>B</text></svg>' + run(FIRST),
        "B",
    ),
    # Nothing to show.
    (f"A {boundary(0)} C{segment(0, '')}{run(FIRST)}", "A C"),
    # What never came, or failed, stays as it is.
    ("A " + boundary(0, "x") + run(FIRST), "A x"),
    ("A " + boundary(0, "x") + run('$RX("B:0","digest")'), "A x"),
    # The end of a boundary is missing: nothing else is taken away.
    (f'A <!--$?--><template id="B:0"></template>x{segment(0, "B")}{run(FIRST)}', "A B x"),
    # A tutorial on React shows these calls.
    (f"A {boundary(0, 'x')}{segment(0, 'B')}<pre>{FIRST}</pre>", f"A x B {FIRST}"),
)
def test_segments_stand_where_they_belong(text: str, words: str) -> None:
    assert body_of(text) == words


def test_the_order_of_arrival_is_not_in_the_text_hash() -> None:
    parts = [
        segment(n, f"<p>{word * 200}</p>") + run(f'$RC("B:{n}","S:{n}")')
        for n, word in ((0, "ab"), (1, "cd"))
    ]
    shell = "<body>" + boundary(0) + boundary(1)
    one, other = (
        html.parse_document((shell + "".join(order)).encode()) for order in (parts, parts[::-1])
    )
    assert one.text_hash == other.text_hash is not None


@for_each(
    (LONG + boundary(0) + CLIENT, ("open_boundary", "placeholder")),
    (LONG + boundary(0, "") + CLIENT, ("open_boundary",)),
    (LONG + boundary(0) + CLIENT + run('$RX("B:0")'), ("open_boundary", "placeholder")),
    (LONG + '<!--$!--><template data-dgst="x"></template><!--/$-->' + CLIENT, ("open_boundary",)),
    (LONG + boundary(0) + CLIENT + segment(0, "B") + run(FIRST), ("complete",)),
    # Only the inner one is missing.
    (
        LONG + boundary(0) + CLIENT + segment(0, "B" + boundary(1, "")) + run(FIRST),
        ("open_boundary",),
    ),
    # A boundary with nothing in it is no mount that is still to be filled.
    ('<a href="/a">a</a><div hidden=""><!--$--><!--/$--></div>' + CLIENT, ("complete",)),
    ('<a href="/a">a</a><div hidden=""></div>' + CLIENT, ("empty_mount",)),
    # No script of the page's own would ever fill it.
    (LONG + boundary(0) + run(FIRST), ("no_script",)),
)
def test_the_rendering_decision_sees_the_page(text: str, reasons: tuple[str, ...]) -> None:
    verdict = judge_document(read_raw(text.encode()))
    assert verdict == (reasons not in (("complete",), ("no_script",)), reasons)


def test_how_a_page_was_cut_into_pieces_is_not_in_its_signature() -> None:
    shell = LONG + boundary(0) + CLIENT + segment(0, "B") + run(FIRST)
    more = shell + "".join(run(f'self.__next_f.push([1,"{n}"])') for n in range(9))
    one, other = (
        page_signature(read_raw(text.encode()), "https://e.example/a") for text in (shell, more)
    )
    assert one == other


@for_each(
    (FIRST, True),
    ('$RB=[];$RV=function(a){};$RC("B:0","S:0")', True),
    ('function $RX(b){};$RX("B:0")', True),
    ("requestAnimationFrame(function(){$RT=performance.now()});", True),
    ("(self.__next_f=self.__next_f||[]).push([0])", True),
    ("requestAnimationFrame(function(){draw()});", False),
    ("$R.load('/a')", False),
    ("document.write('<a href=/x>')", False),
)
def test_scripts_that_only_place_segments(code: str, is_it: bool) -> None:
    assert is_stream_code(code) is is_it


HOSTILE = {
    "into itself": segment(0, "A" + boundary(0)) + run(FIRST),
    "in a circle": segment(0, boundary(1)) + segment(1, boundary(0)) + run(FIRST, SECOND),
    "its own place": '<template id="B:0"></template>' + run('$RC("B:0","B:0")'),
    "no marker": '<template id="B:0"></template><p>A</p>' + segment(0, "B") + run(FIRST),
    "no template": '<p id="B:0">A</p>' + segment(0, "B") + run(FIRST),
    "the body": '<template id="B:0"></template><body id="S:0">' + run(FIRST),
    "the root": '<html id="S:0"><body><template id="B:0"></template>' + run(FIRST),
    "the head": '<head id="S:0"></head><template id="B:0"></template>' + run(FIRST),
}


@for_each(*HOSTILE)
def test_what_react_never_writes_costs_no_link(name: str) -> None:
    text = HOSTILE[name] + '<a href="/kept">kept</a>'
    document = html.parse_document(text.encode())
    assert [anchor.href for anchor in document.anchors] == ["/kept"]
    read_raw((text + CLIENT).encode())


def test_many_segments_take_no_minute() -> None:
    count = 20_000
    chain = "".join(segment(n, f"x{boundary(n + 1)}") for n in range(count))
    calls = run(*(f'$RC("B:{n}","S:{n}")' for n in range(count, 0, -1)))
    wide = "<i></i>" * 50_000
    for text in (boundary(0) + chain + calls, wide.join((boundary(0), chain, calls))):
        with at_most(20):
            html.parse_document(text.encode())


@given(
    st.lists(
        st.sampled_from(
            [
                *("A", "<p>", "</p>", "<table>", "</table>", "<template>", "</template>"),
                *('<template id="B:0"></template>', '<template id="P:1"></template>'),
                *("<!--$?-->", "<!--/$-->", "<!--$!-->", '<div hidden id="S:0">', "</div>"),
                *('<div id="S:1">', '<script>$RC("B:0","S:0")</script>', "<svg>", "<body>"),
                *('<script>$RS("S:1","P:1")</script>', '<script>$RC("S:0","S:0")</script>'),
            ]
        ),
        max_size=40,
    )
)
def test_any_order_of_pieces_is_read(pieces: list[str]) -> None:
    text = "".join(pieces)
    html.parse_document(text.encode())
    judge_document(read_raw((text + CLIENT).encode()))
