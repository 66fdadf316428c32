"""Where a request enters its thread: with a new message, or at a pending question."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import TypeAlias, cast

from langgraph.types import Command

from app.chat.calls import Answer
from app.chat.graph import ChatGraph
from app.chat.output.lines import memory_lines, turn_of
from app.chat.state import ChatState, new_thread, new_turn
from app.chat.turns import TurnLease
from app.domain.chat import ChatLine
from app.domain.hitl import HitlResult, Question
from app.errors import HitlExpired, HitlNotPending, Invalid
from app.hitl import CANCEL, HitlAnswer, Inbox, only_answer, resolve_answer
from app.runs import GraphInput, load_thread, thread_config

RECURSION_LIMIT = 60  # supersteps of one request
TurnInput: TypeAlias = GraphInput[ChatState]


async def resolve_turn_input(
    graph: ChatGraph,
    turn: TurnLease,
    inbox: Inbox,
    load_lines: Callable[[], Awaitable[Sequence[ChatLine]]],
) -> TurnInput:
    """Find where the thread stands and how this request continues it. `load_lines` is called if the thread
    was deleted. Raises `HitlNotPending`, `HitlExpired`, or `Invalid` for an answer that does not fit.
    """
    snapshot = await load_thread(graph, turn.task_id, ChatState)
    config, content = thread_config(turn.task_id, RECURSION_LIMIT), turn.call.content
    state = cast("ChatState", snapshot.values) if snapshot.values else None
    question = state["question"] if state is not None and snapshot.interrupts else None
    is_repeat = state is not None and state["request_id"] == turn.call.request_id
    if is_repeat and (question is not None or not snapshot.next):
        return GraphInput(config=config, value=None, state=state, replay=True)
    if isinstance(content, Answer):
        if is_repeat and question is None:  # interrupted after it resumed the thread
            return GraphInput(config=config, value=None, state=state)
        if question is None:
            raise HitlNotPending
        if content.hitl_id is not None and content.hitl_id != question.hitl_id:
            raise HitlNotPending("Another question waits")
        result = content.recorded or await _record_answer(turn, content, question, inbox)
        resumed = {
            "request_id": turn.call.request_id,
            "reply": result,
            "mentions": list(content.mentions),
        }
        return GraphInput(config=config, value=Command(resume=resumed), state=state, result=result)
    cancelled = None
    if question is not None:
        cancelled = await _cancel_question(turn, question, inbox)
    patch = new_turn(turn.call, content)
    if superseded := set(turn.conversation.superseded):
        messages = state["messages"] if state is not None else []
        patch["messages"] = [one for one in messages if turn_of(one) not in superseded]
    if state is None:
        patch |= new_thread(turn.conversation.documents, memory_lines(await load_lines()))
    return GraphInput(config=config, value=patch, state=state, result=cancelled)


async def _record_answer(
    turn: TurnLease, answer: Answer, question: Question, inbox: Inbox
) -> HitlResult:
    """Record the answer; returns the recorded result, which is `expired` if the answer came too late."""
    result = _answer_result(turn, answer, question)
    recorded = await inbox.conclude(turn.call.principal.tenant, result)
    if recorded.status == "expired" and recorded.result is not None:
        return recorded.result
    return only_answer(recorded, result).result or result


def _answer_result(turn: TurnLease, answer: Answer, question: Question) -> HitlResult:
    """The answer as the control plane represents it. Mentions without text count as their labels."""
    text = answer.text
    if text is not None and not text.strip():
        text = ", ".join(mention.label or mention.id for mention in answer.mentions)
        if not text:
            raise Invalid("resume_value.value: say something, or cancel")
    if answer.kind == CANCEL:
        text = None
    elif text is None:
        raise Invalid("resume_value.value: only a cancel has none")
    hitl_answer = HitlAnswer(hitl_id=question.hitl_id, kind=answer.kind, text=text)
    try:
        return resolve_answer(
            turn.call.principal, question, hitl_answer, via="interact", key=turn.call.request_id
        )
    except Invalid as error:
        raise Invalid(error.detail.replace("hitlResponse", "resume_value")) from error


async def _cancel_question(turn: TurnLease, question: Question, inbox: Inbox) -> HitlResult | None:
    """A new message cancels the pending question."""
    row = await inbox.find(turn.call.principal.tenant, question.hitl_id)
    if row is None or row.status != "pending":
        return None
    is_expired = row.status_at(datetime.now(UTC)) == "expired"
    ended = await inbox.end(
        row, "expired" if is_expired else "cancelled", by=turn.call.principal.user
    )
    return ended.result


def require_in_time(entry: TurnInput) -> None:
    """Raises `HitlExpired` for an answer that came too late."""
    resumes = isinstance(entry.value, Command)
    if resumes and entry.result is not None and entry.result.decision == "expired":
        raise HitlExpired
