"""Reasons for which pages are read in a browser, in words for people.

The rules: ``detect.py`` and ``learn.py``.
"""

from __future__ import annotations

_EMPTY = "the server sends an empty page that scripts fill"
_KIND = "other pages of its kind show more in a browser"

RENDERED_FOR = {
    "challenge": "a script checks the browser before the page is shown",
    "moves": "a script leads to the content",
    "empty_mount": "scripts fill the page",
    "open_boundary": "a part of the page is sent as a script",
    "thin_and_linkless": "the server sends hardly any text, and no link",
    "asks_for_scripts": "the page asks visitors to switch on JavaScript",
    "lazy_fragment": "a script loads a part of the page",
    "placeholder": "the server sends a placeholder such as Loading",
    "writes_links": "a script writes links",
    "like_random_path": "the server sends the same document for every path",
    "learned": _KIND,
    "sampled": _KIND,
    "always": "all pages are read in a browser (render=always)",
    "seed_short_html": _EMPTY,
    "seed_root_and_empty_body": _EMPTY,
    "seed_empty_body_and_many_scripts": _EMPTY,
    "seed_low_ratio_and_root": "an element for scripts to fill, and little besides scripts",
}
"""Each reason of ``learn.RenderDecision`` for rendering a page -> a clause."""
