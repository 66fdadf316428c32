"""The checks of the bench of real applications."""

import pytest

from bench.apps.catalogue import APPS
from bench.apps.goal import Goal, Like, amount, difference

STATE = {"bills": {"1": {"what": "Taxi", "amount": 24.6}}}


def _raised(state: dict[str, dict[str, dict[str, object]]]) -> None:
    state["bills"]["1"]["amount"] = 30.0


def test_the_expected_state_leaves_the_one_before_as_it_was() -> None:
    goal = Goal(id="x", words="x", becomes=_raised)
    after = goal.expected(STATE)
    assert difference(after, STATE) == ["/bills/1/amount: 30.0 expected, found 24.6"]
    assert difference(after, {"bills": {"1": {"what": "Taxi", "amount": 30.0}}}) == []


def test_what_is_missing_or_too_much_is_a_difference() -> None:
    assert difference({"a": 1}, {"b": 1}) == [
        "/a: 1 expected, found None",
        "/b: None expected, found 1",
    ]


def test_like_leaves_open_what_a_goal_leaves_open() -> None:
    assert difference({"text": [Like(r"^on friday\.?$")]}, {"text": ["On Friday."]}) == []
    assert difference({"text": Like("friday")}, {"text": None}) != []


@pytest.mark.parametrize(
    ("value", "said", "holds"),
    [
        (54.0, "It cost 54 EUR", True),
        (54.0, "It cost 54.00 EUR.", True),
        (54.0, "It cost 154 EUR", False),
        (54.0, "It cost 54.30 EUR", False),
        (118.4, "118,40 €", True),
        (118.4, "118.4", True),
        (1780.0, "1,780.00 EUR", True),
        (88.29, "88.2", False),
    ],
)
def test_sums_are_found_as_people_write_them(value: float, said: str, holds: bool) -> None:
    goal = Goal(id="x", words="x", says=lambda _: [amount(value)])
    assert goal.answered({}, said) is holds


def test_every_goal_can_be_named_and_a_fifth_must_not_simply_be_done() -> None:
    goals = [goal for app in APPS.values() for goal in app.goals]
    assert len({goal.id for goal in goals}) == len(goals) >= 50
    careful = [goal for goal in goals if goal.kind in ("impossible", "dangerous", "ambiguous")]
    assert len(careful) * 5 >= len(goals)
    assert all(goal.becomes is None for goal in goals if goal.ends == "not done")
