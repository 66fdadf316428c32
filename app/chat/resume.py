"""Where a request enters its thread: with a new message, or where a question waits."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import TypeAlias, cast

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command

from app.chat.calls import Answer
from app.chat.graph import ChatGraph
from app.chat.output.lines import memory_lines, turn_of
from app.chat.state import ChatState, thread_memory, turn_input
from app.chat.turns import TurnLease
from app.domain.chat import ChatLine
from app.domain.hitl import HitlResult, Question
from app.errors import HitlExpired, HitlNotPending, Invalid
from app.hitl import CANCEL, HitlAnswer, Inbox, only_answer, resolve_answer
from app.runs import GraphInput, load_thread, thread_config

RECURSION_LIMIT = 60  # supersteps of one request
TurnInput: TypeAlias = GraphInput[ChatState]
LoadLines = Callable[[], Awaitable[Sequence[ChatLine]]]


async def resolve_turn_input(
    graph: ChatGraph, held: TurnLease, inbox: Inbox, recall: LoadLines
) -> TurnInput:
    """Find where the thread stands and how this request goes on from there. `recall` is asked where the
    thread is gone. Raises `HitlNotPending`, `HitlExpired`, or `Invalid` for an answer that does not fit.
    """
    snapshot = await load_thread(graph, held.task_id, ChatState)
    config, said = thread_config(held.task_id, RECURSION_LIMIT), held.call.content
    state = cast("ChatState", snapshot.values) if snapshot.values else None
    question = state["question"] if state is not None and snapshot.interrupts else None
    mine = state is not None and state["request_id"] == held.call.request_id
    if mine and (question is not None or not snapshot.next):
        return GraphInput(config=config, value=None, state=state, replay=True)
    if isinstance(said, Answer):
        if mine and state is not None and question is None:  # cut off after the answer was taken
            return GraphInput(config=config, value=None, state=state)
        if question is None:
            raise HitlNotPending
        return await _resume_with_answer(held, said, question, config, state, inbox)
    result = None
    if question is not None:
        result = await _cancel_question(held, question, inbox)
    begun = turn_input(held.call, said)
    if gone := set(held.conversation.superseded):
        messages = state["messages"] if state is not None else []
        begun["messages"] = [one for one in messages if turn_of(one) not in gone]
    if state is None:
        begun |= thread_memory(held.conversation.documents, memory_lines(await recall()))
    return GraphInput(config=config, value=begun, state=state, result=result)


async def _resume_with_answer(
    held: TurnLease,
    said: Answer,
    question: Question,
    config: RunnableConfig,
    state: ChatState | None,
    inbox: Inbox,
) -> TurnInput:
    if said.hitl_id is not None and said.hitl_id != question.hitl_id:
        raise HitlNotPending("Another question waits")
    result = said.recorded or await _record_answer(
        held, _answer_result(held, said, question), inbox
    )
    mentions = list(said.mentions)
    resumed = {"request_id": held.call.request_id, "reply": result, "mentions": mentions}
    return GraphInput(config=config, value=Command(resume=resumed), state=state, result=result)


async def _record_answer(held: TurnLease, result: HitlResult, inbox: Inbox) -> HitlResult:
    """The result that stands: one that came too late is expired, and brings the thread to its end."""
    stands = await inbox.conclude(held.call.principal.tenant, result)
    if stands.status == "expired" and stands.result is not None:
        return stands.result
    return only_answer(stands, result).result or result


def _answer_result(held: TurnLease, said: Answer, question: Question) -> HitlResult:
    """What was said as the control plane takes it. A document that was tagged and nothing else is an answer
    in words, by its label.
    """
    text = said.text
    if text is not None and not text.strip():
        text = ", ".join(one.label or one.id for one in said.mentions)
        if not text:
            raise Invalid("resume_value.value: say something, or cancel")
    answer = HitlAnswer(hitl_id=question.hitl_id, kind=said.kind, text=text)
    if said.kind == CANCEL:
        answer = HitlAnswer(hitl_id=question.hitl_id, kind=CANCEL, text=None)
    elif text is None:
        raise Invalid("resume_value.value: only a cancel has none")
    try:
        return resolve_answer(
            held.call.principal, question, answer, via="interact", key=held.call.request_id
        )
    except Invalid as error:
        raise Invalid(error.detail.replace("hitlResponse", "resume_value")) from error


async def _cancel_question(held: TurnLease, question: Question, inbox: Inbox) -> HitlResult | None:
    """A new message ends the question before it."""
    row = await inbox.find(held.call.principal.tenant, question.hitl_id)
    if row is None or row.status != "pending":
        return None
    late = row.status_at(datetime.now(UTC)) == "expired"
    stands = await inbox.end(row, "expired" if late else "cancelled", by=held.call.principal.user)
    return stands.result


def require_in_time(entry: TurnInput) -> None:
    """Raises `HitlExpired` for an answer that came too late."""
    resumes = isinstance(entry.value, Command)
    if resumes and entry.result is not None and entry.result.decision == "expired":
        raise HitlExpired
