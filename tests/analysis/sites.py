"""Small sites for the rules of a whole site: pages are named by their URL's last part."""

from array import array
from collections.abc import Mapping, Sequence

import numpy as np

from sitemapgen.analysis.graph import LinkGraph, Nodes
from sitemapgen.core.urls import key
from sitemapgen.verdicts import Verdict

ROOT = "https://e.example/"


def url(name: str) -> str:
    return name if "://" in name else ROOT + name


def site(
    names: Sequence[str],
    *,
    links: Mapping[str, Sequence[str]] | None = None,
    redirects: Mapping[str, str] | None = None,
    verdicts: Mapping[str, Verdict] | None = None,
    sitemap: Sequence[str] = (),
    endless: Sequence[str] = (),
) -> LinkGraph:
    """The graph of some pages; what is not said to be anything else may be listed."""
    names = sorted(names, key=url)
    redirects, verdicts = redirects or {}, verdicts or {}
    is_redirect = [name in redirects for name in names]
    verdict = [
        Verdict.REDIRECT if name in redirects else verdicts.get(name, Verdict.LISTED)
        for name in names
    ]
    nodes = Nodes(
        keys=np.array([key(url(name)) for name in names], np.int64),
        is_start=np.array([not name for name in names], np.bool_),
        in_sitemap=np.array([name in sitemap for name in names], np.bool_),
        is_named=np.array([name in sitemap for name in names], np.bool_),
        is_fetched=np.ones(len(names), np.bool_),
        is_redirect=np.array(is_redirect, np.bool_),
        verdict=np.array([each.code for each in verdict], np.int8),
        length=np.array([len(url(name)) for name in names], np.int32),
        is_endless=np.array([name in endless for name in names], np.bool_),
        parameters=np.array([name.count("?") + name.count("&") for name in names], np.int16),
    )
    edges = {**(links or {}), **{page: [target] for page, target in redirects.items()}}
    rows = [
        (key(url(page)), array("q", [key(url(target)) for target in targets]).tobytes())
        for page, targets in edges.items()
    ]
    return LinkGraph(nodes, rows)
