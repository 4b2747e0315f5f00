"""A crawl in another order, so that luck shows: ``-s SCHEDULER=... -s SHUFFLE_SEED=3``."""

import random

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.dupefilters import BaseDupeFilter

from sitemapgen.frontier.scheduler import FrontierScheduler


class ShuffledScheduler(FrontierScheduler):
    """Hands out any of the pending URLs, not the shallowest."""

    def __init__(self, crawler: Crawler, dupefilter: BaseDupeFilter) -> None:
        super().__init__(crawler, dupefilter)
        self._order = random.Random(crawler.settings.getint("SHUFFLE_SEED"))
        self.read_ahead = 1_000_000

    def next_request(self) -> Request | None:
        if not self._waiting:
            self._lease_ahead()
            if self._leases:
                self._leases.rotate(self._order.randrange(len(self._leases)))
        return super().next_request()
