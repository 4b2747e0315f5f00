"""A laboratory of sites: finite ones that must not lose a page, endless ones that must end.

``space.py`` holds what a site is, ``crawling.py`` crawls one, and ``python -m tests.spaces --all``
prints what became of each.
"""
