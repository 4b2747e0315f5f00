"""What one HTML document says. Every table states one rule: markup in, fact out."""

import gc
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapgen.core.document.html import Document, ReadOptions, parse_document
from sitemapgen.core.document.main_text import EXCERPT_LENGTH, MIN_HASHED_LENGTH
from sitemapgen.core.document.media import MAX_IMAGES
from sitemapgen.core.document.merging import estimate_merging
from sitemapgen.core.document.nesting import OpenElements
from tests.helpers.cost import at_most
from tests.helpers.tables import for_each

WORDS = "The quick brown fox jumps over the lazy dog while the five boxing wizards jump quickly. "
LONG = WORDS * 3


def read(markup: str) -> Document:
    return parse_document(markup.encode())


def hrefs(markup: str) -> list[str]:
    return [anchor.href for anchor in read(markup).anchors]


def main_text(body: str) -> str:
    return read(f"<body>{body}").excerpt


# --- Links -------------------------------------------------------------------------------------


@for_each(
    ("<a href=/a>x</a>", ["/a"]),
    ("<A HREF=/a>x", ["/a"]),
    ("<map><area href=/area></map>", ["/area"]),
    ("<link rel=next href=/2><link rel=prev href=/0>", ["/2", "/0"]),
    ("<link rel=canonical href=/c>", ["/c"]),
    ("<p><link rel=canonical href=/c>", ["/c"]),
    ("<link rel='Shortlink NEXT' href=/2>", ["/2"]),
    ("<link rel=stylesheet href=/s.css><link rel=preload href=/p.js>", []),
    ("<iframe src=/frame>", ["/frame"]),
    ("<frameset><frame src=/f1><frame src=/f2></frameset>", ["/f1", "/f2"]),
    ("<meta http-equiv=refresh content='5;url=/next'>", ["/next"]),
    ("<svg><a xlink:href=/svg1><text>x</text></a><a href=/svg2></a></svg>", ["/svg1", "/svg2"]),
    ("<a>no href</a><a href>empty</a><a name=x>", []),
    ("<link rel='alternate stylesheet' href=/dark.css>", []),
    # Distinct, and in the order of the document.
    ("<a href=/b><a href=/a#1><a href=' /b '><a href=/a><a href=/c>", ["/b", "/a", "/c"]),
)
def test_elements_that_link(markup: str, expected: list[str]) -> None:
    assert hrefs(markup) == expected


@for_each(
    ("", ["/alt"]),
    ("hreflang=fr", ["/alt"]),
    ("type=text/html", ["/alt"]),
    ("type='text/html; charset=utf-8'", ["/alt"]),
    ("type=application/xhtml+xml", ["/alt"]),
    ("type=application/rss+xml", []),
    ("type=application/atom+xml hreflang=fr", []),
    ("type=application/json+oembed", []),
)
def test_alternates_are_followed_when_they_are_pages(attributes: str, expected: list[str]) -> None:
    assert hrefs(f"<link rel=alternate href=/alt {attributes}>") == expected


@for_each(
    ("<noscript><a href=/n>x</a></noscript>", ["/n"]),
    ("<head><noscript><meta http-equiv=refresh content='0;/n'></noscript>", ["/n"]),
    ("<noscript><iframe src=/n></iframe></noscript>", ["/n"]),
    ("<div><template shadowrootmode=open><a href=/s>x</a></template></div>", ["/s"]),
    (
        "<div><template shadowrootmode=open><p><template shadowrootmode=CLOSED>"
        "<a href=/deep></a></template></template></div>",
        ["/deep"],
    ),
    ("<template><a href=/t>x</a></template>", []),
    ("<template><b><template shadowrootmode=open><a href=/t></a></template></template>", []),
    ("<!-- <a href=/c>x</a> -->", []),
    ("<script>'<a href=/j>x</a>'</script><style><a href=/s></style>", []),
    ("<textarea><a href=/x></textarea><iframe><a href=/y></iframe>", []),
    ("<nav><a href=/nav></a></nav><footer hidden><a href=/foot></a></footer>", ["/nav", "/foot"]),
)
def test_places_where_links_count(markup: str, expected: list[str]) -> None:
    assert hrefs(markup) == expected


@for_each(
    ("/a#top", ["/a"]),
    ("#top", []),
    ("#", []),
    ("", []),
    ("   ", []),
    (" \n/a\t ", ["/a"]),
    ("/a\n\tb", ["/ab"]),
    ("\x01\x1f/a\x02", ["/a"]),
    ("/a b", ["/a b"]),
    ("?q=1#x", ["?q=1"]),
    ("//other.example/", ["//other.example/"]),
    ("HTTP://example.com/", ["HTTP://example.com/"]),
    ("https:relative", ["https:relative"]),
    ("/path:with:colons", ["/path:with:colons"]),
    ("./a:b", ["./a:b"]),
    ("1:2", ["1:2"]),
    ("/caf\u00e9", ["/caf\u00e9"]),
    ("/a&amp;b", ["/a&b"]),
    ("mailto:a@example.com", []),
    ("MailTo:a@example.com", []),
    ("tel:+123", []),
    ("javascript:void(0)", []),
    (" java\nscript:void(0)", []),
    ("\x01javascript:void(0)", []),
    ("data:text/html,x", []),
    ("ftp://example.com/", []),
    ("file:///etc/passwd", []),
    ("sms:123", []),
    ("blob:https://example.com/1", []),
    ("about:blank", []),
    ("android-app://com.example/http/x", []),
    ("example.com:8080/x", []),
)
def test_hrefs_as_browsers_read_them(href: str, expected: list[str]) -> None:
    assert hrefs(f'<a href="{href}">x</a>') == expected


@for_each(
    ("<a href=/a>", False),
    ("<a href=/a rel=nofollow>", True),
    ("<a href=/a rel='external\nNoFollow'>", True),
    ("<a href=/a rel=nofollower>", False),
    ("<a href=/a rel>", False),
    ("<area href=/a rel=nofollow>", True),
    ("<link href=/a rel='next nofollow'>", True),
    ("<noscript><a href=/a rel=nofollow></noscript>", True),
    # One link to follow is enough, wherever it stands.
    ("<a href=/a rel=nofollow></a><a href=/a>", False),
    ("<a href=/a></a><a href=/a rel=nofollow>", False),
    ("<a href=/a#x rel=nofollow></a><a href=/a#y>", False),
    ("<a href=/a#x></a><a href=/a#y rel=nofollow>", False),
    ("<a href=/a rel=nofollow></a><noscript><a href=/a></noscript>", False),
    ("<a href=/a rel=nofollow></a><a href=/a rel=nofollow>", True),
)
def test_nofollow(markup: str, nofollow: bool) -> None:
    assert read(markup).anchors == (("/a", nofollow),)


@for_each(
    ("<base href=/x/>", "/x/"),
    ("<base target=_top><base href=' /x/ '><base href=/y/>", "/x/"),
    ("<base href=''><base href=/y/>", ""),
    ("<p><base href=/late/>", "/late/"),
    ("<template><base href=/x/></template>", ""),
    ("<noscript><base href=/x/></noscript>", ""),
)
def test_base(markup: str, base: str) -> None:
    assert read(markup).base == base


# --- Directives --------------------------------------------------------------------------------


@for_each(
    ("<meta name=robots content='NoIndex, follow'>", (("robots", "NoIndex, follow"),)),
    ("<META NAME=' GoogleBot ' CONTENT=none>", (("googlebot", "none"),)),
    ("<meta name=sitemapgen content=noindex>", (("sitemapgen", "noindex"),)),
    ("<meta name=robots>", (("robots", ""),)),
    ("<body><p><meta name=robots content=noindex>", (("robots", "noindex"),)),
    (
        "<meta name=robots content=a><meta name=googlebot content=b>",
        (("robots", "a"), ("googlebot", "b")),
    ),
    ("<meta name=bingbot content=noindex><meta name=robotsx content=noindex>", ()),
    ("<noscript><meta name=robots content=noindex></noscript>", ()),
    ("<!--<meta name=robots content=noindex>-->", ()),
)
def test_robots(markup: str, expected: tuple[tuple[str, str], ...]) -> None:
    assert read(markup).robots == expected


@for_each(
    ("<link rel=canonical href=' /c '>", ("/c",)),
    ("<LINK REL='shortlink Canonical' HREF=/c>", ("/c",)),
    ("<link rel=canonical href=/1><link rel=canonical href=/2>", ("/1", "/2")),
    ("<link rel=canonical href=/1><link rel=canonical href=/1>", ("/1",)),
    ("<link rel=canonical href=''><link rel=canonical>", ()),
    ("<body><link rel=canonical href=/c>", ()),
    ("<div></div><link rel=canonical href=/c>", ()),
    ("<svg></svg><link rel=canonical href=/c>", ()),
    # A tracking image in the head does not push it out of the head.
    ("<noscript><img src=/pixel></noscript><link rel=canonical href=/c>", ("/c",)),
)
def test_canonicals_are_read_in_the_head(markup: str, expected: tuple[str, ...]) -> None:
    assert read(markup).canonicals == expected


@for_each(
    ("0; URL=/x", "/x"),
    ("0;url=/x", "/x"),
    ("0,url=/x", "/x"),
    ("0 url=/x", "/x"),
    (" 0 ; url = /x ", "/x"),
    ("0;/x", "/x"),
    ("0; URL='/x'", "/x"),
    ("0; URL=&quot;/x&quot; trailing", "/x"),
    ("0; '/x'", "/x"),
    ("0; URL='/x", "/x"),
    ("0; u=/x", "u=/x"),
    ("0; urls=/x", "urls=/x"),
    ("0; /x?url=/y", "/x?url=/y"),
    ("0; u?url=/y", "u?url=/y"),
    ("1.5;url=/x", "/x"),
    (".5;url=/x", "/x"),
    ("5", ""),
    ("5;", ""),
    ("", ""),
    ("url=/x", ""),
    ("-1;url=/x", ""),
    ("5x;url=/x", ""),
)
def test_refresh(content: str, target: str) -> None:
    """WHATWG HTML, "shared declarative refresh steps"."""
    assert read(f'<meta http-equiv=Refresh content="{content}">').refresh == target


@for_each((["0;/1", "0;/2"], "/1"), (["bad", "0;/2"], "/2"), (["5", "0;/2"], ""))
def test_the_first_valid_refresh_counts(contents: list[str], target: str) -> None:
    markup = "".join(f"<meta http-equiv=refresh content='{content}'>" for content in contents)
    assert read(markup).refresh == target


def test_a_refresh_for_clients_without_scripts_is_a_link_only() -> None:
    document = read("<noscript><meta http-equiv=refresh content='0;/n'></noscript>")
    assert document.refresh == ""
    assert document.anchors == (("/n", False),)


# --- Title, language, alternates, dates, images --------------------------------------------------


@for_each(
    ("<title> About \n us </title>", "About us"),
    ("<title>a &amp; b</title>", "a & b"),
    ("<title>First</title><title>Second</title>", "First"),
    ("<body><svg><title>Icon</title></svg>", ""),
    ("<body><svg><title>Icon</title></svg><title>Late</title>", "Late"),
    ("<p>none", ""),
    # The site's name goes.
    ("<title>About Us | MySite</title>", "About Us"),
    ("<title>About Us :: MySite</title>", "About Us"),
    ("<title>About Us » MySite</title>", "About Us"),
    ("<title>About Us · MySite</title>", "About Us"),
    ("<title>About Us | Team | MySite</title>", "About Us | Team"),
    ("<title>| MySite</title>", "| MySite"),
    ("<title>MySite</title>", "MySite"),
    ("<title>a|b</title>", "a|b"),
    # A dash alone does not tell the site's name from the page's.
    ("<title>Spider-Man - Far From Home</title>", "Spider-Man - Far From Home"),
    ("<title>A - Site</title><meta property=og:site_name content=site>", "A"),
    ("<title>A – Site</title><meta name=application-name content=' Site '>", "A"),
    ("<title>A — Site</title><meta property=og:site_name content=Site>", "A"),
    ("<title>A - B</title><meta property=og:site_name content=Site>", "A - B"),
)
def test_title(markup: str, title: str) -> None:
    assert read(markup).title == title


def test_the_length_of_a_title_includes_the_name_of_the_site() -> None:
    assert read("<title> About  us | Site </title>").title_length == len("About us | Site")
    assert read("<h1>About us</h1>").title_length == 0


@for_each(
    ("<meta name=description content=' Two\n words '>", "Two words"),
    ("<meta name=Description content=one><meta name=description content=two>", "one"),
    ("<meta property='og:description' content=other>", ""),
    ("<meta name=description>", ""),
    (f"<meta name=description content={'x' * 9_000}>", "x" * 2_000),
)
def test_description(markup: str, description: str) -> None:
    assert read(markup).description == description


@for_each(
    ("<html lang=' de-AT '>", "de-at"),
    ("<meta http-equiv=Content-Language content=FR>", "fr"),
    ("<html lang=de><meta http-equiv=content-language content=fr>", "de"),
    ("<p lang=it>", ""),
)
def test_language(markup: str, language: str) -> None:
    assert read(markup).language == language


@for_each(
    ("<link rel=alternate hreflang=' fr-CA ' href=' /fr '>", (("fr-ca", "/fr"),)),
    ("<link rel=alternate hreflang=x-default href=/>", (("x-default", "/"),)),
    (
        "<link rel=alternate hreflang=fr href=/f><link rel=alternate hreflang=fr href=/f>",
        (("fr", "/f"),),
    ),
    ("<link rel=alternate href=/m>", ()),
    ("<link rel=next hreflang=fr href=/fr>", ()),
    ("<link rel=alternate type=application/rss+xml hreflang=fr href=/feed>", ()),
    ("<body><link rel=alternate hreflang=fr href=/fr>", ()),
)
def test_hreflang(markup: str, expected: tuple[tuple[str, str], ...]) -> None:
    assert read(markup).hreflang == expected


@for_each(
    ({"dateModified": "2020-01-01"}, ["2020-01-01"]),
    ([{"dateModified": "1"}, {"dateModified": "2"}], ["1", "2"]),
    ({"@graph": [{"@type": "WebPage", "dateModified": " 1 "}]}, ["1"]),
    ({"mainEntity": {"dateModified": "1"}}, ["1"]),
    ({"mainEntityOfPage": {"dateModified": "1"}}, ["1"]),
    ({"@type": "Article", "comment": [{"dateModified": "9"}]}, []),
    ({"review": {"dateModified": "9"}, "dateModified": "1"}, ["1"]),
    ({"dateModified": 2020, "datePublished": "9"}, []),
    ({"dateModified": "\ud800"}, []),
    ({"dateModified": ""}, []),
    ("dateModified", []),
    (None, []),
)
def test_dates_in_json_ld(data: object, expected: list[str]) -> None:
    markup = f"<script type='Application/LD+JSON'>{json.dumps(data)}</script>"
    assert read(markup).dates == tuple(("json_ld", value) for value in expected)


@for_each("", "{", "[" * 100_000, '{"dateModified": "1"} x', "9" * 5_000)
def test_malformed_json_ld_costs_nothing_else(script: str) -> None:
    document = read(f"<script type=application/ld+json>{script}</script><a href=/a>")
    assert document.dates == ()
    assert document.anchors == (("/a", False),)


@for_each(
    ("<meta property=article:modified_time content=2020>", (("article:modified_time", "2020"),)),
    ("<meta name=article:modified_time content=2020>", (("article:modified_time", "2020"),)),
    ("<meta property=article:modified_time content=''>", ()),
    ("<meta name=DCTERMS.modified content=2020>", (("dcterms.modified", "2020"),)),
    ("<meta name=DC.date.modified content=2020>", (("dcterms.modified", "2020"),)),
    ("<meta name=DC.date.created content=2020>", ()),
    ("<meta property=article:published_time content=2020>", ()),
    ("<meta property=og:updated_time content=2020>", ()),
    ("<time itemprop=dateModified datetime=2020>", (("time", "2020"),)),
    ("<time class='entry-date Updated' datetime=2020>", (("time", "2020"),)),
    ("<time class=last-modified datetime=2020>", (("time", "2020"),)),
    ("<time datetime=2020>", ()),
    ("<time class=updated>2020</time>", ()),
    ("<time itemprop=datePublished datetime=2020>", ()),
    ("<script>{'dateModified': '2020'}</script>", ()),
)
def test_dates_in_markup(markup: str, expected: tuple[tuple[str, str], ...]) -> None:
    assert read(markup).dates == expected


PUBLISHED, UPDATED = "2020-01-02T03:04:05+00:00", "2021-02-03T04:05:06+00:00"


def article(date: str, heading: str = "h2", classes: str = "hentry") -> str:
    times = f'<time class="updated" datetime="{date}">'
    return f'<article class="{classes}"><{heading}><a href=/a>A</a></{heading}>{times}</article>'


@for_each(
    # WordPress, twentyfifteen to twentytwentyone: one date for both, never modified or not.
    (f'<time class="entry-date published updated" datetime={PUBLISHED}>', None),
    # ... and where they tell the two apart.
    (
        f'<span class="posted-on"><a href=/a><time class="entry-date published" '
        f'datetime={PUBLISHED}></time><time class="updated" datetime={UPDATED}></time></a>',
        UPDATED,
    ),
    # Starter themes: the publication, called hAtom's "updated".
    (f'<time class="updated" datetime={PUBLISHED} pubdate>', None),
    (f'<time class="updated entry-time" datetime={PUBLISHED} itemprop="datePublished">', None),
    (f'<time class="updated" datetime={PUBLISHED} itemprop="dateCreated">', None),
    (f'<span class="published"><time class="updated" datetime={PUBLISHED}></span>', None),
    (f'<time class="modified published" datetime={PUBLISHED}>', None),
    (f'<time class="dt-published dt-updated" datetime={PUBLISHED}>', None),
    (f'<time class="dt-updated" datetime={UPDATED}>', UPDATED),
    # Block themes.
    (f'<div class="wp-block-post-date"><time datetime={PUBLISHED}>', None),
    (
        f'<ul class="wp-block-latest-posts"><li><time class="wp-block-latest-posts__post-date" '
        f"datetime={UPDATED}>",
        None,
    ),
    # Joomla.
    (
        f'<dl><dd class="published"><time datetime={PUBLISHED} itemprop="datePublished"></dd>'
        f'<dd class="modified"><time datetime={UPDATED} itemprop="dateModified"></dd>',
        UPDATED,
    ),
    (f'<dd class="create"><time datetime={PUBLISHED} itemprop="dateCreated">', None),
    # Drupal, Ghost, Shopify, Hugo, Jekyll: a date of publication, or of something unknown.
    (f'<span class="field--name-created"><time datetime={PUBLISHED} class="datetime">', None),
    (f'<time class="byline-meta-date" datetime={PUBLISHED}>', None),
    (f'<time class="post-full-meta-date" datetime={PUBLISHED}>', None),
    (f'<time datetime={PUBLISHED} class="article-date">', None),
    (f'<time class="dt-published" datetime={PUBLISHED} itemprop="datePublished">', None),
    # Jekyll's minima, with modified_date.
    (
        f'<time class="dt-published" datetime={PUBLISHED} itemprop="datePublished"></time>~'
        f'<time class="dt-modified" datetime={UPDATED} itemprop="dateModified"></time>',
        UPDATED,
    ),
    # Hugo's and other generators' documentation.
    (f'<p>Last updated <time datetime={UPDATED} itemprop="dateModified">', UPDATED),
    (f'<footer><time class="last-updated" datetime={UPDATED}>', UPDATED),
    (f'<article><aside><time class="last-updated" datetime={UPDATED}>', UPDATED),
    # Discourse, phpBB: posts, one after the other.
    (f'<time class="post-time" datetime={PUBLISHED} itemprop="datePublished">', None),
    (f'<p class="author"><time datetime={PUBLISHED}>', None),
    # Comments.
    (
        f'<ol class="comment-list"><li class="comment"><time class="updated" datetime={UPDATED}>',
        None,
    ),
    (f'<div itemprop="comment" itemscope><time itemprop="dateModified" datetime={UPDATED}>', None),
    (
        f'<div itemscope itemtype="https://schema.org/Comment"><time class="modified" '
        f"datetime={UPDATED}>",
        None,
    ),
    # Sidebars and teasers.
    (f'<aside><time class="updated" datetime={UPDATED}>', None),
    (f'<div class="widget widget_recent_entries"><time class="updated" datetime={UPDATED}>', None),
    (f'<div class="sidebar"><time itemprop="dateModified" datetime={UPDATED}>', None),
    (f'<section class="related-posts">{article(UPDATED)}</section>', None),
    (f"<h1>Archive</h1>{article(UPDATED)}{article(PUBLISHED)}", None),
    (f"{article(UPDATED, 'h1')}<section><h2>More</h2>{article(PUBLISHED)}</section>", UPDATED),
    (f"<h1>One article</h1>{article(UPDATED)}", UPDATED),
    (f"<div class=has-sidebar>{article(UPDATED, 'h1')}</div>", UPDATED),
    # MediaWiki and DokuWiki say it in words alone: no evidence, and no wrong date.
    ("<li id=lastmod> This page was last edited on 3 February 2021, at 04:05.</li>", None),
    ("<div class=docInfo><bdi>start.txt</bdi> · Last modified: 2021/02/03 04:05</div>", None),
)
def test_updates_of_themes(markup: str, expected: str | None) -> None:
    """Each line a shape of markup that a widely used system writes by default."""
    assert read(f"<body>{markup}").dates == ((("time", expected),) if expected else ())


def test_images() -> None:
    markup = "<img src=' /a.png '><img src=/b.png><img src=/a.png><img data-src=/lazy.png><img src>"
    assert read(markup + "<img src=data:image/png;base64,AA>").images == ("/a.png", "/b.png")


def test_images_are_capped() -> None:
    markup = "".join(f"<img src=/{number}>" for number in range(MAX_IMAGES + 5))
    assert len(read(markup).images) == MAX_IMAGES


# --- Main text -----------------------------------------------------------------------------------


@for_each(
    "<script>n</script>",
    "<style>n</style>",
    "<noscript>n</noscript>",
    "<template>n</template>",
    "<nav>n</nav>",
    "<footer>n</footer>",
    "<aside>n</aside>",
    "<svg><text>n</text></svg>",
    "<select><option>n</option></select>",
    "<datalist><option>n</option></datalist>",
    "<iframe>n</iframe>",
    "<!-- n -->",
    "<p hidden>n</p>",
    "<p aria-hidden=TRUE>n</p>",
    "<p style='color: red; Display : None'>n</p>",
    "<p class='left Sidebar'>n</p>",
    "<p class=widget>n</p>",
    "<p class=breadcrumb>n</p>",
    "<p class=breadcrumbs>n</p>",
    "<p class=cookie-banner>n</p>",
    "<nav>n<p class=widget>n<b hidden>n</b></p></nav>",
    "<p hidden><b><template shadowrootmode=open>n</template></b></p>",
)
def test_noise_is_not_main_text(noise: str) -> None:
    assert main_text(f"<p>a</p>{noise}<p>b</p>") == "a b"


@for_each(
    "<header>a</header>b",
    "<main>a</main>b",
    "<p aria-hidden=false>a</p>b",
    "<p style='display: block'>a</p>b",
    "<p class=sidebar-open>a</p>b",
    "<main class=widget>a</main>b",
    "<p>a\n\n\t</p>\xa0<p>b</p>",
    "<div>a<template shadowrootmode=open></template></div>b",
    "a<div><template shadowrootmode=open>b</template></div>",
)
def test_the_rest_is_main_text(body: str) -> None:
    assert main_text(body) == "a b"


def test_a_hidden_body_is_a_page_that_waits_for_its_script() -> None:
    assert (
        read("<html class=widget><body style='display:none' class=sidebar>text").excerpt == "text"
    )


@for_each(
    ("see <a>section 3</a>.", "see section 3."),
    ("<p>a</p><p>b</p>", "a b"),
    ("call (<code>f</code>), then [<i>g</i>]!", "call (f), then [g]!"),
    ("<b>a</b>\n<i>b</i>", "a b"),
)
def test_excerpts_read_like_text(body: str, expected: str) -> None:
    assert main_text(body) == expected


@for_each(" ", " " * 10_000)
def test_the_excerpt_is_the_first_2000_characters(gap: str) -> None:
    text = " ".join(f"word{number}" for number in range(1_000))
    assert main_text(text.replace(" ", gap)) == text[:EXCERPT_LENGTH].rstrip()


@for_each(("a <b>b</b>\n&nbsp;c", 3), ("日本語", 3), ("", 0))
def test_text_length_counts_characters_without_white_space(body: str, length: int) -> None:
    assert read(f"<body>{body}").text_length == length


@for_each(
    (f"<p>{LONG}</p>", f"<div>\n  <p>{LONG.replace(' ', chr(10))}</p></div>", True),
    (f"<p>{LONG}</p>", f"<nav>menu</nav><p>{LONG}</p><footer>2020</footer>", True),
    (f"<p>{LONG}</p>", f"<p>{LONG.replace('fox', '<b>f</b>ox')}</p>", True),
    (f"<p>{LONG}</p>", f"<p>{LONG}!</p>", False),
    (f"{LONG}<i>9 minutes ago</i>", f"{LONG}<i>1 hour, 2 minutes ago</i>", True),
    (f"{LONG}<i>a minute ago</i>", f"{LONG}<i>about 2\xa0hours\n ago</i>", True),
    (f"{LONG}<i>vor 9 Stunden</i>", f"{LONG}<i>vor 1 Tag</i>", True),
    (f"{LONG}<i>il y a 9 heures</i>", f"{LONG}<i>il y a 2 jours</i>", True),
    (f"{LONG}<i>hace 9 horas</i>", f"{LONG}<i>hace 2 d\xedas</i>", True),
    (f"{LONG}<i>9 apples ago</i>", f"{LONG}<i>8 apples ago</i>", False),
    (f"{LONG}<i>9 minutes</i>", f"{LONG}<i>8 minutes</i>", False),
    (f"{LONG}<i>vor 9 Zeugen</i>", f"{LONG}<i>vor 8 Zeugen</i>", False),
)
def test_text_hash(one: str, other: str, same: bool) -> None:
    first, second = read(one).text_hash, read(other).text_hash
    assert first is not None
    assert (first == second) is same


def test_ages_are_content_of_copies() -> None:
    first, second = (read(f"{LONG}<i>{number} days ago</i>").content_hash for number in (8, 9))
    assert first != second


def test_text_hash_fits_a_signed_64_bit_column() -> None:
    hashes = [read(f"{LONG}{number}").text_hash for number in range(50)]
    assert all(value is not None and -(2**63) <= value < 2**63 for value in hashes)
    assert min(hashes) < 0 < max(hashes)


def test_short_texts_have_no_hash() -> None:
    assert read("x" * (MIN_HASHED_LENGTH - 1)).text_hash is None
    assert read("x" * MIN_HASHED_LENGTH).text_hash is not None


# --- Hostile documents ---------------------------------------------------------------------------


@pytest.mark.alone
@pytest.mark.parametrize(
    ("markup", "links"),
    [
        pytest.param("<div>" * 100_000 + "<a href=/a>x", ["/a"], id="deep"),
        pytest.param(
            "<div>" * 100_000 + "<a href=/a>x</a>" + "</div>" * 100_000, ["/a"], id="deep-closed"
        ),
        pytest.param("<div></x>" * 50_000 + "<a href=/a>", ["/a"], id="deep-with-stray-ends"),
        pytest.param("<div/>" * 50_000 + "<a href=/a>", ["/a"], id="deep-self-closing"),
        pytest.param("<span>" * 200_000 + "<a href=/a>", ["/a"], id="deep-spans"),
        pytest.param("<aside>" * 9_000 + "<a href=/a>", ["/a"], id="deep-noise"),
        pytest.param(
            "<p>"
            + "".join(f"<font x={n}>" for n in range(3_000))
            + "</p><p>x" * 3_000
            + "<a href=/a>",
            ["/a"],
            id="formatting-opened-again",
        ),
        pytest.param(
            "<template shadowrootmode=open>" * 5_000 + "<a href=/a>", ["/a"], id="deep-shadow-roots"
        ),
        pytest.param("<noscript><a href=/a></noscript>" * 50_000, ["/a"], id="noscripts"),
        pytest.param("<" * 1_000_000 + "a href=/a>", ["/a"], id="brackets"),
        pytest.param("<meta charset=" + " " * 1_000_000 + "><a href=/a>", ["/a"], id="spaces"),
        pytest.param("<a href=/a>" + "x " * 5_000_000, ["/a"], id="10-MB-of-text"),
    ],
)
def test_no_document_takes_seconds(markup: str, links: list[str]) -> None:
    body = markup.encode()
    with at_most(2):
        document = parse_document(body)
    assert [anchor.href for anchor in document.anchors] == links


def test_a_large_honest_document_keeps_its_layout() -> None:
    """20,000 tags, well nested, with icons, void elements and end tags left out."""
    row = "<tr><td><svg><path d=M0 /><path d=M1 /></svg><b id=%d>x</b><br><li>y<nav>menu</nav>"
    document = read("<table>" + "".join(row % number for number in range(1_700)))
    assert document.text_length == 2 * 1_700


@given(st.binary(), st.sampled_from(["", "text/html; charset=utf-16", "text/html; charset=big5"]))
def test_no_bytes_raise(body: bytes, content_type: str) -> None:
    assert isinstance(parse_document(body, content_type), Document)


TAGS = re.findall(
    r"\w+",
    "html head body title base meta link script noscript template svg a area p b table td select"
    " option frameset frame iframe img time nav main textarea plaintext math form button",
)
ATTRIBUTES = [
    *("href=/a", "href=#", "href='\n'", "src=/s", "content='0;url=/x'", "http-equiv=refresh"),
    *("name=robots", "rel=canonical", "rel='alternate nofollow'", "hreflang=fr", "hidden", "class"),
    *("class=widget", "style", "style=display:none", "aria-hidden", "shadowrootmode=open", "lang"),
    *("type=application/ld+json", "datetime", "itemprop=dateModified", "xlink:href=/x", "=", "'"),
]
PIECES = st.one_of(
    st.builds("<{} {}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES)),
    st.builds("</{}>".format, st.sampled_from(TAGS)),
    st.sampled_from(["text ", "<!--", "-->", "<![CDATA[", "&#xD800;", "&#0;", "\x00", '{"a":1}']),
)


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_soup_gives_clean_values(markup: str) -> None:
    """Whatever the markup: links are pages, texts can be stored, reading is repeatable."""
    document = read(markup)
    for href, _ in document.anchors:
        assert href
        assert href == href.strip()
        assert "#" not in href
    assert "\x00" not in document.excerpt
    assert len(document.excerpt) <= EXCERPT_LENGTH
    repr(document).encode()
    assert document == read(markup)


@pytest.mark.alone
@pytest.mark.parametrize("attribute", ["a{} ", "a{}=1 ", "a{}='' ", 'a{}="x y"\n', "a{}/"])
def test_a_tag_with_thousands_of_attributes_costs_only_itself(attribute: str) -> None:
    many = "".join(attribute.format(number) for number in range(20_000))
    with at_most(0.4):
        document = parse_document(
            f"<p>One<a href=/a>x</a><p {many}>Two<a href=/b>x</a><a {many}>".encode()
        )
    assert [anchor.href for anchor in document.anchors] == ["/a", "/b"]
    assert document.excerpt == "One x Two x"


def test_a_long_tag_with_few_attributes_is_read() -> None:
    body = f"<a title='{'y' * 99_999}' href='/{'x' * 9_999}'>x</a><a href='/b'>x</a>"
    assert [len(anchor.href) for anchor in parse_document(body.encode()).anchors] == [10_000, 2]


def test_a_document_leaves_nothing_for_the_collector() -> None:
    """The crawl lets it run seldom, and it does not see how large the trees are."""
    left = []
    gc.disable()
    try:
        for _ in range(4):  # what tests before this one left ends in the first rounds
            parse_document(
                b"<script>1</script><nav>2</nav><a href=/>3</a><noscript><a href=/b/></noscript>"
            )
            left.append(gc.collect())
    finally:
        gc.enable()
    assert left[-1] == 0


@for_each(
    ("<button onclick=\"location.href='/a.html'\">", ["/a.html"]),
    ("<td onclick='window.location = \"/a\"; return false'>", ["/a"]),
    ("<b onclick=\"document.location.assign( '/a' )\">", ["/a"]),
    ("<b OnClick=\"top.location.replace('a')\">", ["a"]),
    ("<b onclick=\"window.open('/a', 'w', 'width=3')\">", ["/a"]),
    ("<a href=\"JavaScript:popup('a.html', 600)\">", ["a.html"]),
    ("<a href=\"javascript:location='?a=1'\">", ["?a=1"]),
    ("<tr data-href=/a><td>", ["/a"]),
    ("<SELECT><OPTION value=''><OPTGROUP><OPTION value=/a><OPTION value=b.html>", ["/a", "b.html"]),
    # no whole address, or none at all
    ("<b onclick=\"location='/a?id=' + id\">", []),
    ("<b onclick=\"if (location == '/a') x()\">", []),
    ("<b onclick=\"track('/a')\">", []),
    ('<a href="javascript:void(0)">', []),
    ("<a href=\"javascript:show('photos')\">", []),
    ("<tr data-href=open>", []),
    ("<select><option value=/><option value=red><option value=blue></select>location", []),
    ("<option value=/a><option value=/b>location", []),
    # an action
    ("<b onclick=\"if (confirm('Sure?')) location='/delete'\">", []),
)
def test_links_that_only_a_script_follows(markup: str, hrefs: list[str]) -> None:
    document = parse_document(
        f"<title>x</title><table>{markup}".encode(), options=ReadOptions(labels=True)
    )
    assert [anchor.href for anchor in document.anchors] == hrefs
    assert {kind for _, kind, _ in document.labels} == ({"script"} if hrefs else set())


def test_text_after_a_table_is_not_text_in_it() -> None:
    """Parsers move text between rows in front of the table, and copy it each time."""
    after = "<!-- -->text" * 60_000
    assert (
        estimate_merging(f"<table><tr><td>1</td></tr></table>{after}", scripting=True).is_in_tables
        is False
    )
    assert estimate_merging(f"<table><tr>{after}</table>", scripting=True).is_in_tables


def test_formatting_that_is_closed_is_not_opened_again() -> None:
    elements = OpenElements()
    for _ in range(9):
        elements.open("b", "", is_self_closed=False)
        elements.close("b")
    before = elements.reopened
    elements.open("b", "", is_self_closed=False)
    elements.open("div", "", is_self_closed=False)
    assert elements.reopened == before + 1


@for_each(
    ("/lamps/", "?sort=price", True),
    ("/lamps/red/", "small/", True),
    ("/lamps/red", "/lamps/red/s /lamps/red/m /lamps/red/l https://e.example/lamps/red/xl", True),
    ("/lamps/m", "/lamps/red/m /lamps/blue/m /lamps/m/acme /lamps/m/lumo", True),
    ("/tags/sea", "/tags/a+sea /tags/b+sea /tags/c+sea /tags/sea+x", True),
    ("/lamps/red", "/lamps/red /lamps/red/s /lamps/red/m /lamps/red/l", False),
    ("/lamp-7", "/lamp-7/reviews /lamp-7/questions /lamp-8 /lamp-9 /lamp-10", False),
    ("/", "/a /b /c /d /e", False),
)
def test_lists_are_sketched(path: str, hrefs: str, is_list: bool) -> None:
    body = "".join(f'<a href="{href}">Some lamps</a>' for href in hrefs.split())
    page = parse_document(body.encode(), "text/html", url=f"https://e.example{path}")
    assert bool(page.sketch) == is_list
