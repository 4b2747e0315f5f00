"""Checks of the environment and of the settings, before a crawl begins."""
