"""The egg for Scrapyd, and nothing else: crawls run from a checkout."""

from pathlib import Path

from setuptools import find_packages, setup

REQUIREMENTS = Path(__file__).with_name("requirements.txt").read_text("utf-8").splitlines()

DATA = ("sql", "js", "css", "html", "jinja", "xsl", "licence.txt")

setup(
    name="sitemapgen",
    version="0.1.0",
    packages=find_packages(include=["sitemapgen", "sitemapgen.*"]),
    # What is no Python, by its kind: schemas, pages, scripts, styles, and the licences of others.
    package_data={"sitemapgen": [f"**/*.{kind}" for kind in DATA]},
    exclude_package_data={"sitemapgen": ["**/*.entry.js"]},  # what vendor/build.sh builds from
    entry_points={"scrapy": ["settings = sitemapgen.settings"]},
    # Named, not included: sitemapgen/checks/requirements.py checks them where the egg runs.
    install_requires=[line for line in REQUIREMENTS if line[:1].isalpha()],
    extras_require={
        "tables": ["pyarrow>=26,<27"],  # scrapy export --to parquet
        "cluster": ["redis[hiredis]>=8.1,<9", "msgpack>=1.2,<2"],  # SITEMAPGEN_CLUSTER
    },
    python_requires=">=3.10",
    zip_safe=True,  # Scrapyd never unpacks it; data is read through importlib.resources
)
