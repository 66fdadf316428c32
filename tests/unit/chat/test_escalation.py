"""Which answers are escalated to operators, and how they are worded."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from app.chat.calls import ChatCall, Message
from app.chat.output.escalation import answer_submission
from app.chat.output.lines import terminal_event
from app.chat.state import new_thread, new_turn
from app.domain.access import Principal
from app.domain.chat import ChatCitation, ContestedClaim, DocumentRef, Reply, Resolution
from app.domain.hitl import Question
from app.domain.review import Submission
from app.review.submission import id_of_answer

NOW = datetime(2026, 11, 22, tzinfo=UTC)
LEVELS = ("low", "medium", "high")
CITED = ChatCitation(marker=1, title="Leave policy", label="Leave policy, page 2", quote="25 days")
CONTESTED = ContestedClaim(text="It is 30 days.", reason="not in its quotes: 30")
levels = st.sampled_from(LEVELS)


def ended(message: str, *, reviewed: bool = False, **more: Any) -> Submission | None:
    """The record of the turn that ends with this state."""
    said = Message(text=message, plain=message)
    call = ChatCall(
        principal=Principal(tenant="one", user="ann"), request_id="r", body_hash="", trace_id="t",
        thread_id="x", content=said,
    )  # fmt: skip
    state: Any = {**new_thread((), ()), **new_turn(call, said), **more}
    event = terminal_event(state, message_id="m", title="")
    return answer_submission(call, state, event, NOW, reviewed=reviewed)


@settings(max_examples=80, deadline=None)
@given(
    meant=levels,
    said=levels,
    found=st.none() | levels,
    dropped=st.integers(0, 2),
    doubted=st.integers(0, 2),
    conflicting=st.booleans(),
    by_model=st.booleans(),
    grave=st.booleans(),
    reviewed=st.booleans(),
    ends=st.sampled_from(["answered", "answered", "answered", "asks", "cancelled"]),
)
def test_what_is_doubted_conflicting_grave_or_reviewed_is_filed_and_nothing_else(
    meant: Any, said: Any, found: Any, dropped: int, doubted: int, conflicting: bool, by_model: bool,
    grave: bool, reviewed: bool, ends: str,
):  # fmt: skip
    record = ended(
        "How long is the leave?",
        reviewed=reviewed,
        resolution=Resolution(confidence=meant),
        answer=Reply(
            text="25 days [1].",
            confidence=said,
            unsupported=(CONTESTED,) * dropped,
            doubted=doubted,
            conflicting=conflicting,
            by_model=by_model,
            grave=grave,
        ),
        retrieval_confidence=found,
        question=Question(text="Which?") if ends == "asks" else None,
        cancelled=ends == "cancelled",
    )
    least = min(meant, said, found or "high", key=LEVELS.index)
    wanted = {
        "low_confidence": least != "high",
        "conflicting_evidence": doubted > 0 or conflicting,
        "high_impact": grave or reviewed,
    }
    if ends != "answered" or not (wanted["conflicting_evidence"] or wanted["high_impact"]):
        assert record is None
        return
    assert record is not None
    assert set(record.origin.reasons) == {name for name, holds in wanted.items() if holds}
    assert record.investigation.confidence == least
    assert record.investigation.impact == ("high" if grave or reviewed else "normal")
    assert record.id == id_of_answer("one", "x", "m")


def test_what_an_operator_reads_of_an_answer():
    record = ended(
        "How long is the leave? My password is hunter22!x",
        resolution=Resolution(),
        documents=[DocumentRef(id="d", title="Leave policy")],
        answer=Reply(
            text="25 days [1].",
            confidence="medium",
            citations=(CITED,),
            unsupported=(CONTESTED,),
            doubts=(CONTESTED,),
            doubted=1,
            conflicting=True,
        ),
        web_search_query="leave days",
        notices=["A model was away."],
    )
    assert record is not None
    assert record.issue.thread_id == "x"
    assert record.issue.reported_symptom.startswith("How long is the leave?")
    assert "hunter22" not in record.model_dump_json()
    assert record.investigation.evidence == ("[1] Leave policy, page 2: “25 days”",)
    checked = "\n".join(record.investigation.what_checked)
    assert "Looked into: Leave policy" in checked
    assert "Searched the web for: leave days" in checked
    assert record.missing_information == (
        "No passage supports: It is 30 days. (not in its quotes: 30)",
        "Claims that the second check doubts: 1",
        "Doubted: It is 30 days. (not in its quotes: 30)",
        "The documents contradict each other",
        "A model was away.",
    )
    assert "Keep the answer" in record.recommendation.proposed_next_action
    assert (record.origin.kind, record.origin.message_id) == ("chat", "m")
    assert record.origin.told == "25 days [1]."


def test_where_nothing_was_found_a_document_is_proposed():
    record = ended("Who won?", answer=Reply(text="Nothing says so.", confidence="low", doubted=1))
    assert record is not None
    assert "Add a document" in record.recommendation.proposed_next_action
    assert record.missing_information == (
        "Claims that the second check doubts: 1",
        "No passage of a document is cited for it",
    )


@settings(max_examples=25, deadline=None)
@given(text=st.text(st.characters(codec=None), max_size=60), times=st.sampled_from([1, 400]))
def test_whatever_was_said_fits_a_record(text: str, times: int):
    long = text * times
    reply = Reply(text=long, grave=True, citations=(CITED.model_copy(update={"quote": long}),))
    record = ended(long, answer=reply, notices=[long])
    assert record is not None
    assert Submission.model_validate_json(record.model_dump_json()) == record
