"""What a turn begins with, and what it leaves alone."""

from app.chat.calls import ChatCall, Message
from app.chat.state import LASTING, ChatState, thread_memory, turn_input
from app.domain.access import Principal

SAID = Message(text="m", plain="m")


def test_a_turn_brings_every_key_but_those_that_last():
    who = Principal(tenant="a", user="ann")
    call = ChatCall(
        principal=who, request_id="r", body_hash="", trace_id="t", thread_id="x", content=SAID
    )
    begun = turn_input(call, SAID)
    assert begun.keys() == ChatState.__annotations__.keys() - LASTING
    assert begun["enable_web_search"] is False
    assert thread_memory((), ()).keys() == LASTING
