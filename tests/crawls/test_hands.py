"""Lists that go on where no link leads: by scrolling, by buttons, by scripts that would leave."""

import json
import re
from collections.abc import Iterator
from functools import reduce

import pytest

from tests.helpers.browser import BROWSER, QUICK, WORDS, app, needs_browser, nothing_is_left
from tests.helpers.crawls import DEADLINE, IMPATIENT, Crawl, Crawler
from tests.helpers.server import Answer, Server, page, text
from tests.store import tables

__all__ = ["nothing_is_left"]

pytestmark = needs_browser

COUNT, STEP = 12, 4

ADD = """
const list = document.querySelector("#list");
let next = STEP;
const show = (number) => list.insertAdjacentHTML("beforeend",
    `<li style="height: 300px"><a href="/CASE/item-${number}">Lamp ${number}</a></li>`);
const more = async (options) => {
    const from = next;
    next += STEP; // where it is called again before the answer
    const answer = await fetch(`/api/CASE?from=${from}`, options);
    const found = await answer.json();
    found.forEach(show);
    return found.length;
};
"""
BUTTON = "<button id=more>Load more</button>"
PRESSED = "document.querySelector('#more').onclick = () => more();"
ROUTERS = "".join(
    f"<div class=card data-to={number} style='cursor: pointer'>Maker {number}</div>"
    for number in range(STEP, COUNT)
)
ROUTED = """
for (const card of document.querySelectorAll(".card")) {
    card.addEventListener("click", () => GO(`/CASE/item-${card.dataset.to}`));
}
"""
VIRTUAL = """
const box = document.querySelector("#box");
const draw = () => {
    const first = Math.floor(box.scrollTop / 100);
    list.innerHTML = "";
    for (let n = first; n < Math.min(first + 4, ROWS); n += 1) {
        const link = `<a href="/CASE/item-${n}">Row ${n}</a>`;
        list.innerHTML += `<li style="position: absolute; top: ${n * 100}px">${link}</li>`;
    }
};
box.addEventListener("scroll", () => requestAnimationFrame(draw));
draw();
"""
BOX = (
    "<div id=box style='height: 300px; overflow-y: auto; position: relative'>"
    "<ul id=list style='height: HEIGHTpx'></ul></div>"
)
SENTINEL = """
new IntersectionObserver(async ([entry]) => entry.isIntersecting && more())
    .observe(document.querySelector("#end"));
"""

CARDS = """
let part = 0;
const leave = (number) => history.pushState(null, "", `/CASE/item-${number}`);
const card = (number, go = leave) => {
    list.insertAdjacentHTML("beforeend", `<div class=card>Maker ${number}</div>`);
    list.lastChild.onclick = () => go(number);
};
const draw = (go) => {
    list.innerHTML = "";
    for (let n = part * STEP; n < (part + 1) * STEP; n += 1) card(n, go);
};
"""
"""Entries of a list that lead to their pages without a link."""
LOGGED = """
const go = (number) => {
    try { leave(number); } catch (error) { console.error(error); }
    document.querySelector("main").innerHTML = "<h1>Another page</h1>";
};
draw(go);
document.querySelector("#more").onclick = () => { if (part < 2) part += 1; draw(go); };
"""
LISTBOX = """
const box = document.querySelector("[role=listbox]");
const opener = document.querySelector("[role=combobox]");
opener.onclick = () => { box.hidden = !box.hidden; };
for (let n = 0; n < 4; n += 1) {
    box.insertAdjacentHTML("beforeend", `<div role=option data-n=${n}>Maker ${n}</div>`);
}
box.addEventListener("click", ({ target }) => {
    const { n } = target.dataset;
    if (!n) return;
    box.hidden = true;
    list.innerHTML = "";
    for (let k = 3 * n; k < 3 * n + 3; k += 1) show(k);
});
"""
TREE = """
for (const [name, first, end] of [["Old", 0, 10], ["New", 10, 11], ["Rare", 11, 12]]) {
    list.insertAdjacentHTML("beforeend", `<div class=row>${name}</div>`);
    const row = list.lastChild;
    row.onclick = () => {
        row.onclick = () => {};
        for (let n = end - 1; n >= first; n -= 1) {
            const link = `<a href=/CASE/item-${n}>${n}</a>`;
            row.insertAdjacentHTML("afterend", `<div class=row>${link}</div>`);
            row.nextSibling.onclick = () => {};
        }
    };
}
"""
CHOSEN = """
const choose = ({ target }) => {
    list.innerHTML = "";
    for (let k = 3 * target.value; k < 3 * target.value + 3; k += 1) show(k);
};
"""
LIST = "<div id=list></div>"


def routed(go: str) -> tuple[str, str]:
    """Buttons whose script leads to the address ``to``."""
    return ROUTERS, ROUTED.replace("GO", f"((to) => {go})")


WHOLE = {
    "cards-next": (
        LIST + "<button id=more>Next</button>",
        CARDS + "draw(); document.querySelector('#more').onclick = () => "
        "{ if (part < 2) part += 1; draw(); };",
    ),
    "cards-more": (
        LIST + BUTTON,
        CARDS + "draw(); document.querySelector('#more').onclick = () => "
        "{ part += 1; for (let n = part * STEP; n < Math.min(12, (part + 1) * STEP); n += 1) "
        "card(n); };",
    ),
    "cards-tabs": (
        "".join(f"<div role=tab>Part {n}</div>" for n in range(3)) + LIST,
        CARDS + "draw(); [...document.querySelectorAll('[role=tab]')].forEach((tab, number) => "
        "tab.onclick = () => { part = number; draw(); });",
    ),
    "cards-logged": (LIST + "<button id=more>Next</button>", CARDS + LOGGED),
    "to-and-fro": (
        "<button id=back hidden><svg></svg></button><button id=more><svg></svg></button>",
        "let part = 0; const turn = (by) => { part += by; list.innerHTML = ''; "
        "for (let n = part * STEP; n < (part + 1) * STEP; n += 1) show(n); "
        "back.hidden = part === 0; document.querySelector('#more').hidden = part === 2; };"
        "back.onclick = () => turn(-1); document.querySelector('#more').onclick = () => turn(1);",
    ),
    "listbox": (
        "<button role=combobox aria-expanded=false>Maker</button><div role=listbox hidden></div>",
        LISTBOX,
    ),
    "tree": (LIST, TREE),
    "rows-of-links": (
        "<button id=more>Next</button>",
        "let part = 0; const turn = () => { list.innerHTML = ''; "
        "for (let n = part * STEP; n < (part + 1) * STEP; n += 1) { show(n); "
        "list.lastChild.onclick = () => {}; list.lastChild.className = 'row-of-a-link'; } };"
        "turn(); document.querySelector('#more').onclick = () => "
        "{ if (part < 2) part += 1; turn(); };",
    ),
    "select": (
        "<select>"
        + "".join(f"<option value={n}>Maker {n}</option>" for n in range(4))
        + "</select>",
        CHOSEN + "document.querySelector('select').onchange = (event) => choose(event);",
    ),
    "radio": (
        "".join(f"<label><input type=radio name=r value={n}> Maker {n}</label>" for n in range(4)),
        CHOSEN + "document.addEventListener('change', choose);",
    ),
    "collapse": (
        "".join(f"<a href=#p{n} data-bs-toggle=collapse>Part {n}</a>" for n in range(3)),
        "document.addEventListener('click', (event) => event.target.dataset.bsToggle && more());",
    ),
    "drawing": (
        "<svg onclick='0' width=20 height=20><rect width=20 height=20></rect></svg>"
        "<svg role=button onclick='more()' width=20 height=20><rect width=20 height=20></rect>",
        "globalThis.more = more;",
    ),
    "sentinel": ("<div id=end></div>", SENTINEL),
    "listener": (
        "",
        "addEventListener('scroll', () => scrollY + innerHeight > document.body.scrollHeight - 50"
        " && !window.busy && (busy = 1, more().then(() => busy = 0)));",
    ),
    "jumps-back": (
        "<div id=end></div>",
        SENTINEL + "addEventListener('scroll', () => setTimeout(() => scrollTo(0, 0), 30));",
    ),
    "button": (BUTTON, PRESSED),
    "german": ("<button id=more>Mehr anzeigen</button>", PRESSED),
    "link": ("<a id=more href='#'>Show more</a>", PRESSED),
    "late": (BUTTON, "document.querySelector('#more').onclick = () => setTimeout(more, 600);"),
    "moves": (
        "<button id=more style='position: absolute'>Load more</button>",
        PRESSED + "document.querySelector('#more').onpointerover = (event) => "
        "event.target.style.left = `${Math.random() * 5000}px`;",
    ),
    "covered": (
        BUTTON + "<div style='position: fixed; inset: 0; background: white'>Welcome</div>",
        PRESSED,
    ),
    "consent": (
        "<div id=wall style='position: fixed; inset: 0'><button id=yes>Accept all</button>"
        "<button id=no>Reject all</button></div>",
        "document.querySelector('#yes').onclick = () => fetch('/forbidden/accepted');"
        "document.querySelector('#no').onclick = async () => { while (await more()); };",
    ),
    "pager": (
        "<button id=more>Next</button>",
        "document.querySelector('#more').onclick = () => { list.innerHTML = ''; more(); };",
    ),
    "tabs": (
        "".join(f"<div role=tab id=t{n}>Part {n}</div>" for n in range(4)),
        "for (const tab of document.querySelectorAll('[role=tab]')) tab.onclick = () => "
        "{ list.innerHTML = ''; more(); };",
    ),
    "location": routed("location.href = to"),
    "router": routed("{ history.pushState(null, '', to); document.body.innerHTML = 'other'; }"),
    "breaks": routed(
        "{ try { history.pushState(null, '', to); } finally "
        "{ document.body.innerHTML = '<h1>Application error</h1>'; } }"
    ),
    "swaps": routed(
        "{ try { history.pushState(null, '', to); } catch {} "
        "document.querySelector('main').innerHTML = '<button>Other</button>'.repeat(20); }"
    ),
    "window": routed("open(to)"),
    "addresses": (ROUTERS.replace("data-to=", "data-href=/addresses/item-"), ""),
    "inner": (
        "",
        "const box = list; box.style = 'height: 400px; overflow-y: scroll';"
        "box.addEventListener('scroll', () => box.scrollTop + box.clientHeight > "
        "box.scrollHeight - 20 && !window.busy && (busy = 1, more().then(() => busy = 0)));",
    ),
    "virtual": (
        BOX.replace("HEIGHT", str(100 * COUNT)),
        VIRTUAL.replace("ROWS", str(COUNT)),
    ),
    "alerts": (BUTTON, "document.querySelector('#more').onclick = () => { more(); alert(1); };"),
    "many": (
        "".join(f"<button class=like>Thing {n}</button>" for n in range(10_000)) + BUTTON,
        PRESSED,
    ),
    "reloads": (
        "<button id=again>Refresh</button>" + BUTTON,
        PRESSED + "document.querySelector('#again').onclick = () => location.reload();",
    ),
    "menu": (
        "<nav><button aria-expanded=false id=more>Products</button></nav>",
        "document.querySelector('#more').onclick = async () => { while (await more()); };",
    ),
}
"""Case -> what is behind its list, and its script: all of the list is found."""

BOUNDED = {
    "posts": (
        BUTTON,
        "document.querySelector('#more').onclick = () => more({ method: 'POST' });",
        "“Load more” on it asks by POST, and only GET is sent",
    ),
    "fails": (
        BUTTON.replace("Load", "Show"),
        "document.querySelector('#more').onclick = () => fetch('/api/error');",
        "“Show more” on it is answered by HTTP 500",
    ),
    "hangs": (
        BUTTON,
        "document.querySelector('#more').onclick = () => { for (;;); };",
        "it does not answer any more when it is touched",
    ),
    "dialogs": (
        BUTTON,
        "document.querySelector('#more').onclick = () => { for (;;) alert(1); };",
        "it does not answer any more when it is touched",
    ),
    "broken": (
        BUTTON,
        PRESSED + "Reflect.ownKeys = () => { throw new Error('not here'); };",
        "it fails when it is touched",
    ),
    "endless": (
        "<div id=end></div>",
        "let number = 100; new IntersectionObserver(([entry]) => { if (entry.isIntersecting) "
        "for (let n = 0; n < 50; n += 1) show(number += 1); })"
        ".observe(document.querySelector('#end'));",
        "it goes on after",  # 2,000 links or 30 seconds
    ),
    "rows": (
        BOX.replace("HEIGHT", "10000000"),
        VIRTUAL.replace("ROWS", "100000"),
        "it goes on after",
    ),
    "automated": (
        f"<p>{STEP} of 50</p>" + BUTTON,
        "if (navigator.webdriver) document.querySelector('#more').remove();",
        "it says that its list has 50 entries, and shows fewer",
    ),
    "counted": (
        f"<p>{STEP} of 60</p><button id=more>Filter</button>",
        "",
        "it says that its list has 60 entries, and shows fewer",
    ),
}
"""Case -> what is behind its list, its script, and how what is said of it begins."""

HARM = {
    "form-of-a-choice": "<form action=/forbidden/send><select onchange='this.form.submit()'>"
    "<option>1<option>2</select><input type=radio onclick='this.form.submit()'></form>",
    "choice": "<select onchange=\"fetch('/forbidden/' + this.value)\"><option value=0>Action"
    "<option value=1>Delete all<option value=2>Log out</select>",
    "menu-again": "<button aria-haspopup=true onclick='m.hidden = !m.hidden'>Account</button>"
    "<div id=m hidden onclick='m.hidden = true'>"
    + "".join(f"<div role=menuitem onclick='0'>Choice {n}</div>" for n in range(4))
    + "<div role=menuitem onclick=\"fetch('/forbidden/out')\">Log out</div></div>",
    "entries": '<button onclick=\'for (const each of document.querySelectorAll(".new")) '
    "each.hidden = false'>Show more</button>"
    + "".join(
        f"<div class=new hidden onclick='0'>Lamp {n} <button onclick=\"fetch('/forbidden/{n}')\">"
        "Add to cart</button></div>"
        for n in range(4)
    ),
    "deletes": "<button onclick=\"fetch('/forbidden/delete')\">Delete</button>",
    "leaves": "<button onclick=\"location['href'] = '/forbidden/logout'\">Log out</button>",
    "buys": "<button onclick=\"fetch('/forbidden/cart?add=1')\">Add to cart</button>",
    "submits": "<form action=/forbidden/send><input name=q><button>Search</button></form>",
    "script-submits": "<form id=f action=/forbidden/send></form>"
    '<button onclick="f.submit()">Go</button>',
    "beacon": "<button onclick=\"navigator.sendBeacon('/forbidden/beacon')\">Try it</button>",
    "socket": "<button onclick=\"new WebSocket('ws://' + location.host + '/forbidden/socket')\">"
    "Open</button>",
    "puts": "<button onclick=\"fetch('/forbidden/put', {method: 'PUT'})\">Try it</button>",
    "disallowed": "<button onclick=\"fetch('/private/list')\">Try it</button>",
    "downloads": "<button onclick=\"Object.assign(document.createElement('a'), "
    "{href: 'data:text/plain,x', download: 'x'}).click()\">Try it</button>",
    "prints": '<button onclick="print(); confirm(1); prompt(1)">Try it</button>',
}


def html(case: str, body: str, script: str) -> Answer:
    """A page with the first items of a list of links, and its script."""
    items = "".join(
        f'<li style="height: 300px"><a href="/{case}/item-{number}">Lamp {number}</a></li>'
        for number in range(STEP)
    )
    listed = body if "id=list" in body else f"<ul id=list>{items}</ul>{body}"
    code = (ADD + script).replace("CASE", case).replace("STEP", str(STEP))
    return Answer(
        f"<!doctype html><title>All {case}</title><h1>{case}</h1><p>{WORDS}</p>"
        f"<main>{listed}</main><script>{code}</script>"
    )


MONTHS = (
    "<button id=more>Next month</button>" + LIST,
    "let number = 0; const turn = () => { list.innerHTML = ''; for (let n = 0; n < 30; n += 1) "
    "list.insertAdjacentHTML('beforeend', `<div class=day onclick=0>Day ${number += 1}</div>`); };"
    "turn(); document.querySelector('#more').onclick = () => "
    "{ turn(); fetch('/api/months?from=99'); };",
)
"""A calendar without an end, whose days may be pressed and lead nowhere."""

PAGES = {case: html(case, *parts[:2]) for case, parts in {**WHOLE, **BOUNDED}.items()}
PAGES |= {case: html(case, body, "") for case, body in HARM.items()}
PAGES["months"] = html("months", *MONTHS)


def answer(path: str) -> Answer | None:
    """The site: a list for each case, its items and its API."""
    place, _, query = path.partition("?")
    parts = place.strip("/").split("/")
    if path == "/robots.txt":
        return text("User-agent: *\nDisallow: /private/\n")
    if path == "/":
        return page(*(f"/{case}/all" for case in PAGES), title="Start", text=WORDS)
    if parts[0] == "api":
        if parts[1] == "error":
            return Answer("sorry", 500)
        first = int(query.removeprefix("from="))
        found = list(range(first, min(first + STEP, COUNT)))
        return Answer(json.dumps(found), headers={"Content-Type": "application/json"})
    if parts[0] in PAGES and len(parts) == 2:
        if parts[1] == "all":
            return PAGES[parts[0]]
        number = parts[1].removeprefix("item-")
        if number.isdigit() and int(number) < COUNT:
            words = " ".join(f"{parts[0]}{number}-{each}" for each in range(60))
            return page("/", title=f"{path} here", text=words)
    return None


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Crawl, Server]]:
    """The whole site, crawled once with every page in the browser where it may go on."""
    crawl = Crawler(tmp_path_factory.mktemp("hands"))
    settings = (*IMPATIENT, "-s", f"SITEMAPGEN_BROWSER={BROWSER}")
    settings += ("-s", "SITEMAPGEN_RENDERING_QUIET=0.3", "-a", "exclude=*/item-*")
    with Server(answer) as server:
        url, deadline = server.url, 4 * DEADLINE
        yield crawl(url, "render=always", settings=settings, deadline=deadline), server


def known(result: Crawl, server: Server, case: str) -> set[str]:
    prefix = f"{server.url}{case}/item-"
    return {url.removeprefix(prefix) for url in result.urls if url.startswith(prefix)}


@pytest.mark.full
@pytest.mark.parametrize("case", WHOLE)
def test_the_whole_list_is_found(crawled: tuple[Crawl, Server], case: str) -> None:
    result, server = crawled
    assert result.code == 0, result.log
    assert known(result, server, case) == {str(number) for number in range(COUNT)}


@pytest.mark.full
@pytest.mark.parametrize("case", BOUNDED)
def test_what_is_not_reached_is_said(crawled: tuple[Crawl, Server], case: str) -> None:
    result, server = crawled
    row = next(row for row in result.report["not_looked_at"] if row["cause"] == "interact")
    assert f"{server.url}{case}/all" in row["examples"]
    assert tables.unreached(result.state)[f"{server.url}{case}/all"].startswith(BOUNDED[case][2])
    assert known(result, server, case) >= {str(number) for number in range(STEP)}


@pytest.mark.full
def test_the_crawl_says_that_it_is_not_complete(crawled: tuple[Crawl, Server]) -> None:
    result, server = crawled
    row = next(row for row in result.report["not_looked_at"] if row["cause"] == "interact")
    assert result.report["complete"] is False
    assert row["urls"] == len(BOUNDED)
    assert {f"{server.url}{case}/all" for case in BOUNDED} == set(row["examples"])


@pytest.mark.full
def test_nothing_changes_on_the_site(crawled: tuple[Crawl, Server]) -> None:
    _, server = crawled
    assert {visit.method for visit in server.visits} <= {"GET", "HEAD"}
    assert not [path for path in server.paths if path.startswith(("/forbidden", "/private"))]


@pytest.mark.full
def test_a_list_of_buttons_that_lead_nowhere_is_left(crawled: tuple[Crawl, Server]) -> None:
    _, server = crawled
    assert 1 <= len([path for path in server.paths if path.startswith("/api/months")]) <= 4


@pytest.mark.full
def test_the_other_pages_are_whole(crawled: tuple[Crawl, Server]) -> None:
    result, _ = crawled
    assert "Traceback" not in result.log
    assert len([url for url in result.urls if url.endswith("/all")]) == len(PAGES)


# A site as it comes: complete documents, of which some have lists that go on


KINDS = ("sentinel", "button", "router")
MENU = """
for (const path of ["/all", ...Array.from({ length: 10 }, (_, n) => `/p/${n * 3}`)]) {
    document.querySelector("#menu").innerHTML += `<a href="${path}">${path}</a>`;
}
"""


def shop(path: str) -> Answer | None:
    if path == "/":
        return page(*(f"/{case}/all" for case in KINDS), title="Start", text=WORDS)
    return answer(path)


def items(result: Crawl, case: str) -> int:
    return sum(f"/{case}/item-" in url for url in result.urls)


def test_complete_documents_with_lists_that_go_on(crawl: Crawler) -> None:
    server, first = crawl.site(shop, settings=QUICK)
    assert {case: items(first, case) for case in KINDS} == dict.fromkeys(KINDS, COUNT)
    assert len(first.sitemap) == 1 + len(KINDS) * (1 + COUNT)
    assert first.report["complete"] is True
    assert first.report["rendering"]["pages"] < 15
    again = crawl(server.url, settings=QUICK)
    assert again.files == first.files


@pytest.mark.full
def test_the_target_of_a_link_is_no_button(crawl: Crawler) -> None:
    names = "<a id=list class=anchor></a><a name=top></a><a id=end>\n</a>"
    rest = "<a id=more class=icon></a><script>document.querySelector('#more').onclick = () => { "
    rest += "document.body.innerHTML += '<a href=/more>More</a>'; };</script>"

    def site(path: str) -> Answer | None:
        links = ["/anchors", "/icon"] if path == "/" else ["/"]
        body = {"/": "", "/anchors": names, "/icon": rest, "/more": ""}.get(path)
        return None if body is None else page(*links, title=path, text=f"{path} {WORDS}{body}")

    server, result = crawl.site(site, "render=always", settings=QUICK)
    pressed = re.findall(r"INFO (\S+): “.*” was pressed", result.log)
    assert pressed == [f"{server.url}icon"]
    assert f"{server.url}more" in result.sitemap


@pytest.mark.full
@pytest.mark.parametrize(
    ("interact", "found"), [("scroll", (COUNT, STEP, STEP)), ("off", (STEP,) * 3)]
)
def test_less_can_be_asked_for(interact: str, found: tuple[int, ...], crawl: Crawler) -> None:
    _, result = crawl.site(shop, f"interact={interact}", settings=QUICK)
    assert tuple(items(result, case) for case in KINDS) == found


@pytest.mark.full
def test_a_menu_on_every_page_is_learnt_from_a_few(crawl: Crawler) -> None:
    def manual(path: str) -> Answer | None:
        if path == "/menu.js":
            return Answer(MENU, headers={"Content-Type": "text/javascript"})
        if path not in ("/", "/all", *(f"/p/{number}" for number in range(40))):
            return None
        links = [f"/p/{number}" for number in range(40)] if path == "/" else ["/"]
        foot = "<div id=menu></div><script src=/menu.js></script>"
        return page(*links, title=path, text=f"{path} {WORDS}{foot}")

    server, result = crawl.site(manual, settings=(*QUICK, "-s", "LOGSTATS_INTERVAL=0.1"))
    assert f"{server.url}all" in result.sitemap
    assert len(result.sitemap) == 42
    assert result.report["rendering"]["pages"] <= 6
    fetched = [int(number) for number in re.findall(r"INFO (\d+) pages? fetched, ", result.log)]
    assert fetched == sorted(fetched)
    assert result.report["rendering"]["needed"]["without_text"] == 0


TABLES = {
    "next": "window.__BUILD_MANIFEST = { sortedPages: ['/_app', '/next-a', '/next/[slug]'] };",
    "remix": "window.__remixManifest = { routes: { root: { path: '' }, a: { path: 'remix-a', "
    "parentId: 'root' }, b: { path: ':id', parentId: 'a' } } };",
    "vue": "document.querySelector('#root').__vue_app__ = { config: { globalProperties: "
    "{ $router: { getRoutes: () => [{ path: '/vue-a' }, { path: '/vue/:id' }], "
    "resolve: (path) => ({ href: path }) } } } };",
    "kit": 'import("/kit/entry/app.x.js");',
    "circle": "window.__remixManifest = { routes: { a: { path: 'x', parentId: 'a' } } };",
    "hung": 'if (0) import("/hung/entry/app.x.js");',
}
"""Where frameworks keep their tables of routes."""


@pytest.mark.full
def test_routes_that_only_the_table_of_an_application_names(crawl: Crawler) -> None:
    def applications(path: str) -> Answer | None:
        name = path.strip("/")
        if path == "/":
            return page(*(f"/{each}" for each in TABLES), title="Start", text=WORDS)
        if path == "/hung/entry/app.x.js":
            return Answer("", delay=60)
        if path == "/kit/entry/app.x.js":
            code = "export const dictionary = { '/(shop)/kit-a': [1], '/kit/[slug]': [2] };"
            return Answer(code, headers={"Content-Type": "text/javascript"})
        if name in TABLES:
            return app(f"{TABLES[name]} root.innerHTML = '<h1>{name}</h1><p>{WORDS}</p>';")
        if name.endswith("-a") and name != "vue-a":  # whose table is out of date
            return page("/", title=name, text=f"{name} {WORDS}")
        return None

    server, result = crawl.site(applications, settings=QUICK)
    found = {url.removeprefix(server.url) for url in result.sitemap}
    assert found == {"", *TABLES, "next-a", "remix-a", "kit-a"}
    assert not any("[" in path or ":" in path for path in server.paths)


NUMBERED = """
root.innerHTML = "<ul id=list></ul><ul id=parts></ul>";
const list = document.querySelector("#list"), parts = document.querySelector("#parts");
let part = 1;
const draw = async () => {
    const answer = await fetch(`/api/numbered?from=${(part - 1) * STEP}`);
    const entry = (n) => `<li><a href="/numbered/item-${n}">Lamp ${n}</a></li>`;
    list.innerHTML = (await answer.json()).map(entry).join("");
    for (let n = 1; n <= PARTS; n += 1) {
        const number = KEPT && parts.children[n - 1] || document.createElement("li");
        number.className = n === part ? "CURRENT" : "OTHER";
        number.innerHTML ||= `<a class=number href="">${n}</a>`;
        number.onclick = (event) => {
            event.preventDefault();
            part = n;
            draw();
        };
        if (parts.children[n - 1] !== number) parts.children[n - 1]?.remove();
        parts.insertBefore(number, parts.children[n - 1] || null);
    }
};
draw();
"""
PARTS = 8


@pytest.mark.full
@pytest.mark.parametrize(
    ("kept", "current", "other"),
    [("false", "page Page_isSelected__x1", "page"), ("true", "bg-blue text-white", "bg-white")],
)
def test_each_part_of_a_list_by_number_is_asked_for_once(
    kept: str, current: str, other: str, crawl: Crawler
) -> None:
    values = {"KEPT": kept, "CURRENT": current, "OTHER": other, "STEP": STEP, "PARTS": PARTS}
    script = reduce(lambda code, name: code.replace(name, str(values[name])), values, NUMBERED)

    def numbered(path: str) -> Answer | None:
        if path == "/":
            return app(script)
        if path.startswith("/api/"):
            first = int(path.partition("=")[2])
            found = list(range(first, first + STEP))
            return Answer(json.dumps(found), headers={"Content-Type": "application/json"})
        if path.startswith("/numbered/"):
            return page("/", title=path, text=f"{path} {WORDS}")
        return None

    server, result = crawl.site(numbered, settings=QUICK)
    assert items(result, "numbered") == PARTS * STEP
    asked = [path for path in server.paths if path.startswith("/api/")]
    assert len(asked) <= PARTS + 2  # the first part is there already, and its number is pressed


MENU_BUTTON = """
const number = location.pathname.slice(3);
const entries = ["Pots", "Pans", "Lids", "Lamps"]
    .map((name) => `<a href="/c/${name}">${name}</a>`);
const next = `<a href="/p/${Number(number || 0) + 1}">Next page</a>`;
root.innerHTML = `<header><button aria-expanded=false>Shop</button><ul></ul></header>
    <main><h1>Page ${number}</h1><p>Text of page number ${number}. WORDS</p>${next}</main>`;
document.querySelector("button").onclick = () => {
    document.querySelector("ul").innerHTML = entries.join("");
};
"""


@pytest.mark.full
def test_the_entries_of_a_menu_that_is_opened_are_no_text_of_the_page(crawl: Crawler) -> None:
    entries = {f"/c/{name}" for name in ("Pots", "Pans", "Lids", "Lamps")}
    names = {"/", *(f"/p/{number}" for number in range(1, 7))}

    def manual(path: str) -> Answer | None:
        if path in entries:
            return page("/", title=path, text=f"{path} {WORDS}")
        return app(MENU_BUTTON.replace("WORDS", WORDS)) if path in names else None

    server, result = crawl.site(manual, settings=QUICK)
    assert {url.removeprefix(server.url[:-1]) for url in result.sitemap} == entries | names
    words = {row["words"] for url, row in result.urls.items() if "/p/" in url}
    assert len(words - {""}) == 1
