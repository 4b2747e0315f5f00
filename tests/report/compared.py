"""Sites that a comparison compares."""

import io
from pathlib import Path
from typing import Any

from sitemapgen.report.comparison import FIGURES, NAMES, write_comparison

VALUES = ("https://a.example/", 100, 90, 80, 50, 0.5, 0.6, 0.7, 0.8, 0.8, "eligible", False)
SITE = {"output": "out", **dict(zip(FIGURES, (*VALUES, 0, 70, 40), strict=True))}
SITES = [
    SITE
    | {
        "output": f"output/site {number}",
        "site": f"https://site-{number}.example/" + ("docs/" if number == 2 else ""),
        "crawled": 90 * 4**number,
        "coverage": round(0.1 + 0.11 * number, 4),
        "unique_coverage": round(0.15 + 0.1 * number, 4),
        "index_coverage": round(0.7 - 0.05 * number, 4),
        "pagerank_coverage": round(0.8 - 0.07 * number, 4),
        "indexed_from": "file" if number % 2 else "eligible",
        "unfinished": number == 3,
        "not_looked_at": 7 * number,
    }
    for number in range(7)
]


def written(*sites: dict[str, Any]) -> dict[str, bytes]:
    """The files of a comparison, by name."""
    files = {name: io.BytesIO() for name in NAMES}
    write_comparison(sites, files.__getitem__, Path("comparison"))
    return {name: file.getvalue() for name, file in files.items()}
