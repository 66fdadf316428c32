"""Exporting a conversation as a file."""

from io import BytesIO

import httpx
from docx import Document

from tests.fakes.gemini import FakeGemini
from tests.integration.chat.conversations import LIBRARY, Talk, shelved
from tests.integration.chat.test_model_calls import (
    ANSWER,
    ASKED,
    HOTEL,
    JUDGED,
    RIGHT,
    UNDERSTANDING,
    answer,
    judged,
    meant,
)

ODD = f"{ASKED}\n# not a *heading*"


async def test_it_has_the_questions_the_answers_and_what_their_numbers_stand_for(
    model_client: httpx.AsyncClient, gemini: FakeGemini
):
    await shelved(model_client, LIBRARY)
    gemini.when(UNDERSTANDING, meant(title="A night in London"), always=True)
    gemini.when(ANSWER, answer(RIGHT), always=True)
    gemini.when(JUDGED, judged, always=True)
    talk = Talk(model_client)
    await talk.say("What was replaced")
    old = (await talk.history())["messages"][0]["id"]
    told = (await talk.say(ODD, replaces=old))[-1]
    address = f"/api/chat/conversations/{talk.thread_id}/export"
    text = (await model_client.get(address)).raise_for_status()
    assert text.headers["content-type"] == "text/markdown; charset=utf-8"
    assert "conversation.md" in text.headers["content-disposition"]
    written = text.text
    assert written.startswith("# A night in London\n")
    assert f"> {ASKED}  \n> \\# not a \\*heading\\*" in written
    assert told["response"] in written
    assert f"1. Travel policy, Hotels: “{HOTEL}”" in written
    assert "What was replaced" not in written
    word = (await model_client.get(address, params={"format": "docx"})).raise_for_status()
    paragraphs = [one.text for one in Document(BytesIO(word.content)).paragraphs]
    assert paragraphs[0] == "A night in London"
    assert told["response"] in paragraphs
    assert f"1.\tTravel policy, Hotels: “{HOTEL}”" in paragraphs
    assert (await model_client.get(address, params={"format": "pdf"})).status_code == 422
