"""Forms of the URLs in a store that may be login forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sitemapgen.core.logins import form_of, form_with_address
from sitemapgen.core.remedies import is_login

if TYPE_CHECKING:
    from sitemapgen.core.logins import LoginUrl
    from sitemapgen.store.logins import Logins


class Found(NamedTuple):
    """The URLs that may be login forms."""

    forms: list[list[LoginUrl]]
    """Those of each form, sorted; one in the site's own sitemaps is never waiting."""
    boxes: int = 0
    """Number of documents with a password field that are in none of the forms."""
    documents: int = 0


def find(logins: Logins) -> Found:
    """Return the URLs of this run that may be login forms, by form."""
    redirects = logins.new_redirects()
    logins.forms.update(filter(None, (form_of(target, source) for source, target in redirects)))
    with_password = logins.with_password()
    urls = [*filter(is_login, logins.addressed()), *with_password.values()]
    forms = {*logins.forms, *filter(None, map(form_with_address, urls))}
    if not forms:
        return Found([])
    found = [logins.urls(form) for form in sorted(forms)]
    members = {each.key for urls in found for each in urls}
    return Found(found, len(with_password.keys() - members), logins.documents())
