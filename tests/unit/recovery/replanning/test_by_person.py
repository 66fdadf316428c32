"""Steps that the person did while they had the page are credited where the page shows it."""

from dataclasses import replace

from app.domain.directive import Directive, Target
from app.domain.hitl import UserAction
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Plan, PlanStep
from app.recovery.handover import credit_person

ROW = "row: Jas Patel, 1990"
BEFORE = Observation(
    url="https://crm.example/a",
    tree=Tree.of(
        [
            Node(id="1", role="btn", name="Save", group="form: Patient"),
            Node(id="2", role="btn", name="Delete", group=ROW),
        ]
    ),
)
AFTER = replace(BEFORE, url="https://crm.example/b", tree=Tree.of([]))
CLICKED = UserAction(kind="click", role="btn", name=" Save ")


def step(verb: str, phrase: str = "", within: str | None = None) -> PlanStep:
    asked = Directive.model_validate(
        {"verb": verb, "source": phrase, "target": Target(phrase=phrase, within=within)}
    )
    return PlanStep(id=phrase or verb, description=phrase, directive=asked)


def done(*steps: PlanStep, acts: tuple[UserAction, ...] = (CLICKED,), after=AFTER) -> int:
    """How many steps are done then."""
    return credit_person(Plan(steps=steps), acts, BEFORE, after).current


def test_what_was_pressed_is_done() -> None:
    made = credit_person(
        Plan(steps=(step("click", "Save"), step("click", "Next"))), (CLICKED,), BEFORE, AFTER
    )
    assert (made.current, made.steps[0].by_person, made.steps[1].by_person) == (1, True, False)
    sent = UserAction(kind="submit", name="Patient")
    assert done(step("submit"), acts=(sent,)) == 1


def test_several_in_their_order_and_none_out_of_it() -> None:
    two = (step("click", "Save"), step("click", "Next"))
    following = UserAction(kind="click", name="next")
    other = UserAction(kind="click", name="Help")
    assert done(*two, acts=(CLICKED, other, following)) == 2
    assert done(*two, acts=(following,)) == 0
    assert done(*two, acts=(following, CLICKED)) == 1


def test_a_page_that_shows_nothing_or_complains_credits_nothing() -> None:
    assert done(step("click", "Save"), after=BEFORE) == 0
    assert done(step("click", "Save"), after=replace(AFTER, errors=("Name is required",))) == 0
    wrong = Node(id="3", role="inp", name="Name", states=frozenset({"invalid"}))
    assert done(step("click", "Save"), after=replace(AFTER, tree=Tree.of([wrong]))) == 0


def test_a_record_is_deleted_once_it_is_gone() -> None:
    pressed = UserAction(kind="click", role="btn", name="Delete")
    gone = step("delete", "patient", "Jas Patel")
    assert done(gone, acts=(pressed,)) == 1
    sent = pressed.model_copy(update={"kind": "submit"})
    assert done(gone, acts=(sent,)) == 1
    left = replace(AFTER, tree=BEFORE.tree)
    assert done(gone, acts=(pressed,), after=left) == 0
    assert done(gone, acts=(CLICKED,)) == 0
    assert done(step("delete", "patient", "Ann Lee"), acts=(pressed,)) == 0


def test_what_is_filled_in_is_left_to_the_page() -> None:
    typed = UserAction(kind="type", role="inp", name="Save")
    assert done(step("click", "Save"), acts=(typed,)) == 0
    assert done(step("fill", "Save"), acts=(CLICKED,)) == 0
