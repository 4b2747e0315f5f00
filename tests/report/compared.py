"""Sites that a comparison compares."""

import io
from pathlib import Path

from sitemapgen.report.comparison import NAMES, ComparedSite, write_comparison

SITE = ComparedSite(
    *("out", "https://a.example/", 100, 90, 80, 50, 0.5, 0.6, 0.7, 0.8, 0.8),
    *("eligible", False, 0, 70, 40),
)
SITES = [
    SITE._replace(
        output=f"output/site {number}",
        site=f"https://site-{number}.example/" + ("docs/" if number == 2 else ""),
        crawled=90 * 4**number,
        coverage=round(0.1 + 0.11 * number, 4),
        unique_coverage=round(0.15 + 0.1 * number, 4),
        index_coverage=round(0.7 - 0.05 * number, 4),
        pagerank_coverage=round(0.8 - 0.07 * number, 4),
        indexed_from="file" if number % 2 else "eligible",
        unfinished=number == 3,
        not_looked_at=7 * number,
    )
    for number in range(7)
]


def written(*sites: ComparedSite) -> dict[str, bytes]:
    """The files of a comparison, by name."""
    files = {name: io.BytesIO() for name in NAMES}
    write_comparison(sites, files.__getitem__, Path("comparison"))
    return {name: file.getvalue() for name, file in files.items()}
