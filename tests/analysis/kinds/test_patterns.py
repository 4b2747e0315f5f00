"""Which words and values of suspicious URLs separate patterns."""

from random import Random

from sitemapgen.analysis.kinds.patterns import MAX_PATTERNS, SUPPORT, Family
from sitemapgen.core.shapes import Shape, shape

ORIGIN = "https://example.com"


def shapes(paths: list[str]) -> list[Shape]:
    found = [shape(ORIGIN + path) for path in paths]
    assert None not in found
    return [each for each in found if each]


def patterns(paths: list[str]) -> set[str]:
    family = Family()
    for each in shapes(paths):
        family.count_url(each)
    constants = family.constants()
    return {each.pattern(constants) for each in shapes(paths)}


def test_kinds_of_pages_of_a_code_browser() -> None:
    kinds = ("commit", "log", "tree", "diff")
    assert patterns([f"/repo/{kind}/?id={n:040x}" for kind in kinds for n in range(100)]) == {
        f"/repo/{kind}?id=" for kind in kinds
    }
    assert patterns([f"/?p=a.git;a={kind};h={n:040x}" for kind in kinds for n in range(100)]) == {
        f"/?a={kind}&h=&p=a.git" for kind in kinds
    }


def test_articles_are_merged_and_their_actions_are_not() -> None:
    paths = [f"/index.php?title=Article_{n}&action={do}" for n in range(50) for do in ("edit", "x")]
    assert patterns(paths) == {"/index.php?action=edit&title=", "/index.php?action=x&title="}


def test_random_words_make_no_patterns() -> None:
    random = Random(1)
    words = ["".join(random.choices("abcdefghij", k=6)) for _ in range(10_000)]
    assert patterns([f"/{word}/{3_000_000 + n}" for n, word in enumerate(words)]) == {"/*/{n}"}


def test_combinations_of_choices_are_one_pattern() -> None:
    values = [f"v{n}" for n in range(8)]
    random = Random(2)
    paths = [
        "/shop?" + "&".join(f"{name}={random.choice(values)}" for name in "abcefg")
        for _ in range(2_000)
    ]
    assert patterns(paths) == {"/shop?a=&b=&c=&e=&f=&g="}
    assert 1 < len(patterns([f"{path}&id={n}" for n, path in enumerate(paths)])) <= MAX_PATTERNS


def test_a_word_of_few_urls_separates_nothing_beside_others() -> None:
    paths = [f"/many/{n}" for n in range(SUPPORT)] + [f"/few/{n}" for n in range(SUPPORT - 1)]
    assert patterns(paths) == {"/many/{n}", "/*/{n}"}


def test_the_order_of_urls_changes_nothing() -> None:
    paths = [f"/{'abc'[n % 3]}/{n}?x={n % 5}&y={n}" for n in range(300)]
    assert patterns(paths) == patterns(paths[::-1])
