"""Records of the review queue, as they come from tasks and from the chat, for the console's pages."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from app.domain.chat import ChatLine, Conversation
from app.domain.review import (
    Identity,
    Investigation,
    Issue,
    Origin,
    Recommendation,
    Submission,
    new_record_id,
)
from app.review.submission import explain_reasons
from app.settings import Settings
from app.store.open import open_reviews, open_store

AGENT = Identity(name="Tabwright", role="agent")
HOUR_MS = 3_600_000
QUESTION = "How many days of leave does a nurse on nights have?"
ANSWER = "A nurse on nights has 33 days of leave [1]. The older rules say 30 [2]."
CITED = [
    {
        "marker": 1,
        "title": "Leave 2026",
        "label": "Leave 2026, page 4",
        "page": 4,
        "version": 1,
        "quote": "Those who work nights have 33 days of leave in a year.",
    },
    {
        "marker": 2,
        "title": "Leave 2024",
        "label": "Leave 2024, page 2",
        "page": 2,
        "version": 1,
        "quote": "Nurses have 30 days of leave.",
    },
]


def record(goal: str, *, hours: float = 1.0, **more: Any) -> Submission:
    """One that waits since so many hours."""
    fields: dict[str, Any] = {
        "id": new_record_id(),
        "tenant_id": "default",
        "submitted_at_ms": round(datetime.now(UTC).timestamp() * 1000 - hours * HOUR_MS),
        "issue": Issue(
            site="crm.example",
            goal=goal,
            reported_symptom="The phone number was saved, but another record shows the old one",
            task_id=more.pop("task_id", None),
        ),
        "investigation": Investigation(
            what_checked=("The form after it was saved", "The list of customers", "Both tabs"),
            evidence=(
                "The form says: Saved",
                "The list still shows 555 0000 for Jas Patel",
                "Two customers have the name Jas Patel",
            ),
            candidate_root_cause="The number went to the other customer of the same name",
            services_connections_involved=("CRM",),
            confidence="low",
            impact="high",
        ),
        "recommendation": Recommendation(
            proposed_next_action="Open both customers and compare their numbers, then correct the wrong one",
            expected_outcome="Each Jas Patel has their own number",
        ),
        "why_escalated": explain_reasons(("low_confidence", "conflicting_evidence", "high_impact")),
        "missing_information": ("Which Jas Patel was meant",),
        "submitter": AGENT,
        "origin": Origin(
            kind="task",
            user="ann",
            told="I saved 555 1234 for Jas Patel, but I am not sure that it is the right one.",
            reasons=("low_confidence", "conflicting_evidence", "high_impact"),
        ),
    }
    return Submission(**(fields | more))


def simple(
    goal: str, *, hours: float, user: str = "bob", site: str = "office.example"
) -> Submission:
    """A record with little in it."""
    return record(
        goal,
        hours=hours,
        issue=Issue(site=site, goal=goal, reported_symptom=goal),
        investigation=Investigation(confidence="medium", impact="normal"),
        missing_information=(),
        why_escalated=explain_reasons(("low_confidence",)),
        origin=Origin(kind="task", user=user, reasons=("low_confidence",)),
    )


async def file(settings: Settings, *records: Submission) -> list[str]:
    """Put them in the queue; their ids."""
    async with open_reviews(settings) as reviews:
        return [(await reviews.submit(one)).id for one in records]


async def file_answer(settings: Settings, *, hours: float = 2.0) -> str:
    """A record of an answer of the chat, with the conversation it is from."""
    thread_id, now = str(uuid4()), datetime.now(UTC)
    shared: dict[str, Any] = {"tenant": "default", "thread_id": thread_id, "created_at": now}
    talk = Conversation(user="ann", task_id=f"t-{thread_id}", updated_at=now, **shared)
    said: dict[str, Any] = {**shared, "turn_id": "r"}
    lines = [
        ChatLine(message_id="q", role="user", content=QUESTION, **said),
        ChatLine(
            message_id="a",
            role="assistant",
            kind="answer",
            content=ANSWER,
            metadata={"citations": CITED},
            **said,
        ),
    ]
    async with open_store(settings) as store:
        await store.conversations.create(talk)
        await store.conversations.add_lines("default", thread_id, lines, at=now)
    made = record(
        QUESTION,
        hours=hours,
        issue=Issue(goal=QUESTION, reported_symptom=QUESTION, thread_id=thread_id),
        investigation=Investigation(
            what_checked=("Leave 2026", "Leave 2024"),
            evidence=tuple(f"{one['label']}: {one['quote']}" for one in CITED),
            confidence="medium",
            impact="normal",
        ),
        recommendation=Recommendation(
            proposed_next_action="Say that the rules of 2026 hold, and take those of 2024 out"
        ),
        why_escalated=explain_reasons(("low_confidence", "conflicting_evidence")),
        missing_information=("Whether the rules of 2024 still hold for anybody",),
        origin=Origin(
            kind="chat",
            user="ann",
            message_id="a",
            told=ANSWER,
            reasons=("low_confidence", "conflicting_evidence"),
        ),
    )
    return (await file(settings, made))[0]
