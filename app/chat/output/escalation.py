"""Escalates answers of the chat to operators."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from app.chat.calls import ChatCall
from app.chat.output.lines import ORDER
from app.chat.state import ChatState
from app.domain.access import Principal
from app.domain.chat import ChatLine
from app.domain.redaction import secrets_in
from app.domain.review import (
    Identity,
    Investigation,
    Issue,
    Level,
    Origin,
    Reason,
    Recommendation,
    Submission,
)
from app.errors import NotFound
from app.review import ReviewCase, Wording, explain_reasons, id_of_answer, reasons_of
from app.store.batch import StoreBatch
from app.store.repositories import Store

UNSURE: Reason = "low_confidence"
NAME, ROLE = "Tabwright", "agent"
MAX_LINES = 100_000  # of a conversation, in which one answer is looked up
NOTHING_CITED = "No passage of a document is cited for it"
KEEP = "Keep the answer as given, with the passages it cites"
FIND = "Add a document that answers this, or provide the answer"


def answer_case(
    event: Mapping[str, Any], *, grave: bool = False, asked_for: bool = False
) -> ReviewCase:
    """The case of a `response` event. Doubted claims and contradictory documents count as a conflict;
    unsupported claims are not part of the answer.
    """
    confidence: Level = min(
        event["inference_confidence"], event["retrieval_confidence"], key=ORDER.index
    )
    return ReviewCase(
        confidence=confidence,
        impact="high" if grave else "normal",
        conflicting=bool(event.get("claims_doubted") or event.get("conflicting")),
        asked_for=asked_for,
    )


def answer_submission(
    call: ChatCall,
    state: ChatState,
    event: Mapping[str, Any],
    now: datetime,
    *,
    reviewed: bool = False,
) -> Submission | None:
    """The record of the answer that ends this turn; None for a question, a cancelled turn, or if no review is
    needed. `reviewed`: it cites a document of the policy's `reviewed_sets`.
    """
    if event["type"] != "response" or event["cancelled"]:
        return None
    answer = state["answer"]
    case = answer_case(event, grave=reviewed or (answer is not None and answer.grave))
    # Low confidence alone, which the answer states, needs no operator.
    if not set(reasons_of(case)) - {UNSURE}:
        return None
    return _submission(
        event,
        case,
        now,
        tenant=call.principal.tenant,
        user=call.principal.user,
        thread_id=call.thread_id,
        question=state["message"],
        trace_id=state["trace_id"],
    )


async def opinion_on_answer(
    store_calls: StoreBatch, who: Principal, thread_id: str, message_id: str, note: str
) -> Submission:
    """The record of an answer for which a person requests a review; one already in the outbox is returned.
    Raises `NotFound` for a conversation they may not see, or a line that is no answer.
    """

    async def read(store: Store) -> tuple[str, Sequence[ChatLine], Submission | None]:
        found = await store.conversations.find(who.tenant, thread_id)
        if found is None or not who.can_see(found.user):
            raise NotFound("There is no such conversation")
        lines = await store.conversations.lines(who.tenant, thread_id, limit=MAX_LINES)
        record_id = id_of_answer(who.tenant, thread_id, message_id)
        return found.user, lines, await store.outbox.find(who.tenant, record_id)

    user, lines, queued = await store_calls(read)
    if queued is not None:
        return queued
    answer = next((line for line in lines if line.message_id == message_id), None)
    if answer is None or answer.role != "assistant" or answer.metadata.get("type") != "response":
        raise NotFound("There is no such answer")
    own = (line for line in lines if line.turn_id == answer.turn_id and line.role == "user")
    question = next(own, None)
    return _submission(
        answer.metadata,
        answer_case(answer.metadata, asked_for=True),
        datetime.now(UTC),
        tenant=who.tenant,
        user=user,
        thread_id=thread_id,
        question=question.content if question else "",
        note=note,
    )


def _submission(
    event: Mapping[str, Any],
    case: ReviewCase,
    now: datetime,
    *,
    tenant: str,
    user: str,
    thread_id: str,
    question: str,
    trace_id: str = "",
    note: str = "",
) -> Submission:
    """The record of an answer; `event` is the terminal event of its turn."""
    reasons = reasons_of(case)
    explanation = explain_reasons(reasons)
    word = Wording(secrets_in(question) | secrets_in(note))
    symptom = word.text_or(question, "The message only names documents")
    documents = word.lines(one["title"] for one in event.get("documents", ()))
    cites = bool(event["citations"])
    return Submission(
        id=id_of_answer(tenant, thread_id, event["message_id"]),
        tenant_id=tenant,
        submitted_at_ms=int(now.timestamp() * 1000),
        issue=Issue(reported_symptom=symptom, goal=symptom, thread_id=thread_id),
        investigation=Investigation(
            what_checked=word.lines(_checks(event)),
            evidence=word.lines(_quotes(event)),
            services_connections_involved=documents,
            confidence=case.confidence,
            impact=case.impact,
        ),
        recommendation=Recommendation(
            proposed_next_action=KEEP if cites else FIND,
            expected_outcome=word.text(event["response"]) if cites else "",
        ),
        why_escalated=word.text(f"{explanation}. {note}".strip() if note else explanation),
        missing_information=word.lines(_weaknesses(event)),
        submitter=Identity(name=NAME, role=ROLE, id=word.short(trace_id) or None),
        origin=Origin(
            kind="chat",
            user=user,
            message_id=event["message_id"],
            session_id=thread_id,
            told=word.long(event["response"]),
            reasons=reasons,
        ),
    )


def _checks(event: Mapping[str, Any]) -> Iterator[str]:
    yield f"Action: {event['action']}, {'by a model' if event['by_model'] else 'without a model'}"
    yield (
        f"Confidence: {event['inference_confidence']} in the understanding and the answer, "
        f"{event['retrieval_confidence']} in the search"
    )
    for one in event.get("documents", ()):
        yield f"Looked into: {one['title']}"
    if event["web_query"]:
        yield f"Searched the web for: {event['web_query']}"


def _quotes(event: Mapping[str, Any]) -> Iterator[str]:
    for one in event["citations"]:
        place = one["label"] or one["title"]
        yield f"[{one['marker']}] {place}: “{one['quote']}”"


def _weaknesses(event: Mapping[str, Any]) -> Iterator[str]:
    for one in event.get("unsupported", ()):
        yield f"No passage supports: {one['text']} ({one['reason']})"
    if doubted := event.get("claims_doubted"):
        yield f"Claims that the second check doubts: {doubted}"
    for one in event.get("doubts", ()):
        yield f"Doubted: {one['text']} ({one['reason']})"
    if event.get("conflicting"):
        yield "The documents contradict each other"
    if not event["citations"]:
        yield NOTHING_CITED
    yield from event["notices"]
