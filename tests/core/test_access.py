"""What an owner may give for the way in, and who may be sent it."""

import pytest

from sitemapgen.core import access
from tests.helpers.tables import for_each


@for_each(
    ("Aladdin:open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),  # RFC 7617 section 2
    ("test:123£", "Basic dGVzdDoxMjPCow=="),  # RFC 7617 section 2.1
    ("me:a:b", "Basic bWU6YTpi"),
    ("token:", "Basic dG9rZW46"),
)
def test_basic_auth(text: str, header: str) -> None:
    assert access.basic_auth(text) == header


@for_each(
    ("a=1", "a=1"),
    (" a=1;b=2 ; ", "a=1; b=2"),
    ('session="x,y=="; flag=', 'session="x,y=="; flag='),
)
def test_cookies(text: str, header: str) -> None:
    assert access.parse_cookie(text) == header


@for_each(
    ("", {}),
    ("X-Key: a, b; c", {"X-Key": "a, b; c"}),
    ("X-Key:a\r\n\n  Accept :  x:y \n", {"X-Key": "a", "Accept": "x:y"}),
)
def test_headers(text: str, headers: dict[str, str]) -> None:
    assert access.parse_headers(text) == headers


@for_each(
    "http://proxy.example:3128",
    "http://me:p%40ss@proxy.example:3128/",
    "http://10.0.0.1",
    "http://[::1]:8080",
)
def test_proxies(url: str) -> None:
    assert access.parse_proxy(f" {url}\n") == url


@for_each(
    (access.basic_auth, "SECRET", "user:password"),
    (access.basic_auth, "me:SECRET\nX: y", "on one line"),
    (access.parse_cookie, "SECRET", "name=value"),
    (access.parse_cookie, "a=1; SECRET", "name=value"),
    (access.parse_cookie, "Cookie: SECRET=1", "name=value"),
    (access.parse_cookie, "a=SECRET\r\nX: y", "on one line"),
    (access.parse_cookie, ";", "name=value"),
    (access.parse_headers, "SECRET", "line 1 is not of the form Name: value"),
    (access.parse_headers, "A: b\nX y: SECRET", "line 2 is not"),
    (access.parse_headers, "A: SECRET\x00", "line 1 is not"),
    (access.parse_headers, '{"A": "SECRET"}', "line 1 is not"),
    (access.parse_headers, "A: SECRET\na: SECRET", "a is given twice"),
    (access.parse_headers, "cookie: a=SECRET", "use -a cookies="),
    (access.parse_headers, "User-Agent: SECRET", "use -a user_agent="),
    (access.parse_headers, "Proxy-Authorization: SECRET", "use -a proxy="),
    (access.parse_headers, "Host: SECRET", "set by the crawler itself"),
    (access.user_agent, "a\r\nX: SECRET", "control character"),
    (access.parse_proxy, "proxy.example:SECRET", "http://host:port"),
    (access.parse_proxy, "socks5://me:SECRET@proxy:1", "http://host:port"),
    (access.parse_proxy, "https://me:SECRET@proxy:1", "http://host:port"),
    (access.parse_proxy, "http://me:SEC/RET@proxy:1", "percent-encode"),
    (access.parse_proxy, "http://me:SEC@RET@proxy:1", "percent-encode"),
)
def test_what_is_not_well_formed_is_not_repeated(check, text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        check(text)
    assert "SEC" not in str(caught.value)
    assert "\n" not in str(caught.value)


@for_each(
    ("https://example.com/", "https://example.com/", ""),
    ("https://me:pw@example.com/", "https://example.com/", "me:pw"),
    ("me:pw@example.com", "example.com", "me:pw"),
    ("https://me@example.com", "https://example.com", "me:"),
    ("https://@example.com", "https://example.com", ""),
    ("https://a%3Ab:p%40%2F@example.com", "https://example.com", "a:b:p@/"),
    ("https://me:p@w@example.com/", "https://example.com/", "me:p@w"),
    ("https://example.com/@me", "https://example.com/@me", ""),
    ("https://example.com?q=a:b@c", "https://example.com?q=a:b@c", ""),
    ("https://example.com\\@evil.example", "https://example.com\\@evil.example", ""),
    ("https:/me:pw@example.com", "https:/example.com", "me:pw"),
    ("http://[::1]:80/", "http://[::1]:80/", ""),
)
def test_userinfo(url: str, rest: str, userinfo: str) -> None:
    assert access.split_userinfo(url) == (rest, userinfo)


@for_each(
    ("https://a.example/x", "https://a.example", "https://a.example/robots.txt", True),
    ("https://a.example/", "https://a.example", "https://b.example/", False),
    ("https://a.example/", "https://a.example", "https://a.example.evil/", False),
    ("https://a.example/", "https://a.example", "https://a.example:8443/", False),
    ("https://a.example/", "https://a.example", "https://www.a.example/", False),
    ("https://a.example/", "https://a.example", "http://a.example/", False),
    # The start URL led elsewhere:
    ("http://a.example/", "https://a.example", "https://a.example/", True),
    ("http://a.example/", "https://a.example", "http://a.example/", False),
    ("https://a.example/", "https://www.a.example", "https://www.a.example/", True),
    ("https://www.a.example/", "https://a.example", "https://a.example/", True),
    ("https://a.example/", "http://a.example", "http://a.example/", False),
    ("https://a.example/", "http://www.a.example", "http://www.a.example/", False),
    ("http://a.example/", "http://www.a.example", "http://www.a.example/", True),
    ("http://a.example/", "http://b.example", "http://b.example/", False),
)
def test_who_may_be_sent_it(start: str, home: str, url: str, sent: bool) -> None:
    assert access.may_be_sent(url, home=home, start=start) is sent


def test_what_is_sent_does_not_show() -> None:
    assert "x" not in repr(access.Access(headers={"A": "x"}, proxy="x")).removeprefix("Access")
