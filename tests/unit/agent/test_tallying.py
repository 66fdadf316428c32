"""What a pass adds to the counts of its task, and that nothing is counted twice."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.agent.persistence.report import MAX_RUN_TIMES, tally_run, task_counters
from app.agent.persistence.rows import task_metrics, task_row
from app.agent.persistence.run_result import RunResult
from app.agent.request import InteractCall
from app.agent.state import new_state
from app.domain.access import Principal
from app.domain.action import Action, ActionRecord, Chain, ClientReport, PlannedAction
from app.domain.hitl import HitlResult, Question
from app.domain.page import Observation
from app.domain.plan import Outcome

NOW = datetime(2026, 11, 22, tzinfo=UTC)
CLICK = Action(name="click", args={"id": "1"})


def chain(*ids: str) -> Chain:
    return Chain(
        actions=tuple(PlannedAction(action_id=i, action=CLICK, description="") for i in ids)
    )


def state(**more: Any) -> Any:
    return new_state("g", request_id="r1", trace_id="t") | more


def records(**statuses: Any) -> list[ActionRecord]:
    return [
        ActionRecord(action=CLICK, action_id=i, status=status) for i, status in statuses.items()
    ]


def passed(before: Any, after: Any, **more: Any) -> RunResult:
    page = Observation(url="https://x.test")
    call = InteractCall(
        principal=Principal(tenant="one", user="ann"), request_id="r2", body_hash="", trace_id="t",
        page=page, report=ClientReport(),
    )  # fmt: skip
    waited = before["unverified_chain"] if before else None
    waiting = frozenset(one.action_id for one in waited.actions) if waited else frozenset()
    known: dict[str, Any] = {"task": None, "server_ms": 12.5} | more
    return RunResult(
        call=call, state=after, task_id="k", session_id="s", open_actions=waiting, now=NOW,
        state_before=before, **known,
    )  # fmt: skip


def after_chain(*ids: str, **statuses: Any) -> RunResult:
    """A chain of these was waited for, and this is what became of it."""
    sent, following = chain(*ids), chain("next")
    return passed(
        state(chain=sent, unverified_chain=sent),
        state(
            chain=following, unverified_chain=following, action_records=records(**statuses), steps=2
        ),
    )


def test_a_chain_that_worked_saves_all_its_round_trips_but_one():
    done = after_chain("a", "b", "c", a="success", b="success", c="success")
    tally = tally_run(done)
    assert (
        tally.chain_length,
        tally.actions_started,
        tally.actions_succeeded,
        tally.round_trips_saved,
        tally.chain_succeeded,
    ) == (3, 3, 3, 2, True)
    assert task_counters(done) == {
        "actions": 3, "chains": 1, "chainsWhole": 1, "chainActions": 3, "chainActionsDone": 3,
        "roundTripsSaved": 2,
    }  # fmt: skip


def test_one_that_was_stopped_saves_what_was_begun():
    done = after_chain("a", "b", "c", "d", a="success", b="failure")  # c and d were never begun
    tally = tally_run(done)
    assert (
        tally.chain_length,
        tally.actions_started,
        tally.actions_succeeded,
        tally.round_trips_saved,
    ) == (4, 2, 1, 1)
    assert not tally.chain_succeeded
    assert "chainsWhole" not in task_counters(done)


def test_one_action_is_no_chain():
    done = after_chain("a", a="success")
    assert task_counters(done) == {"actions": 1}
    assert not tally_run(done).chain_succeeded


def test_a_chain_whose_effect_is_waited_for_is_counted_once_it_is_settled():
    sent, waits = chain("a", "b"), chain("w")
    unsure = records(a="success", b="unknown")
    waiting = state(chain=waits, unverified_chain=sent, action_records=unsure)
    assert task_counters(passed(state(chain=sent, unverified_chain=sent), waiting)) == {}
    ended = Outcome(status="completed", message="")
    settled = state(
        unverified_chain=sent, action_records=records(a="success", b="success"), outcome=ended
    )
    assert task_counters(passed(waiting, settled))["chainsWhole"] == 1


@pytest.mark.parametrize("before", [None, state()])
def test_a_pass_with_nothing_before_it_settles_nothing(before):
    assert (
        task_counters(
            passed(before, state(chain=chain("a", "b"), unverified_chain=chain("a", "b")))
        )
        == {}
    )


def test_the_row_adds_up_over_passes_and_keeps_their_times():
    first = task_row(after_chain("a", "b", a="success", b="success"))
    again = after_chain("c", "d", c="success", d="failure")
    second = task_row(passed(again.state_before, again.state, task=first, server_ms=30.0))
    wanted = {"chains": 2, "chainsWhole": 1, "actions": 4, "roundTripsSaved": 2, "roundTrips": 2}
    assert second.metrics.items() >= wanted.items()
    assert second.pass_ms == (12.5, 30.0)
    long = passed(None, state(), task=first.model_copy(update={"pass_ms": (1.0,) * MAX_RUN_TIMES}))
    assert task_row(long).pass_ms == (*[1.0] * (MAX_RUN_TIMES - 1), 12.5)


@pytest.mark.parametrize(
    ("decision", "kind"), [("approved", "approval"), ("refused", "approval"), ("expired", None)]
)
def test_an_answer_is_counted_once_whichever_door_it_came_through(decision, kind):
    asked = Question(text="?", kind="approval", hitl_id="h")
    said = {"h": HitlResult(hitl_id="h", decision=decision, return_to="execution/approved", at=NOW)}
    done = passed(state(question=asked), state(hitl_results=said))
    assert tally_run(done).answered_kind == kind
    assert (
        tally_run(passed(state(question=asked, hitl_results=said), done.state)).answered_kind
        is None
    )


def test_what_was_misclassified_stays_so():
    wrong = task_row(passed(None, state(misclassified=True)))
    assert task_metrics(passed(state(), state(), task=wrong))["misclassified"] == 1
    assert "misclassified" not in task_metrics(passed(None, state()))
