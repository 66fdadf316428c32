"""The usage hook receives every model call over the wire, whatever its outcome."""

import asyncio

import pytest

from app.errors import ModelFailed
from tests.contract.llm.model_questions import JPEG, Desk, ask_for
from tests.fakes.steps import (
    Gate,
    blocked,
    cut,
    held,
    never,
    not_json,
    rate_limit,
    status,
    thinking,
)

GOOD = {"verdict": "yes"}


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([GOOD], [("ok", True)]),
        (["no JSON", GOOD], [("unusable", True), ("ok", True)]),
        (["no JSON", "nor this"], [("unusable", True), ("unusable", True)]),
        ([status(503), rate_limit(0), GOOD], [("busy", True), ("busy", True), ("ok", True)]),
        ([status(401)], [("rejected", True)]),
        ([status(400)], [("rejected", True)]),
        ([blocked()], [("refused", True)]),
        # Whoever hangs up, or is cut off, does not know what was billed.
        ([never()], [("timeout", False)]),
        ([cut(GOOD), GOOD], [("failed", False), ("ok", True)]),
        ([not_json()], [("failed", False)]),
    ],
    ids=str,
)
async def test_each_call_is_told_with_its_outcome_and_what_it_took(
    desk: Desk, steps: list[object], told: list[tuple[str, bool]]
) -> None:
    desk.fake.script(*steps)
    try:
        await desk.ask(timeout_s=0.3 if told[0][0] == "timeout" else 10)
    except ModelFailed:
        assert told[-1][0] != "ok"
    assert [(used.outcome, used.counted) for used in desk.used] == told
    assert len(desk.fake.calls) == len(told)
    for used, call in zip(desk.used, desk.fake.calls, strict=True):
        if used.counted:
            assert used.input_tokens == call.input_tokens
            assert used.output_tokens + used.thinking_tokens == (
                call.output_tokens + call.thinking_tokens
            )
            assert used.cached_tokens == call.cached_tokens


async def test_a_call_that_the_person_stopped_is_told(desk: Desk) -> None:
    desk.fake.script(held(Gate(), GOOD))
    asking = asyncio.create_task(desk.ask())
    await desk.fake.called(1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    [used] = desk.used
    assert (used.outcome, used.counted) == ("cancelled", False)


async def test_nobody_there_costs_nothing_for_sure(desk: Desk, unused_tcp_port: int) -> None:
    with pytest.raises(ModelFailed):
        async with desk.elsewhere(f"http://127.0.0.1:{unused_tcp_port}/v1", desk.used) as model:
            await model.ask(ask_for())
    assert {(used.outcome, used.counted) for used in desk.used} == {("failed", True)}


async def test_the_words_of_a_call_go_with_it(desk: Desk) -> None:
    desk.fake.script(thinking(7, GOOD))
    await desk.ask(images=(JPEG,))
    [exchange] = desk.used.exchanges
    assert exchange is not None
    assert (exchange.system, exchange.prompt, exchange.images) == ("You judge.", "Is it so?", 1)
    assert '"yes"' in exchange.reply
