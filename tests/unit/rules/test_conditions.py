"""A step that depends on something is done where that is there, and skipped where it is not."""

import pytest

from app.engines.planning.steps import plan_of
from app.reasoners.rules.parse import parse
from tests.unit.rules.pages import Page, node, run

BANNER = [node("1", "btn", "Close", group="dialog: Cookies"), node("2", "btn", "Save")]
GOAL = "If a cookie banner shows, close it, then click Save"


def test_what_is_there_is_dismissed():
    assert run(Page(BANNER), *parse(GOAL).directives).calls == ['click("1")', 'click("2")']


def test_what_is_not_there_is_passed_over():
    done = run(Page(BANNER[1:]), *parse(GOAL).directives)
    assert done.calls == ['click("2")']
    assert done.last.outcome != "missing"


@pytest.mark.parametrize("states", [(), ("checked",)])
def test_a_box_is_checked_only_when_it_is_not(states):
    page = Page([node("1", "chk", "Newsletter", *states)])
    done = run(page, *parse("if Newsletter is unchecked, check it").directives)
    assert done.calls == ([] if states else ['setChecked("1", true)'])


def test_the_plan_says_the_condition():
    [step, _] = plan_of(parse(GOAL)).steps
    assert step.description.startswith("If there is a cookie banner")
