"""One site of the laboratory: what it answers, what has to be listed of it, and at what cost."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from tests.helpers.server import Answer

Part = Callable[[str], Answer | None]
Pages = Mapping[str, Answer]
"""The answers of a finite site by path and query."""

REQUESTS_OF_A_TRAP_SITE = 2_000
"""Requests that 300 real pages around an endless space may cost."""


@dataclass(frozen=True, kw_only=True)
class Space:
    """A site and the ideal result of a crawl."""

    name: str
    about: str
    answer: Part
    ideal: frozenset[str]
    """Path and query, as ``normal`` writes them, of every page that has to be listed."""
    tolerated: Callable[[str], bool]
    """Whether a URL outside the ideal may be listed."""
    most_beyond: int
    """URLs outside the ideal that may be listed."""
    max_requests: int
    is_endless: bool
    ignored: frozenset[str] = frozenset()
    """Parameters that change nothing."""


BUILDERS: dict[str, Callable[[], Space]] = {}
"""How to build each site, by its name."""


def normal(path: str) -> str:
    """Sort the parameters of a path with its query, as the crawler does."""
    before, _, query = path.partition("?")
    return f"{before}?{'&'.join(sorted(query.split('&')))}" if query else before


def without(path: str, names: frozenset[str]) -> str:
    """Take parameters out of a path with its query, and sort the others."""
    before, _, query = path.partition("?")
    kept = [part for part in query.split("&") if part.partition("=")[0] not in names]
    return normal(f"{before}?{'&'.join(kept)}") if any(kept) else before


def honest(
    *,
    views: str = r"(?!)",
    apart: str = r"(?!)",
    ignored: frozenset[str] = frozenset(),
    most: int | None = None,
    requests: int = 0,
    otherwise: Part = lambda _: None,
) -> Callable[[Callable[[], Pages]], Callable[[], Pages]]:
    """Register a finite site; all of its pages are ideal, except views of others.

    ``views``: a pattern of paths with their query that may be listed, or left out; ``most``: number
    of those that may be listed, None for all. ``apart``: a pattern of what is to be left out.
    ``ignored``: parameters that change nothing. ``requests``: allowed beyond twice the pages and
    100, without those apart.
    ``otherwise``: what other paths answer.
    """

    def register(build: Callable[[], Pages]) -> Callable[[], Pages]:
        name = build.__name__.replace("_", "-")
        assert name not in BUILDERS, name

        @cache
        def space() -> Space:
            every = build()
            pages = {
                normal(path): answer
                for path, answer in every.items()
                if not re.fullmatch(apart, path)
            }
            ideal = frozenset(path for path in pages if not re.fullmatch(views, path))
            return Space(
                name=name,
                about=build.__doc__ or "",
                answer=lambda path: (
                    pages.get(without(path, ignored)) or every.get(path) or otherwise(path)
                ),
                ideal=frozenset(path for path in ideal if pages[path].status == 200),
                tolerated=lambda path: path in pages and path not in ideal,
                most_beyond=len(pages) - len(ideal) if most is None else most,
                max_requests=2 * len(pages) + 100 + requests,
                is_endless=False,
                ignored=ignored,
            )

        BUILDERS[name] = space
        return build

    return register


def endless(
    *,
    tolerated: str,
    most: int = 20,
    also: Callable[[], frozenset[str]] = frozenset,
    requests: int = 0,
) -> Callable[[Callable[[], Part]], Callable[[], Part]]:
    """Register an endless space around 300 real pages; ``also``: real pages inside of it.

    ``tolerated``: a pattern of paths with their query, of which at most ``most`` may be listed.
    ``requests``: allowed beyond ``REQUESTS_OF_A_TRAP_SITE``.
    """

    def register(build: Callable[[], Part]) -> Callable[[], Part]:
        from tests.spaces.pages import REAL

        name = build.__name__.replace("_", "-")
        assert name not in BUILDERS, name

        @cache
        def space() -> Space:
            return Space(
                name=name,
                about=build.__doc__ or "",
                answer=build(),
                ideal=frozenset(REAL) | also(),
                tolerated=lambda path: bool(re.fullmatch(tolerated, path)),
                most_beyond=most,
                max_requests=REQUESTS_OF_A_TRAP_SITE + requests,
                is_endless=True,
            )

        BUILDERS[name] = space
        return build

    return register
