"""What it costs to publish a sitemap, against the plain loop that formats the same bytes.

    python -m tests.benchmarks publishing.measure 1000000 section

Measured: ``seconds`` (wall clock, the best of three), ``peak_mb`` (the whole process that only
publishes, interpreter included), ``ratio`` (seconds / those of the loop, which writes
the same entries to one file and syncs it to the same disk) and ``again`` (seconds of the next
publication, with one page in a hundred gone, another new and another changed; what is published is
read first).
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

from sitemapgen.publish.existing import read_published
from sitemapgen.publish.file_names import ENTRY
from sitemapgen.publish.files import Staging
from sitemapgen.publish.options import Options
from sitemapgen.publish.sitemaps import PRIORITIES, Listed, write_files
from tests.benchmarks import measure_alone

Layout: TypeAlias = Literal["size", "section", "recency", "log"]

SITE = "https://www.example.com/"
ROUNDS = 3


def pages(count: int) -> Iterator[Listed]:
    """Yield pages such as a large site has: 75 characters, an ampersand, a date."""
    for number in range(count):
        url = f"{SITE}section-{number // 1000:05d}/article-{number:08d}?page=1&view=full"
        yield Listed(url, "2024-05-01T10:00:00+00:00", number % 12)


def later(count: int) -> Iterator[Listed]:
    """The same pages some time later."""
    for number, page in enumerate(pages(count)):
        if number % 100 == 1:
            yield page._replace(lastmod="2024-06-01T10:00:00+00:00")
        elif number % 100 != 2:
            yield page
        if number % 100 == 3:
            yield page._replace(url=f"{page.url}&new=1")


def publish(
    count: int,
    directory: Path,
    layout: Layout = "size",
    site: Callable[[int], Iterator[Listed]] = pages,
) -> None:
    before = read_published(directory, with_dates=layout == "log")
    with Staging(directory, now=int(time.time())) as staging:
        options = Options(base_url=SITE, layout=layout)
        written = write_files(site(count), staging, options, before=before)
        staging.commit(last=ENTRY, stale=written.stale)


def loop(count: int, directory: Path, _layout: Layout = "size") -> None:
    """Write the same entries, unchecked, to one file of any size."""
    with (directory / "loop.xml").open("wb") as file:
        for url, lastmod, depth, *_ in pages(count):
            loc = url.replace("&", "&amp;")
            file.write(
                f"  <url>\n    <loc>{loc}</loc>\n    <lastmod>{lastmod}</lastmod>\n"
                f"    <priority>{PRIORITIES[min(depth, 9)]}</priority>\n  </url>\n".encode()
            )
        file.flush()
        os.fsync(file.fileno())


def seconds(work: Callable[[int, Path, Layout], None], count: int, layout: Layout) -> float:
    with tempfile.TemporaryDirectory() as directory:
        start = time.process_time()
        work(count, Path(directory), layout)
        return time.process_time() - start


def seconds_again(count: int, layout: Layout) -> float:
    with tempfile.TemporaryDirectory() as directory:
        publish(count, Path(directory), layout)
        start = time.process_time()
        publish(count, Path(directory), layout, later)
        return time.process_time() - start


def own_peak_mb(count: int, layout: Layout) -> float:
    """Publish twice in this process, which ought to be fresh, and return its peak."""
    seconds_again(count, layout)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def measure(count: int, layout: Layout) -> dict[str, float]:
    """Measure the CPU of both in turn, so that a busy moment of the machine meets both."""
    rounds = [
        (seconds(publish, count, layout), seconds(loop, count, layout)) for _ in range(ROUNDS)
    ]
    ours, theirs = (min(column) for column in zip(*rounds, strict=True))
    return {
        "seconds": round(ours, 2),
        "peak_mb": round(measure_alone(own_peak_mb, count, layout), 1),
        "ratio": round(ours / theirs, 2),
        "again": round(seconds_again(count, layout), 2),
    }
