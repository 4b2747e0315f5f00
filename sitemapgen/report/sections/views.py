"""The section ``views``: pages that show nothing but what other listed pages show."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from sitemapgen.analysis.coverage import share
from sitemapgen.report.dataset import EXAMPLES
from sitemapgen.verdicts import Verdict

if TYPE_CHECKING:
    from sitemapgen.report.dataset import Dataset


def views(dataset: Dataset) -> dict[str, Any]:
    """Return the views: how many are listed and left out, and examples."""
    is_listed = dataset.census.has(Verdict.LISTED)
    listed = int(np.count_nonzero(is_listed[dataset.views]))
    return {
        "count": len(dataset.views),
        "listed": listed,
        "left_out": len(dataset.views) - listed,
        "share": share(listed, int(np.count_nonzero(is_listed))),
        "in_sitemap": int(np.count_nonzero(dataset.census.in_sitemap[dataset.views])),
        "examples": [
            {"url": row.url, "parts": row.pages, "example": row.example}
            for row in islice(dataset.store.results.views(), EXAMPLES)
        ],
    }
