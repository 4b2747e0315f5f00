"""Main texts as Markdown: headings, lists, links and tables as they were, and nothing else."""

from hypothesis import given, settings
from hypothesis import strategies as st

from sitemapgen.core.document import markdown as module
from sitemapgen.core.document.html import ReadOptions, parse_document
from tests.helpers.cost import at_most
from tests.helpers.tables import for_each

URL = "https://example.com/dir/page"


def written(body: str, head: str = "") -> str:
    document = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
    return parse_document(
        document.encode(), "text/html; charset=utf-8", url=URL, options=ReadOptions(markdown=True)
    ).markdown


@for_each(
        ("", ""),
        ("one\n two<br>three", "one two\nthree"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<h1>A <i>b</i></h1><h6>c</h6>d", "# A b\n\n###### c\n\nd"),
        ("<h2>a<br>b</h2>", "## a b"),
        # links
        ('<a href="x?y#z">a  b</a>c', "[a b](https://example.com/dir/x?y)c"),
        ('a<a href="/(x)"> b</a>', "a [b](https://example.com/%28x%29)"),
        ('<a href="#x">a</a> <a>b</a> <a href="javascript:x()">c</a> <a href="/"></a>', "a b c"),
        ('<a href="/"><div><h3>a</h3>b</div></a>', "### a\n\nb"),
        # lists
        ("<ul><li>a<li>b</ul><p>c", "- a\n- b\n\nc"),
        ("<ol><li>a<ul><li>b<li>c</ul><li>d</ol>", "1. a\n   - b\n   - c\n2. d"),
        ("<ul><li>a</ul><ol><li>b</ol>", "- a\n\n1. b"),
        ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n- c"),
        ("<ul><li><ul><li>a</ul></ul>", "  - a"),
        ("<li>a</li></li>b", "- a\n\nb"),
        ("<dl><dt>a<dd>b</dl>", "a\n\nb"),
        # quotes
        ("a<blockquote><p>b<p>c</blockquote>d", "a\n\n> b\n>\n> c\n\nd"),
        ("<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b"),
        # code
        ("a <code>b  *c*</code> d", "a `b *c*` d"),
        ("<code>`</code>", "`` ` ``"),
        ("<pre>a\n  b &lt;c&gt;\n</pre>", "```\na\n  b <c>\n```"),
        ("<ul><li>a<pre>```</pre></ul>", "- a\n\n  ````\n  ```\n  ````"),
        # tables
        (
            "<table><tr><th>a<th>b|c<tr><td><p>1<td><a href='/'>2</a></table>",
            "| a | b\\|c |\n| --- | --- |\n| 1 | [2](https://example.com/) |",
        ),
        ("<table><td>a<table><tr></table>b</table>", "| a |\n| --- |\n\nb"),
        # what would read as markup
        ("<p># a<p>- b<p>---<p>#e", "\\# a\n\n\\- b\n\n\\---\n\n#e"),
        ("<p>1. c<p>2024) d<p>1.5", "1\\. c\n\n2024\\) d\n\n1.5"),
        ("*a* [b] `c` \\ &lt;d>", "\\*a\\* \\[b\\] \\`c\\` \\\\ \\<d>"),
        ("a<br># b", "a\n\\# b"),
        ("a\u202eb\x1bc", "abc"),
        # noise, as in the main text
        ("<nav>a</nav><script>b</script><p hidden>c</p><aside>d</aside><button>e</button>f", "f"),
    )  # fmt: skip
def test_markdown(body: str, expected: str) -> None:
    assert written(body) == (f"{expected}\n" if expected else "")


def test_the_base_of_the_links_is_that_of_the_document() -> None:
    assert written('<a href="x">a</a>', '<base href="/other/">') == (
        "[a](https://example.com/other/x)\n"
    )


def test_shadow_roots_are_part_of_it() -> None:
    body = "<p>a</p><div><template shadowrootmode=open><p>b</p></template></div>"
    assert written(body) == "a\n\nb\n"


def test_it_is_read_only_on_request() -> None:
    assert parse_document(b"<p>a").markdown == ""


def test_it_is_bounded() -> None:
    text = written("<p>word</p>" * 100_000)
    assert module.MAX_TEXT <= len(text.replace("\n", "")) < module.MAX_TEXT + 100


@for_each(
    "<div>" * 400 + "a",
    "<ul><li>" * 200 + "a",
    "<a href=/><code>" * 5_000 + "a",
    "<table><tr><td>" * 100 + "a",
    "<p>a<br>" * 20_000,
    "<a href=/x>a</a>" * 20_000,
)
def test_hostile_documents_take_linear_time(body: str) -> None:
    with at_most(5):
        assert "a" in written(body)


TAGS = (
    *("p", "ul", "ol", "li", "table", "tr", "td", "a", "code", "pre", "blockquote", "h1", "br"),
    *("hr", "div"),
)
markup = st.lists(
    st.one_of(
        st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
        st.sampled_from(["<a href=/x>", "word ", "| ", "`", "1. ", "# ", "\n"]),
    ),
    max_size=40,
)


@settings(max_examples=300, deadline=None)
@given(markup)
def test_whatever_is_in_it(pieces: list[str]) -> None:
    text = written("".join(pieces))
    words = sum(piece == "word " for piece in pieces)
    assert text.count("word") == words
    assert not text or text == text.strip("\n") + "\n"
    assert "\n\n\n" not in text or "<pre>" in pieces  # code keeps its empty lines
