"""What a page says that its sitemap entry may repeat: read out of real documents."""

import json
from typing import Any

from sitemapgen.core.document import html
from sitemapgen.core.document.extensions import KINDS, MAX_NODES, read_extensions
from sitemapgen.core.document.languages import canonical_hreflang, news_language
from sitemapgen.core.document.media import MAX_IMAGES
from sitemapgen.core.document.texts import BEGINNING, line
from sitemapgen.core.headers import read_links
from sitemapgen.core.urls import Resolver, Site
from sitemapgen.items import Extensions, News, Video
from tests.helpers.tables import for_each

URL = "https://example.com/a/page"
SITE = Site(origin="https://example.com")

DAILY = News("The Daily", "en", "2026-11-20T08:00:00Z", "It happened")
VIDEO = {
    "@type": "VideoObject",
    "name": "A film",
    "description": "About films",
    "thumbnailUrl": "/t.jpg",
    "contentUrl": "/f.mp4",
}
ARTICLE = {
    "@type": "NewsArticle",
    "headline": "It happened",
    "datePublished": "2026-11-20T10:00:00+02:00",
    "publisher": {"@type": "Organization", "name": "The Daily"},
    "inLanguage": "en-GB",
}


def extensions(head: str = "", body: str = "", *, lang: str = "", link: str = "") -> Extensions:
    document = html.parse_document(
        f'<!doctype html><html lang="{lang}"><head><title>A title</title>{head}</head>'
        f"<body>{body}</body></html>".encode(),
        "text/html; charset=utf-8",
    )
    named = tuple(read_links([link])) if link else ()
    return read_extensions(KINDS, document, Resolver(SITE, URL, URL), named)


def script(*nodes: Any) -> str:
    return "".join(
        f'<script type="application/ld+json">{json.dumps(node)}</script>' for node in nodes
    )


def test_only_what_is_asked_for_is_read() -> None:
    document = html.parse_document((script(VIDEO, ARTICLE) + '<img src="/a.png">').encode())
    for kind, count in (("images", 1), ("videos", 1), ("news", 1), ("hreflang", 0)):
        said = read_extensions([kind], document, Resolver(SITE, URL, URL), ())
        assert sum(map(bool, said)) == count
        assert len(said.images) == (kind == "images")
        assert len(said.videos) == (kind == "videos")
        assert (said.news is not None) == (kind == "news")


# Images


@for_each(
        ('<img src="b.png">', ["https://example.com/a/b.png"]),
        ('<img src="/b.png"><img src="/b.png">', ["https://example.com/b.png"]),
        ('<img src="https://cdn.example/b.png?x=1&amp;y=2">', ["https://cdn.example/b.png?x=1&y=2"]),
        ('<img src="/blank.gif" data-src="/b.png">', ["https://example.com/b.png"]),
        ('<picture><source srcset="/c.webp"><img src="/b.png"></picture>', ["https://example.com/b.png"]),
        ('<img src="/b.png" width="31">', []),
        ('<img src="/b.png" width="32" height="32">', ["https://example.com/b.png"]),
        ('<img src="/b.png" width="100%">', ["https://example.com/b.png"]),
        ('<img src="/b.png" height="1" width="1">', []),
        ('<img src="/b.png" width="²">', ["https://example.com/b.png"]),
        (f'<img src="/b.png" width="{"9" * 5000}">', ["https://example.com/b.png"]),
        ('<img src="/favicon.ico">', []),
        ('<img src="data:image/gif;base64,R0lGOD">', []),
        ('<img src="javascript:alert(1)">', []),
        ('<img src="ftp://example.com/b.png">', []),
        ('<img src="http://[::1">', []),
        ('<img src="">', []),
        ('<img src="#">', []),
        (f'<img src="/{"x" * 3000}.png">', []),
        ('<noscript><img src="/pixel.png"></noscript>', []),
        ("<style>p { background: url(/b.png) }</style>", []),
    )  # fmt: skip
def test_images(markup: str, images: list[str]) -> None:
    assert list(extensions(body=markup).images) == images


def test_the_preview_image_comes_first() -> None:
    head = '<meta property="og:image" content="/og.png"><meta name="twitter:image">'
    images = extensions(head, '<img src="/b.png"><img src="/og.png">').images
    assert images == ("https://example.com/og.png", "https://example.com/b.png")


def test_no_more_images_than_google_takes() -> None:
    images = extensions(body="".join(f'<img src="/{n}.png">' for n in range(1500))).images
    assert len(images) == MAX_IMAGES == 1000


# Videos


def test_a_video_with_all_that_is_required() -> None:
    node = VIDEO | {
        "duration": "PT1H2M3S",
        "uploadDate": "2024-03-31T08:00:00+08:00",
        "embedUrl": "https://player.example/1",
    }
    assert extensions(script(node)).videos == (
        Video(
            title="A film",
            thumbnail="https://example.com/t.jpg",
            content="https://example.com/f.mp4",
            player="https://player.example/1",
            description="About films",
            duration=3723,
            published="2024-03-31T00:00:00Z",
        ),
    )


@for_each("name", "description", "thumbnailUrl", "contentUrl")
def test_a_video_without_what_is_required_is_none(field: str) -> None:
    for value in (None, "", 7, [], {}, "javascript:alert(1)" if field.endswith("Url") else " \n"):
        assert extensions(script(VIDEO | {field: value})).videos == ()


@for_each(
    [{"@graph": [VIDEO]}],
    [[VIDEO]],
    [{"@type": "WebPage", "mainEntity": VIDEO}],
    [{"@type": "Article", "video": [VIDEO]}],
    [VIDEO | {"@type": ["CreativeWork", "http://schema.org/VideoObject"]}],
    [VIDEO | {"thumbnailUrl": ["", "/t.jpg"]}],
    [VIDEO | {"thumbnailUrl": None, "thumbnail": {"@type": "ImageObject", "url": "/t.jpg"}}],
    [VIDEO, VIDEO],
)
def test_where_a_video_is_found(nodes: list[Any]) -> None:
    (video,) = extensions(script(*nodes)).videos
    assert video.thumbnail == "https://example.com/t.jpg"
    assert video.content == "https://example.com/f.mp4"


def test_a_video_is_not_the_page_itself() -> None:
    assert extensions(script(VIDEO | {"contentUrl": URL})).videos == ()


@for_each(
    ("PT0S", 0),
    ("PT90M", 5400),
    ("P0DT0H1M5.5S", 65),
    ("PT8H", 28_800),
    ("PT8H1S", 0),
    ("90", 0),
    ("PT", 0),
    ("P" + "9" * 9999 + "D", 0),
)
def test_durations(duration: str, seconds: int) -> None:
    (video,) = extensions(script(VIDEO | {"duration": duration})).videos
    assert video.duration == seconds


def test_what_a_video_says_is_cut_to_the_schema() -> None:
    node = VIDEO | {"name": "word " * 100, "description": "x" * 5000}
    (video,) = extensions(script(node)).videos
    assert len(video.title) <= 100
    assert video.title.endswith("word…")
    assert len(video.description) == 2048


OPEN_GRAPH = {
    "og:title": "A film",
    "og:description": "About films",
    "og:image": "/t.jpg",
    "og:video": "https://player.example/1",
}


@for_each(
    ({}, "", "https://player.example/1"),
    ({"og:video:type": "text/html"}, "", "https://player.example/1"),
    ({"og:video:type": "video/mp4"}, "https://player.example/1", ""),
    ({"og:video:secure_url": "https://player.example/2"}, "", "https://player.example/2"),
    ({"og:description": ""}, None, None),
    ({"og:image": ""}, None, None),
    ({"og:video": URL}, None, None),
)
def test_open_graph_videos(
    changes: dict[str, str], content: str | None, player: str | None
) -> None:
    tags = OPEN_GRAPH | changes
    videos = extensions(
        "".join(f'<meta property="{name}" content="{value}">' for name, value in tags.items())
    ).videos
    assert [(video.content, video.player) for video in videos] == (
        [] if content is None else [(content, player)]
    )


# News


def test_an_article_with_all_that_is_required() -> None:
    assert extensions(script(ARTICLE)).news == DAILY


@for_each(
        ({"publisher": None}, "", None),
        ({"datePublished": None}, "", None),
        ({"datePublished": "yesterday"}, "", None),
        ({"datePublished": "2026-11-20"}, "", DAILY._replace(date="2026-11-20")),
        ({"headline": None}, "", DAILY._replace(title="A title")),
        ({"inLanguage": None}, "", None),
        ({"inLanguage": None}, "pt-BR", DAILY._replace(language="pt")),
        ({"@type": "BlogPosting"}, "", None),
        ({"@type": "Product"}, "", None),
        ({"publisher": [{"name": "The Daily"}]}, "", DAILY),
        ({"publisher": "The Daily"}, "", DAILY),
    )  # fmt: skip
def test_articles(changes: dict[str, Any], lang: str, news: News | None) -> None:
    assert extensions(script(ARTICLE | changes), lang=lang).news == news


def test_a_publisher_may_stand_elsewhere_in_the_graph() -> None:
    graph = [ARTICLE | {"publisher": {"@id": "#us"}}, {"@id": "#us", "name": "The Daily"}]
    said = extensions(script({"@graph": graph})).news
    assert said is not None
    assert said.publication == "The Daily"
    without = extensions(
        '<meta property="og:site_name" content="The Site">' + script({"@graph": graph[:1]})
    )
    assert without.news is not None
    assert without.news.publication == "The Site"


# Other languages


def test_versions_in_other_languages() -> None:
    head = (
        '<link rel="alternate" hreflang="en" href="page">'
        '<link rel="alternate" hreflang="de-AT" href="/de?utm_source=x#top">'
        '<link rel="alternate" hreflang="de-AT" href="/de">'
        '<link rel="alternate" hreflang="fr" href="https://example.fr/">'
        '<link rel="alternate" hreflang="es" href="mailto:a@example.com">'
        '<link rel="alternate" href="/feed.xml" type="application/rss+xml">'
    )
    link = "</x>; rel=alternate; hreflang=x-default, </y>; rel=next; hreflang=it"
    assert extensions(head, link=link).alternates == (
        ("en", URL),
        ("de-at", "https://example.com/de"),
        ("fr", "https://example.fr/"),
        ("x-default", "https://example.com/x"),
    )


@for_each(
    ("en", "en"),
    ("EN-us", "en-US"),
    ("zh-hans", "zh-Hans"),
    ("zh-hant-hk", "zh-Hant-HK"),
    ("x-default", "x-default"),
    ("en-uk", ""),
    ("en-eu", ""),
    ("es-419", ""),
    ("jp", ""),
    ("us", ""),
    ("en_US", ""),
    ("deu", ""),
    ("", ""),
    ("*", ""),
    ('en"><b>', ""),
)
def test_codes(code: str, form: str) -> None:
    assert canonical_hreflang(code) == form


@for_each(
    ("en-US", "en"), ("zh-CN", "zh-cn"), ("zh-TW", "zh-tw"), ("zh-Hans-HK", "zh-cn"), ("xx", "")
)
def test_languages_of_publications(code: str, language: str) -> None:
    assert news_language(code) == language


# Hostile


@for_each(
    "not json",
    "[" * 100_000,
    '{"@graph": null}',
    '{"@type": 7, "publisher": 8}',
    '{"@type": "VideoObject", "thumbnailUrl": {"url": {"url": 3}}, "name": {"a": 1}}',
    '{"@type": "NewsArticle", "publisher": {"@id": ["x"]}, "headline": "\\ud800"}',
    '{"@type": "NewsArticle", "datePublished": "9999-99-99", "inLanguage": 3}',
)
def test_no_json_raises(text: str) -> None:
    said = extensions(f'<script type="application/ld+json">{text}</script>')
    assert not any(said)


@for_each(
    ("a\r\nb\tc", "a b c"),
    ("a\x00\x1b[2Jb", "a[2Jb"),
    ("\u202egnp.exe\u202c", "gnp.exe"),
    ("a\ud800b\uffff", "ab"),
    ("</script>", "</script>"),  # writers escape it
    ("نمی\u200cخواهم", "نمی\u200cخواهم"),
)
def test_lines(text: str, harmless: str) -> None:
    assert line(text) == harmless


def test_what_is_read_of_a_page_is_bounded() -> None:
    """Before it is normalised: a page can repeat it for thousands of nodes."""
    long = "x " * 60_000
    head = f'<meta property="og:title" content="{long}"><title>{long}</title>'
    document = html.parse_document(
        f"<html><head>{head}</head></html>".encode(), "text/html; charset=utf-8"
    )
    assert [len(content) for _, content in document.open_graph] == [BEGINNING]
    assert line(" " * BEGINNING + "beyond", 100) == ""
    assert line(" " * 20_000 + "within", 10_000) == "within"
    nothing: list[dict[str, Any]] = [{"@type": "NewsArticle"}] * (MAX_NODES - 1)
    assert extensions(script([*nothing, ARTICLE])).news == DAILY
    assert extensions(script([*nothing, {}, ARTICLE])).news is None
    named = {"@id": "p", "name": long}
    news = extensions(script([named, {**ARTICLE, "publisher": {"@id": "p"}}])).news
    assert news is not None
    assert len(news.publication) <= 500
