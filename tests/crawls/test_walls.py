"""Servers that lead every page to one that demands a cookie; and sites that only look like it."""

from collections.abc import Callable
from urllib.parse import quote

import pytest

from tests.helpers.crawls import Crawler
from tests.helpers.server import Answer, Serve, page, redirect, urlset

NAMES = ("/news", "/sport", "/match?id=1", "/match?id=2")
COOKIE = "if the site needs a cookie first, -a cookies=name=value"
Respond = Callable[[str], Answer | None]


def consent(path: str) -> Answer | None:
    """A form that names the page to return to."""
    if path == "/privacy":
        return page(title="Privacy", text="What is kept of visitors, and for how long.")
    if path.startswith("/consent?return="):
        back = f"Before you continue to {path.partition('=')[2]}: do you agree?"
        return page("/privacy", *NAMES[:2], title="Consent", text=back)
    return redirect(f"/consent?return={quote(path, safe='')}", 302)


def cookie_test(path: str) -> Answer | None:
    """A page without an address to return to, behind a redirect that sets the cookie."""
    if path == "/no-cookies":
        return page(*NAMES[:2], title="No cookies", text="Please enable cookies.")
    if "cookieTest" in path:
        return redirect("/no-cookies", 302)
    return redirect(f"{path}{'&' if '?' in path else '?'}cookieTest=1", 302)


@pytest.mark.parametrize(
    ("respond", "sentence"),
    [
        (consent, "3 of 4 pages, the start page among them, redirect to {}consent?return=%2F"),
        (cookie_test, "3 of 3 pages, the start page among them, redirect to {}no-cookies"),
    ],
)
def test_a_wall_is_no_site(respond: Respond, sentence: str, serve: Serve, crawl: Crawler) -> None:
    server = serve(lambda path: None if path == "/robots.txt" else respond(path))
    result = crawl(server.url)
    words = f"{sentence.format(server.url)}: {COOKIE}"
    assert (result.code, words in result.log) == (5, True), result.log
    assert (
        f"{result.output}: not published, since {words}; the new files"
        in result.outcome["sentence"]
    )
    assert not (result.output / "sitemap.xml").exists()
    refused = crawl(server.url, "force=true")
    assert (refused.code, words in refused.log) == (0, True)
    assert refused.report["wall"]["is_proved"]
    first = refused.report["priorities"][0]
    assert (first["id"], first["sentence"]) == ("wall", f"{words}.")


def test_a_wall_does_not_replace_a_sitemap(serve: Serve, crawl: Crawler) -> None:
    server = serve({"/": page("/news"), "/news": page("/")})
    before = crawl.published(server.url).sitemap
    server.site = consent
    result = crawl(server.url)
    assert (result.code, result.sitemap) == (5, before)
    assert "redirect to" in result.outcome["sentence"]


def moved(path: str) -> Answer | None:
    """An old site whose addresses, which its sitemap still lists, redirect to a new page."""
    if path == "/sitemap.xml":
        return urlset(*(f"old/{number}" for number in range(9)))
    if path == "/new":
        return page("/", title="New", text="The whole site is this page now.")
    return redirect("/new") if path == "/" or path.startswith("/old/") else None


def members(path: str) -> Answer | None:
    """Six of ten pages need a login."""
    names = [f"/{'members' if number < 6 else 'public'}/{number}" for number in range(10)]
    if path.startswith("/login"):
        return page(title="Log in", text="<form><input type=password></form>")
    if path == "/":
        return page(*names, title="Home")
    if path.startswith("/members/") and path in names:
        return redirect(f"/login?next={path}", 302)
    return page(title=path, text=f"What {path} is.") if path in names else None


def one_page(path: str) -> Answer | None:
    if path in ("/", "/index.html"):
        return redirect("/home")
    return page("/", "/index.html", title="Home") if path == "/home" else None


def front_controller(path: str) -> Answer | None:
    """Each page is at an address with the one that is linked."""
    if path.startswith("/index.php?path=/"):
        of = path.partition("=")[2]
        return page("/", *NAMES[:2], title=f"Page {of}", text=f"{len(of)} things: {of[::-1]}.")
    return redirect(f"/index.php?path={path}") if path in ("/", *NAMES) else None


def main_page(path: str) -> Answer | None:
    """The start page redirects with its address, and the other pages do not."""
    if path == "/":
        return redirect("/welcome?from=/")
    of = ("/welcome?from=/", *NAMES)
    following = dict(zip(of, NAMES))
    return page(following.get(path, "/"), title=path, text=f"On {path}.") if path in of else None


@pytest.mark.parametrize("respond", [moved, members, one_page, front_controller, main_page])
def test_sites_that_redirect(respond: Respond, serve: Serve, crawl: Crawler) -> None:
    result = crawl.published(serve(respond).url)
    wall = result.report["wall"]
    assert (COOKIE in result.log) == (respond is moved)
    assert (wall and wall["is_proved"]) == (False if respond is moved else None)
