"""URLs of login forms: samples, and verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sitemapgen.core.eligibility import MAX_HOPS
from sitemapgen.core.logins import (
    LoginForm,
    LoginStep,
    LoginUrl,
    decide_step,
    form_with_address,
    login_form,
)
from sitemapgen.core.remedies import is_login
from sitemapgen.core.urls import key, split
from sitemapgen.items import Judgement, Page
from sitemapgen.store.database import Database
from sitemapgen.store.states import (
    DONE,
    EXCERPT,
    JUDGED_SQL,
    KNOWN,
    LINK,
    NAMED,
    READ_SQL,
    judged_values,
)
from sitemapgen.verdicts import Reason, Verdict

HAS_PASSWORD = f"state = {DONE} AND sources <> 0 AND own_reason = '{Reason.PASSWORD_FIELD.value}'"
WITH_PASSWORD = f"SELECT key, url FROM url JOIN page USING (key) WHERE {HAS_PASSWORD}"
DOCUMENTS = (
    "SELECT count(*) FROM url JOIN page USING (key) "
    f"WHERE state = {DONE} AND sources <> 0 AND own_verdict IN ({READ_SQL})"
)
WITH_ADDRESS = (
    f"SELECT url FROM url WHERE state = {KNOWN} AND sources & {LINK} AND verdict IS NULL "
    "AND (instr(url, '=/') OR instr(url, '=%2F') OR instr(url, '=http'))"
)
REDIRECTS = (
    f"SELECT url, other_url FROM url WHERE state = {DONE} AND verdict = 'redirect' "
    "AND other_url <> ''"
)


class Logins:
    """The URLs that have the address to return to in them."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._forms: set[LoginForm] = set()
        """The forms of all redirects so far."""
        self._redirects: list[tuple[str, str]] | None = None
        """Those since the last look; None until they are read from the database."""
        self._has_password: bool | None = None

    def begin_run(self) -> None:
        """Begin a new run."""
        self._forms.clear()
        self._redirects = self._has_password = None

    def record_page(self, page: Page) -> None:
        """Note a redirect, and that there is a password field."""
        if page.judgement.reason is Reason.PASSWORD_FIELD:
            self._has_password = True
        elif page.judgement.verdict is Verdict.REDIRECT and self._redirects is not None:
            self._redirects.append((page.url, page.judgement.other_url))

    def steps(self) -> Iterator[tuple[LoginStep, list[LoginUrl]]]:
        """Yield what ``core.logins.decide_step`` decides on the URLs of each form of this run."""
        redirects = self._new_redirects()
        self._forms.update(
            filter(None, (login_form(target, source) for source, target in redirects))
        )
        with_password = self._with_password()
        urls = [*filter(is_login, self._db.column(WITH_ADDRESS)), *with_password.values()]
        forms = {*self._forms, *filter(None, map(form_with_address, urls))}
        if not forms:
            return
        found = [self._urls_of_form(form) for form in sorted(forms)]
        members = {each.key for urls in found for each in urls}
        boxes, documents = len(with_password.keys() - members), self._db.count(DOCUMENTS)
        for of_form in found:
            yield decide_step(of_form, boxes, documents)

    def _new_redirects(self) -> list[tuple[str, str]]:
        """Return (URL, target) of the redirects since the last call; first all of this run."""
        found = self._db.rows(REDIRECTS) if self._redirects is None else self._redirects
        self._redirects = []
        return found

    def _with_password(self) -> dict[int, str]:
        """Return the URLs of the documents with a password field, by key."""
        if self._has_password is None:
            self._has_password = self._db.first(f"{WITH_PASSWORD} LIMIT 1") is not None
        return dict(self._db.rows(WITH_PASSWORD)) if self._has_password else {}

    def _urls_of_form(self, form: LoginForm) -> list[LoginUrl]:
        """Return the URLs of a form, sorted."""
        rows = self._db.rows(
            "SELECT key, url, coalesce(verdict IN ('not_fetched', 'login'), 1) "
            f"AND state = {KNOWN} AND sources & {LINK} AND NOT sources & {NAMED} "
            f"AND hops <= {MAX_HOPS}, "
            f"state = {DONE} AND coalesce(own_verdict IN ({READ_SQL}), 0), "
            f"coalesce({HAS_PASSWORD}, 0), "
            f"coalesce(title || char(10) || {EXCERPT.format(page='page')}, '') "
            "FROM url LEFT JOIN page USING (key) "
            "WHERE sources <> 0 AND substr(url, 1, length(:prefix)) = :prefix ORDER BY url",
            prefix=form.origin + form.path,
        )
        return [
            LoginUrl(key_, url, bool(waits), bool(is_document), bool(has), text)
            for key_, url, waits, is_document, has, text in rows
            if (address := form.address(url)) is not None
            and (form.slot or self._is_known(f"{split(url).origin}/{address}"))
        ]

    def _is_known(self, url: str) -> bool:
        known = "SELECT 1 FROM url WHERE key IN (?, ?) AND sources <> 0"
        return self._db.one(known, key(url), key(f"{url}/")) is not None

    def restore_verdicts(self) -> None:
        """Give the fetched URLs with the verdict ``login`` that of their response again."""
        self._db.write(
            "UPDATE url SET verdict = own_verdict, evidence = own_evidence, "
            "other_url = own_other_url, reason = own_reason FROM page "
            f"WHERE page.key = url.key AND url.verdict = 'login' AND state = {DONE}"
        )

    def set_verdicts(self, judgements: Iterable[tuple[int, Judgement]]) -> None:
        """Set the verdicts of the URLs with these keys."""
        self._db.write_all(
            f"UPDATE url SET {JUDGED_SQL} WHERE key = ? AND (verdict, evidence) IS NOT (?, ?)",
            (
                (*judged_values(judgement), key_, *judged_values(judgement)[:2])
                for key_, judgement in judgements
            ),
        )
