"""A django-machina forum as its documentation sets one up: SQLite, simple search.

Runs in an environment of its own; ``FORUM_HOME`` is the directory of its database.
"""

import os
from pathlib import Path

from machina import MACHINA_MAIN_STATIC_DIR, MACHINA_MAIN_TEMPLATE_DIR

HOME = Path(os.environ["FORUM_HOME"])
SECRET_KEY = "a forum on loopback"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "urls"
DATABASES = {
    "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": HOME / "forum.sqlite3"},
}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
STATIC_URL = "/static/"
STATICFILES_DIRS = (MACHINA_MAIN_STATIC_DIR,)
USE_TZ = True
CACHES = {
    name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    for name in ("default", "machina_attachments")
}
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "machina.apps.forum_permission.middleware.ForumPermissionMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [MACHINA_MAIN_TEMPLATE_DIR],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.template.context_processors.i18n",
                "django.template.context_processors.static",
                "django.contrib.messages.context_processors.messages",
                "machina.core.context_processors.metadata",
            ]
        },
    }
]
DJANGO = ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
APPS = (
    *("forum", "forum_conversation", "forum_conversation.forum_attachments"),
    *("forum_conversation.forum_polls", "forum_feeds", "forum_member", "forum_moderation"),
    *("forum_permission", "forum_search", "forum_tracking"),
)
INSTALLED_APPS = [
    *(f"django.contrib.{name}" for name in DJANGO),
    *("mptt", "haystack", "widget_tweaks", "machina"),
    *(f"machina.apps.{name}" for name in APPS),
]
