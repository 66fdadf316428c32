"""Legitimate repetition is not stopped."""

from app.reasoners.commands import parse
from app.reasoners.commands.expansion import plan_instruction
from app.recovery.progress import find_loop, requested_repeats
from tests.unit.recovery.acts import deed, pages, press


def asked_by(goal):
    """How often the goal's own step does the same."""
    return requested_repeats(plan_instruction(parse(goal)))


def every(deeds, **more):
    """The first reason to stop at any moment of the run."""
    looks = (find_loop(tuple(deeds[: at + 1]), **more) for at in range(len(deeds)))
    return next(filter(None, looks), None)


def test_thirty_rows_filled_in():
    deeds = [
        deed("setValue", str(at), f"v{at}", signature=("inp", "Amount", f"row: {at}"), page=page)
        for at, page in enumerate(pages(30))
    ]
    assert every(deeds) is None
    assert every(deeds, own=False) is None


def test_thirty_boxes_ticked_in_three_chains():
    deeds = [
        press(f"Row {at}", role="chk", page=f"p{at // 10}", chain=1 + at // 10) for at in range(30)
    ]
    assert every(deeds, own=False) is None


def test_all_items_deleted_one_by_one():
    deeds = [press("Delete", page=page) for page in pages(19)]
    assert every(deeds, times=asked_by("Delete all items")) is None
    assert every(deeds, own=False) is None
    rows = [press("Delete", group=f"row: Item {at}", page=f"p{at}") for at in range(30)]
    assert every(rows, own=False) is None


def test_plus_seven_times():
    deeds, times = [press("+") for _ in range(7)], asked_by("Click the + button 7 times")
    assert every(deeds, times=times) is None
    assert every([*deeds, press("+")], times=times) is not None


def test_plus_seven_times_in_one_chain_of_a_model():
    deeds = [press("+", chain=1) for _ in range(7)]
    assert find_loop(tuple(deeds), own=False) is None
    again = [press("+", chain=chain) for chain in (2, 3) for _ in range(7)]
    assert every([*deeds, *again], own=False) is not None


def test_a_list_of_many_pages():
    deeds = [press("Next", page=page) for page in pages(19)]
    assert every(deeds) is None
    assert every(deeds, own=False) is None


def test_try_again_is_pressed_twice():
    deeds = [press("Try again"), press("Try again")]
    assert every(deeds) is None
    assert every(deeds, own=False) is None


def test_counting_on_over_pages():
    deeds = [press("Next", page=page) for page in pages(45)]
    assert every(deeds) is None


def test_a_wizard_of_many_pages_with_something_entered_on_each():
    deeds = []
    for at in range(15):
        deeds += [
            deed("setValue", "1", f"v{at}", signature=("inp", f"Q{at}", ""), page=f"p{at}", chain=at + 1),
            press("Next", page=f"p{at}", chain=at + 1),
        ]  # fmt: skip
    assert every(deeds, own=False) is None


def test_each_record_opened_and_left_again():
    deeds = []
    for at in range(12):
        deeds += [
            press(f"Ann {at}", page="list", step=2 * at),
            press("Back", page=f"r{at}", step=2 * at + 1),
        ]
    assert every(deeds, own=False, ended=True) is None


def test_a_chain_of_many_presses_is_one_success():
    deeds = [press(f"Tag {at}", chain=2) for at in range(9)]
    assert every([press("Open", chain=1), *deeds], own=False) is None


def test_the_persons_own_steps_are_meant():
    turns = [("On", "a"), ("Off", "b")] * 2
    deeds = [press(name, page=page, step=at) for at, (name, page) in enumerate(turns)]
    assert every(deeds) is None
