"""Protocol of the store for URLs of login forms: samples, and verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from sitemapgen.core.logins import form_of, form_with_address
from sitemapgen.core.remedies import is_login

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sitemapgen.core.logins import Form, LoginUrl
    from sitemapgen.items import Judgement


class Found(NamedTuple):
    """The URLs that may be login forms."""

    forms: list[list[LoginUrl]]
    """Those of each form, sorted; one in the site's own sitemaps is never waiting."""
    boxes: int = 0
    """Number of documents with a password field that are in none of the forms."""
    documents: int = 0


class Logins(Protocol):
    """The URLs of a store that have the address to return to in them."""

    forms: set[Form]
    """The forms of all redirects that ``new_redirects`` has returned."""

    def new_redirects(self) -> list[tuple[str, str]]:
        """Return (URL, target) of the redirects since the last call; first all of this run."""

    def addressed(self) -> list[str]:
        """Return the waiting URLs with an address in their query."""

    def with_password(self) -> dict[int, str]:
        """Return the URLs of the documents with a password field, by key."""

    def urls(self, form: Form) -> list[LoginUrl]:
        """Return the URLs of a form, sorted."""

    def documents(self) -> int:
        """Return the number of documents."""

    def ask(self, keys: Iterable[int]) -> int:
        """Put waiting URLs into the frontier; return their number."""

    def restore(self) -> None:
        """Give the fetched URLs with the verdict ``login`` that of their response again."""

    def set_verdicts(self, judgements: Iterable[tuple[int, Judgement]]) -> None:
        """Set the verdicts of the URLs with these keys."""


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
