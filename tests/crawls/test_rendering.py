"""Sites that show nothing without a browser, and pages that would do harm to one."""

import asyncio
import re
import signal
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from sitemapgen.browser.tab import MAX_ROUTES
from tests.helpers.browser import (
    BROWSER,
    QUICK,
    WORDS,
    app,
    family,
    links,
    needs_browser,
    nothing_is_left,
)
from tests.helpers.crawls import DEADLINE, IMPATIENT, Crawler, command, rest, start, wait_for
from tests.helpers.endpoints import RemoteBrowser
from tests.helpers.keyed import KEYED
from tests.helpers.proxy import Proxy
from tests.helpers.server import HERE, Answer, Serve, marked, page, redirect, text
from tests.helpers.tls import self_signed

__all__ = ["nothing_is_left"]

pytestmark = needs_browser


def browser_of(mark: str) -> psutil.Process:
    """The main process of the browser that a crawl started."""
    for process in family(mark):
        with suppress(psutil.Error):
            line = process.cmdline()
            if "--headless" in " ".join(line) and not any("--type=" in part for part in line):
                return process
    raise AssertionError("no browser runs")


# What is found

ROUTED = """
const routes = {"/": ["/one", "/two?b=1"], "/one": ["/three"], "/two": [], "/three": ["/"]};
const show = async () => {
    const text = await (await fetch("/api" + location.pathname)).text();
    document.title = "Page " + location.pathname;
    root.innerHTML = `<h1>${text}</h1>` +
        routes[location.pathname].map((to) => `<a href="${to}">${to}</a>`).join(" ");
};
if (location.pathname === "/old") history.replaceState(null, "", "/three");
show();
"""


def test_a_client_rendered_site(crawl: Crawler) -> None:
    def answer(path: str) -> Answer | None:
        if path.startswith("/api/"):
            return Answer(f"text of {path}", delay=0.4)
        return None if path == "/robots.txt" else app(ROUTED)

    server, result = crawl.site(answer, settings=QUICK)
    assert result.sitemap == [f"{server.url}{name}" for name in ("", "one", "three", "two?b=1")]
    assert result.urls[f"{server.url}one"]["title"] == "Page /one"
    assert "WARNING" not in result.log
    assert "ERROR" not in result.log
    rendering = result.report["rendering"]
    assert 1.0 < rendering.pop("seconds") < 60.0
    why = "scripts fill the page"
    needed = rendering.pop("needed")
    assert (needed["count"], needed["share"], needed["without_text"]) == (4, 1.0, 4)
    assert needed["reasons"] == [{"reason": why, "count": 4}]
    assert needed["examples"][0]["url"] == server.url
    assert {row["render_reason"] for row in result.urls.values() if row["rendered"] == "1"} == {why}
    fixes = {fix["id"]: fix for fix in result.report["priorities"]}
    assert fixes["scripted"]["count"] == 4
    assert rendering.pop("by_scripts_alone")["count"] == fixes["by_scripts_alone"]["count"] == 3
    assert "that run no JavaScript" in fixes["by_scripts_alone"]["sentence"]
    assert why in result.html
    assert rendering == {
        "scripted": 4,
        "pages": 4,
        "reasons": {"empty_mount": 4},
        "gained_nothing": 0,
        "failed": 0,
        "gained": 4,
        "unrenderable": 0,
        "unfinished": 0,
        "unfinished_examples": [],
        "empty_start": None,
    }
    agents = {visit.headers["User-Agent"] for visit in server.visits}
    assert all("sitemapgen/" in agent for agent in agents)
    assert not any("Headless" in agent for agent in agents)
    assert not any("404-check" in path for path in server.paths)  # no page says that it is missing

    again = crawl(server.url, settings=QUICK)
    assert again.files["urls.csv"] == result.files["urls.csv"]
    assert again.report["priorities"] == result.report["priorities"]

    plain = crawl(server.url, "render=never", "force=true", "fresh=true", settings=QUICK)
    assert plain.sitemap == [server.url]


SHADOW = """
class Menu extends HTMLElement {
    connectedCallback() {
        const shadow = this.attachShadow({mode: "open"});
        shadow.innerHTML = '<a href="/shadow">x</a><inner-menu></inner-menu>';
    }
}
class Inner extends HTMLElement {
    connectedCallback() {
        this.attachShadow({mode: "open"}).innerHTML = '<a href="/inner">x</a>';
    }
}
customElements.define("site-menu", Menu);
customElements.define("inner-menu", Inner);
root.append(document.createElement("site-menu"));
const frame = document.createElement("iframe");
frame.srcdoc = '<a href="/framed">x</a>';
root.append(frame);
"""


GUARDED = """
const box = "<form><input type=password></form>";
const go = (to) => history.replaceState(null, "", to);
const shown = {
    "/": ["/account", "/orders/7", "/settings/", "/map", "/topic/7", "/start", "/login"]
        .map((to) => `<a href="${to}">${to}</a>`).join(" ") + box,
    "/login": `<h1>Sign in</h1>${box}`,
    "/map/1,2": `<h1>A map of places nearby</h1>${box}`,
    "/topics/7": `<h1>Topic seven</h1><p>${"A long text about lamps. ".repeat(60)}</p>${box}`,
    "/home": "<h1>Home of this application, without a form</h1>",
};
const moves = { "/map": "/map/1,2", "/topic/7": "/topics/7", "/start": "/home" };
const path = location.pathname;
if (moves[path]) setTimeout(() => go(moves[path]), 100);
else if (!shown[path]) go(`/login?next=${path}`);
setTimeout(() => { root.innerHTML = `${shown[location.pathname]}`; }, 200);
"""


def test_pages_behind_a_login_are_redirects_also_where_a_router_leads(
    serve: Serve, crawl: Crawler
) -> None:
    server = serve(lambda path: None if path == "/robots.txt" else app(GUARDED))
    result = crawl.published(server.url, "duplicates=off", settings=QUICK)
    found = {url.removeprefix(server.url): verdict for url, verdict in result.verdicts.items()}
    moved = {path for path, verdict in found.items() if verdict == "redirect"}
    assert moved == {"account", "orders/7", "settings/"}
    assert result.urls[f"{server.url}account"]["redirect_target"].endswith("login?next=/account")
    # Addresses that scripts change below a page, of a long text, or without a form, are no guards.
    listed = {path for path, verdict in found.items() if verdict == "listed" and "?" not in path}
    assert listed == {"", "login", "map", "map/1,2", "topic/7", "topics/7", "start", "home"}


@pytest.mark.full
def test_what_a_rendered_document_holds(serve: Serve, crawl: Crawler) -> None:
    """Shadow roots, frames, and the encoding of the document for the queries of its links."""
    latin = {"Content-Type": "text/html; charset=iso-8859-1"}
    coded = app(links("/coded?q=é"))
    server = serve(
        {
            "/": app(SHADOW + links("/latin", "/noindex", "/moved", "/away")),
            "/latin": coded._replace(body=str(coded.body).encode("latin-1"), headers=latin),
            "/noindex": app("document.head.innerHTML += '<meta name=robots content=noindex>';"),
            "/moved": app("location.replace('/target');"),
            "/away": app("setTimeout(() => { location = 'http://localhost:1/'; }, 100);"),
            **{f"/{name}": page() for name in ("shadow", "inner", "framed", "target")},
            "/coded?q=%E9": page(),
        }
    )
    result = crawl.published(server.url, settings=QUICK)
    found = {url.removeprefix(server.url): verdict for url, verdict in result.verdicts.items()}
    assert found == {
        **dict.fromkeys(("", "latin", "shadow", "inner", "framed", "target"), "listed"),
        "coded?q=%E9": "listed",
        "noindex": "noindex",
        "moved": "redirect",
        "away": "offsite_redirect",
    }
    assert result.urls[f"{server.url}moved"]["evidence"] == f"refresh to {server.url}target"


def test_tags_in_capitals(serve: Serve, crawl: Crawler) -> None:
    shell = str(app(links("/found")).body).replace("script>", "SCRIPT>")
    server = serve({"/": page("/old"), "/old": Answer(shell), "/found": page()})
    assert f"{server.url}found" in crawl.published(server.url, settings=QUICK).sitemap


def test_pages_without_scripts_start_no_browser(crawl: Crawler) -> None:
    settings = (*QUICK, "-s", "LOG_LEVEL=INFO")
    server, result = crawl.site({"/": page("/a"), "/a": page(), "/b": page()}, settings=settings)
    assert len(result.sitemap) == 2
    assert "sitemapgen/rendering" not in result.log
    writes = "<script>document.body.innerHTML += '<a href=/b>b</a>'</script>"
    server.site = {**server.site, "/": page("/a", text=writes)}
    assert len(crawl(server.url, settings=settings).sitemap) == 3
    assert (
        len(
            crawl(server.url, "render=never", "fresh=true", "force=true", settings=settings).sitemap
        )
        == 2
    )


@pytest.mark.full
def test_a_sample_that_gained_nothing_is_as_good_as_its_neighbours(
    serve: Serve, crawl: Crawler
) -> None:
    """The next run asks for it conditionally, and a 304 renews it."""
    counts = "<script>window.count = 1</script>"
    site = {
        f"/{name}": page("/1", "/2", "/3", "/4", "/5", title=name, text=f"{WORDS} {name} {counts}")
        for name in ("", "1", "2", "3", "4", "5")
    }
    server = serve({path: marked(answer, path) for path, answer in site.items()})
    first = crawl(server.url, settings=QUICK)
    assert first.report["rendering"]["reasons"] == {"sampled": 2}
    assert first.report["rendering"]["gained_nothing"] == 2
    server.visits.clear()
    second = crawl(server.url, settings=QUICK)
    assert {visit.path for visit in server.visits if visit.status == 304} == {*site}
    assert second.sitemap == first.sitemap


@pytest.mark.full
def test_a_shell_with_words_is_known_by_a_path_that_cannot_exist(crawl: Crawler) -> None:
    """Nothing in the document says that scripts will write; that any path answers with it does."""
    script = """
        const views = {"/": "/a", "/a": "/b", "/b": "/"}, to = views[location.pathname];
        document.title = location.pathname;
        document.querySelector("p").innerHTML = to
            ? `All about ${location.pathname} <a href="${to}">next</a>`
            : "There is no such page";
    """
    shell = page(
        "/terms.html", text="Welcome to our shop", head="<script defer src=/app.js></script>"
    )

    def answer(path: str) -> Answer | None:
        if path == "/app.js":
            return Answer(script, headers={"Content-Type": "text/javascript"})
        if path == "/robots.txt":
            return None
        return page() if path == "/terms.html" else shell

    server, result = crawl.site(answer, settings=(*QUICK, "-s", "LOG_LEVEL=INFO"))
    assert result.sitemap == [f"{server.url}{name}" for name in ("", "a", "b", "terms.html")]
    assert "page_count/like_random_path" in result.log


@pytest.mark.full
def test_what_scripts_show_for_a_missing_page_is_a_soft_404(serve: Serve, crawl: Crawler) -> None:
    """Its shell answers every path with 200; only what the browser makes of it tells them apart."""
    script = (
        "const titles = {'/': 'Home', '/boats': 'Boats', '/log': 'Log'};"
        "const title = titles[location.pathname];"
        "document.title = title || 'Not found';"
        "root.innerHTML = title ? `<h1>${title}</h1><p>Some words on ${title}</p>`"
        "+ '<a href=/boats>1</a> <a href=/log>2</a> <a href=/gone>3</a> <a href=/old>4</a>'"
        ": `<h1>Not found</h1><p>There is no page at ${location.pathname}</p><a href=/>Home</a>`;"
    )
    server = serve(lambda path: None if path == "/robots.txt" else app(script))
    result = crawl(server.url, settings=QUICK)
    assert result.sitemap == [f"{server.url}{name}" for name in ("", "boats", "log")]
    assert {result.verdicts[f"{server.url}{name}"] for name in ("gone", "old")} == {"soft_404"}


@pytest.mark.full
def test_no_browser_is_sent_where_missing_pages_have_an_honest_status(
    serve: Serve, crawl: Crawler
) -> None:
    server = serve({"/": app("root.innerHTML = '<a href=/rare>rare</a>'"), "/rare": app(RARE)})
    result = crawl(server.url, settings=QUICK)
    assert result.sitemap == [server.url, f"{server.url}rare"]
    probes = [visit for visit in server.visits if "404-check" in visit.path]
    assert [visit.headers.get("Sec-Fetch-Dest") for visit in probes] == [None]


RARE = "document.title = 'Rare'; root.innerHTML = '<h1>Not found</h1><p>in any other museum</p>';"


UNHURRIED = (
    *(*QUICK, "-s", "SITEMAPGEN_RENDERING_DEADLINE=60", "-s", "SITEMAPGEN_RENDERING_SETTLE=30"),
    *("-s", "SITEMAPGEN_RENDERING_QUIET=1"),
)
"""A view that is shown after 0.1 s has settled after one second, also on a busy machine."""


@pytest.mark.full
@pytest.mark.parametrize("sign", ["#/", *rest("#!", "#!/")])
def test_a_hash_router_is_one_page(sign: str, serve: Serve, crawl: Crawler) -> None:
    """Its views have no URLs of their own; the real URLs that they link to are found."""
    script = f"""
        const links = {{"": ["{sign}a", "{sign}b"], "{sign}a": ["/real"], "{sign}b": ["{sign}c"],
                        "{sign}c": ["/deep.html", "{sign}a"]}};
        const show = () => {{
            root.innerHTML = `<h1>View ${{location.hash}} of the application</h1>`;
            for (const to of links[location.hash])
                root.innerHTML += `<a href="${{to}}">${{to}}</a>`;
        }};
        addEventListener("hashchange", () => setTimeout(show, 100));
        show();
    """
    server = serve({"/": app(script), "/real": page(), "/deep.html": page()})
    result = crawl(server.url, settings=UNHURRIED)
    assert result.sitemap == [f"{server.url}{name}" for name in ("", "deep.html", "real")]
    assert f"2 links lead to views of {server.url} behind #: search engines see one" in result.log
    (row,) = (row for row in result.report["traps"] if row["kind"] == "hash_route")
    assert row["pattern"] == server.url
    assert row["examples"] == [f"{server.url}{sign}a"]
    fixes = {fix["id"]: fix for fix in result.report["priorities"]}
    assert (fixes["hash_routes"]["count"], fixes["hash_routes"]["severity"]) == (2, "error")


@pytest.mark.full
def test_views_beyond_those_that_are_visited_are_reported(serve: Serve, crawl: Crawler) -> None:
    """A link that only the last of 60 views has is not found, and the crawl is not complete."""
    script = """
        const show = () => {
            const at = Number(location.hash.slice(2) || 0);
            root.innerHTML = `<h1>View ${at} of the application</h1><a href="/page-${at}">page</a>`;
            for (let to = 1; to <= 60; to++) root.innerHTML += `<a href="#/${to}">${to}</a>`;
        };
        addEventListener("hashchange", show);
        show();
    """
    named = [f"page-{number}" for number in range(MAX_ROUTES + 1)]
    server = serve({"/": app(script), **{f"/{name}": page(title=name) for name in named}})
    result = crawl(server.url, settings=(*UNHURRIED, "-s", "SITEMAPGEN_RENDERING_QUIET=0.1"))
    assert set(result.sitemap) == {server.url, *(f"{server.url}{name}" for name in named)}
    (row,) = (row for row in result.report["not_looked_at"] if row["cause"] == "interact")
    assert row["examples"] == [server.url]
    assert row["reason"].endswith(f"more views behind # than the {MAX_ROUTES} that were visited")
    assert result.report["complete"] is False


# What comes late

PATIENT = (*IMPATIENT, "-s", f"SITEMAPGEN_BROWSER={BROWSER}")
"""The waits as they are by default."""
SLOW_API = """
    fetch("/api" + location.pathname).then((said) => said.text()).then((said) => {
        root.innerHTML = said;
    });
"""
LATE = {
    "an API of 7.5 s": app(SLOW_API),
    "a spinner": app(
        SLOW_API,
        body="<header><a href=/>Home</a></header><div id=root><div "
        "class=app-spinner style='width:9px;height:9px'></div></div>",
    ),
    "a busy region": app(SLOW_API, body="<a href=/>Home</a><div id=root aria-busy=true>...</div>"),
    "a timer": app("setTimeout(() => { " + links("/a", "/b") + " }, 1000);"),
    "timers and requests": app(
        "setTimeout(() => { root.innerHTML = '<p>Loading ...</p>'; setTimeout(() => {"
        + SLOW_API.replace("/api", "/soon")
        + "}, 1000); }, 1000);"
    ),
}


@pytest.mark.full
@pytest.mark.parametrize("what", ["an API of 7.5 s", *rest(*list(LATE)[1:])])
def test_an_application_that_takes_its_time(what: str, crawl: Crawler) -> None:
    def answer(path: str) -> Answer | None:
        if path == "/":
            return LATE[what]
        if path in ("/api/", "/soon/"):
            return Answer(
                "<a href=/a>a</a> <a href=/b>b</a>", delay=7.5 if path == "/api/" else 1.0
            )
        return page() if path in ("/a", "/b") else None

    server, result = crawl.site(answer, settings=PATIENT)
    assert result.sitemap == [f"{server.url}{name}" for name in ("", "a", "b")]
    assert "WARNING" not in result.log


EMPTY = {
    "nothing happens": ("", "SITEMAPGEN_RENDERING_SELECTOR='main a'"),
    "it polls for ever": (
        "setInterval(() => { fetch('/api'); }, 300);",
        "it was still loading: -s SITEMAPGEN_RENDERING_SELECTOR_WAIT=30",
    ),
    "its API is forbidden": (
        "fetch('/private/api').then(() => {" + links("/a") + "});",
        "/private/api, which is disallowed (robots.txt line 2: Disallow: /private): allow it",
    ),
    "its API is broken": (
        "fetch('/broken').then((said) => { if (said.ok) {" + links("/a") + "} });",
        "/broken, which answers 500",
    ),
}


@pytest.mark.full
@pytest.mark.parametrize(
    "why", ["its API is forbidden", *rest(*(why for why in EMPTY if why != "its API is forbidden"))]
)
def test_a_start_page_that_stays_empty_is_a_warning(why: str, crawl: Crawler) -> None:
    script, remedy = EMPTY[why]
    robots = text("User-agent: *\nDisallow: /private")
    server, result = crawl.site(
        {"/": app(script), "/robots.txt": robots, "/api": text("x"), "/broken": Answer("", 500)},
        settings=(*QUICK, "-s", "SITEMAPGEN_RENDERING_SELECTOR_WAIT=2"),
    )
    assert result.sitemap == [server.url]
    said = result.report["rendering"]["empty_start"]
    assert said.startswith(f"The start page {server.url} shows no link and hardly a word")
    assert remedy in said
    assert f"WARNING {said}" in result.log
    assert result.report["priorities"][0]["id"] == "empty_start"
    facts = result.outcome
    assert said in facts["warnings"]


@pytest.mark.full
def test_a_start_page_of_few_words_that_leads_on_is_no_warning(
    serve: Serve, crawl: Crawler
) -> None:
    server = serve({"/": app("root.innerHTML = '<a href=/a>Enter</a>'"), "/a": page()})
    result = crawl(server.url, settings=QUICK)
    assert result.report["rendering"]["empty_start"] is None
    assert "WARNING" not in result.log


@pytest.mark.slow
def test_pages_that_poll_for_ever_are_not_all_waited_for(serve: Serve, crawl: Crawler) -> None:
    """Each shows what it has, and beside that a spinner that never goes away."""
    names = [f"/items/{number}" for number in range(24)]
    script = (
        "root.innerHTML = `<h1>${location.pathname}</h1><p aria-busy=true>...</p>`;"
        "setInterval(() => 1, 50);"
    )
    server = serve({"/": app(links(*names)), **{name: app(script + links("/")) for name in names}})
    result = crawl.published(server.url, settings=(*QUICK, "-s", "LOG_LEVEL=INFO"))
    assert len(result.sitemap) == 25
    waits = {
        name: int(count)
        for name, count in re.findall(r"rendering/waiting_count/(\w+)': (\d+)", result.log)
    }
    # Four, two more that were in the browser by then, and the samples of the others.
    assert 4 <= waits["vain"] <= 12
    assert waits["denied"] >= 12
    assert result.report["rendering"]["unfinished"] == 24
    assert "24 pages were read while something on them was still loading" in result.log


@pytest.mark.slow
def test_where_waiting_has_helped_pages_that_were_not_waited_for_are_read_again(
    serve: Serve, crawl: Crawler
) -> None:
    """The first four of a kind have nothing to show; what the others have to show comes late."""
    names = [f"/items/{number}" for number in range(12)]
    first: list[str] = []

    def answer(path: str) -> Answer | None:
        if path in names:
            if server.visits[-1].headers.get("Sec-Fetch-Dest") and path not in first:
                first.append(path)
            is_dry = path in first[:4]
            return app(
                "root.innerHTML = `<h1>${location.pathname}</h1><p aria-busy=true>...</p>`;"
                f"const more = {'false' if is_dry else 'true'};"
                "setTimeout(() => { if (more) document.querySelector('p').outerHTML ="
                " `<a href=/of${location.pathname}>more</a>`; }, 2000);"
                "setInterval(() => 1, 50);"
            )
        if path == "/":
            return app(links(*names))
        return page() if path.startswith("/of/") else None

    settings = (
        *(*QUICK, "-s", "SITEMAPGEN_RENDERING_DEADLINE=12"),
        *("-s", "SITEMAPGEN_RENDERING_SELECTOR_WAIT=5"),
    )
    server = serve(answer)
    result = crawl.published(server.url, settings=settings)
    found = {url.removeprefix(f"{server.url}of") for url in result.sitemap if "/of/" in url}
    assert found == {*names} - {*first[:4]}


# What is sampled


@pytest.mark.full
@pytest.mark.parametrize(
    ("anchor", "script"),
    [
        ('<a class="more">x</a>', "a.setAttribute('href', '/hid' + 'den')"),
        *rest(
            ('<a data-href="/hidden">x</a>', "a.href = a.dataset.href"),
            ('<a href="#" data-url="/hidden">x</a>', "a.setAttribute('href', a.dataset.url)"),
        ),
    ],
)
def test_kinds_whose_anchors_scripts_fill_are_sampled(
    anchor: str, script: str, serve: Serve, crawl: Crawler
) -> None:
    """Few pages of a kind, beside many of another to which the same script does nothing."""
    fill = Answer(
        f"for (const a of document.querySelectorAll('[data-href], [data-url], .more')) {script};",
        headers={"Content-Type": "text/javascript"},
    )
    external = "<script defer src=/fill.js></script>"
    if "more" in anchor:
        external = f"<script>const a = document.querySelector('.more'); if (a) {script};</script>"
    names = [f"/many/{number}" for number in range(8)]
    site = {
        name: page(*names, "/few/1", "/few/2", title=name, text=f"{WORDS} {name}", head=external)
        for name in ("/", *names)
    }
    few = {
        name: page("/", title=name, text=f"{WORDS} {name} {anchor}{external}")
        for name in ("/few/1", "/few/2")
    }
    server = serve({**site, **few, "/hidden": page("/"), "/fill.js": fill})
    result = crawl(server.url, settings=QUICK)
    assert f"{server.url}hidden" in result.sitemap
    assert result.report["rendering"]["reasons"].get("sampled", 0) >= 1
    assert result.report["rendering"]["pages"] <= 6


# What scripts say of the page itself

NAMES = """
    const link = document.querySelector("link[rel=canonical]");
    const canonical = link || document.head.appendChild(document.createElement("link"));
    canonical.rel = "canonical";
"""


def own(path: str, script: str, head: str = "") -> Answer:
    """A page with words and links of its own, and a script."""
    words = "".join(f"<p>{word} {path}</p>" for word in WORDS.split())
    return Answer(
        f"<!doctype html><html><head><title>{path}</title>{head}</head><body><div id=root>{words}"
        f"<a href=/a>a</a> <a href=/b>b</a></div><script>{script}</script></body></html>"
    )


@pytest.mark.full
@pytest.mark.parametrize("render", ["auto", *rest("always")])
def test_a_canonical_that_scripts_rewrite_contradicts_that_of_the_server(
    render: str, serve: Serve, crawl: Crawler
) -> None:
    """A bundle that was configured for another host must not empty the sitemap."""
    script = NAMES + "canonical.href = 'https://stage.example' + location.pathname;"
    server = serve(
        {
            path: own(path, script, f'<link rel=canonical href="{HERE}{path[1:]}">')
            for path in ("/", "/a", "/b")
        }
    )
    result = crawl.published(server.url, f"render={render}", settings=QUICK)
    assert result.sitemap == [server.url, f"{server.url}a", f"{server.url}b"]
    assert "they disagree" in result.urls[server.url]["evidence"]


@pytest.mark.full
def test_the_static_canonical_of_a_shell_contradicts_what_scripts_make_of_it(
    serve: Serve, crawl: Crawler
) -> None:
    """Templates of applications name the home page as canonical, for every route."""
    script = NAMES + "canonical.href = location.pathname;" + links("/a", "/b")
    shell = app(script, head='<link rel=canonical href="/">')
    server = serve(dict.fromkeys(("/", "/a", "/b"), shell))
    result = crawl(server.url, "duplicates=off", settings=QUICK)
    assert result.sitemap == [server.url, f"{server.url}a", f"{server.url}b"]


def test_a_canonical_that_scripts_fill_in_contradicts_nothing(serve: Serve, crawl: Crawler) -> None:
    """``{{ url }}`` in the server's document is no canonical, and no page."""
    script = NAMES + "canonical.href = location.pathname;" + links("/a", "/a?from=home")
    shell = app(script, head='<link rel=canonical href="{{ url }}">')
    server = serve(dict.fromkeys(("/", "/a", "/a?from=home"), shell))
    result = crawl(server.url, "duplicates=off", "traps=report", settings=QUICK)
    assert result.sitemap == [server.url, f"{server.url}a"]
    assert result.verdicts[f"{server.url}a?from=home"] == "canonicalised"
    assert len(result.urls) == 3


@pytest.mark.full
def test_what_only_one_of_the_two_says_counts(serve: Serve, crawl: Crawler) -> None:
    named = NAMES + "canonical.href = '/';"
    removed = "document.querySelector('link').remove();"
    index = "document.querySelector('meta').content = 'index';"
    server = serve(
        {
            "/": own("/", ""),
            "/a": own("/a", named),
            "/b": own("/b", removed, '<link rel=canonical href="/">'),
            "/c": own("/c", index, "<meta name=robots content=noindex>"),
        }
    )
    server.site = {**server.site, "/": own("/", links("/c"))}
    result = crawl(server.url, "render=always", settings=QUICK)
    assert result.sitemap == [server.url]
    verdicts = {url.removeprefix(server.url): verdict for url, verdict in result.verdicts.items()}
    assert verdicts == {"": "listed", "a": "canonicalised", "b": "canonicalised", "c": "noindex"}


def test_links_that_scripts_remove_lead_on(serve: Serve, crawl: Crawler) -> None:
    """A list that scripts continue, and whose link to the next page they take away.

    A link that they write with a query leads nowhere else, and nofollow holds, even where scripts
    take it back.
    """
    posts = [f"/post/{number}" for number in range(8)]
    taken = "<a href=/older>x</a><a href=/tags rel=nofollow>x</a><a href=/closed>x</a>"
    script = "root.replaceChildren();" + links(*posts[:4], "/view?session=7")
    server = serve(
        {
            "/": Answer(
                f"<title>Posts</title><div id=root><a href={posts[0]}>x</a>{taken}"
                "<a href=/view>x</a></div>"
                f"<script>const root = document.querySelector('div'); {script}</script>"
            ),
            "/closed": Answer(
                "<meta name=robots content=nofollow><div id=root><a href=/hidden>x</a></div>"
                "<script>document.querySelector('meta').remove();"
                "document.querySelector('div').innerHTML = '<p>Closed'</script>"
            ),
            "/older": page(*posts[4:], title="Older"),
            **{path: page(title=path, text=path) for path in (*posts, "/view", "/tags")},
        }
    )
    result = crawl(server.url, settings=QUICK)
    assert {server.url + path[1:] for path in ("/older", "/view", *posts)} < {*result.sitemap}
    assert "/closed" in server.paths
    assert not {"/tags", "/hidden", "/view?session=7"} & {*server.paths}


# What must not cost more than its own page

HOSTILE = {
    "popups": "for (let i = 0; i < 30; i++) open('/popup?' + i); const a = root.appendChild("
    "document.createElement('a')); a.href = '/popup'; a.target = '_blank'; a.click(); a.remove();",
    "alerts": "while (true) alert(1);",
    "loop": "window.onload = () => setTimeout(() => { while (true); }, 50);",
    "reload": "setTimeout(() => location.reload(), 20);",
    "download": "location = '/file.bin';",
    "file": "location = 'file:///etc/passwd';",
    "blank": "location = 'about:blank';",
    "post": "root.innerHTML = '<form method=post action=/order></form>'; "
    "document.forms[0].submit();",
    "forbidden": "location = '/private';",
    "crash": "location = 'chrome://crash';",
    "dialog": "onbeforeunload = () => 'stay'; confirm('?'); prompt('?');",
    "worker": "navigator.serviceWorker.register('/sw.js');",
    "hanging": "fetch('/never');",
    "nested": "let inner = root; for (let i = 0; i < 10000; i++) "
    "inner = inner.appendChild(document.createElement('div')); "
    "inner.innerHTML = '<a href=/from-the-depth>x</a>';",
    "huge": "const much = document.createElement('p'); much.textContent = 'x '.repeat(2.5e7); "
    "document.body.append(much);",
    "growing": "setInterval(() => { root.innerHTML += '<p>more and more</p>'; }, 10);",
}


@pytest.mark.full
def test_hostile_pages_cost_only_themselves(crawl: Crawler) -> None:
    def answer(path: str) -> Answer | None:
        name = path[1:].partition("?")[0]
        if path == "/":
            return app(links(*HOSTILE, "good", "attachment"))
        if name in HOSTILE:
            return app(HOSTILE[name] + links("/from-" + name))
        if name == "attachment":
            parts = {"Content-Type": "text/html", "Content-Disposition": "attachment"}
            return app("")._replace(headers=parts)
        if name == "never":
            return Answer("", delay=60)
        if name == "robots.txt":
            return text("User-agent: *\nDisallow: /private")
        if name in ("good", "popup", "order", "private", "sw.js"):
            return app(links("/from-good"))
        return page() if name.startswith("from-") else None

    server, result = crawl.site(answer, settings=QUICK)
    found = {url.removeprefix(server.url): verdict for url, verdict in result.verdicts.items()}
    assert found[""] == found["good"] == found["from-good"] == "listed"
    for name in ("alerts", "loop", "attachment", "huge"):
        assert found[name] == "unrenderable", name
    assert found["nested"] == found["from-the-depth"] == "listed"
    assert found["download"] == found["forbidden"] == "redirect"
    for name in ("popups", "reload", "dialog", "worker", "hanging", "growing", "post", "file"):
        assert found[name] == found[f"from-{name}"] == "listed", name
    evidence = result.urls[f"{server.url}loop"]["evidence"]
    assert evidence == "does not settle in the browser in time"
    assert not {"/order", "/private", "/sw.js"} & set(server.paths)
    assert not [path for path in server.paths if path.partition("?")[0] == "/popup"]
    assert server.paths.count("/reload") <= 1 + 4
    assert "Traceback" not in result.log
    assert result.report["verdicts"]["unrenderable"] >= 3


@pytest.mark.full
def test_a_script_with_a_self_signed_certificate(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    """It does not run, and the page goes on without it."""
    other = serve({"/lib.js": text(f"{links('/from-lib')}")}, tls=self_signed(tmp_path))
    body = f"<div id=root></div><script defer src={other.url}lib.js></script>"
    server = serve({"/": app(links("/a"), body=body), "/a": page(), "/from-lib": page()})
    assert crawl(server.url, settings=QUICK).sitemap == [server.url, f"{server.url}a"]


@pytest.mark.full
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_browser_that_dies_or_freezes(
    how: signal.Signals, crawl: Crawler, tmp_path: Path
) -> None:
    """Its pages are rendered by the next one."""
    hits: list[str] = []

    def answer(path: str) -> Answer | None:
        if path == "/harm":
            hits.append(path)
            if len(hits) == 1:
                browser_of(str(tmp_path)).send_signal(how)
            return text("")
        if path == "/":
            return app(links("/harmful", *(f"/page-{number}" for number in range(4))))
        if path == "/harmful":
            return app("fetch('/harm').then(() => {" + links("/last") + "});")
        return None if path == "/robots.txt" else app(links("/"))

    _, result = crawl.site(answer, "duplicates=off", settings=QUICK)
    assert len(hits) == 2
    assert len(result.sitemap) == 7
    assert set(result.verdicts.values()) == {"listed"}
    assert "Traceback" not in result.log


@pytest.mark.full
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_the_browser_ends_with_the_crawl(how: signal.Signals, serve: Serve, tmp_path: Path) -> None:
    """The fixture sees to it that nothing is left; the same command continues."""

    def answer(path: str) -> Answer | None:
        return None if path == "/robots.txt" else app("while (true);")

    server = serve(answer)
    settings = [*QUICK, "-s", "SITEMAPGEN_RENDERING_DEADLINE=100"]
    process = start(command(server.url, tmp_path / "output", *settings), tmp_path / "log")
    try:
        wait_for(lambda: server.paths.count("/") >= 2, process)
        process.send_signal(how)
        code = process.wait(DEADLINE)
    finally:
        process.kill()
        process.wait()
    assert code == (-9 if how is signal.SIGKILL else 6), (tmp_path / "log").read_text()


# Who is sent what

GIVEN = ("auth=owner:S3CRET", "cookies=session=S3CRET", "headers=X-Key: S3CRET")
BASIC = "Basic " + b64encode(b"owner:S3CRET").decode()


@pytest.mark.full
def test_the_login_reaches_the_site_alone(serve: Serve, crawl: Crawler) -> None:
    cors = {"Content-Type": "text/plain", "Access-Control-Allow-Origin": "*"}
    other = serve({"/script.js": text(links("/other")), "/data": Answer("x", headers=cors)})
    server = serve({})
    script = f"fetch('/api').then(() => {{ {links('/api-says')} }}); fetch('{other.url}data');"
    script += "document.cookie = 'mine=1';"
    body = f"<div id=root></div><script src={other.url}script.js defer></script>"
    answers = {
        "/": app(script, body=body),
        "/api": text("x"),
        "/api-says": app(links("/other")),
        "/other": page(),
    }

    def answer(path: str) -> Answer | None:
        if server.visits[-1].headers.get("Authorization") != BASIC:
            return Answer("who are you?", 401)
        return answers.get(path)

    server.site = answer
    result = crawl.published(server.url, *GIVEN, settings=QUICK)
    assert len(result.sitemap) == 3
    for visit in server.visits:
        assert visit.headers.get("Cookie") == "session=S3CRET", visit.path
        assert visit.headers.get("X-Key") == "S3CRET"
    assert set(other.paths) == {"/script.js", "/data"}
    assert not any("S3CRET" in str(visit.headers) for visit in other.visits)
    assert "S3CRET" not in result.log


@pytest.mark.full
def test_what_is_not_needed_is_not_loaded(serve: Serve, crawl: Crawler) -> None:
    script = """
        for (const name of ["data", "voice.mp3", "matomo.js", "type.woff2?v=1"]) fetch("/" + name);
        new Image().src = "/picture.png";
    """
    server = serve({"/": app(script + links("/film.mp4.html")), "/film.mp4.html": app("")})
    result = crawl(server.url, settings=QUICK)
    assert result.verdicts[f"{server.url}film.mp4.html"] == "listed"
    loaded = {visit.path for visit in server.visits if visit.headers.get("Sec-Fetch-Dest")}
    assert loaded == {"/", "/data", "/film.mp4.html"}


@pytest.mark.full
def test_robots_txt_holds_for_what_a_page_loads(serve: Serve, crawl: Crawler) -> None:
    """As for search engines: what they may not load is no part of the page."""
    names = ("api/a", "api/public", "data%20base", "x?id=1&y", "other")
    loads = "".join(
        f"fetch('/{name}').then((said) => said.text()).then((text) => root.append(text));"
        for name in names
    )
    rules = ("/api/", "/data base", "/*?id=", "/s$")
    robots = "\n".join(["User-agent: *", "Allow: /api/public", *(f"Disallow: {r}" for r in rules)])
    site = {"/": app(loads, head="<script src=/s></script><script src=/s2></script>")}
    server = serve({**site, "/robots.txt": text(robots)})
    allowed = {"/", "/api/public", "/other", "/s2"}
    for argument, expected in (
        ("robots=obey", allowed),
        ("robots=ignore", {*(f"/{name}" for name in names), *allowed, "/s"}),
    ):
        server.visits.clear()
        result = crawl(server.url, argument, "fresh=true", settings=QUICK)
        told = re.findall(
            r"loads \S+, which is disallowed \(robots.txt line \d.*read without", result.log
        )
        assert len(told) == (argument == "robots=obey")
        loaded = {visit.path for visit in server.visits if visit.headers.get("Sec-Fetch-Dest")}
        assert loaded == expected


STORES = """
    const seen = localStorage.seen || sessionStorage.seen || document.cookie;
    const store = () => {
        localStorage.seen = sessionStorage.seen = 1;
        document.cookie = "seen=1";
    };
    store();
"""
LATER = """
    setInterval(store, 1);
    addEventListener("pagehide", store);
    const again = () => { store(); requestAnimationFrame(again); };
    again();
"""
WORKER = """
    const code = new Blob(["setInterval(() => postMessage(1), 1)"]);
    new Worker(URL.createObjectURL(code)).onmessage = store;
"""
DATABASE = """
    const open = () => { indexedDB.open("a").onsuccess = () => { store(); open(); }; };
    open();
"""


@pytest.mark.full
@pytest.mark.parametrize(
    ("more_of_it", "policy"),
    [(WORKER, ""), (DATABASE, ""), *rest((LATER, ""), (DATABASE, "script-src 'nonce-a'"))],
)
def test_what_a_page_stores_is_gone_with_it(
    more_of_it: str, policy: str, serve: Serve, crawl: Crawler
) -> None:
    """Also what it stores while the next page is waited for."""
    script = STORES + more_of_it + "if (seen) {" + links("/leak") + "};"
    more = [f"/page-{number}" for number in range(4)]
    shown = app(script + links("/", *more))
    shown = shown._replace(
        body=str(shown.body).replace("<script>", "<script nonce=a>"),
        headers={**shown.headers, "Content-Security-Policy": policy},
        delay=0.5,
    )
    server = serve(lambda path: None if path == "/robots.txt" else shown)
    settings = (*QUICK, "-s", "SITEMAPGEN_RENDERING_TABS=1")
    result = crawl(server.url, "duplicates=off", settings=settings)
    assert f"{server.url}leak" not in result.verdicts
    assert len(result.sitemap) == 5


@pytest.mark.full
@pytest.mark.parametrize("is_remote", [False, True])
def test_private_addresses_are_out_of_reach(
    is_remote: bool, serve: Serve, crawl: Crawler, remote_browser: Callable[[str], RemoteBrowser]
) -> None:
    """The site seems public, through a proxy that would reach anything; its pages try."""
    endpoint = remote_browser("remote").url if is_remote else ""
    server = serve({})
    here = f"127.0.0.1:{server.port}"
    attempts = f"""
        fetch("http://{here}/fetched", {{mode: "no-cors"}});
        fetch("/bounce", {{mode: "no-cors"}});
        new Image().src = "http://{here}/image";
        const frame = root.appendChild(document.createElement("iframe"));
        frame.src = "http://{here}/frame";
        const code = `fetch("http://{here}/worker", {{mode: "no-cors"}})`;
        new Worker(URL.createObjectURL(new Blob([code])));
        setTimeout(() => {{ location = "http://{here}/away"; }}, 1000);
    """
    server.site = {
        "/": app(links("/attempts", "/good")),
        "/attempts": app(attempts),
        "/bounce": Answer(status=302, headers={"Location": f"http://{here}/bounced"}),
        "/good": app(links("/")),
    }
    with Proxy(server.port, BASIC) as proxy:
        result = crawl(
            "http://shop.invalid/",
            f"proxy=http://owner:S3CRET@127.0.0.1:{proxy.port}",
            settings=(
                *(*QUICK, "-s", "SITEMAPGEN_RENDERING_QUIET=1.2", "-s", "LOG_LEVEL=DEBUG"),
                *("-s", f"PLAYWRIGHT_CDP_URL={endpoint}"),
            ),
        )
    assert result.code == 0, [result.log, proxy.asked]
    assert not {"/fetched", "/bounced", "/image", "/frame", "/worker", "/away"} & set(server.paths)
    assert result.sitemap == ["http://shop.invalid/", "http://shop.invalid/good"]
    assert result.verdicts["http://shop.invalid/attempts"] == "offsite_redirect"
    assert "/bounce" in server.paths
    assert not [asked.line for asked in proxy.asked if "127.0.0.1" in asked.line]


@pytest.mark.full
def test_pages_that_a_middleware_sends_by_scrapy_playwright(serve: Serve, crawl: Crawler) -> None:
    """The rules of the crawl hold: private addresses, proxy, logins; a redirect is a URL."""
    server = serve({})
    attempts = f"""
        fetch("http://127.0.0.1:{server.port}/fetched", {{mode: "no-cors"}});
        fetch("http://other.invalid/data", {{mode: "no-cors"}});
        for (const url of ["http://127.0.0.1:{server.port}/frame", "http://other.invalid/frame"])
            root.appendChild(document.createElement("iframe")).src = url;
    """
    server.site = {
        "/": app(links("/attempts", "/good", "/moved") + attempts),
        "/attempts": app(links("/") + attempts),
        "/good": page(),
        "/moved": redirect("/good"),
        "/data": text("x"),
        "/frame": page(),
    }
    with Proxy(server.port, BASIC) as proxy:
        result = crawl(
            "http://shop.invalid/",
            *GIVEN,
            f"proxy=http://owner:S3CRET@127.0.0.1:{proxy.port}",
            settings=(*QUICK, *KEYED),
        )
    assert result.code == 0, result.log
    assert result.sitemap == [f"http://shop.invalid/{name}" for name in ("", "attempts", "good")]
    assert result.verdicts["http://shop.invalid/moved"] == "redirect"
    assert not [asked.line for asked in proxy.asked if "127.0.0.1" in asked.line]
    hosts = {visit.headers["Host"]: str(visit.headers) for visit in server.visits}
    assert set(hosts) == {"shop.invalid", "other.invalid"}
    assert "S3CRET" in hosts["shop.invalid"]
    assert not [
        visit.path
        for visit in server.visits
        if visit.headers["Host"] == "other.invalid" and "S3CRET" in str(visit.headers)
    ]
    assert "S3CRET" not in result.log


@pytest.mark.full
@pytest.mark.parametrize("host", ["localhost", *rest("127.0.0.1", "[::ffff:127.0.0.1]")])
def test_a_browser_for_a_public_site_resolves_no_private_host(host: str, serve: Serve) -> None:
    from playwright.async_api import Error
    from scrapy.settings import Settings

    from sitemapgen.browser.chromium import Chromium

    server = serve({"/": page()})

    async def visit(site: str) -> str:
        chromium = await Chromium.start(Settings({"SITEMAPGEN_BROWSER": BROWSER}), site)
        try:
            tab = await chromium.browser.new_page()
            try:
                await tab.goto(f"http://{host}:{server.port}/", timeout=1_000 * DEADLINE)
            except Error as error:
                return error.message
            return ""
        finally:
            await chromium.end()

    assert "ERR_NAME_NOT_RESOLVED" in asyncio.run(visit("https://shop.invalid/"))
    assert not server.visits


# What a browser costs


@pytest.mark.full
def test_a_tab_is_one_process(serve: Serve) -> None:
    from scrapy.settings import Settings

    from sitemapgen.browser.chromium import Chromium

    server = serve({"/": page("/a"), "/a": page("/")})

    async def count() -> tuple[int, list[set[str]]]:
        """The renderers of two tabs; the features that each argument switches off."""
        chromium = await Chromium.start(Settings({"SITEMAPGEN_BROWSER": BROWSER}), server.url)
        try:
            for _ in range(2):
                tab = await chromium.browser.new_page()
                for path in ("", "a"):
                    await tab.goto(f"{server.url}{path}")
            await asyncio.sleep(1)
            lines = []
            for child in psutil.Process().children(recursive=True):
                with suppress(psutil.Error):
                    lines.append(child.cmdline())
        finally:
            await chromium.end()
        main = next(line for line in lines if "--remote-debugging-pipe" in line)
        off = [part.partition("=")[2] for part in main if part.startswith("--disable-features=")]
        renderers = sum("--type=renderer" in line for line in lines)
        return renderers, [set(features.split(",")) for features in off]

    renderers, (playwrights, ours) = asyncio.run(count())
    assert renderers == 2
    assert playwrights < ours  # of which Chromium takes the last
