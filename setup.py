"""The wheel, and the egg for Scrapyd."""

import sys
from pathlib import Path

from setuptools import find_packages, setup

# Python reads no bytecode in __pycache__ out of an egg, which would be three times as large.
sys.dont_write_bytecode = True

ROOT = Path(__file__).parent
DATA = ("sql", "js", "css", "html", "jinja", "xsl", "licence.txt")
BROWSER = ("scrapy-playwright", "playwright", "psutil")
"""Packages for pages that are empty without a browser; a crawl runs without them."""

requirements = [
    line.partition(" #")[0]
    for line in (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    if line[:1].isalpha()
]

setup(
    name="sitemapgen",
    version="0.1.0",
    description="Crawls sites, publishes sitemaps that can be trusted, and measures existing ones",
    long_description=(ROOT / "README.md").read_text("utf-8"),
    long_description_content_type="text/markdown",
    license="MIT",
    keywords=["sitemap", "scrapy", "crawler", "seo", "audit"],
    classifiers=[
        "Development Status :: 4 - Beta",
        "Environment :: Console",
        "Framework :: Scrapy",
        "Intended Audience :: Developers",
        "Intended Audience :: System Administrators",
        "Operating System :: MacOS",
        "Operating System :: POSIX :: Linux",
        "Programming Language :: Python :: 3",
        "Topic :: Internet :: WWW/HTTP :: Indexing/Search",
        "Topic :: Internet :: WWW/HTTP :: Site Management",
    ],
    packages=find_packages(include=["sitemapgen", "sitemapgen.*"]),
    # What is no Python, by its kind: schemas, pages, scripts, styles, and the licences of others.
    package_data={"sitemapgen": [f"**/*.{kind}" for kind in DATA]},
    exclude_package_data={"sitemapgen": ["**/*.entry.js"]},  # what vendor/build.sh builds from
    entry_points={
        "scrapy": ["settings = sitemapgen.settings"],
        "console_scripts": ["sitemapgen = sitemapgen.__main__:main"],
    },
    # An egg names them only: sitemapgen/checks/requirements.py checks them where it runs.
    install_requires=[line for line in requirements if not line.startswith(BROWSER)],
    extras_require={
        "browser": [line for line in requirements if line.startswith(BROWSER)],
        "tables": ["pyarrow>=26,<27"],  # sitemapgen export --to parquet
        "xlsx": ["XlsxWriter>=3.2,<4"],  # sitemapgen export --to xlsx
        "cluster": ["redis[hiredis]>=8.1,<9", "msgpack>=1.2,<2"],  # SITEMAPGEN_CLUSTER
    },
    python_requires=">=3.10",
    zip_safe=True,  # Scrapyd never unpacks it; data is read through importlib.resources
)
