"""A store that is handed over to another thread, and aborted from one."""

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "crawl.sqlite", Limits())
    store.begin_run({"url": "https://e.example/"}, 0.0)
    store.commit()
    return store


def elsewhere(work: Callable[[], object]) -> object:
    """Do something in another thread."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(work).result()


def test_one_thread_uses_it_at_a_time(store: Store) -> None:
    for use in (store.last_run, lambda: store.settle_start("x"), store.frontier.requeue_leased):
        with pytest.raises(sqlite3.ProgrammingError, match="another thread"):
            elsewhere(use)

    def take_over() -> str:
        store.bind_to_thread()
        store.settle_start("https://e.example/there")
        run = store.last_run()
        assert run is not None
        return run.start

    assert elsewhere(take_over) == "https://e.example/there"
    with pytest.raises(sqlite3.ProgrammingError, match="another thread"):
        store.last_run()
    store.bind_to_thread()
    store.close()


def test_a_statement_ends_when_another_thread_has_it_aborted(store: Store) -> None:
    is_wanted = threading.Event()
    store.abort_when(is_wanted.is_set)
    store.settle_start("https://e.example/lost")
    threading.Timer(0.2, is_wanted.set).start()
    with pytest.raises(CrawlError, match="nothing is lost") as caught:
        store.one(ENDLESS)
    assert caught.value.exit_code == Exit.INTERRUPTED
    store.abort_when(None)
    store.roll_back()
    run = store.last_run()
    assert run is not None
    assert run.start == ""
    store.close()
