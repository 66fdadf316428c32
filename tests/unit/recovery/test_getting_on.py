"""Legitimate repetition is not stopped."""

from app.reasoners.commands import parse
from app.reasoners.commands.expansion import plan_instruction
from app.recovery.progress import find_loop, requested_repeats
from tests.unit.recovery.acts import pages, press, record


def asked_by(goal):
    """How often the goal's own step does the same."""
    return requested_repeats(plan_instruction(parse(goal)))


def every(records, **more):
    """The first reason to stop at any moment of the run."""
    looks = (find_loop(tuple(records[: at + 1]), **more) for at in range(len(records)))
    return next(filter(None, looks), None)


def test_thirty_rows_filled_in():
    records = [
        record("setValue", str(at), f"v{at}", signature=("inp", "Amount", f"row: {at}"), page=page)
        for at, page in enumerate(pages(30))
    ]
    assert every(records) is None
    assert every(records, own=False) is None


def test_thirty_boxes_ticked_in_three_chains():
    records = [
        press(f"Row {at}", role="chk", page=f"p{at // 10}", chain=1 + at // 10) for at in range(30)
    ]
    assert every(records, own=False) is None


def test_all_items_deleted_one_by_one():
    records = [press("Delete", page=page) for page in pages(19)]
    assert every(records, times=asked_by("Delete all items")) is None
    assert every(records, own=False) is None
    rows = [press("Delete", group=f"row: Item {at}", page=f"p{at}") for at in range(30)]
    assert every(rows, own=False) is None


def test_plus_seven_times():
    records, times = [press("+") for _ in range(7)], asked_by("Click the + button 7 times")
    assert every(records, times=times) is None
    assert every([*records, press("+")], times=times) is not None


def test_plus_seven_times_in_one_chain_of_a_model():
    records = [press("+", chain=1) for _ in range(7)]
    assert find_loop(tuple(records), own=False) is None
    again = [press("+", chain=chain) for chain in (2, 3) for _ in range(7)]
    assert every([*records, *again], own=False) is not None


def test_a_list_of_many_pages():
    records = [press("Next", page=page) for page in pages(19)]
    assert every(records) is None
    assert every(records, own=False) is None


def test_try_again_is_pressed_twice():
    records = [press("Try again"), press("Try again")]
    assert every(records) is None
    assert every(records, own=False) is None


def test_counting_on_over_pages():
    records = [press("Next", page=page) for page in pages(45)]
    assert every(records) is None


def test_a_wizard_of_many_pages_with_something_entered_on_each():
    records = []
    for at in range(15):
        records += [
            record("setValue", "1", f"v{at}", signature=("inp", f"Q{at}", ""), page=f"p{at}", chain=at + 1),
            press("Next", page=f"p{at}", chain=at + 1),
        ]  # fmt: skip
    assert every(records, own=False) is None


def test_each_record_opened_and_left_again():
    records = []
    for at in range(12):
        records += [
            press(f"Ann {at}", page="list", step=2 * at),
            press("Back", page=f"r{at}", step=2 * at + 1),
        ]
    assert every(records, own=False, ended=True) is None


def test_a_chain_of_many_presses_is_one_success():
    records = [press(f"Tag {at}", chain=2) for at in range(9)]
    assert every([press("Open", chain=1), *records], own=False) is None


def test_the_persons_own_steps_are_meant():
    turns = [("On", "a"), ("Off", "b")] * 2
    records = [press(name, page=page, step=at) for at, (name, page) in enumerate(turns)]
    assert every(records) is None
