"""A goal without values, and how like another it is."""

import pytest

from app.reasoners.commands import parse
from app.skills.goals import goal_likeness, personal_values, strip_values
from tests.unit.skills.lessons.world import action, record


def free(goal: str) -> str:
    return strip_values(goal, personal_values(parse(goal)))


@pytest.mark.parametrize(
    ("goal", "kept"),
    [
        ("Add a new patient with name 'Jas'", "Add a new patient with name …"),
        ("add patient jas with phone 555 1234", "add patient jas with phone …"),
        ("Delete patient Jas Patel", "Delete patient …"),
        ("Click Save", "Click Save"),
        ("Open the Settings tab", "Open the Settings tab"),
        ("Write to ann@x.org that it is done", "Write to … that it is done"),
        ("Book an appointment for Maria Lopez on 12 May", "Book an appointment for … on …"),
        ("Go to https://a.example/?token=1 and click Save", "Go to … and click Save"),
    ],
)
def test_values_are_taken_out(goal, kept):
    assert free(goal) == kept


@pytest.mark.parametrize(
    ("goal", "secret"),
    [
        ("Log in with password hunter2", "hunter2"),
        ("Set the PIN to 4711 for Ann", "4711"),
        ("the password is “open sesame”, log in", "open sesame"),
        ("Change my Passwort: geheim99", "geheim99"),
    ],
)
def test_no_secret_stays(goal, secret):
    assert secret not in free(goal)


def test_what_was_typed_is_a_value_also_where_no_rule_read_it():
    typed = record(action("setValue", "3", "maria lopez"))
    goal = "whoever asked, put maria lopez on the list"
    assert (
        strip_values(goal, personal_values(parse(goal), [typed]))
        == "whoever asked, put … on the list"
    )


@pytest.mark.parametrize(
    ("goal", "like"),
    [
        ("Add a new patient with name 'Maria'", True),
        ("Add a patient named Bob", True),
        ("Create a new patient Bob", True),
        ("Add a doctor named Bob", False),
        ("Delete patient Bob", False),
        ("Click Save", False),
    ],
)
def test_the_same_goal_with_other_values_is_alike(goal, like):
    stored = free("Add a new patient with name 'Jas'")
    assert (goal_likeness(stored, goal, personal_values(parse(goal))) >= 0.6) is like


def test_goals_that_share_a_verb_are_not_alike():
    assert goal_likeness("Click Save", "Click Save") == 1
    assert goal_likeness("Click Save", "Click Cancel") < 0.6
    assert goal_likeness("", "Click Cancel") == 0
