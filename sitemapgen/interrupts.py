"""Signal handlers before and after Scrapy's own, so that one signal ends a crawl at any time.

While its event loop runs, Scrapy handles SIGINT and SIGTERM: ``scrapy_commands/crawl.py``. SIGHUP
is treated as SIGTERM.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from types import FrameType

from sitemapgen.errors import Exit

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
BEFORE = "interrupted before it began; the same command starts it\n"
STOPPED = "Ctrl-C: stopped; the same command begins again\n"
"""Of a command other than a crawl."""

_begun = threading.Event()


def install_for_crawl() -> None:
    """Install the handlers in a process of ``scrapy crawl sitemap``."""
    if sys.argv[1:2] == ["crawl"] and "sitemap" in sys.argv[2:]:
        install()


def install() -> None:
    """Install the handlers in the main thread; ignored signals stay ignored."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
            signal.signal(number, _received)


def uninstall() -> None:
    """Leave signals to Python, for commands other than crawls: Ctrl-C is a KeyboardInterrupt."""
    for number in SIGNALS:
        if signal.getsignal(number) is _received:
            is_interrupt = number == signal.SIGINT
            signal.signal(number, signal.default_int_handler if is_interrupt else signal.SIG_DFL)


def begin() -> None:
    """Note that the crawl has begun, so that Scrapy ends it gracefully."""
    _begun.set()


def ignore() -> None:
    """Ignore signals until the process ends, as its outcome is final."""
    if threading.current_thread() is threading.main_thread():
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)


def _received(number: int, frame: FrameType | None) -> None:
    scrapys = signal.getsignal(signal.SIGTERM)
    if callable(scrapys) and scrapys is not _received:
        scrapys(number, frame)
    elif not _begun.is_set():
        # An exception could be swallowed by an import; there is nothing to clean up yet.
        os.write(2, f"{signal.Signals(number).name}: {BEFORE}".encode())
        os._exit(Exit.INTERRUPTED)
