"""What do the numbers in the tables mean? See ``schema.sql``."""

KNOWN, PENDING, IN_FLIGHT, DONE = range(4)
"""``url.state``."""
START, LINK, SITEMAP, NOFOLLOW = 1, 2, 4, 8
"""The bits of ``url.sources``."""
