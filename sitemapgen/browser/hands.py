"""Scrolls a page in a tab and presses its buttons, to find the links that only this shows.

The rules: ``core/rendering/hands.py``. What runs in the page: ``hands.js`` and ``watch.js``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from importlib.resources import files
from typing import Any, NamedTuple

from playwright.async_api import Error, Page

from sitemapgen.core.document.texts import line
from sitemapgen.core.rendering.hands import (
    BRIEF,
    COUNT,
    LEFT_ALONE,
    MAX_ANSWER,
    MAX_BUTTONS,
    MAX_LINKS,
    MAX_LISTED,
    MAX_RELOADS,
    MAX_SECONDS,
    MAX_STEPS,
    MORE,
    REJECT,
    SCROLL,
    SCROLLING,
    Agenda,
    Button,
    Experience,
    ListChange,
    Reach,
    stated_total,
)
from sitemapgen.core.words import counted

PAGE_JS, HANDS_JS, WATCH_JS = (
    files("sitemapgen.browser").joinpath(name).read_text("utf-8").strip().removesuffix(";")
    for name in ("page.js", "hands.js", "watch.js")
)
SAFE = frozenset({"GET", "HEAD"})


class Frozen(Exception):
    """The page does not answer any more."""


class Task(NamedTuple):
    """How the pages of a crawl are to be touched."""

    mode: str
    """``hands.AUTO`` or ``hands.SCROLL``."""
    form: str
    """The form of the page's URL."""
    experience: Experience
    pause: float = 0.0
    """Seconds between two requests to the site, at least."""


class Hands:
    """One page that is touched."""

    def __init__(
        self,
        page: Page,
        task: Task,
        url: str,
        guard: Callable[[], Awaitable[None]],
        settle: Callable[[float], Awaitable[None]],
    ) -> None:
        """Touch nothing yet.

        ``guard`` has all requests examined from then on; ``settle`` waits until the page has
        settled, for a number of seconds at most.
        """
        self.page = page
        self.task = task
        self.url = url
        self.guard = guard
        self.settle = settle
        self.left: list[str] = []
        """URLs to which the main frame would have gone; added by the tab."""
        self.requests = 0
        """Requests since the page was touched; counted by the tab."""
        self.refused = ""
        """The method of a request that was refused since the last press; set by the tab."""
        self.failed = 0
        """The status of an error response since the last press; set by the tab."""
        self.is_guarded = False
        self.is_reloading = False
        """Whether the main frame may be loaded."""
        self._links: dict[str, str] = {}
        self._useful: set[str] = set()
        """Kinds of elements that have brought something on this page."""
        self._known: set[str] = set()
        self._bound = self._pressed = ""
        self._has_left = False
        self._end = asyncio.get_running_loop().time() + MAX_SECONDS
        self._last_end = self._end + MAX_SECONDS

    async def reach(self) -> Reach:
        """Scroll and press; return what this has shown. Raises Frozen."""
        try:
            start = await self._call_script("begin", self._script_options())
            self._note_links(start)
            self._known = set(self._links)
            self.task.experience.new(self._known)
            hopeless = self.task.experience.hopeless(self.task.form)
            scrolls = start["scrolls"] and SCROLLING not in hopeless
            presses = start["presses"] and self.task.mode != SCROLL
            if scrolls or presses:
                self.is_guarded = True
                await self.guard()
            if scrolls:
                await self._scroll_down()
            if presses:
                await self._press_all()
            for kind in self._useful:  # what came in vain after it counts for other pages no more
                self.task.experience.note(self.task.form, kind, is_useful=True)
            total = stated_total(start["text"], start["sizes"]) if "text" in start else 0
            if total > len(self._links) and not start["isPaged"] and not self._bound:
                self._bound = f"it says that its list has {total:,} entries, and shows fewer"
        except Error:
            if self.page.is_closed():
                raise
            return self.reach_so_far("it fails when it is touched")
        return self.reach_so_far()

    def reach_so_far(self, bound: str = "") -> Reach:
        """Return what was shown so far; ``bound``: why it ended, if not by its bounds."""
        found = [(url, label) for url, label in self._links.items() if url not in self._known]
        return Reach(tuple(found[:MAX_LINKS]), self._pressed, bound or self._bound)

    # Scrolling

    async def _scroll_down(self) -> None:
        for _ in range(MAX_STEPS):
            before = await self._page_height()
            options = {"limit": 1000 * self._left_seconds(), "most": MAX_LINKS}
            has_moved = await self._call_script("scroll", options, self._left_seconds())
            await self._wait_settled()
            gained = await self._collect_links()
            if self._is_over():
                break
            if not gained and (not has_moved or await self._page_height() <= before):
                break
        else:
            self._bound = f"it goes on after it was scrolled {MAX_STEPS} times"
        self._record_gain(SCROLLING)

    async def _page_height(self) -> int:
        heights = await self._evaluate_script(
            "() => document.documentElement ? document.documentElement.scrollHeight : 0"
        )
        return int(heights)

    # Buttons

    async def _press_all(self) -> None:
        agenda = Agenda()
        reloads = 0
        buttons = await self._read_buttons()
        while not self._is_over():
            waiting = agenda.order(buttons)
            if not waiting:
                return
            if agenda.spent >= MAX_BUTTONS:
                if any(button.kind in self._useful for _, button in waiting):
                    self._bound = f"it has more than {counted(MAX_BUTTONS, 'button')} of use"
                return
            index, button = waiting[0]
            self._pressed = self._pressed or button.text or line(button.kind)
            gained, has_left = await self._press_button(index)
            before, buttons = buttons, await self._read_buttons()
            change = ListChange.NONE
            if not gained and not has_left:  # what has links is read without being pressed
                change = agenda.note(button, before, buttons)
            if button.is_more and not gained and change is ListChange.NONE:
                self._explain_failure(button)
            is_lost = change is ListChange.REPLACED
            is_single = button.is_toggle or button.is_number or agenda.is_entry(button)
            has_more = not is_single and (gained or change is ListChange.ADDED)
            if not is_lost and (has_left or not has_more):
                self._record_gain(button.kind, agenda.end(button, has_left=has_left))
            elif agenda.go_on(button) >= MAX_STEPS:
                self._bound = f"“{button.text}” goes on after it was pressed {MAX_STEPS} times"
                return
            if has_left:
                is_lost = _is_replaced([each for _, each in waiting[1:]] or before, buttons)
            if is_lost and reloads < MAX_RELOADS:
                reloads += 1
                await self._reload_page()
                agenda.forget_marks()
                buttons = await self._read_buttons()

    async def _read_buttons(self) -> list[Button]:
        rows = await self._call_script("buttons", self._script_options())
        return [
            Button(
                row["kind"],
                line(row["text"]),
                row["number"],
                row["isMore"],
                row["isToggle"],
                row["mark"],
            )
            for row in rows
        ]

    async def _press_button(self, index: int) -> tuple[int, bool]:
        """Press a button; return (number of new links, whether a script would have left)."""
        self.refused, self.failed, self.left = "", 0, []
        requests = self.requests
        label = (await self._call_script("text", {"index": index})) or ""
        has_changed = await self._call_script("press", {"index": index})
        due = await self._call_script("due") / 1000
        if has_changed or self.requests > requests or due:
            await asyncio.sleep(due)
            await self._wait_settled()
        gained = await self._collect_links(label)
        return gained, self._has_left

    def _explain_failure(self, button: Button) -> None:
        """Note why a button that should bring more of a list has brought nothing."""
        if self.refused:
            self._bound = f"“{button.text}” on it asks by {self.refused}, and only GET is sent"
        elif self.failed:
            self._bound = f"“{button.text}” on it is answered by HTTP {self.failed}"

    async def _reload_page(self) -> None:
        """Load the page again; this takes nothing from its time, up to as much again."""
        began = asyncio.get_running_loop().time()
        self.is_reloading = True
        try:
            await self.page.goto(self.url, timeout=1000 * max(1.0, self._left_seconds()))
            await self._wait_settled()
        finally:
            self.is_reloading = False
        await self._call_script("begin", self._script_options())
        spent = asyncio.get_running_loop().time() - began
        self._end = min(self._end + spent, self._last_end)

    # Both

    async def _collect_links(self, label: str = "") -> int:
        """Read the links of the page; return the number of new ones.

        ``label``: that of URLs to which a script would have gone.
        """
        return self._note_links(await self._call_script("links"), label)

    def _note_links(self, found: dict[str, Any], label: str = "") -> int:
        left = [*found["left"], *self.left]
        self._has_left, self.left = bool(left), []
        before = len(self._links)
        for url, text in (*found["links"], *((url, label) for url in left)):
            self._links.setdefault(url, text)
        return len(self._links) - before

    def _record_gain(self, kind: str, has_moved: bool = False) -> None:
        """Record what a kind of element has brought since the last call.

        ``has_moved``: it has shown entries of a list that are buttons.
        """
        is_useful = self.task.experience.new(self._links) > 0 or has_moved
        self.task.experience.note(self.task.form, kind, is_useful=is_useful)
        if is_useful:
            self._useful.add(kind)

    def _is_over(self) -> bool:
        if len(self._links) - len(self._known) >= MAX_LINKS:
            self._bound = f"it goes on after {MAX_LINKS:,} links"
        elif self._left_seconds() <= 0:
            self._bound = f"it goes on after {MAX_SECONDS:.0f} seconds"
        else:
            return False
        return True

    def _left_seconds(self) -> float:
        return max(0.0, self._end - asyncio.get_running_loop().time())

    def _script_options(self) -> dict[str, Any]:
        return {
            "alone": _in_javascript(LEFT_ALONE),
            "more": _in_javascript(MORE),
            "reject": _in_javascript(REJECT),
            "count": COUNT,
            "hopeless": self.task.experience.hopeless(self.task.form),
            "most": MAX_LISTED,
        }

    async def _wait_settled(self) -> None:
        """Wait until the page has settled, and for the pause between requests."""
        began = asyncio.get_running_loop().time()
        seconds = min(self._left_seconds(), BRIEF) if self.left else self._left_seconds()
        await self._wait_for_page(self.settle(seconds), self._left_seconds())
        spent = asyncio.get_running_loop().time() - began
        await asyncio.sleep(min(max(0.0, self.task.pause - spent), self._left_seconds()))

    async def _call_script(self, name: str, options: Any = None, seconds: float = 0.0) -> Any:
        """Call a function of ``hands.js``, which may take some seconds. Raises Frozen."""
        source = f"(options) => Object.assign({PAGE_JS}, {HANDS_JS}).{name}(options)"
        return await self._evaluate_script(source, options, seconds)

    async def _evaluate_script(self, source: str, options: Any = None, seconds: float = 0.0) -> Any:
        return await self._wait_for_page(self.page.evaluate(source, options), seconds)

    async def _wait_for_page(self, work: Any, seconds: float) -> Any:
        try:
            return await asyncio.wait_for(work, seconds + MAX_ANSWER)
        except asyncio.TimeoutError:
            raise Frozen from None


def _is_replaced(before: list[Button], after: list[Button]) -> bool:
    """Return whether most buttons of a page have gone."""
    rest, names = {each.name for each in before}, {each.name for each in after}
    return 2 * len(rest & names) < len(rest)


def _in_javascript(pattern: str) -> str:
    """Return a pattern for JavaScript, whose ``\\w`` is ASCII."""
    return pattern.replace(r"\w", r"[\p{L}\p{N}_]")
