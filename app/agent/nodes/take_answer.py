"""Node `take_answer`."""

from langgraph.runtime import Runtime

from app.agent.context import AgentContext
from app.agent.memory import kept_in_memory
from app.agent.state import AgentState, Patch
from app.agent.updates.effects import agreed
from app.agent.updates.replies import hear, replied


async def take_answer(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads question, reply; writes what the answer changes, and keeps the answer for good.

    What was agreed to goes out from here, once: it is noted in the ledger with the answer.
    """
    if (kept := await kept_in_memory(state, runtime.context)) is not None:
        return kept
    patch = replied(state, runtime.context, await hear(state, runtime.context))
    return patch | agreed(state, patch)
