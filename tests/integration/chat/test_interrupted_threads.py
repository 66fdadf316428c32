"""Concurrent, interrupted and wrongly answered turns, and deleted documents: nothing is lost or repeated."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import httpx
import pytest

from app.domain.access import Principal
from tests.fakes.steps import Gate, held
from tests.integration.chat.chat_desk import (
    CHAT,
    LONGEST_S,
    RESUME,
    ChatDesk,
    Json,
    desk_of,
    filling,
    roles,
    thread_id,
)
from tests.integration.desk import Served

pytestmark = pytest.mark.usefixtures("no_model")
CANTEEN = "# Canteen\n\nThe canteen opens at seven. Guests pay eight euros for lunch.\n"


@pytest.fixture(scope="module")
def canteen(chat: ChatDesk) -> str:
    return chat.put("canteen.md", CANTEEN, title="Canteen rules")


@pytest.fixture(scope="module")
def colleague(served: Served) -> Iterator[ChatDesk]:
    """Another person of the same tenant."""
    with desk_of(served, Principal(tenant="default", user="ben")) as desk:
        yield desk


def test_of_two_messages_at_once_one_is_answered_and_the_other_told_to_wait(
    chat: ChatDesk, canteen: str
) -> None:
    gate, id_ = Gate(), thread_id()
    chat.model(held(gate, filling("P1")))
    with ThreadPoolExecutor(1) as beside:
        asked = {"action": "inquire", "tagged_doc_ids": [canteen], "thread_id": id_}
        first = beside.submit(chat.through, "When does the canteen open?", **asked)
        try:
            asyncio.run(chat.gemini.called(1, LONGEST_S))
            second = chat.say("And what does lunch cost?", **asked)
            assert second.status == httpx.codes.CONFLICT
            assert second.problem["code"] == "TASK_BUSY"
            assert chat.history(id_)["running"] is True
        finally:
            gate.set()
        assert first.result().end["type"] == "response"
    assert roles(chat.settled(id_)) == [("user", "message"), ("assistant", "message")]
    chat.model()
    assert chat.through("And what does lunch cost?", **asked).end["type"] == "response"


def asks(chat: ChatDesk) -> Json:
    """A question that waits: which documents?"""
    end = chat.say("Summarize the submarine handbook", action="summarize").end
    assert end["type"] == "interrupt", end
    return end


def test_a_resume_of_the_wrong_kind_leaves_the_question_where_it_is(
    chat: ChatDesk, canteen: str, colleague: ChatDesk
) -> None:
    asked = asks(chat)
    id_ = asked["thread_id"]
    wrong: list[Json] = [
        {"type": "doc_choice", "value": "x"}, {"type": "nothing", "value": "x"},
        {"type": "text_input", "value": ""}, {"type": "text_input", "value": None},
        {"type": "text_input", "value": {"a": 1}}, {"value": "x"}, "cancel", None,
    ]  # fmt: skip
    for value in wrong:
        turn = chat.post(RESUME, {"thread_id": id_, "resume_value": value})
        assert turn.status == httpx.codes.UNPROCESSABLE_ENTITY, (value, turn)
        assert turn.problem["detail"]
    other = chat.answer(asked, "Canteen rules", hitl_id=str(uuid4()))
    assert (other.status, other.problem["code"]) == (400, "HITL_NOT_PENDING")
    assert colleague.answer(asked, "Canteen rules").status in (400, 404)
    assert chat.history(id_)["pending_interrupt"]["hitl_id"] == asked["hitl_id"]
    assert chat.answer(asked, "Canteen rules").cited == {canteen}
    late = chat.answer(asked, "Canteen rules")
    assert (late.status, late.problem["code"]) == (400, "HITL_NOT_PENDING")


def test_a_connection_that_is_cut_after_any_event_changes_nothing(
    chat: ChatDesk, canteen: str
) -> None:
    def request() -> Json:
        said = {"message": "When does the canteen open?", "tagged_doc_ids": [canteen]}
        return said | {"action": "inquire", "thread_id": thread_id(), "request_id": str(uuid4())}

    whole = chat.post(CHAT, request())
    for most in range(1, len(whole.events)):
        body = request()
        cut = chat.post(CHAT, body, most=most)
        assert len(cut.events) == most
        told = chat.settled(body["thread_id"])
        assert roles(told) == [("user", "message"), ("assistant", "message")]
        again = chat.post(CHAT, body)
        assert again.text == whole.text
        assert again.end["message_id"] == told["messages"][-1]["id"]
        assert chat.history(body["thread_id"]) == told


def test_a_question_that_was_cut_off_is_put_again(chat: ChatDesk) -> None:
    body = {"message": "Summarize the submarine handbook", "action": "summarize",
            "thread_id": thread_id(), "request_id": str(uuid4())}  # fmt: skip
    chat.post(CHAT, body, most=1)
    told = chat.settled(body["thread_id"])
    again = chat.post(CHAT, body).end
    assert again["type"] == "interrupt"
    assert again["hitl_id"] == told["pending_interrupt"]["hitl_id"]
    assert chat.answer(again, None).end["cancelled"] is True
    assert chat.history(body["thread_id"])["pending_interrupt"] is None


CHECKED = 'Check this: "The pool opens at eight."'


@pytest.mark.parametrize("action", ["inquire", "summarize", "compare", "audit"])
def test_a_document_that_is_deleted_in_mid_turn_breaks_nothing(
    chat: ChatDesk, canteen: str, action: str
) -> None:
    soon = chat.put("soon.md", "# Pool\n\nThe pool opens at nine. Guests pay four euros.\n")
    gate = Gate()
    chat.model(held(gate, filling("P1")))
    with ThreadPoolExecutor(1) as beside:
        asked = {"action": action, "tagged_doc_ids": [soon, canteen], "thread_id": thread_id()}
        said = "When does the pool open?" if action == "inquire" else CHECKED
        turn = beside.submit(chat.through, said, **asked)
        try:
            asyncio.run(chat.gemini.called(1, LONGEST_S))
            chat.delete(soon)
        finally:
            gate.set()
        assert turn.result().end["type"] == "response"
    chat.model()
    after = chat.through("What do guests pay?", **asked | {"action": "inquire"})
    assert any("no document called" in one for one in after.end["notices"])
    assert "eight euros" in after.text


def test_a_conversation_is_ones_own(chat: ChatDesk, colleague: ChatDesk, canteen: str) -> None:
    asked = {"action": "inquire", "tagged_doc_ids": [canteen]}
    id_ = chat.say("When does the canteen open?", **asked).end["thread_id"]
    told = chat.settled(id_)
    assert colleague.say("And then?", thread_id=id_, **asked).status == httpx.codes.NOT_FOUND
    path = f"/api/chat/conversations/{id_}"
    assert colleague.http.patch(path, json={"title": "Mine"}).status_code == httpx.codes.NOT_FOUND
    assert colleague.http.delete(path).status_code == httpx.codes.NOT_FOUND
    assert "canteen" not in colleague.http.get(f"/api/chat/history/{id_}").text.lower()
    assert "canteen" not in colleague.http.get("/api/chat/conversations").text.lower()
    assert chat.history(id_) == told
