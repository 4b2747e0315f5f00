"""Forms that are links: sent by GET, with menus as their only choices.

Each option of a menu is an address, with the other menus as they stand. Forms with anything else to
choose or to type in are searches, logins or filters, and no links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote_plus

from sitemapgen.core.document.scripted import MAX_ELEMENTS, menu_addresses
from sitemapgen.core.document.texts import line
from sitemapgen.core.rendering.hands import CHANGES
from sitemapgen.core.urls import MAX_LENGTH, Parts, parse, split

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_FIELDS = "form, input, select, textarea, button"
_SENDS = frozenset({"submit", "image"})
"""Types of buttons that send their form."""
_SENDS_NOTHING = frozenset({"button", "reset"})
_TABLE = frozenset({"table", "thead", "tbody", "tfoot", "tr"})
_CHANGES = re.compile(CHANGES, re.IGNORECASE)
_ASCII = re.compile(r"[\x00-\x7f]+")


class _Menu(NamedTuple):
    name: str
    values: list[str]
    """Of the options that can be chosen."""
    chosen: list[str]
    """What is sent of a menu that is left as it stands."""


class MenuForm(NamedTuple):
    """A form that has nothing but menus to choose from."""

    action: str
    """As written."""
    is_post: bool
    nofollow: bool
    fields: list[_Menu | tuple[str, str]]
    """Menus, and (name, value) of hidden fields."""

    def links(self, url: str, base: str, encoding: str) -> Iterator[str]:
        """Yield the address of each option, relative to ``base``, in a document at ``url``.

        One menu alone leads from each of its pages to the same pages. Of several, the answers lead
        no further: that would be every combination.
        """
        href = re.split("[?#]", self.action)[0]
        here, target = (_parts(each and parse(each, base or url, encoding)) for each in (url, href))
        if here and target and _host(here) != _host(target):
            return
        if not self.action and base != url:
            href = url.partition("?")[0]
        menus = [field for field in self.fields if isinstance(field, _Menu)]
        names = {f"{_encode(menu.name)}=" for menu in menus}
        if len(menus) > 1 and here and any(f"&{name}" in f"&{here.query}" for name in names):
            return
        sent = [_encode_field(field) for field in self.fields]
        length = sum(map(len, sent))
        for place, field in enumerate(self.fields):
            if isinstance(field, _Menu) and length - len(sent[place]) < MAX_LENGTH:
                for value in filter(None, field.values):
                    chosen = _encode_field((field.name, value))
                    query = filter(None, (*sent[:place], chosen, *sent[place + 1 :]))
                    yield f"{href}?{'&'.join(query)}"


def menu_forms(roots: list[LexborNode]) -> Iterator[MenuForm]:
    """Yield the forms of a document with menus only; ``roots``: the tree and its shadow roots."""
    for root in roots:
        forms: dict[int, tuple[LexborNode, list[LexborNode]]] = {}
        ids: dict[str | None, int] = {}
        around: dict[int, int] = {}
        opened = 0
        nodes = list(islice(root.css(_FIELDS), MAX_ELEMENTS))
        for node in nodes:
            if node.tag == "form":
                forms[node.mem_id] = node, []
                ids.setdefault(node.attributes.get("id"), node.mem_id)
        for node in nodes:
            if node.tag == "form":
                opened = _opened_by(node)
                continue
            owner = ids.get(node.attributes["form"], 0) if "form" in node.attributes else None
            owner = _form_around(node, around) or opened if owner is None else owner
            if owner in forms:
                forms[owner][1].append(node)
        for form, fields in forms.values():
            if found := _read_form(form, fields):
                yield found


def _opened_by(form: LexborNode) -> int:
    """Return the identity of a form between the parts of a table; 0 for others.

    It has no content in the tree, and its fields are in the rows after it.
    """
    is_between = form.parent is not None and form.parent.tag in _TABLE
    return form.mem_id if is_between else 0


def _form_around(node: LexborNode, known: dict[int, int]) -> int:
    """Return the identity of the form around a node, or 0; ``known``: of nodes on the way to it."""
    way, parent = [], node.parent
    while parent is not None and parent.tag != "form" and parent.mem_id not in known:
        way.append(parent.mem_id)
        parent = parent.parent
    found = known.get(parent.mem_id, parent.mem_id) if parent is not None else 0
    known |= dict.fromkeys(way, found)
    return found


def _read_form(form: LexborNode, nodes: list[LexborNode]) -> MenuForm | None:
    """Return a form that has menus, and nothing else to choose or to type in, and that is sent."""
    attributes = form.attributes
    fields: list[_Menu | tuple[str, str]] = []
    is_sent = bool((attributes.get("action") or "").strip())
    for node in nodes:
        own = node.attributes
        name, kind = own.get("name") or "", _type_of(node)
        if "disabled" in own:
            continue
        if kind in _SENDS:
            if _CHANGES.search(own.get("value") or node.text()) or "formaction" in own:
                return None
            is_sent = True
        elif kind == "hidden":
            fields += [(name, own.get("value") or "")] * bool(name)
        elif kind == "select":
            menu = _read_menu(node, name)
            fields += [menu] * bool(name and not menu_addresses(menu.values))
            is_sent = is_sent or "submit" in (own.get("onchange") or "")
        elif kind not in _SENDS_NOTHING:
            return None
    method = (attributes.get("method") or "").strip().lower()
    if not is_sent or method == "dialog" or not any(isinstance(each, _Menu) for each in fields):
        return None
    rel = (attributes.get("rel") or "").lower().split()
    return MenuForm(
        (attributes.get("action") or "").strip(), method == "post", "nofollow" in rel, fields
    )


def _type_of(node: LexborNode) -> str:
    """Return the type of a field; of what is neither a button nor an ``<input>``, the tag."""
    if node.tag not in ("button", "input"):
        return node.tag or ""
    default = "submit" if node.tag == "button" else "text"
    return (node.attributes.get("type") or default).strip().lower()


def _read_menu(node: LexborNode, name: str) -> _Menu:
    options = [each for each in node.css("option") if "disabled" not in each.attributes]
    values = [_value_of(each) for each in options]
    chosen = [_value_of(each) for each in options if "selected" in each.attributes]
    if "multiple" not in node.attributes:
        chosen = chosen[-1:] or values[:1]
    return _Menu(name, list(dict.fromkeys(values)), chosen)


def _value_of(option: LexborNode) -> str:
    attributes = option.attributes
    return (attributes["value"] or "") if "value" in attributes else line(option.text())


def _encode_field(field: _Menu | tuple[str, str]) -> str:
    name, *_, values = field
    values = values if isinstance(values, list) else [values]
    return "&".join(f"{_encode(name)}={_encode(value)}" for value in values)


def _encode(value: str) -> str:
    """Encode as forms do, but for what is not ASCII, which depends on the document's encoding.

    >>> _encode("Käse & Wein")
    'Käse+%26+Wein'
    """
    return _ASCII.sub(lambda found: quote_plus(found[0]), value)


def _parts(url: str | None) -> Parts | None:
    return split(url) if url else None


def _host(parts: Parts) -> str:
    return parts.origin.partition("://")[2]
