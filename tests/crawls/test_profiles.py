"""What each profile asks of a site, by the server's own record."""

import os
from math import inf
from pathlib import Path

import pytest

from sitemapgen.deploy import profiles
from sitemapgen.errors import CrawlError, Exit
from tests.crawls import commands
from tests.crawls.commands import urlset
from tests.helpers.crawls import ROOT, Crawl, captured, command, rest
from tests.helpers.server import HERE, Answer, Serve, Server, page, text, xml

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


def by(profile: str) -> tuple[str, ...]:
    return "-s", f"SITEMAPGEN_PROFILE={profile}"


AT_ONCE = ("-s", "DOWNLOAD_DELAY=0", "-s", "AUTOTHROTTLE_ENABLED=False")
DELAYED = site(5, 0.02, "User-agent: *\nCrawl-delay: 0.5")
PACES = {  # seconds between two requests on average, and the most requests at a time
    "polite, as a project": (site(6, 0.02), "polite", (), (0.9, inf), 1),
    "polite, as a setting": (site(6, 0.02), "", by("polite"), (0.9, inf), 1),
    # 0.025 to 0.075 s, by Scrapy's jitter: 0.05 on average
    "the default": (site(60, 0.02), "", (), (0.02, inf), 5),
    # A latency of 0.6 s by two, after the first answers; 0.13 without AutoThrottle
    "the default at a slow site": (site(30, 0.6), "", (), (0.2, inf), 5),
    "fast keeps to Crawl-delay": (DELAYED, "fast", (), (0.45, inf), 1),
    # Of polite's second nothing is left, of its one at a time all
    "-s comes before a profile": (site(12, 0.3), "", (*by("polite"), *AT_ONCE), (0.0, 0.9), 1),
}


@pytest.mark.parametrize("name", PACES)
def test_the_pace_of_a_profile(name: str, serve: Serve, tmp_path: Path) -> None:
    answers, project, options, (least, limit), most = PACES[name]
    server = serve(answers)
    result = run(server.url, tmp_path / "output", *options, project=project)
    assert result.code == 0, result.log
    mean, at_once = pace(server)
    assert least <= mean < limit
    assert at_once <= most


@pytest.mark.full
def test_fast_does_not_wait(serve: Serve, tmp_path: Path) -> None:
    server = serve(site(40, delay=1.5))
    result = run(server.url, tmp_path / "output", *by("fast"))
    assert result.code == 0, result.log
    assert 5 < pace(server)[1] <= 16


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
    server = serve({"/sitemap.xml": xml(urlset(f"{HERE}a"))})
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
