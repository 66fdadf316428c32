"""What is stopped, and that the reason names what repeats."""

from app.engines.loops import reflect
from tests.unit.loops.acts import deed, pages, press


def test_two_actions_in_turn_on_the_same_two_pages():
    turn = [press("Edit", page="list"), press("Cancel", page="form")]
    deeds = tuple(one.model_copy(update={"step": at}) for at, one in enumerate(turn * 3))
    assert reflect(deeds[:4], own=False) is None
    assert "Click Edit" in reflect(deeds[:5], own=False)


def test_the_same_in_ever_new_steps_of_a_model():
    deeds = tuple(press("Refresh", step=at) for at in range(3))
    assert reflect(deeds[:2], own=False, ended=True) is None
    said = reflect(deeds, own=False, ended=True)
    assert "Click Refresh" in said
    assert "3 times" in said


def test_page_after_page_without_end():
    deeds = tuple(press("Next", page=page) for page in pages(21))
    assert reflect(deeds[:20]) is None
    said = reflect(deeds)
    assert "20 actions" in said
    assert "Click Next" in said


def test_a_page_that_changes_by_itself_hides_no_loop():
    deeds = tuple(press(f"B{at % 3}", page=page) for at, page in enumerate(pages(24)))
    assert reflect(deeds[:22]) is None
    said = reflect(deeds)
    assert "keeps changing" in said
    assert "Click B1" in said


def test_the_page_that_just_came_is_progress():
    seen = ["a", "b", "a", "b", "a", "b", "a"]
    deeds = tuple(deed("click", str(i), page=p) for i, p in enumerate(seen))
    assert reflect(deeds, now=lambda: "c") is None
    assert reflect(deeds, now=lambda: "a") is not None


def test_a_step_that_just_ended_is_progress():
    seen = ["a", "b", "a", "b", "a", "b", "a"]
    deeds = tuple(deed("click", str(i), page=p) for i, p in enumerate(seen))
    assert reflect(deeds, ended=True) is None
