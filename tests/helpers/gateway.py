"""A reverse proxy on loopback that fails as proxies do: before a request, or after it."""

from __future__ import annotations

import asyncio
import ssl
import threading
from types import TracebackType
from typing import Any

from aiohttp import ClientSession, web

Fault = tuple[int, bool]
"""(status, is it forwarded first): instead of the answer, which is lost; 0 hangs up, 200 is the
answer itself, and ``NEVER`` none at all."""
NEVER = -1


class Gateway:
    """Forwards to a server, but for the faults of each path, which are used up in their order."""

    def __init__(
        self, target: str, faults: dict[str, list[Fault]], tls: ssl.SSLContext | None = None
    ) -> None:
        """``tls``: to be reached over TLS alone."""
        self.url = ""
        self._tls = tls
        self._target = target.rstrip("/")
        self._faults = faults
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Gateway:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        runner = self._loop.run_until_complete(self._start())
        self._ready.set()
        self._loop.run_forever()
        self._loop.run_until_complete(runner.cleanup())
        self._loop.run_until_complete(_end(asyncio.all_tasks(self._loop)))
        self._loop.close()

    async def _start(self) -> web.ServerRunner:
        runner = web.ServerRunner(web.Server(self._handle), shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=self._tls).start()
        self.url = f"http{'s' if self._tls else ''}://127.0.0.1:{runner.addresses[0][1]}/"
        return runner

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        faults = self._faults.get(request.path, [])
        status, is_forwarded = faults.pop(0) if faults else (200, True)
        answer: web.Response | None = None
        if is_forwarded:
            answer = await self._forward(request)
        if status == 200 and answer is not None:
            return answer
        if status == NEVER:
            await asyncio.Event().wait()
        if status == 0:
            assert request.transport is not None
            request.transport.abort()
        return web.Response(status=status or 502, headers={"Retry-After": "1"})

    async def _forward(self, request: web.BaseRequest) -> web.Response:
        wanted = ("Content-Type", "Range", "Authorization")
        headers = {name: request.headers[name] for name in wanted if name in request.headers}
        async with (
            ClientSession() as session,
            session.request(
                request.method,
                self._target + request.raw_path,
                data=await request.read(),
                headers=headers,
            ) as response,
        ):
            kept = ("Content-Type", "Content-Range", "Content-Length")
            headers = {name: response.headers[name] for name in kept if name in response.headers}
            body = await response.read()
            return web.Response(status=response.status, body=body, headers=headers)


async def _end(tasks: set[asyncio.Task[Any]]) -> None:
    """End answers that were never to be given."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
