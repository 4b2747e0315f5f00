"""A site without cookies, whose pages are at URLs with a session id."""

from collections.abc import Callable
from itertools import count
from zlib import crc32

from tests.helpers.server import Answer, page, redirect

NAMES = ("help.aspx", "records.aspx", "record.aspx?id=1", "record.aspx?id=2")


def in_path(session: str, path: str) -> str:
    return f"/(S({session}))" + path


def in_query(session: str, path: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}PHPSESSID={session}"


def sessions(write: Callable[[str, str], str], *, ends: bool = True) -> Callable[[str], Answer]:
    """A site all of whose pages are at URLs with a session id, a new one for each that has none."""
    ids = (f"{crc32(str(number).encode()):08x}" * 3 for number in count())
    issued: set[str] = set()

    def answer(path: str) -> Answer:
        session = next((each for each in issued if each in path), "")
        plain = next((each for each in ("", *NAMES) if write(session, f"/{each}") == path), None)
        if session and plain is not None and ends:
            links = (write(session, f"/{name}") for name in NAMES)
            return page(*links, title=plain, text=f"What {plain} is about. " * 20)
        if session and ends:
            return Answer("", 404)
        issued.add(new := next(ids))
        return redirect(write(new, path.replace(f"/(S({session}))", "")), 302)

    return answer
