"""Readers of Shopify, Discourse, Drupal, feeds, llms.txt: who is asked what, what is believed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.sources.discourse import MOST_PAGES, Discourse
from sitemapgen.core.sources.drupal import Drupal
from sitemapgen.core.sources.feeds import Feeds
from sitemapgen.core.sources.llms_txt import MOST, LlmsTxt
from sitemapgen.core.sources.mediawiki import MediaWiki
from sitemapgen.core.sources.reading import (
    MAX_ROWS,
    Answer,
    Ask,
    Reader,
    Response,
    Statement,
    read_statement,
    zoned_time,
)
from sitemapgen.core.sources.shopify import LIMIT, Shopify
from sitemapgen.core.sources.wordpress import WordPress
from sitemapgen.core.urls import parse
from tests.helpers.platforms import (
    ATOM,
    LLMS,
    RSS,
    SHOPIFY_SCRIPT,
    collection,
    drupal_entry,
    drupal_settings,
    latest,
    node,
    product,
    topic,
)
from tests.helpers.tables import for_each

SITE = "https://example.com"
READERS: tuple[Reader, ...] = (Shopify(), Discourse(), Drupal(), Feeds(), LlmsTxt())


def home(head: str = "", url: str = f"{SITE}/", **headers: str) -> Statement:
    """A start page as it is read; names of headers have ``_`` for ``-``."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    html = {"content-type": "text/html; charset=utf-8", **named}
    return read_statement(url, html, f"<!doctype html><title>Home</title>{head}<p>Text".encode())


def answer(reader: Reader, ask: Ask, body: object) -> Answer:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return reader.read(ask, Response(ask.url, {}, content))


def pages(found: Answer) -> dict[str, str]:
    return {record.url: record.changed for record in found.records}


def begin(reader: Reader, page: Statement) -> Ask:
    ask = reader.first(page)
    assert ask is not None
    return ask


# --- what begins


def test_a_page_that_names_no_system_is_asked_nothing() -> None:
    for reader in READERS:
        assert reader.first(home()) is None


@for_each(
    (home(f"<script>{SHOPIFY_SCRIPT}</script>"), "/products.json"),
    (home(x_shopid="1234"), "/products.json"),
    (home(powered_by="Shopify"), "/products.json"),
    (
        home(f"<script>{SHOPIFY_SCRIPT[:-4]}" + r'"\/fr\/";</script>', x_shopid="1"),
        "/fr/products.json",
    ),
    (home(url=f"{SITE}/pages/about", x_shopid="1"), "/products.json"),
)
def test_a_shop_is_recognised(page: Statement, url: str) -> None:
    assert begin(Shopify(), page).url == f"{SITE}{url}?limit=250&page=1"


def test_a_buy_button_on_another_site_is_no_shop() -> None:
    """Other systems load scripts and images from Shopify's hosts."""
    head = (
        '<link rel="preconnect" href="https://cdn.shopify.com">'
        '<script src="https://sdks.shopifycdn.com/buy-button/latest/buy-button-storefront.min.js">'
        "</script><script>ShopifyBuy.buildClient({domain: 'lamps.myshopify.com'})</script>"
    )
    assert Shopify().first(home(head)) is None


@for_each(
    ("", "/"),
    ('<link rel="search" href="/forum/opensearch.xml" title="Forum">', "/forum/"),
    ('<link rel="search" href="/find.xml">', "/"),
)
def test_a_forum_is_recognised(head: str, base: str) -> None:
    meta = '<meta name="generator" content="Discourse 3.4.1 - https://github.com/discourse">'
    url = begin(Discourse(), home(meta + head)).url
    assert url == f"{SITE}{base}latest.json?per_page=100&page=0"


@for_each(
    (home('<meta name="Generator" content="Drupal 10 (https://www.drupal.org)">'), "/jsonapi"),
    (home(x_generator="Drupal 11 (https://www.drupal.org)"), "/jsonapi"),
    (
        home(f"<script>{drupal_settings('/web/', 'en/')}</script>", x_generator="Drupal 9"),
        "/web/en/jsonapi",
    ),
    (home(x_generator="Drupal 7 (http://drupal.org)"), ""),
    (home('<meta name="generator" content="Drupalish">'), ""),
)
def test_drupal_is_recognised(page: Statement, url: str) -> None:
    ask = Drupal().first(page)
    assert (ask.url if ask else "") == (f"{SITE}{url}" if url else "")


def feed(href: str, kind: str = "rss") -> str:
    return f'<link rel="alternate" type="application/{kind}+xml; charset=utf-8" href="{href}">'


@for_each(
    (feed("/feed/") + feed("/comments/feed/"), "/feed/"),
    (feed("/rss") + feed("/atom.xml", "atom"), "/atom.xml"),
    (feed("https://feeds.example.net/x") + feed("/own"), "/own"),
    (feed("http://example.com/plain"), ""),
    ('<link rel="alternate" hreflang="de" href="/de">', ""),
    ('<link rel="stylesheet" type="application/rss+xml" href="/x">', ""),
)
def test_a_feed_is_named(head: str, url: str) -> None:
    ask = Feeds().first(home(head))
    assert (ask.url if ask else "") == (f"{SITE}{url}" if url else "")


@for_each(
    home('<link rel="llms-txt" href="/llms.txt">'),
    home('<link rel="alternate" type="text/markdown" href="/llms.txt">'),
    home(link='</style.css>; rel=preload, </llms.txt>; rel="llms-txt"'),
    home(x_llms_txt="/llms.txt"),
)
def test_an_llms_txt_is_named(page: Statement) -> None:
    assert begin(LlmsTxt(), page).url == f"{SITE}/llms.txt"


def test_a_malformed_name_names_nothing() -> None:
    settings = drupal_settings("//[", "")
    assert Drupal().first(home(f"<script>{settings}</script>", x_generator="Drupal 10")) is None
    script = SHOPIFY_SCRIPT.replace('"/"', '"//["')
    assert Shopify().first(home(f"<script>{script}</script>")) is None
    assert LlmsTxt().first(home(x_llms_txt="http://[")) is None
    assert LlmsTxt().first(home(link='</x>; rel="preload"')) is None


# --- what is read


def test_a_shop() -> None:
    first = begin(Shopify(), home(x_shopid="1"))
    rows = [product(f"lamp-{number}") for number in range(LIMIT - 2)]
    rows += [product("röd lampa/2", "2026-02-03T04:05:06"), product("b", "yesterday")]
    found = answer(Shopify(), first, {"products": rows})
    assert pages(found)[f"{SITE}/products/lamp-0"] == "2026-02-03T04:05:06-05:00"
    assert pages(found)[f"{SITE}/products/r%C3%B6d%20lampa%2F2"] == ""  # no zone, no date
    collections, second = found.more
    assert second.url == f"{SITE}/products.json?limit=250&page=2"
    last = answer(Shopify(), second, {"products": rows[:1]})
    assert (len(last.records), last.more) == (1, ())
    found = answer(Shopify(), collections, {"collections": [collection("new")]})
    assert (pages(found), found.more) == (
        {f"{SITE}/collections/new": "2026-01-02T03:04:05-05:00"},
        (),
    )


def test_a_shop_is_read_up_to_a_maximum() -> None:
    rows = {"products": [product(f"lamp-{number}") for number in range(LIMIT)]}
    ask = Ask(f"{SITE}/products.json?limit=250&page=100", "products", "100")
    found = answer(Shopify(), ask, rows)
    assert (len(found.records), found.more) == (LIMIT, ())
    assert found.error == "only the first 25,000 rows are read"


def test_a_forum() -> None:
    meta = '<meta name="generator" content="Discourse 3.4.1">'
    first = begin(Discourse(), home(meta))
    rows = [topic(5, "how-to-light"), topic(6, "long", 21), topic(7, "ランプ"), topic(8, "")]
    found = answer(Discourse(), first, latest(rows, "/latest?no_definitions=true&page=1"))
    assert pages(found) == {
        f"{SITE}/t/how-to-light/5": "2026-03-01T08:00:00.000Z",
        f"{SITE}/t/long/6": "",  # its last post is on its second page
        f"{SITE}/t/%E3%83%A9%E3%83%B3%E3%83%97/7": "2026-03-01T08:00:00.000Z",
        f"{SITE}/t/8": "2026-03-01T08:00:00.000Z",
    }
    (second,) = found.more
    assert second.url == f"{SITE}/latest.json?per_page=100&page=1"
    assert answer(Discourse(), second, latest([topic(1, "a")])).more == ()
    assert answer(Discourse(), second, latest([], "/latest?page=2")) == Answer()


def test_a_forum_is_read_up_to_a_maximum() -> None:
    ask = Ask(f"{SITE}/latest.json", "topics", str(MOST_PAGES - 1))
    found = answer(Discourse(), ask, latest([topic(1, "a")], "/latest?page=100"))
    assert (len(found.records), found.more) == (1, ())
    assert found.error == "only the latest 100 pages of topics are read"


def test_drupal() -> None:
    head = f"<script>{drupal_settings('/', 'en/')}</script>"
    first = begin(Drupal(), home(head, x_generator="Drupal 10"))
    found = answer(Drupal(), first, drupal_entry("http://example.com/en/"))
    article, page = found.more
    assert (article.part, page.part, found.records) == ("article", "page", ())
    assert article.url == (
        f"{SITE}/en/jsonapi/node/article?fields%5Bnode--article%5D="
        "drupal_internal__nid,changed,path&sort=drupal_internal__nid&page%5Blimit%5D=50"
    )
    further = "http://example.com/en/jsonapi/node/article?page%5Boffset%5D=50"
    rows: list[Any] = [node(1, "/about us"), node(2, None), {"id": "x"}, 7]
    rows += [{"id": "y", "attributes": {"path": 1}}]
    value = {"data": rows, "links": {"next": {"href": further}}}
    found = answer(Drupal(), article, value)
    assert pages(found) == {
        f"{SITE}/en/about us": "2026-01-01T10:00:00+00:00",
        f"{SITE}/en/node/2": "2026-01-02T10:00:00+00:00",
    }
    (second,) = found.more
    assert second.url == further.replace("http:", "https:")
    assert answer(Drupal(), second, {"data": [node(3, "/x")]}).more == ()
    hidden = {"data": [], "links": {"next": {"href": further}}}
    assert answer(Drupal(), article, hidden).more == (second,)


def test_an_api_that_links_to_another_host_names_it() -> None:
    """The crawl refuses it; the reader does not make a URL of the site of it."""
    first = begin(Drupal(), home(x_generator="Drupal 10"))
    found = answer(Drupal(), first, drupal_entry("https://cms.example.net/"))
    assert all(ask.url.startswith("https://cms.example.net/jsonapi/") for ask in found.more)


def test_feeds() -> None:
    ask = Ask(f"{SITE}/news/feed", "entries")
    found = answer(Feeds(), ask, ATOM.format(base=SITE).encode())
    assert [(record.url, record.changed) for record in found.records] == [
        (f"{SITE}/a", "2026-03-01T12:00:00+01:00"),
        (f"{SITE}/c", ""),
    ]
    found = answer(Feeds(), ask, RSS.format(base=SITE).encode())
    assert pages(found) == {f"{SITE}/a": "", f"{SITE}/b": ""}  # of publication, not of change


LINKED = "https://other.example/read"


@for_each(
    (f"<id>{SITE}/shaare/1</id><link href='{LINKED}'/>", f"{SITE}/shaare/1"),
    (f"<id>{SITE}/shaare/1</id><link href='/own'/>", f"{SITE}/own"),
    (f"<id>tag:1</id><link href='{LINKED}'/><link rel='related' href='/x'/>", LINKED),
    (f"<id>tag:1</id><link href='{LINKED}'/><link rel='related' href='{SITE}/x'/>", f"{SITE}/x"),
    (f"<id>tag:1</id><link href='{LINKED}'/><link rel='self' href='{SITE}/x'/>", LINKED),
    (f"<id>https://third.example/1</id><link href='{LINKED}'/>", LINKED),
    (f"<id>{SITE}.evil.example/1</id><link href='{LINKED}'/>", LINKED),
    (f"<id>https://[</id><link href='{LINKED}'/>", LINKED),
    (f"<id>{SITE}/shaare/1</id><link href='https://['/>", f"{SITE}/shaare/1"),
    ("<id>tag:1</id><link href='https://['/>", ""),
)
def test_an_entry_of_a_link_blog_names_the_page_here(entry: str, url: str) -> None:
    ask, date = Ask(f"{SITE}/feed", "entries"), "2026-03-01T12:00:00Z"
    entry = f"<entry>{entry}<updated>{date}</updated></entry>"
    body = f"<feed xmlns='http://www.w3.org/2005/Atom'>{entry}</feed>".encode()
    assert pages(answer(Feeds(), ask, body)) == ({url: date} if url else {})


@for_each(
    (f'<guid isPermaLink="false">{SITE}/shaare/1</guid>', f"{SITE}/shaare/1"),
    (f"<guid>{SITE}/shaare/1</guid>", f"{SITE}/shaare/1"),
    ("<guid>1</guid>", LINKED),
    ("", LINKED),
)
def test_an_item_of_a_link_blog_names_the_page_here(guid: str, url: str) -> None:
    body = f"<rss><channel><item><link>{LINKED}</link>{guid}</item></channel></rss>".encode()
    assert list(pages(answer(Feeds(), Ask(f"{SITE}/feed", "entries"), body))) == [url]


def test_a_feed_of_changes_adds_no_comparisons() -> None:
    """The feeds of MediaWiki and DokuWiki name what differs, not the page."""
    ask = Ask(f"{SITE}/feed", "entries")
    links = ("/index.php?title=Lamp&diff=12&oldid=11", "/wiki/Lamp")
    items = "".join(f"<item><link>{link.replace('&', '&amp;')}</link></item>" for link in links)
    found = answer(Feeds(), ask, f"<rss><channel>{items}</channel></rss>".encode())
    assert [record.is_page for record in found.records] == [False, True]


@for_each(
    ("Sun, 01 Mar 2026 11:00:30 GMT", ""),
    ("Sun, 01 Mar 2026 10:00:00 GMT", ""),
    ("Sun, 01 Mar 2026 11:02:00 GMT", "2026-03-01T12:00:00+01:00"),
    ("some day", "2026-03-01T12:00:00+01:00"),
)
def test_a_feed_that_states_the_time_of_its_response(served: str, changed: str) -> None:
    ask = Ask(f"{SITE}/feed", "entries")
    body = ATOM.format(base=SITE).encode()
    found = Feeds().read(ask, Response(ask.url, {"date": served}, body))
    assert pages(found)[f"{SITE}/a"] == changed


def test_a_file_that_is_no_feed() -> None:
    ask = Ask(f"{SITE}/feed", "entries")
    assert answer(Feeds(), ask, b"<!doctype html><p>Not found").error == "an HTML page"
    assert answer(Feeds(), ask, f"{SITE}/a\n".encode()).error == "the answer is no feed"
    assert answer(Feeds(), ask, RSS.format(base=SITE)[:-40].encode()).error.startswith("malformed")


def test_an_llms_txt() -> None:
    ask = Ask(f"{SITE}/llms.txt", "links")
    found = answer(LlmsTxt(), ask, LLMS.format(base=SITE).encode())
    assert list(pages(found)) == [
        *(f"{SITE}/summary", f"{SITE}/guide", f"{SITE}/lamps_(light)"),
        "https://other.example/x",
    ]
    many = "".join(f"- [x](/{number})\n" for number in range(MOST + 1)).encode()
    found = answer(LlmsTxt(), ask, many)
    assert (len(found.records), found.error) == (MOST, "only the first 10,000 links are read")
    assert answer(LlmsTxt(), ask, b"<!doctype html>").error == "the answer is HTML"
    assert answer(LlmsTxt(), ask, b"# Nothing\n").error == "the answer has no links"


# --- bad input

MEDIAWIKI = json.dumps({"query": {}, "is_page": True})
ASKS = {
    "wordpress": Ask(f"{SITE}/t", "post", "1"),
    "mediawiki": Ask(f"{SITE}/api.php", "articles", MEDIAWIKI),
    "shopify": Ask(f"{SITE}/products.json?limit=250&page=1", "products", "1"),
    "discourse": Ask(f"{SITE}/latest.json?per_page=100&page=0", "topics", "0"),
    "drupal": Ask(f"{SITE}/jsonapi/node/page", "page", f"{SITE}/"),
    "feed": Ask(f"{SITE}/feed", "entries"),
    "llms.txt": Ask(f"{SITE}/llms.txt", "links"),
}


@for_each(b"", b"<!doctype html><p>Sign in", b"null", b"[]", b"\xff\xfe\x00", b"[" * 100_000)
@for_each(*READERS)
def test_an_answer_of_another_kind_is_an_error(reader: Reader, body: bytes) -> None:
    found = answer(reader, ASKS[reader.system], body)
    assert found.error
    assert (found.records, found.more) == ((), ())


def test_another_form_is_an_error() -> None:
    entry = Ask(f"{SITE}/jsonapi", "")
    assert "another form" in answer(Drupal(), entry, {"errors": [{"status": "404"}]}).error
    assert "another form" in answer(Shopify(), ASKS["shopify"], {"errors": "x"}).error
    assert "another form" in answer(Discourse(), ASKS["discourse"], {"errors": ["x"]}).error


NAMES = st.sampled_from(
    """
    products collections handle updated_at topic_list topics id slug last_posted_at links next href
    more_topics_url data attributes path alias changed drupal_internal__nid node--page
    highest_post_number
    """.split()  # noqa: SIM905 - a word list
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=6),
    max_leaves=20,
)


@pytest.mark.full
@given(VALUES)
def test_no_answer_raises(value: object) -> None:
    for reader in READERS:
        answer(reader, ASKS[reader.system], value)
    answer(Drupal(), Ask(f"{SITE}/jsonapi", ""), value)


@given(st.text(max_size=200))
def test_no_text_raises(text: str) -> None:
    for name in ("feed", "llms.txt"):
        reader = next(each for each in READERS if each.system == name)
        answer(reader, ASKS[name], f"<rss><item><link>{text}".encode("utf-8", "replace"))
        answer(reader, ASKS[name], f"[x]({text})".encode("utf-8", "replace"))


@for_each("2026-03-01", "2026-03-01T12:00:00", "Thu, 01 Jan 2026 00:00:00 GMT", "", None, 5, "Z")
def test_a_time_without_a_zone_is_none(said: object) -> None:
    assert zoned_time(said) == ""


# --- bad rows

HALF = "a\ud800"
"""Half of a surrogate pair, which is in no URL."""
NO_URL = "http://[x"
PAGE_ROWS = (
    (WordPress(), lambda names: [{"link": name} for name in names]),
    (MediaWiki(), lambda names: {"query": {"pages": [{"fullurl": name} for name in names]}}),
    (
        Shopify(),
        lambda names: {"products": [{"handle": name, "updated_at": names[0]} for name in names]},
    ),
    (
        Discourse(),
        lambda names: {
            "topic_list": {
                "topics": [{"id": id_, "slug": slug} for id_, slug in enumerate(names, 1)]
            }
        },
    ),
    (
        Drupal(),
        lambda names: {
            "data": [
                {"id": name, "attributes": {"path": {"alias": f"/{name}"}, "changed": names[0]}}
                for name in names
            ]
        },
    ),
)
"""Answers with a row for each name, and the first of them as their dates."""


def named(reader: Reader, *names: str) -> tuple[str, ...]:
    """The names of pages as rows have them: some systems state the whole URL."""
    is_whole = isinstance(reader, WordPress | MediaWiki)
    return tuple(f"{SITE}/{name}" for name in names) if is_whole else names


@for_each(HALF, NO_URL, "a\x1b\x00\n\u202e")
@for_each(*PAGE_ROWS)
def test_a_bad_row_costs_that_row(reader: Reader, rows: Any, bad: str) -> None:
    ask = ASKS[reader.system]
    found = answer(reader, ask, rows((bad, *named(reader, "a"))))
    assert not found.error
    urls = [parse(record.url, ask.url) for record in found.records]
    assert len(urls) == 2
    assert (urls[1] or "").startswith(f"{SITE}/")
    if bad == HALF:
        assert urls[0] is None
    assert not [record for record in found.records if record.changed]


@for_each(HALF, NO_URL)
def test_a_bad_part_costs_that_part(bad: str) -> None:
    parts = {bad: f"{SITE}/x", "b": bad, "post": f"{SITE}/post"}
    types = {name: {"_links": {"wp:items": [{"href": href}]}} for name, href in parts.items()}
    links = {"links": {f"node--{name}": {"href": href} for name, href in parts.items()}}
    for reader, ask, body in (
        (WordPress(), Ask(f"{SITE}/t", ""), types),
        (Drupal(), Ask(f"{SITE}/jsonapi", "", f"{SITE}/"), links),
    ):
        more = [each for each in answer(reader, ask, body).more if each.url]
        assert [each.part for each in more if each.url.startswith(f"{SITE}/post?")] == ["post"]


def test_a_continuation_that_is_none_keeps_what_was_read() -> None:
    wiki = {"query": {"pages": [{"fullurl": f"{SITE}/a"}]}, "continue": {"x": HALF}}
    nodes = {"data": [node(1, "/a")], "links": {"next": {"href": NO_URL}}}
    for reader, ask, body in (
        (MediaWiki(), ASKS["mediawiki"], wiki),
        (Drupal(), ASKS["drupal"], nodes),
    ):
        found = answer(reader, ask, body)
        assert [record.url for record in found.records] == [f"{SITE}/a"]
        assert [parse(more.url) for more in found.more] == [None]


def test_rows_beyond_what_a_system_sends_are_not_read() -> None:
    for reader, rows in PAGE_ROWS:
        names = named(reader, *map(str, range(MAX_ROWS + 5)))
        assert len(answer(reader, ASKS[reader.system], rows(names)).records) == MAX_ROWS
    same = b"[x](/a)\n" * MOST + b"[x](/b)\n"
    found = answer(LlmsTxt(), Ask(f"{SITE}/llms.txt", "links"), same)
    assert (len(found.records), found.error) == (1, "only the first 10,000 links are read")
