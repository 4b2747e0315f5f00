"""Makes items of every kind, without a request."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Any

import attrs
from pydantic import BaseModel
from scrapy import Field, Item, Spider

SITE = "https://shop.example/"


@dataclass
class Chair:
    loc: str
    lastmod: object = None
    priority: object = None


@attrs.define
class Table:
    url: str
    changefreq: str = ""


class Lamp(BaseModel):
    url: str
    lastmod: datetime | None = None


class Bench(Item):
    url = Field()
    priority = Field()


class Catalogue(Spider):
    name = "catalogue"

    def __init__(self, only: str = "", **more: Any) -> None:
        """``only``: make the item of this URL alone."""
        super().__init__(**more)
        self.only = only

    async def start(self) -> AsyncIterator[Any]:
        if self.only:
            yield {"url": self.only}
            return
        yield {
            "url": f"{SITE}dict?a=1&b=2",
            "lastmod": "2024-05-01",
            "priority": 0.8,
            "changefreq": "daily",
        }
        yield {"loc": f"{SITE}dict?a=1&b=2", "lastmod": "2024-04-01"}  # an older date of the same
        yield Chair(f"{SITE}dataclass", date(2024, 5, 2), "1")
        yield Table(f"{SITE}attrs", "weekly")
        moment = datetime(2024, 5, 3, 10, 30, tzinfo=timezone.utc)
        yield Lamp(url=f"{SITE}pydantic", lastmod=moment)
        yield Bench(url=[f"{SITE}loader"], priority=["0.55"])  # as item loaders leave them
        yield {"url": f"{SITE}header", "lastmod": b"Wed, 01 May 2024 10:00:00 GMT"}
        yield {"url": f"{SITE}now", "lastmod": datetime.now(timezone.utc)}
        yield {"url": f"{SITE}wrong", "lastmod": "soon", "priority": "high", "changefreq": "often"}
        yield {"url": "/relative"}
        yield {"url": "ftp://shop.example/file"}
        yield {"name": "without an address"}
        yield {"url": None}
        yield {"url": "https://other.example/elsewhere"}
