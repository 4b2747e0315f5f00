"""What each profile asks of a site, by the server's own record."""

import os
from pathlib import Path

import pytest

from sitemapgen.deploy import profiles
from sitemapgen.errors import CrawlError, Exit
from tests.crawls import commands
from tests.crawls.commands import urlset
from tests.helpers.crawls import ROOT, Crawl, captured, command, rest
from tests.helpers.server import Answer, Serve, Server, page, text, xml

pytestmark = pytest.mark.sample

ROBOTS = "Sitemap: /sitemap.xml\n"
"""So that the usual paths are not tried."""


def site(pages: int, delay: float, robots: str = "") -> dict[str, Answer]:
    """A start page that links to all others; each takes its time to answer."""
    names = [f"/{number}" for number in range(1, pages)]
    answers = {name: page(title=name)._replace(delay=delay) for name in names}
    return {"/robots.txt": text(ROBOTS + robots), "/": page(*names), **answers}


def run(url: str, output: Path, *options: str, project: str = "", cwd: Path = ROOT) -> Crawl:
    """Crawl with a profile, as a person at a terminal does."""
    environment = {**os.environ, "PYTHONWARNINGS": "error", "PYTHONPATH": str(ROOT)}
    if project:
        environment["SCRAPY_PROJECT"] = project
    done = captured(command(url, output, *options), cwd=cwd, env=environment)
    return Crawl(done.returncode, done.stderr, output)


def pace(server: Server) -> tuple[float, int]:
    """The mean gap between two requests for pages, and how many at a time.

    A request that is late on its way makes one gap longer and the next one shorter.
    """
    began = [visit.began for visit in server.visits if visit.path.strip("/").isdecimal()]
    return (began[-1] - began[0]) / (len(began) - 1), server.most_at_once


@pytest.mark.full
def test_the_default_asks_five_at_a_time_at_most(serve: Serve, tmp_path: Path) -> None:
    server = serve(site(60, delay=0.02))
    result = run(server.url, tmp_path / "output")
    assert result.code == 0, result.log
    mean, most = pace(server)
    assert mean >= 0.02  # 0.025 to 0.075 s, by Scrapy's jitter: 0.05 on average
    assert most <= 5


@pytest.mark.full
def test_the_default_has_two_requests_at_a_slow_site(serve: Serve, tmp_path: Path) -> None:
    server = serve(site(16, delay=0.6))
    assert run(server.url, tmp_path / "output").code == 0
    mean, most = pace(server)
    assert mean >= 0.2  # a latency of 0.6 s by two; 0.12 without AutoThrottle
    assert most <= 5


@pytest.mark.parametrize("how", ["SCRAPY_PROJECT", "SITEMAPGEN_PROFILE"])
def test_polite_asks_one_at_a_time_a_second_apart(how: str, serve: Serve, tmp_path: Path) -> None:
    server = serve(site(6, delay=0.02))
    if how == "SCRAPY_PROJECT":
        result = run(server.url, tmp_path / "output", project="polite")
    else:
        result = run(server.url, tmp_path / "output", "-s", f"{how}=polite")
    assert result.code == 0, result.log
    mean, most = pace(server)
    assert mean >= 0.9
    assert most == 1


@pytest.mark.full
def test_fast_does_not_wait(serve: Serve, tmp_path: Path) -> None:
    server = serve(site(40, delay=1.5))
    result = run(server.url, tmp_path / "output", "-s", "SITEMAPGEN_PROFILE=fast")
    assert result.code == 0, result.log
    assert 5 < pace(server)[1] <= 16


@pytest.mark.full
def test_fast_keeps_to_crawl_delay(serve: Serve, tmp_path: Path) -> None:
    server = serve(site(5, delay=0.02, robots="User-agent: *\nCrawl-delay: 0.5"))
    assert run(server.url, tmp_path / "output", project="fast").code == 0
    mean, most = pace(server)
    assert mean >= 0.45
    assert most == 1


@pytest.mark.full
def test_what_is_said_with_s_comes_before_a_profile(serve: Serve, tmp_path: Path) -> None:
    server = serve(site(12, delay=0.3))
    options = ("-s", "SITEMAPGEN_PROFILE=polite", "-s", "DOWNLOAD_DELAY=0", "-s")
    result = run(server.url, tmp_path / "output", *options, "AUTOTHROTTLE_ENABLED=False")
    assert result.code == 0, result.log
    mean, most = pace(server)
    assert mean < 0.9  # of polite's second nothing is left
    assert most == 1  # of its one at a time all


OWN = """\
from sitemapgen.settings import *

CONCURRENT_REQUESTS_PER_DOMAIN = 1
DOWNLOAD_DELAY = 0.4
DOWNLOAD_DELAY_JITTER = 0.0
USER_AGENT = "gentle/1.0"
"""


@pytest.mark.full
@pytest.mark.parametrize("how", ["SCRAPY_PROJECT", "SITEMAPGEN_PROFILE"])
def test_a_profile_of_ones_own(how: str, serve: Serve, tmp_path: Path) -> None:
    """As docs/guides/deploy.md says: a file, and a line in scrapy.cfg."""
    (tmp_path / "gentle.py").write_text(OWN)
    config = (ROOT / "scrapy.cfg").read_text("utf-8")
    line = "gentle = gentle"
    (tmp_path / "scrapy.cfg").write_text(config.replace("[settings]", f"[settings]\n{line}"))
    server = serve(site(5, delay=0.02))
    if how == "SCRAPY_PROJECT":
        result = run(server.url, tmp_path / "output", project="gentle", cwd=tmp_path)
    else:  # a module by its full name
        (tmp_path / "house").mkdir()
        (tmp_path / "gentle.py").rename(tmp_path / "house" / "gentle.py")
        options = ("-s", f"{how}=house.gentle")
        result = run(server.url, tmp_path / "output", *options, cwd=tmp_path)
    assert result.code == 0, result.log
    mean, most = pace(server)
    assert mean >= 0.35
    assert most == 1
    assert server.visits[-1].headers["User-Agent"] == "gentle/1.0"


@pytest.mark.full
def test_a_profile_holds_for_commands_too(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "gentle.py").write_text(OWN)
    server = serve({})
    server.site = {"/sitemap.xml": xml(urlset(f"{server.url}a"))}
    path = f"{tmp_path}{os.pathsep}{ROOT}"
    said = ("validate", f"{server.url}sitemap.xml", "-s", "SITEMAPGEN_PROFILE=house.gentle")
    result = commands.run(*said, PYTHONPATH=path)
    assert result.code == 0, result.log
    assert {visit.headers["User-Agent"] for visit in server.visits} == {"gentle/1.0"}
    server.visits.clear()
    commands.run(*said, "-s", "USER_AGENT=other/1.0", PYTHONPATH=path)
    assert {visit.headers["User-Agent"] for visit in server.visits} == {"other/1.0"}


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("gentle_house", "gentle_house"),
        ("house.gentle", "house.gentle"),
        ("polite", "sitemapgen.settings.polite"),
        ("fast", "sitemapgen.settings.fast"),  # before the file of that name
    ],
)
def test_a_profile_is_a_module(
    name: str, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "house").mkdir()
    for path in ("gentle_house.py", "fast.py", "house/gentle.py"):
        (tmp_path / path).write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    assert profiles.settings_module(name) == module


@pytest.mark.parametrize("command", ["validate", *rest("indexnow", "report", "publish")])
def test_a_profile_that_is_none_for_a_command(command: str) -> None:
    result = commands.run(command, "anything", "-s", "SITEMAPGEN_PROFILE=polit")
    assert result.code == 2
    assert "SITEMAPGEN_PROFILE: 'polit' is no profile; there are fast" in result.sentence


@pytest.mark.parametrize("name", ["polit", "os.path.none", "..", "settings/polite"])
def test_a_profile_that_is_none(name: str) -> None:
    with pytest.raises(CrawlError, match=rf"'{name}' is no profile; there are fast, pol") as error:
        profiles.settings_module(name)
    assert error.value.exit_code is Exit.ARGUMENTS
