"""Numbers without end around 300 real pages."""

import re
from random import Random

from tests.helpers.server import Answer
from tests.spaces.pages import Theme, anchors, around, matching, words
from tests.spaces.space import Part, endless

THEME = Theme("The real pages")
THINGS = [words(f"thing {number}", 2) for number in range(30)]


@endless(tolerated=r"/next/\d+", most=64)
def counter_in_path() -> Part:
    """/next/1, /next/2 and so on: "Page N"."""

    @matching(r"/next/(\d+)")
    def answer(found: re.Match[str]) -> Answer:
        number = int(found[1])
        return THEME(f"Page {number}", f"<p>Page {number}</p>", links=[f"/next/{number + 1}"])

    return around(answer, doors=lambda _: ["/next/1"])


@endless(tolerated=r"/counter\?n=\d+", most=64)
def counter_in_query() -> Part:
    """The same as ?n=, ten links on each page."""

    @matching(r"/counter\?n=(\d+)")
    def answer(found: re.Match[str]) -> Answer:
        number = int(found[1])
        links = [f"/counter?n={number + step}" for step in range(1, 11)]
        return THEME(f"Page {number}", f"<p>This is page {number}.</p>", links=links)

    return around(answer, doors=lambda _: ["/counter?n=1"])


@endless(tolerated=r"/number/\d+", most=64)
def counter_in_words() -> Part:
    """A page of each number: its square, its double, whether it is even."""

    @matching(r"/number/(\d+)")
    def answer(found: re.Match[str]) -> Answer | None:
        number = int(found[1])
        if number > 10**15:
            return None
        text = f"<p>{number}: double {2 * number}, square {number**2}, even: {number % 2 == 0}.</p>"
        links = [f"/number/{other}" for other in (number + 1, 2 * number, number + 10)]
        return THEME(f"The number {number}", text, links=links)

    return around(answer, doors=lambda n: [f"/number/{n}"])


@endless(tolerated=r"/news(?:\?page=\d+)?", most=20)
def last_page_for_ever() -> Part:
    """A list of three pages; behind the last one, page=N shows the last one again."""

    @matching(r"/news(?:\?page=(\d+))?")
    def answer(found: re.Match[str]) -> Answer:
        number = int(found[1] or 1)
        shown = THINGS[10 * min(number - 1, 2) :][:10]
        links = [(f"/news?page={number + 1}", "Next")]
        if number > 1:
            links.append((f"/news?page={number - 1}", "Previous"))
        return THEME("News", "".join(f"<p>{each}</p>" for each in shown), links=links)

    return around(answer, doors=lambda _: ["/news"])


@endless(tolerated=r"/news(?:\?page=\d+)?", most=20)
def empty_pages_for_ever() -> Part:
    """A list of three pages, and empty ones behind it for ever, with a pager of ten numbers."""

    @matching(r"/news(?:\?page=(\d+))?")
    def answer(found: re.Match[str]) -> Answer:
        number = int(found[1] or 1)
        shown = THINGS[10 * (number - 1) :][:10] or ["No more news."]
        links = [(f"/news?page={n}", str(n)) for n in range(number + 1, number + 11)]
        return THEME("News", "".join(f"<p>{each}</p>" for each in shown), links=links)

    return around(answer, doors=lambda _: ["/news"])


@endless(tolerated=r"/tips\?page=\d+", most=20)
def shuffled_list() -> Part:
    """Ten things in another order under each number."""

    @matching(r"/tips\?page=(\d+)")
    def answer(found: re.Match[str]) -> Answer:
        number = int(found[1])
        shown = Random(found[0]).sample(THINGS[:10], 10)
        links = [f"/tips?page={number + step}" for step in (1, 2, 3)]
        return THEME("Tips", "".join(f"<p>{each}</p>" for each in shown), links=links)

    return around(answer, doors=lambda _: ["/tips?page=1"])


@endless(tolerated=r"/pages/\d+/?", most=100)
def real_pages_for_ever() -> Part:
    """Under each number ten of the real pages, chosen by it."""

    @matching(r"/pages/(\d+)")
    def answer(found: re.Match[str]) -> Answer:
        number = int(found[1])
        numbers = Random(found[0]).sample(range(1, 300), 10)
        chosen = [(f"/real-{n}", f"Chapter {n}") for n in numbers]
        links = [(f"/pages/{number + step}", "More") for step in (1, 2)]
        return THEME("Chapters", anchors(chosen), links=links)

    return around(answer, doors=lambda _: ["/pages/1"])


@endless(tolerated=r"/real-\d+/comments/\d+", most=60)
def comments_for_ever() -> Part:
    """Empty pages of comments of each real page, one after the other."""

    @matching(r"(/real-\d+/comments)/(\d+)")
    def answer(found: re.Match[str]) -> Answer:
        links = [f"{found[1]}/{int(found[2]) + 1}"]
        return THEME("Comments", "<p>Be the first to comment.</p>", links=links)

    return around(answer, doors=lambda n: [f"/real-{n or 1}/comments/1"])
