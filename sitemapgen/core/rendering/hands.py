"""Rules for scrolling a page in the browser and pressing its buttons.

A list may go on where no link leads. ``browser/hands.py`` does what is decided here; while it does,
only GET and HEAD leave the browser.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable
from enum import Enum
from typing import NamedTuple

OFF, SCROLL, AUTO = "off", "scroll", "auto"
"""Values of the argument ``interact``."""

MAX_STEPS = 60
"""Times that a page may grow by scrolling or by the same button."""
MAX_BUTTONS = 30
"""Buttons of one page that are pressed and lead to no other page."""
MAX_SECONDS = 30.0
MAX_LINKS = 2_000
"""Links of one page after which its lists are left."""
MAX_TRIES = 3
"""Elements of one kind that are pressed in vain, on pages of one form, before the others are left
alone. Of kinds that bring something in one case of two it gives up one in eight."""
MAX_TRIES_MORE = 8
"""The same in a row for a kind that has brought something before; also on all pages together, after
which one is tried on pages of each form: a list may be the first page that has any use for it."""
SEVERAL = 3
"""Buttons of one kind that make a list."""
MAX_KNOWN = 200_000
"""Links of a crawl that are remembered as known; with more, each counts as new."""
MAX_ANSWER = 10.0
"""Seconds after which a page that does not answer counts as frozen."""
MAX_LISTED = 200
"""Buttons that are read at a time, the most urgent ones."""
MAX_RELOADS = 30
"""Times that the page is loaded again after a script has replaced its content by another page's."""
BRIEF = 0.2
"""Seconds that a page has to settle where a script has gone to another document."""


def _word_pattern(words: str, signs: str = "") -> str:
    """Return a pattern for words in lists, with ``_`` for spaces in them, and for texts without.

    ``signs`` are found anywhere: words of languages that have no spaces.
    """
    whole = "|".join(word.replace("_", " ") for word in words.split())
    return "|".join([rf"(?<!\w)(?:{whole})(?!\w)", *signs.split()])


MORE = _word_pattern(
    r"""
    more next older mehr weitere weiter nächste ältere plus suivante? suivants más siguientes? altri
    altro successivi? mais próxim[ao]s? meer volgende mer flere fler nästa neste næste lisää
    seuraava więcej następn[ae] více další viac több következő mai_multe următorul daha sonraki
    ещё еще дальше следующ\w* більше далі περισσότερα επόμενη xem_thêm tiếp
    """,
    r"もっと 次 さらに 更多 下一 加载 더\s?보기 다음 المزيد التالي עוד הבא เพิ่มเติม ถัดไป "
    "^[\u203a\u00bb\u2192\u276f>]$",
)
"""Words and arrows of a button that makes a list go on."""
REJECT = _word_pattern(
    r"""
    reject refuse decline deny only_necessary necessary_only essential_only ablehnen nur_notwendige
    refuser continuer_sans rechazar rifiuta recusar rejeitar weigeren avvisa afvis hylkää odrzuć
    odmítnout отклонить
    """,
    "拒否 拒绝 거부",
)
"""Words by which a visitor refuses what a page asks for before it shows its content."""
LEFT_ALONE = _word_pattern(
    r"""
    log_?out sign_?out log_?in sign_?in sign_?up register delete remove erase buy order_now checkout
    pay cart basket wish_?list like upvote downvote vote favou?rite subscribe unsubscribe follow
    unfollow accept agree allow consent submit send post publish save report flag block share print
    download upload install call chat
    abmelden anmelden löschen entfernen kaufen warenkorb bestellen bezahlen gefällt abonnieren
    akzeptieren zustimmen senden drucken teilen
    déconnexion connexion supprimer acheter panier payer aimer abonner accepter envoyer imprimer
    partager cerrar_sesión iniciar_sesión eliminar borrar comprar carrito pagar me_gusta suscribir
    suscribirse aceptar enviar imprimir compartir esci accedi elimina acquista carrello paga
    iscriviti accetta invia stampa condividi sair entrar excluir apagar carrinho curtir aceitar
    uitloggen inloggen verwijderen kopen winkelwagen accepteren wyloguj zaloguj usuń kup koszyk
    akceptuj выйти войти удалить купить корзин\w* оплатить подписаться принять отправить
    """,
    "ログアウト ログイン 削除 購入 カート 登出 退出 登录 删除 购买 购物车 "
    "로그아웃 로그인 삭제 구매 장바구니",
)
"""Words of buttons that may change something, or lead to a form; also in classes and ids."""

COUNT = "[0-9] (?:of|out of|von|de|sur|di|van|av|af|z|ze|из|із) ([0-9][0-9.,]{0,9})"
"""Pattern of a count such as "12 of 150": a part of a list, and the whole of it."""
_COUNT = re.compile(COUNT, re.IGNORECASE)
_NUMBER = re.compile(r"[0-9][0-9.,]{0,9}$")
_NOT_DIGITS = re.compile(r"[^0-9]")

SCROLLING = "scrolling"
"""The kind of what is no button."""


class Button(NamedTuple):
    """An element that may be pressed."""

    kind: str
    text: str
    number: int
    """Which of the buttons of its kind and text it is, from 0."""
    is_more: bool
    is_toggle: bool
    """Whether it opens and closes something, or selects a tab."""
    mark: int
    """The number of the element with this text in its document, whatever its classes are."""

    @property
    def name(self) -> tuple[str, str, int]:
        """Its identity among the buttons of its page."""
        return self.kind, self.text, self.number

    @property
    def is_number(self) -> bool:
        """Whether its text is a number: that of a part of a list, which it shows once and for all.

        >>> Button("li", "12", 0, False, False, 7).is_number
        True
        """
        return self.text.isdecimal()


class ListChange(Enum):
    """What a press has changed in the lists of buttons on a page."""

    NONE = "none"
    ADDED = "added"
    """It has further entries."""
    REPLACED = "replaced"
    """Entries of a kind that was unknown so far took the place of some that were not pressed."""


class Agenda:
    """Which button of a page is pressed next, by what the others have brought.

    A list may consist of buttons, its entries, that show or lead to what they stand for.
    """

    def __init__(self) -> None:
        self.spent = 0
        """Buttons that are done and did not lead to another page."""
        self._done: set[tuple[str, str, int]] = set()
        self._marks: set[int] = set()
        self._entries: set[str] = set()
        """Kinds of buttons of which a press has shown several others."""
        self._shown: dict[int, set[tuple[str, str]]] = {}
        """Mark of a button -> kinds and texts of the entries that it showed when last pressed."""
        self._movers: set[tuple[str, str, int]] = set()
        self._again = Counter[tuple[str, str, int]]()
        self._last = 0
        """Mark of the button that has brought something, and may bring more."""

    def order(self, buttons: list[Button]) -> list[tuple[int, Button]]:
        """Return the buttons that are left, with their places, the next one first.

        Entries come first, so that what they belong to is whole before another part replaces it;
        then the button that has brought something. One that is done is pressed again where what
        it showed has gone before all of it was pressed, as a menu closes at each choice.
        """
        here = {(each.kind, each.text) for each in buttons}
        left = [
            (place, each)
            for place, each in enumerate(buttons)
            if not self._is_done(each) or self._shown.get(each.mark, set()) - here
        ]
        return sorted(left, key=lambda row: self._rank(row[1]))

    def note(self, button: Button, before: list[Button], after: list[Button]) -> ListChange:
        """Note what a press has changed in the buttons of the page."""
        known = {each.text for each in before}
        fresh = [each for each in after if each.text not in known and self._may_be_entry(each)]
        names = {(each.kind, each.text) for each in fresh}
        counts = Counter(kind for kind, _ in names)
        kinds = {
            kind for kind, count in counts.items() if count >= SEVERAL or kind in self._entries
        }
        self._shown[button.mark] = {(kind, text) for kind, text in names if kind in kinds}
        if kinds:
            self._movers.add(button.name)
        new, there = kinds - self._entries, {each.text for each in after}
        self._entries |= kinds
        gone = (e for e in before if e.kind in new and e.text not in there and e != button)
        if any(self._may_be_entry(each) for each in gone):
            return ListChange.REPLACED
        return ListChange.ADDED if kinds else ListChange.NONE

    def end(self, button: Button, *, has_left: bool) -> bool:
        """Press a button no more; return whether it has ever shown entries."""
        self._done.add(button.name)
        self._marks.add(button.mark)
        for shown in self._shown.values():
            shown.discard((button.kind, button.text))
        self.spent += not has_left
        return button.name in self._movers

    def go_on(self, button: Button) -> int:
        """Press a button again, before others that are no entries; return how often it was."""
        self._last = button.mark
        self._again[button.name] += 1
        return self._again[button.name]

    def forget_marks(self) -> None:
        """Forget the numbers of elements: they are of another document now."""
        self._marks.clear()
        self._shown.clear()
        self._last = 0

    def is_entry(self, button: Button) -> bool:
        """Return whether a button stands for an entry of a list, or a branch of a tree."""
        return button.kind in self._entries and not button.is_more

    def _may_be_entry(self, button: Button) -> bool:
        return bool(button.text) and not button.is_number and not self._is_done(button)

    def _is_done(self, button: Button) -> bool:
        return button.name in self._done or button.mark in self._marks

    def _rank(self, button: Button) -> tuple[bool, bool]:
        return not self.is_entry(button), button.mark != self._last


class Reach(NamedTuple):
    """What a page shows to a visitor who scrolls, presses its buttons and opens its views."""

    links: tuple[tuple[str, str], ...] = ()
    """(URL, label) of links that it did not have before."""
    pressed: str = ""
    """The text of the first button that was pressed; empty if none was."""
    bound: str = ""
    """Why there may be further ones, in words about the page; empty if there is no sign of it."""

    def with_more(self, more: Reach) -> Reach:
        """Return this with what was found later; the first button and bound stay."""
        return Reach(
            self.links + more.links, self.pressed or more.pressed, self.bound or more.bound
        )


class Experience:
    """What kinds of elements have brought so far, by the form of the pages; of one crawl.

    A link that another page has as well is nothing new: a menu that opens is opened a few times.
    """

    def __init__(self) -> None:
        self._in_vain: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._useful: defaultdict[str, set[str]] = defaultdict(set)
        self._in_vain_anywhere = Counter[str]()
        self._known: set[int] = set()

    def new(self, links: Iterable[str]) -> int:
        """Count the links that no page has shown before, and remember them."""
        found = {hash(link) for link in links} - self._known
        if len(self._known) < MAX_KNOWN:
            self._known |= found
        return len(found)

    def note(self, form: str, kind: str, *, is_useful: bool) -> None:
        """Record that an element of a kind was pressed, or a page was scrolled."""
        if is_useful:
            self._useful[form].add(kind)
            self._in_vain[form][kind] = self._in_vain_anywhere[kind] = 0
        else:
            self._in_vain[form][kind] += 1
            self._in_vain_anywhere[kind] += 1

    def hopeless(self, form: str) -> list[str]:
        """Return the kinds that are left alone on pages of a form."""
        hopeless = []
        for kind, tries in self._in_vain[form].items():
            limit = 1 if self._in_vain_anywhere[kind] >= MAX_TRIES_MORE else MAX_TRIES
            if tries >= (MAX_TRIES_MORE if kind in self._useful[form] else limit):
                hopeless.append(kind)
        return hopeless


def stated_total(text: str, sizes: Container[int] | None = None) -> int:
    """Return the size of the list of which, by its text, a page shows a part; 0 if there is none.

    ``sizes``: the numbers of entries of the lists of links on the page; a part that is none of them
    counts something else. None: any.

    >>> stated_total("Lamps: 12 of 1,150", {12})
    1150
    >>> stated_total("3 of 5 people liked this", {12})
    0
    """
    for found in _COUNT.finditer(text):
        shown = _NUMBER.search(text, max(0, found.start() - 9), found.start() + 1)
        part, total = (
            int(_NOT_DIGITS.sub("", each) or 0) for each in (shown[0] if shown else "", found[1])
        )
        if 1 < part < total and (sizes is None or part in sizes):
            return total
    return 0
