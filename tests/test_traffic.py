"""The counts of requests and responses are those of Scrapy's own middleware."""

from typing import Any

from scrapy.downloadermiddlewares.stats import DownloaderStats
from scrapy.http import Request, Response
from scrapy.utils.test import get_crawler

from sitemapgen.middlewares.traffic import TrafficStats
from tests.helpers.tables import for_each

PLAIN = "https://example.com/a/b.html"
REQUESTS = [
    Request(PLAIN),
    Request("https://example.com"),
    Request(f"{PLAIN};v=1?c=d&e", headers={"Accept": "text/html", "Cookie": ["a=1", "b=2"]}),
    Request("http://[::1]:8000/?", headers={"X-Empty": ""}),
    Request("https://b\u00fccher.example/\u00e4?\u00f6=%20", method="POST", body=b"field=value"),
]
RESPONSES = [
    Response(PLAIN),
    Response(PLAIN, status=404, headers={"Content-Type": "text/html"}, body=b"missing"),
    Response(PLAIN, status=799, headers={"Set-Cookie": ["a=1", "b=2"], "Vary": ""}, body=b"\xff"),
]


def counted(middleware: type[DownloaderStats]) -> dict[str, Any]:
    crawler = get_crawler()
    counter = middleware.from_crawler(crawler)
    for request in REQUESTS:
        counter.process_request(request)
    for response in RESPONSES:
        counter.process_response(REQUESTS[0], response)
    counter.process_exception(REQUESTS[0], TimeoutError())
    assert crawler.stats is not None
    return crawler.stats.get_stats()


def test_all_counts_are_those_of_scrapy() -> None:
    expected = counted(DownloaderStats)
    assert expected["downloader/request_bytes"] > 0
    assert counted(TrafficStats) == expected


@for_each(*REQUESTS)
def test_the_size_of_one_request(request_: Request) -> None:
    sizes = set()
    for middleware in (DownloaderStats, TrafficStats):
        crawler = get_crawler()
        middleware.from_crawler(crawler).process_request(request_)
        assert crawler.stats is not None
        sizes.add(crawler.stats.get_value("downloader/request_bytes"))
    assert len(sizes) == 1
