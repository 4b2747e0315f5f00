"""What an endpoint's answer means, and what a state file may hold."""

from pathlib import Path

import pytest

from sitemapgen.errors import CrawlError, Exit
from sitemapgen.tools.network import FetchedResponse
from sitemapgen.tools.submission import load_state, refusal_error
from tests.helpers.tables import for_each


@for_each(
    "status, retry_after, code, words",
    [
        (400, None, Exit.REFUSED, "does not follow the protocol"),
        (403, None, Exit.REFUSED, "the key is not accepted"),
        (422, None, Exit.REFUSED, "do not belong to the host"),
        (429, None, Exit.INTERRUPTED, "2 of 3, the same command submits the rest later"),
        (429, 60.0, Exit.INTERRUPTED, "2 of 3, the same command submits the rest after 20"),
        (429, 1e300, Exit.INTERRUPTED, "submits the rest after 20"),
        (500, None, Exit.UNREACHABLE, "HTTP 500; 2 of 3"),
        (301, None, Exit.UNREACHABLE, "HTTP 301; 2 of 3"),
    ],
)
def test_refusals(status: int, retry_after: float | None, code: Exit, words: str) -> None:
    answer = FetchedResponse(
        status=status, body=b"", location="", is_cut=False, retry_after=retry_after
    )
    error = refusal_error("https://api.example/indexnow", answer, "2 of 3")
    assert error.exit_code is code
    assert words in error.sentence


@pytest.mark.parametrize(
    "damage",
    [
        *("", "{", "[]", "null", '{"schema": 2}', '{"schema": 1, "key": 1, "submitted": {}}'),
        '{"schema": 1, "key": "", "submitted": {"a b": ""}}',
        '{"schema": 1, "key": "", "submitted": {"https://example.com/": 1}}',
    ],
)
def test_damaged_states(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "indexnow.json"
    assert load_state(path) == ("", {})
    path.write_text(damage)
    with pytest.raises(CrawlError, match="damaged; remove it"):
        load_state(path)
