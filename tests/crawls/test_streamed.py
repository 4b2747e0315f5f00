"""Sites that a real React server streams."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.browser import QUICK, needs_browser
from tests.helpers.crawls import IMPATIENT, Crawler

SITE = Path(__file__).parents[1] / "sites" / "streamed"
NODE = shutil.which("node") or ""


@pytest.fixture(params=["react18", "react19"])
def origin(request: pytest.FixtureRequest) -> Iterator[str]:
    """A streaming server, where node and React are installed."""
    place = SITE / request.param
    if not NODE:
        pytest.skip("node is not on PATH")
    if not (place / "node_modules" / "react-dom").is_dir():
        pytest.skip(f"React is not installed: npm install --prefix {place}")
    command = [NODE, str(SITE / "server.js"), str(place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/"
        finally:
            process.kill()


ITEMS = [f"items/{number}" for number in range(1, 7)]
EVERYTHING = [
    "",
    *ITEMS,
    *(f"reviews/{name}" for name in ("1", "2", "3", "4", "5", "6", "all")),
    "row",
]


def test_a_streamed_site_is_complete_without_a_browser(origin: str, crawl: Crawler) -> None:
    result = crawl.published(origin, "render=never", "duplicates=off", settings=IMPATIENT)
    found = {url.removeprefix(origin) for url in result.verdicts}
    assert found == {*EVERYTHING}


@needs_browser
def test_of_a_streamed_site_a_sample_is_rendered(origin: str, crawl: Crawler) -> None:
    result = crawl.published(origin, "duplicates=off", settings=QUICK)
    assert {url.removeprefix(origin) for url in result.verdicts} == {*EVERYTHING}
    rendering = result.report["rendering"]
    assert set(rendering["reasons"]) == {"sampled"}
    assert rendering["pages"] <= 5 < len(EVERYTHING)
    assert rendering["gained_nothing"] == rendering["pages"]
