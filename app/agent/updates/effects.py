"""What a run sends to the browser, noted in the ledger of its thread before it goes out."""

from app.agent.state import AgentState, Patch
from app.agent.updates.apply_decision import reject_decision
from app.agent.updates.replies import withdraw_chain
from app.domain.action import Chain
from app.domain.reasoner import Situation
from app.hitl import ledger

ALREADY_SENT = "This was sent before, and is not sent again"


def record_dispatch(chain: Chain, situation: Situation, state: AgentState) -> Patch:
    """The chain goes out: its steps are noted. Steps that were sent before are not sent again: the
    page is looked at for what to do instead.
    """
    steps = _step_ids(state, chain, state["steps"])
    if ledger.was_sent(state["executed"], steps):
        return Patch(chain=None, deeds=state["deeds"]) | reject_decision(
            ALREADY_SENT, situation, state
        )
    return {"executed": ledger.mark_sent(state["executed"], steps)}


def dispatch_approved(state: AgentState, patch: Patch) -> Patch:
    """What a person's answer lets go: the chain that waited for it, if this is a yes and it still
    stands. It is noted with the answer.
    """
    reply, chain = state["reply"], patch.get("chain", state["chain"])
    assert reply is not None
    if reply.decision != "approved" or reply.return_to != "execution/approved" or chain is None:
        return {}
    steps = _step_ids(state, chain, state["steps"] - 1)
    if ledger.was_sent(state["executed"], steps):
        return withdraw_chain(state)
    noted = reply.model_copy(update={"operations": steps})
    return {
        "executed": ledger.mark_sent(state["executed"], steps),
        "hitl_results": {**patch["hitl_results"], reply.hitl_id: noted},
    }


def _step_ids(state: AgentState, chain: Chain, step_index: int) -> tuple[str, ...]:
    correction = state["correction"]
    attempt = correction.attempt if correction else 0
    return ledger.step_ids(step_index, attempt, len(chain.actions))
