import pytest

from app.domain.directive import Directive, FieldValue, Target
from app.domain.page import Node
from tests.unit.reasoners.commands.pages import Page, node, run


def fill(phrase: str, value: str, **more: object) -> Directive:
    return Directive(verb="fill", target=Target(phrase=phrase, **more), value=value)


def fields(**pairs: str) -> Directive:
    return Directive(
        verb="fill", fields=tuple(FieldValue(field=f, value=v) for f, v in pairs.items())
    )


def form(*more: Node) -> Page:
    return Page(
        [
            node("1", "inp", "Name", group="form"),
            node("2", "inp", "Phone", group="form"),
            node("3", "sel", "Sex", options=("Female", "Male"), group="form"),
            node("4", "chk", "Newsletter", group="form"),
            node("5", "rad", "Small", group="form > fieldset: Size"),
            node("6", "rad", "Large", group="form > fieldset: Size"),
            *more,
        ]
    )


def test_the_fields_of_a_form_are_one_chain_in_the_order_said():
    done = run(form(), fields(phone="555", name="Jas", sex="female", newsletter="yes"))
    assert done.trips == [
        [
            'setValue("2", "555")',
            'setValue("1", "Jas")',
            'selectOption("3", "Female")',
            'setChecked("4", true)',
        ]
    ]


def test_what_holds_already_is_left_alone():
    page = form()
    page.put("1", value="Jas")
    page.put("4", states=frozenset({"checked"}))
    assert run(page, fields(name="Jas", newsletter="yes")).calls == []


def test_the_only_field_needs_no_name():
    page = Page([node("1", "inp", "tt"), node("2", "btn", "Submit")])
    done = run(page, Directive(verb="fill", target=Target(role="inp"), value="Tora"))
    assert done.calls == ['setValue("1", "Tora")']


def test_a_password_is_entered_in_both_its_fields():
    page = Page(
        [
            node("1", "inp", "Password", input_type="password"),
            node("2", "inp", "Verify it", input_type="password"),
        ]
    )
    done = run(page, fill("password", "s3c", role="inp", all=True))
    assert done.calls == ['setValue("1", "s3c")', 'setValue("2", "s3c")']
    assert "s3c" not in done.records[0].description


@pytest.mark.parametrize(
    ("input_type", "said", "typed"),
    [
        ("date", "12/24/2016", "2016-12-24"),
        ("date", "March 3rd, 1990", "1990-03-03"),
        ("time", "7:55 PM", "19:55"),
        ("text", "12/24/2016", "12/24/2016"),
    ],
)
def test_dates_and_times_take_the_form_of_their_field(input_type: str, said: str, typed: str):
    page = Page([node("1", "inp", "When", input_type=input_type)])
    assert run(page, fill("when", said)).calls == [f'setValue("1", "{typed}")']


def test_an_option_a_list_does_not_have_is_told_with_those_it_has():
    done = run(form(), Directive(verb="select", target=Target(phrase="Sex"), value="Blue"))
    assert done.last.outcome == "missing"
    assert "Female" in done.last.reason


def test_a_field_that_is_not_there_is_told():
    done = run(form(), fields(name="Jas", fax="9"))
    assert done.calls == ['setValue("1", "Jas")']
    assert done.last.outcome == "missing"
    assert "fax" in done.last.reason


def test_the_suggestion_that_was_typed_is_picked():
    def typed(page: Page) -> None:
        page.nodes += [node("8", "opt", "Paris, Texas"), node("9", "opt", "Paris")]

    page = Page([node("1", "inp", "City", "haspopup", "collapsed")], {("setValue", "1"): typed})
    assert run(page, fill("city", "Paris")).calls == ['setValue("1", "Paris")', 'click("9")']


def test_choices_are_made_wherever_they_are_offered():
    done = run(
        form(),
        Directive(verb="select", value="Large"),
        Directive(verb="select", value="Male"),
        Directive(verb="select", value="Newsletter"),
    )
    assert done.trips == [['click("6")', 'selectOption("3", "Male")', 'setChecked("4", true)']]


def test_choosing_nothing_is_nothing():
    assert run(form(), Directive(verb="select", value="nothing")).calls == []


def test_unchecking_what_is_not_checked_is_nothing():
    page = form()
    assert run(page, Directive(verb="uncheck", target=Target(phrase="newsletter"))).calls == []
    done = run(page, Directive(verb="check", target=Target(phrase="newsletter")))
    assert done.calls == ['setChecked("4", true)']


def test_without_a_button_a_search_is_sent_with_enter():
    page = Page([node("1", "inp", "Search", input_type="search")])
    done = run(page, Directive(verb="search", value="Jas"))
    assert done.calls == ['setValue("1", "Jas")', 'pressKey("Enter")']


def test_of_several_searches_the_one_in_the_place_that_was_named_is_meant():
    boxes = [
        node(name, "inp", "Search", input_type="search", group=f"section: {place}")
        for name, place in (("1", "Stock"), ("2", "Orders"))
    ]
    orders = Directive(verb="search", target=Target(phrase="the orders"), value="Emil")
    assert run(Page(boxes), orders).calls[0] == 'setValue("2", "Emil")'
    assert run(Page(boxes), Directive(verb="search", value="Emil")).calls == []


def test_a_slider_without_a_name_is_meant_by_its_kind():
    page = Page([node("s", "range"), node("b", "btn", "Apply")])
    chosen = Directive(verb="select", target=Target(role="range"), value="-7")
    assert run(page, chosen).calls == ['setValue("s", "-7")']


def test_a_choice_that_two_lists_offer_is_asked_about():
    lists = [node(name, "sel", name, options=("Yes", "No")) for name in ("Member", "Newsletter")]
    assert run(Page(lists), Directive(verb="select", value="Yes")).last.outcome == "ambiguous"


def test_a_field_that_cannot_be_typed_into_takes_a_day_for_its_picker_and_nothing_else():
    page = Page([node("1", "inp", "Date", "readonly")])
    assert run(page, fill("date", "06/21/2016")).calls == ['setValue("1", "06/21/2016")']
    done = run(Page([node("1", "inp", "Date", "readonly")]), fill("date", "soon"))
    assert (done.calls, done.last.outcome) == ([], "missing")
