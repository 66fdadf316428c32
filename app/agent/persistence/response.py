"""Terminal events, as CONTRACT gives them: a run's state to the answer a client reads."""

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

ACTION_MS = 300  # a chain's estimated duration, per action; the settle time of one item
COST_DIGITS = 8  # a token of the cheapest model is 0.00000001 USD
NOTHING = UsageTotals()  # what the rules cost


def render_event(
    state: AgentState,
    *,
    task_id: str,
    session_id: str,
    server_ms: float,
    spent: UsageTotals = NOTHING,
    redact: bool = False,
) -> dict[str, Any]:
    """The `action`, `interrupt` or `done` event of this state; `redact` masks what was typed as a
    secret.
    """
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
        asked = question_fields(state["question"])
        return {"type": "interrupt", "status": "awaiting_user"} | (asked or {}) | common
    return _action_event(state, redact=redact) | common


def advice_view(background: Background) -> dict[str, Any]:
    """What operators decided of something similar; nothing where there is none."""
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
    """What a person is offered to do, None where nothing is."""
    return None if step is None else {"step": step, "message": describe_offer(step)}


def question_fields(question: Question | None) -> dict[str, Any] | None:
    """A question in the words of the wire, None for none."""
    if question is None:
        return None
    names = ("hitl_id", "kind", "interrupt_type", "expected_input", "source")
    return _camel(question, *names, "asked_at", "expires_at") | {
        "message": question_text(question),
        "fields": list(question.fields),
        "options": [_camel(one, "id", "label", "element_id") for one in question.options],
        "approval": _approval_view(question.approval),
    }


def _approval_view(asked: Approval | None) -> dict[str, Any] | None:
    """What exactly a yes lets happen; None where nothing is to be approved."""
    if asked is None:
        return None
    return _camel(asked, "action", "description", "element_id", "site", "undo") | {
        "element": describe_element(asked.element) if asked.element else None,
        "effects": list(asked.effects),
    }


def usage_view(spent: UsageTotals) -> dict[str, Any]:
    """What the models took for this request. `costKnown` false: the cost leaves some calls out."""
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
    """That a model was away, and that a limit comes near."""
    return " ".join(filter(None, (state["notice"], spent.warning))) or None


def _complexity(state: AgentState) -> str | None:
    if state["complexity"] is None:
        return None
    return "COMPLEX" if state["misclassified"] else state["complexity"].level


def _thought(state: AgentState, notice: str | None) -> str:
    """What it did or thinks to do, in words; first, that the model was away or a limit comes near."""
    outcome, question, refinement = state["outcome"], state["question"], state["refinement"]
    if outcome:
        thought = outcome.message
    elif question:
        thought = question.text
    else:
        thought = refinement.thought if refinement else ""
    return f"{notice} {thought}".rstrip() if notice and notice not in thought else thought


def replanning_view(found: RePlan | None, likeness: float | None) -> dict[str, Any]:
    """Whether the plan was held against a page that is another, and what was decided."""
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


def _details(shown: Action, dialog: DialogDecision | None) -> dict[str, Any]:
    details: dict[str, Any] = {"name": shown.name, "args": dict(shown.args)}
    if dialog is not None:
        details["dialog"] = dialog.model_dump(exclude_none=True)
        if dialog.about is not None:
            details["dialog"]["about"] = [*dialog.about, *SAYS_NOTHING]
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
        "grave": planned.grave,
        "provenance": provenance_view(planned),
    }


def provenance_view(planned: PlannedAction) -> dict[str, Any] | None:
    """Where what is typed came from; of a secret, only whence and not the words around it."""
    if planned.provenance is None:
        return None
    view = planned.provenance.model_dump(exclude_none=True)
    if planned.secret:
        view.pop("excerpt", None)
    return view


def plan_view(plan: Plan) -> dict[str, Any] | None:
    """The plan as lines and statuses, those of the current sub-task, or None when there is none."""
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
    """What was predicted and what came; None for a prediction that nothing can be checked of."""
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
    """What was spent, with the estimate for the task, how its nearest limit stands, and the warning."""
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
