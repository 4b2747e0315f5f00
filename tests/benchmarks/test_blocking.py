"""The event loop turns while a crawl is concluded, and a signal ends that in between."""

import shutil
import signal
from pathlib import Path

import pytest

from tests.benchmarks.blocking import Concluded, conclude, make
from tests.helpers.cost import usual_seconds
from tests.helpers.crawls import rest

pytestmark = pytest.mark.alone

PAGES = 10_000
MOST_CPU = 0.25
"""Seconds of the reference machine. Up to 0.05 was measured for 60,000 pages, and 1.1 s for 10,000
when it was one block."""
SENTENCE = "interrupted before the files were replaced; nothing is lost, the same command continues"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("crawled") / "output"
    make(PAGES, output)
    return output


@pytest.fixture
def output(crawled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(crawled, tmp_path / "output"))


def listed(output: Path) -> bytes:
    return (output / "sitemap.xml").read_bytes()


@pytest.fixture(scope="module")
def whole(crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Concluded, bytes]:
    """A crawl without an interruption, and its sitemap."""
    output = Path(shutil.copytree(crawled, tmp_path_factory.mktemp("whole") / "output"))
    return conclude(output), listed(output)


def test_the_loop_turns_in_every_step(whole: tuple[Concluded, bytes]) -> None:
    done, sitemap = whole
    assert done.code == 0, done.log
    assert sitemap.count(b"<loc>") > PAGES / 2
    assert {"link graph", "duplicates", "audit", "dates", "sitemap", "report"} <= done.gaps[
        "cpu"
    ].keys()
    assert max(done.gaps["cpu"].values()) < usual_seconds(MOST_CPU), done.gaps


@pytest.mark.parametrize("signals", [(signal.SIGINT,), *rest(((signal.SIGTERM, signal.SIGTERM),))])
def test_a_signal_ends_the_conclusions(
    output: Path, signals: tuple[int, ...], whole: tuple[Concluded, bytes]
) -> None:
    done = conclude(output, step="link graph", signals=signals)
    assert done.code == 6, done.log
    assert len(signals) > 1 or SENTENCE in done.log
    assert "Traceback" not in done.log
    assert not (output / "sitemap.xml").exists()
    assert not list(output.glob(".*"))
    again = conclude(output)
    assert again.code == 0, again.log
    assert listed(output) == whole[1]
