"""The project with the add-on: one line more."""

from shop.plain import *  # noqa: F403

ADDONS = {"sitemapgen.addon.SitemapAddon": 500}
