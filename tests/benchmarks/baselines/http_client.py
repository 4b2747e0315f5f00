"""Bare aiohttp: fetches the URLs of a file, one a line, and looks at none of the responses.

python -I http_client.py URLS AT_ONCE
"""

import asyncio
import sys
from pathlib import Path

import aiohttp


async def main(urls: list[str], at_once: int) -> None:
    async with aiohttp.ClientSession(raise_for_status=True) as session:

        async def work() -> None:
            while urls:
                async with session.get(urls.pop()) as response:
                    await response.read()

        await asyncio.gather(*(work() for _ in range(at_once)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]).read_text("utf-8").split(), int(sys.argv[2])))
