"""Dates of last change in a document: which ``<time>`` elements count.

``core/lastmod.py`` decides which date of a page is published.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from sitemapgen.core.document.bombs import MAX_NESTING
from sitemapgen.core.document.media import Attributes

# Classes of <time> and of the elements around it.
_PUBLISHED = re.compile(r"publish|\bcreated\b|\bposted\b")
_UPDATED = re.compile("updated|modified")
_PUBLICATIONS = frozenset({"datePublished", "dateCreated"})
_ARTICLE = re.compile(r"(?<![\w-])(?:hentry|h-entry)(?![\w-])")
_OF_OTHERS = re.compile(
    r"(?<![\w-])(?:comments?|comment-(?:list|body|meta|metadata)|commentlist|sidebar|widget|teaser|"
    r"(?:related|recent|latest|popular)(?:-?(?:posts?|articles?|entries))?)(?![\w-])"
)
_COMMENT = re.compile(r"\bcomment\b", re.IGNORECASE)


def is_modified(node: LexborNode, time: Attributes) -> bool:
    """Return whether a ``<time>``, by its attributes and its parent, is of an update.

    WordPress writes hAtom's ``published updated`` where it prints one date for both; many themes
    print the date of publication alone under these classes.
    """
    classes = (time.get("class") or "").lower()
    kinds = {kind.rpartition("/")[2] for kind in (time.get("itemprop") or "").split()}
    is_marked = "dateModified" in kinds or (
        _UPDATED.search(classes) is not None
        and "pubdate" not in time
        and kinds.isdisjoint(_PUBLICATIONS)
        and _PUBLISHED.search(classes) is None
    )
    if not is_marked or node.parent is None:
        return is_marked
    around = (node.parent.attributes.get("class") or "").lower()
    return "publish" not in around or _UPDATED.search(around) is not None


def article_of(node: LexborNode) -> tuple[bool, int]:
    """Return (is not part of a comment, teaser or sidebar, number of the innermost article).

    The number is 0 outside of articles. An aside within an article belongs to the article; an
    article within an aside is a teaser.
    """
    article, is_aside = 0, False
    parent = node.parent
    for _ in range(MAX_NESTING):
        if parent is None or parent.tag == "body":
            break
        attributes = parent.attributes
        classes = (attributes.get("class") or "").lower()
        if (
            (article and parent.tag == "aside")
            or (parent.tag != "main" and _OF_OTHERS.search(classes))
            or _COMMENT.search(f"{attributes.get('itemprop')} {attributes.get('itemtype')}")
        ):
            return False, 0
        is_aside = is_aside or parent.tag in ("aside", "nav")
        if not article and (parent.tag == "article" or _ARTICLE.search(classes)):
            article, is_aside = parent.mem_id, False
        parent = parent.parent
    return not is_aside, article
