"""The tables of the comparison of tools, out of the rounds that ``comparison`` measured."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

FILE = Path(__file__).with_name("comparison.json")
"""The rounds of the tables in docs/explanation/figures.md."""
NONE = "-"


@dataclass(frozen=True, kw_only=True)
class Tool:
    """What a tool took in each round; without rounds it could not be installed."""

    name: str
    requests: int = 0
    """The most of a round, in the log of the server."""
    cpu: Sequence[float] = ()
    """Seconds, of all its processes."""
    wall: Sequence[float] = ()
    """Seconds."""
    memory: Sequence[float] = ()
    """Megabytes at the peak, of all its processes together."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Tools that crawled the same site in turn; the first is what the others are compared with."""

    pages: int
    """Every tool fetched these in every round."""
    rounds: int
    machine: str
    tools: Sequence[Tool]


def save(found: Mapping[str, Comparison]) -> None:
    """Keep the comparisons of the documentation, by the name of their table."""
    rounds = {name: asdict(comparison) for name, comparison in found.items()}
    FILE.write_text(json.dumps(rounds, indent=1) + "\n", "utf-8")


def saved() -> dict[str, Comparison]:
    """Return the comparisons of the documentation."""
    return {
        name: Comparison(**{**kept, "tools": [Tool(**tool) for tool in kept["tools"]]})
        for name, kept in json.loads(FILE.read_text("utf-8")).items()
    }


def rows(comparison: Comparison) -> Iterator[tuple[str, ...]]:
    """Yield a head and a row for each tool: medians, and median, least and most of the ratios."""
    first = comparison.tools[0]
    yield (
        f"{comparison.pages:,} pages; rounds: {comparison.rounds}; {comparison.machine}",
        *("requests", "CPU, ms a page; ratio", "wall, s; ratio", "peak memory, MB; ratio"),
    )
    for tool in comparison.tools:
        if not tool.cpu:
            yield tool.name, "could not be installed", *([NONE] * 3)
            continue
        a_page = [seconds / comparison.pages * 1000 for seconds in tool.cpu]
        yield (
            tool.name,
            f"{tool.requests:,}",
            _cell(f"{median(a_page):.2f}", first.cpu, tool.cpu),
            _cell(f"{median(tool.wall):.1f}", first.wall, tool.wall),
            _cell(f"{median(tool.memory):.0f}", first.memory, tool.memory),
        )


def _cell(figure: str, ours: Sequence[float], its: Sequence[float]) -> str:
    """A figure, and the ratios of the rounds."""
    if ours is its:
        return figure
    ratios = [one / other for one, other in zip(ours, its)]
    middle, least, most = (f"{ratio:.2f}" for ratio in (median(ratios), min(ratios), max(ratios)))
    return f"{figure}; {middle} ({least} to {most})"


def text(comparison: Comparison) -> str:
    """Return the table for a terminal."""
    table = list(rows(comparison))
    widths = [max(map(len, column)) for column in zip(*table)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in table
    )
