"""What of a task is kept as a recipe: what worked, in few steps."""

import pytest

from app.domain.action import action
from app.skills import NotARecipe, list_acts
from tests.unit.skills.recipes.made import (
    FORM,
    SHOWN,
    act,
    adding,
    click,
    draft,
    enter,
    record,
    row,
)


def told(made):
    return [[action.name for action in step.actions] for step in made.steps]


def test_what_was_there_together_is_one_step():
    assert told(draft(adding())) == [["click"], ["click"], ["setValue", "setValue", "click"]]


def test_each_step_knows_what_showed_that_it_was_done():
    first, second, last = draft(adding()).steps
    assert [ref.name for ref in first.check.appears] == ["New"]
    assert (second.check.path, second.check.appears[0].name) == ("/patients/new", "Name")
    assert (last.check.path, last.check.says_success) == ("/", True)


def test_nothing_navigating_stands_in_the_middle_of_a_step():
    acts = adding()
    saved_twice = [*acts, enter("Jas Patel", "Name", trip=5, path="/patients/new", skeleton=SHOWN)]
    assert told(draft(saved_twice))[-2:] == [["setValue", "setValue", "click"], ["setValue"]]


def test_a_field_that_appears_only_after_another_is_a_step_of_its_own():
    acts = [
        enter("Jas Patel", "Name", trip=0, skeleton=f"{FORM}: inp Name"),
        enter("555 1234", "Phone", trip=1, skeleton=SHOWN),
    ]
    assert told(draft(acts)) == [["setValue"], ["setValue"]]


def test_failed_tries_and_waits_are_no_acts():
    records = [
        record("click", "1", i=0, status="failure"),
        record("wait", 500, i=1),
        record("click", "2", i=2, signature=("btn", "Save", "")),
        record("click", "3", i=3, status="unknown"),
    ]
    acts = list_acts(records, [row(i, i) for i in range(4)])
    assert [one.element.name for one in acts if one.element] == ["Save"]


def test_an_overlay_that_was_put_away_may_be_missing_the_next_time():
    away = record("click", "1", signature=("btn", "Close", "dialog: News"), purpose="correct")
    (aside,) = list_acts([away], [row(0, 0)])
    made = draft([aside, *adding()])
    assert made.steps[0].actions[0].can_fail
    assert told(made)[0] == ["click"]


@pytest.mark.parametrize(
    ("acts", "why"),
    [
        ([act(action("clickAt", 5, 5), trip=0)], "point"),
        ([], "Nothing was done"),
        ([click("link", "A", trip=0), click("link", "B", trip=1, path="").model_copy(
            update={"url": "https://other.example/"})], "more than one site"),
        ([act(action("switchTab", 1), trip=0)], "tab"),
        ([enter("Zed", "Name", trip=0, origin=None)], "Nobody named"),
        ([click("btn", "Edit", "table > row: Ann Bo", trip=0)], "record the goal does not name"),
        ([act(action("navigate", "https://crm.example/patients/77"), trip=0)], "one record"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_again_by_rule_is_refused_with_the_reason(acts, why):
    with pytest.raises(NotARecipe, match=why):
        draft(acts)
