"""Signal handlers for before and after what Scrapy handles: one signal ends a crawl at any time.

While its event loop runs, SIGINT and SIGTERM are Scrapy's: ``commands/crawl.py``. SIGHUP counts as
SIGTERM.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

from sitemapgen.errors import Exit

if TYPE_CHECKING:
    from types import FrameType

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
BEFORE = "interrupted before the crawl began; the same command starts it\n"

_begun = threading.Event()


def install() -> None:
    """Handle signals from now on in a process that crawls; those that it ignores stay ignored."""
    is_crawl = sys.argv[1:2] == ["crawl"] and "sitemap" in sys.argv[2:]
    if not is_crawl or threading.current_thread() is not threading.main_thread():
        return
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
            signal.signal(number, _received)


def begin() -> None:
    """Note that there is a crawl now, which Scrapy ends gracefully."""
    _begun.set()


def ignore() -> None:
    """Ignore signals until the process has ended: how it ends is settled."""
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)


def _received(number: int, frame: FrameType | None) -> None:
    scrapys = signal.getsignal(signal.SIGTERM)
    if callable(scrapys) and scrapys is not _received:
        scrapys(number, frame)
    elif not _begun.is_set():
        # No exception: raised in an import it may be swallowed. Nothing has to be cleaned up yet.
        os.write(2, f"{signal.Signals(number).name}: {BEFORE}".encode())
        os._exit(Exit.INTERRUPTED)
