"""Links to other sites in a store, and what their check has found."""

import pytest

from sitemapgen.core.external import BROKEN, LinkCheck, LinkStatus
from sitemapgen.report.sections.links import external_links
from sitemapgen.store import Store
from sitemapgen.store import external as tables
from sitemapgen.store.external import ExternalHost
from tests.store.helpers import NOW, Open, begin, link, names, page, url

A, B, C = "https://a.example/", "https://a.example/b", "http://c.example:8080/"
LINKS = {"": (A, C), "one": (A, B), "two": (A,), "none": ()}


@pytest.fixture
def store(opened: Open) -> Store:
    return recorded(begin(opened()), LINKS)


def recorded(store: Store, links: dict[str, tuple[str, ...]]) -> Store:
    names(store)
    others = [link(name) for name in links if name]
    store.record_page(page("", *others, external=links[""]), NOW)
    names(store)
    for name in filter(None, links):
        store.record_page(page(name, external=links[name]), NOW)
    return store


def test_hosts_with_their_urls_links_and_pages(store: Store) -> None:
    found = store.external.count_links()
    assert (found.urls, found.links, found.pages, found.unkept) == (3, 5, 3, 0)
    assert found.hosts == [
        ExternalHost("a.example", urls=2, links=4, pages=3),
        ExternalHost("c.example:8080", urls=1, links=1, pages=1),
    ]


def test_no_links(opened: Open) -> None:
    found = external_links(recorded(begin(opened()), {"": ()}).external, is_read=True)
    assert (found["links"], found["by_host"], found["broken"]["examples"]) == (0, [], [])
    assert found["is_known"]


def test_pages_that_an_earlier_version_has_read(store: Store, opened: Open) -> None:
    assert external_links(store.external, is_read=False)["is_known"]
    earlier = recorded(begin(opened(fresh=True)), {"": ()})
    assert not external_links(earlier.external, is_read=False)["is_known"]


def test_a_page_that_is_read_again_has_its_new_links(store: Store) -> None:
    store.record_page(page("one", external=(C,)), NOW)
    store.record_page(page("two"), NOW)
    assert [(row.host, row.pages) for row in store.external.count_links().hosts] == [
        ("c.example:8080", 2),
        ("a.example", 1),
    ]


def test_urls_with_the_most_pages_are_checked_first_and_once(store: Store) -> None:
    assert store.external.unchecked_urls(2) == [A, C]
    assert store.external.unchecked_urls(9) == [A, C, B]
    store.external.record_check(A, LinkCheck(LinkStatus.WORKS))
    assert store.external.unchecked_urls(2) == [C]
    assert store.external.unchecked_urls(0) == []


def test_broken_urls_with_the_pages_that_link_to_them(store: Store) -> None:
    store.external.record_check(A, LinkCheck(LinkStatus.DEAD, "HTTP 404"))
    store.external.record_check(B, LinkCheck(LinkStatus.REFUSED, "HTTP 403"))
    store.external.record_check(
        C, LinkCheck(LinkStatus.UNREACHABLE, "the host name does not resolve")
    )
    facts = external_links(store.external, is_read=True)
    assert (facts["checked"], facts["unchecked"]) == (3, 0)
    assert facts["outcomes"] == {
        **{"works": 0, "dead": 1, "unreachable": 1, "refused": 1, "not_asked": 0}
    }
    assert facts["broken"] == {
        "count": 2,
        "links": 4,
        "examples": [
            {
                **{"url": A, "outcome": "dead", "evidence": "HTTP 404", "links": 3},
                "pages": [url(""), url("one"), url("two")],
            },
            {
                **{"url": C, "outcome": "unreachable", "links": 1, "pages": [url("")]},
                "evidence": "the host name does not resolve",
            },
        ],
    }
    assert store.external.broken_urls(BROKEN, 1, 1)[2][0].pages == [url("")]


def test_too_many_urls_are_counted_and_not_kept(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MAX_CHARACTERS", len(A + C))
    found = recorded(begin(opened()), LINKS).external.count_links()
    assert (found.urls, found.links, found.unkept) == (2, 4, 1)


def test_unchanged_pages_keep_their_links_and_the_rest_is_forgotten(opened: Open) -> None:
    store = recorded(begin(opened()), LINKS)
    store.external.record_check(A, LinkCheck(LinkStatus.DEAD, "HTTP 404"))
    store.end_run("finished", NOW)
    for _ in range(2):
        begin(store)
        names(store)
        store.record_page(page("", link("one"), external=(C,)), NOW)
        names(store)
        store.record_page(page("one", is_carried=True), NOW)
        assert [(row.host, row.links) for row in store.external.count_links().hosts] == [
            ("a.example", 2),
            ("c.example:8080", 1),
        ]
        assert store.external.count_outcomes() == {}
        store.end_run("finished", NOW)


def test_links_survive_a_kill(opened: Open) -> None:
    store = recorded(begin(opened()), LINKS)
    store.commit()
    assert opened(crash=True).external.count_links().links == 5
