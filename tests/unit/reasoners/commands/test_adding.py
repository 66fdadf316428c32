"""Putting things into places, new things into the only field, people's names into two fields."""

from app.domain.directive import Directive, FieldValue, Target
from app.domain.page import Node
from tests.unit.reasoners.commands.pages import Page, node, run

CART = Target(phrase="cart")


def card(name: str) -> list[Node]:
    group = f"section: {name}"
    return [
        node(f"l{name}", "link", name, group=group),
        node(f"a{name}", "btn", "Add to cart", group=group),
    ]


def test_the_things_own_control_is_pressed_and_nothing_is_saved() -> None:
    page = Page([*card("Lamp"), *card("Bottle")])
    done = run(page, Directive(verb="create", target=Target(phrase="Bottle"), destination=CART))
    assert done.calls == ['click("aBottle")']


def test_a_line_has_no_button_for_what_was_entered_above_it() -> None:
    page = Page(
        [node("new", "inp", "What next?"), node("e", "btn", "Edit", group="item: Buy milk")]
    )
    wanted = Directive(
        verb="create",
        target=Target(phrase="task"),
        fields=(FieldValue(field="", value="Water plants"),),
    )
    assert run(page, wanted).calls == ['setValue("new", "Water plants")', 'pressKey("Enter")']


def test_a_plus_with_a_minus_beside_it_makes_nothing_new() -> None:
    page = Page(
        [
            node("m", "btn", "-"), node("n", "inp", "Portions", value="1"), node("p", "btn", "+"),
            node("c", "inp", "Write a comment..."), node("s", "btn", "Post"),
        ],
        title="Comments",
    )  # fmt: skip
    wanted = Directive(
        verb="create", target=Target(phrase="comment"), fields=(FieldValue(field="", value="Nice"),)
    )
    assert run(page, wanted).calls == ['setValue("c", "Nice")', 'click("s")']


def test_a_choice_may_be_spelled_out_but_not_denied() -> None:
    zones = node(
        "z", "sel", "Time zone", options=("(UTC) London", "(UTC+1) Berlin"), value="(UTC) London"
    )
    wanted = Directive(verb="fill", target=Target(phrase="time zone"), value="Berlin")
    assert run(Page([zones]), wanted).calls == ['selectOption("z", "(UTC+1) Berlin")']
    paid = node("z", "sel", "Status", options=("Open", "Not paid"), value="Open")
    wanted = Directive(verb="fill", target=Target(phrase="status"), value="paid")
    assert run(Page([paid]), wanted).calls == []


def test_what_was_pressed_by_its_own_name_is_not_handed_in_again() -> None:
    group = "form: Company"
    page = Page(
        [
            node("v", "inp", "VAT number", group=group),
            node("u", "btn", "Update company", group=group),
        ]
    )
    fill = Directive(verb="fill", fields=(FieldValue(field="VAT number", value="AT1"),))
    update = Directive(verb="edit", target=Target(phrase="company"), source="update the company")
    assert run(page, fill, update).calls == ['setValue("v", "AT1")', 'click("u")']


def test_saving_instead_of_sending_presses_save() -> None:
    group = "dialog: New message"
    nodes = [
        node("t", "inp", "To", group=group), node("s", "btn", "Send", group=group),
        node("d", "btn", "Save draft", group=group),
    ]  # fmt: skip
    fill = Directive(verb="fill", fields=(FieldValue(field="to", value="ann@x.org"),))
    save = Directive(verb="submit", value="save", source="save it as draft")
    done = run(
        Page(nodes), fill, save, forbidden=(Target(phrase="send"),), forbidden_verbs=("submit",)
    )
    assert done.calls == ['setValue("t", "ann@x.org")', 'click("d")']


def test_what_was_named_and_is_not_here_is_not_replaced_by_another_button() -> None:
    page = Page(
        [
            node("q", "inp", "Search products", group="form"),
            node("s", "btn", "Search", group="form"),
        ]
    )
    wanted = Directive(verb="submit", value="apply", target=Target(phrase="coupon SAVE10"))
    assert run(page, wanted).calls == []


def test_a_box_said_after_the_login_is_ticked_before_it_is_sent() -> None:
    group = "form: Sign in"
    nodes = [
        node("u", "inp", "Username", group=group),
        node("p", "inp", "Password", group=group, input_type="password"),
        node("r", "chk", "Remember me", group=group), node("b", "btn", "Sign in", group=group),
    ]  # fmt: skip
    fields = (FieldValue(field="username", value="ann"), FieldValue(field="password", value="x1"))
    login = Directive(verb="login", fields=fields)
    remember = Directive(verb="check", target=Target(phrase="remember me"))
    assert run(Page(nodes), login, remember).calls[-2:] == ['setChecked("r", true)', 'click("b")']
