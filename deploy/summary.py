"""The figures of result.json, for a run of GitHub Actions (``action.yml``).

    python summary.py sitemap/result.json EXIT_CODE

appends a table to the file of GITHUB_STEP_SUMMARY, and ``coverage`` to that of GITHUB_OUTPUT. A
result with another exit code is that of an earlier crawl.
"""

from __future__ import annotations

import html
import json
import os
import sys
from pathlib import Path
from typing import Any

HEAD = "\n| figure | |\n|---|---:|\n"


def read(path: Path, code: int) -> dict[str, Any]:
    """Return the result of a crawl; only its exit code where it has written none."""
    try:
        result: dict[str, Any] = json.loads(path.read_bytes())
    except FileNotFoundError:
        result = {}
    none = {"exit_code": code, "sentence": "the log of the crawl has the reason"}
    return result if result.get("exit_code") == code else none


def summary(result: dict[str, Any]) -> str:
    """Return Markdown: the outcome, the counts, and all metrics but counts of 0."""
    lines = (result.get("url"), f"exit code {result['exit_code']}", result["sentence"])
    # Nothing in this element is read as Markdown, as long as no line of it is empty.
    text = f"<pre>{html.escape(chr(10).join(filter(None, lines)))}</pre>\n"
    figures = {**result.get("counts", {}), **result.get("metrics", {})}
    rows = [f"| {name} | {shown(value)} |\n" for name, value in figures.items() if shown(value)]
    return text + (HEAD + "".join(rows) if rows else "")


def shown(value: object) -> str:
    """Return a share in percent, or a count above 0; else nothing."""
    if isinstance(value, float):
        return f"{value:.1%}"
    return f"{value:,}" if isinstance(value, int) and value else ""


def append(variable: str, text: str) -> None:
    """Append to the file that the environment names."""
    with Path(os.environ[variable]).open("a", encoding="utf-8") as file:
        file.write(text)


def main() -> None:
    """Read the result, and write what the runner shows."""
    result = read(Path(sys.argv[1]), int(sys.argv[2]))
    append("GITHUB_STEP_SUMMARY", summary(result))
    coverage = result.get("metrics", {}).get("coverage")
    append("GITHUB_OUTPUT", f"coverage={'' if coverage is None else coverage}\n")


if __name__ == "__main__":
    main()
