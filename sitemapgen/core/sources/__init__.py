"""Systems that answer which pages they have, and when each was changed.

A reader is one file: how the start page names its system, what is requested, and what a response
states (``reading.py``). Requests are sent by ``spiders/source_files.py``, one at a time.
"""

from __future__ import annotations

from sitemapgen.core.sources.discourse import Discourse
from sitemapgen.core.sources.drupal import Drupal
from sitemapgen.core.sources.feeds import Feeds
from sitemapgen.core.sources.llms_txt import LlmsTxt
from sitemapgen.core.sources.mediawiki import MediaWiki
from sitemapgen.core.sources.shopify import Shopify
from sitemapgen.core.sources.wordpress import WordPress

READERS = (WordPress(), MediaWiki(), Shopify(), Discourse(), Drupal(), LlmsTxt(), Feeds())
"""All readers, in the order in which they are asked."""

BY_SYSTEM = {reader.system: reader for reader in READERS}
