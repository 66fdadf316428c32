"""Nodes that ask a person: `put_question`, the gates that wait, and `take_answer`."""

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from app.agent.context import AgentContext
from app.agent.persistence.redaction import hidden_of
from app.agent.state import AgentState, Patch
from app.agent.updates.effects import agreed
from app.agent.updates.replies import concluded, hear, line_of, replied, row_of, withdrawn
from app.domain.directive_wording import quoted
from app.domain.hitl import SAVE_TO_MEMORY
from app.domain.plan import Outcome
from app.domain.redaction import masked

SAVED = "Saved to memory, which is kept with your team's documents"
NOT_SAVED = "It could not be saved: the documents cannot be reached"


async def put_question(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads question; writes it into the history and the inbox before a gate waits for the answer.

    Done again after a crash it changes nothing: the question's id follows from the request's. Where
    another question waits already, that one is asked, and what this one was about is not done.
    """
    context, question = runtime.context, state["question"]
    assert question is not None
    if context.asking is None:
        return {"question": question}
    stands = await context.asking.put(row_of(state, context), line_of(state, context))
    if stands.hitl_id != question.hitl_id:
        return Patch(question=stands.question) | withdrawn(state)
    dates = {"asked_at": stands.question.asked_at, "expires_at": stands.question.expires_at}
    return {"question": question.model_copy(update=dates)}


def person_gate(state: AgentState) -> Patch:
    """Waits for a person to answer the question. No effect may precede the wait.

    Resumes with {request_id, reply}.
    """
    question = state["question"]
    assert question is not None
    said = interrupt({"kind": "person", "hitlId": question.hitl_id})
    return {"request_id": said["request_id"], "reply": said["reply"]}


async def take_answer(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads question, reply; writes what the answer changes, and keeps the answer for good.

    What was agreed to goes out from here, once: it is noted in the ledger with the answer.
    """
    if (kept := await kept_in_memory(state, runtime.context)) is not None:
        return kept
    patch = replied(state, runtime.context, await hear(state, runtime.context))
    return patch | agreed(state, patch)


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
