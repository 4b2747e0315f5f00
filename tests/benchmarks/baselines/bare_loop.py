"""What one process has to do at least: fetch, parse, resolve links, store pages and links.

python -I bare_loop.py URL AT_ONCE DATABASE

aiohttp, lexbor and SQLite, without robots.txt, verdicts, retries or a limit of any kind.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from urllib.parse import urldefrag, urljoin

import aiohttp
from selectolax.lexbor import LexborHTMLParser


async def main(start: str, at_once: int, database: str) -> None:
    store = sqlite3.connect(database, isolation_level=None)
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("CREATE TABLE page (url TEXT PRIMARY KEY, title TEXT, text TEXT)")
    store.execute("CREATE TABLE link (source TEXT, target TEXT)")
    store.execute("BEGIN")
    origin = urljoin(start, "/")
    seen, pending = {start}, asyncio.Queue[str]()
    pending.put_nowait(start)
    async with aiohttp.ClientSession() as session:

        async def work() -> None:
            while True:
                url = await pending.get()
                async with session.get(url) as response:
                    body = await response.read()
                tree = LexborHTMLParser(body)
                hrefs = {node.attributes["href"] or "" for node in tree.css("a[href]")}
                links = {urldefrag(urljoin(url, href)).url for href in hrefs}
                title, text = tree.css_first("title"), tree.body.text() if tree.body else ""
                row = (url, title.text() if title else "", text)
                store.execute("INSERT INTO page VALUES (?, ?, ?)", row)
                store.executemany("INSERT INTO link VALUES (?, ?)", [(url, to) for to in links])
                for link in sorted(links - seen):
                    if link.startswith(origin):
                        seen.add(link)
                        pending.put_nowait(link)
                pending.task_done()

        workers = [asyncio.ensure_future(work()) for _ in range(at_once)]
        waiting = asyncio.ensure_future(pending.join())
        await asyncio.wait([*workers, waiting], return_when=asyncio.FIRST_COMPLETED)
        for worker in workers:
            if worker.done():
                worker.result()  # raises what ended it
            worker.cancel()
    store.execute("COMMIT")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
