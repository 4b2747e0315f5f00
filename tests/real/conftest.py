"""Where real software is set up."""

import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def home() -> Iterator[Path]:
    """A directory that servers with a user of their own may enter."""
    path = Path(tempfile.mkdtemp(prefix="real-"))
    path.chmod(0o755)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # servers end then, too
    yield path
    shutil.rmtree(path)
