"""Numbers without end around 300 real pages."""

import re
from random import Random

from tests.helpers.server import Answer, redirect
from tests.spaces.pages import REAL, Theme, anchors, behind, digest, image, words
from tests.spaces.space import endless

THEME = Theme("The real pages")
THINGS = [words(f"thing {number}", 2) for number in range(30)]


@endless(tolerated=r"/next/\d+", most=64, requests=-1_500)
@behind(r"/next/(\d+)", doors=lambda _: ["/next/1"])
def counter_in_path(found: re.Match[str]) -> Answer:
    """/next/1, /next/2 and so on: "Page N"."""
    number = int(found[1])
    return THEME(f"Page {number}", f"<p>Page {number}</p>", links=[f"/next/{number + 1}"])


@endless(tolerated=r"/counter\?n=\d+", most=64)
@behind(r"/counter\?n=(\d+)", doors=lambda _: ["/counter?n=1"])
def counter_in_query(found: re.Match[str]) -> Answer:
    """The same as ?n=, ten links on each page."""
    number = int(found[1])
    links = [f"/counter?n={number + step}" for step in range(1, 11)]
    return THEME(f"Page {number}", f"<p>This is page {number}.</p>", links=links)


@endless(tolerated=r"/number/\d+", most=64)
@behind(r"/number/(\d+)", doors=lambda n: [f"/number/{n}"])
def counter_in_words(found: re.Match[str]) -> Answer | None:
    """A page of each number: its square, its double, whether it is even."""
    number = int(found[1])
    if number > 10**15:
        return None
    text = f"<p>{number}: double {2 * number}, square {number**2}, even: {number % 2 == 0}.</p>"
    links = [f"/number/{other}" for other in (number + 1, 2 * number, number + 10)]
    return THEME(f"The number {number}", text, links=links)


@endless(tolerated=r"/news(?:\?page=\d+)?", most=20)
@behind(r"/news(?:\?page=(\d+))?", doors=lambda _: ["/news"])
def last_page_for_ever(found: re.Match[str]) -> Answer:
    """A list of three pages; behind the last one, page=N shows the last one again."""
    number = int(found[1] or 1)
    shown = THINGS[10 * min(number - 1, 2) :][:10]
    links = [(f"/news?page={number + 1}", "Next")]
    if number > 1:
        links.append((f"/news?page={number - 1}", "Previous"))
    return THEME("News", "".join(f"<p>{each}</p>" for each in shown), links=links)


@endless(tolerated=r"/news(?:\?page=\d+)?", most=20)
@behind(r"/news(?:\?page=(\d+))?", doors=lambda _: ["/news"])
def empty_pages_for_ever(found: re.Match[str]) -> Answer:
    """A list of three pages, and empty ones behind it for ever, with a pager of ten numbers."""
    number = int(found[1] or 1)
    shown = THINGS[10 * (number - 1) :][:10] or ["No more news."]
    links = [(f"/news?page={n}", str(n)) for n in range(number + 1, number + 11)]
    return THEME("News", "".join(f"<p>{each}</p>" for each in shown), links=links)


@endless(tolerated=r"/tips\?page=\d+", most=20)
@behind(r"/tips\?page=(\d+)", doors=lambda _: ["/tips?page=1"])
def shuffled_list(found: re.Match[str]) -> Answer:
    """Ten things in another order under each number."""
    number = int(found[1])
    shown = Random(found[0]).sample(THINGS[:10], 10)
    links = [f"/tips?page={number + step}" for step in (1, 2, 3)]
    return THEME("Tips", "".join(f"<p>{each}</p>" for each in shown), links=links)


@endless(tolerated=r"/pages/\d+/?", most=100)
@behind(r"/pages/(\d+)", doors=lambda _: ["/pages/1"])
def real_pages_for_ever(found: re.Match[str]) -> Answer:
    """Under each number ten of the real pages, chosen by it."""
    number = int(found[1])
    numbers = Random(found[0]).sample(range(1, 300), 10)
    chosen = [(f"/real-{n}", f"Chapter {n}") for n in numbers]
    links = [(f"/pages/{number + step}", "More") for step in (1, 2)]
    return THEME("Chapters", anchors(chosen), links=links)


@endless(tolerated=r"/real-\d+/comments/\d+", most=60)
@behind(r"(/real-\d+/comments)/(\d+)", doors=lambda n: [f"/real-{n or 1}/comments/1"])
def comments_for_ever(found: re.Match[str]) -> Answer:
    """Empty pages of comments of each real page, one after the other."""
    links = [f"{found[1]}/{int(found[2]) + 1}"]
    return THEME("Comments", "<p>Be the first to comment.</p>", links=links)


@endless(tolerated=r"/post/\d+", most=0)
@behind(r"/post/(\d+)", doors=lambda n: [f"/post/{5 * n + post}" for post in range(5)])
def posts_that_redirect(found: re.Match[str]) -> Answer:
    """1,500 links to single posts, which redirect to the pages that have them."""
    return redirect(REAL[int(found[1]) // 5])


@endless(tolerated=r"/shows?\?.*", most=100)
@behind(
    r"/shows?\?(?:id=(\d+)&)?k=[0-9a-f]+", doors=lambda n: [f"/shows?k={digest('door', n)[:12]}"]
)
def tokens(found: re.Match[str]) -> Answer:
    """60 shows, and a list of them; each link of each answer has a token of its own."""

    def with_token(address: str, place: int) -> str:
        return f"{address}k={digest(found[0], place)[:12]}"

    links = [(with_token("/shows?", 0), "Shows"), (with_token("/", 1).replace("k", "?k"), "Home")]
    if found[1] is None:
        every = [(with_token(f"/show?id={n}&", 2 + n), words(f"show {n}", 2)) for n in range(60)]
        return THEME("Shows", anchors(every), links=links)
    number = int(found[1]) % 60
    others = Random(number).sample(range(60), 3)
    also = [(with_token(f"/show?id={n}&", 2 + n), words(f"show {n}", 2)) for n in others]
    text = f"<p>{words(f'text of show {number}', 30)}.</p>{anchors(also)}"
    return THEME(words(f"show {number}", 2), text, links=links)


@endless(tolerated=r"/radar\?frame=-?\d+", most=620, requests=400)
@behind(r"/radar\?frame=(-?\d+)", doors=lambda _: ["/radar?frame=0"])
def frames_of_a_radar(found: re.Match[str]) -> Answer:
    """Pictures under one title, back and forward."""
    frame = int(found[1])
    links = [(f"/radar?frame={frame - 1}", "Back"), (f"/radar?frame={frame + 1}", "Forward")]
    return THEME("Radar", image(f"/radar/{frame}.png"), links=links)
