"""Openers whose click was lost, fields beside a suggestion, places said with a noun."""

from app.domain.action import ActionRecord, action
from app.domain.directive import Directive, FieldValue, Instruction, Target
from app.domain.reasoner import Situation
from app.reasoners.commands.actions.dispatch import refine_step
from app.reasoners.commands.expansion import plan_instruction
from tests.unit.reasoners.commands.pages import Page, node, run


def missed(times: int) -> tuple[ActionRecord, ...]:
    made = ActionRecord(
        action=action("click", "b"), status="failure", purpose="explore",
        signature=("btn", "List", ""), note="List did not open",
    )  # fmt: skip
    return tuple(made.model_copy() for _ in range(times))


def next_after(records: tuple[ActionRecord, ...]) -> str:
    page = Page([node("b", "btn", "List", "haspopup", "collapsed")])
    directive = Directive(verb="click", target=Target(phrase="Archive list"))
    plan = plan_instruction(Instruction(text="", directives=(directive,)))
    refinement = refine_step(Situation(goal="", page=page.observe(), plan=plan, records=records))
    return refinement.proposals[0].action.text if refinement.proposals else refinement.outcome


def test_an_opener_that_did_not_open_is_tried_once_more() -> None:
    assert next_after(missed(1)) == 'click("b")'
    assert next_after(missed(2)) == "missing"


def test_a_suggestion_taken_leaves_the_other_fields_to_do() -> None:
    page = Page(
        [
            node("d", "inp", "Destination", "collapsed"),
            node("r", "sel", "Room", options=("Single", "Suite")),
        ]
    )
    page.on[("setValue", "d")] = lambda page: page.nodes.append(node("o", "opt", "Berlin"))
    page.on[("click", "o")] = lambda page: page.nodes.pop()
    fields = (
        FieldValue(field="destination", value="Berlin"),
        FieldValue(field="room", value="Suite"),
    )
    done = run(page, Directive(verb="fill", fields=fields))
    assert set(done.calls) == {
        'setValue("d", "Berlin")',
        'click("o")',
        'selectOption("r", "Suite")',
    }


def test_all_of_a_kind_are_chosen_by_the_box_for_all() -> None:
    page = Page(
        [
            node("q", "inp", "Search users..."),
            node("all", "chk", "Select all"),
            node("x", "link", "Users"),
        ]
    )
    target = Target(phrase="users", all=True)
    done = run(page, Directive(verb="select", value="users", target=target))
    assert done.calls == ['setChecked("all", true)']


def test_a_label_in_a_menu_is_not_taken_for_the_menu() -> None:
    page = Page([node("m", "btn", "Pages", "expanded"), node("c", "link", "Charts")])
    done = run(page, Directive(verb="open", target=Target(phrase="Login", within="Pages")))
    assert done.last is not None
    assert done.last.outcome == "missing"
