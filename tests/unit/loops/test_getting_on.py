"""Legitimate repetition is not stopped."""

import pytest

from app.domain.plan import Plan, PlanStep
from app.engines.loops import Asked, asked_for, reflect
from app.engines.planning.steps import plan_of
from app.reasoners.commands import parse
from tests.unit.loops.acts import deed, pages, press

MODELS = Asked(own=False)


def asked_by(goal, *, step=None):
    """What the goal asks for; of a model's plan where its `step` is given."""
    read = parse(goal)
    if step is None:
        return asked_for(plan_of(read), read, goal)
    plan = Plan(steps=(PlanStep(id="1", description=step),), maker="model")
    return asked_for(plan, read, goal)


def every(deeds, **more):
    """The first reason to stop at any moment of the run."""
    looks = (reflect(tuple(deeds[: at + 1]), **more) for at in range(len(deeds)))
    return next(filter(None, looks), None)


def test_thirty_rows_filled_in():
    deeds = [
        deed("setValue", str(at), f"v{at}", signature=("inp", "Amount", f"row: {at}"), page=page)
        for at, page in enumerate(pages(30))
    ]
    assert every(deeds) is None
    assert every(deeds, asked=MODELS) is None


def test_thirty_boxes_ticked_in_three_chains():
    deeds = [
        press(f"Row {at}", role="chk", page=f"p{at // 10}", chain=1 + at // 10) for at in range(30)
    ]
    assert every(deeds, asked=MODELS) is None


def test_all_items_deleted_one_by_one():
    deeds = [press("Delete", page=page) for page in pages(19)]
    assert every(deeds, asked=asked_by("Delete all items")) is None
    assert every(deeds, asked=asked_by("Empty the cart", step="Remove an item")) is None
    rows = [press("Delete", group=f"row: Item {at}", page=f"p{at}") for at in range(30)]
    assert every(rows, asked=MODELS) is None


@pytest.mark.parametrize(
    "asked",
    [asked_by("Click the + button 7 times"), asked_by("Make it 7 guests", step="Press +")],
)
def test_plus_seven_times(asked):
    deeds = [press("+") for _ in range(7)]
    assert every(deeds, asked=asked) is None
    assert every([*deeds, press("+")], asked=asked) is not None


def test_plus_seven_times_in_one_chain_of_a_model():
    deeds = [press("+", chain=1) for _ in range(7)]
    assert reflect(tuple(deeds), asked=MODELS) is None
    assert every([*deeds, *(press("+", chain=2) for _ in range(7))], asked=MODELS) is not None


@pytest.mark.parametrize(
    ("goal", "turns"),
    [("Go to page 25", 24), ("Go to the last page", 40), ("Open page 12 of the results", 11)],
)
def test_paging_to_a_page_that_was_named(goal, turns):
    deeds = [press("Next", page=page) for page in pages(turns)]
    assert every(deeds, asked=asked_by(goal)) is None
    assert every(deeds, asked=asked_by(goal, step="Click Next")) is None


def test_counting_on_over_pages():
    deeds = [press("Next", page=page, passed=10 * at) for at, page in enumerate(pages(15))]
    assert every(deeds) is None


def test_a_wizard_of_many_pages_with_something_entered_on_each():
    deeds = []
    for at in range(15):
        deeds += [
            deed("setValue", "1", f"v{at}", signature=("inp", f"Q{at}", ""), page=f"p{at}", chain=at + 1),
            press("Next", page=f"p{at}", chain=at + 1),
        ]  # fmt: skip
    assert every(deeds, asked=MODELS) is None


def test_each_record_opened_and_left_again():
    deeds = []
    for at in range(12):
        deeds += [
            press(f"Ann {at}", page="list", step=2 * at),
            press("Back", page=f"r{at}", step=2 * at + 1),
        ]
    assert every(deeds, asked=MODELS, ended=True) is None


def test_a_chain_of_many_presses_is_one_success():
    deeds = [press(f"Tag {at}", chain=2) for at in range(9)]
    assert every([press("Open", chain=1), *deeds], asked=MODELS) is None


def test_the_persons_own_steps_are_meant():
    turns = [("On", "a"), ("Off", "b")] * 2
    deeds = [press(name, page=page, step=at) for at, (name, page) in enumerate(turns)]
    assert every(deeds) is None


@pytest.mark.parametrize(
    ("goal", "times"),
    [
        ("Order 3 coffees", 3),
        ("Press it seven times", 7),
        ("Enter 2024-05-03 as date", 1),
        ("Enter 12.50 as amount", 1),
        ("Call 555 1234", 1),
        ("Like every post", 20),
    ],
)
def test_how_often_a_model_may_do_the_same(goal, times):
    assert asked_by(goal, step="Do it").times == times
