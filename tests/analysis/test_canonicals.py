"""Where each canonical leads in the end, and what becomes of the page that names it."""

import random
from collections.abc import Mapping

from sitemapgen.analysis.canonicals import Canonicals
from sitemapgen.core.urls import key
from sitemapgen.verdicts import Verdict
from tests.analysis.sites import ROOT, site, url
from tests.helpers.cost import at_most
from tests.helpers.tables import for_each

LISTED, CANONICALISED = "listed", "canonicalised"


def rule(
    names: str, canonicals: Mapping[str, str], **more: object
) -> tuple[dict[str, tuple[str, str]], str]:
    """The rulings about pages with names of one letter, and which pages are originals."""
    graph = site(names, **more)
    rows = [
        (key(url(page)), " ".join(map(url, named.split()))) for page, named in canonicals.items()
    ]
    found = Canonicals(rows, graph, graph.measure())
    name_of = {key(url(name)): name for name in names}
    rulings = {
        name_of[ruling.key]: (
            ruling.verdict.value,
            ruling.evidence.replace(ROOT, "") + name_of.get(ruling.other, ""),
        )
        for ruling in found.rulings(rows)
    }
    originals = [name_of[int(each)] for each in graph.nodes.keys[found.is_original]]
    return rulings, "".join(originals)


IN_A_CIRCLE = "ignored: they lead in a circle, and this one is listed"
ELSEWHERE = "https://o.example/x"


@for_each(
    ("", {}, {}, ""),
    # To a page that is listed.
    ("b>a", {}, {"b": "is a"}, "a"),
    # A chain: followed to its end.
    ("c>b b>a", {}, {"b": "is a", "c": "is b, which leads to a"}, "a"),
    # Through redirects to a page.
    ("d>c", {"redirects": {"c": "b", "b": "a"}}, {"d": "is c, which leads to a"}, "a"),
    # To a redirect back: another spelling of the page's own URL.
    ("a>b", {"redirects": {"b": "a"}}, {"a": "b ignored: it leads back here"}, ""),
    # To what cannot be an original: Google ignores that, and nothing would be left.
    *[
        ("a>b", {"verdicts": {"b": verdict}}, {"a": f"b ignored: {verdict.value}"}, "")
        for verdict in (
            *(Verdict.HTTP_ERROR, Verdict.FETCH_ERROR, Verdict.NOINDEX),
            *(Verdict.ROBOTS_DISALLOWED, Verdict.NOT_FETCHED, Verdict.NOT_HTML),
        )
    ],
    # To a redirect that ends in an error, or in itself.
    (
        *("a>b", {"redirects": {"b": "c"}, "verdicts": {"c": Verdict.HTTP_ERROR}}),
        *({"a": "b ignored: http_error"}, ""),
    ),
    ("a>b", {"redirects": {"b": "c", "c": "b"}}, {"a": "b ignored: redirect"}, ""),
    # A chain whose end is broken: the last page that is there is listed.
    (
        *("a>b b>c", {"verdicts": {"c": Verdict.HTTP_ERROR}}),
        *({"a": "is b", "b": "c ignored: http_error"}, "b"),
    ),
    # Another site: the owner says that the original is there.
    (f"a>{ELSEWHERE}", {}, {"a": f"is {ELSEWHERE}"}, ""),
    (f"b>a a>{ELSEWHERE}", {}, {"a": f"is {ELSEWHERE}", "b": "is a"}, "a"),
    (f"c>b b>a a>{ELSEWHERE}", {}, {"a": f"is {ELSEWHERE}", "b": "is a", "c": "is b"}, "a"),
    # Beyond our own limits: nothing speaks against the original.
    *[
        ("a>b", {"verdicts": {"b": verdict}}, {"a": "is b"}, "")
        for verdict in (
            *(Verdict.OVER_CAP, Verdict.TOO_DEEP, Verdict.EXCLUDED, Verdict.OUT_OF_SCOPE),
            Verdict.OFFSITE_REDIRECT,
        )
    ],
    # A circle: one of its pages is listed, here the first by URL.
    (
        *("a>b b>a c>b", {}),
        *({"a": f"b {IN_A_CIRCLE}", "b": "is a", "c": "is b, which leads to a"}, "a"),
    ),
    # ... the one with the most links ...
    ("a>b b>a", {"links": {"c": "b"}}, {"a": "is b", "b": f"a {IN_A_CIRCLE}"}, "b"),
    # ... and before that the one in the sitemap.
    (
        *("a>b b>c c>a", {"links": {"a": "b"}, "sitemap": "c"}),
        *({"a": "is b, which leads to c", "b": "is c", "c": f"a {IN_A_CIRCLE}"}, "c"),
    ),
    # A circle with a redirect in it.
    (
        *("a>b b>c", {"redirects": {"c": "a"}}),
        *({"a": f"b {IN_A_CIRCLE}", "b": "is c, which leads to a"}, "a"),
    ),
    # Several say nothing.
    ("a>b a>c", {}, {"a": "b c ignored: they disagree"}, ""),
)
def test_canonicals(
    named: str, more: dict[str, object], expected: dict[str, str], originals: str
) -> None:
    """``named``: pages and their canonicals; ``expected``: evidence, and by that the verdict."""
    canonicals: dict[str, str] = {}
    for page, target in (each.split(">") for each in named.split()):
        canonicals[page] = f"{canonicals.get(page, '')} {target}".lstrip()
    rulings = {
        page: (LISTED if "ignored" in words else CANONICALISED, f"canonical {words}")
        for page, words in expected.items()
    }
    assert rule("abcd" if named else "a", canonicals, **more) == (rulings, originals)


@for_each(*range(30))
def test_against_a_walk_page_by_page(seed: int) -> None:
    """Of what a page leads to, exactly one is listed: the walk finds the same as the arrays."""
    dice = random.Random(seed)
    names = "abcdefghijklmnopqrst"
    gone = set(dice.sample(names, 3))
    redirects = {name: dice.choice(names) for name in dice.sample(sorted(set(names) - gone), 4)}
    pages = set(names) - gone - set(redirects)
    canonicals = {page: dice.choice(names) for page in sorted(pages) if dice.random() < 0.8}
    canonicals = {page: named for page, named in canonicals.items() if named != page}
    rulings, _ = rule(
        names,
        canonicals,
        redirects=redirects,
        verdicts=dict.fromkeys(gone, Verdict.HTTP_ERROR),
    )

    def landing(name: str) -> str | None:
        for _ in names:
            name = redirects.get(name, name)
        return name if name in pages else None

    step = {page: landing(named) for page, named in canonicals.items()}
    step = {page: to for page, to in step.items() if to is not None and to != page}
    left_out = {page for page, (verdict, _) in rulings.items() if verdict == CANONICALISED}
    for page in pages:
        path = [page]
        while path[-1] in step and step[path[-1]] not in path:
            path.append(step[path[-1]])
        is_circle = path[-1] in step
        ends = path[path.index(step[path[-1]]) :] if is_circle else path[-1:]
        assert len(set(ends) - left_out) == 1  # one of a circle; the end of a chain
        assert left_out >= set(path) - set(ends)


def test_long_chains_take_no_longer_than_short_ones() -> None:
    names = [f"{number:06d}" for number in range(100_000)]
    graph = site(names)
    rows = [
        (key(url(name)), url(names[(number + 1) % len(names)])) for number, name in enumerate(names)
    ]
    measures = graph.measure()
    with at_most(10):
        found = Canonicals(rows, graph, measures)
        listed = [ruling for ruling in found.rulings(rows) if ruling.verdict is Verdict.LISTED]
    assert [ruling.key for ruling in listed] == [key(url("000000"))]
