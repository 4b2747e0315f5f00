"""Kind and text of each link of a document, for ``links.csv``.

They take a separate walk over the tree, which a crawl without link labels saves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from selectolax.lexbor import LexborNode

from sitemapgen.core.document.texts import line
from sitemapgen.items import Link, LinkLabel

MAX_TEXT = 200
"""Characters kept of the text of a link."""
MAX_NODES = 500
"""Nodes within a link that are read for its text."""
HYPERLINKS = frozenset({"link", "area"})
"""Kinds of links that users can follow; of several links to one URL they take precedence."""
_KINDS = {"a": "link", "area": "area", "frame": "frame", "iframe": "frame"}
_RELATIONS = ("canonical", "next", "prev", "alternate")


def read_labels(
    roots: Iterable[LexborNode], hrefs: Collection[str], refresh: str
) -> Iterator[tuple[str, str, str]]:
    """Yield (raw href, kind, text) of the links in document order.

    ``hrefs``: all raw hrefs that count as links; ``refresh``: the raw target of a refresh.
    """
    if refresh:
        yield refresh, "refresh", ""
    for root in roots:
        for node in root.traverse():
            tag = node.tag
            if tag in _KINDS or tag == "link":
                attributes = node.attributes
                name = "src" if _KINDS.get(tag) == "frame" else "href"
                href = attributes.get(name) or attributes.get("xlink:href") or ""
                href = href.strip() if tag == "link" else href
                if href in hrefs:
                    rel = (attributes.get("rel") or "").lower().split()
                    relation = next((name for name in _RELATIONS if name in rel), "link")
                    yield href, _KINDS.get(tag, relation), _text_of_link(node, tag, attributes)


def _text_of_link(node: LexborNode, tag: str, attributes: dict[str, str | None]) -> str:
    """Return the text of a link, else the alternative text of its first image that has one."""
    if tag == "area":
        return _shorten_text(attributes.get("alt"))
    if tag != "a":
        return ""
    texts: list[str] = []
    alternative = ""
    for inner in islice(node.traverse(include_text=True), MAX_NODES):
        if inner.is_text_node:
            texts.append((inner.text_content or "")[: 4 * MAX_TEXT])
        elif inner.tag == "img" and not alternative:
            alternative = inner.attributes.get("alt") or ""
    return _shorten_text("".join(texts)) or _shorten_text(alternative)


def _shorten_text(text: str | None) -> str:
    return line(text or "")[:MAX_TEXT].rstrip()


def complete_labels(
    labels: Iterable[LinkLabel], links: Iterable[Link], canonicals: Collection[str]
) -> tuple[LinkLabel, ...]:
    """Return one label for each target: the first hyperlink, else the first label of any kind.

    ``links`` of the page without a label come from its headers.
    """
    found: dict[str, LinkLabel] = {}
    for label in labels:
        before = found.get(label.target)
        if before is None:
            found[label.target] = label
            continue
        is_better = before.kind not in HYPERLINKS and label.kind in HYPERLINKS
        chosen = label if is_better else before
        nofollow = before.nofollow and label.nofollow
        found[label.target] = chosen._replace(nofollow=nofollow)
    for link in links:
        kind = "canonical" if link.url in canonicals else "link"
        label = found.get(link.url) or LinkLabel(link.url, kind, "", link.nofollow)
        found[link.url] = label._replace(nofollow=link.nofollow)
    return tuple(found.values())
