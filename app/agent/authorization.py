"""What the policy says of a chain, with the critic's opinion where that can spare the person a question."""

from app.agent.context import AgentContext
from app.agent.state import AgentState
from app.approvals.approval import unagreed, values_with
from app.approvals.following import Past
from app.approvals.weighing import Weighed, around, doubtful, weighed
from app.domain.access import CONSEQUENTIAL, Effect
from app.domain.action import Chain
from app.domain.plan import Decision
from app.domain.reasoner import Situation


async def ruled(
    chain: Chain,
    refinement: Decision,
    situation: Situation,
    state: AgentState,
    context: AgentContext,
    past: Past,
) -> tuple[Weighed, ...]:
    """Each action with its ruling. The critic is asked at most once; without it, the graver view stands."""
    said, pending = effects_said(refinement, state)
    found = weighed(chain, refinement, situation, context.policy, said=said, pending=pending)
    in_doubt = doubtful(unagreed(found, situation, past), context.policy)
    if not context.modelled or not in_doubt:
        return found
    acts = tuple(_told(one, values_with(one, found, situation)) for one in in_doubt)
    opinion = await context.reasoner.examine(situation, acts, around(in_doubt))
    return tuple(one.with_opinion(opinion, context.policy) for one in found)


def _told(one: Weighed, values: tuple[str, ...]) -> str:
    return f"{one.sentence()} ({'; '.join(values)})" if values else one.sentence()


def effects_said(refinement: Decision, state: AgentState) -> tuple[Effect | None, Effect | None]:
    """The effect that the model says of these actions, and the consequential one that it said of the whole
    goal, which is pending until the person was asked about a press.
    """
    analysis, background = state["analysis"], state["background"]
    whole = analysis.effect if analysis is not None else None
    asked = bool(background.approved or background.refused)
    if whole not in CONSEQUENTIAL:
        return refinement.effect or whole, None
    return refinement.effect, None if asked else whole
