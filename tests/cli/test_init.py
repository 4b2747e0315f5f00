"""``sitemapgen init``: a few requests, and a sitemapgen.toml by which a crawl lists the same."""

import re
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from sitemapgen.cli import sites
from sitemapgen.params import ACCESS
from tests.cli.commands import Result, run
from tests.helpers.browser import BROWSER, app, links, needs_browser
from tests.helpers.crawls import IMPATIENT, Crawl
from tests.helpers.platforms import latest, topic
from tests.helpers.server import Answer, Server, index, page, redirect, text, urlset
from tests.helpers.store_front import StoreFront

pytestmark = pytest.mark.sample

FAST = (*IMPATIENT, "-s", "RETRY_TIMES=0", "-s", "DOWNLOAD_TIMEOUT=2")
WORDS = "A thing that is made of several parts, number {0}, and of {0}{0}{0} more. "
MOST = 60
"""Requests."""


def old_shop(path: str) -> Answer | None:
    """Answer as a shop with sessions, carts and print views, and links to all of them."""
    path, _, query = path.partition("?")
    number = query.partition("=")[2].partition("&")[0]
    products = [f"/product.php?id={each}&PHPSESSID=0a1b2c3d4e5f6a7b8c9d" for each in range(30)]
    if path == "/":
        return page(*products, "/cart.php?show=1", title="Shop", text="Welcome to the shop.")
    if path == "/cart.php":
        return page("/", title="Cart", text="Your cart is empty, as carts are in the beginning.")
    if path not in ("/product.php", "/print.php") or not number.isdecimal():
        return None
    canonical = f'<link rel="canonical" href="/product.php?id={number}">'
    head = canonical if path == "/print.php" else ""
    links = [f"/print.php?id={number}", f"/cart.php?add={number}"] if not head else []
    words = WORDS.format(number) * 9
    return page("/", *links, head=head, title=f"Product {number}", text=words)


def store_front(serve: Callable[..., Server]) -> Server:
    server = serve({})
    server.site = StoreFront(server.url.rstrip("/"))
    return server


def init(url: str, where: Path, *words: str) -> Result:
    return run("init", url, *FAST, *words, cwd=where)


def name_of(server: Server) -> str:
    return f"127-0-0-1-{server.port}"


def crawled(where: Path, *words: str) -> Crawl:
    """Crawl into a directory of its own."""
    output = where / f"of-{words[0].replace('/', '')}"
    result = run("crawl", *words, "--output", str(output), *FAST, cwd=where)
    return Crawl(result.returncode, result.stderr, output)


def test_an_old_shop(serve: Callable[..., Server], tmp_path: Path) -> None:
    """Carts and print views are left out, and the same pages listed with fewer requests."""
    server = serve(old_shop)
    result = init(server.url, tmp_path)
    assert result.returncode == 0, result.stderr
    assert len(server.visits) <= MOST
    file = tmp_path / "sitemapgen.toml"
    assert [each.name for each in tmp_path.iterdir()] == [file.name]
    assert result.stdout.endswith(file.read_text("utf-8"))
    site = sites.read_sites(file)[name_of(server)]
    output = f"output/127.0.0.1_{server.port}"
    patterns = "/cart.php?add=*,/print.php?id=*"
    assert site.arguments == {"url": server.url, "output": output, "exclude": patterns}
    assert f"\n# 0 4 * * 1  cd {tmp_path} && " in result.stdout
    assert "\n# It has no sitemap.\n" in result.stdout
    with_file, without = crawled(tmp_path, name_of(server)), crawled(tmp_path, server.url)
    assert with_file.sitemap == without.sitemap
    assert len(with_file.sitemap) == 1 + 30 + 1
    assert with_file.report["fetched"] < without.report["fetched"]


def test_one_page_at_many_addresses(serve: Callable[..., Server], tmp_path: Path) -> None:
    """It may have been meant as a page: the pattern is a comment."""
    server = serve(lambda path: SAME.get(path.partition("?")[0]))
    result = init(server.url, tmp_path)
    assert result.returncode == 0, result.stderr
    assert '\n# exclude = [\n#   "/basket?add=*",  # duplicate 5, listed 1\n# ]\n' in result.stdout
    assert (
        "exclude" not in sites.read_sites(tmp_path / "sitemapgen.toml")[name_of(server)].arguments
    )


SAME = {
    "/": page(*(f"/basket?add={number}" for number in range(6)), title="Home", text="Welcome."),
    "/basket": page("/", title="Basket", text=WORDS.format(1) * 9),
}


def test_a_store_of_a_known_system(serve: Callable[..., Server], tmp_path: Path) -> None:
    """Copies by which other pages are found are not left out: that would change what is listed."""
    server = store_front(serve)
    result = init(server.url, tmp_path)
    assert result.returncode == 0, result.stderr
    assert len(server.visits) <= MOST
    assert "\n# Its system: shopify, which names 62 pages" in result.stdout
    assert f"\n#   {server.url}sitemap.xml: index" in result.stdout
    site = sites.read_sites(tmp_path / "sitemapgen.toml")[name_of(server)]
    assert '\n#   "/collections/*/*/*",  # canonicalised ' in result.stdout
    assert "exclude" not in site.arguments
    with_file, without = crawled(tmp_path, name_of(server)), crawled(tmp_path, server.url)
    assert with_file.sitemap == without.sitemap


def test_sitemaps_and_missing_pages_without_number(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    """A site of any size costs no more requests; the start URL is that after redirects."""

    def answer(path: str) -> Answer | None:
        if path == "/robots.txt":
            return text(f"Sitemap: {server.url}sitemap.xml\n")
        if path == "/sitemap.xml":
            return index(*(f"{n}.xml" for n in range(99)), base=server.url)
        if path.endswith(".xml"):
            return urlset(*(f"{path[1:-4]}/{n}" for n in range(99)), base=server.url)
        if path == "/":
            return redirect("/en/")
        return page("/en/", f"{path}/x", title=path, text=WORDS.format(path))

    server = serve(answer)
    result = init(server.url, tmp_path)
    assert result.returncode == 0, result.stderr
    assert len(server.visits) <= MOST
    site = sites.read_sites(tmp_path / "sitemapgen.toml")[name_of(server)]
    assert site.arguments["url"] == f"{server.url}en/"
    assert '\n# To leave out: nothing was found\n# exclude = [\n#   "/tag/*",\n' in result.stdout


def test_a_large_forum(serve: Callable[..., Server], tmp_path: Path) -> None:
    """Its system is not asked for all of its pages."""

    def answer(path: str) -> Answer | None:
        path, _, query = path.partition("?")
        if path == "/":
            head = '<meta name="generator" content="Discourse 3.4.1">'
            return page("/latest", head=head, title="Forum", text="Welcome to the forum.")
        if path == "/latest.json":
            number = int(query.rpartition("=")[2])
            topics = [topic(each, "a-topic") for each in range(100 * number, 100 * number + 100)]
            return Answer(latest(topics, more="/latest"))
        if path.startswith(("/t/", "/latest")):
            return page("/", title=path, text=WORDS.format(path))
        return None

    server = serve(answer)
    result = init(server.url, tmp_path)
    assert result.returncode == 0, result.stderr
    assert len(server.visits) <= MOST
    words = r"\n# Its system: discourse, which names [5-8]00 pages; not read further: "
    assert re.search(words, result.stdout)


@needs_browser
def test_pages_that_scripts_fill(serve: Callable[..., Server], tmp_path: Path) -> None:
    """Each is requested twice, by the browser as well; both count."""

    def answer(path: str) -> Answer | None:
        if path != "/" and not path.startswith("/thing/"):
            return None
        own = f"root.append('What is to say of {path} alone. '.repeat(9));"
        return app(links(*(f"/thing/{number}" for number in range(80))) + own)

    server = serve(answer)
    result = init(server.url, tmp_path, "-s", f"SITEMAPGEN_BROWSER={BROWSER}")
    assert result.returncode == 0, result.stderr
    assert len(server.visits) == MOST
    assert "\n# Pages that need a browser: " in result.stdout


def test_a_site_that_fails(serve: Callable[..., Server], tmp_path: Path) -> None:
    """Further attempts count."""
    paths = [f"/{number}" for number in range(80)]
    server = serve({"/": page(*paths), **dict.fromkeys(paths, Answer(status=500))})
    result = init(server.url, tmp_path, "-s", "RETRY_TIMES=3")
    assert result.returncode == 0, result.stderr
    assert len(server.visits) == MOST


def test_options_are_kept_and_secrets_are_not(
    serve: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve({"/": page("/a", "/b/c", title="A"), "/a": page(), "/b/c": page()})
    words = ("--auth", "ann:secret", "--exclude", "/b/*", "--gzip", "--max-pages", "7", "--fresh")
    result = init(server.url, tmp_path, *words, "--file", "sites.toml", "--profile", "fast")
    assert result.returncode == 0, result.stderr
    assert server.visits[-1].headers["Authorization"] == "Basic YW5uOnNlY3JldA=="
    assert "/b/c" not in server.paths
    assert "secret" not in result.stdout + result.stderr
    variable = f"{name_of(server).replace('-', '_').upper()}_AUTH"
    variable = f"SITE_{variable}"  # names of variables begin with no digit
    monkeypatch.setenv(variable, "ann:secret")
    site = sites.read_sites(tmp_path / "sites.toml")[name_of(server)]
    assert site.secrets == {"SITEMAPGEN_AUTH": "ann:secret"}
    given = {name: site.arguments[name] for name in ("exclude", "gzip", "max_pages")}
    assert given == {"exclude": "/b/*", "gzip": "true", "max_pages": "7"}
    assert site.arguments.keys() - given.keys() == {"url", "output"}
    assert site.settings["SITEMAPGEN_PROFILE"] == "fast"
    assert f"crawl {name_of(server)} --file sites.toml" in result.stdout
    assert ACCESS.keys().isdisjoint(site.arguments)


def test_a_file_that_is_there_stays(serve: Callable[..., Server], tmp_path: Path) -> None:
    server = serve({"/": page()})
    (tmp_path / "sitemapgen.toml").write_text("# mine\n")
    result = init(server.url, tmp_path)
    assert result.returncode == 2
    sentence = "sitemapgen: sitemapgen.toml: exists; move it away, or give another --file\n"
    assert result.stderr == sentence
    assert (tmp_path / "sitemapgen.toml").read_text() == "# mine\n"
    assert not server.visits


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("", "url: missing; give the URL of a site: sitemapgen init https://example.com"),
        ("http://[::1", "url: 'http://[::1' is not an http or https URL; write https://exampl"),
        ("a.example,b.example", "url: 'a.example,b.example' are several URLs; a crawl has one"),
    ],
)
def test_what_is_no_url(url: str, sentence: str, tmp_path: Path) -> None:
    assert_refused(run("init", *filter(None, [url]), cwd=tmp_path), 2, sentence, tmp_path)


def assert_refused(result: Result, code: int, sentence: str, where: Path) -> None:
    """One sentence for an error, with its exit code; and no file."""
    assert result.returncode == code, result.stderr
    assert f"sitemapgen: {sentence}" in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
    assert not result.stdout
    assert not list(where.iterdir())


def test_a_site_that_is_down(tmp_path: Path) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"https://127.0.0.1:{taken.getsockname()[1]}"
        sentence = f"{url}: the connection was refused; if the site has no https, http://127.0.0.1"
        assert_refused(init(url, tmp_path), 3, sentence, tmp_path)


LOGIN = page(title="Log in", text="Please log in with your name and your password, as before.")


def test_a_site_that_shows_a_form_alone(serve: Callable[..., Server], tmp_path: Path) -> None:
    """It is a page, and may be all that a site has."""
    result = init(serve({"/": LOGIN}).url, tmp_path)
    assert result.returncode == 0, result.stderr
    assert "\n# Only one page was found: behind a login, with --cookies; " in result.stdout


@pytest.mark.parametrize(
    ("site", "code", "sentence"),
    [
        ({"/": redirect("/login"), "/login": LOGIN}, 4, "the start page leads to a login, {}login"),
        ({"/": Answer(status=401)}, 3, "{}: HTTP 401; does it need a login? --auth user:password"),
        ({"/": Answer(status=503)}, 3, "{}: HTTP 503; it is overloaded, or in maintenance"),
        (
            {"/": app("1")},
            4,
            "nothing to list: unrenderable 1; its pages are empty without a browser",
        ),
    ],
    ids=["login", "authentication", "maintenance", "application"],
)
def test_a_site_that_shows_nothing(
    site: dict[str, Answer],
    code: int,
    sentence: str,
    serve: Callable[..., Server],
    tmp_path: Path,
) -> None:
    server = serve(site)
    result = init(
        server.url, tmp_path, "-s", "SITEMAPGEN_BROWSER=none", "-s", "SITEMAPGEN_BACKOFF_RETRIES=0"
    )
    assert_refused(result, code, sentence.format(server.url), tmp_path)
