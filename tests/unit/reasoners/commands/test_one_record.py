"""Records whose controls are behind a menu, are a cross, or belong to the list."""

from app.domain.directive import Directive, FieldValue, Target
from app.domain.page import Node
from tests.unit.reasoners.commands.pages import Page, node, run


def tickets() -> Page:
    """Lines with a menu each; its items come up at the end of the document, in no line."""
    rows = ("101, Printer", "102, Login", "103, Slow start")
    page = Page(
        [node(f"k{at}", "el", "⋮", "haspopup", group=f"row: #{row}") for at, row in enumerate(rows)]
    )
    for at in range(len(rows)):

        def opened(page: Page, at: int = at) -> None:
            page.nodes = [n for n in page.nodes if not n.id.startswith("m")]
            page.nodes += [
                node(f"m{at}{name}", "el", name) for name in ("Edit", "Close ticket", "Delete")
            ]

        page.on[("click", f"k{at}")] = opened
    return page


def chips() -> Page:
    return Page(
        [
            node(f"{team}{name}", "el", "\u00d7", group=f"item: {team} > item: {name}")
            for team, names in {"Admins": ("Tom", "Ann"), "Viewers": ("Tom", "Luis")}.items()
            for name in names
        ]
    )


def test_the_menu_of_the_named_line_is_opened_and_no_other() -> None:
    done = run(
        tickets(), Directive(verb="delete", target=Target(phrase="ticket", within="Slow start"))
    )
    assert done.calls == ['click("k2")', 'click("m2Delete")']


def test_closing_a_record_presses_no_other_close() -> None:
    page = tickets()
    page.nodes.insert(0, node("all", "btn", "Close selected"))
    done = run(page, Directive(verb="close", target=Target(phrase="ticket #103", ordinal=103)))
    assert done.calls == ['click("k2")', 'click("m2Close ticket")']


def test_a_cross_in_a_line_takes_away_that_line_of_that_list() -> None:
    def remove(page: Page) -> None:
        page.nodes = [one for one in page.nodes if one.id != "ViewersTom"]

    order = Directive(verb="delete", target=Target(phrase="user Tom", within="Viewers"))
    page = chips()
    page.on["click", "ViewersTom"] = remove
    done = run(page, order)
    assert (done.calls, done.last.outcome) == (['click("ViewersTom")'], "done")
    refuses = run(chips(), order)
    assert refuses.calls == ['click("ViewersTom")']
    assert refuses.last.reason == "'user Tom' in Viewers is still on the page."


def test_crosses_in_lines_are_never_pressed_to_put_something_aside() -> None:
    done = run(chips(), Directive(verb="delete", target=Target(phrase="Mia", within="Viewers")))
    assert done.calls == []
    assert done.last is not None
    assert done.last.outcome == "missing"


def test_a_choice_in_the_record_itself_needs_no_saving() -> None:
    def line(name: str) -> Node:
        return node(
            f"p{name}",
            "sel",
            "Priority",
            group=f"item: {name}",
            options=("Low", "High"),
            value="Low",
        )

    page = Page([line("Call the bank"), line("Write report"), node("c", "btn", "Clear completed")])
    wanted = Directive(
        verb="edit", target=Target(within="Write report"),
        fields=(FieldValue(field="priority", value="High"),),
    )  # fmt: skip
    done = run(page, wanted)
    assert done.calls == ['selectOption("pWrite report", "High")']
    assert done.plan is not None
    assert done.plan.step is None


def test_all_lines_but_the_excluded_are_ticked() -> None:
    page = Page([node(f"c{n}", "chk", "Done", group=f"item: {n}") for n in ("One", "Two", "Three")])
    target = Target(phrase="tasks", all=True, excluding=("Two",))
    done = run(page, Directive(verb="check", target=target))
    assert done.calls == ['setChecked("cOne", true)', 'setChecked("cThree", true)']


def test_of_two_records_that_go_by_the_name_no_menu_is_opened() -> None:
    done = run(tickets_named("Login fails", "Login is slow"), Directive(verb="close", target=LOGIN))
    assert done.calls == []
    assert done.last is not None
    assert done.last.outcome == "missing"


LOGIN = Target(phrase="ticket", within="login")


def tickets_named(*names: str) -> Page:
    return Page([node(f"k{n}", "el", "⋮", "haspopup", group=f"row: #1, {n}") for n in names])


def test_a_state_called_closed_closes_nothing() -> None:
    page = Page([node("f", "el", "Closed"), node("c", "btn", "Close selected")])
    done = run(page, Directive(verb="close", target=Target(phrase="104")))
    assert done.calls == []


def test_a_control_of_what_a_record_holds_is_not_the_records_own() -> None:
    page = Page([node("t", "el", "\u00d7", group="item: Viewers > item: Tom")])
    assert run(page, Directive(verb="delete", target=Target(phrase="Viewers"))).calls == []


def test_a_name_in_small_letters_is_not_passed_over() -> None:
    page = Page([node("d", "btn", "Delete", group="section: cart > item: bread")])
    order = Directive(verb="delete", target=Target(phrase="milk", within="cart"))
    assert run(page, order).calls == []
    page = Page([node("d", "btn", "Delete", group="section: cart > item: milk")])
    assert run(page, order).calls == ['click("d")']


def test_an_edit_prefers_the_records_own_control_to_a_form_for_another() -> None:
    form = [node("n", "inp", "Phone", group="form: New contact")]
    save = node("s", "btn", "Save", group="form: New contact", input_type="submit")
    page = Page([*form, save, node("e", "btn", "Edit", group="row: Ann Lee")])
    wanted = Directive(
        verb="edit", target=Target(phrase="Ann Lee"), fields=(FieldValue(field="phone", value="5"),)
    )
    assert run(page, wanted).calls[0] == 'click("e")'


def test_a_cross_of_nothing_named_deletes_nothing() -> None:
    page = Page([node("x", "btn", "\u00d7", group="section: Notice")])
    assert run(page, Directive(verb="delete", target=Target())).calls == []
