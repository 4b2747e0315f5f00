"""Settings of a crawl whose reader ends the process at pages with a certain word, as a native
parser does; given with SITEMAPGEN_PROFILE."""

from __future__ import annotations

import os
from typing import Any

from sitemapgen.core import pages

DEADLY = b"deadly"

_read_page = pages.read_page


def _read(**answer: Any) -> Any:
    if DEADLY in answer["body"]:
        os.abort()
    return _read_page(**answer)


import sitemapgen.answers  # noqa: E402 - patched below

sitemapgen.answers.read_page = _read
