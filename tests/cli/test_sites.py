"""sitemapgen.toml: sites by name; all of it is checked before anything is crawled."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sitemapgen.cli.sites import all_of, find_site, read_sites
from sitemapgen.errors import CrawlError, Exit
from tests.helpers.crawls import DEADLINE, ROOT, Crawl, captured, wait_for
from tests.helpers.server import Serve, page
from tests.helpers.tables import for_each

pytestmark = pytest.mark.sample

TWO = """
[defaults]
max_pages = 10_000
settings = { DOWNLOAD_DELAY = 0.5 }

[sites.shop]
url = "shop.example"
exclude = ["*/cart", "*/checkout"]
auth = "$SHOP_AUTH"
gzip = true

[sites.blog]
url = "https://blog.example/"
max_pages = 5
profile = "fast"
[sites.blog.settings]
SITEMAPGEN_FROM = "web@blog.example"
SITEMAPGEN_PRIORITY = { "/news/*" = 0.8 }
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "sitemapgen.toml"
    path.write_text(text)
    return path


def test_arguments_settings_and_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_AUTH", "owner:S3CRET")
    sites = read_sites(written(tmp_path, TWO))
    assert list(sites) == ["shop", "blog"]
    shop, blog = sites["shop"], sites["blog"]
    assert shop.arguments == {
        "max_pages": "10000",
        "url": "shop.example",
        "exclude": "*/cart,*/checkout",
        "gzip": "true",
    }
    assert shop.settings == {"DOWNLOAD_DELAY": "0.5"}
    assert shop.secrets == {"SITEMAPGEN_AUTH": "owner:S3CRET"}
    assert blog.arguments == {"max_pages": "5", "url": "https://blog.example/"}
    assert blog.settings == {
        "DOWNLOAD_DELAY": "0.5",
        "SITEMAPGEN_PROFILE": "fast",
        "SITEMAPGEN_FROM": "web@blog.example",
        "SITEMAPGEN_PRIORITY": '{"/news/*": 0.8}',
    }
    assert blog.secrets == {}


SITE = '[sites.a]\nurl = "a.example"\n'


@for_each(
    ("", "no sites; write [sites.NAME]"),
    ("[sites.a", "is no TOML: "),
    ("[site.a]\nurl = 'x.example'", "site: is neither [defaults] nor [sites.NAME]"),
    ("[sites.a]\nmax_pages = 3", "sites.a: url is missing"),
    ("[sites]\na = 'a.example'", "sites.a: is no table; write [sites.a]"),
    ('["sites"."a.example"]\nurl = "a.example"', "sites.a.example: a name has letters"),
    (SITE + "max_page = 3", "sites.a.max_page: no such argument; did you mean max_pages?"),
    (SITE + "max_pages = 'ten'", "sites.a.max_pages: 'ten' is no whole number"),
    (SITE + "max_pages = -1", "sites.a.max_pages: -1 is negative"),
    (SITE + "max_pages = 2026-01-01", "sites.a.max_pages: is no text, number, truth value"),
    (SITE + "auth = 'owner:S3CRET'", "sites.a.auth: is a secret, which no file should have"),
    (SITE + "settings = { delay = 1 }", "sites.a.settings.delay: settings are in capitals"),
    (SITE + "settings = 1", "sites.a.settings: is no table"),
    (
        SITE + "settings = { SITEMAPGEN_MAX_LOS = 1 }",
        "SITEMAPGEN_MAX_LOS: no such setting; did you mean SITEMAPGEN_MAX_LOSS?",
    ),
    ("[defaults]\nurl = 'a.example'\n" + SITE, "defaults.url: would be that of all sites"),
    ("[defaults]\nauth = '$A'\n" + SITE, "defaults.auth: would be that of all sites"),
    (
        SITE + '[sites.b]\nurl = "http://a.example/b/"\nscope = "path"',
        "sites.a and sites.b: have one output, ",
    ),
    (
        SITE + 'output = "x/../y"\n[sites.b]\nurl = "b.example"\noutput = "y"',
        "sites.a and sites.b: have one output, ",
    ),
)
def test_mistakes(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(CrawlError) as caught:
        read_sites(written(tmp_path, text))
    assert sentence in caught.value.sentence
    assert "S3CRET" not in caught.value.sentence
    assert caught.value.exit_code is Exit.ARGUMENTS


def test_a_name_or_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_AUTH", "owner:S3CRET")
    path = written(tmp_path, TWO)
    assert find_site(path, "blog").arguments["url"] == "https://blog.example/"
    for url in ("https://blog", "blog.example", "localhost:8000"):
        assert find_site(path, url).arguments == {"url": url}
    with pytest.raises(CrawlError, match=r"blogs: no site of .*https://blogs\); did you mean blog"):
        find_site(path, "blogs")
    none = tmp_path / "none.toml"
    assert find_site(none, "localhost").arguments == {"url": "localhost"}
    with pytest.raises(CrawlError, match=r"none\.toml: there is no such file"):
        find_site(none, "localhost", is_given=True)


def test_only_the_secrets_of_what_is_crawled_are_needed(tmp_path: Path) -> None:
    path = written(tmp_path, TWO)
    assert find_site(path, "blog").secrets == {}
    for crawl in (lambda: find_site(path, "shop"), lambda: all_of(path)):
        with pytest.raises(CrawlError, match=r"sites\.shop\.auth: SHOP_AUTH is not set in the env"):
            crawl()


def run(tmp_path: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return captured(
        [sys.executable, "-m", "sitemapgen", "crawl", *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )


def two_sites(tmp_path: Path, first: str, second: str) -> None:
    settings = "settings = { DOWNLOAD_DELAY = 0, AUTOTHROTTLE_ENABLED = false }"
    text = f'[defaults]\n{settings}\n[sites.one]\nurl = "{first}"\nauth = "$ONE_AUTH"\n'
    written(tmp_path, f'{text}[sites.two]\nurl = "{second}"\n')


@pytest.mark.full
def test_all_sites_in_turn(serve: Serve, tmp_path: Path) -> None:
    one, two = serve({"/": page("/a"), "/a": page()}), serve({})
    two_sites(tmp_path, one.url, two.url)
    result = run(tmp_path, "--all", "--max-pages", "50", ONE_AUTH="owner:S3CRET")
    assert result.returncode == Exit.FAILURES, result.stderr
    lines = result.stdout.splitlines()
    assert [line.split("  ")[0] for line in lines] == ["one", "two", "2 sites, 1 published"]
    assert "published" in lines[0]
    assert "unreachable (3)" in lines[1]
    output = tmp_path / "output" / f"127.0.0.1_{one.port}"
    assert len(Crawl(0, "", output).sitemap) == 2
    assert all(visit.headers["Authorization"].startswith("Basic ") for visit in one.visits)
    assert not any("Authorization" in visit.headers for visit in two.visits)
    two.site = {"/": page()}
    assert run(tmp_path, "--all", ONE_AUTH="owner:S3CRET").returncode == 0


def test_what_all_sites_cannot_share(tmp_path: Path) -> None:
    two_sites(tmp_path, "a.example", "b.example")
    for word in ("--output=x", "-aoutput=x", "--auth=owner:S3CRET"):
        result = run(tmp_path, "--all", word, ONE_AUTH="a:b")
        assert result.returncode == 2
        assert "would be that of all sites; leave it out" in result.stderr
    result = run(tmp_path, "--all", ONE_AUTH="a:b", SITEMAPGEN_AUTH="owner:S3CRET")
    assert result.returncode == 2
    assert "SITEMAPGEN_AUTH: would be sent to all sites" in result.stderr
    assert "S3CRET" not in result.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_crawl_and_the_queue(
    number: signal.Signals, serve: Serve, tmp_path: Path
) -> None:
    one = serve(lambda path: page(f"{path}x/")._replace(delay=0.1))
    two = serve({"/": page()})
    two_sites(tmp_path, one.url, two.url)
    command = [sys.executable, "-m", "sitemapgen", "crawl", "--all"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ONE_AUTH": "a:b"}
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stdout=log, start_new_session=True
        )
    try:
        wait_for(lambda: len(one.visits) > 10)
        if number == signal.SIGINT:  # as the terminal does it
            os.killpg(process.pid, number)
        else:
            process.terminate()
        assert process.wait(DEADLINE) == Exit.INTERRUPTED
    finally:
        process.kill()
        process.wait()
    lines = (tmp_path / "log").read_text().splitlines()
    assert lines[0].startswith("one  interrupted (6)")
    assert lines[1:] == ["two  not begun", "2 sites, 0 published"]
    assert not two.visits
