"""A Scrapy project as ``scrapy startproject`` leaves it, but quiet and with its doors closed."""

BOT_NAME = "stock"
SPIDER_MODULES = ["tests.benchmarks.baselines.spiders"]
ROBOTSTXT_OBEY = True
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
LOG_LEVEL = "WARNING"
