"""What happened to a task, told from two looks at it."""

from datetime import UTC, datetime
from itertools import pairwise

from app.hitl.events import TaskProgress, events_since, initial_events

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def told(*looks: TaskProgress) -> list[list[str]]:
    return [[event.type for event in events_since(a, b)] for a, b in pairwise(looks)]


def stands(**more: object) -> TaskProgress:
    return TaskProgress.model_validate({"status": "executing", "at": NOW} | more)


def asked(status: str, hitl_id: str = "h", **more: object) -> TaskProgress:
    return stands(status="awaiting_user", hitl_id=hitl_id, hitl_status=status, **more)


def test_nothing_is_told_of_nothing() -> None:
    assert told(stands(), stands(), asked("pending"), asked("pending")) == [[], ["asked"], []]


def test_a_question_and_its_end() -> None:
    for end in ("answered", "cancelled", "expired"):
        assert told(asked("pending"), asked(end)) == [[end]]
    missed = told(asked("answered"), asked("answered", "second"))
    assert missed == [["asked", "answered"]]  # both happened between two looks


def test_a_pause_and_its_end() -> None:
    assert told(stands(), stands(paused=True), stands()) == [["paused"], ["resumed"]]


def test_an_end_is_the_last_thing_and_no_pause_is_one() -> None:
    assert told(stands(), stands(status="interrupted")) == [["ended"]]
    assert told(stands(), stands(status="interrupted", paused=True)) == [["paused"]]
    assert [event.type for event in initial_events(stands(status="failed"))] == [
        "standing",
        "ended",
    ]


def test_a_question_that_is_over_is_not_said_to_wait() -> None:
    assert initial_events(asked("pending"))[0].hitl_id == "h"
    assert initial_events(asked("expired"))[0].hitl_id is None
