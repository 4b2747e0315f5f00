"""How a crawl may end: the exit codes, and the error that carries one with its sentence."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of all commands; docs/explanation/reliability.md has the same table."""

    PUBLISHED = 0
    ERROR = 1
    ARGUMENTS = 2
    UNREACHABLE = 3
    NOTHING = 4
    REFUSED = 5
    INTERRUPTED = 6
    NO_SPACE = 7
    CONDITION = 8
    INVALID = 9
    DIFFERENT = 10


class CrawlError(Exception):
    """A crawl cannot go on: one sentence with what is wrong and its remedy."""

    def __init__(self, exit_code: Exit, sentence: str) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code
        self.sentence = sentence
