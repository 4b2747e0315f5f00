"""Algorithm 6.1: worked out by hand, against a plain version of it, and on sites of all kinds."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from sitemapgen.analysis.scheduling import (
    LEAST,
    PHI,
    SAMPLE,
    Balance,
    Epoch,
    Queue,
    discovery_scores,
    epoch_quota,
    equal_balance,
    learn_balance,
    plan_epoch,
    resume_balance,
)
from tests.analysis.quotas import Site, balanced, best_possible, breadth_first, mixed, seeded
from tests.helpers.tables import for_each


def queue(scores: dict[int, float]) -> Queue:
    return Queue(np.array([*scores], np.int64), np.array([*scores.values()]))


SITEMAPS = queue(dict.fromkeys(range(100, 200), 1.0))
DISCOVERY = queue(dict.fromkeys(range(200, 300), 1.0))


# --- by hand


def test_equal_shares_first_and_delta_is_phi_of_one() -> None:
    balance = equal_balance(40, phi=0.1)
    assert (balance.sitemaps, balance.discovery, balance.delta) == (20, 20, 2)


def test_equal_utilities_favour_the_sitemaps() -> None:
    epoch = plan_epoch(equal_balance(40, phi=0.1), SITEMAPS, DISCOVERY)
    assert (epoch.balance.sitemaps, epoch.balance.discovery) == (22, 18)
    assert epoch.sitemaps == list(range(100, 122))
    assert epoch.discovery == list(range(200, 218))
    assert epoch.additional == []
    after = learn_balance(epoch, {*epoch.sitemaps, *epoch.discovery}, phi=0.1)
    assert plan_epoch(after, SITEMAPS, DISCOVERY).balance.sitemaps == pytest.approx(22 + 1.8)


def test_delta_moves_to_where_the_lowest_ranked_were_worth_more() -> None:
    balance = equal_balance(400, phi=0.2)  # delta 40, well above SAMPLE
    many = queue({key: float(-key) for key in range(1000)})
    epoch = plan_epoch(balance, many, queue({key: float(-key) for key in range(1000, 2000)}))
    assert (len(epoch.sitemaps), len(epoch.discovery)) == (240, 160)
    # Of the last 40 of the sitemaps 10 are listed, of the last 40 links 20; what stands above
    # them does not count.
    listed = {*epoch.sitemaps[:200], *epoch.sitemaps[-10:], *epoch.discovery[-20:]}
    balance = learn_balance(epoch, listed, phi=0.2)
    assert (balance.sitemaps_utility, balance.discovery_utility) == (0.25, 0.5)
    assert balance.delta == pytest.approx(0.2 * 160)
    after = plan_epoch(balance, SITEMAPS, DISCOVERY).balance
    assert (after.sitemaps, after.discovery) == (pytest.approx(208), pytest.approx(192))


def test_the_best_by_score_and_of_equal_ones_the_first_by_url() -> None:
    epoch = plan_epoch(
        equal_balance(4, phi=0.0), queue({5: 0.1, 6: 0.9, 7: 0.5}), queue({1: 0.2, 3: 0.7, 2: 0.7})
    )
    assert epoch.sitemaps == [6, 7]
    assert epoch.discovery == [3, 2]


def test_what_both_put_forward_leaves_room_for_more() -> None:
    both = queue({1: 0.9, 2: 0.8, 3: 0.7, 4: 0.6, 5: 0.5})
    epoch = plan_epoch(equal_balance(4, phi=0.0), both, both)
    assert epoch.sitemaps == epoch.discovery == [1, 2]
    assert epoch.additional == [3, 4]


def test_an_empty_queue_leaves_its_share_to_the_other() -> None:
    epoch = plan_epoch(equal_balance(6, phi=0.0), queue({}), DISCOVERY)
    assert (epoch.sitemaps, epoch.discovery, epoch.additional) == (
        [],
        [200, 201, 202],
        [203, 204, 205],
    )


def test_nothing_left() -> None:
    epoch = plan_epoch(equal_balance(6, phi=0.1), queue({}), queue({}))
    assert epoch[1:] == ([], [], [])
    assert learn_balance(epoch, set(), phi=0.1).sitemaps_utility == 0


def test_small_shares_add_up_to_whole_pages() -> None:
    balance = Balance(quota=4, sitemaps=0.25, delta=0.0)
    counts = []
    for _ in range(8):
        epoch = plan_epoch(balance, SITEMAPS, DISCOVERY)
        counts.append(len(epoch.sitemaps))
        balance = learn_balance(epoch, set(), phi=0.0)
    assert counts == [0, 0, 0, 1, 0, 0, 0, 1]


def test_a_small_delta_looks_at_the_pages_before_it_too() -> None:
    balance = equal_balance(4, phi=0.1)  # two pages of each an epoch
    outcomes = iter("1101" * 20)
    seen = ""
    for number in range(12):
        epoch = plan_epoch(
            balance, queue({number * 9 + place: 1.0 for place in range(4)}), queue({})
        )
        news = [next(outcomes) for _ in epoch.sitemaps]
        seen += "".join(news)
        listed = {key for key, outcome in zip(epoch.sitemaps, news) if outcome == "1"}
        balance = learn_balance(epoch, listed, phi=0.0)
        sample = seen[-SAMPLE:]
        assert balance.sitemaps_utility == sample.count("1") / len(sample)
    assert len(seen) > SAMPLE


def test_a_balance_carries_over_to_epochs_of_another_size() -> None:
    balance = Balance(
        quota=10, sitemaps=2.5, delta=0.5, discovery_utility=0.75, discovery_recent="1101"
    )
    carried = resume_balance(balance, 40)
    assert (carried.sitemaps, carried.discovery, carried.delta) == (10, 30, 2)
    assert (carried.discovery_utility, carried.discovery_recent) == (0.75, "1101")


@for_each((0, 2), (10, 2), (1_000, 10), (50_000, 500))
def test_a_run_has_about_a_hundred_epochs(pages: int, quota: int) -> None:
    assert epoch_quota(pages) == quota


def test_the_nearest_first_then_what_most_link_to() -> None:
    best_first = [(0, 0), (1, 1), (2, 1_000_000), (2, 999_999), (2, 0), (3, 1_000_000)]
    distances, in_degrees = np.array(best_first, np.int64).T
    scores = discovery_scores(distances, in_degrees)
    assert np.all(np.diff(scores) < 0)
    assert len({*discovery_scores(distances * 0, in_degrees * 0)}) == 1
    nothing = np.zeros(0, np.int64)
    assert not len(discovery_scores(nothing, nothing))


# --- against the algorithm written once more, with lists and fractions


def plain(
    quota: int, phi: Fraction, sitemaps: dict[int, int], links: dict[int, int], good: set[int]
) -> list[tuple[list[int], list[int], list[int]]]:
    """The figure's lines in its own order, over URLs that are all known from the beginning."""
    k_s = k_d = Fraction(quota, 2)  # 1, 2
    delta = phi * Fraction(quota, 2)  # 3
    utility_s = utility_d = Fraction(0)  # 4
    history_s: list[bool] = []
    history_d: list[bool] = []
    crawled: set[int] = set()
    taken = Fraction(0)
    epochs = []
    least = Fraction(LEAST) * quota
    while not crawled >= {*sitemaps, *links}:  # 5
        crawl_s = sorted(set(sitemaps) - crawled, key=lambda url: (-sitemaps[url], url))  # 6, 8
        crawl_d = sorted(set(links) - crawled, key=lambda url: (-links[url], url))  # 7, 9
        ahead = [crawl_s, crawl_d]
        rests = not crawl_s or not crawl_d
        if utility_s < utility_d:  # 10
            k_s -= 0 if rests else delta
            ahead.reverse()
        else:  # 13
            k_s += 0 if rests else delta
        k_s = min(max(k_s, Fraction(0)), Fraction(quota))
        k_d = quota - k_s
        whole = int(taken + k_s) - int(taken)
        taken += 0 if rests else k_s
        top_s, top_d = crawl_s[:whole], crawl_d[: quota - whole]  # 16, 17
        more = []
        for url in [*ahead[0], *ahead[1]]:  # 18
            if len({*top_s, *top_d, *more}) < quota and url not in [*top_s, *top_d, *more]:
                more.append(url)
        epochs.append((top_s, top_d, more))
        history_s += [url in good for url in top_s]
        history_d += [url in good for url in top_d]
        lowest = max(round(delta), SAMPLE)
        if history_s:  # 19
            utility_s = Fraction(sum(history_s[-lowest:]), len(history_s[-lowest:]))
        if history_d:  # 20
            utility_d = Fraction(sum(history_d[-lowest:]), len(history_d[-lowest:]))
        delta = phi * max(min(k_s, k_d), least)  # 21
        crawled |= {*top_s, *top_d, *more}  # 22
    return epochs


URLS = st.dictionaries(st.integers(0, 199), st.integers(0, 9), max_size=120)


@limits(deadline=None)
@given(st.sampled_from([2, 4, 16]), st.sampled_from([2, 4, 8]), URLS, URLS, st.integers(0, 9))
def test_agrees_with_the_plain_version(
    quota: int, phi: int, sitemaps: dict[int, int], links: dict[int, int], seed: int
) -> None:
    # Powers of two: floating point is exact for as long as these crawls last.
    chance = random.Random(seed)
    good = {url for url in range(200) if chance.random() < (0.8 if url % 2 else 0.3)}
    epochs = plain(quota, Fraction(1, phi), sitemaps, links, good)
    balance = equal_balance(quota, 1 / phi)
    crawled: set[int] = set()
    for expected in epochs[:12]:
        rest = [
            queue({url: float(each[url]) for url in sorted(set(each) - crawled)})
            for each in (sitemaps, links)
        ]
        epoch = plan_epoch(balance, *rest)
        assert epoch[1:] == expected
        pages = [*epoch.sitemaps, *epoch.discovery, *epoch.additional]
        crawled.update(pages)
        chance.shuffle(pages)  # answers come in any order
        balance = learn_balance(epoch, {url for url in pages if url in good}, 1 / phi)


# --- on whole sites

SITES = {
    "all good URLs in the sitemap": (0.0, 1.0),
    "all good URLs by links": (1.0, 0.0),
    "mixed": (0.6, 0.6),
    "the sitemap is better": (0.5, 0.9),
    "links are better": (0.9, 0.5),
    "both are fine": (1.0, 1.0),
}
QUOTAS = (0.1, 0.2, 0.5)


def listed(site: Site, share: float) -> tuple[int, int, int, int]:
    quota = int(len(site.links) * share)
    fetched, _ = balanced(site, quota, epoch=epoch_quota(quota), phi=PHI)
    assert len(fetched) == quota
    others = (breadth_first, seeded, best_possible)
    return sum(fetched), *(sum(order(site, quota)) for order in others)


@for_each(*SITES)
def test_never_much_worse_than_the_better_of_links_and_sitemap(kind: str) -> None:
    by_links, in_sitemap = SITES[kind]
    rng = np.random.default_rng(len(kind))
    site = mixed(rng, pages=3_000, good_by_links=by_links, good_in_sitemap=in_sitemap)
    for share in QUOTAS:
        ours, breadth, seeds, best = listed(site, share)
        print(f"{kind}, {share:.0%}: bfs {breadth} seeded {seeds} balanced {ours} best {best}")
        assert ours >= 0.97 * max(breadth, seeds), share
        if kind == "mixed":
            assert ours > max(breadth, seeds), share


def exhausted(first: str) -> Site:
    """A site of which one queue is the better one until its good pages are all fetched."""
    pages, rng = 3_000, np.random.default_rng(3)
    site = mixed(rng, pages=pages, good_by_links=0.5, good_in_sitemap=0.5)
    by_links = np.flatnonzero(~site.in_sitemap)
    entries = np.flatnonzero(site.in_sitemap)
    if first == "sitemap":
        site.is_good[entries] = np.arange(len(entries)) < 500
        site.priority[entries] = np.where(site.is_good[entries], 0.9, 0.1)
    else:
        site.is_good[by_links] = by_links < 500
    return site


@for_each(("sitemap", 1.2), ("links", 1.05))
def test_a_queue_that_was_the_better_one_is_left_when_its_good_pages_are_fetched(
    first: str, better: float
) -> None:
    ours, breadth, seeds, _ = listed(exhausted(first), 0.5)
    print(f"{first}: bfs {breadth} seeded {seeds} balanced {ours}")
    assert ours > better * max(breadth, seeds)


def test_the_balance_of_the_last_run_is_worth_having() -> None:
    rng = np.random.default_rng(7)
    site = mixed(rng, pages=1_000, good_by_links=1.0, good_in_sitemap=0.0)
    first, balance = balanced(site, 200, epoch=4, phi=0.1)
    again, _ = balanced(site, 200, epoch=4, phi=0.1, balance=balance)
    assert sum(again) > sum(first)


def test_an_epoch_says_all_there_is_to_keep() -> None:
    balance = learn_balance(
        plan_epoch(equal_balance(8, phi=0.1), SITEMAPS, DISCOVERY), {100, 101}, phi=0.1
    )
    assert Balance(*balance) == balance
    assert all(isinstance(value, (int, float, str)) for value in balance)
    assert isinstance(plan_epoch(balance, SITEMAPS, DISCOVERY), Epoch)
