"""Start and end of Chromium, its driver and all their processes, also of hanging ones.

scrapy-playwright's provider starts it, so that its settings apply: PLAYWRIGHT_CDP_URL,
PLAYWRIGHT_CONNECT_URL, PLAYWRIGHT_LAUNCH_OPTIONS, PLAYWRIGHT_BROWSER_PROVIDER. The caller:
``backend.py``.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from playwright.async_api import Browser, CDPSession, Error
from playwright.async_api import TimeoutError as PlaywrightTimeout
from scrapy.utils.misc import load_object
from scrapy_playwright.handler import DEFAULT_BROWSER_PROVIDER, Config

from sitemapgen.browser.within import CrawlEnding, TooLate, within
from sitemapgen.checks.browser import CDP, Endpoint, without_secrets
from sitemapgen.core.rendering.fence import resolver_rules

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings
    from scrapy_playwright.provider import BrowserProvider

    Launcher = Callable[[], Coroutine[Any, Any, Browser]]

logger = logging.getLogger(__name__)

PREFIX = "sitemapgen-"
NAME = re.compile(rf"{PREFIX}(\d+)-\w+")
"""Name of the directory, with the process id of the crawl; short, because a socket below it has a
path of at most 108 bytes."""
TMPDIR = "TMPDIR"


def _remove_abandoned() -> None:
    """Remove the temporary files of this user's killed crawls."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        found = NAME.fullmatch(path.name)
        with suppress(OSError):
            is_own = path.lstat().st_uid == os.geteuid() and not path.is_symlink()
            if found and is_own and not psutil.pid_exists(int(found[1])):
                shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _temporary_files_in(directory: str) -> Iterator[None]:
    """Make processes that are started meanwhile put their temporary files there."""
    before = os.environ.get(TMPDIR)
    os.environ[TMPDIR] = directory
    try:
        yield
    finally:
        if before is None:
            del os.environ[TMPDIR]
        else:
            os.environ[TMPDIR] = before


ON_PATH = (
    "chromium-headless-shell",  # as Playwright's own: three quarters of the CPU of a whole browser
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge"),
)
CHANNELS = ("chrome", "msedge")
"""Playwright's channels for installed browsers that are not on the PATH, mainly on macOS."""
START = 30.0
"""Seconds in which a browser has to start."""
GRACE = 3.0
"""Seconds in which a browser has to end by itself before its processes are killed."""

OFF = (
    # A spare process for the next page, which is discarded whenever another tab needs one.
    "SpareRendererForSitePerProcess",
    # Two web applications in the address bar of each tab: 0.67 s of CPU and 110 MB.
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup"),
    # Playwright's own list, repeated because Chromium uses only the last --disable-features.
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("TcpPortRandomizationWin", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"),
    *("PreconnectToSearch", "msForceBrowserSignIn", "msEdgeUpdateLaunchServicesPreferredVersion"),
)
"""Features of Chromium that are disabled because a crawl does not use them."""

WEBRTC = "disable_non_proxied_udp"
"""Chromium's policy under which WebRTC sends nothing past the proxy."""

MISSING = (
    "no browser: run `playwright install chromium` (`make browser`), install your system's "
    "Chromium, or name one with -s SITEMAPGEN_BROWSER=/path/to/chromium"
)


class NoBrowser(Exception):
    """No browser can be started; the message names the remedy."""


class BrowserLost(NoBrowser):
    """The browser ended and cannot be started again."""


class Chromium:
    """One browser with its driver and all their processes."""

    def __init__(self, provider: BrowserProvider, driver: list[psutil.Process]) -> None:
        self.browser: Browser
        _remove_abandoned()
        self._files = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
        self.user_agent = ""
        """The browser's own User-Agent, without the word Headless."""
        self._provider = provider
        self._session: CDPSession
        self._driver = driver
        self._family: list[psutil.Process] = []
        """Processes the driver started, noted at the start: without the driver they have no
        parent by which ``end`` could find them."""

    @classmethod
    async def start(
        cls,
        settings: BaseSettings,
        url: str,
        proxy: str = "",
        *,
        is_proxy_for_all: bool = False,
        endpoint: Endpoint | None = None,
        lock: asyncio.Lock | None = None,
        is_ending: Callable[[], bool] = lambda: False,
    ) -> Chromium:
        """Start a browser for the site of a URL, optionally behind a proxy.

        ``is_proxy_for_all``: all connections go through the proxy, those to loopback included.
        ``endpoint``: connect to the browser there instead. ``lock`` is held while the driver
        starts, as its process is recognized by being new. Raises NoBrowser, Ending.
        """
        logging.getLogger("asyncio").addFilter(_is_news)
        config = config_of(settings, endpoint)
        provider = load_object(
            settings.get("PLAYWRIGHT_BROWSER_PROVIDER") or DEFAULT_BROWSER_PROVIDER
        )(config)
        chromium = cls(provider, [])
        try:
            async with lock or nullcontext():
                await chromium._start_driver(is_ending)
            if endpoint is not None:
                chromium.browser = await within(START, provider.launch_browser(), is_ending)
            else:
                given = {**_launch_options(), **config.launch_options}
                fence = fence_arguments(url, proxy, is_proxy_for_all=is_proxy_for_all)
                config.launch_options = {**given, "args": [*given["args"], *fence]}
                wanted = settings.get("SITEMAPGEN_BROWSER")
                chromium.browser = await launch_first(provider.launch_browser, config, wanted)
            chromium._family = [
                each for driver in chromium._driver for each in _child_processes(driver)
            ]
            opening = chromium.browser.new_browser_cdp_session()
            chromium._session = await within(GRACE, opening)
            version = await within(GRACE, chromium.ping())
            chromium.user_agent = version["userAgent"].replace("HeadlessChrome", "Chrome")
        except (Error, TooLate) as error:
            await chromium.end()
            raise NoBrowser(_describe_failure(error, endpoint)) from error
        except (NoBrowser, CrawlEnding):
            await chromium.end()
            raise
        return chromium

    async def _start_driver(self, is_ending: Callable[[], bool]) -> None:
        """Start the driver, and note its process. Raises TooLate, Ending, playwright's Error."""
        before = psutil.Process().children()
        try:
            with _temporary_files_in(self._files):
                await within(START, self._provider.start(), is_ending)
        finally:
            self._driver = [child for child in psutil.Process().children() if child not in before]

    @property
    def is_alive(self) -> bool:
        """Whether the browser is connected and its driver runs.

        True also of a frozen browser, and for a moment of one that has ended.
        """
        return self.browser.is_connected() and all(map(_is_running, self._driver))

    async def ping(self) -> dict[str, str]:
        """Return the browser's own description of its version. Raises playwright's Error."""
        version: dict[str, str] = await self._session.send("Browser.getVersion")
        return version

    async def end(self) -> None:
        """End browser and driver; kill the processes that do not end by themselves."""
        known = [*self._driver, *self._family]
        family = [*self._family, *(child for each in known for child in _child_processes(each))]
        if hasattr(self, "browser"):
            await _try_within(self.browser.close())
        # The driver is killed last: it removes the files of the others.
        for process in family:
            _kill_process(process)
        await _try_within(self._provider.close())
        for process in [*family, *self._driver]:
            _kill_process(process)
        while any(map(_is_running, [*family, *self._driver])):
            await asyncio.sleep(0.02)
        shutil.rmtree(self._files, ignore_errors=True)


async def launch_first(launcher: Launcher, config: Config, wanted: str) -> Browser:
    """Launch the first browser found: ``wanted`` if given, else Playwright's or the system's.

    ``launcher`` reads the launch options of ``config``. Raises NoBrowser, playwright's Error.
    """
    given = config.launch_options
    for found in _browser_candidates(wanted):
        config.launch_options = {**given, **found}
        try:
            return await _launch_in_sandbox(launcher, config)
        except Error as error:
            if not _is_missing(error):
                raise
    if wanted:
        raise NoBrowser(f"SITEMAPGEN_BROWSER={wanted}: there is no such browser")
    raise NoBrowser(MISSING)


async def _launch_in_sandbox(launcher: Launcher, config: Config) -> Browser:
    """Launch the browser; without a sandbox only if the system does not support one."""
    try:
        return await within(START, launcher())
    except Error as error:
        if not config.launch_options.get("chromium_sandbox") or _is_missing(error):
            raise
        if "sandbox" not in error.message.lower():
            raise
        logger.warning("The browser has no sandbox here; going on without one")
        config.launch_options = {**config.launch_options, "chromium_sandbox": False}
        return await within(START, launcher())


def config_of(settings: BaseSettings, endpoint: Endpoint | None) -> Config:
    """Return scrapy-playwright's configuration, for one of the endpoints."""
    logging.getLogger("scrapy-playwright").addFilter(_names_no_endpoint)
    config = Config.from_settings(settings)
    if endpoint is not None:
        setattr(config, "cdp_url" if endpoint.setting == CDP else "connect_url", endpoint.url)
    return config


def _describe_failure(error: Error | TooLate, endpoint: Endpoint | None) -> str:
    """Return in one line, without secrets, why a browser does not start, or is out of reach."""
    if isinstance(error, (TooLate, PlaywrightTimeout)):
        return (
            f"{endpoint.name} does not answer" if endpoint else "the browser does not start in time"
        )
    words = without_secrets(error.message.strip().splitlines()[0])
    if endpoint is None:
        return f"the browser does not start: {words}"
    return f"{endpoint.name}: {words.partition(': ')[2] or words}"


def fence_arguments(url: str, proxy: str, *, is_proxy_for_all: bool) -> list[str]:
    """Return the arguments that keep the browser of a public site from private addresses.

    ``is_proxy_for_all`` also disables UDP past the proxy (QUIC, WebRTC) and DNS prefetching.
    """
    rules = resolver_rules(url, proxy)
    fence = [f"--host-resolver-rules={rules}"] if rules else []
    if is_proxy_for_all:
        fence += [
            f"--proxy-server={proxy}",
            "--proxy-bypass-list=<-loopback>",
            "--disable-quic",
            "--dns-prefetch-disable",
            f"--webrtc-ip-handling-policy={WEBRTC}",
            f"--force-webrtc-ip-handling-policy={WEBRTC}",  # the name in Chromium's headless shell
        ]
    return fence


def _launch_options() -> dict[str, Any]:
    """Return Playwright's launch options. Signals are left to the crawl, which ends the browser."""
    args = ["--blink-settings=imagesEnabled=false", f"--disable-features={','.join(OFF)}"]
    return {
        "args": args,
        "ignore_default_args": ["--disable-popup-blocking"],
        "chromium_sandbox": os.geteuid() != 0,  # root has none
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
        "timeout": START * 1000,
    }


def _browser_candidates(wanted: str) -> Iterator[dict[str, str]]:
    """Yield launch options by which a browser may be found, in order of preference.

    The one named by SITEMAPGEN_BROWSER alone; else Playwright's, then those of the system.
    """
    if wanted:
        path = shutil.which(wanted)
        yield {"executable_path": path} if path else {"channel": wanted}
        return
    yield {}
    for name in ON_PATH:
        if path := shutil.which(name):
            yield {"executable_path": path}
    for channel in CHANNELS:
        yield {"channel": channel}


def _is_missing(error: Error) -> bool:
    words = ("Executable doesn't exist", "is not found at", "Unsupported chromium channel")
    return any(each in error.message for each in words)


def _names_no_endpoint(record: logging.LogRecord) -> bool:
    """Return False for records of scrapy-playwright about endpoints, whole and with passwords."""
    return record.funcName != "launch_browser"


def _is_news(record: logging.LogRecord) -> bool:
    """Return False for asyncio's reports about Playwright's futures after the driver ended."""
    error = record.exc_info[1] if record.exc_info else None
    return error is None or not str(error).startswith("Connection closed")


async def _try_within(work: Any) -> None:
    with suppress(Exception):
        await within(GRACE, work)


def _child_processes(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return list(process.children(recursive=True))
    return []


def _kill_process(process: psutil.Process) -> None:
    with suppress(psutil.Error):
        process.kill()


def _is_running(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False
