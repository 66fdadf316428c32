"""What a person has kept for later instead of done: a text among the team's documents."""

from app.agent.context import AgentContext
from app.agent.persistence.redaction import hidden_of
from app.agent.state import AgentState, Patch
from app.agent.updates.replies import concluded
from app.domain.directive_wording import quoted
from app.domain.hitl import SAVE_TO_MEMORY
from app.domain.plan import Outcome
from app.domain.redaction import masked

SAVED = "Saved to memory, which is kept with your team's documents"
NOT_SAVED = "It could not be saved: the documents cannot be reached"


async def kept_in_memory(state: AgentState, context: AgentContext) -> Patch | None:
    """Save the goal where the person chose that, which ends the task; None where they did not.

    Secrets in it are not saved.
    """
    question, reply = state["question"], state["reply"]
    offered = question is not None and SAVE_TO_MEMORY in question.options
    if reply is None or not offered or reply.text != SAVE_TO_MEMORY.id:
        return None
    text = masked(state["goal"], hidden_of(state))
    outcome = Outcome(status="failed", message=f"{NOT_SAVED}.")
    if await context.knowing.keep(context.who, text):
        outcome = Outcome(status="completed", message=f"{SAVED}: {quoted(text)}.")
    return concluded(state, reply) | Patch(outcome=outcome)
