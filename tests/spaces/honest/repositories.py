"""Code browsers and wikis: one script, several kinds of pages behind its parameters."""

from tests.helpers.server import Answer
from tests.spaces.pages import (
    Link,
    Theme,
    anchors,
    chunks,
    digest,
    pick,
    steps,
    table,
    vocabulary,
    words,
)
from tests.spaces.space import Pages, honest

FILES = vocabulary("files", 40)
COMMITS = [digest("commit", number) + digest(number)[:8] for number in range(100)]


@honest(views=r"/repo\?a=(?:shortlog;h|blob;f=\w+;hb)=\w+")
def gitweb() -> Pages:
    """100 commits with ;-separated parameters: commit, tree, diff; logs and old files are views."""
    theme = Theme("Repository", ("/repo?a=shortlog", "Log"))
    result = {"/": theme("Repository", "<p>Sources of a program.</p>")}
    logs = ["/repo?a=shortlog", *(f"/repo?a=shortlog;pg={page}" for page in range(1, 5))]
    for place, group in enumerate(chunks(COMMITS, 20)):
        shown = anchors(f"/repo?a=commit;h={commit}" for commit in group)
        result[logs[place]] = theme("Log", shown, links=steps(logs, place))
    for place, commit in enumerate(COMMITS):
        kinds = [f"/repo?a={kind};h={commit}" for kind in ("commit", "tree", "commitdiff")]
        log = f"/repo?a=shortlog;h={commit}"
        later = COMMITS[place : place + 20]
        links: list[Link] = [*kinds, log]
        before = [(f"/repo?a=commit;h={each}", "parent") for each in later[1:2]]
        files = [(f"/repo?a=blob;f={name};hb={commit}", name) for name in FILES[: 5 + place % 5]]
        diff = f"<pre>- x = {place}\n+ x = {place + 1}\n</pre>"
        facts = f"<p>{commit}</p>"
        result[kinds[0]] = theme(pick(commit, FILES, 4), facts, links=[*links, *before])
        result[kinds[1]] = theme(f"Tree {commit[:7]}", links=[*links, *files])
        result[kinds[2]] = theme(f"Difference {commit[:7]}", diff, links=links)
        result[log] = theme("Log", links=[f"/repo?a=commit;h={each}" for each in later])
        for address, name in files:
            result[address] = theme(name, f"<pre>{words(name, 20)}</pre>", links=links)
    return result


@honest(views=r"/repo/(?:tree|diff|log)/(?:\w+\.c)?\?id=\w+")
def cgit() -> Pages:
    """The same as paths: /repo/commit/?id=; logs, diffs and trees of old commits are views."""
    theme = Theme("Repository", ("/repo/log/", "Log"), ("/repo/tree/", "Tree"))
    result = {"/": theme("Repository", "<p>Sources of a program.</p>")}
    logs = ["/repo/log/", *(f"/repo/log/?ofs={start}" for start in range(25, 100, 25))]
    for place, group in enumerate(chunks(COMMITS, 25)):
        shown = anchors(f"/repo/commit/?id={commit}" for commit in group)
        result[logs[place]] = theme("Log", shown, links=steps(logs, place))
    names = [(f"/repo/tree/{name}.c", f"{name}.c") for name in FILES[:8]]
    result["/repo/tree/"] = theme("Tree", links=names)
    for address, name in names:
        result[address] = theme(name, f"<pre>{words(name, 30)}</pre>")
    for place, commit in enumerate(COMMITS):
        tabs = ("log", "tree", "commit", "diff")
        kinds: list[Link] = [(f"/repo/{kind}/?id={commit}", kind) for kind in tabs]
        log, tree, shown_commit, diff = (f"/repo/{kind}/?id={commit}" for kind in tabs)
        change = f"<pre>+ x = {place * 37}</pre>"
        facts = f"<p>{commit}</p>"
        before = [f"/repo/commit/?id={each}" for each in COMMITS[place + 1 : place + 2]]
        result[shown_commit] = theme(pick(commit, FILES, 4), facts, change, links=[*kinds, *before])
        result[diff] = theme(pick(commit, FILES, 4), change, links=kinds)
        later = COMMITS[place : place + 25]
        result[log] = theme("Log", links=[f"/repo/commit/?id={each}" for each in later])
        files = [(f"{address}?id={commit}", name) for address, name in names]
        result[tree] = theme("Tree", links=[*kinds, *files])
        for address, name in files:
            result[address] = theme(name, f"<pre>{words(name, 30)}</pre>")
    return result


@honest(apart=r"/tree/.*[?].*")
def sizes_as_of_commits() -> Pages:
    """40 commits; a directory and its three files as of each, to be left out, differ in sizes."""
    theme = Theme("Files", ("/log", "Log"))
    names = ("alpha", "beta", "gamma")
    files = [f"/tree/src/{name}" for name in names]
    ids = [f"?id={commit}" for commit in COMMITS[:40]]
    result = {"/": theme("Files", links=["/tree/src"])}
    result["/log"] = theme("Log", links=[f"/commit{each}" for each in ids])
    for place, at in enumerate(["", *ids]):
        sizes = [5000 * number + 97 * place for number in range(3)]
        rows = table(("Name", "Size"), zip(names, sizes))
        result[f"/tree/src{at}"] = theme("src", rows, links=[f"{file}{at}" for file in files])
        for file in files:
            lines = [words(f"{file} {number}", 6) for number in range(12)]
            lines[place % 12] = words(f"{file} {at}", 6)
            result[f"{file}{at}"] = theme(file, f"<pre>{chr(10).join(lines)}</pre>")
        if at:
            change = f"<p>{words(at, 9)}.</p>"
            result[f"/commit{at}"] = theme(pick(at, FILES, 4), change, links=[f"/tree/src{at}"])
    return result


@honest()
def wiki_of_files() -> Pages:
    """60 articles whose names look like files: Node.js, Map.png, README.txt."""
    theme = Theme("Wiki")
    endings = ("js", "png", "txt", "zip", "pdf", "io")
    names = [f"{name.title()}.{endings[n % 6]}" for n, name in enumerate(vocabulary("wiki", 60))]
    addresses = [f"/wiki/{name}" for name in names]
    result = {}
    for place, address in enumerate(addresses):
        also = [addresses[(5 * place + n) % 60] for n in range(5)]
        result[address] = theme(names[place], f"<p>{words(address, 15)}.</p>", links=also)
    return {"/": theme("Wiki", links=addresses[:6]), **result}


@honest(views=r"/\+(show|source)/\+\w+/\w+|/\+(history|source)/\w+", most=80)
def wiki_of_versions() -> Pages:
    """60 articles, their histories, and two to four versions of each: /+show/+8eef71e/lamp.

    A version has the text that the article had, under a line of its own, and a view of its source.
    """
    theme = Theme("Wiki", ("/+history", "Recent changes"))
    names = vocabulary("articles", 60)
    result = {"/": theme("Wiki", "<p>About everything.</p>", links=[f"/{name}" for name in names])}
    result["/+history"] = theme("Recent changes", links=[f"/+history/{name}" for name in names])
    for place, name in enumerate(names):
        lines = [f"<p>{words(f'{name} {line}', 12)}.</p>" for line in range(6)]
        also: list[Link] = [f"/{names[(place * 7 + step) % 60]}" for step in (3, 11)]
        also += [
            (f"/+{view}/{name}", view.title()) for view in ("history", "source", "edit", "rename")
        ]
        versions = [f"+{digest(name, number)}/{name}" for number in range(2 + place % 3)]
        for number, version in enumerate(versions):
            text = "".join(lines[: 3 + number])
            head = f"<p>Version {number + 1} of {20 - place % 9} May.</p>"
            nearby = [f"/+show/{each}" for each in versions[max(number - 1, 0) : number + 2]]
            nearby.append(f"/+source/{version}")
            result[f"/+show/{version}"] = theme(name, head + text, links=[*also, *nearby])
            source = f"{head}<pre>{text}</pre>"
            result[f"/+source/{version}"] = theme(name, source, links=[*also, *nearby])
        shown = [f"/+show/{version}" for version in versions]
        text = "".join(lines[: 2 + len(versions)])
        result[f"/{name}"] = theme(name, text, links=also)
        result[f"/+source/{name}"] = theme(name, f"<pre>{text}</pre>", links=also)
        result[f"/+history/{name}"] = theme(f"History of {name}", links=[f"/{name}", *shown])
    return result


@honest()
def bug_tracker() -> Pages:
    """260 bugs, show_bug.cgi?id=, with short titles, each naming the one that it depends on."""
    theme = Theme("Bugs", ("/buglist.cgi", "All"))
    addresses = [f"/show_bug.cgi?id={number}" for number in range(1, 261)]
    result = {"/": theme("Bugs", "<p>Bugs.</p>"), "/buglist.cgi": theme("Bugs", links=addresses)}
    for number, address in enumerate(addresses, 1):
        title = f"Bug {number}: {pick(address, FILES, 2)} crashes"
        facts = f"<p>Status: fixed. Priority: P{number % 5}.</p>"
        result[address] = theme(title, facts, links=[addresses[number * 17 % 260]])
    return result


@honest()
def one_script() -> Pages:
    """A legacy site: index.php?page=NAME and index.php?page=news&id=N."""
    theme = Theme("Legacy", ("/index.php?page=news", "News"))
    names = [name for name in FILES if name != "news"]
    result: dict[str, Answer] = {}
    for name in names:
        result[f"/index.php?page={name}"] = theme(name, f"<p>{words(name, 15)}.</p>")
    items = [f"/index.php?page=news&id={number}" for number in range(200)]
    result["/index.php?page=news"] = theme("News", links=items)
    for number, address in enumerate(items):
        result[address] = theme("News", f"<p>{pick(address, FILES, 5)} {number}.</p>")
    return {"/": theme("Legacy", links=[f"/index.php?page={name}" for name in names]), **result}


def _changed(name: str, revision: int) -> str:
    """A file of 30 lines: every 15th revision has changed one of them."""
    lines = [f"{words(f'{name} {line}', 7)}." for line in range(30)]
    for before in range(FILES.index(name.removesuffix(".c")) % 15, revision + 1, 15):
        lines[before * 7 % 30] = f"{words(f'{name} as of {before}', 7)}."
    return f"<pre>{'<br>'.join(lines)}</pre>"


def _revisions(address: str) -> Pages:
    """A code browser with 60 revisions of 30 files, two of them gone.

    ``address`` of a page of a kind as of a revision.
    """
    theme = Theme(
        "Browse", ("/browse/changes", "Changes"), (_at(address, "files", "head"), "Files")
    )
    revisions = [f"/browse/revision/{number}" for number in range(1, 61)]
    result = {"/": theme("Browse", "<p>Sources of a program.</p>")}
    result["/browse/changes"] = theme("Changes", links=revisions)
    for at in ("head", *range(1, 61)):
        number = 60 if at == "head" else int(at)
        message = f"<p>{words(f'message of {number}', 15)}.</p>"
        files = [f"{name}.c" for name in FILES[: 28 if number == 60 else 30]]
        shown = [(_at(address, "view", at, file), file) for file in files]
        up: list[Link] = [_at(address, "files", at), f"/browse/revision/{number}"]
        if at != "head":
            diff = f"<pre>{words(f'diff of {number}', 40)}.</pre>"
            result[revisions[number - 1]] = theme(f"Revision {number}", message, diff, links=up)
        result[_at(address, "files", at)] = theme(f"Files of {at}", links=[*shown, up[1]])
        for page, file in shown:
            text, blame = _changed(file, number), _at(address, "blame", at, file)
            title = f"{file} at {at}"
            result[page] = theme(title, message, text, links=[*up, (blame, "Blame")])
            lines = [*up, *revisions[max(0, number - 9) : number]]
            result[blame] = theme(f"Blame of {title}", text, links=lines)
    return result


def _at(address: str, kind: str, revision: object, file: str = "") -> str:
    return address.format(kind=kind, at=revision, path=f"src/{file}" if file else "src")


@honest(views=r"/browse/(?:(?:view|files)/\d+|blame/\w+)/.*", most=120)
def revisions_in_paths() -> Pages:
    """The revision of a code browser in its paths: /browse/view/17/src/a.c."""
    return _revisions("/browse/{kind}/{at}/{path}")


@honest(views=r"/browse/(?:(?:view|files)\?.*&rev=\d+|blame\?.*)", most=120)
def revisions_in_queries() -> Pages:
    """The same as a parameter that no link leaves out: /browse/view?file=src/a.c&rev=17."""
    return _revisions("/browse/{kind}?file={path}&rev={at}")


@honest()
def numbered_manuals() -> Pages:
    """40 pages of a manual for 12 versions: /manual/9/install, which hardly differ."""
    theme = Theme("Manual")
    names = [f"{name}-guide" for name in FILES]
    result = {"/": theme("Manual", links=[f"/manual/{version}/" for version in range(1, 13)])}
    for version in range(1, 13):
        pages = [f"/manual/{version}/{name}" for name in names]
        result[f"/manual/{version}/"] = theme(f"Manual {version}", links=pages)
        for page, name in zip(pages, names):
            text = f"<p>{'. '.join(words(f'{name} {at}', 9) for at in range(9))}.</p>"
            own = f"<p>{words(f'{name} in {version}', 4)}.</p>"
            result[page] = theme(f"{name} {version}", text, own, links=[f"/manual/{version}/"])
    return result


def _routes(address: str) -> Pages:
    """60 bus routes with four pages each, with numbers as titles. ``address`` of a page."""
    theme = Theme("Buses")
    kinds = "stops", "times", "fares", "map"
    stops = [f"/stop/{number}" for number in range(1, 81)]
    result = {
        "/": theme(
            "Buses", links=[address.format(route=route, kind="stops") for route in range(1, 61)]
        )
    }
    for number, stop in enumerate(stops, 1):
        result[stop] = theme(f"Stop {number}", f"<p>{words(stop, 12)}.</p>")
    for route in range(1, 61):
        tabs = [address.format(route=route, kind=kind) for kind in kinds]
        some = [stops[(route * 7 + step * 3) % 80] for step in range(10)]
        hours = [[f"{hour:02}:{(route * 13 + hour * 7) % 60:02}"] for hour in range(5, 23)]
        terms = f"<p>{words('terms', 60)}.</p>"
        result[tabs[0]] = theme(f"Route {route}", terms, links=[*some, *tabs])
        result[tabs[1]] = theme(f"Route {route}", terms, table(("Departs",), hours), links=tabs)
        prices = [[step, f"{route * 0.35 + step * 1.1:.2f}"] for step in range(1, 7)]
        fares = table(("Zones", "Fare"), prices)
        result[tabs[2]] = theme(f"Fares of route {route}", terms, fares, links=tabs)
        plan = f'<img src="/img/route-{route}.png" alt="Route {route}">'
        result[tabs[3]] = theme(f"Map of route {route}", terms, plan, links=tabs)
    return result


@honest()
def bus_routes() -> Pages:
    """The number of a route in its path: /route/12/stops."""
    return _routes("/route/{route}/{kind}")


@honest()
def bus_routes_in_queries() -> Pages:
    """The same as a parameter: /route?show=stops&number=12."""
    return _routes("/route?show={kind}&number={route}")
