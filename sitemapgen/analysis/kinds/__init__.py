"""Kinds of pages: the parameters of URLs as slots, each with a role that pages prove or refute.

Two fetched URLs are *siblings* in a slot if one is the other without that parameter. The law that
decides: of siblings, the longer URL shows nothing of its own, beside the list that the shorter one
begins (``lists.py``). ``slots.py`` takes URLs apart, ``laws.py`` judges one pair, ``evidence.py`` a
sample of them, ``roles.py`` what follows for URLs that were never fetched. Laws compose: a
selection of a selection needs no request. Of paths, ``dates.py`` ends calendars, and
``recombined.py`` those that are put together without end.

Sources: Bar-Yossef, Keidar, Schonfeld, "Do not crawl in the DUST" (WWW 2007); Koppula and others,
"Learning URL patterns for webpage de-duplication" (WSDM 2010).
"""
