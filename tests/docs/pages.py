"""The pages of the documentation, read as a reader of their source does."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Command(NamedTuple):
    """A command in a block of a page."""

    page: str
    line: int
    text: str


def prose(path: Path) -> str:
    """A page without its blocks of code."""
    return FENCE.sub("", path.read_text("utf-8"))


def commands(path: Path) -> list[Command]:
    """What stands after each ``$`` in the console blocks of a page."""
    text = path.read_text("utf-8")
    found = []
    for block in FENCE.finditer(text):
        language, body = block.groups()
        if language != "console":
            continue
        first = text.count("\n", 0, block.start(2)) + 1
        lines = body.splitlines()
        for number, line in enumerate(lines):
            if line.startswith("$ "):
                command = line[2:]
                for further in lines[number + 1 :]:
                    if _is_whole(command):
                        break
                    command += f"\n{further}"
                found.append(Command(path.name, first + number, command))
    return found


def _is_whole(command: str) -> bool:
    if command.endswith("\\"):
        return False
    try:
        shlex.split(command)
    except ValueError:
        return False
    return True


def anchors(path: Path) -> set[str]:
    """The anchors that a forge gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return set(map(slug, headings))


def slug(heading: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
