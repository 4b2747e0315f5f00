"""Forms whose menus are links."""

from time import process_time

from sitemapgen.core.document.html import ReadOptions, parse_document
from tests.helpers.tables import for_each

URL = "https://e.example/photos/index?page=2"
MENU = "<select name=y><option value=1>One<option value=2 selected>Two</select>"
GO = "<input type=submit name=go value=Go>"


def read(markup: str) -> tuple[list[str], tuple[str, ...]]:
    document = parse_document(
        f"<title>x</title>{markup}".encode(), url=URL, options=ReadOptions(labels=True)
    )
    hrefs = [anchor.href for anchor in document.anchors]
    assert {kind for _, kind, _ in document.labels} == ({"form"} if hrefs else set())
    return hrefs, document.unread_forms


@for_each(
    "markup, hrefs",
    [
        (f"<form action=/list method=get>{MENU}{GO}</form>", ["/list?y=1", "/list?y=2"]),
        (f"<form>{MENU}<button>Show</button></form>", ["?y=1", "?y=2"]),
        (f"<form action='l.cgi?old=1#top'>{MENU}</form>", ["l.cgi?y=1", "l.cgi?y=2"]),
        (f"<form action=//e.example/l>{MENU}</form>", ["//e.example/l?y=1", "//e.example/l?y=2"]),
        (
            f"<base href=/>{MENU}<form>{MENU}{GO}</form>",
            ["https://e.example/photos/index?y=1", "https://e.example/photos/index?y=2"],
        ),
        (
            f"<form action=l><input type=hidden name=a value='b&c'>{MENU}{GO}</form>",
            ["l?a=b%26c&y=1", "l?a=b%26c&y=2"],
        ),
        (
            "<form action=l><select name=y><option value=''>All<option disabled>-"
            "<optgroup><option> Käse \n und Wein <option value=3></select></form>",
            ["l?y=Käse+und+Wein", "l?y=3"],
        ),
        # of several menus each alone, the others as they stand
        (
            f"<form action=l>{MENU}<select name=z><option value=''>All<option>a</select></form>",
            ["l?y=1&z=", "l?y=2&z=", "l?y=2&z=a"],
        ),
        (f"<form action=l>{MENU}<select name=page><option>1</select></form>", []),  # an answer
        (
            f"<form action=l><select name=z multiple><option>a</select>{MENU}</form>",
            ["l?z=a&y=2", "l?y=1", "l?y=2"],
        ),
        # where the parser leaves forms in tables, and the fields of another place
        (f"<table><form action=l><tr><td>{MENU}<td>{GO}</form></table>", ["l?y=1", "l?y=2"]),
        (f"<form id=f action=l></form>{MENU.replace('<select', '<select form=f')}", None),
        # sent by the menu itself, or not at all
        (f"<form>{MENU.replace('<select', '<select onchange=this.form.submit()')}</form>", None),
        (f"<form>{MENU}</form>", []),
        (f"<form>{MENU}<button type=button>Show</button></form>", []),
        (f"<form action=l method=dialog>{MENU}{GO}</form>", []),
        # something to type in or to choose
        (f"<form action=l><input name=q>{MENU}{GO}</form>", []),
        (f"<form action=l><input type=password name=q>{MENU}{GO}</form>", []),
        (f"<form action=l><input type=date name=q>{MENU}{GO}</form>", []),
        (f"<form action=l><input type=checkbox name=q>{MENU}{GO}</form>", []),
        (f"<form action=l>{MENU}<textarea name=t></textarea>{GO}</form>", []),
        (f"<form id=f action=l>{MENU}{GO}</form><input form=f name=q>", []),
        # on another host, by an action, or by a script
        (f"<form action=https://pay.example/>{MENU}{GO}</form>", []),
        (f"<form action=cart>{MENU}<input type=submit value='Add to cart'></form>", []),
        (f"<form action=mail>{MENU}<button>Subscribe</button></form>", []),
        (f"<form action='javascript:go()'>{MENU}{GO}</form>", []),
        (f"<form action=l>{MENU}<button formaction=k>Show</button></form>", []),
    ],
)
def test_menus_of_forms(markup: str, hrefs: list[str] | None) -> None:
    found, unread = read(markup)
    if hrefs is None:
        assert len(found) >= 2
    else:
        assert found == hrefs
    assert unread == ()


def test_menus_of_addresses_are_links_to_these() -> None:
    document = parse_document(
        f"<form action=jump.cgi><select name=to><option value=/a><option value=/b></select>{GO}"
        "</form>".encode(),
        options=ReadOptions(labels=True),
    )
    assert [(anchor.href, kind) for anchor, kind, _ in document.labels] == [
        ("/a", "script"),
        ("/b", "script"),
    ]


def test_nofollow_of_a_form() -> None:
    document = parse_document(f"<form action=l rel=nofollow>{MENU}{GO}</form>".encode())
    assert {anchor.nofollow for anchor in document.anchors} == {True}


def test_many_menus_in_one_form_cost_little() -> None:
    """Addresses that are too long are not put together."""
    menus = "".join(f"<select name=menu{n}><option>1<option>2</select>" for n in range(9_000))
    began = process_time()
    assert read(f"<form action=l>{menus}{GO}</form>") == ([], ())
    assert process_time() - began < 5


@for_each(
    "markup, unread",
    [
        (f"<form method=post action=/wills>{MENU}{GO}</form>", ("/wills",)),
        (f"<form method=post>{MENU}{GO}</form>", ("",)),
        (f"<form method=post action=cart>{MENU}<button>Buy</button></form>", ()),
        (f"<form method=post action=find>{MENU}<input name=q>{GO}</form>", ()),
        (f"<form method=post action=menu><input type=hidden name=a>{GO}</form>{MENU}", ()),
    ],
)
def test_forms_that_are_posted_are_not_read(markup: str, unread: tuple[str, ...]) -> None:
    assert read(markup) == ([], unread)
