"""Errors in callbacks that end the crawl."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from sitemapgen.errors import CrawlError

if TYPE_CHECKING:
    from collections.abc import Callable

_Output = TypeVar("_Output")


def or_abort(method: Callable[..., _Output]) -> Callable[..., _Output | None]:
    """End the crawl for a CrawlError of a callback; Scrapy would log a traceback and continue.

    For methods of objects with a ``context``.
    """

    @wraps(method)
    def guarded(self: Any, *args: object, **kwargs: object) -> _Output | None:
        try:
            return method(self, *args, **kwargs)
        except CrawlError as error:
            self.context.abort(error)
            return None

    return guarded
