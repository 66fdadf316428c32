"""Node `finalize`."""

from app.agent.state import AgentState, Patch, secrets_of
from app.approvals import add_left_out
from app.domain.hitl import HitlResult
from app.domain.plan import Decision
from app.domain.reasoner import Background
from app.domain.redaction import forget_outcome, forget_plan, forget_records, masked
from app.plans import fail_subtask, failure_message, finish_plan
from app.recovery import conclude_run, offer_handover


def finalize(state: AgentState) -> Patch:
    """Determine the outcome, and remove from the thread what it no longer needs.

    The thread stays readable, but secrets are masked.
    """
    hidden = secrets_of(state)
    outcome = state["outcome"] or conclude_run(
        state["goal"], state["verdict"], tuple(state["action_records"]), state["plan"]
    )
    if outcome.status == "failed" and state["notice"]:  # with the model it might have succeeded
        message = f"{outcome.message} {state['notice']}"
        outcome = outcome.model_copy(update={"message": message})
    outcome = add_left_out(outcome, state["plan"])
    plan = finish_plan(state["plan"]) if outcome.status == "completed" else state["plan"]
    if outcome.status == "failed":
        plan = fail_subtask(plan, outcome.message)
        outcome = outcome.model_copy(update={"message": failure_message(plan, outcome.message)})
    outcome = offer_handover(outcome, state["plan"])
    patch: Patch = {
        "plan": plan,
        "outcome": forget_outcome(outcome, hidden),
        "chain": None,
        "unverified_chain": None,
        "page_before": b"",
        "page_before_effect": b"",
    }
    if outcome.status == "completed" and state["background"].downloads:
        patch["background"] = drop_download_texts(state["background"])
    if hidden:
        patch |= {
            "goal": masked(state["goal"], hidden),
            "instruction": None,
            "analysis": None,
            "background": mask_background(patch.get("background", state["background"]), hidden),
            "refinement": _strip_decision(state["refinement"]),
            "plan": forget_plan(plan, hidden),
            "action_records": forget_records(state["action_records"], hidden),
            "hitl_results": mask_answers(state["hitl_results"], hidden),
            "reply": None,
        }
    return patch


def _strip_decision(last: Decision | None) -> Decision | None:
    """Keep of the last decision what the confidence of the end depends on."""
    if last is None:
        return None
    return Decision(outcome=last.outcome, maker=last.maker, confidence=last.confidence)


def mask_background(background: Background, hidden: frozenset[str]) -> Background:
    answers = tuple(
        answer.model_copy(
            update={
                "text": masked(answer.text, hidden),
                "values": {name: masked(value, hidden) for name, value in answer.values.items()},
            }
        )
        for answer in background.answers
    )
    return background.model_copy(update={"answers": answers})


def drop_download_texts(background: Background) -> Background:
    downloads = tuple(one.model_copy(update={"text": ""}) for one in background.downloads)
    return background.model_copy(update={"downloads": downloads})


def mask_answers(results: dict[str, HitlResult], hidden: frozenset[str]) -> dict[str, HitlResult]:
    return {
        name: result.model_copy(update={"text": masked(result.text, hidden)})
        for name, result in results.items()
    }
