"""Pages with the same text and other images or drawings are other pages, however these load."""

from sitemapgen.core.document.html import Document, parse_document
from sitemapgen.core.document.media import largest_source
from tests.helpers.tables import for_each

WORDS = "These pictures may be used for teaching, if their source is named in the usual way. " * 2
BLANK = '<img src="/blank.gif"'
SHOWN = {
    "an image": '<img src="/7.jpg">',
    "lazysizes": f'{BLANK} data-src="/7.jpg">',
    "lazysizes, a set": f'{BLANK} data-srcset="/7-400.jpg 400w, /7-800.jpg 800w">',
    "jQuery.lazyload": f'{BLANK} data-original="/7.jpg">',
    "plugins of WordPress": f'{BLANK} data-lazy-src="/7.jpg">',
    "Slick": f'{BLANK} data-lazy="/7.jpg">',
    "an attribute of a theme": f'{BLANK} data-large_image="/7.jpg?w=900">',
    "a set of sizes": '<img srcset="/7-400.jpg 400w, /7-800.jpg 800w">',
    "one picture in several types": f'<picture><source srcset="/7.webp">{BLANK}></picture>',
    "an image for clients without scripts": f'{BLANK}><noscript><img src="/7.jpg"></noscript>',
    "a background": '<div style="background-image: url(/7.jpg)"></div>',
    "a background that is loaded late": '<div class="lazy" data-bg="/7.jpg"></div>',
    "a film": '<video src="/7.mp4"></video>',
    "the poster of a video": '<video src="/intro.mp4" poster="/7.jpg"></video>',
    "a player of its own": '<lite-youtube videoid="7"></lite-youtube>',
    "a 3D model": '<model-viewer src="/7.glb"></model-viewer>',
    "an image button": '<input type="image" src="/7.jpg">',
    "an image in SVG": '<svg><image href="/7.jpg"/></svg>',
    "a curve": '<svg><path d="M0 0 L7 7"/></svg>',
    "bars": '<svg><rect x="1" y="1" width="5" height="7"/></svg>',
    "a label": "<svg><text>7 mm</text></svg>",
    "a part of a label": "<svg><text>rain: <tspan>7 mm</tspan></text></svg>",
    "a gauge": '<meter value="7" max="90"></meter>',
}
SAME = {
    "the name of an element": '<svg id="a7"><path id="b7" class="c7" d="M0 0"/></svg>',
    "a token": '<input type="hidden" name="csrf" value="7"><script nonce="7"></script>',
    "what scripts keep": '<div data-id="7" data-time="7"></div><img src="/x.jpg" data-id="7">',
    "a colour": '<p style="color: #777777">x</p>',
}


def read(markup: str) -> Document:
    return parse_document(f"<title>Archive</title><p>{WORDS}</p>{markup}".encode(), "text/html")


@for_each(*SHOWN)
def test_another_image_is_another_page(name: str) -> None:
    one, same, other = map(read, (SHOWN[name], SHOWN[name], SHOWN[name].replace("7", "8")))
    assert one.text_hash == same.text_hash == other.text_hash
    assert one.content_hash == same.content_hash
    assert one.content_hash != other.content_hash


@for_each(*SAME)
def test_what_no_visitor_sees_is_no_content(name: str) -> None:
    assert read(SAME[name]).content_hash == read(SAME[name].replace("7", "8")).content_hash


@for_each(
    ('<img src="/blank.gif" data-original=" /7.jpg ">', ("/7.jpg",)),
    ('<img src="/7.jpg" srcset="/8.jpg 2x">', ("/7.jpg",)),
    ('<img srcset=" /7.jpg, /8.jpg 2x">', ("/7.jpg",)),
    ('<img src="/7.jpg" data-src="">', ("/7.jpg",)),
    ("<img>", ()),
    ('<img srcset=" ">', ()),
    ('<img src="" data-lazy>', ()),
)
def test_the_picture_of_an_image(markup: str, urls: tuple[str, ...]) -> None:
    assert read(markup).pictures == urls


def test_sizes_of_one_image_are_one_picture() -> None:
    small = '<img src="/7-300.jpg" srcset="/7-300.jpg 300w, /7-600.jpg 600w, /7.jpg 1200w">'
    large = '<img src="/7-600.jpg" srcset="/7-600.jpg 600w, /7-300.jpg 300w, /7.jpg 1200w">'
    assert read(small).picture_names == read(large).picture_names == ("/7.jpg",)
    assert read('<img src="/7.jpg">').picture_names == ("/7.jpg",)


@for_each(
    ("/a.jpg", "/a.jpg"),
    ("/a.jpg 300w", "/a.jpg"),
    ("/a.jpg 300w, /b.jpg 200w", "/a.jpg"),
    ("/a,w_300.jpg 300w,  /b,w_600.jpg 600w,", "/b,w_600.jpg"),
    ("/a.jpg 1x, /b.jpg 1.5x", "/b.jpg"),
    ("/a.jpg, /b.jpg", "/a.jpg"),
    ("/a.jpg 300w 200h, /b.jpg 600w 400h", "/b.jpg"),
    ("/a.jpg 0w", "/a.jpg 0w"),
    ("/my a.jpg 300w", "/my a.jpg 300w"),
    ("/a.jpg 300w,/b.jpg 600w", "/a.jpg 300w,/b.jpg 600w"),
    ("", ""),
)
def test_the_largest_of_a_set_of_sizes(source_set: str, url: str) -> None:
    """What is no set by the standard is compared as it is."""
    assert largest_source(source_set) == url
