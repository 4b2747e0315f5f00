"""``sitemapgen diff [OLD] NEW``: changes of a site's URLs between two runs, crawls or sitemaps.

The kinds of changes: ``analysis/difference.py``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sitemapgen.core.words import by_count, largest_first
from sitemapgen.errors import Exit
from sitemapgen.tools.command import ProjectCommand, parse_operands

if TYPE_CHECKING:
    from sitemapgen.analysis.difference import Change

SHOWN = 20
"""Number of changes of each kind that are shown without ``--all``."""
SIGNS = {"added": "+", "removed": "-", "verdict": "~", "lastmod": "~"}


class Command(ProjectCommand):
    """Compares two outputs, runs, stores, urls.csv or sitemaps."""

    usage = "OUTPUT | OLD NEW"
    summary = "Compare two runs, two crawls or two sitemaps"
    description = (
        "OLD and NEW: an output directory, one of its runs (output@3), a urls.csv, a "
        "crawl.sqlite, a sitemap or its URL. OUTPUT alone: its last run and the one before"
    )
    reads_sitemaps = True
    examples = (
        "diff output/example.com",
        "diff output/example.com@1 output/example.com --exit-code",
        "diff public/sitemap.xml https://example.com/sitemap.xml",
    )

    def add_own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--format", choices=("text", "json"), default="text")
        parser.add_argument(
            "--all", action="store_true", help=f"show more than {SHOWN} changes of a kind"
        )
        parser.add_argument(
            "--exit-code", action="store_true", help="exit with code 10 if anything changed"
        )

    def work(self, settings: Mapping[str, Any], args: list[str], opts: argparse.Namespace) -> Exit:
        from sitemapgen.analysis.difference import find_changes  # noqa: PLC0415 - see validate.py
        from sitemapgen.core.sitemap_files.findings import plain_line  # noqa: PLC0415
        from sitemapgen.tools.states import find_source, last_two, read_states  # noqa: PLC0415

        is_one = len(args) == 1 and not args[0].startswith("-")
        sources = (
            last_two(args[0])
            if is_one
            else [find_source(name) for name in parse_operands(args, "OLD", "NEW")]
        )
        with read_states(sources, settings) as (old, new):
            comparison = DiffSummary(find_changes(old, new), 0 if opts.all else SHOWN)
        names = (sources[0].name, sources[1].name)
        if opts.format == "json":
            sys.stdout.write(json.dumps(_as_json(names, comparison), indent=2) + "\n")
        else:
            sys.stdout.writelines(f"{plain_line(line)}\n" for line in _as_text(names, comparison))
        return Exit.DIFFERENT if opts.exit_code and comparison.is_different else Exit.PUBLISHED


class DiffSummary:
    """Counts of all changes, and the first ones of each kind for display."""

    def __init__(self, changes: Iterable[Change | None], limit: int) -> None:
        """``limit``: number of changes of each kind that are kept; 0 means all."""
        self.same = 0
        self.moves: dict[str, Counter[str]] = {kind: Counter() for kind in SIGNS}
        self.shown: dict[str, list[Change]] = {kind: [] for kind in SIGNS}
        for change in changes:
            if change is None:
                self.same += 1
                continue
            self.moves[change.kind][change.move] += 1
            if not limit or len(self.shown[change.kind]) < limit:
                self.shown[change.kind].append(change)

    def count_moves(self, kind: str) -> int:
        return sum(self.moves[kind].values())

    @property
    def is_different(self) -> bool:
        return any(self.moves.values())


def _as_text(names: tuple[str, str], comparison: DiffSummary) -> Iterator[str]:
    yield f"{names[0]} -> {names[1]}"
    for kind, moves in comparison.moves.items():
        words = f" ({largest_first(moves)})" if moves else ""
        yield f"{kind} {comparison.count_moves(kind):,}{words}"
    yield f"same {comparison.same:,}"
    for kind, shown in comparison.shown.items():
        if shown:
            yield ""
        for change in shown:
            yield f"{SIGNS[kind]} {change.url} {_describe_change(change)}"
        if (left := comparison.count_moves(kind) - len(shown)) > 0:
            yield f"... and {left:,} more (--all)"


def _describe_change(change: Change) -> str:
    if change.kind == "lastmod" and change.old and change.new:
        return f"lastmod {change.old.lastmod or 'none'} -> {change.new.lastmod or 'none'}"
    return change.move


def _as_json(names: tuple[str, str], comparison: DiffSummary) -> dict[str, object]:
    return {
        "schema": 1,
        "old": names[0],
        "new": names[1],
        "same": comparison.same,
        "counts": {kind: comparison.count_moves(kind) for kind in SIGNS},
        "moves": {kind: dict(by_count(moves)) for kind, moves in comparison.moves.items()},
        "changes": {
            kind: [
                {
                    "url": change.url,
                    "old": change.old
                    and {"verdict": change.old.verdict, "lastmod": change.old.lastmod},
                    "new": change.new
                    and {"verdict": change.new.verdict, "lastmod": change.new.lastmod},
                }
                for change in shown
            ]
            for kind, shown in comparison.shown.items()
        },
    }
