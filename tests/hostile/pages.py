"""Pages that make a parser or a reader of pages slow or fail: generators by size in characters."""

from collections.abc import Callable

Page = Callable[[int], str]


def times(piece: str, before: str = "", after: str = "") -> Page:
    """The same piece again and again."""
    return lambda size: before + piece * (size // len(piece)) + after


def numbered(piece: str, before: str = "", after: str = "") -> Page:
    """A piece with another number each time, in place of its ``%d``."""

    def make(size: int) -> str:
        count = size // (len(piece) + 4)
        return before + "".join(piece % number for number in range(count)) + after

    return make


PAGES: dict[str, Page] = {
    # The guard against bombs was passed by each of these, in quadratic time.
    "nesting-behind-tags-without-end": times("<x ", "<div>" * 2_000),
    "options-of-menus": times("<option value=/a>", "<select onchange='location=value'>"),
    "menus": times("<select><option value=/a></select>"),
    "options-without-menus": times("<option value=/a><svg>"),
    "buttons": numbered("<b onclick=\"location='/%d'\">"),
    "calls-in-buttons": times("('", "<b onclick=\"location='x'", '">'),
    "calls-in-a-link": times("(' ", "<a href=\"javascript:location='x'", '">'),
    "spaces-in-a-link": times(" ", '<a href="javascript:location=', '">'),
    "calls-in-many-links": times(f"<a href=\"javascript:location='x'{'( ' * 900}\">"),
    "noscripts-in-noscripts": times("<noscript><a href=x>"),
    "attributes-of-many-bodies": numbered("<body a%d>"),
    "attributes-of-few-bodies": numbered("a%d ", "<body>" * 20 + "<body ", ">" + "<body b=1>" * 20),
    "quoted-ends-of-tags": numbered('b%d=">" ', "<a ", ">"),
    "one-quoted-end-of-a-tag": numbered("b%d ", '<a a=">" ', ">"),
    "quoted-end-tags": times('<div title="></div>">'),
    "end-tags-in-comments": times("<div><!-- </div> -->"),
    "end-tags-in-scripts": times("<div><script></div></script>"),
    "end-tags-in-escaped-scripts": times("<div><script><!--<script></script></div>--></script>"),
    "end-tags-in-tags": times("<div><img </div>"),
    "end-tags-in-end-tags": times('<div></a x="></div>">'),
    "end-tags-in-declarations": times("<div><!x </div>"),
    "end-tags-in-instructions": times("<div><? </div>"),
    "end-tags-in-emptied-values": times('<div><img a="b>c" d="</div>">'),
    "end-tags-after-comments-in-tags": times('<img a="b>c"><img <!-- --><div>'),
    "layout-in-a-noscript": times("<div>", "<noscript>", "</noscript>"),
    "layout-after-a-noscript": times("<div><noscript></div></noscript>"),
    "end-tags-out-of-scope": times("<div><object></div></object>"),
    "end-tags-of-nothing": times("<div></x>"),
    "elements-of-svg": times("<div><path/>", "<svg>"),
    "texts-in-texts-of-svg": times("<text>a", "<svg>"),
    "curves-of-svg": times('<path d="M0 0">', "<svg>"),
    "backgrounds": times('<p style="background:url(a">', ""),
    "backgrounds-without-an-end": times("url(", '<p style="', '">'),
    "sets-of-sources": times("a.jpg 1w, ", '<img srcset="', '">'),
    "sources-that-come-late": times('<img data-src="a" data-x=".jp">'),
    "noscripts-with-images": times("<noscript><img src=a></noscript>"),
    "values-that-end-in-a-slash": times("<path d=a/>", "<svg>"),
    "svg-left-by-an-end-tag": times("<x/>", "<svg></p>"),
    "styles-of-svg": times("<style><g></style>", "<svg>"),
    "equals-signs-before-names": times('<div =">', "<p>"),
    "nested-lists": times("<li><ul>"),
    "nested-options": times("<option><div>"),
    "nested-optgroups": times("<optgroup>"),
    "nested-ruby": times("<rt><rp>"),
    "nested-links": times("<a><div>"),
    "nested-times": times("<div class=x><time class=updated datetime=2020-01-01>"),
    "nested-headings": times("<h1><div>x"),
    "nested-shadow-roots": times("<div><template shadowrootmode=open>"),
    # What a parser that follows the standard is slow at.
    "formatting-opened-again": numbered("<p><font a=%d>x</p>"),
    "formatting-that-is-nested": numbered("<b a=%d><p>x"),
    "names-of-attributes": numbered("<p a%d>"),
    "names-of-elements": numbered("<x%d>x</x>"),
    "options": times("<option>x", "<select>"),
    "selected-contents": times("<option selected>x", "<select><button><selectedcontent></button>"),
    "tables-with-text": times("<a href=x>x", "<table>"),
    "brackets": times("<"),
    "tags-without-end": times("<a "),
    "comments-without-end": times("<!--"),
    "one-tag": numbered("a%d=1 ", "<p ", ">"),
    "layout": times("<b>"),
    # What the readers of a page were slow at.
    "refresh-of-digits": times("1", "<meta http-equiv=refresh content='", "x'>"),
    "refresh-of-points": times(".", "<meta http-equiv=refresh content='1", "x'>"),
    "refresh-of-spaces": times(" ", "<meta http-equiv=refresh content='1", "x'>"),
    "ideographs": times("漢字仮名", "<p>"),
    "words-without-spaces": times("a", "<p>"),
    "digits-without-spaces": times("1", "<p>"),
    "stops": times(".", "<p>"),
    "brackets-of-text": times("(", "<p>"),
    "spaces": times(" ", "<p>", "x"),
    "a-title": times("a - ", "<title>"),
    "a-title-of-spaces": times(" ", "<title>a", "b"),
    "json-ld-arrays": times("[", "<script type=application/ld+json>"),
    "json-ld-objects": times("{},", "<script type=application/ld+json>[", "{}]</script>"),
    "json-ld-scripts": times(
        '<script type=application/ld+json>{"dateModified":"2020-01-01"}</script>'
    ),
    "javascript": times(
        "java script " * 9 + "fetch(", "<noscript>", "</noscript><script>1</script>"
    ),
    "javascript-hrefs": times("createElement( ", "<script>", "</script>"),
    "javascript-locations": times("location ", "<script>", "</script>"),
    "styles-that-hide": times("display ", "<p style='", "'>"),
    "classes": times("comment-", "<p class='", "'><time class=updated datetime=1>"),
    "streamed-segments": numbered(
        '<template id="B:%d"></template><script>$RC("B:1","S:1")</script>', "<div hidden id='S:1'>"
    ),
    "streamed-fallbacks": times("<!--$?-->", '<template id="B:1"></template>'),
    "references": times("&nGt;"),
    "nulls": times("\x00", "<p>"),
    "links": numbered("<a href=/%d>x</a>"),
    "canonicals": numbered("<link rel=canonical href=/%d>"),
    "alternates": numbered("<link rel=alternate hreflang=fr href=/%d>"),
    "images": numbered("<img src=/%d>"),
    "preview-images": numbered("<meta property=og:image content=/%d>"),
    "custom-elements": numbered("<x-y data-a=%d></x-y>"),
    "empty-roots": times("<div id=root>", "<script>1</script>"),
}
