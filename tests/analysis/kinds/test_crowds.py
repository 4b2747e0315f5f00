"""Directories of plain URLs: what is done about them, and what proves that pages are made up."""

from collections.abc import Sequence
from typing import Any

import pytest

from sitemapgen.analysis.kinds import crowds
from sitemapgen.analysis.kinds.crowds import Crowd, Directories, PlainUrl, Step, choose_step
from sitemapgen.analysis.kinds.made_up import MadeUp, describe_proof, is_prose
from sitemapgen.core.document.novelty import sketch_page
from tests.helpers.tables import for_each

DIRECTORY = Crowd(
    directory="/wiki/",
    urls=5_000,
    words=5_000,
    combinations=5_000,
    fetched=200,
    listed=200,
    recent=100,
    copies=0,
    is_growing=True,
    waiting=4_800,
    asked=0,
)
TEXTS = (
    "amber bridges carry lanterns over the canal",
    "copper ferns unfold behind every window",
    "seven painters argue about the colour of dust",
)


@for_each(
    ({}, Step.ASK),
    ({"listed": 22}, Step.NONE),
    ({"fetched": 23, "listed": 23, "waiting": 64}, Step.ASK),
    ({"waiting": 63}, Step.NONE),
    ({"is_growing": False}, Step.NONE),
    ({"asked": 200}, Step.NONE),
    ({"asked": 50}, Step.ASK),
    ({"recent": 60, "copies": 54}, Step.MIRROR),
    ({"recent": 59, "copies": 59, "asked": 200}, Step.NONE),
    ({"recent": 100, "copies": 89, "asked": 200}, Step.NONE),
    ({"fetched": 23, "listed": 0}, Step.NO_PAGES),
    ({"fetched": 23, "listed": 1}, Step.NONE),
    ({"fetched": 22, "listed": 0}, Step.NONE),
    ({"words": 48, "combinations": 9**6}, Step.FACETS),
    ({"words": 48, "combinations": 9**6, "urls": 511, "asked": 200}, Step.NONE),
    ({"words": 626, "combinations": 626**2, "asked": 200}, Step.NONE),
    ({"words": 48, "combinations": 30 * 29, "asked": 200}, Step.NONE),
)
def test_what_is_done_about_a_directory(fields: dict[str, Any], step: Step) -> None:
    assert choose_step(DIRECTORY._replace(**fields)) is step


def answers(texts: Sequence[str] = TEXTS, **fields: Any) -> list[MadeUp]:
    return [
        MadeUp(f"https://e.example/wiki/{place}", sketch_page([text], ()), reveals=True, length=400)
        for place, text in enumerate(texts)
    ][: fields.get("count")]


def test_pages_of_their_own_that_lead_on_prove_it() -> None:
    reason = describe_proof(answers(), usual_length=500)
    assert reason.startswith("it answers 3 URLs that no page links to with pages of their own: ")
    assert "https://e.example/wiki/2" in reason


@for_each(
    (answers(count=1), "one answer is no proof"),
    (answers([TEXTS[0]] * 3), "all have the same text, as a missing page has"),
    (answers([*TEXTS[:2], TEXTS[1]]), "two have the same text"),
    ([*answers()[:2], answers()[2]._replace(reveals=False)], "one leads nowhere new"),
    ([*answers()[:2], answers()[2]._replace(sketch=b"")], "one is no page"),
    (answers([f"the words of its own address are all: {n}" for n in ("a", "b", "c")]), "an echo"),
    ([each._replace(length=249) for each in answers()], "they are short, as a hint is"),
)
def test_anything_less_proves_nothing(found: list[MadeUp], why: str) -> None:
    assert not describe_proof(found, usual_length=500), why


def test_prose_is_of_each_answer_alone() -> None:
    texts = [
        f"{text} while the {word} waits for the rain, and {word} it stays, until the {word} of its "
        f"neighbour asks for another {word} in return"
        for text, word in zip(TEXTS, ("owl", "elk", "yak"))
    ]
    found = [each._replace(title=f"Title {n}") for n, each in enumerate(answers(texts))]
    assert is_prose(found)
    assert not is_prose([each._replace(title="Shop") for each in found])
    short = [each._replace(title=each.url) for each in answers(["red blue", "tin ore", "oak elm"])]
    assert not is_prose(short)


def test_the_smallest_directories_are_dropped_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "MAX_DIRECTORIES", 2)
    urls = [
        PlainUrl(f"https://e.example{path}", path[:3], True, True, False, False)
        for path in ("/a/1", "/a/2", "/b/1", "/c/1", "/d/1")
    ]
    assert [crowd.directory for crowd in Directories().count_urls(urls[:4], {})] == ["/a/", "/c/"]
    assert [crowd.directory for crowd in Directories().count_urls(urls, {})] == ["/d/"]
