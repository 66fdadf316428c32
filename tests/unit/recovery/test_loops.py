"""Going round in circles is noticed; working through a form or a list is not."""

from app.recovery.progress import find_loop
from tests.unit.recovery.acts import record


def test_nothing_done_is_no_loop():
    assert find_loop(()) is None


def test_the_same_action_on_the_same_page_is_a_loop():
    said = find_loop((record(description="Click Next"),) * 3)
    assert said is not None
    assert "Click Next" in said


def test_several_elements_of_one_name_are_several():
    same = {"signature": ("btn", "Next", "")}
    assert find_loop(tuple(record("click", str(at), **same) for at in range(3))) is None
    assert find_loop(tuple(record("click", "1", **same) for _ in range(3)))


def test_asked_for_three_times_it_may_be_done_three_times():
    assert find_loop((record(),) * 3, times=3) is None
    assert find_loop((record(),) * 4, times=3)


def test_the_same_action_on_other_pages_is_none():
    assert find_loop(tuple(record(page=str(i)) for i in range(8))) is None


def test_the_same_action_in_another_step_is_none():
    assert find_loop(tuple(record(step=at) for at in range(4))) is None


def test_what_failed_may_be_tried_again():
    assert find_loop((record(status="failure"), record(purpose="correct"), record())) is None


def test_five_successes_without_progress_are_a_loop():
    pages = ["a", "b", "a", "b", "a", "b", "a"]
    records = tuple(record("click", str(i), page=p) for i, p in enumerate(pages))
    assert find_loop(records[:6]) is None
    said = find_loop(records)
    assert said is not None
    assert "5 actions" in said


def test_filling_a_long_form_is_progress():
    assert find_loop(tuple(record("setValue", str(i), "x") for i in range(12))) is None


def test_ended_steps_are_progress():
    assert find_loop(tuple(record("click", str(i), step=i) for i in range(12))) is None


def test_scrolling_a_little_is_allowed():
    assert find_loop((record("scroll", "page", "down"),) * 3) is None
    assert find_loop((record("scroll", "page", "down"),) * 4)


def test_what_was_asked_for_many_times_is_no_loop():
    records = tuple(record("click", "1", page="a") for _ in range(8))
    assert find_loop(records, times=8) is None
    assert find_loop(records, times=3)
