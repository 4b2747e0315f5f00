"""The formatter of ``--help``: examples keep their lines, and words stay whole."""

from __future__ import annotations

import argparse
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class HelpFormatter(argparse.HelpFormatter):
    """Wraps texts at spaces alone, and no text that ends with a line break."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        # A break at a hyphen would cut options such as --max-pages.
        words = " ".join(text.split())
        return textwrap.wrap(words, width, break_long_words=False, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.endswith("\n"):
            return textwrap.indent(text.rstrip(), indent)
        lines = self._split_lines(text, width - len(indent))
        return textwrap.indent("\n".join(lines), indent)


def add_examples(parser: argparse.ArgumentParser, program: str, examples: Iterable[str]) -> None:
    """Show commands below the options, as they are typed: a line each, after the program."""
    lines = "".join(f"{program} {each}\n" for each in examples)
    parser.add_argument_group("examples", lines)
