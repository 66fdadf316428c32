"""Going round in circles is noticed; working through a form or a list is not."""

from app.recovery.loops import reflect
from tests.unit.recovery.acts import deed


def test_nothing_done_is_no_loop():
    assert reflect(()) is None


def test_the_same_action_on_the_same_page_is_a_loop():
    said = reflect((deed(description="Click Next"),) * 3)
    assert said is not None
    assert "Click Next" in said


def test_several_elements_of_one_name_are_several():
    same = {"signature": ("btn", "Next", "")}
    assert reflect(tuple(deed("click", str(at), **same) for at in range(3))) is None
    assert reflect(tuple(deed("click", "1", **same) for _ in range(3)))


def test_asked_for_three_times_it_may_be_done_three_times():
    assert reflect((deed(),) * 3, times=3) is None
    assert reflect((deed(),) * 4, times=3)


def test_the_same_action_on_other_pages_is_none():
    assert reflect(tuple(deed(page=str(i)) for i in range(8))) is None


def test_the_same_action_in_another_step_is_none():
    assert reflect(tuple(deed(step=at) for at in range(4))) is None


def test_what_failed_may_be_tried_again():
    assert reflect((deed(status="failure"), deed(purpose="correct"), deed())) is None


def test_five_successes_without_progress_are_a_loop():
    pages = ["a", "b", "a", "b", "a", "b", "a"]
    deeds = tuple(deed("click", str(i), page=p) for i, p in enumerate(pages))
    assert reflect(deeds[:6]) is None
    said = reflect(deeds)
    assert said is not None
    assert "5 actions" in said


def test_filling_a_long_form_is_progress():
    assert reflect(tuple(deed("setValue", str(i), "x") for i in range(12))) is None


def test_ended_steps_are_progress():
    assert reflect(tuple(deed("click", str(i), step=i) for i in range(12))) is None


def test_scrolling_a_little_is_allowed():
    assert reflect((deed("scroll", "page", "down"),) * 3) is None
    assert reflect((deed("scroll", "page", "down"),) * 4)


def test_what_was_asked_for_many_times_is_no_loop():
    deeds = tuple(deed("click", "1", page="a") for _ in range(8))
    assert reflect(deeds, times=8) is None
    assert reflect(deeds, times=3)
