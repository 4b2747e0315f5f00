"""What all tests share."""

from __future__ import annotations

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("tests.helpers")  # before anything imports them

settings.register_profile("loaded", deadline=None)  # no result hangs on the load of the machine
settings.load_profile("loaded")
