"""A picture that did not change is not sent again, and is still there to be looked at."""

from app.agent.pictures import Pictures
from app.domain.page import Observation

ONE, TWO = b"\xff\xd8\xff1", b"\xff\xd8\xff2"


def page(picture=None, mode="hybrid"):
    return Observation(url="http://x.test", mode=mode, screenshot=picture)


def test_the_last_picture_of_the_task_is_shown_again():
    kept = Pictures()
    assert kept.recalled("a", "t", page(ONE)).screenshot == ONE
    assert kept.recalled("a", "t", page()).screenshot == ONE
    assert kept.recalled("a", "t", page(TWO)).screenshot == TWO
    assert kept.recalled("a", "t", page()).screenshot == TWO


def test_no_task_and_no_tenant_sees_anothers():
    kept = Pictures()
    kept.recalled("a", "t", page(ONE))
    assert kept.recalled("a", "other", page()).screenshot is None
    assert kept.recalled("b", "t", page()).screenshot is None


def test_a_look_without_a_picture_gets_none():
    kept = Pictures()
    kept.recalled("a", "t", page(ONE))
    assert kept.recalled("a", "t", page(mode="skeleton")).screenshot is None


def test_few_are_kept():
    kept = Pictures(most=2)
    for task in ("1", "2", "3"):
        kept.recalled("a", task, page(ONE))
    assert [kept.recalled("a", task, page()).screenshot for task in "123"] == [None, ONE, ONE]
