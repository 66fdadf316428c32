"""Titles of conversations: from the first message, from the model, from the person."""

import httpx
import pytest

from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.integration.chat.conversations import LIBRARY, Talk, shelved
from tests.integration.chat.test_model_calls import (
    ANSWER,
    ASKED,
    JUDGED,
    RIGHT,
    UNDERSTANDING,
    VAGUE,
    answer,
    judged,
    meant,
    of,
)

NAMED = "Cost of a night in London"


@pytest.fixture
async def talk(model_client: httpx.AsyncClient, gemini: FakeGemini) -> Talk:
    await shelved(model_client, LIBRARY)
    gemini.calls.clear()
    gemini.when(JUDGED, judged, always=True)
    gemini.when(ANSWER, answer(RIGHT), always=True)
    return Talk(model_client)


async def listed(talk: Talk) -> str:
    found = (await talk.client.get("/api/chat/conversations")).json()["conversations"]
    return next(one["title"] for one in found if one["thread_id"] == talk.thread_id)  # type: ignore[no-any-return]


async def test_the_reading_of_the_first_message_names_it_and_no_later_one(
    talk: Talk, gemini: FakeGemini
):
    gemini.when(UNDERSTANDING, meant(title=f" {NAMED}\n"))
    told = (await talk.say(ASKED))[-1]
    assert (told["title"], await listed(talk)) == (NAMED, NAMED)
    gemini.when(UNDERSTANDING, meant(title="Something else"))
    await talk.say("And in Paris?")
    assert (await talk.history())["title"] == NAMED


async def test_it_is_named_also_where_the_first_turn_asks_back(talk: Talk, gemini: FakeGemini):
    open_ = meant("inquire", "low", actions=["inquire", "audit"], title=NAMED)
    gemini.when(UNDERSTANDING, lambda call: open_ | {"documents": of("Travel policy")(call)})
    assert (await talk.say(VAGUE))[-1]["type"] == "interrupt"
    assert await listed(talk) == NAMED


async def test_a_title_that_is_given_meanwhile_stays(talk: Talk, gemini: FakeGemini):
    """The person renames it while the model reads."""
    with httpx.Client(
        base_url=talk.client.base_url, headers=talk.client.headers, timeout=20
    ) as person:

        def renamed(_: Call) -> dict[str, object]:
            address = f"/api/chat/conversations/{talk.thread_id}"
            person.patch(address, json={"title": "$Mine"}).raise_for_status()
            return meant(title=NAMED)

        gemini.when(UNDERSTANDING, renamed)
        await talk.say(ASKED)
    assert await listed(talk) == "$Mine"


async def test_without_a_model_it_is_the_first_words(client: httpx.AsyncClient):
    talk = Talk(client)
    words = "What does the handbook say of people who travel by train or by coach in winter?"
    told = (await talk.say(words, action="inquire"))[-1]
    assert told["title"] == "What does the handbook say of people who travel by train or…"
    assert await listed(talk) == told["title"]
