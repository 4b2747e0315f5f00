"""Submission of the changes of a published sitemap to search engines by IndexNow.

The submitted URLs are kept in ``indexnow.json`` next to the sitemap, which is written after each
accepted request; the others are submitted the next time. The protocol:
https://www.indexnow.org/documentation.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sitemapgen.analysis.difference import LASTMOD, REMOVED, Change, State, find_changes
from sitemapgen.core.urls import authority, directory, parse, split
from sitemapgen.core.urls import key as url_key
from sitemapgen.errors import CrawlError, Exit
from sitemapgen.publish.file_names import ENTRY, is_ours
from sitemapgen.publish.files import Staging
from sitemapgen.store import Store
from sitemapgen.store.frontier import Limits
from sitemapgen.store.history import History
from sitemapgen.store.opening import STORE_FILE
from sitemapgen.tools.states import LISTED, sitemap_states

if TYPE_CHECKING:
    from sitemapgen.tools.network import FetchedResponse, Network

logger = logging.getLogger(__name__)

MAX_URLS = 10_000
"""Maximum URLs of one request ("You can submit up to 10,000 URLs per post")."""
KEY = re.compile(r"[A-Za-z0-9-]{8,128}")
ACCEPTED = frozenset({200, 202})
"""Statuses of success; 202 means "IndexNow key validation pending"."""

REFUSALS = {
    400: "the request does not follow the protocol; a bug",
    403: "the key is not accepted: its file must be served, and hold nothing but the key",
    422: "the URLs do not belong to the host, or the key does not belong to it",
}
STATE = "indexnow.json"
SCHEMA = 1
NOTHING = "nothing was submitted"


class Submitted(NamedTuple):
    """The state of earlier submissions."""

    key: str
    """The IndexNow key; empty before the first submission."""
    lastmods: dict[str, str]
    """The lastmod of each URL that was submitted, and not removed since."""


class Submission(NamedTuple):
    """The changes to submit, and the key."""

    output: Path
    submitted: Submitted
    """The state of earlier submissions, with the key to be used now."""
    changes: list[Change]
    """The changes to submit, in URL order."""
    published: dict[str, str]
    """The lastmod of each URL of the sitemap."""
    key_location: str
    """The URL of the key file; empty if there are neither published URLs nor changes."""
    endpoint: str

    @property
    def key_file(self) -> Path:
        """The file that has to be served at ``key_location``."""
        return self.output / f"{self.submitted.key}.txt"


def prepare_submission(
    output: Path, settings: Mapping[str, Any], *, key: str = "", location: str = ""
) -> Submission:
    """Compare a published sitemap with earlier submissions; create a key if there is none.

    ``key`` replaces the previous one; ``location`` is the URL of its file. Raises CrawlError.
    """
    endpoint = parse(settings["SITEMAPGEN_INDEXNOW_ENDPOINT"])
    if endpoint is None:
        raise CrawlError(Exit.ARGUMENTS, "SITEMAPGEN_INDEXNOW_ENDPOINT: not an http or https URL")
    if not (output / ENTRY).is_file():
        raise CrawlError(Exit.ARGUMENTS, f"{output}: no {ENTRY} in it; name an output directory")
    submitted = load_state(output / STATE)
    found = sitemap_states(output / ENTRY, settings)
    published = [state for state in found if parse(state.url) == state.url]
    before = [State(url, LISTED, submitted.lastmods[url]) for url in sorted(submitted.lastmods)]
    changed = _observed_changes(
        [change for change in find_changes(before, published) if change], output
    )
    kept_key = submitted.key
    submitted = submitted._replace(key=_valid_key(key or kept_key))
    urls = [*(change.url for change in changed), *(state.url for state in published)]
    submission = Submission(
        output=output,
        submitted=submitted,
        changes=changed,
        published={state.url: state.lastmod for state in published},
        key_location=_resolve_location(location, submitted.key, urls),
        endpoint=endpoint,
    )
    if not (submission.key_file.is_file() and kept_key == submitted.key):
        _save_state(output, submitted)  # a new key and its file, so that it is used next time
    return submission


def _observed_changes(found: list[Change], output: Path) -> list[Change]:
    """Leave out new dates of pages without an observed change: only trust in a source changed.

    Without the store of the crawls, only dates that disappeared are left out.
    """
    if all(change.kind != LASTMOD for change in found):
        return found
    try:
        has_store = (output / STORE_FILE).is_file()
        store = Store(output / STORE_FILE, Limits(), lent=True) if has_store else None
    except CrawlError as error:
        logger.warning("%(error)s; every later date counts as a change", {"error": error})
        store = None
    with closing(store) if store else nullcontext():
        return [
            change
            for change in found
            if change.kind != LASTMOD or _is_seen(change, store.history if store else None)
        ]


def _is_seen(change: Change, history: History | None) -> bool:
    assert change.old is not None
    assert change.new is not None
    if history is None:
        return bool(change.new.lastmod)
    return history.is_change(url_key(change.url), change.old.lastmod)


def _valid_key(key: str) -> str:
    if not key:
        return secrets.token_hex(16)
    if not KEY.fullmatch(key) or is_ours(f"{key}.txt"):  # such as sitemap-1.txt
        raise CrawlError(
            Exit.ARGUMENTS, f"--key: {key!r} is no key; use 8 to 128 letters, digits and dashes"
        )
    return key


def _resolve_location(location: str, key: str, urls: list[str]) -> str:
    if not urls:
        return ""
    url = parse(location) if location else key_location(key, urls[0])
    if url is None:
        raise CrawlError(Exit.ARGUMENTS, f"--key-location: {location!r} is no http or https URL")
    stranger = find_outsider(urls, url)
    if stranger is not None:
        raise CrawlError(
            Exit.REFUSED,
            f"a key file at {url} does not speak for {stranger}: it has to be of the same host, "
            "and in the same directory or above; --key-location says where it is",
        )
    return url


def submit_changes(
    submission: Submission, settings: Mapping[str, Any], report: Callable[[str], None]
) -> None:
    """Send the changes. ``report`` is called with a sentence for each accepted request.

    Raises CrawlError if the key file is not served, and if a request is not accepted; requests
    accepted before count as submitted.
    """
    from sitemapgen.download.egress import Egress  # noqa: PLC0415 - a dry run needs no network
    from sitemapgen.tools.network import run  # noqa: PLC0415

    async def work(network: Network) -> None:
        await _check_key_file(submission, network)
        await _send_batches(submission, network, report)

    egress = Egress([submission.key_location], [submission.endpoint])
    run(settings, submission.key_location, work, egress=egress)


async def _check_key_file(submission: Submission, network: Network) -> None:
    from sitemapgen.tools.network import NoAnswer  # noqa: PLC0415

    location = submission.key_location
    try:
        answer = await network.get(location, 4_096)
        problem = "" if answer.status == 200 else f"HTTP {answer.status}"
    except NoAnswer as error:
        problem = str(error)
    else:
        if not problem and not is_key_file(answer.body, submission.submitted.key):
            problem = "it does not hold the key"
    if problem:
        raise CrawlError(
            Exit.UNREACHABLE,
            f"{location}: {problem}; nothing was submitted: serve {submission.key_file} there",
        )


async def _send_batches(
    submission: Submission, network: Network, report: Callable[[str], None]
) -> None:
    from sitemapgen.tools.network import NoAnswer  # noqa: PLC0415

    waiting = {change.url: change for change in submission.changes}
    submitted = submission.submitted
    sent = 0
    for urls in split_batches(list(waiting)):
        body = request_body(submitted.key, submission.key_location, urls)
        progress = f"{sent:,} of {len(waiting):,} URLs were submitted" if sent else NOTHING
        try:
            answer = await network.post(submission.endpoint, body)
        except NoAnswer as error:
            raise CrawlError(
                Exit.UNREACHABLE, f"{submission.endpoint}: {error}; {progress}"
            ) from error
        if answer.status not in ACCEPTED:
            raise refusal_error(submission.endpoint, answer, progress)
        for url in urls:
            if (new := waiting[url].new) is None or waiting[url].kind == REMOVED:
                del submitted.lastmods[url]
            else:
                submitted.lastmods[url] = new.lastmod
        _save_state(submission.output, submitted)
        sent += len(urls)
        pending = ", the key is still to be looked at" if answer.status == 202 else ""
        report(f"{sent:,} of {len(waiting):,} URLs submitted (HTTP {answer.status}{pending})")


def refusal_error(endpoint: str, answer: FetchedResponse, progress: str) -> CrawlError:
    """Return the error for a response that is not an acceptance."""
    problem = f"{endpoint}: HTTP {answer.status}"
    if answer.status == HTTPStatus.TOO_MANY_REQUESTS:
        rest = f"the same command submits the rest {answer.when}"
        return CrawlError(Exit.INTERRUPTED, f"{problem}: too many requests; {progress}, {rest}")
    if answer.status in REFUSALS:
        return CrawlError(Exit.REFUSED, f"{problem}: {REFUSALS[answer.status]}; {progress}")
    return CrawlError(Exit.UNREACHABLE, f"{problem}; {progress}; the same command continues")


def mark_as_submitted(submission: Submission) -> None:
    """Count all published URLs as submitted. Raises CrawlError."""
    _save_state(submission.output, submission.submitted._replace(lastmods=submission.published))


# The state


def load_state(path: Path) -> Submitted:
    """Read a state; return an empty one if there is no file. Raises CrawlError."""
    try:
        state = json.loads(path.read_bytes())
        key, lastmods = state["key"], state["submitted"]
        is_sound = state["schema"] == SCHEMA and isinstance(key, str)
        if is_sound and all(
            isinstance(lastmod, str) and parse(url) == url for url, lastmod in lastmods.items()
        ):
            return Submitted(key, lastmods)
    except FileNotFoundError:
        return Submitted("", {})
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    raise CrawlError(
        Exit.REFUSED, f"{path}: damaged; remove it, and every URL counts as never submitted"
    )


def _save_state(output: Path, submitted: Submitted) -> None:
    state = {
        "schema": SCHEMA,
        "key": submitted.key,
        "submitted": dict(sorted(submitted.lastmods.items())),
    }
    try:
        with Staging(output, int(time.time())) as staging:
            staging.open(f"{submitted.key}.txt").write(submitted.key.encode())
            staging.open(STATE).write(json.dumps(state, indent=0).encode() + b"\n")
            staging.commit(last=STATE)
    except BlockingIOError as error:
        raise CrawlError(Exit.REFUSED, f"{output}: {error.strerror}") from error
    except OSError as error:
        raise CrawlError(Exit.NO_SPACE, f"{output}: cannot be written: {error.strerror}") from error


def split_batches(urls: Sequence[str]) -> Iterator[Sequence[str]]:
    """Split URLs into batches of at most ``MAX_URLS``, one for each request."""
    for start in range(0, len(urls), MAX_URLS):
        yield urls[start : start + MAX_URLS]


def request_body(key: str, key_location: str, urls: Iterable[str]) -> bytes:
    """Return the JSON of one request; all URLs are of the host of the key file."""
    host = authority(key_location)
    body = {"host": host, "key": key, "keyLocation": key_location, "urlList": list(urls)}
    return json.dumps(body).encode()


def key_location(key: str, url: str) -> str:
    """Return the default URL of a key file: in the root of the host.

    >>> key_location("1a2b3c4d", "https://example.com/shop/cups")
    'https://example.com/1a2b3c4d.txt'
    """
    return f"{split(url).origin}/{key}.txt"


def find_outsider(urls: Iterable[str], location: str) -> str | None:
    """Return the first URL for which the key file at ``location`` is not valid, or None.

    A key file is valid for the URLs below its directory.
    """
    place = directory(location)
    return next((url for url in urls if not url.startswith(place)), None)


def is_key_file(body: bytes, key: str) -> bool:
    """Return whether the content of a key file is the key."""
    return body.removeprefix(b"\xef\xbb\xbf").strip() == key.encode()
