"""Python calls of a crawl a page: what a machine's load does not change, unlike its seconds.

Two first crawls of the same code differ by 0.1 %, two second ones by 1.5 %. Counted by cProfile in
the main thread, built-in functions included; less what a crawl of one page takes.
"""

import pstats
import sys
from pathlib import Path

import pytest

from tests.benchmarks import PROJECT
from tests.benchmarks.cost import cost
from tests.benchmarks.crawling import OURS, SETTINGS, SITE, needs, speed
from tests.benchmarks.serving import ALONE, TLS, Serving, serve

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="each Python has calls of its own"),
]

TOLERANCE = 0.05
"""A change of more is a change of the figure below, to be made on purpose."""
CALLS = {  # 2026-11-30, Scrapy 2.19: first crawl, second crawl
    (SITE, "index.html"): (1_169, 4_740, 3_530),
    ("posts:500", ""): (501, 5_040, 3_860),
    (f"{TLS}posts:500", ""): (501, 5_200, 3_900),
}
"""By site and start path: the pages, and the calls a page of a first and a second crawl."""


def count_calls(serving: Serving, start: str, directory: Path) -> int:
    """Crawl from a start path; return the calls of the whole process."""
    profile = directory / "profile"
    cost(
        [
            *(sys.executable, "-m", "cProfile", "-o", profile, "-m", "scrapy", "crawl", "sitemap"),
            *("-a", f"url={serving.url}{start}", "-a", f"output={directory / 'output'}", *speed()),
        ],
        log=directory / "log",
        cwd=PROJECT,
        environment={"SCRAPY_SETTINGS_MODULE": SETTINGS[OURS], **serving.variables},
    )
    calls: int = vars(pstats.Stats(str(profile)))["total_calls"]
    return calls


@pytest.mark.parametrize(("site", "start"), CALLS)
def test_calls_a_page_are_what_they_were(site: str, start: str, tmp_path: Path) -> None:
    needs(site if site == SITE else "/", "postgresql-doc-15")
    pages, *expected = CALLS[site, start]
    found = []
    with serve(site) as serving:
        for name in ("whole", "alone"):
            (tmp_path / name).mkdir()
        for _ in ("first", "second"):
            whole = count_calls(serving, start, tmp_path / "whole")
            found.append((whole - count_calls(serving, ALONE, tmp_path / "alone")) / pages)
    print(found)
    assert found == pytest.approx(expected, rel=TOLERANCE)
