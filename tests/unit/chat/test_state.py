"""What a turn begins with, and what it leaves alone."""

from app.chat.state import LASTING, ChatState, lasting, turn


def test_a_turn_brings_every_key_but_those_that_last():
    begun = turn(
        request_id="r",
        trace_id="t",
        tenant="a",
        user="ann",
        thread_id="x",
        message="m",
        plain="m",
        mentions=(),
        action=None,
        web=False,
    )
    assert begun.keys() == ChatState.__annotations__.keys() - LASTING
    assert begun["enable_web_search"] is False
    assert lasting((), ()).keys() == LASTING
