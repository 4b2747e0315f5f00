"""Login forms with the address to return to in their URLs are not listed; pages like them are."""

import random
from urllib.parse import quote
from zlib import crc32

from tests.helpers.crawls import IMPATIENT, Crawler
from tests.helpers.server import HERE, Answer, page, redirect

TOPICS = 8
WORDS = ["river", "garden", "market", "engine", "teacher", "window", "valley", "letter"]
FIELD = '<form method=post><input name=user><input type="Password" name=word></form>'
BOX = f"<nav>{FIELD}</nav>"


def form(title: str = "Log in") -> Answer:
    """A form with a captcha, another one at each reading."""
    return page(title=title, text=f"{title} {FIELD} captcha {random.random()}")


def topic(path: str) -> Answer:
    """A topic; its login form returns to it."""
    text = " ".join(random.Random(path).choices(WORDS, k=60))
    return page(f"/sign_in?next={quote(path, safe='')}", title=path, text=text)


TARGETS = {
    "/members/": lambda path: f"/login?return_to={path}&csrf={crc32(path.encode()):x}",
    "/edit/": lambda path: f"/signin{path}",
    "/orders": lambda path: f"/require?from={path}",
    "/moved/": lambda path: f"/index.php?path={path}",
}
"""Where a path below one of these redirects to."""
NEED_A_LOGIN = [
    *(f"/members/{number}" for number in range(1, 7)),
    *(f"/edit/{name}" for name in ("ash", "elm", "oak", "fir")),
    "/orders",
]
MOVED = [f"/moved/{number}" for number in range(1, 6)]
TOPIC = [f"/topic/{number}" for number in range(TOPICS)]


def site(path: str) -> Answer | None:
    plain = path.partition("?")[0]
    if path == "/":
        return page("/login", "/secret", "/account", *NEED_A_LOGIN, *MOVED, *TOPIC, title="Home")
    if plain in ("/login", "/sign_in", "/konto") or plain.startswith("/signin/"):
        return form(f"Log in {plain}")
    if path == "/secret":
        return page(title="Secret", text=f"Protected. {FIELD}")
    if path == "/require?from=/orders":  # on the way to the form
        return redirect(f"/konto?ziel={HERE}orders", 302)
    if path == "/account":
        return redirect("/login")
    if path.startswith("/index.php?path=/moved/"):
        return page(title="Board", text=f"{BOX}{WORDS[int(path[-1])]} is what this is about")
    if path in TOPIC:
        return topic(path)
    for start, target in TARGETS.items():
        if path.startswith(start) and path in (*NEED_A_LOGIN, *MOVED):
            return redirect(target(path), 302)
    return None


def test_login_forms(crawl: Crawler) -> None:
    server, one = crawl.site(site, settings=(*IMPATIENT, "-s", "CONCURRENT_REQUESTS=1"))
    files = one.files
    del server.visits[:]
    result = crawl(server.url, "fresh=true", settings=(*IMPATIENT, "-s", "CONCURRENT_REQUESTS=16"))
    assert result.files == files, "the order of the answers decides nothing"

    paths = {f"/{url.removeprefix(server.url)}": word for url, word in result.verdicts.items()}
    listed = {path for path, word in paths.items() if word == "listed"}
    moved = {f"/index.php?path={path}" for path in MOVED}
    assert listed == {"/", "/login", "/secret", *TOPIC, *moved}
    forms = {path for path, word in paths.items() if word == "login"}
    of_edits = {path for path in forms if path.startswith("/signin/")}
    assert len(of_edits) == 4
    assert len(forms) == len(NEED_A_LOGIN) + TOPICS
    assert {paths[path] for path in [*NEED_A_LOGIN, *MOVED]} == {"redirect"}
    for start in ("/login?", "/sign_in?"):
        assert sum(path.startswith(start) for path in server.paths) == 3
    assert sum(path.startswith("/konto") for path in server.paths) == 1

    found = result.report["logins"]
    assert (found["count"], found["forms"]) == (len(NEED_A_LOGIN), len(forms))
    assert "11 URLs need a login" in result.log
    assert "-a cookies=" in result.log
    fix = next(fix for fix in result.report["priorities"] if fix["id"] == "logins")
    assert fix["count"] == 11
    assert result.report["complete"]
