"""What a choice for the current step changes, however it was made."""

from app.agent.context import AgentContext
from app.agent.questions import put
from app.agent.state import AgentState, Patch
from app.domain.background import Background
from app.domain.plan import Correction, Outcome, Plan, Refinement, Verdict
from app.engines import critic
from app.engines.asking import improper, worded
from app.engines.bounds import overdone
from app.engines.contingency import arising, inserted, is_aside
from app.engines.hierarchy import accepted, following, follows, wanted
from app.engines.leave import with_leave
from app.engines.modes import sighted
from app.engines.progress import Judgement, after_correction, after_refinement, failed
from app.engines.provenance import traced
from app.engines.reasoner import Situation
from app.engines.serverside import server_side
from app.errors import InvalidAction

ENDS = frozenset({"finish", "answer", "done"})
ON_THE_STEP = frozenset({"done", "missing", "ambiguous", "answer"})


def refined(
    proposed: Refinement, situation: Situation, state: AgentState, context: AgentContext
) -> Patch:
    """Follow the choice, refuse it, or end the run."""
    served = server_side(proposed, situation.page, situation.background)
    allowed, unasked = with_leave(traced(served, situation), situation)
    refinement = sighted(allowed, situation, looked=state["looked"])
    if context.modelled and _is_spent(state):
        refinement = critic.left_to_person(refinement, situation)
    patch: Patch = {
        "refinement": refinement,
        "refused": None,
        "doubted": False,
        "notice": refinement.notice or state["notice"],
    }
    reason = unasked or overdone(
        refinement,
        situation,
        looked=state["looked"],
        lookups=state["lookups"],
        asked=state["asked"],
    )
    if reason is not None:
        return patch | refusal(reason, situation, state)
    if refinement.outcome == "ask" and refinement.question is not None:
        if (why := improper(refinement.question, situation.page)) is not None:
            return patch | refusal(why, situation, state)
        question = put(worded(refinement.question, situation.page), context.request_id)
        return patch | {"question": question, "asked": state["asked"] + 1}
    if refinement.outcome == "look":
        return patch | {"looked": True}
    if context.modelled and _is_doubted(refinement, situation, state):
        return patch | {"doubted": True}
    return patch | settled(refinement, situation, state)


def corrected(
    proposed: Refinement,
    verdict: Verdict,
    situation: Situation,
    state: AgentState,
    context: AgentContext,
) -> Patch:
    """As `refined`, after a failure: what is held to be done already is looked at anew."""
    patch = refined(proposed, situation, state, context)
    step = situation.plan.step
    by_rules = proposed.maker == "rules"
    if by_rules and proposed.outcome in ON_THE_STEP and not (step and is_aside(step)):
        outcome = after_correction(proposed, verdict, situation)
        patch |= {"plan": situation.plan, "outcome": outcome}
    return patch


def unfit(
    error: InvalidAction, refinement: Refinement, situation: Situation, state: AgentState
) -> Patch:
    """An action that the page cannot carry out: a model chooses again, a rule has erred."""
    if refinement.maker == "model":
        return refusal(error.detail, situation, state)
    return {"outcome": Outcome(status="failed", message=error.detail, code=error.code)}


def moved_on(result: Judgement, state: AgentState) -> Patch:
    """What a look at the page changes, once it was judged."""
    deeds = [*state["deeds"][: state["since"]], *result.deeds]
    patch: Patch = {
        "verdict": result.verdict,
        "report": result.report,
        "plan": result.plan,
        "deeds": deeds,
        "similarity": result.similarity,
        "chain": None,
        "correction": None,
        "notice": None,
        "refused": None,
        "refusals": 0,
        "outcome": result.outcome,
        "sub_task_completed": False if result.plan.subtasks else None,
    }
    if result.plan.current != state["plan"].current:
        patch |= {"looked": False, "lookups": 0}
    if result.part_ended:
        patch |= switched(result.plan, {}, state)
        patch |= {"since": len(deeds), "looked": False}
    if result.stepping_in is not None:
        patch["correction"] = Correction(
            strategy=f"foreseen: {result.stepping_in.trigger}", attempt=1
        )
    return patch


def stepped_in(situation: Situation, state: AgentState) -> Patch | None:
    """The steps against what was foreseen and stands in the way, put before the current one."""
    foreseen = None if state["refused"] else arising(situation, failed=False)
    if foreseen is None:
        return None
    plan, deeds = inserted(situation, foreseen)
    kept = state["deeds"][: state["since"]]
    return {"plan": plan, "deeds": [*kept, *deeds], "refinement": None}


def _is_doubted(refinement: Refinement, situation: Situation, state: AgentState) -> bool:
    return not _is_spent(state) and critic.wanted(refinement, situation)


def _is_spent(state: AgentState) -> bool:
    return state["refusals"] >= critic.MAX_REGENERATIONS


def refusal(reason: str, situation: Situation, state: AgentState) -> Patch:
    """Have the choice made again, told why; after the last time, end honestly."""
    if state["refusals"] >= critic.MAX_REGENERATIONS:
        return {"outcome": failed(reason, situation.deeds)}
    return {"refused": reason, "refusals": state["refusals"] + 1}


def settled(refinement: Refinement, situation: Situation, state: AgentState) -> Patch:
    """The plan after the choice, and how the run ends or which sub-task follows, if it does."""
    plan, outcome = after_refinement(refinement, situation)
    ended = outcome is not None and outcome.status == "completed"
    if ended and refinement.outcome in ENDS and follows(plan):
        return switched(plan, _outputs(refinement, situation), state)
    patch: Patch = {"plan": plan, "outcome": outcome}
    if plan.current != state["plan"].current:
        patch["lookups"] = 0  # and not `looked`: a client is asked once for each report of its own
    return patch


def switched(plan: Plan, outputs: dict[str, str], state: AgentState) -> Patch:
    """On to the next sub-task: with a fresh context, and what the last one hands on."""
    return {
        "plan": following(plan),
        "outcome": None,
        "background": handed_on(state["background"], outputs),
        "since": len(state["deeds"]),
        "sub_task_completed": True,
        "analysis": None,
        "analyses": 0,
        "lookups": 0,
        "refusals": 0,
    }


def handed_on(background: Background, outputs: dict[str, str]) -> Background:
    """The background with these outputs among those of the sub-tasks before."""
    if not outputs:
        return background
    return background.model_copy(update={"handed": background.handed | outputs})


def _outputs(refinement: Refinement, situation: Situation) -> dict[str, str]:
    """What is handed on; the answer to a question is the one output that was wanted."""
    names = wanted(situation.plan)
    if refinement.outcome == "answer" and len(names) == 1:
        return {names[0]: refinement.reason}
    said = (situation.said, *(answer.text for answer in situation.background.answers))
    return accepted(situation.plan, refinement.outputs, situation.page, said)
