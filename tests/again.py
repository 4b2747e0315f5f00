"""``python -m tests.again``: run once more, alone, the tests that failed in the runs before.

``.ci/run`` ends with it. A test that passes now is flaky: it is named, and ``MOST`` of them do not
fail the run. CONTRIBUTING.md lists them until they are mended.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FAILED = ROOT / ".pytest_cache/v/cache/lastfailed"
"""Where pytest keeps the tests that failed when they last ran: their names, in JSON."""
MOST = 3
"""Flaky tests in a run that passes."""


def main() -> None:
    """Exit with a sentence where the run has failed."""
    names = [*json.loads(FAILED.read_text("utf-8"))] if FAILED.exists() else []
    if len(names) > MOST:
        sys.exit("\n".join([f"{len(names)} tests failed:", *names]))
    if names:
        again = [sys.executable, "-m", "pytest", "-m", "", *names]
        if subprocess.run(again, cwd=ROOT, check=False).returncode:
            sys.exit("\n".join(["Failed, and failed again alone:", *names]))
        print("\n".join(["FLAKY: failed, and passed alone:", *names]))


if __name__ == "__main__":
    main()
