"""How fast a crawl is and how long it takes: said where it can be known, and only there."""

import pytest

from sitemapgen.analysis.progress import (
    AT_ONCE,
    Load,
    Sample,
    TimeLeft,
    fast_seconds,
    page_rate,
    time_left,
)
from sitemapgen.settings import fast
from tests.helpers.tables import for_each


def crawl(*, seconds: int, pages_a_second: float, queue: float, new_a_page: float) -> list[Sample]:
    """A crawl that was looked at once a second, ending with this queue."""
    samples = []
    for second in range(seconds + 1):
        fetched = second * pages_a_second
        to_come = (seconds - second) * pages_a_second
        samples.append(Sample(float(second), int(fetched), int(queue - to_come * (new_a_page - 1))))
    return samples


@for_each(
    ([], None),
    ([Sample(7.0, 40, 2)], None),
    ([Sample(7.0, 40, 2), Sample(7.5, 50, 2)], None),  # too early to say
    ([Sample(7.0, 40, 2), Sample(9.0, 50, 2)], 5.0),
    ([Sample(7.0, 40, 2), Sample(67.0, 160, 2)], 2.0),  # looked at once a minute
    ([Sample(0.0, 0, 2), *(Sample(90.0 + s, 900 + s, 2) for s in range(21))], 1.0),
    ([Sample(7.0, 40, 2), Sample(9.0, 30, 12)], 0.0),  # pages were recalled
)
def test_rate(samples: list[Sample], expected: float | None) -> None:
    assert page_rate(samples) == expected


@for_each(
    # a queue that only shrinks
    (crawl(seconds=60, pages_a_second=10, queue=300, new_a_page=0), 0, (30, "queue")),
    # ten pages bring a new one: those have to be fetched as well
    (crawl(seconds=60, pages_a_second=10, queue=270, new_a_page=0.1), 0, (30, "queue")),
    # it still grows, or may again
    (crawl(seconds=60, pages_a_second=10, queue=300, new_a_page=3), 0, None),
    (crawl(seconds=60, pages_a_second=10, queue=300, new_a_page=0.5), 0, None),
    # enough waits to reach the cap, whatever is found
    (crawl(seconds=60, pages_a_second=10, queue=900, new_a_page=3), 1_000, (40, "cap")),
    (crawl(seconds=60, pages_a_second=10, queue=399, new_a_page=3), 1_000, None),
    # a cap that the queue does not reach
    (crawl(seconds=60, pages_a_second=10, queue=300, new_a_page=0), 50_000, (30, "queue")),
    # one page every ten seconds, as robots.txt asks
    (crawl(seconds=200, pages_a_second=0.1, queue=30, new_a_page=0), 0, (300, "queue")),
    # too early
    (crawl(seconds=5, pages_a_second=10, queue=300, new_a_page=0), 0, None),
    (crawl(seconds=60, pages_a_second=0.1, queue=300, new_a_page=0), 0, None),
    # nothing moves
    (crawl(seconds=60, pages_a_second=0, queue=300, new_a_page=0), 0, None),
    ([], 0, None),
)
def test_time_left(
    samples: list[Sample], max_pages: int, expected: tuple[float, str] | None
) -> None:
    left = time_left(samples, max_pages)
    if expected is None:
        assert left is None
    else:
        assert left is not None
        assert left[:2] == (pytest.approx(expected[0], rel=0.05), expected[1])


def test_the_sentence_has_the_figures_of_the_estimate() -> None:
    queue = crawl(seconds=60, pages_a_second=10, queue=300, new_a_page=0)
    said = [time_left(queue, cap).sentence for cap in (0, 700)]
    assert said == [
        "about 30 s: 300 of 900 known URLs to go at 10 a second",
        "about 10 s until max_pages: 100 of 700 pages to go at 10 a second",
    ]


def test_what_stopped_growing_a_while_ago_is_soon_known() -> None:
    growing = crawl(seconds=60, pages_a_second=10, queue=900, new_a_page=3)
    then = [Sample(60.0 + s, 600 + 10 * s, 900 - 10 * s) for s in range(1, 12)]
    assert time_left(growing, 0) is None
    left = time_left([*growing, *then], 0)
    assert left == TimeLeft(pytest.approx(79), "queue", 790, 1_500, pytest.approx(10))


PAUSES = Load(seconds=100.0, answers=2_000, errors=20, latency=20.0, cpu=8.0, rendering=0.0)
"""A crawl of a fast site, at twenty pages a second."""


@for_each(
    (PAUSES, 8.0),
    (PAUSES._replace(latency=320.0), 20.0),  # sixteen at a time
    (PAUSES._replace(rendering=40.0), 40.0),
    (PAUSES._replace(rendering=60.0), None),  # the browser is what takes long
    (PAUSES._replace(cpu=60.0), None),
    (PAUSES._replace(errors=21), None),
    (PAUSES._replace(latency=501.0), None),
    (PAUSES._replace(seconds=29.0), None),
)
def test_what_the_fast_profile_would_take(load: Load, seconds: float | None) -> None:
    assert fast_seconds(load) == seconds


def test_the_fast_profile_is_the_one_of_the_estimate() -> None:
    assert fast.CONCURRENT_REQUESTS == AT_ONCE
    assert fast.DOWNLOAD_DELAY == 0
