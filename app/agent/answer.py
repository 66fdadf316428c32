"""Terminal events, as CONTRACT gives them: a run's state to the answer a client reads."""

from typing import Any

from app.agent.state import AgentState
from app.domain.action import Action, PlannedAction, action
from app.domain.dialog import DialogDecision
from app.domain.plan import Chain, ExpectedOutcome, Outcome, Plan, Verdict

ACTION_MS = 300  # a chain's estimated duration, per action; the settle time of one item

USAGE: dict[str, Any] = {"inputTokens": 0, "outputTokens": 0, "costUsd": 0.0, "modelCalls": 0}
"""What the rules cost: nothing."""


def render(
    state: AgentState, *, task_id: str, session_id: str, server_ms: float, redact: bool = False
) -> dict[str, Any]:
    """The `action` or `done` event of this state; `redact` masks what was typed as a secret."""
    outcome, chain = state["outcome"], state["chain"]
    actions = _final(outcome) if outcome else _actions(chain, redact=redact)
    first = actions[0] if actions else None
    correction = state["correction"]
    return {
        "type": "done" if outcome else "action",
        "taskId": task_id,
        "sessionId": session_id,
        "traceId": state["trace_id"],
        "status": outcome.status if outcome else "executing",
        "stepIndex": max(0, state["steps"] - 1),
        "thought": _thought(state),
        "action": first["action"] if first else None,
        "actionDetails": first["actionDetails"] if first else None,
        "actions": actions,
        "chainMetadata": {
            "totalActions": len(actions),
            "estimatedDuration": ACTION_MS * len(actions),
            "safeToChain": len(actions) > 1,
        },
        "plan": plan_view(state["plan"]),
        "expectedOutcome": expected_view(chain.expected) if chain and not outcome else None,
        "verification": verdict_view(state["verdict"]),
        "correction": correction.model_dump() if correction else None,
        "rePlanning": _replanning(state),
        "complexity": _complexity(state),
        "usage": USAGE,
        "metrics": {"serverMs": round(server_ms, 2)},
        "hasOrgKnowledge": False,
        "requestedDomMode": None,
        "result": outcome.message if outcome else None,
    }


def _complexity(state: AgentState) -> str | None:
    if state["complexity"] is None:
        return None
    return "COMPLEX" if state["misclassified"] else state["complexity"].level


def _thought(state: AgentState) -> str:
    if state["outcome"]:
        return state["outcome"].message
    return state["refinement"].thought if state["refinement"] else ""


def _replanning(state: AgentState) -> dict[str, Any]:
    likeness = state["similarity"]
    if likeness is None:
        return {"triggered": False}
    return {"triggered": False, "similarity": round(likeness, 3)}


def _final(outcome: Outcome) -> list[dict[str, Any]]:
    ends = action("finish" if outcome.status == "completed" else "fail", outcome.message)
    return [_action_view(PlannedAction(action_id="", action=ends, description=outcome.message), 0)]


def _actions(chain: Chain | None, *, redact: bool) -> list[dict[str, Any]]:
    if chain is None:
        return []
    return [_action_view(a, i, redact=redact) for i, a in enumerate(chain.actions)]


def _details(shown: Action, dialog: DialogDecision | None) -> dict[str, Any]:
    details: dict[str, Any] = {"name": shown.name, "args": dict(shown.args)}
    if dialog is not None:
        details["dialog"] = dialog.model_dump(exclude_none=True)
    return details


def _action_view(planned: PlannedAction, index: int, *, redact: bool = False) -> dict[str, Any]:
    shown: Action = planned.redacted if redact else planned.action
    return {
        "actionId": planned.action_id,
        "action": shown.text,
        "actionDetails": _details(shown, None if redact and planned.secret else planned.dialog),
        "description": planned.description,
        "element": planned.element or None,
        "index": index,
        "canFail": planned.can_fail,
    }


def plan_view(plan: Plan) -> dict[str, Any] | None:
    """The plan as lines and statuses, or None when there is none."""
    if not plan.steps:
        return None
    steps = [
        {
            "id": step.id,
            "description": step.description,
            "status": "current"
            if index == plan.current and step.status == "pending"
            else step.status,
        }
        for index, step in enumerate(plan.steps)
    ]
    return {"steps": steps, "currentStepIndex": plan.current}


def expected_view(expected: ExpectedOutcome) -> dict[str, Any]:
    """What is expected, in the words of the wire."""
    goal = expected.next_goal
    view: dict[str, Any] = {
        "description": expected.description,
        "urlShouldChange": expected.url_should_change,
        "elements": list(expected.elements),
        "values": dict(expected.values),
    }
    if goal:
        view["nextGoal"] = {
            "description": goal.description,
            "role": goal.role,
            "textContent": goal.text,
            "required": goal.required,
        }
    return view


def verdict_view(verdict: Verdict | None) -> dict[str, Any] | None:
    """The verdict, or None before anything was done."""
    if verdict is None:
        return None
    return {
        "actionSucceeded": verdict.succeeded,
        "taskCompleted": verdict.task_completed,
        "subTaskCompleted": None,
        "goalAchieved": verdict.goal_achieved,
        "confidence": round(verdict.confidence, 3),
        "verificationTier": verdict.tier,
        "tokensSaved": verdict.tokens_saved,
        "reason": verdict.reason,
        "observations": list(verdict.observations),
    }
