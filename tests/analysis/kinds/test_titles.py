"""Forms of URLs whose pages share a title, in which a made-up name is requested."""

from sitemapgen.analysis.kinds.evidence import WITHOUT_EXCEPTION as ENOUGH
from sitemapgen.analysis.kinds.titles import FormPage, crowded_forms
from tests.helpers.tables import for_each

SITE = "https://e.example"

SITES = {
    "one title": ([("/shop/item-%d", "Not found")], [("/shop/*", ENOUGH)]),
    "the name in the title": ([("/shop/item-%d.html", "No item-%d here")], [("/shop/*", ENOUGH)]),
    "another depth": (
        [("/shop/a/%d", "Not found"), ("/shop/%d", "Not found")],
        [("/shop/*", ENOUGH), ("/shop/*/*", ENOUGH)],
    ),
    "titles of their own": ([("/shop/item-%d", "Item of %s")], []),
    "queries": ([("/shop/?item=%d", "Not found")], []),
}


@for_each(*SITES)
def test_forms(name: str) -> None:
    kinds, expected = SITES[name]
    words = [f"{letter}{other}" for letter in "abcdef" for other in "ghijk"]
    pages = [
        FormPage(number, SITE + path % number, _titled(title, number, words[number]), "")
        for path, title in kinds
        for number in range(ENOUGH)
    ]
    found = crowded_forms(pages)
    assert [(form.key.template, len(form.pages)) for form in found] == expected
    assert not crowded_forms(pages[1:ENOUGH])
    for form in found:
        directory, _, probe = form.probe.rpartition("/")
        assert form.pages[0].url.rpartition("/")[0] == directory
        assert probe.startswith("sitemapgen-404-check-")


def _titled(title: str, number: int, word: str) -> str:
    return title.replace("%d", str(number)).replace("%s", word)
