"""What is remembered of a task, and when it comes to mind again."""

from typing import Any

import pytest

from app.domain.action import action
from app.domain.memory import Episode
from app.domain.page import Node
from app.domain.plan import Outcome
from app.reasoners.commands import parse
from app.skills.goals import personal_values
from app.skills.recall import Meaning, describe_past_attempt, make_episode, recall_episodes
from tests.unit.skills.lessons.world import GOAL, NOW, PATIENT, record

NAME = Node(id="20", role="inp", name="Name")
FAILED = Outcome(status="failed", message="Birthday is required for 'Jas'")


def episode(**over: Any) -> Episode:
    fields: dict[str, Any] = {
        "episode_id": "1",
        "tenant": "a",
        "user": "u",
        "domain": "crm.example",
        "goal": "Add a new patient with name …",
        "status": "completed",
        "summary": "Completed: Click Save",
        "created_at": NOW,
    }
    return Episode.model_validate(fields | over)


def like(goal: str, *known: Episode, vector=(), embedder=""):
    return recall_episodes(
        known, goal, Meaning(vector=vector, embedder=embedder), personal_values(parse(goal))
    )


def test_it_says_what_was_tried_and_worked_without_values():
    records = [
        record(action("setValue", "20", "Jas"), NAME, description="Enter 'Jas' in Name"),
        record(action("click", "22"), PATIENT, "failure", description="Click Save",
             note="Birthday is required for Jas"),
    ]  # fmt: skip
    goal, summary, tried, worked, facts = make_episode(
        goal=GOAL, instruction=parse(GOAL), records=records, outcome=FAILED
    )
    assert goal == "Add a new patient with name …"
    assert summary == "It failed: Birthday is required for …"
    assert tried == ("Enter … in Name", "Click Save")
    assert worked == ("Enter … in Name",)
    assert facts == ("Birthday is required for …",)


def test_a_secret_is_in_none_of_it():
    goal = "Log in with password hunter2 and open Reports"
    records = [record(action("setValue", "3", "hunter2"), description="Enter hunter2")]
    made = make_episode(
        goal=goal, instruction=parse(goal), records=records, outcome=FAILED, hidden={"hunter2"}
    )
    assert "hunter2" not in str(made)


@pytest.mark.parametrize(
    ("goal", "remembered"),
    [("Add a new patient with name 'Maria'", True), ("Delete patient Bob", False)],
)
def test_a_goal_like_it_brings_it_to_mind(goal, remembered):
    assert bool(like(goal, episode())) is remembered


def test_three_at_most_the_likest_first_and_the_same_told_once():
    known = [
        episode(episode_id=str(at), goal=goal, summary=summary)
        for at, (goal, summary) in enumerate(
            [("Add a patient", "1"), ("Add a new patient with name …", "2"),
             ("Add a new patient with name …", "2"), ("Add a new patient", "3"),
             ("Add new patient name", "4")]
        )
    ]  # fmt: skip
    found = like(GOAL, *known)
    assert len(found) == 3
    assert found[0].goal == "Add a new patient with name …"
    assert len({one.summary for one in found}) == 3


def test_meaning_counts_where_the_same_model_made_it():
    near = episode(goal="Register somebody", vector=(1.0, 0.0), embedder="m")
    other = near.model_copy(update={"goal": "Add a new patient with name …", "embedder": "n"})
    assert like("Enrol a client", near, vector=(1.0, 0.0), embedder="m") == ()
    assert like(GOAL, other, vector=(0.0, 1.0), embedder="m")
    opposite = other.model_copy(update={"embedder": "m"})
    assert like(GOAL, opposite, vector=(0.0, 1.0), embedder="m") == ()


@pytest.mark.parametrize(
    ("status", "facts", "told"),
    [
        ("completed", (), "This was done here before."),
        ("failed", ("Birthday is required",), "This failed here before. Birthday is required"),
        ("interrupted", (), None),
    ],
)
def test_it_is_said_only_of_the_very_goal(status, facts, told):
    known = episode(status=status, facts=facts)
    assert describe_past_attempt(like(GOAL, known)) == told
    assert describe_past_attempt(like("Add a patient named Bob", known)) is None
