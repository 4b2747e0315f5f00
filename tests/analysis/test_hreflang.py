"""Which links between versions in other languages a sitemap may show."""

from collections import Counter

import numpy as np

from sitemapgen.analysis.hreflang import REASONS, Versions
from sitemapgen.core.urls import key
from tests.helpers.tables import for_each

SITE = "https://example.com"

Pages = dict[str, str]
"""By path: what the page names, as ``en:/en de:/de``."""


def named(text: str) -> list[tuple[str, str]]:
    pairs = (part.split(":", 1) for part in text.split())
    return [(code, href if "//" in href else SITE + href) for code, href in pairs]


def shown(pages: Pages, *further: str) -> tuple[Pages, Counter[str]]:
    """What the entry of each page names, and what is left out; ``further`` are listed as well."""
    said = {key(SITE + path): named(text) for path, text in pages.items() if text}
    listed = np.array([key(SITE + path) for path in (*pages, *further)], np.int64)
    versions = Versions(said.items(), listed)
    result, left_out = {}, None
    for path, text in pages.items():
        kept, faults = versions.of(key(SITE + path), named(text))
        result[path] = " ".join(f"{code}:{url.removeprefix(SITE)}" for code, url in kept)
        left_out = faults if left_out is None else left_out + faults
    assert left_out is not None
    return result, left_out


BOTH = "de:/de en:/en"


@for_each(
    # Both name both, in one order.
    ({"/en": "en:/en de:/de", "/de": "de:/de en:/en"}, {"/en": BOTH, "/de": BOTH}, {}),
    # No return link; the other one names nothing.
    ({"/en": "en:/en de:/de", "/de": "de:/de"}, {}, {"no_return": 1}),
    ({"/en": "en:/en de:/de", "/de": ""}, {}, {"no_return": 1}),
    # A page that does not name itself.
    ({"/en": "de:/de", "/de": "de:/de en:/en"}, {}, {"no_self": 1, "no_return": 1}),
    # A target that is not listed; one on another site, which was not asked.
    ({"/en": "en:/en de:/gone", "/de": "de:/de"}, {}, {"not_listed": 1}),
    ({"/en": "en:/en fr:https://example.fr/"}, {}, {"not_listed": 1}),
    # Of three, two pairs hold.
    (
        {**dict.fromkeys(("/en", "/de"), "en:/en de:/de fr:/fr"), "/fr": "fr:/fr en:/en"},
        *({"/en": f"{BOTH} fr:/fr", "/de": BOTH, "/fr": "en:/en fr:/fr"}, {"no_return": 1}),
    ),
    # x-default comes last, also where it has a page of its own.
    (
        dict.fromkeys(("/en", "/de"), "x-default:/en en:/en de:/de"),
        *(dict.fromkeys(("/en", "/de"), f"{BOTH} x-default:/en"), {}),
    ),
    (
        dict.fromkeys(("/", "/en"), "x-default:/ en:/en"),
        *(dict.fromkeys(("/", "/en"), "en:/en x-default:/"), {}),
    ),
    # Itself alone.
    ({"/en": "en:/en x-default:/en"}, {}, {}),
    # One page for two codes.
    (
        dict.fromkeys(("/en", "/de"), "en:/en en-gb:/en de:/de"),
        *(dict.fromkeys(("/en", "/de"), "de:/de en:/en en-GB:/en"), {}),
    ),
    # Two URLs for one code.
    (
        {"/en": "en:/en de:/de de:/de2", "/de": BOTH, "/de2": "de:/de2 en:/en"},
        *({}, {"contradicting": 2, "no_return": 2}),
    ),
    # A code that is none.
    ({"/en": "en-uk:/en de:/de", "/de": "de:/de en-uk:/en"}, {}, {"bad_code": 2, "no_self": 1}),
)
def test_what_is_shown(pages: Pages, expected: Pages, left_out: dict[str, int]) -> None:
    result, faults = shown(pages)
    assert result == {**dict.fromkeys(pages, ""), **expected}
    assert dict(faults) == left_out
    assert set(faults) <= set(REASONS)


def test_what_is_shown_is_always_reciprocal() -> None:
    """Whatever pages say at random: a page that an entry names has an entry that names it."""
    random = np.random.default_rng(7)
    codes = ["en", "de", "fr", "x-default"]
    pages = {
        f"/{page}": " ".join(
            f"{codes[code]}:/{target}"
            for code, target in zip(random.integers(4, size=4), random.integers(30, size=4))
        )
        + f" es:/{page}"
        for page in range(25)
    }
    result, _ = shown(pages)
    links = {path: {url for _, url in map(_pair, text.split())} for path, text in result.items()}
    assert any(links.values())
    for path, targets in links.items():
        assert not targets or path in targets
        assert all(path in links[target] for target in targets)


def _pair(shown: str) -> tuple[str, str]:
    code, _, url = shown.partition(":")
    return code, url


def test_no_pages() -> None:
    assert Versions([], np.empty(0, np.int64)).of(1, [("en", SITE)]) == ([], {"no_self": 1})
