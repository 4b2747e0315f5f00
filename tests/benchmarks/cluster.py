"""What a page costs the coordinator of a crawl with workers, and how many bytes it takes in Redis.

Two crawls of the same pages in turn, ``alone`` and ``together`` (with workers), and the same of one
page, which is start-up and end. CPU is that of the crawling process, of the coordinator alone.
Measured: CPU milliseconds a page (less what a crawl of one page takes) and their ratio, bytes a
page to and from Redis, and whether the files are the same.
"""

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks.crawling import SITE, ours
from tests.benchmarks.serving import ALONE, serve
from tests.helpers.browser import BROWSER
from tests.helpers.crawls import Crawl
from tests.helpers.redis import Redis, Workers

FILES = ("sitemap.xml", "urls.csv")


def measure(site: str = SITE, number: int = 1, rounds: int = 3, first: str = "") -> dict[str, Any]:
    """Crawl in turn, so that a busy moment of the machine meets both."""
    common = ["-a", "max_pages=0", "-s", "LOG_LEVEL=INFO", "-s", f"SITEMAPGEN_BROWSER={BROWSER}"]
    cpu: dict[str, list[float]] = {"alone": [], "together": []}
    moved: list[float] = []
    is_same = True
    with serve(site) as serving, tempfile.TemporaryDirectory() as name, ExitStack() as ends:
        directory = Path(name)
        redis, workers = Redis(directory), Workers(directory)
        ends.callback(redis.stop)
        ends.callback(workers.end)
        for round_ in range(rounds):
            results: dict[str, Crawl] = {}
            for kind, column in cpu.items():
                costs = []
                for path in (ALONE, first):
                    output = directory / f"{kind}-{round_}-{path or 'all'}"
                    arguments = [*common]
                    before = _bytes(redis)
                    if kind == "together":
                        arguments += ["-s", f"SITEMAPGEN_CLUSTER={redis.url}"]
                        for _ in range(number):
                            workers.begin(redis.url, "-s", f"SITEMAPGEN_BROWSER={BROWSER}")
                        time.sleep(2)  # those that wait for a crawl are ready
                    costs.append(ours(serving.url + path, output, arguments=arguments))
                    workers.codes()
                results[kind] = Crawl(0, "", output)
                pages = len(results[kind].urls)
                column.append((costs[1] - costs[0]) / pages * 1000)
            moved.append((_bytes(redis) - before) / pages)
            both = [{file: one.files[file] for file in FILES} for one in results.values()]
            is_same = is_same and both[0] == both[1]
    return {
        "pages": pages,
        "workers": number,
        "ms": {kind: round(median(column), 2) for kind, column in cpu.items()},
        "ratio": round(median(b / a for a, b in zip(*cpu.values())), 2),
        "bytes": round(median(moved)),
        "same": is_same,
    }


def _bytes(redis: Redis) -> int:
    """What Redis has received and sent."""
    found = redis.client.info("stats")
    return int(found["total_net_input_bytes"] + found["total_net_output_bytes"])
