"""The fixture of an opened store."""

from tests.store.helpers import opened

__all__ = ["opened"]
