"""What is asked of one record is done to that record, or not at all."""

from app.domain.directive import Directive, FieldValue, Target
from app.reasoners.commands import parse
from tests.unit.reasoners.commands.pages import Page, node, run

NAME = (FieldValue(field="name", value="Book trains"),)
RENAME = Directive(
    verb="edit",
    target=Target(phrase="task", within="Book flights"),
    fields=NAME,
    source="Rename the task 'Book flights' to 'Book trains'",
)


def profile() -> list:
    return [
        node("1", "inp", "Display name", value="Dana", group="form"),
        node("2", "btn", "Save profile", group="form", input_type="submit"),
    ]


def tasks(*verbs: str) -> list:
    return [
        node(f"{title}{verb}", "btn", verb, group=f"item: {title}")
        for title in ("Call Ann", "Book flights")
        for verb in verbs
    ]


def test_a_field_of_another_page_is_not_the_field_of_the_record_that_was_named() -> None:
    assert run(Page(profile()), RENAME).calls == []


def test_a_control_that_removes_the_record_does_not_open_it() -> None:
    done = run(Page(tasks("Remove task")), RENAME)
    assert done.calls == []


def test_the_mailbox_called_trash_deletes_nothing() -> None:
    page = Page([node("t", "el", "Trash", group="nav"), node("m", "row", "Photos from Lisbon")])

    def opened(page: Page) -> None:
        page.nodes = [page.get("t"), node("b", "btn", "Back")]

    page.on[("click", "m")] = opened
    done = run(page, Directive(verb="delete", target=Target(phrase="Photos from Lisbon")))
    assert 'click("t")' not in done.calls


def test_type_in_a_list_of_fields_is_not_something_to_type() -> None:
    said = parse("Add a vehicle with plate QQ 999, driver Lena Voss, type Bus")
    assert said.unread == "type Bus"
    typed = parse("Open the form, type Bus into Driver").directives
    assert [d.verb for d in typed] == ["open", "fill"]


def test_a_value_named_by_a_vague_word_is_put_into_no_other_field() -> None:
    page = Page(
        [node("1", "inp", "Driver"), node("2", "sel", "Vehicle type", options=("Car", "Bus"))]
    )
    done = run(page, Directive(verb="fill", fields=(FieldValue(field="type", value="Bus"),)))
    assert done.calls == []


def test_the_delete_of_another_line_is_not_for_a_record_without_one() -> None:
    lines = [node("a", "link", "Ann", group="row: Ann"), node("b", "link", "Bob", group="row: Bob")]
    page = Page([*lines, node("d", "btn", "Delete", group="row: Bob")])
    done = run(page, Directive(verb="delete", target=Target(phrase="Ann")))
    assert done.calls == ['click("a")']
