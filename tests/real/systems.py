"""The real systems, by name."""

from tests.real import (
    cgit,
    datasette,
    dokuwiki,
    fossil,
    gitweb,
    hugo,
    machina,
    mediawiki,
    nikola,
    oscar,
    redmine,
    trac,
    wordpress,
)
from tests.real.system import System

SYSTEMS: dict[str, System] = {
    system.name: system
    for system in (
        *(wordpress.PRETTY, wordpress.PLAIN, mediawiki.SYSTEM, dokuwiki.SYSTEM),
        *(oscar.SYSTEM, oscar.DEFAULTS, hugo.SYSTEM, nikola.SYSTEM, cgit.SYSTEM, gitweb.SYSTEM),
        *(machina.SYSTEM, trac.SYSTEM, redmine.SYSTEM, datasette.SYSTEM),
        fossil.SYSTEM,
    )
}
SAMPLE = ("hugo", "wordpress-plain")
"""Those that are crawled with the ordinary tests."""
