"""``python -m sitemapgen``: the command ``sitemapgen``."""

from sitemapgen.cli.main import main

if __name__ == "__main__":
    main()
