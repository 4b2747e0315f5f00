"""Make the forum's database: 9 forums in 3 categories, 270 topics, some of several pages."""

import os
import random

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402
from machina.core.db.models import get_model  # noqa: E402

from tests.real.vocabulary import paragraph, words  # noqa: E402

CATEGORIES, FORUMS, TOPICS, USERS = 3, 3, 30, 12
POSTS = (1, 1, 2, 3, 5, 18, 33)
"""Posts of a topic; one in as many topics each. 15 stand on a page."""

Forum = get_model("forum", "Forum")
Topic = get_model("forum_conversation", "Topic")
Post = get_model("forum_conversation", "Post")
Permission = get_model("forum_permission", "ForumPermission")
Granted = get_model("forum_permission", "UserForumPermission")


def fill(chance: random.Random) -> None:
    """Write users, forums, topics and posts, all open to visitors."""
    users = [get_user_model().objects.create(username=f"user{n}") for n in range(USERS)]
    for codename in ("can_see_forum", "can_read_forum"):
        permission = Permission.objects.get(codename=codename)
        Granted.objects.create(permission=permission, anonymous_user=True, has_perm=True)
    for _ in range(CATEGORIES):
        category = Forum.objects.create(name=words(chance, 2).title(), type=Forum.FORUM_CAT)
        for _ in range(FORUMS):
            name = words(chance, 2).title()
            forum = Forum.objects.create(parent=category, name=name, type=Forum.FORUM_POST)
            for _ in range(TOPICS):
                discuss(forum, users, chance)


def discuss(forum, users, chance: random.Random) -> None:
    """Write a topic and its posts."""
    subject = words(chance, 4).capitalize()
    kind = {"type": Topic.TOPIC_POST, "status": Topic.TOPIC_UNLOCKED, "approved": True}
    topic = Topic.objects.create(forum=forum, subject=subject, poster=chance.choice(users), **kind)
    for _ in range(chance.choice(POSTS)):
        content = paragraph(chance, 2)
        Post.objects.create(
            topic=topic,
            poster=chance.choice(users),
            subject=subject,
            content=content,
            approved=True,
        )


call_command("migrate", verbosity=0)
with transaction.atomic():
    fill(random.Random("forum"))
