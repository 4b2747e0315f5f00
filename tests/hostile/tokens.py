"""A dictionary of nasty tokens: what documents, headers and URLs are made of to hurt a reader."""

from html.entities import html5

GROWING_ENTITIES = tuple(
    sorted(
        f"&{name}"
        for name, text in html5.items()
        if name.endswith(";") and len(text.encode()) > len(name) + 1
    )
)
"""Entities whose text is longer in UTF-8 than their name: a buffer of the input's size is short."""

ENTITIES = (
    *GROWING_ENTITIES,
    *("&amp;", "&lt;", "&amp", "&am", "&", "&&", "&;", "&#", "&#x", "&#0;", "&#128;", "&#xD800;"),
    *("&#x110000;", "&#99999999999999999999;", "&#x1F600;", "&x;", "&fjlig;"),
)
CONTROLS = (
    *("\x00", "\x01", "\x08", "\t", "\n", "\x0b", "\x0c", "\r", "\r\n", "\x1b[31m", "\x7f", "\x85"),
    *("\xa0", "\xad", "\u200b", "\u200d", "\u202e", "\u2028", "\u2029", "\u3000", "\ufeff"),
    *("\ufffd", "\ufffe", "\uffff", "\U0001f600", "\U0010ffff", "é", "ß", "ı", "日", "e\u0301"),
)
NUMBERS = (
    *("0", "-1", "1", "9", "00", "1.5", "1e999", "-0", "nan", "inf", "0x10", "1_000", "²", "٣"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775809", "9" * 400, "9" * 5_000),
)
DATES = (
    *("2024-05-01", "2024-05-01T10:00:00Z", "2024-05-01 10:00:00+02:00"),
    *("2024-02-30", "0000-00-00"),
    *("9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"),
    *("10000-01-01", "2024-05-01T24:00:00Z"),
    *(
        "Wed, 01 May 2024 10:00:00 GMT",
        "Wednesday, 01-May-24 10:00:00 GMT",
        "Wed May  1 10:00:00 2024",
    ),
    *("Fri, 31 Dec 9999 23:59:59 -2359", "1 Jan 1 0:0:0 +9999", "Mon, 99 Foo 99999 99:99:99 +9999"),
    *("mon,", "mon , 1", "T", "Z", "+", "GMT", "-0000"),
)
URL_PARTS = (
    *("/", "//", "\\", ".", "..", "../", "%2e", "%2E%2e", ";", "?", "??", "#", "&", "=", "+", ":"),
    *("@", "*", "%", "%%", "%0", "%00", "%0a", "%2f", "%2F", "%25", "%zz", "%C3%A9", "%e9", "%ff"),
    *("|", "^", "`", '"', "'", "<", ">", "{", "}", "[", "]", "(", ")", "!", "$", ",", "~"),
    *("-", "_"),
    *("http:", "https://", "HTTP://", "http://[", "http://[::1]", "//host", "javascript:", "data:"),
    *("user:pass@", ":80", ":0", ":99999", "xn--", "例え", "bücher.example", "127.1", "0x7f.1"),
    *("utm_source=x", ";jsessionid=1A", "PHPSESSID=7f", "/(S(x))", "page=2"),
    *("/page/2", "2024/05/01"),
    *("sid=0123456789abcdef0", "a", "A", "é", "日", "\u200b", " ", "\t", "\n", "\x00", "\x7f"),
)
ROBOTS = (
    *("User-agent:", "user agent", "Disallow:", "Disalow :", "Allow: ", "Crawl-delay: ", "*", "$"),
    *("Request-rate: ", "1/5", "30/1m", "Visit-time: ", "0600-0845", "Sitemap: ", "#", "/*/", "*a"),
    *("sitemapgen", "googlebot", "\n", "\r", "\r\n", "\ufeff", "http://[", "%zz", "%C3", "$*$"),
)
XML = (
    *("<", ">", "/>", "</", "<!--", "-->", "<![CDATA[", "]]>", "<?xml ", "?>"),
    *("<?x", "<!DOCTYPE x ["),
    *("<!ENTITY a 'b'>", "&a;", "encoding='utf-16'", "encoding='martian'"),
    *("xmlns='x y'", "xmlns:i=''"),
    *("xmlns:x='http://[' ", "xml:base='//['", "<urlset>", "</urlset>", "<urlset "),
    *("<url>", "</url>"),
    *("<loc>", "</loc>", "https://e.example/", "<lastmod>", "</lastmod>"),
    *("<priority>", "</priority>"),
    *("<sitemapindex>", "<sitemap>", "</sitemap>", "<rss>", "<channel>", "<item>"),
    *("</item>", "<link>"),
    *("</link>", "<guid>", "</guid>", "<feed>", "<entry>", "</entry>"),
    *("<link href='/x'/>", "<pubDate>"),
    *("<rdf:RDF>", "<image:image>", "<image:loc>", "</image:image>", "<html>"),
    *("<url/>", "<x:loc/>"),
)
HEADERS = (
    *("<", ">", "</a>", '"', "\\", '\\"', ",", ";", "=", " ", "rel=canonical"),
    *('rel="next', "anchor="),
    *("; rel=", "hreflang=de", "noindex", "none", "all", ":", "googlebot: ", "unavailable_after: "),
    *("max-snippet:", "text/html", "charset=", "charset='", "utf-8", "utf-16", "latin1"),
    *("/", "url="),
    *("0; url=/x", "W/", "\xff", "\x00", "martian"),
)
MARKUP = (
    *("<meta ", "<meta charset=", "content=", "http-equiv=", "content-type", "<!"),
    *("<!-", "<!--x-->"),
    *("<a ", "<a/", "</", "</a", "<x y=", "='", '="', "'>", '">', "/>", "<script>"),
    *("<title>", "<?"),
    *("\xef\xbb\xbf", "\xff\xfe", "\xfe\xff", "<\x00?\x00x\x00", "<?xml encoding='"),
)

TOKENS = (*(*ENTITIES, *CONTROLS, *NUMBERS, *DATES, *URL_PARTS, *ROBOTS, *XML, *HEADERS, *MARKUP),)
"""All of them."""
