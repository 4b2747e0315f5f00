"""Files sent to a browser, as the dashboard and ``sitemapgen serve`` do it."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from aiohttp import web

from sitemapgen.extensions.dashboard.gate import refusal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CHUNK = 1 << 18
"""Bytes of a file that are read at once."""
WRITE_DEADLINE = 30.0
"""Seconds in which a client has to read the data sent to it."""


async def send(
    request: web.Request, path: Path | None, headers: Mapping[str, str], missing: str
) -> web.StreamResponse:
    """Send a file as it is at the first moment, even if it is replaced meanwhile.

    ``missing``: the sentence where there is no file, or where its name is a symbolic link.
    """
    try:
        if path is None:
            raise FileNotFoundError
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return refusal(404, missing)
    with os.fdopen(descriptor, "rb") as file:
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        while data := await asyncio.to_thread(file.read, CHUNK):
            await write(request, response, data)
    return response


async def write(request: web.Request, response: web.StreamResponse, data: bytes) -> None:
    """Send data; drop a client that does not read it in time, or has left. Raises OSError."""
    try:
        await asyncio.wait_for(response.write(data), WRITE_DEADLINE)
    except (asyncio.TimeoutError, ConnectionError) as error:
        if request.transport is not None:
            request.transport.abort()
        raise ConnectionResetError from error
