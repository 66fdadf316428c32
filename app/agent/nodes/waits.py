"""Nodes that wait: `execution` and `look` for the browser, the gates (`await_person`) for a person, whose
question `put_question` prepares and whose answer `take_answer` applies.

A resumed node reruns from its top, so nothing may have an effect before `interrupt`.
"""

from datetime import datetime
from uuid import NAMESPACE_URL, uuid5

from langgraph.runtime import Runtime
from langgraph.types import interrupt

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
from app.domain.hitl import SAVE_TO_MEMORY, Question
from app.domain.plan import Outcome
from app.domain.redaction import masked
from app.domain.task import Message
from app.errors import BudgetReached
from app.hitl import mark_sent, question_text, was_sent
from app.plans import LONGEST_FIELD, plain_text


def execution(state: AgentState) -> Patch:
    """Wait until the browser has executed the chain.

    Resumes with the request's id; the page and the client's report are in the request's context.
    """
    request_id = interrupt({"kind": "browser"})
    return {"request_id": request_id}


def look(state: AgentState) -> Patch:
    """Wait until the browser sends the page in the requested mode. Resumes with the request's id."""
    request_id = interrupt({"kind": "await_observation"})
    return {"request_id": request_id}


def await_person(state: AgentState) -> Patch:
    """Wait until a person answers the question. Resumes with `request_id` and `reply`."""
    question = state["question"]
    assert question is not None
    answer = interrupt({"kind": "person", "hitlId": question.hitl_id})
    return {"request_id": answer["request_id"], "reply": answer["reply"]}


SAVED = "Saved to memory, which is kept with your team's documents"
NOT_SAVED = "It could not be saved: the documents cannot be reached"


async def put_question(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Store the question in the session's history and the inbox before a gate waits for the answer.

    Idempotent, since the question's id is derived from the request's. If another question is already
    pending, that one is asked instead, and this one's chain is withdrawn.
    """
    context, question = runtime.context, state["question"]
    assert question is not None
    if context.inbox is None:
        return {"question": question}
    pending = await context.inbox.put(
        question_row(state, context.task_id, context.page.url),
        question_message(question, state, context),
        context.lease,
    )
    if pending.hitl_id != question.hitl_id:
        return Patch(question=pending.question) | withdraw_chain(state)
    dates = {"asked_at": pending.question.asked_at, "expires_at": pending.question.expires_at}
    return {"question": question.model_copy(update=dates)}


async def take_answer(state: AgentState, runtime: Runtime[AgentContext]) -> Patch:
    """Apply the answer. An approved chain enters the ledger here, together with the answer."""
    if (saved := await _save_goal_to_memory(state, runtime.context)) is not None:
        return saved
    meaning = await _interpret_answer(state, runtime.context)
    patch = apply_reply(state, runtime.context, meaning)
    return patch | _dispatch_approved(state, patch)


async def _save_goal_to_memory(state: AgentState, context: AgentContext) -> Patch | None:
    """Save the goal without its secrets and end the task; None unless the person chose that."""
    question, reply = state["question"], state["reply"]
    offered = question is not None and SAVE_TO_MEMORY in question.options
    if reply is None or not offered or reply.text != SAVE_TO_MEMORY.id:
        return None
    text = masked(state["goal"], secrets_of(state))
    outcome = Outcome(status="failed", message=f"{NOT_SAVED}.")
    if await context.knowledge.save_text(context.who, text):
        outcome = Outcome(status="completed", message=f"{SAVED}: {quote_value(text)}.")
    return close_question(state, reply) | Patch(outcome=outcome)


def _dispatch_approved(state: AgentState, patch: Patch) -> Patch:
    """Enter an approved chain in the ledger, and its operations in the answer."""
    reply, chain = state["reply"], patch.get("chain", state["chain"])
    assert reply is not None
    if reply.decision != "approved" or reply.return_to != "execution/approved" or chain is None:
        return {}
    steps = chain_step_ids(state, chain, state["steps"] - 1)
    if was_sent(state["executed"], steps):
        return withdraw_chain(state)
    result = reply.model_copy(update={"operations": steps})
    return {
        "executed": mark_sent(state["executed"], steps),
        "hitl_results": {**patch["hitl_results"], reply.hitl_id: result},
    }


async def _interpret_answer(state: AgentState, context: AgentContext) -> InterpretedAnswer | None:
    """Interpret an answer to an approval question that is neither yes nor no; None for other answers."""
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
        answer = await context.reasoner.answer(situation, reply.text)
    except BudgetReached:
        answer = None
    return InterpretedAnswer(meaning, plain_text(answer or "", LONGEST_FIELD))


def question_message(question: Question, state: AgentState, context: AgentContext) -> Message:
    """The question's line in the session's history, with an id derived from the question's."""
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
