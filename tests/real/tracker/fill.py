"""Fill a Trac environment, the argument: 120 tickets in 4 milestones, 60 pages of the wiki."""

import random
import sys
from datetime import datetime, timedelta, timezone

from trac.env import Environment
from trac.ticket.model import Milestone, Ticket
from trac.wiki.model import WikiPage

from tests.real.vocabulary import paragraph, words

MILESTONES, TICKETS, PAGES = 4, 120, 60
BEGIN = datetime(2024, 1, 1, tzinfo=timezone.utc)
PEOPLE = ("ada", "grace", "linus")


def plan(environment: Environment, chance: random.Random) -> None:
    """Write milestones and tickets with comments."""
    for number in range(MILESTONES):
        milestone = Milestone(environment)
        milestone.name, milestone.description = f"phase-{number}", paragraph(chance, 2)
        milestone.insert()
    for number in range(TICKETS):
        ticket = Ticket(environment)
        ticket["summary"], ticket["description"] = words(chance, 5), paragraph(chance, 3)
        ticket["reporter"], ticket["status"] = chance.choice(PEOPLE), "new"
        ticket["milestone"] = f"phase-{chance.randrange(MILESTONES)}"
        ticket["type"] = chance.choice(("defect", "enhancement", "task"))
        when = BEGIN + timedelta(hours=50 * number)
        ticket.insert(when)
        for hours in range(1, chance.randint(1, 3)):
            later = when + timedelta(hours=hours)
            ticket.save_changes(chance.choice(PEOPLE), paragraph(chance, 1), later)


def write(environment: Environment, chance: random.Random) -> None:
    """Write pages in two versions each, all linked from the start page."""
    names = sorted({words(chance, 2).title().replace(" ", "") for _ in range(PAGES)})
    for name in names:
        links = " ".join(f"[wiki:{other}]" for other in chance.sample(names, 4))
        for year in range(2):
            page = WikiPage(environment, name)
            page.text = f"= {name} =\n\n{paragraph(chance, 6)}\n\n{links}"
            page.save(chance.choice(PEOPLE), "", BEGIN + timedelta(days=365 * year))
    start = WikiPage(environment, "WikiStart")
    start.text = "= Start =\n\n" + "\n".join(f" * [wiki:{name}]" for name in names)
    start.save("ada", "", BEGIN + timedelta(days=366))


opened = Environment(sys.argv[1])
plan(opened, random.Random("tickets"))
write(opened, random.Random("wiki"))
