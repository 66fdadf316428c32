"""The nodes that prepare a question (`put_question`) and apply its answer (`take_answer`)."""

from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from langgraph.runtime import Runtime

from app.agent.context import AgentContext, situation_of
from app.agent.nodes.outcome_prediction import chain_step_ids
from app.agent.replies import (
    InterpretedAnswer,
    apply_reply,
    close_question,
    question_row,
    withdraw_chain,
)
from app.agent.state import AgentState, Patch, secrets_of
from app.domain.directive import quote_value
from app.domain.hitl import SAVE_TO_MEMORY
from app.domain.plan import Outcome
from app.domain.redaction import masked
from app.domain.task import Message
from app.errors import BudgetReached
from app.hitl import mark_sent, question_text, was_sent
from app.plans import LONGEST_FIELD, plain_text

SAVED = "Saved to memory, which is kept with your team's documents"
NOT_SAVED = "It could not be saved: the documents cannot be reached"


async def put_question(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads question; writes it into the history and the inbox before a gate waits for the answer.

    Done again after a crash it changes nothing: the question's id follows from the request's. Where
    another question waits already, that one is asked, and what this one was about is not done.
    """
    context, question = runtime.context, state["question"]
    assert question is not None
    if context.inbox is None:
        return {"question": question}
    stands = await context.inbox.put(
        question_row(state, context.task_id, context.page.url),
        question_message(state, context),
        context.lease,
    )
    if stands.hitl_id != question.hitl_id:
        return Patch(question=stands.question) | withdraw_chain(state)
    dates = {"asked_at": stands.question.asked_at, "expires_at": stands.question.expires_at}
    return {"question": question.model_copy(update=dates)}


async def take_answer(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Reads question, reply; writes what the answer changes, and keeps the answer for good.

    What was agreed to goes out from here, once: it is noted in the ledger with the answer.
    """
    if (saved := await _save_goal_to_memory(state, runtime.context)) is not None:
        return saved
    patch = apply_reply(state, runtime.context, await interpret_answer(state, runtime.context))
    return patch | dispatch_approved(state, patch)


async def _save_goal_to_memory(state: AgentState, context: AgentContext) -> Patch | None:
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
        outcome = Outcome(status="completed", message=f"{SAVED}: {quote_value(text)}.")
    return close_question(state, reply) | Patch(outcome=outcome)


def dispatch_approved(state: AgentState, patch: Patch) -> Patch:
    """What a person's answer lets go: the chain that waited for it, if this is a yes and it still
    stands. It is noted with the answer.
    """
    reply, chain = state["reply"], patch.get("chain", state["chain"])
    assert reply is not None
    if reply.decision != "approved" or reply.return_to != "execution/approved" or chain is None:
        return {}
    steps = chain_step_ids(state, chain, state["steps"] - 1)
    if was_sent(state["executed"], steps):
        return withdraw_chain(state)
    noted = reply.model_copy(update={"operations": steps})
    return {
        "executed": mark_sent(state["executed"], steps),
        "hitl_results": {**patch["hitl_results"], reply.hitl_id: noted},
    }


async def interpret_answer(state: AgentState, context: AgentContext) -> InterpretedAnswer | None:
    """What the answer to an approval means where it is neither yes nor no; None for any other answer."""
    question, reply = state["question"], state["reply"]
    if question is None or reply is None or question.kind != "approval":
        return None
    if reply.decision != "answered":
        return None
    situation = situation_of(state, context)
    meaning = await context.reasoner.hear(situation, question_text(question), reply.text)
    if meaning != "question":
        return InterpretedAnswer(meaning)
    try:
        found = await context.reasoner.answer(situation, reply.text)
    except BudgetReached:
        found = None
    return InterpretedAnswer(meaning, plain_text(found or "", LONGEST_FIELD))


def question_message(state: AgentState, context: AgentContext) -> Message:
    """Its line in the history of the session, keyed by the question."""
    question = state["question"]
    assert question is not None
    return Message(
        message_id=str(uuid5(NAMESPACE_URL, f"{question.hitl_id}/asked")),
        tenant=state["tenant"],
        session_id=state["session_id"],
        task_id=context.task_id,
        role="assistant",
        content=masked(question_text(question), secrets_of(state)),
        dom_summary=context.page.title[:200] or None,
        created_at=datetime.fromisoformat(question.asked_at),
    )
