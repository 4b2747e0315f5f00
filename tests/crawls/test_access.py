"""Sites behind a login or a proxy: who is sent what, and where it never shows."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.helpers.crawls import IMPATIENT, Crawl, Crawler, assert_one_sentence
from tests.helpers.proxy import Proxy
from tests.helpers.server import Answer, Serve, Server, page, redirect, text, urlset
from tests.helpers.tls import self_signed

DEBUG = (*IMPATIENT, "-s", "LOG_LEVEL=DEBUG")
TRUSTING = (*DEBUG, "-s", "DOWNLOAD_VERIFY_CERTIFICATES=False")
PASSWORD = "S3CRET/@:é"
IN_URL = "S3CRET%2F%40%3A%C3%A9"
BASIC = "Basic " + b64encode(f"owner:{PASSWORD}".encode()).decode()
SECRETS = (PASSWORD, IN_URL, "S3CRET", BASIC, BASIC.removeprefix("Basic "))


def site() -> dict[str, Answer]:
    """Robots.txt, a sitemap and pages that a crawl needs all of."""
    return {
        "/robots.txt": text("User-agent: *\nDisallow: /no\nSitemap: /map.xml"),
        "/map.xml": urlset("/orphan"),
        "/": page("/a", "/no"),
        "/a": page(),
        "/orphan": page(),
        "/no": page(),
    }


def guard(server: Server, header: str, value: str) -> None:
    """Answer 401 to clients that do not send the header, whatever is asked for."""
    answers = server.site
    assert isinstance(answers, Mapping)

    def answer(path: str) -> Answer | None:
        if server.visits[-1].headers.get(header) != value:
            return Answer("<h1>Who are you?</h1>", 401)
        found = answers.get(path)
        if path == "/map.xml" and found:
            body = str(found.body).replace("<loc>/", f"<loc>{server.url}")
            return found._replace(body=body)
        return found

    server.site = answer


def assert_shown_nowhere(result: Crawl) -> None:
    """Search the log (stdout and stderr), and every file that the crawl left."""
    assert "Traceback" not in result.log
    for secret in SECRETS:
        assert secret not in result.log
        for path in result.output.rglob("*"):
            if path.is_file():
                assert secret.encode() not in path.read_bytes(), path


@pytest.mark.parametrize(
    ("place", "name", "given", "header", "value"),
    [
        ("argument", "auth", f"owner:{PASSWORD}", "Authorization", BASIC),
        ("environment", "cookies", "a=1;session=S3CRET,x", "Cookie", "a=1; session=S3CRET,x"),
        ("argument", "headers", "X-One: 1, 2\nX-Key: S3CRET", "X-Key", "S3CRET"),
        (
            "environment",
            "headers",
            "Authorization: Bearer S3CRET",
            "Authorization",
            "Bearer S3CRET",
        ),
        ("argument", "user_agent", "Owner's/1.0 S3CRET", "User-Agent", "Owner's/1.0 S3CRET"),
        ("url", "auth", f"owner:{IN_URL}@", "Authorization", BASIC),
    ],
)
def test_the_owner_gets_in(
    place: str,
    name: str,
    given: str,
    header: str,
    value: str,
    serve: Serve,
    crawl: Crawler,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = serve(site())
    guard(server, header, value)
    in_environment = {"environment": given, "url": "someone:else"}.get(place)
    if in_environment:
        monkeypatch.setenv(f"SITEMAPGEN_{name.upper()}", in_environment)
    arguments = [f"{name}={given}"] if place == "argument" else []
    start = server.url.replace("//", f"//{given}") if place == "url" else server.url
    result = crawl.published(start, *arguments, settings=DEBUG)
    assert result.sitemap == [f"{server.url}{path}" for path in ("", "a", "orphan")]
    assert result.verdicts[f"{server.url}no"] == "robots_disallowed"
    assert all(visit.headers.get(header) == value for visit in server.visits)
    assert "DEBUG listed:" in result.log
    assert_shown_nowhere(result)


def test_without_a_login_the_error_says_how(serve: Serve, crawl: Crawler) -> None:
    server = serve(site())
    guard(server, "Authorization", BASIC)
    result = crawl(server.url, "auth=owner:S3CRET", settings=DEBUG)
    assert_one_sentence(result, 3, "HTTP 401; does it need a login? -a auth=user:password")
    assert_shown_nowhere(result)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["auth=S3CRET"], "auth: not of the form user:password"),
        (["auht=owner:S3CRET"], "auht: no such argument; did you mean auth?"),
    ],
)
def test_wrong_values_are_not_repeated(arguments: list[str], sentence: str, crawl: Crawler) -> None:
    result = crawl("http://127.0.0.1:9/", *arguments, settings=DEBUG)
    assert_one_sentence(result, 2, sentence)
    assert_shown_nowhere(result)


GIVEN = (f"auth=owner:{PASSWORD}", "cookies=a=S3CRET", "headers=X-Key: S3CRET", "user_agent=S3CRET")


def assert_sent(server: Server, *, secret: bool) -> None:
    assert server.visits
    for visit in server.visits:
        values = " ".join(visit.headers.values())
        found = (values.count(BASIC), values.count("S3CRET"))
        assert found == ((1, 3) if secret else (0, 0)), (visit.path, visit.headers)


def test_other_origins_are_sent_nothing(serve: Serve, crawl: Crawler) -> None:
    other = serve({"/rules.txt": text("User-agent: *\nDisallow: /no\nSitemap: /own.xml")})
    start = serve({})
    orphan = urlset(f"{start.url}orphan")
    other.site = {
        "/rules.txt": text(f"User-agent: *\nSitemap: {other.url}theirs.xml\nSitemap: /own.xml"),
        "/theirs.xml": orphan,
        "/moved.xml": orphan,
    }
    start.site = {
        "/robots.txt": redirect(f"{other.url}rules.txt"),
        "/own.xml": redirect(f"{other.url}theirs.xml"),
        "/": page("/away", f"{other.url}offsite"),
        "/away": redirect(f"{other.url}page"),
        "/orphan": page(),
    }
    result = crawl.published(start.url, *GIVEN, settings=DEBUG)
    assert result.sitemap == [start.url, f"{start.url}orphan"]
    assert result.verdicts[f"{start.url}away"] == "offsite_redirect"
    assert {"/rules.txt", "/robots.txt", "/theirs.xml"} <= set(other.paths)
    assert_sent(start, secret=True)
    assert_sent(other, secret=False)
    assert_shown_nowhere(result)


def test_the_login_follows_the_start_url_to_https(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    secure = serve(site(), tls=self_signed(tmp_path))
    guard(secure, "Authorization", BASIC)
    plain, result = crawl.site({"/": redirect(secure.url), "/a": page()}, *GIVEN, settings=TRUSTING)
    assert result.sitemap == [f"{secure.url}{name}" for name in ("", "a", "orphan")]
    assert result.log.count(f"{plain.url} leads to {secure.url}") == 1
    assert [path for path in plain.paths if path in ("/", "/a")] == ["/"]
    assert result.verdicts[plain.url] == "offsite_redirect"
    assert_sent(plain, secret=True)
    assert_sent(secure, secret=True)
    assert_shown_nowhere(result)


def test_the_login_does_not_follow_the_start_url_out_of_https(
    serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    plain = serve(site())
    secure = serve({"/": redirect(plain.url)}, tls=self_signed(tmp_path))
    result = crawl.published(secure.url, *GIVEN, settings=TRUSTING)
    assert_sent(secure, secret=True)
    assert_sent(plain, secret=False)
    moved = f"The site moved to {plain.url[:-1]}; login, cookies and headers are not sent there"
    assert result.log.count(moved) == 1
    assert_shown_nowhere(result)


def test_what_the_site_sets_is_not_kept(serve: Serve, crawl: Crawler) -> None:
    setting = {"Content-Type": "text/html", "Set-Cookie": "session=theirs"}
    server = serve({"/": page("/a")._replace(headers=setting), "/a": page()})
    assert len(crawl(server.url, "cookies=session=mine").sitemap) == 2
    assert {visit.headers.get("Cookie") for visit in server.visits} == {"session=mine"}


# The proxy


@pytest.fixture
def proxy() -> Iterator[Callable[[Server], Proxy]]:
    """Start proxies that lead to a server, and stop with the test."""
    with ExitStack() as stack:
        yield lambda server: stack.enter_context(Proxy(server.port, BASIC))


@pytest.mark.parametrize("place", ["argument", "environment"])
def test_everything_goes_through_the_proxy(
    place: str,
    proxy: Callable[[Server], Proxy],
    serve: Serve,
    crawl: Crawler,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = serve(
        {**site(), "/map.xml": text("http://shop.invalid/orphan\nhttp://shop.invalid/no/more")}
    )
    between = proxy(server)
    given = f"http://owner:{IN_URL}@127.0.0.1:{between.port}"
    if place == "environment":
        monkeypatch.setenv("SITEMAPGEN_PROXY", given)
    arguments = [f"proxy={given}"] if place == "argument" else []
    result = crawl.published("http://shop.invalid/", *arguments, settings=DEBUG)
    assert result.sitemap == [f"http://shop.invalid/{name}" for name in ("", "a", "orphan")]
    assert sorted(asked.line for asked in between.asked) == sorted(
        f"GET http://shop.invalid{path} HTTP/1.1" for path in server.paths
    )
    assert not any("Proxy-Authorization" in visit.headers for visit in server.visits)
    assert_shown_nowhere(result)


def test_https_goes_through_the_proxy_in_a_tunnel(
    proxy: Callable[[Server], Proxy], serve: Serve, crawl: Crawler, tmp_path: Path
) -> None:
    server = serve({"/": page("/a;"), "/a;": page()}, tls=self_signed(tmp_path))
    between = proxy(server)
    arguments = (f"proxy=http://owner:{IN_URL}@127.0.0.1:{between.port}", "cookies=a=S3CRET")
    result = crawl.published("https://shop.invalid/", *arguments, settings=TRUSTING)
    assert result.sitemap == ["https://shop.invalid/", "https://shop.invalid/a;"]
    assert {asked.line for asked in between.asked} == {"CONNECT shop.invalid:443 HTTP/1.1"}
    assert not any("S3CRET" in str(asked.headers) for asked in between.asked)
    assert not any("Proxy-Authorization" in visit.headers for visit in server.visits)
    assert {visit.headers.get("Cookie") for visit in server.visits} == {"a=S3CRET"}
    assert_shown_nowhere(result)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_does_not_know_us(
    scheme: str, proxy: Callable[[Server], Proxy], serve: Serve, crawl: Crawler
) -> None:
    server = serve(site())
    between = proxy(server)
    arguments = (f"proxy=http://owner:S3CRET@127.0.0.1:{between.port}", "auth=owner:S3CRET")
    settings = (*DEBUG, "-s", "RETRY_TIMES=0")
    result = crawl(f"{scheme}://shop.invalid/", *arguments, settings=settings)
    assert_one_sentence(
        result, 3, "the proxy opened no tunnel" if scheme == "https" else "HTTP 407; the"
    )
    assert not server.visits
    assert_shown_nowhere(result)
