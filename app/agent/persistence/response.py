"""Renders the terminal event of a run from its state, as in CONTRACT."""

from typing import Any

from pydantic.alias_generators import to_camel

from app.agent.state import AgentState
from app.approvals import describe_element
from app.domain.action import Action, Chain, PlannedAction, action
from app.domain.base import Value
from app.domain.hitl import Approval, Question
from app.domain.metrics.usage import UsageTotals
from app.domain.page import DialogDecision
from app.domain.plan import Outcome, Plan
from app.domain.reasoner import Background
from app.domain.verdict import ExpectedOutcome, PredictionScore, RePlan, Verdict
from app.hitl import question_text
from app.plans import SAYS_NOTHING, subtask_view
from app.recovery import describe_offer
from app.usage import Allowance

ACTION_MS = 300  # estimated duration of an action
COST_DIGITS = 8  # a token of the cheapest model is 0.00000001 USD
NO_USAGE = UsageTotals()


def render_event(
    state: AgentState,
    *,
    task_id: str,
    session_id: str,
    server_ms: float,
    spent: UsageTotals = NO_USAGE,
    redact: bool = False,
) -> dict[str, Any]:
    """The `action`, `interrupt` or `done` event of this state; `redact` masks typed secrets."""
    outcome, notice = state["outcome"], _notice(state, spent)
    common: dict[str, Any] = {
        "taskId": task_id,
        "sessionId": session_id,
        "traceId": state["trace_id"],
        "thought": _thought(state, notice),
        "plan": plan_view(state["plan"]),
        "verification": verdict_view(state["verdict"], state["subtask_completed"]),
        "complexity": _complexity(state),
        "usage": usage_view(spent),
        "metrics": {"serverMs": round(server_ms, 2)},
        "hasOrgKnowledge": any(one.own for one in state["background"].knowledge),
        "notice": notice,
    } | advice_view(state["background"])
    if state["question"] is not None and outcome is None:
        fields = question_fields(state["question"])
        return {"type": "interrupt", "status": "awaiting_user"} | (fields or {}) | common
    return _action_event(state, redact=redact) | common


def advice_view(background: Background) -> dict[str, Any]:
    """Operators' decisions on similar tasks, if any."""
    names = ("record_id", "decision", "about", "notes", "operator", "decided_at_ms", "line")
    advice = [_camel(one, *names) for one in background.advice]
    return {"advice": advice} if advice else {}


def _camel(value: Value, *names: str) -> dict[str, Any]:
    """These fields of the value, in camel case."""
    return {to_camel(name): getattr(value, name) for name in names}


def _action_event(state: AgentState, *, redact: bool) -> dict[str, Any]:
    outcome, chain = state["outcome"], state["chain"]
    refinement, correction = state["refinement"], state["correction"]
    actions = _final_actions(outcome) if outcome else _actions(chain, redact=redact)
    first = actions[0] if actions else None
    looks = refinement is not None and refinement.outcome == "look" and chain is None
    return {
        "type": "done" if outcome else "action",
        "status": outcome.status if outcome else "executing",
        "stepIndex": max(0, state["steps"] - 1),
        "action": first["action"] if first else None,
        "actionDetails": first["actionDetails"] if first else None,
        "actions": actions,
        "chainMetadata": {
            "totalActions": len(actions),
            "estimatedDuration": ACTION_MS * len(actions),
            "safeToChain": len(actions) > 1,
        },
        "expectedOutcome": expected_view(chain.expected) if chain and not outcome else None,
        "correction": correction.model_dump() if correction else None,
        "rePlanning": replanning_view(state["replanning"], state["similarity"]),
        "requestedDomMode": refinement.mode if refinement and looks and not outcome else None,
        "result": outcome.message if outcome else None,
    } | ({"handOver": hand_over_view(outcome.hand_over)} if outcome else {})


def hand_over_view(step: str | None) -> dict[str, str] | None:
    """The step that a person is offered to do; None without one."""
    return None if step is None else {"step": step, "message": describe_offer(step)}


def question_fields(question: Question | None) -> dict[str, Any] | None:
    """The question as JSON; None without one."""
    if question is None:
        return None
    names = ("hitl_id", "kind", "interrupt_type", "expected_input", "source")
    return _camel(question, *names, "asked_at", "expires_at") | {
        "message": question_text(question),
        "fields": list(question.fields),
        "options": [_camel(one, "id", "label", "element_id") for one in question.options],
        "approval": _approval_view(question.approval),
    }


def _approval_view(approval: Approval | None) -> dict[str, Any] | None:
    """What exactly a yes permits; None without an approval."""
    if approval is None:
        return None
    return _camel(approval, "action", "description", "element_id", "site", "undo") | {
        "element": describe_element(approval.element) if approval.element else None,
        "effects": list(approval.effects),
    }


def usage_view(spent: UsageTotals) -> dict[str, Any]:
    """The model usage of this request. `costKnown` false: the cost of some calls is unknown."""
    return {
        "inputTokens": spent.input_tokens,
        "outputTokens": spent.output_tokens,
        "costUsd": round(spent.cost_usd, COST_DIGITS),
        "modelCalls": spent.model_calls,
        "costKnown": spent.cost_known,
        "model": spent.model,
    } | _limits_view(spent)


def _limits_view(spent: UsageTotals) -> dict[str, Any]:
    view: dict[str, Any] = {}
    if (estimate := spent.estimate) is not None:
        cost = round(estimate.cost_usd, COST_DIGITS)
        view["estimate"] = _camel(estimate, "calls", "basis") | {"costUsd": cost}
    if (budget := spent.budget) is not None:
        view["budget"] = _camel(budget, "scope", "limit_usd", "state") | {
            "spentUsd": round(budget.spent_usd, COST_DIGITS)
        }
    return view


def _notice(state: AgentState, spent: UsageTotals) -> str | None:
    return " ".join(filter(None, (state["notice"], spent.warning))) or None


def _complexity(state: AgentState) -> str | None:
    if state["complexity"] is None:
        return None
    return "COMPLEX" if state["misclassified"] else state["complexity"].level


def _thought(state: AgentState, notice: str | None) -> str:
    """The outcome, question or thought, after the notice."""
    outcome, question, refinement = state["outcome"], state["question"], state["refinement"]
    if outcome:
        thought = outcome.message
    elif question:
        thought = question.text
    else:
        thought = refinement.thought if refinement else ""
    return f"{notice} {thought}".rstrip() if notice and notice not in thought else thought


def replanning_view(found: RePlan | None, likeness: float | None) -> dict[str, Any]:
    """Whether the plan was reconsidered on a changed page, and the decision."""
    view: dict[str, Any] = {"triggered": found is not None}
    if likeness is not None:
        view["similarity"] = round(likeness, 3)
    if found is not None:
        view |= {"decision": found.decision, "reason": found.reason}
    return view


def _final_actions(outcome: Outcome) -> list[dict[str, Any]]:
    if outcome.status == "interrupted":
        return []
    ends = action("finish" if outcome.status == "completed" else "fail", outcome.message)
    return [_action_view(PlannedAction(action_id="", action=ends, description=outcome.message), 0)]


def _actions(chain: Chain | None, *, redact: bool) -> list[dict[str, Any]]:
    if chain is None:
        return []
    return [_action_view(a, i, redact=redact) for i, a in enumerate(chain.actions)]


def _details(action: Action, dialog: DialogDecision | None) -> dict[str, Any]:
    details: dict[str, Any] = {"name": action.name, "args": dict(action.args)}
    if dialog is not None:
        details["dialog"] = dialog.model_dump(exclude_none=True)
        if dialog.about is not None:
            details["dialog"]["about"] = [*dialog.about, *SAYS_NOTHING]
    return details


def _action_view(planned: PlannedAction, index: int, *, redact: bool = False) -> dict[str, Any]:
    action: Action = planned.redacted if redact else planned.action
    return {
        "actionId": planned.action_id,
        "action": action.text,
        "actionDetails": _details(action, None if redact and planned.secret else planned.dialog),
        "description": planned.description,
        "element": planned.element or None,
        "index": index,
        "canFail": planned.can_fail,
        "grave": planned.grave,
        "provenance": provenance_view(planned),
    }


def provenance_view(planned: PlannedAction) -> dict[str, Any] | None:
    """The source of a typed value; of a secret, without the excerpt."""
    if planned.provenance is None:
        return None
    view = planned.provenance.model_dump(exclude_none=True)
    if planned.secret:
        view.pop("excerpt", None)
    return view


def plan_view(plan: Plan) -> dict[str, Any] | None:
    """The steps of the current sub-task, or of the whole plan; None without a plan."""
    if not plan.steps and not plan.subtasks:
        return None
    steps = [_camel(step, "id", "description", "status") for step in plan.steps]
    if plan.step is not None and plan.step.status == "pending":
        steps[plan.current]["status"] = "current"
    view: dict[str, Any] = {"steps": steps, "currentStepIndex": plan.current}
    return view | {"subTasks": subtask_view(plan)} if plan.subtasks else view


def expected_view(expected: ExpectedOutcome) -> dict[str, Any]:
    goal = expected.next_goal
    view = _camel(expected, "description", "url_should_change") | {
        "elements": list(expected.elements),
        "values": dict(expected.values),
    }
    if goal:
        about = _camel(goal, "description", "role", "required")
        view["nextGoal"] = about | {"textContent": goal.text}
    return view


def score_view(score: PredictionScore | None) -> dict[str, Any] | None:
    """The prediction and its result; None if nothing of it could be checked."""
    if score is None:
        return None
    return {
        "kind": score.kind,
        "predicted": round(score.predicted, 3),
        "met": score.met,
        "unmet": list(score.unmet),
        "brier": round(score.brier, 4),
    }


def verdict_view(
    verdict: Verdict | None, sub_task_completed: bool | None = None
) -> dict[str, Any] | None:
    if verdict is None:
        return None
    return _camel(verdict, "task_completed", "goal_achieved", "tokens_saved", "reason") | {
        "actionSucceeded": verdict.succeeded,
        "subTaskCompleted": sub_task_completed,
        "confidence": round(verdict.confidence, 3),
        "verificationTier": verdict.tier,
        "observations": list(verdict.observations),
    }


def with_budget_status(
    spent: UsageTotals, state: AgentState, allowance: Allowance | None
) -> UsageTotals:
    """The usage with the task's estimate, the status of its nearest limit, and warnings."""
    if allowance is None:
        return spent
    nearest = allowance.statuses()[:1]
    return spent.model_copy(
        update={
            "estimate": state["spending"].estimate,
            "budget": nearest[0] if nearest else None,
            "warning": " ".join(allowance.warnings) or None,
        }
    )
