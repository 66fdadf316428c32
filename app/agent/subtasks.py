"""What the end of a sub-task changes: the next is opened, the same once more, or the run ends."""

from app.agent.state import AgentState, Patch
from app.domain.plan import Decision, Outcome, Plan
from app.domain.reasoner import Background, Situation
from app.plans import (
    accept_outputs,
    current_subtask,
    fail_subtask,
    find_missing_input,
    promised_outputs,
    reopen_subtask,
    start_next_subtask,
)


def switch_subtask(plan: Plan, outputs: dict[str, str], state: AgentState) -> Patch:
    """On to the next sub-task: with a fresh context, and what the last one hands on."""
    return {
        "plan": start_next_subtask(plan),
        "outcome": None,
        "background": with_outputs(state["background"], outputs),
        "subtask_completed": True,
        **_reset_counters(state),
    }


def with_outputs(background: Background, outputs: dict[str, str]) -> Background:
    """The background with these outputs among those of the sub-tasks before."""
    if not outputs:
        return background
    return background.model_copy(update={"subtask_outputs": background.subtask_outputs | outputs})


def end_subtask(plan: Plan, refinement: Decision, situation: Situation, state: AgentState) -> Patch:
    """The current sub-task is said to be done: on to the next, where its last action worked."""
    last = situation.records[-1] if situation.records else None
    if last is not None and last.status == "failure":
        return retry_subtask(plan, plan.subtask, f"its last action failed: {last.note}", state)
    return switch_subtask(plan, outputs_of(refinement, situation), state)


def retry_subtask(plan: Plan, at: int, reason: str, state: AgentState) -> Patch:
    """The sub-task at that place is not done: it is opened once more, or else it fails."""
    again = reopen_subtask(plan, at, reason)
    if again is not None:
        return {
            "plan": again,
            "outcome": None,
            "subtask_completed": False,
            **_reset_counters(state),
        }
    outcome = Outcome(status="failed", message=f"Tried twice, but {reason}.")
    return {"plan": fail_subtask(plan, reason, at), "outcome": outcome, "subtask_completed": False}


def check_owed_outputs(plan: Plan, background: Background, state: AgentState) -> Patch:
    """What an ended sub-task owes another, looked for as late as this, means that it is not done."""
    owes = find_missing_input(plan, background.subtask_outputs)
    if owes is None:
        return {}
    at, names = owes
    reason = f"it was to give {', '.join(names)}, which no page has shown"
    return retry_subtask(plan, at, reason, state)


def _reset_counters(state: AgentState) -> Patch:
    return {
        "subtask_start": len(state["action_records"]),
        "analysis": None,
        "analysis_count": 0,
        "lookups": 0,
        "refusal_count": 0,
    }


def outputs_of(refinement: Decision, situation: Situation) -> dict[str, str]:
    """What is handed on; the answer to a question is the one output that was wanted."""
    names = promised_outputs(situation.plan)
    if refinement.outcome == "answer" and len(names) == 1:
        return {names[0]: refinement.reason}
    return accept_outputs(
        situation.plan, refinement.outputs, situation.page, output_sources(situation)
    )


def output_sources(situation: Situation) -> tuple[str, ...]:
    """What may be handed on besides what the page shows: the person's words, and what was read."""
    known = situation.background
    answers = (answer.text for answer in known.answers)
    return (situation.said, *answers, *known.extracts.values())


def is_unconfirmed(refinement: Decision, outcome: Outcome | None, plan: Plan) -> bool:
    """Whether a sub-task came to its end without the page showing that it is done."""
    failed = outcome is not None and outcome.status == "failed"
    return failed and refinement.outcome == "done" and current_subtask(plan) is not None
