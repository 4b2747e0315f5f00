"""The egg for Scrapyd, and nothing else: crawls run from a checkout."""

from setuptools import find_packages, setup

setup(
    name="sitemapgen",
    version="0.1.0",
    packages=find_packages(include=["sitemapgen", "sitemapgen.*"]),
    package_data={
        "sitemapgen.store": ["schema.sql"],
        "sitemapgen.browser": ["page.js"],
        "sitemapgen.publish": ["page/sitemap.*"],
        "sitemapgen.report": ["page/report.*", "page/vendor/*.min.js"],
    },
    entry_points={"scrapy": ["settings = sitemapgen.settings"]},
    python_requires=">=3.10",
)
