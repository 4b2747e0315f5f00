"""Coverage: states and quotients of small sites, by hand."""

from dataclasses import replace

import numpy as np

from sitemapgen.analysis.coverage import (
    MISSING_TYPES,
    Census,
    Figure,
    NotSeen,
    Sets,
    binary_exponents,
    cluster_nodes,
    figure,
    measure_coverage,
    measure_sections,
    missing_types,
    share,
    unique_sets,
)
from sitemapgen.verdicts import Verdict
from tests.helpers.tables import for_each


def census(*urls: tuple[str, str, int], indexed: str | None = None) -> Census:
    """URLs as (letters, verdict, node of the original or -1).

    Letters: d Discovery, s Sitemaps, c crawled.
    """
    letters, verdicts, originals = zip(*urls)
    return Census(
        is_reached=np.array(["d" in each for each in letters]),
        in_sitemap=np.array(["s" in each for each in letters]),
        is_crawled=np.array(["c" in each for each in letters]),
        verdict=np.array([Verdict(name).code for name in verdicts], np.int8),
        original=np.array(originals, np.int64),
        pagerank=np.full(len(urls), 1 / len(urls)),
        is_indexed=None if indexed is None else np.array([each == "1" for each in indexed]),
    )


@for_each(
    ("listed", 0),
    ("noindex", 0),
    ("redirect", -1),
    ("http_error", -1),
    ("soft_404", -1),
    ("not_html", -1),
    ("unrenderable", -1),
    ("trap", -1),
    ("duplicate", -1),  # of a page that is not there
    ("canonicalised", -1),  # of a page of another site
)
def test_what_is_a_page(verdict: str, expected: int) -> None:
    assert cluster_nodes(census(("dc", verdict, -1))).tolist() == [expected]


def test_copies_belong_to_the_page_that_they_repeat() -> None:
    found = cluster_nodes(
        census(
            ("dc", "listed", -1),
            ("dc", "duplicate", 0),
            ("dc", "canonicalised", 1),  # to a duplicate
            ("dc", "listed", 0),  # nearly the same
            ("dc", "canonicalised", 5),
            ("dc", "redirect", -1),  # which is no page
            ("d", "canonicalised", 0),  # not fetched
            ("dc", "listed", 7),  # itself
            ("dc", "canonicalised", 9),
            ("dc", "canonicalised", 8),  # in a circle
        )
    )
    assert found.tolist() == [0, 0, 0, 0, -1, -1, -1, 7, -1, -1]


def test_a_cluster_is_where_one_of_its_members_is() -> None:
    site = census(
        ("dc", "listed", -1),
        ("sc", "duplicate", 0),  # the sitemap lists the copy
        ("dsc", "listed", -1),
        ("sc", "listed", -1),
        ("c", "listed", -1),
        ("sc", "listed", 3),
    )
    assert unique_sets(cluster_nodes(site), site) == Sets(4, 2, 3, 2, 3)


def test_the_metrics() -> None:
    site = census(
        ("dsc", "listed", -1),
        ("dc", "listed", -1),
        ("sc", "redirect", -1),
        ("d", "robots_disallowed", -1),
        indexed="0111",
    )
    found = measure_coverage(site, cluster_nodes(site))
    assert found.coverage == Figure(0.6667, 2, 3)
    assert found.unique_coverage == Figure(0.5, 1, 2)
    assert found.index_coverage == Figure(0.3333, 1, 3)
    assert found.pagerank_coverage == Figure(0.5, 0.5, 1.0)
    assert found.signal_to_noise["all"] == Figure(0.5, 2, 4)
    assert found.signal_to_noise["sitemaps"] == Figure(0.5, 1, 2)
    assert found.efficiency["discovery"] == Figure(1.0, 2, 2)
    assert found.efficiency["sitemaps"] == Figure(0.5, 1, 2)
    assert found.indexed == Sets(3, 2, 1, 0, 3)
    assert found.results is None


def test_what_the_crawl_never_saw_is_in_the_whole_of_what_is_indexed() -> None:
    site = census(("dsc", "listed", -1), ("dc", "listed", -1), ("sc", "listed", -1), indexed="110")
    shown = np.array([True, False, False])
    site = replace(site, has_impressions=shown, has_clicks=~shown, not_seen=NotSeen(6, 2, 0))
    found = measure_coverage(site, cluster_nodes(site))
    assert found.indexed == Sets(8, 2, 1, 1, 2)
    assert found.index_coverage == Figure(0.125, 1, 8)
    assert found.results == Sets(3, 1, 1, 1, 1)
    assert found.clicked == Sets(2, 1, 1, 0, 2)
    assert found.unique == Sets(3, 2, 2, 1, 3)  # nothing is known of their content
    assert found.seen == Sets(3, 2, 2, 1, 3)


def test_without_a_file_what_is_listed_counts_as_indexed() -> None:
    site = census(("dsc", "listed", -1), ("dc", "noindex", -1))
    assert measure_coverage(site, cluster_nodes(site)).index_coverage == Figure(1.0, 1, 1)


def test_what_is_undefined_says_why() -> None:
    site = census(("dc", "listed", -1))
    found = measure_coverage(site, cluster_nodes(site), "the site has no sitemap")
    nothing = Figure(None, None, None, "the site has no sitemap")
    assert found.coverage == found.index_coverage == found.pagerank_coverage == nothing
    assert found.efficiency["sitemaps"] == found.signal_to_noise["sitemaps"] == nothing
    assert found.efficiency["discovery"] == Figure(1.0, 1, 1)
    found = measure_coverage(site, cluster_nodes(site))
    assert found.coverage == Figure(0.0, 0, 1)
    assert found.efficiency["sitemaps"].why is not None


@for_each(
    ("http_error", -1, False, "errors"),
    ("fetch_error", -1, False, "errors"),
    ("soft_404", -1, False, "errors"),
    ("redirect", -1, False, "redirects"),
    ("offsite_redirect", -1, False, "redirects"),
    ("duplicate", 1, True, "duplicates_extra_parameter"),
    ("canonicalised", 1, True, "duplicates_extra_parameter"),
    ("listed", 1, True, "duplicates_extra_parameter"),
    ("duplicate", 1, False, "duplicates_other"),
    ("canonicalised", -1, False, "duplicates_other"),
    ("listed", 1, False, "duplicates_other"),
    ("trap", -1, False, "traps"),
    ("noindex", -1, False, "noindex"),
    ("not_html", -1, False, "not_pages"),
    ("unrenderable", -1, False, "not_pages"),
    ("view", 0, False, "view"),
    ("listed", -1, False, "missing_content"),
    ("not_fetched", -1, False, "other"),
)
def test_why_a_url_is_missing(verdict: str, original: int, in_query: bool, expected: str) -> None:
    site = census(("dc", verdict, original), ("dsc", "listed", -1), ("d", "listed", -1))
    types = missing_types(site, np.array([in_query, False, False]))
    assert MISSING_TYPES[types[0]] == expected
    assert types[1:].tolist() == [-1, -1]  # in a sitemap; not crawled


def test_quotients() -> None:
    assert figure(2, 3, "nothing") == Figure(0.6667, 2, 3)
    assert figure(0, 0, "nothing there") == Figure(None, 0, 0, "nothing there")
    assert share(1, 0) is None


def test_powers_of_two() -> None:
    assert binary_exponents(np.array([0, 1, 2, 3, 4, 7, 8, 2**40])).tolist() == [
        0,
        1,
        2,
        2,
        3,
        3,
        4,
        41,
    ]
    assert binary_exponents(np.array([0.5, 0.4999, 0.25, 0.2, 1.0])).tolist() == [0, -1, -1, -2, 1]


def test_each_section_alone() -> None:
    site = census(
        ("dsc", "listed", -1),  # 0: the root
        ("dc", "listed", -1),  # 1: products, not in the sitemap
        ("dsc", "listed", -1),
        ("dsc", "duplicate", 2),
        ("ds", "listed", -1),  # not fetched
        ("dc", "duplicate", 1),  # 2: a copy of a product
        ("dc", "http_error", -1),
    )
    section = np.array([0, 1, 1, 1, 1, 2, 2], np.int64)
    found = dict(measure_sections(site, cluster_nodes(site), section))
    assert list(found) == [1, 2, 0]
    products, copies, root = found.values()
    assert [part.seen.all for part in found.values()] == [4, 2, 1]
    assert [part.crawled.all for part in found.values()] == [3, 2, 1]
    assert products.coverage == Figure(0.6667, 2, 3)
    assert products.unique_coverage == Figure(0.5, 1, 2)
    assert products.pagerank_coverage.value == 0.75
    assert products.signal_to_noise["all"] == Figure(0.5, 2, 4)
    assert copies.coverage == Figure(0.0, 0, 2)
    assert copies.unique_coverage == Figure(0.0, 0, 1)
    assert copies.signal_to_noise["all"] == Figure(0.5, 1, 2)
    assert root.coverage.value == root.unique_coverage.value == 1.0


def test_one_section_is_the_site() -> None:
    site = census(
        *[("dsc", "listed", -1), ("dc", "duplicate", 0), ("s", "listed", -1)], indexed="110"
    )
    cluster = cluster_nodes(site)
    ((_, found),) = measure_sections(site, cluster, np.zeros(3, np.int64))
    assert found == measure_coverage(site, cluster)
    ((_, found),) = measure_sections(site, cluster, np.zeros(3, np.int64), "no sitemap")
    assert found == measure_coverage(site, cluster, "no sitemap")
