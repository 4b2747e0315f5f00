"""Browser tab that renders one URL after another.

The rules for its requests: ``core/rendering/fence.py``. Its lifetime and deadlines: ``pool.py``.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.resources import files
from inspect import isawaitable
from typing import Any, NamedTuple

from playwright.async_api import (
    Browser,
    BrowserContext,
    CDPSession,
    Error,
    Page,
    Request,
    Response,
    Route,
)
from playwright.async_api import TimeoutError as PlaywrightTimeout

from sitemapgen.browser.chromium import GRACE
from sitemapgen.browser.hands import PAGE_JS, SAFE, WATCH_JS, Frozen, Hands, Task
from sitemapgen.browser.within import retrieve_exception
from sitemapgen.checks.browser import Waits
from sitemapgen.core.rendering.fence import (
    MAX_FRAMES,
    MAX_RELOADS,
    MAX_REQUESTS,
    UNNEEDED,
    Fence,
    Passage,
    leads_elsewhere,
    private_patterns,
    refused_patterns,
)
from sitemapgen.core.rendering.hands import Reach
from sitemapgen.core.rendering.learn import Waiting
from sitemapgen.core.urls import parse, split

_SETTLE, _OUTLOOK, _READ, _TARGETS, _SHOW, _LEAVE = (
    f"(options) => {PAGE_JS}.{name}(options)"
    for name in ("settle", "outlook", "read", "targets", "show", "leave")
)
TIMERS = files("sitemapgen.browser").joinpath("timers.js").read_text("utf-8")

UNCOUNTED = frozenset({"eventsource", "websocket", "ping", "media", "font", "image", "manifest"})
"""Types of requests that may still be in flight when a page counts as settled."""
MORE_TEXT = 50
"""Characters by which the text of a page has to grow to count as new content; not a clock."""
MAX_ROUTES = 50
"""Maximum number of views behind ``#/`` of one document that are visited for their links."""
STORAGE = "local_storage,indexeddb,websql,cache_storage"
_ABORTED = re.compile(r"ERR_ABORTED|interrupted by another navigation|Download is starting")


class Failed(Exception):
    """A page could not be rendered; the message is the reason, in fixed words for each cause."""


@dataclass(slots=True, kw_only=True)
class RenderJob:
    """One page to be rendered."""

    fence: Fence
    disallowed: Sequence[str]
    """The Disallow rules of robots.txt: ``Robots.disallowed``."""
    headers: Mapping[str, str] = field(repr=False)
    """Request headers, sent to the origin of the page only."""
    proxy: Mapping[str, str] | None = field(repr=False)
    """Playwright's ``proxy`` option."""
    max_size: int
    """Maximum number of characters of the rendered document."""
    is_patient: bool = True
    """Whether to wait for content that an unfinished page is still loading."""
    task: Task | None = None
    """How the page is scrolled and its buttons are pressed; None if they are not."""
    is_touched: bool = False
    """Whether an attempt has come so far as to touch the page."""
    seconds: float = 0.0
    """Time spent in tabs so far, all attempts together; counted by the pool."""
    refused: list[str] = field(default_factory=list)
    """URLs requested by the page that robots.txt disallows."""
    cut: int = 0
    """Number of requests stopped because the page exceeded its limits."""


class RenderedDocument(NamedTuple):
    """The result of rendering a page."""

    html: str = ""
    charset: str = "utf-8"
    """The encoding of the document, by the browser's name for it."""
    redirect: str = ""
    """The URL to which scripts redirect every visitor, or one without a login; then there is no
    document."""
    address: str = ""
    """The final URL in the address bar, which scripts may change without leaving the document."""
    waiting: Waiting = Waiting.NONE
    failed: tuple[int, str] | None = None
    """Status and URL of the first error response, if the page seems unfinished."""
    reach: Reach = Reach()
    """What more the page leads to: links of its views behind ``#/``, those that the application has
    in its table of routes, and what is shown when the page is touched."""


class Tab:
    """A browser page in a context of its own, for one URL after another.

    A new page for every URL costs twice the CPU, a new context six times. Cookies and storage are
    cleared in between, so that a page does not depend on the pages before it.
    """

    def __init__(
        self, context: BrowserContext, page: Page, cdp: CDPSession, login: Mapping[str, str] | None
    ) -> None:
        self.context = context
        self.page = page
        self.cdp = cdp
        self.renders = 0
        self.is_odd = False
        """Whether something unusual happened (popup, dialog, download, crash, redirect); the tab is
        then not used again."""
        self._login = login
        self._main_frame = ""
        self._job: RenderJob | None = None
        self._patterns: list[dict[str, str]] = []
        self._loads = self._frames = self._requests = 0
        self._is_read = False
        self._has_company = False
        """Whether the document has workers or web sockets, from which more may come."""
        self._elsewhere: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._hands: Hands | None = None
        """Set from when the page is touched until the next one."""
        self._in_flight: set[Request] = set()
        self._idle = asyncio.Event()
        self._tasks: set[asyncio.Future[Any]] = set()

    @classmethod
    async def open(
        cls,
        browser: Browser,
        proxy: Mapping[str, str] | None,
        login: Mapping[str, str] | None,
        aborts: Callable[[Request], Any] | None,
        **options: Any,
    ) -> Tab:
        """Open a tab; ``options`` are those of Playwright's ``new_context``.

        ``login``: username and password for the proxy that the browser was started with.
        ``aborts``: returns, or is awaited for, whether a request is aborted.
        """
        context = await browser.new_context(
            accept_downloads=False,
            service_workers="block",
            proxy=dict(proxy) if proxy else None,  # type: ignore[arg-type]  # of its keys
            **options,
        )
        await context.add_init_script(f"{WATCH_JS};{TIMERS}")
        page = await context.new_page()
        if aborts is not None:
            await page.route("**", partial(_abort_or_go, aborts))
        tab = cls(context, page, await context.new_cdp_session(page), login)
        await tab._intercept_requests()
        return tab

    async def _intercept_requests(self) -> None:
        tree = await self.cdp.send("Page.getFrameTree")
        self._main_frame = tree["frameTree"]["frame"]["id"]
        self.cdp.on(
            "Fetch.requestPaused", lambda event: self._start_task(self._judge_request(event))
        )
        if self._login:
            self.cdp.on("Fetch.authRequired", lambda event: self._start_task(self._log_in(event)))
        self.context.on("page", lambda popup: self._start_task(self._close_popup(popup)))
        self.page.on("dialog", lambda dialog: self._start_task(self._dismiss_dialog(dialog)))
        self.page.on("crash", lambda _: self._note_odd())
        self.page.on("download", lambda _: self._note_odd())
        self.page.on("websocket", lambda _: self._note_company())
        self.page.on("worker", lambda _: self._note_company())
        self.page.on("request", self._count_request)
        self.page.on("requestfinished", self._discount_request)
        self.page.on("requestfailed", self._discount_request)

    # One page

    async def render(self, job: RenderJob, waits: Waits) -> RenderedDocument:
        """Load a page, wait until it settles, and read it. Raises Failed, playwright's Error."""
        self._job, self._is_read = job, False
        self._hands = None
        self._loads = self._frames = self._requests = 0
        self._has_company = False
        self._elsewhere = asyncio.get_running_loop().create_future()
        self._in_flight.clear()
        self._idle.set()
        self.renders += 1
        await self._set_patterns(job)
        loading = asyncio.ensure_future(self._load_page(job, waits))
        first: set[asyncio.Future[Any]] = {loading, self._elsewhere}
        await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        if self._elsewhere.done():
            self.is_odd = True
            loading.add_done_callback(retrieve_exception)
            return RenderedDocument(redirect=self._elsewhere.result())
        return loading.result()

    async def touch_page(self, job: RenderJob, waits: Waits) -> Reach:
        """Scroll the page that was read, and press its buttons. Raises playwright's Error.

        Only GET and HEAD leave the browser from then on, and the page is not left.
        """
        assert job.task is not None
        job.is_touched = True
        cut, self._requests = job.cut, 0
        url = job.fence.url

        async def guard() -> None:
            self.page.on("response", self._note_response)
            await self._ask_about([{"urlPattern": "*"}])

        async def settle(seconds: float) -> None:
            await self._wait_settled(replace(waits, settle=min(waits.settle, seconds)))

        hands = self._hands = Hands(self.page, job.task, url, guard, settle)
        try:
            reach = await hands.reach()
        except Frozen:
            self.is_odd = True
            reach = hands.reach_so_far("it does not answer any more when it is touched")
        finally:
            if hands.is_guarded:
                self.page.remove_listener("response", self._note_response)
        if job.cut > cut:
            reach = reach._replace(bound=f"it makes more than {MAX_REQUESTS:,} requests")
        return reach

    async def clear_page(self) -> None:
        """Stop the page, and delete its cookies and storage."""
        assert self._job is not None
        origin = split(self._job.fence.url).origin
        self._job = None
        is_left = False
        end = asyncio.get_running_loop().time() + GRACE
        while not is_left:
            try:
                is_left = await self.page.evaluate(_LEAVE)
            except Error:  # its context has ended, as it should, or as the page reloads itself
                if self.page.is_closed() or asyncio.get_running_loop().time() > end:
                    raise
                await asyncio.sleep(0.05)  # without its driver it fails at once, and always
        storage = {"origin": origin, "storageTypes": STORAGE}
        await self.cdp.send("Storage.clearDataForOrigin", storage)
        await self.context.clear_cookies()

    async def _load_page(self, job: RenderJob, waits: Waits) -> RenderedDocument:
        url, began = job.fence.url, asyncio.get_running_loop().time()
        try:
            response = await self.page.goto(
                url, wait_until=waits.until, timeout=waits.navigation * 1000
            )
        except PlaywrightTimeout:
            response = None  # a subresource is late; the content so far may be enough
        except Error as error:
            if not _ABORTED.search(error.message):
                raise
            # A download, or a script that leaves at once: ``_judge_request`` sets ``_elsewhere``.
            await asyncio.sleep(0.1)
            raise Failed("answers the browser with no document") from error
        if response is not None and response.status >= 400:
            raise Failed(f"answers HTTP {response.status} to the browser")
        if waits.selector:
            with suppress(PlaywrightTimeout):
                await self.page.wait_for_selector(
                    waits.selector, state="attached", timeout=waits.selector_wait * 1000
                )
        end = began + 0.8 * waits.deadline
        waiting, failed = await self._await_content(job, waits, end)
        found = await self.page.evaluate(_READ, {"limit": job.max_size})
        address = parse(found["url"])
        if address is None or split(address).origin != split(url).origin:
            raise Failed("left its site in the browser")
        if found["html"] is None:
            raise Failed("is too large once rendered")
        self._is_read = True
        if found["isLogin"] and leads_elsewhere(url, address):
            return RenderedDocument(redirect=address)
        views = await self._visit_routes(found["routes"], waits, end)
        links = views.links + tuple((link, "") for link in found["tabled"])
        return RenderedDocument(
            found["html"],
            found["charset"],
            address=address,
            waiting=waiting,
            failed=failed,
            reach=views._replace(links=links),
        )

    async def _await_content(
        self, job: RenderJob, waits: Waits, end: float
    ) -> tuple[Waiting, tuple[int, str] | None]:
        """Wait until the page settles and pending content has arrived, if the job is patient.

        Returns the outcome, and of an unfinished page ``RenderedDocument.failed``.
        """
        now = asyncio.get_running_loop().time
        end = min(end, now() + max(waits.settle, waits.selector_wait))
        await self._wait_settled(waits)
        first = last = await self._examine_page(waits, end)
        if not first["unfinished"]:
            return Waiting.NONE, None
        if not first["is_open"]:
            return Waiting.IDLE, first["failed"]
        if not job.is_patient:
            return Waiting.DENIED, first["failed"]
        while last["unfinished"] and last["is_open"] and now() < end:
            await self._wait_settled(replace(waits, settle=end - now()))
            last = await self._examine_page(waits, end)
        has_grown = last["links"] > first["links"] or last["length"] >= first["length"] + MORE_TEXT
        has_come = has_grown or not last["unfinished"]
        return Waiting.CAME if has_come else Waiting.VAIN, last["failed"]

    async def _examine_page(self, waits: Waits, end: float) -> dict[str, Any]:
        """Examine whether the page is unfinished, and whether timers or requests are pending.

        A page that reloads itself meanwhile counts as unfinished.
        """
        options = {
            "roots": waits.roots,
            "words": waits.indicators,
            "minimum": waits.minimum,
            "within": 1000 * max(0.0, end - asyncio.get_running_loop().time()),
        }
        try:
            found: dict[str, Any] = await self.page.evaluate(_OUTLOOK, options)
        except Error:
            if self.page.is_closed():
                raise
            return {"unfinished": True, "is_open": True, "links": 0, "length": 0, "failed": None}
        found["is_open"] = bool(found["timers"] or self._in_flight or self._has_company)
        return found

    async def _visit_routes(self, routes: list[str], waits: Waits, end: float) -> Reach:
        """Collect the links of the views behind ``#/`` of the document until time is up."""
        now = asyncio.get_running_loop().time
        seen, links = dict.fromkeys(routes), dict[str, None]()
        waiting = deque(seen)
        with suppress(Error):  # the links so far are returned in any case
            while waiting and now() < end and len(seen) - len(waiting) < MAX_ROUTES:
                await self.page.evaluate(_SHOW, {"route": waiting.popleft()})
                await self._wait_settled(replace(waits, settle=min(waits.settle, end - now())))
                found = await self.page.evaluate(_TARGETS)
                links.update(dict.fromkeys(found["urls"]))
                new = [route for route in found["routes"] if route not in seen]
                seen.update(dict.fromkeys(new))
                waiting += new
        bound = f"it has more views behind # than the {len(seen) - len(waiting)} that were visited"
        return Reach(tuple((link, "") for link in links), bound=bound if waiting else "")

    async def _wait_settled(self, waits: Waits) -> None:
        """Wait until links and text stop changing and no request is in flight."""
        now = asyncio.get_running_loop().time
        end = now() + waits.settle
        while (left := end - now()) > 0:
            try:
                options = {"quiet": waits.quiet * 1000, "limit": left * 1000}
                await self.page.evaluate(_SETTLE, options)
            except Error:
                if self.page.is_closed() or end - now() <= 0:
                    raise
                await asyncio.sleep(0.1)  # the page reloads itself
                continue
            if not self._in_flight:
                return
            try:
                await asyncio.wait_for(self._idle.wait(), max(0.0, end - now()))
            except asyncio.TimeoutError:
                return

    # The fence

    async def _set_patterns(self, job: RenderJob) -> None:
        """Have Chromium pause documents and refused URLs; all of the site only to set headers.

        Each paused request costs a round trip. Blocking URLs by CDP's Network domain costs more: it
        sends six events for every request.
        """
        patterns = [{"resourceType": "Document"}]
        patterns += [{"urlPattern": pattern} for pattern in UNNEEDED]
        if not job.fence.is_home_private:
            patterns += [{"urlPattern": pattern} for pattern in private_patterns()]
        if job.headers:
            patterns.append({"urlPattern": f"{split(job.fence.url).origin}/*"})
        else:
            refused = refused_patterns(job.fence.url, job.disallowed)
            patterns += [{"urlPattern": pattern} for pattern in refused]
        await self._ask_about(patterns)

    async def _ask_about(self, patterns: list[dict[str, str]]) -> None:
        if patterns != self._patterns:
            self._patterns = patterns
            options = {"patterns": patterns, "handleAuthRequests": bool(self._login)}
            await self.cdp.send("Fetch.enable", options)

    async def _judge_request(self, event: dict[str, Any]) -> None:
        request, paused = event["request"], {"requestId": event["requestId"]}
        job, hands, url = self._job, self._hands, request["url"]
        if job is None:
            await self._abort_request(paused)
            return
        if hands is not None and request["method"] not in SAFE:
            hands.refused = request["method"]
            await self._abort_request(paused)
            return
        is_document = event["resourceType"] == "Document"
        is_main_frame = is_document and event["frameId"] == self._main_frame
        passage = job.fence.judge(
            url, is_document=is_document, is_main_frame=is_main_frame, method=request["method"]
        )
        if hands is not None and is_main_frame:
            if passage is Passage.LEAVE:
                hands.left.append(url)
            passage = Passage.GO if hands.is_reloading and url == job.fence.url else Passage.STOP
        elif passage is Passage.GO and is_main_frame:
            self._loads += 1
            passage = Passage.GO if self._loads <= 1 + MAX_RELOADS else Passage.STOP
        elif passage is Passage.GO:
            self._frames += is_document
            if self._requests >= MAX_REQUESTS or (is_document and self._frames > MAX_FRAMES):
                job.cut += 1
                passage = Passage.STOP
        if passage is not Passage.GO:
            await self._abort_request(paused)
            if passage is Passage.REFUSED:
                job.refused.append(url)
            if passage is Passage.LEAVE and not self._elsewhere.done() and not self._is_read:
                self._elsewhere.set_result(parse(url) or "")
            return
        if job.headers and url.startswith(f"{split(job.fence.url).origin}/"):
            paused["headers"] = _merged_headers(request["headers"], job.headers)
        await self.cdp.send("Fetch.continueRequest", paused)

    async def _log_in(self, event: dict[str, Any]) -> None:
        """Answer the proxy's authentication challenge, which comes once per browser."""
        answer: dict[str, str] = {"response": "Default"}
        if event["authChallenge"]["source"] == "Proxy" and self._login:
            answer = {"response": "ProvideCredentials", **self._login}
        challenged = {"requestId": event["requestId"], "authChallengeResponse": answer}
        await self.cdp.send("Fetch.continueWithAuth", challenged)

    async def _abort_request(self, paused: dict[str, Any]) -> None:
        await self.cdp.send("Fetch.failRequest", {**paused, "errorReason": "Aborted"})

    # What happens in between

    def _count_request(self, request: Request) -> None:
        if self._hands is not None:
            if request.resource_type in UNCOUNTED:
                return  # a list that goes on has a picture of each of its items
            self._hands.requests += 1
        self._requests += 1
        if self._requests == MAX_REQUESTS:
            self._start_task(self._ask_about([{"urlPattern": "*"}]))
        if request.resource_type not in UNCOUNTED:
            self._in_flight.add(request)
            self._idle.clear()

    def _discount_request(self, request: Request) -> None:
        self._in_flight.discard(request)
        if not self._in_flight:
            self._idle.set()

    def _note_response(self, response: Response) -> None:
        if self._hands is not None and response.status >= 400:
            self._hands.failed = response.status

    def _note_odd(self) -> None:
        self.is_odd = True

    def _note_company(self) -> None:
        self._has_company = True

    async def _close_popup(self, popup: Page) -> None:
        if popup is not self.page:
            self.is_odd = True
            await popup.close()

    async def _dismiss_dialog(self, dialog: Any) -> None:
        self.is_odd = True
        await dialog.dismiss()

    def _start_task(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(retrieve_exception)


async def _abort_or_go(aborts: Callable[[Request], Any], route: Route, request: Request) -> None:
    is_refused = aborts(request)
    if isawaitable(is_refused):
        is_refused = await is_refused
    await (route.abort() if is_refused else route.continue_())


def _merged_headers(headers: Mapping[str, str], more: Mapping[str, str]) -> list[dict[str, str]]:
    """Return the headers of a request in CDP's format, with some replaced or added."""
    replaced = {name.lower() for name in more}
    kept = [(name, value) for name, value in headers.items() if name.lower() not in replaced]
    return [{"name": name, "value": value} for name, value in (*kept, *more.items())]
