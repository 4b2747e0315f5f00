"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("loaded", deadline=None)  # no result hangs on the load of the machine
settings.load_profile("loaded")
