"""Figures of a running crawl while its store is in use by the background."""

import asyncio
from threading import Event
from types import SimpleNamespace
from typing import Any

from sitemapgen.background import Background
from sitemapgen.extensions.figures import Figures


def test_a_line_of_the_log_waits_for_figures_of_its_time() -> None:
    """Plans one after the other would have each line repeat the figures before the first."""
    background, plan, fetched = Background(), Event(), [5]
    figures: Any = SimpleNamespace(
        _last=None, context=SimpleNamespace(background=background), status=lambda: fetched[0]
    )

    def work() -> None:
        plan.wait()
        fetched[0] = 9

    async def plan_and_log() -> Any:
        planning = asyncio.ensure_future(background.run(work))
        await asyncio.sleep(0)
        line = asyncio.ensure_future(Figures.current_status(figures))
        await asyncio.sleep(0)
        assert not line.done()
        plan.set()
        await planning
        return await line

    assert asyncio.run(plan_and_log()) == 9
    background.join()
