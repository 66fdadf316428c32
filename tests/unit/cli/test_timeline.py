"""The timeline of a task in a terminal."""

from typing import Any

from app.cli.run import timeline
from app.cli.run.timeline import read_timeline


def task(**changes: Any) -> dict[str, Any]:
    action = {
        "actionId": "a1",
        "stepIndex": 0,
        "thought": "The form is behind a menu",
        "action": 'click("7")',
        "description": "Open the Patient menu",
        "status": "success",
        "verification": {"confidence": 0.97, "reason": "a menu opened"},
        "metrics": {"serverMs": 4.25},
    }
    pending = {
        **action,
        "actionId": "a2",
        "stepIndex": 1,
        "status": "pending",
        "verification": None,
    }
    usage = {"inputTokens": 100, "outputTokens": 20, "costUsd": 0.5, "modelCalls": 2}
    whole = {"taskId": "t", "status": "executing", "actions": [action, pending], "usage": usage}
    return {**whole, "metrics": {}, **changes}


def test_step_shows_action_and_verification() -> None:
    done, pending = read_timeline(task()).steps
    line = timeline.format_step(done, 120)
    for part in (
        "The form is behind a menu",
        'click("7")',
        "ok 0.97 a menu opened",
        "4.2 ms",
        "120",
    ):
        assert part in line
    assert (done.is_settled, pending.is_settled) == (True, False)


def test_lines_are_aligned() -> None:
    long = task()["actions"][0]
    long |= {"thought": "x" * 500, "action": "a\nb", "status": "failure", "stepIndex": 12}
    steps = read_timeline(task(actions=[*task()["actions"], long])).steps
    assert (
        len(
            {
                len(line)
                for line in [timeline.format_header(), *(timeline.format_step(s, 7) for s in steps)]
            }
        )
        == 1
    )


def test_round_trips_are_the_servers_count_or_steps_plus_one() -> None:
    assert read_timeline(task()).round_trips == 3
    assert read_timeline(task(metrics={"roundTrips": 5.0})).round_trips == 5


def test_summary_has_time_tokens_and_cost() -> None:
    assert timeline.format_summary(read_timeline(task()), 3.21) == (
        "3 round trips, 3.2 s, 120 tokens (2 calls, $0.5000)"
    )
    assert "no model" in timeline.format_summary(
        read_timeline(task(usage=task()["usage"] | {"modelCalls": 0})), 1.0
    )
