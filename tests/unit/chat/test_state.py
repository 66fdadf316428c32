"""The keys that a turn sets, and those of the thread."""

from app.chat.calls import ChatCall, Message
from app.chat.state import ChatState, ThreadKeys, new_thread, new_turn
from app.domain.access import Principal

MESSAGE = Message(text="m", plain="m")


def test_a_turn_sets_every_key_but_those_of_the_thread():
    who = Principal(tenant="a", user="ann")
    call = ChatCall(
        principal=who, request_id="r", body_hash="", trace_id="t", thread_id="x", content=MESSAGE
    )
    turn = new_turn(call, MESSAGE)
    assert turn.keys() == ChatState.__annotations__.keys() - ThreadKeys.__annotations__.keys()
    assert turn["enable_web_search"] is False
    assert new_thread((), ()).keys() == ThreadKeys.__annotations__.keys()
