"""Kinds of pages: which URLs are fetched next, which are left out, and by what evidence.

=====================  ==========================================================================
while it crawls
``patterns.py``        sorts suspicious URLs (``core/shapes.py``), which wait for the ordinary ones
``usefulness.py``      judges their fetched pages: what they show or lead to that others do not
``yields.py``          releases the next URLs of a pattern by that, and leaves what has no end
``crowds.py``          finds directories of plain URLs that have to wait, too
``made_up.py``         proves by URLs without a link that a site makes up its pages
``titles.py``          finds directories that may answer any name with the same page
``files.py``           samples URLs that end like files
what a URL is
``slots.py``           takes URLs apart into parameters, each with a role that pages prove
``laws.py``            compares a page with its sibling, the URL without a parameter
``lists.py``           collects what the list shows that the sibling begins
``evidence.py``        accepts or refutes a law by a sample of such pairs
``roles.py``           concludes from that for URLs that were never fetched; laws compose
``dates.py``           ends calendars
``recombined.py``      ends paths that are put together from the names of pages
``versions.py``        ends versions of pages under identifiers in their paths or parameters
when it has ended
``renditions.py``      finds versions of pages under a path of their own
``views.py``           finds pages that show nothing but what those show that they link to
=====================  ==========================================================================

Two fetched URLs are *siblings* in a slot if one is the other without that parameter. A law is
accepted or refuted by pairs of them, whatever the parameter is called.

Sources: Bar-Yossef, Keidar, Schonfeld, "Do not crawl in the DUST" (WWW 2007); Koppula and others,
"Learning URL patterns for webpage de-duplication" (WSDM 2010).
"""
