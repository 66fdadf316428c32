"""Nodes that ask a person: `put_question`, the gates that wait, and `take_answer`."""

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from app.agent.context import AgentContext
from app.agent.persistence.redaction import secrets_of
from app.agent.state import AgentState, Patch
from app.agent.updates.effects import dispatch_approved
from app.agent.updates.replies import (
    apply_reply,
    close_question,
    interpret_answer,
    question_message,
    question_row,
    withdraw_chain,
)
from app.domain.directive_text import quoted
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
    if context.question_inbox is None:
        return {"question": question}
    stands = await context.question_inbox.put(
        question_row(state, context), question_message(state, context)
    )
    if stands.hitl_id != question.hitl_id:
        return Patch(question=stands.question) | withdraw_chain(state)
    dates = {"asked_at": stands.question.asked_at, "expires_at": stands.question.expires_at}
    return {"question": question.model_copy(update=dates)}


def await_answer(state: AgentState) -> Patch:
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
    if (kept := await save_goal_to_memory(state, runtime.context)) is not None:
        return kept
    patch = apply_reply(state, runtime.context, await interpret_answer(state, runtime.context))
    return patch | dispatch_approved(state, patch)


async def save_goal_to_memory(state: AgentState, context: AgentContext) -> Patch | None:
    """Save the goal where the person chose that, which ends the task; None where they did not.

    Secrets in it are not saved.
    """
    question, reply = state["question"], state["reply"]
    offered = question is not None and SAVE_TO_MEMORY in question.options
    if reply is None or not offered or reply.text != SAVE_TO_MEMORY.id:
        return None
    text = masked(state["goal"], secrets_of(state))
    outcome = Outcome(status="failed", message=f"{NOT_SAVED}.")
    if await context.knowledge.save_text(context.who, text):
        outcome = Outcome(status="completed", message=f"{SAVED}: {quoted(text)}.")
    return close_question(state, reply) | Patch(outcome=outcome)
