"""The commands of ``scrapy``: those of ``commands/``, and those that crawl or fetch a page.

Scrapy imports all modules of this package at each start, and makes a command of each class there.
"""

# Imported early, as Scrapy inspects all imported modules before it warns of a deprecation: 0.07 s.
import scrapy.core.downloader.contextfactory  # noqa: F401
