"""A django-oscar shop as its documentation sets one up: SQLite, no images, simple search.

Runs in an environment of its own; ``SHOP_HOME`` is the directory of its
database; ``SHOP_PAGES=few`` leaves out review forms and filters.
"""

import os
from pathlib import Path

from oscar.defaults import *  # noqa: F403

HOME = Path(os.environ["SHOP_HOME"])
SECRET_KEY = "a shop on loopback"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "urls"
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": HOME / "shop.sqlite3",
        "OPTIONS": {"timeout": 120},  # every page view is counted: writers wait for each other
    }
}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
STATIC_URL = "/static/"
MEDIA_URL = "/media/"
MEDIA_ROOT = HOME / "media"
SITE_ID = 1
USE_TZ = True
OSCAR_SHOP_NAME = "Spare parts"
OSCAR_PRODUCTS_PER_PAGE = 12
if os.environ["SHOP_PAGES"] == "few":  # else oscar's own defaults
    OSCAR_ALLOW_ANON_REVIEWS = False
    OSCAR_SEARCH_FACETS = {"fields": {}, "queries": {}}
HAYSTACK_CONNECTIONS = {
    "default": {
        "ENGINE": "haystack.backends.whoosh_backend.WhooshEngine",
        "PATH": str(HOME / "index"),
        "INCLUDE_SPELLING": False,
    }
}
AUTHENTICATION_BACKENDS = [
    "oscar.apps.customer.auth_backends.EmailBackend",
    "django.contrib.auth.backends.ModelBackend",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.contrib.flatpages.middleware.FlatpageFallbackMiddleware",
    "oscar.apps.basket.middleware.BasketMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.template.context_processors.i18n",
                "django.contrib.messages.context_processors.messages",
                "oscar.apps.search.context_processors.search_form",
                "oscar.apps.checkout.context_processors.checkout",
                "oscar.core.context_processors.metadata",
            ]
        },
    }
]
DJANGO = ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
APPS = (
    *("analytics", "checkout", "address", "shipping", "catalogue", "catalogue.reviews"),
    *("communication", "partner", "basket", "payment", "offer", "order", "customer", "search"),
    *("voucher", "wishlists", "dashboard"),
)
DASHBOARD = (
    *("reports", "users", "orders", "catalogue", "offers", "partners", "pages", "ranges"),
    *("reviews", "vouchers", "communications", "shipping"),
)
INSTALLED_APPS = [
    *(f"django.contrib.{name}" for name in (*DJANGO, "sites", "flatpages")),
    "oscar.config.Shop",
    *(f"oscar.apps.{name}.apps.{name.title().replace('.', '')}Config" for name in APPS),
    *(f"oscar.apps.dashboard.{name}.apps.{name.title()}DashboardConfig" for name in DASHBOARD),
    *("widget_tweaks", "haystack", "treebeard", "django_tables2"),
]


class _None(dict[str, None]):
    """No migrations of any application: its tables are made at once."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> None:
        return None


MIGRATION_MODULES = _None()
LOGGING = {"version": 1, "loggers": {"oscar.thumbnail": {"level": "CRITICAL"}}}  # images are off
