"""Bad input: one sentence, its exit code, and what was published before is still there."""

import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from socketserver import BaseRequestHandler

import pytest

from sitemapgen.core import remedies
from tests.crawls.commands import run
from tests.helpers.crawls import (
    DEADLINE,
    IMPATIENT,
    Crawl,
    Crawler,
    assert_one_sentence,
    command,
    rest,
    run_to_end,
    start,
    wait_for,
)
from tests.helpers.raw import Listener
from tests.helpers.server import Answer, Serve, page, redirect, text
from tests.helpers.tls import self_signed

FAST = (*IMPATIENT, "-s", "RETRY_TIMES=0", "-s", "DOWNLOAD_TIMEOUT=2")


@pytest.fixture
def published(tmp_path: Path) -> Iterator[Path]:
    """An output directory with an earlier sitemap, which has to survive."""
    output = tmp_path / "output"
    output.mkdir()
    before = {"sitemap.xml": b"<earlier/>", "urls.csv": b"earlier", "report.json": b"{}"}
    before["report.html"] = b"<p>earlier</p>"
    for name, content in before.items():
        (output / name).write_bytes(content)
    yield output
    assert {name: (output / name).read_bytes() for name in before} == before


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port that is taken, so that no other process is given it, and on which none listens."""
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        yield int(taken.getsockname()[1])


def test_a_host_that_does_not_resolve(crawl: Crawler, published: Path) -> None:
    result = crawl("http://nosuch.invalid/", settings=FAST)
    sentence = (
        "http://nosuch.invalid: the host name does not resolve; see that the name is spelt right"
    )
    assert_one_sentence(result, 3, sentence)


@pytest.mark.full
def test_a_refused_connection(
    crawl: Crawler, published: Path, closed_port: int, tmp_path: Path
) -> None:
    url = f"http://127.0.0.1:{closed_port}"
    sentence = f"{url}: the connection was refused; see that its server runs"
    assert_one_sentence(crawl(url, settings=FAST), 3, sentence)
    bare = f"127.0.0.1:{closed_port}"
    sentence = f"the connection was refused; if the site has no https, -a url=http://{bare}"
    assert_one_sentence(crawl(bare, settings=FAST, output=tmp_path / "other"), 3, sentence)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", remedies.NOT_TLS),
        (b"<html>what did you say</html>", remedies.NOT_TLS),
        (b"SSH-2.0-OpenSSH_9.2\r\n", remedies.NOT_TLS),
        (b"", remedies.CLOSED),
        (b"\x15\x03\x01\x00\x02\x02\x28", remedies.NO_TLS),  # an alert: handshake failure
    ],
)
def test_a_port_without_tls(answer: bytes, words: str, crawl: Crawler) -> None:
    def handle(handler: BaseRequestHandler) -> None:
        handler.request.recv(65_536)
        handler.request.sendall(answer)

    with Listener(handle) as listener:
        host = f"127.0.0.1:{listener.port}"
        result = crawl(host, settings=FAST)
    assert_one_sentence(result, 3, f"https://{host}: {words}; ")
    assert result.log.endswith(f"-a url=http://{host}\n") is (words != remedies.NO_TLS)


@pytest.mark.parametrize("with_names", [True, False])
def test_a_self_signed_certificate(
    with_names: bool, serve: Serve, crawl: Crawler, published: Path, tmp_path: Path
) -> None:
    server = serve({"/": page()}, tls=self_signed(tmp_path, with_names=with_names))
    sentence = "was not accepted; for a certificate of your own, -a verify_tls=false"
    assert_one_sentence(crawl(server.url, settings=FAST), 3, sentence)
    trusting = (*FAST, "-s", "DOWNLOAD_VERIFY_CERTIFICATES=False")
    assert crawl(server.url, settings=trusting, output=tmp_path / "other").code == 0


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("SITEMAPGEN_PRIORITY", '{"/blog/*": 8}', "8, the value of /blog/*, is no priority"),
        ("SITEMAPGEN_CHANGEFREQ", '{"/": "soon"}', "'soon', the value of /, is no changefreq"),
        ("SITEMAPGEN_HTML_TEMPLATE", "/no/such", "/no/such: cannot be read: no such file"),
    ],
)
def test_settings_of_the_files(
    name: str, value: str, sentence: str, crawl: Crawler, published: Path
) -> None:
    """They are refused before the crawl, not at its end, and by the commands as well."""
    result = crawl("http://127.0.0.1:9/", settings=(*FAST, "-s", f"{name}={value}"))
    assert_one_sentence(result, 2, f"{name}: {sentence}")
    again = run("publish", published, "-s", f"{name}={value}")
    assert again.code == 2
    assert again.sentence.startswith(f"ERROR {name}: {sentence}")


@pytest.mark.parametrize("name", ["publish", "report"])
def test_shares_out_of_range_for_commands(name: str, tmp_path: Path) -> None:
    result = run(name, tmp_path, "-s", "SITEMAPGEN_MAX_LOSS=20")
    sentence = "ERROR SITEMAPGEN_MAX_LOSS: '20' is out of range; use a number from 0 to 1"
    assert (result.code, result.sentence) == (2, sentence)


def test_a_bad_setting_costs_no_state(serve: Serve, crawl: Crawler) -> None:
    url = serve({"/": page()}).url
    store = crawl(url).output / "crawl.sqlite"
    before = store.read_bytes()
    bad = (*FAST, "-s", "SITEMAPGEN_NEAR_DUPLICATE_THRESHOLD=85")
    assert crawl(url, "fresh=true", settings=bad).code == 2
    assert store.read_bytes() == before


START_PAGES = [
    ({"/": Answer("", 404)}, 3, "HTTP 404; there is no page at this URL: open the site in a"),
    ({"/": Answer("", 500)}, 3, "HTTP 500; the server fails: look at its error log"),
    (
        {"/": Answer(status=0)},
        3,
        "/: the connection was closed without an answer; if the port speaks https, -a url=https://",
    ),
    ({"/": page()._replace(delay=9)}, 3, "no complete answer in time"),
    (
        {"/": redirect("http://shop.invalid/")},
        2,
        "redirects to another site; crawl that with -a url=http://shop.invalid/",
    ),
    (
        {"/": redirect("/a"), "/a": redirect("/")},
        3,
        "redirects in a circle; if the site needs a cookie first",
    ),
    (
        {
            "/": redirect("/1"),
            **{f"/{number}": redirect(f"/{number + 1}") for number in range(1, 9)},
        },
        3,
        "after 5 redirects in a row",
    ),
    ({"/": Answer("GIF", headers={"Content-Type": "image/gif"})}, 4, "nothing to list: not_html 1"),
    (
        {"/": page(), "/robots.txt": text("User-agent: *\nDisallow: /")},
        4,
        "nothing to list: robots_disallowed 1; its robots.txt keeps all crawlers out, those of "
        "search engines too; on a site of your own, -a robots=ignore",
    ),
    (
        {"/": page(head='<meta name="robots" content="noindex">')},
        4,
        "nothing to list: noindex 1; its pages have noindex, as before a launch: search engines "
        "list none either; remove it",
    ),
    (
        {"/": page(head='<link rel="canonical" href="https://live.example/">')},
        4,
        "nothing to list: canonicalised 1; its pages name others as canonical, as a staging copy "
        "names the live site: crawl that, or correct the canonicals",
    ),
    (
        {"/": page(), "/robots.txt": Answer("", 503)},
        3,
        "robots.txt: HTTP 503; without it nothing may be fetched; it is overloaded, or in "
        "maintenance: try later; for a site of your own, -a robots_unreachable=allow",
    ),
    ({"/": Answer("", 403)}, 3, "HTTP 403; it refuses crawlers: allow this one by its User-Agent"),
    (
        {"/": redirect("/login"), "/login": page(head='<meta name="robots" content="noindex">')},
        4,
        "/login; with the cookies of a browser that is logged in, -a cookies=name=value",
    ),
    (
        {"/": redirect("http://shop.invalid/oauth2/authorize?to=x")},
        2,
        "leads to the login of another site; with the cookies of a browser that is logged in, "
        "-a cookies=name=value: http://shop.invalid/oauth2/authorize?to=x",
    ),
]
FURTHER_START_PAGES = [
    ({"/": Answer("", 451)}, 3, "HTTP 451; if a browser shows it, it refuses crawlers: allow"),
    ({"/": Answer("", 502)}, 3, "HTTP 502; the application behind the web server does not answer"),
    (
        {"/": redirect("http://sso.shop.invalid/")},
        2,
        "redirects to another site; crawl that with -a url=http://sso.shop.invalid/",
    ),
    ({"/": Answer("", 401)}, 3, "HTTP 401; does it need a login? -a auth=user:password"),
]
"""Other words of the same classes: ``core/remedies.py`` has all of them."""


def test_a_start_page_that_leads_to_a_login(serve: Serve, crawl: Crawler, tmp_path: Path) -> None:
    server = serve({"/": redirect("/users/sign_in?to=/"), "/users/sign_in?to=/": page("/")})
    result = crawl.published(server.url, settings=FAST)
    assert "what needs a login is not crawled without one, -a cookies= or -a auth=" in result.log
    server = serve({"/": redirect("/blogging/in"), "/blogging/in": page("/")})
    assert "login" not in crawl(server.url, settings=FAST, output=tmp_path / "other").log


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["sitmap", "-a", "url=a"], "sitmap: no such spider; did you mean sitemap?"),
        (["shop"], "shop: no such spider; there is sitemap, worker"),
        (
            ["sitemap", "https://a.example"],
            "https://a.example: arguments have names: "
            "scrapy crawl sitemap -a url=https://a.example",
        ),
    ],
)
def test_spiders_and_operands(words: list[str], sentence: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = run_to_end([sys.executable, "-m", "scrapy", "crawl", *words], log)
    assert_one_sentence(Crawl(code, log.read_text(), tmp_path), 2, sentence)


@pytest.mark.parametrize(
    ("site", "code", "sentence"),
    [*START_PAGES, *rest(*FURTHER_START_PAGES)],
    ids=lambda value: str(value)[:40],
)
def test_start_pages(
    site: dict[str, Answer], code: int, sentence: str, serve: Serve, crawl: Crawler, published: Path
) -> None:
    assert_one_sentence(crawl(serve(site).url, settings=FAST), code, sentence)


def test_after_an_error_the_next_crawl_is_a_new_one(serve: Serve, crawl: Crawler) -> None:
    server = serve({"/": Answer("", 500)})
    assert crawl(server.url, settings=FAST).code == 3
    server.site = {"/": page()}
    result = crawl.published(server.url, "max_depth=3", settings=FAST)
    assert result.sitemap == [server.url]


def test_a_noindex_start_page_is_followed(serve: Serve, crawl: Crawler) -> None:
    head = '<meta name="robots" content="noindex">'
    server = serve({"/": page("/a", head=head), "/a": page()})
    assert crawl(server.url).sitemap == [f"{server.url}a"]


@pytest.mark.parametrize("place", ["/proc/sitemapgen", "FILE/output"])
def test_an_output_that_cannot_be_written(
    place: str, serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    output = Path(place.replace("FILE", str(tmp_path / "file")))
    result = crawl(serve({"/": page()}).url, output=output)
    assert_one_sentence(result, 7, f"output: {output} cannot be made")


@pytest.mark.full
def test_another_site_another_scope_and_a_second_process(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    slow = serve(
        lambda path: page(f"{path}a", f"{path}b")._replace(delay=0.1) if "." not in path else None
    )
    output = tmp_path / "output"
    first = start(command(slow.url, output, *IMPATIENT), tmp_path / "first")
    wait_for(lambda: len(slow.visits) >= 20, first)
    assert_one_sentence(crawl(slow.url), 5, "another crawl is using it")
    assert_one_sentence(crawl(slow.url, "fresh=true"), 5, "another crawl is using it")
    assert first.poll() is None
    first.terminate()
    assert first.wait(DEADLINE) == 6, (tmp_path / "first").read_text()
    assert_one_sentence(crawl(slow.url, "exclude=/x"), 5, "exclude: the interrupted crawl in")
    crawl.published(slow.url, "max_pages=60")  # a cap may change
    other = serve({"/": page()})
    assert_one_sentence(crawl(other.url), 5, f"holds a crawl of {slow.url}")
