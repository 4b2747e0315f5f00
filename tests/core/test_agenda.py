"""Which button of a page is pressed next, by what the others have brought."""

from sitemapgen.core.rendering.hands import Agenda, Button, ListChange


def button(kind: str, text: str, mark: int, *, is_more: bool = False) -> Button:
    return Button(kind, text, 0, is_more, False, mark)


def cards(first: int, end: int) -> list[Button]:
    return [button("card", f"Lamp {number}", 100 + number) for number in range(first, end)]


NEXT = button("next", "Next", 1, is_more=True)
BACK = button("back", "", 2)


def test_entries_that_were_replaced_are_pressed_before_the_list_goes_on() -> None:
    agenda = Agenda()
    first, second = [NEXT, *cards(0, 4)], [NEXT, *cards(4, 8)]
    assert agenda.order(first)[0][1] == NEXT
    assert agenda.note(NEXT, first, second) is ListChange.REPLACED
    agenda.go_on(NEXT)
    agenda.forget_marks()  # loaded again
    for card in cards(0, 4):
        assert agenda.order(first)[0][1] == card
        agenda.end(card, has_left=True)
    assert agenda.order(first)[0][1] == NEXT
    assert agenda.note(NEXT, first, second) is ListChange.ADDED
    assert agenda.order(second)[0][1] == second[1]
    assert agenda.spent == 0


def test_the_last_part_may_be_short() -> None:
    agenda = Agenda()
    assert agenda.note(NEXT, [NEXT], [NEXT, *cards(0, 3)]) is ListChange.ADDED
    assert agenda.note(NEXT, cards(0, 3), [*cards(0, 3), *cards(3, 4)]) is ListChange.ADDED


def test_a_few_new_buttons_are_no_list() -> None:
    agenda = Agenda()
    assert agenda.note(NEXT, [NEXT], [NEXT, BACK, *cards(0, 2)]) is ListChange.NONE
    assert agenda.end(NEXT, has_left=False) is False


def test_buttons_of_one_text_are_one_entry() -> None:
    likes = [Button("like", "Helpful", number, False, False, number + 50) for number in range(9)]
    assert Agenda().note(NEXT, [NEXT], [NEXT, *likes]) is ListChange.NONE


def test_the_button_that_brought_something_comes_before_the_way_back() -> None:
    agenda = Agenda()
    onward = button("next", "", 3)
    agenda.go_on(onward)
    assert [each for _, each in agenda.order([BACK, onward])] == [onward, BACK]


def test_a_menu_is_opened_again_until_all_of_it_was_chosen() -> None:
    agenda, opener = Agenda(), button("menu", "Makers", 1)
    choices = [button("option", f"Maker {number}", 10 + number) for number in range(3)]
    for rest in (choices, choices[1:], choices[2:]):
        assert agenda.order([opener]) == [(0, opener)]
        agenda.note(opener, [opener], [opener, *rest])
        agenda.end(opener, has_left=False)
        assert agenda.order([opener, *rest])[0][1] == rest[0]
        agenda.end(rest[0], has_left=False)
    assert agenda.order([opener]) == []


def test_a_menu_that_shows_no_more_than_it_did_is_left() -> None:
    agenda, opener = Agenda(), button("menu", "Makers", 1)
    agenda.note(opener, [opener], [opener, *cards(0, 3)])
    agenda.end(opener, has_left=False)
    agenda.note(opener, [opener], [opener])
    assert agenda.order([opener]) == []
