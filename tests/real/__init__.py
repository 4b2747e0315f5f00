"""Real software, set up by scripts and crawled as users would; the ideal set of pages comes from
its database or its files, never from a crawl.

``python -m tests.real SYSTEM [-a name=value]...`` sets a system up, crawls it and prints what is
missing and what is listed beyond the ideal set; without SYSTEM it lists the systems and what each
needs. The output directory and ``log`` in it stay for reading (``--output DIR``, else
``/tmp/sitemapgen-real/SYSTEM/output``); ``--wait`` keeps the server up until Ctrl-C, ``--port N``
chooses its port. The tests: ``make real``; those of ``systems.SAMPLE`` are in ``make test-all``.
"""
