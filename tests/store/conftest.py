"""The fixture of an opened store."""

from tests.helpers.store import opened

__all__ = ["opened"]
