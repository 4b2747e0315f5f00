"""Columns of the exported tables: name, type and meaning, in their order.

The table in docs/guides/tables.md is generated from these.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["int64", "int32", "int16", "double", "bool", "string", "word", "time"]
"""``word``: a string of few different values; ``time``: seconds since 1970 UTC in the rows, a
timestamp in the files. All may be None."""


class Column(NamedTuple):
    """One column of a table."""

    name: str
    kind: Kind
    meaning: str


PAGES = (
    Column("key", "int64", "the URL's hash, the same in each crawl and table"),
    Column("url", "string", "the URL"),
    Column("section", "word", "the first directory of its path, decoded; empty for the root"),
    Column("verdict", "word", "its verdict (docs/reference/verdicts.md); empty: none yet"),
    Column("reason", "word", "why, as a word, where the verdict has several causes"),
    Column("evidence", "string", "why, for people"),
    Column(
        "other_url",
        "string",
        "the URL that the verdict is about: the redirect's target, the canonical, the page with "
        "the same content",
    ),
    Column("status", "int16", "HTTP status; empty: not fetched, or no answer"),
    Column("depth", "int32", "links from the start URL; empty: none lead to it"),
    Column("parent_key", "int64", "the page one link nearer to the start URL"),
    Column("in_degree", "int32", "number of pages that link to it"),
    Column("pagerank", "double", "its PageRank within the site"),
    Column("reached", "bool", "followed links lead to it from the start URL"),
    Column("in_sitemap", "bool", "the site's own sitemaps list it"),
    Column("canonical", "string", "the canonical URL that it names"),
    Column("language", "word", "its language"),
    Column("title", "string", "its title"),
    Column("text_length", "int32", "characters of its main text, without white space"),
    Column("lastmod", "time", "its date of change; a day without a time is midnight UTC"),
    Column("lastmod_source", "word", "where that date is from"),
    Column("lastmod_evidence", "string", "that date as it is given, or why there is none"),
    Column("visited", "time", "when it was last visited"),
    Column("first_linked", "time", "when a link to it was first seen, in all runs"),
    Column("first_in_sitemap", "time", "when a sitemap first listed it, in all runs"),
    Column("render_seconds", "double", "time in the browser; empty: not rendered"),
)
LINKS = (
    Column("source", "int64", "key of the page with the link, or of the redirect"),
    Column("target", "int64", "key of the URL it leads to"),
    Column("nofollow", "bool", "it is not followed"),
)
VISITS = (
    Column("key", "int64", "the page"),
    Column("visited", "time", "when it answered, or a 304 confirmed it"),
    Column("text_changed", "bool", "its main text had changed; empty: the first visit"),
    Column("links_changed", "bool", "its links had changed"),
    Column("directives_changed", "bool", "its canonical or its robots directives had changed"),
)
HISTORY = (
    Column("key", "int64", "a URL whose verdict or date the run changed"),
    Column("url", "string", "the URL"),
    Column("verdict", "word", "its verdict; empty: nothing names it any more"),
    Column("verdict_before", "word", "that of the run before; empty: it was not seen then"),
    Column("lastmod", "time", "its date of change, if listed"),
)
RUNS = (
    Column("number", "int32", "number of the run in its state, as in `scrapy diff OUTPUT@3`"),
    Column("start", "string", "the start URL, after redirects"),
    Column("started", "time", "when it began; the partition `run` is this"),
    Column("ended", "time", "when it ended; empty: interrupted"),
    Column("reason", "word", "why it ended: `finished`, `refused` ..."),
    Column("is_complete", "bool", "no cap left URLs unfetched; empty: it came to no end"),
    Column("seen", "int64", "number of URLs seen; empty: it came to no end"),
    Column("listed", "int64", "number of URLs listed"),
    Column("version", "word", "the version of sitemapgen"),
)

TABLES = {"pages": PAGES, "links": LINKS, "visits": VISITS, "history": HISTORY, "runs": RUNS}
"""The tables in the order in which they are replaced: a run that is in ``runs`` is in all."""
