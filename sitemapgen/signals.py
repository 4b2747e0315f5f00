"""Signals of ours, to be connected as Scrapy's are."""

step_begins = object()
"""A step of publishing begins; ``step`` says which, in words. Until the next one nothing else runs:
the event loop stands still."""
