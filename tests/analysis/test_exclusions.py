"""Patterns that a short look at a site proposes to leave out."""

from sitemapgen.analysis.exclusions import MIN_COPIES, suggest_exclusions


def rows(kind: str, path: str, verdict: str, count: int, parent: str = "") -> list[dict[str, str]]:
    return [
        {
            "url": f"https://e.example{path.format(number)}",
            "verdict": verdict,
            "kind": kind,
            "parent": parent,
        }
        for number in range(count)
    ]


PRINT = ("/print.php?id", "/print.php?id={}", "canonicalised")


def test_enough_copies_decide_on_a_pattern() -> None:
    assert not list(suggest_exclusions(rows(*PRINT, MIN_COPIES - 1)))
    (found,) = suggest_exclusions(rows(*PRINT, MIN_COPIES))
    assert found == ("/print.php?id=*", {"canonicalised": MIN_COPIES}, True)


def test_what_lists_pages_of_its_own_stays() -> None:
    listed = rows("/print.php?id", "/print.php?id=own{}", "listed", 2)
    assert not list(suggest_exclusions([*rows(*PRINT, 9), *listed]))


def test_one_listed_page_and_a_way_are_left_to_the_user() -> None:
    one = rows("/print.php?id", "/print.php?id=own{}", "listed", 1)
    way = rows("/p/*", "/p/{}", "listed", 1, parent="https://e.example/print.php?id=1")
    for further in (one, way):
        (found,) = suggest_exclusions([*rows(*PRINT, 9), *further])
        assert not found.is_safe
