"""The command ``sitemapgen``, also as ``python -m sitemapgen``."""

from sitemapgen import interrupts

interrupts.install()  # early: importing the other modules takes half a second

from sitemapgen.cli.main import main  # noqa: E402

if __name__ == "__main__":
    main()
