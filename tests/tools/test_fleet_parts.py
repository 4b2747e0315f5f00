"""Parts of a fleet without a server: lines of sites.csv, the server of each host, queue, state."""

import json
from itertools import count
from pathlib import Path

import pytest

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.tools.fleet import outcomes
from sitemapgen.tools.fleet.journal import Journal
from sitemapgen.tools.fleet.servers import (
    assign_hosts,
    choose_servers,
    server_address,
    target_sections,
)
from sitemapgen.tools.fleet.sites import BadLine, FleetSite, read_sites
from sitemapgen.tools.fleet.worker import WaitingSites
from tests.helpers.disk import fill, small_disk
from tests.helpers.tables import for_each

A, B, C = "http://a:6800/", "http://b:6800/", "http://c:6800/"
HOSTS = [f"{number}.example" for number in range(3_000)]


def written(directory: Path, text: str | bytes) -> Path:
    path = directory / "sites.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# sites.csv


def test_lines_are_sites(tmp_path: Path) -> None:
    text = (
        "\ufeffurl,max_pages,headers,output\r\n"
        "example.com,10,,\r\n"
        "\r\n"
        '"https://user:secret@example.org/a",,"X-A: 1\nX-B: 2",shop\r\n'
        "http://example.com:8080/,,,other\r\n"
    )
    good, bad = read_sites(written(tmp_path, text))
    assert not bad
    assert [site.line for site in good] == [2, 4, 6]
    assert [site.url for site in good] == [
        *("https://example.com/", "https://example.org/a", "http://example.com:8080/")
    ]
    assert [site.host for site in good] == ["example.com", "example.org", "example.com"]
    assert [site.key for site in good] == ["example.com", "shop", "other"]
    assert good[0].arguments == {"url": "example.com", "max_pages": "10"}
    assert good[1].arguments["headers"] == "X-A: 1\nX-B: 2"
    assert "secret" not in repr(good)


BAD: list[tuple[bytes, str]] = [
    (b"ftp://x,,", "url: 'ftp://x' is not an http or https URL"),
    (b",5,", "url: missing"),
    (b"a.example,-1,", "max_pages: -1 is negative; use 0 for no limit"),
    (b"a.example,many,", "max_pages: 'many' is no whole number; write max_pages=1000"),
    (b"a.example", "1 cell for 3 columns"),
    (b"a.example,1,2,3", "4 cells for 3 columns"),
    (b"\xff.example,,", "not UTF-8"),
    (b"a.example\0,,", "not UTF-8"),
    (b"good.example,,", "output: good.example is also that of line 2"),
    (b"http://good.example/b,,", "output: good.example is also that of line 2"),
    (b"https://a.example,,good.example", "output: good.example is also that of line 2"),
    (b'a.example,"1\n2",', "(up to line 4) max_pages: "),
]


@pytest.mark.parametrize(("line", "reason"), BAD, ids=lambda value: repr(value)[:40])
def test_bad_lines_are_named(line: bytes, reason: str, tmp_path: Path) -> None:
    text = b"url,max_pages,output\ngood.example,,\n%s\nlast.example,,\n" % line
    good, bad = read_sites(written(tmp_path, text))
    assert [site.key for site in good] == ["good.example", "last.example"]
    ((number, sentence),) = bad
    assert number == 3
    assert sentence.startswith(reason)


def test_secrets_are_in_no_sentence(tmp_path: Path) -> None:
    text = "url,auth\nhttps://me:hidden@a.example:99999/,\nb.example,hidden\n"
    _, bad = read_sites(written(tmp_path, text))
    assert [number for number, _ in bad] == [2, 3]
    assert "hidden" not in str(bad)


FILES = [
    ("", "line 1: no header with the column url"),
    ("https://example.com\n", "line 1: no header with the column url"),
    ("url,max_page\na,1\n", "line 1: max_page: no such argument; did you mean max_pages?"),
    ("url,url\na,b\n", "line 1: the column url is there twice"),
    ("url,,\na,,\n", "line 1: the column without a name is there twice"),
    ("url\n\n", "no sites below its header"),
    ('url\na\n"b\nc\nd\n', "line 3: a quotation mark is not closed"),
]


@pytest.mark.parametrize(("text", "sentence"), FILES)
def test_files_that_are_no_list_of_sites(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(CrawlError) as caught:
        read_sites(written(tmp_path, text))
    assert caught.value.exit_code == Exit.ARGUMENTS
    assert sentence in caught.value.sentence


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CrawlError, match=r"sites\.csv: cannot be read: No such file"):
        read_sites(tmp_path / "sites.csv")


# Servers


def test_a_host_stays_where_it_is() -> None:
    before = assign_hosts(HOSTS, {}, [A, B], ())
    assert before == assign_hosts(reversed(HOSTS), {}, [B, A], ())
    assert 0.4 < sum(server == A for server in before.values()) / len(HOSTS) < 0.6
    after = assign_hosts([*HOSTS, "new"], before, [A, B, C], ())
    assert all(after[host] == before[host] for host in HOSTS)


def test_a_new_server_gets_its_share_of_new_hosts_only_from_the_others() -> None:
    two, three = assign_hosts(HOSTS, {}, [A, B], ()), assign_hosts(HOSTS, {}, [A, B, C], ())
    moved = [host for host in HOSTS if two[host] != three[host]]
    assert {three[host] for host in moved} == {C}
    assert 0.28 < len(moved) / len(HOSTS) < 0.39


def test_hosts_of_a_server_that_is_gone_move_and_no_others() -> None:
    before = assign_hosts(HOSTS, {}, [A, B, C], ())
    after = assign_hosts(HOSTS, before, [A, C], [B])
    assert {before[host] for host in HOSTS if before[host] != after[host]} == {B}
    assert B not in after.values()


def test_hosts_of_a_server_that_was_forgotten_do_not_move() -> None:
    with pytest.raises(CrawlError, match=r"http://b:6800/ has the state of 2 of the hosts"):
        assign_hosts(["x", "y", "z"], {"x": B, "y": B, "z": A}, [A], ())


TARGETS = target_sections(
    {
        "settings": {"default": "x"},
        "deploy": {"url": "http://localhost:6800/", "project": "shop", "username": "me"},
        "deploy:far": {"url": "https://far.example/scrapyd", "password": "p:w"},
        "deploy:none": {"project": "shop", "url": ""},
    }
)


def test_targets_of_scrapy_cfg() -> None:
    near, far = choose_servers(["default", "far"], TARGETS, "sitemapgen")
    assert (near.url, near.project, near.user) == ("http://localhost:6800/", "shop", "me")
    assert (far.url, far.project) == ("https://far.example/scrapyd/", "shop")
    assert (far.user, far.password) == ("me", "p:w")


def test_urls_of_servers() -> None:
    server, _ = choose_servers(["http://me:p%40w@B:6800", A, "http://b:6800/"], {}, "sitemapgen")[
        ::-1
    ]
    assert server.url == A
    (server,) = choose_servers(["http://me:p%40w@B:6800"], {}, "sitemapgen")
    assert (server.url, server.project) == (B, "sitemapgen")
    assert (server.user, server.password) == ("me", "p@w")
    assert "p@w" not in repr(server)


@for_each(
    ("nowhere", "--server: 'nowhere' is no URL and no target; scrapy.cfg has default, far"),
    ("none", "scrapy.cfg: the target none has no url"),
    ("me:hidden@x/", "'x/': not the URL of a Scrapyd server"),
    ("ftp://me:hidden@x/", "'x/': not the URL of a Scrapyd server"),
    ("localhost:6800/", "not the URL of a Scrapyd server; write http://localhost:6800/"),
)
def test_bad_servers(name: str, sentence: str) -> None:
    with pytest.raises(CrawlError, match=r".") as caught:
        choose_servers([name], TARGETS, "sitemapgen")
    assert sentence in caught.value.sentence
    assert "hidden" not in caught.value.sentence


def test_an_address_has_one_form() -> None:
    assert server_address("HTTP://me:pw@A:6800") == A


# The queue of a server


def sites_of(*hosts: str) -> list[FleetSite]:
    return [
        FleetSite(line=line, url=f"https://{host}/", host=host, key=str(line), arguments={})
        for line, host in enumerate(hosts, 2)
    ]


def taken(waiting: WaitingSites) -> list[int]:
    """The lines of all sites that may have a job now."""
    lines = []
    while site := waiting.take_next():
        lines.append(site.line)
    return lines


def test_sites_of_a_host_wait_for_each_other() -> None:
    waiting = WaitingSites(sites_of("a", "a", "b", "a", "c", "b"), ["c"])
    assert (len(waiting), waiting.jobs) == (6, 1)
    assert taken(waiting) == [2, 4]
    waiting.release_host("c")
    waiting.release_host("a")
    assert taken(waiting) == [3, 6]
    assert (len(waiting), waiting.jobs) == (2, 3)
    waiting.release_host("b")
    waiting.release_host("a")
    assert taken(waiting) == [5, 7]


@for_each(False, True)
def test_a_site_whose_job_was_lost_is_the_next_one_of_its_host(is_released: bool) -> None:
    """Whether its job had made room for others before, or not."""
    first, *others = sites_of("a", "a", "b")
    waiting = WaitingSites([first, *others], ())
    assert taken(waiting) == [2, 4]
    if is_released:
        waiting.release_host("a")
    waiting.put_back(first)
    if not is_released:
        waiting.release_host("a")
    assert taken(waiting) == [2]
    waiting.release_host("a")
    assert taken(waiting) == [3]


def test_a_host_with_two_jobs_is_free_after_both() -> None:
    """After a restart of the fleet, when the log of one of them could not be read."""
    waiting = WaitingSites(sites_of("a"), ["a", "a"])
    waiting.release_host("a")
    assert taken(waiting) == []
    waiting.release_host("a")
    assert taken(waiting) == [2]


# The state


def take(directory: Path) -> Journal:
    path = directory / "sites.csv"
    path.touch()
    return Journal(path, directory / "fleet")


def begin(journal: Journal, site: str = "shop", job: str = "1") -> None:
    journal.record_step("intended", site=site, host=site, server=A, job=job)


def test_the_state_survives_at_every_byte(tmp_path: Path) -> None:
    """A line that was not written to its end is as if it had never begun."""
    with take(tmp_path) as journal:
        journal.begin_round()
        begin(journal)
        journal.record_step("scheduled", site="shop")
        journal.record_step("running", site="shop")
        journal.record_step("lost", site="shop", why="a reason")
        begin(journal, job="2")
        journal.record_step("cancelled", site="shop")
        journal.record_step("ended", site="shop", outcome={"outcome": "published"})
        journal.record_step("over")
        last = (journal.round, journal.hosts, journal.sites, journal.is_over)
    path = tmp_path / "fleet" / "state.jsonl"
    whole = path.read_bytes()
    ends = [0, *(number + 1 for number, byte in enumerate(whole) if byte == 10)]
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        with take(tmp_path) as journal:
            steps = sum(end <= size for end in ends) - 1
            assert bool(journal.round) is (steps >= 1)
            assert ("shop" in journal.sites) is (steps >= 2)
            assert path.stat().st_size == max(end for end in ends if end <= size)
    assert (journal.round, journal.hosts, journal.sites, journal.is_over) == last
    assert journal.sites["shop"].attempts == 2


def test_a_new_round_keeps_the_servers_of_the_hosts_alone(tmp_path: Path) -> None:
    with take(tmp_path) as journal:
        journal.begin_round()
        begin(journal)
        journal.record_step("moved", hosts={"other": B})
        first = journal.round
        journal.begin_round()
        begin(journal, "next")
    with take(tmp_path) as journal:
        assert journal.round != first
        assert journal.hosts == {"shop": A, "other": B, "next": A}
        assert list(journal.sites) == ["next"]


def test_outcomes_are_one_object(tmp_path: Path) -> None:
    sites = sites_of("a", "b")
    with take(tmp_path) as journal:
        journal.begin_round()
        begin(journal, "2")
        outcome = {"outcome": "published", "counts": {"listed": 3}, "sentence": 'two\n"lines"'}
        journal.record_step("ended", site="2", outcome=outcome)
        outcomes.write_outcomes(
            tmp_path, outcomes.fleet_rows(sites, journal, {}), journal, [BadLine(9, "bad")]
        )
    text = (tmp_path / "outcomes.json").read_text()
    facts = json.loads(text)
    assert text == json.dumps(facts, indent=1) + "\n"
    assert [site["outcome"] for site in facts["sites"]] == ["published", None]
    assert facts["sites"][0]["sentence"] == 'two\n"lines"'
    assert facts["totals"] == {"published": 1, "none yet": 1}
    assert facts["skipped"] == [{"line": 9, "reason": "bad"}]


@pytest.mark.parametrize("content", [b"{}\n", b"x\n{}\n", b'{"event": "round", "schema": 2}\n'])
def test_a_damaged_state_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "fleet" / "state.jsonl"
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(CrawlError, match="damaged, or of another version; remove it") as caught:
        take(tmp_path)
    assert caught.value.exit_code == Exit.REFUSED
    assert path.read_bytes() == content


def test_two_fleets_on_one_file(tmp_path: Path) -> None:
    """Neither with the same state, nor with another one for the same sites."""
    path = tmp_path / "sites.csv"
    with take(tmp_path), pytest.raises(CrawlError, match="another fleet is at work") as caught:
        Journal(path, tmp_path / "elsewhere")
    assert caught.value.exit_code == Exit.REFUSED
    other = tmp_path / "other.csv"
    other.touch()
    with take(tmp_path), pytest.raises(CrawlError, match="another fleet is at work"):
        Journal(other, tmp_path / "fleet")
    take(tmp_path).close()


def test_a_state_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "fleet").touch()
    with pytest.raises(CrawlError, match=r"cannot be written: (File exists|Not a directory)") as it:
        take(tmp_path)
    assert it.value.exit_code == Exit.NO_SPACE


def test_a_full_disk(tmp_path: Path) -> None:
    """No half of a line remains; with space again, it goes on where it was."""
    with small_disk(tmp_path / "disk", 1) as disk:
        with take(disk) as journal:
            journal.begin_round()
            filler = fill(disk)
            numbers = count()
            with pytest.raises(CrawlError, match="No space left on device; once it can") as caught:
                [begin(journal, f"site-{number}") for number in numbers]
            assert caught.value.exit_code == Exit.NO_SPACE
            done = len(journal.sites)
            assert f"site-{done}" not in journal.sites
            assert journal.path.read_bytes().endswith(b"}\n")
            with pytest.raises(CrawlError, match="cannot be written: No space"):
                journal.begin_round()
            filler.unlink()
            begin(journal, f"site-{done}")
        with take(disk) as journal:
            assert list(journal.sites) == [f"site-{number}" for number in range(done + 1)]
