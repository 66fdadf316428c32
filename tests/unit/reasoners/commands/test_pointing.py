import pytest

from app.domain.action import ActionRecord, action
from app.domain.directive import Directive, Instruction, Target
from app.domain.reasoner import Situation
from app.reasoners.commands.actions.dispatch import refine_step
from app.reasoners.commands.expansion import plan_instruction
from tests.unit.reasoners.commands.pages import Page, node, run


def click(phrase: str = "", **more: object) -> Directive:
    return Directive(verb="click", target=Target(phrase=phrase, **more))


def test_what_is_named_is_clicked():
    page = Page([node("1", "btn", "Save"), node("2", "btn", "Cancel")])
    assert run(page, click("cancel")).calls == ['click("2")']


def test_all_of_a_kind_are_clicked():
    page = Page([node(str(n), "btn", "Like", group=f"item: Post {n}") for n in (1, 2, 3)])
    done = run(page, click("Like", all=True))
    assert sorted(done.calls) == ['click("1")', 'click("2")', 'click("3")']


def test_two_that_fit_are_asked_about():
    page = Page(
        [node("1", "btn", "Delete", group="row: Ann"), node("2", "btn", "Delete", group="row: Bo")]
    )
    assert run(page, click("delete")).last.outcome == "ambiguous"


def test_a_tab_already_shown_is_not_opened_again():
    page = Page([node("1", "tab", "Details", "selected"), node("2", "tab", "History")])
    done = run(page, Directive(verb="open", target=Target(phrase="Details", role="tab")))
    assert done.calls == []
    assert done.last.outcome == "done"


@pytest.mark.parametrize(("role", "states"), [("tab", ()), ("btn", ("collapsed",))])
def test_what_is_hidden_is_looked_for_behind_what_is_named_like_it(
    role: str, states: tuple[str, ...]
):
    page = Page(
        [node("1", role, "Reports", *states), node("2", role, "Policies", *states)],
        {("click", "2"): lambda page: page.nodes.append(node("9", "link", "Refund policies"))},
    )
    assert run(page, click("Refund policies", role="link")).calls == ['click("2")', 'click("9")']


def test_what_nothing_here_leads_to_by_name_is_missing_at_once():
    page = Page([node(str(n), "tab", f"Part {n}") for n in range(1, 9)], title="Parts")
    done = run(page, click("Refund"))
    assert (done.calls, done.last.outcome) == ([], "missing")
    for said in ("Refund", "Parts", "Part 1"):
        assert said in done.last.reason


def test_a_risky_control_is_never_opened_to_look_behind_it():
    page = Page(
        [node("1", "btn", "Delete account", "haspopup"), node("2", "btn", "Send all", "haspopup")]
    )
    assert run(page, click("Terms")).calls == []


def results(*pages: list[str]) -> Page:
    """A list turned over with Next."""

    def show(at: int) -> list[object]:
        links = [node(f"{at}{n}", "link", name) for n, name in enumerate(pages[at])]
        return [*links, node("99", "link", ">" if at + 1 < len(pages) else "end")]

    page = Page(show(0))
    page.at = 0

    def following(page: Page) -> None:
        page.at += 1
        page.nodes = show(page.at)

    page.on[("click", "99")] = following
    return page


def test_x_closes_what_is_labelled_close():
    page = Page(
        [
            node("1", "btn", "Close", group="dialog: Note"),
            node("2", "btn", "OK", group="dialog: Note"),
        ]
    )
    assert run(page, click("x", quoted=True)).calls == ['click("1")']


def test_of_two_records_that_fit_the_one_spelled_so_is_meant():
    page = Page(
        [
            node("1", "btn", "Reply", group="item: Allx @sed Integer"),
            node("2", "btn", "Reply", group="item: Finch @chas Sed quis"),
        ]
    )
    assert run(page, click("Reply", within="@sed")).calls == ['click("1")']


def test_what_was_forbidden_is_not_touched():
    page = Page([node("1", "btn", "Save"), node("2", "btn", "Preview")])
    done = run(page, click("Save"), forbidden=(Target(phrase="Save"),))
    assert done.calls == []
    assert done.last.outcome == "missing"


def test_a_page_that_is_loading_is_waited_for_once():
    page = Page([], summary="Loading…")
    done = run(page, click("Save"))
    assert done.calls == ["wait(1000)"]
    assert done.last.outcome == "missing"


def test_a_double_click_is_two():
    page = Page([node("1", "btn", "Add")])
    assert run(page, click("Add").model_copy(update={"times": 2})).calls == ['click("1")'] * 2


@pytest.mark.parametrize(("clicked", "left"), [("1", "23"), ("out of sight", "123")])
def test_twins_are_each_clicked_when_all_are_meant(clicked, left):
    post = "item: Kim @kim88"
    page = Page([node(str(n), "el", "Share", group=post) for n in (1, 2, 3)])
    one_by_one = Situation(
        goal="",
        page=page.observe(),
        plan=plan_instruction(Instruction(text="", directives=(click("Share", all=True),))),
        records=(
            ActionRecord(
                action=action("click", clicked),
                description="",
                step=0,
                signature=("el", "Share", post),
                status="success",
            ),
        ),
    )
    step = refine_step(one_by_one)
    assert [proposal.action.target for proposal in step.proposals] == list(left)


def step_on(page: Page, phrase: str, *waits: int) -> str:
    """What is done next for a click, after these waits."""
    plan = plan_instruction(Instruction(text="", directives=(click(phrase),)))
    records = tuple(
        ActionRecord(action=action("wait", ms), status="success", purpose="explore") for ms in waits
    )
    situation = Situation(goal="", page=page.observe(), plan=plan, records=records)
    found = refine_step(situation)
    return found.proposals[0].action.text


def test_what_is_disabled_at_first_is_waited_for_and_not_for_ever():
    page = Page([node("1", "btn", "Edit", "disabled"), node("2", "btn", "Close")])
    assert step_on(page, "Edit") == "wait(1000)"
    assert step_on(page, "Edit", 1_000) == "wait(3000)"
    assert step_on(page, "Edit", 1_000, 3_000) == 'click("1")'
    assert step_on(page, "Close") == 'click("2")'
