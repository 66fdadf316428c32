"""What is stopped, and that the reason names what repeats."""

from app.recovery.progress import find_loop
from tests.unit.recovery.acts import press, record


def test_two_actions_in_turn_on_the_same_two_pages():
    turn = [press("Edit", page="list"), press("Cancel", page="form")]
    records = tuple(one.model_copy(update={"step": at}) for at, one in enumerate(turn * 3))
    assert find_loop(records[:4], own=False) is None
    assert "Click Edit" in find_loop(records[:5], own=False)


def test_the_same_in_ever_new_steps_of_a_model():
    records = tuple(press("Refresh", step=at) for at in range(3))
    assert find_loop(records[:2], own=False, ended=True) is None
    said = find_loop(records, own=False, ended=True)
    assert "Click Refresh" in said
    assert "3 times" in said


def test_the_page_that_just_came_is_progress():
    seen = ["a", "b", "a", "b", "a", "b", "a"]
    records = tuple(record("click", str(i), page=p) for i, p in enumerate(seen))
    assert find_loop(records, current_fingerprint=lambda: "c") is None
    assert find_loop(records, current_fingerprint=lambda: "a") is not None


def test_a_step_that_just_ended_is_progress():
    seen = ["a", "b", "a", "b", "a", "b", "a"]
    records = tuple(record("click", str(i), page=p) for i, p in enumerate(seen))
    assert find_loop(records, ended=True) is None
