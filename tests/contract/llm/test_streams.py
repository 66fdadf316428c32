"""Streamed replies: partial replies, and streams that break off."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from app.errors import InstructionsLeaked, ModelUnavailable
from app.llm.port import ModelRequest, Reply
from app.llm.providers.canary import CanaryModel
from tests.contract.llm.model_questions import Desk, Verdict, desk_of
from tests.fakes.calls import Call
from tests.fakes.steps import Gate, Pieces, Raw, broken, pieces, status, text_of, unended

NOTE = "K\u00f6nig \U0001f511 \u201ckey\u201d"
WHOLE = text_of({"note": NOTE, "actions": ["one", "two"], "verdict": "yes"})
RIGHT = Verdict(verdict="yes", actions=("one", "two"), note=NOTE)
BEGUN = '{"note": "Half a no'


@pytest.fixture(params=["gemini", "openai"])
async def desk(request: pytest.FixtureRequest) -> AsyncIterator[Desk]:
    async with desk_of(request.param, streamed=True) as opened:
        yield opened


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(30):
        while not holds():
            await asyncio.sleep(0.005)


async def once_told(desk: Desk, gate: Gate) -> Verdict:
    """The reply, of which the rest comes once something was told."""
    asking = asyncio.create_task(desk.ask())
    await until(lambda: desk.told)
    gate.set()
    return await asking


async def test_what_has_come_is_told_before_the_reply_is_whole(desk: Desk) -> None:
    gates = [Gate(), Gate()]
    first, second, third = WHOLE[:14], WHOLE[14:42], WHOLE[42:]
    desk.fake.script(pieces(first, gates[0], second, gates[1], third))
    asking = asyncio.create_task(desk.ask())
    await until(lambda: desk.told)
    assert desk.told == [{"note": first.partition(': "')[2]}]
    gates[0].set()
    await until(lambda: len(desk.told) > 1)
    assert desk.told[-1]["note"] == NOTE
    assert not asking.done()
    gates[1].set()
    assert await asking == RIGHT


@pytest.mark.parametrize("cut", [1, 3, 7])
async def test_where_the_wire_parts_a_letter_or_an_event_nothing_is_lost(
    desk: Desk, cut: int
) -> None:
    desk.fake.script(pieces(*(WHOLE[at : at + 5] for at in range(0, len(WHOLE), 5)), cut=cut))
    assert await desk.ask() == RIGHT
    assert all(NOTE.startswith(one.get("note", "")) for one in desk.told)


async def test_a_streamed_call_is_counted_and_written_down_like_another(desk: Desk) -> None:
    desk.fake.script(pieces(WHOLE))
    await desk.ask()
    ([used], [call], [exchange]) = (desk.used, desk.fake.calls, desk.used.exchanges)
    assert call.streamed
    assert (used.outcome, used.counted) == ("ok", True)
    assert (used.input_tokens, used.output_tokens) == (call.input_tokens, call.output_tokens)
    assert exchange is not None
    assert exchange.reply == WHOLE


@pytest.mark.parametrize("ending", [broken, unended])
async def test_a_reply_that_breaks_off_is_begun_anew_and_whoever_listens_is_told(
    desk: Desk, ending: Callable[..., Pieces]
) -> None:
    gate = Gate()
    desk.fake.script(ending(BEGUN, gate), WHOLE)
    assert await once_told(desk, gate) == RIGHT
    assert desk.told[:2] == [{"note": "Half a no"}, {}]
    failed, used = desk.used
    assert (failed.outcome, failed.counted, used.outcome) == ("failed", False, "ok")
    # Gemini counts as it goes; others tell it at the end, which did not come.
    known = desk.fake.calls[0].input_tokens if desk.provider == "gemini" else 0
    assert failed.input_tokens == known
    assert desk.used.exchanges[0] is not None
    assert desk.used.exchanges[0].reply == BEGUN


async def test_what_is_no_reply_is_begun_anew_too(desk: Desk) -> None:
    gate = Gate()
    desk.fake.script(pieces('{"verdict": "maybe"', gate, "}"), WHOLE)
    assert await once_told(desk, gate) == RIGHT
    assert desk.told[:2] == [{"verdict": "maybe"}, {}]
    assert [used.outcome for used in desk.used] == ["unusable", "ok"]


async def test_an_error_in_the_middle_of_a_reply_is_tried_again(desk: Desk) -> None:
    error = '{"error": {"code": 503, "message": "Overloaded", "status": "UNAVAILABLE"}}'
    begun = {
        "gemini": '{"candidates": [{"content": {"parts": [{"text": "{\\"note\\": \\"Ha"}]}}],'
        ' "usageMetadata": {"promptTokenCount": 7}}',
        "openai": '{"choices": [{"delta": {"content": "{\\"note\\": \\"Ha"}}]}',
    }[desk.provider]
    body = f"data: {begun}\n\ndata: {error}\n\n"
    desk.fake.script(Raw(body, "text/event-stream"), WHOLE)
    assert await desk.ask() == RIGHT
    assert [used.outcome for used in desk.used] == ["failed", "ok"]


async def test_a_stalled_reply_ends_at_its_deadline_with_what_is_known_of_it(desk: Desk) -> None:
    desk.fake.script(pieces(BEGUN, Gate()))
    with pytest.raises(ModelUnavailable, match="in time"):
        await desk.ask(timeout_s=2)
    [used] = desk.used
    assert (used.outcome, used.counted) == ("timeout", False)
    assert desk.used.exchanges[0] is not None
    assert desk.used.exchanges[0].reply == BEGUN


async def test_whoever_stops_listening_hangs_up(desk: Desk) -> None:
    desk.fake.script(pieces(BEGUN, Gate()))
    asking = asyncio.create_task(desk.ask())
    await until(lambda: desk.told)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await until(lambda: desk.fake.calls[0].abandoned)
    assert [used.outcome for used in desk.used] == ["cancelled"]


async def test_who_knows_no_streams_is_asked_for_one_once(desk: Desk) -> None:
    desk.fake.streams = False
    desk.fake.always(WHOLE)
    assert await desk.ask() == RIGHT
    assert await desk.ask() == RIGHT
    assert [one.streamed for one in desk.fake.calls] == [True, False, False]
    assert [used.outcome for used in desk.used] == ["rejected", "ok", "ok"]
    assert desk.told == []


async def test_a_whole_answer_to_a_call_for_pieces_is_taken(desk: Desk) -> None:
    """As servers answer that do not look at how they are asked."""

    def whole(call: Call) -> object:
        call.streamed = False
        return WHOLE

    desk.fake.script(whole)
    assert await desk.ask() == RIGHT


async def test_a_busy_provider_is_waited_for_before_anything_is_told(desk: Desk) -> None:
    desk.fake.script(status(503), WHOLE)
    assert await desk.ask() == RIGHT
    assert {} not in desk.told


async def test_nothing_is_told_of_a_reply_that_repeats_its_instructions(desk: Desk) -> None:
    seen: list[Mapping[str, Any]] = []

    class Watched:
        """The model, and what it hands on."""

        names = desk.model.names

        async def ask(self, request: ModelRequest[Reply]) -> Reply:
            async def heard(said: Mapping[str, Any]) -> None:
                assert request.on_partial is not None
                await request.on_partial(said)
                seen.append(said)

            return await desk.model.ask(replace(request, on_partial=heard))

    gates = [Gate(), Gate()]
    leak = " qzvkxwjtplmn and more"
    desk.fake.script(pieces('{"note": "Fine', gates[0], leak, gates[1], '", "verdict": "yes"}'))
    model = CanaryModel(Watched(), marks=lambda: "qzvkxwjtplmn")
    asking = asyncio.create_task(model.ask(desk.asking()))
    await until(lambda: seen)
    gates[0].set()
    await until(lambda: any("more" in one["note"] for one in seen))
    gates[1].set()
    with pytest.raises(InstructionsLeaked):
        await asking
    assert desk.told == [{"note": "Fine"}]
