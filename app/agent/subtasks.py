"""What the end of a sub-task changes: the next one starts, it is retried, or the run ends."""

from app.agent.state import AgentState, Patch
from app.domain.plan import Decision, Outcome, Plan
from app.domain.reasoner import Background, Situation
from app.plans import (
    accept_outputs,
    fail_subtask,
    find_missing_input,
    promised_outputs,
    reopen_subtask,
    start_next_subtask,
)


def switch_subtask(plan: Plan, outputs: dict[str, str], state: AgentState) -> Patch:
    """Start the next sub-task with a fresh context and the outputs of the last one."""
    return {
        "plan": start_next_subtask(plan),
        "outcome": None,
        "background": with_outputs(state["background"], outputs),
        "subtask_completed": True,
        **_reset_counters(state),
    }


def with_outputs(background: Background, outputs: dict[str, str]) -> Background:
    if not outputs:
        return background
    return background.model_copy(update={"subtask_outputs": background.subtask_outputs | outputs})


def end_subtask(plan: Plan, decision: Decision, situation: Situation, state: AgentState) -> Patch:
    """End the sub-task that the decision declares done; retry it if its last action failed."""
    last = situation.records[-1] if situation.records else None
    if last is not None and last.status == "failure":
        return retry_subtask(plan, plan.subtask, f"its last action failed: {last.note}", state)
    names = promised_outputs(situation.plan)
    if decision.outcome == "answer" and len(names) == 1:
        outputs = {names[0]: decision.reason}
    else:
        outputs = accept_outputs(
            situation.plan, decision.outputs, situation.page, output_sources(situation)
        )
    return switch_subtask(plan, outputs, state)


def retry_subtask(plan: Plan, at: int, reason: str, state: AgentState) -> Patch:
    """Reopen the sub-task at that index; the second time it fails, and the task with it."""
    reopened = reopen_subtask(plan, at, reason)
    if reopened is not None:
        return {
            "plan": reopened,
            "outcome": None,
            "subtask_completed": False,
            **_reset_counters(state),
        }
    outcome = Outcome(status="failed", message=f"Tried twice, but {reason}.")
    return {"plan": fail_subtask(plan, reason, at), "outcome": outcome, "subtask_completed": False}


def check_owed_outputs(plan: Plan, background: Background, state: AgentState) -> Patch:
    """Retry a completed sub-task that still owes an output to a later one."""
    missing = find_missing_input(plan, background.subtask_outputs)
    if missing is None:
        return {}
    at, names = missing
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


def output_sources(situation: Situation) -> tuple[str, ...]:
    """Texts besides the page that an output may come from: the person's words and the extracts."""
    background = situation.background
    answers = (answer.text for answer in background.answers)
    return (situation.stated_goal, *answers, *background.extracts.values())
