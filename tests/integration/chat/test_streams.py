"""The draft of an answer, streamed claim by claim."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from tests.fakes.gemini import FakeGemini
from tests.fakes.steps import Gate, broken, held, pieces, text_of
from tests.integration.chat.conversations import LIBRARY, Event, Talk, each, shelved
from tests.integration.chat.test_model_calls import (
    ANSWER,
    ASKED,
    HOTEL,
    JUDGED,
    MENDED,
    NUMBER,
    RIGHT,
    UNDERSTANDING,
    judged,
    meant,
    said,
)

TRAIN = said("Journeys of more than 4 hours may be booked in first class.",
             "Journeys of more than 4 hours may be booked in first class.")  # fmt: skip


@pytest.fixture
async def talk(model_client: httpx.AsyncClient, gemini: FakeGemini) -> Talk:
    await shelved(model_client, LIBRARY)
    gemini.calls.clear()
    gemini.when(UNDERSTANDING, meant(question=ASKED), always=True)
    return Talk(model_client)


class Told:
    """The events of a turn as they come."""

    def __init__(self, stream: httpx.Response) -> None:
        self.events: list[Event] = []
        self._coming = each(stream)

    async def until(self, holds: Callable[[Event], object]) -> Event:
        async with asyncio.timeout(60):
            async for event in self._coming:
                self.events.append(event)
                if holds(event):
                    return event
        raise AssertionError(f"it did not come: {self.events}")


@asynccontextmanager
async def turn(talk: Talk, request_id: str = "streamed") -> AsyncIterator[Told]:
    body = {"message": ASKED, "thread_id": talk.thread_id, "request_id": request_id}
    async with talk.client.stream("POST", "/api/chat", json=body) as stream:
        yield Told(stream)


def claim(text: str, state: str = "pending") -> Callable[[Event], bool]:
    return lambda one: one["type"] == "claim" and (one["text"], one["state"]) == (text, state)


def ended(one: Event) -> bool:
    return one["type"] in ("response", "error", "interrupt")


def written(*parts: dict[str, Any], **more: Any) -> str:
    """A reply whose language comes first, as its schema has it."""
    return text_of({"language": "en", "claims": list(parts), "answered": True} | more)


def begun(*whole: dict[str, Any], text: str) -> str:
    """The same up to within the text of its last claim."""
    return written(*whole, {"text": text}).partition(text)[0] + text


async def test_words_are_told_after_one_call_and_citations_before_the_judge(
    talk: Talk, gemini: FakeGemini
) -> None:
    whole, half = written(RIGHT, TRAIN), begun(text="A night in Lon")
    gates, judging = [Gate(), Gate()], Gate()
    two = begun(RIGHT, text="Journeys of")
    parts = (half, gates[0], two.removeprefix(half), gates[1], whole.removeprefix(two))
    gemini.when(ANSWER, pieces(*parts))
    gemini.when(JUDGED, held(judging, judged))
    async with turn(talk) as told:
        await told.until(claim("A night in Lon"))
        assert [one.asks_for("unknown") for one in gemini.calls] == [True, False]
        gates[0].set()
        cited = await told.until(claim(RIGHT["text"], "cited"))
        assert [one["quote"] for one in cited["citations"]] == [HOTEL]
        await told.until(claim("Journeys of"))
        gates[1].set()
        await told.until(claim(TRAIN["text"], "cited"))
        assert not any(one["type"] == "response" for one in told.events)
        judging.set()
        response = await told.until(ended)
    assert response["response"] == f"{RIGHT['text']} [1] {TRAIN['text']} [2]"
    assert [one["marker"] for one in response["citations"]] == [1, 2]
    assert {one["state"] for one in told.events if one["type"] == "claim"} == {"pending", "cited"}


async def test_what_code_refuses_is_told_as_unsupported_until_it_is_put_right(
    talk: Talk, gemini: FakeGemini
) -> None:
    mending = Gate()
    gemini.when(ANSWER, written(NUMBER))
    gemini.when(JUDGED, judged)
    gemini.when(MENDED, held(mending, {"claims": [RIGHT | {"number": 1}]}))
    async with turn(talk) as told:
        refused = await told.until(claim(NUMBER["text"], "unsupported"))
        assert (refused["reason"], refused["citations"]) == ("not in its quotes: 90", [])
        mending.set()
        await told.until(claim(RIGHT["text"], "cited"))
        response = await told.until(ended)
    assert response["claims_dropped"] == 0


async def test_an_answer_that_is_stopped_keeps_what_was_told_and_says_that_it_is_unchecked(
    talk: Talk, gemini: FakeGemini
) -> None:
    gemini.when(ANSWER, pieces(begun(RIGHT, text="Journeys of <4"), Gate()))
    async with turn(talk) as told:
        await told.until(claim("Journeys of <4"))
        path = f"/api/chat/conversations/{talk.thread_id}/stop"
        assert (await talk.client.post(path)).json() == {"stopped": True}
        stopped = await told.until(ended)
    assert (stopped["type"], stopped["stopped"]) == ("error", True)
    assert stopped["response"] == f"{RIGHT['text']} Journeys of \\<4"
    *_, line = (await talk.history())["messages"]
    assert (line["role"], line["kind"]) == ("assistant", "stopped")
    assert line["content"] == stopped["response"]
    # Nobody is told of it as if it were known.
    gemini.when(ANSWER, written(RIGHT))
    gemini.when(JUDGED, judged)
    assert (await talk.say(ASKED))[-1]["type"] == "response"
    assert not any("Journeys of <4" in call.prompt for call in gemini.calls)


async def test_an_answer_that_breaks_off_is_begun_anew_and_said_to_be(
    talk: Talk, gemini: FakeGemini
) -> None:
    gate = Gate()
    gemini.when(ANSWER, broken(begun(text="A night costs ninety"), gate), written(RIGHT))
    gemini.when(JUDGED, judged)
    async with turn(talk) as told:
        await told.until(claim("A night costs ninety"))
        gate.set()
        restart = await told.until(lambda one: one["type"] == "restart")
        assert restart["message"] == "The model broke off its answer and starts over."
        response = await told.until(ended)
    assert response["response"] == f"{RIGHT['text']} [1]"


async def test_an_answer_that_breaks_off_for_good_is_searched_for_and_says_so(
    talk: Talk, gemini: FakeGemini
) -> None:
    gate = Gate()
    gemini.when(ANSWER, broken(begun(text="A night costs ninety"), gate), broken("{"), broken("{"))
    async with turn(talk) as told:
        await told.until(claim("A night costs ninety"))
        gate.set()
        response = await told.until(ended)
    assert response["by_model"] is False
    assert "ninety" not in response["response"]
    assert any("The model could not be asked" in one for one in response["notices"])


async def test_whoever_comes_later_gets_what_was_told_so_far_and_each_claim_once(
    talk: Talk, gemini: FakeGemini
) -> None:
    half = begun(text="A night in Lon")
    gates = [Gate(), Gate()]
    two = begun(RIGHT, text="Journeys of")
    gemini.when(
        ANSWER,
        pieces(
            half,
            gates[0],
            two.removeprefix(half),
            gates[1],
            written(RIGHT, TRAIN).removeprefix(two),
        ),
    )
    gemini.when(JUDGED, judged)
    async with turn(talk) as first:
        await first.until(claim("A night in Lon"))
        gates[0].set()
        await first.until(claim("Journeys of"))
        async with turn(talk) as second:
            await second.until(claim("Journeys of"))
            claims = [one for one in second.events if one["type"] == "claim"]
            assert [(one["number"], one["text"]) for one in claims] == [
                (1, RIGHT["text"]),
                (2, "Journeys of"),
            ]
            gates[1].set()
            assert await second.until(ended) == await first.until(ended)


async def test_a_provider_without_streams_answers_as_before(talk: Talk, gemini: FakeGemini) -> None:
    gemini.streams = False
    gemini.when(ANSWER, written(RIGHT))
    gemini.when(JUDGED, judged)
    try:
        events = await talk.say(ASKED)
    finally:
        gemini.streams = True
    assert events[-1]["response"] == f"{RIGHT['text']} [1]"
    assert [one["state"] for one in events if one["type"] == "claim"] == ["cited"]
