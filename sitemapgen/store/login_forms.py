"""Steps for the URLs in a store that may be login forms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitemapgen.core.logins import decide_step, form_of, form_with_address
from sitemapgen.core.remedies import is_login

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sitemapgen.core.logins import LoginStep, LoginUrl
    from sitemapgen.store.logins import Logins


def steps(logins: Logins) -> Iterator[tuple[LoginStep, list[LoginUrl]]]:
    """Yield what ``core.logins.decide_step`` decides on the URLs of each form of this run."""
    redirects = logins.new_redirects()
    logins.forms.update(filter(None, (form_of(target, source) for source, target in redirects)))
    with_password = logins.with_password()
    urls = [*filter(is_login, logins.addressed_urls()), *with_password.values()]
    forms = {*logins.forms, *filter(None, map(form_with_address, urls))}
    if not forms:
        return
    found = [logins.urls_of_form(form) for form in sorted(forms)]
    members = {each.key for urls in found for each in urls}
    boxes, documents = len(with_password.keys() - members), logins.count_documents()
    for of_form in found:
        yield decide_step(of_form, boxes, documents)
