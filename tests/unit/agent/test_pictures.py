"""A picture that did not change is not sent again, and is still there to be looked at."""

from dataclasses import replace

from app.agent.context import ScreenshotCache
from app.domain.page import Node, Observation, Tree

ONE, TWO = b"\xff\xd8\xff1", b"\xff\xd8\xff2"


def page(picture=None, mode="hybrid"):
    return Observation(url="http://x.test", mode=mode, screenshot=picture)


def test_the_last_picture_of_the_task_is_shown_again():
    kept = ScreenshotCache()
    assert kept.restore("a", "t", page(ONE)).screenshot == ONE
    assert kept.restore("a", "t", page()).screenshot == ONE
    assert kept.restore("a", "t", page(TWO)).screenshot == TWO
    assert kept.restore("a", "t", page()).screenshot == TWO


def test_no_task_and_no_tenant_sees_anothers():
    kept = ScreenshotCache()
    kept.restore("a", "t", page(ONE))
    assert kept.restore("a", "other", page()).screenshot is None
    assert kept.restore("b", "t", page()).screenshot is None


def test_a_look_without_a_picture_gets_none():
    kept = ScreenshotCache()
    kept.restore("a", "t", page(ONE))
    assert kept.restore("a", "t", page(mode="skeleton")).screenshot is None


def test_one_that_came_unasked_is_looked_at_where_the_list_says_little():
    drawn = Tree((Node(id="1", role="img", name="canvas", looks="8f3a"),))
    named = Tree((Node(id="1", role="btn", name="Save"),))
    for tree, seen in ((drawn, ONE), (Tree(), ONE), (named, None)):
        shown = replace(page(ONE, mode="semantic_v3"), tree=tree, pictured=True)
        assert ScreenshotCache().restore("a", "t", shown).screenshot == seen


def test_few_are_kept():
    kept = ScreenshotCache(most=2)
    for task in ("1", "2", "3"):
        kept.restore("a", task, page(ONE))
    assert [kept.restore("a", task, page()).screenshot for task in "123"] == [None, ONE, ONE]
