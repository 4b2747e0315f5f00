"""The project before the add-on."""

BOT_NAME = "shop"
SPIDER_MODULES = ["shop.spiders"]
ROBOTSTXT_OBEY = True
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
